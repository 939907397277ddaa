#include "core/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "core/error.h"

namespace peakline {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array size_units{
    Unit{"", 1},         Unit{"B", 1},        Unit{"K", 0x1p10},   Unit{"M", 0x1p20},
    Unit{"G", 0x1p30},   Unit{"T", 0x1p40},   Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
    Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}, Unit{"KB", 1e3},     Unit{"MB", 1e6},
    Unit{"GB", 1e9},     Unit{"TB", 1e12},
};
constexpr std::array duration_units{
    Unit{"", 1}, Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"m", 60}, Unit{"min", 60}, Unit{"h", 3600},
};

template <std::size_t count>
std::optional<double> parse_with_unit(std::string_view text, const std::array<Unit, count>& units) {
  double number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  std::string_view suffix(rest, text.data() + text.size());
  while (!suffix.empty() && suffix.front() == ' ') suffix.remove_prefix(1);
  for (const Unit& unit : units) {
    if (unit.name == suffix) return number * unit.factor;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t parse_size_bytes(std::string_view text) {
  const std::optional<double> size_bytes = parse_with_unit(text, size_units);
  constexpr double most = 0x1p62;
  // "16.1KB" is whole although 16.1 is not exact in binary, so its product misses by a rounding.
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const double whole = std::round(size_bytes.value_or(0));
  if (!size_bytes || whole > most || std::fabs(*size_bytes - whole) > whole * rounding) {
    throw usage_error("'" + std::string(text) +
                      "' is not a size: write a whole number of bytes, or a number with KiB, MiB, "
                      "GiB (1024) or KB, MB, GB (1000), such as 64KiB.");
  }
  return static_cast<std::int64_t>(whole);
}

double parse_duration_s(std::string_view text) {
  constexpr double most_s = 1e9;  // some thirty years: a clock counting nanoseconds can hold it
  const std::optional<double> duration_s = parse_with_unit(text, duration_units);
  if (!duration_s || *duration_s <= 0 || *duration_s > most_s) {
    throw usage_error("'" + std::string(text) +
                      "' is not a duration: write a number with ms, s, m or h, such as 120s.");
  }
  return *duration_s;
}

std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t least,
                           std::int64_t most) {
  std::int64_t number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || rest != text.data() + text.size() || number < least ||
      number > most) {
    throw usage_error("'" + std::string(text) + "' is not a valid " + std::string(what) +
                      ": write a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most) + ".");
  }
  return number;
}

std::string format_size(std::int64_t size_bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t scale = 0;
  while (size_bytes != 0 && size_bytes % 1024 == 0 && scale + 1 < names.size()) {
    size_bytes /= 1024;
    ++scale;
  }
  return std::to_string(size_bytes) + " " + names[scale];
}

std::string format_significant(double value, int digits) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return "not a number";
  // Of the rounded value: 9.996 is written as 10.0, not as 10.00.
  const double rounded = round_significant(value, digits);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(rounded))));
  const int decimals = digits - 1 - magnitude;
  std::array<char, 64> text{};
  if (magnitude < -4 || magnitude > 15) {
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
  } else {
    std::snprintf(text.data(), text.size(), "%.*f", decimals > 0 ? decimals : 0, value);
  }
  return text.data();
}

std::string format_time(double time_s) {
  const double magnitude = std::fabs(round_significant(time_s, 3));
  if (magnitude >= 1 || magnitude == 0) return format_significant(time_s, 3) + " s";
  if (magnitude >= 1e-3) return format_significant(time_s * 1e3, 3) + " ms";
  if (magnitude >= 1e-6) return format_significant(time_s * 1e6, 3) + " us";
  return format_significant(time_s * 1e9, 3) + " ns";
}

std::string format_si(double value, std::string_view unit) {
  constexpr std::array prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t scale = 0;
  while (std::fabs(round_significant(value, 3)) >= 1000 && scale + 1 < prefixes.size()) {
    value /= 1000;
    ++scale;
  }
  return format_significant(value, 3) + " " + prefixes[scale] + std::string(unit);
}

std::string format_value(double value, std::string_view unit) {
  if (unit == "s") return format_time(value);
  if (unit == "1" || unit.empty()) return format_significant(value, 3);
  if (unit == "1/s") return format_si(value, "/s");
  return format_si(value, unit);
}

std::string counted(std::int64_t count, std::string_view thing, std::string_view plural) {
  std::string text = std::to_string(count) + " " + std::string(thing);
  return count == 1 ? text : text.append(plural);
}

std::string format_percent(double share) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", share * 100);
  return text.data();
}

double round_significant(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace peakline
