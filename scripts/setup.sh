#!/usr/bin/env bash
# Installs what Debian or Ubuntu packages can bring and says plainly what is left. Changes nothing when
# everything is there.
set -euo pipefail

packages=(
  g++ cmake ninja-build git python3 python3-jsonschema
  openmpi-bin libopenmpi-dev libopenblas-dev
  libcxxopts-dev nlohmann-json3-dev catch2 libbenchmark-dev
  iproute2
)

# Whether sudo works here, asking for a password where there is somebody to type it.
may_become_root() {
  command -v sudo >/dev/null || return 1
  if [ -t 0 ] && [ -t 2 ]; then sudo -v; else sudo -n true 2>/dev/null; fi
}

# at_least WANTED FOUND: versions.
at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -1)" = "$1" ]; }

# What no package of this distribution can bring.
say_what_is_left() {
  local cmake gcc
  cmake=$(cmake --version | sed -n 's/^cmake version //p')
  gcc=$(g++ -dumpfullversion)
  at_least 3.22 "$cmake" || { echo "setup: CMake 3.22 is needed and $cmake is here" >&2; exit 2; }
  at_least 11 "$gcc" || { echo "setup: g++ 11 is needed and $gcc is here" >&2; exit 2; }
  if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
    echo "setup: there is no CUDA toolkit (nvcc), so that only the host backend will be built" >&2
  fi
}

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing+=("$package")
done

if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: every package is installed" >&2
  say_what_is_left
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "setup: this is not Debian or Ubuntu; install what corresponds to: ${packages[*]}" >&2
  exit 2
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! may_become_root; then
    echo "setup: missing packages need root: sudo apt-get install ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi

echo "setup: installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q &&
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -20 "$log" >&2
  echo "setup: apt-get could not install ${missing[*]}; its last words stand above" >&2
  exit 2
fi
say_what_is_left
