// The stretch of a string whose tension grows with its length (Kirchhoff and Carrier). Its energy
// is a function of S = h |a|^2 with the slopes a = D u on the N segments, and its column b = h D^T
// a.
//
// A tension that swings at f feeds pairs of partials with f_p + f_q = f and, sampled, those with
// f_p + f_q = fs - f too: the highest partials of a grid would grow and drain the energy of the
// stretch. With slopes that have been through a half-band filter F,
//
//   S = h |F a|^2,   b = h D^T F F D u,   F = (-1, 0, 9, 16, 9, 0, -1)/32
//
// the stretch sees and feeds what is below a quarter of the rate, where no sum is folded onto
// anything it sees, and the grid needs no room for the tension that is added. At the ends slopes
// are mirrored, slope -1-j is slope j: where supported they are even there, and next to a clamp
// they are small or, if it holds less than a segment, almost even. F is symmetric and between 0
// and 1.
//
// The mass of an implicit string is L = 1 - gamma/4 dxx; a tuned one is read through the root of L
// (compile/points.c). Its stretch is that of what is read: h D^T F L F D u.
#include "body/body.h"

enum { REACH = 3, BEFORE = 8 }; // of the filter; where slopes begin before the first point

// Slopes beyond both ends.
static void mirror_ends(double* a, int32_t n) {
    for (int32_t j = 0; j < REACH; j++) {
        int32_t at = j % (2 * n); // short strings are mirrored again and again
        a[-1 - j] = a[at < n ? at : 2 * n - 1 - at];
        a[n + j] = a[at < n ? n - 1 - at : at - n];
    }
}

// out = F a.
static void half_band(double* restrict a, int32_t n, double* restrict out) {
    mirror_ends(a, n);
    for (int32_t i = 0; i < n; i++)
        out[i] = 0.5 * a[i] + (0.28125 * (a[i - 1] + a[i + 1]) - 0.03125 * (a[i - 3] + a[i + 3]));
}

// a = (1 - part dxx) a.
static void through_mass(double* a, int32_t n, double part) {
    mirror_ends(a, n);
    double before = a[-1];
    for (int32_t i = 0; i < n; i++) {
        double here = a[i];
        a[i] = here + part * ((here - before) - (a[i + 1] - here));
        before = here;
    }
}

// The differences of u along the string, from its first end to its last.
static void take_slopes(const double* u, int32_t count, double* a) {
    for (int32_t i = 0; i <= count; i++)
        a[i] = u[i] - u[i - 1]; // 0 just before and behind the string
}

static void smooth_stretch(const string_group* s, const body_group* bodies,
                           const body_motion* motion) {
    int32_t n = bodies->count + 1;
    double* column = motion->column + bodies->first;
    double *a = motion->scratch + bodies->first - BEFORE,
           *b = column - BEFORE; // a string's own places
    take_slopes(motion->u + bodies->first, bodies->count, a);
    half_band(a, n, b);
    if (s->through != 0) through_mass(b, n, s->through);
    half_band(b, n, a);
    for (int32_t i = 0; i < bodies->count; i++)
        column[i] = s->inverse_h * (a[i] - a[i + 1]);
}

void sis_string_stretch(const body_group* bodies, const body_motion* motion) {
    const string_group* s = bodies->data;
    const double* u = motion->u + bodies->first;
    double* column = motion->column + bodies->first;
    if (s->smooth) {
        smooth_stretch(s, bodies, motion);
        return;
    }
    for (int32_t i = 0; i < bodies->count; i++)
        column[i] = -s->inverse_h * ((u[i - 1] - u[i]) + (u[i + 1] - u[i]));
}
