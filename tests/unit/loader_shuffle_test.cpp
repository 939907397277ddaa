#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "loader/batch_order.h"
#include "loader/shuffle.h"
#include "support/catch.h"

using namespace peakline;

namespace {

std::vector<std::int64_t> order_of(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
  const Permutation permutation(count, seed, epoch);
  std::vector<std::int64_t> order;
  for (std::int64_t position = 0; position < count; ++position) {
    order.push_back(permutation(position));
  }
  return order;
}

std::vector<std::int64_t> all_below(std::int64_t count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::int64_t> batch_of(const BatchOrder& order, std::int64_t batch) {
  std::vector<std::int64_t> records(static_cast<std::size_t>(order.batch_size));
  order.records_of(batch, records);
  return records;
}

/// What all ranks take in one epoch, with repeats if there are any.
std::vector<std::int64_t> taken_in_epoch(BatchOrder order, std::int64_t epoch) {
  std::vector<std::int64_t> taken;
  for (order.rank = 0; order.rank < order.ranks; ++order.rank) {
    for (std::int64_t batch = 0; batch < order.batches_per_epoch(); ++batch) {
      const auto records = batch_of(order, epoch * order.batches_per_epoch() + batch);
      taken.insert(taken.end(), records.begin(), records.end());
    }
  }
  return sorted(taken);
}

}  // namespace

TEST_CASE("an epoch is a permutation for every number of records") {
  for (std::int64_t count : {1, 2, 3, 4, 5, 7, 63, 64, 65, 1000, 4097}) {
    for (std::int64_t epoch : {0, 1, 2}) {
      CAPTURE(count, epoch);
      CHECK(sorted(order_of(count, 42, epoch)) == all_below(count));
    }
  }
}

TEST_CASE("large numbers of records stay in range") {
  const std::int64_t count = (std::int64_t{1} << 40) + 1;
  const Permutation permutation(count, 42, 0);
  for (std::int64_t position : {std::int64_t{0}, count / 2, count - 1}) {
    const std::int64_t record = permutation(position);
    CHECK(record >= 0);
    CHECK(record < count);
  }
}

TEST_CASE("epochs and seeds have orders of their own") {
  CHECK(order_of(64, 42, 0) == order_of(64, 42, 0));
  CHECK(order_of(64, 42, 0) != order_of(64, 42, 1));
  CHECK(order_of(64, 42, 0) != order_of(64, 43, 0));
  CHECK(order_of(64, 42, 0) != all_below(64));
}

TEST_CASE("over the epochs every order of three records comes equally often") {
  constexpr std::int64_t epochs = 6000;
  std::map<std::vector<std::int64_t>, std::int64_t> seen;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) ++seen[order_of(3, 42, epoch)];
  REQUIRE(seen.size() == 6);
  // 1000 each are expected, with a standard deviation of 29.
  for (const auto& [order, count] : seen) CHECK(std::abs(count - epochs / 6) < 5 * 29);
}

TEST_CASE("the ranks of an epoch take every record once") {
  struct Row {
    std::int64_t records;
    std::int64_t batch_size;
    std::int64_t ranks;
  };
  for (const Row& row : {Row{64, 8, 1}, Row{64, 4, 4}, Row{63, 7, 3}, Row{5, 1, 5}}) {
    CAPTURE(row.records, row.ranks);
    const BatchOrder order{row.records, row.batch_size, 0, row.ranks, 42};
    CHECK(taken_in_epoch(order, 0) == all_below(row.records));
    CHECK(taken_in_epoch(order, 3) == all_below(row.records));
  }
}

TEST_CASE("what makes no batch on every rank is left out, and nothing is taken twice") {
  const BatchOrder order{100, 8, 0, 3, 42};
  CHECK(order.batches_per_epoch() == 4);
  auto taken = taken_in_epoch(order, 0);
  CHECK(taken.size() == 96);
  CHECK(std::adjacent_find(taken.begin(), taken.end()) == taken.end());
  CHECK(taken != taken_in_epoch(order, 1));
}

TEST_CASE("the position of a rank does not depend on the number of ranks") {
  const auto whole = order_of(64, 42, 1);
  const BatchOrder second{64, 4, 1, 2, 42};
  const auto records = batch_of(second, second.batches_per_epoch() + 1);
  CHECK(records == std::vector<std::int64_t>{whole[9], whole[11], whole[13], whole[15]});
}

TEST_CASE("an order that gives no batch is refused") {
  struct Row {
    BatchOrder order;
    std::string sentence;
  };
  for (const Row& row : {Row{{15, 8, 0, 2, 1}, "at least 16"}, Row{{15, 0, 0, 2, 1}, "at least 1"},
                         Row{{15, 1, 2, 2, 1}, "Rank 2 of 2"}, Row{{15, 1, -1, 2, 1}, "Rank -1"}}) {
    CHECK_THROWS_WITH(row.order.check(), Catch::Contains(row.sentence));
  }
  CHECK_NOTHROW((BatchOrder{16, 8, 1, 2, 1}.check()));
}
