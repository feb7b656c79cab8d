// The power law K x^alpha once more, by a table: it must do what the power law does.
#include "base/power.h"
#include "scene/law_class.h"

static double potential(const double* number, double x) {
    double K = number[0], alpha = number[1];
    return K / (alpha + 1) * x * sis_pow(x, alpha);
}

static double force(const double* number, double x) {
    return number[0] * sis_pow(x, number[1]);
}

static double slope(const double* number, double x) {
    return number[0] * number[1] * sis_pow(x, number[1] - 1);
}

const law_class sis_copy_law = {.potential = potential, .force = force, .slope = slope};
