// The tension of a body that is made of modes, while it sounds.
//
// Shapes, masses and losses stay those of the tension that it begins with; the stiffness of each
// mode follows, so that it rings at just the partial of the string or plate:
//
//   H' - H = 1/2 sum_p (K_p' - K_p) q_p q_p-
//
// Supported strings and plates have the same shapes at all tensions, and nothing is left out; the
// shapes of clamped strings change a little, and how they do is.
//
// K_p(T) lies on a cubic in each piece of the range, in the form of Bezier: a mean of four numbers
// that compile found to be admissible, so that it is too, and its partial is right to 0.01 cents.
#include "step/system.h"

#include <string.h>

static double tension_of(const mode_tension* t, double value) {
    return t->f ? sis_string_tension_at(t->f, value) : value;
}

// The piece in which a tension lies.
static int32_t piece_of(const mode_tension* t, double T) {
    int32_t piece = 0;
    while (piece < t->pieces - 1 && T >= t->tension[piece + 1])
        piece++;
    return piece;
}

// Returns what the change supplies; u NULL: it is not asked for.
static double stiffen(const mode_tension* t, double T, double* stiffness, const double* u,
                      const double* d) {
    const int32_t piece = piece_of(t, T), n = t->count;
    const double from = t->tension[piece], to = t->tension[piece + 1];
    const double x = (T - from) / (to - from), y = (to - T) / (to - from);
    const double b[CURVE] = {y * y * y, 3 * x * y * y, 3 * x * x * y, x * x * x};
    const double* c = t->control + (size_t)piece * CURVE * (size_t)n;
    double supplied = 0;
    for (int32_t i = 0; i < n; i++) {
        const double K =
            (b[0] * c[i] + b[1] * c[n + i]) + (b[2] * c[2 * n + i] + b[3] * c[3 * n + i]);
        if (u) supplied += 0.5 * (K - stiffness[i]) * u[i] * (u[i] - d[i]);
        stiffness[i] = K;
    }
    return supplied;
}

// A copy of the group, with a stiffness of its own behind it.
static mass_group* own_of(sis_system* system, const live_binding* b) {
    return (mass_group*)(void*)((char*)system + b->room);
}

static void set(sis_system* system, const live_binding* b, double value) {
    body_group* bodies = &system->body_groups[b->target];
    mass_group* m = own_of(system, b);
    memcpy(m, bodies->data, sizeof *m);
    m->stiffness = (double*)(void*)(m + 1);
    bodies->data = m;
    stiffen(b->spec, tension_of(b->spec, value), m->stiffness, NULL, NULL);
}

static double move(sis_system* system, const live_binding* b, double value, state_view* view) {
    const int32_t first = system->body_groups[b->target].first;
    const double* u = system->audit ? view->motion.u + first : NULL;
    return stiffen(b->spec, tension_of(b->spec, value), own_of(system, b)->stiffness, u,
                   view->motion.d + first);
}

const live_class sis_live_modes = {set, move, NULL, true};
