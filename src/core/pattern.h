#pragma once

#include <cstdint>

#include "core/data_type.h"

namespace peakline {

/// The data of a collective and its exact result, as pure functions of (seed, index, rank, ranks,
/// type, operation). Used by the host and by device kernels alike, so this header needs nothing but
/// the language.
///
/// Every value is a small whole number that its type holds exactly, and so is every partial sum or
/// product, in whatever order a library combines them: the check needs no tolerance. Values differ
/// from element to element and from rank to rank, so data that were shifted, swapped or left out
/// show.
///
/// Element i of rank r stands at `place` p = (r + turn(i)) mod ranks, so that each rank takes each
/// part in turn over the elements:
///   sum, min, max: 1 + hash(i) mod span + p mod span, span chosen such that the sum stays exact;
///   product: place 0 gives 1 + hash(i) mod 63, place 1 gives 2, all others -1 or 1 alternating.

/// What identifies one set of data. `span` must come from pattern_span().
struct PatternSpec {
  std::uint64_t seed = 0;
  std::int64_t ranks = 1;
  std::int64_t span = 1;
  ReduceOp op = ReduceOp::sum;
};

/// splitmix64 (Steele, Lea, Flood 2014): a well mixed 64 bit number from any 64 bit number.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// A number of variance 1: the sum of four uniform 16 bit numbers, centred and scaled, which is
/// near enough to a normal distribution (Irwin-Hall of order 4) and costs a single hash.
constexpr double normal_from(std::uint64_t bits) {
  constexpr double scale = 1.0 / 37837.2;  // sqrt(4 * 65536^2 / 12)
  const auto sum = static_cast<double>((bits & 0xffffU) + ((bits >> 16U) & 0xffffU) +
                                       ((bits >> 32U) & 0xffffU) + (bits >> 48U));
  return (sum - 131070.0) * scale;
}

/// What random data are made of: normally distributed, or whole numbers below 2^20.
template <typename Number>
constexpr Number random_element(std::uint64_t bits) {
  constexpr bool is_whole = static_cast<Number>(0.5) == Number{0};
  if constexpr (is_whole) {
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

/// Whole numbers up to 2^n are exact: the significand of a float, all but the sign of an int32.
constexpr int exact_bits(DataType type) {
  switch (type) {
    case DataType::float32: return 24;
    case DataType::float64: return 53;
    case DataType::int32: return 30;
  }
  return 0;
}

/// Only a sum grows with the ranks; elsewhere the full span keeps even many ranks apart.
constexpr PatternSpec make_pattern(std::uint64_t seed, std::int64_t ranks, DataType type,
                                   ReduceOp op) {
  const std::int64_t added = op == ReduceOp::sum ? ranks : 1;
  return {seed, ranks, pattern_span(exact_bits(type), added), op};
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

constexpr std::int64_t factor_at(std::uint64_t hash, std::int64_t place) {
  if (place == 0) return 1 + static_cast<std::int64_t>(hash % 63);
  if (place == 1) return 2;
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
  std::int64_t product = factor_at(hash, 0) * (spec.ranks > 1 ? 2 : 1);
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
  if (spec.op == ReduceOp::prod) return pattern_detail::factor_at(hash, place);
  return 1 + pattern_detail::start(spec, hash) + place % spec.span;
}

/// What the reduction over all ranks must give at element `index`.
constexpr std::int64_t pattern_reduced(const PatternSpec& spec, std::int64_t index) {
  const std::uint64_t hash = pattern_hash(spec, index);
  const std::int64_t start = pattern_detail::start(spec, hash);
  switch (spec.op) {
    case ReduceOp::sum: return pattern_detail::expected_sum(spec, start);
    case ReduceOp::prod: return pattern_detail::expected_product(spec, hash);
    case ReduceOp::min: return 1 + start;
    case ReduceOp::max: return start + (spec.ranks < spec.span ? spec.ranks : spec.span);
  }
  return 0;
}

}  // namespace peakline
