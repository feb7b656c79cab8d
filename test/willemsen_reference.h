/** @file willemsen_reference.h
 * The coupled systems of Willemsen 2019, each in the paper's own unknowns: displacements in the
 * two-step form, or the velocities of the contacts, with the paper's own 2 x 2 and 3 x 3 matrices
 * and its misprints corrected. Slow and plain, one h for both directions of a plate; it shares no
 * line with the program, which works in increments and solves for forces. At the end: how to
 * measure a frequency.
 */
#ifndef SISTRUM_TEST_WILLEMSEN_REFERENCE_H
#define SISTRUM_TEST_WILLEMSEN_REFERENCE_H

#include <stdbool.h>

/** The two-step form loses a thousand times more to rounding than increments do, and collisions
 *  magnify it: the reference carries more digits. */
typedef long double wil_real;

enum { WIL_N = 256, WIL_NX = 48, WIL_NY = 32, WIL_PAD = 2 };

/** M w'' = -M omega^2 w - M R w' + force. */
typedef struct wil_mass {
    wil_real M, omega, R;
    wil_real u, before, next; // u^n, u^{n-1}, u^{n+1}
} wil_mass;

/** rhoA u_tt = T u_xx - EI u_xxxx - 2 rhoA s0 u_t + 2 rhoA s1 u_txx + force density, supported.
 *  Point l is at l + WIL_PAD: two ghosts on each side. */
typedef struct wil_string {
    int N;
    wil_real h, T, rhoA, EI, s0, s1;
    wil_real u[WIL_N], before[WIL_N], next[WIL_N];
} wil_string;

/** rhoH v_tt = -D bilaplace v - 2 rhoH s0 v_t + 2 rhoH s1 laplace v_t + force density, supported.
 */
typedef struct wil_plate {
    int Nx, Ny;
    wil_real h, D, rhoH, s0, s1;
    wil_real u[WIL_NX][WIL_NY], before[WIL_NX][WIL_NY], next[WIL_NX][WIL_NY]; // [x + pad][y + pad]
} wil_plate;

/** One collision: phi = K/(alpha + 1) [eta]_+^(alpha + 1), or |eta| when it is two-sided. */
typedef struct wil_contact {
    wil_real K, alpha, gap;
    bool both;
    wil_real psi, eta, before;
} wil_contact;

typedef enum wil_system {
    WIL_MASS_BARRIER,    ///< sections 2 and 3, barrier above
    WIL_MASS_MASS,       ///< section 4, mass 0 above mass 1
    WIL_STRING_STRING,   ///< section 5, string 0 above string 1; K is a density
    WIL_MASS_STRING,     ///< section 6, string above the mass
    WIL_MASS_STRING_PHI, ///< section 6.1, the same with the iterative scheme
    WIL_TROMBA7,         ///< section 7: spring from string to bridge, bridge above plate
    WIL_TROMBA8,         ///< section 8 in displacements, eq. 78
    WIL_TROMBA8_SPEEDS,  ///< section 8 in the velocities of the contacts, eq. 83
    WIL_APPENDIX_C,      ///< mass between string and barrier, in displacements
    WIL_APPENDIX_E,      ///< the same without stiffness and loss, in the velocities
    WIL_SYSTEMS
} wil_system;

typedef struct wil {
    wil_system system;
    wil_real k;
    wil_real barrier;      // m, height
    int at, at_x, at_y;    // the point of contact on string 0, on the plate
    wil_real K1, K3, damp; // section 7: the connection, damp = 2 sigma_x in N s/m
    wil_real eta_s, eta_s_before;
    wil_mass mass[2];
    wil_string string[2];
    wil_plate plate;
    wil_contact contact[2];
    wil_real psi[WIL_N]; // of the points of two strings
} wil;

/** To be called when u and before of every body are set: eta and psi of the contacts. */
void wil_start(wil* w);

/** One sample. */
void wil_step(wil* w);

/** The plate alone, for other tests: next from u and before. `edge` -1: supported, 1: clamped. */
void wil_plate_free(wil_plate* p, wil_real k, wil_real edge);

// ---------------------------------------------------------------------------- measuring

/** Frequency (Hz) and decay (1/s) of a single sampled mode near `guess` (Hz), from the recursion
 *  that it obeys exactly: x+ = 2 exp(-s k) cos(w k) x - exp(-2 s k) x-, by least squares, k about a
 *  sixth of a period. */
void wil_ringing(const double* x, int count, double rate, double guess, double* frequency,
                 double* decay);

/** Frequency of the partial near `guess` (Hz) in a sound of several: by how far the phase of a
 *  windowed stretch advances until the next one, until the guess stands still. */
double wil_frequency(const double* x, int count, double rate, double guess);

double wil_cents(double measured, double exact);

#endif
