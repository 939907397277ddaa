#pragma once

#include <nccl.h>

#include <cstddef>

namespace peakline::cuda {

/// NCCL's memory of its own and its knowledge of buffers, which are there since 2.19: CMake chooses
/// the file that goes with the header found. The library that was loaded may be older than the
/// header, so its version is to be asked before any of these is called.
bool knows_registration();
ncclResult_t allocate_memory(void** memory, std::size_t size_bytes);
ncclResult_t free_memory(void* memory);
ncclResult_t register_memory(ncclComm_t communicator, void* memory, std::size_t size_bytes,
                             void** registration);
ncclResult_t deregister_memory(ncclComm_t communicator, void* registration);

}  // namespace peakline::cuda
