#include "core/stopping.h"

#include <algorithm>
#include <cmath>

#include "core/statistics.h"

namespace peakline {
namespace {

constexpr double confidence = 0.95;

/// `total` divided evenly over the passes, counted to the end of this one.
std::size_t share_until(std::size_t total, const SamplingRules& rules, int pass) {
  const auto passes = static_cast<std::size_t>(rules.passes);
  return (total * (static_cast<std::size_t>(pass) + 1) + passes - 1) / passes;
}

}  // namespace

bool is_warm(const SamplingRules& rules, std::int64_t steps, double time_s) {
  if (time_s < rules.warmup_time_s) return false;
  return steps >= rules.warmup_steps || time_s >= rules.pass_time_s / 4;
}

std::optional<StopReason> should_stop(std::span<const double> samples_s, const SamplingRules& rules,
                                      int pass, double pass_elapsed_s) {
  if (samples_s.size() >= share_until(rules.max_samples, rules, pass)) return StopReason::max_iters;
  if (samples_s.size() >= share_until(rules.min_samples, rules, pass)) {
    const auto half_width = relative_half_width(samples_s, confidence);
    if (half_width && *half_width <= rules.precision) return StopReason::precision;
  }
  if (pass_elapsed_s >= rules.pass_time_s && !samples_s.empty()) return StopReason::time_cap;
  return std::nullopt;
}

std::size_t next_batch(const SamplingRules& rules, double sample_s, double pass_elapsed_s) {
  const double left_s = rules.pass_time_s - pass_elapsed_s;
  if (sample_s <= 0) return rules.batch;
  const double fitting =
      std::clamp(std::ceil(left_s / sample_s), 1.0, static_cast<double>(rules.batch));
  return static_cast<std::size_t>(fitting);
}

}  // namespace peakline
