/** @file bench_scenes.h
 * Scenes of the project by name, built into the program: bench/A.lua, B.lua, C.lua and those of
 * scenes/.
 */
#ifndef SISTRUM_BENCH_SCENES_H
#define SISTRUM_BENCH_SCENES_H

#include "sistrum/sistrum.h"

/** Audited, or without the sums of supplied and dissipated energy. */
typedef enum scene_audit { AUDITED, UNAUDITED } scene_audit;

/** A scene with all its contacts by one scheme (SIS_SCHEME_AS_GIVEN: its own), less the lines that
 * begin with one of the words in `without` (ends with NULL; may itself be NULL), `times` as fast as
 * it asks for. NULL: refused; said on stderr when `says`. The caller frees it. */
sis_system* scene_system(const char* name, const char* const* without, double times,
                         sis_scheme scheme, scene_audit audit, bool says);

/** Compiles a scene made in C and frees it. */
sis_system* scene_compiled(sis_scene* scene, double rate, sis_scheme scheme, scene_audit audit,
                           bool says);

/** A text built into the program, by CMake; ends with a row of NULL. */
typedef struct scene_text {
    const char* name;
    const char* text;
} scene_text;

extern const scene_text bench_scene_texts[];

#endif
