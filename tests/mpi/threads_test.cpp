#include "host/binding.h"
#include "session_world.h"
#include "support/catch.h"

using namespace peakline;

TEST_CASE("ranks never start more threads than they have processors") {
  World& world = session_world();
  const std::int64_t threads = host::threads_per_rank(world);
  CHECK(threads >= 1);
  CHECK(world.agree(threads) == threads);
  // However ranks are bound, together they fill the host at most once, or have a single thread
  // each.
  const auto cpus = static_cast<std::int64_t>(host::bound_cpus().size());
  CHECK((threads == 1 || threads <= cpus));
}

TEST_CASE("processors are listed in the usual short form") {
  CHECK(host::format_cpus({}).empty());
  CHECK(host::format_cpus({3}) == "3");
  CHECK(host::format_cpus({0, 1, 2, 3, 8, 10, 11}) == "0-3,8,10-11");
}
