#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace peakline {
namespace {

double quantile_of_sorted(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  if (samples.empty()) throw std::logic_error("a statistic of no samples was asked for");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double quantile(std::span<const double> samples, double share) {
  return quantile_of_sorted(sorted_copy(samples), share);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

double median_absolute_deviation(std::span<const double> samples) {
  const double centre = median(samples);
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (double sample : samples) distances.push_back(std::fabs(sample - centre));
  return median(distances);
}

std::optional<OrderRanks> median_ranks(std::size_t count, double confidence) {
  const double tail = (1 - confidence) / 2;
  // Binomial(count, 1/2): `term` is P(X = k), `below` is P(X < k). The logarithm keeps large counts
  // from underflowing.
  const auto n = static_cast<double>(count);
  const auto log_term = [&](double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0);
  };
  double below = 0;
  std::size_t low = 0;
  while (low < count) {
    const double next = below + std::exp(log_term(static_cast<double>(low)));
    if (next > tail) break;
    below = next;
    ++low;
  }
  if (low == 0) return std::nullopt;
  return OrderRanks{low, count + 1 - low, 1 - 2 * below};
}

double lag1_autocorrelation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  // Counted from the first sample, so that equal samples deviate by nothing, not by a rounding.
  const double origin = samples.front();
  double mean = 0;
  for (double sample : samples) mean += (sample - origin) / static_cast<double>(samples.size());
  double covariance = 0;
  double variance = 0;
  double before = 0;
  for (double sample : samples) {
    const double deviation = sample - origin - mean;
    variance += deviation * deviation;
    covariance += deviation * before;
    before = deviation;
  }
  return variance > 0 ? covariance / variance : 0;
}

double effective_count(std::span<const double> samples) {
  const double rho = std::max(0.0, lag1_autocorrelation(samples));
  return static_cast<double>(samples.size()) * (1 - rho) / (1 + rho);
}

std::optional<Interval> median_interval(std::span<const double> samples, double confidence) {
  const std::optional<OrderRanks> ranks = median_ranks(samples.size(), confidence);
  if (!ranks) return std::nullopt;
  const std::vector<double> sorted = sorted_copy(samples);
  const double centre = quantile_of_sorted(sorted, 0.5);
  const double rho = std::clamp(lag1_autocorrelation(samples), 0.0, 0.95);
  const double stretch = std::sqrt((1 + rho) / (1 - rho));
  return Interval{centre - (centre - sorted[ranks->low - 1]) * stretch,
                  centre + (sorted[ranks->high - 1] - centre) * stretch};
}

std::optional<double> relative_half_width(std::span<const double> samples, double confidence) {
  const std::optional<Interval> interval = median_interval(samples, confidence);
  const double centre = samples.empty() ? 0 : median(samples);
  if (!interval || centre == 0) return std::nullopt;
  return (interval->high - interval->low) / 2 / centre;
}

std::vector<double> thinned(std::span<const double> samples, std::size_t most) {
  if (samples.size() <= most) return {samples.begin(), samples.end()};
  std::vector<double> kept;
  kept.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    kept.push_back(samples[i * (samples.size() - 1) / std::max<std::size_t>(most - 1, 1)]);
  }
  return kept;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double smallest = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t index = order[rank - 1];
    const double scaled =
        p_values[index] * static_cast<double>(order.size()) / static_cast<double>(rank);
    smallest = std::min(smallest, scaled);
    adjusted[index] = smallest;
  }
  return adjusted;
}

}  // namespace peakline
