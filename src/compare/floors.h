#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/gpu_peaks.h"
#include "compare/machine.h"
#include "compare/policy.h"
#include "compare/verdict.h"
#include "core/record.h"

namespace peakline {

/// Every peak of the judged metric that is known: from the tables what is `attainable` and
/// `nominal` for this device, from the record what was `measured`.
std::vector<PeakShare> peaks_of(const Result& result, const Metric& metric, const Machine& machine,
                                const std::vector<GpuPeaks>& table);

/// The first that is known of: attainable at this size; nominal on the plateau; the accepted
/// baseline's median. A `measured` ceiling gates nothing. Only rates have a floor.
std::optional<Floor> floor_of(const Result& result, const Metric& metric,
                              const std::vector<PeakShare>& peaks,
                              std::optional<double> baseline_median, const Policy& policy);

}  // namespace peakline
