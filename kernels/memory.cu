#include "kernels/grid_walk.h"
#include "kernels/kernels.h"

namespace peakline::kernels {
namespace {

/// Loads of 16 bytes, the most that one instruction moves on every GPU, that a thread has in
/// flight.
constexpr unsigned loads_in_flight = 4;

__device__ bool is_first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

/// a = operation(b, c), two elements at a time. An array that `operation` ignores is not read.
template <typename Operation>
__device__ void combine(double* a, const double* b, const double* c, std::int64_t count,
                        const Operation& operation) {
  auto* a_pairs = reinterpret_cast<double2*>(a);
  const auto* b_pairs = reinterpret_cast<const double2*>(b);
  const auto* c_pairs = reinterpret_cast<const double2*>(c);
  for_each_batch<loads_in_flight>(
      count / 2,
      [=](std::int64_t i) {
        const double2 left = b_pairs[i];
        const double2 right = c_pairs[i];
        return double2{operation(left.x, right.x), operation(left.y, right.y)};
      },
      [=](std::int64_t i, const double2& value) { a_pairs[i] = value; });
  const std::int64_t last = count - 1;
  if (count % 2 != 0 && is_first_thread()) a[last] = operation(b[last], c[last]);
}

}  // namespace

__global__ void copy(double* a, const double* b, std::int64_t count) {
  combine(a, b, b, count, [](double left, double) { return left; });
}

__global__ void scale(double* a, const double* b, std::int64_t count) {
  combine(a, b, b, count, [](double left, double) { return 3.0 * left; });
}

__global__ void triad(double* a, const double* b, const double* c, std::int64_t count) {
  combine(a, b, c, count, [](double left, double right) { return left + 3.0 * right; });
}

__global__ void read(double* sums, const double* b, std::int64_t count) {
  const auto* pairs = reinterpret_cast<const double2*>(b);
  double sum = count % 2 != 0 && is_first_thread() ? b[count - 1] : 0;
  for_each_batch<2 * loads_in_flight>(
      count / 2, [=](std::int64_t i) { return pairs[i]; },
      [&](std::int64_t, const double2& pair) { sum += pair.x + pair.y; });
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread < count) sums[thread] = sum;
}

}  // namespace peakline::kernels
