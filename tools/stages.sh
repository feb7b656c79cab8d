# For tools/test.sh and tools/sanitize.sh: stages one after the other; a failed one does not stop the next ones, because
# together they tell more.
passed=0
failed=0
failures=""

# stage NAME COMMAND...: counts as one test.
stage() {
    name="$1"
    shift
    echo "== $name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        failures="$failures, $name"
        return 1
    fi
}

# tests PRESET CTEST-ARGUMENTS...: counts each of its tests.
tests() {
    preset="$1"
    shift
    log="build/test_$preset.log"
    echo "== tests of the $preset build"
    status=0
    ctest --test-dir "build/$preset" -j "$(nproc)" --output-on-failure --no-tests=error "$@" >"$log" 2>&1 ||
        status=$?
    cat "$log"
    counts=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log")
    bad=${counts% *}
    all=${counts#* }
    if [ -z "$counts" ]; then
        bad=1
        all=1
    fi
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
    passed=$((passed + all - bad))
    failed=$((failed + bad))
    if [ "$bad" != 0 ]; then failures="$failures, $bad of the $preset build"; fi
}

# tell FILE: one line of counts, also into FILE; false when anything failed.
tell() {
    echo
    if [ -n "$failures" ]; then echo "failed: ${failures#, }"; fi
    echo "$passed passed, $failed failed" | tee "$1"
    [ "$failed" = 0 ]
}
