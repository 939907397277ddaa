#include "report/strict_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/error.h"
#include "report/json_parser.h"

namespace peakline {
namespace {

/// The value as a whole number of the type asked for; absent when it is not one. 2.0 is one: some
/// tools write whole numbers so. Beyond 2^53 a double no longer says which whole number was meant.
template <typename Integer>
std::optional<Integer> whole_number(const JsonValue& value) {
  if (const auto* positive = value.as<std::uint64_t>()) {
    if (std::in_range<Integer>(*positive)) return static_cast<Integer>(*positive);
  } else if (const auto* negative = value.as<std::int64_t>()) {
    if (std::in_range<Integer>(*negative)) return static_cast<Integer>(*negative);
  } else if (const auto* number = value.as<double>()) {
    if (*number != std::trunc(*number) || std::abs(*number) > 0x1p53) return std::nullopt;
    if (*number >= 0 || std::is_signed_v<Integer>) return static_cast<Integer>(*number);
  }
  return std::nullopt;
}

/// What was found, for an error sentence: short and printable, whatever stands in the file.
std::string description(const JsonValue& value) {
  struct Describe {
    std::string operator()(std::nullptr_t) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return nlohmann::json(number).dump(); }
    std::string operator()(const JsonValue::Array&) const { return "an array"; }
    std::string operator()(const JsonValue::Object&) const { return "an object"; }
    std::string operator()(const std::string& text) const {
      constexpr std::size_t shown_bytes = 40;
      const std::string quoted = nlohmann::json(text).dump(-1, ' ', true);
      if (quoted.size() <= shown_bytes) return "the string " + quoted;
      return "the string " + quoted.substr(0, shown_bytes) + "...";
    }
  };
  return std::visit(Describe{}, value.data);
}

const JsonValue* find_member(const JsonValue::Object& members, std::string_view name) {
  for (const JsonMember& member : members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, std::string name, std::size_t first_line)
    : name_(std::move(name)), root_(parse_json(text, name_, first_line)) {}

void JsonDocument::expect_schema(std::string_view schema, std::int64_t newest_version) const {
  const auto* members = root_.as<JsonValue::Object>();
  const JsonValue* found = members != nullptr ? find_member(*members, "schema") : nullptr;
  const auto* name = found != nullptr ? found->as<std::string>() : nullptr;
  if (name == nullptr || *name != schema) {
    throw usage_error(name_ + ": this is no '" + std::string(schema) + "': " +
                      (found != nullptr ? "its 'schema' is " + description(*found)
                                        : "it has no 'schema' that says so") +
                      "; give one that Peakline wrote.");
  }
  std::int64_t version = 0;
  get(root_, "schema_version", version);
  if (version < 1 || version > newest_version) {
    refuse(member(root_, "schema_version"),
           "is " + std::to_string(version) + ", and this program knows 1 to " +
               std::to_string(newest_version) + "; use a newer Peakline to read this file.");
  }
}

const JsonValue& JsonDocument::member(const JsonValue& object, std::string_view name) const {
  if (const JsonValue* found = find_member(members_of(object), name)) return *found;
  refuse(object, "lacks the field '" + std::string(name) + "'; add it or make the file anew.");
}

const JsonValue* JsonDocument::find(const JsonValue& object, std::string_view name) const {
  const JsonValue* found = find_member(members_of(object), name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

void JsonDocument::convert(const JsonValue& value, std::string& into) const {
  const auto* text = value.as<std::string>();
  if (text == nullptr) refuse_type(value, "a string");
  into = *text;
}

void JsonDocument::convert(const JsonValue& value, double& into) const {
  if (const auto* number = value.as<double>()) {
    into = *number;
  } else if (const auto* positive = value.as<std::uint64_t>()) {
    into = static_cast<double>(*positive);
  } else if (const auto* negative = value.as<std::int64_t>()) {
    into = static_cast<double>(*negative);
  } else {
    refuse_type(value, "a number");
  }
}

void JsonDocument::convert(const JsonValue& value, std::int64_t& into) const {
  const auto number = whole_number<std::int64_t>(value);
  if (!number || *number < 0) refuse_type(value, "a whole number from 0 to 9223372036854775807");
  into = *number;
}

void JsonDocument::convert(const JsonValue& value, std::uint64_t& into) const {
  const auto number = whole_number<std::uint64_t>(value);
  if (!number) refuse_type(value, "a whole number from 0 to 18446744073709551615");
  into = *number;
}

void JsonDocument::convert(const JsonValue& value, bool& into) const {
  const auto* flag = value.as<bool>();
  if (flag == nullptr) refuse_type(value, "true or false");
  into = *flag;
}

void JsonDocument::convert(const JsonValue& value, ParamValue& into) const {
  if (const auto* text = value.as<std::string>()) {
    into = *text;
  } else if (const auto number = whole_number<std::int64_t>(value)) {
    into = *number;
  } else {
    refuse_type(value, "a string or a whole number");
  }
}

const JsonValue::Array& JsonDocument::elements_of(const JsonValue& value) const {
  const auto* elements = value.as<JsonValue::Array>();
  if (elements == nullptr) refuse_type(value, "an array");
  return *elements;
}

const JsonValue::Object& JsonDocument::members_of(const JsonValue& value) const {
  const auto* members = value.as<JsonValue::Object>();
  if (members == nullptr) refuse_type(value, "an object");
  return *members;
}

void JsonDocument::refuse(const JsonValue& value, const std::string& sentence) const {
  const std::string path = path_of(root_, value);
  throw usage_error(name_ + ": " + (path.empty() ? "the outermost value" : path) + " " + sentence);
}

void JsonDocument::refuse_type(const JsonValue& value, const std::string& expected) const {
  refuse(value, "must be " + expected + ", found " + description(value) +
                    "; correct the file or make it anew.");
}

}  // namespace peakline
