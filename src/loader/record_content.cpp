#include "loader/record_content.h"

#include <array>
#include <bit>
#include <cstring>

#include "core/pattern.h"

namespace peakline {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t header_bytes = 2 * word_bytes;

std::uint64_t load_word(std::span<const std::byte> bytes, std::size_t index) {
  std::uint64_t word = 0;
  std::memcpy(&word, &bytes[index * word_bytes], word_bytes);
  return word;
}

void store_word(std::span<std::byte> bytes, std::size_t index, std::uint64_t word) {
  std::memcpy(&bytes[index * word_bytes], &word, word_bytes);
}

std::uint64_t key_of(std::uint64_t seed, std::int64_t record) {
  return mix64(seed ^ mix64(static_cast<std::uint64_t>(record)));
}

/// Four independent chains of xor, multiply and rotate, because one would wait for its multiplier
/// at every word (the idea of xxHash64's lanes). Every step can be undone, so one changed word
/// always changes its chain and the result.
std::uint64_t checksum(std::uint64_t key, std::span<const std::byte> payload) {
  constexpr std::size_t lanes = 4;
  constexpr std::uint64_t odd = 0xd6e8feb86659fd93U;
  std::array<std::uint64_t, lanes> chains{key, key + 1, key + 2, key + 3};
  const auto advance = [&](std::size_t lane, std::size_t word) {
    chains[lane] = std::rotl((chains[lane] ^ load_word(payload, word)) * odd, 29);
  };
  const std::size_t words = payload.size() / word_bytes;
  const std::size_t even_words = words - words % lanes;
  for (std::size_t word = 0; word < even_words; word += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) advance(lane, word + lane);
  }
  for (std::size_t word = even_words; word < words; ++word) advance(word - even_words, word);
  std::uint64_t sum = key;
  for (std::uint64_t chain : chains) sum = mix64(sum ^ chain);
  return sum;
}

}  // namespace

void fill_record(std::uint64_t seed, std::int64_t record, std::span<std::byte> into) {
  const std::uint64_t key = key_of(seed, record);
  const std::span payload = into.subspan(header_bytes);
  for (std::size_t word = 0; word < payload.size() / word_bytes; ++word) {
    store_word(payload, word, mix64(key + word));
  }
  store_word(into, 0, static_cast<std::uint64_t>(record));
  store_word(into, 1, checksum(key, payload));
}

bool is_record(std::uint64_t seed, std::int64_t record, std::span<const std::byte> bytes) {
  return load_word(bytes, 0) == static_cast<std::uint64_t>(record) &&
         load_word(bytes, 1) == checksum(key_of(seed, record), bytes.subspan(header_bytes));
}

}  // namespace peakline
