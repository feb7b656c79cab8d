// Tables of numbers: envelopes {{t, v}, ...}, decay times {{f, s}, ...} and plain lists {x, ...}.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loader.h"

static lua_Integer entry_count(lua_State* L, int table) {
    lua_Integer count = 0;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        count++;
    }
    return count;
}

bool sis_loader_is_pair(lua_State* L, int index) {
    return lua_rawlen(L, index) == 2 && entry_count(L, index) == 2;
}

// How many elements the table at `index` has; refuses gaps, keys, and more than the scene may hold.
int32_t sis_loader_count(lua_State* L, const char* word, const char* key, const char* expected,
                         const char* elements, int index) {
    sis_loader* loader = sis_loader_of(L);
    if (lua_type(L, index) != LUA_TTABLE) sis_loader_mismatch(L, word, key, expected, index);
    lua_Integer count = entry_count(L, index);
    if (count > loader->limits.points - loader->points)
        sis_loader_refuse(L, "%s: %s: too many %s (%d in one scene)", word, key, elements,
                          (int)loader->limits.points);
    if (count == 0)
        sis_loader_refuse(L, "%s: %s: expected %s, got a table without %s", word, key, expected,
                          elements);
    if ((lua_Unsigned)count != lua_rawlen(L, index))
        sis_loader_refuse(L, "%s: %s: expected %s, got a table with gaps or keys", word, key,
                          expected);
    loader->points += (int32_t)count;
    return (int32_t)count;
}

// ---------------------------------------------------------------------------- pairs

/** What the first number of a pair stands for, and how sentences speak of it. */
typedef struct axis {
    const char *expected, *pair; // the whole, and one pair of it
    const char *element, *elements;
    const char *quantity, *unit, *must_be;
    double least;
} axis;

static const axis over_time = {
    .expected = "an envelope {{t, v}, ...}",
    .pair = "{t, v}",
    .element = "point",
    .elements = "points",
    .quantity = "time",
    .unit = "s",
    .must_be = "later than",
    .least = -1e12,
};

static const axis over_frequency = {
    .expected = "decay times {{f, s}, {f, s}}",
    .pair = "{f, s}",
    .element = "pair",
    .elements = "pairs",
    .quantity = "frequency",
    .unit = "Hz",
    .must_be = "higher than",
    .least = 0,
};

static const axis* axis_of(const sis_field* field) {
    return field->kind == SIS_KIND_STRING ? &over_frequency : &over_time;
}

// Pair i, on top of the stack, into place[0] and place[1].
static void fill_pair(lua_State* L, const sis_field* field, const axis* x, int32_t i,
                      double* place) {
    const char* word = sis_kind_word(field->kind);
    char key[96];
    snprintf(key, sizeof key, "%s: %s %d", field->key, x->element, (int)i);
    int table = lua_gettop(L);
    if (lua_type(L, table) != LUA_TTABLE) sis_loader_mismatch(L, word, key, x->pair, table);
    if (!sis_loader_is_pair(L, table))
        sis_loader_refuse(L, "%s: %s: expected two numbers %s", word, key, x->pair);
    lua_rawgeti(L, table, 1);
    lua_rawgeti(L, table, 2);
    sis_loader_expect_number(L, word, key, x->unit, table + 1);
    sis_loader_expect_number(L, word, key, field->unit, table + 2);
    place[0] = lua_tonumber(L, table + 1);
    place[1] = lua_tonumber(L, table + 2);
    lua_settop(L, table);
    if (!isfinite(place[0]))
        sis_loader_refuse(L, "%s: %s: the %s is %s", word, key, x->quantity,
                          sis_number_text(place[0]).text);
    if (!(place[0] >= x->least && place[0] <= 1e12))
        sis_loader_refuse(L, "%s: %s: the %s %s %s is outside %s .. 1e12", word, key, x->quantity,
                          sis_number_text(place[0]).text, x->unit, sis_number_text(x->least).text);
    sis_loader_check_number(L, word, key, place[1], field->min, field->max, field->unit);
}

// Leaves the numbers on the stack, as a userdata that Lua frees.
void sis_loader_fill_envelope(lua_State* L, const sis_field* field, int index, void* def) {
    const axis* x = axis_of(field);
    int32_t count = sis_loader_count(L, sis_kind_word(field->kind), field->key, x->expected,
                                     x->elements, index);
    double* points = lua_newuserdatauv(L, (size_t)count * 2 * sizeof *points, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, i + 1);
        double* point = points + 2 * (size_t)i;
        fill_pair(L, field, x, i + 1, point);
        if (i > 0 && !(point[0] > point[-2]))
            sis_loader_refuse(L, "%s: %s: %s %d: its %s %s %s must be %s %s %s",
                              sis_kind_word(field->kind), field->key, x->element, (int)i + 1,
                              x->quantity, sis_number_text(point[0]).text, x->unit, x->must_be,
                              sis_number_text(point[-2]).text, x->unit);
        lua_pop(L, 1);
        sis_loader_spend(L, 10);
    }
    sis_envelope envelope = {.points = points, .count = count};
    memcpy((char*)def + field->offset, &envelope, sizeof envelope);
}

// ---------------------------------------------------------------------------- lists

static double list_number(lua_State* L, const sis_field* field, const char* key, int index) {
    const char* word = sis_kind_word(field->kind);
    sis_loader_expect_number(L, word, key, field->unit, index);
    double value = lua_tonumber(L, index);
    sis_loader_check_number(L, word, key, value, field->min, field->max, field->unit);
    return value;
}

static bool holds_tables(lua_State* L, int index) {
    if (lua_type(L, index) != LUA_TTABLE) return false;
    bool tables = lua_rawgeti(L, index, 1) == LUA_TTABLE;
    lua_pop(L, 1);
    return tables;
}

// The places of a contact may be pairs. Element i, on top of the stack, into values.
static void fill_point(lua_State* L, const sis_field* field, int32_t i, double* values) {
    const char* word = sis_kind_word(field->kind);
    char key[96];
    int table = lua_gettop(L);
    snprintf(key, sizeof key, "%s: place %d", field->key, (int)i);
    if (!sis_loader_is_pair(L, table))
        sis_loader_refuse(L, "%s: %s: expected two numbers {x, y}", word, key);
    for (int half = 0; half < 2; half++) {
        lua_rawgeti(L, table, half + 1);
        values[half] = list_number(L, field, key, table + 1);
        lua_pop(L, 1);
    }
}

// A number is a list of one. Leaves the numbers on the stack, as a userdata that Lua frees.
void sis_loader_fill_list(lua_State* L, const sis_field* field, int index, void* def) {
    const char* word = sis_kind_word(field->kind);
    bool one = lua_type(L, index) == LUA_TNUMBER, may_pair = field->kind == SIS_KIND_CONTACT;
    bool pairs = may_pair && holds_tables(L, index);
    char expected[96], key[96];
    snprintf(expected, sizeof expected, "a number (%s) or a list of numbers%s", field->unit,
             may_pair ? " or of pairs {x, y}" : "");
    int32_t count = one ? 1 : sis_loader_count(L, word, field->key, expected, "numbers", index);
    double* values = lua_newuserdatauv(L, (size_t)count * (pairs ? 2 : 1) * sizeof *values, 0);
    if (one) values[0] = list_number(L, field, field->key, index);
    for (int32_t i = 0; !one && i < count; i++) {
        snprintf(key, sizeof key, "%s: number %d", field->key, (int)i + 1);
        bool table = lua_rawgeti(L, index, i + 1) == LUA_TTABLE;
        if (may_pair && table != pairs && (table || lua_type(L, -1) == LUA_TNUMBER))
            sis_loader_refuse(L, "%s: %s: expected numbers or pairs {x, y}, got both", word,
                              field->key);
        if (table && pairs)
            fill_point(L, field, i + 1, values + 2 * (size_t)i);
        else
            values[i] = list_number(L, field, key, lua_gettop(L));
        lua_pop(L, 1);
        sis_loader_spend(L, 10);
    }
    sis_list list = {.values = values, .count = pairs ? 2 * count : count};
    memcpy((char*)def + field->offset, &list, sizeof list);
}

// ---------------------------------------------------------------------------- pairs of a contact

static bool on_plate(const sis_scene* scene, sis_id id) {
    return sis_kind_places(sis_scene_kind(scene, id)) == SIS_PLACES_AREA;
}

// Flattened, a pair looks like two places along a string: refuses it where there is no plate. The
// table of the contact is at stack index 1.
void sis_loader_check_pairs(lua_State* L, const sis_contact_def* def) {
    const sis_scene* scene = sis_loader_of(L)->script->scene;
    static const char* const keys[] = {"at", "at_above", "at_below"};
    for (int i = 0; i < 3; i++) {
        lua_pushstring(L, keys[i]);
        lua_rawget(L, 1);
        sis_loader_key_is(L, keys[i]);
        if (holds_tables(L, lua_gettop(L)) && !(i != 2 && on_plate(scene, def->above)) &&
            !(i != 1 && on_plate(scene, def->below)))
            sis_loader_refuse(L, "contact: %s: {x, y} is a place on a plate, and '%s' is none",
                              keys[i], sis_scene_name(scene, i == 2 ? def->below : def->above));
        lua_pop(L, 1);
    }
}
