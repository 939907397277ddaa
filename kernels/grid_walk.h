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

/// As for_each_index, but `batch` indices of a thread at a time, a block's width apart: all of them
/// are loaded before the first is used, so that as many loads are in flight.
template <unsigned batch, typename Load, typename Use>
__device__ void for_each_batch(std::int64_t count, const Load& load, const Use& use) {
  const std::int64_t width = blockDim.x;
  const std::int64_t tile = width * batch;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * tile + threadIdx.x;
  for (std::int64_t first = begin; first < count; first += gridDim.x * tile) {
    if (first + (batch - 1) * width < count) {
      decltype(load(first)) loaded[batch];
      for (unsigned i = 0; i < batch; ++i) loaded[i] = load(first + i * width);
      for (unsigned i = 0; i < batch; ++i) use(first + i * width, loaded[i]);
    } else {
      for (std::int64_t i = first; i < count; i += width) use(i, load(i));
    }
  }
}

}  // namespace peakline::kernels
