#include "core/rates.h"

#include "support/catch.h"

using namespace peakline;

namespace {

CaseId collective(const char* benchmark, std::int64_t ranks) {
  return {benchmark, {{"size_bytes", 1000}}, {ranks, 1, ranks}};
}

const Metric& metric(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& candidate : metrics) {
    if (candidate.name == name) return candidate;
  }
  FAIL("there is no metric " << name);
  return metrics.front();
}

}  // namespace

TEST_CASE("what each benchmark does in one step") {
  struct Row {
    CaseId id;
    std::vector<std::pair<std::string, double>> amounts;
  };
  for (const Row& row : std::vector<Row>{
           {collective("allreduce", 1), {{"algbw", 1000}}},
           {collective("allreduce", 2), {{"algbw", 1000}, {"busbw", 1000}}},
           {collective("allreduce", 8), {{"algbw", 1000}, {"busbw", 1750}}},
           {collective("broadcast", 8), {{"algbw", 1000}, {"busbw", 1000}}},
           {{"gemm", {{"m", 2}, {"n", 3}, {"k", 5}}, {}}, {{"flops", 60}}},
           {{"gemm", {{"m", 40'000}, {"n", 40'000}, {"k", 40'000}}, {}}, {{"flops", 1.28e14}}},
           {{"memory", {{"kernel", "copy"}, {"size_bytes", 100}}, {}}, {{"bandwidth", 200}}},
           {{"memory", {{"kernel", "triad"}, {"size_bytes", 100}}, {}}, {{"bandwidth", 300}}},
           {{"loader", {{"batch_size", 32}}, {4, 1, 4}}, {{"samples_per_second", 128}}},
           {{"something else", {}, {}}, {}},
       }) {
    CAPTURE(row.id.key());
    const std::vector<RateRule> rules = rates_of(row.id);
    REQUIRE(rules.size() == row.amounts.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      CHECK(rules[i].metric == row.amounts[i].first);
      CHECK(rules[i].amount_per_step == Approx(row.amounts[i].second));
      CHECK(rules[i].unit.ends_with("/s"));
    }
  }
}

TEST_CASE("a rate is the amount over the median time, not the mean of rates") {
  const std::vector<Metric> metrics = metrics_of(collective("broadcast", 1), {1, 1, 2}, "algbw");
  CHECK(metric(metrics, "time").value == 1.0);
  CHECK(metric(metrics, "algbw").value == 1000.0);
  CHECK(metric(metrics, "algbw").primary);
  CHECK_FALSE(metric(metrics, "time").primary);
  CHECK(metric(metrics, "algbw").n == 3);
  CHECK_FALSE(metric(metrics, "time").ci95);  // three samples have none
  CHECK_FALSE(metric(metrics, "algbw").ci95);
  CHECK(metric(metrics, "time").better == Better::lower);
  CHECK(metric(metrics, "algbw").better == Better::higher);
}

TEST_CASE("the interval of a rate comes from the ends of the interval of the time") {
  const std::vector<double> time_s{1, 10, 2, 9, 3, 8, 4, 7, 5, 6};
  const std::vector<Metric> metrics = metrics_of(collective("allreduce", 2), time_s, "busbw");
  REQUIRE(metric(metrics, "time").ci95);
  CHECK(metric(metrics, "time").ci95->low == 2);
  CHECK(metric(metrics, "time").ci95->high == 9);
  REQUIRE(metric(metrics, "busbw").ci95);
  CHECK(metric(metrics, "busbw").ci95->low == Approx(1000.0 / 9).epsilon(1e-6));
  CHECK(metric(metrics, "busbw").ci95->high == 500);
}

TEST_CASE("what is not known stays absent") {
  const std::vector<Metric> none = metrics_of(collective("allreduce", 2), {}, "time");
  CHECK_FALSE(metric(none, "time").value);
  CHECK_FALSE(metric(none, "busbw").value);

  // A clock too coarse to see the step gives no rate, rather than an infinite one.
  const std::vector<Metric> zero =
      metrics_of(collective("allreduce", 2), std::vector<double>(10, 0.0), "time");
  CHECK(metric(zero, "time").value == 0.0);
  CHECK_FALSE(metric(zero, "busbw").value);
  CHECK_FALSE(metric(zero, "busbw").ci95);
}

TEST_CASE("the judged metric of a result") {
  Result result;
  result.metrics = metrics_of(collective("allreduce", 2), {0.5}, "busbw");
  REQUIRE(primary_metric(result) != nullptr);
  CHECK(primary_metric(result)->name == "busbw");
  CHECK(find_metric(result, "algbw")->value == 2000.0);
  CHECK(find_metric(result, "flops") == nullptr);
  result.metrics = metrics_of(collective("allreduce", 2), {}, "busbw");
  CHECK(primary_metric(result) == nullptr);  // it has no value
  result.metrics.clear();
  CHECK(primary_metric(result) == nullptr);
}
