#!/bin/sh
# Lua's source, as Debian has it, into build/lua/:  tools/lua-source.sh
# Fetched by apt from the machine's own package sources with lists of our own, so that nothing of the system changes.
# Prints the folder of its C files. For processors that have no package of Lua: WebAssembly, and others when cross compiling.
set -eu
cd "$(dirname "$0")/.."
folder="$PWD/build/lua"
if [ ! -f "$folder/src/lapi.c" ]; then
    if ! command -v apt-get >/dev/null || ! command -v dpkg-source >/dev/null; then
        echo "Lua's source comes by apt-get source, which needs apt and dpkg-dev" >&2
        exit 1
    fi
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/parts" "$folder/fetch"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        if [ ! -f "$list" ]; then continue; fi
        case "$list" in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"$folder/parts/$(basename "$list")" ;;
        *.list) sed -n 's/^deb /deb-src /p' "$list" >"$folder/parts/$(basename "$list")" ;;
        esac
    done
    own="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$folder/parts -o Dir::State::lists=$folder/lists"
    # shellcheck disable=SC2086 # a list of words
    if ! (cd "$folder/fetch" && apt-get $own update && apt-get $own source lua5.4) >"$folder/log" 2>&1; then
        tail -n 3 "$folder/log" >&2
        echo "Lua's source could not be fetched" >&2
        exit 1
    fi
    mv "$folder"/fetch/lua5.4-*/src "$folder/src"
    rm -rf "$folder/lists" "$folder/fetch"
fi
echo "$folder/src"
