#!/bin/sh
# Data files of the program, read back by h5py, scipy, libmatio and Octave (test/data_files.py); installs them.
#   tools/data_test.sh
# The last line counts.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
if ! tools/install.sh data; then
    echo "skipped: h5py, scipy, libmatio or Octave cannot be installed"
    echo "0 passed, 0 failed" | tee build/data_counts.txt
    exit 0
fi
tools/build.sh release sistrum-cli sistrum-scene
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046 # a list of words
cc -std=c17 -O1 -Wall -Wextra test/data/matio_read.c -o "$work/matio_read" $(pkg-config --cflags --libs matio)
status=0
SISTRUM="$PWD/build/release/sistrum" SISTRUM_LIBRARY="$PWD/build/release/libsistrum-scene.so" SISTRUM_SOURCE="$PWD" \
    SISTRUM_MATIO="$work/matio_read" SISTRUM_ALL=1 PYTHONDONTWRITEBYTECODE=1 \
    "${PYTHON:-/usr/bin/python3}" test/data_files.py 2>"$work/said" || status=$?
cat "$work/said"
ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$work/said")
lost=$(sed -n 's/^FAILED (//p' "$work/said" | tr -cs '0-9' '\n' | awk '{ n += $1 } END { print n + 0 }')
if [ "$status" != 0 ] && [ "$lost" = 0 ]; then lost=1; fi
echo "$((${ran:-0} - lost)) passed, $lost failed" | tee build/data_counts.txt
[ "$status" = 0 ]
