// Bodies that were added as docs/architecture.md says, by bar.c and pair.c, rows of schema.def and
// lines of sistrum.h: everything that works on other bodies works on them.
#include <stdlib.h>

#include "check.h"
#include "script.h"
#include "sistrum/sistrum.h"

#define PI 3.14159265358979323846

// rho A = 0.5 kg/m: 0.15 kg. Its first bend is at 22.3733/(2 pi) sqrt(EI/rho A)/L^2 = 306 Hz.
#define BAR                                                                                        \
    "local b = bar { name = 'b', length = 0.3, density = 0.5, stiffness = 30, sigma = 2, modes = " \
    "6 }\n"

typedef struct run {
    sis_script* script;
    sis_system* system;
    sis_state* state;
    double* rows;
    sis_balance balance;
    char error[1024];
} run;

static run play(const char* text, sis_scheme scheme, int32_t frames) {
    run r = {0};
    sis_script_error wrong = {0};
    sis_error error = {0};
    r.script = sis_script_load_text(text, strlen(text), "test.lua", NULL, 0, &wrong);
    snprintf(r.error, sizeof r.error, "%s", wrong.text);
    if (!r.script) return r;
    sis_options options = sis_options_default(sis_script_scene(r.script));
    options.scheme = scheme;
    r.system = sis_compile(sis_script_scene(r.script), &options, &error);
    snprintf(r.error, sizeof r.error, "%s", error.text);
    if (!r.system) return r;
    r.state = sis_state_init(r.system, aligned_alloc(64, sis_state_size(r.system)));
    size_t probes = (size_t)sis_system_probe_count(r.system), count = (size_t)frames;
    sis_energy* energy = calloc(count + 1, sizeof *energy);
    r.rows = calloc(count * probes + 1, sizeof *r.rows);
    sis_step(r.system, r.state, &(sis_block){frames, r.rows, energy, NULL});
    sis_balance_add(&r.balance, energy, frames);
    free(energy);
    return r;
}

static void end(run* r) {
    free(r->rows);
    free(r->state);
    sis_system_free(r->system);
    sis_script_free(r->script);
}

static double largest(const run* r, int32_t frames) {
    double most = 0;
    for (int32_t i = 0; i < frames; i++)
        most = fmax(most, fabs(r->rows[i]));
    return most;
}

// ---------------------------------------------------------------------------- collisions

// What meets the bar; x stands for further keys of the contact.
static const char* const partners[] = {
    "local m = mass { mass = 0.05, position = 0.01, velocity = -2 }\n"
    "contact { above = m, below = b, at_below = 0.11, K = 2e6, alpha = 1, damping = D }\n"
    "probe { on = b, quantity = 'force' }",

    "local s = string { length = 0.65, tension = 80, density = 4e-3, sigma0 = 0.5 }\n"
    "contact { above = s, below = b, at_above = 0.2, at_below = 0.1, gap = -1e-3, K = 2e5, alpha = "
    "1, damping = D }\n"
    "force { on = b, at = 0.15, peak = 30, width = 2e-3 }\n"
    "probe { on = b, quantity = 'force' }",

    "local s = string { length = 0.3, tension = 80, density = 4e-3, model = 'implicit' }\n"
    "contact { above = s, below = b, gap = -1e-4, K = 1e7, alpha = 1, damping = D }\n"
    "force { on = b, at = 0.15, peak = 30, width = 2e-3 }\n"
    "probe { on = b, quantity = 'force' }",

    "local p = plate { size = { 0.3, 0.2 }, thickness = 2e-3, material_density = 2700, youngs = "
    "7e10, sigma0 = 1 }\n"
    "contact { above = b, below = p, at_above = 0.2, at_below = { 0.12, 0.07 }, gap = 1e-4, K = "
    "1e7, alpha = 1, damping = D }\n"
    "gravity { on = { b } }\n"
    "force { on = b, at = 0.2, peak = -20, width = 3e-3 }\n"
    "probe { on = b, quantity = 'force' }",

    "local w = barrier { height = -1e-3, from = 0.05, to = 0.25 }\n"
    "contact { above = b, below = w, K = 1e8, alpha = 1, damping = D }\n"
    "gravity { on = 'all' }\n"
    "pluck { on = b, velocity = -0.5 }\n"
    "probe { on = b, quantity = 'force' }",

    "local w = barrier { height = -1e-3, at = { 0.067, 0.233 } }\n"
    "contact { above = b, below = w, K = 1e6, alpha = 1, damping = D }\n"
    "gravity { on = b }\n"
    "probe { on = b, quantity = 'force' }",

    "local o = modal { modes = { { frequency = 300, t60 = 1, mass = 0.02 } } }\n"
    "contact { above = o, below = b, at_below = 0.25, K = 1e6, alpha = 1, damping = D }\n"
    "force { on = b, at = 0.25, peak = 20, width = 2e-3 }\n"
    "probe { on = b, quantity = 'force' }",

    "local c = bar { length = 0.2, density = 0.3, stiffness = 10, modes = 3 }\n"
    "contact { above = c, below = b, K = 1e7, alpha = 1, damping = D }\n"
    "pluck { on = c, velocity = -1 }\n"
    "probe { on = b, quantity = 'force' }",
};

static void scene_of(const char* partner, const char* loss, char* text, size_t room) {
    snprintf(text, room, "local D = %s\n" BAR "%s\n", loss, partner);
}

// Several points of one bar move each other, which exact does not take.
static bool is_refused(sis_scheme scheme, const run* r) {
    return !r->system && scheme == SIS_SCHEME_EXACT && strstr(r->error, "do not move each other");
}

static void collide(sis_scheme scheme, const char* loss) {
    enum { FRAMES = 6000 };
    char text[2000];
    int met = 0;
    for (size_t i = 0; i < sizeof partners / sizeof *partners; i++) {
        scene_of(partners[i], loss, text, sizeof text);
        run r = play(text, scheme, FRAMES);
        CHECK(r.system || is_refused(scheme, &r));
        if (!r.system && !is_refused(scheme, &r)) printf("partner %d: %s\n", (int)i, r.error);
        met += r.system != NULL;
        if (!r.system) {
            end(&r);
            continue;
        }
        CHECK(sis_balance_residual(&r.balance) <= 1e-12);
        CHECK(largest(&r, FRAMES) > 0.1); // N: they have met
        end(&r);
    }
    CHECK(met >= 4);
}

static void ledger_closes_the_energy_balance(void) {
    collide(SIS_SCHEME_LEDGER, "0");
    collide(SIS_SCHEME_LEDGER, "0.2");
}

static void newton_closes_the_energy_balance(void) {
    collide(SIS_SCHEME_NEWTON, "0");
    collide(SIS_SCHEME_NEWTON, "0.2");
}

static void quadratised_closes_the_energy_balance(void) {
    collide(SIS_SCHEME_QUADRATISED, "0");
    collide(SIS_SCHEME_QUADRATISED, "0.2");
}

static void exact_closes_the_energy_balance(void) {
    collide(SIS_SCHEME_EXACT, "0");
}

static void other_schemes_say_that_they_do_not_take_it(void) {
    char text[2000];
    scene_of(partners[5], "0", text, sizeof text);
    for (int scheme = SIS_SCHEME_ROOT; scheme < SIS_SCHEME_COUNT; scheme++) {
        run r = play(text, (sis_scheme)scheme, 0);
        CHECK(r.system == NULL);
        CHECK_TEXT(r.error, "use ledger");
        end(&r);
    }
}

static void springs_and_bows_close_the_energy_balance(void) {
    run r = play(BAR "spring { between = { b, 'ground' }, at_a = 0.067, K1 = 5e4, damping = 1 }\n"
                     "spring { between = { b, 'ground' }, at_a = 0.233, K1 = 5e4, K3 = 1e9 }\n"
                     "bow { on = b, at = 0.03, force = 3, velocity = 0.2 }\n"
                     "probe { on = b, at = 0.15, quantity = 'velocity' }\n",
                 SIS_SCHEME_AS_GIVEN, 20000);
    CHECK(r.system && sis_balance_residual(&r.balance) <= 1e-12);
    CHECK(r.rows && largest(&r, 20000) > 1e-3);
    end(&r);
}

// ---------------------------------------------------------------------------- by itself

static void it_is_described(void) {
    run r = play(BAR "probe { on = b, at = 0.15 }\n", SIS_SCHEME_AS_GIVEN, 10);
    sis_body_info info = sis_system_body(r.system, 0);
    double rings = 0, exact = 0, first = 22.3732854481 / (2 * PI) * sqrt(30 / 0.5) / (0.3 * 0.3);
    CHECK_TEXT(info.name, "b");
    CHECK_TEXT(sis_kind_word(info.kind), "bar");
    CHECK_NEAR(info.frequency, first, 1e-6);
    CHECK(info.margin > 0 && info.margin < 1);
    CHECK(sis_system_partial(r.system, 0, 1, &rings, &exact));
    CHECK_NEAR(rings, first, 1e-6);
    CHECK(!sis_system_partial(r.system, 0, 7, &rings, &exact));
    CHECK_NEAR(sis_system_place(r.system, 0, info.points - 1), 0.3, 1e-12);
    end(&r);
}

static void a_mode_rings_where_it_should(void) {
    enum { FRAMES = 44100 };
    run r = play(BAR "pluck { on = b, shape = 'mode', mode = 1, height = 1e-3 }\n"
                     "probe { on = b, at = 0.15 }\n",
                 SIS_SCHEME_AS_GIVEN, FRAMES);
    int crossings = 0;
    for (int32_t i = 1; i < FRAMES; i++)
        crossings += (r.rows[i] > 0) != (r.rows[i - 1] > 0);
    CHECK_NEAR(0.5 * crossings, sis_system_body(r.system, 0).frequency, 1);
    CHECK(sis_balance_residual(&r.balance) <= 1e-12);
    end(&r);
}

// What a pluck asks for is what probe and shape read.
static void it_starts_as_it_is_plucked(void) {
    run r = play("local b = bar { length = 0.3, density = 0.5, stiffness = 30, modes = 24 }\n"
                 "pluck { on = b, shape = 'raised-cosine', at = 0.1, width = 0.1, height = 1e-3 }\n"
                 "pluck { on = b, shape = function(x) return 1e-4 * x / 0.3 end }\n"
                 "pluck { on = b, velocity = 2 }\n"
                 "probe { on = b, at = 0.1 }\n"
                 "probe { on = b, at = 0.225 }\n"
                 "probe { on = b, at = 0.2, quantity = 'velocity' }\n"
                 "render { rate = 192000 }\n",
                 SIS_SCHEME_AS_GIVEN, 1);
    double u[1000];
    CHECK_NEAR(r.rows[0], 1e-3 + 1e-4 / 3, 1e-5);
    CHECK_NEAR(r.rows[1], 0.75e-4, 1e-5);
    CHECK_NEAR(r.rows[2], 2, 1e-5);
    int32_t points = sis_system_body(r.system, 0).points;
    CHECK(points < 1000);
    sis_state_shape(r.system, r.state, 0, u);
    CHECK_NEAR(u[3 * (points - 1) / 4], r.rows[1], 1e-9);
    end(&r);
}

// The middle of a bar falls as a mass does.
static void gravity_pulls_it(void) {
    enum { FRAMES = 4410 };
    run r = play(BAR "gravity { on = 'all' }\n"
                     "probe { on = b, at = 0.15 }\n",
                 SIS_SCHEME_AS_GIVEN, FRAMES);
    double t = (FRAMES - 1) / 44100.0;
    CHECK_NEAR(r.rows[FRAMES - 1], -0.5 * 9.81 * t * t, 1e-12);
    CHECK(sis_balance_residual(&r.balance) <= 1e-12);
    end(&r);
}

// Force at x, velocity at y: the same the other way round.
static void source_and_listener_may_change_places(void) {
    enum { FRAMES = 2000 };
    run a = play(BAR "force { on = b, at = 0.04, shape = 'impulse', peak = 0.01 }\n"
                     "probe { on = b, at = 0.21 }\n",
                 SIS_SCHEME_AS_GIVEN, FRAMES);
    run b = play(BAR "force { on = b, at = 0.21, shape = 'impulse', peak = 0.01 }\n"
                     "probe { on = b, at = 0.04 }\n",
                 SIS_SCHEME_AS_GIVEN, FRAMES);
    double off = 0;
    for (int32_t i = 0; i < FRAMES; i++)
        off = fmax(off, fabs(a.rows[i] - b.rows[i]));
    CHECK(off <= 1e-12 * largest(&a, FRAMES));
    end(&a);
    end(&b);
}

// ---------------------------------------------------------------------------- a pair

static void a_pair_closes_the_energy_balance(void) {
    enum { FRAMES = 8000 };
    static const char* const met[] = {
        "local w = barrier { height = 0 }\n"
        "contact { above = p, below = w, at_above = 1, K = 1e6, alpha = 1.5, damping = D }\n"
        "gravity { on = p }\n",
        "local m = mass { mass = 0.02, position = 1e-3, velocity = -3 }\n"
        "contact { above = m, below = p, at_below = 2, K = 1e7, alpha = 1.3, damping = D }\n",
        "local s = string { length = 0.65, tension = 80, density = 4e-3, sigma0 = 0.5 }\n"
        "contact { above = p, below = s, at_above = 1, at_below = 0.2, K = 1e5, alpha = 2, damping "
        "= D }\n"
        "force { on = p, at = 2, shape = 'impulse', peak = -0.05 }\n",
        "local t = plate { size = { 0.3, 0.2 }, thickness = 2e-3, material_density = 2700, youngs "
        "= 7e10 }\n"
        "contact { above = p, below = t, at_above = 2, at_below = { 0.12, 0.07 }, K = 1e7, alpha = "
        "1.5, damping = D }\n"
        "force { on = p, at = 1, shape = 'impulse', peak = -0.05 }\n",
        BAR "contact { above = p, below = b, at_above = 2, at_below = 0.1, K = 1e7, alpha = 1.5, "
            "damping = D }\n"
            "force { on = p, at = 1, shape = 'impulse', peak = -0.05 }\n",
    };
    char text[2000];
    for (size_t i = 0; i < sizeof met / sizeof *met; i++)
        for (int scheme = SIS_SCHEME_LEDGER; scheme <= SIS_SCHEME_NEWTON; scheme++)
            for (int lossy = 0; lossy < 2; lossy++) {
                snprintf(text, sizeof text,
                         "local D = %d\nlocal p = pair { mass = 0.05, stiffness = 2e4, damping = "
                         "0.3 }\n%sprobe { on = p, quantity = 'force' }\n",
                         lossy, met[i]);
                run r = play(text, (sis_scheme)scheme, FRAMES);
                CHECK(r.system && sis_balance_residual(&r.balance) <= 1e-12);
                CHECK(r.rows && largest(&r, FRAMES) > 0.1);
                if (!r.system) printf("%s\n", r.error);
                end(&r);
            }
}

// e'' = -2 K/M e: 50.33 Hz.
static void a_pair_rings_and_says_what_it_cannot_do(void) {
    enum { FRAMES = 44100 };
    run r = play("local p = pair { mass = 0.2, stiffness = 1e4 }\n"
                 "force { on = p, at = 1, shape = 'impulse', peak = 0.1 }\n"
                 "force { on = p, at = 2, shape = 'impulse', peak = -0.1 }\n"
                 "probe { on = p, at = 1 }\n",
                 SIS_SCHEME_AS_GIVEN, FRAMES);
    int crossings = 0;
    for (int32_t i = 1; i < FRAMES; i++)
        crossings += (r.rows[i] > 0) != (r.rows[i - 1] > 0);
    CHECK_NEAR(0.5 * crossings, sqrt(2e4 / 0.2) / (2 * PI), 1);
    CHECK(sis_balance_residual(&r.balance) <= 1e-12);
    double u[2];
    sis_state_shape(r.system, r.state, 0, u);
    CHECK_NEAR(u[0], r.rows[FRAMES - 1], 0);
    CHECK_NEAR(u[1], -u[0], 1e-15);
    end(&r);
    r = play("local p = pair { mass = 0.2, stiffness = 1e4 }\npluck { on = p, height = 1 }",
             SIS_SCHEME_AS_GIVEN, 0);
    CHECK_TEXT(r.error, "'on' must be a string, plate, modal body or bar, got pair");
    end(&r);
    r = play("local p = pair { mass = 0.2, stiffness = 1e4 }\nprobe { on = p, at = 3 }",
             SIS_SCHEME_AS_GIVEN, 0);
    CHECK_TEXT(r.error, "one of the places 1 to 2 of pair 'pair1', got 3");
    end(&r);
    r = play("pair { name = 'q', mass = 1e-6, stiffness = 1e9 }", SIS_SCHEME_AS_GIVEN, 0);
    CHECK_TEXT(r.error, "pair 'q': 'stiffness' = 1e+09 N/m is too much");
    end(&r);
}

static void sentences_name_it(void) {
    static const char* const wrong[][2] = {
        {"bar { length = 0.3 }", "bar: needs 'density' (kg/m)"},
        {"bar { length = 0.3, density = 0 }", "'density' (kg/m) is 0"},
        {"bar { length = 0.3, density = 1, stifness = 3 }", "did you mean 'stiffness'"},
        {BAR "probe { on = b, at = 0.4 }", "'at' = 0.4 m is outside bar 'b', which is 0.3 m long"},
        {BAR "pluck { on = b, shape = 'mode', mode = 9, height = 1 }", "bar 'b' bends in 6 modes"},
        {"local w = barrier { height = 0 }\nforce { on = w, peak = 1, width = 1 }",
         "'on' must be a mass, string, plate, modal body, bar or pair, got barrier"},
        {"bar { name = 'c', length = 0.01, density = 0.1, stiffness = 1e3, modes = 9 }",
         "too high for 44100 steps"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run r = play(wrong[i][0], SIS_SCHEME_AS_GIVEN, 0);
        CHECK(!r.system);
        CHECK_TEXT(r.error, wrong[i][1]);
        end(&r);
    }
}

int main(void) {
    RUN(ledger_closes_the_energy_balance);
    RUN(newton_closes_the_energy_balance);
    RUN(quadratised_closes_the_energy_balance);
    RUN(exact_closes_the_energy_balance);
    RUN(other_schemes_say_that_they_do_not_take_it);
    RUN(springs_and_bows_close_the_energy_balance);
    RUN(it_is_described);
    RUN(a_mode_rings_where_it_should);
    RUN(it_starts_as_it_is_plucked);
    RUN(gravity_pulls_it);
    RUN(source_and_listener_may_change_places);
    RUN(sentences_name_it);
    RUN(a_pair_closes_the_energy_balance);
    RUN(a_pair_rings_and_says_what_it_cannot_do);
    return CHECK_REPORT();
}
