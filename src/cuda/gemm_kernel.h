#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "core/device.h"

namespace peakline::cuda {

/// Empty when kernels/gemm.h has this product for a GPU of this compute capability, otherwise why
/// not.
std::string why_no_kernel(const GemmShape& shape, int compute_major);

/// A product that there is.
std::unique_ptr<Operation> make_gemm_kernel(const GemmShape& shape, const void* a, const void* b,
                                            void* c, cudaStream_t stream);

}  // namespace peakline::cuda
