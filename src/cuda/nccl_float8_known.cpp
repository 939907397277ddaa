#include "cuda/nccl_float8.h"

namespace peakline::cuda {

Float8Types float8_types() { return {true, ncclFloat8e4m3, ncclFloat8e5m2}; }

}  // namespace peakline::cuda
