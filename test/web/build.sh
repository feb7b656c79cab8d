#!/bin/sh
# Builds the module of the page that has SIMD; 77: this machine cannot.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v clang-14 >/dev/null || ! command -v wasm-ld-14 >/dev/null || [ ! -d /usr/lib/wasm32-wasi ] || ! tools/lua-source.sh >/dev/null; then
    echo "skipped: clang-14, lld-14, wasi-libc, libclang-rt-14-dev-wasm32 or Lua's source is not here (tools/install.sh web)"
    exit 77
fi
tools/web.sh --simd
