#!/bin/sh
# Instruments that are played, in the hands of others: plugins in real hosts, a sound server that nobody hears, Pure Data.
#   tools/live_test.sh [lv2|clap|pd|play ...]
# Each part installs what it needs and skips by name what the machine does not have. The last line counts.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
passed=0
failed=0
failures=""
tools/install.sh sound || echo "skipped: packages for sound servers cannot be installed"
tools/install.sh lv2 || echo "skipped: packages for LV2 hosts cannot be installed"
tools/install.sh clap || echo "skipped: packages for CLAP cannot be installed"
tools/install.sh pd || echo "skipped: packages for Pure Data cannot be installed"
tools/install.sh play || echo "skipped: packages for JACK and PipeWire cannot be installed"
tools/build.sh release
for part in ${*:-lv2 clap pd play}; do
    echo "== $part"
    # Sound servers depend on what else the machine does: what fails is tried once more, and said to be.
    for attempt in first second; do
        status=0
        timeout "${LIVE_TEST_SECONDS:-400}" sh "tools/live_test_$part.sh" >"build/live_$part.txt" 2>&1 || status=$?
        cat "build/live_$part.txt"
        [ "$status" != 0 ] && [ "$attempt" = first ] || break
        echo "== $part failed; once more"
    done
    last=$(grep -o '[0-9][0-9]* passed, [0-9][0-9]* failed' "build/live_$part.txt" | tail -n 1)
    good=${last%% *}
    bad=$(echo "$last" | sed 's/^.*passed, //; s/ failed//')
    passed=$((passed + ${good:-0}))
    if [ "$status" != 0 ] && [ "${bad:-0}" = 0 ]; then bad=1; fi
    failed=$((failed + ${bad:-0}))
    if [ "${bad:-0}" != 0 ]; then failures="$failures, $part"; fi
done
if [ -n "$failures" ]; then echo "failed: ${failures#, }"; fi
echo "$passed passed, $failed failed" | tee build/live_counts.txt
[ "$failed" = 0 ]
