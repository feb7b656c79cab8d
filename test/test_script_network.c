// Scenes in Lua with plates, modal bodies, bows and rigid springs: what they say reaches the scene,
// and what cannot be is refused in one line.
#include "budget.h"
#include "check.h"
#include "scene/scene.h"
#include "script.h"
#include "script_help.h"

#include <stdlib.h>

#define PLATE                                                                                      \
    "local p = plate{ size = { 0.4, 0.3 }, thickness = 1e-3, material_density = 7850,\n"           \
    "youngs = 2e11, name = 'p' }\n"
#define MODAL                                                                                      \
    "local q = modal{ modes = { { 440, 1, 0.01, { 1, 0.5 } }, { 990, 1, 0.01, { 1, -0.5 } } },\n"  \
    "name = 'q' }\n"
#define ALL BODIES STRING PLATE MODAL // six lines

// The definition that a scene made last; NULL, and why, when it did not load. The caller frees.
static const void* last_def(const sis_script* script) {
    if (!script) {
        printf("%s\n", error.text);
        return NULL;
    }
    const sis_scene* scene = sis_script_scene(script);
    return sis_scene_def(scene, sis_scene_count(scene) - 1);
}

// ALL and one line more, the seventh.
static sis_script* load_line(const char* line) {
    char text[1024];
    snprintf(text, sizeof text, ALL "%s", line);
    sis_script* script = load(text);
    if (!script) printf("%s\n-> %s\n", line, error.text);
    return script;
}

static bool line_loads(const char* line) {
    sis_script* script = load_line(line);
    sis_script_free(script);
    return script != NULL;
}

static void line_refused(const char* line, const char* part, const char* other_part) {
    char text[1024];
    snprintf(text, sizeof text, ALL "%s", line);
    refused(text, part, other_part);
    CHECK_TEXT(error.text, "scene.lua:7: ");
}

// ---------------------------------------------------------------------------- what may be said

static void pairs_of_a_plate_are_two_fields_each(void) {
    sis_script* script = load("plate{ size = { 1.35, 0.18 }, thickness = 0.01, poisson = 0.25,\n"
                              "material_density = 50, youngs = 2e5, tension = 3, sigma0 = 2,\n"
                              "sigma1 = 0.05, edge = 'clamped', segments = { 134, 17 } }");
    const sis_plate_def* def = last_def(script);
    CHECK(def && def->length == 1.35 && def->width == 0.18 && def->thickness == 0.01);
    CHECK(def && def->material_density == 50 && def->youngs == 2e5 && def->poisson == 0.25);
    CHECK(def && def->tension == 3 && def->sigma0 == 2 && def->sigma1 == 0.05);
    CHECK(def && def->edge == SIS_ENDS_CLAMPED && def->model == SIS_PLATE_FD);
    CHECK(def && def->segments_x == 134 && def->segments_y == 17 && def->modes == 0);
    sis_script_free(script);
    script =
        load("plate{ size = { 1, 2 }, thickness = 1e-3, material_density = 1000, tension = 9,\n"
             "model = 'modal', modes = 50 }");
    def = last_def(script);
    CHECK(def && def->youngs == 0 && def->poisson == 0.3 && def->modes == 50);
    CHECK(def && def->model == SIS_PLATE_MODAL && def->segments_x == 0 && def->segments_y == 0);
    sis_script_free(script);
}

static void places_are_numbers_or_pairs(void) {
    sis_script* script = load_line("force{ on = p, at = { 0.1, 0.2 }, peak = 1, width = 1 }");
    const sis_force_def* force = last_def(script);
    CHECK(force && force->at == 0.1 && force->at_y == 0.2);
    sis_script_free(script);
    script = load_line("force{ on = q, at = 2, peak = 1, width = 1 }");
    force = last_def(script);
    CHECK(force && force->at == 2 && isnan(force->at_y));
    sis_script_free(script);
    script = load_line("probe{ on = p, at = { 0, 0.3 } }"); // the edge can be read
    const sis_probe_def* probe = last_def(script);
    CHECK(probe && probe->at == 0 && probe->at_y == 0.3);
    sis_script_free(script);
    script = load_line("bow{ on = p, at = { 0.1, 0.2 }, force = 1, velocity = 0.1 }");
    const sis_bow_def* bow = last_def(script);
    CHECK(bow && bow->at == 0.1 && bow->at_y == 0.2);
    sis_script_free(script);
    script = load_line("spring{ between = { p, s }, at_a = { 0.1, 0.2 }, at_b = 0.3, K1 = 5 }");
    const sis_spring_def* spring = last_def(script);
    CHECK(spring && spring->at_a == 0.1 && spring->at_a_y == 0.2 && !spring->rigid);
    CHECK(spring && spring->at_b == 0.3 && isnan(spring->at_b_y) && spring->K1 == 5);
    sis_script_free(script);
    script = load_line("spring{ between = { q, p }, at_a = 1, at_b = { 0.1, 0.2 }, rigid = true }");
    spring = last_def(script);
    CHECK(spring && spring->a == 4 && spring->b == 3 && spring->rigid);
    CHECK(spring && spring->at_a == 1 && spring->at_b == 0.1 && spring->at_b_y == 0.2);
    sis_script_free(script);
}

// The places of a contact, on one side of it, as its definition holds them.
static void expect_places(const char* keys, bool above, const double* places, int32_t count) {
    char line[256];
    snprintf(line, sizeof line, "contact{ %s, K = 1, alpha = 1 }", keys);
    sis_script* script = load_line(line);
    const sis_contact_def* def = last_def(script);
    CHECK(def != NULL);
    if (!def) return;
    sis_list own = above ? def->at_above : def->at_below, list = own.count ? own : def->at;
    CHECK(list.count == count);
    for (int32_t i = 0; i < count && list.count == count; i++)
        CHECK(list.values[i] == places[i]);
    sis_script_free(script);
}

static void contacts_take_every_form_of_places(void) {
    static const double places[] = {0.1, 0.2, 0.3, 0.15};
    expect_places("above = m, below = p, at = { 0.1, 0.2 }", false, places, 2);
    expect_places("above = p, below = m, at_above = { 0.1, 0.2 }", true, places, 2);
    expect_places("above = m, below = p, at_below = { { 0.1, 0.2 } }", false, places, 2);
    expect_places("above = b, below = p, at = { { 0.1, 0.2 }, { 0.3, 0.15 } }", false, places, 4);
    expect_places("above = b, below = p, at = { 0.1, 0.2, 0.3, 0.15 }", false, places, 4);
    expect_places("above = s, below = b, at = { 0.1, 0.2, 0.3, 0.15 }", true, places, 4);
    expect_places("above = s, below = m, at = 0.1", true, places, 1);
    expect_places("above = s, below = p, at_above = 0.1, at_below = { 0.1, 0.2 }", false, places,
                  2);
    expect_places("above = s, below = p, at_above = { 0.5, 0.6 },\n"
                  "at_below = { { 0.1, 0.2 }, { 0.3, 0.15 } }",
                  false, places, 4);
    static const double numbers[] = {1, 2};
    expect_places("above = s, below = q, at_above = { 0.5, 0.6 }, at_below = { 1, 2 }", false,
                  numbers, 2);
}

static void two_points_of_one_body_may_touch(void) {
    CHECK(line_loads("contact{ above = s, below = s, at_above = 0.3, at_below = 0.4, K = 1,\n"
                     "alpha = 1 }"));
    CHECK(line_loads("contact{ above = p, below = p, at_above = { 0.1, 0.1 },\n"
                     "at_below = { 0.1, 0.2 }, K = 1, alpha = 1 }"));
    CHECK(line_loads("contact{ above = q, below = q, at_above = 1, at_below = 2, K = 1,\n"
                     "alpha = 1 }"));
    CHECK(line_loads("spring{ between = { s, s }, at_a = 0.3, at_b = 0.4, K1 = 1 }"));
}

static void bows_take_numbers_and_curves(void) {
    sis_script* script = load_line("bow{ on = s, at = 0.2, force = 0.5, velocity = -0.2 }");
    const sis_bow_def* bow = last_def(script);
    CHECK(bow && bow->on == 2 && bow->force == 0.5 && bow->velocity == -0.2);
    CHECK(bow && bow->force_curve.count == 0 && bow->velocity_curve.count == 0);
    CHECK(bow && bow->curve == 100 && bow->method == SIS_BOW_NEWTON);
    sis_script_free(script);
    script = load_line("bow{ on = q, at = 2, force = { { 0, 0 }, { 0.1, 0.5 } }, curve = 40,\n"
                       "velocity = { { 0, 0.1 }, { 1, 0.2 }, { 2, -0.1 } }, method = 'linear' }");
    bow = last_def(script);
    CHECK(bow && isnan(bow->force) && isnan(bow->velocity) && bow->curve == 40);
    CHECK(bow && bow->force_curve.count == 2 && bow->force_curve.points[3] == 0.5);
    CHECK(bow && bow->velocity_curve.count == 3 && bow->velocity_curve.points[5] == -0.1);
    CHECK(bow && bow->method == SIS_BOW_LINEAR);
    sis_script_free(script);
    CHECK(line_loads("bow{ on = m, force = 0, velocity = 0 }"));
    CHECK(line_loads("probe{ on = bow{ on = m, force = 1, velocity = 1 }, quantity = 'force' }"));
    CHECK(
        line_loads("probe{ on = bow{ on = m, force = 1, velocity = 1 }, quantity = 'velocity' }"));
}

static void modes_are_given_by_keys_or_by_position(void) {
    sis_script* script = load("modal{ name = 'bell', modes = {\n"
                              "  { frequency = 440, t60 = 1.5, mass = 0.01, shape = { 1, 0.5 } },\n"
                              "  { 880, 0.5, 0.02, { 2, -0.5 } },\n"
                              "  { frequency = 990, sigma = 7, mass = 0.03, shape = { 3, 0 } },\n"
                              "  { 1200, mass = 0.04, shape = { 4, 0 } },\n"
                              "  { 1300, nil, 0.05, { 5, 0 } } } }");
    const sis_modal_def* def = last_def(script);
    CHECK(def != NULL);
    if (!def) return;
    static const double frequency[] = {440, 880, 990, 1200, 1300};
    static const double shape[] = {1, 0.5, 2, -0.5, 3, 0, 4, 0, 5, 0};
    const double sigma[] = {3 * log(10) / 1.5, 3 * log(10) / 0.5, 7, 0, 0};
    CHECK(strcmp(def->name, "bell") == 0 && def->points == 2 && def->shape.count == 10);
    CHECK(def->frequency.count == 5 && def->sigma.count == 5 && def->mass.count == 5);
    for (int i = 0; i < 5; i++) {
        CHECK(def->frequency.values[i] == frequency[i]);
        CHECK_NEAR(def->sigma.values[i], sigma[i], 1e-12);
        CHECK_NEAR(def->mass.values[i], 0.01 * (i + 1), 1e-15);
    }
    for (int i = 0; i < 10; i++)
        CHECK(def->shape.values[i] == shape[i]);
    sis_script_free(script);
    script = load("modal{ modes = { { 440, 1, 0.01 }, { 550, 1, 0.01, -2 }, { 0, mass = 1 } } }");
    def = last_def(script);
    CHECK(def && def->points == 1 && def->shape.count == 3 && def->shape.values[0] == 1);
    CHECK(def && def->shape.values[1] == -2 && def->shape.values[2] == 1);
    sis_script_free(script);
    CHECK(loads("local m = {} for i = 1, 20000 do m[i] = { i, 1, 1 } end modal{ modes = m }"));
    CHECK(
        loads("local x = {} for i = 1, 1000 do x[i] = i end modal{ modes = { { 1, 1, 1, x } } }"));
}

static void driven_masses_are_fingers(void) {
    CHECK(line_loads("local finger = mass{ path = { { 0, 0.01 }, { 0.1, -1e-3 } } }\n"
                     "contact{ above = finger, below = s, at_below = 0.3, K = 1e6, alpha = 2 }\n"
                     "spring{ between = { finger, p }, at_b = { 0.1, 0.1 }, damping = 1 }"));
}

// ---------------------------------------------------------------------------- what may not be said

// Fields that a scene spells otherwise.
static void hidden_fields_are_no_keys(void) {
    static const char* const calls[][2] = {
        {"plate{ length = 1 }", "length"},
        {"plate{ width = 1 }", "width"},
        {"plate{ segments_x = 1 }", "segments_x"},
        {"plate{ segments_y = 1 }", "segments_y"},
        {"modal{ frequency = 1 }", "frequency"},
        {"modal{ sigma = 1 }", "sigma"},
        {"modal{ mass = 1 }", "mass"},
        {"modal{ shape = 1 }", "shape"},
        {"modal{ points = 1 }", "points"},
        {"bow{ force_curve = 1 }", "force_curve"},
        {"bow{ velocity_curve = 1 }", "velocity_curve"},
        {"bow{ at_y = 1 }", "at_y"},
        {"force{ at_y = 1 }", "at_y"},
        {"probe{ at_y = 1 }", "at_y"},
        {"spring{ at_a_y = 1 }", "at_a_y"},
        {"spring{ at_b_y = 1 }", "at_b_y"},
        {"spring{ b = 1 }", "b"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char sentence[64];
        snprintf(sentence, sizeof sentence, ": unknown key '%s'", calls[i][1]);
        refused(calls[i][0], sentence, "scene.lua:1: ");
    }
    refused("plate{ colour = 1 }",
            "its keys are name, size, thickness, material_density, youngs, poisson, tension,",
            "sigma0, sigma1, edge, model, modes, segments");
    refused("modal{ colour = 1 }", "its keys are name, modes", "");
    refused("bow{ colour = 1 }", "its keys are name, on, at, force, velocity, curve, method", "");
    refused("plate{ sise = 1 }", "did you mean 'size'", "");
}

static void wrong_plates_are_refused(void) {
    static const char* const keys[][2] = {
        {"size = 1", "plate: size: expected {lx, ly} (m), got number 1"},
        {"size = { 1 }", "size: expected {lx, ly} (m), got a table that is not just two numbers"},
        {"size = { 1, 2, 3 }", "size: expected {lx, ly} (m), got a table that is not just two"},
        {"size = { x = 1, y = 2 }", "size: expected {lx, ly} (m)"},
        {"size = { 1, 2, z = 3 }", "size: expected {lx, ly} (m)"},
        {"size = { 1, '2' }", "plate: size: number 2: expected a number (m), got text '2'"},
        {"size = { 0, 2 }", "plate: size: number 1 = 0 m is outside 1e-3 .. 1e3"},
        {"size = { 1, 0/0 }", "plate: size: number 2 = nan m is not a number"},
        {"segments = 30", "plate: segments: expected {nx, ny}, got number 30"},
        {"segments = { 30, 1 }", "plate: segments: number 2 = 1 is outside 2 .. 1e4"},
        {"segments = { 30.5, 4 }", "segments: number 1 = 30.5 is not a whole number"},
        {"poisson = 0.5", "poisson = 0.5 is outside 0 .. 0.499"},
        {"youngs = 0", "without 'youngs' (Pa) or 'tension' (N/m) nothing brings it back"},
        {"modes = 5", "'modes' belongs to model = \"modal\""},
        {"edge = 'free'", "edge = \"free\" is unknown; it can be \"supported\", \"clamped\""},
        {"model = 'modal', edge = 'clamped'", "have supported edges: clamp an fd plate"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "plate{ size = { 1, 1 }, thickness = 1, material_density = 1, youngs = 1,\n%s }",
                 keys[i][0]);
        refused(text, keys[i][1], "scene.lua:");
    }
    refused("plate{ thickness = 1 }", "plate: needs 'size' = {lx, ly} (m)", "");
    refused("plate{ size = { 1, 1 } }", "plate: needs 'thickness' (m)", "");
}

static void wrong_places_are_refused(void) {
    line_refused("force{ on = p, at = 0.1, peak = 1, width = 1 }", "force: 'at' = {x, y} (m)",
                 "plate 'p', which is 0.4 m by 0.3 m");
    line_refused("force{ on = p, peak = 1, width = 1 }", "'at' = {x, y} (m) is missing", "");
    line_refused("force{ on = p, at = { 0.1, 0.4 }, peak = 1, width = 1 }",
                 "'at' = {0.1, 0.4} m is off plate 'p'", "0.4 m by 0.3 m");
    line_refused("force{ on = s, at = { 0.1, 0.2 }, peak = 1, width = 1 }",
                 "'at' = {x, y} is a place on a plate, and 's' is none", "");
    line_refused("force{ on = p, at = { 0.1, -0.1 }, peak = 1, width = 1 }",
                 "force: at: number 2 = -0.1 m is outside 0 .. 1e4", "");
    line_refused("probe{ on = p, at = { 0.1, 0.2, 0.3 } }",
                 "probe: at: expected a number (m) or {x, y}, got a table that is not just two",
                 "");
    line_refused("probe{ on = p, at = 'middle' }",
                 "probe: at: expected a number (m) or {x, y}, got text 'middle'", "");
    line_refused("probe{ on = q, at = 3 }", "places 1 to 2 of modal body 'q', got 3", "'at'");
    line_refused("probe{ on = q, at = 1.5 }", "places 1 to 2 of modal body 'q', got 1.5", "");
    line_refused("spring{ between = { p, 'ground' }, at_a = { 0.5, 0.1 }, K1 = 1 }",
                 "'at_a' = {0.5, 0.1} m is off plate 'p'", "");
    line_refused("bow{ on = p, at = { 0, 0.1 }, force = 1, velocity = 1 }",
                 "'at' = {0, 0.1} m is off plate 'p' or on its edge", "");
}

static void wrong_places_of_contacts_are_refused(void) {
    static const char* const keys[][2] = {
        {"above = m, below = p, at = { { 0.1, 0.2 }, 0.3 }",
         "at: expected numbers or pairs {x, y}"},
        {"above = m, below = p, at = { 0.1, { 0.2, 0.3 } }",
         "at: expected numbers or pairs {x, y}, got both"},
        {"above = m, below = p, at_below = { { 0.1 } }",
         "at_below: place 1: expected two numbers {x, y}"},
        {"above = m, below = p, at_below = { { 0.1, 0.1 }, { { 0.1 }, 0.1 } }",
         "at_below: place 2: expected a number (m), got a table"},
        {"above = m, below = p, at_below = { { 0.1, '1' } }",
         "at_below: place 1: expected a number (m), got text '1'"},
        {"above = m, below = p, at_below = { { 0.1, -1 } }",
         "at_below: place 1 = -1 m is outside 0 .. 1e4"},
        {"above = m, below = p, at = { { 0.1, 0.2 }, 'x' }",
         "at: number 2: expected a number (m), got text 'x'"},
        {"above = m, below = p, at = {}",
         "at: expected a number (m) or a list of numbers or of pairs {x, y}, got a table without"},
        {"above = m, below = p, at = 0.1", "a place on a plate has two numbers, {x, y}"},
        {"above = m, below = p, at = { 0.1, 0.1, 0.1 }", "a place on a plate has two numbers"},
        {"above = m, below = p", "'at_below' = {x, y} (m) is missing: the place on plate 'p'"},
        {"above = m, below = p, at = { 0.1, 0.5 }", "'at' = {0.1, 0.5} m is off plate 'p'"},
        {"above = s, below = m, at = { { 0.1, 0.2 } }",
         "at: {x, y} is a place on a plate, and 's' is none"},
        {"above = s, below = p, at_above = { { 0.1, 0.2 } }, at_below = { 0.1, 0.2 }",
         "at_above: {x, y} is a place on a plate, and 's' is none"},
        {"above = p, below = q, at_above = { 0.1, 0.2 }, at_below = { { 1, 2 } }",
         "at_below: {x, y} is a place on a plate, and 'q' is none"},
        {"above = s, below = p, at = { 0.1, 0.2 }", "give 'at_above' and 'at_below'"},
        {"above = s, below = s, at = 0.3", "the same point of the same body"},
        {"above = s, below = s", "the same body"},
        {"above = p, below = p, at = { 0.1, 0.1 }", "the same point of the same body"},
        {"above = q, below = q, at_above = 2, at_below = 2", "the same point of the same body"},
        {"above = m, below = m", "the same body"},
        {"above = q, below = b, at = 5", "places 1 to 2 of modal body 'q', got 5"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "contact{ %s, K = 1, alpha = 1 }", keys[i][0]);
        line_refused(line, keys[i][1], "contact: ");
    }
    line_refused("contact{ K = 1, alpha = 1 }", "contact: needs 'above': the upper body", "");
    line_refused("contact{ above = 'm', below = p, K = 1, alpha = 1 }", "contact: above: expected",
                 "got text 'm'");
}

static void wrong_bows_are_refused(void) {
    static const char* const keys[][2] = {
        {"on = s, at = 0.2, force = -0.5, velocity = 1", "bow: force = -0.5 N is outside 0 .. 1e9"},
        {"on = s, at = 0.2, force = { { 0, 1 }, { 1, -1 } }, velocity = 1",
         "bow: force: point 2 = -1 N is outside 0 .. 1e9"},
        {"on = s, at = 0.2, force = 0/0, velocity = 1", "force = nan N is not a number"},
        {"on = s, at = 0.2, force = 'hard', velocity = 1",
         "bow: force: expected a number (N) or an envelope {{t, v}, ...}, got text 'hard'"},
        {"on = s, at = 0.2, force = {}, velocity = 1", "force: expected an envelope {{t, v}, ...}"},
        {"on = s, at = 0.2, force = { 1, 2 }, velocity = 1", "force: point 1: expected {t, v}"},
        {"on = s, at = 0.2, force = 1, velocity = { { 1, 0 }, { 0, 1 } }",
         "bow: velocity: point 2: its time 0 s must be later than 1 s"},
        {"on = s, at = 0.2, velocity = 1", "bow: needs 'force' (N)"},
        {"on = s, at = 0.2, force = 1", "bow: needs 'velocity' (m/s)"},
        {"force = 1, velocity = 1", "bow: needs 'on'"},
        {"on = s, force = 1, velocity = 1", "'at' (m) is missing: the place along string 's'"},
        {"on = b, force = 1, velocity = 1", "'on' must be a mass, string, plate or modal body"},
        {"on = m, at = 0.1, force = 1, velocity = 1", "'m' is none"},
        {"on = m, force = 1, velocity = 1, curve = 0", "curve = 0 s^2/m^2 is outside 1e-6 .. 1e12"},
        {"on = m, force = 1, velocity = 1, method = 'exact'", "\"newton\", \"linear\""},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char line[256];
        snprintf(line, sizeof line, "bow{ %s }", keys[i][0]);
        line_refused(line, keys[i][1], "bow: ");
    }
    line_refused("probe{ on = bow{ on = m, force = 1, velocity = 1 } }", "no displacement", "bow");
}

static void wrong_modes_are_refused_by_their_number(void) {
    static const char* const modes[][2] = {
        {"{}", "modes: expected {{frequency, t60, mass, shape}, ...}, got a table without modes"},
        {"5", "modes: expected {{frequency, t60, mass, shape}, ...}, got number 5"},
        {"{ 440, 1, 0.01 }", "mode 1: expected {frequency, t60, mass, shape}, got number 440"},
        {"{ { 1, 1, 1 }, 3 }", "mode 2: expected {frequency, t60, mass, shape}, got number 3"},
        {"{ { 1, 1, 1 }, nil, { 1, 1, 1 } }", "got a table with gaps or keys"},
        {"{ { 1, 1, 1 }, { mass = 1 } }", "mode 2: needs 'frequency' (Hz)"},
        {"{ { 1, 1, 1 }, { 1, 1 } }", "mode 2: needs 'mass' (kg)"},
        {"{ {} }", "mode 1: needs 'frequency' (Hz)"},
        {"{ { 1, 1, 1 }, { freqency = 1 } }",
         "mode 2: unknown key 'freqency' (did you mean 'frequency'?)"},
        {"{ { 1, 1, 1, colour = 2 } }",
         "mode 1: unknown key 'colour'; its keys are frequency, t60 or sigma, mass, shape"},
        {"{ { 1, 1, 1, 1, 1 } }", "mode 1: expected just {frequency, t60, mass, shape}, or keys"},
        {"{ { 1, 1, 1, frequency = 2 } }",
         "mode 1: 'frequency' is given twice, by its key and by its position"},
        {"{ { 1, 1, 1, sigma = 2 } }", "mode 1: give 't60' or 'sigma', not both"},
        {"{ { '1', 1, 1 } }", "mode 1: frequency: expected a number (Hz), got text '1'"},
        {"{ { -1, 1, 1 } }", "mode 1: frequency = -1 Hz is outside 0 .. 1e9"},
        {"{ { 1, 0, 1 } }", "mode 1: t60 = 0 s is outside 1e-3 .. 1e6"},
        {"{ { 1, 0/0, 1 } }", "mode 1: t60 = nan s is not a number"},
        {"{ { 1, sigma = -1, mass = 1 } }", "mode 1: sigma = -1 1/s is outside 0 .. 1e6"},
        {"{ { 1, 1, 0 } }", "mode 1: mass = 0 kg is outside 1e-12 .. 1e12"},
        {"{ { 1, 1, 1, 'x' } }", "mode 1: shape: expected a number or a list"},
        {"{ { 1, 1, 1, {} } }", "mode 1: shape: expected a number or a list"},
        {"{ { 1, 1, 1, { 1, 'x' } } }", "mode 1: shape: expected a number, got text 'x'"},
        {"{ { 1, 1, 1, { 1, 1/0 } } }", "mode 1: shape = inf is outside -1e6 .. 1e6"},
        {"{ { 1, 1, 1, { 1, nil, 3 } } }", "mode 1: shape: expected a number or a list"},
        {"{ { 1, 1, 1, { 1, 2 } }, { 1, 1, 1, { 1, 2 } }, { 1, 1, 1, { 1 } } }",
         "mode 3: shape has 1 number, but mode 1 has 2: one for each place"},
        {"{ { 1, 1, 1, { 1, 2 } }, { 1, 1, 1 } }", "mode 2: shape has 1 number, but mode 1 has 2"},
        {"{ { 1, 1, 1, 0 } }", "no mode moves at place 1: its shapes are all 0"},
        {"{ { 1, 1, 1, { 1, 0 } }, { 1, 1, 1, { 1, 0 } } }", "no mode moves at place 2"},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "\nmodal{ modes = %s }", modes[i][0]);
        refused(text, modes[i][1], "scene.lua:2: modal: ");
    }
    refused("modal{}", "modal: needs 'modes' = {{frequency, t60, mass, shape}, ...}", "");
}

static void bodies_of_too_many_modes_are_refused_soon(void) {
    refused("local m = {} for i = 1, 20001 do m[i] = { i, 1, 1 } end modal{ modes = m }",
            "modal: modes: at most 20000 modes, got 20001", "");
    refused("local x = {} for i = 1, 1001 do x[i] = i end modal{ modes = { { 1, 1, 1, x } } }",
            "modal: modes: mode 1: shape: at most 1000 places, got 1001", "");
    refused("local x, m = {}, {} for i = 1, 101 do x[i] = i end\n"
            "for i = 1, 1000 do m[i] = { i, 1, 1, x } end modal{ modes = m }",
            "modes: 1000 modes at 101 places are more than 100000 numbers", "scene.lua:2: modal: ");
    refused("local m, t = { 1, 1, 1 }, {} for i = 1, 1e6 + 1 do t[i] = m end modal{ modes = t }",
            "too many modes (1000000 in one scene)", "");
    refused("local m = { 1, 1, 1 } for i = 5, 3e5 do m[i] = 1 end modal{ modes = { m } }",
            "mode 1: expected just", "");
    static const char text[] = ALL "bow{ on = s, at = 0.2, force = { { 0, 1 } }, velocity = 1 }\n"
                                   "contact{ above = m, below = p, at = { { 0.1, 0.1 } }, K = 1,\n"
                                   "alpha = 1 }";
    for (size_t memory = 0; memory < 60000; memory += 211) {
        sis_limits limits = sis_limits_default;
        limits.memory = memory;
        sis_script* script =
            sis_script_load_limited(text, strlen(text), "scene.lua", NULL, 0, &limits, &error);
        CHECK(script || strstr(error.text, "memory"));
        sis_script_free(script);
    }
}

static void wrong_springs_are_refused(void) {
    line_refused("spring{ between = { m, 'ground' }, K1 = -1 }",
                 "spring: K1 = -1 N/m is outside 0 .. 1e20", "");
    line_refused("spring{ between = { m, 'ground' }, rigid = 1 }",
                 "spring: rigid: expected true or false, got number 1", "");
    line_refused("spring{ between = { m, 'ground' }, rigid = true, K1 = 1 }",
                 "it is 'rigid', so K1, K3 and damping have no meaning", "");
    line_refused("spring{ between = { m, b } }", "'between' must be a mass, string, plate", "");
    line_refused("spring{ between = { s, s }, at_a = 0.3, at_b = 0.3, K1 = 1 }", "the same", "");
    line_refused("spring{ between = { p, m }, K1 = 1 }", "'at_a' = {x, y} (m) is missing", "");
    line_refused("spring{ between = { p }, K1 = 1 }", "plates, modal bodies or \"ground\"",
                 "got nothing");
}

// ---------------------------------------------------------------------------- compiled

static sis_system* compile(const sis_script* script, double rate, sis_error* why) {
    sis_options options = sis_options_default(sis_script_scene(script));
    options.rate = rate;
    return sis_compile(sis_script_scene(script), &options, why);
}

// ALL and a line load, but cannot run at 44.1 kHz.
static void not_compiled(const char* line, const char* part, const char* other_part) {
    sis_script* script = load_line(line);
    CHECK(script != NULL);
    if (!script) return;
    sis_error why = {.status = SIS_OK};
    sis_system* system = compile(script, 44100, &why);
    CHECK(!system && why.status == SIS_REFUSED && !strchr(why.text, '\n'));
    CHECK_TEXT(why.text, part);
    CHECK_TEXT(why.text, other_part);
    sis_system_free(system);
    sis_script_free(script);
}

static void what_cannot_run_is_refused_when_compiled(void) {
    not_compiled("plate{ name = 'fine', size = { 0.4, 0.3 }, thickness = 1e-3,\n"
                 "material_density = 7850, youngs = 2e11, segments = { 400, 300 } }",
                 "plate 'fine': 'segments' = {400, 300} cannot be stable at 44100 steps per second",
                 "needs about {34, 25} at most");
    not_compiled("modal{ name = 'bell', modes = { { 440, 1, 1 }, { 22000, 1, 1 } } }",
                 "modal 'bell': 'modes': mode 2, 22000 Hz, is too high", "rate");
    not_compiled("local n = mass{ mass = 1 } local o = mass{ mass = 1 }\n"
                 "spring{ between = { m, n }, rigid = true }\n"
                 "spring{ between = { n, o }, rigid = true }\n"
                 "spring{ name = 'third', between = { o, m }, rigid = true }",
                 "spring 'third': 'rigid': it is redundant", "rigid");
}

// What scenes and manual promise of rigid springs: the distance of the start, one velocity.
static void rigid_ends_keep_their_distance(void) {
    sis_script* script = load("local a = mass{ mass = 1, velocity = 1 }\n"
                              "local b = mass{ mass = 3, position = 1e-3 }\n"
                              "spring{ between = { a, b }, rigid = true }\n"
                              "probe{ on = a } probe{ on = b }\n"
                              "probe{ on = a, quantity = 'velocity' }");
    sis_error why = {.status = SIS_OK};
    sis_system* system = script ? compile(script, 8000, &why) : NULL;
    CHECK(system != NULL);
    sis_script_free(script);
    if (!system) return;
    double rows[100][3];
    void* memory = aligned_alloc(64, sis_state_size(system));
    sis_step(system, sis_state_init(system, memory), &(sis_block){100, &rows[0][0], NULL, NULL});
    for (int n = 0; n < 100; n++)
        CHECK_NEAR(rows[n][1] - rows[n][0], 1e-3, 1e-15);
    CHECK_NEAR(rows[99][2], 0.25, 1e-12);
    free(memory);
    sis_system_free(system);
}

// Everything at once: the balance of a bowed string on a plate, with a modal body and a rigid
// spring.
static void a_scene_of_all_bodies_runs(void) {
    sis_script* script = load_line(
        "local bridge = mass{ mass = 1e-3, frequency = 500 }\n"
        "contact{ above = s, below = bridge, at = 0.9, K = 5e6, alpha = 1.3, law = 'two-sided' }\n"
        "contact{ above = bridge, below = p, at_below = { 0.3, 0.1 }, K = 5e8, alpha = 1.3 }\n"
        "contact{ above = q, below = p, at_above = { 1, 2 }, gap = 1e-6,\n"
        "  at_below = { { 0.1, 0.1 }, { 0.1, 0.2 } }, K = 1e6, alpha = 1.5 }\n"
        "local n = mass{ mass = 0.1 } spring{ between = { n, p }, at_b = { 0.2, 0.1 },\n"
        "  rigid = true }\n"
        "bow{ on = s, at = 0.13, force = { { 0, 0 }, { 0.01, 0.5 } }, velocity = 0.2 }\n"
        "probe{ on = p, at = { 0.35, 0.25 }, quantity = 'velocity' }");
    CHECK(script != NULL);
    if (!script) return;
    sis_error why = {.status = SIS_OK};
    sis_system* system = compile(script, 44100, &why);
    sis_script_free(script);
    CHECK(system != NULL);
    if (!system) printf("%s\n", why.text);
    if (!system) return;
    enum { FRAMES = 2000 };
    static double rows[FRAMES];
    static sis_energy energy[FRAMES];
    void* memory = aligned_alloc(64, sis_state_size(system));
    sis_state* state = sis_state_init(system, memory);
    sis_step(system, state, &(sis_block){FRAMES, rows, energy, NULL});
    double most = 0, worst = 0, heard = 0;
    for (int n = 0; n < FRAMES; n++) {
        most = fmax(most, energy[n].total);
        worst = fmax(worst, fabs(energy[n].residual));
        heard = fmax(heard, fabs(rows[n]));
    }
    CHECK(most > 0 && heard > 0);
    CHECK_NEAR(worst / most, 0, 1e-11);
    free(memory);
    sis_system_free(system);
}

int main(void) {
    RUN(pairs_of_a_plate_are_two_fields_each);
    RUN(places_are_numbers_or_pairs);
    RUN(contacts_take_every_form_of_places);
    RUN(two_points_of_one_body_may_touch);
    RUN(bows_take_numbers_and_curves);
    RUN(modes_are_given_by_keys_or_by_position);
    RUN(driven_masses_are_fingers);
    RUN(hidden_fields_are_no_keys);
    RUN(wrong_plates_are_refused);
    RUN(wrong_places_are_refused);
    RUN(wrong_places_of_contacts_are_refused);
    RUN(wrong_bows_are_refused);
    RUN(wrong_modes_are_refused_by_their_number);
    RUN(bodies_of_too_many_modes_are_refused_soon);
    RUN(wrong_springs_are_refused);
    RUN(what_cannot_run_is_refused_when_compiled);
    RUN(rigid_ends_keep_their_distance);
    RUN(a_scene_of_all_bodies_runs);
    return CHECK_REPORT();
}
