#include "notes.h"

#include "say.h"
#include "scala.h"

#include <math.h>
#include <stdio.h>
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
    bool named = tuning && !strcmp(tuning, "--a4") && o->what && !strcmp(o->what, "spectrum");
    if (tuning && !named && !o->note && !o->midi)
        return complain(EXIT_USAGE, "%s is how notes are tuned: give --note or --midi too", tuning);
    return EXIT_DONE;
}

static bool is_set(const options* o, const char* name) {
    for (int32_t i = 0; i < o->setting_count; i++)
        if (!strcmp(o->settings[i].name, name)) return true;
    return false;
}

int notes_ready(const job* j, const options* o) {
    const sis_play* play = sis_script_play(j->script);
    if (!play)
        return complain(EXIT_SCENE,
                        "%s: the scene does not say how notes play it: add play{ pitch = \"NAME\", "
                        "velocity = \"NAME\" } with the names of params",
                        j->name);
    bool pitch = o->note || o->midi, velocity = !isnan(o->velocity) || o->midi;
    if (o->note && play->pitch < 0)
        return complain(EXIT_SCENE,
                        "%s: play{} names no param of pitch, so --note sets nothing: add pitch = "
                        "\"NAME\" to it",
                        j->name);
    if (!isnan(o->transpose) && play->pitch < 0)
        return complain(
            EXIT_SCENE,
            "%s: play{} names no param of pitch, so --transpose moves nothing: leave it "
            "out",
            j->name);
    if (!isnan(o->velocity) && play->velocity < 0)
        return complain(EXIT_SCENE,
                        "%s: play{} names no param of velocity, so --velocity sets nothing: add "
                        "velocity = \"NAME\" to it",
                        j->name);
    const char* names[2] = {
        pitch && play->pitch >= 0 ? sis_script_param(j->script, play->pitch).name : NULL,
        velocity && play->velocity >= 0 ? sis_script_param(j->script, play->velocity).name : NULL};
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
    sis_param pitch = sis_script_param(j->script, sis_script_play(j->script)->pitch);
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
