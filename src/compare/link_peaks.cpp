#include "compare/link_peaks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace peakline {
namespace {

constexpr double gb = 1e9;

/// PCI-SIG's transfer rate less the line code (128b/130b; FLIT 242/256 for 6.0), and the highest
/// copy of pinned memory to a GPU through 16 lanes that owners published.
struct PcieGeneration {
  int number;
  double lane_b_s;
  std::optional<double> best_of_16_lanes_b_s;
};

constexpr std::array pcie_generations{
    PcieGeneration{3, 0.985 * gb, 13.2 * gb}, PcieGeneration{4, 1.969 * gb, 26.0 * gb},
    PcieGeneration{5, 3.938 * gb, 55.4 * gb}, PcieGeneration{6, 7.563 * gb, {}}};

std::optional<double> figure(const Result& result, const std::string& name) {
  const auto found = result.telemetry.find(name);
  return found == result.telemetry.end() ? std::nullopt : std::optional(found->second);
}

bool is_one_pinned_copy(const CaseId& id) {
  const std::string path = id.word_if("path");
  return id.benchmark == "transfer" && (path == "to_device" || path == "to_host") &&
         id.word_if("memory") == "pinned" && id.word_if("numa") != "far";
}

/// NVLink-C2C, of which PCIe's telemetry says nothing: the table has such GPUs without PCIe.
bool has_other_link_to_host(const Machine& machine, const std::vector<GpuPeaks>& table) {
  const GpuPeaks* entry = find_gpu(table, machine.gpu.name);
  return entry != nullptr && !entry->pcie_b_s;
}

/// How busy NVLS keeps the links, as NCCL reckons (nvlsEfficiency, src/graph/tuning.cc).
double nvls_efficiency(const GpuPeaks& gpu) {
  constexpr double hopper = 0.85;
  constexpr double later = 0.74;
  return gpu.healthy.compute_capability == "9.0" ? hopper : later;
}

/// A ring sends 2 (n - 1) / n of the data over every link, which is what bus bandwidth counts; with
/// the sums made in the switch it is (n + 1) / n.
double nvls_gain(std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  return 2 * (n - 1) / (n + 1);
}

Peak attainable_allreduce(const GpuPeaks& gpu, const Machine& machine, std::int64_t ranks) {
  const double ring_b_s = *gpu.nvlink_nccl_b_s;
  Peak peak{"attainable", ring_b_s,
            "NVLink of " + gpu.id + " as NCCL reckons with it (src/graph/topo.h)"};
  const double nvls_b_s = ring_b_s * nvls_efficiency(gpu) * nvls_gain(ranks);
  if (!machine.sums_in_switch || nvls_b_s < ring_b_s) return peak;
  return {"attainable", nvls_b_s,
          peak.source + ", with sums in the switch (NVLS) over " + std::to_string(ranks) + " GPUs"};
}

/// The entry of GPUs whose links carry this all-reduce with all they have; null otherwise.
const GpuPeaks* gpu_on_full_nvlink(const Result& result, const Machine& machine,
                                   const std::vector<GpuPeaks>& table) {
  const Scope& scope = result.id.scope;
  const bool is_whole_node =
      scope.nodes == 1 && scope.ranks > 1 && scope.ranks == machine.devices_per_node;
  if (result.id.benchmark != "allreduce" || !is_whole_node || !machine.has_direct_transport) {
    return nullptr;
  }
  const GpuPeaks* gpu = find_whole_gpu(table, machine.gpu);
  if (gpu == nullptr || !gpu->nvlink_b_s) return nullptr;
  if (gpu->nvlink_gpus && *gpu->nvlink_gpus != scope.ranks) return nullptr;
  // Cards can be bought without the bridge, and a GH200 stands alone. Without NVML nobody knows.
  return figure(result, "nvlinks_up_min").value_or(0) > 0 ? gpu : nullptr;
}

}  // namespace

std::vector<Peak> host_copy_peaks(const Result& result, const Machine& machine,
                                  const std::vector<GpuPeaks>& table) {
  if (!is_one_pinned_copy(result.id) || has_other_link_to_host(machine, table)) return {};
  const auto number = figure(result, "pcie_generation_possible_min");
  const auto lanes = figure(result, "pcie_width_possible_min");
  if (!number || !lanes || *lanes <= 0) return {};
  const auto generation =
      std::ranges::find(pcie_generations, std::lround(*number), &PcieGeneration::number);
  if (generation == pcie_generations.end()) return {};
  constexpr double full_width = 16;
  const std::string link =
      "PCIe " + std::to_string(generation->number) + ".0 x" + std::to_string(std::lround(*lanes));
  std::vector<Peak> peaks;
  if (const auto best_b_s = generation->best_of_16_lanes_b_s) {
    peaks.push_back({"attainable", *best_b_s * *lanes / full_width,
                     "best published copy of pinned memory over " + link});
  }
  peaks.push_back({"nominal", generation->lane_b_s * *lanes, "lanes of " + link});
  return peaks;
}

std::vector<Peak> allreduce_peaks(const Result& result, const Machine& machine,
                                  const std::vector<GpuPeaks>& table) {
  const GpuPeaks* gpu = gpu_on_full_nvlink(result, machine, table);
  if (gpu == nullptr) return {};
  std::vector<Peak> peaks;
  if (gpu->nvlink_nccl_b_s) {
    peaks.push_back(attainable_allreduce(*gpu, machine, result.id.scope.ranks));
  }
  peaks.push_back({"nominal", *gpu->nvlink_b_s, "NVLink of " + gpu->id + " in one direction"});
  return peaks;
}

}  // namespace peakline
