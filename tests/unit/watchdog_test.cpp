#include "core/watchdog.h"

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "support/catch.h"

using namespace peakline;
using namespace std::chrono_literals;

TEST_CASE("a watchdog whose time runs out says where the rank was, once") {
  std::promise<Situation> told;
  std::atomic<int> calls = 0;
  Watchdog watchdog(0.05, 0, [&](const Situation& situation) {
    if (++calls == 1) told.set_value(situation);
  });
  watchdog.enter("warm-up", "gemm//");
  watchdog.enter("measure", "allreduce//");
  const Situation situation = told.get_future().get();
  CHECK(situation.phase == "measure");
  CHECK(situation.case_key == "allreduce//");
  CHECK(situation.in_phase_s >= 0);
  CHECK(situation.in_phase_s < 10);
  CHECK(calls == 1);
}

TEST_CASE("a watchdog that is left in time stays silent") {
  std::atomic<int> calls = 0;
  {
    const Watchdog watchdog(60, 0, [&](const Situation&) { ++calls; });
  }
  CHECK(calls == 0);
}

TEST_CASE("a run that shows signs of life is not stuck, however long its limit is over") {
  std::promise<Situation> told;
  std::atomic<int> calls = 0;
  Watchdog watchdog(0, 1, [&](const Situation& situation) {
    if (++calls == 1) told.set_value(situation);
  });
  for (int beat = 0; beat < 15; ++beat) {
    std::this_thread::sleep_for(100ms);
    watchdog.enter("verify", std::to_string(beat));
  }
  CHECK(calls == 0);
  const Situation situation = told.get_future().get();
  CHECK(situation.case_key == "14");
  CHECK(situation.in_phase_s >= 1);
}

TEST_CASE("the patience of a watchdog grows with what the run has taken so far") {
  std::promise<Situation> told;
  std::atomic<int> calls = 0;
  Watchdog watchdog(0, 1, [&](const Situation& situation) {
    if (++calls == 1) told.set_value(situation);
  });
  std::this_thread::sleep_for(500ms);
  watchdog.enter("measure", "twice as large");
  const Situation situation = told.get_future().get();
  CHECK(situation.phase == "measure");
  CHECK(situation.in_phase_s >= 1.5);
}

TEST_CASE("what is known to take long gets more time") {
  std::promise<Situation> told;
  std::atomic<int> calls = 0;
  Watchdog watchdog(0, 1, [&](const Situation& situation) {
    if (++calls == 1) told.set_value(situation);
  });
  watchdog.enter("prepare", "1 GiB", 0.5);
  CHECK(told.get_future().get().in_phase_s >= 1.5);
}
