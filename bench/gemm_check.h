#pragma once

#include <cstdint>
#include <vector>

#include "core/device.h"

namespace peakline {

/// Checks C = A B (all row-major) without multiplying them again: with a vector x of random signs,
/// C x must equal A (B x) in every row (Freivalds 1977), up to rounding. One pass over each matrix,
/// in float64; no wrong tile can hide, and its row is named. `epsilon` is the rounding unit of the
/// type that accumulates.
PatternCheck check_product(const std::vector<double>& a, const std::vector<double>& b,
                           const std::vector<double>& c, const GemmShape& shape, double epsilon,
                           std::uint64_t seed);

}  // namespace peakline
