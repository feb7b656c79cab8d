// Points of bodies between the nodes of their grids: the weights that read and write them.
#include "sistrum/elementary.h"
#include "step/system.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- on a line of nodes

// Weights on nodes base - 1 .. base + 2 of a grid, about the place base + a.
static void lagrange(double a, int32_t order, double* w) {
    memset(w, 0, 4 * sizeof *w);
    if (order == 0) {
        w[a < 0.5 ? 1 : 2] = 1;
    } else if (order == 1) {
        w[1] = 1 - a;
        w[2] = a;
    } else {
        w[0] = -a * (a - 1) * (a - 2) / 6;
        w[1] = (a - 1) * (a + 1) * (a - 2) / 2;
        w[2] = -a * (a + 1) * (a - 2) / 2;
        w[3] = a * (a + 1) * (a - 1) / 6;
    }
}

// A place in intervals from the first node: the node before it, and how far behind that it is. One
// very near a node is there.
static int32_t cell_of(double place, double* part) {
    const double near = (double)(int64_t)(place + 0.5);
    if (fabs(place - near) < 1e-9) place = near;
    const int32_t base = (int32_t)place;
    *part = place - base;
    return base;
}

// Beyond its ends a string (or a row of a plate) continues as the mirror of itself: odd where
// supported, even where clamped.
grid_stencil sis_stencil_at(double length, int32_t N, sis_ends ends, double at, int32_t order) {
    double w[4], part, ghost = ends == SIS_ENDS_CLAMPED ? 1 : -1;
    int32_t base = cell_of(at / length * N, &part);
    lagrange(part, order, w);
    int32_t low = base - 1 < 1 ? 1 : base - 1;
    if (low > N - 1) low = N - 1;
    grid_stencil s = {low, 0, {0}};
    for (int32_t j = 0; j < 4; j++) {
        int32_t node = base - 1 + j;
        double weight = w[j];
        if (node < 0 || node > N) weight *= ghost;
        if (node < 0) node = -node;
        if (node > N) node = 2 * N - node;
        if (weight == 0 || node <= 0 || node >= N) continue;
        s.weight[node - s.first] += weight;
        if (node - s.first + 1 > s.count) s.count = node - s.first + 1;
    }
    while (s.count && s.weight[0] == 0) { // begin with the first node that counts
        memmove(s.weight, s.weight + 1, (STENCIL - 1) * sizeof *s.weight);
        s.first++;
        s.count--;
    }
    return s;
}

// ---------------------------------------------------------------------------- strings

// The mass of an implicit string is L = 1 - gamma/4 dxx, so that what is written and read at its
// points answers as L^-1, off by order h^2. A tuned one is written and read through
// R = 1 - gamma/8 dxx, whose square is L to order h^4: R L^-1 R is 1 to that order, and since both
// ways have the same weights, work given is work taken and source and listener may change places.
// Here R i of the weights i.
static void through_root(const string_spec* f, grid_stencil* s) {
    double beside = -f->root, centre = 1 + 2 * f->root;
    int32_t left = s->first > 1, n = s->count, last = s->first + n - 1 < f->segments - 1;
    double in[STENCIL + 2] = {0}, out[STENCIL] = {0};
    memcpy(in + 1 + left, s->weight, (size_t)n * sizeof *in);
    n += left + last;
    for (int32_t i = 0; i < n; i++)
        out[i] = centre * in[i + 1] + beside * (in[i] + in[i + 2]);
    s->first -= left;
    s->count = n;
    memcpy(s->weight, out, sizeof out);
}

grid_stencil sis_string_stencil(const string_spec* f, double at, int32_t order) {
    grid_stencil s = sis_stencil_at(f->length, f->segments, f->ends, at, order);
    if (f->root != 0 && s.count) through_root(f, &s);
    return s;
}

static const double PI = 3.14159265358979323846;

double sis_string_weight(const body_spec* spec, int32_t i, sis_place at) {
    const string_spec* f = (const string_spec*)spec;
    return f->mode ? sis_mode_at(&f->mode[i], at.x) : sis_sin((i + 1) * PI * at.x / f->length);
}

int32_t sis_string_weigh(const body_spec* spec, sis_place at, int32_t order, double* weight,
                         int32_t* index) {
    const string_spec* f = (const string_spec*)spec;
    const bool modal = f->model == SIS_STRING_MODAL;
    const grid_stencil s =
        modal ? (grid_stencil){1, spec->count, {0}} : sis_string_stencil(f, at.x, order);
    for (int32_t i = 0; i < s.count; i++) {
        weight[i] = modal ? sis_string_weight(spec, i, at) : s.weight[i];
        index[i] = s.first - 1 + i;
    }
    return s.count;
}

// ---------------------------------------------------------------------------- plates

double sis_plate_weight(const body_spec* spec, int32_t i, sis_place at) {
    const plate_spec* f = (const plate_spec*)spec;
    return sis_sin(f->list[i].m * PI * at.x / f->length) *
           sis_sin(f->list[i].l * PI * at.y / f->width);
}

static int32_t weigh_modes(const body_spec* spec, sis_place at, double* weight, int32_t* index) {
    for (int32_t i = 0; i < spec->count; i++) {
        weight[i] = sis_plate_weight(spec, i, at);
        index[i] = i;
    }
    return spec->count;
}

// Every point of one stencil with every point of the other.
int32_t sis_plate_weigh(const body_spec* spec, sis_place at, int32_t order, double* weight,
                        int32_t* index) {
    const plate_spec* f = (const plate_spec*)spec;
    if (f->model == SIS_PLATE_MODAL) return weigh_modes(spec, at, weight, index);
    const grid_stencil x = sis_stencil_at(f->length, f->nx, f->edge, at.x, order);
    const grid_stencil y = sis_stencil_at(f->width, f->ny, f->edge, at.y, order);
    int32_t n = 0;
    for (int32_t j = 0; j < y.count; j++)
        for (int32_t i = 0; i < x.count; i++) {
            if (x.weight[i] * y.weight[j] == 0) continue;
            weight[n] = x.weight[i] * y.weight[j];
            index[n++] = plate_place(f->nx, x.first + i, y.first + j);
        }
    return n;
}

// ---------------------------------------------------------------------------- stops
//
// Where a stop ends a string. Under the forces W_i f on the nodes x_i the string is straight on
// both sides; if the stop does not give, the part on the right ends at x + delta and that on the
// left at x - delta,
//
//   delta = h sum_ij W_i W_j (|i - j|/2 + share fall^|i - j|) + stop
//
// with the weights W of the place, and numbers of the string (compile/string_stop.c). Between two
// nodes that is a tenth of h more than on them: a stop that slides would go sharp once a cell. So
// it is put at x', where x' + delta(x') = x, or x' - delta(x') = x for the left part.
static double delta_at(const string_spec* f, double at, int32_t order) {
    double w[8] = {0}, W[6], part, sum = 0;
    if (f->model == SIS_STRING_MODAL) return f->stop;
    cell_of(at / f->h, &part);
    lagrange(part, order, w + 2);
    for (int32_t i = 0; i < 6; i++)
        W[i] = w[i + 1] - f->root * (w[i] - 2 * w[i + 1] + w[i + 2]);
    for (int32_t i = 0; i < 6; i++) {
        double fall = f->stop_share;
        sum += W[i] * W[i] * fall;
        for (int32_t j = i + 1; j < 6; j++) {
            fall *= f->stop_fall;
            sum += W[i] * W[j] * (j - i + 2 * fall);
        }
    }
    return f->h * sum + f->stop;
}

// x' grows with x, and delta by less: from x and x - delta(x) on along secants, a handful of them.
// It stays within a cell of x, for which compile has made room.
double sis_stop_place(const body_spec* spec, double x, int32_t order, sis_sounding sounding) {
    const string_spec* f = (const string_spec*)spec;
    if (sounding == SIS_SOUNDING_NONE) return x;
    const double sign = sounding == SIS_SOUNDING_RIGHT ? 1 : -1, enough = 1e-12 * f->length;
    const double reach = f->model == SIS_STRING_MODAL ? fabs(f->stop) : f->h;
    const double low = fmax(x - reach, 1e-6 * f->length);
    const double high = fmin(x + reach, (1 - 1e-6) * f->length);
    double last = x, over = sign * delta_at(f, x, order); // x' + delta - x there
    double at = fmin(fmax(x - over, low), high);
    for (int turn = 0; turn < 30; turn++) {
        const double off = (at - x) + sign * delta_at(f, at, order);
        if (fabs(off) <= enough || off == over) break;
        const double next = at - off * (at - last) / (off - over);
        last = at, over = off;
        at = fmin(fmax(next, low), high);
    }
    return at;
}
