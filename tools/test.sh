#!/bin/sh
# Everything that must hold, one stage after the other; a failed stage does not stop the next ones, because
# together they tell more. Ends with one line of counts and fails when anything failed.
set -eu
cd "$(dirname "$0")/.."
log="build/test.log"
mkdir -p build
rm -f build/counts.txt build/bits.txt build/*/bits.txt
passed=0
failed=0
failures=""

# stage NAME COMMAND...: counts as one test.
stage() {
    name="$1"
    shift
    echo "== $name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        failures="$failures, $name"
        return 1
    fi
}

# tests PRESET CTEST-ARGUMENTS...: counts each of its tests.
tests() {
    preset="$1"
    shift
    echo "== tests of the $preset build"
    status=0
    ctest --test-dir "build/$preset" -j "$(nproc)" --output-on-failure --no-tests=error "$@" >"$log" 2>&1 ||
        status=$?
    cat "$log"
    counts=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log")
    bad=${counts% *}
    all=${counts#* }
    if [ -z "$counts" ]; then
        bad=1
        all=1
    fi
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    passed=$((passed + all - bad))
    failed=$((failed + bad))
    if [ "$bad" != 0 ]; then failures="$failures, $bad of the $preset build"; fi
}

stage "format" tools/format.sh --check || true
if stage "gcc build without a warning" tools/build.sh release; then tests release; fi
if stage "clang build without a warning" tools/build.sh clang; then
    build/clang/bench/bits >build/clang/bits.txt & # while the next build runs
    stage "the core installed as a shared library" test/install.sh build/clang || true
fi
if stage "address and undefined behaviour sanitizer build" tools/build.sh asan; then
    tests asan # without long studies of numbers: CMakePresets.json
fi
# build/bits.txt is gcc -O2 -march=native, which compilers.sh has compared with clang. The builds above: gcc -O3 as
# installed, gcc -O1 with sanitizers, clang -O0.
same_bits() {
    wait
    cmp build/bits.txt build/release/bits.txt && cmp build/bits.txt build/asan/bits.txt &&
        cmp build/bits.txt build/clang/bits.txt
}
stage "the same bits from these builds" same_bits || true
stage "the same samples of every scene, with and without FMA, for every width, in WebAssembly" tools/hashes.sh || true
if stage "thread sanitizer build" tools/build.sh tsan test_threads test_parts test_music_perform test_sweep_study test_live_fuzz \
    test_live_realtime test_live_soak; then
    tests tsan -R '^(threads|parts|music_perform|sweep_study|live_(fuzz|realtime|soak))$'
fi

echo
if [ -n "$failures" ]; then echo "failed: ${failures#, }"; fi
echo "$passed passed, $failed failed" | tee build/counts.txt
[ "$failed" = 0 ]
