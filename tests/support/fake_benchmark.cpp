#include "support/fake_benchmark.h"

#include <utility>

#include "core/runner.h"
#include "core/statistics.h"

namespace peakline {
namespace {

class FakeBenchmark final : public Benchmark {
 public:
  FakeBenchmark(FakeRank& rank, const CaseId& id) : rank_(&rank), id_(id) {
    rank.log.push_back("make");
    if (id.benchmark == "large") buffer_ = rank.device.allocate(rank.script.buffer_bytes);
  }

  ~FakeBenchmark() override { rank_->log.push_back("free"); }
  FakeBenchmark(const FakeBenchmark&) = delete;
  FakeBenchmark& operator=(const FakeBenchmark&) = delete;

  void step() override {
    rank_->log.push_back("step");
    rank_->fake_device.pass_time(rank_->script.step_s(id_, steps_));
    notes_["step"].push_back(static_cast<double>(steps_));
    ++steps_;
  }

  CallChoice first_step() override {
    step();
    return rank_->world.is_root() ? rank_->script.choice : CallChoice{};
  }

  std::int64_t operations_per_step() const override { return rank_->script.operations_per_step; }
  TimingMode mode() const override { return rank_->script.mode; }
  StepClock clock() const override { return rank_->script.clock; }

  void prepare_check(std::uint64_t seed) override {
    rank_->log.push_back("prepare check " + std::to_string(seed));
    if (rank_->script.check_bytes > 0) rank_->device.allocate(rank_->script.check_bytes);
  }

  Verification verify(std::uint64_t seed) override {
    rank_->log.push_back("verify " + std::to_string(seed));
    return combine_checks(rank_->world, rank_->script.check);
  }

  void forget_notes() override {
    rank_->log.push_back("forget notes");
    notes_.clear();
  }

  Notes take_notes() override {
    rank_->log.push_back("take notes");
    return std::exchange(notes_, {});
  }

  std::vector<Result> results(const Observations& observations, Result measured) const override {
    Metric time{"time", "s", Better::lower, true, {}, {}, 0, {}};
    time.value = median(observations.sample_s);
    time.ci95 = median_interval(observations.sample_s, 0.95);
    time.n = static_cast<std::int64_t>(observations.sample_s.size());
    measured.metrics = {time};
    const NoteSummary& steps = observations.notes.at("step");
    measured.telemetry.insert({{"p50", steps.p50},
                               {"p99", steps.p99},
                               {"largest", steps.largest},
                               {"total", steps.total}});
    return {std::move(measured)};
  }

 private:
  FakeRank* rank_;
  CaseId id_;
  std::unique_ptr<Buffer> buffer_;
  std::int64_t steps_ = 0;
  Notes notes_;
};

}  // namespace

FakeScript script(StepTime step_s, TimingMode mode) {
  FakeScript script;
  script.step_s = std::move(step_s);
  script.mode = mode;
  return script;
}

StepTime samples(std::vector<double> time_s) {
  return [time_s = std::move(time_s)](const CaseId&, std::int64_t step) {
    if (step < 2) return 99.0;
    return time_s[static_cast<std::size_t>(step - 2) % time_s.size()];
  };
}

FakeRank::FakeRank(World& its_world, CallLog& its_log, FakeScript its_script,
                   std::size_t capacity_bytes)
    : Context{its_world, fake_device, fake_communicator, {its_world.size(), 1, its_world.size()},
              7,         ""},
      log(its_log),
      script(std::move(its_script)),
      fake_device(log, capacity_bytes),
      fake_communicator(its_world.rank(), its_world.size(), log) {
  if (script.gate_gives_up_at) fake_device.add_gate(*script.gate_gives_up_at);
  if (script.readings) fake_device.add_telemetry(*script.readings);
}

const BenchmarkInfo& fake_benchmark() {
  static const BenchmarkInfo info{
      "fake", "follows a script", nullptr,
      [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
        return std::make_unique<FakeBenchmark>(static_cast<FakeRank&>(context), id);
      }};
  return info;
}

}  // namespace peakline
