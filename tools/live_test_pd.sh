#!/bin/sh
# Tests of sistrum~ for Pure Data (test/live/pd.py): installs puredata where apt has it, builds the object, runs patches in batch mode.
# Skipped by name where there is no Pd.
set -eu
cd "$(dirname "$0")/.."
build="${SISTRUM_BUILD:-build/release}"
if ! tools/install.sh pd >/dev/null 2>&1 || ! command -v pd >/dev/null; then
    echo "pd: skipped: puredata-core and puredata-dev are not installed and cannot be"
    exit 0
fi
cmake -S . -B "$build" >/dev/null
if ! cmake --build "$build" --target sistrum-pd sistrum-cli -j 2 >"$build/live_test_pd.log" 2>&1; then
    tail -n 20 "$build/live_test_pd.log" >&2
    echo "pd: 0 passed, 1 failed: sistrum~ does not build"
    exit 1
fi
python3 test/live/pd.py "$build/sistrum" "$build/pd"
