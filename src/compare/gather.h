#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/noise_model.h"
#include "compare/policy.h"
#include "compare/verdict.h"
#include "core/record.h"

namespace peakline {

/// One key on its way to a verdict: what the records on both sides hold of it. `verdict.word` is
/// set already where no arithmetic is needed.
struct KeyState {
  KeyVerdict verdict;
  const Result* result = nullptr;  ///< of the newest run that has it ok; null when none has
  bool decided = false;
  std::optional<Pairing> pairing;  ///< when both sides have values
};

/// Every key of the new runs' plan in order, then those that only the baselines have. Finds what is
/// missing, skipped, failed, invalid or of another unit.
std::vector<KeyState> gather_keys(std::span<const Record> fresh,
                                  const std::vector<const Record*>& baselines,
                                  const Policy& policy);

}  // namespace peakline
