#pragma once

#include "compare/gpu_derivation.h"
#include "core/record.h"

namespace peakline {

/// What the record's first group of nodes says of its GPUs, by the facts that src/cuda writes
/// (docs/result_format.md). What it leaves out, or gives as 0, is not known.
GpuProperties reported_gpu(const Environment& environment);

}  // namespace peakline
