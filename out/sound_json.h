/** @file sound_json.h
 * What the JSON reports say of the sound file. Its keys are a contract with programs that read it.
 */
#ifndef SISTRUM_OUT_SOUND_JSON_H
#define SISTRUM_OUT_SOUND_JSON_H

#include "json.h"
#include "sound_file.h"

/** The object `sound`; `spec` is NULL when no sound was written: JSON null. */
json_t* sis_sound_json(sis_json* json, const sis_sound_spec* spec, const sis_sound_level* level);

#endif
