#include <string>

#include "support/catch.h"
#include "support/program.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const char* small = "--bench allreduce --sizes 8,64KiB --placement out_of_place --mode throughput ";

}  // namespace

TEST_CASE("two ranks write a valid record and a table that nccl-tests users can read") {
  const TestFolder folder;
  const ProgramResult result = folder.run_ranks(2, std::string(small) + "--out r.json --label box");
  REQUIRE(result.status == 0);
  for (const char* title :
       {"size", "count", "type", "redop", "time", "algbw", "busbw", "#wrong", "+-%", "slowest"}) {
    CHECK(contains(result.out, title));
  }
  CHECK(folder.names() == std::vector<std::string>{"r.json"});  // the journal is gone
  CHECK(folder.peakline("validate r.json").status == 0);
  CHECK(folder.check_schema("r.json").status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(record["run"]["complete"] == true);
  CHECK(record["run"]["label"] == "box");
  CHECK(record["environment"]["world"]["ranks"] == 2);
  REQUIRE(record["results"].size() == 2);
  for (const EditableRecord& entry : record["results"]) {
    CHECK(entry["status"] == "ok");
    CHECK(entry["verify"]["wrong"] == 0);
    // Every element on both ranks, twice.
    CHECK(entry["verify"]["checked"] == 2 * 2 * entry["params"]["size_bytes"].get<int>() / 4);
    CHECK(entry["method"]["rank_reduction"] == "max");
    CHECK(contains(entry["repro"], "mpirun -np 2 peakline-run"));
  }
}

TEST_CASE("a world of one works without mpirun, and has no bus") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone(std::string(small) + "--out r.json");
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(record["environment"]["world"]["ranks"] == 1);
  for (const EditableRecord& metric : record["results"][0]["metrics"]) {
    CHECK(metric["name"] != "busbw");
  }
}

TEST_CASE("every axis can be asked for, and what cannot be is skipped by name") {
  const TestFolder folder;
  const ProgramResult result = folder.run_ranks(
      2,
      "--bench allreduce,broadcast --sizes 1KiB --dtypes all --redops all --placement all "
      "--mode all --root all --time-limit 90s --out r.json");
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  std::size_t ok = 0;
  std::size_t unsupported = 0;
  for (const EditableRecord& entry : record["results"]) {
    ok += entry["status"] == "ok" ? 1U : 0U;
    unsupported += entry["status"] == "skipped" && entry["reason"] == "unsupported" ? 1U : 0U;
  }
  // MPI has eight of the twelve types and four of the five reductions, and broadcasts in place.
  const std::size_t allreduces = 12 * 5 * 2 * 2;
  const std::size_t broadcasts = 12 * 2 * 2 * 2;
  CHECK(ok == 8 * 4 * 2 * 2 + 8 * 2 * 2);
  CHECK(unsupported == allreduces + broadcasts - ok);
  CHECK(record["results"].size() == record["plan"].size());
}

TEST_CASE(
    "a host has no registered buffers, no graphs and no kernel of our own, and that is said") {
  const TestFolder folder;
  const ProgramResult result = folder.run_ranks(
      2,
      "--bench allreduce --sizes 1KiB --placement in_place --mode throughput --buffers registered "
      "--launch all --out r.json");
  CAPTURE(result.err);
  CHECK(result.status == 3);
  CHECK(contains(result.err, "nothing was measured: every case was skipped"));
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  REQUIRE(record["results"].size() == 2);
  for (const EditableRecord& entry : record["results"]) {
    CHECK(entry["reason"] == "unsupported");
    CHECK(contains(entry["note"].get<std::string>(), "has no registered buffers"));
  }
  const ProgramResult product =
      folder.run_ranks(1, "--bench gemm --implementation kernel --extents 8 --out g.json");
  CHECK(product.status == 3);
  CHECK(contains(product.out, "there is a kernel of Peakline's own for GPUs only"));
  const ProgramResult idle = folder.run_ranks(1, "--bench gemm --launch graph --out x.json");
  CHECK(idle.status == 2);
  CHECK(contains(idle.err, "--launch"));
}

TEST_CASE("more ranks than cores still agree") {
  const TestFolder folder;
  const ProgramResult result =
      folder.run_ranks(5, "--bench allreduce --sizes 8 --placement in_place --out r.json");
  REQUIRE(result.status == 0);
  CHECK(parse_record(folder.read_valid("r.json"))["environment"]["world"]["ranks"] == 5);
}

TEST_CASE("the record alone goes to standard output as JSON") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone(std::string(small) + "--out r.json --format json");
  REQUIRE(result.status == 0);
  CHECK(result.out == folder.read("r.json"));
  CHECK_FALSE(contains(result.err, "% "));  // no progress bar off a terminal
}

TEST_CASE("on a terminal there is a progress bar with the time that is left") {
  const TestFolder folder;
  const std::string command = PEAKLINE_BIN_DIR "/peakline-run --out r.json " + std::string(small);
  const auto on_terminal = [&](const std::string& option) {
    return run_shell("script -qec '" + command + option + "' /dev/null", folder.path());
  };
  const ProgramResult shown = on_terminal("");
  REQUIRE(shown.status == 0);
  CHECK(contains(shown.out, "% "));
  CHECK(contains(shown.out, " left"));
  CHECK_FALSE(contains(on_terminal("--no-progress").out, " left"));
}

TEST_CASE("a repro command measures the same key again") {
  const TestFolder folder;
  REQUIRE(folder
              .run_alone("--device host --bench gemm --dtypes float32 --extents 8,9x65x33 --seed 7 "
                         "--out r.json")
              .status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  REQUIRE(record["results"].size() == 2);
  const auto repro = record["results"][1]["repro"].get<std::string>();
  CHECK(repro ==
        "peakline-run --device host --suite quick --bench gemm --seed 7 --extents 9x65x33 "
        "--dtypes float32 --implementation library");
  const ProgramResult again =
      run_shell(PEAKLINE_BIN_DIR "/" + repro + " --out again.json", folder.path());
  CHECK(again.status == 0);
  const EditableRecord again_record = parse_record(folder.read_valid("again.json"));
  REQUIRE(again_record["plan"].size() == 1);
  CHECK(again_record["plan"][0] == record["plan"][1]);
}

TEST_CASE("a dry run prints the plan and writes nothing") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--suite quick --dry-run");
  CHECK(result.status == 0);
  CHECK(contains(result.out, "allreduce/dtype=float32"));
  CHECK(contains(result.out, "loader/"));
  CHECK(contains(result.out, " cases in 3 passes: at least "));
  CHECK(folder.names().empty());
  const ProgramResult huge =
      folder.run_alone("--bench allreduce --sizes 8,1TiB --mode throughput --dry-run");
  CHECK(contains(huge.out,
                 "size_bytes=1099511627776/ranks=1,nodes=1,ranks_per_node=1  (skipped, "
                 "unsupported: "));
  CHECK(contains(huge.out, "2 of 4 cases in 3 passes"));
}

TEST_CASE("ranks that share a processor are told, in the record and on the screen") {
  const TestFolder folder;
  const ProgramResult result = run_shell(
      std::string("one=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//'); " PEAKLINE_SOURCE_DIR
                  "/tests/support/launch.sh 2 taskset -c $one " PEAKLINE_BIN_DIR
                  "/peakline-run --device host --out r.json ") +
          small,
      folder.path());
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.err, "crowded: 2 ranks on "));
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  REQUIRE(record["run"]["incidents"].size() == 1);
  CHECK(record["run"]["incidents"][0]["kind"] == "crowded");
  CHECK(contains(record["run"]["incidents"][0]["text"].get<std::string>(),
                 " together get 1 processor: "));
}

TEST_CASE("the list names every benchmark and suite") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--list");
  CHECK(result.status == 0);
  for (const char* name :
       {"allreduce", "broadcast", "gemm", "memory", "loader", "quick", "nightly"}) {
    CHECK(contains(result.out, name));
  }
}

TEST_CASE("a run judges itself with the status of peakline compare") {
  const TestFolder folder;
  REQUIRE(folder.run_alone(std::string(small) + "--out a.json").status == 0);
  EditableRecord record = parse_record(folder.read_valid("a.json"));
  record["run"]["id"] = "much-faster";
  for (EditableRecord& result : record["results"]) slow_down(result, 0.01);
  folder.write("fast.json", record.dump());
  const ProgramResult judged =
      folder.run_alone(std::string(small) + "--out b.json --baseline fast.json");
  CAPTURE(judged.out);
  CHECK(judged.status == 6);
  CHECK(contains(judged.out, "Status 6: regressed"));
  CHECK(folder.peakline("compare b.json --baseline fast.json").status == 6);
}

TEST_CASE("the time limit leaves a record that is complete in form") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--suite quick --time-limit 1s --out r.json");
  CHECK(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(record["run"]["complete"] == true);
  CHECK(record["results"].size() == record["plan"].size());
  std::size_t skipped = 0;
  for (const EditableRecord& entry : record["results"]) {
    skipped += entry["status"] == "skipped" && entry["reason"] == "time_limit" ? 1U : 0U;
  }
  CHECK(skipped > 0);
  CHECK(skipped < record["results"].size());
}
