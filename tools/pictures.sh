#!/bin/sh
# Draws the pictures of README.md and docs/*.md into docs/img/, small (pngquant):  tools/pictures.sh [NAME...]
# NAME is that of a file in docs/img, without .png; instrument_ may be left out. Those of the tutorial: tools/tutorial.sh.
set -eu
cd "$(dirname "$0")/.."
self=tools/pictures.sh
program="build/release/sistrum"
if ! command -v pngquant >/dev/null; then
    echo "pictures: needs pngquant, to keep them small: apt-get install pngquant" >&2
    exit 1
fi

for name in "$@"; do
    if ! grep -Eq "^(instrument_)?$name (plot|compare) " "$self"; then
        echo "pictures: no picture of '$name' is known here" >&2
        exit 2
    fi
done

# file, command, scene, and what to draw
while read -r name command scene options; do
    case " $* " in
    "  " | *" $name "* | *" ${name#instrument_} "*) ;;
    *) continue ;;
    esac
    file="docs/img/$name.png"
    # shellcheck disable=SC2086 # a list of options
    "$program" "$command" "scenes/$scene.lua" -o "$file" --quiet $options >/dev/null
    pngquant --speed 1 --strip --force --output "$file" 32 "$file"
    echo "$file: $(wc -c <"$file") bytes"
done <<END
string_snapshots plot tanpura --what snapshots --times 2e-3,6e-3,0.0125,0.0145,0.02,0.034
string_contact plot tanpura --what contact --to 0.2
plate_tromba plot tromba_marina --what plate --times 0.0225,0.024,0.027,0.035,0.05,0.0795
bow_friction plot tromba_marina --what bow --to 0.3
bow_contact plot tromba_marina --what contact --to 0.3
spectrum_guitar plot guitar --what spectrum
cradle_energy plot newtons_cradle --what energy
compare compare mass_barrier --to 0.2
gesture_bend plot guitar --what spectrogram --input bend=examples/bend.csv --set action=0.05
instrument_tanpura_drone plot tanpura_drone --what spectrogram --to 4 --set only=2
instrument_sitar plot sitar --what contact --to 0.05
instrument_guitar plot guitar --what snapshots --times 0.5e-3,1.5e-3,2.5e-3,3.5e-3,4.5e-3,5.5e-3
instrument_slide_guitar plot slide_guitar --what spectrogram --rate 8000 --input slide=examples/slide.csv
instrument_slapped_bass plot slapped_bass --what snapshots --times 0.003,0.006,0.009,0.012,0.018,0.03
instrument_felt_piano plot felt_piano --what penetration --to 0.025
instrument_piano_chord plot piano_chord --what signal --to 4
instrument_prepared_piano plot prepared_piano --what penetration --to 0.12
instrument_dulcimer plot dulcimer --what contact --to 0.6
instrument_clavichord plot clavichord --what snapshots --times 0.0005,0.002,0.004,0.006,0.008,0.05
instrument_tromba plot tromba --what contact --to 0.4
instrument_snare plot snare --what plate
instrument_timpani plot timpani --what plate --set place=0.12 --times 5e-3,8e-3,12e-3,16e-3,24e-3,40e-3
instrument_marimba plot marimba --what spectrogram --to 1
instrument_marble_on_glass plot marble_on_glass --what energy --to 1.2
instrument_clash plot clash --what snapshots --times 1e-3,2.5e-3,4e-3,6e-3,9e-3,12e-3
instrument_jaw_harp plot jaw_harp --what spectrogram --to 1.5
instrument_sistrum plot sistrum --what contact --to 1.6
instrument_rattle plot rattle --what signal --to 0.25
instrument_resonator plot resonator --what spectrogram --to 2
END
