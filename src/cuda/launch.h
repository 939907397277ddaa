#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "cuda/check.h"
#include "kernels/kernels.h"

namespace peakline::cuda {

struct Grid {
  unsigned blocks = 1;
  unsigned threads = 1;
  std::size_t shared_bytes = 0;  ///< of each block
};

/// Of blocks that cover `count` elements, but no more than fill the device a few times over: the
/// kernels walk on by themselves.
inline Grid grid_for(std::int64_t count, int multiprocessors) {
  constexpr std::int64_t blocks_per_multiprocessor = 8;
  const std::int64_t covering = (count + kernels::block_threads - 1) / kernels::block_threads;
  const auto blocks =
      std::clamp<std::int64_t>(covering, 1, blocks_per_multiprocessor * multiprocessors);
  return {static_cast<unsigned>(blocks), kernels::block_threads};
}

/// Enqueues a kernel of kernels/ by its address.
template <typename... Params>
void launch(cudaStream_t stream, const Grid& grid, void (*kernel)(Params...),
            std::type_identity_t<Params>... values) {
  std::array<void*, sizeof...(Params)> arguments{
      const_cast<void*>(static_cast<const volatile void*>(&values))...};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(grid.blocks),
                         dim3(grid.threads), arguments.data(), grid.shared_bytes, stream));
}

}  // namespace peakline::cuda
