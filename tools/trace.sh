#!/bin/sh
# What a newcomer has to read: the functions that a six-line scene visits on its way from Lua text to samples, in the
# order of their first call, the files they stand in, and how often the folder changes between one and the next.
#   tools/trace.sh [TREE]        TREE: another checkout of this project, for comparison; its list goes to build/trace.txt
# Built without optimisation, so that no function disappears into another (-finstrument-functions).
set -eu
cd "$(dirname "$0")/.."
tree="${1:-.}"
mkdir -p build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/scene.lua" <<'END'
local s = string { length = 0.7, tension = 60, density = 5e-3 }
local b = barrier { height = -1e-3 }
contact { above = s, below = b, K = 1e7, alpha = 1.5 }
force { on = s, at = 0.2, shape = "raised-cosine", peak = 3, width = 1e-3 }
probe { on = s, at = 0.3 }
render { rate = 44100, duration = 0.05 }
END
cat >"$work/trace.c" <<'END'
#include <stdint.h>
#include <stdio.h>
#define QUIET __attribute__((no_instrument_function))
void __cyg_profile_func_enter(void* function, void* site) QUIET;
void __cyg_profile_func_exit(void* function, void* site) QUIET;
static uintptr_t seen[1 << 16];
void __cyg_profile_func_enter(void* function, void* site) {
    uintptr_t at = (uintptr_t)function;
    (void)site;
    for (uintptr_t i = (at >> 4) & 65535;; i = (i + 1) & 65535) {
        if (seen[i] == at) return;
        if (seen[i]) continue;
        seen[i] = at;
        fprintf(stderr, "%p\n", function);
        return;
    }
}
void __cyg_profile_func_exit(void* function, void* site) { (void)function, (void)site; }
END
cat >"$work/main.c" <<'END'
#include "script.h"
#include <stdlib.h>
int main(int argc, char** argv) {
    sis_script_error error = {0};
    sis_script* script = sis_script_load(argv[argc - 1], NULL, 0, &error);
    if (!script) return 1;
    sis_error why = {0};
    sis_options options = sis_options_default(sis_script_scene(script));
    sis_system* system = sis_compile(sis_script_scene(script), &options, &why);
    if (!system) return 2;
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    static double probes[2205];
    for (int n = 0; n < 5; n++) sis_step(system, state, &(sis_block){441, probes, NULL});
    sis_energy energy = sis_state_energy(system, state);
    return energy.total > 0 ? 0 : 3;
}
END
lua=$(pkg-config --cflags --libs lua5.4)
# shellcheck disable=SC2086 # lists of words
cc -std=gnu17 -O0 -g -w -finstrument-functions -I"$tree/include" -I"$tree/src" -I"$tree/script" -o "$work/trace" \
    "$tree"/src/*/*.c "$tree"/script/*.c "$work/main.c" "$work/trace.c" $lua -lm -no-pie
"$work/trace" "$work/scene.lua" 2>"$work/calls" || { echo "trace: the scene failed" >&2; exit 1; }
addr2line -f -e "$work/trace" <"$work/calls" | paste - - | awk '$2 !~ /\/(main|trace)\.c:/' |
    sed -E 's#^([^\t]*)\t.*/((src|script)/[^:]*):.*#\1 \2#' >build/trace.txt
awk '{ functions++; files[$2] = 1; n = split($2, part, "/"); folder = part[1] "/" (n > 2 ? part[2] : "")
       if (NR > 1 && folder != last) changes++; last = folder }
     END { for (f in files) count++; printf "%d functions in %d files, %d changes of folder\n", functions, count, changes }' build/trace.txt
