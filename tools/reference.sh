#!/bin/sh
# Writes docs/scene-reference.md from what the program knows about its scene language; --check only compares.
set -eu
cd "$(dirname "$0")/.."
program="${SISTRUM:-build/release/sistrum}"
page=docs/scene-reference.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" help --reference >"$work/page"
if [ "${1:-}" = "--check" ]; then
    diff -u "$page" "$work/page" || {
        echo "$page is not what the program prints; tools/reference.sh writes it again" >&2
        exit 1
    }
else
    cp "$work/page" "$page"
fi
