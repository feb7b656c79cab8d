// play{ pitch = "f0", velocity = "peak", gate = "hold", ... }: what notes and controllers do.
//
// The core knows nothing of notes: a note is a choice of settings and a motion of inputs, and play{}
// says of which. Params and inputs may be declared after it, so their names are looked up when the
// scene has run (play_names.c).
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

static const char* const play_keys[] = {"name",   "pitch", "velocity", "gate",       "pressure",
                                        "bend",   "pedal", "cc",       "mode",       "courses",
                                        "voices", "tail",  "release",  "bend_range", "sound"};
static const char* const course_keys[] = {"name", "lowest", "highest", "pitch", "velocity", "gate"};
#define COUNT(keys) ((int)(sizeof(keys) / sizeof *(keys)))

enum { PEDAL = 64, MOST_KEY = 127 };

static sis_kept_play* kept_play(lua_State* L) {
    return &sis_loader_of(L)->script->play;
}

// ---------------------------------------------------------------------------- names and numbers

// The text on top of the stack, the name of something.
static void take_name(lua_State* L, const char* key, char* place, size_t room) {
    const char* text = sis_loader_check_text(L, "play", key, lua_gettop(L));
    if (strlen(text) == 0 || sis_clean(text, place, room) >= room)
        sis_loader_refuse(L,
                          "play: %s = \"%.80s\" must be the name of a param or an input, 1 to %zu "
                          "bytes",
                          key, text, room - 1);
}

// "" when the key was not given.
static void read_name(lua_State* L, const char* key, char* place, size_t room) {
    place[0] = '\0';
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    if (lua_rawget(L, 1) != LUA_TNIL) take_name(L, key, place, room);
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

static void read_names(lua_State* L, sis_kept_names* names) {
    read_name(L, "pitch", names->pitch, sizeof names->pitch);
    read_name(L, "velocity", names->velocity, sizeof names->velocity);
    read_name(L, "gate", names->gate, sizeof names->gate);
}

static sis_play_mode read_mode(lua_State* L) {
    static const char* const words[] = {"voices", "keys", "mono"};
    char word[64];
    read_name(L, "mode", word, sizeof word);
    for (int i = 0; i < COUNT(words); i++)
        if (strcmp(word, words[i]) == 0) return (sis_play_mode)i;
    if (word[0])
        sis_loader_refuse(
            L, "play: mode = \"%s\" is unknown; it can be \"voices\", \"keys\", \"mono\"", word);
    return SIS_PLAY_VOICES;
}

// ---------------------------------------------------------------------------- controllers

static bool is_controller(lua_Integer number) {
    bool carries_others = number == 6 || number == 38 || (number >= 96 && number <= 101);
    return number >= 0 && number < 120 && !carries_others;
}

static void check_controllers(lua_State* L, int table) {
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        sis_loader_spend(L, 1);
        if (!lua_isinteger(L, -1) || !is_controller(lua_tointeger(L, -1)))
            sis_loader_refuse(L, "play: cc: its keys are controllers 0 .. 119 without 6, 38 and "
                                 "96 .. 101, as in cc = { [1] = \"vibrato\" }");
    }
}

static void read_controllers(lua_State* L, sis_kept_play* kept) {
    read_name(L, "pedal", kept->cc[PEDAL], sizeof kept->cc[PEDAL]);
    sis_loader_key_is(L, "cc");
    lua_pushliteral(L, "cc");
    if (lua_rawget(L, 1) == LUA_TNIL) return;
    int table = lua_gettop(L);
    if (lua_type(L, table) != LUA_TTABLE)
        sis_loader_mismatch(L, "play", "cc", "a table such as { [1] = \"vibrato\" }", table);
    check_controllers(L, table);
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++) {
        if (lua_rawgeti(L, table, i) != LUA_TNIL && i == PEDAL && kept->cc[i][0])
            sis_loader_refuse(L, "play: pedal is controller 64: give pedal or cc = { [64] = ... }");
        if (!lua_isnil(L, -1)) take_name(L, "cc", kept->cc[i], sizeof kept->cc[i]);
        lua_pop(L, 1);
    }
}

// ---------------------------------------------------------------------------- sound from outside

// One name, or a list of two: left and right.
static int32_t read_sound(lua_State* L, sis_kept_play* kept) {
    sis_loader_key_is(L, "sound");
    lua_pushliteral(L, "sound");
    int type = lua_rawget(L, 1), table = lua_gettop(L);
    if (type == LUA_TNIL) return 0;
    if (type != LUA_TTABLE) {
        take_name(L, "sound", kept->sound[0], sizeof kept->sound[0]);
        return 1;
    }
    int32_t count = sis_loader_count(L, "play", "sound", "a name or a list of two", "names", table);
    if (count < 1 || count > 2)
        sis_loader_refuse(L, "play: sound names %d inputs; it can be one, or two: left and right",
                          (int)count);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, table, i + 1);
        take_name(L, "sound", kept->sound[i], sizeof kept->sound[i]);
        lua_pop(L, 1);
    }
    return count;
}

// ---------------------------------------------------------------------------- courses

// A letter, sharps or flats, an octave: C-1 is key 0, G9 is key 127. -1: it is none.
static long key_of(const char* text) {
    static const int steps[] = {9, 11, 0, 2, 4, 5, 7}; // of a, b, c, ...
    int letter = tolower((unsigned char)*text);
    if (letter < 'a' || letter > 'g') return -1;
    long key = steps[letter - 'a'];
    for (text++; *text == '#' || *text == 'b'; text++)
        key += *text == '#' ? 1 : -1;
    char* end = NULL;
    bool digits = isdigit((unsigned char)text[*text == '-']);
    long octave = digits && strlen(text) <= 3 ? strtol(text, &end, 10) : 99;
    return end && !*end ? key + 12 * (octave + 1) : -1;
}

// A note, by name or as a MIDI key.
static int32_t read_key(lua_State* L, const char* key, int32_t fallback) {
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    int type = lua_rawget(L, 1);
    if (type == LUA_TNIL) return fallback;
    double number = type == LUA_TNUMBER   ? lua_tonumber(L, -1)
                    : type == LUA_TSTRING ? (double)key_of(lua_tostring(L, -1))
                                          : -1;
    if (!(number >= 0 && number <= MOST_KEY) || number != floor(number)) {
        sis_sentence got = {.length = 0};
        sis_say_value(&got, L, lua_gettop(L));
        sis_loader_refuse(L,
                          "play: courses: %s is a note such as \"E2\" or a MIDI key 0 .. 127, not "
                          "%s",
                          key, got.text);
    }
    return (int32_t)number;
}

// Called with the table of the course at 1 and its number at 2.
static int read_course(lua_State* L) {
    sis_kept_play* kept = kept_play(L);
    lua_Integer i = lua_tointeger(L, 2);
    sis_course* course = &kept->courses[i];
    sis_kept_names* names = &kept->course_names[i];
    sis_loader_check_keys(L, "play: courses", course_keys, COUNT(course_keys), 0,
                          "a value has no key; write courses = { { lowest = \"E2\", pitch = ... } "
                          "}");
    *course = (sis_course){.pitch = -1, .velocity = -1, .gate = -1};
    course->lowest = read_key(L, "lowest", 0);
    course->highest = read_key(L, "highest", MOST_KEY);
    read_names(L, names);
    sis_loader_key_is(L, "courses");
    if (course->lowest > course->highest)
        sis_loader_refuse(L, "play: courses: the lowest note of course %d is above its highest",
                          (int)i + 1);
    if (!names->pitch[0] && !names->velocity[0])
        sis_loader_refuse(L,
                          "play: courses: course %d needs 'pitch' or 'velocity': the name of an "
                          "input that a note moves",
                          (int)i + 1);
    return 0;
}

static int32_t read_courses(lua_State* L) {
    sis_loader_key_is(L, "courses");
    lua_pushliteral(L, "courses");
    if (lua_rawget(L, 1) == LUA_TNIL) return 0;
    int table = lua_gettop(L);
    int32_t count = sis_loader_count(L, "play", "courses", "a list of courses", "courses", table);
    if (count > SIS_PLAY_MOST_COURSES)
        sis_loader_refuse(L, "play: there are %d courses; at most %d are possible", (int)count,
                          SIS_PLAY_MOST_COURSES);
    for (int32_t i = 0; i < count; i++) {
        lua_pushcfunction(L, read_course);
        if (lua_rawgeti(L, table, i + 1) != LUA_TTABLE)
            sis_loader_mismatch(L, "play", "courses", "a list of tables, one a course",
                                lua_gettop(L));
        lua_pushinteger(L, i);
        lua_call(L, 2, 0);
    }
    return count;
}

// ---------------------------------------------------------------------------- the table

static int32_t read_voices(lua_State* L) {
    double voices = read_number(L, "voices", "", 1, SIS_PLAY_MOST_VOICES, 16);
    if (voices != floor(voices))
        sis_loader_refuse(L, "play: voices = %s is not a whole number (1 .. %d)",
                          sis_number_text(voices).text, SIS_PLAY_MOST_VOICES);
    return (int32_t)voices;
}

static void read_gestures(lua_State* L, sis_kept_play* kept) {
    sis_gestures* g = &kept->gestures;
    *g = (sis_gestures){.pitch = -1, .velocity = -1, .gate = -1, .pressure = -1, .bend = -1};
    g->sound[0] = g->sound[1] = -1;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        g->cc[i] = -1;
    g->mode = read_mode(L);
    g->bend_range = read_number(L, "bend_range", "semitones", 0, 96, 2);
    g->courses = kept->courses;
    g->course_count = read_courses(L);
    read_name(L, "pressure", kept->pressure, sizeof kept->pressure);
    read_name(L, "bend", kept->bend, sizeof kept->bend);
    read_controllers(L, kept);
    g->sound_count = read_sound(L, kept);
}

// What must be there, and what the courses say themselves.
static void check_given(lua_State* L, const sis_kept_play* kept) {
    const sis_kept_names* names = &kept->names;
    bool any = names->pitch[0] || names->velocity[0] || names->gate[0];
    sis_loader_key_is(L, "");
    if (kept->gestures.course_count && any)
        sis_loader_refuse(L, "play: each of its courses has its own pitch, velocity and gate: "
                             "leave those of play{} out");
    sis_loader_key_is(L, "mode");
    if (kept->gestures.course_count && kept->gestures.mode != SIS_PLAY_VOICES)
        sis_loader_refuse(L, "play: courses are strings of one state: leave mode out");
    sis_loader_key_is(L, "");
    if (!any && !kept->gestures.course_count && !kept->gestures.sound_count)
        sis_loader_refuse(L, "play: needs 'pitch' or 'velocity', the name of a param or an input "
                             "that a note sets, as in play{ pitch = \"f0\" }, or 'sound'");
}

int sis_loader_play(lua_State* L) {
    sis_kept_play* kept = kept_play(L);
    sis_loader_check_open(L, "play");
    sis_loader_begin(L, "play");
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        sis_loader_refuse(L, "play: takes one table, as in play{ pitch = \"f0\" }");
    if (kept->given)
        sis_loader_refuse(L, "play: the scene says how notes play it in line %d already",
                          kept->line);
    sis_loader_check_keys(L, "play", play_keys, COUNT(play_keys), 0,
                          "a value has no key; write play{ pitch = \"f0\", ... }");
    luaL_checkstack(L, 64, "too deep");
    char name[64];
    read_name(L, "name", name, sizeof name);
    read_names(L, &kept->names);
    read_gestures(L, kept);
    check_given(L, kept);
    kept->play = (sis_play){.pitch = -1,
                            .velocity = -1,
                            .voices = read_voices(L),
                            .tail = read_number(L, "tail", "dB", 1, 300, 60),
                            .release = read_number(L, "release", "s", 1e-3, 60, (double)NAN)};
    kept->line = sis_loader_line(L);
    kept->given = true;
    sis_loader_end(L);
    return 0;
}
