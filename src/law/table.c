// Laws given by their table (scene/law_class.h), one depth at a time: the same bits at every width.
#include "law/power.h"

#include <math.h>

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
