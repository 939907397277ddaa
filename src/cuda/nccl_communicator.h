#pragma once

#include <memory>

#include "core/communicator.h"
#include "core/world.h"
#include "cuda/cuda_device.h"

namespace peakline::cuda {

/// The ranks of `world` over NCCL, each on the current GPU of its thread. Throws an Error when NCCL
/// has not come up after a minute: a rank that is missing would be waited for without end.
/// Collective. `device` must outlive it.
std::unique_ptr<Communicator> make_nccl_communicator(World& world, CudaDevice& device);

/// As ncclGetVersion gives it.
int nccl_version();

}  // namespace peakline::cuda
