#include "tone.h"

#include "scene_file.h"
#include "sound.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE_MOST = 64 }; // tones kept though nobody sounds

bool sis_tones_open(sis_tones* tones, const sis_performance* p, int32_t i, sis_fault* fault) {
    char why[256];
    *tones = (sis_tones){.performance = p, .scene = sis_performance_scene(p, i)};
    const char* path = tones->scene.scene;
    tones->text = sis_file_read(path, &tones->size, why, sizeof why);
    if (!tones->text && errno == ENOMEM) return sis_fault_no_memory(fault);
    return tones->text ||
           sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: cannot read the scene: %s", path, why);
}

static void tone_free(sis_tone* tone) {
    if (!tone) return;
    sis_system_free(tone->system);
    free(tone->gain);
    free(tone);
}

void sis_tones_close(sis_tones* tones) {
    for (int32_t i = 0; i < tones->count; i++)
        tone_free(tones->list[i]);
    free(tones->list);
    free(tones->text);
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

sis_tone* sis_tones_take(sis_tones* tones, double hz, double velocity, const char* note) {
    sis_tone* tone = NULL;
    for (int32_t i = 0; i < tones->count && !tone; i++)
        if (same(tones->list[i]->hz, hz) && same(tones->list[i]->velocity, velocity))
            tone = tones->list[i];
    if (!tone && tones->count == tones->room) {
        int32_t room = tones->room ? 2 * tones->room : 64;
        sis_tone** list = realloc(tones->list, (size_t)room * sizeof(sis_tone*));
        if (!list) return NULL;
        tones->list = list;
        tones->room = room;
    }
    if (!tone) {
        tone = calloc(1, sizeof *tone);
        if (!tone) return NULL;
        *tone = (sis_tone){.hz = hz, .velocity = velocity};
        memcpy(tone->note, note, strnlen(note, sizeof tone->note - 1));
        tones->list[tones->count++] = tone;
    }
    tone->users++;
    tone->last_use = ++tones->uses;
    return tone;
}

void sis_tones_give_back(sis_tones* tones, sis_tone* tone) {
    int32_t idle = 0, oldest = -1;
    tone->users--;
    for (int32_t i = 0; i < tones->count; i++) {
        if (tones->list[i]->users) continue;
        idle++;
        if (oldest < 0 || tones->list[i]->last_use < tones->list[oldest]->last_use) oldest = i;
    }
    if (idle <= IDLE_MOST) return;
    tone_free(tones->list[oldest]);
    tones->list[oldest] = tones->list[--tones->count];
}

// ---------------------------------------------------------------------------- compiling

// The settings of the scene and those of the note; NULL: no memory. The names of the note's own are
// in `note`.
static sis_setting* settings_of(const sis_tones* tones, const sis_tone* tone,
                                sis_note_settings* note, int32_t* count) {
    const sis_instrument* scene = &tones->scene;
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
    if (!play) return;
    tone->play = *play;
    if (play->course_count)
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
                  "%s: %s", tone->note, wrong->text);
    tone->fault.starved = starved;
}

static sis_system* compile(const sis_tones* tones, sis_tone* tone) {
    const sis_performance* p = tones->performance;
    sis_note_settings note;
    int32_t count = 0;
    sis_setting* settings = settings_of(tones, tone, &note, &count);
    if (!settings) {
        sis_fault_no_memory(&tone->fault);
        return NULL;
    }
    sis_script_error wrong = {.status = SIS_SCRIPT_WRONG};
    sis_script* script =
        sis_script_load_text(tones->text, tones->size, tones->scene.scene, settings, count, &wrong);
    free(settings);
    sis_options how = {
        .rate = sis_plan_step_rate(&p->plan), .scheme = p->scheme, .unaudited = true};
    sis_error error = {.status = SIS_REFUSED};
    sis_system* system = script ? sis_compile(sis_script_scene(script), &how, &error) : NULL;
    if (script) keep_gestures(tone, script);
    if (script && !system) sis_script_locate(script, &error, &wrong);
    if (!system) blame(tone, &wrong);
    sis_script_free(script);
    return system;
}

// Channels 1 and 2 are left and right; a scene with one channel is heard on both sides.
static bool find_gains(const sis_instrument* scene, sis_tone* tone) {
    int32_t count = sis_system_probe_count(tone->system);
    int32_t channels = sis_sound_channels(tone->system);
    if (channels == 0)
        return sis_fault_set(&tone->fault, SIS_FAULT_SCENE,
                             "%.300s: the scene has no sound: no probe has a channel; add probe{ "
                             "on = ..., channel = 1 }",
                             scene->scene);
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

void sis_tone_compile(const sis_tones* tones, sis_tone* tone) {
    sis_system* system = compile(tones, tone);
    tone->system = system;
    if (!system || find_gains(&tones->scene, tone)) return;
    tone->system = NULL;
    sis_system_free(system);
}
