#include "nccl_chatter.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace emulated {
namespace {

bool is(const char* variable, std::string_view value) {
  const char* text = std::getenv(variable);
  return text != nullptr && text == value;
}

bool device_has(cudaDeviceAttr attribute) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess && value != 0;
}

bool has_peer_access() {
  int reachable = 0;
  return cudaDeviceCanAccessPeer(&reachable, 0, 0) == cudaSuccess && reachable != 0;
}

}  // namespace

int nccl_version() {
  const char* text = std::getenv("PEAKLINE_EMULATED_NCCL_VERSION");
  return text == nullptr ? NCCL_VERSION_CODE : std::atoi(text);
}

void log_start(int rank, int ranks) {
  const char* path = std::getenv("NCCL_DEBUG_FILE");
  if (!is("NCCL_DEBUG", "INFO") || path == nullptr) return;
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr) return;
  const bool staged = is("PEAKLINE_EMULATED_TRANSPORT", "shm") || !has_peer_access();
  const bool nvls = !staged && device_has(static_cast<cudaDeviceAttr>(132)) && ranks > 2;
  const auto say = [&](const char* format, auto... values) {
    std::fprintf(file, "node:1:1 [%d] NCCL INFO ", rank);
    std::fprintf(file, format, values...);
    std::fputc('\n', file);
  };
  const int version = nccl_version();
  say("NCCL version %d.%d.%d+cuda%d.%d", version / 10000, version % 10000 / 100, version % 100,
      CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  say("NET/IB : No device found.%s", "");
  say("NET/Socket : Using [0]eth0:10.0.0.%d<0>", rank + 1);
  say("Using network %s", "Socket");
  const int next = (rank + 1) % ranks;
  say(staged ? "Channel 00 : %d[%d] -> %d[%d] via SHM/direct/direct"
             : "Channel 00/0 : %d[%d] -> %d[%d] via P2P/CUMEM",
      rank, rank, next, next);
  say("%d coll channels, %d collnet channels, %d nvls channels, %d p2p channels, %d p2p channels "
      "per peer",
      8, 0, nvls ? 16 : 0, 8, 1);
  std::fclose(file);
}

}  // namespace emulated
