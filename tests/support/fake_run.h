#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runner.h"
#include "support/fake_benchmark.h"
#include "support/fake_world.h"

namespace peakline {

/// A run in which only scripted time passes: each rank's script, the plan and the rules.
struct FakeRun {
  FakeRun();

  std::vector<std::string> hosts{"node1"};
  std::function<FakeScript(int rank)> script_of = [](int) { return FakeScript{}; };
  std::function<std::size_t(int rank)> capacity_of = [](int) { return std::size_t{1} << 20; };
  std::vector<RunnableCase> plan;
  RunRules rules;  ///< two steps of warm-up, no limit of time
};

/// What came out of one, with the log of each rank.
struct FakeOutcome {
  std::vector<Result> results;        ///< on rank 0
  std::vector<std::string> finished;  ///< keys that rank 0 was told of, in order
  std::vector<Incident> noticed;      ///< that rank 0 was told of, in order
  std::vector<std::size_t> so_far;    ///< results known after each visit
  std::vector<CallLog> logs;          ///< by rank
};

RunnableCase fake_case(const std::string& name);

FakeOutcome run(const FakeRun& fake);

/// The same in a world in which only rank 0 is real; its log has the calls of the world, too.
FakeOutcome run_in(FakeWorld& world, const FakeRun& fake);

std::size_t count(const CallLog& log, std::string_view call);

}  // namespace peakline
