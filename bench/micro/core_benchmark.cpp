#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "compare/judge.h"
#include "core/pattern.h"
#include "core/rates.h"
#include "core/statistics.h"
#include "report/record_json.h"
#include "report/verdict_text.h"

namespace {

using namespace peakline;

/// Samples that look like a measurement: a little noise, the same every time.
std::vector<double> some_samples(std::size_t count, std::uint64_t seed) {
  std::vector<double> samples_s;
  for (std::size_t i = 0; i < count; ++i) {
    samples_s.push_back(1e-4 * (1 + static_cast<double>(mix64(seed + i) % 1000) * 1e-5));
  }
  return samples_s;
}

/// A record of `count` results with forty samples each.
Record make_record(std::int64_t count, const std::string& run_id) {
  Record record;
  record.run.id = run_id;
  record.run.started = "2026-01-01T00:00:00Z";
  record.run.complete = true;
  record.environment.kind = {"host", "Some CPU", "", 2, method_version};
  record.environment.world = {2, 1, 2};
  for (std::int64_t i = 0; i < count; ++i) {
    Result result;
    result.id = {"allreduce",
                 {{"dtype", "float32"},
                  {"mode", "throughput"},
                  {"placement", "in_place"},
                  {"redop", "sum"},
                  {"size_bytes", 8 * (i + 1)}},
                 record.environment.world};
    result.samples_s = some_samples(40, static_cast<std::uint64_t>(i));
    result.metrics = metrics_of(result.id, result.samples_s, "time");
    record.plan.push_back(result.id);
    record.results.push_back(std::move(result));
  }
  return record;
}

/// What `peakline compare` does with a record of 2,000 results, without starting the program.
void load_judge_print(benchmark::State& state) {
  const std::string text = write_record(make_record(state.range(0), "a"));
  const std::string baseline_text = write_record(make_record(state.range(0), "b"));
  const std::vector<Record> baselines{read_record(baseline_text, "baseline")};
  for (auto _ : state) {
    const std::vector<Record> fresh{read_record(text, "record")};
    const Verdict verdict = judge(fresh, baselines, {}, default_policy("host"));
    benchmark::DoNotOptimize(verdict_text(verdict));
  }
  state.counters["record_bytes"] = static_cast<double>(text.size());
}
BENCHMARK(load_judge_print)->Arg(200)->Arg(2000)->Unit(benchmark::kMillisecond);

void pattern_and_check(benchmark::State& state) {
  const PatternSpec spec = make_pattern(1, 8, DataType::float32, ReduceOp::sum);
  std::int64_t index = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(pattern_input(spec, index, 3));
    benchmark::DoNotOptimize(pattern_reduced(spec, index));
    ++index;
  }
}
BENCHMARK(pattern_and_check);

void interval_of_median(benchmark::State& state) {
  const std::vector<double> samples_s = some_samples(static_cast<std::size_t>(state.range(0)), 1);
  for (auto _ : state) benchmark::DoNotOptimize(median_interval(samples_s, 0.95));
}
BENCHMARK(interval_of_median)->Arg(20)->Arg(200)->Arg(2000);

}  // namespace
