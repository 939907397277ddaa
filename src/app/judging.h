#pragma once

#include <string>
#include <vector>

#include "core/exit_status.h"
#include "core/record.h"

namespace peakline {

/// What a record is held against.
struct Judging {
  std::vector<Record> baselines;
};

/// Reads the baselines and Peakline's own tables. Throws a usage Error for a file that is neither.
Judging load_judging(const std::vector<std::string>& baselines);

/// Prints the verdict and returns its status.
ExitStatus judge_and_print(const Record& record, const Judging& judging);

}  // namespace peakline
