#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "core/device.h"

namespace peakline::cuda {

/// What a memory kernel works on, on the device. `c` is read by triad only.
struct MemoryArrays {
  double* a = nullptr;
  const double* b = nullptr;
  const double* c = nullptr;
  std::int64_t count = 0;
};

std::unique_ptr<Operation> make_memory_operation(MemoryKernel kernel, const MemoryArrays& arrays,
                                                 cudaStream_t stream, int multiprocessors);

}  // namespace peakline::cuda
