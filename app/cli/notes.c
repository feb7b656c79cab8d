#include "notes.h"

#include "gestures.h"
#include "say.h"
#include "scala.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool notes_given(const options* o) {
    return o->note || !isnan(o->velocity);
}

int notes_check(const options* o) {
    const char* tuning = !isnan(o->a4) ? "--a4" : o->scale ? "--scale" : o->keys ? "--keys" : NULL;
    if (o->midi && notes_given(o))
        return complain(EXIT_USAGE, "--midi plays a song and %s one note: give one of the two",
                        o->note ? "--note" : "--velocity");
    if (!o->midi && (!isnan(o->channel) || !isnan(o->transpose)))
        return complain(EXIT_USAGE, "%s chooses notes of a song: give --midi too",
                        isnan(o->channel) ? "--transpose" : "--channel");
    if (!o->midi && o->instruments)
        return complain(EXIT_USAGE,
                        "--instrument gives scenes to channels of a song: give --midi too");
    if (!isnan(o->hold) && !notes_given(o))
        return complain(EXIT_USAGE, "--hold is how long the key of one note is down: give --note%s",
                        o->midi ? ", not --midi, whose notes say it themselves" : " too");
    bool named = tuning && !strcmp(tuning, "--a4") && o->what && !strcmp(o->what, "spectrum");
    if (tuning && !named && !o->note && !o->midi && !o->plays)
        return complain(EXIT_USAGE, "%s is how notes are tuned: give --note or --midi too", tuning);
    return EXIT_DONE;
}

static bool is_set(const options* o, const char* name) {
    for (int32_t i = 0; i < o->setting_count; i++)
        if (!strcmp(o->settings[i].name, name)) return true;
    return false;
}

// An input or a param of play{}, -1 where neither is; NULL: there is none.
static const char* name_of(const job* j, int32_t param, int32_t input) {
    if (param >= 0) return sis_script_param(j->script, param).name;
    return input >= 0 ? sis_script_input(j->script, input).name : NULL;
}

static bool has_velocity(const sis_play* play, const sis_gestures* g) {
    for (int32_t i = 0; i < g->course_count; i++)
        if (g->courses[i].velocity >= 0) return true;
    return play->velocity >= 0 || g->velocity >= 0;
}

static bool has_gate(const sis_gestures* g) {
    for (int32_t i = 0; i < g->course_count; i++)
        if (g->courses[i].gate >= 0) return true;
    return g->gate >= 0;
}

bool notes_taken(const sis_script* script) {
    const sis_play* play = sis_script_play(script);
    const sis_gestures* g = sis_script_gestures(script);
    return play && (sis_play_is_pitched(play, g) || has_velocity(play, g) || has_gate(g));
}

// What is asked for and the scene has nothing for; NULL: nothing.
static const char* find_lack(const job* j, const options* o, const char** option) {
    const sis_play* play = sis_script_play(j->script);
    const sis_gestures* g = sis_script_gestures(j->script);
    bool pitched = sis_play_is_pitched(play, g);
    *option = o->note ? "--note" : "--transpose";
    if ((o->note || !isnan(o->transpose)) && !pitched) return "pitch";
    *option = "--velocity";
    if (!isnan(o->velocity) && !has_velocity(play, g)) return "velocity";
    *option = "--hold";
    return !isnan(o->hold) && !has_gate(g) ? "gate" : NULL;
}

int notes_ready(const job* j, const options* o) {
    const sis_play* play = sis_script_play(j->script);
    const sis_gestures* g = sis_script_gestures(j->script);
    const char* option = NULL;
    if (!notes_taken(j->script))
        return complain(EXIT_SCENE,
                        "%s: the scene does not say how notes play it: add play{ pitch = \"NAME\", "
                        "velocity = \"NAME\" } with the names of params",
                        j->name);
    const char* lack = find_lack(j, o, &option);
    if (lack && !strcmp(option, "--transpose"))
        return complain(EXIT_SCENE,
                        "%s: play{} names no param of pitch, so --transpose moves nothing: leave "
                        "it out",
                        j->name);
    if (lack)
        return complain(EXIT_SCENE,
                        "%s: play{} names no %s of %s, so %s sets nothing: add %s = \"NAME\" to it",
                        j->name, !strcmp(lack, "gate") ? "input" : "param", lack, option, lack);
    bool pitch = o->note || o->midi, velocity = !isnan(o->velocity) || o->midi;
    const char* names[2] = {pitch ? name_of(j, play->pitch, g->pitch) : NULL,
                            velocity ? name_of(j, play->velocity, g->velocity) : NULL};
    for (int i = 0; i < 2; i++)
        if (names[i] && is_set(o, names[i]))
            return complain(EXIT_USAGE, "--set %s: %s sets it already", names[i],
                            o->midi ? "every note of --midi"
                            : i     ? "--velocity"
                                    : "--note");
    return EXIT_DONE;
}

int notes_tuning(const options* o, sis_tuning* tuning) {
    sis_fault fault;
    return sis_tuning_open(o->scale, o->keys, o->a4, tuning, &fault) ? EXIT_DONE
                                                                     : complain_fault(&fault);
}

// Hz of --note, checked against the param.
static int find_pitch(const job* j, const options* o, double* hz) {
    sis_note_text note;
    sis_tuning tuning;
    sis_fault fault;
    char what[128];
    if (!sis_note_read(o->note, &note, &fault))
        return complain((int)fault.kind, "--note: %s", fault.text);
    int code = notes_tuning(o, &tuning);
    if (code) return code;
    *hz = note.key >= 0 ? tuning.hz[note.key] : note.hz;
    if (isnan(*hz))
        return complain(EXIT_USAGE, "--note %s: key %d is silent in this tuning", o->note,
                        (int)note.key);
    sis_param pitch;
    const sis_gestures* g = sis_script_gestures(j->script);
    if (!sis_note_range(j->script, sis_gesture_course_at(g, *hz), &pitch)) return EXIT_DONE;
    snprintf(what, sizeof what, "--note %.60s", o->note);
    return sis_note_in_range(&pitch, hz, &tuning, what, SIS_FAULT_REQUEST, &fault)
               ? EXIT_DONE
               : complain_fault(&fault);
}

int notes_settings(const job* j, const options* o, sis_note_settings* note) {
    double hz = (double)NAN;
    int code = notes_ready(j, o);
    if (!code && o->note) code = find_pitch(j, o, &hz);
    if (!code) sis_note_set(j->script, hz, o->velocity, note);
    return code;
}

// ---------------------------------------------------------------------------- while it sounds

static bool add_point(sis_input_curve* curve, double time, double value) {
    double* more = realloc(curve->points, 2 * (curve->count + 1) * sizeof *more);
    if (!more) return false;
    more[2 * curve->count] = time;
    more[2 * curve->count + 1] = value;
    curve->points = more;
    curve->room = ++curve->count;
    return true;
}

// The first step of a run is as the scene has it: what a note moves begins with the second.
static bool strike(const job* j, sis_input_curve* curve, int32_t i, double velocity) {
    sis_input input = sis_script_input(j->script, i);
    sis_input_info info = {.value = 1, .min = input.min, .max = input.max, .trigger = true};
    double blow =
        sis_gesture_value(sis_script_gestures(j->script), &info, SIS_ACT_VELOCITY, velocity);
    return add_point(curve, 1 / sis_plan_step_rate(&j->plan), blow);
}

static bool open_gate(const job* j, sis_input_curve* curve, double hold) {
    double step = 1 / sis_plan_step_rate(&j->plan);
    if (!add_point(curve, 0, curve->held) || !add_point(curve, step, 1)) return false;
    if (isnan(hold)) return true;
    double up = fmax(hold, 3 * step);
    return add_point(curve, up - step, 1) && add_point(curve, up, 0);
}

int notes_play(job* j, const options* o) {
    const sis_gestures* g = sis_script_gestures(j->script);
    double hz = (double)NAN;
    int code = o->note ? find_pitch(j, o, &hz) : EXIT_DONE;
    int32_t course = sis_gesture_course_at(g, hz);
    int32_t gate = sis_gesture_input(g, SIS_ACT_GATE, course);
    int32_t blow = sis_gesture_input(g, SIS_ACT_VELOCITY, course);
    if (blow >= 0 && !sis_script_input(j->script, blow).trigger) blow = -1;
    if (code || (gate < 0 && blow < 0)) return code;
    if (!j->gestures.count) code = gestures_open(j);
    if (code) return code;
    sis_input_curve* curves = j->gestures.curves;
    bool fine = true;
    if (gate >= 0 && !curves[gate].count) fine = open_gate(j, &curves[gate], o->hold);
    if (blow >= 0 && !curves[blow].given)
        fine = strike(j, &curves[blow], blow, o->velocity) && fine;
    return fine ? EXIT_DONE : complain(EXIT_RUN, "out of memory");
}

int notes_strike(job* j) {
    bool fine = true;
    for (int32_t i = 0; i < sis_script_input_count(j->script); i++) {
        if (!sis_script_strikes(j->script, i)) continue;
        int code = j->gestures.count ? EXIT_DONE : gestures_open(j);
        if (code) return code;
        sis_input_curve* curve = &j->gestures.curves[i];
        if (!curve->given) fine = strike(j, curve, i, (double)NAN) && fine;
    }
    return fine ? EXIT_DONE : complain(EXIT_RUN, "out of memory");
}
