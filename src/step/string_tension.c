// The tension of a string on a grid, while it sounds.
//
// The grid, gamma and losses stay as compile made them for the whole range; T moves, and with it
// the corrected stiffness EI' and the mirror of clamps that ring as they should. H is linear in T
// and EI':
//
//   H' - H = (T' - T)/2h  Du.Du-  +  (EI'' - EI')/2h^3  DDu.DDu-
//
// with u and u- of the two last samples (of the trapezoid both are the middle of the last step) and
// what the mirror holds in DDu.DDu-. In an explicit or implicit string these are all that moves.
// EI' is a square of T, and so is every constant of the update: about the tension that the string
// starts with, at which they are just those of compile, no quotient is left to wait for. The A of a
// trapezoid contains them: it is factored again, and the G of
// the links on it is made again.
#include "body/banded.h"
#include "step/system.h"

#include <string.h>

// ---------------------------------------------------------------------------- constants

// The stiffness with which a grid rings as its string does, to order h^4 and k^4. For T from 0 on
// it is concave where the step is explicit in T, so that if it is not negative at the highest
// tension, it is nowhere below.
static double correction(const string_spec* f, double T, double k) {
    double h2 = f->h * f->h, r = f->density;
    double late = f->model == SIS_STRING_TRAPEZOID ? 1.0 / 6 : -1.0 / 12;
    return T * h2 * (1.0 / 12 + 0.25 * f->gamma) + late * T * T * k * k / r;
}

bool sis_string_corrects(const string_spec* f, double tension, double k) {
    return f->stiffness + correction(f, tension, k) >= 0;
}

double sis_string_stiffness(const string_spec* f, double tension, double k) {
    const double more = f->tuned ? correction(f, tension, k) : 0;
    return f->stiffness + more >= 0 ? f->stiffness + more : f->stiffness;
}

double sis_string_tension_at(const string_spec* f, double value) {
    if (f->bends) return f->base * value * value;
    return value * f->bend * f->bend;
}

void sis_string_tighten(const string_spec* f, double tension, double stiffness, double k,
                        string_group* s) {
    const double r = f->density, h = f->h;
    s->pull = tension * k * k / (r * h * h);
    s->bend = stiffness * k * k / (r * h * h * h * h);
    s->tension = tension / h;
    s->stiffness = stiffness / (h * h * h);
    s->step.near = s->step.scale * (s->pull + 3 * s->bend); // explicit only
    s->step.far = s->step.scale * s->bend;
}

double sis_string_band(const string_spec* f, const string_group* s, int32_t i, int32_t count,
                       int off) {
    double quarter = 0.25 * f->gamma + s->s1k;
    if (f->model != SIS_STRING_TRAPEZOID)
        return off == 0 ? 1 + 0.5 * f->gamma + s->s0k + 2 * s->s1k : off == 1 ? -quarter : 0;
    double edge = (i == 0) + (i == count - 1), centre = 6 + s->mirror * edge;
    if (off == 0) return 1 + s->s0k + 2 * s->s1k + 0.5 * s->pull + 0.25 * centre * s->bend;
    return off == 1 ? -s->s1k - 0.25 * s->pull - s->bend : 0.25 * s->bend;
}

// How they follow T - T0, for a string that has those of T0.
static void follow(const string_spec* f, double k, double T0, const string_group* s,
                   string_tension* t) {
    const double r = f->density, h = f->h, k2 = k * k;
    const double late = f->model == SIS_STRING_TRAPEZOID ? 1.0 / 6 : -1.0 / 12;
    const double two = f->tuned ? late * k2 / r : 0; // EI'
    const double one = f->tuned ? h * h * (1.0 / 12 + 0.25 * f->gamma) + 2 * two * T0 : 0;
    const double pull = k2 / (r * h * h), bend = k2 / (r * h * h * h * h), h3 = h * h * h;
    const double near = s->step.scale * 3 * bend, far = s->step.scale * bend;
    t->start = T0;
    t->pull = (tension_curve){{s->pull, s->bend}, {pull, bend * one}, {0, bend * two}};
    t->energy = (tension_curve){{s->tension, s->stiffness}, {1 / h, one / h3}, {0, two / h3}};
    t->update = (tension_curve){{s->step.near, s->step.far},
                                {s->step.scale * pull + near * one, far * one},
                                {near * two, far * two}};
}

string_tension sis_string_follow(const string_spec* f, double k, double start,
                                 const string_group* s) {
    string_tension t = {.f = f, .block = -1};
    follow(f, k, sis_string_tension_at(f, start), s, &t);
    return t;
}

// ---------------------------------------------------------------------------- explicit, implicit

static inline double curve_at(const tension_curve* c, double x, int i) {
    return c->zero[i] + x * (c->one[i] + x * c->two[i]);
}

// Straight between the tensions at which it is known.
static double mirror_at(const string_tension* t, double T) {
    int32_t p = 0;
    while (p < t->pieces - 1 && T >= t->tension[p + 1])
        p++;
    const double from = t->tension[p], to = t->tension[p + 1];
    return (to - T) / (to - from) * t->mirror[p] + (T - from) / (to - from) * t->mirror[p + 1];
}

static inline void tighten(const string_tension* t, double value, string_group* s) {
    const double T = sis_string_tension_at(t->f, value), x = T - t->start;
    s->step.near = curve_at(&t->update, x, 0);
    s->step.far = curve_at(&t->update, x, 1);
    s->pull = curve_at(&t->pull, x, 0);
    s->bend = curve_at(&t->pull, x, 1);
    s->tension = curve_at(&t->energy, x, 0);
    s->stiffness = curve_at(&t->energy, x, 1);
    if (t->pieces) s->mirror = s->step.mirror = mirror_at(t, T);
}

// A copy of the string; that of a banded one stands before its band.
static void set(sis_system* system, const live_binding* b, double value) {
    body_group* bodies = &system->body_groups[b->target];
    const bool solved = bodies->kind == &sis_banded_kind;
    string_group* s = (string_group*)(void*)((char*)system + b->room);
    memcpy(s, bodies->data, solved ? sizeof(banded_string) : sizeof(string_group));
    tighten(b->spec, value, s);
    bodies->data = s;
}

static double move(sis_system* system, const live_binding* b, double value, state_view* view) {
    const body_group* bodies = &system->body_groups[b->target];
    string_group* s = (string_group*)(void*)((char*)system + b->room);
    if (!system->audit) {
        tighten(b->spec, value, s);
        return 0;
    }
    const string_group old = *s;
    tighten(b->spec, value, s);
    return sis_string_tightened(bodies, &view->motion, &old);
}

const live_class sis_live_string = {set, move, NULL, true};

// ---------------------------------------------------------------------------- trapezoid

static double* numbers(sis_system* system, size_t at) {
    return (double*)(void*)((char*)system + at);
}

static void factor(sis_system* system, const live_binding* b) {
    const string_tension* t = b->spec;
    banded_string* whole = (banded_string*)(void*)((char*)system + b->room);
    const int32_t n = system->body_groups[b->target].count;
    double* diagonal = numbers(system, t->diagonal);
    for (int off = 0; off < 3; off++) {
        const double inside = sis_string_band(t->f, &whole->string, n, n, off); // no end
        for (int32_t i = 0; i < n; i++)
            diagonal[off * n + i] = inside;
    }
    diagonal[0] = diagonal[n - 1] = sis_string_band(t->f, &whole->string, 0, n, 0);
    sis_banded_factor(n, 2, diagonal, diagonal + n, diagonal + 2 * n,
                      (banded_step*)(void*)((char*)system + t->step),
                      (banded_tie*)(void*)((char*)system + t->tie), &whole->band);
}

// G of the block that has all links on the string.
static void meet_links(sis_system* system, const string_tension* t) {
    if (t->block < 0) return;
    network_block* block = &system->blocks[t->block];
    network_link* links = system->links + block->first;
    const network_bodies bodies = {system->body_groups, system->body_group_count, t->Dinv,
                                   numbers(system, t->force), numbers(system, t->response)};
    double* G = numbers(system, t->G);
    sis_network_compliance(&bodies, block, links, G);
    block->G = G;
    for (int32_t i = 0; i < block->count; i++) {
        if (links[i].class->modulation) continue;
        links[i].G = G[block->start[i] + (size_t)(i - block->row[i])];
        system->compliance[block->first + i] = links[i].G;
    }
    if (!block->square) return;
    double* square = numbers(system, t->square);
    sis_network_square(block, square);
    block->square = square;
}

static void set_trapezoid(sis_system* system, const live_binding* b, double value) {
    const string_tension* t = b->spec;
    const size_t dofs = (size_t)system->dof_count * sizeof(double);
    set(system, b, value);
    factor(system, b);
    if (t->block < 0) return;
    memset(numbers(system, t->force), 0, dofs);
    memset(numbers(system, t->response), 0, dofs);
    meet_links(system, t);
}

static double move_trapezoid(sis_system* system, const live_binding* b, double value,
                             state_view* view) {
    const double supplied = move(system, b, value, view);
    factor(system, b);
    meet_links(system, b->spec);
    return supplied;
}

const live_class sis_live_trapezoid = {set_trapezoid, move_trapezoid, NULL, true};
