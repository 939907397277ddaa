#!/usr/bin/env bash
# Set-up, build, the main job twice, and the verdict: the second run is judged against the first. Ends
# with the verdict's own status.
set -euo pipefail
. "$(dirname "$0")/common.sh"

"$root/scripts/setup.sh"
echo "== 0. build (some minutes the first time)"
build_peakline default

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ranks=$(($(nproc) < 2 ? 1 : 2))

echo "== 1. measure ($ranks ranks)"
launch "$ranks" "$bin/peakline-run" --suite quick --label demo --out "$work/first.json"

echo "== 2. accept what was measured as the baseline"
"$bin/peakline" accept "$work/first.json" --into "$work/baselines" --reason "first run of the demo"

echo "== 3. measure again"
launch "$ranks" "$bin/peakline-run" --suite quick --label demo --out "$work/second.json"

echo "== 4. what the record says of this machine"
"$bin/peakline" show "$work/second.json" | sed '/^#/,$d'

echo "== 5. judge the second run against the first"
status=0
"$bin/peakline" compare "$work/second.json" --baseline "$work/baselines" || status=$?

cp "$work/second.json" "$root/build/demo.json"
echo "== done, status $status; the record is kept: build/bin/peakline show build/demo.json"
exit "$status"
