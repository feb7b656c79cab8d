#!/bin/sh
# Random hands on shipped instruments for so many seconds (600), under the sanitizers: nothing leaks, sticks, grows or
# takes memory in the audio thread.   tools/soak.sh [SECONDS]
set -eu
cd "$(dirname "$0")/.."
seconds="${1:-600}"
export SISTRUM_SOAK="$seconds"
# What was freed is not kept for long: else memory seems to grow. With the quarantine that ASan has by itself (256 MB) the
# same 20 s show as 500 MB instead of 200 MB.
export ASAN_OPTIONS="quarantine_size_mb=8:${ASAN_OPTIONS:-}"
status=0
for preset in release asan tsan; do
    echo "== $seconds s in the $preset build"
    build/$preset/test/test_live_soak || status=1
done
exit $status
