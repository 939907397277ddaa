#include "compare/relative.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/statistics.h"
#include "core/units.h"

namespace peakline {
namespace {

/// A judged key with its effect after the run's shift is taken away.
struct Judged {
  KeyState* state = nullptr;
  Effect own;
  double worse = 1;  ///< adjusted p-values, beyond what bursts can do
  double better = 1;
  double least_worse = 0;   ///< the family's least effect as a cost
  double least_better = 0;  ///< the same for an improvement, negative
};

enum class RunShift { none, slower, faster };

std::string signed_percent(double share) { return (share >= 0 ? "+" : "") + format_percent(share); }

/// Whether the whole run moved, beyond what whole runs of this machine do.
RunShift significant_shift(const RunNoise& run, const std::vector<Pairing>& pairings,
                           const Policy& policy) {
  if (run.shift_degrees <= 0) return RunShift::none;
  CriticalValues critical;
  const Effect effect = effect_of(run.shift, pairings.front().fresh_costs.size(),
                                  pairings.front().baseline_costs.size(),
                                  {run.shift_noise, run.shift_degrees}, 0, critical);
  const double least = std::log1p(policy.bandwidth.least_effect);
  if (run.shift >= least && effect.p_worse <= policy.false_discovery_rate) return RunShift::slower;
  if (run.shift <= -least && effect.p_better <= policy.false_discovery_rate) {
    return RunShift::faster;
  }
  return RunShift::none;
}

/// The family's spread as the baselines show it, once there are two of them: the median over keys
/// of their variances, corrected for the skew of a variance of few runs (statistics: chi square).
double family_prior(const Family& family, const std::vector<Pairing>& pairings) {
  constexpr double median_over_mean[] = {0,       .454936, .693147, .788658, .839173,
                                         .870229, .891353, .906628, .918180, .926981};
  std::vector<double> variances;
  for (const Pairing& pairing : pairings) {
    if (pairing.family != &family || pairing.baseline_costs.size() < 2) continue;
    const double deviation = standard_deviation(pairing.baseline_costs);
    const std::size_t degrees = std::min<std::size_t>(pairing.baseline_costs.size() - 1, 9);
    variances.push_back(deviation * deviation / median_over_mean[degrees]);
  }
  return variances.empty() ? family.prior_noise
                           : std::max(family.prior_noise, std::sqrt(median(variances)));
}

std::vector<Judged> measure_effects(std::vector<KeyState*>& states,
                                    const std::vector<Pairing>& pairings, const RunNoise& run,
                                    const Policy& policy, CriticalValues& critical) {
  std::map<const Family*, double> priors;
  for (const Pairing& pairing : pairings) {
    if (!priors.contains(pairing.family)) {
      priors[pairing.family] = family_prior(*pairing.family, pairings);
    }
  }
  std::vector<Judged> all;
  std::vector<double> p_worse;
  std::vector<double> p_better;
  for (KeyState* state : states) {
    const Pairing& pairing = *state->pairing;
    const Noise noise = expected_noise(pairing, priors[pairing.family], run, policy);
    Judged judged;
    judged.state = state;
    const double own = pairing.difference() - run.shift;
    const double burst = pairing.family->burst;
    const auto effect = [&](double difference) {
      return effect_of(difference, pairing.fresh_costs.size(), pairing.baseline_costs.size(), noise,
                       pairing.within, critical);
    };
    judged.own = effect(own);
    judged.least_worse = cost_of_share(pairing.family->least_effect, state->verdict.better);
    judged.least_better =
        -cost_of_share(pairing.family->least_effect,
                       state->verdict.better == Better::lower ? Better::higher : Better::lower);
    // A burst may have hit the new run (then it only looks worse) or the accepted ones.
    p_worse.push_back(effect(own - burst).p_worse);
    p_better.push_back(effect(own + burst).p_better);
    all.push_back(judged);
  }
  const std::vector<double> worse = benjamini_hochberg(p_worse);
  const std::vector<double> better = benjamini_hochberg(p_better);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].worse = worse[i];
    all[i].better = better[i];
  }
  return all;
}

void choose_word(const Judged& judged, double shift, RunShift run_shift, const Policy& policy) {
  KeyVerdict& verdict = judged.state->verdict;
  const double total = judged.own.difference + shift;
  const double q = policy.false_discovery_rate;
  const bool own_worse = judged.own.difference >= judged.least_worse && judged.worse <= q;
  const bool own_better = judged.own.difference <= judged.least_better && judged.better <= q;
  const bool excluded = judged.own.high + shift < judged.least_worse;
  if (total >= judged.least_worse && (own_worse || run_shift == RunShift::slower)) {
    verdict.word = Word::regressed;
    verdict.reason = own_worse ? "worse beyond the noise of this machine" : "with the whole run";
  } else if (total <= judged.least_better && (own_better || run_shift == RunShift::faster)) {
    verdict.word = Word::improved;
    verdict.reason = own_better ? "better beyond the noise of this machine" : "with the whole run";
  } else if (excluded && judged.worse <= q && total > 0) {
    verdict.word = Word::real_but_small;
    verdict.reason = "worse beyond doubt, by less than matters";
  } else if (excluded) {
    verdict.word = Word::pass;
  } else {
    verdict.word = Word::inconclusive;
    verdict.reason = total >= judged.least_worse ? "suspect: it may be noise; measure it again"
                                                 : "too noisy to exclude a change that matters";
  }
}

}  // namespace

std::vector<std::string> judge_against_baseline(std::vector<KeyState>& states,
                                                const Policy& policy) {
  std::vector<KeyState*> paired;
  std::vector<Pairing> pairings;
  for (KeyState& state : states) {
    if (state.decided || !state.pairing) continue;
    paired.push_back(&state);
    pairings.push_back(*state.pairing);
  }
  if (paired.empty()) return {};

  CriticalValues critical;
  const RunNoise run = run_noise(pairings, policy);
  const RunShift run_shift = significant_shift(run, pairings, policy);
  for (const Judged& judged : measure_effects(paired, pairings, run, policy, critical)) {
    choose_word(judged, run.shift, run_shift, policy);
    KeyVerdict& verdict = judged.state->verdict;
    const double seen =
        judged.state->pairing->family->burst + detectable_difference(judged.own, critical);
    verdict.detectable = std::fabs(change_of(seen, verdict.better));
  }
  if (std::fabs(run.shift) < std::log1p(policy.bandwidth.least_effect) / 2) return {};
  return {"the whole run moved: times are " + signed_percent(std::expm1(run.shift)) +
          " in the middle of all keys, which is " +
          (run_shift == RunShift::none ? "within" : "beyond") +
          " what whole runs of this machine do"};
}

}  // namespace peakline
