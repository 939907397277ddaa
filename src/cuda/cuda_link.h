#pragma once

#include <memory>
#include <string>

#include "core/device_link.h"
#include "cuda/cuda_stream.h"

namespace peakline::cuda {

/// The ways into and out of GPU `ordinal`, whose work is enqueued in `stream`, which outlives it.
std::unique_ptr<DeviceLink> make_cuda_link(const CudaStream& stream, int ordinal);

}  // namespace peakline::cuda
