#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/case_id.h"
#include "report/json_value.h"

namespace peakline {

/// A JSON text, read strictly, and the way to take typed values out of it. Whatever is not as
/// promised is a usage Error that names the file and the place: line and column where the text is
/// not JSON, has a key twice, a number too large for a double or is nested too deeply; the path
/// (`results[3].metrics[0].value`) where a value is not of the type asked for.
class JsonDocument {
 public:
  /// `name` stands in the error sentences, in which lines are counted from `first_line`.
  JsonDocument(std::string_view text, std::string name, std::size_t first_line = 1);

  const JsonValue& root() const { return root_; }
  const std::string& name() const { return name_; }

  /// Refuses another `schema` and a `schema_version` newer than the one given.
  void expect_schema(std::string_view schema, std::int64_t newest_version) const;

  /// A member that must be there. `object` and all other values must be parts of root().
  const JsonValue& member(const JsonValue& object, std::string_view name) const;

  /// A member that may be absent, for which null is another way of saying so: a null pointer.
  const JsonValue* find(const JsonValue& object, std::string_view name) const;

  /// Takes a member that must be there.
  template <typename T>
  void get(const JsonValue& object, std::string_view name, T& into) const {
    convert(member(object, name), into);
  }

  /// Takes a member that may be absent; `into` then stays as it is.
  template <typename T>
  void get_if(const JsonValue& object, std::string_view name, T& into) const {
    if (const JsonValue* value = find(object, name)) convert(*value, into);
  }

  /// Takes each element of an array through `read(document, element)`.
  template <typename T, typename Read>
  void get_list(const JsonValue& object, std::string_view name, std::vector<T>& into,
                Read read) const {
    read_elements(member(object, name), into, read);
  }

  template <typename T, typename Read>
  void get_list_if(const JsonValue& object, std::string_view name, std::vector<T>& into,
                   Read read) const {
    if (const JsonValue* value = find(object, name)) read_elements(*value, into, read);
  }

  /// Takes a member that must be one of the words of `table`, pairs of a word and what it means.
  template <typename Table, typename T>
  void get_word(const JsonValue& object, std::string_view name, const Table& table, T& into) const {
    const JsonValue& value = member(object, name);
    const std::string* text = value.as<std::string>();
    std::string allowed;
    for (const auto& [word, meaning] : table) {
      if (text != nullptr && *text == word) {
        into = meaning;
        return;
      }
      allowed += (allowed.empty() ? "" : ", ") + std::string(word);
    }
    refuse_type(value, "one of " + allowed);
  }

  /// The conversions behind get(). A whole number is a count: never negative.
  void convert(const JsonValue& value, std::string& into) const;
  void convert(const JsonValue& value, double& into) const;
  void convert(const JsonValue& value, std::int64_t& into) const;
  void convert(const JsonValue& value, std::uint64_t& into) const;
  void convert(const JsonValue& value, bool& into) const;
  void convert(const JsonValue& value, ParamValue& into) const;

  template <typename T>
  void convert(const JsonValue& value, std::vector<T>& into) const {
    read_elements(value, into, [](const JsonDocument& document, const JsonValue& element) {
      T item{};
      document.convert(element, item);
      return item;
    });
  }

  template <typename T>
  void convert(const JsonValue& value, std::map<std::string, T>& into) const {
    for (const auto& [name, element] : members_of(value)) convert(element, into[name]);
  }

  template <typename T>
  void convert(const JsonValue& value, std::optional<T>& into) const {
    convert(value, into.emplace());
  }

  /// "NAME: PATH SENTENCE" as a usage Error.
  [[noreturn]] void refuse(const JsonValue& value, const std::string& sentence) const;

 private:
  const JsonValue::Array& elements_of(const JsonValue& value) const;
  const JsonValue::Object& members_of(const JsonValue& value) const;
  [[noreturn]] void refuse_type(const JsonValue& value, const std::string& expected) const;

  template <typename T, typename Read>
  void read_elements(const JsonValue& value, std::vector<T>& into, Read read) const {
    const JsonValue::Array& elements = elements_of(value);
    into.reserve(elements.size());
    for (const JsonValue& element : elements) into.push_back(read(*this, element));
  }

  std::string name_;
  JsonValue root_;
};

}  // namespace peakline
