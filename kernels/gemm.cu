#include "kernels/gemm.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <type_traits>

#include "kernels/architecture.h"

namespace wmma = nvcuda::wmma;
namespace nvcuda::wmma::precision {
struct tf32;  // <mma.h> hides it from older architectures
}

namespace peakline::kernels {

extern __shared__ __align__(128) unsigned char shared_bytes[];

namespace {

// A block's tile of C is cut into 2 x 2 squares, one for each of its warps, and these into
// fragments. Stages are parts of A and B in shared memory: while one is multiplied, the others are
// being fetched.
constexpr int tile = static_cast<int>(gemm_tile);
constexpr int warp_tile = 64;
constexpr int warps_in_row = tile / warp_tile;
constexpr int warp_threads = 32;
constexpr int fragment_edge = 16;
constexpr int fragments_in_row = warp_tile / fragment_edge;
constexpr int stages = 3;
constexpr int chunk_bytes = 16;  // the most that one asynchronous copy moves

/// WMMA's names for a type, and the depth of its fragments. Registers and shared memory hold the
/// same bytes for all of them.
struct HalfProduct {
  using Stored = __half;
  using Factor = __half;
  static constexpr int fragment_depth = 16;
  static constexpr int first_architecture = 700;
};
struct BFloat16Product {
  using Stored = __nv_bfloat16;
  using Factor = __nv_bfloat16;
  static constexpr int fragment_depth = 16;
  static constexpr int first_architecture = 800;
};
struct Tf32Product {
  using Stored = float;
  using Factor = wmma::precision::tf32;
  static constexpr int fragment_depth = 8;
  static constexpr int first_architecture = 800;
};

template <typename Stored>
__device__ Stored narrowed(float sum) {
  if constexpr (std::is_same_v<Stored, __half>) {
    return __float2half_rn(sum);
  } else if constexpr (std::is_same_v<Stored, __nv_bfloat16>) {
    return __float2bfloat16_rn(sum);
  } else {
    return sum;
  }
}

/// What follows from a product's type.
template <typename Product>
struct Layout {
  using Stored = typename Product::Stored;
  static constexpr int in_chunk = chunk_bytes / static_cast<int>(sizeof(Stored));
  static constexpr int depth = 2 * Product::fragment_depth;  // of a stage
  // A chunk more than a row has, so that the rows of a fragment lie in different banks.
  static constexpr int a_stride = depth + in_chunk;
  static constexpr int b_stride = tile + in_chunk;
  static constexpr int a_elements = tile * a_stride;
  static constexpr int b_elements = depth * b_stride;
};

template <typename Product>
struct Stage {
  alignas(128) typename Product::Stored a[Layout<Product>::a_elements];
  alignas(128) typename Product::Stored b[Layout<Product>::b_elements];
};

static_assert(stages * sizeof(Stage<HalfProduct>) == gemm_shared_bytes);
static_assert(stages * sizeof(Stage<BFloat16Product>) == gemm_shared_bytes);
static_assert(stages * sizeof(Stage<Tf32Product>) <= gemm_shared_bytes);

/// To 10 bits of mantissa. <mma.h> has it only for architectures with such products.
[[maybe_unused]] __device__ float rounded_to_tf32(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return value;
#else
  return wmma::__float_to_tf32(value);
#endif
}

struct Corner {
  std::int64_t row;
  std::int64_t column;
};

/// Blocks that run together work on tiles that lie together, so that they find each other's parts
/// of A and B in the cache: down eight tiles, then to the next column.
__device__ Corner corner_of_block(const GemmExtents& extents) {
  constexpr std::int64_t tiles_in_group = 8;
  const std::int64_t tile_rows = (extents.m + gemm_tile - 1) / gemm_tile;
  const std::int64_t tile_columns = (extents.n + gemm_tile - 1) / gemm_tile;
  const std::int64_t block = blockIdx.x;
  const std::int64_t first_row = block / (tiles_in_group * tile_columns) * tiles_in_group;
  const std::int64_t left = tile_rows - first_row;
  const std::int64_t rows = left < tiles_in_group ? left : tiles_in_group;
  const std::int64_t in_group = block % (tiles_in_group * tile_columns);
  return {(first_row + in_group % rows) * gemm_tile, in_group / rows * gemm_tile};
}

/// Begins to copy a part of a matrix of `height` x `width` into shared memory, with zeros for what
/// lies outside of it. Where rows are no whole chunks, every element is copied by itself, at once.
template <int rows, int columns, int stride, typename Stored>
__device__ void fetch(Stored* to, const Stored* matrix, std::int64_t height, std::int64_t width,
                      const Corner& corner) {
  constexpr int in_chunk = chunk_bytes / static_cast<int>(sizeof(Stored));
  constexpr int chunks_in_row = columns / in_chunk;
  const bool in_whole_chunks = width % in_chunk == 0;
  for (int chunk = static_cast<int>(threadIdx.x); chunk < rows * chunks_in_row;
       chunk += static_cast<int>(gemm_threads)) {
    const int row = chunk / chunks_in_row;
    const int column = chunk % chunks_in_row * in_chunk;
    Stored* const target = to + row * stride + column;
    const std::int64_t from_row = corner.row + row;
    const std::int64_t from_column = corner.column + column;
    const Stored* const source = matrix + from_row * width + from_column;
    if (in_whole_chunks) {
      const bool inside = from_row < height && from_column < width;
      __pipeline_memcpy_async(target, inside ? source : matrix, chunk_bytes,
                              inside ? 0 : chunk_bytes);
      continue;
    }
    for (int i = 0; i < in_chunk; ++i) {
      const bool inside = from_row < height && from_column + i < width;
      target[i] = inside ? source[i] : Stored(0.0F);
    }
  }
}

template <typename Fragment>
__device__ void round_to_tf32(Fragment& fragment) {
#pragma unroll
  for (int i = 0; i < fragment.num_elements; ++i) {
    fragment.x[i] = rounded_to_tf32(fragment.x[i]);
  }
}

/// One warp's square of a block's tile of C.
template <typename Product>
class WarpSquare {
 public:
  using Stored = typename Product::Stored;
  using L = Layout<Product>;

  __device__ WarpSquare()
      : warp_(static_cast<int>(threadIdx.x) / warp_threads),
        row_(warp_ / warps_in_row * warp_tile),
        column_(warp_ % warps_in_row * warp_tile) {
    for (auto& row : sums_) {
      for (auto& sum : row) wmma::fill_fragment(sum, 0.0F);
    }
  }

  __device__ void add(const Stage<Product>& stage) {
#pragma unroll
    for (int at = 0; at < L::depth; at += Product::fragment_depth) {
      AFragment a[fragments_in_row];
      BFragment b[fragments_in_row];
#pragma unroll
      for (int i = 0; i < fragments_in_row; ++i) {
        const int down = row_ + i * fragment_edge;
        const int right = column_ + i * fragment_edge;
        wmma::load_matrix_sync(a[i], stage.a + down * L::a_stride + at, L::a_stride);
        wmma::load_matrix_sync(b[i], stage.b + at * L::b_stride + right, L::b_stride);
        if constexpr (Product::fragment_depth == Tf32Product::fragment_depth) {
          round_to_tf32(a[i]);
          round_to_tf32(b[i]);
        }
      }
#pragma unroll
      for (int i = 0; i < fragments_in_row; ++i) {
#pragma unroll
        for (int j = 0; j < fragments_in_row; ++j) {
          wmma::mma_sync(sums_[i][j], a[i], b[j], sums_[i][j]);
        }
      }
    }
  }

  /// Narrows the sums and writes those inside C, a row of fragments at a time, by way of shared
  /// memory that no warp needs any more: only there is it known which element is where.
  __device__ void store(Stored* c, const GemmExtents& extents, const Corner& corner) const {
    constexpr int stride = warp_tile + chunk_bytes / static_cast<int>(sizeof(float));
    constexpr int in_chunk = L::in_chunk;
    constexpr int chunks_in_row = warp_tile / in_chunk;
    float* const strip = reinterpret_cast<float*>(shared_bytes) + warp_ * fragment_edge * stride;
    const int lane = static_cast<int>(threadIdx.x) % warp_threads;
#pragma unroll
    for (int i = 0; i < fragments_in_row; ++i) {
#pragma unroll
      for (int j = 0; j < fragments_in_row; ++j) {
        wmma::store_matrix_sync(strip + j * fragment_edge, sums_[i][j], stride,
                                wmma::mem_row_major);
      }
      __syncwarp();
      for (int chunk = lane; chunk < fragment_edge * chunks_in_row; chunk += warp_threads) {
        const int row = chunk / chunks_in_row;
        const int column = chunk % chunks_in_row * in_chunk;
        write_chunk(
            strip + row * stride + column, c, extents,
            {corner.row + row_ + i * fragment_edge + row, corner.column + column_ + column});
      }
      __syncwarp();
    }
  }

 private:
  template <typename Use>
  using Factors = wmma::fragment<Use, fragment_edge, fragment_edge, Product::fragment_depth,
                                 typename Product::Factor, wmma::row_major>;
  using AFragment = Factors<wmma::matrix_a>;
  using BFragment = Factors<wmma::matrix_b>;
  using Sums = wmma::fragment<wmma::accumulator, fragment_edge, fragment_edge,
                              Product::fragment_depth, float>;

  struct alignas(chunk_bytes) Chunk {
    Stored values[L::in_chunk];
  };

  static __device__ void write_chunk(const float* sums, Stored* c, const GemmExtents& extents,
                                     const Corner& at) {
    if (at.row >= extents.m) return;
    Stored* const target = c + at.row * extents.n + at.column;
    Chunk chunk;
#pragma unroll
    for (int i = 0; i < L::in_chunk; ++i) chunk.values[i] = narrowed<Stored>(sums[i]);
    if (extents.n % L::in_chunk == 0) {
      if (at.column < extents.n) *reinterpret_cast<Chunk*>(target) = chunk;
      return;
    }
    for (int i = 0; i < L::in_chunk; ++i) {
      if (at.column + i < extents.n) target[i] = chunk.values[i];
    }
  }

  int warp_;
  int row_;
  int column_;
  Sums sums_[fragments_in_row][fragments_in_row];
};

template <typename Product>
__device__ void multiply_tile(const typename Product::Stored* a, const typename Product::Stored* b,
                              typename Product::Stored* c, const GemmExtents& extents) {
  using L = Layout<Product>;
  auto* const ring = reinterpret_cast<Stage<Product>*>(shared_bytes);
  const Corner corner = corner_of_block(extents);
  const std::int64_t steps = (extents.k + L::depth - 1) / L::depth;
  const auto begin_to_fetch = [&](std::int64_t step) {
    if (step < steps) {
      Stage<Product>& stage = ring[step % stages];
      const std::int64_t at = step * L::depth;
      fetch<tile, L::depth, L::a_stride>(stage.a, a, extents.m, extents.k, {corner.row, at});
      fetch<L::depth, tile, L::b_stride>(stage.b, b, extents.k, extents.n, {at, corner.column});
    }
    __pipeline_commit();  // of nothing as well, so that the count of what is waited for is right
  };

  WarpSquare<Product> square;
  for (int step = 0; step < stages - 1; ++step) begin_to_fetch(step);
  for (std::int64_t step = 0; step < steps; ++step) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // all parts of this stage are here, and nobody reads the one before it
    begin_to_fetch(step + stages - 1);
    square.add(ring[step % stages]);
  }
  __syncthreads();
  square.store(c, extents, corner);
}

template <typename Product, typename Number>
__device__ void multiply_as(const Number* a, const Number* b, Number* c,
                            const GemmExtents& extents) {
  using Stored = typename Product::Stored;
  static_assert(sizeof(Stored) == sizeof(Number));
  if constexpr (compiled_architecture() >= Product::first_architecture) {
    multiply_tile<Product>(reinterpret_cast<const Stored*>(a), reinterpret_cast<const Stored*>(b),
                           reinterpret_cast<Stored*>(c), extents);
  }
}

}  // namespace

__global__ void __launch_bounds__(gemm_threads)
    multiply(const Float16* a, const Float16* b, Float16* c, GemmExtents extents) {
  multiply_as<HalfProduct>(a, b, c, extents);
}

__global__ void __launch_bounds__(gemm_threads)
    multiply(const BFloat16* a, const BFloat16* b, BFloat16* c, GemmExtents extents) {
  multiply_as<BFloat16Product>(a, b, c, extents);
}

__global__ void __launch_bounds__(gemm_threads)
    multiply(const float* a, const float* b, float* c, GemmExtents extents) {
  multiply_as<Tf32Product>(a, b, c, extents);
}

}  // namespace peakline::kernels
