/** @file live_hand.h
 * Hands that move a field while it sounds, for tests: what they hold, how they move, and runs.
 */
#ifndef SISTRUM_TEST_LIVE_HAND_H
#define SISTRUM_TEST_LIVE_HAND_H

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "string_reference.h"

// ---------------------------------------------------------------------------- scenes

// What follows an input: a field of a string or plate, from .. to, begun at `start`.
typedef struct hold {
    const char* key;
    double low, start, high;
} hold;

static inline void put_bound(sis_scene* scene, sis_id object, const hold* b) {
    sis_input_def def = sis_input_default();
    sis_error error = {0};
    def.name = "hand";
    def.value = b->start;
    def.min = b->low;
    def.max = b->high;
    const sis_id input = put(scene, SIS_KIND_INPUT, &def);
    if (!sis_scene_bind(scene, object, b->key, input, 1, 0, &error)) {
        printf("%s\n", error.text);
        exit(1);
    }
}

static inline sis_plate_def plate_small(sis_plate_model model, bool tuned, sis_ends edge,
                                        double youngs) {
    sis_plate_def def = sis_plate_default();
    def.length = 0.4;
    def.width = 0.3;
    def.thickness = 1e-3;
    def.material_density = 1200;
    def.youngs = youngs;
    def.tension = 3000;
    def.sigma0 = 2;
    def.sigma1 = 1e-3;
    def.model = model;
    def.tuned = tuned;
    def.edge = edge;
    return def;
}

typedef struct plate_kind {
    const char* name;
    sis_plate_model model;
    bool tuned;
    sis_ends edge;
    double youngs;
} plate_kind;
static const plate_kind plate_kinds[] = {
    {"membrane", SIS_PLATE_FD, true, SIS_ENDS_SUPPORTED, 0},
    {"membrane published", SIS_PLATE_FD, false, SIS_ENDS_SUPPORTED, 0},
    {"plate", SIS_PLATE_FD, true, SIS_ENDS_SUPPORTED, 3e9},
    {"plate published", SIS_PLATE_FD, false, SIS_ENDS_SUPPORTED, 3e9},
    {"plate clamped", SIS_PLATE_FD, true, SIS_ENDS_CLAMPED, 3e9},
    {"plate clamped published", SIS_PLATE_FD, false, SIS_ENDS_CLAMPED, 3e9},
    {"membrane modal", SIS_PLATE_MODAL, true, SIS_ENDS_SUPPORTED, 0},
    {"plate modal", SIS_PLATE_MODAL, true, SIS_ENDS_SUPPORTED, 3e9},
};
enum { PLATE_KINDS = sizeof plate_kinds / sizeof *plate_kinds };

static inline sis_plate_def plate_as(const plate_kind* kind) {
    return plate_small(kind->model, kind->tuned, kind->edge, kind->youngs);
}

// ---------------------------------------------------------------------------- gestures

// Where the hand is, 0 .. 1 of its range, at sample n.
typedef double (*gesture)(int32_t n);

static inline double sine(int32_t n) {
    return 0.5 + 0.5 * sin(0.013 * n);
}

static inline uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185u;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44du;
    return x ^ (x >> 33);
}

static inline double jump(int32_t n) {
    return (double)(mixed((uint64_t)(n / 37) + 5) >> 11) * 0x1p-53;
}

// In every sample; more would pump the highest partials without end, as it should.
static inline double jitter(int32_t n) {
    return 0.5 + 0.1 * (double)(mixed((uint64_t)n + 99) >> 11) * 0x1p-53;
}

static inline double wander(int32_t n) {
    return 0.5 + 0.3 * sin(0.002 * n) * sin(0.11 * n) + jitter(n / 5) - 0.5;
}

// Plays a system: `frames` samples in blocks of `block`, of which the first `moving` follow the
// gesture; then the hand rests.
typedef struct played {
    sis_system* system;
    sis_state* state;
    int32_t frames, probes;
    double* rows;
    sis_energy* energy;
} played;

static inline double* hand_rows(const hold* b, gesture g, int32_t frames, int32_t moving) {
    double* rows = malloc((size_t)frames * sizeof *rows);
    for (int32_t n = 0; n < frames; n++) {
        const double at = g ? g(n < moving ? n : moving) : 0;
        rows[n] = g ? b->low + (b->high - b->low) * at : b->start;
    }
    return rows;
}

static inline void advance(played* p, const double* hand, int32_t from, int32_t to, int32_t block) {
    for (int32_t n = from; n < to; n += block) {
        const int32_t count = n + block < to ? block : to - n;
        const sis_block part = {.frames = count,
                                .probes = p->rows + (size_t)n * (size_t)p->probes,
                                .energy = p->energy + n,
                                .inputs = hand ? hand + n : NULL};
        sis_step(p->system, p->state, &part);
    }
}

static inline played begin(sis_system* system, int32_t frames) {
    played p = {.system = system, .frames = frames, .probes = sis_system_probe_count(system)};
    p.state = sis_state_init(system, aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system)));
    p.rows = calloc((size_t)frames * (size_t)p.probes + 1, sizeof *p.rows);
    p.energy = calloc((size_t)frames, sizeof *p.energy);
    return p;
}

static inline played play(sis_system* system, const double* hand, int32_t frames, int32_t block) {
    played p = begin(system, frames);
    advance(&p, hand, 0, frames, block);
    return p;
}

static inline void end(played* p) {
    free(p->state);
    free(p->rows);
    free(p->energy);
    sis_system_free(p->system);
}

// Largest |residual| of samples from .. to relative to the largest energy of all.
static inline double residual_of(const played* p, int32_t from, int32_t to) {
    double most = 0, scale = 0, first = from ? p->energy[from - 1].residual : 0;
    for (int32_t n = 0; n < p->frames; n++) {
        const sis_energy* e = &p->energy[n];
        scale = fmax(scale, fmax(e->total, fmax(fabs(e->supplied), e->dissipated)));
        const double off = fabs(e->residual - first);
        if (n >= from && n < to && !(off <= most)) most = off;
    }
    return most / scale;
}

static inline bool same_bits(const played* a, const played* b) {
    return memcmp(a->rows, b->rows, (size_t)a->frames * (size_t)a->probes * sizeof(double)) == 0 &&
           memcmp(a->energy, b->energy, (size_t)a->frames * sizeof *a->energy) == 0;
}

#endif
