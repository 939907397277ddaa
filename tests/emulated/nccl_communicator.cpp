#include "nccl_communicator.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>

#include "fault.h"
#include "graph.h"
#include "nccl_chatter.h"
#include "nccl_reduce.h"

namespace emulated {
namespace {

struct Job {
  ncclComm_t communicator;
  Call call;
  Transfer transfer;
};

/// False when the call is to end here and now.
bool meet(ncclComm& communicator) {
  const Meeting meeting = communicator.board.meet(communicator.aborted);
  if (meeting == Meeting::peer_gone) communicator.asynchronous_error = ncclRemoteError;
  return meeting == Meeting::met;
}

/// A call that never completes, until the communicator is aborted.
void hang(const ncclComm& communicator) {
  while (!communicator.aborted) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool all_do_the_same(const Board& board) {
  for (int rank = 0; rank < board.ranks(); ++rank) {
    if (board.seat(rank).call != board.mine().call) return false;
  }
  return true;
}

/// A rank that waits for one that sends to another, or something else, waits without end.
bool peers_agree(const Board& board, const Job& job) {
  if (job.call.kind != ring) return true;
  const Seat& peer = board.seat(job.transfer.peer_from);
  return peer.peer_to == board.rank() && peer.call == job.transfer.awaited;
}

bool is_average(const Call& call) { return call.kind == all_reduce && call.op == ncclAvg; }

/// One window's worth of elements, of which every rank has put its own into its window.
void combine(const Board& board, const Job& job, unsigned char* to, std::size_t count,
             std::size_t element_bytes) {
  const auto type = static_cast<ncclDataType_t>(job.call.type);
  int first = 0;
  if (job.call.kind == broadcast) first = job.call.root;
  if (job.call.kind == ring) first = job.transfer.peer_from;
  std::memcpy(to, board.seat(first).window.data(), count * element_bytes);
  if (job.call.kind != all_reduce) return;
  for (int rank = 1; rank < board.ranks(); ++rank) {
    reduce(to, board.seat(rank).window.data(), count, type, static_cast<ncclRedOp_t>(job.call.op));
  }
  if (is_average(job.call)) divide_sum(to, count, type, board.ranks());
}

void move_data(ncclComm& communicator, const Job& job) {
  const Board& board = communicator.board;
  const auto type = static_cast<ncclDataType_t>(job.call.type);
  const std::size_t element_bytes = size_of_type(type);
  const std::size_t window_elements = window_bytes / element_bytes;
  const auto* from = static_cast<const unsigned char*>(job.transfer.send);
  auto* to = static_cast<unsigned char*>(job.transfer.receive);
  for (std::size_t done = 0; done < job.call.count; done += window_elements) {
    const std::size_t count = std::min(window_elements, job.call.count - done);
    const std::size_t at = done * element_bytes;
    unsigned char* window = board.mine().window.data();
    std::memcpy(window, from + at, count * element_bytes);
    if (is_average(job.call)) take_share(window, count, type, board.ranks());
    if (!meet(communicator)) return;
    combine(board, job, to + at, count, element_bytes);
    if (!meet(communicator)) return;
  }
}

void perform(ncclComm& communicator, const Job& job) {
  if (communicator.aborted || communicator.asynchronous_error != ncclSuccess) return;
  if (strikes("collective_hang")) return hang(communicator);
  if (strikes("collective_error")) {
    communicator.asynchronous_error = ncclSystemError;
    return hang(communicator);
  }
  const Board& board = communicator.board;
  board.mine().call = job.call;
  board.mine().peer_to = job.transfer.peer_to;
  if (!meet(communicator)) return hang(communicator);
  if (!all_do_the_same(board) || !peers_agree(board, job)) return hang(communicator);
  if (!meet(communicator)) return hang(communicator);
  move_data(communicator, job);
  if (job.call.count > 0 && strikes("wrong_result")) {
    static_cast<unsigned char*>(job.transfer.receive)[0] ^= 1U;
  }
}

void run_recorded(void* data) {
  const auto* job = static_cast<const Job*>(data);
  perform(*job->communicator, *job);
}

void run_once(void* data) {
  run_recorded(data);
  delete static_cast<Job*>(data);
}

void forget_recorded(void* data) {
  const std::unique_ptr<Job> job(static_cast<Job*>(data));
  --job->communicator->recorded_calls;
}

}  // namespace

ncclResult_t enqueue(ncclComm_t communicator, cudaStream_t stream, const Call& call,
                     const Transfer& transfer) {
  if (communicator == nullptr || size_of_type(static_cast<ncclDataType_t>(call.type)) == 0) {
    return ncclInvalidArgument;
  }
  if (communicator->board.rank() == 0) log_call(call, communicator->board.ranks());
  auto job = std::make_unique<Job>(Job{communicator, call, transfer});
  const bool recorded = peakline_emulated_at_end_of_graph(stream, forget_recorded, job.get());
  if (recorded) ++communicator->recorded_calls;
  const cudaError_t status =
      cudaLaunchHostFunc(stream, recorded ? run_recorded : run_once, job.get());
  if (status != cudaSuccess) return ncclUnhandledCudaError;
  static_cast<void>(job.release());
  return ncclSuccess;
}

}  // namespace emulated
