#include "compare/gpu_peaks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace peakline {
namespace {

/// Which rates of the table a GEMM of a data type can run at. An empty name is none.
struct TypeRates {
  std::string_view type;
  std::array<std::string_view, 3> rates;
};

constexpr std::array type_rates{
    TypeRates{"float64", {"fp64", "fp64_tensor", "fp64_matrix"}},
    TypeRates{"float32", {"fp32", "fp32_matrix", ""}},
    TypeRates{"tf32", {"tf32", "", ""}},
    TypeRates{"float16", {"fp16", "", ""}},
    TypeRates{"bfloat16", {"bf16", "", ""}},
    TypeRates{"int8", {"int8", "", ""}},
    TypeRates{"float8_e4m3", {"fp8", "", ""}},
    TypeRates{"fp4", {"fp4", "", ""}},
};

std::span<const std::string_view> rates_of(std::string_view type) {
  const auto row = std::ranges::find(type_rates, type, &TypeRates::type);
  if (row == type_rates.end()) return {};
  return row->rates;
}

/// In which way a device of this name is not the one in the table; empty when nothing speaks
/// against it. Bus width and memory clock are no evidence: drivers have reported both wrongly.
std::string contradiction(const GpuProperties& device, const GpuProperties& healthy) {
  if (!device.compute_capability.empty() &&
      device.compute_capability != healthy.compute_capability) {
    return "compute capability " + healthy.compute_capability;
  }
  if (device.sm_count && healthy.sm_count && *device.sm_count != *healthy.sm_count) {
    return std::to_string(*healthy.sm_count) + " SM";
  }
  // Data sheets mean GiB by GB or round, and ECC takes its share: 0.98 to 1.07 was seen.
  constexpr double memory_tolerance = 0.12;
  if (device.memory_size_bytes && healthy.memory_size_bytes &&
      std::abs(*device.memory_size_bytes / *healthy.memory_size_bytes - 1) > memory_tolerance) {
    return std::to_string(std::llround(*healthy.memory_size_bytes / 1e9)) + " GB of memory";
  }
  return "";
}

template <typename T>
void fill(std::optional<T>& known, const std::optional<T>& otherwise) {
  if (!known) known = otherwise;
}

/// A device with its entry in the table, and whether the two agree.
struct Identified {
  const GpuPeaks* entry = nullptr;  ///< null: no such name
  std::string contradiction;
  GpuProperties device;  ///< completed from the entry if they agree

  bool is_in_table() const { return entry != nullptr && contradiction.empty(); }
};

Identified identify(const std::vector<GpuPeaks>& table, const GpuProperties& device) {
  Identified found{find_gpu(table, device.name), "", device};
  if (found.entry == nullptr) return found;
  const GpuProperties& healthy = found.entry->healthy;
  found.contradiction = contradiction(device, healthy);
  if (!found.is_in_table()) return found;
  found.device.compute_capability = healthy.compute_capability;
  fill(found.device.sm_count, healthy.sm_count);
  fill(found.device.max_clock_hz, healthy.max_clock_hz);
  fill(found.device.tensor_clock_hz, healthy.tensor_clock_hz);
  fill(found.device.half_rate_fp32_accumulate, healthy.half_rate_fp32_accumulate);
  fill(found.device.memory_clock_hz, healthy.memory_clock_hz);
  fill(found.device.memory_bus_bits, healthy.memory_bus_bits);
  return found;
}

std::string remarks(const Identified& found) {
  if (found.entry == nullptr) return "";
  if (!found.contradiction.empty()) {
    return "; not the " + found.entry->id + " of baselines/peaks, which has " + found.contradiction;
  }
  return found.entry->uncertain.empty() ? "" : "; uncertain: " + found.entry->uncertain;
}

Peak listed_peak(const Identified& found, double value) {
  return {"nominal", value,
          "data sheet of " + found.entry->vendor + " " + found.entry->product +
              " (baselines/peaks: " + found.entry->id + ")" + remarks(found)};
}

Peak derived_peak(const Identified& found, const DerivedRate& derived) {
  return {"nominal", derived.value, "derived from " + derived.formula + remarks(found)};
}

bool may_derive(const Identified& found, std::string_view rate) {
  if (found.entry == nullptr) return true;
  const std::vector<std::string>& never = found.entry->never_derive;
  return found.entry->may_derive && std::ranges::find(never, rate) == never.end();
}

std::optional<Peak> nominal_peak_in(const Identified& found, std::string_view rate) {
  if (found.is_in_table()) {
    const auto listed = found.entry->dense_flops.find(rate);
    if (listed != found.entry->dense_flops.end()) return listed_peak(found, listed->second);
  }
  if (!may_derive(found, rate)) return std::nullopt;
  const std::optional<DerivedRate> derived = derive_flops(found.device, rate);
  if (!derived) return std::nullopt;
  return derived_peak(found, *derived);
}

void keep_larger(std::optional<Peak>& best, const std::optional<Peak>& other) {
  if (other && (!best || other->value > best->value)) best = other;
}

}  // namespace

const GpuPeaks* find_gpu(const std::vector<GpuPeaks>& table, std::string_view device_name) {
  const auto entry = std::ranges::find_if(table, [&](const GpuPeaks& gpu) {
    const std::string_view name = without_vendor(device_name, gpu.vendor);
    return std::ranges::find(gpu.names, name) != gpu.names.end();
  });
  return entry == table.end() ? nullptr : &*entry;
}

const GpuPeaks* find_whole_gpu(const std::vector<GpuPeaks>& table, const GpuProperties& device) {
  if (is_share_of_gpu(device)) return nullptr;
  const Identified found = identify(table, device);
  return found.is_in_table() ? found.entry : nullptr;
}

std::optional<Peak> nominal_gemm_peak(const std::vector<GpuPeaks>& table,
                                      const GpuProperties& device, std::string_view type) {
  if (is_share_of_gpu(device)) return std::nullopt;
  const Identified found = identify(table, device);
  std::optional<Peak> best;
  for (const std::string_view rate : rates_of(type)) {
    keep_larger(best, nominal_peak_in(found, rate));
  }
  return best;
}

std::optional<Peak> gemm_peak_at_clock(const std::vector<GpuPeaks>& table,
                                       const GpuProperties& device, std::string_view type,
                                       double clock_hz) {
  if (is_share_of_gpu(device)) return std::nullopt;
  Identified found = identify(table, device);
  found.device.max_clock_hz = found.device.tensor_clock_hz = clock_hz;
  std::optional<Peak> best;
  for (const std::string_view rate : rates_of(type)) {
    if (!may_derive(found, rate)) continue;
    if (const auto derived = derive_flops(found.device, rate)) {
      keep_larger(best, Peak{"at_clock", derived->value,
                             derived->formula + ", at which the GPUs ran on average"});
    }
  }
  return best;
}

std::optional<Peak> attainable_gemm_peak(const std::vector<GpuPeaks>& table,
                                         const GpuProperties& device, std::string_view type) {
  if (is_share_of_gpu(device)) return std::nullopt;
  const Identified found = identify(table, device);
  if (!found.is_in_table()) return std::nullopt;
  std::optional<Peak> best;
  for (const std::string_view rate : rates_of(type)) {
    for (const GpuMeasurement& measured : found.entry->measured) {
      if (measured.metric != "gemm_" + std::string(rate)) continue;
      keep_larger(best, Peak{"attainable", measured.value,
                             "best published for " + found.entry->id + ": " + measured.source});
    }
  }
  return best;
}

std::optional<Peak> nominal_memory_peak(const std::vector<GpuPeaks>& table,
                                        const GpuProperties& device) {
  if (is_share_of_gpu(device)) return std::nullopt;
  const Identified found = identify(table, device);
  if (found.is_in_table() && found.entry->memory_bandwidth_b_s) {
    return listed_peak(found, *found.entry->memory_bandwidth_b_s);
  }
  if (found.entry != nullptr && !found.entry->may_derive) return std::nullopt;
  const std::optional<DerivedRate> derived = derive_memory_bandwidth(found.device);
  if (!derived) return std::nullopt;
  return derived_peak(found, *derived);
}

}  // namespace peakline
