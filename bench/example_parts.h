/** @file example_parts.h
 * What examples are put together from: schemes, one line for each object of a scene, and how a
 * scene is run. Every add goes through the public interface.
 */
#ifndef SISTRUM_EXAMPLE_PARTS_H
#define SISTRUM_EXAMPLE_PARTS_H

#include "sistrum/sistrum.h"

#ifdef __clang__ // the heights of barriers are computed here: the same bits as with gcc
#pragma STDC FP_CONTRACT OFF
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** One way to find the force of a sample. */
typedef struct example_scheme {
    const char* word;
    sis_scheme scheme;
    bool release;
} example_scheme;

static const example_scheme example_schemes[] = {
    {"ledger", SIS_SCHEME_LEDGER, false},
    {"quadratised", SIS_SCHEME_QUADRATISED, false},
    {"quadratised+release", SIS_SCHEME_QUADRATISED, true},
    {"newton", SIS_SCHEME_NEWTON, false},
    {"exact", SIS_SCHEME_EXACT, false},
    {"root", SIS_SCHEME_ROOT, false},
    {"am1", SIS_SCHEME_AM1, false},
    {"verlet", SIS_SCHEME_VERLET, false},
    {"heun", SIS_SCHEME_HEUN, false},
    {"rk4", SIS_SCHEME_RK4, false},
    {"invariant", SIS_SCHEME_INVARIANT, false},
};
// The first work in networks, exact between two bodies, all of them for one mass on a wall.
enum {
    EXAMPLE_NETWORK_SCHEMES = 4,
    EXAMPLE_SCHEMES = 5,
    EXAMPLE_WALL_SCHEMES = sizeof example_schemes / sizeof example_schemes[0]
};

/** The K that gives `force` at `depth`, to three digits: the last bits of pow are not the same on
 * every machine, and a hash should depend on ours only. */
static inline double example_K(double force, double depth, double alpha) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.2e", force / pow(depth, alpha));
    return strtod(digits, NULL);
}

/** There is no memory: the end of a program that measures or tests. */
_Noreturn static inline void example_starve(void) {
    fprintf(stderr, "sistrum: out of memory\n");
    exit(1);
}

static inline sis_scene* example_scene_new(void) {
    sis_scene* scene = sis_scene_new();
    if (!scene) example_starve();
    return scene;
}

/** Examples are correct by construction: an add that fails is a bug worth stopping for. */
static inline sis_id example_added(sis_id id, const sis_error* error) {
    if (id == SIS_NONE && error->status == SIS_NO_MEMORY) example_starve();
    if (id == SIS_NONE) {
        fprintf(stderr, "example: %s\n", error->text);
        exit(1);
    }
    return id;
}

static inline sis_id example_mass(sis_scene* scene, double mass, double frequency, double damping,
                                  double position, double velocity) {
    sis_error error = {0};
    sis_mass_def def = sis_mass_default();
    def.mass = mass;
    if (frequency > 0) def.frequency = frequency;
    def.damping = damping;
    def.position = position;
    def.velocity = velocity;
    return example_added(sis_scene_add_mass(scene, &def, &error), &error);
}

static inline sis_id example_barrier(sis_scene* scene, double height) {
    sis_error error = {0};
    sis_barrier_def def = sis_barrier_default();
    def.height = height;
    return example_added(sis_scene_add_barrier(scene, &def, &error), &error);
}

static inline sis_id example_contact(sis_scene* scene, sis_id above, sis_id below,
                                     example_scheme scheme, double K, double alpha, sis_law law,
                                     double gap, double damping) {
    sis_error error = {0};
    sis_contact_def def = sis_contact_default();
    def.above = above;
    def.below = below;
    def.K = K;
    def.alpha = alpha;
    def.law = law;
    def.gap = gap;
    def.damping = damping;
    def.scheme = scheme.scheme;
    def.release = scheme.release;
    return example_added(sis_scene_add_contact(scene, &def, &error), &error);
}

static inline void example_force(sis_scene* scene, sis_id on, sis_force_shape shape, double peak,
                                 double width, double start) {
    static const double curve[] = {0, 0, 0.002, 1, 0.003, -0.5, 0.01, 0};
    sis_error error = {0};
    sis_force_def def = sis_force_default();
    def.on = on;
    def.shape = shape;
    def.peak = peak;
    if (width > 0) def.width = width;
    def.start = start;
    if (shape == SIS_FORCE_ENVELOPE) def.envelope = (sis_envelope){curve, 4};
    example_added(sis_scene_add_force(scene, &def, &error), &error);
}

static inline void example_gravity(sis_scene* scene, double g) {
    sis_error error = {0};
    sis_gravity_def def = sis_gravity_default();
    def.g = g;
    example_added(sis_scene_add_gravity(scene, &def, &error), &error);
}

static inline void example_probe(sis_scene* scene, sis_id on, sis_quantity quantity) {
    sis_error error = {0};
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.quantity = quantity;
    example_added(sis_scene_add_probe(scene, &def, &error), &error);
}

/** Everything there is to read of one body and one contact. */
static inline void example_probes(sis_scene* scene, sis_id body, sis_id contact) {
    example_probe(scene, body, SIS_QUANTITY_DISPLACEMENT);
    example_probe(scene, body, SIS_QUANTITY_VELOCITY);
    example_probe(scene, contact, SIS_QUANTITY_FORCE);
    example_probe(scene, contact, SIS_QUANTITY_PENETRATION);
}

// ---------------------------------------------------------------------------- running

/** The system of a scene at a rate, or NULL and a sentence. Frees the scene. */
static inline sis_system* example_system(sis_scene* scene, double rate, sis_error* error) {
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    sis_system* system = sis_compile(scene, &options, error);
    sis_scene_free(scene);
    return system;
}

/** Memory of a state and the state in it, which is the same pointer; the caller frees it. */
static inline sis_state* example_state(const sis_system* system) {
    void* memory = aligned_alloc(64, sis_state_size(system));
    if (!memory) example_starve();
    memset(memory, 0, sis_state_size(system));
    return sis_state_init(system, memory);
}

/** FNV-1a of `size` bytes, continued from `hash`: a few bits of difference anywhere change it. */
static inline uint64_t example_hash(uint64_t hash, const void* data, size_t size) {
    const unsigned char* byte = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}
#define EXAMPLE_HASH_START UINT64_C(0xcbf29ce484222325)

#endif
