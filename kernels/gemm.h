#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "core/pattern.h"

/// Matrix products on tensor cores by WMMA, the one interface to them that every GPU from compute
/// capability 7.0 on has in common.
namespace peakline::kernels {

/// C[m][n] = A[m][k] B[k][n], row by row, each dense.
struct GemmExtents {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
};

/// A block of so many threads makes one square tile of C with this edge.
inline constexpr unsigned gemm_threads = 128;
inline constexpr std::int64_t gemm_tile = 128;

/// Shared memory of a block, for the parts of A and B that are on their way. More than a kernel
/// gets without asking for it (48 KiB), less than every GPU has (CUDA C++ Programming Guide,
/// Technical Specifications per Compute Capability: 64 KiB of a block for 7.5, more for others).
inline constexpr std::size_t gemm_shared_bytes = 56832;
static_assert(gemm_shared_bytes <= 64 << 10);

/// Sums in float32. For float the factors are rounded to tf32 first. Matrices begin at multiples of
/// 256 bytes. One block for each tile; bfloat16 and tf32 need compute capability 8.0, below it
/// these two do nothing.
__global__ void multiply(const Float16* a, const Float16* b, Float16* c, GemmExtents extents);
__global__ void multiply(const BFloat16* a, const BFloat16* b, BFloat16* c, GemmExtents extents);
__global__ void multiply(const float* a, const float* b, float* c, GemmExtents extents);

}  // namespace peakline::kernels
