#!/bin/sh
# Core, loader, Lua, the live library and sistrum.clap for Windows, cross-built with mingw-w64 into build/windows/:
#   tools/windows.sh
# Lua is Debian's source (tools/lua-source.sh). Where wine is installed, its samples are held against those of the release build:
# scene by scene, and what the plugin plays. Prints "N passed, M failed"; what a machine lacks is skipped by name.
# shellcheck disable=SC2086,SC2046 # lists of words; no file of ours has a space in its name
set -eu
export LC_ALL=C WINEDEBUG=-all
cd "$(dirname "$0")/.."
cross="${CROSS:-x86_64-w64-mingw32}"
out="$PWD/build/windows"
native="build/release"
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
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

if ! command -v "$cross-gcc" >/dev/null; then
    echo "skipped Windows: no $cross-gcc (tools/install.sh windows)"
    finish
fi
if ! lua=$(tools/lua-source.sh); then
    echo "skipped Windows: no source of Lua"
    finish
fi
mkdir -p "$out/stub" "$out/objects"
echo '#define DEB_HOST_MULTIARCH "none"' >"$out/stub/lua5.4-deb-multiarch.h"

# ---------------------------------------------------------------------------- building

# gcc aligns the stack of Windows to 16 bytes and then moves vectors of 32 as if it were aligned to them: the assembler writes
# the moves that need no alignment.
flags="-O3 -ffp-contract=off -D__USE_MINGW_ANSI_STDIO=1 -Wno-format -Wa,-muse-unaligned-vector-move -Iinclude"
clap=""
for folder in ${CLAP_INCLUDE_DIR:-} /usr/share/dpf/distrho/src; do
    if [ -z "$clap" ] && [ -f "$folder/clap/entry.h" ]; then clap="$folder"; fi
done

# compile ARCHIVE "FLAGS" FILE...: objects that are older than any header or their source are made again.
compile() {
    archive="$out/lib$1.a"
    extra="$2"
    shift 2
    newest=$(find include src script music out live plugin test/clap tools -name '*.h' -newer "$out/objects/stamp" 2>/dev/null | head -n 1)
    if [ -n "$newest" ] || [ ! -f "$out/objects/stamp" ]; then rm -f "$out"/objects/*.o; fi
    touch "$out/objects/stamp"
    made=""
    for file in "$@"; do
        object="$out/objects/$(echo "${file#"$PWD"/}" | tr / -).o"
        made="$made $object"
        if [ ! -f "$object" ] || [ "$file" -nt "$object" ]; then echo "$file $object"; fi
    done >"$out/todo"
    xargs -r -P "$(nproc)" -n 2 sh -c "nice $cross-gcc $flags $extra -c \"\$1\" -o \"\$2\"" sh <"$out/todo" || return 1
    rm -f "$archive"
    $cross-ar rcs "$archive" $made
}

ours="-include tools/windows-memory.h -std=c17 -D_POSIX_C_SOURCE=200809L -Isrc -Iscript -Imusic -Iout -Ilive -I$lua -I$out/stub -Wall -Wextra -Wno-format -Werror"
lua_files=$(for file in "$lua"/l*.c; do
    case "$(basename "$file")" in lua.c | luac.c | linit.c | liolib.c | loslib.c | loadlib.c | ldblib.c | lcorolib.c | lutf8lib.c) ;; *) echo "$file" ;; esac
done)

link_samples() {
    compile samples "$ours" bench/scene_samples.c &&
        $cross-gcc -static "$out"/objects/bench-scene_samples.c.o -L"$out" -lscript -lcore -llua -lcore -lpthread -o "$out/scene_samples.exe"
}
check "Lua" compile lua "-I$out/stub -include tools/lua-math.h -w" $lua_files
check "the core" compile core "$ours" src/*/*.c
check "the loader of scenes" compile script "$ours" script/*.c
check "a program of them" link_samples

# ---------------------------------------------------------------------------- the plugin

# needs FILE: the libraries of Windows that it asks for; others must not be there.
needs() {
    [ -f "$1" ] &&
        ! $cross-objdump -p "$1" | sed -n 's/.*DLL Name: //p' | grep -v -i -E '^(kernel32|msvcrt|user32|api-ms-win-crt-.*|ucrtbase)[.]dll$'
}
exports() {
    [ "$($cross-objdump -p "$1" | sed -n '/Ordinal\/Name Pointer/,/^$/p' | grep -c -E '\[ *[0-9]+\]')" = 1 ] &&
        $cross-objdump -p "$1" | grep -q clap_entry
}

# The live library links what it needs of music and out, which come as archives: the rest of them is for other systems.
compile_some() {
    archive="$1"
    shift
    found=""
    for file in "$@"; do
        if $cross-gcc $flags $ours -fsyntax-only "$file" 2>/dev/null; then found="$found $file"; fi
    done
    compile "$archive" "$ours" $found
}
link_plugin() {
    compile live "$ours" live/*.c && compile_some music music/*.c && compile_some out out/*.c &&
        compile clap "$ours -isystem $clap -Iplugin -fvisibility=hidden" plugin/clap*.c "$native/clap_texts.c" || return 1
    objects=$(for file in plugin/clap*.c "$native/clap_texts.c"; do echo "$out/objects/$(echo "$file" | tr / -).o"; done)
    $cross-gcc -shared -static $objects -L"$out" -Wl,--start-group -llive -lmusic -lout -lscript -llua -lcore -Wl,--end-group \
        -lpthread -o "$out/sistrum.clap" && cp "$native/sistrum.clap.txt" "$out/"
}
link_player() {
    compile player "$ours -isystem $clap -Iplugin -Itest" test/clap/clap_host.c test/clap/clap_play.c &&
        $cross-gcc -static "$out"/objects/test-clap-clap_*.o -o "$out/clap_play.exe"
}
if [ ! -d live ]; then
    echo "skipped sistrum.clap: there is no live library"
elif [ -z "$clap" ] || [ ! -f "$native/clap_texts.c" ]; then
    echo "skipped sistrum.clap: no headers of CLAP (tools/install.sh windows), or no release build with them"
else
    check "sistrum.clap" link_plugin
    check "it needs nothing but Windows" needs "$out/sistrum.clap"
    check "it exports clap_entry alone" exports "$out/sistrum.clap"
    check "a host for it" link_player
fi

# ---------------------------------------------------------------------------- running

wine=""
for word in wine wine64 /usr/lib/wine/wine64; do
    if [ -z "$wine" ] && command -v "$word" >/dev/null; then wine="$word"; fi
done
if [ -z "$wine" ] || [ ! -x "$native/bench/scene_samples" ]; then
    echo "skipped running it: no wine (apt-get install wine64), or no release build"
    finish
fi
export WINEPREFIX="$out/wine"
"$wine" "$out/scene_samples.exe" >/dev/null 2>&1 || true # the first call makes the prefix

same_samples() {
    different=""
    count=0
    for scene in scenes/*.lua; do
        count=$((count + 1))
        timeout 300 "$wine" "$out/scene_samples.exe" "$scene" 2>/dev/null | sha256sum >"$out/wine.txt"
        "$native/bench/scene_samples" "$scene" | sha256sum | cmp -s - "$out/wine.txt" || different="$different $scene"
    done
    echo "        $count scenes, differing:${different:- none}"
    [ -z "$different" ]
}
check "every scene has the samples of the release build" same_samples

same_sound() {
    printf '%s\n' '0 90 32 64' '2400 90 39 50' '4800 E0 0 50' '9600 80 32 0' '9600 80 39 0' >"$out/tune.txt"
    for scene in tanpura guitar felt_piano; do
        "$native/test/clap/clap_play" "$native/sistrum.clap" "org.sistrum.$scene" 48000 256 24000 "$out/native.f32" <"$out/tune.txt" &&
            (cd "$out" && timeout 300 "$wine" clap_play.exe sistrum.clap "org.sistrum.$scene" 48000 256 24000 wine.f32 <tune.txt 2>wine.log) &&
            cmp "$out/native.f32" "$out/wine.f32" || return 1
    done
}
if [ -f "$out/clap_play.exe" ] && [ -x "$native/test/clap/clap_play" ]; then
    check "the plugin plays what it plays here" same_sound
fi
finish
