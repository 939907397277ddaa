#include "app/plan_text.h"

#include <algorithm>

#include "core/units.h"

namespace peakline {
namespace {

/// Sampling alone: what large messages take on top is not known before they were sent.
double least_time_s(const RunSetup& setup, std::int64_t cases) {
  const SamplingRules& rules = setup.suite->sampling;
  const double visit_s = rules.pass_time_s + 2 * rules.warmup_time_s;
  return std::min(visit_s * rules.passes * static_cast<double>(cases), setup.time_limit_s);
}

}  // namespace

std::string plan_text(const RunSetup& setup) {
  std::int64_t measurable = 0;
  std::size_t most_bytes = 0;
  std::string text;
  for (const RunnableCase& runnable : setup.plan) {
    text += runnable.planned.id.key();
    if (const auto obstacle = obstacle_to(runnable.planned, setup.shape.free_bytes)) {
      text += "  (skipped, " + obstacle->reason + ": " + obstacle->sentence + ")\n";
      continue;
    }
    text += "\n";
    ++measurable;
    most_bytes = std::max(most_bytes, runnable.planned.memory_bytes);
  }
  text += std::to_string(measurable) + " of " +
          counted(static_cast<std::int64_t>(setup.plan.size()), "case") + " in " +
          counted(setup.suite->sampling.passes, "pass", "es") + ": at least " +
          format_time(least_time_s(setup, measurable)) +
          ", more with messages of many MiB; what is left after " +
          format_time(setup.time_limit_s) + " is skipped\n";
  return text + "memory for each rank: up to " + format_si(static_cast<double>(most_bytes), "B") +
         " of " + format_si(static_cast<double>(setup.shape.free_bytes), "B") + " free\n";
}

}  // namespace peakline
