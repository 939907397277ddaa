#pragma once

namespace peakline {

/// Student's t distribution for any positive number of degrees of freedom, whole or not.

/// I_x(a, b), the regularised incomplete beta function, for x in [0, 1] and positive a, b
/// (continued fraction of Abramowitz and Stegun 26.5.8, evaluated by Lentz's method).
double incomplete_beta(double a, double b, double x);

/// P(T >= t).
double student_t_upper_tail(double t, double degrees);

/// The t with P(T <= t) = probability, for probability in (0, 1).
double student_t_quantile(double probability, double degrees);

}  // namespace peakline
