#include "compare/judge.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compare/floors.h"
#include "compare/gather.h"
#include "compare/machine.h"
#include "compare/matching.h"
#include "compare/relative.h"
#include "compare/run_notes.h"
#include "core/units.h"

namespace peakline {
namespace {

/// Surely below a limit that stands by itself: beyond the noise of the measurement.
bool is_surely_below(const KeyState& state, double limit, const Policy& policy) {
  constexpr double one_sided_95 = 1.645;
  const double noise = std::max(family_of(policy, *state.result).prior_noise,
                                state.pairing ? state.pairing->within : 0);
  return std::log(*state.verdict.measured / limit) + one_sided_95 * noise < 0;
}

/// The accepted median as a floor has the noise of the baseline: only what regressed against it can
/// be below it.
bool is_below(const KeyState& state, const Floor& floor, const Policy& policy) {
  if (floor.from_baseline) {
    return state.verdict.word == Word::regressed && *state.verdict.measured < floor.value;
  }
  return is_surely_below(state, floor.value, policy);
}

void judge_against_peaks(KeyState& state, const Machine& machine,
                         const std::vector<GpuPeaks>& table, const Policy& policy) {
  if (state.result == nullptr || state.verdict.metric.empty()) return;
  KeyVerdict& verdict = state.verdict;
  const Metric& metric = *find_metric(*state.result, verdict.metric);
  verdict.peaks = peaks_of(*state.result, metric, machine, table);
  if (state.decided) return;
  verdict.floor = floor_of(*state.result, metric, verdict.peaks, verdict.baseline, policy);
  if (!verdict.floor) return;
  const std::string limit =
      format_value(verdict.floor->value, verdict.unit) + ", " + verdict.floor->of;
  if (is_below(state, *verdict.floor, policy)) {
    if (verdict.word == Word::regressed) {
      verdict.reason += "; also below the floor of " + limit;
    } else {
      verdict.word = Word::below_floor;
      verdict.reason = "below " + limit;
    }
  } else if (!state.pairing) {
    verdict.word = Word::pass;
    verdict.reason = "no baseline; above " + limit;
  }
}

bool is_judged(Word word) {
  switch (word) {
    case Word::pass:
    case Word::real_but_small:
    case Word::improved:
    case Word::regressed:
    case Word::below_floor:
    case Word::inconclusive: return true;
    default: return false;
  }
}

/// Name and change of the first key with this word, and how many more there are.
std::string first_of(const Verdict& verdict, Word word) {
  std::string text;
  std::int64_t more = 0;
  for (const KeyVerdict& key : verdict.keys) {
    if (key.word != word) continue;
    if (!text.empty()) {
      ++more;
      continue;
    }
    text = key.key;
    if (key.change) {
      text +=
          " (" + key.metric + (*key.change < 0 ? " " : " +") + format_percent(*key.change) + ")";
    } else if (!key.reason.empty()) {
      text += " (" + key.reason + ")";
    }
  }
  return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

struct Cause {
  Word word;
  ExitStatus status;
  const char* sentence;
};

/// In the order in which one cause hides another.
constexpr Cause causes[] = {
    {Word::failed, ExitStatus::run_failed, "wrong data: "},
    {Word::regressed, ExitStatus::regressed, "regressed: "},
    {Word::below_floor, ExitStatus::regressed, "below the floor: "},
    {Word::invalid, ExitStatus::not_comparable, "invalid: "},
    {Word::missing, ExitStatus::not_comparable, "missing: "},
    {Word::not_comparable, ExitStatus::not_comparable, "not comparable: "},
};

std::string summary(const Verdict& verdict) {
  std::string text;
  for (Word word : {Word::pass, Word::real_but_small, Word::improved, Word::inconclusive,
                    Word::new_key, Word::unjudged, Word::skipped, Word::not_planned}) {
    const std::int64_t count = count_of(verdict, word);
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " ";
    text += name_of(word);
  }
  return text;
}

std::string nothing_judged(const Verdict& verdict, std::span<const Record> fresh,
                           std::span<const Record> baselines, const Policy& policy) {
  if (baselines.empty()) {
    return "nothing was judged: there is no accepted run (peakline accept makes one of a record), "
           "and no "
           "peak is known that could be a floor";
  }
  const Environment& here = fresh.front().environment;
  const auto found = nearest_differences(here.kind, baselines, policy);
  if (verdict.baseline_runs == 0) {
    std::string text = "not comparable with any baseline: ";
    for (std::size_t i = 0; i < found.size(); ++i) text += (i == 0 ? "" : "; ") + found[i];
    return text;
  }
  for (const Record& baseline : baselines) {
    if (baseline.environment.world == here.world) continue;
    return "nothing was judged, not comparable: " + describe(here.world) + " here, " +
           describe(baseline.environment.world) + " in the baseline";
  }
  return "nothing was judged: this run and the baseline have no key in common";
}

void conclude(Verdict& verdict, std::span<const Record> fresh, std::span<const Record> baselines,
              const Policy& policy) {
  for (const Record& record : fresh) {
    if (record.run.complete) continue;
    verdict.status = ExitStatus::run_failed;
    verdict.reason = "the run '" + record.run.id + "' is not complete";
    if (!record.run.incidents.empty()) verdict.reason += ": " + record.run.incidents.back().text;
    return;
  }
  for (const Cause& cause : causes) {
    if (count_of(verdict, cause.word) == 0) continue;
    verdict.status = worse(verdict.status, cause.status);
    if (verdict.reason.empty()) verdict.reason = cause.sentence + first_of(verdict, cause.word);
  }
  if (verdict.status != ExitStatus::ok) return;
  if (!baselines.empty() && verdict.baseline_runs == 0) {
    verdict.status = ExitStatus::not_comparable;
    verdict.reason = nothing_judged(verdict, fresh, baselines, policy);
    return;
  }
  for (const KeyVerdict& key : verdict.keys) {
    if (!is_judged(key.word)) continue;
    verdict.reason = "nothing was shown to be regressed or below its floor: " + summary(verdict);
    return;
  }
  verdict.status = ExitStatus::not_comparable;
  verdict.reason = nothing_judged(verdict, fresh, baselines, policy);
}

bool is_same_run(std::span<const Record> fresh, const std::vector<const Record*>& baselines) {
  return fresh.size() == 1 && baselines.size() == 1 &&
         fresh.front().run.id == baselines.front()->run.id;
}

/// A run and a copy of it share all their noise, whatever it was: nothing between them is chance.
Policy without_noise(Policy policy) {
  for (Family* family : {&policy.gemm, &policy.bandwidth, &policy.small_message, &policy.loader}) {
    family->prior_noise = policy.least_noise;
    family->burst = 0;
  }
  policy.shift_prior = policy.least_noise;
  policy.trust_samples = false;
  return policy;
}

}  // namespace

Verdict judge(std::span<const Record> fresh, std::span<const Record> baselines,
              const std::vector<GpuPeaks>& peaks, const Policy& given_policy) {
  const MachineKind& kind = fresh.front().environment.kind;
  const std::vector<const Record*> comparable = comparable_records(kind, baselines, given_policy);
  const bool same_run = is_same_run(fresh, comparable);
  const Policy policy = same_run ? without_noise(given_policy) : given_policy;

  Verdict verdict;
  verdict.fingerprint = kind.fingerprint();
  verdict.label = fresh.front().run.label;
  verdict.baseline_runs = static_cast<std::int64_t>(comparable.size());
  std::vector<KeyState> states = gather_keys(fresh, comparable, policy);
  verdict.notes = judge_against_baseline(states, policy);
  if (same_run) {
    verdict.notes.emplace_back("the baseline is this very run: every difference is an edit");
  }
  const Machine machine = machine_of(fresh.front().environment);
  for (KeyState& state : states) {
    judge_against_peaks(state, machine, peaks, policy);
    if (!state.decided && !state.pairing && !state.verdict.floor) {
      state.verdict.word = comparable.empty() ? Word::unjudged : Word::new_key;
    }
    verdict.keys.push_back(std::move(state.verdict));
  }
  add_run_notes(verdict, fresh, comparable);
  conclude(verdict, fresh, baselines, policy);
  return verdict;
}

void fail_on_inconclusive(Verdict& verdict) {
  if (count_of(verdict, Word::inconclusive) == 0) return;
  const ExitStatus status = worse(verdict.status, ExitStatus::inconclusive);
  if (status == verdict.status) return;
  verdict.status = status;
  verdict.reason = "inconclusive: " + first_of(verdict, Word::inconclusive);
}

}  // namespace peakline
