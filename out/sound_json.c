#include "sound_json.h"

#include "sistrum/elementary.h"

#include <math.h>

/** null for silence, which has no level in dB. */
static json_t* decibels(double value) {
    return sis_json_number(value > 0 ? 20 * sis_log10(value) : (double)NAN);
}

json_t* sis_sound_json(sis_json* json, const sis_sound_spec* spec, const sis_sound_level* level) {
    if (!spec) return json_null();
    json_t* sound = json_object();
    sis_sound_format format = sis_sound_file_format(spec);
    sis_json_set(json, sound, "format", sis_json_text(sis_sound_format_word(format)));
    sis_json_set(json, sound, "bits", sis_json_text(sis_sound_bits_word(spec->bits)));
    sis_json_set(json, sound, "channels", json_integer(spec->channels));
    sis_json_set(json, sound, "normalise", json_boolean(spec->normalise));
    sis_json_set(json, sound, "gain", sis_json_number(level->gain));
    sis_json_set(json, sound, "gain_db", decibels(level->gain));
    sis_json_set(json, sound, "peak", sis_json_number(level->peak));
    sis_json_set(json, sound, "peak_db", decibels(level->peak));
    sis_json_set(json, sound, "raw_peak", sis_json_number(level->raw_peak));
    sis_json_set(json, sound, "faded", json_boolean(level->faded));
    sis_json_set(json, sound, "clipped", sis_json_whole(level->clipped));
    return sound;
}
