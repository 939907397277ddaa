#include <set>
#include <string>

#include "emulated.h"
#include "support/catch.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

constexpr const char* transfers = "--bench transfer --device cuda --out r.json";

EditableRecord find_copy(const EditableRecord& record, const std::string& path,
                         std::int64_t distance = 0) {
  for (const EditableRecord& entry : record["results"]) {
    const EditableRecord& params = entry["params"];
    if (params["path"] != path) continue;
    if (distance == 0 || params["distance"] == distance) return entry;
  }
  return {};
}

EditableRecord find_metric(const EditableRecord& entry, const std::string& name) {
  for (const EditableRecord& metric : entry["metrics"]) {
    if (metric["name"] == name) return metric;
  }
  return {};
}

EditableRecord run_with(const TestFolder& folder, int ranks, const std::string& environment = "") {
  const ProgramResult result = run_emulated(folder, ranks, transfers, environment);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return parse_record(folder.read_valid("r.json"));
}

}  // namespace

TEST_CASE("copies between host, GPU and every peer arrive, and a launch is timed") {
  const TestFolder folder;
  const EditableRecord record = run_with(folder, 3);
  for (const char* path : {"to_device", "to_host", "both"}) {
    CAPTURE(path);
    const EditableRecord entry = find_copy(record, path);
    REQUIRE(entry["status"] == "ok");
    CHECK(entry["params"]["memory"] == "pinned");
    const int lanes = path == std::string("both") ? 2 : 1;
    const int repeats = 2;  // of the quick suite
    CHECK(entry["verify"]["checked"] == repeats * 3 * lanes * (1 << 17));
    CHECK(entry["verify"]["wrong"] == 0);
    CHECK(find_metric(entry, "bandwidth")["primary"] == true);
    CHECK(find_metric(entry, "bandwidth")["value"].get<double>() ==
          Approx(lanes * 1048576.0 / find_metric(entry, "time")["value"].get<double>()));
  }
  for (const std::int64_t distance : {1, 2}) {
    const EditableRecord entry = find_copy(record, "to_peer", distance);
    REQUIRE(entry["status"] == "ok");
    CHECK(entry["verify"]["wrong"] == 0);
    CHECK(entry["ranks"]["median_s"].size() == 3);
  }
  const EditableRecord launch = find_copy(record, "launch");
  CHECK(launch["status"] == "ok");
  CHECK(find_metric(launch, "time")["primary"] == true);
  CHECK(launch["metrics"].size() == 1);
  CHECK(record["results"].size() == 6);
  CHECK(folder.check_schema("r.json").status == 0);
}

TEST_CASE("the long suites copy pageable memory too, by the host's clock") {
  const TestFolder folder;
  const ProgramResult result =
      run_emulated(folder, 1, std::string(transfers) + " --suite nightly --time-limit 60");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  std::set<std::string> seen;
  for (const EditableRecord& entry : record["results"]) {
    if (!entry["params"].contains("memory")) continue;
    const auto memory = entry["params"]["memory"].get<std::string>();
    seen.insert(memory + " " + entry["method"]["timer"].get<std::string>());
    CHECK(entry["verify"]["wrong"] == 0);
  }
  CHECK(seen == std::set<std::string>{"pinned cuda_event", "pageable steady_clock"});
}

TEST_CASE("a copy that brings the wrong bytes is found, with its rank") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, transfers, fault("short_copy@1"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  const EditableRecord record = parse_record(folder.read("r.json"));
  for (const EditableRecord& entry : record["results"]) {
    CAPTURE(entry["key"]);
    const bool copies = entry["params"]["path"] != "launch";
    CHECK(entry["status"] == (copies ? "failed" : "ok"));
    if (!copies) continue;
    CHECK(entry["verify"]["wrong"].get<std::int64_t>() > 0);
    CHECK(entry["verify"]["first"]["rank"] == 1);
  }
}

TEST_CASE("peers that a process does not see are left out, and why") {
  const TestFolder folder;
  folder.write("own.sh", "CUDA_VISIBLE_DEVICES=$OMPI_COMM_WORLD_LOCAL_RANK " PEAKLINE_BIN_DIR
                         "/peakline-run --no-progress " +
                             std::string(transfers) + "\n");
  const ProgramResult result =
      run_shell("export LD_LIBRARY_PATH=" PEAKLINE_EMULATED_DIR "; " PEAKLINE_SOURCE_DIR
                "/tests/support/launch.sh 2 sh own.sh",
                folder.path());
  INFO(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  const EditableRecord entry = find_copy(record, "to_peer", 1);
  CHECK(entry["status"] == "skipped");
  CHECK(entry["reason"] == "unsupported");
  CHECK(contains(entry["note"], "a process sees only 1 of the GPUs"));
}

TEST_CASE("a PCIe link that is narrower than it could be is noted") {
  const TestFolder folder;
  const EditableRecord record = run_with(folder, 2, fault("narrow_pcie@1"));
  REQUIRE(count_incidents(record, "pcie") == 1);
  const EditableRecord& incident = record["run"]["incidents"].back();
  CHECK(incident["rank"] == 1);
  CHECK(contains(incident["text"],
                 "gpu 0000:2b:00.0 was linked by PCIe 5.0 x8 although it and its slot can do "
                 "PCIe 5.0 x16"));
  CHECK(contains(incident["case"], "memory=pinned"));  // during launches and peer copies it rests
  CHECK(contains(incident["text"], "and in 2 other cases"));
  CHECK(find_copy(record, "to_host")["telemetry"]["pcie_width_min"] == 8);
  CHECK(contains(folder.peakline("compare r.json --baseline r.json").out, "Note: pcie: rank 1 on"));
}

TEST_CASE("show draws the copies between the GPUs of a node as a map") {
  const TestFolder folder;
  run_with(folder, 3);
  const std::string map = folder.peakline("show r.json").out;
  CHECK(contains(map, "# Copies from GPU (row) to GPU (column) of "));
  for (const char* row :
       {"rank 0 (gpu 0000:1b:00.0)", "rank 1 (gpu 0000:2b:00.0)", "rank 2 (gpu 0000:3b:00.0)"}) {
    CHECK(contains(map, row));
  }
}

TEST_CASE("a host has nothing to transfer to, which is said") {
  const TestFolder folder;
  const ProgramResult result = folder.run_alone("--bench transfer --device host --out r.json");
  CHECK(result.status == 2);
  CHECK(result.err ==
        "peakline-run: --bench transfer measures nothing on this device: it needs a GPU "
        "(--device cuda).\n");
  CHECK(folder.names().empty());
}
