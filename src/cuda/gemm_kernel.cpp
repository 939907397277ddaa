#include "cuda/gemm_kernel.h"

#include <limits>

#include "cuda/check.h"
#include "cuda/launch.h"
#include "kernels/gemm.h"

namespace peakline::cuda {
namespace {

std::int64_t tiles_of(const GemmShape& shape) {
  const auto tiles_along = [](std::int64_t edge) {
    return (edge + kernels::gemm_tile - 1) / kernels::gemm_tile;
  };
  return tiles_along(shape.m) * tiles_along(shape.n);
}

template <typename Number>
class GemmKernel final : public Operation {
 public:
  GemmKernel(const GemmShape& shape, const void* a, const void* b, void* c, cudaStream_t stream)
      : a_(static_cast<const Number*>(a)),
        b_(static_cast<const Number*>(b)),
        c_(static_cast<Number*>(c)),
        extents_{shape.m, shape.n, shape.k},
        grid_{static_cast<unsigned>(tiles_of(shape)), kernels::gemm_threads,
              kernels::gemm_shared_bytes},
        stream_(stream) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(kernels::gemm_shared_bytes)));
  }

  void enqueue() override { launch(stream_, grid_, kernel, a_, b_, c_, extents_); }

 private:
  static constexpr void (*kernel)(const Number*, const Number*, Number*,
                                  kernels::GemmExtents) = &kernels::multiply;

  const Number* a_;
  const Number* b_;
  Number* c_;
  kernels::GemmExtents extents_;
  Grid grid_;
  cudaStream_t stream_;
};

}  // namespace

std::string why_no_kernel(const GemmShape& shape, int compute_major) {
  constexpr int first_beyond_half = 8;
  const bool is_half = shape.type == DataType::float16;
  if (!is_half && shape.type != DataType::bfloat16 && !shape.tf32) {
    return "Peakline's own kernel multiplies float16, bfloat16 and tf32 only";
  }
  if (!is_half && compute_major < first_beyond_half) {
    return "the GPU's tensor cores take float16 only; the others came with compute capability 8.0";
  }
  if (tiles_of(shape) > std::numeric_limits<int>::max()) {
    return "the product has more tiles than a kernel can have blocks";
  }
  return "";
}

std::unique_ptr<Operation> make_gemm_kernel(const GemmShape& shape, const void* a, const void* b,
                                            void* c, cudaStream_t stream) {
  switch (shape.type) {
    case DataType::float16: return std::make_unique<GemmKernel<Float16>>(shape, a, b, c, stream);
    case DataType::bfloat16: return std::make_unique<GemmKernel<BFloat16>>(shape, a, b, c, stream);
    default: return std::make_unique<GemmKernel<float>>(shape, a, b, c, stream);
  }
}

}  // namespace peakline::cuda
