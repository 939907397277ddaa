#pragma once

#include <array>
#include <cstdint>

namespace peakline {

/// A shuffled order of [0, count), computed in constant time and memory: position -> record. A
/// Feistel network over the next even power of two, with cycle walking back into the range (Black
/// and Rogaway 2002, "Ciphers with arbitrary finite domains"). Seed and epoch are the key, so every
/// epoch has an order of its own, the same on every rank.
class Permutation {
 public:
  /// `count` is at least 1.
  Permutation(std::int64_t count, std::uint64_t seed, std::int64_t epoch);

  /// `position` lies in [0, count).
  std::int64_t operator()(std::int64_t position) const;

 private:
  static constexpr std::size_t rounds = 8;

  std::uint64_t encrypt(std::uint64_t value) const;

  std::uint64_t count_;
  int half_bits_;
  std::array<std::uint64_t, rounds> keys_;
};

}  // namespace peakline
