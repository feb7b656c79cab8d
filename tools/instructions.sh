#!/bin/sh
# What a sample of each shipped scene costs in instructions, inside sis_step without the energies that render asks for, and
# the ratio to another build of the program: counts do not depend on what else the machine does.
#   tools/instructions.sh OTHER-PROGRAM [SCENE ...]      default: all of scenes/*.lua, half a second each
set -eu
cd "$(dirname "$0")/.."
other="$1"
shift
program="${SISTRUM:-build/release/sistrum}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# = 0 ]; then set -- scenes/*.lua; fi

# count PROGRAM SCENE: instructions a sample.
count() {
    valgrind --tool=callgrind --toggle-collect=sis_step --callgrind-out-file="$work/out" --log-file="$work/log" \
        "$1" render "$2" --duration 0.5 --data "$work/x.npy" --json "$work/x.json" --quiet >/dev/null 2>&1
    samples=$(sed -n 's/.*"samples": *\([0-9]*\).*/\1/p' "$work/x.json")
    over=$(sed -n 's/.*"oversample": *\([0-9]*\).*/\1/p' "$work/x.json")
    callgrind_annotate --inclusive=yes --threshold=100 "$work/out" 2>/dev/null | awk -v n="$((samples * over))" '
        / PROGRAM TOTALS/ { gsub(",", "", $1); total = $1 }
        /:sis_state_energy / && !seen { gsub(",", "", $1); energy = $1; seen = 1 }
        END { printf "%d", (total - energy) / n }'
}

echo "| scene | before | now | ratio |"
echo "|---|--:|--:|--:|"
for scene in "$@"; do
    before=$(count "$other" "$scene")
    now=$(count "$program" "$scene")
    echo "$scene $before $now" | awk '{ printf "| %s | %d | %d | %.3f |\n", $1, $2, $3, $3 / $2 }'
done
