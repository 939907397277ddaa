#include "compare/reported_gpu.h"

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

}  // namespace

GpuProperties reported_gpu(const Environment& environment) {
  constexpr double khz = 1e3;
  GpuProperties device;
  device.name = environment.kind.device_model;
  device.mig_profile = environment.kind.mig_profile;
  if (environment.nodes.empty()) return device;
  const Facts& facts = environment.nodes.front().device;
  const auto capability = facts.find("compute_capability");
  if (capability != facts.end()) device.compute_capability = text_of(capability->second);
  device.sm_count = number(facts, "multiprocessors");
  device.max_clock_hz = scaled(number(facts, "sm_clock_khz"), khz);
  device.memory_clock_hz = scaled(number(facts, "memory_clock_khz"), khz);
  device.memory_bus_bits = number(facts, "memory_bus_bits");
  device.memory_size_bytes = scaled(number(facts, "memory_bytes"), 1);
  return device;
}

}  // namespace peakline
