#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace peakline {

/// Message sizes from the command line: "8:1GiB:x2" (from, to, factor), "1MiB:4MiB:+1MiB" (from,
/// to, step) or "8,1KiB,1MiB" (a list). Sorted, without repeats, at most 1000. Throws a usage
/// Error.
std::vector<std::int64_t> parse_sizes(std::string_view text);

/// "a,b,c" -> {"a", "b", "c"}; empty items are a usage Error that names `what`.
std::vector<std::string_view> split_list(std::string_view text, std::string_view what);

/// Shell-like matching of a whole name: `*` any run of characters, `?` any one.
bool matches_glob(std::string_view pattern, std::string_view name);

}  // namespace peakline
