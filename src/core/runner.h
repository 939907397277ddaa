#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/benchmark.h"
#include "core/record.h"
#include "core/result.h"
#include "core/stopping.h"

namespace peakline {

/// How far a run is: the case with this index has been visited in this pass, both from 0.
struct RunProgress {
  int pass = 0;
  int passes = 1;
  std::size_t index = 0;
  std::size_t cases = 0;
};

/// Told what the runner does: for a watchdog, a progress bar, a journal, a table. Never called
/// within a timed region.
class RunListener {
 public:
  virtual ~RunListener() = default;

  /// On every rank, before each phase of a visit and each repetition of a phase: a sign of life.
  virtual void entered(std::string_view phase, const PlannedCase& planned) = 0;

  /// On rank 0, after each visit, with what is known of the case so far.
  virtual void visited(const RunProgress& progress, const std::vector<Result>& so_far) = 0;

  /// On rank 0, after a visit: what a device said of itself that a user should know.
  virtual void noticed(const Incident& incident) = 0;

  /// On rank 0, once for each final result, in the order of the plan.
  virtual void finished(const Result& result) = 0;
};

/// A planned case with the row of the registry that makes it, and a command that repeats it.
struct RunnableCase {
  PlannedCase planned;
  const BenchmarkInfo* benchmark = nullptr;
  std::string repro;
};

/// Why a case cannot be measured here.
struct Obstacle {
  std::string reason;  ///< one word of the record: unsupported, memory
  std::string sentence;
};

/// `memory_limit_bytes`: what every rank has free; absent when it is not known.
std::optional<Obstacle> obstacle_to(const PlannedCase& planned,
                                    std::optional<std::size_t> memory_limit_bytes);

struct RunRules {
  SamplingRules sampling;
  int verify_repeats = 2;  ///< fresh data each time

  /// Asked on rank 0 before every visit: a case is visited while there is time left, and again only
  /// when there is as much as its last visit took.
  std::function<double()> time_left_s = [] { return std::numeric_limits<double>::infinity(); };

  std::optional<std::size_t> memory_limit_bytes;  ///< cases that need more are skipped
};

/// Measures the plan and returns the results on rank 0 (empty on the others). The protocol: in
/// every pass, for every case: prepare, warm up, burn in, barrier, timed batches until the stopping
/// rule says so; data are verified once, on buffers of their own. All ranks call this with the same
/// plan.
std::vector<Result> run_plan(const std::vector<RunnableCase>& plan, Context& context,
                             const RunRules& rules, RunListener& listener);

/// Adds up what each rank found and names the first wrong element of the lowest rank that has one.
Verification combine_checks(World& world, const PatternCheck& mine);

}  // namespace peakline
