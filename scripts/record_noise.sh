#!/usr/bin/env bash
# record_noise.sh DIR: three runs to accept, ten more, and one in a cgroup with a quota of a quarter of a
# core, all of two ranks, for tests/data/noise. The machine should be idle; the quota needs root and
# cgroup v1.
set -euo pipefail
. "$(dirname "$0")/common.sh"

into=${1:?usage: record_noise.sh DIR}
mkdir -p "$into"

measure() { launch 2 "$bin/peakline-run" --suite quick --no-progress --out "$into/$1.json" >/dev/null; }

for i in 1 2 3; do measure "accepted-$i"; done
for i in 01 02 03 04 05 06 07 08 09 10; do measure "run-$i"; done

group=/sys/fs/cgroup/cpu/peakline-$$
mkdir "$group"
trap 'rmdir "$group"' EXIT
echo 100000 >"$group/cpu.cfs_period_us"
echo 25000 >"$group/cpu.cfs_quota_us"
(
  echo "$BASHPID" >"$group/cgroup.procs"
  measure slowed
)
