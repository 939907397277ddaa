# Sourced by the scripts beside it. What mpirun wants from root and from a machine with few cores, users
# need not know.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bin=$root/build/bin

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Open MPI counts cores, not the threads that they run.
cores() { lscpu -p=CORE,SOCKET | grep -v '^#' | sort -u | wc -l; }

# launch RANKS PROGRAM [ARG...]: with more ranks than cores, ranks that wait give way.
launch() {
  local ranks=$1
  shift
  local options=(--quiet)
  if [ "$ranks" -gt "$(cores)" ]; then
    options+=(--oversubscribe --mca mpi_yield_when_idle 1)
  fi
  mpirun "${options[@]}" -np "$ranks" "$@"
}

# quietly COMMAND [ARG...]: its output only when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    tail -30 "$log" >&2
    rm -f "$log"
    echo "failed: $*" >&2
    return 2
  fi
  rm -f "$log"
}

# build_peakline PRESET [TARGET...]
build_peakline() {
  local preset=$1
  shift
  (cd "$root" && quietly cmake --preset "$preset" &&
    quietly cmake --build --preset "$preset" ${1:+--target "$@"})
}
