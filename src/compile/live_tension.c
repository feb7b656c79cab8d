// Tensions that follow inputs: what the classes of step/string_tension.c, mode_tension.c and
// plate_tension.c need to know.
#include "body/banded.h"
#include "compile/plan.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- pieces of a range

// The range is cut at the tension that it begins with, which is met without rounding; both sides
// into pieces of one length.
enum { PIECES = (LIVE_NODES - 1) / 2 };

int32_t sis_tension_pieces(double low, double start, double top, double* tension) {
    int32_t pieces = 0;
    for (int side = 0; side < 2; side++) {
        const double from = side ? start : low, to = side ? top : start;
        for (int i = 0; i < PIECES && to > from; i++)
            tension[pieces++] = i ? from + i * (to - from) / PIECES : from;
    }
    tension[pieces] = top;
    return pieces;
}

static bool refuse_empty(const sis_binding* binding, sis_error* error) {
    return sis_fail_key(error, SIS_REFUSED, binding->key,
                        "'%s' follows an input that can only be %g: give it a range", binding->key,
                        binding->low);
}

// ---------------------------------------------------------------------------- modes

// The stiffness of each mode of a string or plate at a tension.
typedef struct mode_finder {
    const string_spec* string; // or
    const plate_spec* plate;
    const mass_group* modes; // as compile made them
    double k;
    bool exact;
} mode_finder;

static double frequency_at(const mode_finder* m, double T, int32_t i) {
    if (m->string) {
        string_spec f = *m->string;
        f.tension = T;
        return sis_string_partial(&f, i + 1);
    }
    const plate_spec* f = m->plate;
    const double x = f->list[i].m * PI / f->length, y = f->list[i].l * PI / f->width;
    const double beta2 = x * x + y * y;
    return sqrt(beta2 * (T + f->stiffness * beta2) / f->density);
}

// The loss per second that a mode was asked to have.
static double loss_of(const mode_finder* m, int32_t i) {
    if (m->plate) {
        const plate_spec* f = m->plate;
        const double x = f->list[i].m * PI / f->length, y = f->list[i].l * PI / f->width;
        return f->s0 + f->s1 * (x * x + y * y);
    }
    const string_spec* f = m->string;
    const string_mode mode = f->mode ? f->mode[i] : sis_string_mode_of(f, i + 1);
    return f->s0 + f->s1 * (sis_mode_slopes(&mode, &mode) / sis_mode_square(&mode));
}

static double stiffness_at(const mode_finder* m, double T, int32_t i) {
    double made[6];
    const mass_group one = {.mass = made,
                            .stiffness = made + 1,
                            .Dinv = made + 2,
                            .drop = made + 3,
                            .loss = made + 4,
                            .swing = made + 5};
    sis_modes_set(&one, 0, m->modes->mass[i], frequency_at(m, T, i), loss_of(m, i), m->k, m->exact);
    return made[1];
}

// The control points of the cubic through four values, evenly apart. It is monotonic in T, and so
// close to straight that they are too; held to that, no mean of them leaves what both ends allow.
static void bend_curve(const double y[CURVE], double c[CURVE]) {
    const double low = fmin(y[0], y[3]), high = fmax(y[0], y[3]);
    c[0] = y[0];
    c[1] = (-5 * y[0] + 18 * y[1] - 9 * y[2] + 2 * y[3]) / 6;
    c[2] = (2 * y[0] - 9 * y[1] + 18 * y[2] - 5 * y[3]) / 6;
    c[3] = y[3];
    for (int j = 1; j < 3; j++)
        c[j] = fmax(low, fmin(high, c[j]));
}

static bool make_modes(compile_plan* plan, const mode_finder* m, double low, double start,
                       double top, live_binding* b, sis_error* error) {
    sis_system* system = plan->system;
    const body_group* bodies = &system->body_groups[b->target];
    const size_t n = (size_t)bodies->count;
    mode_tension* t = sis_arena_take(&system->arena, sizeof *t, error);
    double* tension = sis_arena_take(&system->arena, LIVE_NODES * sizeof *tension, error);
    if (!t || !tension) return false;
    const int32_t pieces = sis_tension_pieces(low, start, top, tension);
    double* control =
        sis_arena_take(&system->arena, (size_t)pieces * CURVE * n * sizeof *control, error);
    if (!control) return false;
    for (int32_t p = 0; p < pieces; p++)
        for (size_t i = 0; i < n; i++) {
            double y[CURVE], c[CURVE];
            for (int j = 0; j < CURVE; j++) {
                const double part = (tension[p + 1] - tension[p]) * j / (CURVE - 1);
                const double T = j == CURVE - 1 ? tension[p + 1] : tension[p] + part;
                y[j] = stiffness_at(m, T, (int32_t)i);
            }
            bend_curve(y, c);
            for (int j = 0; j < CURVE; j++)
                control[((size_t)p * CURVE + (size_t)j) * n + i] = c[j];
        }
    *t = (mode_tension){m->string, bodies->count, pieces, tension, control};
    b->class = &sis_live_modes;
    b->spec = t;
    b->room = sis_live_room(system, sizeof(mass_group) + n * sizeof(double));
    return true;
}

// ---------------------------------------------------------------------------- strings

// The block of the links on a group of bodies; all of them meet. -1: there are none.
static int32_t block_on(const sis_system* system, const body_group* bodies) {
    for (int32_t i = 0; i < system->link_count; i++)
        for (int side = 0; side < 2; side++) {
            const network_link* link = &system->links[i];
            const network_end* end = side ? &link->above : &link->below;
            if (end->count && end->first >= bodies->first &&
                end->first < bodies->first + bodies->count && !link->class->modulation)
                return system->block_of[i];
        }
    return -1;
}

// Making G again takes a solve for each link of the block, and passes over its profile; more than
// this is done every LIVE_HOLD samples.
static const double MOST_EACH_SAMPLE = 2000;

static bool make_trapezoid(compile_plan* plan, string_tension* t, live_binding* b,
                           sis_error* error) {
    sis_system* system = plan->system;
    const body_group* bodies = &system->body_groups[b->target];
    const size_t n = (size_t)bodies->count, steps = (size_t)sis_banded_steps(bodies->count, 2) + 1;
    const size_t dofs = (size_t)system->dof_count * sizeof(double);
    b->class = &sis_live_trapezoid;
    system->copies.whole = true; // G of its links
    t->diagonal = sis_live_room(system, 3 * n * sizeof(double));
    t->step = sis_live_room(system, steps * sizeof(banded_step));
    t->tie = sis_live_room(system, steps * sizeof(banded_tie));
    t->block = block_on(system, bodies);
    if (t->block < 0) return true;
    const network_block* block = &system->blocks[t->block];
    const int32_t last = block->count - 1;
    const size_t side = block->square ? (size_t)network_square_side(block->count) : 0;
    const size_t size = block->start[last] + (size_t)(last - block->row[last] + 1) + PROFILE_PAD;
    double* Dinv = sis_arena_take(&system->arena, dofs, error);
    if (!Dinv) return false;
    memcpy(Dinv, plan->Dinv, dofs);
    t->Dinv = Dinv;
    t->G = sis_live_room(system, size * sizeof(double));
    t->square = sis_live_room(system, side * side * sizeof(double));
    t->force = sis_live_room(system, dofs);
    t->response = sis_live_room(system, dofs);
    system->copies.blocks = true;
    if ((double)block->count * (double)n > MOST_EACH_SAMPLE) {
        b->every = LIVE_HOLD;
        system->copies.held = true;
    }
    return true;
}

// Clamps that ring as they should, at all tensions.
static bool make_mirrors(compile_plan* plan, string_tension* t, sis_error* error) {
    sis_system* system = plan->system;
    double* tension = sis_arena_take(&system->arena, LIVE_NODES * sizeof *tension, error);
    double* mirror = sis_arena_take(&system->arena, LIVE_NODES * sizeof *mirror, error);
    if (!tension || !mirror) return false;
    t->pieces = sis_string_mirrors(t->f, system->k, system->rate, tension, mirror);
    t->tension = tension;
    t->mirror = mirror;
    return true;
}

bool sis_make_string_live(compile_plan* plan, const sis_binding* binding, live_binding* b,
                          sis_error* error) {
    sis_system* system = plan->system;
    const string_spec* f = (const string_spec*)plan->spec[binding->object];
    b->target = f->spec.group;
    system->copies.bodies = true;
    if (f->model == SIS_STRING_MODAL) {
        const mode_finder modes = {.string = f,
                                   .modes = system->body_groups[b->target].data,
                                   .k = system->k,
                                   .exact = f->tuned};
        if (!(f->low < f->top)) return refuse_empty(binding, error);
        return make_modes(plan, &modes, f->low, f->tension, f->top, b, error);
    }
    string_tension* t = sis_arena_take(&system->arena, sizeof *t, error);
    if (!t) return false;
    *t = sis_string_follow(f, system->k, sis_live_start(plan, b->number),
                           system->body_groups[b->target].data);
    if (f->fitted && !make_mirrors(plan, t, error)) return false;
    b->class = &sis_live_string;
    b->spec = t;
    b->room = sis_live_room(system, f->model == SIS_STRING_FD ? sizeof(string_group)
                                                              : sizeof(banded_string));
    return f->model != SIS_STRING_TRAPEZOID || make_trapezoid(plan, t, b, error);
}

// ---------------------------------------------------------------------------- plates

bool sis_make_plate_live(compile_plan* plan, const sis_binding* binding, live_binding* b,
                         sis_error* error) {
    sis_system* system = plan->system;
    const plate_spec* f = (const plate_spec*)plan->spec[binding->object];
    b->target = f->spec.group;
    system->copies.bodies = true;
    if (!(f->low < f->top)) return refuse_empty(binding, error);
    if (f->model == SIS_PLATE_MODAL) {
        const mode_finder modes = {.plate = f,
                                   .modes = system->body_groups[b->target].data,
                                   .k = system->k,
                                   .exact = true};
        return make_modes(plan, &modes, f->low, f->tension, f->top, b, error);
    }
    plate_tension* t = sis_arena_take(&system->arena, sizeof *t, error);
    double* tension = sis_arena_take(&system->arena, LIVE_NODES * sizeof *tension, error);
    plate_tuning* tuning = sis_arena_take(&system->arena, LIVE_NODES * sizeof *tuning, error);
    if (!t || !tension || !tuning) return false;
    *t = (plate_tension){f, sis_tension_pieces(f->low, f->tension, f->top, tension), tension,
                         tuning};
    for (int32_t i = 0; i <= t->pieces; i++)
        if (!sis_plate_retune(plan, f, tension[i], &tuning[i], error)) return false;
    b->class = &sis_live_plate;
    b->spec = t;
    b->room = sis_live_room(system, sizeof(plate_group));
    return true;
}
