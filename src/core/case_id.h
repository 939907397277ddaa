#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/data_type.h"

namespace peakline {

/// A parameter is a whole number or a word; never a floating number, whose text is ambiguous.
using ParamValue = std::variant<std::int64_t, std::string>;

/// As people read it: the word itself, or the decimal number.
std::string text_of(const ParamValue& value);

/// The independent variables of one case, sorted by name.
using Params = std::map<std::string, ParamValue>;

/// The world that took part. With uneven nodes ranks_per_node is the largest number on one node.
struct Scope {
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  std::int64_t ranks_per_node = 1;
  auto operator<=>(const Scope&) const = default;
};

/// What was measured, apart from what came out. Equal identities are comparable on equal machines.
struct CaseId {
  std::string benchmark;
  Params params;
  Scope scope;

  /// The canonical text, the same bytes for everyone (docs/result_format.md has test vectors):
  /// `benchmark/name=value,.../ranks=R,nodes=N,ranks_per_node=P`, names sorted by byte, bytes other
  /// than letters, digits and `._+-` percent-encoded in words, integers undecorated.
  std::string key() const;

  /// Of a case that Peakline planned, which has them.
  std::int64_t integer(std::string_view name) const;
  const std::string& word(std::string_view name) const;

  /// Of a case that was read from a file, where they may be missing or of the other kind.
  std::optional<std::int64_t> integer_if(std::string_view name) const;
  std::string word_if(std::string_view name) const;  ///< empty when there is none

  auto operator<=>(const CaseId&) const = default;
};

/// `text` as it stands in a key.
std::string encode_key_word(std::string_view text);

}  // namespace peakline
