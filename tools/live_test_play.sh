#!/bin/sh
# sistrum play under sound servers that nobody hears (test/live/jack_play.py). Called by tools/live_test.sh; by itself:
#   tools/live_test_play.sh [SCENE ...]     scenes whose sound is compared with the offline render
set -eu
cd "$(dirname "$0")/.."
program=${SISTRUM:-$PWD/build/release/sistrum}
if ! pkg-config --exists jack 2>/dev/null; then
    echo "skipped sistrum play under JACK: libjack's headers are not installed (tools/install.sh play)"
    echo "0 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046 # a list of words
cc -std=c17 -D_DEFAULT_SOURCE -O1 -Wall -Wextra test/live/jack_client.c -o "$work/jack_client" $(pkg-config --cflags --libs jack)
SISTRUM="$program" SISTRUM_SOURCE="$PWD" JACK_CLIENT="$work/jack_client" PYTHONDONTWRITEBYTECODE=1 \
    "${PYTHON:-/usr/bin/python3}" test/live/jack_play.py "$@"
