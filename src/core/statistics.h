#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"

namespace peakline {

/// Robust statistics over samples in any order. None of them draws a random number, so the same
/// samples give the same bytes.

/// Quantile of type 7 (Hyndman and Fan 1996: linear between order statistics), share in [0, 1].
double quantile(std::span<const double> samples, double share);
double median(std::span<const double> samples);

/// Median absolute deviation from the median, not scaled.
double median_absolute_deviation(std::span<const double> samples);

/// 1-based ranks of the order statistics that enclose the median with at least the confidence asked
/// for; absent when there are too few samples (95 % needs 6).
struct OrderRanks {
  std::size_t low = 0;
  std::size_t high = 0;
  double coverage = 0;  ///< exact, from the binomial distribution
};
std::optional<OrderRanks> median_ranks(std::size_t count, double confidence);

/// Correlation of each sample with the one before it; 0 when it is not defined.
double lag1_autocorrelation(std::span<const double> samples);

/// How many independent samples a correlated series is worth: n (1 - rho) / (1 + rho), rho >= 0.
double effective_count(std::span<const double> samples);

/// Confidence interval of the median by order statistics, stretched about the median by
/// sqrt((1 + rho) / (1 - rho)), rho the lag-1 autocorrelation clamped to [0, 0.95]: neighbouring
/// samples that resemble each other carry less information.
std::optional<Interval> median_interval(std::span<const double> samples, double confidence);

/// Half the width of the interval as a share of the median; absent where the interval is.
std::optional<double> relative_half_width(std::span<const double> samples, double confidence);

/// At most `most` of the samples, evenly spaced, the first kept and from two on the last.
std::vector<double> thinned(std::span<const double> samples, std::size_t most);

/// p-values adjusted for the number of questions asked (Benjamini and Hochberg 1995), in the order
/// given.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace peakline
