#include "host/host_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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

void scale(double* a, const double* b, std::int64_t count, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < count; ++i) a[i] = 3.0 * b[i];
}

void triad(double* a, const double* b, const double* c, std::int64_t count, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < count; ++i) a[i] = b[i] + 3.0 * c[i];
}

void read(double* a, const double* b, std::int64_t count, int threads) {
  double sum = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) sum += b[i];
  if (count > 0) a[0] = sum;
}

void copy_by_library(double* a, const double* b, std::int64_t count, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int part = 0; part < threads; ++part) {
    const std::int64_t first = count * part / threads;
    const std::int64_t end = count * (part + 1) / threads;
    std::memcpy(a + first, b + first, static_cast<std::size_t>(end - first) * sizeof(double));
  }
}

}  // namespace peakline::host
