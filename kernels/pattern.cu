#include "core/pattern.h"

#include "kernels/grid_walk.h"
#include "kernels/kernels.h"

namespace peakline::kernels {
namespace {

template <typename Number>
__device__ void fill_random_in(Number* data, std::int64_t count, std::uint64_t seed) {
  for_each_index(count, [=](std::int64_t i) {
    data[i] = random_element<Number>(mix64(seed + static_cast<std::uint64_t>(i)));
  });
}

template <typename Number>
__device__ void fill_pattern_in(Number* data, std::int64_t count, const PatternSpec& spec,
                                std::int64_t rank) {
  for_each_index(
      count, [=](std::int64_t i) { data[i] = static_cast<Number>(pattern_input(spec, i, rank)); });
}

/// Wrong elements are rare, so the atomics cost nothing where it matters.
template <typename Number>
__device__ void check_reduced_in(const Number* data, std::int64_t count, const PatternSpec& spec,
                                 CheckCounters* counters) {
  for_each_index(count, [=](std::int64_t i) {
    if (pattern_matches(data[i], spec, i)) return;
    atomicAdd(&counters->wrong, 1ULL);
    atomicMin(&counters->first, static_cast<unsigned long long>(i));
  });
}

}  // namespace

__global__ void fill_random(float* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(double* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(Float16* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(BFloat16* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(Float8E4M3* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(Float8E5M2* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(std::int8_t* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(std::uint8_t* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(std::int32_t* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(std::uint32_t* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(std::int64_t* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}
__global__ void fill_random(std::uint64_t* data, std::int64_t count, std::uint64_t seed) {
  fill_random_in(data, count, seed);
}

__global__ void fill_pattern(float* data, std::int64_t count, PatternSpec spec, std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(double* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(Float16* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(BFloat16* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(Float8E4M3* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(Float8E5M2* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(std::int8_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(std::uint8_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(std::int32_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(std::uint32_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(std::int64_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}
__global__ void fill_pattern(std::uint64_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank) {
  fill_pattern_in(data, count, spec, rank);
}

__global__ void check_reduced(const float* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const double* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const Float16* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const BFloat16* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const Float8E4M3* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const Float8E5M2* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const std::int8_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const std::uint8_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const std::int32_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const std::uint32_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const std::int64_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}
__global__ void check_reduced(const std::uint64_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters) {
  check_reduced_in(data, count, spec, counters);
}

}  // namespace peakline::kernels
