#include "notes.h"

#include "say.h"
#include "scala.h"
#include "strike.h"

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

bool notes_held(const sis_script* script) {
    return sis_script_play(script) && has_gate(sis_script_gestures(script));
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

int notes_play(job* j, const options* o) {
    double hz = (double)NAN;
    sis_fault fault;
    int code = o->note ? find_pitch(j, o, &hz) : EXIT_DONE;
    if (code) return code;
    return sis_strike_note(j->script, sis_plan_step_rate(&j->plan), hz, o->velocity, o->hold,
                           &j->gestures, &fault)
               ? EXIT_DONE
               : complain_fault(&fault);
}

int notes_strike(job* j) {
    sis_fault fault;
    return sis_strike_plain(j->script, sis_plan_step_rate(&j->plan), &j->gestures, &fault)
               ? EXIT_DONE
               : complain_fault(&fault);
}
