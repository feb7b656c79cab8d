/** @file example_strings.h
 * Strings, their barriers and plucks, built through the public interface: the workloads A, B and C
 * (the same as bench/A.lua, B.lua and C.lua), the tanpura, and strings on any grid that touch
 * everywhere or nowhere. Used by the bench; every number that matters is an argument.
 */
#ifndef SISTRUM_EXAMPLE_STRINGS_H
#define SISTRUM_EXAMPLE_STRINGS_H

#include "examples.h"

/** A string and what it lies over. */
typedef struct example_workload {
    const char* word;
    double rate;    // Hz
    double length;  // m
    double tension; // N
    double density; // kg/m
    double radius;  // m
    double youngs;  // Pa
    double sigma0;  // 1/s
    double sigma1;  // m^2/s
    bool tuned;
    double K, alpha;
    double bend[3]; // height of the barrier, m: bend[0] + bend[1] x + bend[2] x^2
    sis_force_shape shape;
    double peak, width, at; // N, s, m, of the force
    double probe;           // m
    double damping;         // s/m, of the contact
} example_workload;

// The steel of B and C is 7850 kg/m^3: density = 7850 pi radius^2.
static example_workload example_workloads[] = {
    {"A",
     44100,
     1,
     500,
     0.063,
     5e-4,
     2e11,
     0,
     0,
     false,
     5e6,
     1.4,
     {-1e-4, -1e-4, -1e-3},
     SIS_FORCE_RAISED_COSINE,
     10,
     44. / 44100,
     178.6 / 223,
     200.8 / 223,
     0},
    {"A5",
     220500,
     1,
     500,
     0.063,
     5e-4,
     2e11,
     0,
     0,
     false,
     5e6,
     1.4,
     {-1e-4, -1e-4, -1e-3},
     SIS_FORCE_RAISED_COSINE,
     10,
     44. / 44100,
     178.6 / 223,
     200.8 / 223,
     0},
    {"B",
     44100,
     0.8,
     38.5,
     7850 * 3.141592653589793e-8,
     1e-4,
     2e11,
     0,
     0,
     false,
     1e13,
     2.3,
     {-0.0015, 0.005, -0.00625}, // -0.0015 + 0.004 y - 0.004 y^2 with y = x/0.8
     SIS_FORCE_HALF_COSINE,
     0.77,
     442. / 44100,
     44.5 / 88 * 0.8,
     79.3 / 88 * 0.8,
     0},
    {"C",
     48000,
     0.68,
     12.1,
     7850 * 4 * 3.141592653589793e-8,
     2e-4,
     2e11,
     0.921034,
     0.000608,
     false,
     1e10 * 139 / 0.68,
     1.3,
     {-0.001, 0, 0},
     SIS_FORCE_HALF_COSINE,
     2,
     241. / 48000,
     111.4 / 139 * 0.68,
     125.2 / 139 * 0.68,
     0},
    {"tanpura",
     44100,
     1,
     500,
     0.063,
     5e-4,
     2e11,
     0.6,
     2e-4,
     true,
     5e6,
     1.4,
     {-1e-4, -1e-4, -1e-3},
     SIS_FORCE_RAISED_COSINE,
     10,
     1e-3,
     0.8,
     0.9,
     0},
    {"tanpura",
     220500,
     1,
     500,
     0.063,
     5e-4,
     2e11,
     0.6,
     2e-4,
     true,
     5e6,
     1.4,
     {-1e-4, -1e-4, -1e-3},
     SIS_FORCE_RAISED_COSINE,
     10,
     1e-3,
     0.8,
     0.9,
     0},
};
enum { EXAMPLE_WORKLOADS = sizeof example_workloads / sizeof example_workloads[0] };

static inline sis_string_def example_workload_string(const example_workload* w,
                                                     sis_string_model model) {
    sis_string_def def = sis_string_default();
    def.length = w->length;
    def.tension = w->tension;
    def.density = w->density;
    def.radius = w->radius;
    def.youngs = w->youngs;
    def.sigma0 = w->sigma0;
    def.sigma1 = w->sigma1;
    def.model = model;
    def.tuned = w->tuned;
    return def;
}

/** What lies under the string of a workload. */
typedef enum example_under { EXAMPLE_NOTHING, EXAMPLE_ITS_BARRIER, EXAMPLE_PRESSED } example_under;

/** A workload: as it is, without its barrier, or pressed 0.1 mm deep into a flat barrier, so that
 *  every point is inside it for the first samples. */
static inline sis_scene* example_workload_scene(example_workload* w, sis_string_model model,
                                                example_under under, example_scheme scheme,
                                                double alpha) {
    static double flat[3] = {0, 0, 0};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_string_def def = example_workload_string(w, model);
    sis_id string = example_added(sis_scene_add_string(scene, &def, &error), &error);
    if (under != EXAMPLE_NOTHING) {
        bool press = under == EXAMPLE_PRESSED;
        sis_id barrier = example_bent_barrier(scene, press ? flat : w->bend);
        // The same force at 0.1 mm for every exponent.
        double K = alpha == w->alpha ? w->K : w->K * pow(1e-4, w->alpha - alpha);
        example_contact(scene, string, barrier, scheme, K, alpha, SIS_LAW_ONE_SIDED,
                        press ? -1e-4 : 0, w->damping);
    }
    sis_force_def force = sis_force_default();
    force.on = string;
    force.at = w->at;
    force.shape = w->shape;
    force.peak = w->peak;
    force.width = w->width;
    example_added(sis_scene_add_force(scene, &force, &error), &error);
    sis_probe_def probe = sis_probe_default();
    probe.on = string;
    probe.at = w->probe;
    example_added(sis_scene_add_probe(scene, &probe, &error), &error);
    return scene;
}

/** What a string on a given grid does with its barrier. */
typedef enum example_touch {
    EXAMPLE_FREE,
    EXAMPLE_LOSSY,
    EXAMPLE_OPEN,
    EXAMPLE_TOUCHING
} example_touch;

/** An explicit string of 1 m with as many segments as wished: tension and stiffness are such that
 *  the grid is stable at `rate`, (c k/h)^2 = 0.49, (kappa k/h^2)^2 = 0.04. Plucked by 0.3 mm, and
 *  pressed 1 mm deep into a soft barrier (about 10 Hz), or far above it. */
static inline sis_scene* example_grid_of(int segments, double rate, example_touch touch,
                                         double alpha) {
    static double flat[3] = {0, 0, 0}, below[3] = {-1, 0, 0};
    const double h = 1. / segments, k = 1 / rate, density = 0.01, radius = 1e-3;
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_string_def def = sis_string_default();
    def.length = 1;
    def.density = density;
    def.radius = radius;
    def.tension = density * 0.49 * (h / k) * (h / k);
    def.youngs = density * 0.04 * pow(h * h / k, 2) / (3.141592653589793 / 4 * pow(radius, 4));
    def.tuned = false;
    def.segments = segments;
    if (touch == EXAMPLE_LOSSY) {
        def.sigma0 = 1;
        def.sigma1 = 0.02 * h * h / k;
    }
    sis_id string = example_added(sis_scene_add_string(scene, &def, &error), &error);
    if (touch == EXAMPLE_OPEN || touch == EXAMPLE_TOUCHING) {
        bool open = touch == EXAMPLE_OPEN;
        sis_id barrier = example_bent_barrier(scene, open ? below : flat);
        example_contact(scene, string, barrier, example_schemes[0], 450 * pow(1e-3, 1.4 - alpha),
                        alpha, SIS_LAW_ONE_SIDED, open ? 0 : -1e-3, 0);
    }
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = string;
    pluck.shape = SIS_PLUCK_TRIANGLE;
    pluck.at = 0.3;
    pluck.height = 3e-4;
    example_added(sis_scene_add_pluck(scene, &pluck, &error), &error);
    return scene;
}

static inline sis_scene* example_grid(int segments, double rate, example_touch touch) {
    return example_grid_of(segments, rate, touch, 1.4);
}

#endif
