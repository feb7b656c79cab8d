#!/bin/sh
# The core as a shared library, installed (test/embed.sh does it with static ones):  test/install.sh BUILD
# Installs what BUILD has built, with a shared core, into a prefix, with lib/TRIPLET as on Debian, moves the prefix, and
# builds a program against it by find_package and by pkg-config: what is installed says where it is and what it needs.
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
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

mkdir "$work/user"
cat >"$work/user/user.c" <<'END'
#include <sistrum/sistrum.h>
#include <string.h>
int main(void) { return strcmp(sis_version(), SIS_VERSION) != 0; }
END
version=$(sed -n 's/#define SIS_VERSION "\(.*\)\..*"/\1/p' include/sistrum/sistrum.h)
cat >"$work/user/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(sistrum $version REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE sistrum::sistrum)
END

installs() {
    # The program is linked again: it knows the way to the library.
    cmake -DCMAKE_INSTALL_LIBDIR="$libdir" "$build" && cmake --build "$build" --target sistrum-cli &&
        cmake --install "$build" --prefix "$work/first" && mv "$work/first" "$work/moved" &&
        test -e "$work/moved/$libdir/libsistrum.so"
}
by_find_package() {
    cmake -S "$work/user" -B "$work/by_cmake" -DCMAKE_PREFIX_PATH="$work/moved" &&
        cmake --build "$work/by_cmake" && "$work/by_cmake/user"
}
by_pkg_config() {
    flags=$(PKG_CONFIG_PATH="$work/moved/$libdir/pkgconfig" pkg-config --cflags --libs sistrum) || return 1
    # shellcheck disable=SC2086 # a list of flags
    cc "$work/user/user.c" $flags -o "$work/by_pkg" && LD_LIBRARY_PATH="$work/moved/$libdir" "$work/by_pkg"
}
needs_libm_and_libc_only() {
    objdump -p "$work/moved/$libdir/libsistrum.so" | awk '/NEEDED/ { print $2 }' >"$work/needed"
    cat "$work/needed"
    ! grep -vE '^(libc|libm)\.so' "$work/needed"
}

# The depth of the .pc file must follow it.
libdir="lib/$(cc -print-multiarch)"
check "the core installs as a shared library" installs
check "find_package finds it where it was moved" by_find_package
check "pkg-config finds it where it was moved" by_pkg_config
check "the shared library needs libc and libm only" needs_libm_and_libc_only

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
