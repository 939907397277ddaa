#pragma once

#include "nccl_board.h"

namespace emulated {

/// What the emulation calls itself: the version of the header that it was built with, or
/// PEAKLINE_EMULATED_NCCL_VERSION, such as 22100.
int nccl_version();

/// Writes what NCCL 2.28 would say of its start with NCCL_DEBUG=INFO, into NCCL_DEBUG_FILE. The
/// transports are those of the emulated node, or with PEAKLINE_EMULATED_TRANSPORT=shm those of one
/// that stages everything through the host.
void log_start(int rank, int ranks);

/// Likewise of the way that it takes for this call, with the subsystem TUNING. The way is made up:
/// a tree for small messages; for large ones NVLink SHARP where there is some, else a ring.
void log_call(const Call& call, int ranks);

}  // namespace emulated
