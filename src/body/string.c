// Stiff lossy string on a grid, rho u'' = T u_xx - EI u_xxxx - 2 rho (s0 - s1 d_xx) u'. The
// explicit scheme takes the s1 term backward in time:
//
//   d* = d + (P u + 2 s1k dxx d - 2 s0k d + F admittance)/(1 + s0k)
//   H  = rho h/2 (|v|^2 - s1k |v_l - v_{l-1}|^2) + u.K u-/2,     stable while pull + 4 s1k + 4 bend
//   <= 1
//
// Ends: u = 0, and u_xx = 0 (supported: the ghost is -u_1) or u_x = 0 (clamped: the ghost is u_1,
// or mirror u_1 with a mirror for which the grid rings as the string does).
#include "body/string.h"

#include <string.h>

// Short strings are taken out of their folds, with places around them that are 0.
enum { SHORT = STRING_SIDES * STRING_PADDED, AROUND = 16 };
typedef struct string_order {
    double v[AROUND + SHORT + AROUND];
} string_order;

static bool is_short(const body_bank* bank) {
    return bank->rungs && bank->rungs < STRING_PADDED;
}

static double* unfold(const body_bank* bank, const double* values, string_order* order) {
    const string_bank* s = bank->data;
    *order = (string_order){0};
    for (int32_t p = 0; p < s->points; p++)
        order->v[AROUND + p] = values[string_place(bank->rungs, p)];
    return order->v + AROUND;
}

// Point by point, with the bits of a wide pass.
static void fly_short(const body_bank* bank, const body_motion* motion, bool books) {
    const string_bank* s = bank->data;
    const string_pull* f = &s->step;
    const string_floor floor = string_floor_of(bank, motion, bank->watches);
    double *u = motion->u + bank->first, *next = motion->next + bank->first, taken = 0;
    string_order shape, last;
    double *v = unfold(bank, u, &shape), *e = unfold(bank, motion->d + bank->first, &last);
    if (floor.height) {
        motion->fallen[bank->number] = false;
        memset(floor.fell, 0, (size_t)string_groups(bank->rungs));
    }
    v[-2] = f->mirror * v[0];
    v[s->points + 1] = f->mirror * v[s->points - 1];
    for (int32_t p = 0; p < s->points; p++) {
        int32_t at = string_place(bank->rungs, p), side = at % STRING_SIDES;
        int32_t group = at / STRING_GROUP;
        double pulled = f->near * ((v[p - 1] - v[p]) - (v[p] - v[p + 1])) -
                        f->far * ((v[p - 2] - v[p - 1]) - (v[p + 1] - v[p + 2]));
        double rest = f->keep * e[p] + f->late * (e[p - 1] + e[p + 1]);
        taken += (e[p] - rest) * (e[p] + next[at]);
        next[at] = rest + pulled;
        u[at] = v[p] + next[at];
        if (!floor.height || !(u[at] < floor.height[group * STRING_SIDES + side])) continue;
        floor.fell[group] = (uint8_t)(floor.fell[group] | 1u << side);
        motion->fallen[bank->number] = true;
    }
    if (books) *string_taken(bank, motion) += taken;
    if (!motion->unforced) sis_string_force(bank, motion);
}

static void advance_short(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    fly_short(bank, motion, false);
}

static double late_short(const body_bank* bank, const body_motion* motion, double time) {
    (void)time;
    fly_short(bank, motion, true);
    return motion->due ? sis_string_book(bank, motion) : 0;
}

void sis_string_force(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    for (int32_t i = bank->first + bank->forced_first, n = bank->forced_count; n > 0; n--, i++)
        body_push(bank, motion, i, s->step.give * motion->F[i]);
}

// A sample loses t.(1 - M) t/4 give, where t = d + next was its travel and (1 - M) d is what losses
// take from d. 1 - M is symmetric: that is d.(1 - M) d + 2 next.(1 - M) d + next.(1 - M) next, and
// the last of these is the first of the sample before. All samples together have each twice, but
// for the very first and the last: a sweep books 2 (d + next).(1 - M) d, half of what it needs is
// in its registers, and the two ends come apart, by `opening` and by `work`.
static double not_booked(const body_bank* bank, const body_motion* motion) {
    const string_bank* s = bank->data;
    const double* t = string_taken(bank, motion);
    return 2 * s->step.worth * (((t[0] + t[1]) + (t[2] + t[3])) + ((t[4] + t[5]) + (t[6] + t[7])));
}

double sis_string_book(const body_bank* bank, const body_motion* motion) {
    double lost = not_booked(bank, motion);
    memset(string_taken(bank, motion), 0, 8 * sizeof(double));
    return lost;
}

static bool loses(const string_bank* s) {
    return s->loss0 > 0 || s->loss1 != 0;
}

static double taken_by(const body_bank* bank, const body_motion* motion, double share) {
    const string_bank* s = bank->data;
    const string_span span = string_span_of(bank);
    if (!loses(s)) return 0;
    return s->step.worth * s->kernel->taken(&span, &s->step, motion->d + bank->first,
                                            motion->next + bank->first, share);
}

void sis_string_choose(body_bank* bank) {
    const string_bank* s = bank->data;
    string_flight flight = is_short(bank) ? (string_flight){advance_short, late_short}
                                          : s->kernel->flights[loses(s)][bank->watches];
    bank->advance = flight.advance;
    bank->late = flight.late;
}

double sis_string_opening(const body_bank* bank, const body_motion* motion) {
    return taken_by(bank, motion, 0);
}

static body_work work(const body_bank* bank, const body_motion* motion) {
    return (body_work){body_supplied(bank, motion),
                       not_booked(bank, motion) + taken_by(bank, motion, 2)};
}

// The difference between two points that lie at these places: into slopes and differences.
static void add_edge(const string_bank* s, const double* u, const double* d, int32_t from,
                     int32_t to, string_shape* h) {
    const double late = 1 - 2 * s->half, moved = (to < 0 ? 0 : d[to]) - d[from];
    const double now = ((to < 0 ? 0 : u[to]) - u[from]) - s->half * moved;
    h->slopes += now * (now - late * moved);
    h->differences += moved * moved;
}

// A mirror is a spring at the first point: 1 + mirror times the stiffness of a bend.
static void add_end(const string_bank* s, const double* u, const double* d, int32_t at,
                    string_shape* h) {
    const double late = 1 - 2 * s->half, now = u[at] - s->half * d[at];
    h->bends += (1 + s->mirror) * now * (now - late * d[at]);
}

static string_shape shape_of(const body_bank* bank, const double* u, const double* d) {
    const string_bank* s = bank->data;
    string_span span = string_span_of(bank);
    if (is_short(bank)) {
        string_order shape, last;
        u = unfold(bank, u, &shape);
        d = unfold(bank, d, &last);
        span = (string_span){s->points, s->points, 0};
        string_shape h = s->kernel->shape(&span, u, d, s->half);
        add_edge(s, u, d, s->points - 1, -1, &h);
        return h;
    }
    string_shape h = s->kernel->shape(&span, u, d, s->half);
    if (bank->rungs) { // where sides join behind the last rung
        add_edge(s, u, d, bank->count - 4, bank->count - 3, &h);
        add_edge(s, u, d, bank->count - 2, bank->count - 1, &h);
    } else {
        add_edge(s, u, d, s->points - 1, -1, &h);
    }
    return h;
}

void sis_string_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                       double* elastic) {
    const string_bank* s = bank->data;
    const double *u = motion->u + bank->first, *d = motion->d + bank->first;
    string_shape h = shape_of(bank, u, d);
    if (s->mirror != -1) {
        add_end(s, u, d, 0, &h);
        add_end(s, u, d, body_point(bank, s->points - 1) - bank->first, &h);
    }
    const double speeds = h.squares + s->cross * h.differences;
    *kinetic += 0.5 * s->mass * s->inverse_k * s->inverse_k * speeds;
    *elastic += 0.5 * (s->tension * h.slopes + s->stiffness * h.bends);
}

static void admit(const body_bank* bank, const double* force, double* out) {
    const string_bank* s = bank->data;
    for (int32_t i = 0; i < bank->count; i++)
        out[i] = s->step.give * force[i];
}

static void give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count) {
    const string_bank* s = bank->data;
    body_give(bank, motion, s->step.give, first, count);
}

// u^1 - u^0 = k v + k^2/2 u'' is the mean of k v and of a full step that begins with d = k v; u
// stays.
static void start(const body_bank* bank, const body_motion* motion, double k, double time) {
    size_t size = (size_t)bank->count * sizeof(double);
    body_throw(bank, motion, k);
    memcpy(motion->room + bank->first, motion->u + bank->first, size);
    bank->advance(bank, motion, time);
    memcpy(motion->u + bank->first, motion->room + bank->first, size);
    body_halve(bank, motion);
}

const body_kind sis_string_kind = {
    NULL, give, work, sis_string_energy, admit, true, true, sis_string_stretch, start};

const string_kernel* sis_string_kernel(int32_t width) {
    return SIS_AT_WIDTH(width, sis_string_kernel);
}
