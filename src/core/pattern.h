#pragma once

#include <cstdint>

#include "core/data_type.h"

namespace peakline {

/// The data of a collective and its exact result, as pure functions of (seed, index, rank, ranks,
/// type, operation). Used by the host and by device kernels alike, so this header needs nothing but
/// the language.
///
/// Every value is a small whole number that its type holds exactly, and so is every partial sum or
/// product, in whatever order a library combines them: the check needs no tolerance, except for an
/// average that is no whole number. Values differ from element to element and from rank to rank, so
/// data that were shifted, swapped or left out show.
///
/// Element i of rank r stands at `place` p = (r + turn(i)) mod ranks, so that each rank takes each
/// part in turn over the elements:
///   sum, min, max: 1 + hash(i) mod span + p mod span, span chosen such that the sum stays exact;
///   avg, and where a type is too narrow for that: place 0 gives 1 + hash(i) mod span, all others
///   what changes nothing: 0, or for min span + 1;
///   product: place 0 gives 1 + hash(i) mod factors, place 1 gives 2, all others 1, or -1 and 1
///   alternating where the type has a sign.

/// What identifies one set of data. It must come from make_pattern().
struct PatternSpec {
  std::uint64_t seed = 0;
  std::int64_t ranks = 1;
  std::int64_t span = 1;
  std::int64_t factors = 1;
  ReduceOp op = ReduceOp::sum;
  bool lone = false;  ///< a single rank contributes to an element
  bool has_sign = true;
};

/// splitmix64 (Steele, Lea, Flood 2014): a well mixed 64 bit number from any 64 bit number.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

template <typename Number>
inline constexpr bool is_whole_number = static_cast<Number>(0.5) == Number{};

/// A number of variance 1: the sum of four uniform 16 bit numbers, centred and scaled, which is
/// near enough to a normal distribution (Irwin-Hall of order 4) and costs a single hash.
constexpr double normal_from(std::uint64_t bits) {
  constexpr double scale = 1.0 / 37837.2;  // sqrt(4 * 65536^2 / 12)
  const auto sum = static_cast<double>((bits & 0xffffU) + ((bits >> 16U) & 0xffffU) +
                                       ((bits >> 32U) & 0xffffU) + (bits >> 48U));
  return (sum - 131070.0) * scale;
}

/// What random data are made of: normally distributed, or whole numbers (below 2^20, where the type
/// holds them).
template <typename Number>
constexpr Number random_element(std::uint64_t bits) {
  if constexpr (is_whole_number<Number>) {
    return static_cast<Number>(bits >> 44U);
  } else {
    return static_cast<Number>(normal_from(bits));
  }
}

/// Largest power of two such that `ranks` values up to twice it sum exactly in a type that holds
/// whole numbers up to 2^exact_bits; at least 1.
constexpr std::int64_t pattern_span(int exact_bits, std::int64_t ranks) {
  std::int64_t span = 1;
  while (span < (std::int64_t{1} << 16) && span * 4 * ranks <= (std::int64_t{1} << exact_bits)) {
    span *= 2;
  }
  return span;
}

/// Whole numbers up to 2^n are exact: the significand of a float, a bit less than a whole number
/// has.
constexpr int exact_bits(DataType type) {
  switch (type) {
    case DataType::float32: return 24;
    case DataType::float64: return 53;
    case DataType::float16: return 11;
    case DataType::bfloat16: return 8;
    case DataType::float8_e4m3: return 4;
    case DataType::float8_e5m2: return 3;
    case DataType::int8:
    case DataType::uint8: return 6;
    case DataType::int32:
    case DataType::uint32: return 30;
    case DataType::int64:
    case DataType::uint64: return 53;
  }
  return 0;
}

constexpr bool has_sign(DataType type) {
  return type != DataType::uint8 && type != DataType::uint32 && type != DataType::uint64;
}

/// Only a sum grows with the ranks; elsewhere the full span keeps even many ranks apart.
constexpr PatternSpec make_pattern(std::uint64_t seed, std::int64_t ranks, DataType type,
                                   ReduceOp op) {
  constexpr std::int64_t least_span = 8;  // fewer values would not tell elements apart
  constexpr std::int64_t most = std::int64_t{1} << 16;
  const int bits = exact_bits(type);
  const std::int64_t exact = bits > 16 ? most : std::int64_t{1} << bits;
  PatternSpec spec;
  spec.seed = seed;
  spec.ranks = ranks;
  spec.op = op;
  spec.has_sign = has_sign(type);
  spec.factors = exact / 2 < 63 ? exact / 2 : 63;
  spec.span = pattern_span(bits, op == ReduceOp::sum ? ranks : 1);
  const bool is_extreme = op == ReduceOp::min || op == ReduceOp::max;
  const bool too_narrow = spec.span < least_span || (is_extreme && spec.span < ranks);
  spec.lone = op == ReduceOp::avg || (op != ReduceOp::prod && too_narrow);
  if (spec.lone) spec.span = op == ReduceOp::min ? exact / 2 : exact;
  return spec;
}

constexpr std::uint64_t pattern_hash(const PatternSpec& spec, std::int64_t index) {
  return mix64(spec.seed ^ mix64(static_cast<std::uint64_t>(index)));
}

namespace pattern_detail {

/// Turn and value are taken from different bits of the hash, so they do not move together.
constexpr std::int64_t place(const PatternSpec& spec, std::uint64_t hash, std::int64_t rank) {
  const auto turn =
      static_cast<std::int64_t>((hash >> 40U) % static_cast<std::uint64_t>(spec.ranks));
  const std::int64_t sum = rank + turn;
  return sum >= spec.ranks ? sum - spec.ranks : sum;
}

constexpr std::int64_t start(const PatternSpec& spec, std::uint64_t hash) {
  return static_cast<std::int64_t>(hash & static_cast<std::uint64_t>(spec.span - 1));
}

constexpr std::int64_t factor_at(const PatternSpec& spec, std::uint64_t hash, std::int64_t place) {
  if (place == 0) {
    return 1 + static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(spec.factors));
  }
  if (place == 1) return 2;
  if (!spec.has_sign) return 1;
  return ((place ^ static_cast<std::int64_t>(hash >> 63U)) & 1) != 0 ? -1 : 1;
}

/// 0 + 1 + ... + (count - 1).
constexpr std::int64_t sum_below(std::int64_t count) { return count * (count - 1) / 2; }

constexpr std::int64_t expected_sum(const PatternSpec& spec, std::int64_t start) {
  const std::int64_t rounds = spec.ranks / spec.span;
  return spec.ranks * (1 + start) + rounds * sum_below(spec.span) +
         sum_below(spec.ranks % spec.span);
}

constexpr std::int64_t expected_product(const PatternSpec& spec, std::uint64_t hash) {
  const std::int64_t product = factor_at(spec, hash, 0) * (spec.ranks > 1 ? 2 : 1);
  if (!spec.has_sign) return product;
  const std::int64_t others = spec.ranks > 2 ? spec.ranks - 2 : 0;
  // Places 2, 3, 4, ... alternate in sign; the hash decides which of them begins.
  const std::int64_t negatives = (hash >> 63U) != 0 ? (others + 1) / 2 : others / 2;
  return negatives % 2 != 0 ? -product : product;
}

}  // namespace pattern_detail

/// What rank `rank` contributes at element `index`.
constexpr std::int64_t pattern_input(const PatternSpec& spec, std::int64_t index,
                                     std::int64_t rank) {
  const std::uint64_t hash = pattern_hash(spec, index);
  const std::int64_t place = pattern_detail::place(spec, hash, rank);
  if (spec.op == ReduceOp::prod) return pattern_detail::factor_at(spec, hash, place);
  if (spec.lone && place > 0) return spec.op == ReduceOp::min ? spec.span + 1 : 0;
  if (spec.lone) return 1 + pattern_detail::start(spec, hash);
  return 1 + pattern_detail::start(spec, hash) + place % spec.span;
}

/// What the reduction over all ranks must give at element `index`; of an average, the sum that it
/// is made of.
constexpr std::int64_t pattern_reduced(const PatternSpec& spec, std::int64_t index) {
  const std::uint64_t hash = pattern_hash(spec, index);
  const std::int64_t start = pattern_detail::start(spec, hash);
  if (spec.lone) return 1 + start;
  switch (spec.op) {
    case ReduceOp::sum:
    case ReduceOp::avg: return pattern_detail::expected_sum(spec, start);
    case ReduceOp::prod: return pattern_detail::expected_product(spec, hash);
    case ReduceOp::min: return 1 + start;
    case ReduceOp::max: return start + (spec.ranks < spec.span ? spec.ranks : spec.span);
  }
  return 0;
}

/// The reduction at element `index`, an average included.
constexpr double pattern_expected(const PatternSpec& spec, std::int64_t index) {
  const auto reduced = static_cast<double>(pattern_reduced(spec, index));
  return spec.op == ReduceOp::avg ? reduced / static_cast<double>(spec.ranks) : reduced;
}

namespace pattern_detail {

/// Relative distance of neighbouring numbers of a type: 2 to the minus number of its mantissa's
/// bits.
template <typename Number>
inline constexpr double step_of = Number::mantissa_size == 10  ? 0x1p-10
                                  : Number::mantissa_size == 7 ? 0x1p-7
                                  : Number::mantissa_size == 3 ? 0x1p-3
                                                               : 0x1p-2;
template <>
inline constexpr double step_of<float> = 0x1p-23;
template <>
inline constexpr double step_of<double> = 0x1p-52;

/// The smallest number above zero, where an average over many ranks can come near it.
template <typename Number>
inline constexpr double least_of = sizeof(Number) == 1 ? 0x1p-9 : 0x1p-24;
template <>
inline constexpr double least_of<float> = 0;
template <>
inline constexpr double least_of<double> = 0;

}  // namespace pattern_detail

/// Whether a reduction among so many ranks can be told from a wrong one. The average of a narrow
/// type cannot among many: 1 / ranks is below its normal numbers, and whole averages are all 0.
constexpr bool is_verifiable(DataType type, ReduceOp op, std::int64_t ranks) {
  if (op != ReduceOp::avg) return true;
  if (size_of(type) == 1) return ranks <= 64;
  return type != DataType::float16 || ranks <= 16384;
}

/// Whether `found` may stand at element `index` after the reduction. Whole numbers and sums must be
/// exact. An average of floats may be off by the share that two steps are of one: libraries
/// multiply by 1 / ranks, which is rounded, and then round the product.
template <typename Number>
constexpr bool pattern_matches(Number found, const PatternSpec& spec, std::int64_t index) {
  const std::int64_t reduced = pattern_reduced(spec, index);
  if (spec.op != ReduceOp::avg) return found == static_cast<Number>(reduced);
  if constexpr (is_whole_number<Number>) {
    return found == static_cast<Number>(reduced / spec.ranks);
  } else {
    const double expected = pattern_expected(spec, index);
    const double off = static_cast<double>(found) - expected;
    const double allowed =
        2 * pattern_detail::step_of<Number> * expected + pattern_detail::least_of<Number>;
    return off <= allowed && -off <= allowed;  // false for what is no number
  }
}

}  // namespace peakline
