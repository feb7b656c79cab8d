// The contact alone, held on its first integral (the scheme `invariant`): Runge-Kutta proposes, and
// the integral gives x from v where the elastic part dominates, v from x elsewhere. Exit speeds are
// those of the closed form at any rate, and the depth never exceeds its maximum.
#include "base/power.h"
#include "impact/impact.h"

#include <math.h>

enum { STEPS_PER_IMPACT = 24, MOST_STEPS = 400 };

// The integral in units of speed squared: I/M = phi/M + v^2 h(mu v), h = g/z^2.
static double integral_of(const impact_problem* p, double x, double v, contact_cost* cost) {
    double phi = 0;
    if (x > 0) {
        phi = p->law->K_over_t * x * sis_power_raise(p->law, x);
        cost->powers++;
    }
    return phi / p->mass + v * v * sis_impact_integral_over_square(p->mu * v);
}

static void rk4_step(const impact_problem* p, double h, double* x, double* v, contact_cost* cost) {
    double m = p->mass, x0 = *x, v0 = *v;
    double a1 = -sis_impact_law(p, x0, v0, cost) / m;
    double x2 = x0 + 0.5 * h * v0, v2 = v0 + 0.5 * h * a1,
           a2 = -sis_impact_law(p, x2, v2, cost) / m;
    double x3 = x0 + 0.5 * h * v2, v3 = v0 + 0.5 * h * a2,
           a3 = -sis_impact_law(p, x3, v3, cost) / m;
    double x4 = x0 + h * v3, v4 = v0 + h * a3, a4 = -sis_impact_law(p, x4, v4, cost) / m;
    *x = x0 + h * (v0 + 2 * v2 + 2 * v3 + v4) / 6;
    *v = v0 + h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
}

// Back onto the integral c.
static void hold(const impact_problem* p, double c, double* x, double* v, contact_cost* cost) {
    if (!(1 + p->mu * *v > 1e-9))
        return; // faster than the loss allows: kicked by others, left as it is
    double motion = *v * *v * sis_impact_integral_over_square(p->mu * *v);
    if (motion < 0.5 * c) {
        cost->powers++;
        *x = sis_pow((c - motion) * p->mass / p->law->K_over_t, p->law->inverse_t);
    } else {
        double elastic = integral_of(p, *x, 0, cost);
        *v = sis_impact_velocity(p->mu, c - elastic, *v < 0);
    }
}

// How long until x = 0 on the way out, at most `step`: Newton on the step itself, so that the last
// proposal ends at the wall and not beyond it, where the force has a corner.
static double crossing(const impact_problem* p, double x, double v, double step,
                       contact_cost* cost) {
    double time = step;
    for (int i = 0; i < 8; i++) {
        double x1 = x, v1 = v;
        rk4_step(p, time, &x1, &v1, cost);
        double next = v1 < 0 ? time - x1 / v1 : 0.5 * time;
        if (!(next > 0)) next = 0.25 * time;
        if (next > step) next = step;
        if (fabs(next - time) <= 1e-15 * step) break;
        time = next;
    }
    return time;
}

// A flight of `time` under the steady acceleration.
static impact_state fly(const impact_problem* p, impact_state s, double time) {
    double a = p->acceleration;
    s.x += time * (s.v + 0.5 * a * time);
    s.v += a * time;
    return s;
}

// Time until the wall is met from outside on a parabola; infinity when it is not.
static double arrival(const impact_problem* p, impact_state s, double* speed) {
    double square = s.v * s.v - 2 * p->acceleration * s.x; // at the wall
    if (!(square > 0)) return HUGE_VAL;
    *speed = sqrt(square);
    return s.v + *speed > 0 ? -2 * s.x / (s.v + *speed) : HUGE_VAL;
}

// In contact for at most `left`: kicks of the steady acceleration around each step that is held on
// the integral.
static impact_state press(const impact_problem* p, impact_state s, double left,
                          contact_cost* cost) {
    double x = s.x, v = s.v, a = p->acceleration;
    double c = integral_of(p, x, v, cost);
    double depth = sis_pow(c * p->mass / p->law->K_over_t, p->law->inverse_t);
    double h = 2 * depth / sqrt(2 * c) / STEPS_PER_IMPACT;
    cost->powers++;
    s.touched = true;
    for (int n = 0; n < MOST_STEPS && left > 0; n++) {
        double step = h < left ? h : left, begin = v + 0.5 * a * step, x1 = x, v1 = begin;
        c = integral_of(p, x, begin, cost);
        rk4_step(p, step, &x1, &v1, cost);
        if (x1 > 0) {
            hold(p, c, &x1, &v1, cost);
            x = x1;
            v = v1 + 0.5 * a * step;
            left -= step;
            continue;
        }
        double time = crossing(p, x, begin, step, cost);
        s.x = 0;
        s.v = (1 + p->mu * v > 1e-9 ? sis_impact_velocity(p->mu, c, true) : v1) +
              a * (time - 0.5 * step);
        return fly(p, s, left - time);
    }
    s.x = x;
    s.v = v;
    return s;
}

// Energy at a point of the flow, J.
static double energy_at(const impact_problem* p, impact_state s) {
    return 0.5 * p->mass * s.v * s.v + power_phi(p->law, s.x);
}

impact_state sis_impact_flow(const impact_problem* p, impact_state s, contact_cost* cost) {
    double left = p->k, speed = s.v;
    impact_state from = s;
    s.touched = false;
    s.lost = 0;
    if (p->law->K == 0) return fly(p, s, left);
    if (s.x <= 0) {
        double time = arrival(p, s, &speed);
        if (!(time < left)) return fly(p, s, left);
        left -= time;
        s.x = 0;
        s.v = speed;
    }
    impact_state end = press(p, s, left, cost);
    cost->powers += 2;
    // What is gone of its energy and of the work of the steady force; without loss nothing is.
    if (p->mu > 0)
        end.lost =
            energy_at(p, from) - energy_at(p, end) + p->mass * p->acceleration * (end.x - from.x);
    return end;
}
