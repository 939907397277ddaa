#pragma once

#include <nccl.h>

#include "core/data_type.h"

namespace peakline::cuda {

/// NCCL's own names. ncclNumTypes for a type that the header compiled with does not know.
ncclDataType_t nccl_type(DataType type);
ncclRedOp_t nccl_op(ReduceOp op);

}  // namespace peakline::cuda
