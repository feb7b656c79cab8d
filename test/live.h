/** @file live.h
 * What the tests of gestures share: how inputs are moved, and the laws that hold whatever moves.
 */
#ifndef SISTRUM_TEST_LIVE_H
#define SISTRUM_TEST_LIVE_H

#include "check.h"
#include "reference.h"

enum { LIVE_INPUTS = 8 };

/** How a hand moves: within all of its range. */
typedef enum gesture {
    GESTURE_REST,
    GESTURE_SINE,
    GESTURE_WALK,
    GESTURE_JUMPS,
    GESTURE_STOPS, // a walk that rests in the second half
    GESTURES
} gesture;

static inline sis_id put_input(sis_scene* scene, const char* name, double value, double min,
                               double max) {
    sis_input_def def = sis_input_default();
    def.name = name;
    def.value = value;
    def.min = min;
    def.max = max;
    return put(scene, SIS_KIND_INPUT, &def);
}

/** Lets a field of an object follow an input of its own, from `low` to `high`; begins at `start`. */
static inline void live(sis_scene* scene, sis_id object, const char* key, double start, double low,
                        double high) {
    char name[64];
    sis_error error = {0};
    snprintf(name, sizeof name, "%s%d", key, (int)object);
    const sis_id input = put_input(scene, name, start, low, high);
    if (sis_scene_bind(scene, object, key, input, 1, 0, &error)) return;
    printf("%s\n", error.text);
    exit(1);
}

// ---------------------------------------------------------------------------- bodies

static const sis_string_model models[] = {SIS_STRING_FD, SIS_STRING_IMPLICIT, SIS_STRING_TRAPEZOID,
                                          SIS_STRING_MODAL};

static inline sis_id put_string(sis_scene* scene, sis_string_model model) {
    sis_string_def def = sis_string_default();
    def.length = 0.65;
    def.tension = 70;
    def.density = 0.003;
    def.radius = 2.5e-4;
    def.youngs = 2e9;
    def.sigma0 = 0.5;
    def.sigma1 = 1e-4;
    def.model = model;
    def.segments = model == SIS_STRING_MODAL ? 0 : 60;
    def.modes = model == SIS_STRING_MODAL ? 40 : 0;
    return put(scene, SIS_KIND_STRING, &def);
}

static inline void pluck(sis_scene* scene, sis_id on, double at, double height) {
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    def.at = at;
    def.height = height;
    put(scene, SIS_KIND_PLUCK, &def);
}

static inline void bow(sis_scene* scene, sis_id on, double at) {
    sis_bow_def def = sis_bow_default();
    def.on = on;
    def.at = at;
    def.force = 0.5;
    def.velocity = 0.1;
    put(scene, SIS_KIND_BOW, &def);
}

static inline void listen(sis_scene* scene, sis_id on, double at) {
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.at = at;
    put(scene, SIS_KIND_PROBE, &def);
}

static inline sis_id put_plate(sis_scene* scene, sis_plate_model model) {
    sis_plate_def def = sis_plate_default();
    def.length = 0.4;
    def.width = 0.3;
    def.tension = 500;
    def.thickness = 5e-4;
    def.material_density = 1000;
    def.youngs = 3e9;
    def.sigma0 = 1;
    def.model = model;
    def.modes = model == SIS_PLATE_MODAL ? 30 : 0;
    def.segments_x = model == SIS_PLATE_FD ? 16 : 0;
    def.segments_y = model == SIS_PLATE_FD ? 12 : 0;
    return put(scene, SIS_KIND_PLATE, &def);
}

// ---------------------------------------------------------------------------- gestures

static inline double bounded(double value, double low, double high) {
    if (value < low) return fmin(2 * low - value, high);
    return value > high ? fmax(2 * high - value, low) : value;
}

/** Where input i is in each of `frames` samples, beside the others. */
static inline void gesture_column(const sis_system* system, int32_t i, gesture how, int32_t frames,
                                  uint64_t seed, double* rows) {
    const sis_input_info info = sis_system_input(system, i);
    const int32_t count = sis_system_input_count(system);
    const double span = info.max - info.min, turn = 2 * PI * (3 + 10 * random_unit(&seed)) / frames;
    double value = info.value;
    for (int32_t n = 0; n < frames; n++) {
        const bool rests = how == GESTURE_STOPS && n > frames / 2;
        if (how == GESTURE_SINE) value = info.min + span * (0.5 + 0.5 * sin(turn * n));
        if ((how == GESTURE_WALK || how == GESTURE_STOPS) && !rests)
            value = bounded(value + 0.02 * span * (random_unit(&seed) - 0.5), info.min, info.max);
        if (how == GESTURE_JUMPS && random_unit(&seed) < 0.01)
            value = random_unit(&seed) < 0.2 ? info.min : info.min + span * random_unit(&seed);
        rows[(size_t)n * (size_t)count + (size_t)i] = value;
    }
}

static inline double* gesture_rows(const sis_system* system, gesture how, int32_t frames,
                                   uint64_t seed) {
    const int32_t count = sis_system_input_count(system);
    double* rows = calloc((size_t)frames * (size_t)count + 1, sizeof *rows);
    for (int32_t i = 0; i < count; i++)
        gesture_column(system, i, how, frames, seed + 77 * (uint64_t)i, rows);
    return rows;
}

/** A run whose inputs are `rows`, cut into blocks. */
static inline run run_live(sis_system* system, const double* rows, int32_t frames, int32_t block) {
    run r = run_system(system, 0, 1);
    const int32_t inputs = sis_system_input_count(system);
    free(r.rows);
    free(r.energy);
    r.frames = frames;
    r.rows = calloc((size_t)frames * (size_t)r.probes + 1, sizeof(double));
    r.energy = calloc((size_t)frames + 1, sizeof(sis_energy));
    for (int32_t done = 0; done < frames; done += block) {
        const int32_t now = frames - done < block ? frames - done : block;
        const sis_block part = {now, r.rows + (size_t)done * (size_t)r.probes, r.energy + done,
                                rows ? rows + (size_t)done * (size_t)inputs : NULL};
        sis_step(system, r.state, &part);
    }
    return r;
}

static inline sis_system* compiled(const sis_scene* scene, double rate, int32_t lanes) {
    sis_options options = sis_options_default(scene);
    sis_error error = {0};
    options.rate = rate;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    if (system) return system;
    printf("%s\n", error.text);
    exit(1);
}

/** The sentence with which a scene is refused; "": it is not. */
static inline sis_error refusal_of(const sis_scene* scene, double rate) {
    sis_options options = sis_options_default(scene);
    sis_error error = {0};
    options.rate = rate;
    sis_system_free(sis_compile(scene, &options, &error));
    return error;
}

/** Largest |residual| from sample `from` on, less what it was there, of all energy that flowed. */
static inline double residual_from(const run* r, int32_t from) {
    double flowed = 0, off = 0;
    for (int32_t n = 0; n < r->frames; n++) {
        const sis_energy* e = &r->energy[n];
        flowed = fmax(flowed, fmax(fmax(e->total, fabs(e->supplied)), e->dissipated));
        if (n >= from) off = fmax(off, fabs(e->residual - (from ? r->energy[from].residual : 0)));
        if (isnan(e->residual)) off = (double)NAN;
    }
    return off / flowed;
}

static inline bool same_rows(const run* a, const run* b) {
    const size_t rows = (size_t)a->frames * (size_t)a->probes * sizeof(double);
    return memcmp(a->rows, b->rows, rows) == 0 &&
           memcmp(a->energy, b->energy, (size_t)a->frames * sizeof(sis_energy)) == 0;
}

/** Blocks and lanes do not show. */
static inline void check_cuts(const sis_scene* scene, double rate, const double* rows,
                              const run* whole) {
    static const int32_t blocks[] = {1, 7, 64}, lanes[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        run part = run_live(compiled(scene, rate, lanes[i]), rows, whole->frames, blocks[i]);
        CHECK(same_rows(whole, &part));
        run_free(&part);
    }
}

/** A copy of a state in the middle goes on with the same bits, and knows its energy. */
static inline void check_copy(const sis_scene* scene, double rate, const double* rows,
                              const run* whole) {
    sis_system* system = compiled(scene, rate, 0);
    const int32_t half = whole->frames / 2, inputs = sis_system_input_count(system);
    run first = run_live(system, rows, half, half);
    sis_state* copy = aligned_alloc(64, sis_state_size(system));
    memcpy(copy, first.state, sis_state_size(system));
    memset(first.state, 0xff, sis_state_size(system));
    const sis_energy e = sis_state_energy(system, copy);
    CHECK(memcmp(&e, &whole->energy[half - 1], sizeof e) == 0);
    double* probes = calloc((size_t)half * (size_t)whole->probes + 1, sizeof *probes);
    const sis_block block = {half, probes, NULL, rows + (size_t)half * (size_t)inputs};
    sis_step(system, copy, &block);
    CHECK(memcmp(probes, whole->rows + (size_t)half * (size_t)whole->probes,
                 (size_t)half * (size_t)whole->probes * sizeof(double)) == 0);
    free(probes);
    free(copy);
    run_free(&first);
}

/** The laws of any scene whose constants move. Frees the scene; returns the residual. `pulls`: a
 * scheme as published, which may. */
static inline double check_laws_of(sis_scene* scene, double rate, gesture how, int32_t frames,
                                   uint64_t seed, bool pulls) {
    sis_system* system = compiled(scene, rate, 0);
    double* rows = gesture_rows(system, how, frames, seed);
    run r = run_live(system, rows, frames, 4096);
    const double off = residual_from(&r, 0);
    CHECK(off <= 1e-11);
    if (how == GESTURE_STOPS) CHECK(residual_from(&r, frames / 2 + 10) <= 1e-12);
    for (int32_t l = 0; l < sis_system_link_count(system); l++) {
        const sis_link_info info = sis_system_link(system, l);
        const sis_link_report report = sis_state_link(system, r.state, l);
        if (info.kind != SIS_KIND_CONTACT) continue;
        if (info.law == SIS_LAW_ONE_SIDED && !pulls) CHECK(report.min_force >= 0);
        CHECK(report.contact_samples > 0);
        CHECK(report.unconverged == 0);
    }
    check_cuts(scene, rate, rows, &r);
    check_copy(scene, rate, rows, &r);
    free(rows);
    run_free(&r);
    sis_scene_free(scene);
    return off;
}

static inline double check_laws(sis_scene* scene, double rate, gesture how, int32_t frames,
                                uint64_t seed) {
    return check_laws_of(scene, rate, how, frames, seed, false);
}

#endif
