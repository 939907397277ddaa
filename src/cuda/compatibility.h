#pragma once

#include <string>

namespace peakline::cuda {

/// What has to fit together before anything can run.
struct Versions {
  int driver = 0;         ///< newest CUDA that the driver knows, as 1000 major + 10 minor; 0: none
  int runtime = 0;        ///< CUDA of the runtime library, likewise
  int nccl = 0;           ///< of the library found, as ncclGetVersion gives it
  int nccl_compiled = 0;  ///< of the header this was built with
};

/// A sentence that says what does not fit and what to change; empty when all does.
/// Rules: a driver runs every minor version of its own major one and all older ones (CUDA
/// Compatibility guide, minor version compatibility); NCCL keeps its interface within a major
/// version, and 2.18 brought what is used here.
std::string misfit(const Versions& versions);

/// Whether the NCCL found reduces 8 bit floats on GPUs of this compute capability: from 2.24
/// and 9.0 on (nccl-tests 2.19.6 leaves them out below).
bool reduces_float8(int nccl_version, int compute_major);

/// "13.0" for 13000.
std::string cuda_version_text(int version);

/// "2.28.9" for 22809; up to 2.8 a version had four digits.
std::string nccl_version_text(int version);

}  // namespace peakline::cuda
