// Keys that follow inputs: force{ peak = 2 * press }, trigger = blow.
//
// A value that follows an input is replaced by what it is at the start, so that the rest of the
// loader reads a number, a place, a path or a function as ever; what follows which input is kept
// until the object is in the scene.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

// "force: its live keys are peak, trigger"
static void say_live_keys(sis_kind kind, sis_sentence* list) {
    int32_t count = 0;
    const sis_field* fields = sis_schema(&count);
    for (int32_t i = 0; i < count; i++) {
        bool trigger = fields[i].type == SIS_FIELD_OBJECT && !fields[i].required;
        if (fields[i].kind != kind || !sis_loader_leads(&fields[i])) continue;
        if (!sis_field_live(&fields[i]) && !trigger) continue;
        sis_say(list, "%s%s", list->length ? ", " : "; its live keys are ", fields[i].key);
    }
}

_Noreturn static void refuse_still(lua_State* L, const sis_field* field, const char* key,
                                   const char* input) {
    sis_sentence live = {.length = 0};
    say_live_keys(field->kind, &live);
    sis_loader_refuse(L, "%s: '%s' cannot follow input '%s': it does not move while it sounds%s",
                      sis_kind_word(field->kind), key, input,
                      live.length ? live.text : "; it has no live key");
}

static double start_of(lua_State* L, const sis_input_value* value) {
    return value->scale * sis_loader_kept_input(L, value)->value + value->offset;
}

// Keeps what `key` of the core follows until the object exists.
static void keep_follower(lua_State* L, const char* key, const sis_input_value* value) {
    sis_loader* loader = sis_loader_of(L);
    if (loader->follower_count >= SIS_FOLLOWERS_MOST)
        sis_loader_refuse(L, "%s: too many keys follow inputs (at most %d)", loader->word,
                          SIS_FOLLOWERS_MOST);
    sis_kept_follower* f = &loader->followers[loader->follower_count++];
    *f = (sis_kept_follower){.input = value->input, .scale = value->scale, .offset = value->offset};
    snprintf(f->key, sizeof f->key, "%s", key);
}

// The value at `index` is an input that the row may follow; if not, says so.
static void check_value(lua_State* L, const sis_field* field, const char* key,
                        const sis_input_value* value) {
    const sis_kept_input* input = sis_loader_kept_input(L, value);
    const char* word = sis_kind_word(field->kind);
    if (input->trigger)
        sis_loader_refuse(L,
                          "%s: '%s' follows a number, and input '%s' is a trigger: it may stand "
                          "as 'trigger' of a force, mass or bow, and as play{ velocity }",
                          word, key, input->name);
    if (!sis_field_live(field)) refuse_still(L, field, key, input->name);
    if (value->profile && !(field->kind == SIS_KIND_BARRIER && strcmp(key, "height") == 0))
        sis_loader_refuse(L,
                          "%s: '%s' cannot follow a function of the place: an input and a "
                          "function together are the height of a barrier",
                          word, key);
    bool stroke =
        field->kind == SIS_KIND_BOW && (strcmp(key, "force") == 0 || strcmp(key, "velocity") == 0);
    if (value->curve && !stroke)
        sis_loader_refuse(L,
                          "%s: '%s' cannot follow an envelope times input '%s': the force and the "
                          "velocity of a bow can%s",
                          word, key, input->name,
                          field->kind == SIS_KIND_FORCE
                              ? "; a force has shape = {{t, v}, ...} and peak = the input"
                              : "");
}

// ---------------------------------------------------------------------------- one value

// {{0, start}}: a mass that stands where its path begins.
static void push_point(lua_State* L, double start) {
    lua_createtable(L, 1, 0);
    lua_createtable(L, 2, 0);
    lua_pushinteger(L, 0);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, start);
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, 1);
}

static void follow_value(lua_State* L, const sis_field* field, const char* key, int index) {
    const sis_input_value value = *sis_loader_input_value(L, index);
    check_value(L, field, key, &value);
    keep_follower(L, field->key, &value);
    if (value.profile || value.curve)
        lua_getiuservalue(L, index, 1);
    else if (field->type == SIS_FIELD_ENVELOPE)
        push_point(L, start_of(L, &value));
    else
        lua_pushnumber(L, start_of(L, &value));
    lua_replace(L, index);
}

// ---------------------------------------------------------------------------- places on plates

static bool holds_input(lua_State* L, int index) {
    bool holds = false;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        holds = holds || sis_loader_input_value(L, lua_gettop(L));
        sis_loader_spend(L, 1);
        lua_pop(L, 1);
    }
    return holds;
}

static bool on_plate(lua_State* L, sis_id id) {
    const sis_scene* scene = sis_loader_of(L)->script->scene;
    return sis_kind_places(sis_scene_kind(scene, id)) == SIS_PLACES_AREA;
}

// Whether two numbers are one place there: of a contact only where its body is a plate.
static bool is_place(lua_State* L, const sis_field* field, const void* def) {
    if (field->type != SIS_FIELD_LIST) return true;
    const sis_contact_def* contact = def;
    return (strcmp(field->key, "at_below") != 0 && on_plate(L, contact->above)) ||
           (strcmp(field->key, "at_above") != 0 && on_plate(L, contact->below));
}

// The pair at `index` becomes one of numbers. Its second number is the field `key`_y.
static void follow_pair(lua_State* L, const sis_field* field, const char* key, int index) {
    lua_createtable(L, 2, 0);
    int numbers = lua_gettop(L);
    for (int half = 1; half <= 2; half++) {
        lua_rawgeti(L, index, half);
        const sis_input_value* value = sis_loader_input_value(L, lua_gettop(L));
        if (value) {
            char name[sizeof((sis_kept_follower*)0)->key];
            check_value(L, field, key, value);
            snprintf(name, sizeof name, "%s%s", field->key, half == 2 ? "_y" : "");
            keep_follower(L, name, value);
            lua_pushnumber(L, start_of(L, value));
            lua_replace(L, -2);
        }
        lua_rawseti(L, numbers, half);
    }
    lua_replace(L, index);
}

// at = {{x, 0.2}} is at = {x, 0.2}
static void open_single(lua_State* L, int index) {
    if (lua_rawlen(L, index) != 1 || lua_rawgeti(L, index, 1) != LUA_TTABLE) {
        lua_settop(L, index);
        return;
    }
    if (holds_input(L, lua_gettop(L))) lua_replace(L, index);
    lua_settop(L, index);
}

// One number, or the pair of a plate. Other tables say themselves what is wrong with their numbers.
static void follow_table(lua_State* L, const sis_field* field, const char* key, int index,
                         const void* def) {
    bool places = field->type == SIS_FIELD_LIST;
    if (!sis_field_live(field) || !(places || strcmp(field->key, "at") == 0)) return;
    if (places) open_single(L, index);
    if (!holds_input(L, index)) return;
    if (places && lua_rawlen(L, index) == 1) {
        lua_rawgeti(L, index, 1);
        lua_replace(L, index);
        follow_value(L, field, key, index);
    } else if (sis_loader_is_pair(L, index) && is_place(L, field, def)) {
        follow_pair(L, field, key, index);
    } else {
        sis_loader_refuse(L, "%s: '%s' follows an input: give it one place, not a list of several",
                          sis_kind_word(field->kind), key);
    }
}

void sis_loader_follow(lua_State* L, const sis_field* field, const char* key, int index,
                       const void* def) {
    bool number = field->type == SIS_FIELD_NUMBER || field->type == SIS_FIELD_INTEGER ||
                  field->type == SIS_FIELD_LIST || field->type == SIS_FIELD_ENVELOPE;
    if (!number) return; // it says itself what it wants
    if (sis_loader_input_value(L, index))
        follow_value(L, field, key, index);
    else if (lua_type(L, index) == LUA_TTABLE)
        follow_table(L, field, key, index, def);
}

// ---------------------------------------------------------------------------- triggers

void sis_loader_fill_trigger(lua_State* L, const sis_field* field, int index, sis_id* place) {
    const char* word = sis_kind_word(field->kind);
    const sis_input_value* value = sis_loader_input_value(L, index);
    if (!value) sis_loader_mismatch(L, word, field->key, "an input with trigger = true", index);
    const sis_kept_input* input = sis_loader_kept_input(L, value);
    if (!input->trigger)
        sis_loader_refuse(L,
                          "%s: '%s' must be an input with trigger = true, and input '%s' is a "
                          "number",
                          word, field->key, input->name);
    *place = input->id;
    keep_follower(L, field->key, value);
}

// ---------------------------------------------------------------------------- once it is made

static sis_kept_follower* more_followers(lua_State* L) {
    sis_script* script = sis_loader_of(L)->script;
    if (script->follower_count == script->follower_room) {
        int32_t room = script->follower_room ? 2 * script->follower_room : 16;
        sis_kept_follower* all = realloc(script->followers, (size_t)room * sizeof *all);
        if (!all) sis_loader_starve(L);
        script->followers = all;
        script->follower_room = room;
    }
    return &script->followers[script->follower_count];
}

void sis_loader_bind(lua_State* L, sis_id object) {
    sis_loader* loader = sis_loader_of(L);
    sis_script* script = loader->script;
    for (int32_t i = 0; i < loader->follower_count; i++) {
        sis_kept_follower* f = more_followers(L);
        *f = loader->followers[i];
        f->object = object;
        script->follower_count++;
        const sis_kept_input* input = &script->inputs[f->input];
        sis_error error = {.status = SIS_OK};
        if (!input->trigger &&
            !sis_scene_bind(script->scene, object, f->key, input->id, f->scale, f->offset, &error))
            sis_loader_refuse_error(L, &error);
    }
    loader->follower_count = 0;
}

// ---------------------------------------------------------------------------- public

int32_t sis_script_follower_count(const sis_script* script) {
    return script->follower_count;
}

sis_follower sis_script_follower(const sis_script* script, int32_t i) {
    if (i < 0 || i >= script->follower_count)
        return (sis_follower){.object = SIS_NONE, .input = -1, .key = ""};
    const sis_kept_follower* f = &script->followers[i];
    return (sis_follower){.object = f->object,
                          .key = f->key,
                          .input = f->input,
                          .scale = f->scale,
                          .offset = f->offset};
}
