#!/bin/sh
# The fault campaign with the release build and with the sanitizers:  tools/fault.sh [ARGUMENTS of test/fault/run.py]
# Ends with one line of counts and fails when anything failed.
set -eu
cd "$(dirname "$0")/.."
log="build/fault.log"
python="${PYTHON:-/usr/bin/python3}"
passed=0
failed=0
for preset in release asan; do
    tools/build.sh "$preset" sistrum-cli sistrum-scene test_foreign
    echo "== faults of the $preset build"
    SISTRUM="build/$preset/sistrum" PYTHONDONTWRITEBYTECODE=1 "$python" test/fault/run.py "$@" >"$log" || true
    cat "$log"
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
    if [ -z "$counts" ]; then counts="0 1"; fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
done
echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
