#include "kernels/kernels.h"

namespace peakline::kernels {

__global__ void do_nothing() {}

}  // namespace peakline::kernels
