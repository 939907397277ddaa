#!/usr/bin/env bash
# misuse_is_seen.sh PROGRAM KIND WORDS: PROGRAM KIND must end with status 86 and say WORDS, once.
said=$("$1" "$2" 2>&1)
status=$?
expected="emulated GPU: $3
emulated GPU: 1 faults in the use of memory"
[ "$status" -eq 86 ] && [ "$said" = "$expected" ] && exit 0
echo "status $status, expected 86"
echo "said:     $said"
echo "expected: $expected"
exit 1
