#include "cuda/compatibility.h"

namespace peakline::cuda {
namespace {

constexpr int oldest_nccl = 21800;

int nccl_major(int version) { return version < 10000 ? version / 1000 : version / 10000; }

}  // namespace

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string nccl_version_text(int version) {
  const int unit = version < 10000 ? 1000 : 10000;
  return std::to_string(version / unit) + "." + std::to_string(version % unit / 100) + "." +
         std::to_string(version % 100);
}

std::string misfit(const Versions& versions) {
  if (versions.driver == 0) {
    return "there is no NVIDIA driver (libcuda.so.1): install one, or run on a node that has it";
  }
  if (versions.driver / 1000 < versions.runtime / 1000) {
    return "the driver knows CUDA up to " + cuda_version_text(versions.driver) +
           " and this build needs " + cuda_version_text(versions.runtime) +
           ": update the driver, or build with CUDA " + std::to_string(versions.driver / 1000);
  }
  const std::string found = nccl_version_text(versions.nccl);
  if (versions.nccl < oldest_nccl) {
    return "NCCL " + found +
           " was found and 2.18 or newer is needed: install a newer one, or name "
           "its folder in LD_LIBRARY_PATH";
  }
  if (nccl_major(versions.nccl) != nccl_major(versions.nccl_compiled)) {
    return "NCCL " + found + " was found and this build was made for " +
           nccl_version_text(versions.nccl_compiled) + ": build again with the one found";
  }
  return "";
}

bool reduces_float8(int nccl_version, int compute_major) {
  constexpr int oldest_with_float8 = 22400;
  constexpr int oldest_capability = 9;
  return nccl_version >= oldest_with_float8 && compute_major >= oldest_capability;
}

}  // namespace peakline::cuda
