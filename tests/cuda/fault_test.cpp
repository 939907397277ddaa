#include <string>

#include "emulated.h"
#include "support/catch.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

const char* sweep =
    "--bench allreduce --sizes 8,64KiB,1MiB --placement out_of_place "
    "--mode throughput --device cuda --out r.json ";

}  // namespace

TEST_CASE("a GPU without room for a size skips that case, and the sweep goes on") {
  const TestFolder folder;
  // 3 MB hold the small messages and not four buffers of 1 MiB.
  const ProgramResult result = run_emulated(folder, 2, sweep, "PEAKLINE_EMULATED_MEMORY=3000000");
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  REQUIRE(record["results"].size() == 3);
  CHECK(record["results"][1]["status"] == "ok");
  CHECK(record["results"][2]["status"] == "skipped");
  CHECK(record["results"][2]["reason"] == "memory");
}

TEST_CASE("memory that is gone on one rank in the middle of a sweep skips the case on all") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, sweep, fault("out_of_memory@1+15"));
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["run"]["complete"] == true);
  CHECK(record["results"][2]["reason"] == "memory");
  CHECK(contains(record["results"][2]["note"], "rank 1: a buffer of "));
}

TEST_CASE("a GPU that is there and does not work is no reason to take the host") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2, std::string(one_case) + "--out r.json", fault("out_of_memory@1"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "peakline-run: The GPU has no room"));
  CHECK(contains(result.err, "(rank 1 on "));
  CHECK(folder.names().empty());
}

TEST_CASE("a wrong result is found, with its rank and place") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 3, sweep, fault("wrong_result@2"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  const EditableRecord record = parse_record(folder.read("r.json"));
  for (const EditableRecord& entry : record["results"]) {
    CHECK(entry["status"] == "failed");
    CHECK(entry["verify"]["wrong"] == 2);  // one in each of two checks
    CHECK(entry["verify"]["first"]["index"] == 0);
    CHECK(entry["verify"]["first"]["rank"] == 2);
  }
}

TEST_CASE("an asynchronous error of NCCL ends the job with rank and words") {
  for (const char* place : {"@1+0", "@1+5"}) {  // in the start, and in a measurement
    CAPTURE(place);
    const TestFolder folder;
    const ProgramResult result =
        run_emulated(folder, 2, sweep, fault(std::string("collective_error") + place));
    CAPTURE(result.err);
    CHECK(result.status == 5);
    CHECK(contains(result.err, "rank 1 on "));
    CHECK(contains(result.err, "An NCCL call failed: unhandled system error"));
    CHECK_FALSE(contains(result.err, "has been in phase"));
  }
}

TEST_CASE("a communicator is given up although graphs hold calls of it") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2, std::string(one_case) + "--launch graph --device cuda --out r.json",
                   fault("collective_error@1+40"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "rank 1 on "));
  CHECK(contains(result.err, "An NCCL call failed: unhandled system error"));
  CHECK_FALSE(contains(result.err, "has been in phase"));
}

TEST_CASE("registered buffers that find no room are skipped on all ranks") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(
      folder, 2,
      "--bench allreduce --sizes 64KiB,64MiB --placement in_place --mode throughput --buffers "
      "registered --device cuda --out r.json",
      "PEAKLINE_EMULATED_GPU=t4 PEAKLINE_EMULATED_MEMORY=150000000");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["results"][0]["status"] == "ok");
  CHECK(record["results"][1]["reason"] == "memory");
}

TEST_CASE("a GPU that falls off the bus ends the job with rank and words") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, sweep, fault("gpu_lost@1+5"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "rank 1 on "));
  CHECK(contains(result.err, "cudaErrorUnknown"));
}

TEST_CASE("a collective that hangs is ended by the watchdog, and the partial record is kept") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, std::string(sweep) + "--time-limit 3s",
                                            fault("collective_hang@1+200"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "has been in phase"));
  CHECK(folder.peakline("compare r.json").status == 5);
}

TEST_CASE("a start of NCCL that hangs is given up with what usually is the cause") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2, std::string(sweep) + "--time-limit 2s", fault("init_hang@1"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "NCCL did not come up within 5.00 s: a rank is missing, or"));
  CHECK_FALSE(contains(result.err, "has been in phase"));
}

TEST_CASE("a first collective that hangs is ended by the watchdog") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2, std::string(sweep) + "--time-limit 2s", fault("collective_hang@1"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "has been in phase 'set-up'"));
}
