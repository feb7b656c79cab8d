#!/bin/sh
# The page:  tools/web.sh [--wasm|--simd] [--test]
# Core, loader, Lua and live library as WebAssembly into build/web/ (web/wasm.mk: what changed), then web/dist/ (web/build.mjs).
#   --wasm   the modules only, without npm and the page
#   --simd   of these only the one with SIMD
#   --test   with the pages that only tests open
# Lua is Debian's source (tools/lua-source.sh). Packages of npm go to web/node_modules, as web/package-lock.json has them.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL
page=yes
modules=all
test=""
for word in "$@"; do
    case "$word" in
    --wasm) page="" ;;
    --simd) page="" modules=build/web/sistrum.wasm ;;
    --test) test=--test ;;
    *) echo "usage: tools/web.sh [--wasm|--simd] [--test]" >&2 && exit 2 ;;
    esac
done

version=""
for each in 14 15 16 19; do
    if command -v "clang-$each" >/dev/null && command -v "wasm-ld-$each" >/dev/null && [ -d /usr/lib/wasm32-wasi ] &&
        ls /usr/lib/llvm-$each/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a >/dev/null 2>&1; then
        version="$each"
        break
    fi
done
if [ -z "$version" ]; then
    echo "the page needs clang-14, lld-14, wasi-libc and libclang-rt-14-dev-wasm32: tools/install.sh web" >&2
    exit 1
fi
lua=$(tools/lua-source.sh)
mkdir -p build/web
if ! make -j "$(nproc)" -f web/wasm.mk LUA="$lua" CLANG="clang-$version" STRIP="llvm-strip-$version" $modules >build/web/log 2>&1; then
    grep -m 5 -A 4 'error' build/web/log >&2 || tail -n 20 build/web/log >&2
    exit 1
fi
if [ -z "$page" ]; then exit 0; fi

# npm ci removes what is there: only where the lock has changed.
if ! cmp -s web/package-lock.json web/node_modules/.lock; then
    if ! (cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
        echo "The page needs packages of the npm registry (web/package-lock.json), which could not be fetched." >&2
        exit 1
    fi
    cp web/package-lock.json web/node_modules/.lock
fi
node web/build.mjs $test
