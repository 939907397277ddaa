#include "compare/matching.h"

#include <algorithm>

namespace peakline {
namespace {

bool is_allowed(const Policy& policy, const std::string& field) {
  const auto& allowed = policy.allow_mismatch;
  return std::find(allowed.begin(), allowed.end(), field) != allowed.end();
}

std::string counted(std::int64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> differences(const MachineKind& here, const MachineKind& baseline,
                                     const Policy& policy) {
  std::vector<std::string> found;
  const auto compare = [&](const std::string& field, const std::string& a, const std::string& b) {
    if (a == b || is_allowed(policy, field)) return;
    found.push_back(field + ": '" + a + "' here, '" + b + "' in the baseline");
  };
  compare("backend", here.backend, baseline.backend);
  compare("device_model", here.device_model, baseline.device_model);
  compare("mig_profile", here.mig_profile, baseline.mig_profile);
  compare("devices_per_node", std::to_string(here.devices_per_node),
          std::to_string(baseline.devices_per_node));
  compare("method_version", std::to_string(here.method), std::to_string(baseline.method));
  return found;
}

std::vector<const Record*> comparable_records(const MachineKind& here,
                                              std::span<const Record> baselines,
                                              const Policy& policy) {
  std::vector<const Record*> matching;
  for (const Record& baseline : baselines) {
    if (differences(here, baseline.environment.kind, policy).empty()) matching.push_back(&baseline);
  }
  return matching;
}

std::vector<std::string> nearest_differences(const MachineKind& here,
                                             std::span<const Record> baselines,
                                             const Policy& policy) {
  std::vector<std::string> nearest;
  for (const Record& baseline : baselines) {
    const auto found = differences(here, baseline.environment.kind, policy);
    if (nearest.empty() || found.size() < nearest.size()) nearest = found;
  }
  return nearest;
}

std::string describe(const Scope& scope) {
  return counted(scope.ranks, "rank") + " on " + counted(scope.nodes, "node");
}

}  // namespace peakline
