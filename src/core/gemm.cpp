#include "core/gemm.h"

#include <cmath>

namespace peakline {
namespace {

/// Between 1 and the next number of the type; 0 for whole numbers, which are exact.
double epsilon_of(DataType type) {
  switch (type) {
    case DataType::float64: return std::ldexp(1, -52);
    case DataType::float32: return std::ldexp(1, -23);
    case DataType::float16: return std::ldexp(1, -10);
    case DataType::bfloat16: return std::ldexp(1, -7);
    case DataType::float8_e4m3: return std::ldexp(1, -3);
    case DataType::float8_e5m2: return std::ldexp(1, -2);
    default: return 0;
  }
}

}  // namespace

DataType GemmShape::output_type() const {
  if (type == DataType::int8) return DataType::int32;
  if (type == DataType::float8_e4m3 || type == DataType::float8_e5m2) return DataType::bfloat16;
  return type;
}

/// What is narrower than float32 is multiplied exactly and summed in float32; but tensor cores keep
/// about 14 bits of a sum of 8 bit floats (Hopper; DeepSeek-V3 report, section 3.3.2).
GemmRounding rounding_of(const GemmShape& shape) {
  const double entries = epsilon_of(shape.output_type());
  if (shape.tf32) return {epsilon_of(DataType::float16), entries};
  if (is_whole(shape.type)) return {0, 0};
  if (size_of(shape.type) == 1) return {std::ldexp(1, -13), entries};
  const bool wide = shape.type == DataType::float64;
  return {epsilon_of(wide ? DataType::float64 : DataType::float32), entries};
}

}  // namespace peakline
