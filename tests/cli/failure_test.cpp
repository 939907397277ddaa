#include <algorithm>
#include <filesystem>
#include <string>

#include "support/catch.h"
#include "support/program.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::int64_t lines_with(const std::string& text, const std::string& part) {
  std::int64_t lines = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++lines;
  }
  return lines;
}

const char* small = "--bench allreduce --sizes 8 --placement in_place --mode throughput ";

/// Starts a run of two ranks in the background, waits until the journal holds a result, and does
/// `fault` to the process number $victim of rank 1.
std::string with_fault_in_rank_1(const std::string& run_arguments, const std::string& fault) {
  return PEAKLINE_SOURCE_DIR "/tests/support/launch.sh 2 " PEAKLINE_BIN_DIR "/peakline-run " +
         run_arguments +
         " & launcher=$!\n"
         "for i in $(seq 200); do [ $(wc -l < r.json.part 2>/dev/null || echo 0) -ge 3 ] && break;"
         " sleep 0.05; done\n"
         "for process in $(pgrep -f -- \"--out $PWD/r.json\"); do\n"
         "  tr '\\0' '\\n' < /proc/$process/environ 2>/dev/null |"
         " grep -q '^OMPI_COMM_WORLD_RANK=1$' && victim=$process\n"
         "done\n" +
         fault + "\nwait $launcher";
}

}  // namespace

TEST_CASE("bad usage of peakline-run is one sentence from one rank, with status 2") {
  const TestFolder folder;
  for (const char* arguments : {"--unknown",
                                "surplus",
                                "--sizes 8:4",
                                "--sizes 12bananas",
                                "--suite hourly",
                                "--bench nothing",
                                "--device tpu",
                                "--dtypes float31",
                                "--redops median",
                                "--placement up",
                                "--mode fast",
                                "--time-limit 0",
                                "--seed -1",
                                "--format xml",
                                "--root x",
                                "--sizes",
                                "--extents 8x8",
                                "--extents 8x8x8x8",
                                "--extents 0",
                                "--extents 8x",
                                "--extents 4MiB",
                                "--extents 99999999",
                                "--implementation best",
                                "--bench memory --implementation kernel"}) {
    const ProgramResult result = folder.run_alone(arguments);
    CAPTURE(arguments, result.err);
    CHECK(result.status == 2);
    CHECK(lines_with(result.err, "peakline-run: ") == 1);
    CHECK(result.out.empty());
  }
  const ProgramResult ranks = folder.run_ranks(2, "--sizes 12bananas");
  CAPTURE(ranks.err);
  CHECK(ranks.status == 2);
  CHECK(lines_with(ranks.err, "'12bananas' is not a size") == 1);
  CHECK(folder.names().empty());
}

TEST_CASE("a device that is not there is refused before anything else") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone(std::string("--device cuda ") + small);
  CHECK(result.status == 2);
  CHECK(contains(result.err, "--device cuda cannot be had"));
}

TEST_CASE("a world too small for the root is refused") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--bench broadcast --sizes 8 --root 5");
  CHECK(result.status == 2);
  CHECK(contains(result.err, "--root 5 is no rank of a world of 1"));
  CHECK(folder.run_alone("--bench broadcast --sizes 8 --root 0,5").status == 2);
  CHECK(folder.names().empty());
}

TEST_CASE("a run in which every case was skipped is no success") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--bench gemm --dtypes int32 --out r.json");
  CHECK(result.status == 3);
  CHECK(contains(result.err, "nothing was measured"));
  CHECK(contains(result.out, "skipped (unsupported)"));
}

TEST_CASE("an axis that no chosen benchmark has is refused, not ignored") {
  const TestFolder folder;
  for (const char* arguments :
       {"--bench gemm --sizes 8", "--bench loader --dtypes float32",
        "--bench broadcast --redops sum", "--bench memory --placement in_place",
        "--bench gemm --mode latency", "--bench memory --dtypes int32",
        "--bench allreduce --root all", "--bench memory --extents 8"}) {
    const ProgramResult result = folder.run_alone(arguments);
    CAPTURE(arguments, result.err);
    CHECK(result.status == 2);
    CHECK(lines_with(result.err, "has nothing to act on") == 1);
  }
  CHECK(folder.names().empty());
}

TEST_CASE("a mistyped folder for the data is refused, and nothing is made of it") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--bench loader --data-dir typo --out r.json");
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(contains(result.err, "There is no folder 'typo'"));
  CHECK(folder.names().empty());
}

TEST_CASE("a table that could not be written is no success, and the record is kept") {
  const TestFolder folder;
  const ProgramResult result =
      run_shell(std::string(PEAKLINE_BIN_DIR "/peakline-run --out r.json ") + small + "> /dev/full",
                folder.path());
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(contains(result.err, "standard output could not be written"));
  CHECK(folder.names() == std::vector<std::string>{"r.json"});
}

TEST_CASE("an output that cannot be written is found before measuring") {
  const TestFolder folder;
  folder.write("file", "");
  for (const char* out : {"no/such/folder/r.json", ".", "file/r.json"}) {
    const ProgramResult result = folder.run_alone(std::string("--suite nightly --out ") + out);
    CAPTURE(out, result.err);
    CHECK(result.status == 2);
    CHECK(lines_with(result.err, "peakline-run: ") == 1);
    CHECK(contains(result.err, out));
    CHECK(result.out.empty());
  }
}

TEST_CASE("a record replaces nothing but a record") {
  const TestFolder folder;
  folder.write("notes.txt", "not to be lost");
  folder.write("baseline.json", sample_record());
  for (const auto& [arguments, sentence] :
       {std::pair{"--out notes.txt", "'notes.txt' already, and it is no record"},
        {"--out ./baseline.json --baseline baseline.json", "is read and cannot be written as well"},
        {"--out -", "'-' is no name for a file"}}) {
    const ProgramResult result = folder.run_alone(std::string("--suite nightly ") + arguments);
    CAPTURE(arguments, result.err);
    CHECK(result.status == 2);
    CHECK(lines_with(result.err, "peakline-run: ") == 1);
    CHECK(contains(result.err, sentence));
  }
  CHECK(folder.read("notes.txt") == "not to be lost");
  CHECK(folder.read("baseline.json") == sample_record());
  CHECK(folder.run_alone(std::string(small) + "--out baseline.json").status == 0);
  CHECK(folder.read_valid("baseline.json") != sample_record());
}

TEST_CASE("a baseline that cannot be read is found before measuring") {
  const TestFolder folder;
  folder.write("bad.json", "{");
  const ProgramResult result = folder.run_alone("--suite nightly --out r.json --baseline bad.json");
  CHECK(result.status == 2);
  CHECK(contains(result.err, "bad.json"));
  CHECK(folder.names() == std::vector<std::string>{"bad.json"});
  std::filesystem::create_directory(folder.file("empty"));
  const ProgramResult empty = folder.run_alone("--suite nightly --out r.json --baseline empty");
  CHECK(empty.status == 2);
  CHECK(contains(empty.err, "There is no record in the folder 'empty'"));
}

TEST_CASE("independent worlds of one are refused") {
  const TestFolder folder;
  for (const char* variable : {"SLURM_NTASKS", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE"}) {
    const ProgramResult result = run_shell(
        std::string("export ") + variable + "=4; " PEAKLINE_BIN_DIR "/peakline-run " + small,
        folder.path());
    CAPTURE(variable, result.err);
    CHECK(result.status == 2);
    CHECK(contains(result.err, std::string(variable) + " says 4 tasks"));
  }
}

TEST_CASE("a disk that fills up loses nothing: the record goes to standard error") {
  const TestFolder folder;
  // No file may grow beyond 24 KiB: enough for the plan in the journal, not for the record. Open
  // MPI is kept from making larger ones of its own, and standard error is a pipe.
  const ProgramResult result = run_shell(
      "export PMIX_MCA_gds=hash OMPI_MCA_btl=self\n"
      "(trap '' XFSZ; ulimit -f 48\n" PEAKLINE_BIN_DIR
      "/peakline-run --device host --bench allreduce --sizes 8:64KiB:x2 --mode throughput "
      "--out r.json 2>&1 >/dev/null; echo status $?) | cat",
      folder.path());
  CAPTURE(result.out.substr(0, 2000), result.err);
  CHECK(contains(result.out, "The record stands above, on standard error."));
  CHECK(contains(result.out, "\nstatus 2\n"));
  const std::size_t begin = result.out.find("{\n\"schema\":\"peakline.record\"");
  REQUIRE(begin != std::string::npos);
  folder.write("rescued.json", result.out.substr(begin, result.out.rfind("}\n") + 1 - begin));
  const EditableRecord record = parse_record(folder.read_valid("rescued.json"));
  CHECK(record["results"].size() == record["plan"].size());
  CHECK(contains(record["run"]["incidents"].dump(), "journal"));
  CHECK(folder.names() == std::vector<std::string>{"r.json.part", "rescued.json"});
}

TEST_CASE("a data set with a spoilt byte is wrong data, with the record of it") {
  const TestFolder folder;
  run_shell("mkdir data", folder.path());
  const std::string arguments = "--bench loader --data-dir data --out ";
  REQUIRE(folder.run_alone(arguments + "good.json").status == 0);
  const ProgramResult spoilt = run_shell(
      "for shard in data/rank-0/dataset/peakline-shard-*; do\n"
      "  printf '\\245' | dd of=$shard bs=1 seek=70000 conv=notrunc status=none; done",
      folder.path());
  REQUIRE(spoilt.err.empty());
  const ProgramResult result = folder.run_alone(arguments + "bad.json");
  CAPTURE(result.out, result.err);
  CHECK(result.status == 5);
  const EditableRecord record = parse_record(folder.read_valid("bad.json"));
  CHECK(record["results"][0]["status"] == "failed");
  CHECK(record["results"][0]["reason"] == "wrong_data");
  CHECK(record["results"][0]["verify"]["wrong"].get<std::int64_t>() > 0);
  CHECK(folder.peakline("compare bad.json --baseline good.json").status == 5);
}

TEST_CASE("what a killed run left among the temporary files goes with the next run") {
  const TestFolder folder;
  const std::string environment = "mkdir -p tmp; export TMPDIR=$PWD/tmp\n";
  run_shell(environment + with_fault_in_rank_1("--bench loader,allreduce --suite preflight "
                                               "--out $PWD/r.json",
                                               "kill -KILL $victim"),
            folder.path());
  const std::string left = "ls -d tmp/peakline-*";
  REQUIRE(run_shell(left, folder.path()).status == 0);
  const ProgramResult next = run_shell(
      environment + PEAKLINE_BIN_DIR "/peakline-run --out next.json " + small, folder.path());
  CAPTURE(next.err);
  CHECK(next.status == 0);
  CHECK(run_shell(left, folder.path()).status != 0);
}

TEST_CASE("a rank that throws ends the job with its rank, host and place") {
  const TestFolder folder;
  // Rank 1 alone finds foreign files where its data set should be.
  run_shell("mkdir -p data/rank-1/dataset && echo mine > data/rank-1/dataset/thesis.txt",
            folder.path());
  const ProgramResult result = folder.run_ranks(2, "--bench loader --data-dir data --out r.json");
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(contains(result.err, "peakline-run: rank 1 on "));
  CHECK(contains(result.err, "thesis.txt"));
  CHECK(contains(result.err, ".cpp:"));
  CHECK(run_shell("cat data/rank-1/dataset/thesis.txt", folder.path()).out == "mine\n");
}

TEST_CASE("a killed rank leaves the journal, from which an incomplete record is made") {
  const TestFolder folder;
  const ProgramResult result =
      run_shell(with_fault_in_rank_1("--suite preflight --bench allreduce --out $PWD/r.json",
                                     "kill -KILL $victim"),
                folder.path());
  CAPTURE(result.err);
  CHECK(result.status == 137);
  CHECK(folder.names() == std::vector<std::string>{"r.json.part"});
  CHECK(folder.check_schema("r.json.part").status == 0);
  const ProgramResult shown = folder.peakline("show r.json.part");
  CHECK(shown.status == 0);
  CHECK(contains(shown.out, "INCOMPLETE"));
  CHECK(folder.peakline("show r.json.part --out r.json").status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(record["run"]["complete"] == false);
  CHECK(record["results"].size() >= 1);
  for (const char* file : {"r.json", "r.json.part"}) {
    const ProgramResult verdict = folder.peakline(std::string("compare ") + file);
    CHECK(verdict.status == 5);
    CHECK(contains(verdict.out, "Status 5: the run '"));
  }
  CHECK(folder.peakline("accept r.json --into base --reason x").status == 2);
}

TEST_CASE("a hung rank is ended by the watchdog, which says where it hung") {
  const TestFolder folder;
  const ProgramResult result = run_shell(
      with_fault_in_rank_1("--suite preflight --bench allreduce --time-limit 3s --out $PWD/r.json",
                           "kill -STOP $victim"),
      folder.path());
  CAPTURE(result.err);
  CHECK(result.status == 5);
  CHECK(contains(result.err, "peakline-run: rank 0 on "));
  CHECK(contains(result.err, "in phase '"));
  CHECK(contains(result.err, "of allreduce/"));
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(record["run"]["complete"] == false);
  const EditableRecord& incident = record["run"]["incidents"].back();
  CHECK(incident["kind"] == "stuck");
  CHECK(incident["rank"] == 0);
  CHECK(folder.names() == std::vector<std::string>{"r.json"});  // all of the journal is in it
  CHECK(folder.peakline("compare r.json").status == 5);
}
