#include "host/fma_kernel.h"
#include "host/fma_rounds.h"

namespace peakline::host {
namespace {

double float32_rounds(double factor, double addend) {
  return multiply_add_rounds<float, 16>(static_cast<float>(factor), static_cast<float>(addend));
}
double float64_rounds(double factor, double addend) {
  return multiply_add_rounds<double, 16>(factor, addend);
}

}  // namespace

FmaKernel fma_kernel(DataType type) {
  if (type == DataType::float32) {
    return {float32_rounds, fma_flops_per_call(4), "128 bit vectors"};
  }
  return {float64_rounds, fma_flops_per_call(2), "128 bit vectors"};
}

}  // namespace peakline::host
