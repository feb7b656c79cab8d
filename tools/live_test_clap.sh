#!/bin/sh
# sistrum.clap in the hosts of others, and long random host calls:  tools/live_test_clap.sh
# Prints "N passed, M failed"; what a machine lacks is skipped by name. Called by tools/live_test.sh.
set -eu
cd "$(dirname "$0")/.."
build="${SISTRUM_BUILD:-build/release}"
plugin="$PWD/$build/sistrum.clap"
passed=0
failed=0

check() {
    name="$1"
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
    fi
}

if [ ! -f "$plugin" ]; then
    echo "skipped sistrum.clap: it is not built (tools/install.sh live installs dpf-source, its headers)"
    echo "0 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Qtractor's scanner reads plugins from standard input, and prints a line for each: name, ports, params.
scanner=""
for place in /usr/lib/*/qtractor /usr/libexec/qtractor /usr/local/lib/qtractor; do
    if [ -x "$place/qtractor_plugin_scan" ]; then scanner="$place/qtractor_plugin_scan"; fi
done
scan() {
    echo "CLAP:$plugin" | QT_QPA_PLATFORM=offscreen timeout 300 "$scanner" >"$work/scan.txt" 2>"$work/scan.log"
    scenes=$(find scenes -maxdepth 1 -name '*.lua' | wc -l)
    found=$(grep -c '^CLAP|.*|[0-9]*:2|' "$work/scan.txt")
    echo "        Qtractor sees $found plugins of $scenes scenes"
    [ "$found" -ge "$scenes" ] && grep -q '^CLAP|Tanpura|0:2|1:0|' "$work/scan.txt"
}
if [ -n "$scanner" ]; then
    check "Qtractor's scanner takes every scene" scan
else
    echo "skipped Qtractor's scanner: apt-get install qtractor"
fi

if [ -x "$build/test/clap/test_clap_fuzz" ]; then
    check "a hundred thousand random events" "$build/test/clap/test_clap_fuzz" "$plugin" "${CLAP_EVENTS:-100000}" 7
else
    echo "skipped random events: the tests are not built"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
