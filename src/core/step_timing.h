#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/benchmark.h"

namespace peakline {

/// A step enqueues one operation or a few, and a launch queue holds about a thousand: when it is
/// full behind a closed gate, the host waits for the gate that it should open.
inline constexpr std::int64_t most_steps_behind_gate = 64;

/// Time of each of `samples` batches of `steps` steps, per step, on this rank. Collective.
std::vector<double> time_throughput(Benchmark& benchmark, Timeline& timeline, World& world,
                                    std::size_t samples, std::int64_t steps);

/// The same, with the steps of each sample enqueued behind the gate (most_steps_behind_gate at
/// most), which all ranks open together. Nothing, on every rank, when a gate of any rank gave up.
std::optional<std::vector<double>> time_behind_gate(Benchmark& benchmark, Timeline& timeline,
                                                    Gate& gate, World& world, std::size_t samples,
                                                    std::int64_t steps);

/// Time of single steps, each started by all ranks together. Collective.
std::vector<double> time_latency(Benchmark& benchmark, Timeline& timeline, World& world,
                                 std::size_t samples);

}  // namespace peakline
