#include <algorithm>
#include <string>

#include "bench/registry.h"
#include "support/catch.h"
#include "support/fake_communicator.h"
#include "support/fake_device.h"

using namespace peakline;

namespace {

/// The one case of the loader on a node of two ranks with so many threads and bytes.
PlannedCase plan_loader(std::int64_t threads, double free_bytes) {
  CallLog log;
  FakeDevice device(log, 1 << 20);
  const FakeCommunicator communicator(0, 2, log);
  MachineShape shape;
  shape.scope = {2, 1, 2};
  shape.threads = threads;
  shape.scratch_file_system = "ext4";
  shape.scratch_free_bytes = free_bytes;
  const auto rows = all_benchmarks();
  const auto loader = std::find_if(rows.begin(), rows.end(),
                                   [](const BenchmarkInfo& row) { return row.name == "loader"; });
  REQUIRE(loader != rows.end());
  return loader->cases({}, shape, device, communicator).front();
}

}  // namespace

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
