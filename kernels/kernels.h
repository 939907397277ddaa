#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/pattern.h"

/// The device code of Peakline. Kernels are plain functions in a named namespace, one overload for
/// each type: src/cuda launches them by their address, and the emulated GPU of the tests finds its
/// CPU version of each by the same mangled name. Where a C++ compiler reads this, __global__ is
/// nothing. Element counts are of any size; every kernel walks them with a grid-wide stride.
namespace peakline::kernels {

/// Threads of a block, for every kernel that walks over elements.
inline constexpr unsigned block_threads = 256;

/// What a check found, counted by all threads. `first` starts at no_index.
struct CheckCounters {
  unsigned long long wrong;
  unsigned long long first;
};
inline constexpr unsigned long long no_index = ~0ULL;

/// Element i is random_element(mix64(seed + i)), as on the host.
__global__ void fill_random(float* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(double* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(Float16* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(BFloat16* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(Float8E4M3* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(Float8E5M2* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(std::int8_t* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(std::uint8_t* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(std::int32_t* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(std::uint32_t* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(std::int64_t* data, std::int64_t count, std::uint64_t seed);
__global__ void fill_random(std::uint64_t* data, std::int64_t count, std::uint64_t seed);

/// Element i is pattern_input(spec, i, rank).
__global__ void fill_pattern(float* data, std::int64_t count, PatternSpec spec, std::int64_t rank);
__global__ void fill_pattern(double* data, std::int64_t count, PatternSpec spec, std::int64_t rank);
__global__ void fill_pattern(Float16* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(BFloat16* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(Float8E4M3* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(Float8E5M2* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(std::int8_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(std::uint8_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(std::int32_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(std::uint32_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(std::int64_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);
__global__ void fill_pattern(std::uint64_t* data, std::int64_t count, PatternSpec spec,
                             std::int64_t rank);

/// Counts the elements for which pattern_matches() does not hold and finds the first of them.
__global__ void check_reduced(const float* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const double* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const Float16* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const BFloat16* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const Float8E4M3* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const Float8E5M2* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const std::int8_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const std::uint8_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const std::int32_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const std::uint32_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const std::int64_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);
__global__ void check_reduced(const std::uint64_t* data, std::int64_t count, PatternSpec spec,
                              CheckCounters* counters);

/// What the host and a gate kernel tell each other, in memory that both reach. Turns count from 1.
struct GateState {
  unsigned long long opened;   ///< the last turn that the host has opened
  unsigned long long gave_up;  ///< the last turn whose kernel waited to its limit, 0: none
};

/// One thread that waits until its turn is opened, for so many ticks of clock64() at most.
__global__ void wait_at_gate(GateState* gate, unsigned long long turn, long long limit_ticks);

/// To learn what a launch costs.
__global__ void do_nothing();

/// a = b, a = 3 b, and a = b + 3 c. Arrays begin at multiples of 16 bytes.
__global__ void copy(double* a, const double* b, std::int64_t count);
__global__ void scale(double* a, const double* b, std::int64_t count);
__global__ void triad(double* a, const double* b, const double* c, std::int64_t count);

/// The sum of what each thread has read, by its number in the grid. `sums` has `count` elements
/// too; those beyond the grid stay as they were.
__global__ void read(double* sums, const double* b, std::int64_t count);

}  // namespace peakline::kernels
