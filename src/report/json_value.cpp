#include "report/json_value.h"

#include <cstddef>
#include <optional>

namespace peakline {
namespace {

/// The path of `wanted` below `value`; absent when it is not there.
std::optional<std::string> path_below(const JsonValue& value, const JsonValue& wanted) {
  if (&value == &wanted) return "";
  if (const auto* elements = value.as<JsonValue::Array>()) {
    for (std::size_t i = 0; i < elements->size(); ++i) {
      if (const auto rest = path_below((*elements)[i], wanted)) {
        return "[" + std::to_string(i) + "]" + *rest;
      }
    }
  } else if (const auto* members = value.as<JsonValue::Object>()) {
    for (const JsonMember& member : *members) {
      if (const auto rest = path_below(member.value, wanted)) return "." + member.name + *rest;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string path_of(const JsonValue& root, const JsonValue& wanted) {
  const std::string path = path_below(root, wanted).value_or("");
  return path.starts_with('.') ? path.substr(1) : path;
}

}  // namespace peakline
