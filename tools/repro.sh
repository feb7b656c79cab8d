#!/bin/sh
# Reproduces the papers: figures and report in repro-out/, what was found in docs/.
set -eu
cd "$(dirname "$0")/.."
program="build/release/sistrum"
out="repro-out"
status=0
rm -f "$out/report.html"
SISTRUM_DATA="$PWD" "$program" repro all -o "$out" --docs docs || status=$?
if [ ! -s "$out/report.html" ]; then
    echo "repro: $out/report.html was not written" >&2
    exit 1
fi
cat <<END

The papers were run. What they say beside what was measured:
  $out/report.html        everything, with figures, scripts and scenes: open it in a browser
  $out/PAPER/             each figure as .png, .svg and .csv
  $out/results.json       the same for programs
  docs/reproduction.md, docs/beyond.md   the text of it
Run one item again:
  $program repro list
  $program repro ducceschi2019/fig5
END
exit "$status"
