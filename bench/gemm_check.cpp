#include "bench/gemm_check.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "core/pattern.h"

namespace peakline {
namespace {

using Vector = std::vector<double>;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A matrix times a vector, and what tells how far rounding may move it.
struct Product {
  Vector values;
  Vector row_norms;

  double norm() const { return std::sqrt(dot(row_norms, row_norms)); }
};

Product multiply(const Matrix& matrix, const Vector& vector) {
  Product product;
  matrix.each_row([&](std::int64_t, std::span<const double> entries) {
    product.values.push_back(dot(entries, vector));
    product.row_norms.push_back(std::sqrt(dot(entries, entries)));
  });
  return product;
}

/// With the matrix turned over; the norms are still those of its own rows.
Product multiply_transposed(const Matrix& matrix, const Vector& vector) {
  Product product;
  product.values.resize(static_cast<std::size_t>(matrix.columns()));
  matrix.each_row([&](std::int64_t row, std::span<const double> entries) {
    const double factor = vector[static_cast<std::size_t>(row)];
    for (std::size_t i = 0; i < entries.size(); ++i) product.values[i] += factor * entries[i];
    product.row_norms.push_back(std::sqrt(dot(entries, entries)));
  });
  return product;
}

Vector random_signs(std::int64_t count, std::uint64_t seed) {
  Vector signs(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = (mix64(seed + i) & 1U) != 0 ? 1 : -1;
  return signs;
}

}  // namespace

PatternCheck check_product(const Matrix& a, const Matrix& b, const Matrix& c,
                           const GemmShape& shape, std::uint64_t seed) {
  const Vector signs = random_signs(shape.n, seed);
  const Product bx = shape.b_is_transposed() ? multiply_transposed(b, signs) : multiply(b, signs);
  const Product expected = multiply(a, bx.values);
  const Product found = multiply(c, signs);

  // Rounding of the sums moves an entry of C by about a unit of |row of A| |column of B|, so a sum
  // of entries with random signs by the root of the sum of squares: a unit of |row of A| |B|. That
  // of the entries themselves moves it by a unit of |row of C|. Four times both is never reached by
  // rounding and far below a wrong tile. float64 carries the check itself.
  constexpr double own_rounding = 0x1p-52;
  const GemmRounding rounding = rounding_of(shape);
  PatternCheck check;
  check.checked = shape.m;
  for (std::size_t row = 0; row < found.values.size(); ++row) {
    const double allowed =
        4 * ((rounding.products + own_rounding) * expected.row_norms[row] * bx.norm() +
             (rounding.entries + own_rounding) * found.row_norms[row]);
    if (std::fabs(found.values[row] - expected.values[row]) <= allowed) continue;  // false for NaN
    ++check.wrong;
    if (check.first) continue;
    check.first = Mismatch{static_cast<std::int64_t>(row), 0, expected.values[row], {}};
    if (std::isfinite(found.values[row])) check.first->found = found.values[row];
  }
  return check;
}

}  // namespace peakline
