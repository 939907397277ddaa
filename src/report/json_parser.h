#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/json_value.h"

namespace peakline {

/// The most that objects and arrays may be nested in each other.
inline constexpr std::size_t json_depth_limit = 64;

/// The most members of one object. They are searched one by one, so this bounds the time.
inline constexpr std::size_t json_members_limit = 10'000;

/// Strict JSON as a tree. Whatever is not (also a key twice in one object, a number too large for a
/// double, text beyond the limits) is a usage Error that begins with `name`, line and column; lines
/// are counted from `first_line`.
JsonValue parse_json(std::string_view text, const std::string& name, std::size_t first_line);

}  // namespace peakline
