#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace peakline::cuda {

/// What NCCL said of its choices, the communicators of one text taken together. What it did not say
/// is empty or absent. Since 2.22 NCCL connects an algorithm at its first use: transports are named
/// only after it.
struct NcclChoice {
  std::string version;                  ///< "2.28.9+cuda13.0"
  std::string network;                  ///< "IB", "Socket", or a plugin's name: "AWS Libfabric"
  std::vector<std::string> interfaces;  ///< "mlx5_0:1/IB", "eth0"; no addresses
  std::set<std::string> transports;  ///< "P2P/CUMEM", "SHM/direct", "NET/IB/GDRDMA", "NET/Socket"
  std::optional<int> channels;       ///< for collectives, of the communicator with the most
  std::optional<bool> nvls;          ///< a communicator has channels for NVLink SHARP
  std::optional<bool> peer_to_peer;  ///< the first communicator reaches all GPUs of a node directly
  std::map<std::string, std::string> settings;  ///< that it has read: NCCL_P2P_DISABLE -> 1
};

/// One collective and how NCCL ran it.
struct TunedCall {
  std::string collective;       ///< "AllReduce"; empty up to 2.22, which names none
  std::int64_t size_bytes = 0;  ///< of the larger buffer up to 2.23, of `count` elements since 2.24
  std::string algorithm;        ///< as NCCL_ALGO spells it: "Ring", "NVLSTree"; or "Symmetric"
  std::string protocol;         ///< "LL", "LL128" or "Simple"; for "Symmetric" its kernel's name
};

/// Reads what NCCL 2.18 to 2.28 writes with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,ENV,NET,
/// P2P,SHM,TUNING; any other text gives an empty value. Lines may have any prefix and hold pieces
/// of each other; one that does not end in a newline may be cut off, and is left out.
///
/// NCCL documents none of its log. The wording is that of its sources: 2.18.3 src/init.cc and
/// src/transport/p2p.cc; 2.19.3 src/init.cc; 2.20.3 src/transport/{p2p,net}.cc; 2.22.3
/// src/enqueue.cc and src/transport/{net_ib,nvls}.cc; 2.28.3 src/enqueue.cc; and of the strings in
/// libnccl 2.28.9.
NcclChoice parse_nccl_choice(std::string_view log);

/// All collectives of the log, in its order. Rank 0 of a communicator alone writes them, with
/// NCCL_DEBUG_SUBSYS=TUNING and not before 2.20 (commented out in 2.19.3 src/enqueue.cc).
std::vector<TunedCall> parse_tuned_calls(std::string_view log);

}  // namespace peakline::cuda
