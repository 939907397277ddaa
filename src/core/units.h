#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace peakline {

/// "1GiB", "4KB", "8", "2M" -> bytes. KiB, MiB, GiB, TiB are powers of 1024; KB, MB, GB, TB powers
/// of 1000; a bare K, M, G, T means the binary unit, as in nccl-tests. Throws a usage Error that
/// quotes the text.
std::int64_t parse_size_bytes(std::string_view text);

/// "120s", "500ms", "2m", "1h", "30" (seconds) -> seconds, always positive. Throws a usage Error.
double parse_duration_s(std::string_view text);

/// A whole number in [least, most]; `what` names it in the error sentence.
std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t least,
                           std::int64_t most);

/// 1048576 -> "1 MiB", 1000 -> "1000 B": only exact multiples are scaled, so nothing is rounded.
std::string format_size(std::int64_t size_bytes);

/// 0.00123 -> "1.23 ms": three significant digits with the unit that keeps them readable.
std::string format_time(double time_s);

/// A value in its SI base unit, scaled for display by powers of 1000: (2.5e9, "B/s") -> "2.5 GB/s".
std::string format_si(double value, std::string_view unit);

/// Any metric of a record for display: seconds as a time, everything else by format_si, shares
/// plain.
std::string format_value(double value, std::string_view unit);

/// `value` with `digits` significant digits, without an exponent for the usual magnitudes.
std::string format_significant(double value, int digits);

/// (1, "rank") -> "1 rank", (2, "rank") -> "2 ranks", (3, "pass", "es") -> "3 passes".
std::string counted(std::int64_t count, std::string_view thing, std::string_view plural = "s");

/// 0.1234 -> "12.3 %".
std::string format_percent(double share);

/// The nearest number with that many significant decimal digits: keeps files small and their
/// figures honest about what a clock can know.
double round_significant(double value, int digits);

}  // namespace peakline
