// Stiff lossy string on a grid, rho u'' = T u_xx - EI u_xxxx - 2 rho (s0 - s1 d_xx) u'. The
// explicit scheme takes the s1 term backward in time:
//
//   d* = d + (P u + 2 s1k dxx d - 2 s0k d + F admittance)/(1 + s0k)
//   H  = rho h/2 (|v|^2 - s1k |v_l - v_{l-1}|^2) + u.K u-/2,     stable while pull + 4 s1k + 4 bend
//   <= 1
//
// Ends: u = 0, and u_xx = 0 (supported: the ghost is -u_1) or u_x = 0 (clamped: the ghost is u_1,
// or mirror u_1 with a mirror for which the grid rings as the string does).
//
// As computed, with the numbers of string_pull and e_i = u_i - u_{i+1}:
//
//   d*_i = keep d_i + late (d_{i-1} + d_{i+1}) + near (e_{i-1} - e_i) - far (e_{i-2} - e_{i+1})
#include "body/kernels.h"

#include <string.h>

// ---------------------------------------------------------------------------- update

// Compares the points with what lies below them.
static void look_down(const body_group* bodies, const body_motion* motion,
                      string_detection detection) {
    const double* u = motion->u + bodies->first;
    bool any = false;
    if (!detection.height) return;
    for (int32_t first = 0; first < bodies->count; first += STRING_CHUNK) {
        const double height = detection.height[first / STRING_CHUNK];
        bool below = false;
        for (int32_t i = first; i < first + STRING_CHUNK && i < bodies->count; i++)
            below = below || u[i] < height;
        detection.candidate[first / STRING_CHUNK] = below;
        any = any || below;
    }
    motion->has_candidate[bodies->number] = any;
}

double sis_string_advance(const body_group* bodies, const body_motion* motion, bool audit) {
    const string_group* s = bodies->data;
    const string_pull* f = &s->step;
    const double* d = motion->d + bodies->first;
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first;
    double taken[STRING_SUMS] = {0};
    string_mirror(f, u, bodies->count);
    for (int32_t i = 0; i < bodies->count; i++) {
        double kept = string_kept(f, d, i);
        if (audit) taken[i % STRING_SUMS] += (d[i] - kept) * (d[i] + next[i]);
        next[i] = kept + string_bent(f, u, i);
    }
    u[-2] = u[bodies->count + 1] = 0;
    for (int32_t i = 0; i < bodies->count; i++)
        u[i] += next[i];
    look_down(bodies, motion, string_detection_of(bodies, motion));
    return sis_sum_of_eight(taken);
}

static void apply_forces(const body_group* bodies, const body_motion* motion) {
    const string_group* s = bodies->data;
    if (motion->unforced) return;
    for (int32_t i = bodies->first + bodies->forced_first, n = bodies->forced_count; n > 0;
         n--, i++)
        body_push(bodies, motion, i, s->step.admittance * motion->F[i]);
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    const string_group* s = bodies->data;
    (void)time;
    s->advance(bodies, motion, false);
    apply_forces(bodies, motion);
}

// ---------------------------------------------------------------------------- losses
//
// A sample loses t.(1 - M) t/(4 admittance), where t = d + next was its travel and (1 - M) d is
// what losses take from d. 1 - M is symmetric: that is d.(1 - M) d + 2 next.(1 - M) d + next.(1 -
// M) next, and the last of these is the first of the sample before. All samples together have each
// twice, but for the very first and the last: the update adds up 2 (d + next).(1 - M) d, half of
// what it needs is in its registers, and the two ends come apart, by `opening` and by `work`.

static bool loses(const string_group* s) {
    return s->loss0 > 0 || s->loss1 != 0;
}

static double advance_audited(const body_group* bodies, const body_motion* motion, double time) {
    const string_group* s = bodies->data;
    (void)time;
    double taken = s->advance(bodies, motion, loses(s));
    apply_forces(bodies, motion);
    return 2 * s->step.worth * taken;
}

// What losses take from d, times d + share next.
static double taken_from(const body_group* bodies, const body_motion* motion, double share) {
    const string_group* s = bodies->data;
    const double *d = motion->d + bodies->first, *next = motion->next + bodies->first;
    const double keep = s->step.keep, late = s->step.late;
    double taken;
    if (!loses(s)) return 0;
#define KEPT(AT) (keep * AT(d + i) + late * (AT(d + i - 1) + AT(d + i + 1)))
#define TERM(AT) ((AT(d + i) - KEPT(AT)) * (AT(d + i) + share * AT(next + i)))
    SIS_SUM(taken, bodies->count, TERM);
#undef TERM
#undef KEPT
    return s->step.worth * taken;
}

double sis_string_opening(const body_group* bodies, const body_motion* motion) {
    return taken_from(bodies, motion, 0);
}

static body_work work(const body_group* bodies, const body_motion* motion) {
    return (body_work){body_supplied(bodies, motion), taken_from(bodies, motion, 2)};
}

// ---------------------------------------------------------------------------- energy
//
// With v the last increments, w the shape `half` an increment back and w- the one 1 - 2 half
// increments further back: the squares of v, with `cross` those of its differences, and the
// products of the first and of the second differences of w and w-.

static double speeds_of(const string_group* s, int32_t count, const double* d) {
    double sum;
#define STEP(AT) (AT(d + i) - AT(d + i - 1))
#define TERM(AT) (AT(d + i) * AT(d + i) + s->cross * (STEP(AT) * STEP(AT)))
    SIS_SUM(sum, count, TERM);
#undef TERM
#undef STEP
    return sum + s->cross * (d[count - 1] * d[count - 1]); // the step to the end
}

// Products of w and w-.
static double product(const string_group* s, double u, double d) {
    double now = u - s->half * d;
    return now * (now - (1 - 2 * s->half) * d);
}

static double slopes_of(const string_group* s, int32_t count, const double* u, const double* d) {
    const double half = s->half, late = 1 - 2 * half;
    double sum;
#define SLOPE(AT, v) (AT((v) + i) - AT((v) + i - 1))
#define NOW(AT)      (SLOPE(AT, u) - half * SLOPE(AT, d))
#define TERM(AT)     (NOW(AT) * (NOW(AT) - late * SLOPE(AT, d)))
    SIS_SUM(sum, count, TERM);
#undef TERM
#undef NOW
#undef SLOPE
    return sum + product(s, u[count - 1], d[count - 1]);
}

// A mirror is a spring at the first point: 1 + mirror times the stiffness of a bend.
static double ends_of(const string_group* s, int32_t count, const double* u, const double* d) {
    return product(s, u[0], d[0]) + product(s, u[count - 1], d[count - 1]);
}

static double bends_of(const string_group* s, int32_t count, const double* u, const double* d) {
    const double half = s->half, late = 1 - 2 * half;
    double sum;
#define BEND(AT, v) ((AT((v) + i + 1) - AT((v) + i)) - (AT((v) + i) - AT((v) + i - 1)))
#define NOW(AT)     (BEND(AT, u) - half * BEND(AT, d))
#define TERM(AT)    (NOW(AT) * (NOW(AT) - late * BEND(AT, d)))
    SIS_SUM(sum, count, TERM);
#undef TERM
#undef NOW
#undef BEND
    return sum + (1 + s->mirror) * ends_of(s, count, u, d);
}

void sis_string_energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                       double* elastic) {
    const string_group* s = bodies->data;
    const double *u = motion->u + bodies->first, *d = motion->d + bodies->first;
    *kinetic += 0.5 * s->mass * s->inverse_k * s->inverse_k * speeds_of(s, bodies->count, d);
    *elastic += 0.5 * s->tension * slopes_of(s, bodies->count, u, d);
    if (s->stiffness > 0) *elastic += 0.5 * s->stiffness * bends_of(s, bodies->count, u, d);
}

double sis_string_tightened(const body_group* bodies, const body_motion* motion,
                            const string_group* old) {
    const string_group* s = bodies->data;
    const double *u = motion->u + bodies->first, *d = motion->d + bodies->first;
    const double stiffness = s->stiffness - old->stiffness, mirror = s->mirror - old->mirror;
    double more = (s->tension - old->tension) * slopes_of(s, bodies->count, u, d);
    if (stiffness != 0) more += stiffness * bends_of(s, bodies->count, u, d);
    if (mirror != 0) more += old->stiffness * mirror * ends_of(s, bodies->count, u, d);
    return 0.5 * more;
}

// ---------------------------------------------------------------------------- tension modulation
//
// The tension of a string grows with its length (Kirchhoff and Carrier). The energy of that is a
// function of S = h |a|^2 with the slopes a = D u on the N segments, and its column b = h D^T a.
//
// A tension that swings at f feeds pairs of partials with f_p + f_q = f and, sampled, those with
// f_p + f_q = fs - f too: the highest partials of a grid would grow and drain the energy of the
// modulation. With slopes that have been through a half-band filter F,
//
//   S = h |F a|^2,   b = h D^T F F D u,   F = (-1, 0, 9, 16, 9, 0, -1)/32
//
// the modulation sees and feeds what is below a quarter of the rate, where no sum is folded onto
// anything it sees, and the grid needs no room for the tension that is added. At the ends slopes
// are mirrored, slope -1-j is slope j: where supported they are even there, and next to a clamp
// they are small or, if it holds less than a segment, almost even. F is symmetric and between 0
// and 1.
//
// The mass of an implicit string is L = 1 - gamma/4 dxx; a tuned one is read through the root of L
// (compile/string_build.c). Its stretch is that of what is read: h D^T F L F D u.

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

static void smooth_modulation(const string_group* s, const body_group* bodies,
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

void sis_string_modulation(const body_group* bodies, const body_motion* motion) {
    const string_group* s = bodies->data;
    const double* u = motion->u + bodies->first;
    double* column = motion->column + bodies->first;
    if (s->smooth) {
        smooth_modulation(s, bodies, motion);
        return;
    }
    for (int32_t i = 0; i < bodies->count; i++)
        column[i] = -s->inverse_h * ((u[i - 1] - u[i]) + (u[i + 1] - u[i]));
}

// ---------------------------------------------------------------------------- the kind

static void admit(const body_group* bodies, const double* force, double* out) {
    const string_group* s = bodies->data;
    for (int32_t i = 0; i < bodies->count; i++)
        out[i] = s->step.admittance * force[i];
}

static void apply(const body_group* bodies, const body_motion* motion, int32_t first,
                  int32_t count) {
    const string_group* s = bodies->data;
    body_apply(bodies, motion, s->step.admittance, first, count);
}

// u^1 - u^0 = k v + k^2/2 u'' is the mean of k v and of a full step that begins with d = k v; u
// stays.
static void start(const body_group* bodies, const body_motion* motion, double k, double time) {
    size_t size = (size_t)bodies->count * sizeof(double);
    body_throw(bodies, motion, k);
    memcpy(motion->scratch + bodies->first, motion->u + bodies->first, size);
    advance(bodies, motion, time);
    memcpy(motion->u + bodies->first, motion->scratch + bodies->first, size);
    body_halve(bodies, motion);
}

const body_kind sis_string_kind = {
    advance, apply, work, sis_string_energy, admit, true, true, sis_string_modulation, start};
const body_deferred sis_string_deferred = advance_audited;
