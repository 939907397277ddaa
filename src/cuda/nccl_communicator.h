#pragma once

#include <memory>

#include "core/communicator.h"
#include "core/world.h"
#include "cuda/cuda_device.h"

namespace peakline::cuda {

/// The ranks of `world` over NCCL, each on its device, which must outlive what is returned. Throws
/// an Error when NCCL has not come up after `limit_s`: a rank that is missing would be waited for
/// without end. Collective.
std::unique_ptr<Communicator> make_nccl_communicator(World& world, CudaDevice& device,
                                                     double limit_s);

/// As ncclGetVersion gives it.
int nccl_version();

}  // namespace peakline::cuda
