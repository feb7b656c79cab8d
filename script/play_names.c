// What the names in play{} mean, once the scene has run: params that a note sets before it begins,
// inputs that it moves while it sounds.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loader.h"

/** Where a name may lead. */
typedef enum name_kind { PARAM_OR_INPUT, INPUT_ONLY } name_kind;

/** A name on trial, and what came of it. */
typedef struct lookup {
    sis_script* script;
    const char** key;  // of play{}, for sentences
    sis_sentence* why; // said: the name is no good
    char prefix[40];   // "play" or "play: course 2"
} lookup;

// ---------------------------------------------------------------------------- finding

static int32_t find_param(const sis_script* script, const char* name) {
    for (int32_t i = 0; i < script->param_count; i++)
        if (strcmp(script->params[i].name, name) == 0) return i;
    return -1;
}

static int32_t find_input(const sis_script* script, const char* name) {
    for (int32_t i = 0; i < script->input_count; i++)
        if (strcmp(script->inputs[i].name, name) == 0) return i;
    return -1;
}

static void list(const char* name, sis_suggestion* suggestion, sis_sentence* all) {
    sis_suggest_from(suggestion, name);
    sis_say(all, "%s%s", all->length ? ", " : "", name);
}

// There is nothing of that name: what there is.
static void say_unknown(const lookup* l, const char* key, const char* name, name_kind kind) {
    const sis_script* script = l->script;
    sis_suggestion suggestion = sis_suggest(name);
    sis_sentence all = {.length = 0};
    for (int32_t i = 0; kind == PARAM_OR_INPUT && i < script->param_count; i++)
        list(script->params[i].name, &suggestion, &all);
    for (int32_t i = 0; i < script->input_count; i++)
        list(script->inputs[i].name, &suggestion, &all);
    bool params = kind == PARAM_OR_INPUT, inputs = script->input_count > 0 || !params;
    sis_say(l->why, "%s: %s = \"%s\" is not %s of the scene", l->prefix, key, name,
            !inputs  ? "a param"
            : params ? "a param or an input"
                     : "an input");
    if (suggestion.best) sis_say(l->why, " (did you mean '%s'?)", suggestion.best);
    sis_say(l->why, "; it has: %.500s", all.length ? all.text : "none");
    if (!params && find_param(script, name) >= 0)
        sis_say(l->why, "; '%s' is a param, which does not move while it sounds", name);
}

// The input of that name, -1: none was named, or `why` says what is wrong.
static int32_t input_of(const lookup* l, const char* key, const char* name) {
    *l->key = key;
    if (!name[0]) return -1;
    int32_t i = find_input(l->script, name);
    if (i < 0) say_unknown(l, key, name, INPUT_ONLY);
    return i;
}

// ---------------------------------------------------------------------------- each of its kind

// A number that moves: blows are for velocity alone.
static int32_t number_of(const lookup* l, const char* key, const char* name) {
    int32_t i = input_of(l, key, name);
    if (i >= 0 && l->script->inputs[i].trigger)
        sis_say(l->why, "%s: %s = \"%s\" is a trigger, which gives blows: %s moves a number",
                l->prefix, key, name, key);
    return i;
}

static int32_t gate_of(const lookup* l, const char* name) {
    int32_t i = number_of(l, "gate", name);
    const sis_kept_input* input = i >= 0 ? &l->script->inputs[i] : NULL;
    if (input && !l->why->length && !(input->min <= 0 && input->max >= 1))
        sis_say(l->why, "%s: the input '%s' of gate must reach from 0 to 1, not from %s to %s",
                l->prefix, name, sis_number_text(input->min).text,
                sis_number_text(input->max).text);
    return i;
}

// Full scale of a sound is +- the larger end of the range, so silence must be in it.
static int32_t sound_of(const lookup* l, const char* name) {
    int32_t i = number_of(l, "sound", name);
    const sis_kept_input* input = i >= 0 ? &l->script->inputs[i] : NULL;
    if (input && !l->why->length && !(input->min <= 0 && input->max >= 0))
        sis_say(l->why,
                "%s: the input '%s' of sound must have 0 in its range, for silence, not %s .. %s",
                l->prefix, name, sis_number_text(input->min).text,
                sis_number_text(input->max).text);
    return i;
}

static bool find_sound(const lookup* l, sis_kept_play* kept) {
    sis_gestures* g = &kept->gestures;
    for (int32_t i = 0; i < g->sound_count && !l->why->length; i++)
        g->sound[i] = sound_of(l, kept->sound[i]);
    if (!l->why->length && g->sound_count == 2 && g->sound[0] == g->sound[1])
        sis_say(l->why,
                "play: sound names the input '%s' twice: give it once, or two of them for left and "
                "right",
                kept->sound[0]);
    return l->why->length == 0;
}

static void need_hertz(const lookup* l, const char* what, const char* name, const char* unit) {
    if (strcmp(unit, "Hz") != 0)
        sis_say(l->why, "%s: the %s '%s' of pitch must have unit = \"Hz\", not \"%s\"", l->prefix,
                what, name, unit);
}

static int32_t pitch_input(const lookup* l, const char* name) {
    int32_t i = number_of(l, "pitch", name);
    if (i >= 0 && !l->why->length) need_hertz(l, "input", name, l->script->inputs[i].unit);
    return i;
}

static bool find_pitch(const lookup* l, sis_kept_play* kept) {
    const char* name = kept->names.pitch;
    *l->key = "pitch";
    if (!name[0]) return true;
    kept->play.pitch = find_param(l->script, name);
    if (kept->play.pitch >= 0)
        need_hertz(l, "param", name, l->script->params[kept->play.pitch].unit);
    else if (find_input(l->script, name) >= 0)
        kept->gestures.pitch = pitch_input(l, name);
    else
        say_unknown(l, "pitch", name, PARAM_OR_INPUT);
    return l->why->length == 0;
}

static bool find_velocity(const lookup* l, sis_kept_play* kept) {
    const char* name = kept->names.velocity;
    *l->key = "velocity";
    if (!name[0]) return true;
    kept->play.velocity = find_param(l->script, name);
    kept->gestures.velocity = find_input(l->script, name);
    const sis_kept_param* param =
        kept->play.velocity >= 0 ? &l->script->params[kept->play.velocity] : NULL;
    if (!param && kept->gestures.velocity < 0)
        say_unknown(l, "velocity", name, PARAM_OR_INPUT);
    else if (param && !(isfinite(param->min) && isfinite(param->max)))
        sis_say(l->why,
                "play: the param '%s' of velocity needs %s: the softest and the hardest "
                "note",
                name,
                isfinite(param->min)   ? "a max"
                : isfinite(param->max) ? "a min"
                                       : "min and max");
    return l->why->length == 0;
}

static bool find_courses(lookup* l, sis_kept_play* kept) {
    for (int32_t i = 0; i < kept->gestures.course_count && !l->why->length; i++) {
        const sis_kept_names* names = &kept->course_names[i];
        sis_course* course = &kept->courses[i];
        snprintf(l->prefix, sizeof l->prefix, "play: course %d", (int)i + 1);
        course->pitch = pitch_input(l, names->pitch);
        if (!l->why->length) course->velocity = input_of(l, "velocity", names->velocity);
        if (!l->why->length) course->gate = gate_of(l, names->gate);
    }
    return l->why->length == 0;
}

// ---------------------------------------------------------------------------- together

/** What moves an input: a key of play{}, for the sentence a name of its own. */
typedef struct role {
    const char* key;
    char called[32];
    int32_t input; // -1: none
} role;

enum { MOST_ROLES = 5 + SIS_PLAY_CONTROLLERS + 3 * SIS_PLAY_MOST_COURSES, PEDAL = 64 };

static role* add_role(role* at, const char* key, int32_t course, int32_t input) {
    *at = (role){.key = key, .input = input};
    if (course < 0)
        snprintf(at->called, sizeof at->called, "%s", key);
    else
        snprintf(at->called, sizeof at->called, "%s of course %d", key, (int)course + 1);
    return at + 1;
}

static int list_roles(const sis_gestures* g, role* roles) {
    role* at = roles;
    at = add_role(at, "pitch", -1, g->pitch);
    at = add_role(at, "velocity", -1, g->velocity);
    at = add_role(at, "gate", -1, g->gate);
    at = add_role(at, "pressure", -1, g->pressure);
    at = add_role(at, "bend", -1, g->bend);
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++) {
        *at = (role){.key = i == PEDAL ? "pedal" : "cc", .input = g->cc[i]};
        snprintf(at->called, sizeof at->called, i == PEDAL ? "pedal" : "controller %d", i);
        at++;
    }
    for (int32_t i = 0; i < g->course_count; i++) {
        at = add_role(at, "pitch", i, g->courses[i].pitch);
        at = add_role(at, "velocity", i, g->courses[i].velocity);
        at = add_role(at, "gate", i, g->courses[i].gate);
    }
    return (int)(at - roles);
}

// Two that move one input would work against each other. Courses may share one for the same key,
// such as a damper of all strings.
static bool check_roles(const lookup* l, const sis_gestures* g) {
    role roles[MOST_ROLES];
    int count = list_roles(g, roles);
    for (int b = 1; b < count; b++)
        for (int a = 0; a < b; a++) {
            bool shared = strcmp(roles[a].key, "cc") != 0 && roles[a].key == roles[b].key;
            if (roles[a].input < 0 || roles[a].input != roles[b].input || shared) continue;
            *l->key = roles[b].key;
            sis_say(l->why, "play: %s and %s are the same input '%s': an input has one of them",
                    roles[a].called, roles[b].called, l->script->inputs[roles[a].input].name);
            return false;
        }
    return true;
}

// What fits alone and not together.
static bool check_together(const lookup* l, const sis_kept_play* kept) {
    const sis_gestures* g = &kept->gestures;
    bool trigger = g->velocity >= 0 && l->script->inputs[g->velocity].trigger;
    *l->key = "velocity";
    if (kept->names.pitch[0] && strcmp(kept->names.pitch, kept->names.velocity) == 0)
        sis_say(l->why, "play: pitch and velocity are the same %s '%s'; give one of the two",
                kept->play.pitch >= 0 ? "param" : "input", kept->names.pitch);
    else if (g->mode == SIS_PLAY_KEYS && !trigger)
        sis_say(l->why, "play: mode = \"keys\" strikes a key that sounds: it needs velocity = the "
                        "name of an input with trigger = true");
    else if (g->mode == SIS_PLAY_MONO && kept->play.pitch >= 0)
        sis_say(l->why,
                "play: mode = \"mono\" moves the pitch while it sounds: '%s' must be an input, not "
                "a param",
                kept->names.pitch);
    else if (g->mode == SIS_PLAY_MONO && kept->play.velocity >= 0)
        sis_say(l->why,
                "play: mode = \"mono\" plays one state: '%s' of velocity must be an input, not a "
                "param",
                kept->names.velocity);
    return l->why->length == 0;
}

bool sis_loader_play_known(sis_script* script, const char** key, sis_sentence* why) {
    sis_kept_play* kept = &script->play;
    sis_gestures* g = &kept->gestures;
    lookup l = {.script = script, .key = key, .why = why, .prefix = "play"};
    if (!kept->given) return true;
    if (!find_pitch(&l, kept) || !find_velocity(&l, kept)) return false;
    g->gate = gate_of(&l, kept->names.gate);
    if (!why->length) g->pressure = number_of(&l, "pressure", kept->pressure);
    if (!why->length) g->bend = number_of(&l, "bend", kept->bend);
    for (int i = 0; i < SIS_PLAY_CONTROLLERS && !why->length; i++)
        g->cc[i] = number_of(&l, "cc", kept->cc[i]);
    return !why->length && find_courses(&l, kept) && find_sound(&l, kept) &&
           check_together(&l, kept) && check_roles(&l, g);
}
