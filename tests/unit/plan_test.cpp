#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "bench/registry.h"
#include "bench/rotation.h"
#include "bench/suites.h"
#include "support/catch.h"
#include "support/fake_communicator.h"
#include "support/fake_device.h"

using namespace peakline;

namespace {

std::vector<PlannedCase> plan(const std::string& name, const PlanOptions& options,
                              const MachineShape& shape, MemoryOwner memory = MemoryOwner::node) {
  CallLog log;
  FakeDevice device(log, 1 << 20);
  device.editable_info().memory = memory;
  const FakeCommunicator communicator(0, 2, log);
  const auto rows = all_benchmarks();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const BenchmarkInfo& benchmark) {
    return benchmark.name == name;
  });
  REQUIRE(row != rows.end());
  return row->cases(options, shape, device, communicator);
}

/// The one case of the loader on a node of two ranks with so many threads and bytes.
PlannedCase plan_loader(std::int64_t threads, double free_bytes) {
  MachineShape shape;
  shape.scope = {2, 1, 2};
  shape.threads = threads;
  shape.scratch_file_system = "ext4";
  shape.scratch_free_bytes = free_bytes;
  return plan("loader", {}, shape).front();
}

/// Bytes that an allreduce of this size and placement needs on a device with this much cache.
std::size_t allreduce_bytes(std::int64_t size_bytes, Placement placement, std::size_t cache_bytes) {
  PlanOptions options;
  options.sizes_bytes = {size_bytes};
  options.placements = {placement};
  options.modes = {TimingMode::throughput};
  MachineShape shape;
  shape.scope = {2, 1, 2};
  shape.cache_bytes = cache_bytes;
  return plan("allreduce", options, shape).front().memory_bytes;
}

/// Transfers of a suite on two nodes of so many ranks in all, four on the fuller one.
std::vector<PlannedCase> plan_transfers(const std::string& suite, std::int64_t ranks,
                                        const std::string& numa_obstacle) {
  PlanOptions options;
  options.suite = suite;
  MachineShape shape;
  shape.scope = {ranks, 2, 4};
  shape.visible_devices = 4;
  shape.numa_obstacle = numa_obstacle;
  return plan("transfer", options, shape, MemoryOwner::device);
}

/// The NUMA places of the copies to and from the host, in the order of the plan.
std::set<std::string> numa_places(const std::vector<PlannedCase>& planned) {
  std::set<std::string> places;
  for (const PlannedCase& one : planned) {
    if (one.id.params.contains("memory")) places.insert(one.id.word_if("numa"));
  }
  return places;
}

/// "bfloat16 8192 kernel" and so on.
std::vector<std::string> plan_products(const PlanOptions& options, MemoryOwner memory) {
  std::vector<std::string> products;
  for (const PlannedCase& planned : plan("gemm", options, {}, memory)) {
    const CaseId& id = planned.id;
    products.push_back(id.word("dtype") + " " + std::to_string(id.integer("m")) + " " +
                       id.word("implementation"));
  }
  return products;
}

}  // namespace

TEST_CASE("a GPU is hot when the nightly suite measures its matrix products") {
  CHECK(plan("gemm", {}, {}, MemoryOwner::device).front().heats_device);
  CHECK_FALSE(plan("gemm", {}, {}, MemoryOwner::node).front().heats_device);
  CHECK_FALSE(plan("memory", {}, {}, MemoryOwner::device).front().heats_device);
  CHECK(find_suite("nightly").sampling.burn_in_s == 5);
  CHECK(find_suite("quick").sampling.burn_in_s == 0);
}

TEST_CASE("a GPU multiplies by its library, and what tensor cores are for by a kernel of our own") {
  PlanOptions options;
  options.types = {DataType::bfloat16, DataType::float32, DataType::int8};
  CHECK(plan_products(options, MemoryOwner::device) ==
        std::vector<std::string>{"bfloat16 4096 library", "bfloat16 8192 library",
                                 "bfloat16 8192 kernel", "float32 4096 library",
                                 "float32 8192 library", "tf32 4096 library", "tf32 8192 library",
                                 "tf32 8192 kernel", "int8 4096 library", "int8 8192 library"});
  options.types = {DataType::float16};
  options.extents = {{64, 32, 16}};
  CHECK(plan_products(options, MemoryOwner::device) ==
        std::vector<std::string>{"float16 64 library", "float16 64 kernel"});
  CHECK(plan_products(options, MemoryOwner::node) ==
        std::vector<std::string>{"float16 64 library"});
  options.types = {DataType::int8};
  options.implementations = {Implementation::kernel};
  CHECK(plan_products(options, MemoryOwner::node) == std::vector<std::string>{"int8 64 kernel"});
}

TEST_CASE("the host's memory is near in every suite, far in the long ones, or anywhere") {
  CHECK(numa_places(plan_transfers("quick", 8, "")) == std::set<std::string>{"near"});
  CHECK(numa_places(plan_transfers("nightly", 8, "")) == std::set<std::string>{"near", "far"});
  CHECK(numa_places(plan_transfers("nightly", 8, "one node")) == std::set<std::string>{""});
}

TEST_CASE("peers at a distance that not every node has are left out, and why") {
  std::int64_t distances = 0;
  for (const std::int64_t ranks : {8, 7}) {
    for (const PlannedCase& one : plan_transfers("quick", ranks, "")) {
      if (!one.id.params.contains("distance")) continue;
      ++distances;
      CHECK((one.unsupported.find("different numbers of ranks") != std::string::npos) ==
            (ranks == 7));
    }
  }
  CHECK(distances == 2 * 3);
}

TEST_CASE("a data set that does not fit on its disk is skipped before it is written") {
  constexpr double needed_bytes = 64 << 20;  // quick: of both ranks together
  CHECK(plan_loader(1, needed_bytes + 1).unsupported.empty());
  const std::string reason = plan_loader(1, needed_bytes - 1).unsupported;
  CHECK(reason.find("are free there: choose another --data-dir") != std::string::npos);
}

TEST_CASE("the loader has several readers, and not as many as there are threads on a large node") {
  CHECK(plan_loader(1, 1e12).id.integer("threads") == 2);
  CHECK(plan_loader(3, 1e12).id.integer("threads") == 3);
  CHECK(plan_loader(96, 1e12).id.integer("threads") == 4);
}

TEST_CASE("steps rotate through twice the cache, and not at all without one") {
  const Rotation none = rotation_of(1000, 0);
  CHECK(none.slices == 1);
  CHECK(none.total_bytes() == 1000);

  const Rotation small = rotation_of(8, 1 << 20);
  CHECK(small.stride_bytes == 512);
  CHECK(small.slices == 2 * (1 << 20) / 512);

  const Rotation odd = rotation_of(700'000, 1 << 20);
  CHECK(odd.stride_bytes % 512 == 0);
  CHECK(odd.stride_bytes >= 700'000);
  CHECK(odd.slices == 3);  // two would leave some of the first in the cache

  CHECK(rotation_of(2 << 20, 1 << 20).slices == 1);
}

TEST_CASE("a plan counts the memory of all slices, and of a check without them") {
  constexpr std::size_t cache_bytes = 1 << 20;
  CHECK(allreduce_bytes(1024, Placement::out_of_place, 0) == 4 * 1024);
  CHECK(allreduce_bytes(1024, Placement::out_of_place, cache_bytes) ==
        2 * (2 * cache_bytes + 1024));
  CHECK(allreduce_bytes(1024, Placement::in_place, cache_bytes) == 2 * cache_bytes + 1024 + 1024);
  CHECK(allreduce_bytes(8 << 20, Placement::out_of_place, cache_bytes) == 4 * (8 << 20));
}
