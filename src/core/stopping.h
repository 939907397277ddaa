#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/result.h"

namespace peakline {

/// How a case is sampled. One value for all ranks, so that all take the same number of steps.
struct SamplingRules {
  int passes = 1;                 ///< visits to each case, spread over the whole run
  double pass_time_s = 0.1;       ///< time for the samples of one case in one pass
  double sample_time_s = 1e-3;    ///< a throughput sample holds as many steps as fill this
  double warmup_time_s = 5e-3;    ///< at least this long before the first sample of a pass
  std::int64_t warmup_steps = 8;  ///< and so many steps, unless they take a quarter of the pass
  double burn_in_s =
      0;  ///< work before that, where a device gets hot that was not at work just now
  double precision = 0.01;        ///< enough when the half-width of the 95 % interval is below this
  std::size_t batch = 10;         ///< samples between two decisions
  std::size_t min_samples = 20;   ///< per case over all passes
  std::size_t max_samples = 600;  ///< per case over all passes
};

/// Whether a warm-up of that many steps in a row that took that long is enough.
bool is_warm(const SamplingRules& rules, std::int64_t steps, double time_s);

/// Whether to stop one pass, decided by rank 0 alone from the slowest rank's samples of all passes
/// so far. `pass` counts from 0. Precision is never a reason before min_samples, and each pass
/// gives its share of them, so that the samples are spread over the run.
std::optional<StopReason> should_stop(std::span<const double> samples_s, const SamplingRules& rules,
                                      int pass, double pass_elapsed_s);

/// How many samples to take before the next decision: fewer when a sample is so long that a full
/// batch would overrun the pass.
std::size_t next_batch(const SamplingRules& rules, double sample_s, double pass_elapsed_s);

}  // namespace peakline
