#include "compare/gpu_peaks.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/peaks_json.h"
#include "support/catch.h"

using namespace peakline;

namespace {

const std::vector<GpuPeaks>& table() {
  static const std::vector<GpuPeaks> gpus =
      read_peaks_file(std::string(PEAKLINE_SOURCE_DIR) + "/baselines/peaks/gpus.json");
  return gpus;
}

const GpuPeaks& entry(const std::string& id) {
  const auto found = std::ranges::find(table(), id, &GpuPeaks::id);
  REQUIRE(found != table().end());
  return *found;
}

GpuProperties named(const std::string& name) {
  GpuProperties device;
  device.name = name;
  return device;
}

/// What a driver reports of a device, with round figures where the test does not care.
GpuProperties reported(const std::string& name, const std::string& compute_capability,
                       std::int64_t sm_count = 100, double max_clock_mhz = 2000) {
  GpuProperties device = named(name);
  device.compute_capability = compute_capability;
  device.sm_count = sm_count;
  device.max_clock_hz = max_clock_mhz * 1e6;
  device.memory_clock_hz = 1e9;
  device.memory_bus_bits = 1024;
  return device;
}

double tflops(const std::optional<Peak>& peak) {
  REQUIRE(peak);
  return peak->value / 1e12;
}

const std::vector<std::string> all_types{"float64",  "float32", "tf32",        "float16",
                                         "bfloat16", "int8",    "float8_e4m3", "fp4"};

}  // namespace

TEST_CASE("every name in the table finds its own entry and no other") {
  CHECK(table().size() == 58);
  for (const GpuPeaks& gpu : table()) {
    for (const std::string& bare : gpu.names) {
      for (const std::string& name : {bare, gpu.vendor + " " + bare}) {
        CAPTURE(name);
        CHECK(find_gpu(table(), name) == &gpu);
        CHECK(std::ranges::count_if(table(), [&](const GpuPeaks& other) {
                return find_gpu({other}, name) != nullptr;
              }) == 1);
      }
    }
  }
}

TEST_CASE("names that resemble one in the table find nothing") {
  const std::vector<std::string> near_misses{
      "",
      "NVIDIA",
      "NVIDIA ",
      "NVIDIA RTX A1000",
      "NVIDIA RTX A1000 Laptop GPU",
      "NVIDIA RTX A4000",
      "NVIDIA RTX A6000 Laptop GPU",
      "NVIDIA T400",
      "NVIDIA T400 4GB",
      "NVIDIA T40",
      "NVIDIA A4",
      "NVIDIA A2",
      "NVIDIA A100",
      "NVIDIA A100X",
      "NVIDIA A100-SXM4-40GB ",
      " NVIDIA A100-SXM4-40GB",
      "NVIDIA NVIDIA A100-SXM4-40GB",
      "nvidia a100-sxm4-40gb",
      "AMD A100-SXM4-40GB",
      "NVIDIA Instinct MI300X",
      "NVIDIA H20Z",
      "NVIDIA H200 NVL16",
      "NVIDIA H100 NVL 94GB",
      "NVIDIA H100 80GB HBM2e",
      "NVIDIA L4S",
      "NVIDIA L2",
      "NVIDIA L40G",
      "NVIDIA GH200",
      "NVIDIA GB200 NVL72",
      "NVIDIA B20",
      "NVIDIA GeForce RTX 4090 D",
      "NVIDIA GeForce RTX 4090 Laptop GPU",
      "NVIDIA RTX 4090",
      "4090",
      "NVIDIA GeForce RTX 3090 Ti",
      "NVIDIA RTX 6000",
      "NVIDIA RTX PRO 6000 Blackwell",
      "Quadro RTX 6000",
      "Tesla V100",
      "Tesla V100-DGXS-16GB",
      "Tesla A100-SXM4-40GB",
      "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
      "NVIDIA A40-8Q",
      "NVIDIA-A40-8Q",
      "GRID T4-16Q",
  };
  for (const std::string& name : near_misses) {
    CAPTURE(name);
    CHECK(find_gpu(table(), name) == nullptr);
  }
}

TEST_CASE("look-alike products are told apart") {
  const std::vector<std::pair<std::string, std::string>> names{
      {"NVIDIA H100", "h100-generic-2339"},
      {"NVIDIA H100 80GB HBM3", "h100-sxm5-80gb"},
      {"NVIDIA H200", "h200-sxm-141gb"},
      {"NVIDIA H20", "h20-96gb"},
      {"NVIDIA L4", "l4"},
      {"NVIDIA L40", "l40"},
      {"NVIDIA L40S", "l40s"},
      {"NVIDIA B200", "b200-sxm"},
      {"NVIDIA GB200", "gb200"},
      {"NVIDIA A10", "a10"},
      {"NVIDIA A10G", "a10g"},
      {"NVIDIA GH200 480GB", "gh200-96gb"},
      {"Tesla V100-SXM2-16GB-LS", "v100-sxm2-16gb"},
      {"AMD Instinct MI300X", "mi300x"},
  };
  for (const auto& [name, id] : names) {
    CAPTURE(name);
    const GpuPeaks* gpu = find_gpu(table(), name);
    REQUIRE(gpu != nullptr);
    CHECK(gpu->id == id);
  }
}

TEST_CASE("the formula agrees with the listed figures") {
  const std::set<std::pair<std::string, std::string>> known_to_differ{
      {"l20", "int8"}, {"b300-sxm6", "int8"}, {"gb300", "int8"}};
  int compared = 0;
  for (const GpuPeaks& gpu : table()) {
    if (!gpu.may_derive) continue;
    for (const auto& [rate, listed] : gpu.dense_flops) {
      const std::optional<DerivedRate> derived = derive_flops(gpu.healthy, rate);
      if (!derived) continue;
      CAPTURE(gpu.id, rate);
      const double error = std::abs(derived->value / listed - 1);
      CHECK((error > 0.03) == known_to_differ.contains({gpu.id, rate}));
      ++compared;
    }
  }
  CHECK(compared == 215);
}

TEST_CASE("the formula says why it is not used on capped parts") {
  const std::optional<DerivedRate> promised = derive_flops(entry("h20-96gb").healthy, "fp16");
  REQUIRE(promised);
  CHECK(promised->value / entry("h20-96gb").dense_flops.at("fp16") > 3.9);
}

TEST_CASE("the memory formula agrees with the listed bandwidth") {
  const std::set<std::string> known_to_differ{"h20-96gb", "h200-sxm-141gb"};
  int compared = 0;
  for (const GpuPeaks& gpu : table()) {
    const std::optional<DerivedRate> derived = derive_memory_bandwidth(gpu.healthy);
    if (!derived || !gpu.memory_bandwidth_b_s) continue;
    CAPTURE(gpu.id);
    const double error = std::abs(derived->value / *gpu.memory_bandwidth_b_s - 1);
    CHECK((error > 0.004) == known_to_differ.contains(gpu.id));
    ++compared;
  }
  CHECK(compared == 42);
  // Older drivers report a bus of 8192 bit for the B200: the table's word stands.
  GpuProperties b200 = entry("b200-sxm").healthy;
  b200.name = "NVIDIA B200";
  b200.memory_bus_bits = 8192;
  CHECK(nominal_memory_peak(table(), b200)->value == Approx(7.7e12));
}

TEST_CASE(
    "tensor rates of unknown parts are taken below the maximum clock where makers quote them so") {
  struct Row {
    std::string compute_capability;
    std::int64_t sm_count;
    double max_clock_mhz;
    std::string type;
    double expected_tflops;
  };
  const std::vector<Row> rows{
      {"9.0", 132, 1980, "bfloat16", 989.2},  // 1829.5 MHz
      {"9.0", 132, 1980, "float32", 66.9},    // not a tensor rate: 1980 MHz
      {"9.0", 132, 1980, "float64", 66.9},    // quoted at the maximum although it is one
      {"10.0", 148, 1965, "float16", 2225.2}, {"10.3", 148, 2032, "float8_e4m3", 4602},
      {"8.0", 108, 1410, "tf32", 155.9},      {"7.0", 80, 1530, "float16", 125.3},
      {"6.0", 56, 1480, "float16", 10.6},
  };
  for (const Row& row : rows) {
    CAPTURE(row.compute_capability, row.type);
    const GpuProperties device =
        reported("NVIDIA New Part", row.compute_capability, row.sm_count, row.max_clock_mhz);
    const std::optional<Peak> peak = nominal_gemm_peak(table(), device, row.type);
    CHECK(tflops(peak) == Approx(row.expected_tflops).epsilon(1e-3));
    CHECK(peak->kind == "nominal");
  }
  CHECK(nominal_gemm_peak(table(), reported("NVIDIA New Part", "9.0", 132, 1980), "float32")
            ->source == "derived from 132 SM x 256 FLOP per clock x 1980 MHz");
}

TEST_CASE("half rate is told from the name, and nothing is told from a name without a mark") {
  const std::vector<GpuPeaks> nothing_known;
  const double half = 100 * 2 * 256 * 2e9;
  struct Row {
    std::string name;
    std::string compute_capability;
    std::optional<double> fp16;
  };
  const std::vector<Row> rows{
      {"NVIDIA A10G", "8.6", half},
      {"NVIDIA L40", "8.9", half},
      {"NVIDIA L20", "8.9", half},
      {"L20", "8.9", half},
      {"NVIDIA GeForce RTX 5080", "12.0", half},
      {"NVIDIA GeForce RTX 4060 Laptop GPU", "8.9", half},
      {"GeForce RTX 2080 Ti", "7.5", half},
      {"NVIDIA TITAN RTX", "7.5", 2 * half},
      {"NVIDIA L40S", "8.9", std::nullopt},
      {"NVIDIA RTX A4000", "8.6", std::nullopt},
      {"NVIDIA T400 4GB", "7.5", std::nullopt},
      {"NVIDIA GeForce GTX 1660", "7.5", std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const GpuProperties device = reported(row.name, row.compute_capability);
    const std::optional<Peak> peak = nominal_gemm_peak(nothing_known, device, "float16");
    CHECK(peak.has_value() == row.fp16.has_value());
    if (peak && row.fp16) CHECK(peak->value == Approx(*row.fp16));
    CHECK(nominal_gemm_peak(nothing_known, device, "int8").has_value() == row.fp16.has_value());
    CHECK(nominal_gemm_peak(nothing_known, device, "float32"));
  }
}

TEST_CASE("the table knows which known parts run at half rate") {
  for (const std::string id : {"a10g", "l40", "l20", "rtx3090", "rtx4090", "rtx5090"}) {
    CAPTURE(id);
    CHECK(entry(id).healthy.half_rate_fp32_accumulate == true);
  }
  for (const std::string id : {"a10", "l40s", "rtx-a6000", "rtxpro6000-ws", "h100-sxm5-80gb"}) {
    CAPTURE(id);
    CHECK(entry(id).healthy.half_rate_fp32_accumulate == false);
  }
  CHECK(tflops(nominal_gemm_peak(table(), named("NVIDIA L40"), "tf32")) ==
        Approx(90.5).epsilon(1e-3));
  CHECK_THAT(nominal_gemm_peak(table(), named("NVIDIA L40"), "float16")->source,
             Catch::Matchers::Contains("uncertain"));
}

TEST_CASE("slices, vGPUs and unknown chips have no nominal peak") {
  GpuProperties sliced = entry("a100-sxm4-40gb").healthy;
  sliced.name = "NVIDIA A100-SXM4-40GB";
  sliced.mig_profile = "1g.5gb";
  const std::vector<GpuProperties> devices{
      sliced,
      reported("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0", 14),
      reported("NVIDIA H100 80GB HBM3 MIG 1g.10gb", "9.0", 16),
      reported("NVIDIA A40-8Q", "8.6"),
      reported("NVIDIA-A40-8Q", "8.6"),
      reported("NVIDIA A100-4-20C", "8.0"),
      reported("NVIDIA H100L-1-12CME", "9.0"),
      reported("GRID V100D-32Q", "7.0"),
      reported("GRID A100", "8.0"),
      reported("Orin", "8.7"),
      reported("NVIDIA GeForce GTX 1080", "6.1"),
      reported("NVIDIA GeForce RTX 9090", "99.0"),
      reported("NVIDIA New Part", ""),
      named("NVIDIA New Part"),
      GpuProperties{},
  };
  for (const GpuProperties& device : devices) {
    CAPTURE(device.name);
    CHECK_FALSE(nominal_memory_peak(table(), device));
    for (const std::string& type : all_types) {
      CAPTURE(type);
      CHECK_FALSE(nominal_gemm_peak(table(), device, type));
      CHECK_FALSE(attainable_gemm_peak(table(), device, type));
    }
  }
}

TEST_CASE("names of whole GPUs are not taken for vGPUs") {
  for (const GpuPeaks& gpu : table()) {
    for (const std::string& name : gpu.names) {
      CAPTURE(name);
      CHECK_FALSE(is_share_of_gpu(named(name)));
    }
  }
}

TEST_CASE("capped parts are never derived") {
  int capped = 0;
  for (const GpuPeaks& gpu : table()) {
    for (const std::string& name : gpu.names) {
      const GpuProperties device = reported(name, "9.0", gpu.healthy.sm_count.value_or(78));
      if (!gpu.may_derive) {
        CAPTURE(name);
        ++capped;
        for (const std::string& type : all_types) {
          const std::optional<Peak> peak = nominal_gemm_peak(table(), device, type);
          if (peak) CHECK_THAT(peak->source, Catch::Matchers::StartsWith("data sheet of"));
        }
        CHECK(nominal_memory_peak(table(), device).has_value() ==
              gpu.memory_bandwidth_b_s.has_value());
      }
    }
  }
  CHECK(capped == 3);
  CHECK(tflops(nominal_gemm_peak(table(), named("NVIDIA H20"), "float16")) == Approx(148));
  CHECK_FALSE(nominal_gemm_peak(table(), reported("NVIDIA H20-3e", "9.0", 78), "float8_e4m3"));
  // A device of that name with other properties is still no reason to believe the formula.
  CHECK_FALSE(nominal_gemm_peak(table(), reported("NVIDIA H20", "9.0", 132), "float16"));
}

TEST_CASE("at the clock that it ran at, a GPU has what its units do at that clock") {
  const GpuProperties h100 = named("NVIDIA H100 80GB HBM3");
  const auto peak = gemm_peak_at_clock(table(), h100, "bfloat16", 1400e6);
  CHECK(tflops(peak) == Approx(132 * 4096 * 1.4e9 / 1e12));
  CHECK(peak->kind == "at_clock");
  CHECK(peak->source ==
        "132 SM x 4096 FLOP per clock x 1400 MHz, at which the GPUs ran on average");
  CHECK(tflops(gemm_peak_at_clock(table(), h100, "float64", 1400e6)) ==
        Approx(132 * 256 * 1.4e9 / 1e12));
  CHECK_FALSE(gemm_peak_at_clock(table(), named("NVIDIA H20"), "float16", 1400e6));
  CHECK_FALSE(
      gemm_peak_at_clock(table(), named("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), "float16", 1400e6));
  CHECK_FALSE(gemm_peak_at_clock(table(), named("Some GPU"), "float16", 1400e6));
}

TEST_CASE("rates that alone are capped are not derived") {
  struct Row {
    std::string name;
    std::string compute_capability;
    std::int64_t sm_count;
  };
  for (const Row& row : {Row{"NVIDIA H800", "9.0", 132}, Row{"NVIDIA H800 PCIe", "9.0", 114},
                         Row{"NVIDIA A800-SXM4-80GB", "8.0", 108}}) {
    CAPTURE(row.name);
    const GpuProperties device = reported(row.name, row.compute_capability, row.sm_count);
    CHECK_FALSE(nominal_gemm_peak(table(), device, "float64"));
    CHECK(nominal_gemm_peak(table(), device, "float32"));
    CHECK(nominal_gemm_peak(table(), device, "int8"));
  }
  CHECK_FALSE(nominal_gemm_peak(table(), reported("NVIDIA H200 NVL", "9.0", 132), "float16"));
}

TEST_CASE("the data sheet comes first, then what the device reports, then what its entry has") {
  const std::optional<Peak> listed =
      nominal_gemm_peak(table(), named("NVIDIA H100 80GB HBM3"), "bfloat16");
  CHECK(tflops(listed) == Approx(989.4));
  CHECK(listed->source == "data sheet of NVIDIA H100 SXM5 80GB (baselines/peaks: h100-sxm5-80gb)");

  const std::string a30 = "NVIDIA A30";
  CHECK(tflops(nominal_gemm_peak(table(), named(a30), "bfloat16")) == Approx(165.2).epsilon(1e-3));
  CHECK(tflops(nominal_gemm_peak(table(), reported(a30, "8.0", 56, 1000), "bfloat16")) ==
        Approx(114.7).epsilon(1e-3));

  // The bare name stands for more than one part, so only the device can say what it has.
  CHECK_FALSE(nominal_gemm_peak(table(), named("NVIDIA H100"), "float32"));
  CHECK(nominal_gemm_peak(table(), reported("NVIDIA H100", "9.0", 132), "float32"));
}

TEST_CASE("float64 and float32 take the faster of vector and matrix units") {
  const std::vector<std::tuple<std::string, std::string, double>> rows{
      {"NVIDIA A100-SXM4-80GB", "float64", 19.5}, {"Tesla V100-SXM2-16GB", "float64", 7.8},
      {"NVIDIA H100 NVL", "float64", 60.3},       {"NVIDIA B300", "float64", 1.2},
      {"AMD Instinct MI210", "float32", 45.3},    {"NVIDIA L4", "float32", 30.3},
  };
  for (const auto& [name, type, expected] : rows) {
    CAPTURE(name, type);
    CHECK(tflops(nominal_gemm_peak(table(), named(name), type)) == Approx(expected).epsilon(1e-3));
  }
  CHECK_FALSE(nominal_gemm_peak(table(), named("NVIDIA L4"), "int32"));
  CHECK_FALSE(nominal_gemm_peak(table(), named("NVIDIA L4"), ""));
}

TEST_CASE("a device that contradicts its entry is judged by its own word") {
  GpuProperties genuine = reported("NVIDIA GeForce RTX 4090", "8.9", 128, 2520);
  genuine.memory_size_bytes = 25.3e9;
  const auto& judged = [](const GpuProperties& device) {
    return nominal_gemm_peak(table(), device, "float32");
  };
  CHECK(tflops(judged(genuine)) == Approx(82.6));
  CHECK(attainable_gemm_peak(table(), genuine, "float32"));
  CHECK(nominal_memory_peak(table(), genuine)->value == Approx(1008e9));

  GpuProperties more_memory = genuine;
  more_memory.memory_size_bytes = 51.5e9;
  GpuProperties fewer_sm = genuine;
  fewer_sm.sm_count = 114;
  GpuProperties other_chip = genuine;
  other_chip.compute_capability = "8.6";
  const std::vector<std::pair<GpuProperties, std::string>> rows{
      {more_memory, "which has 24 GB of memory"},
      {fewer_sm, "which has 128 SM"},
      {other_chip, "which has compute capability 8.9"}};
  for (const auto& [device, reason] : rows) {
    CAPTURE(reason);
    const std::optional<Peak> peak = judged(device);
    REQUIRE(peak);
    CHECK(peak->value == Approx(static_cast<double>(*device.sm_count) * 256 * 2.52e9));
    CHECK_THAT(peak->source, Catch::Matchers::EndsWith(reason));
    CHECK_FALSE(attainable_gemm_peak(table(), device, "float32"));
    CHECK(nominal_memory_peak(table(), device)->value == Approx(2 * 1e9 * 1024 / 8));
  }
}

TEST_CASE("the attainable peak is the best that was published") {
  const std::vector<std::tuple<std::string, std::string, double>> rows{
      {"NVIDIA A100-SXM4-80GB", "bfloat16", 271.2}, {"NVIDIA A100-SXM4-80GB", "float64", 18.95},
      {"NVIDIA A100-SXM4-80GB", "int8", 466.6},     {"Tesla T4", "float16", 41.9},
      {"NVIDIA H100 80GB HBM3", "float32", 51.88},
  };
  for (const auto& [name, type, expected] : rows) {
    CAPTURE(name, type);
    const std::optional<Peak> peak = attainable_gemm_peak(table(), named(name), type);
    CHECK(tflops(peak) == Approx(expected));
    CHECK(peak->kind == "attainable");
    CHECK_THAT(peak->source, Catch::Matchers::StartsWith("best published for "));
  }
  CHECK_FALSE(attainable_gemm_peak(table(), named("NVIDIA H100 80GB HBM3"), "float64"));
  CHECK_FALSE(attainable_gemm_peak(table(), named("NVIDIA RTX A4000"), "float32"));
}

TEST_CASE("no published measurement exceeds what is nominal by more than a boost clock can") {
  const std::vector<std::pair<std::string, std::string>> types{
      {"fp64", "float64"},  {"fp32", "float32"}, {"tf32", "tf32"},      {"fp16", "float16"},
      {"bf16", "bfloat16"}, {"int8", "int8"},    {"fp8", "float8_e4m3"}};
  int compared = 0;
  for (const GpuPeaks& gpu : table()) {
    for (const auto& [rate, type] : types) {
      const GpuProperties device = named(gpu.names.front());
      const std::optional<Peak> best = attainable_gemm_peak(table(), device, type);
      const std::optional<Peak> nominal = nominal_gemm_peak(table(), device, type);
      if (!best || !nominal) continue;
      CAPTURE(gpu.id, type);
      CHECK(best->value / nominal->value < 1.25);
      CHECK(best->value / nominal->value > 0.5);
      ++compared;
    }
  }
  CHECK(compared > 70);
}
