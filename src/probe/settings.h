#pragma once

#include <map>
#include <string>

namespace peakline {

/// The environment variables that change how fast a collective is, and no others: a whole
/// environment would carry secrets into the record. NCCL_*, UCX_*, FI_*, CUDA_VISIBLE_DEVICES, the
/// transport choices of Open MPI, and what steers the math library's threads and kernels.
std::map<std::string, std::string> speed_settings();

}  // namespace peakline
