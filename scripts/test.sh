#!/usr/bin/env bash
# Set-up, build with warnings as errors, all tests.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$root/scripts/setup.sh"
cd "$root"
cmake --preset ci
cmake --build --preset ci
ctest --preset ci "$@"
