#include "core/student_t.h"

#include <cmath>
#include <limits>

namespace peakline {
namespace {

/// The continued fraction of the incomplete beta function by the modified Lentz method; converges
/// quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::fabs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::fabs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t_upper_tail(double t, double degrees) {
  const double both_tails = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
  return t >= 0 ? both_tails / 2 : 1 - both_tails / 2;
}

double student_t_quantile(double probability, double degrees) {
  // The tail is monotonic, so bisection always ends; it is never in a hot place.
  double low = -1;
  double high = 1;
  while (student_t_upper_tail(low, degrees) < 1 - probability) low *= 2;
  while (student_t_upper_tail(high, degrees) > 1 - probability) high *= 2;
  while (high - low > 1e-13 * std::fmax(1.0, std::fabs(low))) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_t_upper_tail(middle, degrees) > 1 - probability ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace peakline
