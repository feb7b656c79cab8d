#include "tone.h"

#include "note.h"
#include "sound.h"
#include "voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sis_tone* sis_tone_new(double hz, double velocity, const char* note) {
    sis_tone* tone = calloc(1, sizeof *tone);
    if (!tone) return NULL;
    *tone = (sis_tone){.hz = hz, .velocity = velocity, .place = -1};
    memcpy(tone->note, note, strnlen(note, sizeof tone->note - 1));
    return tone;
}

void sis_tone_free(sis_tone* tone) {
    if (!tone) return;
    sis_system_free(tone->system);
    sis_touch_free(tone->touch);
    free(tone->start);
    free(tone->gain);
    free(tone);
}

// ---------------------------------------------------------------------------- compiling

// The settings of the scene and those of the note; NULL: no memory. The names of the note's own are
// in `note`.
static sis_setting* settings_of(const sis_recipe* scene, const sis_tone* tone,
                                sis_note_settings* note, int32_t* count) {
    sis_note_set(scene->script, tone->hz, tone->velocity, note);
    size_t own = (size_t)scene->setting_count, all = own + (size_t)note->count;
    sis_setting* settings = malloc((all + 1) * sizeof *settings);
    if (!settings) return NULL;
    if (own) memcpy(settings, scene->settings, own * sizeof *settings);
    memcpy(settings + own, note->settings, (size_t)note->count * sizeof *settings);
    *count = (int32_t)all;
    return settings;
}

static void keep_gestures(sis_tone* tone, const sis_script* script) {
    const sis_gestures* play = sis_script_gestures(script);
    tone->play = play ? *play : sis_gestures_none();
    if (play && play->course_count)
        memcpy(tone->courses, play->courses, (size_t)play->course_count * sizeof *play->courses);
    tone->play.courses = tone->courses;
}

static void blame(sis_tone* tone, const sis_script_error* wrong) {
    bool starved = wrong->status == SIS_SCRIPT_NO_MEMORY;
    bool asked = wrong->status == SIS_SCRIPT_SETTING;
    sis_fault_set(&tone->fault,
                  starved ? SIS_FAULT_RUN
                  : asked ? SIS_FAULT_REQUEST
                          : SIS_FAULT_SCENE,
                  "%s%s%s", tone->note, *tone->note ? ": " : "", wrong->text);
    tone->fault.starved = starved;
    tone->line = wrong->line;
}

static sis_system* compile(const sis_recipe* recipe, sis_tone* tone) {
    sis_note_settings note;
    int32_t count = 0;
    sis_setting* settings = settings_of(recipe, tone, &note, &count);
    if (!settings) {
        sis_fault_no_memory(&tone->fault);
        return NULL;
    }
    sis_script_error wrong = {.status = SIS_SCRIPT_WRONG};
    sis_script* script =
        sis_script_load_text(recipe->text, recipe->size, recipe->name, settings, count, &wrong);
    free(settings);
    sis_options how = {
        .rate = recipe->step_rate, .scheme = recipe->scheme, .unaudited = !recipe->audited};
    sis_error error = {.status = SIS_REFUSED};
    const sis_scene* scene = script ? sis_script_scene(script) : NULL;
    sis_system* system = NULL;
    if (script && recipe->fingers > 0)
        system =
            sis_touch_compile(scene, &how, recipe->fingers, &tone->touch, &tone->start, &error);
    else if (script)
        system = sis_compile(scene, &how, &error);
    if (script && !recipe->fingers) keep_gestures(tone, script);
    if (script && !system) sis_script_locate(script, &error, &wrong);
    if (!system) blame(tone, &wrong);
    sis_script_free(script);
    return system;
}

// Channels 1 and 2 are left and right; a scene with one channel is heard on both sides.
static bool find_gains(const sis_recipe* scene, sis_tone* tone) {
    int32_t count = sis_system_probe_count(tone->system);
    int32_t channels = sis_sound_channels(tone->system);
    if (channels == 0)
        return sis_fault_set(&tone->fault, SIS_FAULT_SCENE,
                             "%.300s: the scene has no sound: no probe has a channel; add probe{ "
                             "on = ..., channel = 1 }",
                             scene->name);
    double factor = scene->gain > 0 ? scene->gain : 1;
    tone->gain = calloc(2 * (size_t)count, sizeof *tone->gain);
    if (!tone->gain) return sis_fault_no_memory(&tone->fault);
    for (int32_t i = 0; i < count; i++) {
        sis_probe_info probe = sis_system_probe(tone->system, i);
        tone->gain[2 * i] = probe.channel == 1 ? factor * probe.gain : 0;
        tone->gain[2 * i + 1] = probe.channel == (channels == 1 ? 1 : 2) ? factor * probe.gain : 0;
    }
    return true;
}

void sis_tone_compile(const sis_recipe* recipe, sis_tone* tone) {
    sis_system* system = compile(recipe, tone);
    tone->system = system;
    if (!system) return;
    tone->probe_count = sis_system_probe_count(system);
    tone->input_count = sis_system_input_count(system);
    if (find_gains(recipe, tone)) {
        tone->room = sis_voice_room(tone);
        tone->size = sizeof *tone + sis_system_size(system) +
                     (tone->start ? sis_state_size(system) : 0) +
                     2 * (size_t)tone->probe_count * sizeof *tone->gain;
        return;
    }
    tone->system = NULL;
    sis_system_free(system);
}
