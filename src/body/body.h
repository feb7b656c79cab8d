// Bodies: what moves. A body advances freely, says how far a unit force moves it in one step, and
// knows its energy. Each kind is one table of functions; a group of bodies is a run of degrees of
// freedom of one kind.
//
//   M delta_tt u = -K u - 2 M s0 delta_t. u + F - contacts,      state u and d = u^n - u^{n-1}
//   d* = d + D^-1 (-K u + F) - drop d,   D = M (1 + s0 k)/k^2,   drop = 2 s0 k/(1 + s0 k)
//   d+ = d* + D^-1 p
//
// with p the forces of the links; D is diagonal for masses, modes and explicit strings and banded
// for implicit ones. The increment form rounds about 1000 times better than the
// two-step one; `drop` is small and exact to its own size, where (1 - s0 k)/(1 + s0 k) would be
// wrong by the same rounding in every sample and drift. (Plates and explicit strings take losses
// for which what is kept is exact.)
#ifndef SIS_BODY_H
#define SIS_BODY_H

#include "base/base.h"
#include "base/input.h"

struct body_group;
struct body_motion;

// Flies free to the next sample: next = d* from u, d and F, then u = u + next. `time` is that of
// the next sample, s.
typedef void (*body_advance)(const struct body_group* bodies, const struct body_motion* motion,
                             double time);

// Advances a group of bodies and returns the loss of the sample before, J: a sweep that
// reads d and next (here that of the sample before, about to be overwritten) anyway. The travel was
// d + next. `work` of the kind then tells what is not recorded yet.
typedef double (*body_deferred)(const struct body_group* bodies, const struct body_motion* motion,
                                double time);

// What is recorded of the first increment, J.
typedef double (*body_opening)(const struct body_group* bodies, const struct body_motion* motion);

typedef struct body_group {
    const struct body_kind* kind;
    body_advance advance;               // as its kind does, or as it needs itself
    body_deferred deferred;             // NULL: losses are recorded at once, by kind->work
    body_opening opening;               // of those with deferred loss; NULL: 0
    int32_t first, count;               // degrees of freedom
    const void* data;                   // of the kind
    bool meet;                          // a force at any point moves all others in the same step
    bool retuned;                       // .. by as much as a constant says that follows an input
    int32_t forced_first, forced_count; // where external forces act, counted from `first`
    bool pulled;                        // gravity pulls a string or plate of points
    bool detects;                       // contact detection is fused into its update:
    int32_t first_bound;                // where its lower bounds begin
    int32_t number;                     // of the group
} body_group;

// The group that a degree of freedom belongs to: the last that begins at or before it and is not
// empty.
static inline const body_group* body_group_of(const body_group* groups, int32_t count,
                                              int32_t dof) {
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (groups[middle].first <= dof)
            low = middle;
        else
            high = middle - 1;
    }
    return &groups[low];
}

// Arrays over all degrees of freedom.
typedef struct body_motion {
    double* u;    // displacement, m
    double* d;    // last increment, m
    double* next; // the one after it: d*, then d+; at the start: the first increment without links
    double* rest; // what rounding has kept from next, m
    double* F;    // external forces of this sample, N
    double* link_force; // force accumulator: forces of the links that bodies still apply, N
    double* scratch;    // for one vector
    double* column;     // strings whose tension grows: h times -u_xx
    const double*
        lower_bound; // m, lower bound of strings, the highest of each chunk; -inf: nothing there
    bool* has_candidate; // of each group of bodies that detects: may a point touch, external forces
                         // apart?
    uint8_t* candidate;  // which chunks are
    bool unforced;       // no external force acts, but for gravity on masses
    input_state* inputs; // of the scene
} body_motion;

// Work done in one sample, J.
typedef struct body_work {
    double supplied, dissipated;
} body_work;

typedef struct body_kind {
    body_advance advance;
    // Applies the forces of links on degrees of freedom first .. first + count - 1 of the group:
    // next and u move by D^-1 link_force. Where D is not diagonal these are all of the group.
    void (*apply)(const body_group* bodies, const body_motion* motion, int32_t first,
                  int32_t count);
    // The work of the sample, which took the body by d + next; its losses, in a group of bodies
    // with deferred loss: what is not recorded yet.
    body_work (*work)(const body_group* bodies, const body_motion* motion);
    // Energies at the half sample before u.
    void (*energy)(const body_group* bodies, const body_motion* motion, double* kinetic,
                   double* elastic);
    // How far forces on the group move it in one step: out = D^-1 force, both over the group, m.
    void (*admit)(const body_group* bodies, const double* force, double* out);
    // D is diagonal: a force at one degree of freedom moves that one only.
    bool diagonal;
    // Its degrees of freedom are neighbours on a line with one D for all: contacts can form lines.
    bool line;
    // The column of the tension modulation at u^n; NULL: constant tension.
    void (*modulation)(const body_group* bodies, const body_motion* motion);
    // The first increment: next = that of the first step without links, from u^0 in u and the
    // velocity in d. u stays.
    void (*start)(const body_group* bodies, const body_motion* motion, double k, double time);
} body_kind;

// Applies link_force where D^-1 is one number: what explicit strings and plates do.
static inline void body_apply(const body_group* bodies, const body_motion* motion,
                              double admittance, int32_t first, int32_t count) {
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first;
    const double* force = motion->link_force + bodies->first;
    for (int32_t i = first; i < first + count; i++) {
        if (force[i] == 0) continue; // a few points, most of them held by an open contact
        double more = admittance * force[i];
        next[i] += more;
        u[i] += more;
    }
}

// The work of the external forces on a grid.
static inline double body_supplied(const body_group* bodies, const body_motion* motion) {
    if (motion->unforced) return 0;
    int32_t at = bodies->first + bodies->forced_first, count = bodies->forced_count;
    return 0.5 * (sis_dot(motion->F + at, motion->d + at, count) +
                  sis_dot(motion->F + at, motion->next + at, count));
}

// What an external force adds to an increment, of a body that has already flown. Under gravity,
// which pulls for ever, u must not round twice in every sample: u - next is u as it was.
static inline void body_push(const body_group* bodies, const body_motion* motion, int32_t at,
                             double more) {
    double *u = &motion->u[at], *next = &motion->next[at], before = *u - *next;
    *next += more;
    *u = bodies->pulled ? before + *next : *u + more;
}

// The first increment of strings and plates is the mean of k v and of a full step that begins with
// d = k v: here d, then the mean.
static inline void body_throw(const body_group* bodies, const body_motion* motion, double k) {
    for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++)
        motion->d[i] *= k;
}

static inline void body_halve(const body_group* bodies, const body_motion* motion) {
    for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++)
        motion->next[i] = 0.5 * (motion->d[i] + motion->next[i]);
}

// Point masses on springs. Arrays over the group.
typedef struct mass_group {
    double* mass;       // kg
    double* stiffness;  // N/m, M w0^2
    double* Dinv;       // m/N
    double* drop;       // 2 s0 k/(1 + s0 k)
    double* loss;       // N s/m / (4 k): dissipated = loss travel^2
    double inverse_k;   // 1/s
    double* modulation; // modes of a string whose tension grows: L/2 beta^2, 1/m; else NULL
    double* swing;      // s, how far a velocity takes it in the first step
    // Of a clamped one: the integrals of phi_p' phi_q' over the first `modulated` modes, row by
    // row.
    double* slopes;
    int32_t modulated;
} mass_group;
// For so many masses; `many`: for those that are not few, at some width.
const body_kind* sis_mass_kind(int32_t count, const body_kind* many);
bool sis_is_mass_kind(const body_kind* kind); // any of these: they keep what rounding took

// What an explicit string does to a point in one step, each number over 1 + s0k:
// d* = keep d + late (d_-1 + d_1) + near (e_-1 - e_0) - far (e_-2 - e_1),  e_i = u_i - u_{i+1}.
typedef struct string_pull {
    double near, far;  // pull + 3 bend, bend
    double late, keep; // 2 s1k, and what is left to make 1 + s0k - 2 s0k: no digit is lost
    double mirror;     // as that of the string
    double admittance; // m/N, how far a unit force moves a point
    double worth;      // N/m, 1/(4 admittance): what d loses times its travel, as an energy
    double scale;      // 1/(1 + s0k)
} string_pull;

// One sample of an explicit string without external forces: next = d*, u on by it. Audited, returns
// what losses took from d, times d + next of the sample before, m^2. All widths give the same bits.
typedef double (*string_advance)(const body_group* bodies, const body_motion* motion, bool audit);

// What banded strings do at one width: out = P u - 2 M d, where u and d are 0 or mirrored around
// their `count` points; then, with A^-1 of it in next, next += d, u += next.
struct string_group;
typedef struct banded_passes {
    void (*pull)(const struct string_group* s, const double* u, const double* d, int32_t count,
                 double* out);
    void (*move)(const double* d, double* u, double* next, int32_t count);
} banded_passes;

// Points that are compared at once with what lies below them.
enum { STRING_CHUNK = 8 };

// A string on a grid of spacing h, its nodes 1 .. N - 1 (both ends are at rest). With dxx u_l =
// u_{l-1} - 2 u_l + u_{l+1}, everything is dimensionless but the energies.
typedef struct string_group {
    double mirror;     // u beyond an end is mirror times that before it: -1 supported, else a clamp
    double pull;       // T k^2/(rho h^2)
    double bend;       // EI k^2/(rho h^4)
    double s0k, s1k;   // s0 k, s1 k/h^2
    double admittance; // m/N, k^2/(rho h)
    double cross;      // kinetic energy rho h/2 (|v|^2 + cross |v_l - v_{l-1}|^2)
    double mass;       // kg, rho h
    double inverse_k;  // 1/s
    double tension;    // N/m, T/h
    double stiffness;  // N/m, EI/h^3
    double loss0, loss1; // N/m, rho h s0/2k, rho s1/2kh: dissipated for travel^2, its differences^2
    double inverse_h;    // 1/m
    double half;         // trapezoid: the elastic energy is that of u - half d
    bool smooth;         // its tension modulation is that of slopes through a half-band filter ..
    double through;      // .. and through 1 - through dxx
    string_pull step;    // explicit
    string_advance advance;
    const banded_passes* passes;
} string_group;
// Places before and behind a string that are its own and stay 0.
enum { STRING_EDGE = 16 };
extern const body_kind sis_string_kind;
extern const body_deferred sis_string_deferred;
double sis_string_advance(const body_group* bodies, const body_motion* motion, bool audit);
extern const banded_passes sis_banded_passes; // one number at a time
double sis_string_opening(const body_group* bodies, const body_motion* motion);
extern const body_kind sis_banded_kind;

// What strings share: energy and tension modulation.
void sis_string_energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                       double* elastic);
void sis_string_modulation(const body_group* bodies, const body_motion* motion);
// What the string has more in energy than it had with the tension, stiffness and mirror of `old`,
// J.
double sis_string_tightened(const body_group* bodies, const body_motion* motion,
                            const string_group* old);

// Masses driven along paths.
typedef struct driven_group {
    sis_envelope* path;      // m over s; none: it follows an input
    const live_number* live; // m, of each; NULL: none follows an input
    const int32_t* trigger;  // .. and is started by one
    double rate;             // Hz
} driven_group;
extern const body_kind sis_driven_kind;

// A symmetric operator on a plate: x dxx u + x2 dxx2 u + y dyy u + y2 dyy2 u with the differences
// dxx u_i = u_{i-1} - 2 u_i + u_{i+1} and dxx2 u_i = u_{i-2} - 2 u_i + u_{i+2}.
typedef struct plate_cross {
    double x, x2, y, y2;
} plate_cross;

// What a plate does to a point in one step, each number over 1 + s0k.
typedef struct plate_pull {
    double late, pull;
    double keep;       // 1 - drop, exactly: compile takes a damping for which it is
    double admittance; // m/N, how far a unit force moves a point
    double bend;
    double edge;              // times u beside an edge is g there: what its mirror makes of it
    plate_cross bends, pulls; // tuned: in place of bend lap u and pull lap u
} plate_pull;

// One sample of a plate without external forces, at some width: next = d*, u on by it. lost not
// NULL: audited, what the sample before lost, m^2, into eight sums.
typedef void (*plate_sweep)(const body_group* bodies, const body_motion* motion, double* lost);

// A plate on a grid of nx by ny intervals, row by row along x, with the rows of both edges. Rows
// hold the points between their edges in order; the places behind them stay 0. Both the stride and
// the group's first degree of freedom are multiples of 8.
typedef struct plate_group {
    int32_t nx, ny, stride;
    bool clamped;
    bool tuned;                     // bends and pulls are plate_cross
    double mirror;                  // u beyond an edge is mirror times that before it
    double ratio;                   // (hx/hy)^2, of a tuned plate near that
    double pull, bend;              // T k^2/(rho H hx^2), D k^2/(rho H hx^4)
    double s0k, s1k;                // s0 k, s1 k/hx^2
    double mass;                    // kg, rho H hx hy
    double inverse_k;               // 1/s
    double tension;                 // N/m, T hy/hx
    double stiffness;               // N/m, D hy/hx^3
    double loss;                    // N/m, dissipated for travel^2 ..
    double loss_along, loss_across; // .. less these of its products with neighbours along x and y
    plate_cross bends, pulls;       // tuned: N/m, for the elastic energy
    plate_pull step;
    plate_sweep sweep;
} plate_group;
extern const body_kind sis_plate_kind;
// What `more` adds to the energy, J: a plate with the differences of tension, or of its crosses.
double sis_plate_tightened(const body_group* bodies, const body_motion* motion,
                           const plate_group* more);
extern const body_deferred sis_plate_deferred;

// How far apart rows of nx intervals are: behind the last point the edge and a place beyond it,
// which are also those before the next row. And where column i of row j is, 0 < i < nx.
static inline int32_t plate_stride(int32_t nx) {
    return (nx + 1 + 7) / 8 * 8;
}

static inline int32_t plate_place(int32_t nx, int32_t i, int32_t j) {
    return j * plate_stride(nx) + i - 1;
}

// Rows of scratch that an update needs, PLATE_GAP places before each; and how many places a plate
// must have behind it for that.
enum { PLATE_SCRATCH = 6, PLATE_GAP = 8 };
static inline int32_t plate_extra(int32_t nx, int32_t ny) {
    int32_t more = PLATE_SCRATCH * (plate_stride(nx) + PLATE_GAP) - (ny + 1) * plate_stride(nx);
    return more > 0 ? more : 0;
}

// The value of an envelope.
double sis_envelope_at(sis_envelope curve, double time);

#endif
