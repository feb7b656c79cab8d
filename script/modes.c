// modal{ modes = { {frequency = 440, t60 = 1.5, mass = 0.01, shape = 1}, ... } }: one table for
// each mode, by keys or by position, into the lists of the definition.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loader.h"

// What a mode may have, in the order of their positions; sigma stands in for t60 and has none.
enum { FREQUENCY, T60, MASS, SHAPE, SIGMA, QUANTITIES, POSITIONS = SIGMA };
static const char* const quantities[] = {"frequency", "t60", "mass", "shape", "sigma"};

static const double decay = 6.907755278982137; // 3 ln 10: sigma T60 of a fall by 60 dB

enum {
    MOST_MODES = 20000,
    MOST_PLACES = 1000,
    MOST_NUMBERS = 100000, // of all shapes of a body
};

/** The rows of the schema that a mode is checked against. */
typedef struct rows {
    const sis_field *frequency, *sigma, *mass, *shape, *t60;
} rows;

/** Where one mode is read from and how sentences speak of it. */
typedef struct mode {
    int index;     // on the stack
    char name[32]; // "modes: mode 3"
} mode;

// ---------------------------------------------------------------------------- keys

static bool is_quantity(const char* key) {
    for (int i = 0; i < QUANTITIES; i++)
        if (strcmp(key, quantities[i]) == 0) return true;
    return false;
}

_Noreturn static void refuse_key(lua_State* L, const mode* m, const char* key) {
    sis_suggestion suggestion = sis_suggest(key);
    for (int i = 0; i < QUANTITIES; i++)
        sis_suggest_from(&suggestion, quantities[i]);
    if (suggestion.best)
        sis_loader_refuse(L, "modal: %s: unknown key '%.60s' (did you mean '%s'?)", m->name, key,
                          suggestion.best);
    sis_loader_refuse(L,
                      "modal: %s: unknown key '%.60s'; its keys are frequency, t60 or sigma, mass, "
                      "shape",
                      m->name, key);
}

// Of several wrong keys the first in the alphabet is named, because Lua shows them in any order.
static void check_keys(lua_State* L, const mode* m) {
    const char* wrong = NULL;
    lua_pushnil(L);
    while (lua_next(L, m->index)) {
        lua_pop(L, 1);
        sis_loader_spend(L, 1);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= POSITIONS)
            continue;
        if (lua_type(L, -1) != LUA_TSTRING)
            sis_loader_refuse(L, "modal: %s: expected just {frequency, t60, mass, shape}, or keys",
                              m->name);
        const char* key = lua_tostring(L, -1); // lives in the table
        if (!is_quantity(key) && (!wrong || strcmp(key, wrong) < 0)) wrong = key;
    }
    if (wrong) refuse_key(L, m, wrong);
}

// Pushes a quantity of the mode, by its key or its position; false, and nil, when it has none.
static bool push_quantity(lua_State* L, const mode* m, int quantity) {
    lua_pushstring(L, quantities[quantity]);
    bool keyed = lua_rawget(L, m->index) != LUA_TNIL;
    if (quantity == SIGMA) return keyed;
    bool placed = lua_rawgeti(L, m->index, quantity + 1) != LUA_TNIL;
    if (keyed && placed)
        sis_loader_refuse(L, "modal: %s: '%s' is given twice, by its key and by its position",
                          m->name, quantities[quantity]);
    if (placed) lua_replace(L, -2);
    if (!placed) lua_pop(L, 1);
    return keyed || placed;
}

// ---------------------------------------------------------------------------- numbers

// The number on top of the stack.
static double read_number(lua_State* L, const mode* m, const sis_field* field, int quantity) {
    char key[64];
    snprintf(key, sizeof key, "%s: %s", m->name, quantities[quantity]);
    int index = lua_gettop(L);
    sis_loader_expect_number(L, "modal", key, field->unit, index);
    double value = lua_tonumber(L, index);
    sis_loader_check_number(L, "modal", key, value, field->min, field->max, field->unit);
    return value;
}

static double needed_number(lua_State* L, const mode* m, const sis_field* field, int quantity) {
    if (!push_quantity(L, m, quantity))
        sis_loader_refuse(L, "modal: %s: needs '%s' (%s)", m->name, quantities[quantity],
                          field->unit);
    double value = read_number(L, m, field, quantity);
    lua_pop(L, 1);
    return value;
}

static double read_loss(lua_State* L, const mode* m, const rows* r) {
    bool t60 = push_quantity(L, m, T60), sigma = push_quantity(L, m, SIGMA);
    if (t60 && sigma) sis_loader_refuse(L, "modal: %s: give 't60' or 'sigma', not both", m->name);
    double loss = sigma ? read_number(L, m, r->sigma, SIGMA) : 0;
    lua_pop(L, 1);
    if (t60) loss = decay / read_number(L, m, r->t60, T60);
    lua_pop(L, 1);
    return loss;
}

// ---------------------------------------------------------------------------- shapes

// How many places the shape of a mode has; the first mode says it for all.
static int32_t count_places(lua_State* L, const mode* m) {
    char key[64];
    int32_t count = 1;
    snprintf(key, sizeof key, "%s: shape", m->name);
    push_quantity(L, m, SHAPE);
    int index = lua_gettop(L), type = lua_type(L, index);
    if (type != LUA_TNIL && type != LUA_TNUMBER)
        count = sis_loader_count(
            L, "modal", key, "a number or a list with one number for each place", "numbers", index);
    if (count > MOST_PLACES)
        sis_loader_refuse(L, "modal: %s: at most %d places, got %d", key, MOST_PLACES, (int)count);
    lua_pop(L, 1);
    return count;
}

static void read_shape(lua_State* L, const mode* m, const rows* r, int32_t places, double* shape) {
    int32_t count = count_places(L, m);
    if (count != places)
        sis_loader_refuse(L,
                          "modal: %s: shape has %d number%s, but mode 1 has %d: one for each place",
                          m->name, (int)count, count == 1 ? "" : "s", (int)places);
    bool given = push_quantity(L, m, SHAPE);
    int index = lua_gettop(L);
    bool list = lua_type(L, index) == LUA_TTABLE;
    for (int32_t p = 0; list && p < places; p++) {
        lua_rawgeti(L, index, p + 1);
        shape[p] = read_number(L, m, r->shape, SHAPE);
        lua_pop(L, 1);
        sis_loader_spend(L, 10);
    }
    if (!list) shape[0] = given ? read_number(L, m, r->shape, SHAPE) : 1;
    lua_pop(L, 1);
}

// ---------------------------------------------------------------------------- the body

// Pushes mode i of the table at `table`.
static mode push_mode(lua_State* L, int table, int32_t i) {
    lua_rawgeti(L, table, i + 1);
    mode m = {.index = lua_gettop(L)};
    snprintf(m.name, sizeof m.name, "modes: mode %d", (int)i + 1);
    if (lua_type(L, m.index) != LUA_TTABLE)
        sis_loader_mismatch(L, "modal", m.name, "{frequency, t60, mass, shape}", m.index);
    return m;
}

// Leaves the numbers on the stack, as a userdata that Lua frees.
static double* new_numbers(lua_State* L, int32_t count, sis_list* list) {
    double* values = lua_newuserdatauv(L, (size_t)count * sizeof *values, 0);
    *list = (sis_list){.values = values, .count = count};
    return values;
}

void sis_loader_fill_modes(lua_State* L, const char* expected, int index, sis_modal_def* def) {
    const rows r = {.frequency = sis_loader_field(SIS_KIND_MODAL, "frequency"),
                    .sigma = sis_loader_field(SIS_KIND_MODAL, "sigma"),
                    .mass = sis_loader_field(SIS_KIND_MODAL, "mass"),
                    .shape = sis_loader_field(SIS_KIND_MODAL, "shape"),
                    .t60 = sis_loader_field(SIS_KIND_STRING, "t60")};
    int32_t count = sis_loader_count(L, "modal", "modes", expected, "modes", index);
    if (count > MOST_MODES)
        sis_loader_refuse(L, "modal: modes: at most %d modes, got %d", MOST_MODES, (int)count);
    mode first = push_mode(L, index, 0);
    check_keys(L, &first);
    int32_t places = count_places(L, &first);
    lua_pop(L, 1);
    if ((int64_t)count * places > MOST_NUMBERS)
        sis_loader_refuse(L, "modal: modes: %d modes at %d places are more than %d numbers",
                          (int)count, (int)places, MOST_NUMBERS);
    double* frequency = new_numbers(L, count, &def->frequency);
    double* sigma = new_numbers(L, count, &def->sigma);
    double* mass = new_numbers(L, count, &def->mass);
    double* shape = new_numbers(L, count * places, &def->shape);
    def->points = places;
    for (int32_t i = 0; i < count; i++) {
        mode m = push_mode(L, index, i);
        check_keys(L, &m);
        frequency[i] = needed_number(L, &m, r.frequency, FREQUENCY);
        sigma[i] = read_loss(L, &m, &r);
        mass[i] = needed_number(L, &m, r.mass, MASS);
        read_shape(L, &m, &r, places, shape + (size_t)i * (size_t)places);
        lua_pop(L, 1);
        sis_loader_spend(L, 10);
    }
}
