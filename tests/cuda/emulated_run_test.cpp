#include <string>

#include "emulated.h"
#include "support/catch.h"
#include "support/record_edit.h"

using namespace peakline;

TEST_CASE("the shipped program measures and verifies on four emulated GPUs") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 4, "--suite quick --device cuda --time-limit 280s --out r.json",
                   "PEAKLINE_LAUNCH_LIMIT_S=300");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  CHECK(folder.peakline("validate r.json").status == 0);
  CHECK(folder.check_schema("r.json").status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["environment"]["backend"] == "cuda");
  CHECK(record["environment"]["emulated"] == true);
  CHECK(record["environment"]["device_model"] == "NVIDIA H100 80GB HBM3");
  CHECK(contains(record["environment"]["nodes"][0]["software"]["nccl"], "NCCL 2."));
  std::int64_t measured = 0;
  for (const EditableRecord& entry : record["results"]) {
    CAPTURE(entry["key"].get<std::string>());
    REQUIRE(entry["status"] == "ok");
    const bool is_launch = entry["params"].value("path", "") == "launch";  // has no data
    CHECK(entry.contains("verify") == !is_launch);
    if (!is_launch) {
      CHECK(entry["verify"]["wrong"] == 0);
      CHECK(entry["verify"]["checked"].get<std::int64_t>() > 0);
    }
    const bool on_host = is_launch || entry["benchmark"] == "loader";
    CHECK(entry["method"]["timer"] == (on_host ? "steady_clock" : "cuda_event"));
    const bool gated = !on_host && entry["params"].value("mode", "throughput") == "throughput";
    CHECK(contains(entry["method"]["sync"], "gate before each sample") == gated);
    ++measured;
  }
  CHECK(measured > 20);

  const ProgramResult accepted = folder.peakline("accept r.json --into base --reason x");
  CHECK(accepted.status == 2);
  CHECK(contains(accepted.err, "emulated GPU, which has no speed"));
}

TEST_CASE("every type and reduction comes out right, and every one is measured") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(
      folder, 3,
      "--bench allreduce,broadcast --sizes 1000 --dtypes all --redops all --mode "
      "throughput --placement out_of_place --device cuda --time-limit 90s --out r.json");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["results"].size() == 12 * 5 + 12);
  for (const EditableRecord& entry : record["results"]) {
    CAPTURE(entry["key"].get<std::string>());
    CHECK(entry["status"] == "ok");
    CHECK(entry["verify"]["wrong"] == 0);
  }
}

TEST_CASE("every size, placement and mode comes out right") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 3,
                   "--bench allreduce,broadcast --sizes 4,1000,600KiB --placement all --mode all "
                   "--root 2 --device cuda --time-limit 90s --out r.json");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["results"].size() == 2 * 3 * 2 * 2);
  for (const EditableRecord& entry : record["results"]) {
    CAPTURE(entry["key"].get<std::string>());
    CHECK(entry["status"] == "ok");
    CHECK(entry["verify"]["wrong"] == 0);
  }
}

TEST_CASE("graphs and registered buffers come out right, and the keys say which they were") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 3,
                   "--bench allreduce,broadcast --sizes 4,600KiB --placement all --mode all "
                   "--buffers all --launch all --device cuda --time-limit 280s --out r.json");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  CHECK(contains(result.out,
                 "# allreduce, 3 ranks on 1 node, registered buffers, launched as a graph\n"));
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  REQUIRE(record["results"].size() == 2 * 2 * 2 * 2 * 2 * 2);
  std::int64_t graphs = 0;
  for (const EditableRecord& entry : record["results"]) {
    const std::string key = entry["key"];
    CAPTURE(key);
    REQUIRE(entry["status"] == "ok");
    CHECK(entry["verify"]["wrong"] == 0);
    const bool registered = entry["params"].value("buffers", "plain") == "registered";
    const bool graph = entry["params"].value("launch", "stream") == "graph";
    const std::string repro = entry["repro"];
    CHECK(contains(key, "buffers=registered") == registered);
    CHECK(contains(key, "launch=graph") == graph);
    CHECK(contains(repro, "--buffers registered") == registered);
    CHECK(contains(repro, "--launch graph") == graph);
    const bool several = graph && entry["params"]["mode"] == "throughput";
    if (several) CHECK(entry["method"]["iters_per_sample"].get<std::int64_t>() % 16 == 0);
    if (entry["params"]["mode"] == "latency") CHECK(entry["method"]["iters_per_sample"] == 1);
    graphs += graph ? 1 : 0;
  }
  CHECK(graphs == 32);
}

TEST_CASE("an NCCL without registered buffers leaves them out, and says so") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2, std::string(one_case) + "--buffers all --device cuda --out r.json",
                   "PEAKLINE_EMULATED_NCCL_VERSION=21805");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["results"][0]["status"] == "ok");
  CHECK(record["results"][1]["reason"] == "unsupported");
  CHECK(record["results"][1]["note"] == "NCCL 2.18.5 has no registered buffers");
}

TEST_CASE("the way that NCCL takes for each size is in the record and in the table") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 4,
                   "--bench allreduce,broadcast --sizes 1KiB,1MiB --placement in_place --mode "
                   "throughput --launch all --device cuda --out r.json",
                   "TMPDIR=" + folder.path().string());
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  CHECK(contains(result.out, "     NVLS/Simple\n"));
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  for (const EditableRecord& entry : record["results"]) {
    CAPTURE(entry["key"].get<std::string>());
    const bool small = entry["params"]["size_bytes"] == 1024;
    const bool reduces = entry["benchmark"] == "allreduce";
    CHECK(entry["method"]["algorithm"] == (!reduces ? "Ring" : small ? "Tree" : "NVLS"));
    CHECK(entry["method"]["protocol"] == (small ? "LL" : "Simple"));
  }
  CHECK(run_shell("ls | grep -c peakline-nccl", folder.path()).out == "0\n");
}

TEST_CASE("8 bit floats are left out, and said to be, where NCCL does not reduce them") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2,
                   "--bench allreduce --sizes 64 --dtypes float8_e4m3,float16 --mode throughput "
                   "--placement in_place --device cuda --out r.json",
                   "PEAKLINE_EMULATED_GPU=a100");
  CHECK(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["results"][0]["reason"] == "unsupported");
  CHECK(record["results"][1]["status"] == "ok");
}

TEST_CASE("what NCCL chose is in the record, and its log is not on the screen") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 4, std::string(one_case) + "--out r.json");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  CHECK_FALSE(contains(result.err + result.out, "NCCL INFO"));
  const EditableRecord record = parse_record(folder.read("r.json"));
  const EditableRecord& network = record["environment"]["nodes"][0]["network"];
  CHECK(network["nccl_transports"] == "P2P/CUMEM");
  CHECK(network["nccl_channels"] == 8);
  CHECK(network["nccl_nvls"] == "used");
  CHECK(network["nccl_network"] == "Socket");
  for (const char* ours : {"NCCL_DEBUG", "NCCL_DEBUG_SUBSYS", "NCCL_DEBUG_FILE"}) {
    CHECK_FALSE(record["environment"]["settings"].contains(ours));
  }
  CHECK(count_incidents(record, "transport") == 0);
}

TEST_CASE("what NCCL chose and cannot be read is said to be unchecked") {
  const struct {
    const char* environment;
    std::string obstacle;
    const char* advice;
  } cases[] = {
      {"NCCL_DEBUG=WARN", "NCCL_DEBUG is set", "unset it"},
      {"NCCL_DEBUG_FILE=/dev/null", "NCCL_DEBUG_FILE is set", "unset it"},
      // Nobody can write there, not even root. Open MPI needs a folder too.
      {"TMPDIR=/proc OMPI_MCA_orte_tmpdir_base=/tmp", "no temporary file can be made", "TMPDIR"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.environment);
    const TestFolder folder;
    const ProgramResult result = run_emulated(
        folder, 2, std::string(one_case) + "--data-dir . --out r.json", one.environment);
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
    CHECK(contains(result.err, "transport: not checked, because what NCCL chose is not known: " +
                                   one.obstacle + ", "));
    CHECK(contains(result.err, one.advice));
    const EditableRecord record = parse_record(folder.read("r.json"));
    CHECK(count_incidents(record, "transport") == 1);
    const EditableRecord& network = record["environment"]["nodes"][0]["network"];
    CHECK(network["nccl_log"] == "not read: " + one.obstacle);
    CHECK(network["nccl_algorithms"] == "not read: " + one.obstacle);
    CHECK_FALSE(record["results"][0]["method"].contains("algorithm"));
  }
}

TEST_CASE(
    "a fall back that a bandwidth floor could miss is an incident, on the screen and in the "
    "verdict") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 4, std::string(one_case) + "--out r.json",
                                            "PEAKLINE_EMULATED_TRANSPORT=shm");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  CHECK(contains(result.err, "transport: "));
  CHECK(contains(result.err, "NCCL_P2P_"));
  const ProgramResult verdict = folder.peakline("compare r.json --baseline r.json");
  CHECK(contains(verdict.out, "Note: transport: "));
}

TEST_CASE("auto takes the GPUs when every rank has one, and says so") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, std::string(one_case) + "--out r.json");
  CAPTURE(result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.err, "device: cuda, NVIDIA H100 80GB HBM3"));
}

TEST_CASE("a node can be of another kind") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 2, std::string(one_case) + "--out r.json", "PEAKLINE_EMULATED_GPU=t4");
  CHECK(result.status == 0);
  const EditableRecord record = parse_record(folder.read("r.json"));
  CHECK(record["environment"]["device_model"] == "Tesla T4");
  CHECK(record["environment"]["devices_per_node"] == 4);
}

TEST_CASE("two ranks on one GPU are found before NCCL is started") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(
      folder, 2, std::string(one_case) + "--device cuda --out r.json", "CUDA_VISIBLE_DEVICES=3");
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(contains(result.err, "ranks 0 and 1 on "));
  CHECK(contains(result.err, "both have the GPU 0000:4b:00.0"));
}

TEST_CASE("a node is the same whether each rank sees all its GPUs or its own alone") {
  const TestFolder folder;
  const std::string program =
      PEAKLINE_BIN_DIR "/peakline-run --device cuda " + std::string(one_case);
  REQUIRE(run_emulated(folder, 2, std::string(one_case) + "--device cuda --out all.json",
                       "PEAKLINE_EMULATED_GPUS=2")
              .status == 0);
  folder.write("own.sh", "CUDA_VISIBLE_DEVICES=$OMPI_COMM_WORLD_LOCAL_RANK " + program +
                             "--out own.json --no-progress\n");
  const ProgramResult own =
      run_shell("export PEAKLINE_EMULATED_GPUS=2 LD_LIBRARY_PATH=" PEAKLINE_EMULATED_DIR
                "; " PEAKLINE_SOURCE_DIR "/tests/support/launch.sh 2 sh own.sh",
                folder.path());
  CAPTURE(own.err);
  REQUIRE(own.status == 0);
  const EditableRecord seen = parse_record(folder.read_valid("own.json"))["environment"];
  CHECK(seen["devices_per_node"] == 2);
  CHECK(seen["fingerprint"] ==
        parse_record(folder.read_valid("all.json"))["environment"]["fingerprint"]);
}

TEST_CASE("more ranks than GPUs are refused, and auto takes the host on all ranks together") {
  const TestFolder folder;
  const std::string three_on_two = std::string(one_case) + "--out r.json ";
  const ProgramResult refused =
      run_emulated(folder, 3, three_on_two + "--device cuda", "PEAKLINE_EMULATED_GPUS=2");
  CAPTURE(refused.err);
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "start at most 2 ranks on each node"));
  const ProgramResult fallen_back =
      run_emulated(folder, 3, three_on_two, "PEAKLINE_EMULATED_GPUS=2");
  CAPTURE(fallen_back.err);
  CHECK(fallen_back.status == 0);
  CHECK(
      contains(fallen_back.err,
               "device: host; no GPU is used, because this process sees 2 GPUs and is rank 2 of"));
}

TEST_CASE("a machine without a GPU is told so in one sentence") {
  const TestFolder folder;
  const ProgramResult none = run_emulated(
      folder, 1, std::string(one_case) + "--device cuda --out r.json", "PEAKLINE_EMULATED_GPUS=0");
  CHECK(none.status == 2);
  CHECK(contains(none.err, "this process sees no GPU"));
}

TEST_CASE("a driver or an NCCL too old and an NCCL that cannot be loaded are named") {
  const TestFolder folder;
  const std::string arguments = std::string(one_case) + "--device cuda --out r.json";
  const ProgramResult old = run_emulated(folder, 2, arguments, fault("old_driver"));
  CHECK(old.status == 2);
  CHECK(contains(old.err, "the driver knows CUDA up to 12.4 and this build needs"));

  const ProgramResult too_old =
      run_shell("export LD_LIBRARY_PATH=" PEAKLINE_OLD_NCCL_DIR ":" PEAKLINE_EMULATED_DIR
                "; " PEAKLINE_BIN_DIR "/peakline-run " +
                    arguments,
                folder.path());
  CAPTURE(too_old.err);
  CHECK(too_old.status == 2);
  CHECK(contains(too_old.err, "NCCL 2.17.5 was found and 2.18 or newer is needed"));

  folder.write("libnccl.so.2", "no library");
  const ProgramResult hidden = run_shell("export LD_LIBRARY_PATH=$PWD:" PEAKLINE_EMULATED_DIR
                                         "; " PEAKLINE_BIN_DIR "/peakline-run " +
                                             arguments,
                                         folder.path());
  CAPTURE(hidden.err);
  CHECK(hidden.status == 2);
  CHECK(contains(hidden.err, "libnccl.so.2"));
  CHECK(contains(hidden.err, "install it, or name its folder in LD_LIBRARY_PATH"));
}
