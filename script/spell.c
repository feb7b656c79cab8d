// How a scene spells the fields of a definition.
//
// Most keys are one field each. Some fields are another form of their neighbour (the envelope of a
// force is written as its shape), some come in pairs (at = {x, y}), and the modes of a modal body
// are one table. The rows below say which; a field that is part of such a row has no key of its
// own.
#include <stdio.h>
#include <string.h>

#include "loader.h"

/** A key that is not simply the field of its name. */
typedef struct spelling {
    sis_kind kind;
    const char* key;            // in a scene
    const char *first, *second; // fields
    void (*fill)(lua_State* L, const struct spelling* spelling, int index, void* def);
    int type;         // of the Lua value that is the second field, where one of the two is given
    const char* form; // what a scene may write; NULL: what the first field says
    bool needed;
} spelling;

static void fill_either(lua_State* L, const spelling* s, int index, void* def);
static void fill_pair(lua_State* L, const spelling* s, int index, void* def);
static void fill_place(lua_State* L, const spelling* s, int index, void* def);
static void fill_shape(lua_State* L, const spelling* s, int index, void* def);
static void fill_between(lua_State* L, const spelling* s, int index, void* def);
static void fill_modes(lua_State* L, const spelling* s, int index, void* def);

#define CURVE(unit) "a number (" unit ") or an envelope {{t, v}, ...}"
#define PLACE       "a number (m) or {x, y}"
#define MODES       "{{frequency, t60, mass, shape}, ...}"

static const spelling spellings[] = {
    {SIS_KIND_STRING, "gamma", "gamma", "gamma_rule", fill_either, LUA_TSTRING,
     "a number, \"optimal\" or \"tuned\"", false},
    {SIS_KIND_PLATE, "size", "length", "width", fill_pair, 0, "{lx, ly} (m)", true},
    {SIS_KIND_PLATE, "segments", "segments_x", "segments_y", fill_pair, 0, "{nx, ny}", false},
    {SIS_KIND_MODAL, "modes", "frequency", NULL, fill_modes, 0, MODES, true},
    {SIS_KIND_BARRIER, "height", "height", "profile", fill_either, LUA_TFUNCTION,
     "a number (m) or a function of the place", true},
    {SIS_KIND_BARRIER, "from", "from", "from_y", fill_place, 0, PLACE, false},
    {SIS_KIND_BARRIER, "to", "to", "to_y", fill_place, 0, PLACE, false},
    {SIS_KIND_SPRING, "between", "a", "b", fill_between, 0, "{a, b}", true},
    {SIS_KIND_SPRING, "at_a", "at_a", "at_a_y", fill_place, 0, PLACE, false},
    {SIS_KIND_SPRING, "at_b", "at_b", "at_b_y", fill_place, 0, PLACE, false},
    {SIS_KIND_BOW, "at", "at", "at_y", fill_place, 0, PLACE, false},
    {SIS_KIND_BOW, "force", "force", "force_curve", fill_either, LUA_TTABLE, CURVE("N"), true},
    {SIS_KIND_BOW, "velocity", "velocity", "velocity_curve", fill_either, LUA_TTABLE, CURVE("m/s"),
     true},
    {SIS_KIND_FORCE, "at", "at", "at_y", fill_place, 0, PLACE, false},
    {SIS_KIND_FORCE, "shape", "shape", "envelope", fill_either, LUA_TTABLE, NULL, false},
    {SIS_KIND_PLUCK, "at", "at", "at_y", fill_place, 0, PLACE, false},
    {SIS_KIND_PLUCK, "shape", "shape", "profile", fill_shape, LUA_TFUNCTION, NULL, false},
    {SIS_KIND_PLUCK, "mode", "mode", "mode_y", fill_place, 0, "a number or {m, n}", false},
    {SIS_KIND_PLUCK, "velocity", "velocity", "velocity_profile", fill_either, LUA_TFUNCTION,
     "a number (m/s) or a function of the place", false},
    {SIS_KIND_PROBE, "at", "at", "at_y", fill_place, 0, PLACE, false},
};
enum { SPELLING_COUNT = sizeof spellings / sizeof spellings[0] };

static bool same(const char* a, const char* b) {
    return strcmp(a, b) == 0;
}

static bool is_part(const sis_field* field, const spelling* s) {
    if (field->kind != s->kind) return false;
    if (!s->second) return field->type != SIS_FIELD_TEXT; // all of it but the name
    return same(field->key, s->first) || same(field->key, s->second);
}

static const spelling* spelling_of(const sis_field* field) {
    for (int i = 0; i < SPELLING_COUNT; i++)
        if (is_part(field, &spellings[i])) return &spellings[i];
    return NULL;
}

const char* sis_loader_key(const sis_field* field) {
    const spelling* s = spelling_of(field);
    return s ? s->key : field->key;
}

// Fields that share a key are read, and listed, with the first of them.
bool sis_loader_leads(const sis_field* field) {
    const spelling* s = spelling_of(field);
    return !s || same(field->key, s->first);
}

const sis_field* sis_loader_field(sis_kind kind, const char* name) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++)
        if (fields[i].kind == kind && same(fields[i].key, name)) return &fields[i];
    return NULL;
}

// ---------------------------------------------------------------------------- one of two fields

static void fill_either(lua_State* L, const spelling* s, int index, void* def) {
    int type = lua_type(L, index);
    if (s->form && type != s->type && type != LUA_TNUMBER)
        sis_loader_mismatch(L, sis_kind_word(s->kind), s->key, s->form, index);
    sis_field field = *sis_loader_field(s->kind, type == s->type ? s->second : s->first);
    field.key = s->key; // as the scene says it
    sis_loader_fill(L, &field, index, def);
    if (s->kind != SIS_KIND_FORCE || type != s->type) return;
    int envelope = SIS_FORCE_ENVELOPE; // one of the words of shape
    memcpy((char*)def + sis_loader_field(SIS_KIND_FORCE, "shape")->offset, &envelope,
           sizeof envelope);
}

// The shape of a pluck: a function, or a word that needs a height.
static void fill_shape(lua_State* L, const spelling* s, int index, void* def) {
    fill_either(L, s, index, def);
    if (lua_type(L, index) == s->type) return;
    lua_pushliteral(L, "height");
    if (lua_rawget(L, 1) == LUA_TNIL)
        sis_loader_refuse(L, "pluck: 'height' (m) is missing: how high shape = \"%s\" is",
                          lua_tostring(L, index));
    lua_pop(L, 1);
}

// ---------------------------------------------------------------------------- two fields at once

// Element i of the table at `index` into the field `name`.
static void fill_half(lua_State* L, const spelling* s, const char* name, int i, int index,
                      void* def) {
    char key[64];
    sis_field field = *sis_loader_field(s->kind, name);
    snprintf(key, sizeof key, "%s: number %d", s->key, i);
    field.key = key;
    lua_rawgeti(L, index, i);
    sis_loader_fill(L, &field, lua_gettop(L), def);
    lua_pop(L, 1);
}

static void fill_pair(lua_State* L, const spelling* s, int index, void* def) {
    const char* word = sis_kind_word(s->kind);
    if (lua_type(L, index) != LUA_TTABLE) sis_loader_mismatch(L, word, s->key, s->form, index);
    if (!sis_loader_is_pair(L, index))
        sis_loader_refuse(L, "%s: %s: expected %s, got a table that is not just two numbers", word,
                          s->key, s->form);
    fill_half(L, s, s->first, 1, index, def);
    fill_half(L, s, s->second, 2, index, def);
}

// A place on a plate is a pair, on any other body a number.
static void fill_place(lua_State* L, const spelling* s, int index, void* def) {
    if (lua_type(L, index) == LUA_TNUMBER)
        sis_loader_fill(L, sis_loader_field(s->kind, s->first), index, def);
    else
        fill_pair(L, s, index, def);
}

// One end of between = {a, b}, on top of the stack.
static void fill_end(lua_State* L, const spelling* s, const char* name, void* def) {
    const sis_field* field = sis_loader_field(s->kind, name);
    const sis_handle* handle = sis_loader_handle(L, -1);
    bool ground = lua_type(L, -1) == LUA_TSTRING && same(lua_tostring(L, -1), "ground");
    if (!handle && !ground)
        sis_loader_mismatch(L, "spring", s->key,
                            "masses, strings, plates, modal bodies or \"ground\"", lua_gettop(L));
    *(sis_id*)((char*)def + field->offset) = handle ? handle->id : SIS_GROUND;
}

static void fill_between(lua_State* L, const spelling* s, int index, void* def) {
    if (lua_type(L, index) != LUA_TTABLE) sis_loader_mismatch(L, "spring", s->key, s->form, index);
    lua_pushnil(L);
    for (int count = 0; lua_next(L, index); lua_pop(L, 1)) {
        bool is_end =
            lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= 2;
        if (!is_end || ++count > 2)
            sis_loader_refuse(L, "spring: between: expected just the two ends {a, b}");
    }
    lua_rawgeti(L, index, 1);
    fill_end(L, s, s->first, def);
    lua_rawgeti(L, index, 2);
    fill_end(L, s, s->second, def);
    lua_pop(L, 2);
}

static void fill_modes(lua_State* L, const spelling* s, int index, void* def) {
    sis_loader_fill_modes(L, s->form, index, def);
}

// ---------------------------------------------------------------------------- any key

_Noreturn static void refuse_missing(lua_State* L, const sis_field* field, const spelling* s) {
    const char* word = sis_kind_word(field->kind);
    bool unit = field->unit[0] != '\0';
    if (s && !same(s->key, s->first))
        sis_loader_refuse(L, "%s: needs '%s' = %s", word, s->key, s->form);
    sis_loader_refuse(L, "%s: needs '%s'%s%s%s: %s", word, field->key, unit ? " (" : "",
                      field->unit, unit ? ")" : "", field->doc);
}

// What the table at stack index 1 has under the key that `field` leads. Leaves on the stack what
// the definition then points to.
void sis_loader_fill_key(lua_State* L, const sis_field* field, void* def) {
    const spelling* s = spelling_of(field);
    const char* key = s ? s->key : field->key;
    sis_loader_key_is(L, key);
    lua_pushstring(L, key);
    int type = lua_rawget(L, 1), index = lua_gettop(L);
    if (type == LUA_TNIL) {
        if (s ? s->needed : field->required) refuse_missing(L, field, s);
        return;
    }
    sis_loader_follow(L, field, key, index, def);
    if (s) {
        s->fill(L, s, index, def);
    } else {
        sis_loader_fill(L, field, index, def);
    }
}
