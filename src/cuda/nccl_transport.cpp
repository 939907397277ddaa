#include "cuda/nccl_transport.h"

#include <cuda_runtime_api.h>

#include <filesystem>

#include "cuda/check.h"

namespace peakline::cuda {
namespace {

template <typename Texts>
std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

bool reaches_all_peers(int ordinal) {
  int visible = 0;
  check(cudaGetDeviceCount(&visible));
  for (int other = 0; other < visible; ++other) {
    int reachable = 0;
    if (other != ordinal) check(cudaDeviceCanAccessPeer(&reachable, ordinal, other));
    if (other != ordinal && reachable == 0) return false;
  }
  return visible > 1;
}

/// Multicast through NVSwitch is CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED of the driver. The runtime
/// has no name for it (CUDA 13.0: cudaDevAttrReserved132) and passes the question on by its number,
/// which is promised nowhere: a failure means that it is not known.
std::optional<bool> can_multicast(int ordinal) {
  constexpr auto multicast_supported = static_cast<cudaDeviceAttr>(132);
  int supported = 0;
  if (cudaDeviceGetAttribute(&supported, multicast_supported, ordinal) == cudaSuccess) {
    return supported != 0;
  }
  cudaGetLastError();
  return std::nullopt;
}

bool has_infiniband() {
  std::error_code failure;
  const std::filesystem::directory_iterator devices("/sys/class/infiniband", failure);
  return !failure && devices != std::filesystem::directory_iterator();
}

}  // namespace

Available available_transports(int ordinal, const Scope& scope) {
  return {reaches_all_peers(ordinal), can_multicast(ordinal), has_infiniband(),
          static_cast<int>(scope.nodes), static_cast<int>(scope.ranks_per_node)};
}

TransportReport report_transport(const NcclLogText& log, const Available& available) {
  TransportReport report;
  if (!log.obstacle.empty()) {
    report.choices["nccl_log"] = "not read: " + log.obstacle;
    report.concerns = {"not checked, because what NCCL chose is not known: " + log.obstacle + ", " +
                       log.advice};
    return report;
  }
  const NcclChoice choice = parse_nccl_choice(log.text);
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) report.choices[name] = text;
  };
  add("nccl_library", choice.version);
  add("nccl_network", choice.network);
  add("nccl_interfaces", joined(choice.interfaces));
  add("nccl_transports", joined(choice.transports));
  if (choice.channels) report.choices["nccl_channels"] = std::int64_t{*choice.channels};
  if (choice.nvls) report.choices["nccl_nvls"] = *choice.nvls ? "used" : "not used";
  report.concerns = transport_mismatches(choice, available);
  return report;
}

}  // namespace peakline::cuda
