#pragma once

#include <cstdint>

#include "core/data_type.h"
#include "core/device.h"
#include "core/pattern.h"

namespace peakline::host {

/// Loops over host memory, shared out among `threads` threads.

void fill_random(void* data, DataType type, std::int64_t count, std::uint64_t seed, int threads);

void fill_pattern(void* data, DataType type, std::int64_t count, const PatternSpec& spec,
                  std::int64_t rank, int threads);

PatternCheck check_reduced(const void* data, DataType type, std::int64_t count,
                           const PatternSpec& spec, int threads);

/// See MemoryKernel. The sum of read() goes to a[0].
void copy(double* a, const double* b, std::int64_t count, int threads);
void scale(double* a, const double* b, std::int64_t count, int threads);
void triad(double* a, const double* b, const double* c, std::int64_t count, int threads);
void read(double* a, const double* b, std::int64_t count, int threads);
void copy_by_library(double* a, const double* b, std::int64_t count, int threads);

}  // namespace peakline::host
