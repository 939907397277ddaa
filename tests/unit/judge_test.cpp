#include <string>
#include <vector>

#include "compare/judge.h"
#include "core/rates.h"
#include "support/catch.h"

using namespace peakline;

namespace {

constexpr std::int64_t mib = 1 << 20;

/// An ok result of `benchmark` whose step takes `time_s`, with an interval of 0.1 %.
Result make_result(CaseId id, double time_s) {
  Result result;
  result.id = std::move(id);
  const bool about_rate = result.id.benchmark != "allreduce";
  const std::vector<double> samples(20, time_s);
  const auto rates = rates_of(result.id);
  result.metrics = metrics_of(result.id, samples, about_rate ? rates.back().metric : "time");
  return result;
}

CaseId allreduce_id(std::int64_t size_bytes) {
  return {"allreduce", {{"dtype", "float32"}, {"size_bytes", size_bytes}}, {8, 1, 8}};
}

CaseId gemm_id(std::int64_t edge, const std::string& type) {
  return {"gemm", {{"dtype", type}, {"k", edge}, {"m", edge}, {"n", edge}}, {8, 1, 8}};
}

Record make_record(const std::string& run_id, const std::string& model = "NVIDIA H100 80GB HBM3") {
  Record record;
  record.run.id = run_id;
  record.run.complete = true;
  record.environment.kind = {"cuda", model, "", 8, method_version};
  record.environment.world = {8, 1, 8};
  return record;
}

void add(Record& record, Result result) {
  record.plan.push_back(result.id);
  record.results.push_back(std::move(result));
}

/// A run with these times of allreduce, one for each size from 1 MiB on.
Record run_with(const std::string& run_id, const std::vector<double>& times_s) {
  Record record = make_record(run_id);
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    add(record, make_result(allreduce_id(mib << i), times_s[i]));
  }
  return record;
}

/// A table with one GPU of 100 TFLOP/s in bf16, of which 90 were seen, and 1 TB/s of memory.
std::vector<GpuPeaks> one_gpu() {
  GpuPeaks gpu;
  gpu.id = "test-gpu";
  gpu.vendor = "NVIDIA";
  gpu.names = {"Test GPU"};
  gpu.dense_flops["bf16"] = 100e12;
  gpu.dense_flops["fp32"] = 10e12;
  gpu.memory_bandwidth_b_s = 1e12;
  gpu.measured.push_back({"gemm_bf16", 90e12, "a published run"});
  return {gpu};
}

Verdict judge_one(const Record& fresh, const std::vector<Record>& baselines,
                  const std::vector<GpuPeaks>& peaks = {}) {
  return judge(std::vector{fresh}, baselines, peaks, default_policy("cuda"));
}

/// The word for one GEMM at this rate on the test GPU.
KeyVerdict judge_gemm(std::int64_t edge, const std::string& type, double flops) {
  Record record = make_record("a", "NVIDIA Test GPU");
  const CaseId id = gemm_id(edge, type);
  const double work = rates_of(id).front().amount_per_step;
  add(record, make_result(id, work / flops));
  return judge_one(record, {}, one_gpu()).keys.front();
}

/// The word for one loop over memory at this rate on the test GPU.
KeyVerdict judge_memory(const std::string& kernel, double bandwidth_b_s) {
  Record record = make_record("a", "NVIDIA Test GPU");
  const CaseId id{
      "memory", {{"dtype", "float64"}, {"kernel", kernel}, {"size_bytes", mib << 10}}, {2, 1, 2}};
  add(record, make_result(id, rates_of(id).front().amount_per_step / bandwidth_b_s));
  return judge_one(record, {}, one_gpu()).keys.front();
}

/// The word for one copy to the device at this rate over PCIe 4.0 x16, by so many ranks at once.
KeyVerdict judge_copy(std::int64_t ranks, std::int64_t size_bytes, double bandwidth_b_s) {
  Record record = make_record("a", "NVIDIA Unknown GPU");
  const CaseId id{"transfer",
                  {{"memory", "pinned"}, {"path", "to_device"}, {"size_bytes", size_bytes}},
                  {ranks, 1, ranks}};
  Result result = make_result(id, rates_of(id).front().amount_per_step / bandwidth_b_s);
  result.telemetry = {{"pcie_generation_possible_min", 4}, {"pcie_width_possible_min", 16}};
  add(record, std::move(result));
  return judge_one(record, {}, one_gpu()).keys.front();
}

/// The word for an all-reduce with this bus bandwidth over eight GPUs with the NVLink of an A100.
KeyVerdict judge_allreduce(double busbw_b_s) {
  Record record = make_record("a", "NVIDIA Test GPU");
  record.environment.nodes.emplace_back().network["nccl_transports"] = "P2P/CUMEM";
  Result result;
  result.id = allreduce_id(mib << 10);
  const double work = rates_of(result.id).front().amount_per_step;
  result.metrics = metrics_of(result.id, std::vector<double>(20, work * 1.75 / busbw_b_s), "busbw");
  result.telemetry["nvlinks_up_min"] = 12;
  add(record, std::move(result));
  std::vector<GpuPeaks> table = one_gpu();
  table.front().nvlink_b_s = 300e9;
  table.front().nvlink_nccl_b_s = 240e9;
  return judge_one(record, {}, table).keys.front();
}

}  // namespace

TEST_CASE("one GPU's copy is held to its PCIe link; several at once may share one") {
  CHECK(judge_copy(1, 64 * mib, 20e9).word == Word::below_floor);
  CHECK(judge_copy(1, 64 * mib, 22e9).word == Word::pass);
  CHECK(judge_copy(1, 32 * mib, 20e9).word == Word::unjudged);
  const KeyVerdict shared = judge_copy(8, 64 * mib, 13e9);
  CHECK(shared.word == Word::unjudged);
  REQUIRE(shared.peaks.size() == 2);  // but it is shown
  CHECK(shared.peaks[0].share == Approx(0.5));
}

TEST_CASE("an all-reduce of a node is held to what NCCL gets of NVLink, not to the data sheet") {
  CHECK(judge_allreduce(235e9).word == Word::pass);  // 78 % of 300 GB/s, and a healthy node
  CHECK(judge_allreduce(180e9).word == Word::below_floor);
}

TEST_CASE("of the loops over memory triad alone has a floor by the data sheet") {
  CHECK(judge_memory("triad", 0.5e12).word == Word::below_floor);
  CHECK(judge_memory("triad", 0.9e12).word == Word::pass);
  for (const char* kernel : {"copy", "scale", "read", "memcpy"}) {
    CAPTURE(kernel);
    const KeyVerdict verdict = judge_memory(kernel, 0.5e12);
    CHECK(verdict.word == Word::unjudged);
    REQUIRE(verdict.peaks.size() == 1);
    CHECK(verdict.peaks[0].share == Approx(0.5));
  }
}

TEST_CASE("a slower key regresses and is named, the others pass") {
  const Record base = run_with("a", std::vector<double>(10, 1e-3));
  std::vector<double> times(10, 1e-3);
  times[3] *= 1.2;
  const Verdict verdict = judge_one(run_with("b", times), {base});
  CHECK(verdict.status == ExitStatus::regressed);
  CHECK(verdict.keys[3].word == Word::regressed);
  CHECK(verdict.reason.find(verdict.keys[3].key) != std::string::npos);
  CHECK(count_of(verdict, Word::pass) == 9);
}

TEST_CASE("a faster key is improved and never gates") {
  const Record base = run_with("a", std::vector<double>(10, 1e-3));
  std::vector<double> times(10, 1e-3);
  times[0] /= 1.2;
  const Verdict verdict = judge_one(run_with("b", times), {base});
  CHECK(verdict.status == ExitStatus::ok);
  CHECK(verdict.keys[0].word == Word::improved);
}

TEST_CASE("a shift of the whole run is said once and regresses every key") {
  const Record base = run_with("a", std::vector<double>(10, 1e-3));
  const Verdict verdict = judge_one(run_with("b", std::vector<double>(10, 1.3e-3)), {base});
  CHECK(verdict.status == ExitStatus::regressed);
  CHECK(count_of(verdict, Word::regressed) == 10);
  REQUIRE(verdict.notes.size() == 1);
  CHECK(verdict.notes[0].find("the whole run moved: times are +30.0 %") == 0);
}

TEST_CASE("keys that stray in both directions make the gate careful, not loud") {
  const std::vector<double> base(12, 1e-3);
  std::vector<double> times;
  for (int i = 0; i < 12; ++i) times.push_back(1e-3 * (i % 2 == 0 ? 1.25 : 0.8));
  const Verdict verdict = judge_one(run_with("b", times), {run_with("a", base)});
  CHECK(verdict.status == ExitStatus::ok);
  CHECK(count_of(verdict, Word::regressed) == 0);
  CHECK(count_of(verdict, Word::inconclusive) > 0);
  for (const KeyVerdict& key : verdict.keys) {
    if (key.word == Word::inconclusive) CHECK(key.detectable.value_or(0) > 0.05);
  }
}

TEST_CASE("a noisy history widens what is expected of its key alone") {
  std::vector<Record> history;
  for (double factor : {0.7, 1.0, 1.4}) {
    std::vector<double> times(10, 1e-3);
    times[0] *= factor;
    history.push_back(run_with("h" + std::to_string(factor), times));
  }
  std::vector<double> times(10, 1e-3);
  times[0] *= 1.15;
  times[1] *= 1.15;
  const Verdict verdict = judge_one(run_with("b", times), history);
  CHECK(verdict.keys[0].word == Word::inconclusive);
  CHECK(verdict.keys[1].word == Word::regressed);
}

TEST_CASE("a GPU that no table lists is judged by what it reports of itself") {
  const CaseId id = gemm_id(8192, "bfloat16");
  Record record = make_record("a", "NVIDIA H300 Prototype");
  record.environment.nodes.push_back({{"node1"}, {}, {}, {}, {}});
  record.environment.nodes.front().device = {{"compute_capability", std::string("9.0")},
                                             {"multiprocessors", std::int64_t{100}},
                                             {"sm_clock_khz", std::int64_t{1000000}}};
  add(record, make_result(id, rates_of(id).front().amount_per_step / 100e12));
  const KeyVerdict verdict = judge_one(record, {}, one_gpu()).keys.front();
  REQUIRE(verdict.peaks.size() == 1);
  // 4096 dense FLOP in bf16 a clock and multiprocessor of compute capability 9.0, at the 0.924 of
  // the highest clock at which NVIDIA quotes its tensor rates.
  CHECK(verdict.peaks[0].peak.value == Approx(100 * 4096 * 1e9 * 0.924));
  CHECK(verdict.peaks[0].peak.source.find("derived from 100 SM") != std::string::npos);
  CHECK(verdict.word == Word::below_floor);
}

TEST_CASE("a GPU that contradicts its entry in the table is not held to it") {
  Record record = make_record("a", "NVIDIA Test GPU");
  record.environment.nodes.push_back({{"node1"}, {}, {}, {}, {}});
  Facts& device = record.environment.nodes.front().device;
  device = {{"compute_capability", std::string("9.0")}, {"multiprocessors", std::int64_t{132}}};
  const CaseId id = gemm_id(8192, "bfloat16");
  add(record, make_result(id, rates_of(id).front().amount_per_step / 50e12));
  std::vector<GpuPeaks> table = one_gpu();
  table.front().healthy.compute_capability = "9.0";
  table.front().healthy.sm_count = 132;
  CHECK(judge_one(record, {}, table).keys.front().peaks.size() == 2);
  device["multiprocessors"] = std::int64_t{66};  // and nothing to derive a peak from
  CHECK(judge_one(record, {}, table).keys.front().peaks.empty());
}

TEST_CASE("floors on the plateau: attainable before nominal, and nothing below it") {
  CHECK(judge_gemm(8192, "bfloat16", 70e12).word == Word::below_floor);  // 80 % of 90 is 72
  CHECK(judge_gemm(8192, "bfloat16", 80e12).word == Word::pass);
  CHECK(judge_gemm(8192, "float32", 7e12).word == Word::below_floor);  // nominal alone is known
  CHECK(judge_gemm(8192, "float32", 9e12).word == Word::pass);
  CHECK(judge_gemm(512, "bfloat16", 10e12).word == Word::unjudged);  // no size to judge by
  const KeyVerdict shown = judge_gemm(512, "bfloat16", 10e12);
  REQUIRE(shown.peaks.size() == 2);  // but both percentages are shown
  CHECK(shown.peaks[1].share == Approx(0.1));
}

TEST_CASE("a GEMM is also held against what the GPU does at the clock that it ran at") {
  Record record = make_record("a", "NVIDIA Test GPU");
  Facts& device = record.environment.nodes.emplace_back().device;
  device["compute_capability"] = std::string("9.0");
  device["multiprocessors"] = std::int64_t{100};
  Result result = make_result(gemm_id(8192, "bfloat16"), 2 * 8192.0 * 8192 * 8192 / 81.92e12);
  result.telemetry["sm_clock_hz_mean"] = 1e9;  // 409.6 TFLOP/s
  add(record, std::move(result));
  std::vector<GpuPeaks> table = one_gpu();
  table.front().may_derive = true;
  table.front().healthy.compute_capability = "9.0";
  const KeyVerdict key = judge_one(record, {}, table).keys.front();
  REQUIRE(key.peaks.size() == 3);
  CHECK(key.peaks[2].peak.kind == "at_clock");
  CHECK(key.peaks[2].share == Approx(0.2));
  CHECK(key.word == Word::pass);  // it gates nothing
}

TEST_CASE("a measured ceiling is shown and gates nothing") {
  Record record = make_record("a", "Unknown GPU");
  Result result = make_result(gemm_id(8192, "float32"), 1);
  result.metrics.back().peaks.push_back({"measured", *result.metrics.back().value * 10, "loop"});
  add(record, std::move(result));
  const Verdict verdict = judge_one(record, {}, one_gpu());
  CHECK(verdict.keys[0].word == Word::unjudged);
  REQUIRE(verdict.keys[0].peaks.size() == 1);
  CHECK(verdict.keys[0].peaks[0].share == Approx(0.1));
  CHECK(verdict.status == ExitStatus::not_comparable);
}

TEST_CASE("nothing judged has a status of its own, with the reason") {
  const Record fresh = run_with("b", {1e-3});
  CHECK(judge_one(fresh, {}).status == ExitStatus::not_comparable);

  Record elsewhere = run_with("a", {1e-3});
  elsewhere.environment.kind.device_model = "Other";
  const Verdict other_machine = judge_one(fresh, {elsewhere});
  CHECK(other_machine.status == ExitStatus::not_comparable);
  CHECK(other_machine.reason.find("device_model") != std::string::npos);

  Record other_world = make_record("a");
  other_world.environment.world = {16, 2, 8};
  CaseId id = allreduce_id(mib);
  id.scope = other_world.environment.world;
  add(other_world, make_result(id, 1e-3));
  const Verdict verdict = judge_one(fresh, {other_world});
  CHECK(verdict.status == ExitStatus::not_comparable);
  CHECK(verdict.reason.find("8 ranks on 1 node here, 16 ranks on 2 nodes") != std::string::npos);
  CHECK(count_of(verdict, Word::not_planned) == 1);
}

TEST_CASE("only the comparable among many baselines are used") {
  Record elsewhere = run_with("x", {9e-3});
  elsewhere.environment.kind.device_model = "Other";
  const Verdict verdict = judge_one(run_with("b", {1e-3}), {elsewhere, run_with("a", {1e-3})});
  CHECK(verdict.baseline_runs == 1);
  CHECK(verdict.keys[0].change == Approx(0));
}

TEST_CASE("wrong data stand above everything else that is wrong") {
  Record fresh = run_with("b", {2e-3, 1e-3});
  fresh.results[1].status = Status::failed;
  fresh.results[1].reason = "wrong_data";
  const Verdict verdict = judge_one(fresh, {run_with("a", {1e-3, 1e-3})});
  CHECK(verdict.status == ExitStatus::run_failed);
  CHECK(verdict.keys[0].word == Word::regressed);
}

TEST_CASE("on a host what a burst can do is an open question, and beyond it a regression") {
  const auto host_run = [](const std::string& run_id, double first_s) {
    std::vector<double> times(10, 1e-3);
    times[0] = first_s;
    Record record = run_with(run_id, times);
    record.environment.kind = {"host", "Some CPU", "", 2, method_version};
    for (Result& result : record.results) {
      for (Metric& metric : result.metrics) metric.primary = metric.name == "busbw";
    }
    return record;
  };
  const std::vector<Record> baselines{host_run("a", 1e-3)};
  const Policy policy = default_policy("host");
  const auto word_at = [&](double factor) {
    const std::vector<Record> fresh{host_run("b", factor * 1e-3)};
    return judge(fresh, baselines, {}, policy).keys.front().word;
  };
  CHECK(word_at(1.0) == Word::pass);
  CHECK(word_at(1.8) == Word::inconclusive);
  CHECK(word_at(3.0) == Word::regressed);
  CHECK(word_at(1 / 1.8) == Word::pass);
}

TEST_CASE("required keys are missing when nobody measured them") {
  Policy policy = default_policy("cuda");
  Record fresh = run_with("b", {1e-3, 1e-3});
  fresh.results[1].status = Status::skipped;
  fresh.results[1].reason = "memory";
  const std::vector<Record> baselines{run_with("a", {1e-3})};
  CHECK(judge(std::vector{fresh}, baselines, {}, policy).status == ExitStatus::ok);
  policy.required = {"allreduce/*size_bytes=2097152/*"};
  CHECK(judge(std::vector{fresh}, baselines, {}, policy).status == ExitStatus::not_comparable);
  fresh.results[1].reason = "unsupported";  // never gates
  CHECK(judge(std::vector{fresh}, baselines, {}, policy).status == ExitStatus::ok);
}
