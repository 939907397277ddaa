#pragma once

#include <cstdint>

#include "bench/matrix.h"
#include "core/device.h"

namespace peakline {

/// Checks C = A B without multiplying them again: with a vector x of random signs, C x must equal
/// A (B x) in every row (Freivalds 1977), up to rounding. One pass over each matrix, in float64; no
/// wrong tile can hide, and its row is named. `b` is as GemmShape says, transposed or not.
PatternCheck check_product(const Matrix& a, const Matrix& b, const Matrix& c,
                           const GemmShape& shape, std::uint64_t seed);

}  // namespace peakline
