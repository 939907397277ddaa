#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/exit_status.h"
#include "core/result.h"

namespace peakline {

/// The words of a verdict. Each stands for itself: none of them is another kind of pass.
enum class Word {
  pass,            ///< shown to be no worse than allowed
  real_but_small,  ///< worse beyond doubt, by less than matters: passes
  improved,
  regressed,       ///< worse beyond doubt, by more than allowed
  below_floor,     ///< under 80 % of what is known to be possible
  inconclusive,    ///< the noise of this machine allows no answer
  missing,         ///< planned or required, and a baseline has it, but there is no ok result
  not_planned,     ///< in the baseline, not in this run's plan
  new_key,         ///< no baseline has it and no floor is known
  unjudged,        ///< nothing at all to hold it against
  not_comparable,  ///< same key, but unit or direction differ
  invalid,         ///< contradicts itself or physics
  skipped,         ///< not measured, for a stated reason
  failed,          ///< wrong data
};

std::string_view name_of(Word word);

struct PeakShare {
  Peak peak;
  double share = 0;
};

/// What the metric must reach.
struct Floor {
  double value = 0;
  std::string of;              ///< "80 % of attainable (source)"
  bool from_baseline = false;  ///< the accepted median, known no better than the baseline's noise
};

struct KeyVerdict {
  std::string key;
  std::string metric;
  std::string unit;
  Better better = Better::higher;
  std::optional<double> measured;
  std::optional<double> baseline;  ///< median of the baseline's runs
  std::int64_t baseline_runs = 0;
  std::optional<double> change;      ///< measured / baseline - 1
  std::optional<double> detectable;  ///< a worsening of this share would be seen four times in five
  std::vector<PeakShare> peaks;
  std::optional<Floor> floor;
  Word word = Word::unjudged;
  std::string reason;
  std::string repro;
};

struct Verdict {
  std::string fingerprint;
  std::string label;
  std::int64_t baseline_runs = 0;  ///< comparable ones
  std::vector<KeyVerdict> keys;
  std::vector<std::string> notes;  ///< what concerns the whole run, most telling first
  ExitStatus status = ExitStatus::ok;
  std::string reason;  ///< one sentence for the status
};

std::int64_t count_of(const Verdict& verdict, Word word);

}  // namespace peakline
