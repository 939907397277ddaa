#include <memory>
#include <set>
#include <vector>

#include "bench/registry.h"
#include "cuda/nccl_communicator.h"
#include "mpi/session_world.h"
#include "support/catch.h"
#include "support/faulty_communicator.h"

using namespace peakline;

namespace {

constexpr double limit_s = 30;
constexpr std::int64_t count = 4099;

/// A sum over `communicator` of a pattern of `seed`, checked.
PatternCheck sum_over(Communicator& communicator, Device& device, std::uint64_t seed) {
  const auto buffer = device.allocate(count * sizeof(float));
  const PatternSpec spec =
      make_pattern(seed, communicator.size(), DataType::float32, ReduceOp::sum);
  device.fill_pattern(*buffer, DataType::float32, count, spec, communicator.rank());
  communicator.allreduce(*buffer, *buffer, count, DataType::float32, ReduceOp::sum);
  return device.check_reduced(*buffer, DataType::float32, count, spec);
}

/// The first allreduce of those that can be measured here.
RunnableCase first_case(const Context& context) {
  PlanOptions options;
  options.suite = "quick";
  options.sizes_bytes = {1 << 10};
  MachineShape shape;
  shape.scope = context.scope;
  return make_plan({"allreduce"}, options, shape, context.device, context.communicator).front();
}

}  // namespace

TEST_CASE("each part of a communicator reduces its own data", "[split]") {
  World& world = session_world();
  const auto device = cuda::make_cuda_device(world.rank());
  const auto whole = cuda::make_nccl_communicator(world, *device, limit_s);
  const int group = world.rank() % 2;
  {
    const auto part = whole->split(group);
    CHECK(part->size() == world.size() / 2);
    CHECK(part->rank() == world.rank() / 2);
    const PatternCheck check = sum_over(*part, *device, 7 + static_cast<std::uint64_t>(group));
    CHECK(check.checked == count);
    CHECK(check.wrong == 0);
  }
  CHECK(sum_over(*whole, *device, 9).wrong == 0);  // the part is gone, and is not asked any more
}

// PEAKLINE_EMULATED_FAULT lets all collectives but those of the start fail.

TEST_CASE("an error in a part of a communicator is noticed", "[part_error]") {
  World& world = session_world();
  const auto device = cuda::make_cuda_device(world.rank());
  const auto whole = cuda::make_nccl_communicator(world, *device, limit_s);
  const auto part = whole->split(world.rank() % 2);
  CHECK_THROWS_WITH(sum_over(*part, *device, 7), Catch::Contains("unhandled system error"));
}

TEST_CASE("a verification that meets an error ends with it", "[verify_error]") {
  World& world = session_world();
  const auto device = cuda::make_cuda_device(world.rank());
  const auto communicator = cuda::make_nccl_communicator(world, *device, limit_s);
  Context context{world, *device, *communicator, scope_of(world), 1, ""};
  const RunnableCase runnable = first_case(context);
  const auto benchmark = runnable.benchmark->make(context, runnable.planned.id);
  benchmark->prepare_check(7);
  CHECK_THROWS_WITH(benchmark->verify(7), Catch::Contains("unhandled system error"));
}

TEST_CASE("a message is not where the cache still has the last ones", "[ring]") {
  World& world = session_world();
  const auto device = cuda::make_cuda_device(world.rank());
  const auto real = cuda::make_nccl_communicator(world, *device, limit_s);
  std::vector<float*> places;
  FaultyCommunicator communicator(
      *real, {[&](int, float* received, std::int64_t) { places.push_back(received); }, {}});
  Context context{world, *device, communicator, scope_of(world), 1, ""};
  const RunnableCase runnable = first_case(context);
  const auto benchmark = runnable.benchmark->make(context, runnable.planned.id);
  const std::size_t slices = 2 * device->info().cache_bytes / (1 << 10);
  REQUIRE(slices > 10);
  for (std::size_t step = 0; step <= slices; ++step) benchmark->step();
  device->synchronise();
  CHECK(places.back() == places.front());
  places.pop_back();
  CHECK(std::set<float*>(places.begin(), places.end()).size() == slices);
}
