#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/benchmark.h"
#include "core/runner.h"

namespace peakline {

/// The explicit table of what can be measured: a new benchmark is one file and one row.
std::span<const BenchmarkInfo> all_benchmarks();

/// Every case that `wanted` (names or globs; empty for all) means with these options, in the order
/// of the table. The same on every rank. A usage Error names a pattern that matches nothing.
std::vector<RunnableCase> make_plan(const std::vector<std::string>& wanted,
                                    const PlanOptions& options, const MachineShape& shape,
                                    const Device& device, const Communicator& communicator);

BenchmarkInfo allreduce_info();
BenchmarkInfo broadcast_info();
BenchmarkInfo gemm_info();
BenchmarkInfo memory_info();
BenchmarkInfo transfer_info();
BenchmarkInfo loader_info();

}  // namespace peakline
