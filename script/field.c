// One value of a scene into one field of a definition, checked against the row of the schema.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loader.h"

// A field of a word is stored as an int, whatever the enum is called.
_Static_assert(sizeof(sis_law) == sizeof(int) && sizeof(sis_scheme) == sizeof(int) &&
                   sizeof(sis_potential) == sizeof(int) && sizeof(sis_force_shape) == sizeof(int) &&
                   sizeof(sis_quantity) == sizeof(int) && sizeof(sis_ends) == sizeof(int) &&
                   sizeof(sis_string_model) == sizeof(int) &&
                   sizeof(sis_gamma_rule) == sizeof(int) && sizeof(sis_nonlinear) == sizeof(int) &&
                   sizeof(sis_pluck_shape) == sizeof(int) &&
                   sizeof(sis_plate_model) == sizeof(int) && sizeof(sis_bow_method) == sizeof(int),
               "enums are ints");

// ---------------------------------------------------------------------------- numbers

void sis_loader_expect_number(lua_State* L, const char* word, const char* key, const char* unit,
                              int index) {
    if (lua_type(L, index) == LUA_TNUMBER) return;
    char expected[96];
    snprintf(expected, sizeof expected, unit[0] ? "a number (%s)" : "a number", unit);
    sis_loader_mismatch(L, word, key, expected, index);
}

void sis_loader_check_number(lua_State* L, const char* word, const char* key, double value,
                             double min, double max, const char* unit) {
    if (value >= min && value <= max) return;
    const char* space = unit[0] ? " " : "";
    sis_loader_refuse(L, "%s: %s = %s%s%s is %s %s .. %s", word, key, sis_number_text(value).text,
                      space, unit, isnan(value) ? "not a number; allowed are" : "outside",
                      sis_number_text(min).text, sis_number_text(max).text);
}

static void fill_number(lua_State* L, const sis_field* field, const char* word, int index,
                        double* place) {
    sis_loader_expect_number(L, word, field->key, field->unit, index);
    double value = lua_tonumber(L, index);
    sis_loader_check_number(L, word, field->key, value, field->min, field->max, field->unit);
    *place = value;
}

static void fill_integer(lua_State* L, const sis_field* field, const char* word, int index,
                         int32_t* place) {
    double value = 0;
    fill_number(L, field, word, index, &value);
    if (value != floor(value))
        sis_loader_refuse(L, "%s: %s = %s is not a whole number (%s .. %s)", word, field->key,
                          sis_number_text(value).text, sis_number_text(field->min).text,
                          sis_number_text(field->max).text);
    *place = (int32_t)value;
}

static void fill_flag(lua_State* L, const sis_field* field, const char* word, int index,
                      bool* place) {
    if (lua_type(L, index) != LUA_TBOOLEAN)
        sis_loader_mismatch(L, word, field->key, "true or false", index);
    *place = lua_toboolean(L, index);
}

// ---------------------------------------------------------------------------- words

// "ledger", "quadratised", ...; the word for a curve stands for the curve itself.
static void list_words(const char* words, const char* given, sis_sentence* list,
                       sis_sentence* guess) {
    char choices[16][64];
    sis_suggestion suggestion = sis_suggest(given);
    int count = 0;
    for (const char* c = words; *c && count < 16; count++) {
        size_t length = strcspn(c, "|");
        snprintf(choices[count], sizeof choices[count], "%.*s", (int)length, c);
        bool curve = strcmp(choices[count], "envelope") == 0;
        sis_say(list, curve ? "%s{{t, v}, ...}" : "%s\"%s\"", count ? ", " : "", choices[count]);
        if (!curve) sis_suggest_from(&suggestion, choices[count]);
        c += length + (c[length] == '|');
    }
    if (suggestion.best) sis_say(guess, " (did you mean \"%s\"?)", suggestion.best);
}

// The place of `given` among the words, -1 when it is none of them.
static int find_word(const char* words, const char* given) {
    size_t given_length = strlen(given);
    int choice = 0;
    for (const char* c = words; *c; choice++) {
        size_t length = strcspn(c, "|");
        bool curve = length == 8 && strncmp(c, "envelope", 8) == 0; // given by its points instead
        if (!curve && length == given_length && strncmp(c, given, length) == 0) return choice;
        c += length + (c[length] == '|');
    }
    return -1;
}

static void fill_word(lua_State* L, const sis_field* field, const char* word, int index,
                      void* place) {
    bool is_text = lua_type(L, index) == LUA_TSTRING;
    const char* given = is_text ? sis_loader_check_text(L, word, field->key, index) : "";
    int choice = find_word(field->words, given);
    if (choice < 0) {
        sis_sentence list = {.length = 0}, guess = {.length = 0}, expected = {.length = 0};
        list_words(field->words, given, &list, &guess);
        sis_say(&expected, "one of %s", list.text);
        if (!is_text) sis_loader_mismatch(L, word, field->key, expected.text, index);
        sis_loader_refuse(L, "%s: %s = \"%.60s\" is unknown%s; it can be %s", word, field->key,
                          given, guess.text, list.text);
    }
    memcpy(place, &choice, sizeof choice);
}

// ---------------------------------------------------------------------------- text

// Length of the UTF-8 letter at c, 0 when it is none: no overlong forms, no surrogates.
static size_t letter_length(const unsigned char* c, size_t left) {
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = c[0] < 0x80 ? 1 : c[0] < 0xC0 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    if (length < 2) return length;
    if (length > left || c[0] > 0xF4) return 0;
    unsigned code = c[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (c[i] & 0x3Fu);
    }
    bool valid = code >= smallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return valid ? length : 0;
}

// Text for files and pictures: UTF-8 without control characters. Belongs to Lua.
const char* sis_loader_check_text(lua_State* L, const char* word, const char* key, int index) {
    if (lua_type(L, index) != LUA_TSTRING) sis_loader_mismatch(L, word, key, "text", index);
    size_t length = 0, step = 0;
    const char* text = lua_tolstring(L, index, &length);
    for (size_t i = 0; i < length; i += step) {
        const unsigned char* c = (const unsigned char*)text + i;
        step = letter_length(c, length - i);
        if (step == 0) sis_loader_refuse(L, "%s: %s: the text is not valid UTF-8", word, key);
        if (*c < ' ' || *c == 127)
            sis_loader_refuse(L, "%s: %s: the text has a control character (code %d)", word, key,
                              *c);
    }
    return text;
}

// ---------------------------------------------------------------------------- objects

static void fill_object(lua_State* L, const sis_field* field, const char* word, int index,
                        sis_id* place) {
    const sis_handle* handle = sis_loader_handle(L, index);
    if (!field->required)
        sis_loader_fill_trigger(L, field, index, place);
    else if (handle)
        *place = handle->id;
    else
        sis_loader_mismatch(L, word, field->key, "what a word such as mass{} or barrier{} returned",
                            index);
}

// One body, a list of them or "all". Leaves the ids on the stack, as a userdata that Lua frees.
static void fill_objects(lua_State* L, const sis_field* field, const char* word, int index,
                         sis_objects* place) {
    const char* expected = "a body, a list of bodies or \"all\"";
    bool all = lua_type(L, index) == LUA_TSTRING && strcmp(lua_tostring(L, index), "all") == 0;
    bool one = all || sis_loader_handle(L, index);
    int32_t count = one ? 1 : sis_loader_count(L, word, field->key, expected, "bodies", index);
    sis_id* ids = lua_newuserdatauv(L, (size_t)count * sizeof *ids, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushvalue(L, index);
        if (!one) lua_rawgeti(L, index, i + 1);
        const sis_handle* handle = sis_loader_handle(L, -1);
        char key[64];
        snprintf(key, sizeof key, "%s: body %d", field->key, (int)i + 1);
        if (!handle && !all) sis_loader_mismatch(L, word, key, "a body", lua_gettop(L));
        ids[i] = all ? SIS_ALL : handle->id;
        lua_pop(L, one ? 1 : 2);
        sis_loader_spend(L, 10);
    }
    *place = (sis_objects){ids, count};
}

// ---------------------------------------------------------------------------- any field

void sis_loader_fill(lua_State* L, const sis_field* field, int index, void* def) {
    const char* word = sis_kind_word(field->kind);
    void* place = (char*)def + field->offset;
    switch (field->type) {
    case SIS_FIELD_NUMBER:
        fill_number(L, field, word, index, place);
        break;
    case SIS_FIELD_INTEGER:
        fill_integer(L, field, word, index, place);
        break;
    case SIS_FIELD_FLAG:
        fill_flag(L, field, word, index, place);
        break;
    case SIS_FIELD_WORD:
        fill_word(L, field, word, index, place);
        break;
    case SIS_FIELD_TEXT:
        *(const char**)place = sis_loader_check_text(L, word, field->key, index);
        break;
    case SIS_FIELD_OBJECT:
        fill_object(L, field, word, index, place);
        break;
    case SIS_FIELD_ENVELOPE:
        sis_loader_fill_envelope(L, field, index, def);
        break;
    case SIS_FIELD_LIST:
        sis_loader_fill_list(L, field, index, def);
        break;
    case SIS_FIELD_OBJECTS:
        fill_objects(L, field, word, index, place);
        break;
    case SIS_FIELD_PROFILE:
        sis_loader_fill_profile(L, field, index, def);
        break;
    }
}
