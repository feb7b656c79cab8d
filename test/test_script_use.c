// use "bodies/...": bodies of the shipped library. What the file says is what the scene gets, in its
// sandbox and on its budget; energy stays in balance whatever the scene changes of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "script_help.h"

static sis_modal_def body_of(const sis_script* script, sis_id id) {
    sis_modal_def def = {.name = ""};
    CHECK(sis_scene_kind(sis_script_scene(script), id) == SIS_KIND_MODAL);
    CHECK(sis_scene_get(sis_script_scene(script), id, &def));
    return def;
}

static void the_scene_gets_the_body(void) {
    const sis_library_file* file;
    for (int32_t i = 0; (file = sis_library_at(i)); i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local a = use '%s'\nlocal b = use{ '%s', name = 'b', size = 2, decay = 0.5 }\n"
                 "\nprobe{ on = b, at = 3 }",
                 file->name, file->name);
        sis_script* script = load(text);
        CHECK(script != NULL);
        if (!script) continue;
        sis_modal_def a = body_of(script, 0), b = body_of(script, 1);
        CHECK_TEXT(b.name, "b");
        CHECK(sis_script_line(script, 0) == 1 && sis_script_line(script, 1) == 2);
        CHECK(a.points == 3 && b.points == 3 && b.frequency.count > a.frequency.count);
        CHECK(a.frequency.values[a.frequency.count - 1] <= 5000);
        for (int32_t k = 0; k < a.frequency.count; k++) {
            CHECK_NEAR(b.frequency.values[k], a.frequency.values[k] / 2, 1e-9);
            CHECK_NEAR(b.mass.values[k], a.mass.values[k] * 8, 1e-9);
            // Half the frequency and half the quality: the same loss.
            CHECK_NEAR(b.sigma.values[k], a.sigma.values[k], 1e-9 * a.sigma.values[k]);
            CHECK(k == 0 || a.frequency.values[k] > a.frequency.values[k - 1]);
        }
        sis_script_free(script);
    }
    CHECK(!sis_library_at(-1));
}

// The mean of the real part of the mobility at a place, over frequencies with many modes: every
// mode has pi shape^2 / (2 mass) under its peak.
static double mean_mobility(const char* name, double from, double to) {
    char text[100];
    snprintf(text, sizeof text, "use '%s'", name);
    sis_script* script = load(text);
    sis_modal_def d = script ? body_of(script, 0) : (sis_modal_def){.name = ""};
    double area = 0;
    for (int32_t k = 0; k < d.frequency.count; k++) {
        double shape = d.shape.values[k * d.points];
        if (d.frequency.values[k] > from && d.frequency.values[k] < to)
            area += acos(-1.0) / 2 * shape * shape / d.mass.values[k];
    }
    sis_script_free(script);
    return area / (2 * acos(-1.0) * (to - from));
}

static void bridges_move_as_the_files_say(void) {
    double guitar = mean_mobility("bodies/guitar", 600, 4800);
    double board = mean_mobility("bodies/soundboard", 200, 4800);
    printf("        mean mobility: guitar %.3g, soundboard %.3g m/s/N\n", guitar, board);
    CHECK_NEAR(guitar, 0.022, 0.002);
    CHECK_NEAR(board, 0.002, 0.0002);
    double low = mean_mobility("bodies/violin", 700, 1300);
    double hill = mean_mobility("bodies/violin", 2000, 2800);
    CHECK(hill > 1.5 * low && hill > 1.5 * mean_mobility("bodies/violin", 4000, 4900));
}

/** Residual of half a second of a plucked string over the body; -1: it does not run. */
static double residual(const char* name, double size, double decay, double rate, double K) {
    char text[700];
    snprintf(text, sizeof text,
             "local s = string{ length = 0.66, frequency = 147, density = 3e-3, sigma0 = 0.4 }\n"
             "local body = use{ '%s', size = %.17g, decay = %.17g, highest = 3000 }\n"
             "spring{ between = { s, body }, at_a = 0.645, at_b = 1, K1 = %.17g }\n"
             "contact{ above = s, below = body, at_above = 0.6, at_below = 2, gap = 1e-4,\n"
             "         K = 1e7, alpha = 1.5, damping = 0.2 }\n"
             "pluck{ on = s, at = 0.2, height = 2e-3 }\n"
             "render{ rate = %.17g }",
             name, size, decay, K, rate);
    sis_script* script = load(text);
    if (!script) printf("%s\n-> %s\n", text, error.text);
    if (!script) return -1;
    const sis_options options = sis_options_default(sis_script_scene(script));
    sis_error why = {.status = SIS_OK};
    sis_system* system = sis_compile(sis_script_scene(script), &options, &why);
    if (!system) printf("%s\n-> %s\n", text, why.text);
    double worst = -1;
    void* memory = system ? aligned_alloc(64, (sis_state_size(system) + 63) / 64 * 64) : NULL;
    if (memory) {
        enum { STEPS = 8000 };
        static sis_energy energy[STEPS];
        sis_state* state = sis_state_init(system, memory);
        sis_step(system, state, &(sis_block){.frames = STEPS, .energy = energy});
        sis_balance balance = {0, 0, 0};
        sis_balance_add(&balance, energy, STEPS);
        worst = sis_balance_residual(&balance);
    }
    free(memory);
    sis_system_free(system);
    sis_script_free(script);
    return worst;
}

static void energy_is_balanced(void) {
    double worst = 0;
    srand(5);
    const double rates[] = {22050, 44100, 96000};
    for (int i = 0; i < 60; i++) {
        double u = rand() / (double)RAND_MAX, v = rand() / (double)RAND_MAX;
        const char* name = sis_library_at(i % 3)->name;
        double off = residual(name, 0.5 * pow(6, u), 0.1 * pow(50, v), rates[i / 3 % 3],
                              1e4 * pow(1e3, rand() / (double)RAND_MAX));
        CHECK(off >= 0 && off < 1e-13);
        worst = fmax(worst, off);
    }
    printf("        60 networks: residual %.2g\n", worst);
}

static void it_leaves_the_scene_alone(void) {
    CHECK(loads(BODIES "local before = math.random() math.randomseed()\n"
                       "use 'bodies/violin' assert(math.random() == before)"));
    CHECK(loads(BODIES "use 'bodies/guitar' assert(body_of_modes == nil)"));
    CHECK(loads(BODIES "string.twice = function(s) return s .. s end use 'bodies/guitar'\n"
                       "assert(('x'):twice() == 'xx')"));
}

static void the_scene_leaves_it_alone(void) {
    const char* const changes[] = {
        "type = 'nylon' ",
        "math.pi = 3 math.sqrt = nil ",
        "math = nil modal = 5 ",
        "function ipairs() while true do end end ",
        "string = nil _ENV.error = nil ",
    };
    const char* const uses[] = {"use{ 'bodies/violin', size = 0.5 }", "use 'bodies/soundboard'"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        for (size_t k = 0; k < sizeof uses / sizeof uses[0]; k++) {
            char text[200];
            snprintf(text, sizeof text, "%s%s", changes[i], uses[k]);
            sis_script *plain = load(uses[k]), *changed = load(text);
            CHECK(plain && changed);
            if (!plain || !changed) printf("%s\n-> %s\n", text, error.text);
            if (plain && changed) {
                sis_modal_def a = body_of(plain, 0), b = body_of(changed, 0);
                size_t size = (size_t)a.frequency.count * sizeof(double);
                CHECK(a.frequency.count == b.frequency.count);
                CHECK(!memcmp(a.frequency.values, b.frequency.values, size));
                CHECK(!memcmp(a.sigma.values, b.sigma.values, size));
                CHECK(!memcmp(a.mass.values, b.mass.values, size));
            }
            sis_script_free(plain);
            sis_script_free(changed);
        }
}

static void every_decay_gives_a_body(void) {
    for (int32_t i = 0; sis_library_at(i); i++)
        for (int k = 0; k < 9; k++) {
            const double sizes[] = {0.1, 1, 10}, decays[] = {0.01, 1, 100};
            char text[200];
            snprintf(text, sizeof text, "use{ '%s', size = %g, decay = %g }",
                     sis_library_at(i)->name, sizes[k % 3], decays[k / 3]);
            CHECK(loads(text));
        }
}

static void wrong_uses_are_refused(void) {
    refused("use()", "scene.lua:1: use: takes the name of a file of the library", "");
    refused("use{ size = 2 }", "use: takes the name of a file of the library", "size = 1.1");
    refused("use(3)", "use: takes the name of a file", "");
    refused("use('bodies/guitar', 1)", "use: takes the name of a file", "");
    refused("use{ 'bodies/guitar', 1 }", "use: takes the name of a file", "");
    refused("use{ 3 }", "use: the file: expected text, got number 3", "");
    refused("\nuse 'bodies/gitar'", "scene.lua:2: use: the library has no 'bodies/gitar'",
            "(did you mean 'bodies/guitar'?)");
    refused("use '../secret'", "use: the library has no '../secret'; it has bodies/guitar, ", "");
    refused("use '/etc/passwd'", "use: the library has no '/etc/passwd'", "");
    refused("use 'a\\0b'", "use: the file: the text has a control character", "");
    refused("use{ 'bodies/guitar', siz = 2 }", "unknown key 'siz' (did you mean 'size'?)", "");
    refused("use{ 'bodies/guitar', colour = 2 }", "its keys are name, size, decay, highest", "");
    refused("use{ 'bodies/guitar', size = 0 }", "use: size = 0 is outside 0.1 .. 10", "");
    refused("use{ 'bodies/guitar', decay = 0/0 }", "use: decay = ", "is not a number");
    refused("use{ 'bodies/guitar', highest = 10 }", "highest = 10 Hz is outside 1e3 .. 9e4", "");
    refused("use{ 'bodies/guitar', name = 5 }", "use: name: expected text, got number 5", "");
    refused("local b = use 'bodies/guitar'\nprobe{ on = b }",
            "scene.lua:2: probe: 'at' is missing: a place of modal body 'guitar body', 1 to 3", "");
    refused("use{ 'bodies/violin', size = 0.1, highest = 1000 }",
            "scene.lua:1: use: no mode of this body is below highest", "");
    refused("local a = input{ 'a', 1 } use{ 'bodies/guitar', size = a }", "got input 'a'", "moves");
    refused("use 'bodies/guitar'\nuse 'bodies/guitar'", "scene.lua:2: modal 'guitar body'",
            "is taken");
    refused("local i = 0\nwhile true do i = i + 1 use{ 'bodies/soundboard', name = 'b' .. i } end",
            "scene.lua:2: ", "");
    refused("use = 3\nuse 'x'", "scene.lua:2: 'use' is a word of scenes", "another meaning");
}

int main(void) {
    RUN(the_scene_gets_the_body);
    RUN(bridges_move_as_the_files_say);
    RUN(energy_is_balanced);
    RUN(it_leaves_the_scene_alone);
    RUN(the_scene_leaves_it_alone);
    RUN(every_decay_gives_a_body);
    RUN(wrong_uses_are_refused);
    return CHECK_REPORT();
}
