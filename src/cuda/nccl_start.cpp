#include "cuda/nccl_start.h"

#include <cuda_runtime_api.h>

#include <charconv>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "core/error.h"
#include "core/units.h"
#include "cuda/check.h"
#include "cuda/nccl_check.h"

namespace peakline::cuda {
namespace {

constexpr std::size_t id_bytes = sizeof(ncclUniqueId::internal);

/// Two hexadecimal digits a byte: the control plane carries text.
std::string to_text(const ncclUniqueId& id) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (char letter : id.internal) {
    const auto byte = static_cast<unsigned char>(letter);
    text += {digits[byte >> 4U], digits[byte & 15U]};
  }
  return text;
}

ncclUniqueId from_text(const std::string& text) {
  ncclUniqueId id{};
  for (std::size_t i = 0; i < id_bytes; ++i) {
    unsigned byte = 0;
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, byte, 16);
    id.internal[i] = static_cast<char>(byte);
  }
  return id;
}

ncclComm_t start_blocking(const ncclUniqueId& id, int rank, int ranks, int ordinal) {
  check(cudaSetDevice(ordinal));
  ncclComm_t communicator = nullptr;
  check(ncclCommInitRank(&communicator, ranks, id, rank));
  return communicator;
}

}  // namespace

ncclUniqueId share_unique_id(World& world) {
  std::string text;
  if (world.is_root()) {
    ncclUniqueId id{};
    const ncclResult_t status = ncclGetUniqueId(&id);
    text = status == ncclSuccess ? to_text(id) : ncclGetLastError(nullptr);
  }
  text = world.agree(text);
  if (text.size() == 2 * id_bytes) return from_text(text);
  throw Error(ExitStatus::run_failed, "NCCL gives no unique id: " + text);
}

ncclComm_t start_communicator(const ncclUniqueId& id, int rank, int ranks, int ordinal,
                              double limit_s) {
  // The thread may outlive this call, stuck within NCCL; so it owns all that it touches.
  auto promise = std::make_shared<std::promise<ncclComm_t>>();
  std::future<ncclComm_t> started = promise->get_future();
  std::thread([=] {
    try {
      promise->set_value(start_blocking(id, rank, ranks, ordinal));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  const std::chrono::duration<double> limit(limit_s);
  if (started.wait_for(limit) == std::future_status::ready) return started.get();
  throw Error(ExitStatus::run_failed,
              "NCCL did not come up within " + format_time(limit_s) +
                  ": a rank is missing, or its network interfaces do not reach each other "
                  "(NCCL_SOCKET_IFNAME chooses them, NCCL_DEBUG=INFO shows them)");
}

}  // namespace peakline::cuda
