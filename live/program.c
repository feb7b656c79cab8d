// Programs: a scene with its settings, and what is compiled of it.
#include "inside.h"

#include "sistrum/elementary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sis_live_fail(sis_live_error* error, sis_live_fault fault, const char* format, ...) {
    if (!error) return false;
    char raw[2 * sizeof error->text];
    va_list values;
    va_start(values, format);
    vsnprintf(raw, sizeof raw, format, values);
    va_end(values);
    sis_clean(raw, error->text, sizeof error->text);
    error->line = 0;
    error->fault = fault;
    return false;
}

bool sis_live_no_memory(sis_live_error* error) {
    return sis_live_fail(error, SIS_LIVE_NO_MEMORY, "out of memory");
}

static void tell_script(sis_live_error* error, const sis_script_error* wrong) {
    sis_live_fault fault = wrong->status == SIS_SCRIPT_NO_MEMORY ? SIS_LIVE_NO_MEMORY
                           : wrong->status == SIS_SCRIPT_SETTING ? SIS_LIVE_WRONG_SETTING
                                                                 : SIS_LIVE_WRONG_SCENE;
    sis_live_fail(error, fault, "%s", wrong->text);
    if (error) error->line = wrong->line;
}

// ---------------------------------------------------------------------------- copies

char* sis_live_copy_text(const char* text, size_t size) {
    char* copy = malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

enum { SOUND_INPUTS = 2 };

static bool add_setting(sis_program* p, const char* name, double value) {
    char* copy = sis_live_copy_text(name, strlen(name));
    if (copy) p->settings[p->setting_count++] = (sis_setting){copy, value};
    return copy != NULL;
}

static bool copy_settings(sis_program* p, const sis_setting* settings, int32_t count) {
    p->settings = calloc((size_t)count + 1 + SOUND_INPUTS, sizeof *p->settings);
    if (!p->settings) return false;
    for (int32_t i = 0; i < count; i++)
        if (!add_setting(p, settings[i].name, settings[i].value)) return false;
    return true;
}

// Before sound comes from outside there is silence, whatever the scene has there for runs without it.
static bool silence(sis_program* p) {
    const sis_gestures* g = sis_script_gestures(p->script);
    for (int32_t k = 0; g && k < g->sound_count; k++) {
        const char* name = sis_script_input(p->script, g->sound[k]).name;
        bool found = false;
        for (int32_t i = 0; i < p->setting_count; i++) {
            if (strcmp(p->settings[i].name, name) != 0) continue;
            p->settings[i].value = 0;
            found = true;
        }
        if (!found && !add_setting(p, name, 0)) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------- probes

static void free_probes(sis_program* p) {
    for (int32_t i = 0; i < p->probe_count; i++) {
        free((void*)(uintptr_t)p->probes[i].name);
        free((void*)(uintptr_t)p->probes[i].on);
        free((void*)(uintptr_t)p->probes[i].unit);
    }
    free(p->probes);
    p->probe_count = 0;
    p->probes = NULL;
}

bool sis_program_list_probes(sis_program* p, const sis_tone* tone) {
    int32_t count = tone->probe_count < SIS_PROBES_MOST ? tone->probe_count : SIS_PROBES_MOST;
    p->probes = calloc((size_t)count + 1, sizeof *p->probes);
    bool room = p->probes != NULL;
    for (int32_t i = 0; room && i < count; i++) {
        sis_probe_info from = sis_system_probe(tone->system, i);
        p->probes[i] = (sis_live_probe){.name = sis_live_copy_text(from.name, strlen(from.name)),
                                        .on = sis_live_copy_text(from.on, strlen(from.on)),
                                        .unit = sis_live_copy_text(from.unit, strlen(from.unit)),
                                        .channel = from.channel};
        p->probe_count = i + 1;
        room = p->probes[i].name && p->probes[i].on && p->probes[i].unit;
    }
    return room;
}

static void free_program(sis_program* p) {
    free_probes(p);
    for (int32_t i = 0; i < p->setting_count; i++)
        free((void*)(uintptr_t)p->settings[i].name);
    free(p->settings);
    sis_script_free(p->script);
    free(p->text);
    free(p->name);
    free(p->sent);
    free(p);
}

void sis_program_leave(sis_program* p) {
    if (p && --p->users <= 0) free_program(p);
}

// ---------------------------------------------------------------------------- loading

// Its seat; false: no memory.
static bool make_seat(sis_program* p, const sis_live_options* o, sis_fingers* fingers) {
    double duration = sis_scene_render(sis_script_scene(p->script)).duration;
    double hope = fmax(fmin(duration, 60), 0.5) * o->rate;
    p->seat = sis_seat_new(p->script, 0, (uint64_t)hope, fingers);
    if (!p->seat) return false;
    p->seat->owner = p;
    if (fingers) p->seat->play.voices = 1;
    if (o->voices > 0 && p->seat->play.voices > o->voices) p->seat->play.voices = o->voices;
    p->sent = calloc((size_t)(p->seat->keys * p->seat->velocities), sizeof *p->sent);
    return p->sent != NULL;
}

sis_program* sis_program_new(const char* text, size_t size, const char* name,
                             const sis_setting* settings, int32_t count, const sis_live_options* o,
                             sis_fingers* fingers, sis_live_error* error) {
    sis_program* p = calloc(1, sizeof *p);
    sis_script_error wrong = {.status = SIS_SCRIPT_WRONG};
    if (p) p->text = sis_live_copy_text(text, size);
    if (p) p->name = sis_live_copy_text(name, strlen(name));
    bool room = p && p->text && p->name && copy_settings(p, settings, count);
    if (room) p->script = sis_script_load_text(text, size, name, settings, count, &wrong);
    room = room && (!p->script || silence(p));
    if (room && p->script) {
        int32_t own = sis_scene_render(sis_script_scene(p->script)).oversample;
        p->oversample = o->oversample > 0 ? o->oversample : own > 0 ? own : 1;
        if (p->oversample > 64) p->oversample = 64;
        p->users = 1;
        p->recipe = (sis_recipe){.text = p->text,
                                 .size = size,
                                 .name = p->name,
                                 .script = p->script,
                                 .settings = p->settings,
                                 .setting_count = p->setting_count,
                                 .step_rate = o->rate * p->oversample,
                                 .scheme = SIS_SCHEME_AS_GIVEN,
                                 .audited = o->audit,
                                 .fingers = fingers ? o->fingers : 0};
        if (make_seat(p, o, fingers)) return p;
        sis_seat_free(p->seat);
    }
    if (room && !p->script)
        tell_script(error, &wrong);
    else
        sis_live_no_memory(error);
    if (p) free_program(p);
    return NULL;
}

// ---------------------------------------------------------------------------- tones

sis_tone* sis_program_tone(const sis_program* p, const sis_tuning* tuning, int32_t key,
                           int32_t velocity) {
    char title[64], note[16];
    snprintf(title, sizeof title, "note %s", sis_note_name(key, note));
    bool alone = !sis_play_is_pitched(&p->seat->play, &p->seat->gestures);
    sis_tone* tone = sis_seat_tone_new(p->seat, tuning, key, velocity, alone ? "" : title);
    if (tone) sis_tone_compile(&p->recipe, tone);
    return tone;
}

bool sis_program_reaches(const sis_program* p, const sis_tuning* tuning, int32_t key,
                         sis_fault* why) {
    sis_param range;
    char what[64], note[16];
    double hz = tuning->hz[key];
    const sis_gestures* g = &p->seat->gestures;
    if (!sis_script_play(p->script) || p->seat->fingers) return true;
    snprintf(what, sizeof what, "note %s", sis_note_name(key, note));
    int32_t course = g->course_count ? sis_gesture_course(g, key, NULL, NULL) : 0;
    if (course < 0)
        return sis_fault_set(why, SIS_FAULT_SCENE, "%s is on none of the courses", what);
    if (!sis_note_range(p->script, course, &range)) return true;
    if (isnan(hz)) return sis_fault_set(why, SIS_FAULT_SCENE, "the tuning has no %s", what);
    return sis_note_in_range(&range, &hz, tuning, what, SIS_FAULT_SCENE, why);
}

void sis_program_ends(const sis_program* p, const sis_tuning* tuning, int32_t* low, int32_t* high) {
    *low = 0;
    *high = 127;
    while (*low < 127 && !sis_program_reaches(p, tuning, *low, NULL))
        (*low)++;
    while (*high > *low && !sis_program_reaches(p, tuning, *high, NULL))
        (*high)--;
}

int32_t sis_program_middle(const sis_program* p, const sis_tuning* tuning) {
    int32_t low, high;
    sis_program_ends(p, tuning, &low, &high);
    int32_t middle = low <= 60 && high >= 60 ? 60 : (low + high) / 2;
    for (int32_t far = 0; far < SIS_KEYS; far++) {
        if (middle - far >= low && sis_program_reaches(p, tuning, middle - far, NULL))
            return middle - far;
        if (middle + far <= high && sis_program_reaches(p, tuning, middle + far, NULL))
            return middle + far;
    }
    return middle;
}

sis_tone* sis_program_first(const sis_program* p, const sis_tuning* tuning) {
    int32_t key = sis_program_middle(p, tuning);
    sis_tuning own = *tuning;
    if (!sis_program_reaches(p, tuning, key, NULL)) own.hz[key] = (double)NAN;
    return sis_program_tone(p, &own, key, 100);
}

// ---------------------------------------------------------------------------- loudness

enum { PIECE = 64 };
#define WORK_MOST    6e7 // points times steps of all notes: some tenths of a second of the machine
#define CONTACT_WORK 4.0 // of a point of a contact, beside one of a string

// Sound from outside: noise, a quarter of full scale.
static void make_noise(const sis_tone* tone, const sis_state* state, uint32_t* seed, double* rows) {
    for (int32_t n = 0; n < PIECE; n++) {
        double* row = rows + (size_t)n * (size_t)tone->input_count;
        for (int32_t i = 0; i < tone->input_count; i++)
            row[i] = sis_state_input(tone->system, state, i);
        *seed = *seed * 1664525u + 1013904223u;
        for (int32_t k = 0; k < tone->play.sound_count; k++) {
            sis_input_info input = sis_system_input(tone->system, tone->play.sound[k]);
            double full = fmax(fabs(input.min), fabs(input.max));
            row[tone->play.sound[k]] = full * 0.5 * (*seed / 4294967296.0 - 0.5);
        }
    }
}

static double peak_of(const sis_tone* tone, const double* probes) {
    double most = 0;
    for (int32_t n = 0; n < PIECE; n++) {
        double left = 0, right = 0;
        for (int32_t i = 0; i < tone->probe_count; i++) {
            left += tone->gain[2 * i] * probes[n * tone->probe_count + i];
            right += tone->gain[2 * i + 1] * probes[n * tone->probe_count + i];
        }
        most = fmax(most, fmax(fabs(left), fabs(right)));
    }
    return isfinite(most) ? most : 0;
}

// What a step costs, counted and not timed, so that every machine measures the same: points or modes
// of bodies, and points of contacts.
static double work_of_step(const sis_system* system) {
    double work = 0;
    for (int32_t i = 0; i < sis_system_body_count(system); i++) {
        sis_body_info body = sis_system_body(system, i);
        work += fmax(body.points, body.modes);
    }
    for (int32_t i = 0; i < sis_system_link_count(system); i++)
        work += CONTACT_WORK * sis_system_link(system, i).points;
    return work;
}

// A second of it; less where steps are dear, but a sixteenth at least.
static double play_short(const sis_program* p, const sis_tone* tone, double hz, double work) {
    double most = 0, rate = p->recipe.step_rate;
    double steps = fmin(fmax(work / work_of_step(tone->system), rate / 16), rate);
    uint32_t seed = 1;
    void* memory = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(tone->system));
    double* probes = calloc((size_t)tone->probe_count + 1, PIECE * sizeof *probes);
    double* inputs = calloc((size_t)tone->input_count + 1, PIECE * sizeof *inputs);
    sis_state* state = memory ? sis_state_init(tone->system, memory) : NULL;
    int32_t pieces = (int32_t)(steps / PIECE);
    bool outside = tone->play.sound_count > 0;
    if (state && sis_script_play(p->script))
        sis_gesture_begin(&tone->play, tone->system, state, hz, 1);
    else if (state)
        sis_gesture_strike_all(tone->system, state);
    for (int32_t i = 0; state && probes && inputs && i < pieces; i++) {
        if (outside) make_noise(tone, state, &seed, inputs);
        sis_block block = {.frames = PIECE, .probes = probes, .inputs = outside ? inputs : NULL};
        sis_step(tone->system, state, &block);
        most = fmax(most, peak_of(tone, probes));
    }
    free(memory);
    free(probes);
    free(inputs);
    return most;
}

// Of the scene as it sounds by itself: fingers are about as loud.
static double own_peak(const sis_program* p) {
    sis_recipe recipe = p->recipe;
    double most = 0, none = (double)NAN;
    recipe.fingers = 0;
    sis_tone* tone = sis_tone_new(none, none, "");
    if (tone) sis_tone_compile(&recipe, tone);
    if (tone && tone->system) most = play_short(p, tone, none, WORK_MOST);
    sis_tone_free(tone);
    return most;
}

double sis_program_peak(const sis_program* p, const sis_tuning* tuning) {
    double most = 0;
    int32_t low, high;
    sis_program_ends(p, tuning, &low, &high);
    bool pitched = sis_play_is_pitched(&p->seat->play, &p->seat->gestures);
    if (p->seat->fingers) return own_peak(p);
    int32_t count = pitched ? 4 : 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t key = pitched ? low + (high - low) * (2 * i + 1) / 8 : 60;
        sis_tone* tone = sis_program_tone(p, tuning, key, 127);
        if (tone && tone->system)
            most = fmax(most, play_short(p, tone, tuning->hz[key], WORK_MOST / count));
        sis_tone_free(tone);
    }
    return most;
}
