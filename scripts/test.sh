#!/usr/bin/env bash
# Set-up, build with warnings as errors, kernels for every GPU, all tests.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$root/scripts/setup.sh"
cd "$root"
cmake --preset ci
cmake --build --preset ci
if grep -q '^CMAKE_CUDA_COMPILER:.*=/' build/CMakeCache.txt; then
  cmake --preset architectures # kernels for every GPU, without a warning: of spilled registers, too
  cmake --build --preset architectures --target peakline_kernels
else
  echo "skipped: the kernels for every architecture, since there is no nvcc"
fi
ctest --preset ci "$@"
