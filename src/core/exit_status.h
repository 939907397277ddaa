#pragma once

namespace peakline {

/// What both programs return (README.md lists the meanings). 1 is never ours: launchers
/// and shells use it, so a 1 always means that something outside Peakline failed.
enum class ExitStatus : int {
  ok = 0,
  usage = 2,           ///< usage, input or output error; no usable device
  not_comparable = 3,  ///< not comparable, nothing judged, something required missing or invalid
  inconclusive = 4,    ///< only when asked for by --fail-on inconclusive
  run_failed = 5,      ///< wrong data, a stuck or lost rank, an incomplete record
  regressed = 6,       ///< regressed or below the floor
};

/// The status that stands when both hold: 2 over 5 over 6 over 3 over 4 over 0.
constexpr ExitStatus worse(ExitStatus a, ExitStatus b) {
  constexpr auto severity = [](ExitStatus status) {
    switch (status) {
      case ExitStatus::ok: return 0;
      case ExitStatus::inconclusive: return 1;
      case ExitStatus::not_comparable: return 2;
      case ExitStatus::regressed: return 3;
      case ExitStatus::run_failed: return 4;
      case ExitStatus::usage: return 5;
    }
    return 5;
  };
  return severity(a) >= severity(b) ? a : b;
}

constexpr int to_int(ExitStatus status) { return static_cast<int>(status); }

}  // namespace peakline
