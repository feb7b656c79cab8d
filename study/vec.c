// vec: numbers in a row. What scripts do to every sample is done here, not in Lua.

#include "lab.h"
#include "text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define VEC          "sistrum vec"
#define NUMBERS_MOST 200000000.0 // 1.6 GB

sis_vec* sis_vec_push(lua_State* L, size_t count) {
    if ((double)count > NUMBERS_MOST)
        luaL_error(L, "a vec of %f numbers does not fit in memory", (double)count);
    size_t bytes = sizeof(sis_vec) + count * sizeof(double);
    sis_vec* v = lua_newuserdatauv(L, bytes, 0);
    memset(v, 0, bytes);
    v->count = count;
    luaL_setmetatable(L, VEC);
    return v;
}

sis_vec* sis_vec_check(lua_State* L, int index) {
    return luaL_checkudata(L, index, VEC);
}

sis_vec* sis_vec_test(lua_State* L, int index) {
    return luaL_testudata(L, index, VEC);
}

// ---------------------------------------------------------------------------- making

static int from_table(lua_State* L) {
    size_t count = lua_rawlen(L, 1);
    sis_vec* v = sis_vec_push(L, count);
    for (size_t i = 0; i < count; i++) {
        int is_number;
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        v->data[i] = lua_tonumberx(L, -1, &is_number);
        if (!is_number)
            return luaL_error(L, "vec: element %d is a %s, not a number", (int)i + 1,
                              luaL_typename(L, -1));
        lua_pop(L, 1);
    }
    return 1;
}

/** vec(n), vec(n, f), vec { ... } */
static int make(lua_State* L) {
    if (lua_istable(L, 1)) return from_table(L);
    lua_Integer count = luaL_checkinteger(L, 1);
    luaL_argcheck(L, count >= 0, 1, "a vec cannot have fewer than 0 numbers");
    bool computed = !lua_isnoneornil(L, 2);
    sis_vec* v = sis_vec_push(L, (size_t)count);
    for (lua_Integer i = 0; computed && i < count; i++) {
        lua_pushvalue(L, 2);
        lua_pushinteger(L, i + 1);
        lua_call(L, 1, 1);
        v->data[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return 1;
}

/** range(a, b, n): n numbers from a to b. */
static int range(lua_State* L) {
    double a = luaL_checknumber(L, 1), b = luaL_checknumber(L, 2);
    lua_Integer count = luaL_checkinteger(L, 3);
    luaL_argcheck(L, count >= 2, 3, "a range has at least its two ends");
    sis_vec* v = sis_vec_push(L, (size_t)count);
    for (lua_Integer i = 0; i < count; i++)
        v->data[i] = a + (b - a) * (double)i / (double)(count - 1);
    return 1;
}

// ---------------------------------------------------------------------------- elements

static size_t checked_place(lua_State* L, const sis_vec* v, int index) {
    lua_Integer i = luaL_checkinteger(L, index);
    if (i < 1 || (uint64_t)i > v->count)
        luaL_error(L, "vec: there is no element %d of %d", (int)i, (int)v->count);
    return (size_t)(i - 1);
}

static int get(lua_State* L) {
    const sis_vec* v = sis_vec_check(L, 1);
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_pushnumber(L, v->data[checked_place(L, v, 2)]);
        return 1;
    }
    luaL_getmetafield(L, 1, "methods");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) == LUA_TNIL)
        return luaL_error(L, "vec: there is no '%s'", luaL_tolstring(L, 2, NULL));
    return 1;
}

static int set(lua_State* L) {
    sis_vec* v = sis_vec_check(L, 1);
    v->data[checked_place(L, v, 2)] = luaL_checknumber(L, 3);
    return 0;
}

static int length(lua_State* L) {
    lua_pushinteger(L, (lua_Integer)sis_vec_check(L, 1)->count);
    return 1;
}

// ---------------------------------------------------------------------------- arithmetic

static double add(double a, double b) {
    return a + b;
}
static double subtract(double a, double b) {
    return a - b;
}
static double multiply(double a, double b) {
    return a * b;
}
static double divide(double a, double b) {
    return a / b;
}
static double power(double a, double b) {
    return b == 2 ? a * a : pow(a, b);
}

static int combine(lua_State* L, double (*op)(double, double)) {
    const sis_vec* a = sis_vec_test(L, 1);
    const sis_vec* b = sis_vec_test(L, 2);
    double x = a ? 0 : luaL_checknumber(L, 1), y = b ? 0 : luaL_checknumber(L, 2);
    if (a && b && a->count != b->count)
        return luaL_error(L, "vecs of %d and %d numbers do not go together", (int)a->count,
                          (int)b->count);
    size_t count = a ? a->count : b ? b->count : 0;
    sis_vec* v = sis_vec_push(L, count);
    for (size_t i = 0; i < count; i++)
        v->data[i] = op(a ? a->data[i] : x, b ? b->data[i] : y);
    return 1;
}

static int add_word(lua_State* L) {
    return combine(L, add);
}
static int subtract_word(lua_State* L) {
    return combine(L, subtract);
}
static int multiply_word(lua_State* L) {
    return combine(L, multiply);
}
static int divide_word(lua_State* L) {
    return combine(L, divide);
}
static int power_word(lua_State* L) {
    return combine(L, power);
}

/** Each number through a C function. */
static int each(lua_State* L, double (*f)(double)) {
    const sis_vec* a = sis_vec_check(L, 1);
    sis_vec* v = sis_vec_push(L, a->count);
    for (size_t i = 0; i < a->count; i++)
        v->data[i] = f(a->data[i]);
    return 1;
}

static double minus(double a) {
    return -a;
}
static int negate(lua_State* L) {
    return each(L, minus);
}
static int absolute(lua_State* L) {
    return each(L, fabs);
}
static int logarithm(lua_State* L) {
    return each(L, log10);
}

static int map(lua_State* L) {
    const sis_vec* a = sis_vec_check(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    sis_vec* v = sis_vec_push(L, a->count);
    for (size_t i = 0; i < a->count; i++) {
        lua_pushvalue(L, 2);
        lua_pushnumber(L, a->data[i]);
        lua_call(L, 1, 1);
        v->data[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return 1;
}

// ---------------------------------------------------------------------------- parts and sums

/** v:sub(i, j): both ends included; negative ones count from the end. */
static int part(lua_State* L) {
    const sis_vec* a = sis_vec_check(L, 1);
    lua_Integer count = (lua_Integer)a->count;
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_optinteger(L, 3, count);
    if (first < 0) first += count + 1;
    if (last < 0) last += count + 1;
    if (first < 1) first = 1;
    if (last > count) last = count;
    size_t length_of_part = last < first ? 0 : (size_t)(last - first + 1);
    sis_vec* v = sis_vec_push(L, length_of_part);
    if (length_of_part) memcpy(v->data, a->data + first - 1, length_of_part * sizeof(double));
    return 1;
}

static int copy(lua_State* L) {
    lua_settop(L, 1);
    lua_pushinteger(L, 1);
    return part(L);
}

/** v:every(n): the first, the (n+1)-th, ... */
static int every(lua_State* L) {
    const sis_vec* a = sis_vec_check(L, 1);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n >= 1, 2, "must be at least 1");
    size_t count = (a->count + (size_t)n - 1) / (size_t)n;
    sis_vec* v = sis_vec_push(L, count);
    for (size_t i = 0; i < count; i++)
        v->data[i] = a->data[i * (size_t)n];
    return 1;
}

// A NaN among the numbers is what comes out: no claim is to be made of the others.
static int extreme(lua_State* L, double sign) {
    const sis_vec* v = sis_vec_check(L, 1);
    if (!v->count) return luaL_error(L, "an empty vec has no extreme");
    size_t best = 0;
    for (size_t i = 1; i < v->count && !isnan(v->data[best]); i++)
        if (sign * v->data[i] > sign * v->data[best] || isnan(v->data[i])) best = i;
    lua_pushnumber(L, v->data[best]);
    lua_pushinteger(L, (lua_Integer)best + 1);
    return 2;
}

static int highest(lua_State* L) {
    return extreme(L, 1);
}
static int lowest(lua_State* L) {
    return extreme(L, -1);
}

static int largest(lua_State* L) {
    const sis_vec* v = sis_vec_check(L, 1);
    double most = 0;
    for (size_t i = 0; i < v->count && !isnan(most); i++)
        if (!(fabs(v->data[i]) <= most)) most = fabs(v->data[i]);
    lua_pushnumber(L, most);
    return 1;
}

static int dot(lua_State* L) {
    const sis_vec* a = sis_vec_check(L, 1);
    const sis_vec* b = sis_vec_check(L, 2);
    luaL_argcheck(L, a->count == b->count, 2, "the vecs are not of equal length");
    double sum = 0;
    for (size_t i = 0; i < a->count; i++)
        sum += a->data[i] * b->data[i];
    lua_pushnumber(L, sum);
    return 1;
}

static int total(lua_State* L) {
    const sis_vec* v = sis_vec_check(L, 1);
    double sum = 0;
    for (size_t i = 0; i < v->count; i++)
        sum += v->data[i];
    lua_pushnumber(L, sum);
    return 1;
}

static int rms(lua_State* L) {
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    dot(L);
    const sis_vec* v = sis_vec_check(L, 1);
    lua_pushnumber(L, v->count ? sqrt(lua_tonumber(L, -1) / (double)v->count) : 0);
    return 1;
}

static int describe(lua_State* L) {
    lua_pushfstring(L, "vec of %d %s", (int)sis_vec_check(L, 1)->count,
                    sis_plural(sis_vec_check(L, 1)->count, "number", "numbers"));
    return 1;
}

void sis_vec_open(lua_State* L) {
    static const luaL_Reg operators[] = {
        {"__index", get},
        {"__newindex", set},
        {"__len", length},
        {"__add", add_word},
        {"__sub", subtract_word},
        {"__mul", multiply_word},
        {"__div", divide_word},
        {"__pow", power_word},
        {"__unm", negate},
        {"__tostring", describe},
        {NULL, NULL},
    };
    static const luaL_Reg methods[] = {
        {"max", highest},  {"min", lowest},      {"absmax", largest}, {"sum", total},
        {"rms", rms},      {"sub", part},        {"every", every},    {"map", map},
        {"abs", absolute}, {"log10", logarithm}, {"copy", copy},      {"dot", dot},
        {NULL, NULL},
    };
    luaL_newmetatable(L, VEC);
    luaL_setfuncs(L, operators, 0);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "methods");
    lua_pop(L, 1);
    lua_register(L, "vec", make);
    lua_register(L, "range", range);
}
