#pragma once

#include <cstdint>

namespace peakline {

/// Floating numbers of 16 and 8 bits, for what has no type of its own in C++: made from a double
/// (rounded to nearest, ties to even) and turned into one. Needs nothing but the language, so
/// device code uses it too. Formats: IEEE 754 binary16; bfloat16; E4M3 and E5M2 of "FP8 Formats for
/// Deep Learning" (Micikevicius and others, 2022), of which E4M3 has no infinity.
template <int exponent_bits, int mantissa_bits, typename Bits>
class SmallFloat {
 public:
  static constexpr int mantissa_size = mantissa_bits;

  constexpr SmallFloat() = default;
  constexpr explicit SmallFloat(double value) : bits_(encode(value)) {}
  constexpr explicit SmallFloat(std::int64_t value) : SmallFloat(static_cast<double>(value)) {}

  constexpr explicit operator double() const {
    const std::uint64_t sign = static_cast<std::uint64_t>(bits_ >> sign_at) << 63U;
    const auto exponent = static_cast<std::int64_t>((bits_ >> mantissa_bits) & exponent_mask);
    const auto mantissa = static_cast<std::uint64_t>(bits_ & mantissa_mask);
    if (is_special(bits_ & magnitude_mask)) {
      return as_double(sign | (std::uint64_t{0x7ff} << 52U) | (mantissa << (52U - mantissa_bits)));
    }
    if (exponent == 0) {
      const double step = as_double(biased(1 - bias - mantissa_bits));
      return (sign != 0 ? -step : step) * static_cast<double>(mantissa);
    }
    return as_double(sign | biased(exponent - bias) | (mantissa << (52U - mantissa_bits)));
  }

  constexpr bool operator==(const SmallFloat& other) const { return bits_ == other.bits_; }
  constexpr bool operator!=(const SmallFloat& other) const { return bits_ != other.bits_; }

 private:
  static constexpr bool has_infinity = exponent_bits != 4;
  static constexpr unsigned sign_at = exponent_bits + mantissa_bits;
  static constexpr unsigned exponent_mask = (1U << exponent_bits) - 1;
  static constexpr unsigned mantissa_mask = (1U << mantissa_bits) - 1;
  static constexpr unsigned magnitude_mask = (1U << sign_at) - 1;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;

  /// The magnitudes that stand for no number: from infinity on, or all ones alone.
  static constexpr unsigned first_special =
      has_infinity ? exponent_mask << mantissa_bits : magnitude_mask;
  static constexpr bool is_special(unsigned magnitude) { return magnitude >= first_special; }

  static constexpr double as_double(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }
  static constexpr std::uint64_t biased(std::int64_t exponent) {
    return static_cast<std::uint64_t>(exponent + 1023) << 52U;
  }

  static constexpr Bits encode(double value) {
    const auto bits = __builtin_bit_cast(std::uint64_t, value);
    const auto sign = static_cast<unsigned>(bits >> 63U) << sign_at;
    const auto exponent = static_cast<int>((bits >> 52U) & 0x7ffU) - 1023;
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
    if (exponent == 1024 && fraction != 0) return static_cast<Bits>(sign | magnitude_mask);
    if (exponent == 1024) return static_cast<Bits>(sign | first_special);
    return static_cast<Bits>(sign | rounded(exponent + bias, fraction));
  }

  /// A carry out of the mantissa goes into the exponent, which is what rounding up means there.
  static constexpr unsigned rounded(int exponent, std::uint64_t fraction) {
    int dropped = 52 - mantissa_bits;
    if (exponent <= 0) {
      dropped += 1 - exponent;
      exponent = 1;
    }
    if (dropped > 60) return 0;
    const std::uint64_t significand = fraction | (std::uint64_t{1} << 52U);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rest = significand & (2 * half - 1);
    std::uint64_t kept = significand >> dropped;
    if (rest > half || (rest == half && (kept & 1U) != 0)) ++kept;
    const std::uint64_t magnitude =
        (static_cast<std::uint64_t>(exponent - 1) << mantissa_bits) + kept;
    return magnitude < first_special ? static_cast<unsigned>(magnitude) : first_special;
  }

  Bits bits_ = 0;
};

using Float16 = SmallFloat<5, 10, std::uint16_t>;
using BFloat16 = SmallFloat<8, 7, std::uint16_t>;
using Float8E4M3 = SmallFloat<4, 3, std::uint8_t>;
using Float8E5M2 = SmallFloat<5, 2, std::uint8_t>;

}  // namespace peakline
