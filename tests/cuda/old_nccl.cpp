// An NCCL from before ncclCommSplit, as far as it is asked before it is refused.
#include <nccl.h>

extern "C" ncclResult_t ncclGetVersion(int* version) {
  *version = 21705;
  return ncclSuccess;
}
