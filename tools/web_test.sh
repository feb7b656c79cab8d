#!/bin/sh
# The page, tried out:  tools/web_test.sh [PART...]
#   engine   every shipped scene in Node, with and without SIMD, against the native program
#   units    parts of the page by themselves, in Node
#   pages    the page in a browser, by real events
# Prints "N passed, M failed"; needs make web --test before. What a machine lacks is skipped by name.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
native=build/release
passed=0
failed=0
skipped=0

part() {
    name="$1"
    shift
    echo "== $name"
    status=0
    "$@" || status=$?
    if [ "$status" = 0 ]; then
        passed=$((passed + 1))
    elif [ "$status" = 77 ]; then
        skipped=$((skipped + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
    fi
}

for each in ${*:-engine units pages}; do
    case "$each" in
    engine) part engine node web/test/node_engine.mjs $native/sistrum $native/bench/scene_samples $native/test/web/live_samples --long ;;
    units) for file in web/test/unit_*.mjs; do if [ -f "$file" ]; then part "$file" node --test "$file"; fi; done ;;
    pages) for file in web/test/page_*.mjs; do if [ -f "$file" ]; then part "$file" node "$file"; fi; done ;;
    *) echo "usage: tools/web_test.sh [engine] [units] [pages]" >&2 && exit 2 ;;
    esac
done
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
