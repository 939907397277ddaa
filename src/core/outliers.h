#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace peakline {

/// Ranks whose time lies at least `slower_by` above the first quartile (type 7) of all ranks. The
/// quartile, unlike mean or median, stays put when half of the ranks are slow. Needs six ranks:
/// below that one very fast rank would mislead it, and nothing is flagged.
std::vector<std::size_t> slow_outliers(std::span<const double> time_s, double slower_by = 0.05);

}  // namespace peakline
