#pragma once

#include "core/data_type.h"

namespace peakline::host {

/// FLOP/s of multiply-adds that touch nothing but registers, on `threads` threads at once: what the
/// arithmetic of this CPU can hold right now. `type` is float32 or float64.
double fma_flops(DataType type, int threads, double duration_s);

}  // namespace peakline::host
