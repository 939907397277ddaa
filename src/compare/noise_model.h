#pragma once

#include <cstddef>
#include <vector>

#include "compare/effect.h"
#include "compare/policy.h"

namespace peakline {

/// One judged metric on both sides, by run.
struct Pairing {
  std::vector<double> baseline_costs;
  std::vector<double> fresh_costs;
  double within = 0;  ///< standard error of the new value by its own samples, on the scale of costs
  const Family* family = nullptr;

  double difference() const;
};

/// What all pairings of one comparison tell together.
struct RunNoise {
  double shift = 0;        ///< median difference: what moved the whole run
  double shift_noise = 0;  ///< how far whole runs of this machine stray
  double shift_degrees = 0;
  NoiseSource between_keys;  ///< how far single keys stray from the shift in this very comparison
};

/// Robust, so that a few truly changed keys do not hide themselves. With fewer than eight pairings
/// nothing is told apart: no shift, and no degrees of freedom.
RunNoise run_noise(const std::vector<Pairing>& pairings, const Policy& policy);

/// The spread between runs to expect of one pairing: the family's prior, what the baseline's own
/// runs show, and what the other keys of this comparison show, each with its weight.
Noise expected_noise(const Pairing& pairing, double prior, const RunNoise& run,
                     const Policy& policy);

}  // namespace peakline
