#!/usr/bin/env bash
# record_noise.sh DIR: three runs to accept, ten more, and one in a cgroup with a quota of a quarter of a
# core, all of two ranks, for tests/data/noise. The machine should be idle; the quota needs root.
set -euo pipefail
. "$(dirname "$0")/common.sh"

into=${1:?usage: record_noise.sh DIR}
mkdir -p "$into"

measure() { launch 2 "$bin/peakline-run" --suite quick --no-progress --out "$into/$1.json" >/dev/null; }

for i in 1 2 3; do measure "accepted-$i"; done
for i in 01 02 03 04 05 06 07 08 09 10; do measure "run-$i"; done

if [ -d /sys/fs/cgroup/cpu ]; then # cgroup v1
  group=/sys/fs/cgroup/cpu/peakline-$$
  mkdir "$group"
  echo 100000 >"$group/cpu.cfs_period_us"
  echo 25000 >"$group/cpu.cfs_quota_us"
else
  group=/sys/fs/cgroup/peakline-$$
  echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
  mkdir "$group"
  echo "25000 100000" >"$group/cpu.max"
fi
trap 'rmdir "$group"' EXIT
(
  echo "$BASHPID" >"$group/cgroup.procs"
  measure slowed
)
