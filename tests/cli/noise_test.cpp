#include <string>

#include "support/catch.h"
#include "support/program.h"

using namespace peakline;

// Records of thirteen idle runs on two shared cores and of one run in a cgroup with a quota of a
// quarter of a core, made by scripts/record_noise.sh: the gate must neither cry wolf nor sleep.

namespace {

const std::string data = PEAKLINE_SOURCE_DIR "/tests/data/noise/";

std::string accepted() {
  std::string options;
  for (const char* name : {"accepted-1", "accepted-2", "accepted-3"}) {
    options += " --baseline " + data + name + ".json";
  }
  return options;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ten idle runs on a noisy machine are not called regressed") {
  const TestFolder folder;
  for (int run = 1; run <= 10; ++run) {
    const std::string name = (run < 10 ? "run-0" : "run-") + std::to_string(run) + ".json";
    const ProgramResult result = folder.peakline("compare " + data + name + accepted());
    CAPTURE(name, result.out);
    CHECK(result.status == 0);
    CHECK_FALSE(contains(result.out, "regressed:"));
    CHECK_FALSE(contains(result.out, "below floor"));
  }
}

TEST_CASE("a run with a quarter of a core is reported") {
  const TestFolder folder;
  const ProgramResult result = folder.peakline("compare " + data + "slowed.json" + accepted());
  CAPTURE(result.out);
  CHECK(result.status == 6);
  CHECK(contains(result.out, "Status 6: regressed: "));
  CHECK(contains(result.out, "also changed: device.cpu_quota_percent: '25' here"));
}
