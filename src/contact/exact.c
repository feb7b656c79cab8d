#include "base/power.h"
#include "contact/contact.h"

#include <math.h>

static const double SPLIT =
    0.72; // a little over sqrt(1/2): one of |s^(t/2)|, |c| is always below it

// theta(s) = sum_j (1/2)_j/j! s^(1 + j t)/(1 + j t), for s^t <= 0.55.
static double theta_series(double s, double t) {
    double power = sis_pow(s, t), term = s, total = s;
    for (int j = 1; j < 200; j++) {
        term *= (j - 0.5) / j * power;
        double part = term / (1 + j * t);
        total += part;
        if (part < 1e-18 * total) break;
    }
    return total;
}

// Theta - theta(c) = (2/t) sum_j (alpha/t)_j/j! c^(2j+1)/(2j+1), for c^2 <= 0.55.
static double turning_series(double c, double t) {
    double a = (t - 1) / t, term = c, total = c;
    for (int j = 1; j < 200; j++) {
        term *= (a + j - 1) / j * c * c;
        double part = term / (2 * j + 1);
        total += part;
        if (part < 1e-18 * total) break;
    }
    return 2 / t * total;
}

// Cubic Hermite interpolation in a table of values and slopes over [0, end].
static double hermite(const double* value, const double* slope, double end, double x) {
    double h = end / EXACT_NODES, at = x / h;
    int i = (int)at;
    if (i < 0) i = 0;
    if (i > EXACT_NODES - 1) i = EXACT_NODES - 1;
    double f = at - i, g = 1 - f;
    return g * g * ((1 + 2 * f) * value[i] + f * h * slope[i]) +
           f * f * ((1 + 2 * g) * value[i + 1] - g * h * slope[i + 1]);
}

// s at a given theta: Newton on the two series, whichever converges.
static double s_at(double theta, double quarter, double t) {
    double s_split = sis_pow(0.5, 1 / t), theta_split = theta_series(s_split, t);
    if (theta <= theta_split) {
        double s = theta < s_split ? theta : s_split;
        for (int i = 0; i < 30; i++)
            s -= (theta_series(s, t) - theta) * sqrt(1 - sis_pow(s, t));
        return s;
    }
    double c = (quarter - theta) * t / 2;
    if (c > 0.70710678118654752) c = 0.70710678118654752;
    for (int i = 0; i < 30; i++) // d(Theta - theta)/dc = (2/t) (1 - c^2)^(-alpha/t)
        c -= (turning_series(c, t) - (quarter - theta)) * 0.5 * t * sis_pow(1 - c * c, (t - 1) / t);
    return sis_pow(1 - c * c, 1 / t);
}

void sis_exact_table_make(exact_table* table, double alpha) {
    double t = alpha + 1;
    double s_split = sis_pow(0.5, 1 / t);
    table->quarter = theta_series(s_split, t) + turning_series(0.70710678118654752, t);
    table->s_end = sis_pow(SPLIT * SPLIT, 1 / t);
    for (int i = 0; i <= EXACT_NODES; i++) {
        double part = (double)i / EXACT_NODES;
        double s = i == 0             ? 0
                   : i == EXACT_NODES ? 1
                                      : s_at(part * table->quarter, table->quarter, t);
        double inside = 1 - sis_pow(s, t);
        table->s[i] = s;
        table->c[i] = inside > 0 ? sqrt(inside) : 0;
        table->sc[i] = -0.5 * t * sis_pow(s, alpha);
        // by s over s^t <= SPLIT^2, by c over c <= SPLIT
        double s_here = part * table->s_end, c_here = part * SPLIT;
        table->by_s[i] = theta_series(s_here, t);
        table->by_s_slope[i] = 1 / sqrt(1 - sis_pow(s_here, t));
        table->by_c[i] = turning_series(c_here, t);
        table->by_c_slope[i] = 2 / t * sis_pow(1 - c_here * c_here, -alpha / t);
    }
}

// theta of a point inside, from s = x/X and c = inward speed/v.
static double phase_of(const exact_table* table, double s, double c) {
    double theta, size = fabs(c);
    if (size > 0.70710678118654752) {
        theta = hermite(table->by_s, table->by_s_slope, table->s_end, s);
    } else {
        theta = table->quarter - hermite(table->by_c, table->by_c_slope, SPLIT, size);
    }
    return c < 0 ? 2 * table->quarter - theta : theta;
}

// A point at phase theta in (0, 2 Theta): depth X s, inward speed v c.
static exact_point at_phase(const exact_table* table, double theta, double X, double v, double E) {
    bool back = theta > table->quarter;
    double from = back ? 2 * table->quarter - theta : theta;
    double s = hermite(table->s, table->c, table->quarter, from);
    double c = hermite(table->c, table->sc, table->quarter, from);
    if (c < 0) c = 0;
    if (c > 1) c = 1;
    return (exact_point){X * s, back ? -v * c : v * c, E * (1 - c * c)};
}

exact_point sis_exact_flow(const power_law* law, const exact_table* table, double mass, double eta,
                           double speed, double phi, double time, contact_cost* cost) {
    double depth = power_depth(law, eta), side = law->both && eta < 0 ? -1 : 1;
    exact_point flight = {eta + speed * time, speed, 0};
    double reach = 0; // time until the edge of the potential, when outside
    if (law->K == 0) return flight;
    if (depth == 0) {
        if (speed == 0) return flight;
        if (law->both) side = speed < 0 ? -1 : 1;
        reach = (law->play - side * eta) / (side * speed);
        if (!(side * speed > 0) || reach >= time) return flight;
    }
    double E = 0.5 * mass * speed * speed + phi, v = sqrt(2 * E / mass);
    double X = sis_pow(law->t * E / law->K, law->inverse_t);
    cost->powers++;
    if (!(X > 0) || !(v > 0)) return (exact_point){side * (law->play + depth), speed, phi};
    double unit = X / v; // seconds per unit of theta
    double theta = depth > 0 ? phase_of(table, depth / X, side * speed / v) : 0;
    double inside = 2 * table->quarter, across = 2 * law->play / v; // theta to cross, s to fly over
    double left = time - reach;
    if (law->both) { // whole round trips change nothing
        double round = 2 * (inside * unit + across);
        left -= floor(left / round) * round;
    }
    for (int leg = 0; leg < 6; leg++) {
        double stay = (inside - theta) * unit;
        if (left < stay) {
            exact_point end = at_phase(table, theta + left / unit, X, v, E);
            return (exact_point){side * (law->play + end.eta), side * end.speed, end.phi};
        }
        left -= stay;
        if (!law->both || left < across)
            return (exact_point){side * (law->play - v * left), -side * v, 0};
        left -= across;
        side = -side;
        theta = 0;
    }
    return (exact_point){side * law->play, side * v, 0}; // rounding only: at an edge
}

double sis_exact_force(const power_law* law, const exact_table* table, const contact_problem* p,
                       double k, const contact_memory* memory, int32_t i, contact_cost* cost) {
    double E = memory->E[i], mass = k * k / p->G;
    double speed = memory->speed[i] + (p->free - 2 * (p->now - p->before)) / k;
    exact_point end = sis_exact_flow(law, table, mass, p->now, speed, p->phi_now, k, cost);
    bool open = end.phi == 0 && power_depth(law, p->now) == 0 && end.speed == speed;
    double force = 0;
    if (open) {
        // What is held between two open samples goes back as the bodies part; mirrored on the
        // negative side.
        double side = law->both && p->now + p->before < 0 ? -1 : 1;
        if (E > 0 && side * (p->now + k * speed) < side * p->before) {
            force = side * sis_contact_emptying_force(side * p->free, p->G, E);
            memory->E[i] = 0;
        }
        memory->speed[i] = (p->before + p->free - p->G * force - p->now) / k;
        return force;
    }
    double wanted = (p->free - (end.eta - p->before)) / p->G;
    force = sis_contact_passive_force(law, wanted, p->free, p->G, E);
    memory->speed[i] = end.speed;
    if (force != wanted && !law->both) {
        double step = (p->before + p->free - p->G * force - p->now) / k;
        if (step < memory->speed[i]) memory->speed[i] = step;
    }
    double after = E + 0.5 * (p->free - p->G * force) * force;
    memory->E[i] = after > 0 ? after : 0;
    memory->mark_depth[i] = power_depth(law, end.eta);
    memory->mark_phi[i] = end.phi;
    return force;
}
