// The words that state something: about, claim, choice, misprint. All texts are made here, so that
// every report says the same.

#include "lab.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char* const verdicts[] = {"reproduced", "reproduced with correction",
                                       "does not reproduce"};

#define VERDICT_COUNT 3
#define DIGITS        3
#define AS_PRINTED    0 // digits of a published number: all there are
#define TEXT_MOST     2047
#define ENTRIES_MOST  1000 // of one list

/** Text that grows in a fixed buffer and is cut off at its end. */
typedef struct sentence {
    char text[TEXT_MOST + 1];
    size_t length;
    bool cut;
} sentence;

static void say(sentence* s, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void say(sentence* s, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int added = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, values);
    va_end(values);
    if (added > 0) s->length += (size_t)added;
    if (s->length < sizeof s->text) return;
    s->cut = true;
    s->length = sizeof s->text - 1;
    while (s->length && ((unsigned char)s->text[s->length - 1] & 0xc0) == 0x80)
        s->length--; // not inside of a letter of several bytes
    if (s->length && (unsigned char)s->text[s->length - 1] >= 0xc0) s->length--;
    s->text[s->length] = 0;
}

// ---------------------------------------------------------------------------- reading tables

/** Whether printf was given what is not a number. */
static bool has_nan(const char* text) {
    for (const char* at = text; (at = strstr(at, "nan")); at += 3) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[3]) && at[3] != '_') return true;
    }
    return false;
}

/** The text at the top of the stack; raises unless it can be shown. */
static const char* checked_text(lua_State* L, const char* word, const char* key) {
    const char* text = lua_tostring(L, -1);
    size_t length = lua_rawlen(L, -1);
    if (length > TEXT_MOST)
        luaL_error(L, "%s: %s is too long: %d bytes, at most %d", word, key, (int)length,
                   TEXT_MOST);
    if (has_nan(text)) luaL_error(L, "%s: %s shows what is not a number: %s", word, key, text);
    return text;
}

/** Raises unless every key of the table at 1 is in the list, which NULL ends. */
static void check_keys(lua_State* L, const char* word, const char* const* keys) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) == 1) continue;
        const char* key = luaL_tolstring(L, -1, NULL);
        bool known = false;
        for (int i = 0; keys[i] && !known; i++)
            known = !strcmp(keys[i], key);
        if (!known) luaL_error(L, "%s: unknown key '%s'", word, key);
        lua_pop(L, 1);
    }
}

/** The text of a field (NULL: of the first element), "" when absent; the table at 1 keeps it. */
static const char* text_of(lua_State* L, const char* word, const char* key, bool required) {
    int type = key ? lua_getfield(L, 1, key) : lua_rawgeti(L, 1, 1);
    const char* name = key ? key : "the first element";
    if (type != LUA_TSTRING && (type != LUA_TNIL || required))
        luaL_error(L, "%s: %s must be a text", word, name);
    const char* text = type == LUA_TSTRING ? checked_text(L, word, name) : "";
    lua_pop(L, 1);
    return text;
}

static double number_of(lua_State* L, const char* word, const char* key, double fallback) {
    int type = lua_getfield(L, 1, key);
    if (type != LUA_TNIL && type != LUA_TNUMBER)
        luaL_error(L, "%s: %s must be a number", word, key);
    double value = type == LUA_TNIL ? fallback : lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

static bool flag_of(lua_State* L, const char* word, const char* key) {
    int type = lua_getfield(L, 1, key);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luaL_error(L, "%s: %s must be true or false", word, key);
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

// ---------------------------------------------------------------------------- numbers as text

/** A number with so many digits as one would write it: 1.29e-4, 0.0617, 44100. */
static void say_number(sentence* s, double value, int digits) {
    if (value == 0 || !isfinite(value)) {
        say(s, "%g", value);
        return;
    }
    if (fabs(value) >= 1e-3 && fabs(value) < 1e6) {
        int before = (int)floor(log10(fabs(value))) + 1;
        say(s, "%.*f", digits > before ? digits - before : 0, value);
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    char* e = strchr(text, 'e');
    int exponent = 0;
    if (!e || sscanf(e + 1, "%d", &exponent) != 1) return;
    *e = 0;
    say(s, "%se%d", text, exponent); // 1.29e-4, not 1.29e-04
}

/** The significant digits a printed number has: 1.3e-4 has 2. */
static int digits_needed(double value) {
    char text[64];
    snprintf(text, sizeof text, "%.11e", value);
    int digits = 12;
    char* end = strchr(text, 'e');
    while (end && digits > 1 && end[-1] == '0') {
        end--;
        digits--;
    }
    return digits;
}

/** The value on top of the stack; true: it is a number. */
static bool say_value(lua_State* L, sentence* s, const char* word, const char* key, int digits) {
    if (lua_type(L, -1) == LUA_TSTRING) {
        say(s, "%s", checked_text(L, word, key));
        return false;
    }
    if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "%s: %s must be a number, a text or a list of them", word, key);
    double value = lua_tonumber(L, -1);
    if (isnan(value)) luaL_error(L, "%s: %s is not a number (NaN)", word, key);
    if (lua_isinteger(L, -1))
        say(s, "%lld", (long long)lua_tointeger(L, -1)); // a count
    else if (digits == AS_PRINTED)
        say_number(s, value, digits_needed(value));
    else
        say_number(s, value, digits);
    return true;
}

/** A field as text with its unit: a number, a text, or a list: "1, 2, 3 Hz". */
static sentence value_of(lua_State* L, const char* word, const char* key, const char* unit,
                         int digits) {
    sentence s = {.length = 0};
    bool number = false;
    if (lua_getfield(L, 1, key) == LUA_TTABLE) {
        int count = (int)lua_rawlen(L, -1);
        for (int i = 1; i <= count; i++) {
            say(&s, "%s", i > 1 ? ", " : "");
            lua_rawgeti(L, -1, i);
            number = say_value(L, &s, word, key, digits);
            lua_pop(L, 1);
        }
    } else {
        number = say_value(L, &s, word, key, digits);
    }
    lua_pop(L, 1);
    if (number && *unit) say(&s, " %s", unit);
    if (s.cut) luaL_error(L, "%s: %s is too long: more than %d bytes", word, key, TEXT_MOST);
    return s;
}

static int digits_of(lua_State* L, const char* word) {
    double digits = number_of(L, word, "digits", DIGITS);
    if (!(digits >= 1 && digits <= 15)) luaL_error(L, "%s: digits must be 1 .. 15", word);
    return (int)digits;
}

// ---------------------------------------------------------------------------- the words

static void keep(lua_State* L, const char* list, json_t* entry) {
    json_t* entries = json_object_get(sis_lab_of(L)->result, list);
    if (json_array_size(entries) >= ENTRIES_MOST) {
        json_decref(entry);
        luaL_error(L, "more than %d %s", ENTRIES_MOST, list);
    }
    if (!entry || json_array_append_new(entries, entry))
        luaL_error(L, "out of memory or a text that is not UTF-8 for the list of %s", list);
}

static void surprise(lua_State* L, const sentence* s) {
    keep(L, "surprises", json_string(s->text));
}

static const char* fitting(lua_State* L, const char* key, size_t room) {
    const char* text = text_of(L, "about", key, true);
    if (strlen(text) >= room)
        luaL_error(L, "about: %s is too long: at most %d bytes", key, (int)room - 1);
    return text;
}

static int about(lua_State* L) {
    static const char* const keys[] = {"place", "title", "slow", "alone", NULL};
    check_keys(L, "about", keys);
    sis_lab* lab = sis_lab_of(L);
    if (lab->told) return luaL_error(L, "about: once is enough");
    const sis_study_entry* entry = NULL; // both must fit into the catalogue
    const char* place = fitting(L, "place", sizeof entry->place);
    const char* title = fitting(L, "title", sizeof entry->title);
    json_object_set_new(lab->result, "place", json_string(place));
    json_object_set_new(lab->result, "title", json_string(title));
    json_object_set_new(lab->result, "slow", json_boolean(flag_of(L, "about", "slow")));
    json_object_set_new(lab->result, "alone", json_boolean(flag_of(L, "about", "alone")));
    lab->told = true;
    if (lab->study->only_about) {
        lua_pushlightuserdata(L, lab); // ends the script; sis_study_run knows it
        return lua_error(L);
    }
    return 0;
}

/** Whether a claim holds, by the one key that says how. */
static bool holds(lua_State* L, const char* text) {
    double within = number_of(L, "claim", "within", NAN);
    double percent = number_of(L, "claim", "percent", NAN);
    bool told = lua_getfield(L, 1, "holds") != LUA_TNIL;
    bool held = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (told + !isnan(within) + !isnan(percent) != 1)
        luaL_error(L, "claim '%s': needs one of within, percent and holds", text);
    if (told) return held;
    double published = number_of(L, "claim", "published", NAN);
    double measured = number_of(L, "claim", "measured", NAN);
    if (isnan(published) || isnan(measured))
        luaL_error(L, "claim '%s': within and percent need two numbers", text);
    double off = fabs(measured - published);
    return isnan(percent) ? off <= within : off <= fabs(published) * percent / 100;
}

static int verdict_index(lua_State* L, const char* expected) {
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (!strcmp(expected, verdicts[i])) return i;
    return luaL_error(L, "claim: expect must be '%s', '%s' or '%s', not '%s'", verdicts[0],
                      verdicts[1], verdicts[2], expected);
}

/** An item is as good as its worst claim. */
static void judge(sis_lab* lab, int verdict) {
    const char* before = json_string_value(json_object_get(lab->result, "verdict"));
    int worst = -1;
    for (int i = 0; before && i < VERDICT_COUNT; i++)
        if (!strcmp(before, verdicts[i])) worst = i;
    if (verdict > worst)
        json_object_set_new(lab->result, "verdict", json_string(verdicts[verdict]));
}

static int claim(lua_State* L) {
    static const char* const keys[] = {"published", "measured", "unit",   "digits", "within",
                                       "percent",   "holds",    "expect", "why",    NULL};
    check_keys(L, "claim", keys);
    sis_lab* lab = sis_lab_after_about(L, "claim");
    const char* text = text_of(L, "claim", NULL, true);
    const char* unit = text_of(L, "claim", "unit", false);
    const char* why = text_of(L, "claim", "why", false);
    const char* expected = text_of(L, "claim", "expect", false);
    int expect = *expected ? verdict_index(L, expected) : 0;
    if (expect && !*why) luaL_error(L, "claim '%s': '%s' needs a why", text, expected);
    bool ours = lua_getfield(L, 1, "published") == LUA_TBOOLEAN && !lua_toboolean(L, -1);
    lua_pop(L, 1);
    sentence published = {.length = 0};
    if (!ours) published = value_of(L, "claim", "published", unit, AS_PRINTED);
    sentence measured = value_of(L, "claim", "measured", unit, digits_of(L, "claim"));
    bool held = holds(L, text);
    // A claim that holds as corrected is "with correction"; one that does not hold does not
    // reproduce.
    int verdict = held ? (expect == 1 ? 1 : 0) : 2;
    if (verdict != expect) {
        sentence s = {.length = 0};
        say(&s, "\"%s\": published %s, measured %s: %s, but expected is: %s", text,
            ours ? "nothing" : published.text, measured.text,
            ours && held ? "holds" : verdicts[verdict], verdicts[expect]);
        surprise(L, &s);
    }
    if (!ours) judge(lab, verdict);
    keep(L, "claims",
         json_pack("{ssssssssss}", "text", text, "published", published.text, "measured",
                   measured.text, "verdict", ours ? "" : verdicts[verdict], "why", why));
    return 0;
}

static int choice(lua_State* L) {
    static const char* const keys[] = {"taken", "why", "otherwise", NULL};
    check_keys(L, "choice", keys);
    sis_lab_after_about(L, "choice");
    keep(L, "choices",
         json_pack("{ssssssss}", "what", text_of(L, "choice", NULL, true), "taken",
                   text_of(L, "choice", "taken", true), "why", text_of(L, "choice", "why", true),
                   "otherwise", text_of(L, "choice", "otherwise", true)));
    return 0;
}

static int misprint(lua_State* L) {
    static const char* const keys[] = {"printed",     "right", "measure", "printed_gives",
                                       "right_gives", "unit",  "digits",  "holds",
                                       "note",        NULL};
    check_keys(L, "misprint", keys);
    sis_lab_after_about(L, "misprint");
    const char* place = text_of(L, "misprint", NULL, true);
    const char* measure = text_of(L, "misprint", "measure", false);
    const char* unit = text_of(L, "misprint", "unit", false);
    sentence printed = {.length = 0}, right = {.length = 0};
    if (*measure) {
        int digits = digits_of(L, "misprint");
        printed = value_of(L, "misprint", "printed_gives", unit, digits);
        right = value_of(L, "misprint", "right_gives", unit, digits);
        if (lua_getfield(L, 1, "holds") != LUA_TBOOLEAN)
            return luaL_error(L, "misprint %s: a measure needs holds", place);
        bool held = lua_toboolean(L, -1);
        lua_pop(L, 1);
        if (!held) {
            sentence s = {.length = 0};
            say(&s, "misprint %s: %s: printed gives %s, right gives %s: not what is expected",
                place, measure, printed.text, right.text);
            surprise(L, &s);
        }
    }
    keep(L, "misprints",
         json_pack("{ssssssssssssss}", "place", place, "printed",
                   text_of(L, "misprint", "printed", true), "right",
                   text_of(L, "misprint", "right", true), "measure", measure, "printed_gives",
                   printed.text, "right_gives", right.text, "note",
                   text_of(L, "misprint", "note", false)));
    return 0;
}

void sis_claim_open(lua_State* L) {
    lua_register(L, "about", about);
    lua_register(L, "claim", claim);
    lua_register(L, "choice", choice);
    lua_register(L, "misprint", misprint);
}
