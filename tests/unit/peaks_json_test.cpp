#include "report/peaks_json.h"

#include <string>
#include <vector>

#include "core/error.h"
#include "support/catch.h"

using namespace peakline;

namespace {

const std::string full_gpu = R"({
  "id": "x1", "vendor": "NVIDIA", "product": "X1 80GB", "chip": "GX1", "names": ["X1", "Tesla X1"],
  "pci_device_ids": ["20B2"], "compute_capability": "8.0", "sm_count": 108, "boost_clock_mhz": 1410,
  "tensor_quote_clock_mhz": 1400, "half_rate_fp32_accumulate": true,
  "dense_tflops": {"fp32": 19.5, "bf16": 312},
  "memory": {"size_gb": 80, "type": "HBM2e", "bandwidth_gb_s": 2039, "bus_width_bits": 5120,
             "clock_mhz": 1593, "clock_source": "a query"},
  "nvlink": {"generation": "3", "links": 12, "gb_s_per_direction": 300},
  "pcie": {"generation": 4, "lanes": 16, "gb_s_per_direction": 31.5},
  "tdp_w": 400, "may_derive": true, "never_derive": ["fp64"], "uncertain": "its name",
  "measured": [
    {"metric": "gemm_bf16", "value": 271.2, "unit": "TFLOP/s", "condition": "best", "source": "A"},
    {"metric": "gemm_int8", "value": 400, "unit": "TOP/s", "source": "B"},
    {"metric": "mem_read", "value": 1500, "unit": "GB/s", "source": "C"}],
  "sources": ["all: A"]})";

const std::string bare_gpu = R"({"id": "x2", "vendor": "AMD", "product": "X2", "names": ["X2"],
  "compute_capability": "gfx90a", "half_rate_fp32_accumulate": false, "may_derive": false,
  "sources": ["all: A"]})";

std::string file_of(const std::string& gpus) {
  return R"({"schema": "peakline.peaks", "schema_version": 1, "gpus": [)" + gpus + "]}";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string failure_of(const std::string& text) {
  try {
    read_peaks(text, "gpus.json");
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("figures of the data sheets become SI units") {
  const std::vector<GpuPeaks> table = read_peaks(file_of(full_gpu), "gpus.json");
  REQUIRE(table.size() == 1);
  const GpuPeaks& gpu = table.front();
  CHECK(gpu.id == "x1");
  CHECK(gpu.vendor == "NVIDIA");
  CHECK(gpu.product == "X1 80GB");
  CHECK(gpu.names == std::vector<std::string>{"X1", "Tesla X1"});
  CHECK(gpu.healthy.name.empty());
  CHECK(gpu.healthy.compute_capability == "8.0");
  CHECK(gpu.healthy.sm_count == 108);
  CHECK(gpu.healthy.max_clock_hz == 1410e6);
  CHECK(gpu.healthy.tensor_clock_hz == 1400e6);
  CHECK(gpu.healthy.half_rate_fp32_accumulate == true);
  CHECK(gpu.healthy.memory_size_bytes == 80e9);
  CHECK(gpu.healthy.memory_clock_hz == 1593e6);
  CHECK(gpu.healthy.memory_bus_bits == 5120);
  CHECK(gpu.dense_flops.size() == 2);
  CHECK(gpu.dense_flops.at("fp32") == Approx(19.5e12));
  CHECK(gpu.dense_flops.at("bf16") == Approx(312e12));
  CHECK(gpu.memory_bandwidth_b_s == 2039e9);
  CHECK(gpu.nvlink_b_s == 300e9);
  CHECK(gpu.pcie_b_s == 31.5e9);
  CHECK(gpu.may_derive);
  CHECK(gpu.never_derive == std::vector<std::string>{"fp64"});
  CHECK(gpu.uncertain == "its name");
  REQUIRE(gpu.measured.size() == 3);
  CHECK(gpu.measured[0].metric == "gemm_bf16");
  CHECK(gpu.measured[0].value == Approx(271.2e12));
  CHECK(gpu.measured[0].source == "A, best");
  CHECK(gpu.measured[1].value == Approx(400e12));
  CHECK(gpu.measured[2].value == Approx(1500e9));
  CHECK(gpu.measured[2].source == "C");
}

TEST_CASE("what the file leaves out stays absent") {
  const GpuPeaks gpu = read_peaks(file_of(bare_gpu), "gpus.json").front();
  CHECK_FALSE(gpu.healthy.sm_count);
  CHECK_FALSE(gpu.healthy.max_clock_hz);
  CHECK_FALSE(gpu.healthy.tensor_clock_hz);
  CHECK_FALSE(gpu.healthy.memory_size_bytes);
  CHECK_FALSE(gpu.healthy.memory_clock_hz);
  CHECK_FALSE(gpu.healthy.memory_bus_bits);
  CHECK(gpu.dense_flops.empty());
  CHECK_FALSE(gpu.memory_bandwidth_b_s);
  CHECK_FALSE(gpu.nvlink_b_s);
  CHECK_FALSE(gpu.pcie_b_s);
  CHECK_FALSE(gpu.may_derive);
  CHECK(gpu.measured.empty());
}

TEST_CASE("a table that cannot be trusted is refused with the place") {
  struct Row {
    std::string from;
    std::string to;
    std::string place;
    std::string why;
  };
  const std::vector<Row> rows{
      {"peakline.peaks", "peakline.record", "this is no", "its 'schema' is"},
      {"\"schema_version\": 1", "\"schema_version\": 2", "schema_version", "use a newer Peakline"},
      {"\"id\": \"x1\",", "", "gpus[0]", "lacks the field 'id'"},
      {"\"names\": [\"X1\", \"Tesla X1\"],", "", "gpus[0]", "lacks the field 'names'"},
      {"\"may_derive\": true,", "", "gpus[0]", "lacks the field 'may_derive'"},
      {"\"half_rate_fp32_accumulate\": true", "\"half_rate_fp32_accumulate\": 1",
       "gpus[0].half_rate_fp32_accumulate", "must be true or false"},
      {"\"sm_count\": 108", "\"sm_count\": 0", "gpus[0].sm_count", "must be at least 1"},
      {"\"sm_count\": 108", "\"sm_count\": 10.5", "gpus[0].sm_count", "must be a whole number"},
      {"\"fp32\": 19.5", "\"fp32\": 0", "gpus[0].dense_tflops.fp32", "must be greater than 0"},
      {"\"fp32\": 19.5", "\"fp32\": null", "gpus[0].dense_tflops.fp32", "must be a number"},
      {"\"bandwidth_gb_s\": 2039", "\"bandwidth_gb_s\": -1", "gpus[0].memory.bandwidth_gb_s",
       "must be greater than 0"},
      {"\"value\": 271.2", "\"value\": 0", "gpus[0].measured[0].value", "must be greater than 0"},
      {"TOP/s", "GOP/s", "gpus[0].measured[1].unit", "must be one of GB/s, TFLOP/s, TOP/s"},
      {"\"X1\", \"Tesla X1\"", "\"X1\", \"X1\"", "gpus", "has the name 'X1' twice"},
      {"\"sources\": [\"all: A\"]}]}", "", "line", "not valid JSON"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.to, row.place);
    const std::string failure = failure_of(replaced(file_of(full_gpu), row.from, row.to));
    CHECK_THAT(failure, Catch::Matchers::StartsWith("gpus.json: " + row.place + " "));
    CHECK_THAT(failure, Catch::Matchers::Contains(row.why));
  }
}

TEST_CASE("an id or a name belongs to one entry") {
  const std::string other = replaced(bare_gpu, "\"x2\"", "\"x1\"");
  CHECK_THAT(failure_of(file_of(full_gpu + ", " + other)),
             Catch::Matchers::Contains("has the id 'x1' twice"));
  const std::string namesake = replaced(bare_gpu, "[\"X2\"]", "[\"Tesla X1\"]");
  CHECK_THAT(failure_of(file_of(full_gpu + ", " + namesake)),
             Catch::Matchers::Contains("has the name 'Tesla X1' twice, the second time in 'x2'"));
  CHECK(failure_of(file_of(full_gpu + ", " + bare_gpu)).empty());
}

TEST_CASE("a table that is not there is a sentence with its path") {
  CHECK_THROWS_WITH(read_peaks_file("no/such/gpus.json"),
                    Catch::Matchers::Contains("no/such/gpus.json"));
}
