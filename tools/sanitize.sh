#!/bin/sh
# The tests once more under sanitizers: addresses and undefined behaviour, all but long studies of numbers
# (CMakePresets.json); threads, what runs in threads. Ends with one line of counts and fails when anything failed.
set -eu
cd "$(dirname "$0")/.."
. tools/stages.sh
mkdir -p build
rm -f build/sanitize_counts.txt build/asan/bits.txt

if stage "address and undefined behaviour sanitizer build" tools/build.sh asan; then
    tests asan
    # gcc -O1 with sanitizers has the bits of the build that is installed.
    if [ -x build/release/bench/bits ]; then
        build/release/bench/bits >build/sanitize_bits.txt
        stage "the same bits with sanitizers" cmp build/sanitize_bits.txt build/asan/bits.txt || true
    fi
fi
if stage "thread sanitizer build" tools/build.sh tsan test_threads test_parts test_music_perform test_sweep_study \
    test_live_fuzz test_live_soak; then
    tests tsan -R '^(threads|parts|music_perform|sweep_study|live_(fuzz|soak))$'
fi
tell build/sanitize_counts.txt
