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
    char* text = sentence->text + sentence->length;
    int length = vsnprintf(text, room, format, arguments);
    if (length < 0) return;
    size_t added = (size_t)length < room ? (size_t)length : room - 1;
    if (added < (size_t)length) { // cut: not in the middle of a letter
        while (added > 0 && ((unsigned char)text[added - 1] & 0xC0) == 0x80)
            added--;
        if (added > 0 && (unsigned char)text[added - 1] >= 0xC0) added--;
        text[added] = '\0';
    }
    sentence->length += added;
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
    const sis_loader* loader = sis_loader_of(L);
    size_t length = loader->word ? strlen(loader->word) : 0;
    sis_sentence named = {.length = 0};
    if (length && strncmp(sentence.text, loader->word, length) == 0 && sentence.text[length] == ':')
        sis_say(&named, "%s%s", loader->object, sentence.text + length); // "mass 'ball': ..."
    lua_checkstack(L, 2);
    lua_pushstring(L, named.length ? named.text : sentence.text);
    for (;;)
        lua_error(L); // never returns; sis_loader_note_line adds the line
}

// Lua says of both that the stack overflows.
void sis_loader_check_stack(lua_State* L, int slots) {
    if (lua_checkstack(L, slots)) return;
    if (sis_loader_of(L)->starved) sis_loader_starve(L);
    luaL_error(L, "stack overflow");
}

// ---------------------------------------------------------------------------- what it is about

void sis_loader_about(lua_State* L, const char* name) {
    sis_loader* loader = sis_loader_of(L);
    char clean[96];
    sis_clean(name, clean, sizeof clean);
    snprintf(loader->object, sizeof loader->object, "%s '%s'", loader->word, clean);
}

void sis_loader_begin(lua_State* L, const char* word) {
    sis_loader* loader = sis_loader_of(L);
    loader->word = word;
    snprintf(loader->object, sizeof loader->object, "%s", word);
    loader->key[0] = '\0';
    loader->follower_count = 0;
    if (lua_type(L, 1) != LUA_TTABLE) return;
    lua_pushliteral(L, "name");
    if (lua_rawget(L, 1) == LUA_TSTRING && lua_rawlen(L, -1) < 64)
        sis_loader_about(L, lua_tostring(L, -1));
    lua_pop(L, 1);
}

void sis_loader_key_is(lua_State* L, const char* key) {
    sis_loader* loader = sis_loader_of(L);
    sis_clean(key, loader->key, sizeof loader->key);
}

void sis_loader_end(lua_State* L) {
    sis_loader* loader = sis_loader_of(L);
    loader->word = NULL;
    loader->object[0] = loader->key[0] = '\0';
}

// Functions of C have no line, and those of files of the library none of the scene: the nearest
// caller that is part of the scene counts.
int sis_loader_line(lua_State* L) {
    lua_Debug frame;
    for (int level = 0; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "Sl", &frame);
        if (frame.currentline > 0 && strcmp(frame.source, "=" SIS_SOURCE) == 0)
            return frame.currentline;
    }
    return 0;
}

// Message handler: remembers where in the scene the error happened. Takes no memory, because there
// may be none left.
int sis_loader_note_line(lua_State* L) {
    sis_loader_of(L)->line = sis_loader_line(L);
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

// What the value is, as its author would say it: "number 3", "text 'abc'", "mass 'm'".
void sis_say_value(sis_sentence* sentence, lua_State* L, int index) {
    sis_handle* handle = sis_loader_handle(L, index);
    sis_input_value* input = sis_loader_input_value(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        sis_say(sentence, "number %s", sis_number_text(lua_tonumber(L, index)).text);
        break;
    case LUA_TSTRING:
        sis_say(sentence, "text '%.60s'", lua_tostring(L, index));
        break;
    case LUA_TBOOLEAN:
        sis_say(sentence, lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TNIL:
    case LUA_TNONE:
        sis_say(sentence, "nothing");
        break;
    case LUA_TUSERDATA:
        if (input) sis_say(sentence, "input '%s'", sis_loader_kept_input(L, input)->name);
        if (!handle) break;
        sis_say(sentence, "%s '%s'", sis_kind_word(handle->kind),
                sis_scene_name(sis_loader_of(L)->script->scene, handle->id));
        break;
    default:
        sis_say(sentence, "a %s", luaL_typename(L, index));
    }
}

_Noreturn void sis_loader_mismatch(lua_State* L, const char* word, const char* key,
                                   const char* expected, int index) {
    sis_sentence got = {.length = 0};
    bool moves = sis_loader_input_value(L, index);
    sis_say_value(&got, L, index);
    sis_loader_refuse(L, "%s: %s: expected %s, got %s%s", word, key, expected, got.text,
                      moves ? ", which moves while it sounds" : "");
}

// Takes no memory: the sentence is made by whoever catches it.
_Noreturn void sis_loader_starve(lua_State* L) {
    sis_loader_of(L)->status = SIS_SCRIPT_NO_MEMORY;
    lua_pushnil(L);
    for (;;)
        lua_error(L);
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

// It is the machine that has no memory, not the scene that takes too much.
static bool is_starved(const sis_loader* loader) {
    return loader->starved || loader->status == SIS_SCRIPT_NO_MEMORY;
}

static void say_no_memory(const sis_loader* loader, sis_sentence* sentence) {
    const sis_limits* limits = &loader->limits;
    bool scene = loader->script->scene != NULL; // else it is a file of measures
    if (is_starved(loader))
        sis_say(sentence, "there is no memory left for the scene");
    else if (loader->text_too_big)
        sis_say(sentence, "a text%s is longer than %zu kB", scene ? " of the scene" : "",
                limits->text >> 10);
    else if (loader->refusals > 0)
        sis_say(sentence, "%s needs more than %zu MB of memory (a recursion without end?)",
                scene ? "the scene" : "it", limits->memory >> 20);
    else
        sis_say(sentence, "there is no memory left for the scene");
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
    else if (strstr(message, "number expected, got input"))
        sis_say(sentence,
                "%s: an input moves while it sounds; it may be scaled and shifted by numbers, as "
                "in 2 * press + 0.1",
                message);
    else if (strstr(message, "stack overflow") && sis_loader_of(L)->refusals > 0)
        say_no_memory(sis_loader_of(L), sentence); // none for a larger stack
    else if (strstr(message, "stack overflow"))
        sis_say(sentence, "the scene is nested too deeply or calls itself without end");
    else
        sis_say(sentence, "%s", message);
}

// An error that is no text.
static void say_error_value(lua_State* L, sis_sentence* sentence) {
    if (lua_type(L, -1) == LUA_TNUMBER)
        sis_say(sentence, "error(%s)", sis_number_text(lua_tonumber(L, -1)).text);
    else
        sis_say(sentence, "the scene stopped with an error but no message (error of a %s value)",
                luaL_typename(L, -1));
}

int sis_say_reason(sis_sentence* sentence, lua_State* L, const sis_loader* loader, int lua_status) {
    static const char prefix[] = SIS_SOURCE ":";
    const char* message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (lua_status == LUA_ERRMEM || is_starved(loader)) {
        say_no_memory(loader, sentence);
        return loader->last_line; // where it last looked: close to it
    }
    int line = loader->line;
    if (message && strncmp(message, prefix, sizeof prefix - 1) == 0) { // "[scene]:7: reason"
        char* reason = NULL;
        long told = strtol(message + sizeof prefix - 1, &reason, 10);
        bool whole = told > 0 && strncmp(reason, ": ", 2) == 0;
        line = whole ? (int)told : line;
        message = whole ? reason + 2 : message;
    }
    if (message)
        say_message(L, message, sentence);
    else
        say_error_value(L, sentence);
    return line;
}

void sis_loader_tell(sis_script_error* error, sis_script_status status, const char* name, int line,
                     const char* sentence) {
    sis_sentence text = {.length = 0};
    sis_say(&text, "%s:", name);
    if (line > 0) sis_say(&text, "%d:", line);
    sis_say(&text, " %s", sentence);
    sis_clean(text.text, error->text, sizeof error->text);
    error->status = status;
    error->line = line;
}

void sis_loader_explain(lua_State* L, const sis_loader* loader, int lua_status, const char* name,
                        sis_script_error* error) {
    sis_sentence reason = {.length = 0};
    int line = sis_say_reason(&reason, L, loader, lua_status);
    sis_script_status status = lua_status == LUA_ERRMEM ? SIS_SCRIPT_WRONG : loader->status;
    // What was refused by no limit was refused by the machine, whatever it granted since.
    bool machine = is_starved(loader) || (lua_status == LUA_ERRMEM && !loader->refusals);
    sis_loader_tell(error, machine ? SIS_SCRIPT_NO_MEMORY : status, name, line, reason.text);
    if (!loader->word) return;
    snprintf(error->object, sizeof error->object, "%s", loader->object);
    snprintf(error->key, sizeof error->key, "%s", loader->key);
}
