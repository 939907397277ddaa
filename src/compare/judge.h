#pragma once

#include <span>
#include <vector>

#include "compare/gpu_peaks.h"
#include "compare/policy.h"
#include "compare/verdict.h"
#include "core/record.h"

namespace peakline {

/// The one place where a run is judged: every planned metric against the runs of comparable
/// machines and against the peaks that are known. A pure function: the same input gives the same
/// verdict. `fresh` is not empty and comes from one kind of machine.
Verdict judge(std::span<const Record> fresh, std::span<const Record> baselines,
              const std::vector<GpuPeaks>& peaks, const Policy& policy);

/// For whom an open question is no success: when nothing worse was found, the verdict's status and
/// reason become those of its first inconclusive key.
void fail_on_inconclusive(Verdict& verdict);

}  // namespace peakline
