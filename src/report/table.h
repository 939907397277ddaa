#pragma once

#include <string>

#include "core/result.h"

namespace peakline {

/// The lines that are printed while a run goes on, in the manner of nccl-tests: times in
/// microseconds, bandwidths in GB/s (1e9 bytes), #wrong counts elements that failed verification.
/// `+-%` is half the 95 % confidence interval of the time, `slowest` the rank that was slowest and
/// its host, `of peak` the share of the first peak that is known, with its kind, and `chosen` the
/// algorithm and protocol of a library that says them.
class Table {
 public:
  /// One row, or one line that says why there is none; before it, where the rows are of another
  /// kind than the last, a heading of lines that begin with `#`.
  std::string add(const Result& result);

 private:
  std::string last_heading_;
};

}  // namespace peakline
