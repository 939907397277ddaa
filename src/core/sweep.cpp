#include "core/sweep.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::size_t most_sizes = 1000;

std::vector<std::int64_t> parse_range(std::string_view text, std::size_t first_colon) {
  const std::size_t second_colon = text.find(':', first_colon + 1);
  const std::string_view rule =
      second_colon == std::string_view::npos ? "x2" : text.substr(second_colon + 1);
  const std::int64_t from = parse_size_bytes(text.substr(0, first_colon));
  const std::int64_t to = parse_size_bytes(text.substr(
      first_colon + 1,
      second_colon == std::string_view::npos ? second_colon : second_colon - first_colon - 1));
  const bool grows = rule.starts_with('x');
  if ((!grows && !rule.starts_with('+')) || from > to || (grows && from == 0)) {
    throw usage_error("'" + std::string(text) +
                      "' is not a range of sizes: write FROM:TO:xFACTOR or FROM:TO:+STEP with FROM "
                      "not above TO, such as 8:1GiB:x2.");
  }
  const std::int64_t amount = grows ? parse_integer(rule.substr(1), "factor", 2, 1 << 20)
                                    : parse_size_bytes(rule.substr(1));
  if (amount == 0) throw usage_error("'" + std::string(text) + "' has a step of 0, so never ends.");
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = from; sizes.size() <= most_sizes;) {
    sizes.push_back(size);
    // Asked before the step is taken: it might leave 64 bits.
    if (grows ? size > to / amount : size > to - amount) break;
    size = grows ? size * amount : size + amount;
  }
  return sizes;
}

}  // namespace

std::vector<std::string_view> split_list(std::string_view text, std::string_view what) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) {
      throw usage_error("'" + std::string(text) + "' is not a list of " + std::string(what) +
                        ": separate the items by single commas.");
    }
    items.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return items;
    begin = end + 1;
  }
}

std::vector<std::int64_t> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    sizes = parse_range(text, colon);
  } else {
    for (std::string_view item : split_list(text, "sizes")) sizes.push_back(parse_size_bytes(item));
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() > most_sizes) {
    throw usage_error("'" + std::string(text) + "' means more than " + std::to_string(most_sizes) +
                      " sizes: choose a larger factor or step.");
  }
  return sizes;
}

bool matches_glob(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace peakline
