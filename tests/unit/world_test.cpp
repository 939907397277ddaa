#include "core/world.h"

#include <atomic>
#include <stdexcept>

#include "support/catch.h"
#include "support/fake_world.h"

using namespace peakline;

namespace {

const std::vector<std::string> five_on_two{"a", "b", "a", "a", "b"};

}  // namespace

TEST_CASE("ranks, nodes and the largest number of ranks on one node") {
  FakeWorld world(five_on_two);
  CHECK(scope_of(world) == Scope{5, 2, 3});
  FakeWorld alone({"a"});
  CHECK(scope_of(alone) == Scope{1, 1, 1});

  std::atomic<int> agreeing = 0;
  run_ranks(five_on_two, [&](World& rank) { agreeing += scope_of(rank) == Scope{5, 2, 3}; });
  CHECK(agreeing == 5);
}

TEST_CASE("a rank hears what the ranks of its own node say, in their order") {
  std::atomic<int> right = 0;
  run_ranks(five_on_two, [&](World& world) {
    const auto heard = gather_on_node(world, "gpu " + std::to_string(world.rank()));
    const bool on_a = world.host() == "a";
    right += heard == (on_a ? std::vector<std::string>{"gpu 0", "gpu 2", "gpu 3"}
                            : std::vector<std::string>{"gpu 1", "gpu 4"});
  });
  CHECK(right == 5);
}

TEST_CASE("the ranks of a threaded world are as separate as those of a real one") {
  std::atomic<int> right = 0;
  run_ranks(five_on_two, [&](World& world) {
    const double mine = world.rank();
    bool all_right = world.host() == five_on_two[static_cast<std::size_t>(world.rank())];
    const std::vector<double> numbers = world.gather(mine);
    const std::vector<std::string> hosts = world.gather(world.host());
    all_right = all_right && numbers == (world.is_root() ? std::vector<double>{0, 1, 2, 3, 4}
                                                         : std::vector<double>{});
    all_right = all_right && hosts == (world.is_root() ? five_on_two : std::vector<std::string>{});
    std::vector<double> values{mine, -mine};
    world.maximum(values);
    all_right = all_right && values == std::vector<double>{4, 0};
    all_right = all_right && world.agree(std::int64_t{100} + world.rank()) == 100;
    all_right = all_right && world.agree("of " + world.host()) == "of a";
    const auto node = world.split(world.host() == "a" ? 0 : 1);
    all_right = all_right && node->size() == (world.host() == "a" ? 3 : 2);
    all_right = all_right && node->maximum(mine) == (world.host() == "a" ? 3 : 4);
    all_right = all_right && node->agree(world.rank()) == (world.host() == "a" ? 0 : 1);
    right += all_right;
  });
  CHECK(right == 5);
}

TEST_CASE("a rank that throws lets the waiting ones go, and its exception is the one seen") {
  CHECK_THROWS_WITH(run_ranks({"a", "a", "a"},
                              [](World& world) {
                                const auto part = world.split(world.rank() / 2);
                                if (world.rank() == 1) throw std::runtime_error("rank 1 failed");
                                part->barrier();
                                world.barrier();
                              }),
                    "rank 1 failed");
}
