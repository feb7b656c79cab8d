// Links of one implicit or trapezoid string, solved in the shape of the string: O(N) a pass.
//
// x is what the forces add to the free motion of the string, D = A/admittance its band (tridiagonal
// or pentadiagonal), B_c the weights of point c: unit vectors on the grid, R of one where a tuned
// string is read through the root R of its mass operator (three nodes), or cubic weights (four, six
// through R). So no inverse of D or R is needed, and B_c B_c^T stays within a few diagonals:
//
//   D x = -sum_c B_c f_c,     r_c = r*_c + B_c.x
//
// With tangents f_c = t_c + S_c (r - r_c), t_c the tangent at the present travel, a Newton step is
//
//   (D + sum_c S_c B_c B_c^T) dx = sum_c B_c (f_c - t_c) + e,   dr_c = B_c.dx,   f_c = t_c + S_c dr_c
//
// symmetric positive definite and banded. It is solved for the change dx: what is small is computed
// small. e = -D x - sum B f is what rounding left of the balance of forces: 0 at first. Where a
// point is stiff, S_c dr_c is not the force to rounding (dr is a sum over nodes that cancels, and
// the tangent was taken far from the present travel); one more turn, about where the first led,
// repairs that.
//
// Window. Before the first and behind the last node that a chosen link holds, dx is not asked for:
// these nodes are eliminated at compile. That changes D only in the first and last `width` rows, by
// numbers that depend on where the window ends (`cut`; a string is the same read from either end).
//
// Others. Links that hold on to more than the string (a hammer, a spring to another body), or to
// all of it (tension modulation), are few: with y the solution of the above and Z = (..)^-1 B_o,
// dx = y - Z df, they see travels r_o + B_o.y and the compliance B_o.Z + `rest`, their G through
// all bodies but the string: a small dense system.
//
// The rest is as in coupled.c: the same tangents, line search and end of the passes; forces of the
// last sample to begin with; links that these forces would close join. A set that does not converge
// is left to the dense solve.
#include "network/band.h"

#include "network/band_factor.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PASSES_MOST = 100 };

// The links of a block that act in this sample: those of the string and the others; the window.
typedef struct band_set {
    const network_block* block;
    const network_band* band;
    const network_link* links;
    network_work* work;
    int32_t count, others, singles; // links of the string, others; the former that are in no run
    const int32_t* at;              // links, ascending
    int32_t of[BAND_OTHERS];        // which of the others
    int32_t low, n;                 // first node of the window, nodes
    double* M;                      // its rows
    double *dx, *x; // over all nodes: the last change; scratch, or the whole response
    double* Z[BAND_OTHERS];
} band_set;

size_t sis_band_scratch(const network_band* band) {
    return (size_t)band->count * (size_t)(band->reach + 4 + band->other_count);
}

// ---------------------------------------------------------------------------- points

SIS_INLINE double read_of(const network_band* band, int32_t l, const double* v, int32_t q) {
    const double* w = band->weight + (size_t)l * (size_t)q;
    double sum = 0;
    v += band->node[l];
    for (int32_t j = 0; j < q; j++)
        sum += w[j] * v[j];
    return sum;
}

SIS_INLINE void write_of(const network_band* band, int32_t l, double f, double* v, int32_t q) {
    const double* w = band->weight + (size_t)l * (size_t)q;
    v += band->node[l];
    for (int32_t j = 0; j < q; j++)
        v[j] += f * w[j];
}

// Numbers of nodes of a point, each compiled by itself.
#define STENCIL_EACH(q, CALL)                                                                      \
    switch (q) {                                                                                   \
    case 1:                                                                                        \
        CALL(1);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        CALL(3);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        CALL(4);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        CALL(6);                                                                                   \
    }

SIS_INLINE void free_of(const network_block* b, const double* t, network_work* work, int32_t q) {
    const network_band* band = b->band;
    for (int32_t l = 0; l < b->count; l++)
        if (band->node[l] >= 0) work->free[b->first + l] = read_of(band, l, t, q);
}

void sis_band_free(const network_block* b, const double* d, const double* next,
                   network_work* work) {
    const network_band* band = b->band;
    double* t = work->matrix;
    for (int32_t i = 0; i < band->count; i++)
        t[i] = d[band->first + i] + next[band->first + i];
#define FREE(Q) free_of(b, t, work, Q)
    STENCIL_EACH(band->stencil, FREE)
#undef FREE
}

SIS_INLINE bool push_of(const network_block* b, const network_work* work, double* v, int32_t q) {
    const network_band* band = b->band;
    bool any = false;
    for (int32_t l = 0; l < b->count; l++) {
        const double f = work->force[b->first + l];
        if (band->node[l] < 0 || f == 0) continue;
        write_of(band, l, -f, v, q);
        any = true;
    }
    return any;
}

bool sis_band_push(const network_block* b, const network_work* work, double* push) {
    const network_band* band = b->band;
    bool any = false;
#define PUSH(Q) any = push_of(b, work, push + band->first, Q)
    STENCIL_EACH(band->stencil, PUSH)
#undef PUSH
    return any;
}

// ---------------------------------------------------------------------------- others

static bool on_string(const network_band* band, const network_end* end) {
    return end->count && end->first >= band->first && end->first < band->first + band->count;
}

// An end, counted from the first node of the string.
static network_end from_string(const network_band* band, network_end end) {
    end.first -= band->first;
    return end;
}

// Adds f times the weights of one of the others to `v`, over the nodes.
static void write_other(const network_band* band, const network_link* link, double f,
                        const network_work* work, double* v) {
    const network_end below = from_string(band, link->below),
                      above = from_string(band, link->above);
    if (link->class->stretch) {
        for (int32_t i = 0; i < band->count; i++)
            v[i] += f * work->column[band->first + i];
        return;
    }
    if (on_string(band, &link->below)) network_write(&below, f, v);
    if (on_string(band, &link->above)) network_write(&above, -f, v);
}

static double read_other(const network_band* band, const network_link* link, const double* v,
                         const network_work* work) {
    const network_end below = from_string(band, link->below),
                      above = from_string(band, link->above);
    double sum = 0;
    if (link->class->stretch) return sis_dot(work->column + band->first, v, band->count);
    if (on_string(band, &link->below)) sum += network_read(&below, v);
    if (on_string(band, &link->above)) sum -= network_read(&above, v);
    return sum;
}

static int32_t link_of(const band_set* set, int32_t o) {
    return set->band->other[set->of[o]];
}

// ---------------------------------------------------------------------------- the set

static void widen(int32_t from, int32_t to, int32_t* low, int32_t* high) {
    if (from < *low) *low = from;
    if (to > *high) *high = to;
}

static void widen_by_other(const network_band* band, const network_link* link, int32_t* low,
                           int32_t* high) {
    const network_end* ends[2] = {&link->below, &link->above};
    if (link->class->stretch) widen(0, band->count - 1, low, high);
    for (int side = 0; side < 2 && !link->class->stretch; side++) {
        if (!on_string(band, ends[side])) continue;
        for (int32_t i = 0; i < ends[side]->count; i++) {
            int32_t node = network_dof(ends[side], i) - band->first;
            widen(node, node, low, high);
        }
    }
}

static band_set choose(const network_block* b, const network_link* links, network_work* work) {
    const network_band* band = b->band;
    const size_t nodes = (size_t)band->count;
    band_set set = {.block = b, .band = band, .links = links, .work = work, .at = work->set_at};
    int32_t low = band->count, high = -1;
    for (int32_t l = 0; l < b->count; l++) {
        if (!work->chosen[b->first + l] || band->node[l] < 0) continue;
        work->set_at[set.count++] = b->first + l;
        set.singles += !band->in_run[l];
        widen(band->node[l], band->node[l] + band->stencil - 1, &low, &high);
    }
    for (int32_t o = 0; o < band->other_count; o++) {
        if (!work->chosen[band->other[o]]) continue;
        widen_by_other(band, &links[band->other[o]], &low, &high);
        set.of[set.others++] = o;
    }
    // Both ends of the window change `width` rows each, which are not to be the same.
    while (high - low + 1 < 2 * band->width)
        high < band->count - 1 ? high++ : low--;
    set.low = low;
    set.n = high - low + 1;
    set.M = work->matrix;
    set.dx = set.M + nodes * (size_t)(band->reach + 1);
    set.x = set.dx + nodes;
    for (int32_t o = 0; o < set.others; o++)
        set.Z[o] = set.x + nodes * (size_t)(o + 1);
    return set;
}

// Whether a solve along the window costs less than a dense one, in instructions as measured.
static bool is_worth(const band_set* set) {
    const double n = set->count + set->others, row = fmin(n, set->band->profile);
    const double node = set->band->node_cost * (1 + 0.5 * set->others);
    return set->n * node <= n * (1300 + 100 * row);
}

// The window of D, with the nodes beside it eliminated.
static void load_matrix(const band_set* set) {
    const network_band* band = set->band;
    const int32_t p = band->reach, w = band->width, n = set->n, last = set->low + n - 1;
    double* M = set->M;
    for (int32_t i = 0; i < n; i++) {
        const double* D = band->D + (size_t)(set->low + i) * (size_t)(w + 1);
        double* row = M + (size_t)i * (size_t)(p + 1);
        for (int32_t j = 0; j <= p; j++)
            row[j] = j <= w && i + j < n ? D[j] : 0;
    }
    const double *before = band->cut + 3 * (size_t)set->low,
                 *behind = band->cut + 3 * (size_t)(band->count - 1 - last);
    double* end = M + (size_t)(n - 1) * (size_t)(p + 1);
    M[0] -= before[0];
    end[0] -= behind[0];
    if (w < 2) return;
    M[1] -= before[1];
    M[p + 1] -= before[2];
    end[1 - (p + 1)] -= behind[1];
    end[-(p + 1)] -= behind[2];
}

// out = D v over the window, from the same numbers.
static void multiply(const band_set* set, const double* v, double* out) {
    const network_band* band = set->band;
    const int32_t w = band->width, n = set->n, last = set->low + n - 1;
    const double *before = band->cut + 3 * (size_t)set->low,
                 *behind = band->cut + 3 * (size_t)(band->count - 1 - last);
    for (int32_t i = 0; i < n; i++)
        out[i] = 0;
    for (int32_t i = 0; i < n; i++) {
        const double* D = band->D + (size_t)(set->low + i) * (size_t)(w + 1);
        out[i] += D[0] * v[i];
        for (int32_t j = 1; j <= w && i + j < n; j++) {
            out[i] += D[j] * v[i + j];
            out[i + j] += D[j] * v[i];
        }
    }
    out[0] -= before[0] * v[0];
    out[n - 1] -= behind[0] * v[n - 1];
    if (w < 2) return;
    out[0] -= before[1] * v[1];
    out[1] -= before[1] * v[0] + before[2] * v[1];
    out[n - 1] -= behind[1] * v[n - 2];
    out[n - 2] -= behind[1] * v[n - 1] + behind[2] * v[n - 2];
}

// ---------------------------------------------------------------------------- one pass

static double affine_at(const network_work* work, int32_t l, double r) {
    return work->q[l] + work->a[l] * (r - work->at[l]) + work->loss[l] * r;
}

// The slopes of the string's links into the band. True: one of them is stiff.
SIS_INLINE bool load_slopes_of(const band_set* set, int32_t q) {
    const network_band* band = set->band;
    const network_work* work = set->work;
    const int32_t wide = band->reach + 1;
    bool stiff = false;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n], l = i - set->block->first, node = band->node[l] - set->low;
        const double *w = band->weight + (size_t)l * (size_t)q, slope = work->a[i] + work->loss[i];
        double* M = set->M + (size_t)node * (size_t)wide;
        stiff |= slope * band->G[l] > 1;
        for (int32_t a = 0; a < q; a++)
            for (int32_t c = a; c < q; c++)
                M[a * wide + (c - a)] += slope * w[a] * w[c];
    }
    return stiff;
}

static bool load_slopes(const band_set* set) {
    bool stiff = false;
#define LOAD(Q) stiff = load_slopes_of(set, Q)
    STENCIL_EACH(set->band->stencil, LOAD)
#undef LOAD
    return stiff;
}

// Adds their forces less their tangents t to dx; t is kept in work->y.
SIS_INLINE void load_forces_of(const band_set* set, int32_t q) {
    const network_work* work = set->work;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        const double t = work->y[i] = affine_at(work, i, work->travel[i]);
        write_of(set->band, i - set->block->first, work->force[i] - t, set->dx, q);
    }
}

// f = t + S dr: of what is small, not of a rounded travel.
SIS_INLINE void move_points_of(const band_set* set, int32_t q) {
    network_work* work = set->work;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        const double dr = read_of(set->band, i - set->block->first, set->dx, q);
        work->travel[i] += dr;
        work->force[i] = work->y[i] + (work->a[i] + work->loss[i]) * dr;
    }
}

// The others: (1 + s G s) v = s (B_o.y + G g), df = s v - g; then dx = y - Z df, dr = B_o.dx - rest df.
// By Cholesky; every eigenvalue is at least 1.
static void solve_others(const band_set* set) {
    const int32_t m = set->others;
    network_work* work = set->work;
    double G[BAND_OTHERS][BAND_OTHERS], L[BAND_OTHERS][BAND_OTHERS];
    double s[BAND_OTHERS], t[BAND_OTHERS], g[BAND_OTHERS], seen[BAND_OTHERS], v[BAND_OTHERS],
        df[BAND_OTHERS];
    for (int32_t o = 0; o < m; o++) {
        const int32_t i = link_of(set, o);
        for (int32_t p = 0; p < m; p++)
            G[o][p] = read_other(set->band, &set->links[i], set->Z[p], work) +
                      set->band->rest[set->of[o]][set->of[p]];
        s[o] = sqrt(work->a[i] + work->loss[i]);
        t[o] = affine_at(work, i, work->travel[i]);
        g[o] = work->force[i] - t[o];
        seen[o] = read_other(set->band, &set->links[i], set->dx, work);
    }
    for (int32_t o = 0; o < m; o++) {
        v[o] = seen[o];
        for (int32_t p = 0; p < m; p++)
            v[o] += G[o][p] * g[p];
        v[o] *= s[o];
        for (int32_t p = 0; p <= o; p++) {
            double sum = (o == p) + s[o] * G[o][p] * s[p];
            for (int32_t c = 0; c < p; c++)
                sum -= L[o][c] * L[p][c];
            L[o][p] = p < o ? sum * L[p][p] : 1 / sqrt(sum);
        }
        for (int32_t p = 0; p < o; p++)
            v[o] -= L[o][p] * v[p];
        v[o] *= L[o][o];
    }
    for (int32_t o = m - 1; o >= 0; o--) {
        for (int32_t p = o + 1; p < m; p++)
            v[o] -= L[p][o] * v[p];
        v[o] *= L[o][o];
        df[o] = s[o] * v[o] - g[o];
    }
    for (int32_t o = 0; o < m; o++)
        for (int32_t i = set->low; i < set->low + set->n; i++)
            set->dx[i] -= df[o] * set->Z[o][i];
    for (int32_t o = 0; o < m; o++) { // what dx says, not what G says: so rounding is seen
        const int32_t i = link_of(set, o);
        work->travel[i] += read_other(set->band, &set->links[i], set->dx, work);
        for (int32_t p = 0; p < m; p++)
            work->travel[i] -= set->band->rest[set->of[o]][set->of[p]] * df[p];
        work->force[i] = t[o] + s[o] * v[o];
    }
}

static void clear(const band_set* set, double* v) {
    memset(v + set->low, 0, (size_t)set->n * sizeof *v);
}

static void substitute(const band_set* set, double* v) {
    band_substitute(set->M, set->n, set->band->reach, v + set->low);
}

// Forces and travels move onto their tangents, from dx = e.
SIS_INLINE void turn_of(const band_set* set, int32_t q) {
    load_forces_of(set, q);
    substitute(set, set->dx);
    if (set->others) solve_others(set);
    move_points_of(set, q);
}

// dx = e = -D dx - sum B df, since the pass began.
SIS_INLINE void leave_of(const band_set* set, int32_t q) {
    const network_work* work = set->work;
    multiply(set, set->dx + set->low, set->x + set->low);
    for (int32_t i = set->low; i < set->low + set->n; i++)
        set->dx[i] = -set->x[i];
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        write_of(set->band, i - set->block->first, work->old_force[i] - work->force[i], set->dx, q);
    }
    for (int32_t o = 0; o < set->others; o++) {
        const int32_t i = link_of(set, o);
        write_other(set->band, &set->links[i], work->old_force[i] - work->force[i], work, set->dx);
    }
}

static void pass(const band_set* set) {
    load_matrix(set);
    bool stiff = load_slopes(set);
    band_factor(set->M, set->n, set->band->reach);
    for (int32_t o = 0; o < set->others; o++) {
        clear(set, set->Z[o]);
        write_other(set->band, &set->links[link_of(set, o)], 1, set->work, set->Z[o]);
        substitute(set, set->Z[o]);
        const int32_t i = link_of(set, o);
        stiff |= (set->work->a[i] + set->work->loss[i]) * set->links[i].G > 1;
    }
    clear(set, set->dx);
#define TURN(Q) turn_of(set, Q)
    STENCIL_EACH(set->band->stencil, TURN)
    if (!stiff) return;
#define LEAVE(Q) leave_of(set, Q)
    STENCIL_EACH(set->band->stencil, LEAVE)
    STENCIL_EACH(set->band->stencil, TURN)
#undef LEAVE
#undef TURN
}

// ---------------------------------------------------------------------------- Newton

// x = what the forces of the set add to the free motion, over the whole string.
static void respond(const band_set* set) {
    const network_band* band = set->band;
    const network_work* work = set->work;
    double* x = set->x;
    memset(x, 0, (size_t)band->count * sizeof *x);
#define WRITE(Q)                                                                                   \
    for (int32_t n = 0; n < set->count; n++)                                                       \
    write_of(band, set->at[n] - set->block->first, -work->force[set->at[n]], x, Q)
    STENCIL_EACH(band->stencil, WRITE)
#undef WRITE
    for (int32_t o = 0; o < set->others; o++)
        write_other(band, &set->links[link_of(set, o)], -work->force[link_of(set, o)], work, x);
    for (int32_t i = 0; i < band->count; i++)
        x[i] *= band->admittance;
    sis_banded_solve(band->A, x);
}

// The travel of one of the others that these forces make.
static double other_travel(const band_set* set, int32_t other) {
    const network_work* work = set->work;
    const int32_t i = set->band->other[other];
    double r = work->free[i] + read_other(set->band, &set->links[i], set->x, work);
    for (int32_t o = 0; o < set->others; o++)
        r -= set->band->rest[other][set->of[o]] * work->force[link_of(set, o)];
    return r;
}

static bool in_run(const band_set* set, int32_t i) {
    return set->band->in_run[i - set->block->first];
}

// For each link of the set; for each that is in no run.
#define EACH_LINK(set, i, CALL)                                                                    \
    do {                                                                                           \
        for (int32_t n_ = 0; n_ < (set)->count; n_++) {                                            \
            const int32_t i = (set)->at[n_];                                                       \
            CALL;                                                                                  \
        }                                                                                          \
        for (int32_t o_ = 0; o_ < (set)->others; o_++) {                                           \
            const int32_t i = link_of(set, o_);                                                    \
            CALL;                                                                                  \
        }                                                                                          \
    } while (0)
#define EACH_SINGLE(set, i, CALL)                                                                  \
    do {                                                                                           \
        for (int32_t n_ = 0; n_ < (set)->count && (set)->singles; n_++) {                          \
            const int32_t i = (set)->at[n_];                                                       \
            if (!in_run(set, i)) CALL;                                                             \
        }                                                                                          \
        for (int32_t o_ = 0; o_ < (set)->others; o_++) {                                           \
            const int32_t i = link_of(set, o_);                                                    \
            CALL;                                                                                  \
        }                                                                                          \
    } while (0)

// What a link outside the runs brings to the sample.
static void begin_link(const band_set* set, int32_t i, double k) {
    const network_link* link = &set->links[i];
    link->class->prepare(link, k, i, set->work);
    if (network_gradient_based(link)) sis_network_predict(link, set->work, i);
}

// Forces of the last sample, the travels they would give, and the first tangents.
static void begin(const band_set* set, double k) {
    const network_band* band = set->band;
    network_work* work = set->work;
    for (int32_t n = 0; n < set->count; n++)
        work->force[set->at[n]] = work->memory.force[set->at[n]];
    for (int32_t o = 0; o < set->others; o++)
        work->force[link_of(set, o)] = work->memory.force[link_of(set, o)];
    respond(set);
#define TRAVEL(Q)                                                                                  \
    for (int32_t n = 0; n < set->count; n++)                                                       \
    work->travel[set->at[n]] =                                                                     \
        work->free[set->at[n]] + read_of(band, set->at[n] - set->block->first, set->x, Q)
    STENCIL_EACH(band->stencil, TRAVEL)
#undef TRAVEL
    for (int32_t r = 0; r < band->run_count; r++)
        band->kernel->begin(&band->runs[r], work);
    for (int32_t o = 0; o < set->others; o++)
        work->travel[link_of(set, o)] = other_travel(set, set->of[o]);
    EACH_SINGLE(set, i, begin_link(set, i, k));
}

static void tangent_of_link(const band_set* set, int32_t i) {
    if (network_gradient_based(&set->links[i]))
        sis_network_tangent(&set->links[i], set->work, i, set->work->travel[i]);
}

static void tangents(const band_set* set) {
    for (int32_t r = 0; r < set->band->run_count; r++)
        set->band->kernel->tangents(&set->band->runs[r], set->work);
    EACH_SINGLE(set, i, tangent_of_link(set, i));
}

static void remember(const band_set* set) {
    const network_block* b = set->block;
    network_work* work = set->work;
    const size_t size = (size_t)b->count * sizeof(double);
    memcpy(work->old_force + b->first, work->force + b->first, size);
    memcpy(work->old_travel + b->first, work->travel + b->first, size);
}

// The largest term that a travel is made of.
static double rounding_of(const band_set* set) {
    const network_work* work = set->work;
    double most = 0;
    for (int32_t n = 0; n < set->count; n++) {
        const int32_t i = set->at[n];
        double G = set->band->G[i - set->block->first];
        double size = fabs(work->free[i]) + G * fabs(work->force[i]);
        most = size > most ? size : most;
    }
    for (int32_t o = 0; o < set->others; o++) {
        const int32_t i = link_of(set, o);
        double size = fabs(work->free[i]) + set->links[i].G * fabs(work->force[i]);
        if (size > most && !set->links[i].class->stretch) most = size;
    }
    return most;
}

static network_gap gap_of(const band_set* set) {
    const network_work* work = set->work;
    const double rounding = rounding_of(set);
    network_gap gap = {0, true, false};
    for (int32_t r = 0; r < set->band->run_count; r++)
        set->band->kernel->look(&set->band->runs[r], rounding, work, &gap);
    EACH_SINGLE(set, i, sis_network_look(&set->links[i], rounding, work, i, &gap));
    return gap;
}

// The tangents at the end of a step, which is halved until it no longer climbs steeply: the
// derivative along it of the convex function whose minimum is sought, sum dr (F(r) - f).
static void search_along(const band_set* set, double largest) {
    network_work* work = set->work;
    double length = 1;
    for (int tries = 0; tries < 40; tries++, length *= 0.5) {
        double climb = 0, size = 0;
        tangents(set);
        EACH_LINK(set, i, double dr = work->travel[i] - work->old_travel[i];
                  double f = work->force[i];
                  climb += dr * (affine_at(work, i, work->travel[i]) - f);
                  size += fabs(dr * (f - work->old_force[i])));
        if (climb * length <= 0.5 * size || largest < 1e-12) return; // both times length^2
        EACH_LINK(set, i,
                  work->force[i] = work->old_force[i] + 0.5 * (work->force[i] - work->old_force[i]);
                  work->travel[i] =
                      work->old_travel[i] + 0.5 * (work->travel[i] - work->old_travel[i]));
    }
}

static void note_newton(const network_link* link, bool* any) {
    if (link->contact && link->contact->scheme == SIS_SCHEME_NEWTON) *any = true;
}

// Ends as sis_network_newton does. Passes made, or 0: it found no rest.
static uint32_t converge(const band_set* set) {
    double last = HUGE_VAL;
    bool to_rounding = false;
    EACH_SINGLE(set, i, note_newton(&set->links[i], &to_rounding));
    for (uint32_t n = 1; n <= PASSES_MOST; n++) {
        remember(set);
        pass(set);
        const network_gap gap = gap_of(set);
        if (!to_rounding && network_gap_ends(&gap, (int32_t)n)) return n;
        if (gap.largest <= 2 * DBL_EPSILON || (gap.largest <= 1e-10 && gap.largest >= 0.5 * last))
            return n;
        search_along(set, gap.largest);
        last = gap.largest;
    }
    return 0;
}

// ---------------------------------------------------------------------------- the end

// Do the forces make the travels that were found, and can the contacts that pay for them do so? As
// consistent() of coupled.c: what is missed, and the energies at hand.
typedef struct band_balance {
    double miss, scale;
} band_balance;

// A link whose forces make the travel r. A soft one takes that for what it found, and all do that
// `rebase`: the sum of many steps has their rounding.
SIS_INLINE void weigh(const contact_law* law, double G, network_work* work, int32_t i, double r,
                      bool rebase, band_balance* sum) {
    double found = work->travel[i], f = work->force[i], free = work->free[i];
    if (law && contact_gradient_based(law)) {
        double F = f, E = work->memory.E[i];
        if (law->nu > 0) contact_conservative(&law->power, law->nu, f, found, &F);
        double left = E + 0.5 * found * F;
        bool pays = law->scheme == SIS_SCHEME_LEDGER;
        if (pays && !(left >= 0)) sum->miss -= left;
        sum->scale += E;
    }
    sum->miss += fabs(f * (found - r));
    sum->scale += free * free / G;
    if (rebase || G == HUGE_VAL || (work->a[i] + work->loss[i]) * G <= 1) work->travel[i] = r;
}

// A law cannot pull: what seems to is rounding.
static void push_only(const contact_law* law, double* force) {
    if (law && !law->power.both && *force < 0) *force = 0;
}

SIS_INLINE band_balance balance_of(const band_set* set, bool rebase, int32_t q) {
    const network_band* band = set->band;
    network_work* work = set->work;
    band_balance sum = {0, 0};
    for (int32_t r = 0; r < band->run_count; r++) {
        const band_run* run = &band->runs[r];
        for (int32_t j = 0; j < run->count; j++) {
            const int32_t i = run->first + j;
            if (!work->chosen[i]) continue;
            weigh(run->law, run->G[j], work, i,
                  work->free[i] + read_of(band, i - set->block->first, set->x, q), rebase, &sum);
        }
    }
    for (int32_t n = 0; n < set->count && set->singles; n++) {
        const int32_t i = set->at[n], l = i - set->block->first;
        if (!band->in_run[l])
            weigh(set->links[i].contact, set->links[i].G, work, i,
                  work->free[i] + read_of(band, l, set->x, q), rebase, &sum);
    }
    for (int32_t o = 0; o < set->others; o++) {
        const network_link* link = &set->links[link_of(set, o)];
        weigh(link->contact, link->class->stretch ? HUGE_VAL : link->G, work, link_of(set, o),
              other_travel(set, set->of[o]), rebase, &sum);
    }
    return sum;
}

static band_balance balance(const band_set* set, bool rebase) {
    network_work* work = set->work;
    band_balance sum = {0, 0};
    for (int32_t r = 0; r < set->band->run_count; r++) {
        const band_run* run = &set->band->runs[r];
        for (int32_t i = run->first; i < run->first + run->count; i++) // idle ones: 0, or not read
            work->force[i] = work->force[i] < 0 ? 0 : work->force[i];
    }
    EACH_SINGLE(set, i, push_only(set->links[i].contact, &work->force[i]));
    respond(set);
#define BALANCE(Q) sum = balance_of(set, rebase, Q)
    STENCIL_EACH(set->band->stencil, BALANCE)
#undef BALANCE
    return sum;
}

// Where the balance shows more than rounding, one more pass begins where the forces lead.
static bool consistent(const band_set* set) {
    band_balance sum = balance(set, false);
    if (sum.miss > 1e-14 * sum.scale) {
        balance(set, true);
        remember(set);
        pass(set);
        sum = balance(set, false);
    }
    return sum.miss <= 1e-7 * sum.scale; // false when it is not a number
}

// The travels of the links outside the set, by the response in x. True: one of them would close and
// has been chosen too.
SIS_INLINE bool spread_of(const band_set* set, int32_t q) {
    const network_block* b = set->block;
    const network_band* band = set->band;
    network_work* work = set->work;
    bool closes = false;
    for (int32_t l = 0; l < b->count; l++) {
        const int32_t i = b->first + l;
        if (work->chosen[i] || band->node[l] < 0) continue;
        work->travel[i] = work->free[i] + read_of(band, l, set->x, q);
        work->force[i] = 0;
        work->chosen[i] = set->links[i].class->active(&set->links[i], work, i, work->travel[i]);
        closes |= work->chosen[i];
    }
    for (int32_t o = 0; o < band->other_count; o++) {
        const int32_t i = band->other[o];
        bool acts = false;
        for (int32_t p = 0; p < set->others; p++)
            acts |= set->of[p] == o;
        if (acts) continue;
        work->travel[i] = other_travel(set, o);
        work->force[i] = 0;
        work->chosen[i] = set->links[i].class->active(&set->links[i], work, i, work->travel[i]);
        closes |= work->chosen[i];
    }
    return closes;
}

static bool spread(const band_set* set) {
    bool closes = false;
#define SPREAD(Q) closes = spread_of(set, Q)
    STENCIL_EACH(set->band->stencil, SPREAD)
#undef SPREAD
    return closes;
}

static void settle_link(const network_link* link, double k, int32_t i, network_work* work,
                        body_work* done) {
    body_work part = link->class->settle(link, k, i, false, work);
    done->supplied += part.supplied;
    done->dissipated += part.dissipated;
}

static body_work settle(const band_set* set, double k) {
    const network_band* band = set->band;
    body_work done = {0, 0};
    for (int32_t r = 0; r < band->run_count; r++)
        done.dissipated += band->kernel->settle(&band->runs[r], set->work);
    EACH_SINGLE(set, i, settle_link(&set->links[i], k, i, set->work, &done));
    return done;
}

bool sis_band_solve(const network_block* b, const network_link* links, double k, network_work* work,
                    body_work* done) {
    band_set set;
    do {
        set = choose(b, links, work);
        if (!is_worth(&set)) return false;
        begin(&set, k);
        const uint32_t passes = converge(&set);
        EACH_LINK(&set, i, work->cost[i].iterations += passes);
        if (passes == 0 || !consistent(&set)) return false;
    } while (spread(&set));
    for (int32_t i = b->first; i < b->first + b->count; i++)
        if (!work->chosen[i]) links[i].class->rest(&links[i], k, i, work);
    *done = settle(&set, k);
    return true;
}
