// table.* and pairs.
//
// The functions of Lua's table library run over as many elements as `#t` or their arguments say, in
// one call that no hook interrupts; and `#t` can be 2^62 for a table of 62 elements. Here each call
// counts its elements first. Three functions are our own, so that the same scene makes the same
// objects in the same order every time: Lua's sort may pick pivots by the clock, and its pairs and
// next follow a hash that changes from run to run.
#include <lualib.h>
#include <string.h>

#include "loader.h"

// Counts the elements first..last of one call of table.`name`.
static void run_over(lua_State* L, const char* name, lua_Integer first, lua_Integer last) {
    if (last < first) return;
    uint64_t count = (uint64_t)last - (uint64_t)first; // one less than there are: cannot overflow
    if (count >= (uint64_t)sis_loader_of(L)->limits.elements)
        sis_loader_refuse(L, "table.%s: %llu elements are too many (at most %lld)", name,
                          (unsigned long long)count + 1,
                          (long long)sis_loader_of(L)->limits.elements);
    sis_loader_spend(L, count + 1);
}

static lua_Integer length(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    return (lua_Integer)lua_rawlen(L, 1);
}

// Lua's own function, in the same frame, so that its errors carry the name and line of the call.
static int pass_on(lua_State* L) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int insert(lua_State* L) {
    lua_Integer count = length(L);
    if (lua_gettop(L) == 3) run_over(L, "insert", luaL_checkinteger(L, 2), count);
    return pass_on(L);
}

static int remove_element(lua_State* L) {
    lua_Integer count = length(L);
    run_over(L, "remove", luaL_optinteger(L, 2, count), count);
    return pass_on(L);
}

static int concat(lua_State* L) {
    lua_Integer count = length(L);
    run_over(L, "concat", luaL_optinteger(L, 3, 1), luaL_optinteger(L, 4, count));
    return pass_on(L);
}

static int unpack(lua_State* L) {
    lua_Integer count = length(L);
    run_over(L, "unpack", luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, count));
    return pass_on(L);
}

static int move(lua_State* L) {
    length(L);
    run_over(L, "move", luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return pass_on(L);
}

// ---------------------------------------------------------------------------- order

/** Does the value on top of the stack come before the one below it? Leaves the stack as it was. */
typedef bool (*comes_before)(lua_State* L);

static bool by_value(lua_State* L) {
    return lua_compare(L, -1, -2, LUA_OPLT);
}

// By the function that is argument 2 of table.sort.
static bool by_function(lua_State* L) {
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -4);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
}

// Merges the sorted runs [first, middle) and [middle, end) of table `from` into table `to`. An
// element of the right run goes first only if it comes before the left one: equal ones keep their
// order.
static void merge(lua_State* L, int from, int to, lua_Integer first, lua_Integer middle,
                  lua_Integer end, comes_before before) {
    lua_Integer left = first, right = middle;
    for (lua_Integer i = first; i < end; i++) {
        bool take_right = left == middle;
        if (left < middle && right < end) {
            lua_rawgeti(L, from, left);
            lua_rawgeti(L, from, right);
            take_right = before(L);
            lua_pop(L, 2);
            sis_loader_spend(L, 2);
        }
        lua_rawgeti(L, from, take_right ? right++ : left++);
        lua_rawseti(L, to, i);
    }
}

// Merge sort of elements 1..count of the table at `table`: runs of 1, 2, 4, ... to and fro between
// the table and a scratch one.
static void sort_table(lua_State* L, int table, lua_Integer count, comes_before before) {
    sis_loader_check_stack(L, 8);
    lua_createtable(L, (int)count, 0);
    int from = table, to = lua_gettop(L);
    int scratch = to;
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer first = 1; first <= count; first += 2 * width) {
            lua_Integer middle = first + width <= count ? first + width : count + 1;
            lua_Integer end = middle + width <= count ? middle + width : count + 1;
            merge(L, from, to, first, middle, end, before);
        }
        int swapped = from;
        from = to;
        to = swapped;
    }
    for (lua_Integer i = 1; from == scratch && i <= count; i++) {
        lua_rawgeti(L, scratch, i);
        lua_rawseti(L, table, i);
    }
    lua_remove(L, scratch);
}

static int sort(lua_State* L) {
    lua_Integer count = length(L);
    bool given = !lua_isnoneornil(L, 2);
    if (given) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    run_over(L, "sort", 1, count);
    sort_table(L, 1, count, given ? by_function : by_value);
    return 0;
}

// ---------------------------------------------------------------------------- pairs

// Order of the kinds of keys; tables and functions come last and have no order of their own.
static int key_rank(lua_State* L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        return 0;
    case LUA_TSTRING:
        return 1;
    case LUA_TBOOLEAN:
        return 2;
    case LUA_TUSERDATA:
        return sis_loader_handle(L, index) ? 3 : 4;
    default:
        return 4;
    }
}

static bool text_before(lua_State* L) {
    size_t a_length = 0, b_length = 0;
    const char* a = lua_tolstring(L, -1, &a_length);
    const char* b = lua_tolstring(L, -2, &b_length);
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order < 0 : a_length < b_length;
}

// Two keys without an order: whatever came first would differ from run to run.
static void refuse_unordered(lua_State* L) {
    sis_loader_refuse(L,
                      "pairs and next: two keys of this table are tables or functions, which have "
                      "no fixed order; use numbers, texts or objects of the scene as keys");
}

static bool by_key(lua_State* L) {
    int a = key_rank(L, -1), b = key_rank(L, -2);
    if (a != b) return a < b;
    if (a == 4) refuse_unordered(L);
    switch (a) {
    case 0:
        return lua_compare(L, -1, -2, LUA_OPLT);
    case 1:
        return text_before(L);
    case 2:
        return !lua_toboolean(L, -1) && lua_toboolean(L, -2);
    case 3:
        return sis_loader_handle(L, -1)->id < sis_loader_handle(L, -2)->id;
    default:
        return false;
    }
}

// One step: elements 1..count (upvalue 2) of the table, then the keys listed in upvalue 1. Elements
// that were removed meanwhile are skipped.
static int next_pair(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer count = lua_tointeger(L, lua_upvalueindex(2));
    for (;;) {
        lua_Integer place = lua_tointeger(L, lua_upvalueindex(3)) + 1;
        lua_pushinteger(L, place);
        lua_copy(L, -1, lua_upvalueindex(3));
        if (place > count) {
            lua_pop(L, 1);
            if (lua_rawgeti(L, lua_upvalueindex(1), place - count) == LUA_TNIL) return 1;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) return 2;
        lua_pop(L, 2);
    }
}

static bool is_element(lua_State* L, int index, lua_Integer count) {
    if (!lua_isinteger(L, index)) return false;
    lua_Integer key = lua_tointeger(L, index);
    return key >= 1 && key <= count;
}

// Leaves a sorted list of the keys of table 1 that are not among 1..count.
static void push_other_keys(lua_State* L, lua_Integer count) {
    lua_newtable(L);
    int list = lua_gettop(L);
    lua_Integer found = 0;
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        sis_loader_spend(L, 1);
        if (is_element(L, -1, count)) continue;
        lua_pushvalue(L, -1);
        lua_rawseti(L, list, ++found);
    }
    sort_table(L, list, found, by_key);
}

// How many elements of table 1 are in a row from 1: they need no sorting.
static lua_Integer count_elements(lua_State* L) {
    lua_Integer count = 0;
    while (lua_rawgeti(L, 1, count + 1) != LUA_TNIL) {
        lua_pop(L, 1);
        sis_loader_spend(L, 1);
        count++;
    }
    lua_pop(L, 1);
    return count;
}

// The place of key 2 among 1..count and then the list on top of the stack; 0 for nil.
static lua_Integer place_of_key(lua_State* L, lua_Integer count) {
    if (lua_isnil(L, 2)) return 0;
    if (is_element(L, 2, count)) return lua_tointeger(L, 2);
    for (lua_Integer i = 1;; i++) {
        if (lua_rawgeti(L, 3, i) == LUA_TNIL) luaL_error(L, "next: the table has no such key");
        bool same = lua_rawequal(L, -1, 2);
        lua_pop(L, 1);
        sis_loader_spend(L, 1);
        if (same) return count + i;
    }
}

// The order of pairs. Each call sorts the keys anew; a loop over a large table takes pairs.
int sis_loader_next(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    lua_Integer count = count_elements(L);
    push_other_keys(L, count);
    lua_Integer place = place_of_key(L, count) + 1;
    if (place <= count)
        lua_pushinteger(L, place);
    else if (lua_rawgeti(L, 3, place - count) == LUA_TNIL)
        return 1;
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

int sis_loader_pairs(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_Integer count = count_elements(L);
    push_other_keys(L, count);
    lua_pushinteger(L, count);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 3);
    lua_pushvalue(L, 1);
    return 2;
}

// ---------------------------------------------------------------------------- the library

void sis_loader_open_table(lua_State* L) {
    static const luaL_Reg guards[] = {{"insert", insert}, {"remove", remove_element},
                                      {"concat", concat}, {"unpack", unpack},
                                      {"move", move},     {"sort", sort},
                                      {NULL, NULL}};
    lua_pushcfunction(L, luaopen_table);
    lua_call(L, 0, 1);
    for (const luaL_Reg* each = guards; each->name; each++) {
        lua_getfield(L, -1, each->name);
        lua_pushcclosure(L, each->func, 1);
        lua_setfield(L, -2, each->name);
    }
}
