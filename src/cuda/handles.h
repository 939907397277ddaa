#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "cuda/check.h"

namespace peakline::cuda {

/// Gives a handle back. What that returns is ignored: there is nothing to be done, and a destructor
/// must not throw.
template <auto Destroy>
struct Closer {
  template <typename Handle>
  void operator()(Handle handle) const noexcept {
    static_cast<void>(Destroy(handle));
  }
};

using Stream = std::unique_ptr<CUstream_st, Closer<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, Closer<cudaEventDestroy>>;
using Graph = std::unique_ptr<CUgraph_st, Closer<cudaGraphDestroy>>;
using GraphExec = std::unique_ptr<CUgraphExec_st, Closer<cudaGraphExecDestroy>>;
using DeviceMemory = std::unique_ptr<void, Closer<cudaFree>>;
using PinnedMemory = std::unique_ptr<void, Closer<cudaFreeHost>>;

inline Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

inline Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDefault));
  return Event(event);
}

inline DeviceMemory allocate_device(std::size_t size_bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, size_bytes));
  return DeviceMemory(memory);
}

/// Host memory that the GPU reaches under the same address.
inline PinnedMemory allocate_pinned(std::size_t size_bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, size_bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  return PinnedMemory(memory);
}

}  // namespace peakline::cuda
