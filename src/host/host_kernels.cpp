#include "host/host_kernels.h"

#include <algorithm>
#include <cmath>

namespace peakline::host {
void fill_random(void* data, DataType type, std::int64_t count, std::uint64_t seed, int threads) {
  with_type(type, [&](auto zero) {
    auto* elements = static_cast<decltype(zero)*>(data);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      elements[i] = random_element<decltype(zero)>(mix64(seed + static_cast<std::uint64_t>(i)));
    }
  });
}

void fill_pattern(void* data, DataType type, std::int64_t count, const PatternSpec& spec,
                  std::int64_t rank, int threads) {
  with_type(type, [&](auto zero) {
    auto* elements = static_cast<decltype(zero)*>(data);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t i = 0; i < count; ++i) {
      elements[i] = static_cast<decltype(zero)>(pattern_input(spec, i, rank));
    }
  });
}

PatternCheck check_reduced(const void* data, DataType type, std::int64_t count,
                           const PatternSpec& spec, int threads) {
  PatternCheck check;
  check.checked = count;
  with_type(type, [&](auto zero) {
    using Number = decltype(zero);
    const auto* elements = static_cast<const Number*>(data);
    std::int64_t wrong = 0;
    std::int64_t first = count;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : wrong) \
    reduction(min : first)
    for (std::int64_t i = 0; i < count; ++i) {
      if (pattern_matches(elements[i], spec, i)) continue;
      ++wrong;
      first = std::min(first, i);
    }
    check.wrong = wrong;
    if (wrong == 0) return;
    const auto found = static_cast<double>(elements[first]);
    check.first = Mismatch{first, 0, pattern_expected(spec, first), {}};
    if (std::isfinite(found)) check.first->found = found;
  });
  return check;
}

void copy(double* a, const double* b, std::int64_t count, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < count; ++i) a[i] = b[i];
}

void triad(double* a, const double* b, const double* c, std::int64_t count, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < count; ++i) a[i] = b[i] + 3.0 * c[i];
}

}  // namespace peakline::host
