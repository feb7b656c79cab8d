// Schemes other than ledger, for one contact.
#define LANES 1
#include "contact/schemes_lanes.h"

#include "contact/contact.h"

#include <float.h>
#include <math.h>

// ---------------------------------------------------------------------------- newton
//
// The conservative scheme of Bilbao 2014 for one contact, solved to rounding: h(x) = x - free + G
// f(x), f = DG(w, x) max(0, 1 + nu x), has slope >= 1 because DG grows and so does the factor of
// the loss. So there is one root, it lies between free and free - G f(free), and Newton with that
// bracket cannot fail.

// One lane of what lines do, for one-sided laws.
static contact_root one_sided(const power_law* law, const contact_problem* p, double x,
                              const contact_memory* memory, int32_t i, contact_cost* cost) {
    lanes_law scratch;
    const lanes_law* l = lanes_law_at(law, &scratch);
    lanes_contact c = {.before = p->before,
                       .free = p->free,
                       .G = p->G,
                       .nu = p->nu,
                       .phi_before = p->phi_before,
                       .mark_depth = memory->mark_depth[i],
                       .mark_phi = memory->mark_phi[i],
                       .powers = cost->powers,
                       .unsolved = 0};
    lanes iterations = cost->iterations;
    lanes_root root = lanes_newton_from(l, &c, x, -1, p->nu > 0, &iterations);
    memory->mark_depth[i] = c.mark_depth;
    memory->mark_phi[i] = c.mark_phi;
    cost->powers = (uint32_t)c.powers;
    cost->iterations = (uint32_t)iterations;
    cost->unsolved |= c.unsolved != 0;
    return (contact_root){root.travel, root.force};
}

// The same for laws with two sides: the loss is against the motion on both.
static contact_root two_sided(const power_law* law, const contact_problem* p, double x,
                              const contact_memory* memory, int32_t i, contact_cost* cost) {
    const lanes_contact c = {.before = p->before, .free = p->free, .G = p->G};
    lanes_newton n;
    lanes_newton_begin(&c, x, -1, &n);
    for (int turn = 0; turn < NEWTON_MOST && n.going; turn++) {
        power_gradient dg = sis_power_gradient_at(law, p->before, p->phi_before, n.x);
        sis_contact_mark(memory, i, dg.depth, dg.phi, cost);
        cost->iterations++;
        double rate = contact_rate(p->nu, dg.value, n.x);
        double slope = rate > 0 ? dg.slope * rate + p->nu * fabs(dg.value) : 0;
        lanes_newton_step(&c, dg.value * rate, slope, &n);
    }
    cost->unsolved |= n.going != 0;
    return (contact_root){n.x, n.force};
}

contact_root sis_newton_root(const power_law* law, const contact_problem* p,
                             const contact_memory* memory, int32_t i, contact_cost* cost) {
    bool flies = p->before <= 0 && p->before + p->free <= 0;
    if (!law->both && flies) return (contact_root){p->free, 0}; // no step where nothing touches
    if (contact_vanishes(p)) return (contact_root){p->free, 0};
    double x = sis_ledger_root(law, p, memory, i, cost).travel;
    return law->both ? two_sided(law, p, x, memory, i, cost)
                     : one_sided(law, p, x, memory, i, cost);
}

// ---------------------------------------------------------------------------- quadratised
//
// The psi schemes of Ducceschi and Bilbao 2019 and Willemsen 2019: phi = psi^2/2, and psi is a
// state:
//
//   f = g (psi+ + psi)/2,   psi+ - psi = g r/2,   g = psi'(eta^n) = sqrt(K t/2) x^((alpha-1)/2)
//
// Energy psi^2/2 is conserved for any g. As published g = 0 when open, so psi keeps what is left at
// separation (trapped energy, and a pull at the next contact when psi < 0). `release` adds the
// rules that repair it: the sign of psi in contact, and when open and parting the g that empties
// psi.

double sis_quadratised_g(const power_law* law, const contact_problem* p, double psi, bool release) {
    double x = power_depth(law, p->now);
    if (x > 0) {
        // psi' = phi'/sqrt(2 phi) = t sqrt(phi/2)/x; the power is already in phi_now. Two-sided
        // laws take the odd psi = sgn(eta) sqrt(2 phi): g > 0 on both sides.
        double g = law->class == LAW_TABLE ? sis_law_psi_slope(law, x)
                                           : law->t * sqrt(0.5 * p->phi_now) / x;
        return release && !law->both && psi < 0 ? -g : g;
    }
    if (power_is_spring(law)) return sqrt(law->K); // psi = sqrt(K) eta, in the middle too
    if (!release || law->both || psi == 0 || p->free >= 0) return 0;
    return 4 * psi / (sqrt(p->free * p->free + 4 * p->G * psi * psi) - p->free);
}

// No force at r = -4 psi/g.
affine sis_quadratised_force(double g, double psi) {
    return (affine){0, 0.25 * g * g, g != 0 ? -4 * psi / g : 0};
}

// ---------------------------------------------------------------------------- root
//
// The quadratic-root family of Ducceschi 2017: the potential between two samples is a parabola,
//
//   P_{m,n} = phi(eta^m) + s phi'(eta^m) (eta^n - eta^m) + s/2 phi''(eta^m) (eta^n - eta^m)^2
//
// and energy with the stored part P_{n-1,n} is conserved by f = 2 (P_{n,n+1} - P_{n-1,n})/r. With r
// = free - G f and delta = eta^n - eta^{n-1} that is A r^2 + B r + C = 0. Real roots are not
// guaranteed.

double sis_root_force(const power_law* law, const contact_problem* p, double s,
                      const contact_memory* memory, int32_t i, contact_cost* cost) {
    double x = power_depth(law, p->now), phi = p->phi_now;
    double slope = power_force(law, x, phi), curve = power_curve(law, x, slope);
    if (law->both && p->now < 0) slope = -slope;
    double delta = p->now - p->before, G = p->G, E = memory->E[i];
    double A = 1 + G * s * curve, B = -p->free + 2 * G * s * (slope - curve * delta);
    double C = 2 * G * (phi - E - s * delta * (slope - 0.5 * curve * delta));
    double inside = B * B - 4 * A * C, terms = B * B + fabs(4 * A * C);
    if (inside < 0) {
        // Rounding alone may miss a double root; more than that has no real solution.
        if (inside < -1e-14 * terms) {
            cost->complex_root = true;
            cost->discriminant = inside / terms;
        }
        inside = 0;
    }
    // The published rule: B >= 0 takes the minus root. Both are -(B +- sqrt)/2A with no
    // cancellation.
    double root = sqrt(inside), r = B >= 0 ? -(B + root) / (2 * A) : (root - B) / (2 * A);
    double step = r - delta;
    memory->E[i] = phi + s * step * (slope + 0.5 * curve * step);
    // P as a parabola in the step cannot go below its least value.
    double bound = curve > 0 ? phi - 0.5 * s * slope * slope / curve : 0;
    cost->lowest_bound = bound > -1e200 ? bound : -1e200;
    if (!(fabs(memory->E[i]) < 1e200)) memory->E[i] = 0;
    return (p->free - r) / G;
}

double sis_root_limit(double s, sis_law law) {
    if (!(s >= 0.5)) return (double)NAN;
    if (s > 1) return 1 / (s * (s - 1));
    if (s == 1 || law == SIS_LAW_TWO_SIDED) return HUGE_VAL;
    double a = s * (1 - s), b = 1 - s; // entry: q (1 - s)(1 + s q) <= 1
    return 2 / (b + sqrt(b * b + 4 * a));
}
