/** @file reference.h
 * What the physics tests share: exact solutions to measure against, and short ways to build and run
 * the scenes that are measured.
 */
#ifndef SISTRUM_TEST_REFERENCE_H
#define SISTRUM_TEST_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sistrum/sistrum.h"

#define PI 3.14159265358979323846

// ---------------------------------------------------------------------------- exact solutions

/** A mass and a wall, written in the penetration x of the mass into the wall:
 *    M x'' = -K [x]_+^alpha (1 + mu x') - M w0^2 (x - rest) - M R x' + F                        */
typedef struct wall {
    double mass;    // kg
    double K;       // N/m^alpha
    double alpha;   //
    double mu;      // s/m
    double omega;   // 1/s, w0 of the mass's own spring
    double rest;    // m, penetration at which that spring is slack
    double damping; // 1/s, R
    double force;   // N, constant, into the wall
} wall;

/** x and x' (v may be NULL) at the times 0, step, 2 step, ... of the motion that starts at (x0,
 * v0). */
void wall_exact(const wall* w, double x0, double v0, double step, int32_t count, double* x,
                double* v);

/** Largest penetration of a free mass arriving with `speed`: ((alpha + 1) M v^2 / 2
 * K)^(1/(alpha+1)). */
double wall_depth(double mass, double K, double alpha, double speed);

/** Theta of alpha: the contact of a free mass lasts 2 Theta depth / speed. */
double wall_theta(double alpha);

/** The K that makes the contact of a free mass last `duration`. */
double wall_stiffness(double mass, double alpha, double speed, double duration);

// ---------------------------------------------------------------------------- methods

/** One way to compute a contact. */
typedef struct method {
    const char* name;
    sis_scheme scheme;
    bool release;
    sis_potential potential;
} method;

enum { LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, EXACT, RELEASE, PLAIN, METHODS };
extern const method methods[METHODS];

// ---------------------------------------------------------------------------- scenes and runs

sis_id put_mass(sis_scene* scene, double mass, double position, double velocity);
sis_id put_barrier(sis_scene* scene, double height);
sis_id put_contact(sis_scene* scene, sis_id above, sis_id below, double K, double alpha,
                   const method* how);
sis_id put_spring(sis_scene* scene, sis_id a, sis_id b, double K1, double K3, double damping);
sis_id put_force(sis_scene* scene, sis_id on, sis_force_shape shape, double peak, double width,
                 double start);
sis_id put_gravity(sis_scene* scene, double g);
void put_probe(sis_scene* scene, sis_id on, sis_quantity quantity);

/** Adds a definition that must be legal; ends the test with the sentence when it is not. */
sis_id put(sis_scene* scene, sis_kind kind, const void* def);

/** What one run wrote. */
typedef struct run {
    sis_system* system;
    sis_state* state;
    int32_t frames;
    int32_t probes;
    double* rows;       // [frames][probes]
    sis_energy* energy; // [frames]
} run;

/** Compiles the scene (and frees it), then advances by `frames`. Ends the test with the sentence
 *  when the scene is refused. */
run run_scene(sis_scene* scene, double rate, int32_t frames);

/** The same of a compiled system, cut into blocks of `block` frames; the run owns the system. */
run run_system(sis_system* system, int32_t frames, int32_t block);

void run_free(run* r);

/** Row n of probe p. */
double run_at(const run* r, int32_t n, int32_t p);

/** Largest |residual| relative to what flowed; NaN when anything is not a number, or nothing did.
 */
double run_residual(const run* r);

/** Largest total energy. */
double run_peak(const run* r);

/** A mass below (or, `flipped`, above) a barrier. Probes: displacement, velocity, force,
 * penetration. */
typedef struct bounce {
    double mass, frequency, damping, position, velocity;
    double height, K, alpha, mu;
    bool flipped;
} bounce;
sis_scene* bounce_scene(const bounce* b, const method* how);

/** Random numbers, the same on every machine: uniform in [0, 1). */
double random_unit(uint64_t* seed);

/** exp of a uniform number between the logarithms: every decade is as likely. */
double random_log(uint64_t* seed, double low, double high);

#endif
