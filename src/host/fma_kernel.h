#pragma once

#include <cstdint>

#include "core/data_type.h"

namespace peakline::host {

/// One call of `rounds` does `flops_per_call` floating operations in registers alone.
struct FmaKernel {
  double (*rounds)(double factor, double addend) = nullptr;
  std::int64_t flops_per_call = 0;
  const char* instruction_set = "";
};

/// The kernel with the widest vectors that this CPU has, for float32 or float64. CMake chooses the
/// file that defines it by the processor's family.
FmaKernel fma_kernel(DataType type);

}  // namespace peakline::host
