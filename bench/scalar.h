/** @file scalar.h
 * The same explicit string over a barrier, the same scheme (ledger), as one would write it down in
 * plain C: two-step recursion, one point after the other, libm's pow. What the core is compared
 * with; compiled with -O2 and nothing else.
 */
#ifndef SISTRUM_BENCH_SCALAR_H
#define SISTRUM_BENCH_SCALAR_H

#include <stdbool.h>
#include <stddef.h>

enum { SCALAR_PAD = 2 }; // points beyond the ends

/** What does not change. */
typedef struct scalar_string {
    int points;               // inside the ends
    double here, beside, far; // of u^n
    double was, was_beside;   // of u^{n-1}
    double push;              // m/N, how far a unit force moves a point in one step
    double K_over_t, alpha;   // potential of a point: K_over_t x^(alpha + 1)
    double half_power;        // 2^-(alpha + 1)
    double force_weight[4];   // where the force acts, from point `force_first` on
    int force_first;
    int half_cosine;          // else a raised cosine
    double peak, width, rate; // N, s, Hz
    double bend[3], spacing;  // m, height of the barrier over x
} scalar_string;

/** Doubles that its state takes. */
size_t scalar_string_size(const scalar_string* s);

/** At rest before sample 0. */
void scalar_string_start(const scalar_string* s, double* state);

/** Advances by `samples` rows, from row `first` on. */
void scalar_string_run(const scalar_string* s, double* state, int first, int samples);

/** The shape at the last row, [points]. */
const double* scalar_string_shape(const scalar_string* s, const double* state);

/** Whether any point is inside the barrier at the last row. */
bool scalar_string_inside(const scalar_string* s, const double* state);

/** A free lossy plate, the same way. Coefficients of u^n at distances 0, 1, sqrt 2, 2 and of
 * u^{n-1} at 0 and 1. State: [3][rows + 4][columns + 4], 0 at the edges and beyond. */
typedef struct scalar_plate {
    int columns, rows;
    double here, beside, corner, far, was, was_beside;
} scalar_plate;

void scalar_plate_run(const scalar_plate* p, double* state, int samples);

#endif
