#pragma once

#include <cstdint>
#include <string>

#include "compare/gpu_derivation.h"
#include "core/record.h"

namespace peakline {

/// Whose peaks are looked up: what a record's first group of nodes says of itself, by the facts
/// that src/cuda writes (docs/result_format.md). What it leaves out, or gives as 0, is not known.
struct Machine {
  std::string backend;
  GpuProperties gpu;
  std::int64_t devices_per_node = 0;
  bool has_direct_transport = false;  ///< NCCL sends from GPU to GPU, not through the host
  bool sums_in_switch = false;        ///< NCCL has NVLS set up: the NVLink switches add up
};

Machine machine_of(const Environment& environment);

}  // namespace peakline
