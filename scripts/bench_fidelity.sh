#!/usr/bin/env bash
# bench_fidelity.sh [MOST_PAIRS [NAME]]: what peakline-run reports beside bare loops around the same call, in
# programs that share no code with it (bench/micro). The two are run in turn, every second pair in the
# other order, until the 95 % confidence interval of the median ratio is narrower than 3 % or the most
# pairs are done. A line gives the median of the paired ratios peakline / bare with that interval (by
# order statistics), and how far bare differs from the next bare: what the machine does to itself. NAME
# limits it to lines that contain it. A last line gives the time of a run that has time for its first case
# only: what comes before measuring and after it, apart from MPI_Init. Run it on an idle machine.
set -euo pipefail
. "$(dirname "$0")/common.sh"

most_pairs=${1:-121}
only=${2:-}
build_peakline ci peakline-run bare_allreduce bare_gemm bare_triad
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
  [[ $name == *"$only"* ]] || return 0
  local times=() ours bare
  for pair in $(seq "$most_pairs"); do
    ((pair % 2)) || bare=$(launch "$ranks" "$@")
    # shellcheck disable=SC2086
    launch "$ranks" "$bin/peakline-run" --device host --no-progress $arguments \
      --out "$work/r.json" >/dev/null 2>&1
    ours=$(time_of "$filter")
    ((pair % 2)) && bare=$(launch "$ranks" "$@")
    times+=("$ours $bare")
    if ((pair % 10 == 0)) && printf '%s\n' "${times[@]}" | summarise "$name" >"$work/line"; then break; fi
  done
  printf '%s\n' "${times[@]}" | summarise "$name" || true
}

# summarise NAME: a line about the pairs "ours bare" on standard input; whether its interval is narrow.
summarise() {
  python3 -c '
import math, statistics, sys
pairs = [tuple(map(float, line.split())) for line in sys.stdin]
n = len(pairs)
ratios = sorted(ours / bare for ours, bare in pairs)
low, below = 0, 0.0
while below + math.comb(n, low) / 2**n <= 0.025:
    below += math.comb(n, low) / 2**n
    low += 1
interval = f"{ratios[low - 1]:.3f} to {ratios[n - low]:.3f}" if low else "too few pairs"
drift = statistics.median(abs(a[1] / b[1] - 1) for a, b in zip(pairs, pairs[1:])) if n > 1 else 0
print(f"{sys.argv[1]:<22} {statistics.median(ratios):6.3f}  {interval:<17} {100 * drift:5.1f} %  {n} pairs")
sys.exit(0 if low and ratios[n - low] - ratios[low - 1] < 0.03 else 1)
' "$1"
}

printf '%-22s %6s  %-17s %s\n' "peakline / bare" ratio "95 % interval" "bare / next bare"
for size in 8 1024 65536 1048576 16777216; do
  compare "allreduce $size B" 2 "allreduce/" \
    "--bench allreduce --sizes $size --placement out_of_place --mode throughput" \
    "$bin/bare_allreduce" "$size"
done
# mpirun binds a single rank to one core, so both sides have one thread.
compare "gemm float32 512" 1 "k=512" "--bench gemm --dtypes float32" \
  env OPENBLAS_NUM_THREADS=1 "$bin/bare_gemm" 512
compare "triad 64 MiB" 1 "kernel=triad" "--bench memory" "$bin/bare_triad" 67108864

launch 2 "$bin/peakline-run" --device host --no-progress --time-limit 0.1s --out "$work/r.json" >/dev/null 2>&1
python3 - "$work/r.json" <<'PY'
import json, sys
record = json.load(open(sys.argv[1]))
measured = [r["key"].split("/")[0] for r in record["results"] if r["status"] == "ok"]
print(f"not measuring           at most {record['run']['duration_s']:.2f} s, with {len(measured)} case(s) measured")
PY
