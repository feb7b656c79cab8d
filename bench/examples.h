/** @file examples.h
 * Scenes of masses, strings, plates and modal bodies, built through the public interface and shared
 * by the bench, bits.c and the tests of the real-time promise and of threads: what is timed is what
 * is tested. Each family is one function with the numbers that matter as arguments; `example_named`
 * lists the mixtures worth hashing.
 */
#ifndef SISTRUM_EXAMPLES_H
#define SISTRUM_EXAMPLES_H

// Heights of barriers too have the same bits from every compiler.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__STRICT_ANSI__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "example_bodies.h"
#include "example_parts.h"

// ---------------------------------------------------------------------------- families

/** 10 g on a spring of 100 Hz, swinging against a barrier again and again; K makes a contact of
 * about a millisecond whatever alpha is. */
static inline sis_scene* example_swing(example_scheme scheme, double alpha, sis_law law,
                                       double damping) {
    sis_scene* scene = example_scene_new();
    sis_id mass = example_mass(scene, 0.01, 100, 0, 0.004, 1);
    sis_id barrier = example_barrier(scene, -0.001);
    double gap = law == SIS_LAW_CENTRE_LIMITED ? 0.0005 : 0;
    double K = example_K(200, 5e-4, alpha);
    sis_id contact = example_contact(scene, mass, barrier, scheme, K, alpha, law, gap, damping);
    example_probes(scene, mass, contact);
    return scene;
}

/** 10 g above a barrier that it never meets: its weight points up, which costs what weight costs.
 */
static inline sis_scene* example_flight(example_scheme scheme, double alpha) {
    sis_scene* scene = example_scene_new();
    sis_id mass = example_mass(scene, 0.01, 0, 0, 1, 0.1);
    sis_id barrier = example_barrier(scene, 0);
    sis_id contact =
        example_contact(scene, mass, barrier, scheme, 1e6, alpha, SIS_LAW_ONE_SIDED, 0, 0);
    example_gravity(scene, -1e-3);
    example_probes(scene, mass, contact);
    return scene;
}

/** 10 g trembling in a contact that its weight keeps closed: pressed in by 1 mm, moving by about a
 *  third of that, so that every sample is a new force and none is an opening. */
static inline sis_scene* example_pressed(example_scheme scheme, double alpha) {
    const double mass_kg = 0.01, g = 9.81, depth = 1e-3;
    sis_scene* scene = example_scene_new();
    double K = example_K(mass_kg * g, depth, alpha);
    double w = sqrt(alpha * g / depth); // rad/s of small motion about the depth
    sis_id mass = example_mass(scene, mass_kg, 0, 0, -depth, 0.3 * depth * w);
    sis_id barrier = example_barrier(scene, 0);
    sis_id contact =
        example_contact(scene, mass, barrier, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, 0);
    example_gravity(scene, g);
    example_probes(scene, mass, contact);
    return scene;
}

/** A marble bounces on a table with loss until it rests. */
static inline sis_scene* example_marble(example_scheme scheme, double alpha, double damping) {
    sis_scene* scene = example_scene_new();
    sis_id marble = example_mass(scene, 0.01, 0, 0, 0.005, 0);
    sis_id table = example_barrier(scene, 0);
    double K = example_K(1e3, 1e-4, alpha);
    sis_id contact =
        example_contact(scene, marble, table, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, damping);
    example_gravity(scene, 9.81);
    example_probes(scene, marble, contact);
    return scene;
}

/** Two masses on springs of their own, tied together softly, that keep clashing. */
static inline sis_scene* example_pair(example_scheme scheme, double alpha, double damping) {
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id a = example_mass(scene, 0.02, 80, 0.5, 0.001, -0.5);
    sis_id b = example_mass(scene, 0.01, 130, 0, -0.001, 1.0);
    double K = example_K(300, 3e-4, alpha);
    sis_id contact = example_contact(scene, a, b, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, damping);
    sis_spring_def tie = sis_spring_default();
    tie.a = a;
    tie.b = b;
    tie.K1 = 50;
    tie.K3 = 1e6;
    tie.damping = 0.01;
    example_added(sis_scene_add_spring(scene, &tie, &error), &error);
    example_probes(scene, a, contact);
    example_probe(scene, b, SIS_QUANTITY_VELOCITY);
    return scene;
}

/** A row of pendulum balls, neighbour against neighbour: Newton's cradle with 5, a chain with 100.
 *  Ball 0 is highest in u and comes in from above; the balls rest `apart` from each other. */
static inline sis_scene* example_row(example_scheme scheme, int count, double apart, double alpha,
                                     double damping) {
    sis_scene* scene = example_scene_new();
    sis_id upper = SIS_NONE, contact = SIS_NONE;
    sis_id first = SIS_NONE, last = SIS_NONE;
    double K = example_K(1e4, 1e-4, alpha);
    for (int i = 0; i < count; i++) {
        // Each u is measured from the ball's own rest, the gap carries the distance between the
        // rests.
        sis_id ball = example_mass(scene, 0.05, 1.5, 0, i == 0 ? 0.01 : 0, i == 0 ? -1 : 0);
        if (i == 0) first = ball;
        if (i > 0)
            contact = example_contact(scene, upper, ball, scheme, K, alpha, SIS_LAW_ONE_SIDED,
                                      apart, damping);
        upper = last = ball;
    }
    example_probe(scene, first, SIS_QUANTITY_VELOCITY);
    example_probes(scene, last, contact);
    return scene;
}

/** A row of balls squeezed between two walls, so that all count + 1 contacts stay closed and are
 * solved together while a pulse runs to and fro. */
static inline sis_scene* example_squeezed(example_scheme scheme, int count, double alpha) {
    const double depth = 1e-4;
    sis_scene* scene = example_scene_new();
    double K = example_K(1e3, depth, alpha);
    sis_id upper = example_barrier(scene, 0), ball = SIS_NONE, contact = SIS_NONE;
    for (int i = 0; i < count; i++) {
        ball = example_mass(scene, 0.05, 0, 0, 0, i == 0 ? -0.02 : 0);
        example_contact(scene, upper, ball, scheme, K, alpha, SIS_LAW_ONE_SIDED, -depth, 0);
        upper = ball;
    }
    contact = example_contact(scene, upper, example_barrier(scene, 0), scheme, K, alpha,
                              SIS_LAW_ONE_SIDED, -depth, 0);
    example_probes(scene, ball, contact);
    return scene;
}

/** Every shape of force, gravity, and a driven hammer, on one mass above a barrier. */
static inline sis_scene* example_forces(example_scheme scheme, double alpha) {
    static const double hammer_path[] = {0, 0.02, 0.01, 0.001, 0.02, 0.02, 0.05, 0.003, 0.06, 0.02};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id mass = example_mass(scene, 0.01, 60, 2, 0, 0);
    sis_id barrier = example_barrier(scene, -0.0005);
    double K = example_K(200, 5e-4, alpha);
    sis_id contact =
        example_contact(scene, mass, barrier, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, 0);
    sis_mass_def def = sis_mass_default();
    def.path = (sis_envelope){hammer_path, 5};
    sis_id hammer = example_added(sis_scene_add_mass(scene, &def, &error), &error);
    sis_id strike = example_contact(scene, hammer, mass, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, 0);
    example_gravity(scene, 9.81);
    example_force(scene, mass, SIS_FORCE_RAISED_COSINE, -3, 0.002, 0.0011);
    example_force(scene, mass, SIS_FORCE_HALF_COSINE, 5, 0.001, 0.02);
    example_force(scene, mass, SIS_FORCE_IMPULSE, -0.01, 0, 0.031);
    example_force(scene, mass, SIS_FORCE_CONSTANT, -0.5, 0.01, 0.04);
    example_force(scene, mass, SIS_FORCE_CONSTANT, 0.05, 0, 0.05);
    example_force(scene, mass, SIS_FORCE_ENVELOPE, 4, 0, 0.06);
    example_probes(scene, mass, contact);
    example_probe(scene, strike, SIS_QUANTITY_FORCE);
    return scene;
}

// ---------------------------------------------------------------------------- families of strings

/** The barrier's curve; the context is three numbers. */
static inline bool example_bend(void* context, double x, double* out, sis_error* error) {
    (void)error;
    const double* bend = context;
    *out = bend[0] + bend[1] * x + bend[2] * x * x;
    return true;
}

/** A barrier under the whole string; `bend` must outlive the compile. */
static inline sis_id example_bent_barrier(sis_scene* scene, double bend[3]) {
    sis_error error = {0};
    sis_barrier_def def = sis_barrier_default();
    def.profile = (sis_profile){.value = example_bend, .context = bend};
    return example_added(sis_scene_add_barrier(scene, &def, &error), &error);
}

/** A steel string of 0.5 m, losses and all; `segments` far fewer than are stable, so that runs are
 *  short. */
static inline sis_id example_string(sis_scene* scene, sis_string_model model, int segments,
                                    sis_nonlinear nonlinear) {
    sis_error error = {0};
    sis_string_def def = sis_string_default();
    def.length = 0.5;
    def.tension = 60;
    def.density = 1e-3;
    def.radius = 2e-4;
    def.youngs = 2e11;
    def.sigma0 = 0.5;
    def.sigma1 = 2e-4;
    def.model = model;
    def.segments = segments;
    if (model == SIS_STRING_MODAL) def.modes = segments / 2;
    def.nonlinear = nonlinear;
    return example_added(sis_scene_add_string(scene, &def, &error), &error);
}

static inline void example_pluck(sis_scene* scene, sis_id on, double at, double height) {
    sis_error error = {0};
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    def.at = at;
    def.height = height;
    example_added(sis_scene_add_pluck(scene, &def, &error), &error);
}

/** Displacement and velocity between two grid points, and what the contact does. */
static inline void example_string_probes(sis_scene* scene, sis_id string, sis_id contact) {
    sis_error error = {0};
    sis_probe_def def = sis_probe_default();
    def.on = string;
    def.at = 0.41;
    example_added(sis_scene_add_probe(scene, &def, &error), &error);
    def.quantity = SIS_QUANTITY_VELOCITY;
    example_added(sis_scene_add_probe(scene, &def, &error), &error);
    example_probe(scene, contact, SIS_QUANTITY_FORCE);
    example_probe(scene, contact, SIS_QUANTITY_PENETRATION);
}

/** Plucked over a bent barrier along its whole length. */
static inline sis_scene* example_bridge(example_scheme scheme, double alpha, sis_string_model model,
                                        sis_nonlinear nonlinear) {
    static double bend[3] = {-1e-4, -1e-4, -2e-3};
    sis_scene* scene = example_scene_new();
    sis_id string = example_string(scene, model, 14, nonlinear);
    sis_id barrier = example_bent_barrier(scene, bend);
    double K = example_K(500, 1e-4, alpha); // N/m
    sis_id contact =
        example_contact(scene, string, barrier, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, 0);
    example_pluck(scene, string, 0.13, 2e-3);
    example_string_probes(scene, string, contact);
    return scene;
}

/** Plucked over five frets between grid points, with loss, and pushed once more on the way. */
static inline sis_scene* example_frets(example_scheme scheme, double alpha, double damping) {
    static const double places[] = {0.03, 0.06, 0.09, 0.11, 0.134};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id string = example_string(scene, SIS_STRING_IMPLICIT, 13, SIS_LINEAR);
    sis_barrier_def frets = sis_barrier_default();
    frets.height = -4e-4;
    frets.at = (sis_list){places, 5};
    sis_id neck = example_added(sis_scene_add_barrier(scene, &frets, &error), &error);
    double K = example_K(20, 1e-4, alpha);
    sis_id contact =
        example_contact(scene, string, neck, scheme, K, alpha, SIS_LAW_ONE_SIDED, 0, damping);
    example_pluck(scene, string, 0.4, 3e-3);
    sis_force_def push = sis_force_default();
    push.on = string;
    push.at = 0.222;
    push.shape = SIS_FORCE_RAISED_COSINE;
    push.peak = -2;
    push.width = 0.002;
    push.start = 0.03;
    example_added(sis_scene_add_force(scene, &push, &error), &error);
    example_string_probes(scene, string, contact);
    return scene;
}

/** A hammer flies up against a string, which falls onto another one on another grid. */
static inline sis_scene* example_strings(example_scheme scheme, double alpha) {
    static const double place[] = {0.07};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id upper = example_string(scene, SIS_STRING_FD, 17, SIS_LINEAR);
    sis_id lower = example_string(scene, SIS_STRING_FD, 11, SIS_LINEAR);
    sis_id hammer = example_mass(scene, 2e-3, 0, 0, -1e-3, 2);
    sis_contact_def strike = sis_contact_default();
    strike.above = upper;
    strike.below = hammer;
    strike.at_above = (sis_list){place, 1};
    strike.K = example_K(50, 1e-4, alpha);
    strike.alpha = alpha;
    strike.scheme = scheme.scheme;
    strike.release = scheme.release;
    example_added(sis_scene_add_contact(scene, &strike, &error), &error);
    double K = example_K(300, 1e-4, alpha); // N/m
    sis_id clash =
        example_contact(scene, upper, lower, scheme, K, alpha, SIS_LAW_ONE_SIDED, 5e-4, 0);
    example_string_probes(scene, upper, clash);
    return scene;
}

// ---------------------------------------------------------------------------- the mixture

// Masses come with every scheme and exponent; strings, which cost more, with the schemes they can
// have and three exponents: a closed form, a power, a root.
static const double example_alphas[] = {1, 1.3, 2.5, 1.5, 2, 3};
enum {
    EXAMPLE_ALPHAS = sizeof example_alphas / sizeof example_alphas[0],
    EXAMPLE_STRING_ALPHAS = 3,
    EXAMPLE_KINDS = 9,
    EXAMPLE_STRING_KINDS = 6,
    EXAMPLE_MASSES = EXAMPLE_WALL_SCHEMES * EXAMPLE_ALPHAS * EXAMPLE_KINDS,
    EXAMPLE_STRINGS = EXAMPLE_SCHEMES * EXAMPLE_STRING_ALPHAS * EXAMPLE_STRING_KINDS,
    EXAMPLE_BODY_KINDS = 6, // as strings, with two
    EXAMPLE_BODY_ALPHAS = 2,
    EXAMPLE_BODIES = EXAMPLE_SCHEMES * EXAMPLE_BODY_ALPHAS * EXAMPLE_BODY_KINDS
};

/** How many scenes `example_named` knows. */
static inline int example_count(void) {
    return EXAMPLE_MASSES + EXAMPLE_STRINGS + EXAMPLE_BODIES;
}

/** May the i-th scene be refused? Not when its scheme works everywhere. */
static inline bool example_may_refuse(int i) {
    int scheme;
    if (i < EXAMPLE_MASSES)
        scheme = i / EXAMPLE_KINDS / EXAMPLE_ALPHAS;
    else if (i < EXAMPLE_MASSES + EXAMPLE_STRINGS)
        scheme = (i - EXAMPLE_MASSES) / EXAMPLE_STRING_KINDS / EXAMPLE_STRING_ALPHAS;
    else
        scheme = (i - EXAMPLE_MASSES - EXAMPLE_STRINGS) / EXAMPLE_BODY_KINDS / EXAMPLE_BODY_ALPHAS;
    return scheme >= EXAMPLE_NETWORK_SCHEMES;
}

static inline sis_scene* example_named_masses(int i, char name[64]) {
    int kind = i % EXAMPLE_KINDS;
    double alpha = example_alphas[i / EXAMPLE_KINDS % EXAMPLE_ALPHAS];
    example_scheme scheme = example_schemes[i / EXAMPLE_KINDS / EXAMPLE_ALPHAS];
    static const char* words[EXAMPLE_KINDS] = {"swing",   "swing-two-sided", "swing-centre-limited",
                                               "pressed", "marble",          "marble-lossy",
                                               "pair",    "cradle",          "forces"};
    snprintf(name, 64, "%s/%s/%g", words[kind], scheme.word, alpha);
    switch (kind) {
    case 0:
        return example_swing(scheme, alpha, SIS_LAW_ONE_SIDED, 0);
    case 1:
        return example_swing(scheme, alpha, SIS_LAW_TWO_SIDED, 0);
    case 2:
        return example_swing(scheme, alpha, SIS_LAW_CENTRE_LIMITED, 0);
    case 3:
        return example_pressed(scheme, alpha);
    case 4:
        return example_marble(scheme, alpha, 0);
    case 5:
        return example_marble(scheme, alpha, 0.3);
    case 6:
        return example_pair(scheme, alpha, 0);
    case 7:
        return example_row(scheme, 5, 1e-5, alpha, 0);
    default:
        return example_forces(scheme, alpha);
    }
}

static inline sis_scene* example_named_strings(int i, char name[64]) {
    int kind = i % EXAMPLE_STRING_KINDS;
    double alpha = example_alphas[i / EXAMPLE_STRING_KINDS % EXAMPLE_STRING_ALPHAS];
    example_scheme scheme = example_schemes[i / EXAMPLE_STRING_KINDS / EXAMPLE_STRING_ALPHAS];
    static const char* words[EXAMPLE_STRING_KINDS] = {
        "bridge-fd", "bridge-implicit", "bridge-modal", "bridge-stretched", "frets", "strings"};
    snprintf(name, 64, "%s/%s/%g", words[kind], scheme.word, alpha);
    switch (kind) {
    case 0:
        return example_bridge(scheme, alpha, SIS_STRING_FD, SIS_LINEAR);
    case 1:
        return example_bridge(scheme, alpha, SIS_STRING_IMPLICIT, SIS_LINEAR);
    case 2:
        return example_bridge(scheme, alpha, SIS_STRING_MODAL, SIS_LINEAR);
    case 3:
        return example_bridge(scheme, alpha, SIS_STRING_FD, SIS_KIRCHHOFF_CARRIER);
    case 4:
        return example_frets(scheme, alpha, 0.2);
    default:
        return example_strings(scheme, alpha);
    }
}

static inline sis_scene* example_named_bodies(int i, char name[64]) {
    int kind = i % EXAMPLE_BODY_KINDS;
    double alpha = example_alphas[i / EXAMPLE_BODY_KINDS % EXAMPLE_BODY_ALPHAS];
    example_scheme scheme = example_schemes[i / EXAMPLE_BODY_KINDS / EXAMPLE_BODY_ALPHAS];
    static const char* words[EXAMPLE_BODY_KINDS] = {"tromba",     "tromba-linear", "drum",
                                                    "drum-modal", "bells",         "lug"};
    snprintf(name, 64, "%s/%s/%g", words[kind], scheme.word, alpha);
    switch (kind) {
    case 0:
        return example_tromba(scheme, alpha, SIS_BOW_NEWTON);
    case 1:
        return example_tromba(scheme, alpha, SIS_BOW_LINEAR);
    case 2:
        return example_drum(scheme, alpha, SIS_PLATE_FD, SIS_ENDS_CLAMPED);
    case 3:
        return example_drum(scheme, alpha, SIS_PLATE_MODAL, SIS_ENDS_SUPPORTED);
    case 4:
        return example_bells(scheme, alpha);
    default:
        return example_lug(scheme, alpha);
    }
}

/** The i-th scene and its name. The caller frees it. */
static inline sis_scene* example_named(int i, char name[64]) {
    if (i < EXAMPLE_MASSES) return example_named_masses(i, name);
    i -= EXAMPLE_MASSES;
    return i < EXAMPLE_STRINGS ? example_named_strings(i, name)
                               : example_named_bodies(i - EXAMPLE_STRINGS, name);
}

#endif
