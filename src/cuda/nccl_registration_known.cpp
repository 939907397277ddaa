#include "cuda/nccl_registration.h"

namespace peakline::cuda {

bool knows_registration() { return true; }

ncclResult_t allocate_memory(void** memory, std::size_t size_bytes) {
  return ncclMemAlloc(memory, size_bytes);
}

ncclResult_t free_memory(void* memory) { return ncclMemFree(memory); }

ncclResult_t register_memory(ncclComm_t communicator, void* memory, std::size_t size_bytes,
                             void** registration) {
  return ncclCommRegister(communicator, memory, size_bytes, registration);
}

ncclResult_t deregister_memory(ncclComm_t communicator, void* registration) {
  return ncclCommDeregister(communicator, registration);
}

}  // namespace peakline::cuda
