#!/bin/sh
# The examples of docs/embedding.md against an installed tree:  test/embed.sh BUILD
# Installs what BUILD has built already into a prefix, moves the prefix, builds the examples there by find_package and
# by pkg-config, runs them, and looks up what they print in the page.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
build=$1
page=docs/embedding.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() {
    sentence="$1"
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $sentence"
    else
        failed=$((failed + 1))
        echo "FAILED  $sentence"
        sed 's/^/        /' "$work/log"
    fi
}

# The code of the page, as a reader would copy it.
fence() { # LANGUAGE HEADING: the first such fence after the heading
    awk -v open="\`\`\`$1" -v heading="$2" '
        index($0, heading) == 1 { armed = 1 }
        armed && !inside && $0 == open { inside = 1; next }
        inside && $0 == "```" { exit }
        inside { print }' "$page"
}

installs() {
    cmake --install "$build" --prefix "$work/first" && mv "$work/first" "$work/prefix"
}
libdir() {
    dirname "$(dirname "$(find "$work/prefix" -name sistrum.pc)")"
}
by_find_package() {
    mkdir -p "$work/user" && cp examples/embed.c examples/embed_lua.c examples/embed_threads.c examples/gestures.c examples/embed_live.c "$work/user/" &&
        fence cmake "## By CMake" >"$work/user/CMakeLists.txt" &&
        cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/prefix" &&
        cmake --build "$work/user/build"
}
by_pkg_config() {
    cd "$work/user" && fence_of_page=$(cd "$source" && fence sh "## By pkg-config" | grep '^cc ') &&
        PKG_CONFIG_PATH="$(libdir)/pkgconfig" sh -e -c "$fence_of_page"
    status=$?
    cd "$source"
    return $status
}
is_told() { # every line that it prints stands in the page
    LD_LIBRARY_PATH="$(libdir)" "$@" >"$work/said" && test -s "$work/said" || return 1
    while IFS= read -r line; do
        grep -qxF -- "$line" "$page" || {
            echo "not in $page: $line"
            return 1
        }
    done <"$work/said"
}
the_page_shows() {
    fence c "## $2" >"$work/shown" && diff -u "$1" "$work/shown"
}
refuses() { # the code and the sentence reach the caller
    status=0
    LD_LIBRARY_PATH="$(libdir)" "$work/user/build/embed_lua" scenes/tanpura.lua no_such_param 1 2>"$work/said" || status=$?
    cat "$work/said"
    test $status = 2 && grep -q "unknown param or input 'no_such_param'" "$work/said"
}
core_alone_says_what_is_missing() {
    mkdir -p "$work/core" && cp -r "$work/prefix" "$work/core/prefix" &&
        find "$work/core/prefix" -name 'libsistrum-script.a' -exec rm {} + &&
        ! cmake -S "$work/user" -B "$work/core/build" -DCMAKE_PREFIX_PATH="$work/core/prefix" >"$work/said" 2>&1 &&
        tr -s ' \n' '  ' <"$work/said" | grep "the component script needs"
}

check "what is built installs, and may be moved" installs
the_page_has_the_version() {
    version=$(sed -n 's/#define SIS_VERSION "\(.*\)\..*"/\1/p' include/sistrum/sistrum.h)
    grep -o 'find_package(sistrum [0-9][0-9.]*' "$page" >"$work/named" && cat "$work/named" &&
        test "$(sort -u "$work/named")" = "find_package(sistrum $version"
}
the_page_says_where_pkg_config_looks() { # the path of the page, with the prefix put in
    # shellcheck disable=SC2016 # the backquotes are those of the page
    folder=$(sed -n 's,.*`PKG_CONFIG_PATH=PREFIX/\([^`]*\)`.*,\1,p' "$page")
    test -n "$folder" && ls "$work/prefix/$folder/sistrum.pc" "$work/prefix/$folder/sistrum-script.pc"
}

check "the page asks for this version" the_page_has_the_version
check "the page says where pkg-config looks" the_page_says_where_pkg_config_looks
check "the page shows examples/embed.c" the_page_shows examples/embed.c "A program in C"
check "the page shows examples/embed_lua.c" the_page_shows examples/embed_lua.c "A scene in Lua"
check "the page shows examples/embed_threads.c" the_page_shows examples/embed_threads.c "Threads of the host"
check "the page shows examples/embed_live.c" the_page_shows examples/embed_live.c "An instrument that is played"
check "find_package finds core and loader" by_find_package
check "examples/embed.c prints what the page says" is_told "$work/user/build/embed"
check "examples/embed_lua.c prints what the page says" is_told "$work/user/build/embed_lua" examples/embed.lua K 1e8
check "examples/embed_threads.c prints what the page says" is_told "$work/user/build/embed_threads"
check "examples/embed_live.c prints what the page says" is_told "$work/user/build/embed_live" scenes/guitar.lua
for use in strike bow effect game; do
    check "examples/gestures.c $use prints what the page says" is_told "$work/user/build/gestures" $use
done
check "a wrong setting is a sentence and a code" refuses
check "a missing loader is told by find_package" core_alone_says_what_is_missing
check "the lines for pkg-config build all" by_pkg_config
check "built by pkg-config, embed prints the same" is_told "$work/user/embed"
check "built by pkg-config, embed_lua prints the same" is_told "$work/user/embed_lua" examples/embed.lua K 1e8
check "built by pkg-config, embed_threads prints the same" is_told "$work/user/embed_threads"
check "built by pkg-config, embed_live prints the same" is_told "$work/user/embed_live" scenes/guitar.lua

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
