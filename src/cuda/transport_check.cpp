#include "cuda/transport_check.h"

#include <algorithm>

namespace peakline::cuda {
namespace {

/// What NCCL has read for a setting; empty when the log shows none.
std::string value_of(const NcclChoice& choice, const std::string& name) {
  const auto found = choice.settings.find(name);
  return found == choice.settings.end() ? "" : found->second;
}

bool is_on(const NcclChoice& choice, const std::string& name) {
  const std::string value = value_of(choice, name);
  return !value.empty() && value != "0";
}

std::string is_set(const NcclChoice& choice, const std::string& name, const std::string& advice) {
  return name + "=" + value_of(choice, name) + " is set: " + advice;
}

std::string remove_it(const NcclChoice& choice, const std::string& name) {
  return is_set(choice, name, "remove it from the environment or nccl.conf");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// The transport that copies through host memory between GPUs of a node; empty: not seen.
std::string host_memory_transport(const NcclChoice& choice) {
  const auto found = std::ranges::find_if(
      choice.transports, [](const std::string& name) { return name.starts_with("SHM/"); });
  return found == choice.transports.end() ? "" : *found;
}

std::string why_no_peer_access(const NcclChoice& choice) {
  if (is_on(choice, "NCCL_P2P_DISABLE")) return remove_it(choice, "NCCL_P2P_DISABLE");
  const std::string level = value_of(choice, "NCCL_P2P_LEVEL");
  if (!level.empty() && level != "SYS") return remove_it(choice, "NCCL_P2P_LEVEL");
  return "usually NCCL_P2P_DISABLE or NCCL_P2P_LEVEL is set where the log does not show it, or the "
         "GPUs meet at a CPU, where NCCL prefers host memory by itself; see nvidia-smi topo -m, "
         "and "
         "compare with NCCL_P2P_LEVEL=SYS";
}

std::string check_peer_access(const NcclChoice& choice, const Available& available) {
  if (!available.peer_access || available.ranks_per_node < 2) return "";
  const std::string staged = host_memory_transport(choice);
  if (staged.empty() && choice.peer_to_peer.value_or(true)) return "";
  const std::string used = staged.empty()
                               ? "NCCL does not connect all GPUs of a node directly"
                               : "NCCL copies through host memory within a node (" + staged + ")";
  return used +
         ", and all GPUs of a node can reach each other's memory: " + why_no_peer_access(choice);
}

bool uses_sockets(const NcclChoice& choice) {
  if (choice.transports.contains("NET/Socket")) return true;
  // With NVLink between the nodes the network may stand idle.
  return choice.network == "Socket" && !choice.transports.contains("P2P/MNNVL");
}

std::string why_sockets(const NcclChoice& choice) {
  if (is_on(choice, "NCCL_IB_DISABLE")) return remove_it(choice, "NCCL_IB_DISABLE");
  if (value_of(choice, "NCCL_NET") == "Socket") return remove_it(choice, "NCCL_NET");
  if (!value_of(choice, "NCCL_IB_HCA").empty()) {
    return is_set(choice, "NCCL_IB_HCA",
                  "check that it names devices with an active port (ibstat)");
  }
  return "usually no port is active (ibstat), the container lacks /dev/infiniband or libibverbs, "
         "the "
         "NCCL plugin of such devices is missing (aws-ofi-nccl for EFA), or NCCL_IB_DISABLE or "
         "NCCL_NET is set where the log does not show it; see the NET/ lines of NCCL_DEBUG=INFO";
}

std::string check_network(const NcclChoice& choice, const Available& available) {
  if (!available.infiniband || available.nodes < 2 || !uses_sockets(choice)) return "";
  const std::string over = choice.interfaces.empty() ? "" : " (" + joined(choice.interfaces) + ")";
  return "NCCL uses TCP sockets" + over +
         " between nodes, and there are devices in /sys/class/infiniband: " + why_sockets(choice);
}

std::string why_no_nvls(const NcclChoice& choice) {
  if (value_of(choice, "NCCL_NVLS_ENABLE") == "0") return remove_it(choice, "NCCL_NVLS_ENABLE");
  return "usually NCCL_NVLS_ENABLE=0 is set where the log does not show it, the fabric manager "
         "does "
         "not run or is not of the driver's version (systemctl status nvidia-fabricmanager), or "
         "the "
         "container may not bind multicast memory; see the NVLS lines of NCCL_DEBUG=INFO";
}

std::string check_nvls(const NcclChoice& choice, const Available& available) {
  constexpr int fewest_ranks = 3;
  if (!available.multicast.value_or(false) || available.ranks_per_node < fewest_ranks) return "";
  if (choice.nvls.value_or(true)) return "";
  return "NCCL does not use NVLink SHARP (NVLS), and the GPUs and their NVSwitches support it: " +
         why_no_nvls(choice);
}

}  // namespace

std::vector<std::string> transport_mismatches(const NcclChoice& choice,
                                              const Available& available) {
  std::vector<std::string> sentences{check_peer_access(choice, available),
                                     check_network(choice, available),
                                     check_nvls(choice, available)};
  std::erase(sentences, "");
  return sentences;
}

}  // namespace peakline::cuda
