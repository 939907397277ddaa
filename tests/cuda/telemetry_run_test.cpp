#include <string>

#include "emulated.h"
#include "support/catch.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

const std::string sweep = std::string(one_case) + "--device cuda --out r.json";

EditableRecord run_with(const TestFolder& folder, const std::string& environment, int ranks = 2) {
  const ProgramResult result = run_emulated(folder, ranks, sweep, environment);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return parse_record(folder.read_valid("r.json"));
}

}  // namespace

TEST_CASE("what NVML says of the GPUs during a case is in its result") {
  const TestFolder folder;
  const EditableRecord record = run_with(folder, "");
  CHECK(record["environment"]["nodes"][0]["device"]["telemetry"] == "NVML emulated");
  CHECK(record["environment"]["nodes"][0]["device"]["power_limit_w"] == 700);
  CHECK(record["environment"]["nodes"][0]["device"]["ecc"] == "on");
  const EditableRecord& placement = record["environment"]["world"]["placement"];
  CHECK(placement[0]["uuid"] == "GPU-e0000000-0000-0000-0000-00000000000f");
  CHECK(placement[1]["uuid"] == "GPU-e1000000-0000-0000-0000-00000000000f");
  const EditableRecord& telemetry = record["results"][0]["telemetry"];
  CHECK(telemetry["sm_clock_hz_mean"] == 1.98e9);
  CHECK(telemetry["sm_clock_hz_min"] == 1.98e9);
  CHECK(telemetry["memory_clock_hz_mean"] == 2.619e9);
  CHECK(telemetry["power_w_mean"] == 560);
  CHECK(telemetry["power_limit_w_min"] == 700);
  CHECK(telemetry["temperature_c_max"] == 60);
  CHECK(telemetry["memory_used_share_max"] == 0.1);
  CHECK(telemetry["utilization_share_mean"] == 1);
  CHECK(telemetry["power_capped_share_max"] == 0);
  CHECK(telemetry["thermal_slowdown_share_max"] == 0);
  CHECK(telemetry["hardware_slowdown_share_max"] == 0);
  CHECK(telemetry["pcie_generation_min"] == 5);
  CHECK(telemetry["pcie_width_min"] == 16);
  CHECK(telemetry["nvlinks_up_min"] == 18);
  CHECK(telemetry["ecc_corrected_new"] == 0);
  CHECK(telemetry["ecc_uncorrected_new"] == 0);
  CHECK(telemetry["rows_remapped_max"] == 0);
  CHECK(folder.check_schema("r.json").status == 0);
  for (const char* kind : {"throttled", "hot", "memory_full", "ecc"}) {
    CHECK(count_incidents(record, kind) == 0);
  }
}

TEST_CASE("a GPU that is throttled, hot, full or has memory errors changes the verdict's text") {
  const struct {
    const char* fault;
    const char* kind;
    const char* text;
  } cases[] = {
      {"throttled@1", "throttled",
       "was slowed down by heat in 100.0 % of the readings, at 1188 MHz"},
      {"power_capped@1", "throttled",
       "was held at 1188 MHz of 1980 MHz by its power limit of 700 W"},
      {"hot@1", "hot", "reached 91 °C"},
      {"memory_full@1", "memory_full", "had 95.0 % of its memory in use"},
      {"ecc_errors@1", "ecc", "new uncorrected memory errors (ECC)"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.fault);
    const TestFolder folder;
    const EditableRecord record = run_with(folder, fault(one.fault));
    REQUIRE(count_incidents(record, one.kind) == 1);
    const EditableRecord& incident = record["run"]["incidents"].back();
    CHECK(incident["rank"] == 1);
    CHECK(contains(incident["text"], "gpu 0000:2b:00.0"));
    CHECK(contains(incident["text"], one.text));
    CHECK(contains(incident["case"], "allreduce/"));
    const ProgramResult verdict = folder.peakline("compare r.json --baseline r.json");
    CHECK(contains(verdict.out, std::string("Note: ") + one.kind + ": rank 1 on "));
    CHECK(contains(verdict.out, one.text));
  }
}

TEST_CASE("a GPU tells less when NVML is partly supported, failing or absent, and the record why") {
  const TestFolder folder;
  const EditableRecord partly = run_with(folder, fault("nvml_partly"))["results"][0]["telemetry"];
  CHECK(partly["sm_clock_hz_mean"] == 1.98e9);
  CHECK_FALSE(partly.contains("power_w_mean"));
  CHECK_FALSE(partly.contains("ecc_corrected_new"));

  const EditableRecord one_rank = run_with(folder, fault("nvml_fails@0"));
  CHECK(one_rank["results"][0]["telemetry"]["temperature_c_max"] == 60);

  const EditableRecord failing = run_with(folder, fault("nvml_fails"));
  CHECK_FALSE(failing["results"][0].contains("telemetry"));
  CHECK(failing["environment"]["nodes"][0]["device"]["telemetry"] ==
        "none: Driver/library version mismatch");

  folder.write("libnvidia-ml.so.1", "no library");
  const ProgramResult absent = run_shell("export LD_LIBRARY_PATH=$PWD:" PEAKLINE_EMULATED_DIR
                                         "; " PEAKLINE_BIN_DIR "/peakline-run --no-progress " +
                                             sweep,
                                         folder.path());
  CAPTURE(absent.err);
  REQUIRE(absent.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK_FALSE(record["results"][0].contains("telemetry"));
  CHECK(contains(record["environment"]["nodes"][0]["device"]["telemetry"], "none: "));
  CHECK(contains(record["environment"]["nodes"][0]["device"]["telemetry"], "libnvidia-ml.so.1"));
}
