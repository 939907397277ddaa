#pragma once

#include <nccl.h>

#include <cstddef>

namespace emulated {

/// 0 for a type that this version of NCCL does not have.
std::size_t size_of_type(ncclDataType_t type);

/// The two ends of an average, as NCCL has them (src/enqueue.cc, hostToDevRedOp): every input of
/// floats is multiplied by a rounded 1 / ranks before the sum, and a sum of whole numbers is
/// divided.
void take_share(void* data, std::size_t count, ncclDataType_t type, int ranks);
void divide_sum(void* data, std::size_t count, ncclDataType_t type, int ranks);

/// into[i] = into[i] op from[i]; of an average, the sum.
void reduce(void* into, const void* from, std::size_t count, ncclDataType_t type, ncclRedOp_t op);

}  // namespace emulated
