#include "compare/gather.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "compare/physics.h"
#include "core/statistics.h"
#include "core/sweep.h"
#include "core/units.h"

namespace peakline {
namespace {

using ResultsByKey = std::unordered_map<std::string, std::vector<const Result*>>;

void add_results(ResultsByKey& by_key, const Record& record) {
  for (const Result& result : record.results) by_key[result.id.key()].push_back(&result);
}

const std::vector<const Result*>& results_for(const ResultsByKey& by_key, const std::string& key) {
  static const std::vector<const Result*> none;
  const auto found = by_key.find(key);
  return found == by_key.end() ? none : found->second;
}

const Result* find_status(const std::vector<const Result*>& results, Status status) {
  const auto found = std::find_if(results.begin(), results.end(), [status](const Result* result) {
    return result->status == status;
  });
  return found == results.end() ? nullptr : *found;
}

void decide(KeyState& state, Word word, std::string reason) {
  state.verdict.word = word;
  state.verdict.reason = std::move(reason);
  state.decided = true;
}

bool is_required(const Policy& policy, const std::string& key) {
  return std::any_of(policy.required.begin(), policy.required.end(),
                     [&](const std::string& glob) { return matches_glob(glob, key); });
}

/// A planned key without an ok result: what that means depends on who relies on it.
void decide_absent(KeyState& state, const std::vector<const Result*>& fresh, bool relied_on) {
  if (const Result* failed = find_status(fresh, Status::failed)) {
    const bool wrong = failed->verify && failed->verify->wrong > 0;
    decide(state, Word::failed, wrong ? describe(*failed->verify) : failed->reason);
    return;
  }
  if (const Result* invalid = find_status(fresh, Status::invalid)) {
    decide(state, Word::invalid, invalid->note.empty() ? invalid->reason : invalid->note);
    return;
  }
  const Result* skipped = find_status(fresh, Status::skipped);
  const std::string why = skipped == nullptr
                              ? "no result"
                              : "skipped (" + skipped->reason + ")" +
                                    (skipped->note.empty() ? "" : ": " + skipped->note);
  const bool gates = relied_on && (skipped == nullptr || skipped->reason != "unsupported");
  decide(state, gates || skipped == nullptr ? Word::missing : Word::skipped, why);
}

/// Values of one metric in ok results.
std::vector<double> values_of(const std::vector<const Result*>& results, const Metric& like) {
  std::vector<double> values;
  for (const Result* result : results) {
    const Metric* metric = find_metric(*result, like.name);
    const bool usable = result->status == Status::ok && metric != nullptr && metric->value &&
                        *metric->value > 0 && metric->unit == like.unit &&
                        metric->better == like.better;
    if (usable) values.push_back(*metric->value);
  }
  return values;
}

std::vector<const Result*> without_contradictions(std::vector<const Result*> results) {
  std::erase_if(results, [](const Result* result) { return !contradiction_in(*result).empty(); });
  return results;
}

/// The metric of the same name in a baseline, when it means something else there.
std::string changed_meaning(const std::vector<const Result*>& baseline, const Metric& like) {
  for (const Result* result : baseline) {
    const Metric* metric = find_metric(*result, like.name);
    if (metric == nullptr) continue;
    if (metric->unit != like.unit) {
      return "the unit of " + like.name + " is '" + like.unit + "' here, '" + metric->unit +
             "' in the baseline";
    }
    if (metric->better != like.better) {
      return "the better direction of " + like.name + " differs from the baseline";
    }
  }
  return "";
}

/// A 95 % interval reaches 1.96 standard errors to each side.
double within_noise(const Metric& metric) {
  if (!metric.ci95 || metric.ci95->low <= 0) return 0;
  return std::log(metric.ci95->high / metric.ci95->low) / 2 / 1.96;
}

/// `fresh` was seen not to contradict itself.
void take_metric(KeyState& state, const Metric& metric, const std::vector<const Result*>& fresh,
                 const std::vector<const Result*>& baseline, const Policy& policy) {
  KeyVerdict& verdict = state.verdict;
  verdict.metric = metric.name;
  verdict.unit = metric.unit;
  verdict.better = metric.better;
  const std::vector<double> measured = values_of(fresh, metric);
  verdict.measured = median(measured);
  if (const std::string text = changed_meaning(baseline, metric); !text.empty()) {
    decide(state, Word::not_comparable, text);
    return;
  }
  const std::vector<double> accepted = values_of(without_contradictions(baseline), metric);
  verdict.baseline_runs = static_cast<std::int64_t>(accepted.size());
  if (accepted.empty()) return;
  verdict.baseline = median(accepted);
  verdict.change = *verdict.measured / *verdict.baseline - 1;
  state.pairing =
      Pairing{costs_of(accepted, metric.better), costs_of(measured, metric.better),
              policy.trust_samples ? within_noise(metric) : 0, &family_of(policy, *state.result)};
}

KeyState gather_key(const std::string& key, const std::vector<const Result*>& fresh,
                    const std::vector<const Result*>& baseline, const Policy& policy) {
  KeyState state;
  state.verdict.key = key;
  if (!fresh.empty()) state.verdict.repro = fresh.back()->repro;
  state.result = find_status(fresh, Status::ok);
  if (state.result == nullptr || find_status(fresh, Status::failed) != nullptr) {
    const bool relied_on = find_status(baseline, Status::ok) != nullptr || is_required(policy, key);
    decide_absent(state, fresh, relied_on);
    return state;
  }
  for (const Result* result : fresh) {
    if (const std::string text = contradiction_in(*result); !text.empty()) {
      decide(state, Word::invalid, text);
      return state;
    }
  }
  take_metric(state, *primary_metric(*state.result), fresh, baseline, policy);
  return state;
}

}  // namespace

std::vector<KeyState> gather_keys(std::span<const Record> fresh,
                                  const std::vector<const Record*>& baselines,
                                  const Policy& policy) {
  ResultsByKey fresh_results;
  ResultsByKey baseline_results;
  for (const Record& record : fresh) add_results(fresh_results, record);
  for (const Record* record : baselines) add_results(baseline_results, *record);

  std::vector<KeyState> states;
  std::unordered_set<std::string> seen;
  const auto take = [&](const std::string& key) {
    if (!seen.insert(key).second) return;
    states.push_back(gather_key(key, results_for(fresh_results, key),
                                results_for(baseline_results, key), policy));
  };
  for (const Record& record : fresh) {
    for (const CaseId& planned : record.plan) take(planned.key());
    for (const Result& result : record.results) take(result.id.key());
  }
  for (const Record* record : baselines) {
    for (const Result& result : record->results) {
      const std::string key = result.id.key();
      if (result.status != Status::ok || !seen.insert(key).second) continue;
      KeyState state;
      state.verdict.key = key;
      decide(state, is_required(policy, key) ? Word::missing : Word::not_planned,
             "only the baseline has it");
      states.push_back(std::move(state));
    }
  }
  return states;
}

}  // namespace peakline
