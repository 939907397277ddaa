// NCCL's interface, as far as Peakline uses it.
#include <nccl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "fault.h"
#include "nccl_chatter.h"
#include "nccl_communicator.h"

namespace {

using emulated::Call;
using emulated::Transfer;

constexpr int misuse_status = 86;
thread_local std::string last_words;

ncclResult_t failure(ncclResult_t result, const std::string& words) {
  last_words = words;
  return result;
}

/// One send and one receive between ncclGroupStart and ncclGroupEnd, which happen together.
struct Group {
  bool open = false;
  ncclComm_t communicator = nullptr;
  cudaStream_t stream = nullptr;
  std::optional<Call> sent;
  std::optional<Call> received;
  Transfer transfer;
};
thread_local Group group;

void take_seat(const emulated::Board& board) {
  emulated::Seat& seat = board.mine();
  gethostname(seat.host.data(), seat.host.size() - 1);
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceGetPCIBusId(seat.bus_id.data(), static_cast<int>(seat.bus_id.size()), device);
}

/// What NCCL compares: host and PCI bus id.
std::string shared_gpu(const emulated::Board& board) {
  for (int a = 0; a < board.ranks(); ++a) {
    for (int b = a + 1; b < board.ranks(); ++b) {
      if (board.seat(a).host == board.seat(b).host &&
          board.seat(a).bus_id == board.seat(b).bus_id) {
        return "Duplicate GPU detected: rank " + std::to_string(a) + " and rank " +
               std::to_string(b) + " both on " + board.seat(a).bus_id.data();
      }
    }
  }
  return "";
}

ncclResult_t open_communicator(ncclComm_t* communicator, const std::string& name, int rank,
                               int ranks) {
  auto made = std::make_unique<ncclComm>(name, rank, ranks);
  take_seat(made->board);
  if (emulated::strikes("init_hang")) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (made->board.meet(made->aborted) != emulated::Meeting::met) {
    return failure(ncclRemoteError, "a peer went away during the start");
  }
  made->board.close_file();
  if (const std::string words = shared_gpu(made->board); !words.empty()) {
    return failure(ncclInvalidUsage, words);
  }
  emulated::log_start(rank, ranks);
  *communicator = made.release();
  return ncclSuccess;
}

/// As NCCL's own, this has no limit: a graph that outlives its communicator is a fault.
void await_end_of_graphs(const ncclComm& communicator) {
  while (communicator.recorded_calls != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool has_rank(ncclComm_t communicator, int rank) {
  return rank >= 0 && rank < communicator->board.ranks();
}

/// `half` is the one of the group's two calls that this one is.
ncclResult_t join_group(std::optional<Call>& half, std::size_t count, ncclDataType_t type, int peer,
                        ncclComm_t communicator, cudaStream_t stream) {
  if (!group.open || half ||
      (group.communicator != nullptr && group.communicator != communicator)) {
    return failure(ncclInvalidUsage,
                   "the emulation has send and receive only as one of each in a group");
  }
  if (!has_rank(communicator, peer)) {
    return failure(ncclInvalidArgument, "there is no rank " + std::to_string(peer));
  }
  group.communicator = communicator;
  group.stream = stream;
  half = Call{emulated::ring, type, 0, 0, count};
  return ncclSuccess;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = emulated::nccl_version();
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "no error";
    case ncclInvalidUsage: return "invalid usage";
    case ncclInvalidArgument: return "invalid argument";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclSystemError: return "unhandled system error";
    default: return "an error that the emulation does not name";
  }
}

const char* ncclGetLastError(ncclComm_t) { return last_words.c_str(); }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  *id = {};
  std::snprintf(id->internal, sizeof id->internal, "%s", emulated::make_board().c_str());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank) {
  return open_communicator(communicator, id.internal, rank, ranks);
}

/// The new rank is the number of ranks of the same colour that come before, by key and old rank.
ncclResult_t ncclCommSplit(ncclComm_t communicator, int color, int key, ncclComm_t* part,
                           ncclConfig_t*) {
  emulated::Board& board = communicator->board;
  board.mine().call = {-1, color, key, 0, 0};
  if (board.meet(communicator->aborted) != emulated::Meeting::met) return ncclRemoteError;
  int ranks = 0;
  int before = 0;
  const std::pair mine(key, board.rank());
  std::pair first = mine;
  for (int other = 0; other < board.ranks(); ++other) {
    const Call& said = board.seat(other).call;
    if (said.type != color) continue;
    ++ranks;
    const std::pair place(said.op, other);
    if (place < mine) ++before;
    first = std::min(first, place);
  }
  if (first == mine) {
    std::array<char, 64>& name = board.mine().new_board;
    std::snprintf(name.data(), name.size(), "%s", emulated::make_board().c_str());
  }
  if (board.meet(communicator->aborted) != emulated::Meeting::met) return ncclRemoteError;
  return open_communicator(part, board.seat(first.second).new_board.data(), before, ranks);
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  await_end_of_graphs(*communicator);
  if (communicator->registered_buffers != 0) {
    std::fprintf(stderr, "emulated NCCL: %d buffers are still registered\n",
                 communicator->registered_buffers);
    std::_Exit(misuse_status);
  }
  delete communicator;
  return ncclSuccess;
}

/// What is still in a stream looks at the communicator, so it is left to the end of the process.
ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  communicator->aborted = true;
  await_end_of_graphs(*communicator);
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
  *error = communicator->asynchronous_error;
  return ncclSuccess;
}

ncclResult_t ncclCommCount(ncclComm_t communicator, int* count) {
  *count = communicator->board.ranks();
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(ncclComm_t communicator, int* rank) {
  *rank = communicator->board.rank();
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t communicator, cudaStream_t stream) {
  return emulated::enqueue(communicator, stream, {emulated::all_reduce, type, op, 0, count},
                           {send, receive, 0, 0, {}});
}

ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t communicator, cudaStream_t stream) {
  if (!has_rank(communicator, root)) return ncclInvalidArgument;
  return emulated::enqueue(communicator, stream, {emulated::broadcast, type, 0, root, count},
                           {send, receive, 0, 0, {}});
}

ncclResult_t ncclGroupStart() {
  group = {};
  group.open = true;
  return ncclSuccess;
}

ncclResult_t ncclSend(const void* send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t communicator, cudaStream_t stream) {
  group.transfer.send = send;
  group.transfer.peer_to = peer;
  return join_group(group.sent, count, type, peer, communicator, stream);
}

ncclResult_t ncclRecv(void* receive, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t communicator, cudaStream_t stream) {
  group.transfer.receive = receive;
  group.transfer.peer_from = peer;
  return join_group(group.received, count, type, peer, communicator, stream);
}

ncclResult_t ncclGroupEnd() {
  const Group ended = std::exchange(group, {});
  if (!ended.open) return failure(ncclInvalidUsage, "no group was started");
  if (!ended.sent && !ended.received) return ncclSuccess;
  if (!ended.sent || !ended.received) {
    return failure(ncclInvalidUsage, "the emulation has no group of a send or a receive alone");
  }
  Transfer transfer = ended.transfer;
  transfer.awaited = *ended.received;
  return emulated::enqueue(ended.communicator, ended.stream, *ended.sent, transfer);
}

}  // extern "C"
