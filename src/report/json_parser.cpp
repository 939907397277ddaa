#include "report/json_parser.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

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

}  // namespace

JsonValue parse_json(std::string_view text, const std::string& name, std::size_t first_line) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* seen = begin;
  JsonValue root;
  Builder builder(root);
  if (nlohmann::json::sax_parse(Cursor(begin, &seen), Cursor(end, &seen), &builder)) {
    return root;
  }

  const std::size_t read = builder.failed_at().value_or(static_cast<std::size_t>(seen - begin));
  const std::string_view before = text.substr(0, std::min(read, text.size()));
  const auto newlines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column = before.size() - (before.rfind('\n') + 1);  // npos + 1 is 0
  throw usage_error(name + ": line " + std::to_string(first_line + newlines) + ", column " +
                    std::to_string(column) + ": " + builder.failure() + ".");
}

}  // namespace peakline
