#pragma once

#include <limits>

namespace peakline::kernels {

/// 100 x the compute capability that device code is being compiled for: 900 for 9.0. A compiler
/// that makes no device code, the one for the CPU, has every feature.
constexpr int compiled_architecture() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return std::numeric_limits<int>::max();
#endif
}

}  // namespace peakline::kernels
