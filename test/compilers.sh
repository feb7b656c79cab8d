#!/bin/sh
# The same bits from every compiler and every optimisation: bench/bits.c hashes long runs of all examples,
# and all builds of it must print the same lines.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# A name, then the compiler call. gnu17, gcc's own default, fuses where it may; -march=native offers fused multiply-add, which moves last bits; no flag
# declines it here, because the sources themselves must: who embeds them chooses the flags. gcc -O1 and -O3 and
# clang -O0 are builds that exist anyway, which tools/test.sh holds against build/bits.txt. `compilers.sh all` tries more.
cat >"$work/builds" <<'END'
gcc-O2-native gcc -std=gnu17 -O2 -march=native
END
if [ "${1:-}" = all ]; then
    cat >>"$work/builds" <<'END'
clang-O1-native clang -std=c17 -O1 -march=native
gcc-O3-native gcc -std=c17 -O3 -march=native
gcc-O1-gnu17 gcc -std=gnu17 -O1
clang-O3-native clang -std=c17 -O3 -march=native
clang-O2 clang -std=c17 -O2
END
fi

run() {
    name="$1"
    shift
    "$@" -Iinclude -Isrc -Ibench src/*/*.c bench/bits.c -lm -o "$work/$name" &&
        "$work/$name" >"$work/$name.txt"
}

# Two at a time: this is most of the time the test takes.
names=""
while read -r name compiler flags; do
    if ! command -v "$compiler" >/dev/null; then
        echo "skipped $name: no $compiler installed"
        continue
    fi
    names="$names $name"
    # shellcheck disable=SC2086 # a list of flags
    (run "$name" "$compiler" $flags >"$work/$name.log" 2>&1 && touch "$work/$name.ok") &
    if [ $(($(echo "$names" | wc -w) % 2)) = 0 ]; then wait; fi
done <"$work/builds"
wait

for name in $names; do
    if [ ! -f "$work/$name.ok" ]; then
        failed=$((failed + 1))
        echo "FAILED  $name: did not build, or a run left the finite numbers or was refused"
        cat "$work/$name.log"
        grep -E 'NOT FINITE|NO CONTACT|refused' "$work/$name.txt" 2>/dev/null | head -n 10 || true
    elif ! diff "$work/gcc-O2-native.txt" "$work/$name.txt" >"$work/diff"; then
        failed=$((failed + 1))
        echo "FAILED  $name: $(grep -c '^>' "$work/diff") runs differ from gcc-O2-native"
        head -n 12 "$work/diff"
    else
        passed=$((passed + 1))
        echo "ok      $name: $(wc -l <"$work/$name.txt") runs, hash of all $(cksum <"$work/$name.txt" | cut -d' ' -f1)"
    fi
done
if [ -f "$work/gcc-O2-native.ok" ]; then mkdir -p build && cp "$work/gcc-O2-native.txt" build/bits.txt; fi
if [ "$passed" -lt 1 ]; then
    failed=$((failed + 1))
    echo "FAILED  no build to compare with"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
