#!/bin/sh
# Draws the pictures of docs/live.md: the view of sistrum play in a terminal, under jackd with its dummy driver.
# Needs what tools/install.sh play installs. A busy machine has xruns: then a picture is taken again.
set -eu
cd "$(dirname "$0")/.."
program=$PWD/build/release/sistrum
out=${1:-docs/img}
export JACK_DEFAULT_SERVER="sistrum-pictures-$$"
jackd -r -S -n "$JACK_DEFAULT_SERVER" -d dummy -r 48000 -p 1024 >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
sleep 2
picture() { # NAME OPTIONS... -- WORDS...
    name=$1
    shift
    "${PYTHON:-/usr/bin/python3}" tools/terminal.py "$out/$name.png" "$@"
}
# Tab: notes stay; two knobs down, one turned, a chord.
chord='wait 1.5|\t|\x1b[B|\x1b[B|\x1b[C|\x1b[C|wait 0.7|z|c|b|q'
picture play_guitar --keys "$chord" --shows 'xruns 0' -- "$program" play guitar
picture play_small --size 44x12 --keys "$chord" -- "$program" play felt_piano
broken=$(mktemp -d)
sed 's/string *{/string { lenght = 1,/' scenes/tanpura.lua >"$broken/wrong.lua"
for try in 1 2 3 4 5 6 7 8; do
    cp scenes/tanpura.lua "$broken/tanpura.lua"
    (
        sleep 3
        cp "$broken/wrong.lua" "$broken/tanpura.lua"
    ) &
    copied=$!
    status=0
    picture play_error --tries 1 --keys 'wait 0.5|\t|z|b|wait 4' --shows lenght --shows 'xruns 0' -- "$program" play "$broken/tanpura.lua" || status=$?
    wait $copied
    if [ $status = 0 ]; then break; fi
    echo "play_error: try $try"
done
rm -r "$broken"
exit $status
