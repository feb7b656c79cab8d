#!/bin/sh
# The page in Node and in a real browser:  tools/web_test.sh [--long] [PART ...]
# Builds the page and runs web/test/: what is pure and the engine in Node (every scene, with and without SIMD, bit by bit), the
# page in headless Chromium by real events. --long: a minute of play instead of twenty seconds. Firefox: where it is installed.
# Parts: unit node hashes take engine panels first scenes edit keys phone limits access learn gallery habits long firefox.
# Two parts run at a time: what only computes beside what is played. The last line counts.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
seconds=20
if [ "${1:-}" = --long ]; then
    seconds=60
    shift
fi
tools/install.sh web-test || echo "skipped: packages for a browser cannot be installed"
tools/build.sh release sistrum-cli sistrum-scene scene_samples live_samples
tools/web.sh --test
said=build/web_test
rm -rf "$said"
mkdir -p "$said"
if newer=$(tools/newer_node.sh); then
    PATH="$newer:$PATH"
elif [ $# = 0 ]; then
    echo "skipped: all but hashes in Node, for want of Node 20"
    set -- node
fi
browser=yes
if ! "${CHROMIUM:-/usr/bin/chromium}" --version >/dev/null 2>&1; then browser=""; fi

# What a part runs.
command_of() {
    case "$1" in
    unit) echo "node --test --test-reporter=tap web/test/unit_*.mjs" ;;
    panels) echo "node --test --test-reporter=tap web/test/panels_drive.mjs" ;;
    node) echo "node web/test/node_engine.mjs build/release/sistrum build/release/bench/scene_samples $(find build/release -name live_samples -type f) --long" ;;
    hashes) echo "node web/test/page_scenes.mjs --hashes" ;;
    long) echo "node web/test/page_long.mjs $seconds" ;;
    *) echo "node web/test/page_$1.mjs" ;;
    esac
}

# counts PART: "PASSED FAILED" of what it said; node --test counts in its own words.
counts() {
    if [ "$1" = unit ] || [ "$1" = panels ]; then
        sed -n 's/^# pass //p; s/^# fail //p' "$said/$1.txt" | tr '\n' ' '
    else
        sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$said/$1.txt" | tail -n 1
    fi
}

# part NAME: runs it, and once more if it fails: a browser depends on what else the machine does. Writes NAME.counts.
part() {
    for attempt in first second; do
        status=0
        # shellcheck disable=SC2046 # a list of words
        timeout "${WEB_TEST_SECONDS:-300}" $(command_of "$1") >"$said/$1.txt" 2>&1 || status=$?
        [ "$status" != 0 ] && [ "$attempt" = first ] || break
        cp "$said/$1.txt" "$said/$1.first.txt"
        sed -n "s/^FAILED /== $1, first attempt: /p" "$said/$1.txt" >"$said/$1.again"
        echo "== $1 failed ($status); once more" >>"$said/$1.again"
    done
    now=$(counts "$1")
    good=${now%% *}
    bad=$(echo "$now" | cut -d' ' -f2)
    if [ "$status" != 0 ] && [ "${bad:-0}" = 0 ]; then bad=1; fi
    {
        echo "== $1"
        if [ -f "$said/$1.again" ]; then cat "$said/$1.again"; fi
        case "$1" in unit | panels) grep '^ *not ok\|^ *error:\|^# pass\|^# fail' "$said/$1.txt" || true ;; *) cat "$said/$1.txt" ;; esac
    } >"$said/$1.whole"
    cat "$said/$1.whole"
    echo "${good:-0} ${bad:-0} $1" >"$said/$1.counts"
}

parts=${*:-unit node hashes take engine panels first scenes edit keys phone limits access learn gallery habits long firefox}
computes=""
plays=""
for name in $parts; do
    case "$name" in
    unit | node) computes="$computes $name" ;;
    firefox)
if command -v "${FIREFOX:-firefox-esr}" >/dev/null; then plays="$plays $name"; else echo "skipped: firefox (80 MB: tools/install.sh firefox)"; fi
        ;;
    *)
        if [ -z "$browser" ]; then
            echo "skipped: $name (no Chromium)"
        elif [ "$name" = hashes ] || [ "$name" = take ]; then
            computes="$computes $name"
        else
            plays="$plays $name"
        fi
        ;;
    esac
done
(for name in $computes; do part "$name"; done) &
beside=$!
for name in $plays; do part "$name"; done
wait "$beside" || true

passed=0
failed=0
failures=""
for name in $computes $plays; do
    read -r good bad _ <"$said/$name.counts"
    passed=$((passed + good))
    failed=$((failed + bad))
    if [ "$bad" != 0 ]; then failures="$failures, $name"; fi
done
if [ -n "$failures" ]; then echo "failed: ${failures#, }"; fi
echo "$passed passed, $failed failed" | tee build/web_counts.txt
[ "$failed" = 0 ]
