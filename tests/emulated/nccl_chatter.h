#pragma once

namespace emulated {

/// What the emulation calls itself: the version of the header that it was built with, or
/// PEAKLINE_EMULATED_NCCL_VERSION, such as 22100.
int nccl_version();

/// Writes what NCCL 2.28 would say of its start with NCCL_DEBUG=INFO, into NCCL_DEBUG_FILE. The
/// transports are those of the emulated node, or with PEAKLINE_EMULATED_TRANSPORT=shm those of one
/// that stages everything through the host.
void log_start(int rank, int ranks);

}  // namespace emulated
