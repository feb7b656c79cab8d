#!/bin/sh
# The tests that take longest: the same bits from another compiler call, every command of the pages, pitch and level of every
# instrument, numbers of the papers, memory and disks that fail. Ends with one line of counts and fails when anything failed.
set -eu
cd "$(dirname "$0")/.."
. tools/stages.sh
mkdir -p build
rm -f build/slow_counts.txt build/bits.txt

# build/bits.txt is gcc -O2 -march=native, by compilers.sh.
same_bits() {
    [ -f build/release/bits.txt ] || build/release/bench/bits >build/release/bits.txt
    cmp build/bits.txt build/release/bits.txt
}
if stage "gcc build" tools/build.sh release; then
    tests release -L '^slow$'
    stage "the same bits from both builds" same_bits || true
fi
tell build/slow_counts.txt
