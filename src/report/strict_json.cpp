#include "report/strict_json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/error.h"

namespace peakline {
namespace {

/// Walks over the text for nlohmann's parser and lets others know how far it has come.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

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

std::string path_of(const JsonValue& root, const JsonValue& wanted) {
  const std::string path = path_below(root, wanted).value_or("");
  return path.starts_with('.') ? path.substr(1) : path;
}

/// Makes values of the parser's events, and refuses what nlohmann's own tree lets pass. On failure
/// it says why and stops the parser.
class Builder {
 public:
  using Exception = nlohmann::json::exception;

  explicit Builder(JsonValue& root) : root_(root) {}

  const std::string& failure() const { return failure_; }

  /// How many bytes of the text were read when it failed; absent when only the cursor knows.
  std::optional<std::size_t> failed_at() const { return failed_at_; }

  bool null() {
    place();
    return true;
  }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(value); }
  bool binary(nlohmann::json::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t) { return open<JsonValue::Object>(); }
  bool start_array(std::size_t) { return open<JsonValue::Array>(); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& members = std::get<JsonValue::Object>(open_.back()->data);
    const auto same = std::find_if(members.begin(), members.end(),
                                   [&](const JsonMember& member) { return member.name == name; });
    if (same != members.end()) {
      return fail("the key '" + path_of(root_, same->value) + "' is there twice; keep one of them");
    }
    if (members.size() == json_members_limit) {
      return fail("an object has more than " + std::to_string(json_members_limit) +
                  " members; no file of Peakline's does");
    }
    members.emplace_back().name = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Exception& error) {
    failed_at_ = position;
    return fail("not valid JSON (" + reason(error.what()) +
                "); the file may be truncated or damaged");
  }

 private:
  /// Where the next value belongs: the last member's value, a new element, or the root.
  JsonValue& place() {
    if (open_.empty()) return root_;
    if (auto* elements = std::get_if<JsonValue::Array>(&open_.back()->data)) {
      return elements->emplace_back();
    }
    return std::get<JsonValue::Object>(open_.back()->data).back().value;
  }

  template <typename T>
  bool add(T& value) {
    place().data.emplace<T>(std::move(value));
    return true;
  }

  template <typename Container>
  bool open() {
    if (open_.size() == json_depth_limit) {
      return fail("objects and arrays are nested more than " + std::to_string(json_depth_limit) +
                  " deep; no file of Peakline's is");
    }
    JsonValue& container = place();
    container.data.emplace<Container>().reserve(8);  // growing from one is what takes time
    open_.push_back(&container);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool fail(const std::string& why) {
    failure_ = why;
    return false;
  }

  /// nlohmann's message without its code, its place and the bytes it quotes, which may be anything.
  static std::string reason(std::string_view message) {
    message.remove_prefix(message.find("] ") + 2);
    if (message.starts_with("parse error")) message.remove_prefix(message.find(": ") + 2);
    return std::string(message.substr(0, message.find("; last read")));
  }

  JsonValue& root_;
  std::vector<JsonValue*> open_;  ///< from the root to the innermost object or array
  std::string failure_;
  std::optional<std::size_t> failed_at_;
};

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
    : name_(std::move(name)) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* seen = begin;
  Builder builder(root_);
  if (nlohmann::json::sax_parse(Cursor(begin, &seen), Cursor(end, &seen), &builder)) return;

  const std::size_t read = builder.failed_at().value_or(static_cast<std::size_t>(seen - begin));
  const std::string_view before = text.substr(0, std::min(read, text.size()));
  const auto newlines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column = before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
  throw usage_error(name_ + ": line " + std::to_string(first_line + newlines) + ", column " +
                    std::to_string(column) + ": " + builder.failure() + ".");
}

void JsonDocument::expect_schema(std::string_view schema, std::int64_t newest_version) const {
  std::string found;
  get(root_, "schema", found);
  if (found != schema) {
    refuse_type(member(root_, "schema"), "\"" + std::string(schema) + "\"");
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
