#!/bin/sh
# Draws the pictures of docs/studies.md into docs/img/, small (pngquant):  tools/study_pictures.sh
set -eu
cd "$(dirname "$0")/.."
program="$PWD/build/release/sistrum"
images="$PWD/docs/img"
if ! command -v pngquant >/dev/null; then
    echo "study_pictures: needs pngquant, to keep them small: apt-get install pngquant" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$program" sweep tanpura -o map.db --axis K=1e4:1e9:log:24 --axis place=0.55:0.9:16 --duration 0.3 --quiet
"$program" plot map.db -o "$images/study_map.png" --x K --y place --colour centroid --quiet
"$program" render tanpura --set K=2e7 --set place=0.7 --duration 0.2 -o target.wav --quiet
"$program" fit tanpura --target target.wav --free K,place -o found.db --runs 300 --quiet
"$program" plot found.db -o "$images/study_fit.png" --quiet
# A map is smallest as it is: dots would stand in for its shades.
pngquant --speed 1 --strip --force --output "$images/study_fit.png" 32 "$images/study_fit.png"
for name in study_map study_fit; do
    echo "docs/img/$name.png: $(wc -c <"$images/$name.png") bytes"
done
