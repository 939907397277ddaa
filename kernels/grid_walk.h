#pragma once

#include <cstdint>

namespace peakline::kernels {

/// Calls `work` with every index in [0, count) that falls to this thread: its own in the whole
/// grid, then on by the size of the grid. 64 bits throughout, since counts go beyond 2^31.
template <typename Work>
__device__ void for_each_index(std::int64_t count, const Work& work) {
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x) * blockDim.x + static_cast<std::int64_t>(threadIdx.x);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = first; i < count; i += stride) work(i);
}

}  // namespace peakline::kernels
