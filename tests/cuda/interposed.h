#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

/// Calls of CUDA and NCCL that this program of tests takes up itself before it hands them on, to
/// make them fail or to see when they come.
namespace interposed {

inline cudaError_t attributes_status = cudaSuccess;  ///< of cudaFuncGetAttributes
inline ncclResult_t send_result = ncclSuccess;       ///< of ncclSend
inline int open_groups = 0;                          ///< starts without an end
inline int copies_in_busy_stream = 0;                ///< of cudaMemcpyAsync

}  // namespace interposed
