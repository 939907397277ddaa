#pragma once

#include <map>
#include <span>
#include <vector>

#include "compare/policy.h"
#include "core/result.h"

namespace peakline {

/// The change of one metric between runs, on the scale on which noise is alike for all of them:
/// cost = ln(value) where lower is better, -ln(value) where higher is. The unit of replication is
/// the run, so a standard error comes from the spread between runs, never from the samples within
/// one.

/// What is known of the spread between runs of one metric: an estimate and the degrees of freedom
/// that it is worth. Sources are joined by weighting with these.
struct NoiseSource {
  double noise = 0;
  double degrees = 0;
};

struct Noise {
  double value = 0;
  double degrees = 0;
};

/// The moderated standard deviation: root of the weighted mean of squares, never below `least`.
Noise join_noise(std::span<const NoiseSource> sources, double least);

std::vector<double> costs_of(std::span<const double> values, Better better);

/// ln(1 + share) where lower is better, -ln(1 - share) where higher is: the cost of being worse by
/// that share of the value.
double cost_of_share(double share, Better better);

/// The inverse, as measured / baseline - 1 for a difference of costs.
double change_of(double cost_difference, Better better);

double mean(std::span<const double> values);

/// Sample standard deviation; 0 for fewer than two.
double standard_deviation(std::span<const double> values);

struct Effect {
  double difference =
      0;  ///< mean cost of the new runs minus that of the baseline; worse is positive
  double standard_error = 0;  ///< of that difference
  double degrees = 0;
  double p_worse = 1;
  double p_better = 1;
  double low = 0;  ///< 90 % interval: two one-sided bounds of 95 %
  double high = 0;
};

/// Quantiles of Student's t, kept by degrees of freedom: a record has thousands of metrics and few
/// different degrees.
class CriticalValues {
 public:
  struct Quantiles {
    double t95 = 0;
    double t80 = 0;
  };
  const Quantiles& at(double degrees);

 private:
  std::map<double, Quantiles> known_;
};

/// `within` is the standard error that the new runs themselves have; it counts when it is larger
/// than the noise between runs.
Effect effect_of(double difference, std::size_t fresh_runs, std::size_t baseline_runs,
                 const Noise& noise, double within, CriticalValues& critical);

/// The difference that would be found four times in five: (t.95 + t.80) standard errors.
double detectable_difference(const Effect& effect, CriticalValues& critical);

}  // namespace peakline
