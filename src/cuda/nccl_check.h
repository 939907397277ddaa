#pragma once

#include <nccl.h>

#include <source_location>

namespace peakline::cuda {

/// Throws an Error with NCCL's own words, its last message included where it has one, and the place
/// of the call.
void check(ncclResult_t status, ncclComm_t communicator = nullptr,
           std::source_location place = std::source_location::current());

}  // namespace peakline::cuda
