#!/bin/sh
# Draws the pictures of docs/live.md: the view of sistrum play in a terminal, under jackd with its dummy driver.
# Needs what tools/install.sh play installs.
set -eu
cd "$(dirname "$0")/.."
program=$PWD/build/release/sistrum
out=${1:-docs/img}
export JACK_DEFAULT_SERVER="sistrum-pictures-$$"
jackd -r -S -n "$JACK_DEFAULT_SERVER" -d dummy -r 48000 -p 1024 >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
sleep 2
picture() { # NAME SIZE KEYS WORDS...
    name=$1 size=$2 keys=$3
    shift 3
    "${PYTHON:-/usr/bin/python3}" tools/terminal.py "$out/$name.png" --size "$size" --keys "$keys" -- "$program" play "$@"
}
# Tab: notes stay; two knobs down, one turned, a chord.
chord='wait 1.5|\t|\x1b[B|\x1b[B|\x1b[C|\x1b[C|wait 0.7|z|c|b|q'
picture play_guitar 80x24 "$chord" guitar
picture play_small 44x12 "$chord" felt_piano
broken=$(mktemp -d)
sed 's/string *{/string { lenght = 1,/' scenes/tanpura.lua >"$broken/wrong.lua"
cp scenes/tanpura.lua "$broken/tanpura.lua"
(
    sleep 3
    cp "$broken/wrong.lua" "$broken/tanpura.lua"
) &
picture play_error 80x24 'wait 0.5|\t|z|b|wait 4' "$broken/tanpura.lua"
wait $!
rm -r "$broken"
