#!/bin/sh
# Configures and builds a preset of CMakePresets.json in build/PRESET:  tools/build.sh PRESET [TARGET...]
set -eu
cd "$(dirname "$0")/.."
preset="$1"
log="build/$preset.log"
shift
mkdir -p build

# When make calls this script, the make below is not its child: it has jobs of its own and need not tell
# every folder it enters.
unset MAKEFLAGS MFLAGS MAKELEVEL

# The pkg-config of the system finds the libraries of the system: a Python or Conda environment in
# front of it on the PATH may bring its own.
if [ -x /usr/bin/pkg-config ]; then export PKG_CONFIG=/usr/bin/pkg-config; fi

if [ ! -f "build/$preset/CMakeCache.txt" ]; then
    generator="Unix Makefiles"
    if command -v ninja >/dev/null; then generator="Ninja"; fi
    if ! cmake --preset "$preset" -G "$generator" >"$log" 2>&1; then
        cat "$log" >&2
        # A configure that failed half way leaves a cache of unknown content: start again next time.
        rm -rf "build/$preset" "$log"
        exit 1
    fi
    rm -f "$log"
else
    cmake "build/$preset" >/dev/null # looks again for what was not installed last time
fi
if [ $# -gt 0 ]; then
    cmake --build "build/$preset" -j "$(nproc)" --target "$@"
else
    cmake --build "build/$preset" -j "$(nproc)"
fi
