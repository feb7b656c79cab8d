// Contacts of twins over lanes (see network/alone.c). A set is one contact of LANES twins.
//
// A contact is solved in parts, and several sets go through each part before the next one: the
// quotients and roots of one search wait for each other, those of several sets do not, and a
// processor works on the others while it waits for one.
#ifndef SIS_BATCH_CONTACT_LANES_H
#define SIS_BATCH_CONTACT_LANES_H

#include "scheme/newton_lanes.h"
#include "scheme/quadratised_lanes.h"

// A contact of each twin: what is constant, what it remembers, its sample, its report.
typedef struct lanes_link {
    int32_t below, above; // masses; -1: at rest
    sis_scheme scheme;
    bool release, midpoint, lossy;
    lanes_law law;
    lanes G, mu;
    lanes eta, before, E, psi, kept, phi_before, mark_depth, mark_phi;
    lanes free, force, travel;
    lanes max_force, min_force, deepest, trapped, lowest;
    lanes inside, iterations, iterated; // counted in this block
    lanes most_iterations, most_powers;
    lanes_mask fell; // was beyond double precision in some sample
} lanes_link;

// A set on its way through the parts of its sample.
typedef struct lanes_pass {
    lanes_link* link;
    lanes k;
    lanes_mask used;            // who could give a force
    lanes phi;                  // at eta^n, or where the midpoint potential takes it
    lanes loss, under;          // of a contact with loss
    lanes mark_depth, mark_phi; // before the search
    lanes psi, iterations;
    lanes force; // the conservative one
    lanes lost;  // J
    lanes_contact c;
    lanes_ledger ledger;
    lanes_newton newton;
} lanes_pass;

// Which lanes could give a force in this sample.
LANES_FN lanes_mask link_active(const lanes_link* link) {
    lanes zero = lanes_all(0);
    lanes_mask inside = lanes_less(zero, link->eta);
    if (link->scheme == SIS_SCHEME_QUADRATISED && !link->release) return inside;
    return inside | ~lanes_equal(link->E, zero) | lanes_less(zero, link->before + link->free);
}

// ---------------------------------------------------------------------------- before the search

// The slope of the Hunt-Crossley loss, mu phi'(eta^n)/(2k).
LANES_FN lanes loss_of(lanes_pass* p) {
    const lanes_link* link = p->link;
    lanes phi = p->phi;
    lanes_mask inside = lanes_less(lanes_all(0), link->eta);
    if (link->midpoint && lanes_any(p->used & inside)) {
        phi = lanes_phi(&link->law, link->eta); // p->phi is the midpoint's: the loss takes its own
        p->c.powers = lanes_pick(p->used & inside, p->c.powers + 1, p->c.powers);
    }
    lanes loss = link->mu * lanes_force(&link->law, link->eta, phi) / (2 * p->k);
    loss = lanes_pick(lanes_less(loss, lanes_all(1e100)), loss, lanes_all(1e100));
    return lanes_pick(inside, loss, lanes_all(0));
}

// What the conservative part sees: r = free - G f. Powers and marks are those so far.
LANES_FN void set_problem(const lanes_link* link, lanes phi, lanes free, lanes G,
                          lanes_contact* c) {
    c->now = link->eta;
    c->before = link->before;
    c->free = free;
    c->G = G;
    c->phi_now = phi;
    c->phi_before = link->phi_before;
    c->force_before = link->kept;
    c->E = link->E;
    if (!link->midpoint) return;
    // The same scheme in half variables, in which eta^n plays no part.
    c->now = lanes_all(-HUGE_VAL);
    c->before = 0.5 * (link->eta + link->before);
    c->free = 0.5 * free;
    c->G = 0.5 * G;
    c->phi_now = lanes_all(0);
    c->phi_before = phi;
    c->E = 0.5 * link->E;
}

// Number by number: an initialiser would clear all of it first.
LANES_FN void pass_begin(lanes_link* link, lanes k, lanes_mask used, lanes_pass* p) {
    lanes at = link->eta;
    p->link = link;
    p->k = k;
    p->used = used;
    p->lost = p->iterations = p->c.powers = lanes_all(0);
    p->psi = link->psi;
    p->c.mark_depth = link->mark_depth;
    p->c.mark_phi = link->mark_phi;
    if (link->midpoint) at = 0.5 * (link->eta + link->before);
    p->phi = lanes_contact_phi(&link->law, &p->c, at, used);
    if (link->lossy) {
        // f = F + loss r changes what the conservative part sees, r = free' - G' F.
        p->loss = loss_of(p);
        p->under = 1 + link->G * p->loss;
        p->mark_depth = p->c.mark_depth;
        p->mark_phi = p->c.mark_phi;
        set_problem(link, p->phi, link->free / p->under, link->G / p->under, &p->c);
    } else {
        set_problem(link, p->phi, link->free, link->G, &p->c);
    }
}

// ---------------------------------------------------------------------------- the search

LANES_FN bool searches(const lanes_pass* p) {
    return p->link->scheme != SIS_SCHEME_QUADRATISED;
}

LANES_FN void search_begin(lanes_pass* p) {
    if (p->link->scheme == SIS_SCHEME_LEDGER)
        lanes_ledger_begin(&p->link->law, &p->c, p->used, &p->ledger);
    else if (searches(p))
        lanes_search_begin(&p->link->law, &p->c, &p->c, p->used, false, &p->ledger.search);
}

// The steps that newton takes from where the search of ledger ends.
LANES_FN void newton_passes(lanes_pass* first, lanes_pass* end) {
    bool going = false;
    for (lanes_pass* p = first; p < end; p++) {
        if (p->link->scheme != SIS_SCHEME_NEWTON) continue;
        lanes_root root = lanes_search_end(&p->link->law, &p->c, &p->ledger.search, false);
        lanes_newton_begin(&p->c, root.travel, p->used, &p->newton);
        going = true;
    }
    for (int i = 0; i < NEWTON_MOST && going; i++) {
        going = false;
        for (lanes_pass* p = first; p < end; p++) {
            if (p->link->scheme != SIS_SCHEME_NEWTON || !lanes_any(p->newton.going)) continue;
            lanes_newton_step(&p->link->law, &p->c, &p->newton, false, &p->iterations);
            going = going || lanes_any(p->newton.going);
        }
    }
}

LANES_FN void search_passes(lanes_pass* first, lanes_pass* end) {
    for (lanes_pass* p = first; p < end; p++)
        search_begin(p);
    for (lanes_pass* p = first; p < end; p++)
        if (searches(p)) lanes_search_look(&p->link->law, &p->c, &p->ledger.search);
    for (lanes_pass* p = first; p < end; p++)
        if (searches(p)) lanes_search_see(&p->link->law, &p->c, &p->ledger.search);
    for (lanes_pass* p = first; p < end; p++)
        if (searches(p)) lanes_search_step(&p->link->law, &p->c, &p->c, false, &p->ledger.search);
    for (lanes_pass* p = first; p < end; p++)
        if (p->link->scheme == SIS_SCHEME_LEDGER)
            lanes_ledger_find(&p->link->law, &p->c, &p->ledger);
    newton_passes(first, end);
}

// The conservative force; E, psi and the marks are updated.
LANES_FN void search_end(lanes_pass* p) {
    const lanes_link* link = p->link;
    lanes_contact* c = &p->c;
    p->force =
        link->scheme == SIS_SCHEME_LEDGER ? lanes_ledger_end(c, &p->ledger)
        : link->scheme == SIS_SCHEME_NEWTON
            ? lanes_newton_book(&link->law, c, p->used, (lanes_root){p->newton.x, p->newton.force})
            : lanes_quadratised_force(&link->law, c, link->release, &p->psi);
    if (link->midpoint) c->E = c->E / 0.5;
}

// ---------------------------------------------------------------------------- after the search

// Those that part faster than their loss can follow, once more and without loss. Rare: one set
// alone.
LANES_ONCE void solve_again(lanes_pass* p, lanes_mask pulls) {
    const lanes_link* link = p->link;
    lanes_contact c;
    lanes psi = link->psi, force, iterations = p->iterations;
    c.powers = p->c.powers;
    c.mark_depth = p->mark_depth;
    c.mark_phi = p->mark_phi;
    set_problem(link, p->phi, link->free, link->G, &c);
    force = link->scheme == SIS_SCHEME_LEDGER ? lanes_ledger_force(&link->law, &c, pulls)
            : link->scheme == SIS_SCHEME_NEWTON
                ? lanes_newton_force(&link->law, &c, pulls, &iterations)
                : lanes_quadratised_force(&link->law, &c, link->release, &psi);
    if (link->midpoint) c.E = c.E / 0.5;
    p->c.E = lanes_pick(pulls, c.E, p->c.E);
    p->c.mark_depth = lanes_pick(pulls, c.mark_depth, p->c.mark_depth);
    p->c.mark_phi = lanes_pick(pulls, c.mark_phi, p->c.mark_phi);
    p->c.powers = lanes_pick(pulls, c.powers, p->c.powers);
    p->psi = lanes_pick(pulls, psi, p->psi);
    p->iterations = lanes_pick(pulls, iterations, p->iterations);
    p->force = lanes_pick(pulls, force, p->force);
}

// Force and travel of a contact with loss.
LANES_FN void add_loss(lanes_pass* p) {
    lanes_link* link = p->link;
    lanes free = link->free, G = link->G, loss = p->loss, zero = lanes_all(0);
    lanes r = (free - G * p->force) / p->under;
    lanes_mask damps = lanes_less(zero, loss);
    lanes_mask pulls = p->used & damps & lanes_less(p->force + loss * r, zero);
    if (lanes_any(pulls)) {
        solve_again(p, pulls);
        r = lanes_pick(pulls, free - G * p->force, r);
        loss = lanes_pick(pulls, zero, loss);
        damps &= ~pulls;
    }
    link->force = lanes_pick(damps, (p->force + loss * free) / p->under, p->force);
    link->travel = r;
    p->lost = lanes_pick(p->used, 0.5 * loss * r * r, zero);
}

// The last net: lanes whose force and travel are no numbers to work with give no force.
LANES_FN void catch_fall(lanes_link* link, lanes* lost) {
    lanes zero = lanes_all(0), far = lanes_all(1e52);
    lanes_mask good = lanes_less(lanes_abs(link->force), lanes_all(1e150)) &
                      lanes_less(lanes_abs(link->travel), far) &
                      lanes_less(*lost, lanes_all(1e250));
    lanes_mask bad = ~good;
    if (!lanes_any(bad)) return;
    lanes near = lanes_pick(lanes_less(lanes_abs(link->free), far), link->free, zero);
    link->force = lanes_pick(bad, zero, link->force);
    link->travel = lanes_pick(bad, near, link->travel);
    link->kept = lanes_pick(bad, zero, link->kept);
    link->phi_before = lanes_pick(bad, zero, link->phi_before);
    link->E = lanes_pick(bad & ~lanes_less(link->E, lanes_all(1e200)), zero, link->E);
    link->psi =
        lanes_pick(bad & ~lanes_less(lanes_abs(link->psi), lanes_all(1e100)), zero, link->psi);
    link->mark_depth = lanes_pick(bad, zero, link->mark_depth);
    link->mark_phi = lanes_pick(bad, zero, link->mark_phi);
    link->fell |= bad;
    *lost = lanes_pick(bad, zero, *lost);
}

LANES_FN void move_on(lanes_link* link) {
    lanes next = link->before + link->travel;
    link->before = link->eta;
    link->eta = next;
}

// What the sample was, for the report; eta has moved on.
LANES_FN void count_link(lanes_link* link) {
    lanes zero = lanes_all(0), one = lanes_all(1);
    lanes_mask inside = lanes_less(zero, link->before);
    lanes depth = lanes_pick(inside, link->before, zero);
    link->max_force = lanes_max(link->force, link->max_force);
    link->min_force = lanes_min(link->force, link->min_force);
    link->deepest = lanes_max(depth, link->deepest);
    link->lowest = lanes_min(link->E, link->lowest);
    link->inside += lanes_pick(inside, one, zero);
    lanes_mask holds = lanes_equal(link->force, zero) & ~inside & ~lanes_less(zero, link->eta);
    link->trapped = lanes_max(lanes_pick(holds, link->E, zero), link->trapped);
}

LANES_FN void count_work(lanes_link* link, const lanes_pass* p) {
    lanes zero = lanes_all(0), one = lanes_all(1);
    link->most_powers = lanes_max(p->c.powers, link->most_powers);
    if (link->scheme != SIS_SCHEME_NEWTON) return; // no other iterates
    link->most_iterations = lanes_max(p->iterations, link->most_iterations);
    link->iterations += p->iterations;
    link->iterated += lanes_pick(lanes_less(zero, p->iterations), one, zero);
}

// The force of the sample, and what the contact remembers of it.
LANES_FN void pass_end(lanes_pass* p) {
    lanes_link* link = p->link;
    lanes_mask used = p->used;
    lanes zero = lanes_all(0);
    if (link->lossy) {
        add_loss(p);
    } else {
        link->force = p->force;
        link->travel = link->free - link->G * p->force;
    }
    link->force = lanes_pick(used, link->force, zero);
    link->travel = lanes_pick(used, link->travel, link->free);
    link->E = lanes_pick(used, p->c.E, link->E);
    link->psi = lanes_pick(used, p->psi, link->psi);
    link->mark_depth = lanes_pick(used, p->c.mark_depth, link->mark_depth);
    link->mark_phi = lanes_pick(used, p->c.mark_phi, link->mark_phi);
    link->kept = lanes_pick(used, p->force, zero);
    link->phi_before = link->midpoint ? zero : lanes_pick(used, p->phi, zero);
    catch_fall(link, &p->lost);
    move_on(link);
    count_link(link);
    count_work(link, p);
}

// No lane could give a force. There is nothing to count then: no depth, no force, and all but
// quadratised as published are active while they hold energy.
LANES_FN void link_rests(lanes_link* link) {
    lanes lost = lanes_all(0);
    link->force = link->kept = link->phi_before = lanes_all(0);
    link->travel = link->free;
    catch_fall(link, &lost);
    move_on(link);
    if (link->scheme == SIS_SCHEME_QUADRATISED && !link->release) count_link(link);
}

// Solves the contacts of several sets.
LANES_FN void solve_passes(lanes_pass* first, lanes_pass* end) {
    search_passes(first, end);
    for (lanes_pass* p = first; p < end; p++) {
        search_end(p);
        pass_end(p);
    }
}

#endif
