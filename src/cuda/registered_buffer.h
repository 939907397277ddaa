#pragma once

#include <cstddef>
#include <memory>

#include "core/device.h"
#include "cuda/nccl_handle.h"

namespace peakline::cuda {

/// Memory of NCCL's allocator that `communicator` knows of, so that transports which can read and
/// write it directly do so (NCCL User Guide, User Buffer Registration). Throws OutOfMemory when the
/// GPU has less than that free.
std::unique_ptr<Buffer> make_registered_buffer(std::shared_ptr<const NcclHandle> communicator,
                                               const Device& device, std::size_t size_bytes);

}  // namespace peakline::cuda
