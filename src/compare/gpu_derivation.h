#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace peakline {

/// What is known of one GPU, by its driver or by what baselines/peaks says that a healthy one
/// reports.
struct GpuProperties {
  std::string name;                ///< as the driver prints it, with or without "NVIDIA "
  std::string mig_profile;         ///< empty unless it is a slice
  std::string compute_capability;  ///< "9.0"; empty: not known
  std::optional<std::int64_t> sm_count;
  std::optional<double> max_clock_hz;     ///< of the SMs
  std::optional<double> tensor_clock_hz;  ///< at which its maker quotes tensor rates, where lower
  std::optional<bool> half_rate_fp32_accumulate;
  std::optional<double> memory_clock_hz;
  std::optional<std::int64_t> memory_bus_bits;
  std::optional<double> memory_size_bytes;
};

/// FLOP/s or B/s that follow from a device's properties, and how: "132 SM x 256 FLOP per clock x
/// 1980 MHz".
struct DerivedRate {
  double value = 0;
  std::string formula;
};

/// A MIG slice or a vGPU: it has a whole GPU's name in its own, and not a whole GPU's rates.
bool is_share_of_gpu(const GpuProperties& device);

/// Dense FLOP/s (a multiply-add is two) in a rate of baselines/peaks: "fp64", "fp64_tensor",
/// "fp32", "tf32", "fp16", "bf16", "int8", "fp8", "fp4"; products of 16 bits and less are added up
/// in fp32. SM count x FLOP per clock and SM x clock, the rates per SM by compute capability from
/// NVIDIA's tables as openxla/xla (cuda_core_info_table.cc), cudnn-frontend and the CUDA Best
/// Practices have them. Absent for a chip or a name of which nothing is known, a share of a GPU, a
/// unit that the chip lacks, and for what the device does not report.
std::optional<DerivedRate> derive_flops(const GpuProperties& device, std::string_view rate);

/// B/s of device memory: 2 x memory clock x bus width / 8, absent as above.
std::optional<DerivedRate> derive_memory_bandwidth(const GpuProperties& device);

/// `name` without the vendor in front, which older drivers leave out.
std::string_view without_vendor(std::string_view name, std::string_view vendor = "NVIDIA");

}  // namespace peakline
