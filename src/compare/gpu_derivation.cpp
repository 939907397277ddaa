#include "compare/gpu_derivation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "core/units.h"

namespace peakline {
namespace {

constexpr std::array<std::string_view, 9> rate_names{"fp64", "fp64_tensor", "fp32", "tf32", "fp16",
                                                     "bf16", "int8",        "fp8",  "fp4"};
constexpr std::size_t first_tensor_rate = 3;  // from here on quoted at the tensor clock

/// Fused multiply-adds per clock and SM, in the order of rate_names. 0: the chip has no such unit.
struct SmRates {
  std::string_view compute_capability;
  bool half_rate_fp32_accumulate;
  std::array<int, rate_names.size()> fma;
};

constexpr std::array sm_rates{
    SmRates{"6.0", false, {32, 0, 64, 0, 64, 0, 0, 0, 0}},  // fp16 GEMM at the rate of fp32
    SmRates{"7.0", false, {32, 0, 64, 0, 512, 0, 0, 0, 0}},
    SmRates{"7.5", false, {2, 0, 64, 0, 512, 0, 1024, 0, 0}},
    SmRates{"7.5", true, {2, 0, 64, 0, 256, 0, 1024, 0, 0}},
    SmRates{"8.0", false, {32, 64, 64, 512, 1024, 1024, 2048, 0, 0}},
    SmRates{"8.6", false, {2, 0, 128, 256, 512, 512, 1024, 0, 0}},
    SmRates{"8.6", true, {2, 0, 128, 128, 256, 256, 1024, 0, 0}},
    SmRates{"8.9", false, {2, 0, 128, 256, 512, 512, 1024, 1024, 0}},
    SmRates{"8.9", true, {2, 0, 128, 128, 256, 256, 1024, 512, 0}},
    SmRates{"9.0", false, {64, 128, 128, 1024, 2048, 2048, 4096, 4096, 0}},
    SmRates{"10.0", false, {64, 64, 128, 2048, 4096, 4096, 8192, 8192, 16384}},
    SmRates{"10.3", false, {2, 0, 128, 2048, 4096, 4096, 256, 8192, 24576}},
    SmRates{"12.0", false, {2, 0, 128, 256, 512, 512, 1024, 1024, 2048}},
    SmRates{"12.0", true, {2, 0, 128, 128, 256, 256, 1024, 512, 2048}},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Half rate is a mark of the product, not of the chip, and no driver reports it. GeForce cards of
/// the same chips without RTX in their name have no tensor cores at all.
std::optional<bool> half_rate_by_name(std::string_view name) {
  constexpr std::array<std::string_view, 3> half_rate_names{"A10G", "L40", "L20"};
  if (contains(name, "GeForce RTX")) return true;
  if (std::ranges::find(half_rate_names, without_vendor(name)) != half_rate_names.end())
    return true;
  if (contains(name, "TITAN")) return false;
  return std::nullopt;
}

/// The row for this chip and product. With an unmarked name of a chip that is sold in both kinds
/// there is no telling which tensor rates hold, so `tensor` finds none.
const SmRates* find_rates(const GpuProperties& device, bool tensor) {
  const auto is_this_chip = [&](const SmRates& rates) {
    return rates.compute_capability == device.compute_capability;
  };
  const auto kinds = std::ranges::count_if(sm_rates, is_this_chip);
  std::optional<bool> half = device.half_rate_fp32_accumulate;
  if (!half) half = half_rate_by_name(device.name);
  if (kinds == 1 || (kinds > 1 && !half && !tensor)) half = false;
  if (!half) return nullptr;
  const auto row = std::ranges::find_if(sm_rates, [&](const SmRates& rates) {
    return is_this_chip(rates) && rates.half_rate_fp32_accumulate == *half;
  });
  return row == sm_rates.end() ? nullptr : &*row;
}

/// Hopper's and Blackwell's tensor rates are quoted below the maximum clock; the shares are those
/// that XLA uses.
double tensor_clock_share(std::string_view compute_capability) {
  if (compute_capability == "9.0") return 0.924;
  if (compute_capability.starts_with("10.")) return 0.934;
  return 1;
}

std::optional<double> clock_of(const GpuProperties& device, bool tensor) {
  if (!tensor) return device.max_clock_hz;
  if (device.tensor_clock_hz) return device.tensor_clock_hz;
  if (!device.max_clock_hz) return std::nullopt;
  return *device.max_clock_hz * tensor_clock_share(device.compute_capability);
}

std::string in_mhz(double clock_hz) { return format_significant(clock_hz / 1e6, 4) + " MHz"; }

/// "...-8Q", "...-1-12CME": memory in GB and the kind of licence end the name of a vGPU.
bool is_vgpu_name(std::string_view name) {
  if (contains(name, "GRID ")) return true;
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return false;
  const std::string_view profile = name.substr(dash + 1);
  const std::size_t letters = std::min(profile.find_first_not_of("0123456789"), profile.size());
  if (letters == 0 || letters == profile.size()) return false;
  const std::string_view kind = profile.substr(letters);
  return contains("ABCQ", kind.substr(0, 1)) &&
         std::ranges::all_of(kind, [](unsigned char letter) { return std::isupper(letter) != 0; });
}

}  // namespace

std::string_view without_vendor(std::string_view name, std::string_view vendor) {
  if (name.starts_with(vendor) && name.substr(vendor.size()).starts_with(' ')) {
    name.remove_prefix(vendor.size() + 1);
  }
  return name;
}

bool is_share_of_gpu(const GpuProperties& device) {
  return !device.mig_profile.empty() || contains(device.name, " MIG ") || is_vgpu_name(device.name);
}

std::optional<DerivedRate> derive_flops(const GpuProperties& device, std::string_view rate) {
  if (is_share_of_gpu(device)) return std::nullopt;
  const auto column = std::ranges::find(rate_names, rate);
  if (column == rate_names.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(column - rate_names.begin());
  const bool tensor = index >= first_tensor_rate;
  const SmRates* rates = find_rates(device, tensor);
  const std::optional<double> clock_hz = clock_of(device, tensor);
  if (rates == nullptr || rates->fma[index] == 0 || !clock_hz || !device.sm_count) {
    return std::nullopt;
  }
  const int flop_per_clock = 2 * rates->fma[index];
  return DerivedRate{static_cast<double>(*device.sm_count) * flop_per_clock * *clock_hz,
                     std::to_string(*device.sm_count) + " SM x " + std::to_string(flop_per_clock) +
                         " FLOP per clock x " + in_mhz(*clock_hz)};
}

std::optional<DerivedRate> derive_memory_bandwidth(const GpuProperties& device) {
  // Integrated GPUs report figures that mean something else; none of their chips is in the table.
  if (is_share_of_gpu(device) || find_rates(device, false) == nullptr) return std::nullopt;
  if (!device.memory_clock_hz || !device.memory_bus_bits) return std::nullopt;
  return DerivedRate{2 * *device.memory_clock_hz * static_cast<double>(*device.memory_bus_bits) / 8,
                     "2 x " + in_mhz(*device.memory_clock_hz) + " x " +
                         std::to_string(*device.memory_bus_bits) + " bit"};
}

}  // namespace peakline
