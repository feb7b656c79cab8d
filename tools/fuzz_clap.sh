#!/bin/sh
# A million random host calls of sistrum.clap under the address and undefined behaviour sanitizers:
#   tools/fuzz_clap.sh [EVENTS [SEED]]
set -eu
cd "$(dirname "$0")/.."
tools/install.sh test
tools/build.sh asan sistrum-clap test_clap_fuzz
build/asan/test/clap/test_clap_fuzz build/asan/sistrum.clap "${1:-1000000}" "${2:-1}"
