#!/bin/sh
# The page's engine in Node, held against the native program:  test/web/engine.sh SISTRUM SCENE_SAMPLES LIVE_SAMPLES; 77: this
# machine cannot.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v node >/dev/null || [ ! -f build/web/sistrum.wasm ]; then
    echo "skipped: node or build/web/sistrum.wasm is not here (tools/install.sh web, make web)"
    exit 77
fi
node web/test/node_engine.mjs "$@"
