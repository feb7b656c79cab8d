#!/bin/sh
# Renders one instrument into demo/: its sound, pictures of its energy and of the string, the report.
set -eu
cd "$(dirname "$0")/.."
program="build/release/sistrum"
scene=scenes/tanpura.lua
name=$(basename "$scene" .lua)
mkdir -p demo
"$program" render "$scene" -o "demo/$name.wav" --json "demo/$name.json" --quiet
"$program" plot "$scene" --what energy -o "demo/$name.png" --quiet
"$program" plot "$scene" --what snapshots --times 2e-3,6e-3,12.5e-3,14.5e-3,20e-3,34e-3 -o "demo/${name}_shapes.png" --quiet
for file in "demo/$name.wav" "demo/$name.json" "demo/$name.png" "demo/${name}_shapes.png"; do
    if [ ! -s "$file" ]; then
        echo "demo: $file was not written" >&2
        exit 1
    fi
done
needs="docs/python.md has more"
if ! python3 -c 'import numpy' 2>/dev/null; then needs="needs apt-get install python3-numpy"; fi
cat <<END

$scene was played. You hear a low string struck once, for four seconds: a bridge that bends away from
it catches every swing, so that it buzzes, and its tone goes on changing while it dies away. In demo/:
  $name.wav    the sound
  $name.png    its energy: what is stored (colours), what was lost (grey) and what was supplied
               (dotted line). Stored and lost together must be what was supplied; the lower curve
               shows the difference, which is rounding
  ${name}_shapes.png   the string over its bridge at six moments, orange where it touches
  $name.json   the report: bodies, contacts, largest forces, speed
Now turn a knob, play another scene, or begin your own:
  $program params $name
  $program render $name -o demo/soft.wav --set K=1e5
  $program scenes
  $program render sitar -o demo/sitar.wav
  $program new mine
From Python, in this folder ($needs):
  export PYTHONPATH="$PWD/python"
  python3 -c 'import sistrum; print(sistrum.load("tanpura").render(duration=1)["out"].max())'
END
