#include "cuda/nccl_check.h"

#include <string>

#include "core/error.h"

namespace peakline::cuda {

void check(ncclResult_t status, ncclComm_t communicator, std::source_location place) {
  if (status == ncclSuccess) return;
  std::string words = ncclGetErrorString(status);
  const char* last = ncclGetLastError(communicator);
  if (last != nullptr && *last != '\0') words += std::string(": ") + last;
  throw Error(ExitStatus::run_failed, "An NCCL call failed: " + words, place);
}

}  // namespace peakline::cuda
