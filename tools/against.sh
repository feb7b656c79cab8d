#!/bin/sh
# What a step of each shipped scene costs in time, against another build of the program: the two take turns, the best of many
# runs counts. Timed is what `render` tells: CPU time inside the engine, audited, energies after every 256 steps.
#   tools/against.sh OTHER-PROGRAM [SCENE ...]      default: all of scenes/*.lua, the first two seconds
# ROUNDS=20 and SECONDS_OF_SOUND=1 change how often and how long. SISTRUM=... is this program, if not the release build.
set -eu
if [ $# = 0 ]; then
    echo "usage: tools/against.sh OTHER-PROGRAM [SCENE ...]" >&2
    exit 2
fi
cd "$(dirname "$0")/.."
other="$1"
shift
program="${SISTRUM:-build/release/sistrum}"
rounds="${ROUNDS:-8}"
sound="${SECONDS_OF_SOUND:-2}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# = 0 ]; then set -- scenes/*.lua; fi

# timed PROGRAM SCENE: ns a step.
timed() {
    "$1" render "$2" --duration "$sound" --json "$work/x.json" --quiet >/dev/null
    awk -F'[:,]' '
        /^  "samples":/ { samples = $2 }
        /"oversample":/ { over = $2 }
        /"seconds":/ { seconds = $2 }
        END { printf "%.3f\n", 1e9 * seconds / (samples * over) }' "$work/x.json"
}

echo "| scene | before, ns | now, ns | ratio |"
echo "|---|--:|--:|--:|"
for scene in "$@"; do
    : >"$work/before"
    : >"$work/now"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        timed "$other" "$scene" >>"$work/before"
        timed "$program" "$scene" >>"$work/now"
        round=$((round + 1))
    done
    before=$(sort -n "$work/before" | head -1)
    now=$(sort -n "$work/now" | head -1)
    name=${scene##*/}
    echo "${name%.lua} $before $now" | awk '{ printf "| %s | %.0f | %.0f | %.2f |\n", $1, $2, $3, $3 / $2 }'
done
