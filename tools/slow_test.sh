#!/bin/sh
# The tests that take longest: the same bits from another compiler call, every command of the pages, pitch and level of every
# instrument, numbers of the papers, memory and disks that fail, a build without Ninja. Ends with one line of counts and fails when
# anything failed.
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
# A machine with neither Ninja nor anything that make demo does not install.
without_ninja() {
    rm -rf build/make
    cmake --preset release -B build/make -G "Unix Makefiles" >/dev/null &&
        env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build build/make -j "$(nproc)" \
            --target sistrum-cli sistrum-scene sistrum-data sistrum-lv2 >build/make.log 2>&1 || {
        grep -E "error|\*\*\*|No rule" build/make.log >&2
        return 1
    }
    rm -rf build/make build/make.log
}
stage "the program built by make alone" without_ninja || true
tell build/slow_counts.txt
