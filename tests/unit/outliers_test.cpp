#include "core/outliers.h"

#include "support/catch.h"

using namespace peakline;

TEST_CASE("ranks that are slower than the first quartile by a share") {
  struct Row {
    std::vector<double> time_s;
    std::vector<std::size_t> slow;
  };
  for (const Row& row : std::vector<Row>{
           {{100, 101, 99, 100, 102, 100, 98, 115}, {7}},
           {{100, 100, 100, 100, 100, 100, 100, 101}, {}},
           // Half of the pool is slow: mean and median would be deceived.
           {{100, 100, 115, 115, 100, 115, 100, 115}, {2, 3, 5, 7}},
           {{50, 50.2, 49.9, 50.1, 50, 52, 50.1, 49.8}, {}},
           // Too few ranks to tell who is the odd one.
           {{100, 100, 100, 100, 200}, {}},
           {{100, 100, 100, 100, 100, 200}, {5}},
           {{}, {}},
       }) {
    CHECK(slow_outliers(row.time_s) == row.slow);
  }
}

TEST_CASE("how much slower counts is the caller's choice, and exactly so much is enough") {
  const std::vector<double> time_s{64, 64, 64, 64, 64, 64, 64, 72};
  CHECK(slow_outliers(time_s, 0.125) == std::vector<std::size_t>{7});
  CHECK(slow_outliers(time_s, 0.13).empty());
}
