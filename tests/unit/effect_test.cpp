#include <cmath>
#include <vector>

#include "compare/effect.h"
#include "support/catch.h"

using namespace peakline;

namespace {

/// The end-to-end oracles of the statistics reference: history and new runs of one metric, judged
/// with a prior of four degrees of freedom and no other source of noise.
struct Oracle {
  const char* name;
  std::vector<double> history;
  std::vector<double> fresh;
  Better better;
  double prior;
  double noise;
  double degrees;
  double difference;
  double standard_error;
  double p_worse;
  double low;
  double high;
};

const std::vector<double> e1_history{480.1, 478.9, 481.2, 479.5, 480.6};

const Oracle oracles[] = {
    {"E1",
     e1_history,
     {471.0},
     Better::higher,
     0.01,
     .00719472,
     8,
     .01905159,
     .00788142,
     .02101408,
     .00439571,
     .03370747},
    {"E2",
     e1_history,
     {440},
     Better::higher,
     0.01,
     .00719472,
     8,
     .08713496,
     .00788142,
     1.997e-06,
     .07247908,
     .10179084},
    {"E3",
     {20.1, 22.5, 19.0, 24.0, 21.2},
     {23.9},
     Better::lower,
     0.05,
     .07389848,
     8,
     .11573264,
     .08095173,
     .09534227,
     -.03480099,
     .26626626},
    {"E4",
     e1_history,
     {520},
     Better::higher,
     0.01,
     .00719472,
     8,
     -.07991913,
     .00788142,
     .99999618,
     -.09457501,
     -.06526325},
    {"E5",
     {480.1},
     {455},
     Better::higher,
     0.01,
     .01,
     4,
     .053697,
     .01414214,
     .00957693,
     .02354813,
     .08384586},
    {"E6",
     {100, 100, 100},
     {100},
     Better::lower,
     0,
     .002,
     6,
     0,
     .0023094,
     .5,
     -.00448758,
     .00448758},
    {"E7",
     {100, 100, 100},
     {106},
     Better::lower,
     0,
     .002,
     6,
     .05826891,
     .0023094,
     1.3e-07,
     .05378133,
     .06275649},
    {"E8",
     e1_history,
     {452.0, 449.5, 451.1},
     Better::higher,
     0.01,
     .00719472,
     8,
     .06274066,
     .00525428,
     1.11e-06,
     .05297007,
     .07251125},
};

}  // namespace

TEST_CASE("effects agree with the end-to-end oracles") {
  CriticalValues critical;
  for (const Oracle& oracle : oracles) {
    CAPTURE(oracle.name);
    const std::vector<double> history = costs_of(oracle.history, oracle.better);
    const std::vector<double> fresh = costs_of(oracle.fresh, oracle.better);
    const std::vector<NoiseSource> sources{
        {oracle.prior, 4}, {standard_deviation(history), static_cast<double>(history.size()) - 1}};
    const Noise noise = join_noise(sources, 0.002);
    CHECK(noise.value == Approx(oracle.noise).epsilon(1e-5));
    CHECK(noise.degrees == oracle.degrees);
    const Effect effect =
        effect_of(mean(fresh) - mean(history), fresh.size(), history.size(), noise, 0, critical);
    CHECK(effect.difference == Approx(oracle.difference).epsilon(1e-5).margin(1e-9));
    CHECK(effect.standard_error == Approx(oracle.standard_error).epsilon(1e-5));
    CHECK(effect.p_worse == Approx(oracle.p_worse).epsilon(0.02));  // E7 is given with two digits
    CHECK(effect.p_worse + effect.p_better == Approx(1));
    CHECK(effect.low == Approx(oracle.low).epsilon(1e-5));
    CHECK(effect.high == Approx(oracle.high).epsilon(1e-5));
  }
}

TEST_CASE("the least effect is a share of the value in either direction") {
  CHECK(cost_of_share(0.05, Better::lower) == Approx(0.0487902).epsilon(1e-6));
  CHECK(cost_of_share(0.05, Better::higher) == Approx(0.0512933).epsilon(1e-6));
  CHECK(cost_of_share(0.20, Better::higher) == Approx(0.2231436).epsilon(1e-6));
  for (Better better : {Better::lower, Better::higher}) {
    const double worse = change_of(cost_of_share(0.1, better), better);
    CHECK(worse == Approx(better == Better::lower ? 0.1 : -0.1));
  }
}

TEST_CASE("what can be detected, in units of the noise between runs") {
  CriticalValues critical;
  // One new run against R accepted ones, all noise from the prior's four degrees and the history.
  const struct {
    std::size_t runs;
    double detectable;
  } rows[] = {{1, 4.35}, {2, 3.59}, {3, 3.29}, {5, 3.01}, {10, 2.77}};
  for (const auto& row : rows) {
    const Noise noise{1, 4 + static_cast<double>(row.runs) - 1};
    const Effect effect = effect_of(0, 1, row.runs, noise, 0, critical);
    CAPTURE(row.runs);
    CHECK(detectable_difference(effect, critical) == Approx(row.detectable).epsilon(0.003));
  }
}

TEST_CASE("time and rate of one metric give the same effect") {
  CriticalValues critical;
  const Noise noise{0.02, 8};
  const auto difference = [](std::vector<double> base, std::vector<double> fresh, Better better) {
    return mean(costs_of(fresh, better)) - mean(costs_of(base, better));
  };
  const double by_time = difference({1.0, 1.1}, {1.3}, Better::lower);
  const double by_rate = difference({5.0 / 1.0, 5.0 / 1.1}, {5.0 / 1.3}, Better::higher);
  CHECK(by_time == Approx(by_rate));
  // Swapping the sides flips the sign and swaps the p-values.
  const Effect forth = effect_of(by_time, 2, 1, noise, 0, critical);
  const Effect back = effect_of(-by_time, 1, 2, noise, 0, critical);
  CHECK(forth.p_worse == Approx(back.p_better));
}

TEST_CASE("a new run's own uncertainty counts when it is larger than the noise between runs") {
  CriticalValues critical;
  const Noise noise{0.01, 8};
  CHECK(effect_of(0.1, 1, 1, noise, 0.005, critical).standard_error ==
        Approx(0.01 * std::sqrt(2.0)));
  CHECK(effect_of(0.1, 1, 1, noise, 0.1, critical).standard_error ==
        Approx(std::sqrt(0.1 * 0.1 + 0.01 * 0.01)));
}
