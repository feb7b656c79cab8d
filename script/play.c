// play{ pitch = "f0", velocity = "peak", voices =, tail =, release = }: which params a note sets.
//
// The core knows nothing of notes: a note is a choice of settings, and play{} says of which. The
// params may be declared after it, so their names are looked up when the scene has run.
#include <math.h>
#include <string.h>

#include "loader.h"

static const char* const play_keys[] = {"name", "pitch", "velocity", "voices", "tail", "release"};
enum { KEY_COUNT = sizeof play_keys / sizeof play_keys[0] };

// ---------------------------------------------------------------------------- reading the table

// The name of a param; "" when the key was not given.
static void read_name(lua_State* L, const char* key, char* place, size_t room) {
    place[0] = '\0';
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    if (lua_rawget(L, 1) == LUA_TNIL) return;
    const char* text = sis_loader_check_text(L, "play", key, lua_gettop(L));
    if (strlen(text) == 0 || sis_clean(text, place, room) >= room)
        sis_loader_refuse(L, "play: %s = \"%.80s\" must be the name of a param, 1 to %zu bytes",
                          key, text, room - 1);
}

static double read_number(lua_State* L, const char* key, const char* unit, double min, double max,
                          double fallback) {
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    if (lua_rawget(L, 1) == LUA_TNIL) return fallback;
    sis_loader_expect_number(L, "play", key, unit, lua_gettop(L));
    double value = lua_tonumber(L, -1);
    sis_loader_check_number(L, "play", key, value, min, max, unit);
    return value;
}

int sis_loader_play(lua_State* L) {
    sis_kept_play* kept = &sis_loader_of(L)->script->play;
    sis_loader_check_open(L, "play");
    sis_loader_begin(L, "play");
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        sis_loader_refuse(L, "play: takes one table, as in play{ pitch = \"f0\" }");
    if (kept->given)
        sis_loader_refuse(L, "play: the scene says how notes play it in line %d already",
                          kept->line);
    sis_loader_check_keys(L, "play", play_keys, KEY_COUNT, 0,
                          "a value has no key; write play{ pitch = \"f0\", ... }");
    char name[64];
    read_name(L, "name", name, sizeof name);
    read_name(L, "pitch", kept->pitch, sizeof kept->pitch);
    read_name(L, "velocity", kept->velocity, sizeof kept->velocity);
    if (!kept->pitch[0] && !kept->velocity[0])
        sis_loader_refuse(L, "play: needs 'pitch' or 'velocity': the name of a param that a note "
                             "sets, as in play{ pitch = \"f0\" }");
    double voices = read_number(L, "voices", "", 1, SIS_PLAY_MOST_VOICES, 16);
    if (voices != floor(voices))
        sis_loader_refuse(L, "play: voices = %s is not a whole number (1 .. %d)",
                          sis_number_text(voices).text, SIS_PLAY_MOST_VOICES);
    kept->play = (sis_play){.pitch = -1,
                            .velocity = -1,
                            .voices = (int32_t)voices,
                            .tail = read_number(L, "tail", "dB", 1, 300, 60),
                            .release = read_number(L, "release", "s", 1e-3, 60, (double)NAN)};
    kept->line = sis_loader_line(L);
    kept->given = true;
    sis_loader_end(L);
    return 0;
}

// ---------------------------------------------------------------------------- after the scene ran

// The place of the param that `key` names, -1 and why when there is none.
static int32_t find(const sis_script* script, const char* key, const char* name,
                    sis_sentence* why) {
    sis_suggestion suggestion = sis_suggest(name);
    sis_sentence all = {.length = 0};
    for (int32_t i = 0; i < script->param_count; i++) {
        const char* candidate = script->params[i].name;
        if (strcmp(candidate, name) == 0) return i;
        sis_suggest_from(&suggestion, candidate);
        sis_say(&all, "%s%s", i ? ", " : "", candidate);
    }
    sis_say(why, "play: %s = \"%s\" is not a param of the scene", key, name);
    if (suggestion.best) sis_say(why, " (did you mean '%s'?)", suggestion.best);
    sis_say(why, "; it has: %.500s", script->param_count ? all.text : "none");
    return -1;
}

bool sis_loader_play_known(sis_script* script, const char** key, sis_sentence* why) {
    sis_kept_play* kept = &script->play;
    sis_play* play = &kept->play;
    if (!kept->given) return true;
    *key = "pitch";
    if (kept->pitch[0] && (play->pitch = find(script, "pitch", kept->pitch, why)) < 0) return false;
    *key = "velocity";
    if (kept->velocity[0] && (play->velocity = find(script, "velocity", kept->velocity, why)) < 0)
        return false;
    const sis_kept_param* pitch = play->pitch >= 0 ? &script->params[play->pitch] : NULL;
    const sis_kept_param* velocity = play->velocity >= 0 ? &script->params[play->velocity] : NULL;
    if (pitch && strcmp(pitch->unit, "Hz") != 0) {
        *key = "pitch";
        sis_say(why, "play: the param '%s' of pitch must have unit = \"Hz\", not \"%s\"",
                pitch->name, pitch->unit);
    } else if (velocity && !(isfinite(velocity->min) && isfinite(velocity->max)))
        sis_say(why, "play: the param '%s' of velocity needs %s: the softest and the hardest note",
                velocity->name,
                isfinite(velocity->min)   ? "a max"
                : isfinite(velocity->max) ? "a min"
                                          : "min and max");
    else if (pitch && pitch == velocity)
        sis_say(why, "play: pitch and velocity are the same param '%s'; give one of the two",
                pitch->name);
    return why->length == 0;
}
