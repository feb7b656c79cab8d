// Bodies: what moves. A body advances freely, says how far a unit force moves it in one step, and
// knows its energy. Each kind is one table of functions; a bank is a run of degrees of freedom of
// one kind.
//
//   M delta_tt u = -K u - 2 M s0 delta_t. u + F - contacts,      state u and d = u^n - u^{n-1}
//   d* = d + Dinv (-K u + F) - drop d,   Dinv = k^2/(M (1 + s0 k)),   drop = 2 s0 k/(1 + s0 k)
//   d+ = d* + Dinv p
//
// with p the forces of the links. The increment form rounds about 1000 times better than the
// two-step one; `drop` is small and exact to its own size, where (1 - s0 k)/(1 + s0 k) would be
// wrong by the same rounding in every sample and drift.
#ifndef SIS_BODY_H
#define SIS_BODY_H

#include "base/base.h"

typedef struct body_bank {
    const struct body_kind* kind;
    int32_t first, count; // degrees of freedom
    const void* data;     // of the kind
} body_bank;

// Arrays over all degrees of freedom.
typedef struct body_motion {
    double* u;      // displacement, m
    double* d;      // last increment, m
    double* kick;   // d* - d, m
    double* rest;   // what rounding has kept from d, m
    double* free;   // d*, m
    double* F;      // external forces of this sample, N
    double* push;   // forces of the links, N
    double* travel; // d+ + d, m
} body_motion;

// Work done in one sample, J.
typedef struct body_work {
    double supplied, dissipated;
} body_work;

typedef struct body_kind {
    // d* from u, d and F; `time` is that of the next sample, s.
    void (*advance)(const body_bank* bank, const body_motion* motion, double time);
    // Takes the links' push: new d, u and travel; returns the work of the sample.
    body_work (*accept)(const body_bank* bank, const body_motion* motion);
    // Energies at the half sample before u.
    void (*energy)(const body_bank* bank, const body_motion* motion, double* kinetic,
                   double* elastic);
    // How far a unit force at one degree of freedom moves it in one step, m/N.
    double (*compliance)(const body_bank* bank, int32_t dof);
    // The first increment from rest values: free = d of the first step without links, from u^0 in u
    // and the velocity in d.
    void (*start)(const body_bank* bank, const body_motion* motion, double k, double time);
} body_kind;

// Point masses on springs. Arrays over the bank.
typedef struct mass_bank {
    double* mass;      // kg
    double* stiffness; // N/m, M w0^2
    double* Dinv;      // m/N
    double* drop;      // 2 s0 k/(1 + s0 k)
    double* loss;      // N s/m / (4 k): dissipated = loss travel^2
    double inverse_k;  // 1/s
} mass_bank;
extern const body_kind sis_mass_kind;

// Masses driven along paths.
typedef struct driven_bank {
    sis_envelope* path; // m over s
} driven_bank;
extern const body_kind sis_driven_kind;

// The value of an envelope.
double sis_envelope_at(sis_envelope curve, double time);

#endif
