#include "core/outliers.h"

#include "core/statistics.h"

namespace peakline {

std::vector<std::size_t> slow_outliers(std::span<const double> time_s, double slower_by) {
  constexpr std::size_t fewest = 6;
  std::vector<std::size_t> ranks;
  if (time_s.size() < fewest) return ranks;
  const double limit_s = quantile(time_s, 0.25) * (1 + slower_by);
  for (std::size_t rank = 0; rank < time_s.size(); ++rank) {
    if (time_s[rank] >= limit_s) ranks.push_back(rank);
  }
  return ranks;
}

}  // namespace peakline
