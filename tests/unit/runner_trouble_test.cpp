#include <chrono>
#include <stdexcept>
#include <thread>

#include "core/runner.h"
#include "support/catch.h"
#include "support/fake_run.h"

using namespace peakline;

namespace {

const std::vector<double> narrow{1, 1.0078125};

class SilentListener final : public RunListener {
 public:
  void entered(std::string_view, const PlannedCase&) override {}
  void visited(const RunProgress&, const std::vector<Result>&) override {}
  void noticed(const Incident&) override {}
  void finished(const Result&) override {}
};

}  // namespace

TEST_CASE("a buffer that does not fit on one rank skips the case on all, and the run goes on") {
  FakeRun fake;
  fake.hosts = {"a", "b", "c"};
  fake.plan = {fake_case("first"), fake_case("large"), fake_case("last")};
  fake.script_of = [](int) {
    FakeScript large = script(samples(narrow));
    large.buffer_bytes = 4096;
    return large;
  };
  fake.capacity_of = [](int rank) { return std::size_t{rank == 1 ? 1024U : 8192U}; };
  const FakeOutcome outcome = run(fake);
  REQUIRE(outcome.results.size() == 3);
  CHECK(outcome.results[0].status == Status::ok);
  CHECK(outcome.results[1].status == Status::skipped);
  CHECK(outcome.results[1].reason == "memory");
  CHECK(outcome.results[1].note == "rank 1: a buffer of 4096 B does not fit");
  CHECK(outcome.results[1].metrics.empty());
  CHECK(outcome.results[1].repro == "repeat large");
  CHECK(outcome.results[2].status == Status::ok);
  for (const CallLog& log : outcome.logs) CHECK(count(log, "step") == 2 * 22);
}

TEST_CASE("a check that does not fit on one rank skips the case on all instead of ending the run") {
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.plan = {fake_case("first"), fake_case("second")};
  fake.script_of = [](int rank) {
    FakeScript greedy = script(samples(narrow));
    greedy.check_bytes = rank == 1 ? 4096 : 16;
    return greedy;
  };
  fake.capacity_of = [](int) { return std::size_t{1024}; };
  const FakeOutcome outcome = run(fake);
  REQUIRE(outcome.results.size() == 2);
  for (const Result& result : outcome.results) {
    CHECK(result.status == Status::skipped);
    CHECK(result.reason == "memory");
    CHECK(result.note == "rank 1: a buffer of 4096 B does not fit");
    CHECK(result.metrics.empty());
  }
  for (const CallLog& log : outcome.logs) CHECK(count(log, "verify 8") == 0);
}

TEST_CASE("cases that cannot run here are skipped without being prepared") {
  FakeRun fake;
  fake.plan = {fake_case("first"), fake_case("second"), fake_case("third")};
  fake.plan[0].planned.unsupported = "there is no such operation";
  fake.plan[1].planned.memory_bytes = 3'000'000;
  fake.plan[2].planned.memory_bytes = 2'000'000;
  fake.rules.memory_limit_bytes = 2'000'000;
  fake.script_of = [](int) { return script(samples(narrow)); };
  const FakeOutcome outcome = run(fake);
  REQUIRE(outcome.results.size() == 3);
  CHECK(outcome.results[0].reason == "unsupported");
  CHECK(outcome.results[0].note == "there is no such operation");
  CHECK(outcome.results[1].reason == "memory");
  CHECK(outcome.results[1].note == "needs 3.00 MB of 2.00 MB that every rank has free");
  CHECK(outcome.results[2].status == Status::ok);  // exactly what is free
  CHECK(count(outcome.logs[0], "make") == 1);

  fake.rules.memory_limit_bytes = 0;
  CHECK(run(fake).results[2].reason == "memory");
  fake.rules.memory_limit_bytes.reset();
  CHECK(run(fake).results[1].status == Status::ok);
}

TEST_CASE("when time is up the cases that are left are skipped and the results stay complete") {
  int asked = 0;
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.plan = {fake_case("first"), fake_case("second"), fake_case("third")};
  fake.rules.time_left_s = [&] { return ++asked > 1 ? 0.0 : 60.0; };
  fake.script_of = [](int) { return script(samples(narrow)); };
  const FakeOutcome outcome = run(fake);
  REQUIRE(outcome.results.size() == 3);
  CHECK(outcome.results[0].status == Status::ok);
  for (std::size_t i : {1U, 2U}) {
    CHECK(outcome.results[i].status == Status::skipped);
    CHECK(outcome.results[i].reason == "time_limit");
    CHECK(outcome.results[i].id == fake.plan[i].planned.id);
  }
  CHECK(outcome.finished == std::vector<std::string>{fake.plan[0].planned.id.key(),
                                                     fake.plan[1].planned.id.key(),
                                                     fake.plan[2].planned.id.key()});
  CHECK(outcome.so_far == std::vector<std::size_t>{1, 0, 0});
  CHECK(asked == 3);  // rank 0 alone asks
  CHECK(count(outcome.logs[1], "make") == 1);
}

TEST_CASE("a case keeps what its first passes gave when time is up before the last one") {
  int asked = 0;
  FakeRun fake;
  fake.plan = {fake_case("first"), fake_case("second")};
  fake.rules.sampling.passes = 2;
  fake.rules.time_left_s = [&] { return ++asked > 3 ? 0.0 : 60.0; };
  fake.script_of = [](int) { return script(samples(narrow)); };
  const FakeOutcome outcome = run(fake);
  CHECK(outcome.results[0].method.passes == 2);
  CHECK(outcome.results[0].metrics.at(0).n == 20);
  CHECK(outcome.results[1].method.passes == 1);
  CHECK(outcome.results[1].status == Status::ok);
  CHECK(outcome.results[1].metrics.at(0).n == 10);
  CHECK(outcome.finished.size() == 2);
  CHECK(count(outcome.logs[0], "make") == 3);
  CHECK(count(outcome.logs[0], "verify 8") == 2);  // once for each case
}

TEST_CASE("a case is visited again only when there is as much time as it took before") {
  int asked = 0;
  FakeRun fake;
  fake.plan = {fake_case("slow"), fake_case("fast")};
  fake.rules.sampling.passes = 2;
  // Long enough for a fake, shorter than the slow one's sleep.
  fake.rules.time_left_s = [&] { return ++asked > 2 ? 0.05 : 60.0; };
  fake.script_of = [](int) {
    return script([](const CaseId& id, std::int64_t step) {
      if (id.benchmark == "slow" && step == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      return narrow[static_cast<std::size_t>(step % 2)];
    });
  };
  const FakeOutcome outcome = run(fake);
  CHECK(outcome.results[0].method.passes == 1);
  CHECK(outcome.results[1].method.passes == 2);
}

TEST_CASE("wrong data fail the case with place and values, and the run goes on") {
  FakeRun fake;
  fake.hosts = {"a", "b", "c"};
  fake.plan = {fake_case("first"), fake_case("second")};
  fake.script_of = [](int rank) {
    FakeScript wrong = script(samples(narrow));
    wrong.check.checked = 100;
    if (rank > 0) {
      wrong.check.wrong = rank;
      wrong.check.first = Mismatch{50 - rank, 0, 7, 6.5};
    }
    return wrong;
  };
  const FakeOutcome outcome = run(fake);
  REQUIRE(outcome.results.size() == 2);
  for (const Result& result : outcome.results) {
    CHECK(result.status == Status::failed);
    CHECK(result.reason == "wrong_data");
    REQUIRE(result.verify);
    CHECK(result.verify->checked == 2 * 3 * 100);  // two repeats on three ranks
    CHECK(result.verify->wrong == 2 * (1 + 2));
    REQUIRE(result.verify->first);
    CHECK(result.verify->first->rank == 1);
    CHECK(result.verify->first->index == 49);
    CHECK(result.verify->first->expected == 7);
    CHECK(result.verify->first->found == 6.5);
    CHECK(result.metrics.size() == 1);  // the speed is kept, whatever it is worth
  }
}

TEST_CASE("checks of all ranks combine, on rank 0") {
  std::vector<Verification> of_rank(3);
  run_ranks({"a", "b", "c"}, [&](World& world) {
    PatternCheck mine;
    mine.checked = 10;
    if (world.rank() == 2) {
      mine.wrong = 4;
      mine.first = Mismatch{0, 0, -3, std::nullopt};  // what stood there was no number
    }
    of_rank[static_cast<std::size_t>(world.rank())] = combine_checks(world, mine);
  });
  CHECK(of_rank[0].checked == 30);
  CHECK(of_rank[0].wrong == 4);
  REQUIRE(of_rank[0].first);
  CHECK(of_rank[0].first->rank == 2);
  CHECK(of_rank[0].first->index == 0);
  CHECK(of_rank[0].first->expected == -3);
  CHECK_FALSE(of_rank[0].first->found);
  CHECK(of_rank[1].checked == 0);
}

TEST_CASE("an exception gives up the communicator before the buffers that it may be using") {
  FakeRun fake;
  fake.script_of = [](int) {
    return script([](const CaseId&, std::int64_t step) {
      if (step == 5) throw std::runtime_error("the GPU fell off the bus");
      return 1.0;
    });
  };
  CallLog log;
  CHECK_THROWS_WITH(run_ranks({"a"},
                              [&](World& world) {
                                FakeRank rank(world, log, fake.script_of(0), fake.capacity_of(0));
                                SilentListener listener;
                                run_plan(fake.plan, rank, fake.rules, listener);
                              }),
                    "the GPU fell off the bus");
  REQUIRE(log.size() >= 2);
  CHECK(log[log.size() - 2] == "abort");
  CHECK(log.back() == "free");
}

TEST_CASE("what a step throws ends the run with its own words") {
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.script_of = [](int rank) {
    return script([rank](const CaseId&, std::int64_t step) {
      if (rank == 1 && step == 5) throw std::runtime_error("the link went down");
      return 1.0;
    });
  };
  CHECK_THROWS_WITH(run(fake), "the link went down");
}
