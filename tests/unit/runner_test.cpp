#include "core/runner.h"

#include <algorithm>
#include <stdexcept>

#include "core/statistics.h"
#include "core/step_timing.h"
#include "support/catch.h"
#include "support/fake_run.h"
#include "support/fake_world.h"

using namespace peakline;

namespace {

const std::vector<double> wide{1, 2};
const std::vector<double> narrow{1, 1.0078125};

/// What one rank did between entering a phase and entering the next.
CallLog calls_in(const CallLog& log, const std::string& phase) {
  CallLog calls;
  bool inside = false;
  for (const std::string& call : log) {
    if (call.starts_with("enter ")) {
      inside = call == "enter " + phase;
    } else if (inside) {
      calls.push_back(call);
    }
  }
  return calls;
}

CallLog first_calls(const CallLog& calls, std::size_t count) {
  return {calls.begin(),
          calls.begin() + static_cast<std::ptrdiff_t>(std::min(count, calls.size()))};
}

}  // namespace

TEST_CASE("a scripted clock gives exactly its samples, median and interval") {
  std::vector<double> time_s;
  for (int i = 0; i < 20; ++i) time_s.push_back(1 + 0.0009765625 * ((7 * i) % 20));
  FakeRun fake;
  fake.script_of = [&](int) { return script(samples(time_s)); };
  const Result result = run(fake).results.at(0);
  CHECK(result.status == Status::ok);
  CHECK(result.id.benchmark == "first");
  CHECK(result.repro == "repeat first");
  CHECK(result.stop == StopReason::precision);
  REQUIRE(result.samples_s.size() == 20);
  for (std::size_t i = 0; i < 20; ++i)
    CHECK(result.samples_s[i] == Approx(time_s[i]).epsilon(1e-5));
  const Metric& time = result.metrics.at(0);
  CHECK(time.value == median(time_s));
  CHECK(time.n == 20);
  REQUIRE(time.ci95);
  CHECK(time.ci95->low == median_interval(time_s, 0.95)->low);
  CHECK(time.ci95->high == median_interval(time_s, 0.95)->high);
  CHECK(result.method.timer == "fake_clock");
  CHECK(result.method.rank_reduction == "max");
  CHECK(result.method.sync == "barrier before every operation");
  CHECK(result.method.iters_per_sample == 1);
  CHECK(result.method.warmup == 2);
  CHECK(result.method.passes == 1);
}

TEST_CASE("why sampling ends is recorded with the number of samples") {
  FakeRun fake;
  fake.rules.sampling.max_samples = 50;
  SECTION("precise at the first chance") {
    fake.script_of = [](int) { return script(samples(narrow)); };
    const Result result = run(fake).results.at(0);
    CHECK(result.stop == StopReason::precision);
    CHECK(result.metrics.at(0).n == 20);
  }
  SECTION("never precise") {
    fake.script_of = [](int) { return script(samples(wide)); };
    const Result result = run(fake).results.at(0);
    CHECK(result.stop == StopReason::max_iters);
    CHECK(result.metrics.at(0).n == 50);
  }
  SECTION("no time at all") {
    fake.script_of = [](int) { return script(samples(wide)); };
    fake.rules.sampling.pass_time_s = 0;
    const Result result = run(fake).results.at(0);
    CHECK(result.stop == StopReason::time_cap);
    CHECK(result.metrics.at(0).n == 1);
  }
  SECTION("too few samples are never called precise, however close they lie") {
    fake.script_of = [](int) { return script(samples({1})); };
    fake.rules.sampling.pass_time_s = 0;
    fake.rules.sampling.passes = 8;  // of one sample each
    const Result result = run(fake).results.at(0);
    CHECK(result.metrics.at(0).n == 8);
    CHECK(result.stop == StopReason::time_cap);
  }
}

TEST_CASE("a step that fills the pass alone is not repeated ten times before anyone looks") {
  FakeRun fake;
  fake.rules.sampling.pass_time_s = 60;  // by the scripted clock this is one step
  fake.rules.sampling.max_samples = 1;
  fake.script_of = [](int) { return script([](const CaseId&, std::int64_t) { return 60.0; }); };
  const FakeOutcome outcome = run(fake);
  CHECK(outcome.results.at(0).metrics.at(0).n == 1);
  CHECK(count(outcome.logs[0], "step") == 3);  // two to warm up, and the sample
}

TEST_CASE("throughput samples hold as many steps as fill their time, one wait for all") {
  FakeRun fake;
  fake.rules.sampling.warmup_time_s = 0.03;
  fake.rules.sampling.sample_time_s = 0.0625;
  fake.script_of = [](int) {
    return script([](const CaseId&, std::int64_t) { return 0.015625; }, TimingMode::throughput);
  };
  const FakeOutcome outcome = run(fake);
  const Result& result = outcome.results.at(0);
  CHECK(result.method.warmup == 1 + 1 + 2);  // one cold, then doubled until 0.03 s are full
  CHECK(result.method.iters_per_sample == 4);
  CHECK(result.method.sync == "barrier before each batch of samples");
  CHECK(result.metrics.at(0).value == 0.015625);  // per step
  CHECK(result.metrics.at(0).n == 20);
  CHECK(count(outcome.logs[0], "step") == 4 + 20 * 4);
  const CallLog measured = calls_in(outcome.logs[0], "measure");
  CHECK(count(measured, "mark") == 22);       // two batches of ten intervals
  CHECK(count(measured, "read clock") == 2);  // only after each batch
}

TEST_CASE("of a step of several operations the time of one is kept, and each is counted") {
  FakeRun fake;
  fake.rules.sampling.warmup_time_s = 0.03;
  fake.rules.sampling.sample_time_s = 0.0625;
  fake.script_of = [](int) {
    FakeScript several =
        script([](const CaseId&, std::int64_t) { return 0.015625; }, TimingMode::throughput);
    several.operations_per_step = 16;
    return several;
  };
  const Result result = run(fake).results.at(0);
  CHECK(result.metrics.at(0).value == Approx(0.015625 / 16));
  CHECK(result.method.iters_per_sample == 16 * 4);
  CHECK(result.method.warmup == 16 * (1 + 1 + 2));
}

TEST_CASE("what a library chose for the first step is told with the result") {
  FakeRun fake;
  fake.script_of = [](int) {
    FakeScript chatty = script([](const CaseId&, std::int64_t) { return 1; });
    chatty.choice = {"Tree", "LL128"};
    return chatty;
  };
  const Result result = run(fake).results.at(0);
  CHECK(result.method.algorithm == "Tree");
  CHECK(result.method.protocol == "LL128");
}

TEST_CASE("a benchmark whose steps are the host's work is timed by the host's clock") {
  FakeRun fake;
  fake.rules.sampling.max_samples = 3;
  fake.rules.sampling.min_samples = 3;
  fake.script_of = [](int) {
    FakeScript on_host = script([](const CaseId&, std::int64_t) { return 1000.0; });
    on_host.clock = StepClock::host;
    return on_host;
  };
  const Result result = run(fake).results.at(0);
  CHECK(result.method.timer == "steady_clock");
  CHECK(result.metrics.at(0).value < 100);  // of the device's clock 1000 s pass in a step
}

TEST_CASE("a cold first step does not make the samples too short") {
  FakeRun fake;
  fake.rules.sampling.warmup_time_s = 0.5;
  fake.rules.sampling.sample_time_s = 1;
  fake.script_of = [](int) {
    return script([](const CaseId&, std::int64_t step) { return step == 0 ? 1000.0 : 0.25; },
                  TimingMode::throughput);
  };
  CHECK(run(fake).results.at(0).method.iters_per_sample == 4);
}

TEST_CASE("a clock that cannot see one step ends the warm-up all the same") {
  FakeRun fake;
  fake.rules.sampling.warmup_time_s = 1e-3;
  fake.rules.sampling.batch = 1;
  fake.rules.sampling.max_samples = 1;
  fake.script_of = [](int) {
    return script([](const CaseId&, std::int64_t) { return 0x1p-40; }, TimingMode::throughput);
  };
  const Result result = run(fake).results.at(0);
  CHECK(result.method.warmup == 1 << 21);
  CHECK(result.method.iters_per_sample == 1 << 20);
}

TEST_CASE("a device that rested works until it is hot, once for cases in a row") {
  FakeRun fake;
  fake.plan = {fake_case("hot"), fake_case("hotter"), fake_case("cool"), fake_case("hot again")};
  for (const std::size_t hot : {0U, 1U, 3U}) fake.plan[hot].planned.heats_device = true;
  fake.rules.sampling.passes = 2;
  fake.rules.sampling.burn_in_s = 3.5;
  fake.hosts = {"a", "a"};
  fake.script_of = [](int rank) {  // the slower rank tells how long all have worked
    return script([rank](const CaseId&, std::int64_t) { return rank + 1; }, TimingMode::throughput);
  };
  const FakeOutcome outcome = run(fake);
  for (const CallLog& log : outcome.logs) {
    CHECK(count(log, "enter burn-in") == 2 * 2 * 2);  // two steps of two seconds, twice a pass
    const CallLog burn_in = calls_in(log, "burn-in");
    CHECK(count(burn_in, "step") == 2 * 2 * 2);
    CHECK(count(burn_in, "take notes") == 0);
    CHECK(burn_in.back() == "forget notes");
  }
  REQUIRE(outcome.results.size() == 4);
  CHECK(outcome.results[0].method.warmup == 2 * (2 + 2));
  CHECK(outcome.results[1].method.warmup == 2 * 2);
  CHECK(outcome.results[2].method.warmup == 2 * 2);
  CHECK(outcome.results[3].method.warmup == 2 * (2 + 2));
}

TEST_CASE("nothing but steps happens while time is taken, and all ranks begin together") {
  FakeRun fake;
  fake.script_of = [](int) { return script(samples(narrow)); };
  fake.rules.verify_repeats = 2;
  FakeWorld world({"a", "a"});
  const CallLog log = run_in(world, fake).logs[0];

  CallLog phases;
  for (const std::string& call : log) {
    if (call.starts_with("enter ")) phases.push_back(call.substr(6));
  }
  CHECK(phases == CallLog{"prepare", "warm-up", "measure", "verify", "verify", "gather"});
  CHECK(calls_in(log, "prepare").front() == "make");
  const CallLog sample{"barrier", "mark", "step", "mark", "read clock"};
  CHECK(first_calls(calls_in(log, "warm-up"), 2) == CallLog{"step", "synchronise"});
  CHECK(count(calls_in(log, "warm-up"), "forget notes") == 1);
  CHECK(calls_in(log, "verify").front() == "prepare check 8");  // seeds after the run's own 7
  CHECK(count(calls_in(log, "verify"), "verify 8") == 1);
  CHECK(count(calls_in(log, "verify"), "verify 9") == 1);
  CHECK(count(calls_in(log, "verify"), "mark") == 0);

  CallLog measured{};
  for (int batch = 0; batch < 2; ++batch) {
    measured.push_back("agree");  // on the number of samples
    for (int i = 0; i < 10; ++i) measured.insert(measured.end(), sample.begin(), sample.end());
    measured.insert(measured.end(), {"maximum", "agree"});  // on going on
  }
  measured.push_back("take notes");
  CHECK(calls_in(log, "measure") == measured);
}

TEST_CASE("the ranks begin each batch of a throughput measurement together") {
  FakeRun fake;
  fake.script_of = [](int) { return script(samples(narrow), TimingMode::throughput); };
  FakeWorld world({"a", "a"});
  const CallLog measured = calls_in(run_in(world, fake).logs[0], "measure");
  CHECK(first_calls(measured, 6) == CallLog{"agree", "barrier", "mark", "step", "mark", "step"});
  CHECK(count(measured, "barrier") == 2);
}

TEST_CASE("behind a gate nothing waits for the device, and all ranks open theirs together") {
  FakeRun fake;
  fake.script_of = [](int) {
    FakeScript gated = script(samples(narrow), TimingMode::throughput);
    gated.gate_gives_up_at = 0;
    return gated;
  };
  FakeWorld world({"a", "a"});
  const FakeOutcome outcome = run_in(world, fake);
  const CallLog sample{"hold", "mark", "step", "mark", "barrier", "release"};
  CallLog measured{};
  for (int batch = 0; batch < 2; ++batch) {
    measured.push_back("agree");  // on the number of samples
    for (int i = 0; i < 10; ++i) measured.insert(measured.end(), sample.begin(), sample.end());
    // On whether a gate gave up, on the times, on going on.
    measured.insert(measured.end(), {"read clock", "maximum", "maximum", "agree"});
  }
  measured.push_back("take notes");
  CHECK(calls_in(outcome.logs[0], "measure") == measured);
  CHECK(count(calls_in(outcome.logs[0], "warm-up"), "hold") == 0);
  const Result& result = outcome.results.at(0);
  CHECK(result.method.sync == "gate before each sample, opened after a barrier");
  CHECK(result.samples_s.front() == Approx(1).epsilon(1e-5));
  CHECK(result.metrics.at(0).n == 20);
}

TEST_CASE("what is enqueued behind a gate is bounded, however short a step is") {
  FakeRun fake;
  fake.rules.sampling.sample_time_s = 1;
  fake.script_of = [](int) {
    FakeScript gated = script([](const CaseId&, std::int64_t) { return 0x1p-10; });
    gated.mode = TimingMode::throughput;
    gated.gate_gives_up_at = 0;
    return gated;
  };
  const FakeOutcome outcome = run(fake);
  std::int64_t behind = 0;
  std::int64_t most = 0;
  for (const std::string& call : calls_in(outcome.logs[0], "measure")) {
    if (call == "hold") behind = 0;
    if (call == "step") most = std::max(most, ++behind);
  }
  CHECK(most == 64);
  CHECK(outcome.results.at(0).method.iters_per_sample == 64);
  CHECK(outcome.results.at(0).metrics.at(0).value == 0x1p-10);  // per step, without the gaps
}

TEST_CASE("when a gate of one rank gives up, the case begins anew without any, and says so") {
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.rules.sampling.passes = 2;
  fake.script_of = [](int rank) {
    // The first batch of a pass takes 100 s a step: in pass 1 all of it, behind a gate that holds;
    // in pass 2 the one in which rank 1's gives up.
    FakeScript gated =
        script([](const CaseId&, std::int64_t step) { return step < 12 ? 100. : 1.; },
               TimingMode::throughput);
    gated.gate_gives_up_at = rank == 1 ? 15 : 0;
    return gated;
  };
  const FakeOutcome outcome = run(fake);
  const Result& result = outcome.results.at(0);
  CHECK(result.method.sync ==
        "barrier before each batch of samples; no gate: one opened before all was enqueued");
  for (const CallLog& log : outcome.logs) {
    CHECK(count(log, "hold") == 20);
    CHECK(count(log, "release") == 20);
  }
  CHECK(result.samples_s == std::vector<double>(20, 1.0));
  CHECK(result.ranks.median_s == std::vector<double>{1, 1});
}

TEST_CASE("a gate is open again when a step behind it fails") {
  FakeRun fake;
  fake.script_of = [](int) {
    FakeScript gated = script(
        [](const CaseId&, std::int64_t step) {
          if (step == 5) throw std::runtime_error("a step failed");
          return 1.0;
        },
        TimingMode::throughput);
    gated.gate_gives_up_at = 0;
    return gated;
  };
  FakeWorld world({"a"});
  CallLog log;
  FakeRank rank(world, log, fake.script_of(0), 1 << 20);
  const auto benchmark = fake_benchmark().make(rank, fake.plan[0].planned.id);
  const auto timeline = rank.device.timeline();
  CHECK_THROWS_WITH(time_behind_gate(*benchmark, *timeline, *rank.device.gate(), world, 10, 3),
                    "a step failed");
  CHECK(log.back() == "release");
  CHECK(count(log, "hold") == count(log, "release"));
}

TEST_CASE("single operations and the host's work pass no gate") {
  FakeRun fake;
  FakeScript gated = script(samples(narrow));
  gated.gate_gives_up_at = 0;
  SECTION("latency") {}
  SECTION("the host's clock") {
    gated.mode = TimingMode::throughput;
    gated.clock = StepClock::host;
    fake.rules.sampling.sample_time_s = 0;
    fake.rules.sampling.max_samples = 20;
  }
  fake.script_of = [&](int) { return gated; };
  const FakeOutcome outcome = run(fake);
  CHECK(count(outcome.logs[0], "hold") == 0);
  CHECK(outcome.results.at(0).method.sync.find("gate") == std::string::npos);
}

TEST_CASE("ranks of different speed take the same steps and the slowest decides and is named") {
  FakeRun fake;
  fake.hosts = {"node1", "node1", "node2", "node2"};
  // On their own, rank 0 would be precise at once, rank 2 never; and they warm up at other speeds.
  fake.rules.sampling.warmup_time_s = 0.5;
  fake.rules.sampling.sample_time_s = 4;
  fake.rules.sampling.max_samples = 60;
  fake.script_of = [](int rank) {
    return script(
        [rank](const CaseId&, std::int64_t step) {
          if (rank != 2) return 0.125 * (rank + 1);
          return step % 3 == 1 ? 1.0 : 2.0;
        },
        TimingMode::throughput);
  };
  const FakeOutcome outcome = run(fake);
  for (const CallLog& log : outcome.logs) {
    CHECK(count(log, "step") == count(outcome.logs[0], "step"));
    CHECK(count(log, "verify 8") == 1);
  }
  const Result& result = outcome.results.at(0);
  CHECK(result.method.iters_per_sample == 4);  // a step of rank 2 took 1 s in the warm-up
  CHECK(result.ranks.slowest == 2);
  CHECK(result.ranks.host == "node2");
  CHECK(result.ranks.median_s == std::vector<double>{0.125, 0.25, result.ranks.median_s[2], 0.5});
  CHECK(result.ranks.quantiles.at("min") == 0.125);
  CHECK(result.ranks.quantiles.at("max") == result.ranks.median_s[2]);
  CHECK(result.metrics.at(0).value == Approx(result.ranks.median_s[2]).epsilon(1e-5));
}

TEST_CASE("each sample is that of the rank which was slowest in it") {
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.rules.sampling.max_samples = 20;
  fake.script_of = [](int rank) {
    return script([rank](const CaseId&, std::int64_t step) {
      return step % 2 == rank ? 4.0 : 1.0;  // they take turns in being late
    });
  };
  const Result result = run(fake).results.at(0);
  CHECK(result.samples_s == std::vector<double>(20, 4.0));
  CHECK(result.metrics.at(0).value == 4.0);
  CHECK(result.ranks.median_s == std::vector<double>{2.5, 2.5});
}

TEST_CASE("of many samples 200 are kept, after the quantiles were taken from all") {
  FakeRun fake;
  fake.rules.sampling.precision = 0;
  fake.script_of = [](int) {
    return script([](const CaseId&, std::int64_t step) {
      return 1 + 0x1p-10 * static_cast<double>(step - 1);
    });
  };
  fake.rules.sampling.max_samples = 1000;
  const Result result = run(fake).results.at(0);
  CHECK(result.samples_s.size() == 200);
  CHECK(result.samples_s.front() == Approx(1 + 0x1p-10 * 1).epsilon(1e-5));
  CHECK(result.samples_s.back() == Approx(1 + 0x1p-10 * 1000).epsilon(1e-5));
  CHECK(result.metrics.at(0).n == 1000);
  CHECK(result.metrics.at(0).value == 1 + 0x1p-10 * 500.5);
  CHECK(result.ranks.median_s.at(0) == Approx(1 + 0x1p-10 * 500.5).epsilon(1e-5));
}

TEST_CASE("notes are summed up over ranks and passes, without the warm-up's") {
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.rules.sampling.passes = 2;
  fake.script_of = [](int) { return script(samples(narrow)); };
  const Result result = run(fake).results.at(0);
  // Each of two passes noted its steps 2 to 11 on each of two ranks.
  CHECK(result.telemetry.at("total") == 2 * 2 * 65);
  CHECK(result.telemetry.at("p50") == 6.5);
  CHECK(result.telemetry.at("p99") == 11);
  CHECK(result.telemetry.at("largest") == 11);
}

TEST_CASE("the same script gives the same results") {
  FakeRun fake;
  fake.hosts = {"a", "b", "b"};
  fake.plan = {fake_case("first"), fake_case("second")};
  fake.rules.sampling.passes = 3;
  fake.script_of = [](int rank) {
    return script([rank](const CaseId& id, std::int64_t step) {
      return 1 + 0.01 * static_cast<double>((step * (rank + 3)) % 7 + (id.benchmark == "first"));
    });
  };
  const FakeOutcome once = run(fake);
  const FakeOutcome again = run(fake);
  CHECK(once.logs == again.logs);
  REQUIRE(once.results.size() == again.results.size());
  for (std::size_t i = 0; i < once.results.size(); ++i) {
    CHECK(once.results[i].samples_s == again.results[i].samples_s);
    CHECK(once.results[i].metrics.at(0).value == again.results[i].metrics.at(0).value);
    CHECK(once.results[i].stop == again.results[i].stop);
    CHECK(once.results[i].ranks.median_s == again.results[i].ranks.median_s);
    CHECK(once.results[i].ranks.slowest == again.results[i].ranks.slowest);
  }
}

TEST_CASE("a large world keeps quantiles and outliers instead of a number for each rank") {
  FakeRun fake;
  fake.script_of = [](int) { return script(samples({1})); };
  std::vector<std::string> hosts;
  for (int rank = 0; rank < 300; ++rank) hosts.push_back("node" + std::to_string(rank / 8));
  FakeWorld world(
      hosts, [](int rank, double of_rank_0) { return rank == 123 ? 1.5 * of_rank_0 : of_rank_0; });
  const Result result = run_in(world, fake).results.at(0);
  CHECK(result.ranks.median_s.empty());
  CHECK(result.ranks.slowest == 123);
  CHECK(result.ranks.host == "node15");
  CHECK(result.ranks.quantiles.at("p75") == 1);
  CHECK(result.ranks.quantiles.at("max") == 1.5);
  REQUIRE(result.ranks.outliers.size() == 1);
  CHECK(result.ranks.outliers[0].rank == 123);
  CHECK(result.ranks.outliers[0].host == "node15");
  CHECK(result.ranks.outliers[0].median_s == 1.5);

  hosts.resize(256);
  FakeWorld smaller(hosts);
  CHECK(run_in(smaller, fake).results.at(0).ranks.median_s.size() == 256);
}
