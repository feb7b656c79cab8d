#!/bin/sh
# The same samples everywhere: SHA-256 of two seconds of every scene (bench/scene_samples.c), from builds by several
# compilers and for several processors, each of what is installed here.
#
#   tools/hashes.sh            the release build with and without fused multiply-add, and one number at a time
#   tools/hashes.sh --all      also with 2, 4 and 8 numbers side by side, gcc and clang from -O0 to -O3, aarch64 by qemu-user, WebAssembly in Node
#   tools/hashes.sh --write    also writes docs/hashes.md
#
# Prints one line a build, and the scenes that differ; fails if any does.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
all=""
levels="0 1 2 3"
page=""
for word in "$@"; do
    case "$word" in
    --all) all=yes ;;
    --write) all=yes page=docs/hashes.md ;;
    *) echo "usage: tools/hashes.sh [--all] [--write]" >&2 && exit 2 ;;
    esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenes=$(ls scenes/*.lua)
passed=0
failed=0
skipped=0
first=""

# hashed NAME COMMAND...: the hashes of what COMMAND SCENE prints, held against those of the first build.
hashed() {
    name="$1"
    shift
    for scene in $scenes; do
        if ! "$@" "$scene" >"$work/samples" 2>"$work/said"; then
            echo "FAILED  $name: $scene: $(head -n 1 "$work/said")"
            : >"$work/samples"
        fi
        echo "$(sha256sum <"$work/samples" | cut -d' ' -f1)  $(basename "$scene" .lua)"
    done >"$work/$name"
    grep FAILED "$work/$name" || true
    if [ -z "$first" ]; then first="$name"; fi
    if cmp -s "$work/$first" "$work/$name"; then
        passed=$((passed + 1))
        echo "ok      $name: $(wc -l <"$work/$name") scenes, hash of all $(sha256sum <"$work/$name" | cut -c1-16)"
    else
        failed=$((failed + 1))
        echo "FAILED  $name differs from $first:$(diff "$work/$first" "$work/$name" | sed -n 's/^> [0-9a-f]* / /p' | tr '\n' ' ')"
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped $1: $2"
}

release=build/release/bench/scene_samples
lanes() { "$release" "$2" "$1"; }
plain_cpu() { GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA_Usable,-FMA,-AVX2_Usable,-AVX2 "$release" "$1"; }
hashed "release" "$release"
hashed "release-without-FMA-in-libc" plain_cpu
for width in 1 ${all:+2 4 8}; do
    if "$release" scenes/two_masses.lua "$width" >/dev/null 2>&1; then
        hashed "release-$width-lanes" lanes "$width"
    else
        skip "release-$width-lanes" "this processor has fewer"
    fi
done

# ---------------------------------------------------------------------------- other compilers and processors

# built NAME LUA_FLAGS COMPILER...: everything from source in $work/NAME.out; Lua's mathematics is ours.
built() {
    name="$1"
    lua_flags="$2"
    shift 2
    mkdir -p "$work/$name.o"
    (
        for file in "$lua"/l*.c; do
            case "$(basename "$file")" in lua.c | luac.c | linit.c | liolib.c | loslib.c | loadlib.c | ldblib.c | lcorolib.c | lutf8lib.c) continue ;; esac
            # shellcheck disable=SC2086 # lists of flags
            "$@" $lua_flags -I"$work/stub" -Iinclude -include tools/lua-math.h -w -c "$file" -o "$work/$name.o/$(basename "$file" .c).o" || exit 1
        done
        # shellcheck disable=SC2086 # a list of flags
        "$@" -std=c17 -D_POSIX_C_SOURCE=200809L $link -Iinclude -Isrc -Iscript -I"$lua" -I"$work/stub" src/*/*.c script/*.c bench/scene_samples.c \
            "$work/$name.o"/*.o -lm -o "$work/$name.out"
    ) >"$work/$name.log" 2>&1 && return 0
    failed=$((failed + 1))
    echo "FAILED  $name did not build: $(grep -m1 error "$work/$name.log" || tail -n 1 "$work/$name.log")"
    return 1
}

if [ -n "$all" ]; then
    lua=$(tools/lua-source.sh)
    mkdir -p "$work/stub"
    echo '#define DEB_HOST_MULTIARCH "none"' >"$work/stub/lua5.4-deb-multiarch.h"
    link=""
    for compiler in gcc clang; do
        if ! command -v "$compiler" >/dev/null; then skip "$compiler" "not installed" && continue; fi
        for level in $levels; do
            if built "$compiler-O$level" "" "$compiler" "-O$level"; then hashed "$compiler-O$level" "$work/$compiler-O$level.out"; fi
        done
    done
    cross=aarch64-linux-gnu-gcc
    if ! command -v $cross >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
        skip "aarch64" "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross or qemu-user is not installed"
    else
        link="-static"
        if built "aarch64" "" $cross -O2; then hashed "aarch64" qemu-aarch64 "$work/aarch64.out"; fi
        link=""
    fi
    clang=""
    for version in 14 15 16; do
        if command -v "clang-$version" >/dev/null && [ -d /usr/lib/wasm32-wasi ]; then clang="clang-$version"; break; fi
    done
    if [ -z "$clang" ] || ! command -v node >/dev/null; then
        skip "wasm32" "clang-14, lld-14, wasi-libc, libclang-rt-14-dev-wasm32 or nodejs is not installed"
    else
        echo "typedef int jmp_buf;" >"$work/stub/setjmp.h"
        emulated="-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL"
        link="$emulated -Wl,--export=__stack_pointer -Wl,--export-table -Wl,-z,stack-size=1048576
              -lwasi-emulated-process-clocks -lwasi-emulated-signal"
        run_wasm() { node --no-warnings tools/wasm-run.mjs "$work/$1.out" "/here/$2"; }
        for simd in "" -simd128; do
            name="wasm32$simd"
            if built "$name" "$emulated -include tools/wasm-lua.h" "$clang" --target=wasm32-wasi -O3 \
                -ffp-contract=off ${simd:+-msimd128}; then
                hashed "$name" run_wasm "$name"
            fi
        done
    fi
fi

if [ -n "$page" ]; then
    {
        echo "# The same samples everywhere"
        echo
        echo "SHA-256 of two seconds of every scene: all probes at every step as doubles, and the filtered sound of oversampled"
        echo "scenes. \`tools/hashes.sh --write\` makes this page; \`--all\` compares without writing, and \`make test\` compares what"
        echo "needs no other build. Builds that gave these hashes:"
        echo
        for name in "$work"/*; do
            if [ -f "$name" ] && cmp -s "$work/$first" "$name"; then echo "- $(basename "$name")"; fi
        done
        echo
        echo "| scene | SHA-256 |"
        echo "|---|---|"
        sed 's/^\([0-9a-f]*\)  \(.*\)$/| \2 | `\1` |/' "$work/$first"
    } >"$work/page.md"
    mv "$work/page.md" "$page"
fi
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
