#include "compare/floors.h"
namespace peakline {
std::vector<PeakShare> peaks_of(const Result&, const Metric& metric, const MachineKind&, const std::vector<GpuPeaks>&) {
  std::vector<PeakShare> shares;
  for (const Peak& peak : metric.peaks) shares.push_back({peak, *metric.value / peak.value});
  return shares;
}
std::optional<Floor> floor_of(const Result&, const Metric& metric, const std::vector<PeakShare>&, std::optional<double> baseline_median, const Policy& policy) {
  if (metric.better != Better::higher || !baseline_median) return std::nullopt;
  return Floor{policy.floor_share * *baseline_median, "80 % of the accepted median", true};
}
}
