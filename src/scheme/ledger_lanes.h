// The ledger scheme over lanes (see scheme/ledger.c for its letters): the conservative force
// f = DG(w, x) of Bilbao 2014 at a root x found with fixed work, clipped to what the contact's
// energy E can pay for. One-sided laws.
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
    lanes phi_now, phi_before;
    lanes force_before;         // f^{n-1}
    lanes E;                    // J
    lanes mark_depth, mark_phi; // where phi was last evaluated
    lanes powers;               // taken so far
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
// the quadratic that is left for q: exact for alpha = 1.
LANES_FN lanes lanes_tangent_step(const lanes_law* law, const lanes_contact* c, lanes z0,
                                  lanes phi) {
    lanes zero = lanes_all(0), ahead = (c->before + c->free) - z0, behind = z0 - c->before;
    lanes push = c->G * phi, curve = 0.5 * law->t;
    lanes A = push * (curve * curve) + z0 * z0, B = push * law->t + z0 * (behind - ahead);
    lanes C = c->G * (phi - c->phi_before) - ahead * behind;
    lanes inside = B * B - 4 * A * C;
    lanes root = lanes_sqrt(lanes_max(inside, zero));
    lanes_mask falls = lanes_less(zero, B);
    lanes q = lanes_pick(falls, -2 * C, root - B) / lanes_pick(falls, B + root, 2 * A);
    return lanes_pick(lanes_less(lanes_all(-1), q), q, lanes_all(-0.5));
}

// One Halley step on h from x, h under/(under^2 - h h''/2) with under = h' = 1 + G s. The force at
// its end is DG less the step times the slope s - h DG''/(2 under) it was made with: no difference
// of nearly equal numbers in it, and one quotient.
LANES_FN lanes_root lanes_halley(const lanes_contact* c, const lanes_gradient* dg, lanes x) {
    lanes h = x - c->free + c->G * dg->value, under = 1 + c->G * dg->slope, square = under * under;
    lanes half = 0.5 * h * dg->bend, whole = square - c->G * half;
    // Beyond a factor of two the parabola is no longer to be trusted.
    lanes_mask good = lanes_less(0.5 * square, whole) & lanes_less(whole, 2 * square);
    lanes part = h / lanes_pick(good, whole, under);
    lanes slope = lanes_pick(good, dg->slope * under - half, dg->slope);
    return (lanes_root){x - lanes_pick(good, under, lanes_all(1)) * part, dg->value - slope * part};
}

// A second step, from where the first one led: phi is carried over, the slope goes on by its bend.
// The mask says where that is near enough.
LANES_FN lanes_root lanes_refine(const lanes_law* law, const lanes_contact* c,
                                 const lanes_gradient* dg, lanes x, lanes_root first, lanes* phi,
                                 lanes_mask* near) {
    lanes y = first.travel, moved = y - x, e = moved * dg->inverse;
    // (phi(z) - phi(w))/y loses its digits where y is much smaller than the step that led there.
    *near = lanes_grows_little(law, e) & lanes_less(1e-3 * lanes_abs(moved), lanes_abs(y));
    lanes grown = dg->phi * lanes_grow(law, e), rise = dg->value * x + grown;
    *phi = dg->phi + grown;
    lanes slope = lanes_max(dg->slope + dg->bend * moved, lanes_all(0));
    lanes under = 1 + c->G * slope, over = 1 / (y * under);
    lanes step = (y * (y - c->free) + c->G * rise) * over;
    return (lanes_root){y - step, rise * (under * over) - slope * step};
}

LANES_FN lanes_root lanes_halley_step(const lanes_law* law, lanes_contact* c, lanes x,
                                      lanes_mask used) {
    lanes_gradient dg = lanes_gradient_at(law, c->before, c->phi_before, x, used);
    lanes_mark(c, used, dg.depth, dg.phi);
    return lanes_halley(c, &dg, x);
}

// The second of two steps from x between points inside: it takes a power only where the first was
// long, and only if there is one left. A first step by e of the depth leaves about (t e)^3/100 of
// the force: where that is below 1e-11 it was enough, as in most contacts that are not stiff.
LANES_FN lanes_root lanes_second_step(const lanes_law* law, lanes_contact* c,
                                      const lanes_gradient* dg, lanes x, lanes_root step,
                                      lanes_mask used) {
    lanes phi, e = (step.travel - x) * dg->inverse;
    lanes_mask near, far;
    used &= lanes_less(lanes_all(1e-3), lanes_abs(law->t * e));
    if (!lanes_any_rarely(used)) return step;
    lanes_root second = lanes_refine(law, c, dg, x, step, &phi, &near);
    near &= used;
    c->mark_depth = lanes_pick(near, c->before + step.travel, c->mark_depth);
    c->mark_phi = lanes_pick(near, phi, c->mark_phi);
    far = used & ~near & lanes_less(c->powers, lanes_all(2));
    if (lanes_any_rarely(far)) {
        lanes_root whole = lanes_halley_step(law, c, step.travel, far);
        step.travel = lanes_pick(far, whole.travel, step.travel);
        step.force = lanes_pick(far, whole.force, step.force);
    }
    step.travel = lanes_pick(near, second.travel, step.travel);
    step.force = lanes_pick(near, second.force, step.force);
    return step;
}

// Entry and strong compression: kap phi(z) = rise(z) = (zf - z)(z - w) + kap phi(w) with
// rise <= free^2/4 + kap phi(w), which bounds z from above. The rise half way to that bound is near
// that at the root, because z depends on it by a small power: one tangent step from there is good
// to some percent, however stiff the contact, and the next one to 1e-3 (test_rows). It need not
// know phi well; beyond zf, in soft contacts, it begins at zf, where phi is about `at_free`.
LANES_FN lanes lanes_enter_stiff(const lanes_law* law, const lanes_contact* c, lanes at_free) {
    lanes w = c->before, zf = w + c->free, over = 1 / (c->G * law->K_over_t);
    lanes held = c->G * c->phi_before, bound = 0.25 * c->free * c->free + held;
    lanes most = lanes_min(lanes_root_guess(bound * over, law->inverse_t), zf);
    lanes middle = 0.5 * (most + lanes_max(w, lanes_all(0)));
    lanes rise = (zf - middle) * (middle - w) + held;
    lanes power = lanes_min(lanes_max(rise * over, lanes_all(0x1p-1000)), lanes_all(0x1p1000));
    lanes z = lanes_power_roughly(power, law->inverse_t), phi = law->K_over_t * power;
    lanes_mask beyond = lanes_less(zf, z);
    z = lanes_pick(beyond, zf, z);
    phi = lanes_pick(beyond, at_free, phi);
    return lanes_min(z * (1 + lanes_tangent_step(law, c, z, phi)), zf);
}

// Where those begin that enter. A contact so soft that it takes less than a hundredth from the
// depth begins at zf itself: the tangent step from there leaves less than 1e-6.
LANES_FN lanes lanes_enter_first(const lanes_law* law, const lanes_contact* c, lanes_mask used) {
    lanes zf = c->before + c->free, at_free = lanes_phi_roughly(law, zf);
    lanes_mask soft = lanes_less(c->G * at_free, 0.01 * zf * c->free);
    if (!lanes_any(used & ~soft)) return zf;
    return lanes_pick(soft, zf, lanes_enter_stiff(law, c, at_free));
}

// From z0, where phi is phi0, by the tangent step q.
LANES_FN lanes_root lanes_enter(const lanes_law* law, const lanes_contact* c, lanes z0, lanes phi0,
                                lanes q) {
    lanes z = z0 * (1 + q), x = z - c->before, phi = phi0 * (1 + lanes_grow(law, q));
    lanes_mask soft = lanes_grows_little(law, q) & lanes_at_most(lanes_all(0), phi) &
                      lanes_less(c->G * phi, 0.1 * c->free * c->free);
    return (lanes_root){x, lanes_pick(soft, (phi - c->phi_before) / x, (c->free - x) / c->G)};
}

// Where rebounding contacts begin: zeta = z/w in (0, 1], (1 - zeta^t)/(1 - zeta) as a parabola
// exact at 0, 1/2 and 1.
LANES_FN lanes lanes_rebound(const lanes_law* law, const lanes_contact* c, lanes over_w) {
    lanes zero = lanes_all(0), w = c->before;
    lanes push = c->G * c->phi_before * over_w * over_w; // kap phi'(w)/(w t)
    lanes A = push * law->rebound2, B = 1 + push * law->rebound1;
    lanes C = push - (w + c->free) * over_w;
    lanes inside = B * B - 4 * A * C;
    lanes root = lanes_sqrt(lanes_max(inside, zero));
    lanes zeta = -2 * C / (B + root);
    zeta = lanes_pick(lanes_less(zero, zeta), zeta, lanes_all(0.01));
    return (zeta - 1) * w;
}

// Where moderately compressed ones begin: from the force of the last sample.
LANES_FN lanes lanes_compress(const lanes_contact* c) {
    lanes zf = c->before + c->free, z = zf - c->G * c->force_before;
    return lanes_max(z, 0.05 * zf) - c->before;
}

// Leaving, z <= 0: x^2 - free x - kap phi(w) = 0, the negative root.
LANES_FN lanes_root lanes_leave(const lanes_contact* c) {
    lanes zero = lanes_all(0), lift = c->G * c->phi_before;
    lanes root = lanes_sqrt(c->free * c->free + 4 * lift);
    lanes x =
        lanes_pick(lanes_less(zero, c->free), -2 * lift / (c->free + root), 0.5 * (c->free - root));
    return (lanes_root){x, lanes_pick(lanes_less(x, zero), -c->phi_before / x, zero)};
}

// The search for the r of the conservative scheme with at most two powers, in five parts: where to
// begin, the gradient there in two, the first step, and the end. Many sets go through each part
// before the next one, so that a processor works on several while it waits for the quotients of
// one.
typedef struct lanes_search {
    lanes_mask enters, inside; // who is to be solved, and how
    lanes_root found;
    lanes over_w, x;
    lanes_way way;
    lanes_gradient dg;
    lanes_root step;        // the first, inside
    lanes depth, phi, rise; // entering: where it begins, phi there, and the step from there over it
} lanes_search;

LANES_FN void lanes_search_begin(const lanes_law* law, const lanes_contact* c, lanes_mask used,
                                 lanes_search* s) {
    lanes zero = lanes_all(0), w = c->before, zf = w + c->free;
    lanes_mask open = lanes_at_most(w, zero), flies = open & lanes_at_most(zf, zero);
    s->found = (lanes_root){c->free, zero};
    s->enters = open & ~flies & used;
    s->inside = ~open & used;
    if (!lanes_any(s->inside)) return;
    // The root of lanes_leave is beyond -w: (-w)^2 - free (-w) - kap phi(w) <= 0.
    lanes_mask leaves = s->inside & lanes_at_most(w * zf, c->G * c->phi_before);
    if (lanes_any(leaves)) {
        lanes_root leave = lanes_leave(c);
        s->found.travel = lanes_pick(leaves, leave.travel, s->found.travel);
        s->found.force = lanes_pick(leaves, leave.force, s->found.force);
    }
    s->over_w = lanes_inverse_depth(w);
    lanes push = c->G * (law->t * c->phi_before * s->over_w);
    lanes ahead = zf - c->G * c->force_before; // where the last force would take it
    lanes_mask rebounds = lanes_at_most(c->free, 2 * push);
    lanes_mask strong =
        ~rebounds & lanes_less(2 * w, lanes_max(c->now, ahead)) & s->inside & ~leaves;
    s->inside &= ~leaves & ~strong;
    s->enters |= strong;
    s->x = lanes_compress(c);
    // Soft ones go on nearly as if nothing held them: the last force is as good a guess.
    rebounds &= s->inside & lanes_less(0.02 * zf, push + c->G * c->force_before);
    if (lanes_any(rebounds)) s->x = lanes_pick(rebounds, lanes_rebound(law, c, s->over_w), s->x);
}

LANES_FN void lanes_search_look(const lanes_law* law, const lanes_contact* c, lanes_search* s) {
    if (lanes_any(s->inside))
        lanes_gradient_begin(law, s->over_w, c->phi_before, c->before + s->x, s->x, &s->way,
                             &s->dg);
    if (lanes_any(s->enters)) s->depth = lanes_enter_first(law, c, s->enters);
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

LANES_FN void lanes_search_step(const lanes_law* law, const lanes_contact* c, lanes_search* s) {
    if (lanes_any(s->inside)) s->step = lanes_halley(c, &s->dg, s->x);
    if (lanes_any(s->enters)) s->rise = lanes_tangent_step(law, c, s->depth, s->phi);
}

LANES_FN lanes_root lanes_search_end(const lanes_law* law, lanes_contact* c, lanes_search* s) {
    lanes_root found = s->found;
    if (lanes_any(s->inside)) {
        lanes_root step = lanes_second_step(law, c, &s->dg, s->x, s->step, s->inside);
        found.travel = lanes_pick(s->inside, step.travel, found.travel);
        found.force = lanes_pick(s->inside, step.force, found.force);
    }
    if (lanes_any(s->enters)) {
        lanes_root entry = lanes_enter(law, c, s->depth, s->phi, s->rise);
        found.travel = lanes_pick(s->enters, entry.travel, found.travel);
        found.force = lanes_pick(s->enters, entry.force, found.force);
    }
    return found;
}

LANES_ONCE lanes_root lanes_ledger_root(const lanes_law* law, lanes_contact* c, lanes_mask used) {
    lanes_search s;
    lanes_search_begin(law, c, used, &s);
    lanes_search_look(law, c, &s);
    lanes_search_see(law, c, &s);
    lanes_search_step(law, c, &s);
    return lanes_search_end(law, c, &s);
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

// Feeds the drift of E against the potential back into the force of a root, gently; clips it to
// what E can pay for and books it.
LANES_FN lanes lanes_book(lanes_contact* c, lanes_root root) {
    lanes zero = lanes_all(0), x = root.travel, E = c->E;
    lanes drift = 2 * E - c->phi_now - c->phi_before;
    lanes under = x * x + 0.5 * c->G * E;
    lanes back = lanes_pick(lanes_less(zero, under), drift * x / under, zero);
    lanes most = 0.2 * lanes_abs(root.force);
    back = lanes_min(lanes_max(back, -most), most);
    return lanes_passive_force(root.force - back, c->free, c->G, &c->E);
}

// The force of contacts alone in their blocks; books E. When one opens, E holds (phi(eta^n) +
// phi(w))/2 and only the half of eta^n stays for the next sample: E+ = phi(eta^n)/2, exactly.
typedef struct lanes_ledger {
    lanes_mask solved;
    lanes force, left; // of those that are not
    lanes_search search;
    lanes_root root;
} lanes_ledger;

LANES_FN void lanes_ledger_begin(const lanes_law* law, const lanes_contact* c, lanes_mask used,
                                 lanes_ledger* l) {
    lanes zero = lanes_all(0), w = c->before, zf = w + c->free, E = c->E;
    lanes payable = lanes_max(E - 0.5 * c->phi_now, zero);
    lanes_mask open = lanes_at_most(w, zero), shut = lanes_at_most(zf, zero);
    // Giving all it can pay for it gets out: the root of x^2 - free x - 2 G payable is beyond -w.
    lanes_mask gone = lanes_at_most(w * zf, 2 * c->G * payable);
    lanes_mask leaves = (open & shut & lanes_less(c->free, zero)) | (~open & gone);
    lanes_mask pays = leaves & lanes_less(zero, payable);
    l->solved = used & ~leaves & ~(open & shut);
    l->force = zero;
    if (lanes_any(pays))
        l->force = lanes_pick(pays, lanes_emptying_force(c->free, c->G, payable), zero);
    l->left = lanes_pick(leaves, E - payable, E);
    lanes_search_begin(law, c, l->solved, &l->search);
}

LANES_FN void lanes_ledger_find(const lanes_law* law, lanes_contact* c, lanes_ledger* l) {
    if (lanes_any(l->solved)) l->root = lanes_search_end(law, c, &l->search);
}

LANES_FN lanes lanes_ledger_end(lanes_contact* c, const lanes_ledger* l) {
    lanes force = l->force, left = l->left;
    if (lanes_any(l->solved)) {
        lanes pushed = lanes_book(c, l->root);
        force = lanes_pick(l->solved, pushed, force);
        left = lanes_pick(l->solved, c->E, left);
    }
    c->E = left;
    return force;
}

// All that follows the beginning.
LANES_FN lanes lanes_ledger_rest(const lanes_law* law, lanes_contact* c, lanes_ledger* l) {
    lanes_search_look(law, c, &l->search);
    lanes_search_see(law, c, &l->search);
    lanes_search_step(law, c, &l->search);
    lanes_ledger_find(law, c, l);
    return lanes_ledger_end(c, l);
}

LANES_ONCE lanes lanes_ledger_force(const lanes_law* law, lanes_contact* c, lanes_mask used) {
    lanes_ledger l;
    lanes_ledger_begin(law, c, used, &l);
    return lanes_ledger_rest(law, c, &l);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
