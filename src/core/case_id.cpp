#include "core/case_id.h"

#include <array>
#include <stdexcept>

namespace peakline {
namespace {

bool stands_for_itself(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' || letter == '+' ||
         letter == '-';
}

const ParamValue& find(const CaseId& id, std::string_view name) {
  const auto found = id.params.find(std::string(name));
  if (found == id.params.end()) {
    throw std::logic_error(id.benchmark + " has no parameter '" + std::string(name) + "'");
  }
  return found->second;
}

}  // namespace

std::string encode_key_word(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (char letter : text) {
    if (stands_for_itself(letter)) {
      encoded += letter;
    } else {
      const auto byte = static_cast<unsigned char>(letter);
      encoded += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return encoded;
}

std::string text_of(const ParamValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
}

std::string CaseId::key() const {
  std::string text = encode_key_word(benchmark) + "/";
  bool first = true;
  for (const auto& [name, value] : params) {
    if (!first) text += ',';
    first = false;
    text += encode_key_word(name) + '=' + encode_key_word(text_of(value));
  }
  return text + "/ranks=" + std::to_string(scope.ranks) + ",nodes=" + std::to_string(scope.nodes) +
         ",ranks_per_node=" + std::to_string(scope.ranks_per_node);
}

std::int64_t CaseId::integer(std::string_view name) const {
  return std::get<std::int64_t>(find(*this, name));
}

std::optional<std::int64_t> CaseId::integer_if(std::string_view name) const {
  const auto found = params.find(std::string(name));
  if (found == params.end()) return std::nullopt;
  const auto* number = std::get_if<std::int64_t>(&found->second);
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::string CaseId::word_if(std::string_view name) const {
  const auto found = params.find(std::string(name));
  if (found == params.end()) return "";
  const auto* text = std::get_if<std::string>(&found->second);
  return text != nullptr ? *text : "";
}

const std::string& CaseId::word(std::string_view name) const {
  return std::get<std::string>(find(*this, name));
}

}  // namespace peakline
