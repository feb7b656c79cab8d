// u+ = here u + beside (left + right) + far (2 away) + was u- + was_beside (left- + right-)
//
// Contact of a point by the ledger scheme (src/contact/ledger.c has its letters and reasons):
// w = eta^{n-1}, z = eta^{n+1}, x = z - w, free = x without contact force, f = DG(w, x).
#include "scalar.h"

#include "base/power.h"

#include <math.h>
#include <string.h>

// What a point remembers: E at n - 1/2, its last force, phi(eta^{n-1}) and where phi was last
// taken.
typedef struct point_memory {
    double E, force, phi_before, mark_depth, mark_phi;
} point_memory;

typedef struct point_state {
    double *u, *before, *next; // [points + 2 SCALAR_PAD]
    double* height;            // [points], of the barrier
    double* awake;             // [points], 1 or 0
    point_memory* memory;      // [points]
} point_state;

static size_t padded(const scalar_string* s) {
    return (size_t)s->points + 2 * SCALAR_PAD;
}

static point_state state_of(const scalar_string* s, double* state, int turn) {
    size_t row = padded(s), points = (size_t)s->points;
    double* level[3] = {state, state + row, state + 2 * row};
    double* rest = state + 3 * row;
    return (point_state){level[turn % 3],       level[(turn + 2) % 3],
                         level[(turn + 1) % 3], rest,
                         rest + points,         (point_memory*)(rest + 2 * points)};
}

size_t scalar_string_size(const scalar_string* s) {
    size_t memory = sizeof(point_memory) / sizeof(double);
    return 3 * padded(s) + (2 + memory) * (size_t)s->points + 1;
}

void scalar_string_start(const scalar_string* s, double* state) {
    memset(state, 0, scalar_string_size(s) * sizeof *state);
    point_state at = state_of(s, state, 0);
    for (int i = 0; i < s->points; i++) {
        double x = (i + 1) * s->spacing;
        at.height[i] = s->bend[0] + s->bend[1] * x + s->bend[2] * x * x;
    }
}

// ---------------------------------------------------------------------------- one contact

typedef struct contact {
    double now, before, free, G, phi_now;
    point_memory* m;
} contact;

static double take_phi(const scalar_string* s, contact* c, double x) {
    double phi = s->K_over_t * pow(x, s->alpha + 1);
    c->m->mark_depth = x;
    c->m->mark_phi = phi;
    return phi;
}

// (1 + e)^t - 1 for small t e.
static double grow(const scalar_string* s, double e) {
    double t = s->alpha + 1, tail = 1 + e * (t - 5) / 6;
    tail = 1 + e * (t - 4) / 5 * tail;
    tail = 1 + e * (t - 3) / 4 * tail;
    tail = 1 + e * (t - 2) / 3 * tail;
    tail = 1 + e * (t - 1) / 2 * tail;
    return e * t * tail;
}

// phi at depth x carried over from where it was last taken; < 0: too far.
static double carry_phi(const scalar_string* s, const contact* c, double x) {
    double from = c->m->mark_depth, e = (x - from) / from;
    if (!(from > 0) || !(fabs((s->alpha + 1) * e) <= 0.03)) return -1;
    return c->m->mark_phi * (1 + grow(s, e));
}

static double phi_at(const scalar_string* s, contact* c, double eta) {
    if (!(eta > 0)) return 0;
    double phi = carry_phi(s, c, eta);
    return phi >= 0 ? phi : take_phi(s, c, eta);
}

static double emptying_force(double free, double G, double E) {
    double root = sqrt(free * free + 8 * G * E);
    if (free > 0) return (free + root) / (2 * G);
    return E > 0 ? 4 * E / (root - free) : 0;
}

typedef struct root {
    double travel, force;
} root;

// Its slope goes on by its bend, phi is carried over: a second step without a power.
static root refine(const scalar_string* s, contact* c, double x, double value, double slope,
                   double bend, root first) {
    double y = first.travel, moved = y - x, e = moved / c->m->mark_depth;
    double grown = c->m->mark_phi * grow(s, e);
    c->m->mark_depth = c->before + y;
    c->m->mark_phi += grown;
    value = (value * x + grown) / y;
    slope = fmax(slope + bend * moved, 0);
    double step = (y - c->free + c->G * value) / (1 + c->G * slope);
    return (root){y - step, value - slope * step};
}

// Halley steps from y, where phi is known, until less than 1e-12 of the force is left.
static root converge(const scalar_string* s, contact* c, double y, double phi) {
    double w = c->before, phi_w = c->m->phi_before, t = s->alpha + 1;
    double size = fabs(w) + fabs(c->free);
    root found = {y, 0};
    for (int turn = 0; turn < 60; turn++) {
        double z = w + y, force = t * phi / z, curve = s->alpha * force / z;
        double value, slope, bend;
        if (fabs(y) > 1e-5 * z) {
            value = (phi - phi_w) / y;
            slope = (force - value) / y;
            bend = (curve - 2 * slope) / y;
        } else {
            double third = curve * (s->alpha - 1) / z;
            value = force - 0.5 * curve * y;
            slope = 0.5 * (curve - third * y / 3);
            bend = third / 3;
        }
        if (slope < 0) slope = 0;
        double dg_slope = slope;
        double h = y - c->free + c->G * value, under = 1 + c->G * slope;
        double bent = 1 - 0.5 * h * c->G * bend / (under * under);
        if (bent > 0.5 && bent < 2) slope -= 0.5 * h * bend / under;
        double step = h / (1 + c->G * slope), moved = fabs(step);
        found = (root){y - step, value - slope * step};
        if (t * moved <= 3e-4 * z || moved <= 1e-15 * size) return found;
        if (t * moved <= 0.03 * z && fabs(found.travel) > 1e-3 * moved)
            return refine(s, c, y, value, dg_slope, bend, found);
        y = w + found.travel > 0 ? found.travel : 0.5 * (y - w);
        phi = take_phi(s, c, w + y);
    }
    return found;
}

static double tangent(const scalar_string* s, const contact* c, double z0, double phi) {
    double w = c->before, zf = w + c->free, G = c->G;
    double a = sqrt(phi), b = a * (s->alpha + 1) / (2 * z0);
    double A = 1 + G * b * b, B = 2 * G * a * b + 2 * z0 - w - zf;
    double C = G * (phi - c->m->phi_before) - (zf - z0) * (z0 - w), inside = B * B - 4 * A * C;
    double r = inside > 0 ? sqrt(inside) : 0;
    double z = z0 + (B > 0 ? -2 * C / (B + r) : (r - B) / (2 * A));
    return z > 0 ? z : 0.5 * z0;
}

// Where an entering contact begins, at_free being about phi at zf.
static double enter_stiff(const scalar_string* s, const contact* c, double at_free) {
    double w = c->before, zf = w + c->free, G = c->G;
    double held = G * c->m->phi_before, over = 1 / (G * s->K_over_t);
    double most =
        fmin(sis_root_guess((0.25 * c->free * c->free + held) * over, 1 / (s->alpha + 1)), zf);
    double middle = 0.5 * (most + fmax(w, 0)), rise = (zf - middle) * (middle - w) + held;
    double z = sis_power_roughly(rise * over, 1 / (s->alpha + 1)), phi = rise / G;
    if (z > zf) {
        z = zf;
        phi = at_free;
    }
    return fmin(tangent(s, c, z, phi), zf);
}

static root enter(const scalar_string* s, contact* c) {
    double w = c->before, zf = w + c->free, G = c->G;
    double at_free = s->K_over_t * sis_power_roughly(zf, s->alpha + 1);
    double z = G * at_free < 0.01 * zf * c->free ? zf : enter_stiff(s, c, at_free);
    z = tangent(s, c, z, take_phi(s, c, z));
    double phi = carry_phi(s, c, z);
    if (phi > 0) {
        c->m->mark_depth = z;
        c->m->mark_phi = phi;
    } else
        phi = take_phi(s, c, z);
    return converge(s, c, z - w, phi);
}

// Where a rebounding contact begins: a parabola through z/w = 0, 1/2 and 1.
static double rebound(const scalar_string* s, const contact* c) {
    double w = c->before, push = c->G * c->m->phi_before / (w * w);
    double second = 2 * s->alpha - 4 * (2 * (1 - s->half_power) - 1), first = s->alpha - second;
    double A = push * second, B = 1 + push * first, C = push - (w + c->free) / w;
    double inside = B * B - 4 * A * C, zeta = -2 * C / (B + (inside > 0 ? sqrt(inside) : 0));
    return ((zeta > 0 ? zeta : 0.01) - 1) * w;
}

static root inside_root(const scalar_string* s, contact* c) {
    double w = c->before, free = c->free, zf = w + free, G = c->G, phi_w = c->m->phi_before;
    double lift = G * phi_w, x;
    if (w * zf <= lift) { // out of the barrier
        double r = sqrt(free * free + 4 * lift);
        x = free > 0 ? -2 * lift / (free + r) : 0.5 * (free - r);
        return (root){x, x < 0 ? -phi_w / x : 0};
    }
    if (lift * (1 / s->half_power - 1) < (free - w) * w) return enter(s, c); // z > 2 w
    double push = G * (s->alpha + 1) * phi_w / w, ahead = zf - G * c->m->force;
    if (free > 2 * push)
        x = fmin(fmax(ahead, w), 2 * w) - w;
    else if (push + G * c->m->force <= 0.02 * zf) // soft
        x = fmax(ahead, 0.05 * zf) - w;
    else
        x = rebound(s, c);
    return converge(s, c, x, take_phi(s, c, w + x));
}

static double ledger_force(const scalar_string* s, contact* c) {
    point_memory* m = c->m;
    double w = c->before, free = c->free, zf = w + free, G = c->G, E = m->E;
    c->phi_now = phi_at(s, c, c->now);
    double payable = fmax(E - 0.5 * c->phi_now, 0);
    int leaves = w <= 0 ? zf <= 0 && free < 0 : w * zf <= G * m->phi_before;
    if (leaves) {
        m->E = E - payable;
        return payable > 0 ? emptying_force(free, G, payable) : 0;
    }
    if (w <= 0 && zf <= 0) return 0;
    double force = (w <= 0 ? enter(s, c) : inside_root(s, c)).force;
    force = fmin(force > 0 ? force : 0, emptying_force(free, G, E));
    m->E = fmax(E + 0.5 * (free - G * force) * force, 0);
    return force;
}

// ---------------------------------------------------------------------------- one sample

static double force_at(const scalar_string* s, int n) {
    const double pi = 3.14159265358979323846;
    double t = n / s->rate;
    if (t > s->width + 0.5 / s->rate) return 0;
    if (!s->half_cosine) return t > s->width ? 0 : 0.5 * s->peak * (1 - cos(2 * pi * t / s->width));
    // It lets go at once: the share of the last sample that lies before that.
    double end = fmin((n + 0.5) / s->rate, s->width), low = fmax((n - 0.5) / s->rate, 0);
    return 0.5 * s->peak * (1 - cos(pi * fmin(t / s->width, 1))) * (end - low) * s->rate;
}

static void touch(const scalar_string* s, const point_state* at, int i) {
    double u = at->u[SCALAR_PAD + i], before = at->before[SCALAR_PAD + i];
    double *next = &at->next[SCALAR_PAD + i], height = at->height[i];
    point_memory* m = &at->memory[i];
    contact c = {height - u, height - before, before - *next, s->push, 0, m};
    double f = ledger_force(s, &c);
    m->force = f;
    m->phi_before = c.phi_now;
    *next += s->push * f;
    at->awake[i] = height - *next > 0 || c.now > 0 || m->E != 0 || f != 0;
}

static void fly(const scalar_string* s, double* restrict u, const double* restrict before,
                double* restrict next) {
    const double here = s->here, beside = s->beside, far = s->far, was = s->was;
    const double was_beside = s->was_beside;
    const int points = s->points;
    u[-2] = -u[0];
    u[points + 1] = -u[points - 1];
    if (was_beside != 0)
        for (int i = 0; i < points; i++)
            next[i] = here * u[i] + beside * (u[i - 1] + u[i + 1]) + far * (u[i - 2] + u[i + 2]) +
                      was * before[i] + was_beside * (before[i - 1] + before[i + 1]);
    else
        for (int i = 0; i < points; i++)
            next[i] = here * u[i] + beside * (u[i - 1] + u[i + 1]) + far * (u[i - 2] + u[i + 2]) +
                      was * before[i];
}

static void one_sample(const scalar_string* s, const point_state* at, int n) {
    double* next = at->next + SCALAR_PAD;
    fly(s, at->u + SCALAR_PAD, at->before + SCALAR_PAD, next);
    double force = force_at(s, n);
    if (force != 0)
        for (int i = 0; i < 4; i++)
            next[s->force_first + i] += s->push * s->force_weight[i] * force;
    if (s->K_over_t == 0) return; // no barrier
    const double *height = at->height, *awake = at->awake;
    for (int i = 0; i < s->points; i++)
        if (height[i] > next[i] || awake[i] != 0) touch(s, at, i);
}

void scalar_string_run(const scalar_string* s, double* state, int first, int samples) {
    // Row 0 is the given state, and nothing moves in its step.
    for (int n = first > 1 ? first : 1; n < first + samples; n++) {
        point_state at = state_of(s, state, n);
        one_sample(s, &at, n);
        state[scalar_string_size(s) - 1] = n;
    }
}

const double* scalar_string_shape(const scalar_string* s, const double* state) {
    int n = (int)state[scalar_string_size(s) - 1];
    return state + (size_t)(n % 3) * padded(s) + SCALAR_PAD;
}

bool scalar_string_inside(const scalar_string* s, const double* state) {
    const double* u = scalar_string_shape(s, state);
    const double* height = state + 3 * padded(s);
    for (int i = 0; i < s->points; i++)
        if (height[i] > u[i]) return true;
    return false;
}

// ---------------------------------------------------------------------------- plate

static void plate_sample(const scalar_plate* p, double* restrict u, const double* restrict before,
                         double* restrict next) {
    ptrdiff_t w = p->columns + 2 * SCALAR_PAD, last = p->rows - 1;
    double* row = u + SCALAR_PAD * w;
    for (ptrdiff_t i = SCALAR_PAD; i < p->columns + SCALAR_PAD; i++) { // beyond the edges: -u
        row[i - 2 * w] = -row[i];
        row[i + (last + 2) * w] = -row[i + last * w];
    }
    for (int j = 0; j < p->rows; j++) {
        double* v = u + (j + SCALAR_PAD) * w;
        v[0] = -v[SCALAR_PAD];
        v[p->columns + 3] = -v[p->columns + 1];
    }
    const double here = p->here, beside = p->beside, corner = p->corner, far = p->far;
    const double was = p->was, was_beside = p->was_beside;
    for (int j = SCALAR_PAD; j < p->rows + SCALAR_PAD; j++)
        for (int i = SCALAR_PAD; i < p->columns + SCALAR_PAD; i++) {
            const double *v = u + j * w + i, *b = before + j * w + i;
            next[j * w + i] = here * v[0] + beside * (v[-1] + v[1] + v[-w] + v[w]) +
                              corner * (v[-w - 1] + v[-w + 1] + v[w - 1] + v[w + 1]) +
                              far * (v[-2] + v[2] + v[-2 * w] + v[2 * w]) + was * b[0] +
                              was_beside * (b[-1] + b[1] + b[-w] + b[w]);
        }
}

void scalar_plate_run(const scalar_plate* p, double* state, int samples) {
    size_t size = ((size_t)p->columns + 2 * SCALAR_PAD) * ((size_t)p->rows + 2 * SCALAR_PAD);
    for (int n = 0; n < samples; n++)
        plate_sample(p, state + (size_t)(n % 3) * size, state + (size_t)((n + 2) % 3) * size,
                     state + (size_t)((n + 1) % 3) * size);
}
