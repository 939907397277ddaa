#!/usr/bin/env bash
# misuse_is_seen.sh PROGRAM KIND LINE...: PROGRAM KIND must end with status 86 and say these lines.
said=$("$1" "$2" 2>&1)
status=$?
shift 2
expected=$(printf 'emulated GPU: %s\n' "$@")
[ "$status" -eq 86 ] && [ "$said" = "$expected" ] && exit 0
echo "status $status, expected 86"
echo "said:     $said"
echo "expected: $expected"
exit 1
