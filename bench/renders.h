/** @file renders.h
 * One run of the whole program, timed: what sections share that compare it with the engine.
 */
#ifndef SISTRUM_BENCH_RENDERS_H
#define SISTRUM_BENCH_RENDERS_H

#include <sistrum/sistrum.h>

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/** CPU time, what of it the system took, and time on the wall, s. */
typedef struct taken {
    double cpu, system, wall;
} taken;

double render_clock(clockid_t id);

/** A state before its first sample, every trigger struck once: a scene that waits for a blow would
 * rest. NULL: as sis_state_init. */
sis_state* render_start(const sis_system* system, void* memory);
taken render_lesser(taken a, taken b);

/** `sistrum render SCENE -o SOUND --duration D --quiet` as a process of its own. False: it did not
 * run to its end. */
bool render_run(const char* program, const char* scene, const char* sound, double duration,
                taken* time);

/** A folder of its own under TMPDIR; false, and said on stderr: there is none. */
bool render_folder(char* folder, size_t size);

bool render_write_text(const char* path, const char* text);

#endif
