#!/bin/sh
# Where the instructions of a workload go: callgrind inside sis_step, a table of functions. Counts do not depend on what else
# the machine does.
#   tools/profile.sh [WORKLOAD/SCHEME ...]      `sistrum bench --count list` names them; default A and tromba marina
set -eu
cd "$(dirname "$0")/.."
program="${SISTRUM:-build/release/sistrum}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# = 0 ]; then set -- A/ledger tromba-marina/ledger; fi
for name in "$@"; do
    samples=$(valgrind --tool=callgrind --toggle-collect=sis_step --callgrind-out-file="$work/out" \
        --log-file="$work/log" "$program" bench --count "$name")
    echo "| $name, instructions per sample | | |"
    echo "|---|--:|--:|"
    callgrind_annotate "$work/out" 2>/dev/null | awk -v samples="$samples" '
        / PROGRAM TOTALS/ { gsub(",", "", $1); total = $1 }
        / [?][?][?]:/ && total {
            gsub(",", "", $1)
            split($0, part, "[?][?][?]:"); split(part[2], word, " ")
            share = 100 * $1 / total
            if (share >= 1) { printf "| `%s` | %d | %.0f %% |\n", word[1], $1 / samples, share; told += $1 }
        }
        END { printf "| all others | %d | %.0f %% |\n", (total - told) / samples, 100 * (total - told) / total
              printf "| together | %d | |\n", total / samples }'
    echo
done
