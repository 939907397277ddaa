#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/case_id.h"

namespace peakline {

using Json = nlohmann::json;

/// The most that objects and arrays may be nested in each other.
inline constexpr std::size_t json_depth_limit = 64;

/// A JSON text, read strictly, and the way to take typed values out of it. Whatever is not as
/// promised is a usage Error that names the file and the place: line and column where the text is
/// not JSON, has a key twice, a number too large for a double or is nested too deeply; the path
/// (`results[3].metrics[0].value`) where a value is not of the type asked for.
class JsonDocument {
 public:
  /// `name` stands in the error sentences, in which lines are counted from `first_line`.
  JsonDocument(std::string_view text, std::string name, std::size_t first_line = 1);

  const Json& root() const { return root_; }
  const std::string& name() const { return name_; }

  /// Refuses another `schema` and a `schema_version` newer than the one given.
  void expect_schema(std::string_view schema, std::int64_t newest_version) const;

  /// A member that must be there. `object` and all other values must be parts of root().
  const Json& member(const Json& object, std::string_view name) const;

  /// A member that may be absent, for which null is another way of saying so: a null pointer.
  const Json* find(const Json& object, std::string_view name) const;

  /// Takes a member that must be there.
  template <typename T>
  void get(const Json& object, std::string_view name, T& into) const {
    convert(member(object, name), into);
  }

  /// Takes a member that may be absent; `into` then stays as it is.
  template <typename T>
  void get_if(const Json& object, std::string_view name, T& into) const {
    if (const Json* value = find(object, name)) convert(*value, into);
  }

  /// Takes each element of an array through `read(document, element)`.
  template <typename T, typename Read>
  void get_list(const Json& object, std::string_view name, std::vector<T>& into, Read read) const {
    read_elements(member(object, name), into, read);
  }

  template <typename T, typename Read>
  void get_list_if(const Json& object, std::string_view name, std::vector<T>& into,
                   Read read) const {
    if (const Json* value = find(object, name)) read_elements(*value, into, read);
  }

  /// Takes a member that must be one of the words of `table`, pairs of a word and what it means.
  template <typename Table, typename T>
  void get_word(const Json& object, std::string_view name, const Table& table, T& into) const {
    const Json& value = member(object, name);
    std::string allowed;
    for (const auto& [word, meaning] : table) {
      if (value.is_string() && value.get_ref<const std::string&>() == word) {
        into = meaning;
        return;
      }
      allowed += (allowed.empty() ? "" : ", ") + std::string(word);
    }
    refuse_type(value, "one of " + allowed);
  }

  /// The conversions behind get(). A whole number is a count: never negative.
  void convert(const Json& value, std::string& into) const;
  void convert(const Json& value, double& into) const;
  void convert(const Json& value, std::int64_t& into) const;
  void convert(const Json& value, std::uint64_t& into) const;
  void convert(const Json& value, bool& into) const;
  void convert(const Json& value, ParamValue& into) const;

  template <typename T>
  void convert(const Json& value, std::vector<T>& into) const {
    read_elements(value, into, [](const JsonDocument& document, const Json& element) {
      T item{};
      document.convert(element, item);
      return item;
    });
  }

  template <typename T>
  void convert(const Json& value, std::map<std::string, T>& into) const {
    if (!value.is_object()) refuse_type(value, "an object");
    for (const auto& [name, element] : value.items()) convert(element, into[name]);
  }

  template <typename T>
  void convert(const Json& value, std::optional<T>& into) const {
    convert(value, into.emplace());
  }

  /// "NAME: PATH SENTENCE" as a usage Error.
  [[noreturn]] void refuse(const Json& value, const std::string& sentence) const;

 private:
  [[noreturn]] void refuse_type(const Json& value, const std::string& expected) const;

  template <typename T, typename Read>
  void read_elements(const Json& value, std::vector<T>& into, Read read) const {
    if (!value.is_array()) refuse_type(value, "an array");
    into.reserve(value.size());
    for (const Json& element : value) into.push_back(read(*this, element));
  }

  std::string name_;
  Json root_;
};

/// The path of the first value, in order of depth, for which `wanted(value)` holds; empty for the
/// root itself. Works for every kind of nlohmann's JSON.
template <typename AnyJson, typename Wanted>
std::optional<std::string> path_where(const AnyJson& value, const Wanted& wanted) {
  if (wanted(value)) return "";
  const auto joined = [](const std::string& step, const std::string& rest) {
    return step + (rest.empty() || rest.front() == '[' ? "" : ".") + rest;
  };
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (const auto rest = path_where(value[i], wanted)) {
        return joined("[" + std::to_string(i) + "]", *rest);
      }
    }
  } else if (value.is_object()) {
    for (auto member = value.begin(); member != value.end(); ++member) {
      if (const auto rest = path_where(*member, wanted)) return joined(member.key(), *rest);
    }
  }
  return std::nullopt;
}

}  // namespace peakline
