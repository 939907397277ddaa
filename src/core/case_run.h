#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runner.h"

namespace peakline {

struct Visit {
  int pass = 0;          ///< from 0
  double burn_in_s = 0;  ///< work after the warm-up and before the samples
};

/// One case on its way through the passes: what has been seen of it so far on this rank, and the
/// result in the end. The runner owns one for each planned case.
class CaseRun {
 public:
  explicit CaseRun(const RunnableCase& runnable) : runnable_(&runnable) {}

  /// One visit: prepare, warm up, burn in, sample, verify. `hosts` has the host of each rank, on
  /// rank 0. Collective.
  void visit(const Visit& visit, Context& context, const RunRules& rules,
             const std::vector<std::string>& hosts, RunListener& listener);

  /// How long this rank's last visit took; 0 before the first.
  double last_visit_s() const { return last_visit_s_; }

  void skip(const std::string& reason, const std::string& note);
  bool skipped() const { return !skip_reason_.empty(); }

  /// What is known after the visits so far, on rank 0: empty before the first and on other ranks.
  const std::vector<Result>& results() const { return results_; }

  /// The same, or the one result that says why nothing was measured.
  std::vector<Result> final_results() const;

 private:
  bool fits_everywhere(World& world, const std::function<void()>& allocate);
  void measure(const Visit& visit, Context& context, const RunRules& rules,
               const std::vector<std::string>& hosts, RunListener& listener);
  void summarise(const Benchmark& benchmark, Context& context, const RunRules& rules,
                 const std::vector<std::string>& hosts);
  void report_warnings(const std::vector<Reading>& readings, HostLink link, Context& context,
                       RunListener& listener) const;
  double warm_up(Benchmark& benchmark, Context& context, const SamplingRules& rules);
  void burn_in(Benchmark& benchmark, double step_s, double duration_s, Context& context,
               RunListener& listener);
  void sample(Benchmark& benchmark, int pass, double step_s, Context& context,
              const SamplingRules& rules);
  std::vector<double> time_batch(Benchmark& benchmark, Timeline& timeline, Context& context,
                                 std::size_t count);
  void verify(Benchmark& benchmark, Context& context, int repeats, RunListener& listener);
  Result measured_result(const Benchmark& benchmark, const Context& context,
                         const RunRules& rules) const;

  const RunnableCase* runnable_;
  std::string skip_reason_;
  std::string skip_note_;
  std::vector<double> own_s_;      ///< this rank's samples, per step
  std::vector<double> slowest_s_;  ///< the slowest rank's, the same on every rank
  Notes notes_;
  std::vector<Reading> readings_;  ///< of this rank's device, during the samples
  std::int64_t steps_per_sample_ = 0;
  std::int64_t warmup_steps_ = 0;
  bool gate_gave_up_ = false;  ///< on any rank, so that none is used any more
  int passes_ = 0;
  CallChoice choice_;  ///< on rank 0
  double last_visit_s_ = 0;
  std::optional<StopReason> stop_;
  std::optional<Verification> verification_;
  std::vector<Result> results_;
};

}  // namespace peakline
