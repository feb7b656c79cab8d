#!/bin/sh
# What a sample costs: runs `sistrum bench` of the release build, shows instructions per sample where valgrind is
# installed, keeps a history in build/bench.csv and says what got slower.
#   tools/bench.sh [--docs] [OPTIONS of sistrum bench]
# --docs also writes the tables into docs/performance.md. DATE=... is noted in the history.
set -eu
cd "$(dirname "$0")/.."
program="${SISTRUM:-build/release/sistrum}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1:-}" = "--docs" ]; then
    shift
    set -- --docs docs/performance.md "$@"
fi

# One run of each workload in which only sis_step is counted: the same on every machine with the same lanes.
if command -v valgrind >/dev/null; then
    for name in $("$program" bench --count list); do
        samples=$(valgrind --tool=callgrind --toggle-collect=sis_step --callgrind-out-file=/dev/null \
            --log-file="$work/log" "$program" bench --count "$name") || continue
        total=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log")
        if [ -n "$total" ] && [ "$samples" -gt 0 ]; then
            echo "$name,$((total / samples))" >>"$work/counts.csv"
        fi
    done
    if [ -s "$work/counts.csv" ]; then set -- --counts "$work/counts.csv" "$@"; fi
fi

if [ -n "${DATE:-}" ]; then set -- --date "$DATE" "$@"; fi
mkdir -p build
"$program" bench --history build/bench.csv "$@"

# The profile goes between its marks.
case " $* " in *" --docs "*)
    if command -v valgrind >/dev/null; then
        tools/profile.sh >"$work/profile"
        awk -v table="$work/profile" '
            /<!-- profile end -->/ { inside = 0 }
            !inside { print }
            /<!-- profile begin -->/ { inside = 1; print ""; while ((getline line < table) > 0) print line }
        ' docs/performance.md >"$work/page" && cp "$work/page" docs/performance.md
    fi ;;
esac
