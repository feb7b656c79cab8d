#include "song_report.h"

#include "json.h"
#include "sound_json.h"

#include <math.h>

bool sis_song_report_write(const sis_song_report* r, int descriptor, sis_fault* fault) {
    sis_json json = {.complete = true};
    double length = (double)r->rows / r->plan.rate, spent = r->seconds > 1e-9 ? r->seconds : 1e-9;
    json_t *root = json_object(), *speed = json_object();
    sis_json_set(&json, root, "version", sis_json_text(sis_version()));
    sis_json_set(&json, root, "scene", sis_json_text(r->scene));
    sis_json_set(&json, root, "song", sis_json_text(r->song));
    sis_json_set(&json, root, "title", sis_json_text(r->title));
    sis_json_set(&json, root, "rate", sis_json_plain(r->plan.rate));
    sis_json_set(&json, root, "oversample", json_integer(r->plan.oversample));
    sis_json_set(&json, root, "samples", sis_json_whole(r->rows));
    sis_json_set(&json, root, "seconds", sis_json_number(length));
    sis_json_set(&json, root, "notes", json_integer(r->notes));
    sis_json_set(&json, root, "notes_played", json_integer(r->played));
    sis_json_set(&json, root, "notes_silent", json_integer(r->silent));
    sis_json_set(&json, root, "skipped", json_integer(r->skipped));
    sis_json_set(&json, root, "voices", json_integer(r->voices));
    sis_json_set(&json, root, "voices_max", json_integer(r->voices_max));
    sis_json_set(&json, root, "voices_stolen", json_integer(r->stolen));
    sis_json_set(&json, root, "voices_capped", json_integer(r->capped));
    sis_json_set(&json, root, "systems", json_integer(r->systems));
    sis_json_set(&json, root, "bends_ignored", json_integer(r->bends));
    sis_json_set(&json, root, "pressures_ignored", json_integer(r->pressures));
    sis_json_set(&json, root, "controllers_ignored", json_integer(r->controllers));
    sis_json_set(&json, root, "programs_ignored", json_integer(r->programs));
    sis_json_set(&json, root, "energy_left", sis_json_number(r->left));
    sis_json_set(&json, root, "sound", sis_sound_json(&json, r->sound, r->level));
    // The same as in `sound`, under the names they had before it.
    double peak = r->sound ? r->level->raw_peak : (double)NAN;
    sis_json_set(&json, root, "peak", sis_json_number(peak));
    sis_json_set(&json, root, "normalised", json_boolean(r->sound && r->sound->normalise));
    sis_json_set(&json, speed, "seconds", sis_json_number(spent));
    sis_json_set(&json, speed, "realtime_factor", sis_json_number(length / spent));
    sis_json_set(&json, root, "speed", speed);
    return sis_json_write(&json, root, descriptor, fault);
}
