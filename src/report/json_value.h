#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace peakline {

struct JsonMember;

/// One value of a JSON text as it was read. Lean, because a record has some 100,000 of them:
/// building and freeing nlohmann's own tree takes as long as parsing the text.
struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  ///< in the order of the text
  using Data = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                            Array, Object>;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  bool is_null() const { return as<std::nullptr_t>() != nullptr; }

  Data data;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

/// Where `wanted`, a part of `root`, stands: `results[3].metrics[0].value`; empty for the root.
std::string path_of(const JsonValue& root, const JsonValue& wanted);

}  // namespace peakline
