#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace peakline {

/// The bytes of a synthetic record, a pure function of (seed, record number, size): a header of two
/// 64 bit words (the number, a checksum over the rest keyed by seed and number), then words of
/// splitmix64, which no file system can compress. Sizes are multiples of 8 and at least
/// smallest_record_bytes.

inline constexpr std::int64_t smallest_record_bytes = 24;

void fill_record(std::uint64_t seed, std::int64_t record, std::span<std::byte> into);

/// Whether these are the bytes of that record. Any change within one word is found for certain;
/// others (another record, another seed, zeros) but for a chance of 2^-64.
bool is_record(std::uint64_t seed, std::int64_t record, std::span<const std::byte> bytes);

}  // namespace peakline
