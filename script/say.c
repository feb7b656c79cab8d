// Sentences: how an error is raised inside Lua, and how what Lua says becomes one line for the
// user.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

sis_loader* sis_loader_of(lua_State* L) {
    return *(sis_loader**)lua_getextraspace(L);
}

static void say_more(sis_sentence* sentence, const char* format, va_list arguments) {
    size_t room = sizeof sentence->text - sentence->length;
    int length = vsnprintf(sentence->text + sentence->length, room, format, arguments);
    if (length > 0) sentence->length += (size_t)length < room ? (size_t)length : room - 1;
}

void sis_say(sis_sentence* sentence, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_more(sentence, format, arguments);
    va_end(arguments);
}

_Noreturn void sis_loader_refuse(lua_State* L, const char* format, ...) {
    sis_sentence sentence = {.length = 0};
    va_list arguments;
    va_start(arguments, format);
    say_more(&sentence, format, arguments);
    va_end(arguments);
    lua_checkstack(L, 2);
    lua_pushstring(L, sentence.text);
    for (;;)
        lua_error(L); // never returns; sis_loader_note_line adds the line
}

// Message handler: remembers where in the scene the error happened. Takes no memory, because there
// may be none left.
int sis_loader_note_line(lua_State* L) {
    lua_Debug frame;
    sis_loader* loader = sis_loader_of(L);
    loader->line = 0;
    for (int level = 0; loader->line <= 0 && lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "l", &frame);
        loader->line = frame.currentline;
    }
    return 1;
}

// "1e+11" -> "1e11", "5e-04" -> "5e-4"
static void tidy_exponent(char* text) {
    char* in = strchr(text, 'e');
    if (!in) return;
    char* out = ++in;
    if (*in == '-') *out++ = *in++;
    while (*in == '+' || (*in == '0' && in[1]))
        in++;
    while ((*out++ = *in++)) {
    }
}

sis_digits sis_number_text(double value) {
    sis_digits powers = {{0}}, plain = {{0}};
    if (!isfinite(value)) {
        const char* what = isnan(value) ? "nan" : (value < 0 ? "-inf" : "inf");
        snprintf(plain.text, sizeof plain.text, "%s", what);
        return plain;
    }
    // The fewest decimals that still are this very number, with powers of ten and without.
    int decimals = 0;
    do
        snprintf(powers.text, sizeof powers.text, "%.*e", decimals, value);
    while (strtod(powers.text, NULL) != value && ++decimals <= 16);
    long power = strtol(strchr(powers.text, 'e') + 1, NULL, 10);
    tidy_exponent(powers.text);
    if (power < -6 || power > 15) return powers;
    int places = decimals > power ? decimals - (int)power : 0;
    snprintf(plain.text, sizeof plain.text, "%.*f", places, value);
    return strlen(plain.text) <= strlen(powers.text) ? plain : powers;
}

// ---------------------------------------------------------------------------- Lua's own errors

// What people look for in Lua and do not find here.
static bool is_withheld(const char* name) {
    static const char* const names[] = {
        "io",           "os",     "debug",  "require",        "package",   "load",
        "loadfile",     "dofile", "pcall",  "xpcall",         "coroutine", "setmetatable",
        "getmetatable", "rawget", "rawset", "rawequal",       "rawlen",    "print",
        "warn",         "utf8",   "_G",     "_VERSION",       "find",      "match",
        "gmatch",       "gsub",   "dump",   "collectgarbage",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

// The quoted name in "attempt to ... (global 'name')"; "" when there is none.
static void quoted_name(const char* message, const char* variable, char name[64]) {
    name[0] = '\0';
    const char* start = strstr(message, variable);
    if (strncmp(message, "attempt to ", 11) != 0 || !start) return;
    start += strlen(variable);
    size_t length = strcspn(start, "'");
    if (length >= 64 || strcmp(start + length, "')") != 0) return;
    memcpy(name, start, length);
    name[length] = '\0';
}

// Looks through everything the scene could have meant, its own globals included.
static void say_unknown(lua_State* L, const char* name, sis_sentence* sentence) {
    sis_say(sentence, "unknown word '%s'", name);
    sis_suggestion suggestion = sis_suggest(name);
    lua_pushglobaltable(L);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) sis_suggest_from(&suggestion, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    if (suggestion.best && strcmp(suggestion.best, name) != 0)
        sis_say(sentence, " (did you mean '%s'?)", suggestion.best);
}

// Lua knows of nil values where the user knows of words.
static void say_message(lua_State* L, const char* message, sis_sentence* sentence) {
    char global[64], nil_global[64], field[64], method[64];
    quoted_name(message, "(global '", global);
    quoted_name(message, "a nil value (global '", nil_global);
    quoted_name(message, "a nil value (field '", field);
    quoted_name(message, "a nil value (method '", method);
    const char* member = field[0] ? field : method;
    if (nil_global[0] && is_withheld(nil_global))
        sis_say(sentence, "'%s' is not available in a scene", nil_global);
    else if (nil_global[0])
        say_unknown(L, nil_global, sentence);
    else if (global[0] && sis_loader_is_word(global))
        sis_say(sentence, "'%s' is a word of scenes, but this scene gave it another meaning",
                global);
    else if (member[0] && is_withheld(member))
        sis_say(sentence, "'%s' is not available in a scene", member);
    else if (strstr(message, "stack overflow"))
        sis_say(sentence, "the scene is nested too deeply or calls itself without end");
    else
        sis_say(sentence, "%s", message);
}

static void say_no_memory(const sis_loader* loader, sis_sentence* sentence) {
    const sis_limits* limits = &loader->limits;
    if (loader->text_too_big)
        sis_say(sentence, "a text of the scene is longer than %zu kB", limits->text >> 10);
    else if (loader->refusals > 0)
        sis_say(sentence, "the scene needs more than %zu MB of memory (a recursion without end?)",
                limits->memory >> 20);
    else
        sis_say(sentence, "there is no memory left for the scene");
}

static void say_value(lua_State* L, sis_sentence* sentence) {
    if (lua_type(L, -1) == LUA_TNUMBER)
        sis_say(sentence, "error(%s)", sis_number_text(lua_tonumber(L, -1)).text);
    else
        sis_say(sentence, "the scene stopped with an error but no message (error of a %s value)",
                luaL_typename(L, -1));
}

void sis_loader_explain(lua_State* L, const sis_loader* loader, int lua_status, const char* name,
                        sis_script_error* error) {
    static const char prefix[] = SIS_SOURCE ":";
    sis_sentence sentence = {.length = 0};
    const char* message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (lua_status == LUA_ERRMEM) {
        sis_say(&sentence, "%s: ", name);
        say_no_memory(loader, &sentence);
        if (loader->last_line > 0) sis_say(&sentence, ", near line %d", loader->last_line);
    } else if (loader->status == SIS_SCRIPT_SETTING) { // the command line is wrong, not the scene
        sis_say(&sentence, "%s", message ? message : "");
    } else if (message && strncmp(message, prefix, sizeof prefix - 1) == 0) {
        message += sizeof prefix - 1;
        size_t line_length = strcspn(message, ":");
        sis_say(&sentence, "%s:%.*s: ", name, (int)line_length, message);
        message += line_length;
        say_message(L, message + (strncmp(message, ": ", 2) == 0 ? 2 : 0), &sentence);
    } else {
        if (loader->line > 0)
            sis_say(&sentence, "%s:%d: ", name, loader->line);
        else
            sis_say(&sentence, "%s: ", name);
        if (message)
            say_message(L, message, &sentence);
        else
            say_value(L, &sentence);
    }
    error->status = loader->status;
    memcpy(error->text, sentence.text, sizeof error->text);
    sis_loader_one_line(error->text);
}

// Control characters become spaces, and a letter that was cut in half at the end goes.
void sis_loader_one_line(char* text) {
    size_t length = strlen(text), last = length;
    for (char* c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    if (length < sizeof((sis_script_error*)0)->text - 1) return;
    while (last > 0 && length - last < 4 && ((unsigned char)text[last - 1] & 0xC0) == 0x80)
        last--;
    if (last > 0 && ((unsigned char)text[last - 1] & 0xC0) == 0xC0) text[last - 1] = '\0';
}
