#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/benchmark.h"
#include "support/fake_communicator.h"
#include "support/fake_device.h"

namespace peakline {

/// How long the step with this number takes; the count begins anew with every visit to a case.
using StepTime = std::function<double(const CaseId& id, std::int64_t step)>;

/// What a FakeBenchmark does on one rank.
struct FakeScript {
  StepTime step_s = [](const CaseId&, std::int64_t) { return 1; };
  TimingMode mode = TimingMode::latency;
  StepClock clock = StepClock::device;
  std::optional<std::int64_t> gate_gives_up_at;  ///< FakeDevice::add_gate's; empty: no gate
  std::optional<std::vector<Reading>> readings;  ///< FakeDevice::add_telemetry's; empty: none
  std::int64_t operations_per_step = 1;
  CallChoice choice;             ///< what a library says of the first step
  std::size_t buffer_bytes = 0;  ///< allocated for the case named "large"
  std::size_t check_bytes = 0;   ///< allocated for every verification
  PatternCheck check;            ///< what every verification finds on this rank
};

FakeScript script(StepTime step_s, TimingMode mode = TimingMode::latency);

/// These times over and over from step 2 on: the two before are the warm-up.
StepTime samples(std::vector<double> time_s);

/// Everything that one rank needs for a run of fakes.
struct FakeRank : Context {
  FakeRank(World& its_world, CallLog& its_log, FakeScript its_script, std::size_t capacity_bytes);

  CallLog& log;
  FakeScript script;
  FakeDevice fake_device;
  FakeCommunicator fake_communicator;
};

/// The row of a registry that makes benchmarks which follow the script of their FakeRank. Their one
/// metric is the median of the samples, `time`; each step notes its number as "step".
const BenchmarkInfo& fake_benchmark();

}  // namespace peakline
