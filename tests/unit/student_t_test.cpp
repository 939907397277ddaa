#include "core/student_t.h"

#include <utility>

#include "support/catch.h"

using namespace peakline;

namespace {

Approx near(double value) { return Approx(value).epsilon(1e-9).margin(1e-15); }

}  // namespace

TEST_CASE("quantiles of Student's t") {
  struct Row {
    double degrees;
    double t_95;
    double t_975;
  };
  const Row row = GENERATE(values<Row>({{1, 6.313752, 12.706205},
                                        {2, 2.919986, 4.302653},
                                        {4, 2.131847, 2.776445},
                                        {6, 1.943180, 2.446912},
                                        {8, 1.859548, 2.306004},
                                        {13, 1.770933, 2.160369},
                                        {30, 1.697261, 2.042272}}));
  CAPTURE(row.degrees);
  CHECK(student_t_quantile(0.95, row.degrees) == Approx(row.t_95).epsilon(0).margin(6e-7));
  CHECK(student_t_quantile(0.975, row.degrees) == Approx(row.t_975).epsilon(0).margin(6e-7));
  CHECK(student_t_quantile(0.05, row.degrees) == near(-student_t_quantile(0.95, row.degrees)));
}

TEST_CASE("the quantile is the inverse of the tail") {
  for (double degrees : {0.5, 2.5, 8.839197889506636, 200.0}) {
    for (double probability : {0.001, 0.3, 0.5, 0.8, 0.9999}) {
      CAPTURE(degrees, probability);
      const double t = student_t_quantile(probability, degrees);
      CHECK(student_t_upper_tail(t, degrees) == Approx(1 - probability).epsilon(2e-7));
    }
  }
}

TEST_CASE("with many degrees of freedom the quantile is that of the normal distribution") {
  for (const auto& [probability, z] : {std::pair{0.975, 1.959963984540054},
                                       {0.995, 2.5758293035489004},
                                       {0.8, 0.8416212335729143}}) {
    CHECK(student_t_quantile(probability, 1e7) == Approx(z).epsilon(1e-6));
  }
}

TEST_CASE("upper tails of Student's t") {
  CHECK(student_t_upper_tail(2, 4) == near(0.05805826175840775));
  CHECK(student_t_upper_tail(2, 8) == near(0.04025811897863128));
  CHECK(student_t_upper_tail(3.5, 8) == near(0.004039541130205945));
  CHECK(student_t_upper_tail(5, 8) == near(0.0005264128966832695));
  CHECK(student_t_upper_tail(1.5, 2.5) == near(0.12391822654314802));
  CHECK(student_t_upper_tail(-2, 8) == near(0.9597418810213687));
  CHECK(student_t_upper_tail(0, 3) == near(0.5));
  // The p-values of Welch's and of the pooled test, two-sided.
  CHECK(2 * student_t_upper_tail(6.98952356609217, 8.839197889506636) == near(6.9966728230651e-05));
  CHECK(2 * student_t_upper_tail(6.941627245191822, 9) == near(6.747019699664743e-05));
}

TEST_CASE("the regularised incomplete beta function") {
  CHECK(incomplete_beta(2, 3, 0.4) == near(0.5248));
  CHECK(incomplete_beta(0.5, 0.5, 0.25) == near(1.0 / 3));
  CHECK(incomplete_beta(4, 0.5, 0.8) == near(0.19501552810007575));
  CHECK(incomplete_beta(10, 10, 0.5) == near(0.5));
  CHECK(incomplete_beta(0.5, 4, 0.2) == near(0.8049844718999244));
  CHECK(incomplete_beta(3, 2, 0) == 0);
  CHECK(incomplete_beta(3, 2, 1) == 1);
  // Symmetry takes the other branch of the evaluation.
  for (double x : {0.01, 0.3, 0.7, 0.99}) {
    CHECK(incomplete_beta(2.5, 7, x) == near(1 - incomplete_beta(7, 2.5, 1 - x)));
  }
}
