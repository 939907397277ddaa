#include "compare/machine.h"

namespace peakline {
namespace {

std::optional<std::int64_t> number(const Facts& facts, const std::string& name) {
  const auto found = facts.find(name);
  if (found == facts.end()) return std::nullopt;
  const auto* value = std::get_if<std::int64_t>(&found->second);
  return value != nullptr && *value > 0 ? std::optional(*value) : std::nullopt;
}

std::optional<double> scaled(std::optional<std::int64_t> value, double unit) {
  return value ? std::optional(static_cast<double>(*value) * unit) : std::nullopt;
}

std::string text(const Facts& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : text_of(found->second);
}

GpuProperties reported_gpu(const MachineKind& kind, const Facts& facts) {
  constexpr double khz = 1e3;
  GpuProperties device;
  device.name = kind.device_model;
  device.mig_profile = kind.mig_profile;
  device.compute_capability = text(facts, "compute_capability");
  device.sm_count = number(facts, "multiprocessors");
  device.max_clock_hz = scaled(number(facts, "sm_clock_khz"), khz);
  device.memory_clock_hz = scaled(number(facts, "memory_clock_khz"), khz);
  device.memory_bus_bits = number(facts, "memory_bus_bits");
  device.memory_size_bytes = scaled(number(facts, "memory_bytes"), 1);
  return device;
}

}  // namespace

Machine machine_of(const Environment& environment) {
  const NodeGroup group = environment.nodes.empty() ? NodeGroup{} : environment.nodes.front();
  return {environment.kind.backend, reported_gpu(environment.kind, group.device),
          environment.kind.devices_per_node,
          text(group.network, "nccl_transports").find("P2P") != std::string::npos,
          text(group.network, "nccl_nvls") == "used"};
}

}  // namespace peakline
