#include "compare/effect.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/student_t.h"

namespace peakline {

Noise join_noise(std::span<const NoiseSource> sources, double least) {
  double squares = 0;
  double degrees = 0;
  for (const NoiseSource& source : sources) {
    squares += source.degrees * source.noise * source.noise;
    degrees += source.degrees;
  }
  const double joined = degrees > 0 ? std::sqrt(squares / degrees) : 0;
  return {std::max(joined, least), degrees};
}

std::vector<double> costs_of(std::span<const double> values, Better better) {
  std::vector<double> costs;
  costs.reserve(values.size());
  for (double value : values) {
    costs.push_back(better == Better::lower ? std::log(value) : -std::log(value));
  }
  return costs;
}

double cost_of_share(double share, Better better) {
  return better == Better::lower ? std::log1p(share) : -std::log1p(-share);
}

double change_of(double cost_difference, Better better) {
  return std::expm1(better == Better::lower ? cost_difference : -cost_difference);
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

const CriticalValues::Quantiles& CriticalValues::at(double degrees) {
  const auto [entry, is_new] = known_.try_emplace(degrees);
  if (is_new) {
    entry->second = {student_t_quantile(0.95, degrees), student_t_quantile(0.80, degrees)};
  }
  return entry->second;
}

Effect effect_of(double difference, std::size_t fresh_runs, std::size_t baseline_runs,
                 const Noise& noise, double within, CriticalValues& critical) {
  const double of_fresh = std::max(noise.value, within);
  Effect effect;
  effect.difference = difference;
  effect.standard_error = std::sqrt(of_fresh * of_fresh / static_cast<double>(fresh_runs) +
                                    noise.value * noise.value / static_cast<double>(baseline_runs));
  effect.degrees = noise.degrees;
  const double t = difference / effect.standard_error;
  effect.p_worse = student_t_upper_tail(t, noise.degrees);
  effect.p_better = student_t_upper_tail(-t, noise.degrees);
  const double reach = critical.at(noise.degrees).t95 * effect.standard_error;
  effect.low = difference - reach;
  effect.high = difference + reach;
  return effect;
}

double detectable_difference(const Effect& effect, CriticalValues& critical) {
  const CriticalValues::Quantiles& t = critical.at(effect.degrees);
  return (t.t95 + t.t80) * effect.standard_error;
}

}  // namespace peakline
