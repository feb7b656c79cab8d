/** @file string_reference.h
 * What the tests of strings share: the strings of the papers, short ways to put them into a scene,
 * and a second, independent way to compute them.
 *
 * The second way is slow and plain on purpose: the two-step form of the papers with dense matrices,
 *
 *   A u+ = B u + C u- + F - sum_c col_c f_c,      eta_c = col_c . u + offset_c
 *
 * in long double, Newton over the whole grid by Gauss elimination. It shares no line with the
 * program: the program works in increments, solves at the points of contact only, and is banded.
 */
#ifndef SISTRUM_TEST_STRING_REFERENCE_H
#define SISTRUM_TEST_STRING_REFERENCE_H

#include "reference.h"

// ---------------------------------------------------------------------------- strings of the
// papers

/** Ducceschi and Bilbao 2019, figures 4 to 8: L 1 m, T 500 N, 0.063 kg/m, r 0.5 mm, steel. */
sis_string_def string_2019(void);

/** Bilbao 2014: L 0.8 m, T 38.5 N, steel; r 0.5 mm in figure 1, 0.1 mm in figure 3. */
sis_string_def string_2014(double radius);

/** A short one with about 30 intervals at 8 kHz, with losses: a full grid of cases takes seconds.
 */
sis_string_def string_short(void);
#define SHORT_RATE 8000.0

/** The models of a string that every law must hold for. */
typedef struct string_kind {
    const char* name;
    sis_string_model model;
    double gamma; // NaN: by rule
    sis_gamma_rule rule;
    bool tuned;
} string_kind;
enum {
    FD,
    FD_PLAIN,
    STAR,
    STAR_PLAIN,
    GAMMA_TUNED,
    GAMMA_0,
    GAMMA_07,
    TRAPEZOID_PLAIN,
    TRAPEZOID,
    MODAL,
    MODAL_PLAIN,
    STRING_KINDS
};
extern const string_kind string_kinds[STRING_KINDS];

/** The string `def` made discrete in that way. */
sis_string_def string_as(sis_string_def def, const string_kind* kind);

// ---------------------------------------------------------------------------- scenes

/** A barrier with this profile or (NULL) height under the whole string. */
typedef double (*shape)(double x);
sis_id put_bed(sis_scene* scene, shape height, double level);
double bent_2019(double x);   ///< -1e-4 - 1e-4 x - 1e-3 x^2, figure 8
double bridge_2014(double x); ///< parabola under 0.8 m: 2 mm down in the middle, 5 mm at the ends

sis_id put_push(sis_scene* scene, sis_id on, double at, double peak, double width, double start);
sis_id put_pluck(sis_scene* scene, sis_id on, sis_pluck_shape form, double at, double height);
sis_id put_mode(sis_scene* scene, sis_id on, int32_t mode, double height);
void put_pickup(sis_scene* scene, sis_id on, double at, sis_quantity quantity);

/** Compiles; ends the test with the sentence when it is refused. Frees the scene. */
sis_system* compiled(sis_scene* scene, double rate);

/** The scheme and potential of every contact that put_contact makes from a scheme alone. */
method method_of(sis_scheme scheme, sis_potential potential);

// ---------------------------------------------------------------------------- formulas of the laws

/** EI = E pi r^4/4 and EA = E pi r^2 of a definition; density in kg/m. */
double string_stiffness(const sis_string_def* def);
double string_stretch(const sis_string_def* def);
double string_density(const sis_string_def* def);

/** w_p of the string itself, supported ends, rad/s. */
double exact_omega(const sis_string_def* def, int32_t p);

double cents(double measured, double exact);

/** Frequency of a sampled sinusoid, Hz, from the recursion x+ + x- = 2 cos(w k) x that it obeys. */
double ringing(const double* x, int32_t count, double rate);

// ---------------------------------------------------------------------------- the second way

typedef long double real;
enum { REF_DOFS = 64, REF_BODIES = 4, REF_CONTACTS = 64 };

typedef struct ref_body {
    int first, count;
    real scale; // N/m: mass of a degree of freedom over k^2
    real kap;   // Kirchhoff-Carrier, 0: linear
    bool modal;
    bool clamped;
    bool through; // tuned implicit: points are read and pushed through R = 1 - (gamma h^2/8) Dxx
    real root;    // m^2, gamma h^2/8
    int segments;
    double length;
    real S[REF_DOFS][REF_DOFS]; // the stretch is that of the column S u, -Dxx u if it is not tuned
} ref_body;

typedef struct ref {
    double k;
    int dofs, bodies, contacts, rows;
    sis_scheme scheme; // newton or quadratised
    bool midpoint;
    real share; // of a contact's force in a step: 1, at the start 1/2
    ref_body body[REF_BODIES];
    real A[REF_DOFS][REF_DOFS], B[REF_DOFS][REF_DOFS], C[REF_DOFS][REF_DOFS];
    real P[REF_DOFS][REF_DOFS], D2[REF_DOFS][REF_DOFS], L[REF_DOFS][REF_DOFS];
    real u[REF_DOFS], before[REF_DOFS];
    real launch[REF_DOFS]; // initial velocity
    real push[REF_DOFS];   // spreading of the one external force
    real col[REF_CONTACTS][REF_DOFS], offset[REF_CONTACTS], K[REF_CONTACTS], alpha[REF_CONTACTS];
    real psi[REF_CONTACTS], force[REF_CONTACTS];
    real now[REF_CONTACTS], then[REF_CONTACTS]; // eta^n, eta^{n-1}
} ref;

ref* ref_new(double rate, sis_scheme scheme, bool midpoint);

/** A string with the grid, gamma and stiffness that the program says it uses (other tests check
 *  those against the formulas above). Returns the body. */
int ref_string(ref* r, const sis_string_def* def, const sis_body_info* used);
int ref_mass(ref* r, double mass, double stiffness, double damping);

/** Weights that read the displacement at x: Lagrange of order 0, 1 or 3 with the ends folded in, or
 *  mode shapes. Adds `factor` times them to row[dofs]. */
void ref_read(const ref* r, int body, double x, int order, real factor, real* row);

/** From what the points of a body should read, in u, to what its degrees of freedom are. */
void ref_shape(ref* r, int body);

/** The external force sits at x. */
void ref_push(ref* r, int body, double x);

/** A point of contact; K includes the weight of the point. Returns its number. Fill col. */
int ref_contact(ref* r, double K, double alpha, double offset);

/** A barrier along [from, to] below a string: a contact at every interior point of its grid. */
void ref_bed(ref* r, int body, double from, double to, shape height, double level, double K,
             double alpha);

/** A linear spring and damper with elongation col . u: K1 mu_tt eta + R delta_t. eta. After the
 *  bodies, before the start. */
void ref_spring(ref* r, const real* col, double K1, double R);

/** First step from u and launch, with the external force `F` of t = 0. */
void ref_start(ref* r, double F);

/** One step under the external force `F` of this sample. */
void ref_step(ref* r, double F);

/** row . u, now. */
double ref_at(const ref* r, const real* row);

/** The raised cosine of put_push at sample n. */
double push_at(double peak, double width, double start, double t);

#endif
