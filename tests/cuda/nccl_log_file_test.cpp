#include "cuda/nccl_log_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cuda/nccl_transport.h"
#include "support/catch.h"

using namespace peakline;
using namespace peakline::cuda;

namespace {

/// As before the first NcclLogFile of the process.
void forget_settings() {
  for (const char* setting : {"NCCL_DEBUG", "NCCL_DEBUG_SUBSYS", "NCCL_DEBUG_FILE"}) {
    unsetenv(setting);
  }
}

}  // namespace

TEST_CASE("NCCL's log is read from a file that is gone afterwards") {
  forget_settings();
  std::string path;
  {
    NcclLogFile log;
    path = std::getenv("NCCL_DEBUG_FILE");
    std::ofstream(path) << "Using network IB\n";
    const NcclLogText taken = log.take();
    CHECK(taken.text == "Using network IB\n");
    CHECK(taken.obstacle.empty());
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("a log that NCCL has not written checks nothing, and that is said") {
  forget_settings();
  NcclLogFile log;
  const TransportReport report = report_transport(log.take(), Available{});
  CHECK(report.choices.at("nccl_log") == ParamValue("not read: NCCL wrote no log"));
  REQUIRE(report.concerns.size() == 1);
  CHECK_THAT(report.concerns.front(), Catch::Contains("not checked") &&
                                          Catch::Contains("NCCL wrote no log, see whether it"));
}
