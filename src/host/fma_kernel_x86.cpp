#include "host/fma_kernel.h"
#include "host/fma_rounds.h"

namespace peakline::host {
namespace {

[[gnu::target("avx512f")]] double float32_avx512(double factor, double addend) {
  return multiply_add_rounds<float, 64>(static_cast<float>(factor), static_cast<float>(addend));
}
[[gnu::target("avx512f")]] double float64_avx512(double factor, double addend) {
  return multiply_add_rounds<double, 64>(factor, addend);
}
[[gnu::target("avx2,fma")]] double float32_avx2(double factor, double addend) {
  return multiply_add_rounds<float, 32>(static_cast<float>(factor), static_cast<float>(addend));
}
[[gnu::target("avx2,fma")]] double float64_avx2(double factor, double addend) {
  return multiply_add_rounds<double, 32>(factor, addend);
}
double float32_sse2(double factor, double addend) {
  return multiply_add_rounds<float, 16>(static_cast<float>(factor), static_cast<float>(addend));
}
double float64_sse2(double factor, double addend) {
  return multiply_add_rounds<double, 16>(factor, addend);
}

}  // namespace

FmaKernel fma_kernel(DataType type) {
  const bool single = type == DataType::float32;
  if (__builtin_cpu_supports("avx512f") != 0) {
    return {single ? float32_avx512 : float64_avx512, fma_flops_per_call(single ? 16 : 8),
            "AVX-512"};
  }
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    return {single ? float32_avx2 : float64_avx2, fma_flops_per_call(single ? 8 : 4), "AVX2"};
  }
  return {single ? float32_sse2 : float64_sse2, fma_flops_per_call(single ? 4 : 2), "SSE2"};
}

}  // namespace peakline::host
