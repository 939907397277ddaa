#include <algorithm>
#include <string>
#include <vector>

#include "session_world.h"
#include "support/catch.h"

using namespace peakline;

TEST_CASE("gather brings every rank's item to rank 0 in order") {
  World& world = session_world();
  const std::vector<double> numbers = world.gather(10.0 * world.rank());
  // Texts of different length, an empty one among them.
  const std::vector<std::string> texts =
      world.gather(std::string(static_cast<std::size_t>(world.rank()), 'x'));
  if (!world.is_root()) {
    CHECK(numbers.empty());
    CHECK(texts.empty());
    return;
  }
  REQUIRE(numbers.size() == static_cast<std::size_t>(world.size()));
  REQUIRE(texts.size() == numbers.size());
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    CHECK(numbers[rank] == 10.0 * static_cast<double>(rank));
    CHECK(texts[rank] == std::string(rank, 'x'));
  }
}

TEST_CASE("maximum is taken element by element and known to every rank") {
  World& world = session_world();
  std::vector<double> values{static_cast<double>(world.rank()), static_cast<double>(-world.rank())};
  world.maximum(values);
  CHECK(values[0] == world.size() - 1);
  CHECK(values[1] == 0);
  CHECK(world.maximum(world.rank() == world.size() - 1 ? 5.5 : 1.0) == 5.5);
}

TEST_CASE("every rank learns what rank 0 says, whatever it says itself") {
  World& world = session_world();
  CHECK(world.agree(static_cast<std::int64_t>(100 + world.rank())) == 100);
  CHECK(world.agree("rank " + std::to_string(world.rank())) == "rank 0");
  CHECK(world.agree(std::string()).empty());
}

TEST_CASE("a split world holds the ranks of one group") {
  World& world = session_world();
  const auto half = world.split(world.rank() % 2);
  CHECK(half->rank() == world.rank() / 2);
  CHECK(half->size() == (world.size() + 1 - world.rank() % 2) / 2);
  CHECK(half->maximum(static_cast<double>(world.rank())) >= world.rank());
  CHECK(half->agree(static_cast<std::int64_t>(world.rank())) == world.rank() % 2);
}

TEST_CASE("the scope of one host") {
  World& world = session_world();
  const Scope scope = scope_of(world);
  CHECK(scope == Scope{world.size(), 1, world.size()});
}
