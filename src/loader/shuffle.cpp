#include "loader/shuffle.h"

#include <bit>

#include "core/pattern.h"

namespace peakline {

Permutation::Permutation(std::int64_t count, std::uint64_t seed, std::int64_t epoch)
    : count_(static_cast<std::uint64_t>(count)),
      half_bits_((static_cast<int>(std::bit_width(count_ - 1)) + 1) / 2) {
  std::uint64_t key = mix64(seed ^ mix64(static_cast<std::uint64_t>(epoch)));
  for (std::uint64_t& round_key : keys_) round_key = key = mix64(key);
}

std::int64_t Permutation::operator()(std::int64_t position) const {
  // The network permutes fewer than 4 * count values, so a walk takes fewer than 4 steps on
  // average.
  std::uint64_t value = encrypt(static_cast<std::uint64_t>(position));
  while (value >= count_) value = encrypt(value);
  return static_cast<std::int64_t>(value);
}

std::uint64_t Permutation::encrypt(std::uint64_t value) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & mask;
  for (std::uint64_t key : keys_) {
    const std::uint64_t mixed = left ^ (mix64(right ^ key) & mask);
    left = right;
    right = mixed;
  }
  return (left << half_bits_) | right;
}

}  // namespace peakline
