#include "core/result.h"

#include <algorithm>

#include "core/units.h"

namespace peakline {

const Metric* primary_metric(const Result& result) {
  const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                  [](const Metric& metric) { return metric.primary; });
  return found == result.metrics.end() || !found->value ? nullptr : &*found;
}

const Metric* find_metric(const Result& result, std::string_view name) {
  const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == result.metrics.end() ? nullptr : &*found;
}

std::string describe(const Verification& verification) {
  std::string text = std::to_string(verification.wrong) + " of " +
                     std::to_string(verification.checked) + " elements are wrong";
  if (!verification.first) return text;
  const Mismatch& first = *verification.first;
  text += ", first at index " + std::to_string(first.index) + " on rank " +
          std::to_string(first.rank) + ": expected " + format_significant(first.expected, 6);
  return text + ", found " + (first.found ? format_significant(*first.found, 6) : "no number");
}

}  // namespace peakline
