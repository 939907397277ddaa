#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/gpu_derivation.h"
#include "core/result.h"

namespace peakline {

/// A published measurement on a healthy device. FLOP/s or B/s.
struct GpuMeasurement {
  std::string metric;  ///< "gemm_bf16", "mem_triad", ...
  double value = 0;
  std::string source;
};

/// One kind of GPU (baselines/peaks/README.md has the meanings and marks of sources). SI units,
/// dense rates, links per direction. What no source says is absent.
struct GpuPeaks {
  std::string id;
  std::string vendor;
  std::string product;
  std::vector<std::string> names;  ///< that drivers print, without the vendor in front
  GpuProperties healthy;           ///< what such a device reports; its name is left empty
  std::map<std::string, double, std::less<>> dense_flops;  ///< by rate: "fp64_tensor", "bf16", ...
  std::optional<double> memory_bandwidth_b_s;
  std::optional<double> nvlink_b_s;
  std::optional<double> nvlink_nccl_b_s;    ///< that NCCL reckons with
  std::optional<std::int64_t> nvlink_gpus;  ///< only so many use all links; absent: any number
  std::optional<double> pcie_b_s;           ///< absent also where NVLink-C2C leads to the host
  bool may_derive = false;                  ///< false: capped below what its properties promise
  std::vector<std::string> never_derive;    ///< rates that alone are capped, or may be
  std::string uncertain;                    ///< what is contested about the figures
  std::vector<GpuMeasurement> measured;
};

/// The entry with exactly this name, with or without the vendor in front; null when there is none.
const GpuPeaks* find_gpu(const std::vector<GpuPeaks>& table, std::string_view device_name);

/// The same, unless the device contradicts it or is a share of a GPU: then null.
const GpuPeaks* find_whole_gpu(const std::vector<GpuPeaks>& table, const GpuProperties& device);

/// What the data sheet promises for a GEMM of a data type ("float64", "float32", "tf32", "float16",
/// "bfloat16", "int8", "float8_e4m3", "fp4"), derived from the device's properties where no data
/// sheet says so; float64 and float32 take the larger of what their vector and matrix units give.
/// What the device leaves out is taken from its entry; a device that contradicts its entry is
/// judged by its own word. Absent for a MIG slice, a vGPU, and whatever is not known: never a
/// default.
std::optional<Peak> nominal_gemm_peak(const std::vector<GpuPeaks>& table,
                                      const GpuProperties& device, std::string_view type);

/// What its units do at the clock that they really ran at: held against it, a GPU that its power
/// limit slows down can be told from one that is badly used. Absent as above.
std::optional<Peak> gemm_peak_at_clock(const std::vector<GpuPeaks>& table,
                                       const GpuProperties& device, std::string_view type,
                                       double clock_hz);

/// The best GEMM that was published for this kind of GPU.
std::optional<Peak> attainable_gemm_peak(const std::vector<GpuPeaks>& table,
                                         const GpuProperties& device, std::string_view type);

/// What the data sheet promises for device memory, or what its clock and bus width give.
std::optional<Peak> nominal_memory_peak(const std::vector<GpuPeaks>& table,
                                        const GpuProperties& device);

}  // namespace peakline
