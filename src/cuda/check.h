#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace peakline::cuda {

/// Throws an Error with CUDA's own words and the place of the call; OutOfMemory for that one
/// reason.
void check(cudaError_t status, std::source_location place = std::source_location::current());

}  // namespace peakline::cuda
