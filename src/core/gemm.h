#pragma once

#include <cstddef>
#include <cstdint>

#include "core/data_type.h"

namespace peakline {

/// C[m][n] = A[m][k] B[k][n], row by row, each dense. A and B are of `type`, C of output_type().
/// Types of 8 bits have B[n][k] instead, which tensor cores ask for: C = A B^T.
struct GemmShape {
  DataType type = DataType::float32;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  bool tf32 = false;  ///< float32 whose factors are rounded to 10 bits of mantissa first

  bool operator==(const GemmShape&) const = default;

  bool b_is_transposed() const { return size_of(type) == 1; }
  DataType output_type() const;
  std::size_t a_bytes() const { return bytes(m, k, type); }
  std::size_t b_bytes() const { return bytes(k, n, type); }
  std::size_t c_bytes() const { return bytes(m, n, output_type()); }

 private:
  static std::size_t bytes(std::int64_t rows, std::int64_t columns, DataType type) {
    return static_cast<std::size_t>(rows * columns) * size_of(type);
  }
};

/// How far a sound product may be off, as rounding units: relative to the products that are summed,
/// and to the entries of C.
struct GemmRounding {
  double products = 0;
  double entries = 0;
};
GemmRounding rounding_of(const GemmShape& shape);

}  // namespace peakline
