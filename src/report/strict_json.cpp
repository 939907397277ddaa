#include "report/strict_json.h"

#include <algorithm>
#include <iterator>
#include <limits>
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

std::string path_of(const Json& root, const Json& value) {
  return path_where(root, [&](const Json& other) { return &other == &value; }).value_or("");
}

/// Makes values of the parser's events; the one that refuses what nlohmann's own lets pass. On
/// failure it says why and stops the parser.
class Builder {
 public:
  explicit Builder(Json& root) : root_(root) {}

  const std::string& failure() const { return failure_; }

  /// How many bytes of the text were read when it failed; absent when only the reader knows.
  std::optional<std::size_t> failed_at() const { return failed_at_; }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t) { return open(Json::value_t::object); }
  bool start_array(std::size_t) { return open(Json::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    auto& members = open_.back()->get_ref<Json::object_t&>();
    const auto [place, is_new] = members.try_emplace(std::move(name));
    if (!is_new) {
      const std::string path = path_of(root_, place->second);
      failure_ = "the key '" + path + "' is there twice; keep one of the two";
      return false;
    }
    member_ = &place->second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    failure_ =
        "not valid JSON (" + reason(error.what()) + "); the file may be truncated or damaged";
    failed_at_ = position;
    return false;
  }

 private:
  template <typename Value>
  Json* place(Value&& value) {
    if (open_.empty()) {
      root_ = std::forward<Value>(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      auto& elements = open_.back()->template get_ref<Json::array_t&>();
      return &elements.emplace_back(std::forward<Value>(value));
    }
    *member_ = std::forward<Value>(value);
    return member_;
  }

  template <typename Value>
  bool add(Value&& value) {
    place(std::forward<Value>(value));
    return true;
  }

  bool open(Json::value_t type) {
    if (open_.size() == json_depth_limit) {
      failure_ = "objects and arrays are nested more than " + std::to_string(json_depth_limit) +
                 " deep; no file of Peakline's is";
      return false;
    }
    open_.push_back(place(Json(type)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// nlohmann's message without its code, its place and the bytes it quotes, which may be anything.
  static std::string reason(std::string_view message) {
    message.remove_prefix(message.find("] ") + 2);
    if (message.starts_with("parse error")) message.remove_prefix(message.find(": ") + 2);
    return std::string(message.substr(0, message.find("; last read")));
  }

  Json& root_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;
  std::string failure_;
  std::optional<std::size_t> failed_at_;
};

/// The value as a whole number of the type asked for; absent when it is not one. 2.0 is one: some
/// tools write whole numbers so. Beyond 2^53 a double no longer says which whole number was meant.
template <typename Integer>
std::optional<Integer> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (std::in_range<Integer>(number)) return static_cast<Integer>(number);
  } else if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number != std::trunc(number) || std::abs(number) > 0x1p53) return std::nullopt;
    if (number >= 0 || std::is_signed_v<Integer>) return static_cast<Integer>(number);
  }
  return std::nullopt;
}

}  // namespace

JsonDocument::JsonDocument(std::string_view text, std::string name, std::size_t first_line)
    : name_(std::move(name)) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* seen = begin;
  Builder builder(root_);
  if (Json::sax_parse(Cursor(begin, &seen), Cursor(end, &seen), &builder)) return;

  const std::size_t read = builder.failed_at().value_or(static_cast<std::size_t>(seen - begin));
  const std::string_view before = text.substr(0, std::min(read, text.size()));
  const auto newlines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column = before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
  throw usage_error(name_ + ": line " + std::to_string(first_line + newlines) + ", column " +
                    std::to_string(column) + ": " + builder.failure() + ".");
}

void JsonDocument::expect_schema(std::string_view schema, std::int64_t newest_version) const {
  const Json& found = member(root_, "schema");
  if (found != schema) {
    refuse_type(found, "\"" + std::string(schema) + "\"");
  }
  std::int64_t version = 0;
  get(root_, "schema_version", version);
  if (version < 1 || version > newest_version) {
    refuse(member(root_, "schema_version"),
           "is " + std::to_string(version) + ", and this program knows up to " +
               std::to_string(newest_version) + "; use a newer Peakline to read this file.");
  }
}

const Json& JsonDocument::member(const Json& object, std::string_view name) const {
  if (!object.is_object()) refuse_type(object, "an object");
  const auto found = object.find(name);
  if (found == object.end()) {
    refuse(object, "lacks the field '" + std::string(name) + "', which must be there.");
  }
  return *found;
}

const Json* JsonDocument::find(const Json& object, std::string_view name) const {
  if (!object.is_object()) refuse_type(object, "an object");
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

void JsonDocument::convert(const Json& value, std::string& into) const {
  if (!value.is_string()) refuse_type(value, "a string");
  into = value.get_ref<const std::string&>();
}

void JsonDocument::convert(const Json& value, double& into) const {
  if (!value.is_number()) refuse_type(value, "a number");
  into = value.get<double>();
}

void JsonDocument::convert(const Json& value, std::int64_t& into) const {
  const auto number = whole_number<std::int64_t>(value);
  if (!number || *number < 0) refuse_type(value, "a whole number from 0 to 9223372036854775807");
  into = *number;
}

void JsonDocument::convert(const Json& value, std::uint64_t& into) const {
  const auto number = whole_number<std::uint64_t>(value);
  if (!number) refuse_type(value, "a whole number from 0 to 18446744073709551615");
  into = *number;
}

void JsonDocument::convert(const Json& value, bool& into) const {
  if (!value.is_boolean()) refuse_type(value, "true or false");
  into = value.get<bool>();
}

void JsonDocument::convert(const Json& value, ParamValue& into) const {
  if (value.is_string()) {
    into = value.get_ref<const std::string&>();
  } else if (const auto number = whole_number<std::int64_t>(value)) {
    into = *number;
  } else {
    refuse_type(value, "a string or a whole number");
  }
}

void JsonDocument::refuse(const Json& value, const std::string& sentence) const {
  const std::string path = path_of(root_, value);
  throw usage_error(name_ + ": " + (path.empty() ? "the outermost value" : path) + " " + sentence);
}

void JsonDocument::refuse_type(const Json& value, const std::string& expected) const {
  std::string found = value.type_name();
  if (value.is_primitive() && !value.is_null()) {
    constexpr std::size_t shown_bytes = 40;
    const std::string text = value.dump(-1, ' ', true);
    found += " " + (text.size() > shown_bytes ? text.substr(0, shown_bytes) + "..." : text);
  }
  refuse(value, "must be " + expected + ", found " + found + "; correct the file or make it anew.");
}

}  // namespace peakline
