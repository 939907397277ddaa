#pragma once

#include <cstdint>

namespace peakline::host {

template <typename Number, int vector_bytes>
struct VectorOf {
  typedef Number type __attribute__((vector_size(vector_bytes)));
};

inline constexpr int fma_chains = 10;
inline constexpr int fma_rounds = 2000;

constexpr std::int64_t fma_flops_per_call(std::int64_t lanes) {
  return lanes * 2 * fma_chains * fma_rounds;
}

/// Ten independent chains hide the latency of two multiply-add units. A factor below one keeps the
/// values from growing or becoming denormal, which would change the speed. Always inlined, so that
/// it is compiled with the instruction set of its caller.
template <typename Number, int vector_bytes>
[[gnu::always_inline]] inline double multiply_add_rounds(Number factor, Number addend) {
  using Vector = typename VectorOf<Number, vector_bytes>::type;
  Vector sums[fma_chains];
#pragma GCC unroll 10
  for (int chain = 0; chain < fma_chains; ++chain) {
    sums[chain] = Vector{} + static_cast<Number>(chain);
  }
  for (int round = 0; round < fma_rounds; ++round) {
#pragma GCC unroll 10
    for (int chain = 0; chain < fma_chains; ++chain) sums[chain] = sums[chain] * factor + addend;
  }
  double total = 0;
#pragma GCC unroll 10
  for (int chain = 0; chain < fma_chains; ++chain) total += static_cast<double>(sums[chain][0]);
  return total;
}

}  // namespace peakline::host
