#!/bin/sh
# Renders one instrument into demo/: its sound, its energies as a table and as a picture.
set -eu
cd "$(dirname "$0")/.."
program="build/release/sistrum"
for scene in scenes/newtons_cradle.lua scenes/bouncing_marble.lua; do
    if [ -f "$scene" ]; then break; fi
done
name=$(basename "$scene" .lua)
mkdir -p demo
"$program" render "$scene" -o "demo/$name.wav" --json "demo/$name.json" --quiet
"$program" plot "$scene" --what energy -o "demo/$name.png" --quiet
for file in "demo/$name.wav" "demo/$name.json" "demo/$name.png"; do
    if [ ! -s "$file" ]; then
        echo "demo: $file was not written" >&2
        exit 1
    fi
done
residual=$(awk -F '[:,]' '/"residual_max"/ { printf "%.1e", $2 }' "demo/$name.json")
cat <<END

$scene was played. In demo/:
  $name.wav    the sound
  $name.png    its energy: where it is (colours), what was lost (grey) and what was given (dotted
               line). They must meet; the lower curve is what is left unexplained, here at most
               $residual of the energy: rounding
  $name.json   the report: bodies, contacts, largest forces, speed
Now change a number in $scene and run make demo again, or play another one:
  $program render scenes/rattle.lua -o demo/rattle.wav
END
