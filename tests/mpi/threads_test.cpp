#include <sched.h>

#include "host/binding.h"
#include "session_world.h"
#include "support/catch.h"

using namespace peakline;

namespace {

/// Binds the thread to one processor while in scope.
class OnOneCpu {
 public:
  explicit OnOneCpu(std::int64_t cpu) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OnOneCpu() { sched_setaffinity(0, sizeof before_, &before_); }
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  cpu_set_t before_{};
};

}  // namespace

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

TEST_CASE("ranks that share a processor are named with their host") {
  World& world = session_world();
  const OnOneCpu bound(world.agree(std::int64_t{host::bound_cpus().front()}));
  const std::vector<std::string> sentences = host::crowded_hosts(world);
  CHECK(host::threads_per_rank(world) == 1);
  if (world.size() == 1 || !world.is_root()) {
    CHECK(sentences.empty());
    return;
  }
  REQUIRE(sentences.size() == 1);  // all ranks of this test are on one host
  const std::string begin =
      std::to_string(world.size()) + " ranks on " + world.host() + " together get 1 processor: ";
  CHECK(sentences.front().rfind(begin, 0) == 0);
}

TEST_CASE("processors are listed in the usual short form") {
  CHECK(host::format_cpus({}).empty());
  CHECK(host::format_cpus({3}) == "3");
  CHECK(host::format_cpus({0, 1, 2, 3, 8, 10, 11}) == "0-3,8,10-11");
}
