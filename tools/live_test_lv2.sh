#!/bin/sh
# LV2 bundles of every shipped scene in the hands of others: lv2_validate, a host by lilv, jalv under a JACK server, and
# random host calls under the address sanitizer.
#   tools/live_test_lv2.sh [SCENE ...]
# Prints "N passed, M failed"; what a machine lacks is skipped by name. Called by tools/live_test.sh.
set -eu
cd "$(dirname "$0")/.."
tools/install.sh lv2
build="$PWD/${SISTRUM_BUILD:-build/release}"
program="$build/sistrum"
passed=0
failed=0

check() {
    name="$1"
    shift
    if "$@" >"$work/log.txt" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        tail -n 20 "$work/log.txt" | sed 's/^/        /'
    fi
}

if [ ! -f "$build/sistrum-lv2.so" ]; then
    echo "skipped LV2: the plugin is not built (apt-get install lv2-dev)"
    echo "0 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d)
mkdir "$work/lv2"
trap 'rm -rf "$work"' EXIT

# Scenes that make no sound are no plugins; all others are.
if [ $# = 0 ]; then
    for file in scenes/*.lua; do set -- "$@" "$(basename "$file" .lua)"; done
fi
scenes=""
for scene in "$@"; do
    if "$program" plugin "scenes/$scene.lua" -o "$work/lv2" --quiet 2>"$work/why.txt"; then
        scenes="$scenes $scene"
    elif grep -q 'no sound\|does not sound\|silent' "$work/why.txt"; then
        echo "skipped $scene: $(sed 's/^sistrum: //' "$work/why.txt")"
    else
        check "bundle of $scene" cat "$work/why.txt" /nowhere
    fi
done
export LV2_PATH="$work/lv2:/usr/lib/lv2"

# ---------------------------------------------------------------------------- Turtle

validate() {
    lv2_validate "$work/lv2/$1.lv2/"*.ttl 2>&1 | tee "$work/validate.txt"
    grep -q '^Found 0 errors' "$work/validate.txt"
}
if command -v lv2_validate >/dev/null && command -v sord_validate >/dev/null; then
    for scene in $scenes; do check "lv2_validate $scene" validate "$scene"; done
    "$program" plugin tanpura -o "$work/lv2" --properties --quiet
    check "lv2_validate tanpura --properties" validate tanpura
else
    echo "skipped lv2_validate: not installed (apt-get install lv2-dev sordi)"
fi

# ---------------------------------------------------------------------------- a host by lilv

host="$work/lv2_host"
play() {
    song=""
    if grep -q '^play *{' "scenes/$1.lua" && ! grep -q 'sound *=' "scenes/$1.lua"; then
        # Oversampled scenes, too: the plugin filters as the file does.
        "$program" render "scenes/$1.lua" --midi "$work/song.mid" --normalise off --rate 48000 --bits 32f \
            -o "$work/$1.wav" --quiet || return 1
        song="$work/$1.wav"
    elif grep -q '^play *{.*sound *=' "scenes/$1.lua"; then
        "$program" render "scenes/$1.lua" --sound "$work/noise.wav" --duration 1.25 --normalise off --rate 48000 \
            --bits 32f -o "$work/$1.wav" --quiet || return 1
        song="$work/$1.wav"
    fi
    # shellcheck disable=SC2086 # nothing where there is no song
    "$host" check "urn:sistrum:$1" $song
}
if pkg-config --exists lilv-0 lv2; then
    # shellcheck disable=SC2046 # a list of flags
    cc -std=c17 -D_GNU_SOURCE -O1 -Iplugin -Itest $(pkg-config --cflags lilv-0 lv2) test/live/lv2_host.c -o "$host" \
        $(pkg-config --libs lilv-0) -lm
    "$host" song "$work/song.mid"
    "$host" noise "$work/noise.wav"
    for scene in $scenes; do check "lilv plays $scene" play "$scene"; done
else
    echo "skipped the host by lilv: not installed (apt-get install liblilv-dev)"
fi

# ---------------------------------------------------------------------------- jalv

sound_of() {
    server="sistrum-lv2-$$"
    export JACK_DEFAULT_SERVER="$server" JACK_NO_AUDIO_RESERVATION=1 JACK_NO_START_SERVER=1
    jackd -r -n "$server" -d dummy -r 48000 -p 1024 >"$work/jackd.txt" 2>&1 &
    jackd=$!
    jack_wait -s "$server" -w -t 20 >/dev/null 2>&1 || true
    # It reads commands from standard input and ends with it.
    mkfifo "$work/keys"
    jalv -n playing "urn:sistrum:$1" <"$work/keys" >"$work/jalv.txt" 2>&1 &
    jalv=$!
    exec 9>"$work/keys"
    result=0
    "$work/listen" playing 4 || result=1
    exec 9>&-
    kill "$jalv" "$jackd" 2>/dev/null || true
    wait "$jalv" "$jackd" 2>/dev/null || true
    rm -f "$work/keys"
    if [ $result != 0 ]; then cat "$work/jalv.txt"; fi
    return $result
}
if command -v jalv >/dev/null && command -v jackd >/dev/null && pkg-config --exists jack; then
    # shellcheck disable=SC2046 # a list of flags
    cc -std=c17 -D_GNU_SOURCE -O1 test/live/jalv_listen.c -o "$work/listen" $(pkg-config --cflags --libs jack) -lm
    for scene in tanpura guitar; do
        case " $scenes " in *" $scene "*) check "jalv under jackd sounds: $scene" sound_of "$scene" ;; esac
    done
else
    echo "skipped jalv: not installed (apt-get install jalv jackd2 libjack-jackd2-dev)"
fi

# ---------------------------------------------------------------------------- random calls

fuzz() {
    tools/build.sh asan test_lv2 && SISTRUM_LONG=1 build/asan/test/test_lv2
}
if [ -z "${SISTRUM_NO_FUZZ:-}" ]; then check "random host calls under the address sanitizer" fuzz; fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
