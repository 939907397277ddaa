#include "bench/gemm_check.h"

#include <cmath>

#include "core/pattern.h"

namespace peakline {
namespace {

/// matrix (rows x columns) times vector.
std::vector<double> multiply(const std::vector<double>& matrix, std::int64_t rows,
                             const std::vector<double>& vector) {
  const std::size_t columns = vector.size();
  std::vector<double> product(static_cast<std::size_t>(rows), 0.0);
  for (std::size_t row = 0; row < product.size(); ++row) {
    const double* entries = &matrix[row * columns];
    for (std::size_t column = 0; column < columns; ++column) {
      product[row] += entries[column] * vector[column];
    }
  }
  return product;
}

double norm(const double* values, std::size_t count) {
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += values[i] * values[i];
  return std::sqrt(squares);
}

}  // namespace

PatternCheck check_product(const std::vector<double>& a, const std::vector<double>& b,
                           const std::vector<double>& c, const GemmShape& shape, double epsilon,
                           std::uint64_t seed) {
  std::vector<double> signs(static_cast<std::size_t>(shape.n));
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = (mix64(seed + i) & 1U) != 0 ? 1 : -1;
  const std::vector<double> found = multiply(c, shape.m, signs);
  const std::vector<double> expected = multiply(a, shape.m, multiply(b, shape.k, signs));

  // Rounding moves an entry of C by about epsilon |row of A| |column of B|, and a sum of entries
  // with random signs by the root of the sum of squares: epsilon |row of A| |B|. Four times that is
  // never reached by rounding and far below one wrong entry.
  const auto k = static_cast<std::size_t>(shape.k);
  const double scale = 4 * epsilon * norm(b.data(), b.size());
  PatternCheck check;
  check.checked = shape.m;
  for (std::size_t row = 0; row < found.size(); ++row) {
    const double allowed = scale * norm(&a[row * k], k);
    if (std::fabs(found[row] - expected[row]) <= allowed) continue;  // false for NaN
    ++check.wrong;
    if (check.first) continue;
    check.first = Mismatch{static_cast<std::int64_t>(row), 0, expected[row], {}};
    if (std::isfinite(found[row])) check.first->found = found[row];
  }
  return check;
}

}  // namespace peakline
