#include "support/fake_run.h"

#include <algorithm>

namespace peakline {
namespace {

class RecordingListener final : public RunListener {
 public:
  RecordingListener(CallLog& log, FakeOutcome& outcome) : log_(&log), outcome_(&outcome) {}

  void entered(std::string_view phase, const PlannedCase&) override {
    log_->push_back("enter " + std::string(phase));
  }
  void visited(const RunProgress&, const std::vector<Result>& so_far) override {
    outcome_->so_far.push_back(so_far.size());
  }
  void noticed(const Incident& incident) override { outcome_->noticed.push_back(incident); }
  void finished(const Result& result) override { outcome_->finished.push_back(result.id.key()); }

 private:
  CallLog* log_;
  FakeOutcome* outcome_;
};

/// Only rank 0 writes to what the ranks share, apart from its own log.
void run_rank(World& world, const FakeRun& fake, FakeOutcome& outcome) {
  CallLog& log = outcome.logs[static_cast<std::size_t>(world.rank())];
  FakeRank rank(world, log, fake.script_of(world.rank()), fake.capacity_of(world.rank()));
  RecordingListener listener(log, outcome);
  std::vector<Result> results = run_plan(fake.plan, rank, fake.rules, listener);
  if (world.is_root()) outcome.results = std::move(results);
}

}  // namespace

FakeRun::FakeRun() {
  plan = {fake_case("first")};
  rules.sampling.pass_time_s = 1e6;
  rules.sampling.warmup_time_s = 0;
  rules.sampling.warmup_steps = 1;
}

RunnableCase fake_case(const std::string& name) {
  RunnableCase runnable;
  runnable.planned.id.benchmark = name;
  runnable.benchmark = &fake_benchmark();
  runnable.repro = "repeat " + name;
  return runnable;
}

FakeOutcome run(const FakeRun& fake) {
  FakeOutcome outcome;
  outcome.logs.resize(fake.hosts.size());
  run_ranks(fake.hosts, [&](World& world) { run_rank(world, fake, outcome); });
  return outcome;
}

FakeOutcome run_in(FakeWorld& world, const FakeRun& fake) {
  FakeOutcome outcome;
  outcome.logs.resize(1);
  world.on_call = [&](const char* name) { outcome.logs.front().push_back(name); };
  run_rank(world, fake, outcome);
  world.on_call = [](const char*) {};
  return outcome;
}

std::size_t count(const CallLog& log, std::string_view call) {
  return static_cast<std::size_t>(std::count(log.begin(), log.end(), call));
}

}  // namespace peakline
