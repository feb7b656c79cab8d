// What a Hunt-Crossley contact owes. During an impact M v dv = -(1 + mu v) d phi: under a constant
// force f over a sample, from v- = d/k (d = eta^n - eta^{n-1}) to v+ = (r - d)/k, the law loses k f
// times the mean of mu v^2/(1 + mu v) between them,
//
//   Q = f/(2 nu (1 + c)) (c^2 + atanh(a)/a - 1),   c = nu r,   a = nu (2 d - r)/(1 + c)
//
// and the scheme f c^2/(2 nu (1 + c)): less by O(k^2). The difference is noted as owed. A contact
// that opens with the force that makes up for it leaves with the speed of the law itself, whatever
// the rate (Papetti, Avanzini and Rocchesso 2011, relation 6: mu v - log(1 + mu v) is the same
// before and after the impact).
#define LANES 1
#include "base/power_lanes.h"
#include "contact/contact.h"

#include "base/power.h"

#include <math.h>

// atanh(a)/a - 1 for |a| < 1.
static double atanh_excess(double a) {
    double square = a * a;
    if (square <= 0.0294) return 0.5 * square * lanes_atanh_tail(square);
    return 0.5 * (sis_log1p(a) - sis_log1p(-a)) / a - 1;
}

// What the law loses beyond the scheme, a unit of force, m. 0 where a velocity is beyond 1/mu.
static double excess(double nu, double d, double r) {
    double rate = 1 + nu * r;
    if (!(rate > 0)) return 0;
    double a = nu * (2 * d - r) / rate;
    return fabs(a) < 1 ? atanh_excess(a) / (2 * nu * rate) : 0;
}

// What is left of `payable` with the force f, payable + r f/2 - Q = payable + f S, and its slope in
// f. S = k (mean of v/(1 + mu v)), so that dS/dr = (k v+/(1 + mu v+) - S)/(r - 2 d).
static double left_with(const contact_problem* p, double payable, double f, double* slope) {
    double d = p->now - p->before, r = p->free - p->G * f, rate = 1 + p->nu * r;
    double S = 0.5 * r / rate - excess(p->nu, d, r), far = 1 + 2 * p->nu * (r - d);
    double apart = r - 2 * d, rise = 0.5 / (far * far);
    if (fabs(p->nu * apart) > 1e-4 * rate) rise = ((r - d) / far - S) / apart;
    *slope = S - f * p->G * rise;
    return payable + f * S;
}

// The force with which it opens; *owed: what of the debt is left.
static double leave(const contact_problem* p, double payable, double* owed) {
    double d = p->now - p->before, after = payable - *owed, slope;
    // It opens, z <= 0; and 1 + mu v+ > 0, where what it gives grows beyond all bounds.
    double low = fmax(0, (p->free + p->before) / p->G), high = (p->free - d + 0.5 / p->nu) / p->G;
    double f = low, left = left_with(p, after, f, &slope);
    *owed = left < 0 && p->now > 0 ? -left : 0; // for the sample after this, which opens too
    if (!(high > low) || !(left > 0)) return low;
    for (int i = 0; i < 60; i++) { // what is left falls with f: Newton between bounds
        double next = f - left / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        double moved = fabs(next - f);
        f = next;
        if (moved <= 1e-15 * f) break;
        left = left_with(p, after, f, &slope);
        if (left > 0)
            low = f;
        else
            high = f;
    }
    return f;
}

void sis_restitution_begin(const contact_problem* p, bool leaves, double payable, double* force,
                           double* owed) {
    // What is owed belongs to one impact.
    if ((p->before <= 0 && p->now <= 0) || 1 + p->nu * p->free <= 0) *owed = 0;
    if (leaves && p->before > 0) *force = leave(p, payable, owed);
}

void sis_restitution_end(const contact_problem* p, double force, double travel, double* owed) {
    double d = p->now - p->before;
    if (d < 0 && travel > d) *owed = 0; // pressed in again: another compression
    *owed += force * excess(p->nu, d, travel);
}
