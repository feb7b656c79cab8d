/** @file script_help.h
 * What the tests of scenes in Lua share: loading a text, and seeing it refused with its reason.
 */
#ifndef SISTRUM_TEST_SCRIPT_HELP_H
#define SISTRUM_TEST_SCRIPT_HELP_H

#include "check.h"
#include "script.h"

#define BODIES "local m = mass{ mass = 1, name = 'm' } local b = barrier{ height = 0 }\n"
#define STRING "local s = string{ length = 1, tension = 100, density = 0.01, name = 's' }\n"

static sis_script_error error; // of the last load

static inline sis_script* load_with(const char* text, const sis_setting* settings, int32_t count) {
    return sis_script_load_text(text, strlen(text), "scene.lua", settings, count, &error);
}

static inline sis_script* load(const char* text) {
    return load_with(text, NULL, 0);
}

// Loads, shows why if it does not, and says whether it did.
static inline bool loads(const char* text) {
    sis_script* script = load(text);
    if (!script) printf("%s\n-> %s\n", text, error.text);
    bool good = script && error.status == SIS_SCRIPT_OK;
    sis_script_free(script);
    return good;
}

// What the error of a compile says of the scene.
static inline const char* located(const sis_script* script, const sis_error* why) {
    sis_script_locate(script, why, &error);
    return error.text;
}

// Does not load, and the one line of the error has both parts.
static inline void refused(const char* text, const char* part, const char* other_part) {
    sis_script* script = load(text);
    CHECK(!script);
    CHECK(error.status == SIS_SCRIPT_WRONG);
    CHECK(!strchr(error.text, '\n'));
    CHECK_TEXT(error.text, part);
    CHECK_TEXT(error.text, other_part);
    if (script) printf("was not refused: %.200s\n", text);
    sis_script_free(script);
}

#endif
