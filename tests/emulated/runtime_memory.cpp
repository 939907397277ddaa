// The part of the CUDA runtime that knows memory.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

#include "fault.h"
#include "gpu_model.h"
#include "memory.h"
#include "stream.h"

namespace {

int device_of_this_thread() {
  int device = 0;
  cudaGetDevice(&device);
  return device;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t size_bytes) {
  *memory = nullptr;
  if (size_bytes == 0) return cudaSuccess;  // and a null pointer, as the real one gives
  if (emulated::strikes("out_of_memory")) return cudaErrorMemoryAllocation;
  *memory = emulated::allocate(device_of_this_thread(), size_bytes);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

/// Waits for the device, as the real one does.
cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  cudaDeviceSynchronize();
  return emulated::release(memory) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaHostAlloc(void** memory, size_t size_bytes, unsigned int) {
  *memory = std::malloc(size_bytes);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t cudaFreeHost(void* memory) {
  cudaDeviceSynchronize();
  std::free(memory);
  return cudaSuccess;
}

/// The GPU reaches all of the host's memory here anyway.
cudaError_t cudaHostRegister(void* memory, size_t size_bytes, unsigned int) {
  return memory == nullptr || size_bytes == 0 ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaHostUnregister(void* memory) {
  cudaDeviceSynchronize();
  return memory == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  *total_bytes = emulated::node().memory_bytes;
  *free_bytes = *total_bytes - emulated::bytes_in_use(device_of_this_thread());
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size_bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  if (!emulated::may_touch(to, size_bytes) || !emulated::may_touch(from, size_bytes)) {
    return cudaErrorInvalidValue;
  }
  if (size_bytes == 0) return cudaSuccess;  // with null pointers too, unlike memcpy
  const std::size_t brought = size_bytes - (emulated::strikes("short_copy") ? 1 : 0);
  emulated::stream_of(stream).enqueue([=] { std::memcpy(to, from, brought); });
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* to, int byte, size_t size_bytes, cudaStream_t stream) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  if (!emulated::may_touch(to, size_bytes)) return cudaErrorInvalidValue;
  emulated::stream_of(stream).enqueue([=] { std::memset(to, byte, size_bytes); });
  return cudaSuccess;
}

}  // extern "C"
