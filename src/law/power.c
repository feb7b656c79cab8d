#define LANES 1
#include "law/power_lanes.h"

#include "base/power.h"

#include <math.h>

// What is left out of a series, its first term c x^n, is below `enough` for |x| up to this.
static double reach_of(double c, int n, double enough) {
    return c == 0 ? 1 : sis_pow(enough / fabs(c), 1.0 / n);
}

static void make_series(power_law* law) {
    double all[POWER_RISE + 1] = {1};
    for (int i = 1; i <= POWER_RISE; i++)
        all[i] = all[i - 1] * (law->t - i) / (i + 1);
    for (int i = 0; i < POWER_RISE; i++)
        law->rise[i] = all[i];
    for (int i = 0; i < POWER_LEAN; i++)
        law->lean[i] = (i + 1) * all[i + 1];
    for (int i = 0; i < POWER_BEND; i++)
        law->bend[i] = (i + 2) * (i + 1) * all[i + 2];
    bool whole = law->class == POWER_1 || law->class == POWER_2 || law->class == POWER_3;
    if (whole) return;
    int lean = POWER_LEAN, bend = POWER_BEND;
    double reach = fmin(0.1, reach_of(all[POWER_RISE], POWER_RISE, 1e-17));
    reach = fmin(reach, reach_of((lean + 1) * all[lean + 1] / law->alpha, lean, 1e-6));
    law->reach = fmin(reach, reach_of((bend + 2) * (bend + 1) * all[bend + 2], bend, 1e-3));
}

power_law sis_power_law_make(sis_law law, double K, double alpha, double gap) {
    power_law made = {.K = K, .alpha = alpha, .t = alpha + 1};
    made.K_over_t = K / made.t;
    made.inverse_t = 1 / made.t;
    double middle = 2 * (1 - sis_pow(0.5, made.t));
    made.rebound2 = 2 * alpha - 4 * (middle - 1);
    made.rebound1 = alpha - made.rebound2;
    made.twice = sis_pow(2, made.t) - 1;
    made.both = law != SIS_LAW_ONE_SIDED;
    made.limited = law == SIS_LAW_CENTRE_LIMITED;
    made.play = made.limited ? gap : 0;
    made.class = alpha == 1     ? POWER_1
                 : alpha == 1.5 ? POWER_3_2
                 : alpha == 2   ? POWER_2
                 : alpha == 2.5 ? POWER_5_2
                 : alpha == 3   ? POWER_3
                                : POWER_ANY;
    double part = 1;
    for (int i = 0; i < POWER_GROW; i++)
        made.grow[i] = part *= (made.t - (i + 1)) / (i + 2);
    make_series(&made);
    return made;
}

const law_class sis_one_sided_law = {.sides = SIS_LAW_ONE_SIDED};
const law_class sis_two_sided_law = {.sides = SIS_LAW_TWO_SIDED};
const law_class sis_centre_limited_law = {.sides = SIS_LAW_CENTRE_LIMITED};

double sis_power_raise(const power_law* law, double x) {
    return lanes_raise(law, x);
}

power_gradient sis_power_gradient_at(const power_law* law, double w, double phi_w, double y) {
    lanes_gradient g = power_gradient_sides(law, law, w, phi_w, y);
    return (power_gradient){g.value, g.slope, g.bend, g.depth, g.phi};
}

// ---------------------------------------------------------------------------- tables
//
// Laws given by their table (scene/law_class.h), one depth at a time: the same bits at every width.

static bool make_table(const law_class* table, const sis_contact_def* def, double K, power_law* law,
                       sis_error* error) {
    bool limited = table->sides == SIS_LAW_CENTRE_LIMITED;
    *law = (power_law){.class = LAW_TABLE,
                       .table = table,
                       .number = {K, def->alpha},
                       .reach = -1,
                       .both = table->sides != SIS_LAW_ONE_SIDED,
                       .limited = limited,
                       .play = limited ? def->gap : 0};
    return !table->make || table->make(def, K, law->number, error);
}

bool sis_law_make(const law_class* table, const sis_contact_def* def, double K, power_law* law,
                  sis_error* error) {
    if (table->potential) return make_table(table, def, K, law, error);
    *law = sis_power_law_make(table->sides, K, def->alpha, def->gap);
    return true;
}

static double held(double value) {
    return value < 1e200 ? value : 1e200;
}

double sis_law_phi(const power_law* law, double x) {
    return held(law->table->potential(law->number, x));
}

double sis_law_force(const power_law* law, double x) {
    return held(law->table->force(law->number, x));
}

double sis_law_slope(const power_law* law, double x) {
    return held(law->table->slope(law->number, x));
}

double sis_law_third(const power_law* law, double x) {
    double h = 1e-3 * x;
    return (sis_law_slope(law, x + h) - sis_law_slope(law, x - h)) / (2 * h);
}

double sis_law_exponent(const power_law* law, double x) {
    double phi = sis_law_phi(law, x);
    return phi > 0 ? x * sis_law_force(law, x) / phi : 2;
}

double sis_law_psi_slope(const power_law* law, double x) {
    double phi = sis_law_phi(law, x);
    return phi > 0 ? sis_law_force(law, x) / sqrt(2 * phi) : 0;
}

// Gauss-Legendre with four points: exact to rounding while phi changes by a tenth.
static double mean_force(const power_law* law, double w, double y) {
    static const double at[] = {0.069431844202973712, 0.33000947820757187};
    static const double weight[] = {0.17392742256872693, 0.32607257743127307};
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += weight[i] *
               (sis_law_force(law, w + at[i] * y) + sis_law_force(law, w + (1 - at[i]) * y));
    return sum;
}

double sis_law_chord(const power_law* law, double w, double phi_w, double y, double* phi) {
    double more = (*phi = sis_law_phi(law, w + y)) - phi_w;
    if (fabs(more) > 0.1 * fmax(*phi, phi_w)) return more / y;
    return mean_force(law, w, y);
}
