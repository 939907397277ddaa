#include "kernels/grid_walk.h"
#include "kernels/kernels.h"

namespace peakline::kernels {

__global__ void copy(double* a, const double* b, std::int64_t count) {
  for_each_index(count, [=](std::int64_t i) { a[i] = b[i]; });
}

__global__ void triad(double* a, const double* b, const double* c, std::int64_t count) {
  for_each_index(count, [=](std::int64_t i) { a[i] = b[i] + 3.0 * c[i]; });
}

}  // namespace peakline::kernels
