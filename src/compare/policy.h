#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace peakline {

/// How a family of metrics is judged. Shares are of the value itself: 0.05 is five per cent.
struct Family {
  double least_effect = 0.05;  ///< a smaller change is of no practical interest
  double prior_noise = 0.015;  ///< spread between healthy runs where no history tells it

  /// How far other users of the same processors can slow a run down, unseen by it, as a cost (the
  /// logarithm of the factor). Such bursts only ever make things worse, so they can excuse a bad
  /// figure but not explain a good one.
  double burst = 0;
};

/// What decides. The defaults are the policy until a file says otherwise.
struct Policy {
  double floor_share = 0.80;  ///< of the first peak that is known; the one tolerance there is
  double false_discovery_rate = 0.05;
  double prior_weight = 4;     ///< degrees of freedom that a prior counts for
  double least_noise = 0.002;  ///< no spread between runs is believed to be smaller
  double shift_prior = 0.01;   ///< how far whole runs stray where no history tells it
  bool trust_samples = true;   ///< the interval of a run's own samples widens what is expected
  std::vector<std::string> required;        ///< globs of keys that must have an ok result
  std::vector<std::string> allow_mismatch;  ///< fields of the fingerprint that may differ

  Family gemm{0.05, 0.01};
  Family bandwidth{0.05, 0.015};     ///< collectives of at least 1 MiB, memory
  Family small_message{0.10, 0.05};  ///< everything about latency
  Family loader{0.10, 0.05};
};

/// The policy for a backend. A host's processors are shared with whatever else runs, on virtual
/// machines even with what nobody can see (the runs of tests/data/noise show how much).
Policy default_policy(const std::string& backend);

const Family& family_of(const Policy& policy, const Result& result);

}  // namespace peakline
