#pragma once

#include <nccl.h>

#include <cstddef>

namespace emulated {

/// 0 for a type that this version of NCCL does not have.
std::size_t size_of_type(ncclDataType_t type);

/// The sum of `ranks` ranks becomes their average.
void average(void* into, std::size_t count, ncclDataType_t type, int ranks);

/// into[i] = into[i] op from[i]; an average begins as a sum.
void reduce(void* into, const void* from, std::size_t count, ncclDataType_t type, ncclRedOp_t op);

}  // namespace emulated
