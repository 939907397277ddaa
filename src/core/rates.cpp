#include "core/rates.h"

#include "core/statistics.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr int record_digits = 7;
constexpr double confidence = 0.95;

std::vector<RateRule> collective_rates(const CaseId& id) {
  const auto size_bytes = static_cast<double>(id.integer("size_bytes"));
  std::vector<RateRule> rules{{"algbw", "B/s", size_bytes}};
  if (id.scope.ranks > 1) {
    rules.push_back({"busbw", "B/s", size_bytes * bus_factor(id.benchmark, id.scope.ranks)});
  }
  return rules;
}

double bytes_moved(const CaseId& id) {
  const std::string kernel = id.word("kernel");
  const double arrays = kernel == "triad" ? 3 : kernel == "read" ? 1 : 2;
  return arrays * static_cast<double>(id.integer("size_bytes"));
}

/// Of one rank, in one step. The launch of a kernel moves nothing.
double bytes_transferred(const CaseId& id) {
  const double directions = id.word("path") == "both" ? 2 : 1;
  return directions * static_cast<double>(id.integer("size_bytes"));
}

double multiply_adds(const CaseId& id) {
  return static_cast<double>(id.integer("m")) * static_cast<double>(id.integer("n")) *
         static_cast<double>(id.integer("k"));
}

/// The whole numbers that the amount of work is made of.
std::vector<std::string_view> amount_parameters(const CaseId& id) {
  const std::string& benchmark = id.benchmark;
  if (benchmark == "gemm") return {"m", "n", "k"};
  if (benchmark == "loader") return {"batch_size"};
  if (benchmark == "transfer" && id.word_if("path") == "launch") return {};
  const bool has_size = benchmark == "allreduce" || benchmark == "broadcast" ||
                        benchmark == "memory" || benchmark == "transfer";
  return has_size ? std::vector<std::string_view>{"size_bytes"} : std::vector<std::string_view>{};
}

Metric rate_metric(const RateRule& rule, const Metric& time) {
  Metric metric{rule.metric, rule.unit, Better::higher, false, {}, {}, time.n, {}};
  if (time.value && *time.value > 0) {
    metric.value = round_significant(rule.amount_per_step / *time.value, record_digits);
  }
  if (time.ci95 && time.ci95->low > 0) {
    metric.ci95 = Interval{round_significant(rule.amount_per_step / time.ci95->high, record_digits),
                           round_significant(rule.amount_per_step / time.ci95->low, record_digits)};
  }
  return metric;
}

}  // namespace

double bus_factor(std::string_view benchmark, std::int64_t ranks) {
  if (benchmark != "allreduce") return 1;
  return 2 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

std::string missing_parameter(const CaseId& id) {
  for (std::string_view name : amount_parameters(id)) {
    if (!id.integer_if(name)) return std::string(name);
  }
  if (id.benchmark == "memory" && id.word_if("kernel").empty()) return "kernel";
  if (id.benchmark == "transfer" && id.word_if("path").empty()) return "path";
  return "";
}

std::vector<RateRule> rates_of(const CaseId& id) {
  if (id.benchmark == "allreduce" || id.benchmark == "broadcast") return collective_rates(id);
  if (id.benchmark == "gemm") return {{"flops", "FLOP/s", 2 * multiply_adds(id)}};
  if (id.benchmark == "memory") return {{"bandwidth", "B/s", bytes_moved(id)}};
  if (id.benchmark == "transfer" && id.word("path") != "launch") {
    return {{"bandwidth", "B/s", bytes_transferred(id)}};
  }
  if (id.benchmark == "loader") {
    return {{"samples_per_second", "1/s",
             static_cast<double>(id.integer("batch_size") * id.scope.ranks)}};
  }
  return {};
}

std::vector<Metric> metrics_of(const CaseId& id, const std::vector<double>& sample_s,
                               std::string_view primary) {
  Metric time{"time", "s", Better::lower, false, {}, {}, 0, {}};
  time.n = static_cast<std::int64_t>(sample_s.size());
  if (!sample_s.empty()) time.value = round_significant(median(sample_s), record_digits);
  if (const auto interval = median_interval(sample_s, confidence)) {
    time.ci95 = Interval{round_significant(interval->low, record_digits),
                         round_significant(interval->high, record_digits)};
  }
  std::vector<Metric> metrics{time};
  for (const RateRule& rule : rates_of(id)) metrics.push_back(rate_metric(rule, time));
  for (Metric& metric : metrics) metric.primary = metric.name == primary;
  return metrics;
}

}  // namespace peakline
