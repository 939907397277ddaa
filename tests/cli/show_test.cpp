#include <string>

#include "support/catch.h"
#include "support/program.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

const char* sample_path = PEAKLINE_SOURCE_DIR "/tests/data/noise/run-01.json";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("show prints where a record comes from and its table") {
  const TestFolder folder;
  const ProgramResult result = folder.peakline(std::string("show ") + sample_path);
  CHECK(result.status == 0);
  CHECK(contains(result.out, "allreduce, 2 ranks on 1 node"));
  CHECK(contains(result.out, "busbw"));
  CHECK(contains(result.out, "GFLOP/s"));
  CHECK(result.err.empty());
}

TEST_CASE("show as JSON gives the record back, byte for byte") {
  const TestFolder folder;
  const ProgramResult result = folder.peakline(std::string("show --format json ") + sample_path);
  CHECK(result.status == 0);
  CHECK(result.out == run_shell(std::string("cat ") + sample_path, folder.path()).out);
}

TEST_CASE("every committed record is valid") {
  const TestFolder folder;
  const ProgramResult result =
      folder.peakline("validate " PEAKLINE_SOURCE_DIR "/tests/data/noise/*.json");
  CAPTURE(result.out, result.err);
  CHECK(result.status == 0);
}

TEST_CASE("peaks lists GPUs, one of them, or says that there is none of that name") {
  const TestFolder folder;
  const ProgramResult all = folder.peakline("peaks");
  CHECK(all.status == 0);
  CHECK(contains(all.out, "NVIDIA H100 80GB HBM3"));
  const ProgramResult one = folder.peakline("peaks --device 'Tesla T4'");
  CHECK(one.status == 0);
  CHECK(contains(one.out, "65"));
  CHECK_FALSE(contains(one.out, "H100"));
  const ProgramResult none = folder.peakline("peaks --device 'NVIDIA H1000'");
  CHECK(none.status == 2);
  CHECK(contains(none.err, "NVIDIA H1000"));
}
