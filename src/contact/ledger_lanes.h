// The ledger scheme over lanes (see contact/ledger.c for its letters): the conservative force
// f = DG(w, x) of Bilbao 2014 at its converged root x, and the energy E that it is paid from.
// One-sided laws; `lossy`: with Hunt-Crossley loss inside the law, f = DG max(0, 1 + nu x).
#ifndef SIS_LEDGER_LANES_H
#define SIS_LEDGER_LANES_H

#include "law/power_lanes.h"

// What a search has not set it does not use; gcc 12 loses sight of that in one lane.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// One sample of several contacts of one law; what a scheme changes stands last.
typedef struct lanes_contact {
    lanes now, before, free, G; // eta^n, eta^{n-1}, r without force, compliance
    lanes nu;                   // 1/m, of the loss; not looked at without it
    lanes phi_now, phi_before;
    lanes force_before;         // f^{n-1}
    lanes E;                    // J
    lanes mark_depth, mark_phi; // where phi was last evaluated
    lanes powers;               // taken so far
    lanes unsolved;             // 1: the search has not converged
} lanes_contact;

typedef struct lanes_root {
    lanes travel, force;
} lanes_root;

LANES_FN void lanes_mark(lanes_contact* c, lanes_mask used, lanes depth, lanes phi) {
    c->mark_depth = lanes_pick(used, depth, c->mark_depth);
    c->mark_phi = lanes_pick(used, phi, c->mark_phi);
    used &= lanes_less(lanes_all(0), depth);
    c->powers = lanes_pick(used, c->powers + 1, c->powers);
}

// phi at eta, carried over from the mark when near, else by a power (counted).
LANES_FN lanes lanes_contact_phi(const lanes_law* law, lanes_contact* c, lanes eta,
                                 lanes_mask used) {
    lanes_mask inside = lanes_less(lanes_all(0), eta), near;
    if (!lanes_any(used & inside)) return lanes_all(0);
    lanes phi = lanes_carry(law, c->mark_depth, c->mark_phi, eta, &near);
    near &= lanes_at_most(lanes_all(0), phi);
    lanes_mask far = inside & ~near;
    if (lanes_any_rarely(used & far)) {
        lanes fresh = lanes_phi(law, eta);
        phi = lanes_pick(far, fresh, phi);
        lanes_mark(c, used & far, eta, fresh);
    }
    return lanes_pick(inside, phi, lanes_all(0));
}

// The force that empties E: E + r f/2 = 0 with r = free - G f. One quotient, of the form that does
// not cancel.
LANES_FN lanes lanes_emptying_force(lanes free, lanes G, lanes E) {
    lanes zero = lanes_all(0), root = lanes_sqrt(free * free + 8 * G * E);
    lanes_mask closing = lanes_less(zero, free),
               empty = ~closing & ~lanes_less(lanes_all(1e-290), E); // less would underflow
    lanes force = lanes_pick(closing, free + root, 4 * E) /
                  lanes_pick(closing, 2 * G, lanes_pick(empty, lanes_all(1), root - free));
    return lanes_pick(empty, zero, force);
}

// Replaces sqrt(phi) by its tangent at z0, sqrt(phi(z0)) (1 + t q/2) at z = z0 (1 + q), and solves
// the quadratic that is left for q: exact for alpha = 1. Here and in other starts G is the
// compliance, or with loss that times the factor expected.
LANES_FN lanes lanes_tangent_step(const lanes_law* law, const lanes_contact* c, lanes G, lanes z0,
                                  lanes phi) {
    lanes zero = lanes_all(0), ahead = (c->before + c->free) - z0, behind = z0 - c->before;
    lanes t = lanes_exponent(law, z0), push = G * phi, curve = 0.5 * t;
    lanes A = push * (curve * curve) + z0 * z0, B = push * t + z0 * (behind - ahead);
    lanes C = G * (phi - c->phi_before) - ahead * behind;
    lanes inside = B * B - 4 * A * C;
    lanes root = lanes_sqrt(lanes_max(inside, zero));
    lanes_mask falls = lanes_less(zero, B);
    lanes q = lanes_pick(falls, -2 * C, root - B) / lanes_pick(falls, B + root, 2 * A);
    return lanes_pick(lanes_less(lanes_all(-1), q), q, lanes_all(-0.5));
}

// Value, slope and bend of f(x) = DG(x) (1 + nu x) from those of DG; all 0 where bodies part faster
// than the loss allows, 1 + nu x <= 0.
LANES_FN lanes_gradient lanes_with_loss(const lanes_contact* c, const lanes_gradient* dg, lanes x) {
    lanes zero = lanes_all(0), rate = 1 + c->nu * x;
    lanes_mask pushes = lanes_less(zero, rate);
    lanes_gradient f = *dg;
    f.value = lanes_pick(pushes, dg->value * rate, zero);
    f.slope = lanes_pick(pushes, dg->slope * rate + c->nu * dg->value, zero);
    f.bend = lanes_pick(pushes, dg->bend * rate + 2 * c->nu * dg->slope, zero);
    return f;
}

// One Halley step on h from x, h under/(under^2 - h h''/2) with under = h' = 1 + G s. The force at
// its end is f less the step times the slope s - h f''/(2 under) it was made with: no difference
// of nearly equal numbers in it, and one quotient.
LANES_FN lanes_root lanes_halley(const lanes_contact* c, const lanes_gradient* f, lanes x) {
    lanes h = x - c->free + c->G * f->value, under = 1 + c->G * f->slope, square = under * under;
    lanes half = 0.5 * h * f->bend, whole = square - c->G * half;
    // Beyond a factor of two the parabola is no longer to be trusted.
    lanes_mask good = lanes_less(0.5 * square, whole) & lanes_less(whole, 2 * square);
    lanes part = h / lanes_pick(good, whole, under);
    lanes slope = lanes_pick(good, f->slope * under - half, f->slope);
    return (lanes_root){x - lanes_pick(good, under, lanes_all(1)) * part, f->value - slope * part};
}

LANES_FN lanes_root lanes_step(const lanes_contact* c, const lanes_gradient* dg, lanes x,
                               bool lossy) {
    if (!lossy) return lanes_halley(c, dg, x);
    const lanes_gradient f = lanes_with_loss(c, dg, x);
    return lanes_halley(c, &f, x);
}

// A second step, from where the first one led: phi is carried over, the slope goes on by its bend.
// The mask says where that is near enough.
LANES_FN lanes_root lanes_refine(const lanes_law* law, const lanes_contact* c,
                                 const lanes_gradient* dg, lanes x, lanes_root first, bool lossy,
                                 lanes* phi, lanes_mask* near) {
    lanes y = first.travel, moved = y - x, e = moved * dg->inverse;
    // (phi(z) - phi(w))/y loses its digits where y is much smaller than the step that led there.
    *near = lanes_grows_little(law, e) & lanes_less(1e-3 * lanes_abs(moved), lanes_abs(y));
    lanes grown = dg->phi * lanes_grow(law, e), rise = dg->value * x + grown;
    *phi = dg->phi + grown;
    lanes slope = dg->slope, bend = dg->bend;
    if (lossy) {
        const lanes_gradient f = lanes_with_loss(c, dg, x);
        lanes rate = 1 + c->nu * y;
        *near &=
            lanes_less(lanes_all(0), f.slope) & lanes_less(lanes_abs(c->nu * moved), 0.015 * rate);
        rise = rise * rate;
        slope = f.slope;
        bend = f.bend;
    }
    slope = lanes_max(slope + bend * moved, lanes_all(0));
    lanes under = 1 + c->G * slope, over = 1 / (y * under);
    lanes step = (y * (y - c->free) + c->G * rise) * over;
    return (lanes_root){y - step, rise * (under * over) - slope * step};
}

// Which steps from x leave less than 1e-12 of the force behind: a Halley step by e of the depth
// leaves about (t e)^3/100, and of the loss likewise. Of a law given by its table the bend is not
// relied on: what a Newton step leaves counts, (t e)^2.
LANES_FN lanes_mask lanes_step_ends(const lanes_law* law, const lanes_contact* c,
                                    const lanes_gradient* dg, lanes x, lanes_root step,
                                    bool lossy) {
    lanes moved = lanes_abs(step.travel - x), size = lanes_abs(c->before) + lanes_abs(c->free);
    lanes t = lanes_exponent(law, dg->depth),
          most = lanes_all(law->class == LAW_TABLE ? 1e-6 : 3e-4);
    lanes_mask little = lanes_less(lanes_all(0), dg->depth) &
                        lanes_at_most(moved * (t * lanes_abs(dg->inverse)), most);
    if (lossy) little &= lanes_at_most(moved * lanes_abs(c->nu), 1.5e-4 * lanes_abs(1 + c->nu * x));
    return little | lanes_at_most(moved, 1e-15 * size);
}

enum { LANES_TURNS = 60 };        // of a search; five were the most that 10^6 random states needed
enum { LANES_TABLE_TURNS = 200 }; // of one with a law given by its table

// The search goes on from `step`, a power a turn, between bounds: h grows with x, and the root is
// inside (z > 0) and no farther than free. Few states come here, and they need a turn or two. A law
// given by its table may be as far from a power as an exponential: where a step is not half of the
// one before, the bounds are halved.
LANES_ONCE lanes_root lanes_search_on(const lanes_law* law, lanes_contact* c, lanes_root step,
                                      lanes_mask going, bool lossy) {
    lanes zero = lanes_all(0), low = -c->before, high = c->free;
    if (lossy) low = lanes_max(low, -1 / lanes_max(c->nu, lanes_all(1e-300)));
    lanes last = lanes_all(HUGE_VAL);
    const bool table = law->class == LAW_TABLE;
    for (int turn = 0; turn < (table ? LANES_TABLE_TURNS : LANES_TURNS); turn++) {
        lanes x = step.travel, phi;
        // A step out of the bounds: halve them instead.
        lanes_mask out = ~(lanes_at_most(low, x) & lanes_at_most(x, high)), near;
        x = lanes_pick(out, 0.5 * (low + high), x);
        const lanes_gradient dg = lanes_gradient_at(law, c->before, c->phi_before, x, going);
        lanes_mark(c, going, dg.depth, dg.phi);
        lanes_root next = lanes_step(c, &dg, x, lossy);
        lanes_mask above = lanes_less(next.travel, x); // h > 0 where a step leads back
        high = lanes_pick(above, x, high);
        low = lanes_pick(above, low, x);
        lanes_mask ends = lanes_step_ends(law, c, &dg, x, next, lossy) | lanes_at_most(high, low);
        lanes_root second = lanes_refine(law, c, &dg, x, next, lossy, &phi, &near);
        near &= ~ends & lanes_less(zero, dg.depth);
        c->mark_depth = lanes_pick(going & near, c->before + next.travel, c->mark_depth);
        c->mark_phi = lanes_pick(going & near, phi, c->mark_phi);
        next.travel = lanes_pick(near, second.travel, next.travel);
        next.force = lanes_pick(near, second.force, next.force);
        if (table) {
            lanes moved = lanes_abs(next.travel - x);
            lanes_mask slow = ~ends & ~lanes_at_most(moved, 0.5 * last);
            next.travel = lanes_pick(slow, 0.5 * (low + high), next.travel);
            last = lanes_pick(slow, lanes_abs(next.travel - x), moved);
        }
        step.travel = lanes_pick(going, next.travel, step.travel);
        step.force = lanes_pick(going, next.force, step.force);
        going &= ~(ends | near);
        if (!lanes_any(going)) return step;
    }
    c->unsolved = lanes_pick(going, lanes_all(1), c->unsolved);
    return step;
}

// The rest of a search after its first step from x, where the gradient is dg: nothing where that
// was short, a step without a power where it was not long, else more.
LANES_FN lanes_root lanes_converge(const lanes_law* law, lanes_contact* c, const lanes_gradient* dg,
                                   lanes x, lanes_root step, lanes_mask used, bool lossy) {
    lanes phi;
    lanes_mask near, far;
    used &= ~lanes_step_ends(law, c, dg, x, step, lossy);
    if (!lanes_any_rarely(used)) return step;
    lanes_root second = lanes_refine(law, c, dg, x, step, lossy, &phi, &near);
    near &= used;
    far = used & ~near;
    c->mark_depth = lanes_pick(near, c->before + step.travel, c->mark_depth);
    c->mark_phi = lanes_pick(near, phi, c->mark_phi);
    if (lanes_any_rarely(far)) step = lanes_search_on(law, c, step, far, lossy);
    step.travel = lanes_pick(near, second.travel, step.travel);
    step.force = lanes_pick(near, second.force, step.force);
    return step;
}

// Entry and strong compression: kap phi(z) = rise(z) = (zf - z)(z - w) + kap phi(w) with
// rise <= free^2/4 + kap phi(w), which bounds z from above. The rise half way to that bound is near
// that at the root, because z depends on it by a small power: one tangent step from there is good
// to some percent, however stiff the contact, and the next one to 1e-3 (test_lines_scenes). It need
// not know phi well; beyond zf, in soft contacts, it begins at zf, where phi is about `at_free`.
LANES_FN lanes lanes_enter_stiff(const lanes_law* law, const lanes_contact* c, lanes G,
                                 lanes at_free) {
    lanes w = c->before, zf = w + c->free, over = 1 / (G * law->K_over_t);
    lanes held = G * c->phi_before, bound = 0.25 * c->free * c->free + held;
    lanes most = lanes_min(lanes_root_guess(bound * over, law->inverse_t), zf);
    lanes middle = 0.5 * (most + lanes_max(w, lanes_all(0)));
    lanes rise = (zf - middle) * (middle - w) + held;
    lanes power = lanes_min(lanes_max(rise * over, lanes_all(0x1p-1000)), lanes_all(0x1p1000));
    lanes z = lanes_power_roughly(power, law->inverse_t), phi = law->K_over_t * power;
    lanes_mask beyond = lanes_less(zf, z);
    z = lanes_pick(beyond, zf, z);
    phi = lanes_pick(beyond, at_free, phi);
    return lanes_min(z * (1 + lanes_tangent_step(law, c, G, z, phi)), zf);
}

// Where those begin that enter. A contact so soft that it takes less than a hundredth from the
// depth begins at zf itself: the tangent step from there leaves less than 1e-6. So do those of a
// law given by its table.
LANES_FN lanes lanes_enter_first(const lanes_law* law, const lanes_contact* c, lanes G,
                                 lanes_mask used) {
    lanes zf = c->before + c->free;
    if (law->class == LAW_TABLE) return zf;
    lanes at_free = lanes_phi_roughly(law, zf);
    lanes_mask soft = lanes_less(G * at_free, 0.01 * zf * c->free);
    if (!lanes_any(used & ~soft)) return zf;
    return lanes_pick(soft, zf, lanes_enter_stiff(law, c, G, at_free));
}

// The gradient between w and z > 2 w, where nothing cancels.
LANES_FN lanes_gradient lanes_gradient_far(const lanes_law* law, lanes phi_w, lanes z, lanes y,
                                           lanes phi) {
    lanes deep = lanes_pick(lanes_less(lanes_all(1e-140), z), z, lanes_all(1));
    lanes far = lanes_pick(lanes_less(lanes_all(1e-140), y), y, lanes_all(1));
    lanes over = 1 / (deep * far), over_y = over * deep;
    lanes_gradient g = {.depth = z, .phi = phi, .inverse = over * far};
    lanes force = lanes_force(law, z, phi, g.inverse);
    g.value = (phi - phi_w) * over_y;
    g.slope = lanes_max((force - g.value) * over_y, lanes_all(0));
    g.bend = (lanes_curve(law, z, force, g.inverse) - 2 * g.slope) * over_y;
    return g;
}

// Where rebounding contacts begin: zeta = z/w in (0, 1], (1 - zeta^t)/(1 - zeta) as a parabola
// exact at 0, 1/2 and 1.
LANES_FN lanes lanes_rebound(const lanes_law* law, const lanes_contact* c, lanes G, lanes over_w) {
    lanes zero = lanes_all(0), w = c->before;
    lanes push = G * c->phi_before * over_w * over_w; // G phi'(w)/(w t)
    lanes A = push * law->rebound2, B = 1 + push * law->rebound1;
    lanes C = push - (w + c->free) * over_w;
    lanes inside = B * B - 4 * A * C;
    lanes root = lanes_sqrt(lanes_max(inside, zero));
    lanes zeta = -2 * C / (B + root);
    zeta = lanes_pick(lanes_less(zero, zeta), zeta, lanes_all(0.01));
    return (zeta - 1) * w;
}

// Where moderately compressed ones begin: from the force of the last sample, within w .. 2 w.
LANES_FN lanes lanes_compress(const lanes_contact* c, lanes_mask rebounds) {
    lanes w = c->before, zf = w + c->free, z = zf - c->G * c->force_before;
    lanes held = lanes_min(lanes_max(z, w), w + w);
    return lanes_pick(rebounds, lanes_max(z, 0.05 * zf), held) - w;
}

// Leaving, z <= 0, with `held` the potential that is given back: x^2 - free x - G held = 0, the
// negative root; with loss the same with free + nu G held.
LANES_FN lanes_root lanes_leave(const lanes_contact* c, lanes held, bool lossy) {
    lanes zero = lanes_all(0), lift = c->G * held, free = c->free;
    if (lossy) free = free + c->nu * lift;
    lanes root = lanes_sqrt(free * free + 4 * lift);
    lanes x = lanes_pick(lanes_less(zero, free), -2 * lift / (free + root), 0.5 * (free - root));
    lanes push = -held / x;
    // 1 + nu x = (1 + nu free)/(1 + nu G F), which does not cancel.
    if (lossy) push = push * (lanes_max(1 + c->nu * c->free, zero) / (1 + c->nu * c->G * push));
    return (lanes_root){x, lanes_pick(lanes_less(x, zero), push, zero)};
}

// Whether the root of lanes_leave is beyond -w: h(-w) >= 0.
LANES_FN lanes_mask lanes_leaves(const lanes_contact* c, lanes held, bool lossy) {
    lanes w = c->before, lift = c->G * held, ahead = w + c->free;
    if (lossy) ahead = ahead + c->nu * lift;
    return lanes_at_most(w * ahead, lift);
}

// Whether the root is beyond z = 2 w: h(w) < 0.
LANES_FN lanes_mask lanes_doubles(const lanes_law* law, const lanes_contact* c, bool lossy) {
    lanes w = c->before, push = c->G * c->phi_before * law->twice;
    if (law->class == LAW_TABLE) push = c->G * (lanes_phi(law, 2 * w) - c->phi_before);
    if (lossy) push = push * (1 + c->nu * w);
    return lanes_less(push, (c->free - w) * w);
}

// The compliance that starts see: with loss, times the factor of the travel expected.
LANES_FN lanes lanes_start_compliance(const lanes_contact* c, bool lossy) {
    if (!lossy) return c->G;
    lanes ahead = lanes_min(2 * (c->now - c->before), c->free);
    return c->G * lanes_max(1 + c->nu * ahead, lanes_all(0.1));
}

// The search for the r of the conservative scheme in five parts: where to begin, the gradient there
// in two, the first step, and the end. Many sets go through each part before the next one, so that
// a processor works on several while it waits for the quotients of one. One or two powers are the
// rule.
typedef struct lanes_search {
    lanes_mask enters, inside; // who is to be solved, and how
    lanes_root found;
    lanes G; // as starts see it
    lanes over_w, x;
    lanes_way way;
    lanes_gradient dg;
    lanes_root step;        // the first, inside
    lanes depth, phi, rise; // entering: where it begins, phi there, and the step from there over it
} lanes_search;

LANES_FN void lanes_search_begin(const lanes_law* law, const lanes_contact* c, lanes_mask used,
                                 bool lossy, lanes_search* s) {
    lanes zero = lanes_all(0), w = c->before, zf = w + c->free;
    lanes_mask open = lanes_at_most(w, zero), flies = open & lanes_at_most(zf, zero);
    s->found = (lanes_root){c->free, zero};
    s->G = lanes_start_compliance(c, lossy);
    s->enters = open & ~flies & used;
    s->inside = ~open & used;
    if (!lanes_any(s->inside)) return;
    lanes_mask leaves = s->inside & lanes_leaves(c, c->phi_before, lossy);
    if (lanes_any(leaves)) {
        lanes_root leave = lanes_leave(c, c->phi_before, lossy);
        s->found.travel = lanes_pick(leaves, leave.travel, s->found.travel);
        s->found.force = lanes_pick(leaves, leave.force, s->found.force);
    }
    lanes_mask doubles = s->inside & ~leaves & lanes_doubles(law, c, lossy);
    s->inside &= ~leaves & ~doubles;
    s->enters |= doubles;
    s->over_w = lanes_inverse_depth(w);
    lanes push = s->G * lanes_force(law, w, c->phi_before, s->over_w);
    lanes_mask rebounds = lanes_at_most(c->free, 2 * push);
    s->x = lanes_compress(c, rebounds);
    if (law->class == LAW_TABLE) {
        s->x = lanes_max(s->x, -0.99 * w);
        return;
    }
    // Soft ones go on nearly as if nothing held them: the last force is as good a guess.
    rebounds &= s->inside & lanes_less(0.02 * zf, push + c->G * c->force_before);
    if (lanes_any(rebounds))
        s->x = lanes_pick(rebounds, lanes_rebound(law, c, s->G, s->over_w), s->x);
}

LANES_FN void lanes_search_look(const lanes_law* law, const lanes_contact* c, lanes_search* s) {
    if (lanes_any(s->inside))
        lanes_gradient_begin(law, s->over_w, c->phi_before, c->before + s->x, s->x, &s->way,
                             &s->dg);
    if (lanes_any(s->enters)) s->depth = lanes_enter_first(law, c, s->G, s->enters);
}

LANES_FN void lanes_search_see(const lanes_law* law, lanes_contact* c, lanes_search* s) {
    if (lanes_any(s->inside)) {
        lanes_gradient_end(law, &s->way, c->before, c->phi_before, s->x, s->inside, &s->dg);
        lanes_mark(c, s->inside, s->dg.depth, s->dg.phi);
    }
    if (lanes_any(s->enters)) {
        s->phi = lanes_phi(law, s->depth);
        lanes_mark(c, s->enters, s->depth, s->phi);
    }
}

LANES_FN void lanes_search_step(const lanes_law* law, const lanes_contact* c, bool lossy,
                                lanes_search* s) {
    if (lanes_any(s->inside)) s->step = lanes_step(c, &s->dg, s->x, lossy);
    if (lanes_any(s->enters)) s->rise = lanes_tangent_step(law, c, s->G, s->depth, s->phi);
}

// Those that enter go by their tangent step, then by a step as the others do.
LANES_FN lanes_root lanes_search_entry(const lanes_law* law, lanes_contact* c,
                                       const lanes_search* s, bool lossy) {
    lanes rise = s->rise;
    if (lossy) rise = lanes_max(rise, 2 * c->before / s->depth - 1); // the root is beyond z = 2 w
    lanes z = s->depth * (1 + rise), y = z - c->before;
    lanes phi = s->phi * (1 + lanes_grow(law, rise));
    lanes_mask far = s->enters & ~(lanes_grows_little(law, rise) & lanes_less(lanes_all(0), phi));
    c->mark_depth = lanes_pick(s->enters, z, c->mark_depth);
    if (lanes_any_rarely(far)) {
        lanes fresh = lanes_phi(law, z);
        phi = lanes_pick(far, fresh, phi);
        lanes_mark(c, far, z, fresh);
    }
    c->mark_phi = lanes_pick(s->enters, phi, c->mark_phi);
    const lanes_gradient dg = lanes_gradient_far(law, c->phi_before, z, y, phi);
    lanes_root step = lanes_step(c, &dg, y, lossy);
    return lanes_converge(law, c, &dg, y, step, s->enters, lossy);
}

LANES_FN lanes_root lanes_search_end(const lanes_law* law, lanes_contact* c, lanes_search* s,
                                     bool lossy) {
    lanes_root found = s->found;
    if (lanes_any(s->inside)) {
        lanes_root step = lanes_converge(law, c, &s->dg, s->x, s->step, s->inside, lossy);
        found.travel = lanes_pick(s->inside, step.travel, found.travel);
        found.force = lanes_pick(s->inside, step.force, found.force);
    }
    if (lanes_any(s->enters)) {
        lanes_root entry = lanes_search_entry(law, c, s, lossy);
        found.travel = lanes_pick(s->enters, entry.travel, found.travel);
        found.force = lanes_pick(s->enters, entry.force, found.force);
    }
    return found;
}

// All that follows the beginning.
LANES_FN lanes_root lanes_search_rest(const lanes_law* law, lanes_contact* c, lanes_search* s,
                                      bool lossy) {
    lanes_search_look(law, c, s);
    lanes_search_see(law, c, s);
    lanes_search_step(law, c, lossy, s);
    return lanes_search_end(law, c, s, lossy);
}

LANES_ONCE lanes_root lanes_ledger_root(const lanes_law* law, lanes_contact* c, lanes_mask used) {
    lanes_search s;
    lanes_search_begin(law, c, used, false, &s);
    return lanes_search_rest(law, c, &s, false);
}

// The same with loss: those that part faster than 1/mu feel no force.
LANES_ONCE lanes_root lanes_ledger_root_lossy(const lanes_law* law, lanes_contact* c,
                                              lanes_mask used) {
    lanes_search s;
    lanes_mask pushes = lanes_less(lanes_all(0), 1 + c->nu * c->free);
    lanes_search_begin(law, c, used & pushes, true, &s);
    lanes_root root = lanes_search_rest(law, c, &s, true);
    root.travel = lanes_pick(pushes, root.travel, c->free);
    root.force = lanes_pick(pushes, root.force, lanes_all(0));
    return root;
}

// The force within [0, what empties E], where E + r f/2 would be less than 0; 0 also when it is not
// a number. Sets E after it.
LANES_FN lanes lanes_passive_force(lanes force, lanes free, lanes G, lanes* E) {
    lanes zero = lanes_all(0);
    force = lanes_max(force, zero);
    lanes after = *E + 0.5 * (free - G * force) * force;
    lanes_mask over = ~lanes_at_most(zero, after);
    if (lanes_any_rarely(over)) {
        force = lanes_pick(over, lanes_min(force, lanes_emptying_force(free, G, *E)), force);
        after = lanes_pick(over, *E + 0.5 * (free - G * force) * force, after);
    }
    *E = lanes_max(after, zero);
    return force;
}

// Takes what a force did from E: E+ = E + r F/2, F = f/R its conservative part. Where R is nearly
// 0, F is known from the potential only.
LANES_FN lanes lanes_settle_unknown(const lanes_law* law, lanes_contact* c, lanes_mask unknown,
                                    lanes force, lanes* lost) {
    lanes zero = lanes_all(0), r = c->free - c->G * force;
    lanes mean = 0.5 * (c->phi_now + lanes_contact_phi(law, c, c->before + r, unknown));
    lanes whole = c->E + 0.5 * r * force;
    *lost = lanes_max(whole - mean, zero);
    return lanes_pick(lanes_less(mean, whole), mean, lanes_max(whole, zero));
}

// The same with loss. A force that E cannot pay for is limited to what empties it: E + r F/2 = 0
// with r = (free - G F)/(1 + nu G F) is the lossless equation with free + 2 nu G E.
LANES_FN lanes lanes_settle_lossy(const lanes_law* law, lanes_contact* c, lanes_mask used,
                                  lanes force, lanes* lost) {
    lanes zero = lanes_all(0), E = c->E, r = c->free - c->G * force, rate = 1 + c->nu * r;
    lanes_mask known = lanes_less(lanes_all(1e-3), rate);
    lanes F = force / lanes_pick(known, rate, lanes_all(1)), after = E + 0.5 * r * F;
    lanes_mask over = used & known & ~lanes_at_most(zero, after);
    if (lanes_any_rarely(over)) {
        lanes most = lanes_emptying_force(c->free + 2 * c->nu * c->G * E, c->G, E);
        over &= lanes_less(most, F);
        F = lanes_pick(over, most, F);
        lanes less = F * (1 + c->nu * c->free) / (1 + c->nu * c->G * F);
        force = lanes_pick(over, less, force);
        r = c->free - c->G * force;
        after = E + 0.5 * r * F;
    }
    after = lanes_max(after, zero);
    *lost = 0.5 * r * (force - F);
    if (lanes_any_rarely(used & ~known)) {
        lanes taken, left = lanes_settle_unknown(law, c, used & ~known, force, &taken);
        after = lanes_pick(known, after, left);
        *lost = lanes_pick(known, *lost, taken);
    }
    c->E = after;
    return force;
}

// The force of contacts alone in their blocks; E follows. Since the root has converged, E is the
// mean potential (phi(eta^n) + phi(w))/2 by itself and nothing is fed back. When a contact opens,
// only the half of eta^n stays for the next sample: E+ = phi(eta^n)/2, exactly.
typedef struct lanes_ledger {
    lanes_mask solved;
    lanes force, left; // of those that are not solved
    lanes_mask leaves; // with loss: those that leave, and
    lanes payable;     // J, what they give back
    lanes_search search;
    lanes_root root;
} lanes_ledger;

LANES_FN void lanes_ledger_begin(const lanes_law* law, const lanes_contact* c, lanes_mask used,
                                 bool lossy, lanes_ledger* l) {
    lanes zero = lanes_all(0), w = c->before, zf = w + c->free, E = c->E;
    lanes payable = lanes_max(E - 0.5 * c->phi_now, zero);
    lanes_mask open = lanes_at_most(w, zero), shut = lanes_at_most(zf, zero);
    // It leaves if the law says so: what it can pay for is phi(w)/2 to the rounding of E, which may
    // be far more than phi(w).
    lanes_mask gone = lanes_leaves(c, c->phi_before, lossy);
    lanes_mask leaves = (open & shut & lanes_less(c->free, zero)) | (~open & gone);
    l->solved = used & ~leaves & ~(open & shut);
    if (lossy) { // those that part faster than 1/mu feel no force
        lanes_mask parts = lanes_at_most(1 + c->nu * c->free, zero);
        leaves &= ~parts;
        l->solved &= ~parts;
    }
    lanes_mask pays = leaves & lanes_less(zero, payable);
    if (lossy) {
        l->leaves = leaves;
        l->payable = payable;
    }
    l->force = zero;
    if (lanes_any(pays)) {
        lanes push = lossy ? lanes_leave(c, 2 * payable, true).force
                           : lanes_emptying_force(c->free, c->G, payable);
        l->force = lanes_pick(pays, push, zero);
    }
    l->left = lanes_pick(leaves, E - payable, E);
    lanes_search_begin(law, c, l->solved, lossy, &l->search);
}

LANES_FN void lanes_ledger_find(const lanes_law* law, lanes_contact* c, bool lossy,
                                lanes_ledger* l) {
    if (lanes_any(l->solved)) l->root = lanes_search_end(law, c, &l->search, lossy);
}

LANES_FN lanes lanes_ledger_end(lanes_contact* c, const lanes_ledger* l) {
    lanes force = l->force, left = l->left;
    if (lanes_any(l->solved)) {
        lanes pushed = lanes_passive_force(l->root.force, c->free, c->G, &c->E);
        force = lanes_pick(l->solved, pushed, force);
        left = lanes_pick(l->solved, c->E, left);
    }
    c->E = left;
    return force;
}

// The same with loss; what leaves has its force in l->force.
LANES_FN lanes lanes_ledger_end_lossy(const lanes_law* law, lanes_contact* c, lanes_mask used,
                                      const lanes_ledger* l, lanes* lost) {
    lanes zero = lanes_all(0), force = l->force;
    lanes given = l->payable + 0.5 * (c->free - c->G * force) * force;
    *lost = lanes_pick(l->leaves, lanes_max(given, zero), zero);
    // Open and coming no nearer: E stays. All others are settled, those that part with no force.
    lanes_mask open = lanes_at_most(c->before, zero) & lanes_at_most(c->before + c->free, zero) &
                      lanes_at_most(zero, c->free);
    lanes_mask settled = used & ~l->leaves & ~open;
    if (lanes_any(settled)) {
        lanes taken, wanted = zero;
        if (lanes_any(l->solved))
            wanted = lanes_pick(l->solved, lanes_max(l->root.force, zero), zero);
        lanes pushed = lanes_settle_lossy(law, c, settled, wanted, &taken);
        force = lanes_pick(settled, pushed, force);
        *lost = lanes_pick(settled, taken, *lost);
        c->E = lanes_pick(settled, c->E, l->left);
    } else {
        c->E = l->left;
    }
    return force;
}

// All that follows the beginning.
LANES_FN void lanes_ledger_rest(const lanes_law* law, lanes_contact* c, bool lossy,
                                lanes_ledger* l) {
    lanes_search_look(law, c, &l->search);
    lanes_search_see(law, c, &l->search);
    lanes_search_step(law, c, lossy, &l->search);
    lanes_ledger_find(law, c, lossy, l);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
