// The tension of a plate on a grid, while it sounds.
//
// The grid, its losses and the lap of its tuning stay; the numbers of its tuning that depend on T
// (compile/plate_tuning.c) are known at some tensions and lie straight between them. The energy and
// the margin of a mode are linear in these numbers, so that what holds at two tensions holds
// between them too. Untuned, only c^2 moves:
//
//   H' - H = (T' - T)/2 hx hy grad u.grad u-,   tuned: the same of what moves of both crosses
#include "step/system.h"

#include <string.h>

// ---------------------------------------------------------------------------- constants

static double square(double x) {
    return x * x;
}

// c1 X + c2 X^2 as differences, hx^4 X^2 = dxx2 - 4 dxx, times a mass.
static plate_cross cross_of(plate_poly c, double hx, double hy, double mass) {
    double x2 = c.x2 / square(hx * hx), y2 = c.y2 / square(hy * hy);
    return (plate_cross){mass * (c.x / square(hx) + 4 * x2), -mass * x2,
                         mass * (c.y / square(hy) + 4 * y2), -mass * y2};
}

static plate_cross times(plate_cross c, double factor) {
    return (plate_cross){factor * c.x, factor * c.x2, factor * c.y, factor * c.y2};
}

void sis_plate_tighten(const plate_spec* f, double tension, const plate_tuning* t, plate_group* p) {
    const double hx = f->length / f->nx, hy = f->width / f->ny, k = 1 / p->inverse_k;
    const double scale = 1 / (1 + p->s0k);
    p->pull = tension * k * k / (f->density * hx * hx);
    p->tension = tension * hy / hx;
    p->step.pull = p->pull * scale;
    if (!f->tuned) return;
    p->bends = times(cross_of(t->bends, hx, hy, p->mass), t->ax / square(hx));
    p->pulls = cross_of(t->pulls, hx, hy, p->mass);
    p->tension = f->live || tension > 0; // the crosses have it
    p->step.bends = times(p->bends, scale / (p->mass * square(p->inverse_k)));
    p->step.pulls = times(p->pulls, scale / (p->mass * square(p->inverse_k)));
}

// ---------------------------------------------------------------------------- live

static plate_poly between(const plate_poly* a, const plate_poly* b, double x, double y) {
    return (plate_poly){y * a->x + x * b->x, y * a->x2 + x * b->x2, y * a->y + x * b->y,
                        y * a->y2 + x * b->y2};
}

static void tighten(const plate_tension* t, double T, plate_group* p) {
    int32_t piece = 0;
    while (piece < t->pieces - 1 && T >= t->tension[piece + 1])
        piece++;
    const plate_tuning *a = &t->tuning[piece], *b = a + 1;
    const double from = t->tension[piece], to = t->tension[piece + 1];
    const double x = (T - from) / (to - from), y = (to - T) / (to - from);
    const plate_tuning tuning = {.ax = a->ax,
                                 .ay = a->ay,
                                 .bends = between(&a->bends, &b->bends, x, y),
                                 .pulls = between(&a->pulls, &b->pulls, x, y)};
    sis_plate_tighten(t->f, T, &tuning, p);
}

static plate_group* own_of(sis_system* system, const live_binding* b) {
    return (plate_group*)(void*)((char*)system + b->room);
}

static void set(sis_system* system, const live_binding* b, double value) {
    body_group* bodies = &system->body_groups[b->target];
    plate_group* p = own_of(system, b);
    memcpy(p, bodies->data, sizeof *p);
    tighten(b->spec, value, p);
    bodies->data = p;
}

static plate_cross less(plate_cross a, plate_cross b) {
    return (plate_cross){a.x - b.x, a.x2 - b.x2, a.y - b.y, a.y2 - b.y2};
}

static double move(sis_system* system, const live_binding* b, double value, state_view* view) {
    plate_group* p = own_of(system, b);
    const plate_group old = *p;
    tighten(b->spec, value, p);
    if (!system->audit) return 0;
    plate_group more = *p;
    double share = 1;
    if (p->tuned) {
        more.bends = less(p->bends, old.bends);
        more.pulls = less(p->pulls, old.pulls);
    } else {
        share = p->tension - old.tension;
        more.tension = 1;
        more.stiffness = 0;
    }
    return share * sis_plate_tightened(&system->body_groups[b->target], &view->motion, &more);
}

const live_class sis_live_plate = {set, move, NULL, true};
