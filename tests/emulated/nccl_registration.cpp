// NCCL's memory, and its knowledge of buffers.
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <map>
#include <mutex>

#include "nccl_communicator.h"

namespace {

std::mutex allocated_mutex;
std::map<void*, std::size_t> allocated;  ///< by ncclMemAlloc

}  // namespace

extern "C" {

ncclResult_t ncclMemAlloc(void** memory, size_t size_bytes) {
  if (cudaMalloc(memory, size_bytes) != cudaSuccess) return ncclUnhandledCudaError;
  const std::lock_guard lock(allocated_mutex);
  allocated[*memory] = size_bytes;
  return ncclSuccess;
}

ncclResult_t ncclMemFree(void* memory) {
  {
    const std::lock_guard lock(allocated_mutex);
    if (allocated.erase(memory) == 0) return ncclInvalidArgument;
  }
  return cudaFree(memory) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

/// The real one takes any memory; here it must be of ncclMemAlloc, which all of its ways can use.
ncclResult_t ncclCommRegister(ncclComm_t communicator, void* buffer, size_t size_bytes,
                              void** registration) {
  const std::lock_guard lock(allocated_mutex);
  const auto found = allocated.find(buffer);
  if (found == allocated.end() || found->second < size_bytes) return ncclInvalidArgument;
  ++communicator->registered_buffers;
  *registration = buffer;
  return ncclSuccess;
}

ncclResult_t ncclCommDeregister(ncclComm_t communicator, void* registration) {
  const std::lock_guard lock(allocated_mutex);
  if (!allocated.contains(registration)) return ncclInvalidArgument;
  --communicator->registered_buffers;
  return ncclSuccess;
}

}  // extern "C"
