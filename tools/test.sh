#!/bin/sh
# Everything that must hold but for the slow tests (tools/slow_test.sh) and the sanitizers (tools/sanitize.sh). Ends with one
# line of counts and fails when anything failed.
set -eu
cd "$(dirname "$0")/.."
. tools/stages.sh
mkdir -p build
rm -f build/counts.txt build/release/bits.txt build/clang/bits.txt

stage "format" tools/format.sh --check || true
if stage "gcc build without a warning" tools/build.sh release; then tests release -LE '^slow$'; fi
if stage "clang build without a warning" tools/build.sh clang; then
    build/clang/bench/bits >build/clang/bits.txt & # meanwhile
    stage "the core installed as a shared library" test/install.sh build/clang || true
fi
# The builds above: gcc -O3 as installed, clang -O0; slow_test.sh compares gcc -O2 -march=native.
same_bits() {
    wait
    cmp build/release/bits.txt build/clang/bits.txt
}
stage "the same bits from these builds" same_bits || true
stage "the same samples of every scene, with and without FMA, for every width" tools/hashes.sh || true
tell build/counts.txt
