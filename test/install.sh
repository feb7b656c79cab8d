#!/bin/sh
# Installs the core as a shared library into a prefix (test/embed.sh does it with static ones), moves the prefix, and builds a program against it by
# find_package and by pkg-config: what is installed says where it is and what it needs.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
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

installs() { # KIND ON|OFF LIBDIR: also leaves the prefix at $work/KIND/moved
    # Not optimised: here it counts where things go, not how fast they are.
    cmake -S "$source" -B "$work/$1/build" -DBUILD_SHARED_LIBS="$2" -DSISTRUM_PROGRAM=OFF -DCMAKE_BUILD_TYPE=None \
        -DSISTRUM_TESTS=OFF -DCMAKE_INSTALL_LIBDIR="$3" -DCMAKE_INSTALL_PREFIX="$work/$1/first" &&
        cmake --build "$work/$1/build" -j 2 && cmake --install "$work/$1/build" &&
        mv "$work/$1/first" "$work/$1/moved"
}
by_find_package() {
    cmake -S "$work/user" -B "$work/$1/user" -DCMAKE_PREFIX_PATH="$work/$1/moved" &&
        cmake --build "$work/$1/user" && "$work/$1/user/user"
}
by_pkg_config() {
    flags=$(PKG_CONFIG_PATH="$work/$1/moved/$2/pkgconfig" pkg-config --cflags --libs sistrum) || return 1
    # shellcheck disable=SC2086 # a list of flags
    cc "$work/user/user.c" $flags -o "$work/$1/by_pkg" &&
        LD_LIBRARY_PATH="$work/$1/moved/$2" "$work/$1/by_pkg"
}
needs_libm_and_libc_only() {
    objdump -p "$work/shared/moved/$triplet/libsistrum.so" | awk '/NEEDED/ { print $2 }' >"$work/needed"
    cat "$work/needed"
    ! grep -vE '^(libc|libm)\.so' "$work/needed"
}

# lib/<triplet> as on Debian: the depth of the .pc file must follow it.
triplet="lib/$(cc -print-multiarch)"
check "the core installs as a shared library" installs shared ON "$triplet"
check "find_package finds it where it was moved" by_find_package shared
check "pkg-config finds it where it was moved" by_pkg_config shared "$triplet"
check "the shared library needs libc and libm only" needs_libm_and_libc_only

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
