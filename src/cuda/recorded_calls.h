#pragma once

#include <functional>
#include <memory>

#include "core/device.h"
#include "cuda/nccl_handle.h"

namespace peakline::cuda {

/// What `calls` enqueues on `stream`, as a CUDA graph that is ready to be launched there. It can be
/// launched for as long as `communicator`, whose calls they are, has not been given up.
std::unique_ptr<Operation> record_calls(cudaStream_t stream, NcclHandle& communicator,
                                        const std::function<void()>& calls);

}  // namespace peakline::cuda
