#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "bench/registry.h"
#include "host/host_device.h"
#include "mpi/host_communicator.h"
#include "session_world.h"
#include "support/catch.h"
#include "support/faulty_communicator.h"

using namespace peakline;

namespace {

constexpr std::int64_t size_bytes = 1 << 20;
constexpr std::int64_t elements = size_bytes / 4;

CaseId allreduce_case(const Scope& scope) {
  return {"allreduce",
          {{"dtype", "float32"},
           {"mode", "throughput"},
           {"placement", "out_of_place"},
           {"redop", "sum"},
           {"size_bytes", size_bytes}},
          scope};
}

/// What the real benchmark's verification says when the communicator has these faults.
Verification verify_with(FaultyCommunicator::Faults faults) {
  World& world = session_world();
  const auto device = host::make_host_device(1);
  const auto real = mpi::make_host_communicator(world);
  FaultyCommunicator faulty(*real, std::move(faults));
  Context context{world, *device, faulty, scope_of(world), 1, ""};
  const auto benchmark = allreduce_info().make(context, allreduce_case(context.scope));
  benchmark->prepare_check(42);
  return benchmark->verify(42);
}

int last_rank() { return session_world().size() - 1; }

}  // namespace

TEST_CASE("verification of a sound communicator finds nothing wrong") {
  const Verification result = verify_with({});
  if (!session_world().is_root()) return;
  CHECK(result.checked == elements * session_world().size());
  CHECK(result.wrong == 0);
  CHECK_FALSE(result.first);
}

TEST_CASE("one corrupted element is found with its index and rank") {
  const Verification result = verify_with({[](int rank, float* received, std::int64_t) {
                                             if (rank == last_rank()) received[4321] += 1;
                                           },
                                           {}});
  if (!session_world().is_root()) return;
  CHECK(result.wrong == 1);
  REQUIRE(result.first);
  CHECK(result.first->index == 4321);
  CHECK(result.first->rank == last_rank());
  CHECK(result.first->found == result.first->expected + 1);
}

TEST_CASE("an element that is not a number is found and has no value") {
  const Verification result = verify_with({[](int rank, float* received, std::int64_t) {
                                             if (rank == 0)
                                               received[0] =
                                                   std::numeric_limits<float>::quiet_NaN();
                                           },
                                           {}});
  if (!session_world().is_root()) return;
  CHECK(result.wrong == 1);
  REQUIRE(result.first);
  CHECK_FALSE(result.first->found);
}

TEST_CASE("two swapped chunks are found") {
  constexpr std::int64_t chunk = 1024;
  const Verification result =
      verify_with({[](int rank, float* received, std::int64_t count) {
                     if (rank != 0) return;
                     std::swap_ranges(received, received + chunk, received + count - chunk);
                   },
                   {}});
  if (!session_world().is_root()) return;
  CHECK(result.wrong > chunk);  // of 2 * chunk; few elements are equal by chance
  CHECK(result.wrong <= 2 * chunk);
  REQUIRE(result.first);
  CHECK(result.first->rank == 0);
  CHECK(result.first->index < chunk);
}

TEST_CASE("a rank whose contribution is dropped makes every element wrong") {
  const Verification result = verify_with({{}, [](int rank) { return rank == last_rank(); }});
  if (!session_world().is_root()) return;
  CHECK(result.wrong == elements * session_world().size());
  REQUIRE(result.first);
  CHECK(result.first->index == 0);
}

TEST_CASE("on a host every step has the same buffers, as in the bare loop that users know") {
  World& world = session_world();
  const auto device = host::make_host_device(1);
  const auto real = mpi::make_host_communicator(world);
  std::vector<float*> places;
  FaultyCommunicator communicator(
      *real, {[&](int, float* received, std::int64_t) { places.push_back(received); }, {}});
  Context context{world, *device, communicator, scope_of(world), 1, ""};
  const auto benchmark = allreduce_info().make(context, allreduce_case(context.scope));
  for (int step = 0; step < 3; ++step) benchmark->step();
  CHECK(places == std::vector<float*>(3, places.front()));
}
