#!/bin/sh
# The same samples everywhere: SHA-256 of two seconds of every scene (bench/scene_samples.c), from builds by several
# compilers and for several processors.
#
#   tools/hashes.sh            the scenes of scenes/, without those of the papers: the release build with and without
#                              fused multiply-add and for every narrower width of lanes
#   tools/hashes.sh --all      all scenes; also gcc and clang from -O0 to -O3, eight lanes in plain C, aarch64 by
#                              qemu-user and WebAssembly in Node, with and without SIMD, each if it is installed
#                              (tools/install.sh hashes); the page's own modules: web/test/node_engine.mjs
#   tools/hashes.sh --write    as --all, and writes docs/hashes.md; no build may be left out but lanes that the
#                              processor has not, which the page then says
#   --instruments              with these: only the scenes of scenes/, without those of the papers (a third of the time)
#
# Prints one line a build, and the scenes that differ; fails if any does. Programs and hashes are kept in build/hashes/
# until something changes that they were made of, so that a run that was interrupted goes on where it was.
# shellcheck disable=SC2086,SC2046,SC2012 # lists of words; no file of ours has a space in its name
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
all=""
page=""
papers=yes
for word in "$@"; do
    case "$word" in
    --all) all=yes ;;
    --write) all=yes page=docs/hashes.md ;;
    --instruments) papers="" ;;
    *) echo "usage: tools/hashes.sh [--all] [--write] [--instruments]" >&2 && exit 2 ;;
    esac
done
jobs=$(nproc)
kept="$PWD/build/hashes"
mkdir -p "$kept"
if [ -z "$all" ]; then papers=""; fi
which="the scenes of \`scenes/\`${papers:+ and of the papers}"
scenes=$(ls scenes/*.lua ${papers:+scenes/*/*.lua} | sort)
passed=0
failed=0
skipped=0
narrow=0
first=""
names=""

sum() { sha256sum | cut -d' ' -f1; }

# kept_for FOLDER KEY: empties FOLDER unless it was made for KEY.
kept_for() {
    if [ "$(cat "$1/key" 2>/dev/null)" = "$2" ]; then return 0; fi
    rm -rf "$1"
    mkdir -p "$1"
    echo "$2" >"$1/key"
}

# ---------------------------------------------------------------------------- hashes

# hashed NAME PROGRAM COMMAND...: the hashes of what COMMAND SCENE prints, held against those of the first build. They
# are kept as long as PROGRAM, COMMAND, the processor and the scene stay the same.
hashed() {
    name="$1"
    program="$2"
    shift 2
    folder="$kept/$name.hashes"
    kept_for "$folder" "$({ cat "$program" tools/wasm-run.mjs && echo "$*" && uname -m && "$1" --version 2>&1 | head -n 1 &&
        grep -m1 -i '^\(flags\|features\)' /proc/cpuinfo; } | sum)"
    # shellcheck disable=SC2016 # is expanded by the inner shell
    echo "$scenes" | xargs -P "$jobs" -I SCENE sh -c '
        folder="$1" scene="$2" to="$1/$(echo "${2#scenes/}" | tr / .)" key=$(sha256sum <"$2")
        shift 2
        if [ "$(sed -n 2p "$to" 2>/dev/null)" = "$key" ]; then exit 0; fi
        if ! "$@" "$scene" >"$to.samples" 2>"$to.said"; then
            echo "FAILED  $scene: $(head -n 1 "$to.said")" >&2
            rm -f "$to.samples" "$to"
            exit 0
        fi
        name="${scene#scenes/}"
        printf "%s  %s\n%s\n" "$(sha256sum <"$to.samples" | cut -d" " -f1)" "${name%.lua}" "$key" >"$to.new"
        rm -f "$to.samples" "$to.said"
        mv "$to.new" "$to"' sh "$folder" SCENE "$@" 2>"$kept/said"
    head -n 3 "$kept/said"
    for scene in $scenes; do
        sed -n 1p "$folder/$(echo "${scene#scenes/}" | tr / .)" 2>/dev/null || true
    done >"$kept/$name.txt"
    compare "$name"
}

# compare NAME: its hashes with those of the first build.
compare() {
    if [ -z "$first" ]; then first="$1"; fi
    if [ -s "$kept/$1.txt" ] && cmp -s "$kept/$first.txt" "$kept/$1.txt"; then
        passed=$((passed + 1))
        names="$names $1"
        echo "ok      $1: $(wc -l <"$kept/$1.txt") scenes, hash of all $(sum <"$kept/$1.txt" | cut -c1-16)"
    else
        failed=$((failed + 1))
        echo "FAILED  $1 differs from $first:$(diff "$kept/$first.txt" "$kept/$1.txt" | sed -n 's/^[<>] [0-9a-f]* / /p' | sort -u | tr '\n' ' ')"
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped $1: $2"
}

# What docs/hashes.md says of the scenes of this run and of those that are shipped. No failure: samples may change on
# purpose, and then make hashes writes the page again.
tell_table() {
    sed -n 's/^| \([^ ]*\) | `\([0-9a-f]*\)` |$/\2  \1/p' docs/hashes.md >"$kept/table"
    other=$(grep -c -v -x -F -f "$kept/table" "$kept/$first.txt" || true)
    missing=$(for scene in scenes/*.lua scenes/*/*.lua; do
        name="${scene#scenes/}"
        grep -q "  ${name%.lua}\$" "$kept/table" || echo "$name"
    done | wc -l)
    if [ "$other$missing" != 00 ]; then
        echo "note    docs/hashes.md: $other of $(wc -l <"$kept/$first.txt") scenes have other samples now, $missing that are shipped are not in it: make hashes"
    fi
}

# ---------------------------------------------------------------------------- builds

# object FLAG... -c FILE -o OBJECT, unless it is there; whole or not at all.
cat >"$kept/object.sh" <<'END'
to="$1/$(echo "$2" | sed 's|.*/\([^/]*/[^/]*\)[.]c$|\1|; s|/|-|g').o"
from="$2"
shift 2
if [ -f "$to" ]; then exit 0; fi
"$@" -c "$from" -o "$to.new" && mv "$to.new" "$to"
END

# objects FOLDER COMMAND...: compiles the files of standard input, as many at a time as there are cores.
objects() {
    folder="$1"
    shift
    xargs -P "$jobs" -I FILE sh "$kept/object.sh" "$folder" FILE "$@"
}

# built NAME LUA_FLAGS LINK_FLAGS COMPILER...: $kept/NAME/program, everything from source; Lua's mathematics is ours.
# $core: files of the core; $include: folders that come before src.
built() {
    name="$1"
    lua_flags="$2"
    link_flags="$3"
    shift 3
    folder="$kept/$name"
    key=$({ "$1" --version && echo "$* $lua_flags $link_flags $core $include" &&
        cat $(find src include script test/eight -name '*.[ch]' -o -name '*.def' | sort) "$lua"/*.[ch] bench/scene_samples.c bench/samples.h \
            tools/lua-math.h tools/wasm-lua.h; } | sum)
    kept_for "$folder" "$key"
    if [ -f "$folder/program" ]; then return 0; fi
    (
        for file in "$lua"/l*.c; do
            case "$(basename "$file")" in lua.c | luac.c | linit.c | liolib.c | loslib.c | loadlib.c | ldblib.c | lcorolib.c | lutf8lib.c) ;; *) echo "$file" ;; esac
        done | objects "$folder" "$@" $lua_flags -I"$stub" -Iinclude -include tools/lua-math.h -w || exit 1
        printf '%s\n' $core script/*.c bench/scene_samples.c |
            objects "$folder" "$@" -std=c17 -D_POSIX_C_SOURCE=200809L $include -Iinclude -Isrc -Iscript -I"$lua" -I"$stub" || exit 1
        "$@" "$folder"/*.o $link_flags -lm -o "$folder/program.new" || exit 1
        mv "$folder/program.new" "$folder/program" && rm -f "$folder"/*.o
    ) >"$folder/log" 2>&1 && return 0
    failed=$((failed + 1))
    echo "FAILED  $name did not build: $(grep -m1 error "$folder/log" || tail -n 1 "$folder/log")"
    return 1
}

# sources: Lua's source and a folder of headers that stand in for what a processor has not; false: not to be had.
sources() {
    lua=$(tools/lua-source.sh) || return 1
    stub="$kept/stub"
    mkdir -p "$stub"
    echo '#define DEB_HOST_MULTIARCH "none"' >"$stub/lua5.4-deb-multiarch.h"
    core=$(echo src/*/*.c)
    include=""
}

compilers() {
    for compiler in gcc clang; do
        if ! command -v "$compiler" >/dev/null; then skip "$compiler" "not installed" && continue; fi
        for level in 0 1 2 3; do
            if built "$compiler-O$level" "" "" "$compiler" "-O$level"; then
                hashed "$compiler-O$level" "$kept/$compiler-O$level/program" "$kept/$compiler-O$level/program"
            fi
        done
    done
}

# Eight lanes without AVX-512: the kernels of that width with vectors of plain C (test/eight), for AVX2.
eight_lanes() {
    if ! command -v gcc >/dev/null || ! grep -q -w avx2 /proc/cpuinfo; then skip "gcc-8-lanes-in-plain-C" "no gcc, or no AVX2" && return; fi
    core="$(ls src/*/*.c | grep -v '/width[.]c$') test/eight/width.c"
    include="-Itest/eight -Wno-psabi"
    if built "gcc-8-lanes-in-plain-C" "" "" gcc -O1 -ffp-contract=off; then
        hashed "gcc-8-lanes-in-plain-C" "$folder/program" "$folder/program"
    fi
    core=$(echo src/*/*.c)
    include=""
}

aarch64() {
    cross=aarch64-linux-gnu-gcc
    if ! command -v $cross >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
        skip "aarch64" "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross or qemu-user is not installed" && return
    fi
    if built "aarch64" "" "-static" $cross -O2; then hashed "aarch64" "$folder/program" qemu-aarch64 "$folder/program"; fi
}

# wasm32 NAME FLAG...: run in Node. Its libc has no setjmp: tools/wasm-lua.h, tools/wasm-run.mjs.
wasm32() {
    name="$1"
    shift
    clang=""
    for version in 14 15 16 19; do
        if command -v "clang-$version" >/dev/null && command -v "wasm-ld-$version" >/dev/null && [ -d /usr/lib/wasm32-wasi ] &&
            ls /usr/lib/llvm-$version/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1; then
            clang="clang-$version"
            break
        fi
    done
    if [ -z "$clang" ] || ! command -v node >/dev/null; then
        skip "$name" "clang-14, lld-14, wasi-libc, libclang-rt-14-dev-wasm32 or nodejs is not installed" && return
    fi
    if ! sources; then skip "$name" "needs Lua's source" && return; fi
    stub="$kept/stub-wasm"
    mkdir -p "$stub"
    cp "$kept/stub/lua5.4-deb-multiarch.h" "$stub"
    echo "typedef int jmp_buf;" >"$stub/setjmp.h"
    emulated="-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL"
    if built "$name" "$emulated -include tools/wasm-lua.h" "-Wl,--export=__stack_pointer -Wl,--export-table
            -Wl,-z,stack-size=1048576 -lwasi-emulated-process-clocks -lwasi-emulated-signal" \
        "$clang" --target=wasm32-wasi -O3 -ffp-contract=off "$@"; then
        hashed "$name" "$folder/program" node --no-warnings tools/wasm-run.mjs "$folder/program"
    fi
}

# ---------------------------------------------------------------------------- all of it

release=build/release/bench/scene_samples
if [ ! -x "$release" ]; then tools/build.sh release scene_samples; fi
hashed "release" "$release" "$release"
if [ -z "$page" ]; then tell_table; fi
hashed "release-without-FMA-in-libc" "$release" env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA_Usable,-FMA,-AVX2_Usable,-AVX2 "$release"
widest=yes
for width in 8 4 2 1; do
    if [ -z "$all" ] && [ -n "$widest" ] && "$release" scenes/two_masses.lua "$width" >/dev/null 2>&1; then
        widest="" # the first build above
    elif "$release" scenes/two_masses.lua "$width" >/dev/null 2>&1; then
        # shellcheck disable=SC2016 # is expanded by the inner shell
        hashed "release-$width-lanes" "$release" sh -c '"$0" "$2" "$1"' "$release" "$width"
    else
        skip "release-$width-lanes" "this processor has fewer"
        narrow=$((narrow + 1))
    fi
done
if [ -n "$all" ]; then
    wasm32 "wasm32-simd128" -msimd128
    wasm32 "wasm32"
    sources
    aarch64
    eight_lanes
    compilers
fi

if [ -n "$page" ] && [ "$failed" = 0 ] && [ "$skipped" = "$narrow" ]; then
    {
        cat <<END
# The same samples everywhere

SHA-256 of two seconds of $which: all probes at every step as doubles, and the filtered sound of oversampled
scenes (\`bench/scene_samples.c\`; a scene with more than 192000 steps a second runs for its own duration).
\`tools/hashes.sh --write\` makes this page and writes it only if every build below gave every hash; \`--all\` compares
without writing, and \`make test\` compares the release build and WebAssembly. [numbers.md](numbers.md) tells what is promised.

| build | how it ran |
|---|---|
END
        for name in $names; do
            case "$name" in
            release) how="as \`make\` builds it: $(gcc --version | head -n 1), as many lanes as the processor has" ;;
            release-without*) how="the same, told that the processor has neither FMA nor AVX2 (libc)" ;;
            release-*) how="the same with \`sis_options.lanes\` = $(echo "$name" | tr -dc 0-9)" ;;
            gcc-8*) how="the kernels of eight lanes as vectors of plain C (\`test/eight\`), without AVX-512" ;;
            gcc-*) how="$(gcc --version | head -n 1), Lua from source" ;;
            clang-*) how="$(clang --version | head -n 1), Lua from source" ;;
            aarch64) how="$(aarch64-linux-gnu-gcc --version | head -n 1), -O2, static, under $(qemu-aarch64 --version | head -n 1)" ;;
            wasm32*) how="$($clang --version | head -n 1), -O3, in Node $(node --version)" ;;
            esac
            echo "| $name | $how |"
        done
        if [ "$narrow" != 0 ]; then
            echo "| release-8-lanes | not run: the processor has no AVX-512; the same kernels are in gcc-8-lanes-in-plain-C |"
        fi
        echo
        echo "| scene | SHA-256 |"
        echo "|---|---|"
        sed 's/^\([0-9a-f]*\)  \(.*\)$/| \2 | `\1` |/' "$kept/$first.txt"
    } >"$kept/page.md"
    mv "$kept/page.md" "$page"
elif [ -n "$page" ]; then
    echo "$page is not written: every build must be there and agree"
    failed=$((failed + (failed == 0)))
fi
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
