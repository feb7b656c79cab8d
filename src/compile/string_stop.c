// Where a stop ends a string: the numbers of step/place.c.
//
// A stop that does not give makes u = 0 at its place, and what the string far from it sees is how
// far a unit force there moves that place. If the model moves by delta/T less than the string does,
// its part on the right sounds as if it ended at x + delta, and that on the left at x - delta.
//
// On a grid of stiffness EI', with a = EI'/T, b = a/h^2 and the wave numbers K of dxx/h^2,
//
//   1/(T K^2 + EI' K^4) = (1/K^2 - a/(1 + a K^2))/T
//
// The first term makes sum_{i<j} W_i W_j |x_i - x_j|, as on a grid without stiffness. The second
// falls as q^|i - j| with q + 1/q = 2 + 1/b: it adds h b/sqrt(1 + 4b) sum_ij W_i W_j q^|i - j|. The
// string itself has that too, sqrt(EI/T)/2, for which nobody wants to be corrected.
//
// A sum of modes lacks those above its last, k0 = pi (P + 1/2)/L, and others answer with K_p that
// differ from the string's by what the time step does:
//
//   delta = 1/pi (1/k0 - sqrt a (pi/2 - atan(k0 sqrt a))) - T/2 sum_p (1/K_p - 1/K_p of the string)
//
// with sin^2 taken for its mean, 1/2: what that leaves out falls as 1/P^2.
#include "compile/plan.h"

#include <math.h>

static double of_modes(const compile_plan* plan, const string_spec* f) {
    const mass_group* m = plan->system->body_groups[f->spec.group].data;
    const double a = f->stiffness / f->tension, last = PI * (f->modes + 0.5) / f->length;
    double delta = (1 / last - sqrt(a) * (PI / 2 - sis_atan(last * sqrt(a)))) / PI;
    for (int32_t i = 0; i < f->modes; i++) {
        const double k2 = square((i + 1) * PI / f->length);
        const double K = 0.5 * f->length * f->tension * k2 * (1 + a * k2);
        delta -= 0.5 * f->tension * (1 / m->stiffness[i] - 1 / K);
    }
    return delta;
}

void sis_string_stops(const compile_plan* plan, string_spec* f) {
    const double b = f->used / (f->tension * f->h * f->h), root = sqrt(1 + 4 * b);
    if (f->model == SIS_STRING_MODAL) {
        f->stop = of_modes(plan, f);
        return;
    }
    f->stop = -0.5 * sqrt(f->stiffness / f->tension);
    f->stop_share = b / root;
    f->stop_fall = b > 0 ? 2 * b / (1 + 2 * b + root) : 0;
}
