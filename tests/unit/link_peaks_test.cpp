#include "compare/link_peaks.h"

#include <optional>
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

Machine node_of(const std::string& gpu_name, std::int64_t devices) {
  Machine machine{"cuda", {}, devices, true, false};
  machine.gpu.name = gpu_name;
  return machine;
}

Machine node_with_nvls(const std::string& gpu_name, std::int64_t devices) {
  Machine machine = node_of(gpu_name, devices);
  machine.sums_in_switch = true;
  return machine;
}

/// A copy over a link of which this is known.
Result copy_over(double generation, double lanes, std::map<std::string, ParamValue> changed = {}) {
  Result result;
  result.id = {"transfer",
               {{"memory", std::string("pinned")},
                {"path", std::string("to_device")},
                {"size_bytes", std::int64_t{64} << 20}},
               {1, 1, 1}};
  for (auto& [name, value] : changed) result.id.params[name] = value;
  result.telemetry = {{"pcie_generation_possible_min", generation},
                      {"pcie_width_possible_min", lanes}};
  return result;
}

Result allreduce_over(std::int64_t ranks, std::int64_t nodes = 1, double nvlinks_up = 1) {
  Result result;
  result.id = {"allreduce",
               {{"dtype", std::string("float32")}, {"size_bytes", std::int64_t{1} << 30}},
               {ranks, nodes, ranks / nodes}};
  result.telemetry["nvlinks_up_min"] = nvlinks_up;
  return result;
}

/// In GB/s; absent when there is no peak of this kind.
std::optional<double> gb_s(const std::vector<Peak>& peaks, const std::string& kind) {
  for (const Peak& peak : peaks) {
    if (peak.kind == kind) return peak.value / 1e9;
  }
  return std::nullopt;
}

std::vector<Peak> allreduce_of(const Machine& machine, const Result& result) {
  return allreduce_peaks(result, machine, table());
}

const std::string a100 = "NVIDIA A100-SXM4-80GB";
const std::string h100 = "NVIDIA H100 80GB HBM3";
const std::string b200 = "NVIDIA B200";

}  // namespace

// Sixteen lanes by PCI-SIG's tables, and the best copies of pinned memory that owners published.
TEST_CASE("a copy from the host is held against the link that its GPU and slot can be") {
  const Machine machine = node_of(a100, 1);
  const std::vector<std::tuple<double, double, double, std::optional<double>>> rows{
      {3, 16, 15.75, 13.2}, {4, 16, 31.5, 26.0}, {5, 16, 63.0, 55.4},
      {4, 8, 15.75, 13.0},  {6, 16, 121, {}},
  };
  for (const auto& [generation, lanes, nominal, attainable] : rows) {
    CAPTURE(generation, lanes);
    const auto peaks = host_copy_peaks(copy_over(generation, lanes), machine, table());
    REQUIRE(gb_s(peaks, "nominal"));
    CHECK(*gb_s(peaks, "nominal") == Approx(nominal).epsilon(0.003));
    CHECK(gb_s(peaks, "attainable").has_value() == attainable.has_value());
    if (attainable) CHECK(*gb_s(peaks, "attainable") == Approx(*attainable));
  }
  const auto peaks = host_copy_peaks(copy_over(4, 8), machine, table());
  CHECK(peaks.front().source == "best published copy of pinned memory over PCIe 4.0 x8");
}

TEST_CASE("a copy whose link is not known, or not PCIe alone, is held against none") {
  const Machine machine = node_of(a100, 1);
  const auto peaks_of_copy = [&](const Result& result) {
    return host_copy_peaks(result, machine, table());
  };
  CHECK(peaks_of_copy(copy_over(4, 16)).size() == 2);
  CHECK(peaks_of_copy(copy_over(4, 16, {{"path", std::string("to_host")}})).size() == 2);
  CHECK(peaks_of_copy(copy_over(4, 16, {{"numa", std::string("near")}})).size() == 2);

  CHECK(peaks_of_copy(copy_over(4, 16, {{"numa", std::string("far")}})).empty());
  CHECK(peaks_of_copy(copy_over(4, 16, {{"path", std::string("both")}})).empty());
  CHECK(peaks_of_copy(copy_over(4, 16, {{"path", std::string("to_peer")}})).empty());
  CHECK(peaks_of_copy(copy_over(4, 16, {{"memory", std::string("pageable")}})).empty());
  CHECK(peaks_of_copy(copy_over(2, 16)).empty());
  CHECK(peaks_of_copy(copy_over(7, 16)).empty());
  CHECK(peaks_of_copy(copy_over(4, 0)).empty());
  Result unknown = copy_over(4, 16);
  unknown.telemetry.clear();
  CHECK(peaks_of_copy(unknown).empty());
  for (const char* superchip : {"NVIDIA GH200 480GB", "NVIDIA GB200", "NVIDIA GB300"}) {
    CAPTURE(superchip);
    REQUIRE(find_gpu(table(), superchip) != nullptr);
    CHECK(host_copy_peaks(copy_over(5, 16), node_of(superchip, 1), table()).empty());
  }
}

// What was published: A100 235, H100 367 without NVLS and 473 to 482 with it, B200 682 over four
// GPUs and 838 to 846 over eight, DGX-1 110.
TEST_CASE("an all-reduce over all GPUs of a node is held against NVLink") {
  const auto attainable = [](const Machine& machine, std::int64_t ranks) {
    return gb_s(allreduce_of(machine, allreduce_over(ranks)), "attainable").value_or(0);
  };
  CHECK(attainable(node_of(a100, 8), 8) == Approx(240));
  CHECK(attainable(node_of(h100, 8), 8) == Approx(370.8));
  CHECK(attainable(node_of("Tesla V100-SXM2-16GB", 8), 8) == Approx(120));
  CHECK(attainable(node_of("NVIDIA A100 80GB PCIe", 2), 2) == Approx(240));
  CHECK(gb_s(allreduce_of(node_of(h100, 8), allreduce_over(8)), "nominal") == Approx(450));

  CHECK(attainable(node_with_nvls(h100, 8), 8) == Approx(490.3).epsilon(0.001));
  CHECK(attainable(node_with_nvls(h100, 4), 4) == Approx(378.2).epsilon(0.001));
  CHECK(attainable(node_with_nvls(b200, 8), 8) == Approx(830.9).epsilon(0.001));
  CHECK(attainable(node_with_nvls(b200, 4), 4) == Approx(721.8));  // a ring is faster there
  CHECK(attainable(node_with_nvls(h100, 2), 2) == Approx(370.8));
  const auto peaks = allreduce_of(node_with_nvls(h100, 8), allreduce_over(8));
  CHECK_THAT(peaks.front().source, Catch::Matchers::EndsWith("(NVLS) over 8 GPUs"));
}

TEST_CASE("an all-reduce that NVLink does not carry alone, with all links, is held against none") {
  const Machine h100s = node_of(h100, 8);
  REQUIRE(allreduce_of(h100s, allreduce_over(8)).size() == 2);
  CHECK(allreduce_of(h100s, allreduce_over(4)).empty());        // not all GPUs of the node
  CHECK(allreduce_of(h100s, allreduce_over(8, 2)).empty());     // on two nodes
  CHECK(allreduce_of(h100s, allreduce_over(8, 1, 0)).empty());  // no link is up
  CHECK(allreduce_of(node_of(h100, 1), allreduce_over(1)).empty());
  Result unknown = allreduce_over(8);
  unknown.telemetry.clear();
  CHECK(allreduce_of(h100s, unknown).empty());
  Result broadcast = allreduce_over(8);
  broadcast.id.benchmark = "broadcast";
  CHECK(allreduce_of(h100s, broadcast).empty());
  Machine staged = h100s;
  staged.has_direct_transport = false;
  CHECK(allreduce_of(staged, allreduce_over(8)).empty());
  Machine slice = h100s;
  slice.gpu.mig_profile = "1g.10gb";
  CHECK(allreduce_of(slice, allreduce_over(8)).empty());

  CHECK(allreduce_of(node_of("Tesla V100-SXM2-16GB", 4), allreduce_over(4)).empty());
  CHECK(allreduce_of(node_of("NVIDIA A100 80GB PCIe", 4), allreduce_over(4)).empty());
  CHECK(allreduce_of(node_of("Tesla T4", 4), allreduce_over(4)).empty());
  CHECK(allreduce_of(node_of("NVIDIA H300 Prototype", 8), allreduce_over(8)).empty());
}
