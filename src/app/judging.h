#pragma once

#include <string>
#include <vector>

#include "compare/gpu_peaks.h"
#include "compare/verdict.h"
#include "core/record.h"

namespace peakline {

/// What a record is held against.
struct Judging {
  std::vector<Record> baselines;
  std::vector<GpuPeaks> peaks;
};

/// Reads the baselines and Peakline's own tables. Throws a usage Error for a file that is neither.
Judging load_judging(const std::vector<std::string>& baselines);

/// By the default policy of the records' backend.
Verdict judge_records(const std::vector<Record>& fresh, const Judging& judging,
                      const std::vector<std::string>& allow_mismatch);

}  // namespace peakline
