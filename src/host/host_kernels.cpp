#include "host/host_kernels.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace peakline::host {
namespace {

/// Sum of four uniform 16 bit numbers, centred and scaled to variance 1: near enough to a normal
/// distribution (Irwin-Hall of order 4) and a single hash for each element.
double normal_from(std::uint64_t bits) {
  constexpr double scale = 1.0 / 37837.2;  // sqrt(4 * 65536^2 / 12)
  const double sum = static_cast<double>((bits & 0xffffU) + ((bits >> 16U) & 0xffffU) +
                                         ((bits >> 32U) & 0xffffU) + (bits >> 48U));
  return (sum - 131070.0) * scale;
}

template <typename Number>
Number random_element(std::uint64_t bits) {
  if constexpr (std::is_integral_v<Number>) {
    return static_cast<Number>(bits >> 44U);
  } else {
    return static_cast<Number>(normal_from(bits));
  }
}

}  // namespace

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
      if (elements[i] == static_cast<Number>(pattern_reduced(spec, i))) continue;
      ++wrong;
      first = std::min(first, i);
    }
    check.wrong = wrong;
    if (wrong == 0) return;
    const auto found = static_cast<double>(elements[first]);
    check.first = Mismatch{first, 0, static_cast<double>(pattern_reduced(spec, first)), {}};
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
