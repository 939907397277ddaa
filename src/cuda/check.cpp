#include "cuda/check.h"

#include <string>

#include "core/error.h"

namespace peakline::cuda {

void check(cudaError_t status, std::source_location place) {
  if (status == cudaSuccess) return;
  const std::string words =
      std::string(cudaGetErrorName(status)) + " (" + cudaGetErrorString(status) + ")";
  cudaGetLastError();  // what was reported once must not be found again by the next call
  if (status == cudaErrorMemoryAllocation) {
    throw OutOfMemory("The GPU has no room: " + words, place);
  }
  throw Error(ExitStatus::run_failed, "A CUDA call failed: " + words, place);
}

}  // namespace peakline::cuda
