#include "compare/noise_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/statistics.h"

namespace peakline {
namespace {

constexpr std::size_t fewest_pairings = 8;
constexpr double most_between_degrees = 30;  // metrics of one run are not independent of each other
constexpr double normal_consistency =
    1.4826;  // MAD to standard deviation, for a normal distribution

/// Root of 1/K + 1/R: how much wider a difference of means spreads than a single run.
double widening(const Pairing& pairing) {
  return std::sqrt(1 / static_cast<double>(pairing.fresh_costs.size()) +
                   1 / static_cast<double>(pairing.baseline_costs.size()));
}

/// How the baseline's runs as wholes stray: the spread over runs of the median over keys of the
/// distance from each key's own mean. Only keys that every run has.
NoiseSource history_of_shifts(const std::vector<Pairing>& pairings) {
  std::size_t runs = 0;
  for (const Pairing& pairing : pairings) runs = std::max(runs, pairing.baseline_costs.size());
  if (runs < 2) return {};
  std::vector<double> shifts;
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<double> distances;
    distances.reserve(pairings.size());
    for (const Pairing& pairing : pairings) {
      if (pairing.baseline_costs.size() != runs) continue;
      distances.push_back(pairing.baseline_costs[run] - mean(pairing.baseline_costs));
    }
    if (distances.empty()) return {};
    shifts.push_back(median(distances));
  }
  return {standard_deviation(shifts), static_cast<double>(runs - 1)};
}

}  // namespace

double Pairing::difference() const { return mean(fresh_costs) - mean(baseline_costs); }

RunNoise run_noise(const std::vector<Pairing>& pairings, const Policy& policy) {
  RunNoise run;
  if (pairings.size() < fewest_pairings) return run;
  std::vector<double> differences;
  differences.reserve(pairings.size());
  for (const Pairing& pairing : pairings) differences.push_back(pairing.difference());
  run.shift = median(differences);

  std::vector<double> residuals;
  residuals.reserve(pairings.size());
  for (std::size_t i = 0; i < pairings.size(); ++i) {
    residuals.push_back((differences[i] - run.shift) / widening(pairings[i]));
  }
  run.between_keys.noise = normal_consistency * median_absolute_deviation(residuals);
  run.between_keys.degrees =
      std::min(most_between_degrees, static_cast<double>(pairings.size()) - 2);

  const std::array sources{NoiseSource{policy.shift_prior, policy.prior_weight},
                           history_of_shifts(pairings)};
  const Noise joined = join_noise(sources, policy.least_noise);
  run.shift_noise = joined.value;
  run.shift_degrees = joined.degrees;
  return run;
}

Noise expected_noise(const Pairing& pairing, double prior, const RunNoise& run,
                     const Policy& policy) {
  const std::array sources{NoiseSource{prior, policy.prior_weight},
                           NoiseSource{standard_deviation(pairing.baseline_costs),
                                       static_cast<double>(pairing.baseline_costs.size()) - 1},
                           run.between_keys};
  return join_noise(sources, policy.least_noise);
}

}  // namespace peakline
