#!/usr/bin/env bash
# Does the gate cry wolf, or sleep? Measures as record_noise.sh does and judges: no idle run may be
# regressed, the slowed one must be. Takes about four minutes.
set -euo pipefail
. "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/scripts/record_noise.sh" "$work"
"$bin/peakline" accept "$work"/accepted-*.json --into "$work/base" --reason "idle machine" >/dev/null

failures=0
for record in "$work"/run-*.json "$work/slowed.json"; do
  status=0
  verdict=$("$bin/peakline" compare "$record" --baseline "$work/base") || status=$?
  echo "$(basename "$record"): $(tail -1 <<<"$verdict")"
  expected=0
  [ "$(basename "$record")" = slowed.json ] && expected=6
  [ "$status" -eq "$expected" ] || failures=$((failures + 1))
done
echo "$failures of 11 verdicts are not what they should be"
[ "$failures" -eq 0 ]
