#!/bin/sh
# Nobody needs our build system to embed the core: one plain compiler call must do. And the core is what it
# says it is: no writable globals, no printing, no exit, no memory but where a scene is set up, and a header
# that compiles alone. Each line is one check; the last line counts them.
set -eu
export LC_ALL=C # one order of names for sort, comm and join
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check SENTENCE COMMAND...: shows what the command said when it fails.
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

# ---------------------------------------------------------------------------- one compiler call

cat >"$work/x.c" <<'END'
#include "sistrum/sistrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_mass_def mass = sis_mass_default();
    mass.mass = 0.01;
    mass.frequency = 50;
    mass.position = 0.005;
    mass.damping = 1;
    sis_barrier_def barrier = sis_barrier_default();
    barrier.height = -0.001;
    sis_contact_def contact = sis_contact_default();
    contact.above = sis_scene_add_mass(scene, &mass, &error);
    contact.below = sis_scene_add_barrier(scene, &barrier, &error);
    contact.K = 1e7;
    contact.alpha = 1.5;
    contact.damping = 0.1;
    if (sis_scene_add_contact(scene, &contact, &error) == SIS_NONE) return puts(error.text), 1;
    sis_options options = sis_options_default(scene);
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) return puts(error.text), 1;
    sis_scene_free(scene);
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    sis_step(system, state, &(sis_block){44100, NULL, NULL});
    sis_energy energy = sis_state_energy(system, state);
    sis_link_report report = sis_state_link(system, state, 0);
    double start = 0.5 * 0.01 * pow(2 * 3.14159265358979 * 50 * 0.005, 2); // J
    printf("residual %g J of %g J, %g J lost, %g N at most\n", energy.residual, start, energy.dissipated,
           report.max_force);
    free(state);
    sis_system_free(system);
    // Written so that NaN fails.
    return fabs(energy.residual) <= 1e-12 * start && energy.dissipated > 0.1 * start &&
                   report.max_force > 0 ? 0 : 1;
}
END

# Source by source, because what follows looks at the objects; compilers.sh does it in one call. Not
# position independent, so that constant tables of pointers count as the constants they are.
for source in src/*/*.c; do
    room=$(basename "$(dirname "$source")")
    cc -std=c17 -fno-pic -Iinclude -Isrc -c "$source" -o "$work/$room.$(basename "$source" .c).o"
done

plain() {
    cc -std=c17 -fno-pic -no-pie -Iinclude "$work/x.c" "$work"/*.o -lm -o "$work/x" && "$work/x"
}
check "cc -std=c17 -Iinclude -Isrc on every source, x.c and -lm" plain # clang: compilers.sh

# ---------------------------------------------------------------------------- the header alone

header_alone() {
    echo '#include "sistrum/sistrum.h"' |
        "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -
}
check "the header compiles alone as C17" header_alone cc -std=c17 -x c
if command -v c++ >/dev/null; then
    check "the header compiles alone as C++17" header_alone c++ -std=c++17 -x c++
else
    echo "skipped C++17: no c++ installed"
fi

# ---------------------------------------------------------------------------- who knows whom

# Data flows one way: a room includes itself and the rooms before it in this list.
rooms="sistrum base scene law contact body impact network wide step compile"
rooms_include_upwards() {
    for room in src/*/; do
        room=$(basename "$room")
        case " $rooms " in *" $room "*) ;; *) echo "src/$room has no place in the list of rooms" ;; esac
        before=$(echo "$rooms" | sed "s/ $room .*/ $room/" | tr ' ' '|')
        grep -nE '#include "[a-z_]+/' "src/$room"/*.[ch] | grep -vE "#include \"($before)/" || true
    done >"$work/wrong"
    cat "$work/wrong"
    test ! -s "$work/wrong"
}
check "a room includes only rooms before it" rooms_include_upwards

# ---------------------------------------------------------------------------- what the objects contain

every_declared_function_exists() {
    sed 's,//.*,,' include/sistrum/sistrum.h | grep -oE '\bsis_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/declared"
    nm --defined-only "$work"/*.o | awk '$2 ~ /^[TRDB]$/ { print $3 }' | sort -u >"$work/defined"
    test -s "$work/declared"
    comm -23 "$work/declared" "$work/defined" >"$work/absent"
    cat "$work/absent"
    test ! -s "$work/absent"
}
check "every function of the header exists" every_declared_function_exists

only_sis_is_exported() {
    grep -v '^sis_' "$work/defined" >"$work/foreign" || true
    cat "$work/foreign"
    test ! -s "$work/foreign"
}
check "every name the core exports begins with sis_" only_sis_is_exported

no_writable_globals() {
    nm "$work"/*.o | awk '/:$/ { file = $0 } $2 ~ /^[dDbBCsSgG]$/ { print file, $0 }' >"$work/writable"
    # Sections too: what has no name is still writable.
    for object in "$work"/*.o; do
        size -A "$object" | awk -v file="$(basename "$object")" \
            '$1 ~ /^\.(data|bss|tdata|tbss)/ && $2 > 0 { print file, $1, $2, "bytes" }'
    done >>"$work/writable"
    cat "$work/writable"
    test ! -s "$work/writable"
}
check "the core has no writable globals" no_writable_globals

# calls_only ALLOWED-PATTERN OBJECT...: what these objects need is defined in the core or allowed.
calls_only() {
    allowed="$1"
    shift
    nm --defined-only "$work"/*.o | awk 'NF == 3 { print $3 }' | sort -u >"$work/ours"
    nm --undefined-only --print-file-name "$@" | awk '{ print $NF, $1 }' | sed "s, $work/, ," | sort |
        join -v 1 - "$work/ours" | grep -vE "^($allowed|__stack_chk_fail) " >"$work/foreign" || true
    cat "$work/foreign"
    test ! -s "$work/foreign"
}
# What the C library is asked for, all in all: memory and text while a scene is set up, and mathematics.
# Nothing here prints, exits, reads the environment or the clock, or opens anything.
bytes='memcpy|memset|memmove|memcmp|strlen|strcmp|strncmp|strchr|strstr|strspn|strcspn'
# __cpu_model is the compiler's own note of what the processor can do.
exact='__cpu_model|__cpu_indicator_init|sqrt|fabs|floor|ceil|rint|ldexp|frexp|fmin|fmax'
maths='copysign|lround|llround|round'
text='snprintf|vsnprintf'
memory='malloc|calloc|realloc|free|aligned_alloc'
check "the core calls memory and text of the C library, and of its mathematics only what has the same bits everywhere" \
    calls_only "$bytes|$exact|$maths|$text|$memory" "$work"/*.o

# The rooms that run per sample: no memory, no text, and of mathematics only what has the same bits
# everywhere.
for room in body law contact impact network wide step; do
    ls "$work/$room".*.o 2>/dev/null || true
done >"$work/audio"
audio_rooms_are_clean() {
    test -s "$work/audio"
    # shellcheck disable=SC2046 # a list of files
    calls_only "$bytes|$exact" $(cat "$work/audio")
}
check "the rooms that run per sample take no memory, write no text and use exact mathematics" \
    audio_rooms_are_clean

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
