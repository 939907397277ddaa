#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <atomic>
#include <memory>
#include <string>

#include "nccl_board.h"

namespace emulated {

enum CallKind { all_reduce = 1, broadcast, ring };

/// What a call needs when its stream reaches it.
struct Transfer {
  const void* send = nullptr;
  void* receive = nullptr;
  int peer_to = 0;  ///< of a ring, as all that follows
  int peer_from = 0;
  Call awaited;  ///< what `peer_from` is to send
};

}  // namespace emulated

/// What nccl.h only names.
struct ncclComm {
  ncclComm(const std::string& board_name, int rank, int ranks) : board(board_name, rank, ranks) {}

  emulated::Board board;
  std::atomic<bool> aborted = false;
  std::atomic<ncclResult_t> asynchronous_error = ncclSuccess;
  std::atomic<int> recorded_calls = 0;  ///< in graphs that are still there
  int registered_buffers = 0;
};

namespace emulated {

/// Puts the call into the stream; it happens when the stream and all other ranks have come to it.
ncclResult_t enqueue(ncclComm_t communicator, cudaStream_t stream, const Call& call,
                     const Transfer& transfer);

}  // namespace emulated
