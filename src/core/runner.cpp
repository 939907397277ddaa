#include "core/runner.h"

#include "core/case_run.h"
#include "core/units.h"

namespace peakline {
namespace {

/// Cases that cannot run here are set aside before anything is measured.
void skip_impossible(std::vector<CaseRun>& runs, const std::vector<RunnableCase>& plan,
                     const RunRules& rules) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (const auto obstacle = obstacle_to(plan[i].planned, rules.memory_limit_bytes)) {
      runs[i].skip(obstacle->reason, obstacle->sentence);
    }
  }
}

bool has_time_for(const CaseRun& run, World& world, const RunRules& rules) {
  const bool fits = world.is_root() && rules.time_left_s() > run.last_visit_s();
  return world.agree(fits ? 1 : 0) != 0;
}

}  // namespace

std::optional<Obstacle> obstacle_to(const PlannedCase& planned,
                                    std::optional<std::size_t> memory_limit_bytes) {
  if (!planned.unsupported.empty()) return Obstacle{"unsupported", planned.unsupported};
  if (!memory_limit_bytes || planned.memory_bytes <= *memory_limit_bytes) return std::nullopt;
  return Obstacle{"memory", "needs " + format_si(static_cast<double>(planned.memory_bytes), "B") +
                                " of " + format_si(static_cast<double>(*memory_limit_bytes), "B") +
                                " that every rank has free"};
}

std::vector<Result> run_plan(const std::vector<RunnableCase>& plan, Context& context,
                             const RunRules& rules, RunListener& listener) {
  std::vector<CaseRun> runs(plan.begin(), plan.end());
  skip_impossible(runs, plan, rules);
  const std::vector<std::string> hosts = context.world.gather(context.world.host());
  std::vector<Result> results;
  for (int pass = 0; pass < rules.sampling.passes; ++pass) {
    const bool last_pass = pass + 1 == rules.sampling.passes;
    bool is_hot = false;  // by the case before
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!runs[i].skipped() && has_time_for(runs[i], context.world, rules)) {
        const bool heats = plan[i].planned.heats_device;
        const double burn_in_s = heats && !is_hot ? rules.sampling.burn_in_s : 0;
        runs[i].visit({pass, burn_in_s}, context, rules, hosts, listener);
        is_hot = heats;
      }
      if (!context.world.is_root()) continue;
      listener.visited({pass, rules.sampling.passes, i, runs.size()}, runs[i].results());
      if (!last_pass) continue;
      for (Result& result : runs[i].final_results()) {
        listener.finished(result);
        results.push_back(std::move(result));
      }
    }
  }
  return results;
}

Verification combine_checks(World& world, const PatternCheck& mine) {
  constexpr double not_finite = -0x1p1000;  // found values are small; this one means "no number"
  const bool any = mine.first.has_value();
  const auto checked = world.gather(static_cast<double>(mine.checked));
  const auto wrong = world.gather(static_cast<double>(mine.wrong));
  const auto index = world.gather(any ? static_cast<double>(mine.first->index) : -1.0);
  const auto expected = world.gather(any ? mine.first->expected : 0.0);
  const auto found = world.gather(any ? mine.first->found.value_or(not_finite) : 0.0);
  Verification total;
  for (std::size_t rank = 0; rank < checked.size(); ++rank) {
    total.checked += static_cast<std::int64_t>(checked[rank]);
    total.wrong += static_cast<std::int64_t>(wrong[rank]);
    if (index[rank] < 0 || total.first) continue;
    total.first = Mismatch{static_cast<std::int64_t>(index[rank]), static_cast<std::int64_t>(rank),
                           expected[rank], std::nullopt};
    if (found[rank] != not_finite) total.first->found = found[rank];
  }
  return total;
}

}  // namespace peakline
