#include "bench/registry.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/sweep.h"

namespace peakline {
namespace {

bool is_wanted(const std::vector<std::string>& wanted, std::string_view name) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& glob) {
           return matches_glob(glob, name);
         });
}

void refuse_unknown(const std::vector<std::string>& wanted) {
  for (const std::string& glob : wanted) {
    const auto benchmarks = all_benchmarks();
    const bool known = std::any_of(benchmarks.begin(), benchmarks.end(),
                                   [&](const auto& info) { return matches_glob(glob, info.name); });
    if (!known) {
      throw usage_error("There is no benchmark '" + glob + "': --list prints all of them.");
    }
  }
}

/// Only what needs a device with memory of its own plans nothing at all.
Error no_case(const std::vector<std::string>& wanted) {
  std::string names;
  for (const std::string& glob : wanted) names += (names.empty() ? "" : ",") + glob;
  return usage_error("--bench " + names +
                     " measures nothing on this device: it needs a GPU (--device cuda).");
}

}  // namespace

std::span<const BenchmarkInfo> all_benchmarks() {
  static const std::array table{
      allreduce_info(), broadcast_info(), gemm_info(),
      memory_info(),    transfer_info(),  loader_info(),
  };
  return table;
}

std::vector<RunnableCase> make_plan(const std::vector<std::string>& wanted,
                                    const PlanOptions& options, const MachineShape& shape,
                                    const Device& device, const Communicator& communicator) {
  refuse_unknown(wanted);
  std::vector<RunnableCase> plan;
  for (const BenchmarkInfo& info : all_benchmarks()) {
    if (!is_wanted(wanted, info.name)) continue;
    for (PlannedCase& planned : info.cases(options, shape, device, communicator)) {
      plan.push_back({std::move(planned), &info, ""});
    }
  }
  if (plan.empty()) throw no_case(wanted);
  return plan;
}

}  // namespace peakline
