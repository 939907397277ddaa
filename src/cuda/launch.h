#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "cuda/check.h"
#include "kernels/kernels.h"

namespace peakline::cuda {

/// Blocks that cover `count` elements, but no more than fill the device a few times over: the
/// kernels walk on by themselves.
inline unsigned blocks_for(std::int64_t count, int multiprocessors) {
  constexpr std::int64_t blocks_per_multiprocessor = 8;
  const std::int64_t covering = (count + kernels::block_threads - 1) / kernels::block_threads;
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(covering, 1, blocks_per_multiprocessor * multiprocessors));
}

/// Enqueues a kernel of kernels/kernels.h by its address.
template <typename... Params>
void launch(cudaStream_t stream, unsigned blocks, unsigned threads, void (*kernel)(Params...),
            std::type_identity_t<Params>... values) {
  std::array<void*, sizeof...(Params)> arguments{
      const_cast<void*>(static_cast<const volatile void*>(&values))...};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads),
                         arguments.data(), 0, stream));
}

}  // namespace peakline::cuda
