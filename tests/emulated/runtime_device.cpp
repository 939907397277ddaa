// The part of the CUDA runtime that knows devices, versions and errors.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>

#include "fault.h"
#include "gpu_model.h"
#include "stream.h"

namespace {

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

bool exists(int device) {
  return device >= 0 && device < static_cast<int>(emulated::node().visible.size());
}

}  // namespace

extern "C" {

/// By this symbol Peakline knows the emulation.
extern const int peakline_emulated_gpu = 1;

cudaError_t cudaDriverGetVersion(int* version) {
  *version = emulated::strikes("old_driver") ? 12040 : CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = static_cast<int>(emulated::node().visible.size());
  return result(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  if (!exists(device)) return result(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!exists(device)) return result(cudaErrorInvalidDevice);
  const emulated::GpuModel& model = emulated::node().model;
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "%s", model.name.c_str());
  properties->totalGlobalMem = emulated::node().memory_bytes;
  properties->major = model.major;
  properties->minor = model.minor;
  properties->multiProcessorCount = model.multiprocessors;
  properties->memoryBusWidth = model.memory_bus_bits;
  // Small, whatever the model: steps rotate through twice as much, at the speed of a CPU.
  properties->l2CacheSize = 64 << 10;
  properties->warpSize = 32;
  properties->ECCEnabled = 1;
  const int number = emulated::node().visible[static_cast<std::size_t>(device)];
  properties->uuid.bytes[0] = static_cast<char>(0xe0 + number);
  properties->uuid.bytes[sizeof properties->uuid.bytes - 1] = 0xf;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!exists(device)) return result(cudaErrorInvalidDevice);
  const emulated::GpuModel& model = emulated::node().model;
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *value = model.major; return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor: *value = model.minor; return cudaSuccess;
    case cudaDevAttrClockRate: *value = model.clock_khz; return cudaSuccess;
    case cudaDevAttrMemoryClockRate: *value = model.memory_clock_khz; return cudaSuccess;
    case static_cast<cudaDeviceAttr>(132): *value = model.has_multicast ? 1 : 0; return cudaSuccess;
    default: return result(cudaErrorInvalidValue);
  }
}

cudaError_t cudaDeviceCanAccessPeer(int* reachable, int device, int peer) {
  if (!exists(device) || !exists(peer)) return result(cudaErrorInvalidDevice);
  *reachable = emulated::node().model.nvlinks > 0 ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int) {
  if (!exists(peer)) return result(cudaErrorInvalidDevice);
  return emulated::node().model.nvlinks > 0 ? cudaSuccess : result(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  if (!exists(device)) return result(cudaErrorInvalidDevice);
  const int number = emulated::node().visible[static_cast<std::size_t>(device)];
  std::snprintf(text, static_cast<std::size_t>(size), "%s", emulated::bus_id(number).c_str());
  return cudaSuccess;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorNoDevice: return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
    case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
    case cudaErrorUnknown: return "cudaErrorUnknown";
    default: return "an error that the emulation does not name";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorUnknown ? "emulated: the GPU fell off the bus" : "emulated";
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

}  // extern "C"
