#!/bin/sh
# Draws the pictures of docs/instruments.md into docs/img/, small (pngquant):  tools/pictures.sh [NAME...]
set -eu
cd "$(dirname "$0")/.."
self=tools/pictures.sh
program="build/release/sistrum"
if ! command -v pngquant >/dev/null; then
    echo "pictures: needs pngquant, to keep them small: apt-get install pngquant" >&2
    exit 1
fi

for name in "$@"; do
    if ! grep -q "^$name --what" "$self"; then
        echo "pictures: no picture of '$name' is known here" >&2
        exit 2
    fi
done

# name of the scene, then what to draw
while read -r name options; do
    case " $* " in
    "  " | *" $name "*) ;;
    *) continue ;;
    esac
    file="docs/img/instrument_$name.png"
    # shellcheck disable=SC2086 # a list of options
    "$program" plot "scenes/$name.lua" -o "$file" --quiet $options
    pngquant --speed 1 --strip --force --output "$file" 32 "$file"
    echo "$file: $(wc -c <"$file") bytes"
done <<END
tanpura_drone --what spectrogram --to 4 --set only=2
sitar --what contact --to 0.05
guitar --what snapshots --times 0.5e-3,1.5e-3,2.5e-3,3.5e-3,4.5e-3,5.5e-3
slapped_bass --what snapshots --times 0.003,0.006,0.009,0.012,0.018,0.03
felt_piano --what penetration --to 0.025
piano_chord --what signal --to 4
prepared_piano --what penetration --to 0.12
dulcimer --what contact --to 0.6
clavichord --what snapshots --times 0.0005,0.002,0.004,0.006,0.008,0.05
tromba --what contact --to 0.4
snare --what plate
marimba --what spectrogram --to 1
marble_on_glass --what energy --to 1.2
clash --what snapshots --times 1e-3,2.5e-3,4e-3,6e-3,9e-3,12e-3
jaw_harp --what spectrogram --to 1.5
sistrum --what contact --to 1.6
rattle --what signal --to 0.25
END
