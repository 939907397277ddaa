#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuda/nccl_log.h"

namespace peakline::cuda {

/// What the ranks of a communicator could use.
struct Available {
  bool peer_access = false;       ///< all GPUs of a node can reach each other's memory
  std::optional<bool> multicast;  ///< of the GPUs, through their NVSwitches; absent: not known
  bool infiniband = false;        ///< /sys/class/infiniband has devices (InfiniBand, RoCE, EFA)
  int nodes = 1;
  int ranks_per_node = 1;  ///< of the fullest node
};

/// One sentence for each way that would be faster and that NCCL does not take: what it does, what
/// there is, what usually keeps it from that, what to do. Nothing on what the log leaves open.
/// Rules: NCCL leaves NVLS alone with up to two GPUs a node (2.22.3 src/transport/nvls.cc), and by
/// itself prefers host memory to peer access through a CPU (NVIDIA/nccl issue 896). Settings are
/// those of NCCL's environment page.
std::vector<std::string> transport_mismatches(const NcclChoice& choice, const Available& available);

}  // namespace peakline::cuda
