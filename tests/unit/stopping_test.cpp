#include "core/stopping.h"

#include <limits>
#include <vector>

#include "core/statistics.h"
#include "support/catch.h"

using namespace peakline;

namespace {

SamplingRules rules_of(int passes, std::size_t min_samples, std::size_t max_samples) {
  SamplingRules rules;
  rules.passes = passes;
  rules.pass_time_s = 1;
  rules.precision = 0.01;
  rules.min_samples = min_samples;
  rules.max_samples = max_samples;
  return rules;
}

std::vector<double> steady(std::size_t count) { return std::vector<double>(count, 2.5); }

/// Alternates between two values far apart: never precise, and not correlated.
std::vector<double> noisy(std::size_t count) {
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(i % 2 == 0 ? 1 : 2);
  return samples;
}

}  // namespace

TEST_CASE("when one pass stops, and why") {
  struct Row {
    const char* what;
    std::vector<double> samples;
    int passes;
    int pass;
    double elapsed_s;
    std::optional<StopReason> reason;
  };
  for (const Row& row : std::vector<Row>{
           {"precise enough", steady(20), 1, 0, 0, StopReason::precision},
           {"precise, but too few", steady(19), 1, 0, 0.5, std::nullopt},
           {"not precise", noisy(20), 1, 0, 0.5, std::nullopt},
           {"as many as allowed", noisy(90), 1, 0, 0, StopReason::max_iters},
           {"one less than allowed", noisy(89), 1, 0, 0, std::nullopt},
           {"time is up", noisy(20), 1, 0, 1, StopReason::time_cap},
           {"time is up with few samples", noisy(1), 1, 0, 9, StopReason::time_cap},
           {"time is up with none", {}, 1, 0, 9, std::nullopt},
           {"the reason that says most stands", steady(20), 1, 0, 9, StopReason::precision},
           // Of three passes each gives its share: 7, 14, 20 samples at least, 30, 60, 90 at most.
           {"share of the first pass", steady(7), 3, 0, 0, StopReason::precision},
           {"not its share", steady(6), 3, 0, 0, std::nullopt},
           {"share of the second pass", steady(14), 3, 1, 0, StopReason::precision},
           {"not its share", steady(13), 3, 1, 0, std::nullopt},
           {"share of the last pass", steady(20), 3, 2, 0, StopReason::precision},
           {"most of the first pass", noisy(30), 3, 0, 0, StopReason::max_iters},
           {"most of the second pass", noisy(60), 3, 1, 0, StopReason::max_iters},
           {"not yet", noisy(59), 3, 1, 0, std::nullopt},
       }) {
    CAPTURE(row.what);
    CHECK(should_stop(row.samples, rules_of(row.passes, 20, 90), row.pass, row.elapsed_s) ==
          row.reason);
  }
}

TEST_CASE("samples that resemble their neighbours have to be more") {
  std::vector<double> mixed;
  std::vector<double> in_runs;
  for (int i = 0; i < 100; ++i) {
    mixed.push_back(100 + (i % 2 == 0 ? 0 : 1.2) + 0.01 * (i % 3));
    in_runs.push_back(100 + (i < 50 ? 0 : 1.2) + 0.01 * (i % 3));
  }
  REQUIRE(median_ranks(100, 0.95));
  CHECK(should_stop(mixed, rules_of(1, 20, 1000), 0, 0) == StopReason::precision);
  CHECK_FALSE(should_stop(in_runs, rules_of(1, 20, 1000), 0, 0));
}

TEST_CASE("the next batch does not overrun the pass") {
  SamplingRules rules = rules_of(1, 20, 90);
  rules.batch = 10;
  struct Row {
    double sample_s;
    double elapsed_s;
    std::size_t batch;
  };
  for (const Row& row : {Row{0, 0, 10},       // nothing is known yet
                         Row{0.01, 0, 10},    // a hundred would fit
                         Row{0.25, 0, 4},     // exactly four fit
                         Row{0.3, 0, 4},      // the fourth one ends just after the pass
                         Row{0.25, 0.5, 2},   // half of the time is gone
                         Row{100, 0, 1},      // one at least, or nothing would ever be measured
                         Row{0.25, 7, 1}}) {  // late
    CHECK(next_batch(rules, row.sample_s, row.elapsed_s) == row.batch);
  }
}

TEST_CASE("a warm-up takes its time and its steps, but not most of a pass") {
  SamplingRules rules;
  rules.warmup_time_s = 0.005;
  rules.warmup_steps = 8;
  rules.pass_time_s = 0.1;
  CHECK_FALSE(is_warm(rules, 1000, 0.004));  // many steps, no time
  CHECK(is_warm(rules, 1000, 0.005));
  CHECK_FALSE(is_warm(rules, 4, 0.024));  // time, but few steps
  CHECK(is_warm(rules, 8, 0.024));
  CHECK(is_warm(rules, 1, 0.025));  // a quarter of the pass is enough at any rate
}
