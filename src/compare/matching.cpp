#include "compare/matching.h"

#include <algorithm>

#include "core/units.h"

namespace peakline {
namespace {

bool is_allowed(const Policy& policy, const std::string& field) {
  const auto& allowed = policy.allow_mismatch;
  return std::find(allowed.begin(), allowed.end(), field) != allowed.end();
}

/// Differences of two maps, under "section.name"; what one side lacks is "nothing".
template <typename Map>
void add_changes(std::vector<std::string>& changes, const std::string& section, const Map& here,
                 const Map& there) {
  const auto text_in = [](const Map& map, const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? std::string("nothing")
                              : "'" + text_of(ParamValue(found->second)) + "'";
  };
  Map all = here;
  all.insert(there.begin(), there.end());
  for (const auto& [name, value] : all) {
    const std::string a = text_in(here, name);
    const std::string b = text_in(there, name);
    if (a == b) continue;
    std::string change = section;
    change += "." + name + ": " + a + " here, ";
    changes.push_back(change + b + " in the baseline");
  }
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

std::string why_unusable(const Record& baseline) {
  const std::string run = "the run '" + baseline.run.id + "'";
  if (!baseline.run.complete) return run + " is not complete";
  if (baseline.environment.emulated) return run + " comes from an emulated GPU";
  if (baseline.environment.shared_gpu) return "the ranks of " + run + " shared a GPU";
  return "";
}

std::vector<const Record*> comparable_records(const MachineKind& here,
                                              std::span<const Record> baselines,
                                              const Policy& policy) {
  std::vector<const Record*> matching;
  for (const Record& baseline : baselines) {
    const Environment& there = baseline.environment;
    if (!why_unusable(baseline).empty()) continue;
    if (differences(here, there.kind, policy).empty()) matching.push_back(&baseline);
  }
  return matching;
}

std::vector<std::string> nearest_differences(const MachineKind& here,
                                             std::span<const Record> baselines,
                                             const Policy& policy) {
  std::vector<std::string> nearest;
  for (const Record& baseline : baselines) {
    auto found = differences(here, baseline.environment.kind, policy);
    const std::string unusable = why_unusable(baseline);
    if (!unusable.empty()) found.push_back(unusable);
    if (nearest.empty() || found.size() < nearest.size()) nearest = found;
  }
  return nearest;
}

std::vector<std::string> changed_facts(const Environment& here, const Environment& baseline) {
  std::vector<std::string> changes;
  if (!here.nodes.empty() && !baseline.nodes.empty()) {
    const NodeGroup& a = here.nodes.front();
    const NodeGroup& b = baseline.nodes.front();
    add_changes(changes, "device", a.device, b.device);
    add_changes(changes, "software", a.software, b.software);
    add_changes(changes, "network", a.network, b.network);
    add_changes(changes, "storage", a.storage, b.storage);
  }
  add_changes(changes, "settings", here.settings, baseline.settings);
  return changes;
}

std::string describe(const Scope& scope) {
  return counted(scope.ranks, "rank") + " on " + counted(scope.nodes, "node");
}

}  // namespace peakline
