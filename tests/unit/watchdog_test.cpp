#include "core/watchdog.h"

#include <atomic>
#include <future>

#include "support/catch.h"

using namespace peakline;

TEST_CASE("a watchdog whose time runs out says where the rank was, once") {
  std::promise<Situation> told;
  std::atomic<int> calls = 0;
  Watchdog watchdog(0.05, [&](const Situation& situation) {
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
    const Watchdog watchdog(60, [&](const Situation&) { ++calls; });
  }
  CHECK(calls == 0);
}
