#include "core/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "support/catch.h"

using namespace peakline;

namespace {

Approx near(double value) { return Approx(value).epsilon(1e-9).margin(1e-12); }
Approx near_to_digits(double value, double step) { return Approx(value).epsilon(0).margin(step); }

std::vector<double> one_to(int last) {
  std::vector<double> values;
  for (int i = 1; i <= last; ++i) values.push_back(i);
  return values;
}

}  // namespace

TEST_CASE("quantiles are those of type 7") {
  const std::vector<double> x{10.1, 10.3, 9.9, 10.0, 12.7, 10.2, 9.8, 10.0};
  CHECK(median(x) == near(10.05));
  CHECK(quantile(x, 0.25) == near(9.975));
  CHECK(quantile(x, 0.75) == near(10.225));
  CHECK(quantile(x, 0.95) == near(11.86));
  CHECK(quantile(x, 0.99) == near(12.532));
  CHECK(quantile(x, 0) == 9.8);
  CHECK(quantile(x, 1) == 12.7);

  const std::vector<double> y = one_to(20);
  for (const auto& [share, value] : {std::pair{0.5, 10.5},
                                     {0.05, 1.95},
                                     {0.25, 5.75},
                                     {0.75, 15.25},
                                     {0.9, 18.1},
                                     {0.95, 19.05},
                                     {0.99, 19.81}}) {
    CHECK(quantile(y, share) == near(value));
  }
  CHECK(median(std::vector<double>{4}) == 4);
  CHECK_THROWS_AS(median({}), std::logic_error);
}

TEST_CASE("the median absolute deviation is not scaled") {
  const std::vector<double> x{10.1, 10.3, 9.9, 10.0, 12.7, 10.2, 9.8, 10.0};
  CHECK(median_absolute_deviation(x) == near(0.15));
  CHECK(1.4826 * median_absolute_deviation(x) == near(0.22239));
  CHECK(median_absolute_deviation(std::vector<double>{3, 3, 3}) == 0);
}

TEST_CASE("order statistics that enclose the median") {
  struct Row {
    std::size_t count;
    double confidence;
    std::size_t low;  // 0: there is no such interval
    std::size_t high;
    double coverage;
  };
  const Row row = GENERATE(values<Row>({
      {5, 0.90, 1, 5, 0.9375},
      {5, 0.95, 0, 0, 0},
      {5, 0.99, 0, 0, 0},
      {6, 0.90, 1, 6, 0.96875},
      {6, 0.95, 1, 6, 0.96875},
      {6, 0.99, 0, 0, 0},
      {8, 0.90, 2, 7, 0.929688},
      {8, 0.95, 1, 8, 0.992188},
      {8, 0.99, 1, 8, 0.992188},
      {9, 0.90, 2, 8, 0.960938},
      {9, 0.95, 2, 8, 0.960938},
      {9, 0.99, 1, 9, 0.996094},
      {10, 0.90, 2, 9, 0.978516},
      {10, 0.95, 2, 9, 0.978516},
      {10, 0.99, 1, 10, 0.998047},
      {12, 0.90, 3, 10, 0.961426},
      {12, 0.95, 3, 10, 0.961426},
      {12, 0.99, 2, 11, 0.993652},
      {15, 0.90, 4, 12, 0.964844},
      {15, 0.95, 4, 12, 0.964844},
      {15, 0.99, 3, 13, 0.992615},
      {20, 0.90, 6, 15, 0.958611},
      {20, 0.95, 6, 15, 0.958611},
      {20, 0.99, 4, 17, 0.997423},
      {25, 0.90, 8, 18, 0.956715},
      {25, 0.95, 8, 18, 0.956715},
      {25, 0.99, 6, 20, 0.995923},
      {30, 0.90, 11, 20, 0.901263},
      {30, 0.95, 10, 21, 0.957226},
      {30, 0.99, 8, 23, 0.994777},
      {50, 0.90, 19, 32, 0.935091},
      {50, 0.95, 18, 33, 0.967161},
      {50, 0.99, 16, 35, 0.993400},
      {100, 0.90, 42, 59, 0.911374},
      {100, 0.95, 40, 61, 0.964800},
      {100, 0.99, 37, 64, 0.993363},
      // The fewest samples for each confidence.
      {4, 0.90, 0, 0, 0},
      {7, 0.99, 0, 0, 0},
      {0, 0.95, 0, 0, 0},
  }));
  CAPTURE(row.count, row.confidence);
  const auto ranks = median_ranks(row.count, row.confidence);
  REQUIRE(ranks.has_value() == (row.low > 0));
  if (!ranks) return;
  CHECK(ranks->low == row.low);
  CHECK(ranks->high == row.high);
  CHECK(ranks->coverage == near_to_digits(row.coverage, 6e-7));
}

TEST_CASE("ranks of very many samples neither underflow nor lose their confidence") {
  const auto ranks = median_ranks(100'000, 0.95);
  REQUIRE(ranks);
  CHECK(ranks->low + ranks->high == 100'001);
  CHECK(ranks->coverage >= 0.95);
  CHECK(ranks->coverage < 0.951);
}

TEST_CASE("correlation of neighbours and what it costs") {
  struct Row {
    std::vector<double> samples;
    double rho;
    double effective;
  };
  for (const Row& row : std::vector<Row>{
           {one_to(10), 0.7, 1.7647058824},
           {{10, 10.2, 10.1, 10.3, 10.4, 10.2, 10.5, 10.6, 10.4, 10.7}, 0.3072072072, 5.2997932460},
           {{1, -1, 1, -1, 1, -1, 1, -1}, -0.875, 8},
           {{5, 3, 6, 2, 7, 4, 5, 6, 3, 4}, -0.6777777778, 10},
       }) {
    CHECK(lag1_autocorrelation(row.samples) == near_to_digits(row.rho, 6e-11));
    CHECK(effective_count(row.samples) == near_to_digits(row.effective, 6e-11));
  }
}

TEST_CASE("samples that never differ have no correlation, whatever their value") {
  // A tenth is no binary number, so a naive mean of ten of them is not a tenth.
  for (double value : {0.0, 0.1, 1e-6, 3e17}) {
    const std::vector<double> samples(10, value);
    CHECK(lag1_autocorrelation(samples) == 0);
    CHECK(effective_count(samples) == 10);
  }
  CHECK(lag1_autocorrelation(std::vector<double>{5}) == 0);
  CHECK(lag1_autocorrelation({}) == 0);
}

TEST_CASE("the interval of the median is stretched by the correlation of neighbours") {
  // rho 0: the order statistics themselves, ranks 2 and 9 of ten.
  const std::vector<double> alternating{1, 10, 2, 9, 3, 8, 4, 7, 5, 6};
  REQUIRE(lag1_autocorrelation(alternating) < 0);
  const auto plain = median_interval(alternating, 0.95);
  REQUIRE(plain);
  CHECK(plain->low == near(2));
  CHECK(plain->high == near(9));

  // The same values in order: rho 0.7, so sqrt(1.7 / 0.3) times as wide about 5.5.
  const auto stretched = median_interval(one_to(10), 0.95);
  REQUIRE(stretched);
  const double half = 3.5 * std::sqrt(1.7 / 0.3);
  CHECK(stretched->low == near(5.5 - half));
  CHECK(stretched->high == near(5.5 + half));
  CHECK(*relative_half_width(one_to(10), 0.95) == near(half / 5.5));

  // A long ramp: rho is held at 0.95.
  const auto ramp = median_interval(one_to(400), 0.95);
  const auto ranks = median_ranks(400, 0.95);
  REQUIRE(ramp);
  CHECK(ramp->high == near(200.5 + (static_cast<double>(ranks->high) - 200.5) * std::sqrt(39.0)));
}

TEST_CASE("too few samples have no interval and no half-width") {
  CHECK_FALSE(median_interval(one_to(5), 0.95));
  CHECK_FALSE(relative_half_width(one_to(5), 0.95));
  CHECK_FALSE(relative_half_width({}, 0.95));
  CHECK(relative_half_width(std::vector<double>(6, 2.5), 0.95) == 0.0);
  CHECK_FALSE(relative_half_width(std::vector<double>(6, 0.0), 0.95));  // a share of nothing
}

TEST_CASE("adaptive stop: samples needed for a precision") {
  const auto sample = [](int i) { return 100 + ((37 * i) % 11 - 5) * 0.8 + (i % 17 == 0 ? 6 : 0); };
  struct Row {
    double confidence;
    double precision;
    int stops_at;
    std::size_t low;
    std::size_t high;
    double half_width;
  };
  const Row row = GENERATE(values<Row>({{0.95, 0.01, 130, 54, 77, 0.008},
                                        {0.95, 0.005, 190, 82, 109, 0.004},
                                        {0.99, 0.01, 180, 73, 108, 0.008}}));
  std::vector<double> samples;
  while (samples.size() < 1000) {
    for (int i = 0; i < 10; ++i) samples.push_back(sample(static_cast<int>(samples.size())));
    if (samples.size() < 20) continue;
    const auto ranks = median_ranks(samples.size(), row.confidence);
    REQUIRE(ranks);
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    // Without the stretch, which the oracle leaves out.
    const double half_width =
        (sorted[ranks->high - 1] - sorted[ranks->low - 1]) / 2 / median(samples);
    if (half_width > row.precision) continue;
    CHECK(samples.size() == static_cast<std::size_t>(row.stops_at));
    CHECK(ranks->low == row.low);
    CHECK(ranks->high == row.high);
    CHECK(half_width == near_to_digits(row.half_width, 5e-5));
    return;
  }
  FAIL("it never stopped");
}

TEST_CASE("thinning keeps the ends and spreads the rest") {
  const std::vector<double> samples = one_to(1000);
  const std::vector<double> kept = thinned(samples, 200);
  REQUIRE(kept.size() == 200);
  CHECK(kept.front() == 1);
  CHECK(kept.back() == 1000);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    CHECK(kept[i] - kept[i - 1] >= 5);
    CHECK(kept[i] - kept[i - 1] <= 6);
  }
  CHECK(thinned(one_to(200), 200) == one_to(200));
  CHECK(thinned(one_to(201), 200).size() == 200);
  CHECK(thinned({}, 200).empty());
}

TEST_CASE("p-values adjusted by Benjamini and Hochberg") {
  struct Row {
    std::vector<double> p;
    std::vector<double> adjusted;
    double digits;
  };
  for (const Row& row : std::vector<Row>{
           {{0.01, 0.04, 0.03, 0.005}, {0.02, 0.04, 0.04, 0.02}, 1e-12},
           {{0.02, 0.02, 0.5, 1, 0.02}, {0.0333333, 0.0333333, 0.625, 1, 0.0333333}, 6e-8},
           {{0.001, 0.008, 0.039, 0.041, 0.042, 0.06,  0.074, 0.205, 0.212,
             0.216, 0.222, 0.251, 0.269, 0.275, 0.34,  0.341, 0.384, 0.569,
             0.594, 0.696, 0.762, 0.94,  0.942, 0.975, 0.986},
            {0.025,    0.1,      0.21,     0.21,     0.21,     0.25,     0.264286,
             0.491071, 0.491071, 0.491071, 0.491071, 0.491071, 0.491071, 0.491071,
             0.532812, 0.532812, 0.564706, 0.781579, 0.781579, 0.87,     0.907143,
             0.986,    0.986,    0.986,    0.986},
            6e-7},
           {{}, {}, 0},
           {{0.9}, {0.9}, 0},
       }) {
    const std::vector<double> adjusted = benjamini_hochberg(row.p);
    REQUIRE(adjusted.size() == row.adjusted.size());
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      CHECK(adjusted[i] == near_to_digits(row.adjusted[i], row.digits));
    }
  }
}

TEST_CASE("adjusted p-values of end-to-end examples") {
  const std::vector<double> p{0.02101408, 1.9966e-06, 0.09534227, 0.99999618, 0.00957693};
  const std::vector<double> expected{0.035023468, 9.983e-06, 0.119177843, 0.999996175, 0.023942319};
  const std::vector<double> adjusted = benjamini_hochberg(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    CHECK(adjusted[i] == Approx(expected[i]).epsilon(2e-6));
  }
}

TEST_CASE("the order of the samples does not change robust statistics or adjusted p-values") {
  std::mt19937_64 random(1);
  std::vector<double> values{0.31, 0.02, 0.02, 0.9, 0.44, 0.07, 0.001};
  const double quartile = quantile(values, 0.25);
  const double deviation = median_absolute_deviation(values);
  std::vector<double> adjusted = benjamini_hochberg(values);
  std::sort(adjusted.begin(), adjusted.end());
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::shuffle(values.begin(), values.end(), random);
    CHECK(quantile(values, 0.25) == quartile);
    CHECK(median_absolute_deviation(values) == deviation);
    std::vector<double> again = benjamini_hochberg(values);
    std::sort(again.begin(), again.end());
    CHECK(again == adjusted);
  }
}
