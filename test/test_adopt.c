// A running state goes on with another compile of the same scene: new knobs on a sounding note.
#include "check.h"
#include "reference.h"

#include <sistrum/sistrum.h>

enum { FRAMES = 2000 };
static const double rate = 44100;

/** The knobs of the scene below. */
typedef struct knobs {
    double tension, sigma0, K, damping, alpha, height, spring, mass, at, bow;
    int32_t segments;
} knobs;

static const knobs plain = {80, 2, 1e8, 0.1, 1.5, -3e-4, 2e3, 4e-3, 0.31, 0.4, 60};

static sis_system* compile(const knobs* k, sis_string_model model, sis_scheme scheme, int strings) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < strings; i++) {
        sis_string_def s = sis_string_default();
        s.length = 0.7;
        s.tension = k->tension;
        s.density = 4e-3;
        s.sigma0 = k->sigma0;
        s.sigma1 = 1e-3;
        s.model = model;
        s.segments = k->segments;
        if (model == SIS_STRING_MODAL) s.modes = 100;
        sis_id string = sis_scene_add_string(scene, &s, &error);
        sis_barrier_def b = sis_barrier_default();
        b.height = k->height;
        b.from = 0.1;
        b.to = 0.5;
        sis_contact_def c = sis_contact_default();
        c.above = string;
        c.below = sis_scene_add_barrier(scene, &b, &error);
        c.K = k->K;
        c.alpha = k->alpha;
        c.damping = k->damping;
        c.scheme = scheme;
        sis_scene_add_contact(scene, &c, &error);
        sis_mass_def m = sis_mass_default();
        m.mass = k->mass;
        m.position = -1e-3;
        m.velocity = 2;
        sis_id hammer = sis_scene_add_mass(scene, &m, &error);
        c.above = string;
        c.below = hammer;
        c.at_above = (sis_list){&k->at, 1};
        sis_scene_add_contact(scene, &c, &error);
        sis_spring_def spring = sis_spring_default();
        spring.a = string;
        spring.at_a = 0.62;
        spring.b = SIS_GROUND;
        spring.K1 = k->spring;
        spring.damping = 0.1;
        sis_scene_add_spring(scene, &spring, &error);
        sis_bow_def bow = sis_bow_default();
        bow.on = string;
        bow.at = 0.07;
        bow.force = k->bow;
        bow.velocity = 0.1;
        sis_scene_add_bow(scene, &bow, &error);
        sis_pluck_def p = sis_pluck_default();
        p.on = string;
        p.at = 0.2;
        p.height = 2e-3;
        sis_scene_add_pluck(scene, &p, &error);
        sis_probe_def probe = sis_probe_default();
        probe.on = string;
        probe.at = 0.1;
        sis_scene_add_probe(scene, &probe, &error);
    }
    sis_gravity_def g = sis_gravity_default();
    sis_scene_add_gravity(scene, &g, &error);
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) printf("%s\n", error.text);
    sis_scene_free(scene);
    return system;
}

static knobs turned(uint64_t* seed) {
    knobs k = plain;
    k.tension *= random_log(seed, 0.8, 1.1);
    k.sigma0 *= random_log(seed, 0.1, 10);
    k.K *= random_log(seed, 0.01, 100);
    k.damping *= random_log(seed, 0.1, 10);
    k.alpha = random_log(seed, 1, 3);
    k.height *= random_log(seed, 0.1, 3);
    k.spring *= random_log(seed, 0.1, 10);
    k.mass *= random_log(seed, 0.5, 2);
    k.bow *= random_log(seed, 0.1, 3);
    return k;
}

static void a_note_goes_on_with_new_knobs_and_its_balance_stays_closed(void) {
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON,
                                         SIS_SCHEME_QUADRATISED};
    static sis_energy energy[FRAMES];
    static double heard[FRAMES * 8];
    uint64_t seed = 3;
    double worst = 0;
    for (int model = 0; model < 4; model++)
        for (int s = 0; s < 3; s++)
            for (int strings = 1; strings <= 8; strings += 7) {
                sis_system* system = compile(&plain, (sis_string_model)model, schemes[s], strings);
                // Room for any of them: their scratch differs.
                void* memory = aligned_alloc(SIS_STATE_ALIGN, 2 * sis_state_size(system));
                sis_state* state = sis_state_init(system, memory);
                sis_balance balance = {0};
                for (int turn = 0; turn < 6; turn++) {
                    sis_error error = {0};
                    sis_step(system, state, &(sis_block){FRAMES / 6, heard, energy, NULL});
                    sis_balance_add(&balance, energy, FRAMES / 6);
                    knobs k = turned(&seed);
                    sis_system* next = compile(&k, (sis_string_model)model, schemes[s], strings);
                    double before = sis_state_energy(system, state).residual;
                    CHECK(sis_state_size(next) <= 2 * sis_state_size(system));
                    CHECK(sis_state_adopt(next, system, state, &error));
                    if (error.status) printf("%s\n", error.text);
                    sis_energy e = sis_state_energy(next, state);
                    CHECK_NEAR(e.residual, before, 1e-13 * (balance.flowed + e.total));
                    sis_system_free(system);
                    system = next;
                }
                CHECK(sis_balance_residual(&balance) <= 1e-12);
                worst = fmax(worst, sis_balance_residual(&balance));
                sis_system_free(system);
                free(memory);
            }
    printf("  worst residual %.1e\n", worst);
}

static void the_same_knobs_change_nothing_but_rounding(void) {
    static double heard[2][FRAMES];
    for (int model = 0; model < 4; model++) {
        sis_system* a = compile(&plain, (sis_string_model)model, SIS_SCHEME_LEDGER, 1);
        sis_system* b = compile(&plain, (sis_string_model)model, SIS_SCHEME_LEDGER, 1);
        for (int way = 0; way < 2; way++) {
            void* memory = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(a));
            sis_state* state = sis_state_init(a, memory);
            sis_step(a, state, &(sis_block){500, heard[way], NULL, NULL});
            if (way) CHECK(sis_state_adopt(b, a, state, NULL));
            sis_step(way ? b : a, state, &(sis_block){100, heard[way] + 500, NULL, NULL});
            free(memory);
        }
        for (int n = 0; n < 600; n++)
            CHECK_NEAR(heard[1][n], heard[0][n], 1e-12);
        sis_system_free(a);
        sis_system_free(b);
    }
}

static void refuses(const knobs* k, sis_string_model model, sis_scheme scheme, int strings,
                    const char* part) {
    sis_error error = {0};
    sis_system* a = compile(&plain, SIS_STRING_FD, SIS_SCHEME_LEDGER, 1);
    sis_system* b = compile(k, model, scheme, strings);
    size_t size = sis_state_size(a);
    char *memory = aligned_alloc(SIS_STATE_ALIGN, size), *copy = malloc(size);
    sis_state* state = sis_state_init(a, memory);
    sis_step(a, state, &(sis_block){100, NULL, NULL, NULL});
    memcpy(copy, memory, size);
    CHECK(!sis_state_adopt(b, a, state, &error));
    CHECK_TEXT(error.text, part);
    CHECK(memcmp(copy, memory, size) == 0);
    CHECK(!sis_state_adopt(a, b, state, NULL)); // not the system it has
    free(memory);
    free(copy);
    sis_system_free(a);
    sis_system_free(b);
}

static void what_differs_is_said_and_the_state_is_as_it_was(void) {
    knobs k = plain;
    refuses(&k, SIS_STRING_FD, SIS_SCHEME_LEDGER, 2, "bodies");
    refuses(&k, SIS_STRING_TRAPEZOID, SIS_SCHEME_LEDGER, 1, "another model");
    refuses(&k, SIS_STRING_FD, SIS_SCHEME_NEWTON, 1, "another scheme");
    k.segments = 50;
    refuses(&k, SIS_STRING_FD, SIS_SCHEME_LEDGER, 1, "50 segments");
    k = plain;
    k.at = 0.2;
    refuses(&k, SIS_STRING_FD, SIS_SCHEME_LEDGER, 1, "other points");
}

int main(void) {
    RUN(a_note_goes_on_with_new_knobs_and_its_balance_stays_closed);
    RUN(the_same_knobs_change_nothing_but_rounding);
    RUN(what_differs_is_said_and_the_state_is_as_it_was);
    return CHECK_REPORT();
}
