// The quadratic-root family of Ducceschi 2017: the potential between two samples is a parabola,
//
//   P_{m,n} = phi(eta^m) + s phi'(eta^m) (eta^n - eta^m) + s/2 phi''(eta^m) (eta^n - eta^m)^2
//
// and energy with the stored part P_{n-1,n} is conserved by f = 2 (P_{n,n+1} - P_{n-1,n})/r. With r
// = free - G f and delta = eta^n - eta^{n-1} that is A r^2 + B r + C = 0. Real roots are not
// guaranteed.
#include "contact/contact.h"

#include <math.h>

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
