#include "nccl_chatter.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "nccl_communicator.h"
#include "nccl_reduce.h"

namespace emulated {
namespace {

std::string setting(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

/// Where the log goes. As in NCCL, the settings are read with the first line and then no more, but
/// after a reset, and a file that is opened loses what it held.
class Log {
 public:
  ~Log() { close(); }

  template <typename... Values>
  void say(const char* subsystem, int rank, const char* format, Values... values) {
    const std::lock_guard lock(mutex_);
    if (!is_read_) read_settings();
    if (file_ == nullptr || subsystems_.find(subsystem) == std::string::npos) return;
    std::fprintf(file_, "node:1:1 [%d] NCCL INFO ", rank);
    std::fprintf(file_, format, values...);
    std::fputc('\n', file_);
    std::fflush(file_);
  }

  void reset() {
    const std::lock_guard lock(mutex_);
    is_read_ = false;
  }

 private:
  void read_settings() {
    close();
    is_read_ = true;
    subsystems_ = setting("NCCL_DEBUG_SUBSYS");
    if (subsystems_.empty()) subsystems_ = "INIT";
    const std::string path = setting("NCCL_DEBUG_FILE");
    if (setting("NCCL_DEBUG") == "INFO" && !path.empty()) file_ = std::fopen(path.c_str(), "w");
  }

  void close() {
    if (file_ != nullptr) std::fclose(file_);
    file_ = nullptr;
  }

  std::mutex mutex_;
  std::FILE* file_ = nullptr;
  std::string subsystems_;
  bool is_read_ = false;
};

Log& the_log() {
  static Log log;
  return log;
}

bool device_has(cudaDeviceAttr attribute) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess && value != 0;
}

bool is_staged() {
  int reachable = 0;
  const bool peers = cudaDeviceCanAccessPeer(&reachable, 0, 0) == cudaSuccess && reachable != 0;
  return setting("PEAKLINE_EMULATED_TRANSPORT") == "shm" || !peers;
}

bool has_nvls(int ranks) {
  return !is_staged() && device_has(static_cast<cudaDeviceAttr>(132)) && ranks > 2;
}

}  // namespace

int nccl_version() {
  const char* text = std::getenv("PEAKLINE_EMULATED_NCCL_VERSION");
  return text == nullptr ? NCCL_VERSION_CODE : std::atoi(text);
}

void log_start(int rank, int ranks) {
  const auto say = [&](const char* subsystem, const char* format, auto... values) {
    the_log().say(subsystem, rank, format, values...);
  };
  const int version = nccl_version();
  say("INIT", "NCCL version %d.%d.%d+cuda%d.%d", version / 10000, version % 10000 / 100,
      version % 100, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  say("NET", "NET/IB : No device found.%s", "");
  say("NET", "NET/Socket : Using [0]eth0:10.0.0.%d<0>", rank + 1);
  say("INIT", "Using network %s", "Socket");
  const int next = (rank + 1) % ranks;
  say(is_staged() ? "SHM" : "P2P",
      is_staged() ? "Channel 00 : %d[%d] -> %d[%d] via SHM/direct/direct"
                  : "Channel 00/0 : %d[%d] -> %d[%d] via P2P/CUMEM",
      rank, rank, next, next);
  say("INIT",
      "%d coll channels, %d collnet channels, %d nvls channels, %d p2p channels, %d p2p channels "
      "per peer",
      8, 0, has_nvls(ranks) ? 16 : 0, 8, 1);
}

void log_call(const Call& call, int ranks) {
  constexpr std::size_t small_bytes = 64 << 10;
  if (call.kind != all_reduce && call.kind != broadcast) return;
  const std::size_t size_bytes = call.count * size_of_type(static_cast<ncclDataType_t>(call.type));
  const bool reduces = call.kind == all_reduce;
  const bool small = size_bytes <= small_bytes;
  const char* large_algorithm = reduces && has_nvls(ranks) ? "NVLS" : "RING";
  the_log().say("TUNING", 0, "%s: %zu Bytes -> Algo %s proto %s channel{Lo..Hi}={0..%d}",
                reduces ? "AllReduce" : "Broadcast", size_bytes,
                small && reduces ? "TREE" : large_algorithm, small ? "LL" : "SIMPLE", 7);
}

}  // namespace emulated

extern "C" void ncclResetDebugInit() { emulated::the_log().reset(); }
