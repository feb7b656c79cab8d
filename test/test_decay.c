// Decayed sounds end: what has fallen to 1e-150 of what it was is 0 from then on, no number on the
// way there or after it is denormal, and blocks do not matter.
#include <float.h>
#include <stdlib.h>

#include "check.h"
#include "sistrum/sistrum.h"

enum { RATE = 44100, SAMPLES = 26000 };

static sis_error error;

static sis_id add_string(sis_scene* scene, sis_string_model model) {
    sis_string_def s = sis_string_default();
    s.length = 0.5, s.tension = 80, s.density = 0.004, s.radius = 4e-4, s.youngs = 1e11;
    s.sigma0 = 800, s.sigma1 = 0.01, s.model = model;
    return sis_scene_add_string(scene, &s, &error);
}

static void add_probe(sis_scene* scene, sis_id on, double at, double at_y, sis_quantity quantity) {
    sis_probe_def p = sis_probe_default();
    p.on = on, p.at = at, p.at_y = at_y, p.quantity = quantity;
    CHECK(sis_scene_add_probe(scene, &p, &error) != SIS_NONE);
}

static void kick(sis_scene* scene, sis_id on, double at, double at_y) {
    sis_force_def f = sis_force_default();
    f.on = on, f.at = at, f.at_y = at_y, f.peak = 3, f.width = 2e-3;
    CHECK(sis_scene_add_force(scene, &f, &error) != SIS_NONE);
}

// Runs in blocks of `frames`; the caller frees the rows.
static double* run(const sis_scene* scene, int32_t frames, int32_t* probes, double* residual,
                   bool to_zero) {
    sis_options options = sis_options_default(scene);
    options.rate = RATE;
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    if (!system) return puts(error.text), NULL;
    *probes = sis_system_probe_count(system);
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    double* rows = calloc((size_t)SAMPLES * (size_t)*probes, sizeof *rows);
    for (int32_t n = 0; n < SAMPLES; n += frames) {
        int32_t count = frames < SAMPLES - n ? frames : SAMPLES - n;
        sis_step(system, state,
                 &(sis_block){count, rows + (size_t)n * (size_t)*probes, NULL, NULL});
    }
    sis_energy e = sis_state_energy(system, state);
    CHECK(to_zero ? e.total == 0 : e.total < 1e-28 * e.dissipated);
    *residual = fabs(e.residual) / e.dissipated;
    free(state);
    sis_system_free(system);
    return rows;
}

// To zero, or to what the rounding of a spring holds.
static void ends(sis_scene* scene, const char* name, bool to_zero) {
    int32_t probes = 0;
    double residual = 1;
    double* rows = run(scene, 1000, &probes, &residual, to_zero);
    CHECK_NEAR(residual, 0, 1e-11);
    size_t count = (size_t)SAMPLES * (size_t)probes, last = 0, denormal = 0;
    for (size_t i = 0; rows && i < count; i++) {
        CHECK(isfinite(rows[i]));
        if (rows[i] != 0) last = i;
        denormal += rows[i] != 0 && fabs(rows[i]) < DBL_MIN;
    }
    CHECK(denormal == 0 && last > 0 && (!to_zero || last < count - 100));
    printf("  %s: silent after %.3f s\n", name, (double)last / probes / RATE);
    for (int32_t frames = 1; frames < 400; frames += 177) {
        double* again = run(scene, frames, &probes, &residual, to_zero);
        CHECK(rows && again && memcmp(rows, again, count * sizeof *rows) == 0);
        free(again);
    }
    free(rows);
    sis_scene_free(scene);
}

static void masses_end(void) {
    sis_scene* scene = sis_scene_new();
    for (int i = 0; i < 5; i++) {
        sis_mass_def m = sis_mass_default();
        m.mass = 0.01, m.frequency = 100 + 50 * i, m.damping = 1200 + 300 * i, m.position = 1e-3;
        add_probe(scene, sis_scene_add_mass(scene, &m, &error), NAN, NAN,
                  SIS_QUANTITY_DISPLACEMENT);
    }
    ends(scene, "masses", true);
}

static void strings_end(void) {
    static const struct {
        sis_string_model model;
        const char* name;
    } models[] = {{SIS_STRING_FD, "fd string"},
                  {SIS_STRING_IMPLICIT, "implicit string"},
                  {SIS_STRING_TRAPEZOID, "trapezoid string"},
                  {SIS_STRING_MODAL, "modal string"}};
    for (int i = 0; i < 4; i++) {
        sis_scene* scene = sis_scene_new();
        sis_id s = add_string(scene, models[i].model);
        kick(scene, s, 0.11, NAN);
        add_probe(scene, s, 0.2, NAN, SIS_QUANTITY_VELOCITY);
        ends(scene, models[i].name, true);
    }
}

static void plates_end(void) {
    for (int modal = 0; modal < 2; modal++) {
        sis_scene* scene = sis_scene_new();
        sis_plate_def p = sis_plate_default();
        p.length = 0.3, p.width = 0.2, p.thickness = 2e-3, p.material_density = 7800;
        p.youngs = 2e11, p.sigma0 = 1000, p.sigma1 = 0.02,
        p.model = modal ? SIS_PLATE_MODAL : SIS_PLATE_FD;
        sis_id plate = sis_scene_add_plate(scene, &p, &error);
        kick(scene, plate, 0.07, 0.05);
        add_probe(scene, plate, 0.11, 0.08, SIS_QUANTITY_DISPLACEMENT);
        ends(scene, modal ? "modal plate" : "fd plate", true);
    }
}

static void coupled_bodies_end(void) {
    sis_scene* scene = sis_scene_new();
    sis_id a = add_string(scene, SIS_STRING_FD), b = add_string(scene, SIS_STRING_IMPLICIT);
    sis_spring_def spring = sis_spring_default();
    spring.a = a, spring.b = b, spring.at_a = 0.2, spring.at_b = 0.3, spring.K1 = 1e4,
    spring.K3 = 1e9;
    CHECK(sis_scene_add_spring(scene, &spring, &error) != SIS_NONE);
    kick(scene, a, 0.11, NAN);
    add_probe(scene, a, 0.2, NAN, SIS_QUANTITY_DISPLACEMENT);
    add_probe(scene, b, 0.2, NAN, SIS_QUANTITY_DISPLACEMENT);
    ends(scene, "two strings and a spring", false);
}

int main(void) {
    RUN(masses_end);
    RUN(strings_end);
    RUN(plates_end);
    RUN(coupled_bodies_end);
    return CHECK_REPORT();
}
