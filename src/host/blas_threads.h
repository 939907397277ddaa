#pragma once

#include <string>

namespace peakline::host {

/// Tells the BLAS library how many threads to use. The BLAS interface has no call for it, so the
/// calls of the known libraries are looked up in the running program; false when none of them is
/// there, and then the library decides by itself.
bool set_blas_threads(int threads);

/// What the BLAS library says of itself: name, version, and the kernels it chose for this CPU.
std::string blas_description();

}  // namespace peakline::host
