#pragma once

#include <nccl.h>

namespace peakline::cuda {

/// NCCL's names for 8 bit floats, which its header has from 2.24 on: CMake chooses the file that
/// goes with the header found.
struct Float8Types {
  bool known = false;
  ncclDataType_t e4m3 = ncclNumTypes;
  ncclDataType_t e5m2 = ncclNumTypes;
};
Float8Types float8_types();

}  // namespace peakline::cuda
