#include "host/fma_ceiling.h"

#include <algorithm>
#include <chrono>

#include "host/fma_kernel.h"

namespace peakline::host {

double fma_flops(DataType type, int threads, double duration_s) {
  using Clock = std::chrono::steady_clock;
  constexpr int calls = 400;  // about a millisecond, beside which starting the threads is nothing
  const FmaKernel kernel = fma_kernel(type);
  const double flops = static_cast<double>(kernel.flops_per_call) * calls * threads;
  const auto seconds_since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  volatile double sink = 0;  // the sums must look needed
  double best = 0;
  // The best of short stretches: a ceiling should not sink because something else ran for a moment.
  for (const Clock::time_point start = Clock::now(); seconds_since(start) < duration_s;) {
    double total = 0;
    const Clock::time_point begin = Clock::now();
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : total)
    for (int thread = 0; thread < threads; ++thread) {
      for (int call = 0; call < calls; ++call) total += kernel.rounds(0.999, 0.001 + 1e-9 * call);
    }
    best = std::max(best, flops / seconds_since(begin));
    sink = sink + total;
  }
  return best;
}

}  // namespace peakline::host
