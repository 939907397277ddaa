#!/usr/bin/env bash
# bench_fidelity.sh [PAIRS]: what peakline-run reports beside bare loops around the same call, in programs
# that share no code with it (bench/micro). The two are run in turn; a line gives the median of the paired
# ratios peakline / bare, with the smallest and largest. Run it on an idle machine.
set -euo pipefail
. "$(dirname "$0")/common.sh"

pairs=${1:-11}
(cd "$root" && cmake --preset ci >/dev/null && cmake --build --preset ci \
  --target peakline-run bare_allreduce bare_gemm bare_triad -- --quiet)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# time_of FILTER: the `time` metric of the first result whose key contains FILTER.
time_of() {
  python3 - "$work/r.json" "$1" <<'PY'
import json, sys
for result in json.load(open(sys.argv[1]))["results"]:
    if sys.argv[2] in result["key"]:
        print(next(m["value"] for m in result["metrics"] if m["name"] == "time"))
        break
PY
}

# compare NAME RANKS KEY-FILTER "PEAKLINE ARGUMENTS" BARE [ARG...]
compare() {
  local name=$1 ranks=$2 filter=$3 arguments=$4
  shift 4
  local ratios=()
  for _ in $(seq "$pairs"); do
    # shellcheck disable=SC2086
    launch "$ranks" "$bin/peakline-run" --device host --no-progress $arguments \
      --out "$work/r.json" >/dev/null 2>&1
    local bare
    bare=$(launch "$ranks" "$@")
    ratios+=("$(time_of "$filter") $bare")
  done
  printf '%s\n' "${ratios[@]}" | python3 -c '
import statistics, sys
pairs = [tuple(map(float, line.split())) for line in sys.stdin]
ratios = sorted(a / b for a, b in pairs)
print(f"{sys.argv[1]:<22} {statistics.median(ratios):6.3f}  ({ratios[0]:.3f} to {ratios[-1]:.3f}, {len(ratios)} pairs)")
' "$name"
}

echo "peakline / bare loop, median of paired ratios"
for size in 8 1024 65536 1048576 16777216; do
  compare "allreduce $size B" 2 "allreduce/" \
    "--bench allreduce --sizes $size --placement out_of_place --mode throughput" \
    "$bin/bare_allreduce" "$size"
done
# mpirun binds a single rank to one core, so both sides have one thread.
compare "gemm float32 512" 1 "k=512" "--bench gemm --dtypes float32" \
  env OPENBLAS_NUM_THREADS=1 "$bin/bare_gemm" 512
compare "triad 64 MiB" 1 "kernel=triad" "--bench memory" "$bin/bare_triad" 67108864
