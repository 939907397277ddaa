#pragma once

#include <memory>

#include "core/device.h"
#include "cuda/cuda_stream.h"

namespace peakline::cuda {

/// A GPU of this process, through the CUDA runtime.
class CudaDevice : public Device {
 public:
  /// Where all of its work is enqueued.
  virtual CudaStream& stream() = 0;

  /// Of its compute capability.
  virtual int compute_major() const = 0;

  /// Its number among the GPUs that this process sees.
  virtual int ordinal() const = 0;
};

/// Makes GPU `ordinal` the current one of this thread for good. Throws an Error when it cannot be
/// used, and a usage Error when nothing here was compiled for its architecture.
std::unique_ptr<CudaDevice> make_cuda_device(int ordinal);

}  // namespace peakline::cuda
