#include "compare/physics.h"

#include <cmath>

#include "core/rates.h"
#include "core/statistics.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr double rounding =
    1e-3;  // generous against seven recorded digits, narrow against any error

bool agree(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

std::string check_metric(const Metric& metric) {
  if (!metric.value) return "'" + metric.name + "' has no value although the result is ok";
  if (*metric.value <= 0 && metric.primary) return "'" + metric.name + "' is not above zero";
  if (!metric.ci95) return "";
  const double slack = rounding * std::fabs(*metric.value);
  if (*metric.value < metric.ci95->low - slack || *metric.value > metric.ci95->high + slack) {
    return "'" + metric.name + "' lies outside its own confidence interval";
  }
  return "";
}

std::string check_rates(const Result& result, double time_s) {
  for (const RateRule& rule : rates_of(result.id)) {
    const Metric* rate = find_metric(result, rule.metric);
    if (rate == nullptr || !rate->value) continue;
    const double implied = rule.amount_per_step / time_s;
    if (agree(*rate->value, implied, rounding)) continue;
    return "'" + rule.metric + "' is " + format_value(*rate->value, rule.unit) +
           " but its time means " + format_value(implied, rule.unit);
  }
  return "";
}

/// Thinned samples cannot be held against the median of all.
std::string check_samples(const Result& result, const Metric& time) {
  if (result.samples_s.empty() || static_cast<std::int64_t>(result.samples_s.size()) != time.n) {
    return "";
  }
  const double middle_s = median(result.samples_s);
  if (agree(middle_s, *time.value, rounding)) return "";
  return "'time' is " + format_time(*time.value) + " but its samples have the median " +
         format_time(middle_s);
}

}  // namespace

std::string contradiction_in(const Result& result) {
  if (result.status != Status::ok) return "";
  if (result.metrics.empty()) return "it has no metric although it is ok";
  for (const Metric& metric : result.metrics) {
    if (std::string text = check_metric(metric); !text.empty()) return text;
  }
  if (primary_metric(result) == nullptr) return "none of its metrics is primary";
  if (result.verify && result.verify->wrong > 0) return "it is ok although its data were wrong";
  if (const std::string name = missing_parameter(result.id); !name.empty()) {
    return "its parameter '" + name +
           "', which its rates follow from, is missing or of another kind";
  }
  const Metric* time = find_metric(result, "time");
  if (time == nullptr) return "";
  if (*time->value <= 0) return "'time' is not above zero";
  std::string text = check_rates(result, *time->value);
  return text.empty() ? check_samples(result, *time) : text;
}

}  // namespace peakline
