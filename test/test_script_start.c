// How a string or plate starts, areas and gravity, as scenes write them.
#include <math.h>
#include <stdio.h>

#include "script_help.h"

#define PLATE                                                                                      \
    "local p = plate{ size = { 0.5, 0.3 }, thickness = 1e-3, material_density = 7800,\n"           \
    "youngs = 2e11, segments = { 10, 6 }, name = 'p' }\n"
#define MODAL "local q = modal{ modes = {{ 100, 1, 1 }}, name = 'q' }\n"

/** Row 0 of the only probe of a scene; NaN, and the sentence, when it does not run. */
static double first_row(const char* text) {
    sis_script* script = load(text);
    if (!script) {
        printf("%s\n-> %s\n", text, error.text);
        return (double)NAN;
    }
    static _Alignas(64) char memory[1 << 22];
    const sis_options options = sis_options_default(sis_script_scene(script));
    sis_error why = {.status = SIS_OK};
    sis_system* system = sis_compile(sis_script_scene(script), &options, &why);
    double row = (double)NAN;
    if (!system) printf("%s\n-> %s\n", text, why.text);
    if (system && sis_state_size(system) <= sizeof memory) {
        sis_state* state = sis_state_init(system, memory);
        sis_step(system, state, &(sis_block){1, &row, NULL, NULL});
    }
    sis_system_free(system);
    sis_script_free(script);
    return row;
}

/** Loads, and is refused by sis_compile with both parts. */
static void not_compiled(const char* text, const char* part, const char* other_part) {
    sis_script* script = load(text);
    CHECK(script != NULL);
    if (!script) {
        printf("%s\n-> %s\n", text, error.text);
        return;
    }
    const sis_options options = sis_options_default(sis_script_scene(script));
    sis_error why = {.status = SIS_OK};
    sis_system* system = sis_compile(sis_script_scene(script), &options, &why);
    CHECK(system == NULL);
    sis_script_error where;
    sis_script_locate(script, &why, &where);
    CHECK_TEXT(where.text, part);
    CHECK_TEXT(where.text, other_part);
    CHECK(!strchr(where.text, '\n') && where.line > 0 && *where.object && *where.key);
    sis_system_free(system);
    sis_script_free(script);
}

static void starts_are_what_the_scene_says(void) {
    CHECK_NEAR(first_row(STRING "pluck{ on = s, shape = function(x) return 1e-3 * x end }\n"
                                "probe{ on = s, at = 0.5 }"),
               0.5e-3, 1e-12);
    CHECK_NEAR(first_row(STRING "pluck{ on = s, velocity = -2 }\n"
                                "probe{ on = s, at = 0.5, quantity = 'velocity' }"),
               -2, 1e-9);
    CHECK_NEAR(first_row(STRING
                         "pluck{ on = s, at = 0.5, height = 1e-3, velocity = function(x) return x "
                         "end } pluck{ on = s, velocity = 1 }\n"
                         "probe{ on = s, at = 0.25, quantity = 'velocity' }"),
               1.25, 1e-9);
    CHECK_NEAR(first_row(PLATE "pluck{ on = p, shape = function(x, y) return x * y end }\n"
                               "probe{ on = p, at = { 0.25, 0.15 } }"),
               0.0375, 1e-12);
    CHECK_NEAR(first_row(PLATE "pluck{ on = p, velocity = function(x, y) return x - y end }\n"
                               "probe{ on = p, at = { 0.25, 0.15 }, quantity = 'velocity' }"),
               0.1, 1e-12);
    CHECK_NEAR(first_row(PLATE "pluck{ on = p, shape = 'triangle', at = { 0.25, 0.15 }, height = 1 "
                               "}\nprobe{ on = p, at = { 0.05, 0.15 } }"),
               0.2, 1e-12);
    CHECK_NEAR(first_row(PLATE "pluck{ on = p, shape = 'raised-cosine', at = { 0.25, 0.15 }, width "
                               "= 0.2, height = 1 }\nprobe{ on = p, at = { 0.3, 0.15 } }"),
               0.5, 1e-12);
    CHECK_NEAR(first_row(PLATE "pluck{ on = p, shape = 'mode', mode = { 2, 3 }, height = 1 }\n"
                               "probe{ on = p, at = { 0.1, 0.05 } }"),
               sin(0.4 * 3.14159265358979324), 1e-9);
    CHECK_NEAR(first_row(PLATE "pluck{ on = p, shape = 'mode', mode = 1, height = 1 }\n"
                               "probe{ on = p, at = { 0.25, 0.15 } }"),
               1, 1e-12);
    CHECK_NEAR(first_row(MODAL "pluck{ on = q, shape = 'mode', mode = 1, height = 1e-3 }\n"
                               "probe{ on = q }"),
               1e-3, 1e-15);
}

static void wrong_starts_are_refused_by_name(void) {
    refused(STRING "pluck{ on = s, shape = 'triangle', velocity = 1 }",
            "scene.lua:2: pluck: 'height' (m) is missing", "\"triangle\"");
    refused(STRING "pluck{ on = s }", "scene.lua:2: pluck: 'height' (m) is missing", "'velocity'");
    refused(STRING "pluck{ on = s, velocity = 'fast' }",
            "pluck: velocity: expected a number (m/s) or a function of the place, got text 'fast'",
            "");
    refused(STRING "pluck{ on = s, velocity = 1e9 }", "velocity = 1e9 m/s is outside", "");
    refused(STRING "pluck{ on = s, shape = 3 }", "shape: expected one of \"triangle\"",
            "got number 3");
    refused(STRING "pluck{ on = s, shape = math.sin, height = 1 }", "a function is the whole shape",
            "");
    refused(STRING "pluck{ on = s, at = { 0.1, 0.2 }, height = 1 }",
            "'at' = {x, y} is a place on a plate, and 's' is none", "");
    refused(PLATE "pluck{ on = p, at = 0.1, height = 1 }", "'at' = {x, y} (m) is missing", "'p'");
    refused(MODAL "pluck{ on = q, velocity = 1 }", "'velocity' is for strings and plates", "");
    refused(MODAL "pluck{ on = q, shape = math.sin }", "is the shape of a string or plate", "");
    refused(MODAL "pluck{ on = q, shape = 'mode', mode = 2, height = 1 }", "has 1 modes", "");
}

static void functions_that_fail_tell_line_object_key_and_place(void) {
    not_compiled(STRING "pluck{ on = s, name = 'kick', velocity = function(x)\nreturn nil end }",
                 "scene.lua:2: pluck 'kick': velocity(",
                 ") returned nil; it must return a number (m/s)");
    not_compiled(STRING "pluck{ on = s, velocity = function(x) return 0/0 end }",
                 "pluck 'pluck1': velocity(",
                 "nan; it must return a number (m/s) from -1e6 to 1e6");
    not_compiled(STRING "pluck{ on = s, shape = function(x) return 1/0 end }",
                 "scene.lua:2: pluck 'pluck1': shape(",
                 "inf; it must return a number (m) from -1e3");
    not_compiled(STRING "pluck{ on = s, shape = function(x) while true do end end }",
                 "pluck 'pluck1': shape(", "it takes too long and was stopped");
    not_compiled(PLATE "pluck{ on = p, shape = function(x, y) return x * z end }",
                 "scene.lua:3: pluck 'pluck1': shape(0.05, 0.0", "'z'");
    not_compiled(PLATE "local b = barrier{ height = function(x, y) return '3' end }\n"
                       "contact{ above = p, below = b, K = 1, alpha = 1 }",
                 "scene.lua:3: barrier 'barrier1': height(0.05, 0.0", ") returned text '3'");
    not_compiled(STRING "pluck{ on = s, shape = function(x) mass{ mass = 1 } return 0 end }",
                 "mass{} cannot be used in a function of a place", "");
}

static void areas_have_corners(void) {
    CHECK(loads(PLATE "local b = barrier{ height = 0, from = { 0.1, 0.1 }, to = { 0.4, 0.2 } }\n"
                      "contact{ above = p, below = b, K = 1e6, alpha = 1 }"));
    CHECK(loads(PLATE "local b = barrier{ height = 0 } contact{ above = p, below = b, K = 1e6, "
                      "alpha = 1 }"));
    CHECK(loads(PLATE "local b = barrier{ height = function(x, y) return -x * y end }\n"
                      "contact{ above = p, below = b, at = { 0.1, 0.1 }, K = 1e6, alpha = 1 }"));
    refused(
        PLATE "local b = barrier{ height = 0, from = 0.1, to = 0.2 }\n"
              "contact{ above = p, below = b, K = 1e6, alpha = 1 }",
        "scene.lua:4: contact: 'below': under plate 'p' from and to of barrier 'barrier1' must be "
        "corners",
        "");
    refused(PLATE "local b = barrier{ height = 0, at = 0.1 }\n"
                  "contact{ above = p, below = b, K = 1e6, alpha = 1 }",
            "'below': at of barrier 'barrier1' are places along a string",
            "give at to the contact");
    refused(STRING "local b = barrier{ height = 0, from = { 0.1, 0.1 } }\n"
                   "contact{ above = s, below = b, K = 1e6, alpha = 1 }",
            "are places under a plate, and 's' is none", "");
    refused(PLATE "local b = barrier{ height = 0, from = { 0.4, 0.1 }, to = { 0.2, 0.2 } }",
            "'from' must be less than 'to'", "");
    refused(BODIES PLATE "local a = barrier{ height = 0, from = { 0.1, 0.1 } }\n"
                         "contact{ above = m, below = a, K = 1e6, alpha = 1 }",
            "has places along a string or under a plate; 'm' is none", "");
}

static void gravity_names_its_bodies(void) {
    CHECK(loads(BODIES STRING PLATE "gravity{} gravity{ on = s } gravity{ on = { m, s, p } }\n"
                                    "gravity{ on = 'all', g = -1 }"));
    refused(BODIES "gravity{ on = b }", "'on' must be a mass, string or plate, a list of them",
            "got barrier");
    refused(BODIES "gravity{ on = 'some' }",
            "gravity: on: expected a body, a list of bodies or \"all\", got text 'some'", "");
    refused(BODIES "gravity{ on = {} }", "got a table without bodies", "");
    refused(BODIES "gravity{ on = { m, 3 } }", "gravity: on: body 2: expected a body, got number 3",
            "");
    refused(MODAL "gravity{ on = q }", "the modes of modal body 'q' do not tell", "");
    not_compiled(BODIES "gravity{ on = { m, m } }", "'on' names 'm' twice", "");
}

int main(void) {
    RUN(starts_are_what_the_scene_says);
    RUN(wrong_starts_are_refused_by_name);
    RUN(functions_that_fail_tell_line_object_key_and_place);
    RUN(areas_have_corners);
    RUN(gravity_names_its_bodies);
    return CHECK_REPORT();
}
