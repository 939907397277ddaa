#pragma once

#include <algorithm>
#include <cstddef>

#include "core/device.h"
#include "cuda/handles.h"

namespace peakline::cuda {

/// Memory of the GPU that is current when it is made. One byte at least: for none CUDA gives a null
/// pointer.
class CudaBuffer final : public Buffer {
 public:
  explicit CudaBuffer(std::size_t size_bytes)
      : memory_(allocate_device(std::max(size_bytes, std::size_t{1}))), size_bytes_(size_bytes) {}
  void* data() override { return memory_.get(); }
  const void* data() const override { return memory_.get(); }
  std::size_t size_bytes() const override { return size_bytes_; }

 private:
  DeviceMemory memory_;
  std::size_t size_bytes_;
};

}  // namespace peakline::cuda
