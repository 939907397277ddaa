#pragma once

#include <memory>

#include "core/device.h"
#include "cuda/cuda_stream.h"

namespace peakline::cuda {

/// Marks are events in the stream, so taking one does not wait. Resolution about half a microsecond
/// (CUDA Runtime API, cudaEventElapsedTime).
std::unique_ptr<Timeline> make_cuda_timeline(const CudaStream& stream);

}  // namespace peakline::cuda
