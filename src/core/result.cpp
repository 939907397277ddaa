#include "core/result.h"

#include <algorithm>

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

}  // namespace peakline
