#pragma once

#include <string>

#include "core/result.h"

namespace peakline {

/// The lines that are printed while a run goes on, in the manner of nccl-tests: times in
/// microseconds, bandwidths in GB/s (1e9 bytes), #wrong counts elements that failed verification.
/// `+-%` is half the 95 % confidence interval of the time, `slowest` the rank that was slowest and
/// its host, `of peak` the share of the first peak that is known, with its kind.

/// The heading of a benchmark's rows: lines that begin with `#`.
std::string table_heading(const CaseId& id);

/// One row, or one line that says why there is none.
std::string table_row(const Result& result);

}  // namespace peakline
