// The ledger scheme: the conservative force f = DG(w, x) of Bilbao 2014 at its converged root x,
// paid from the contact's own energy E. Letters: w = eta^{n-1}, z = eta^{n+1}, x = z - w, free = x
// without contact force, zf = w + free. The root solves
//
//   h(x) = x - free + G f(x) = 0,   f = DG(w, x) R(x),   R = max(0, 1 + nu x)
//
// R is the Hunt-Crossley loss over the sample, 1 without it. DG and R are not negative and grow
// with x, so h' >= 1 and there is one root. Without loss: G (phi(z) - phi(w)) = (zf - z)(z - w), z
// is the second intersection of a parabola and a convex curve.
//
// E+ = E + x DG/2 is then the mean potential (phi(eta^n) + phi(z))/2 to rounding, and
// (f - DG) x/2 >= 0 is lost. Nothing of E is fed back into the force; that it limits it to what it
// can pay for is a net against rounding.
#define LANES 1
#include "contact/ledger_lanes.h"

#include "base/power.h"
#include "contact/contact.h"

#include <math.h>

static lanes_contact one_lane(const contact_problem* p, const contact_memory* m, int32_t i,
                              const contact_cost* cost) {
    return (lanes_contact){.now = p->now,
                           .before = p->before,
                           .free = p->free,
                           .G = p->G,
                           .nu = p->nu,
                           .phi_now = p->phi_now,
                           .phi_before = p->phi_before,
                           .force_before = p->force_before,
                           .E = m->E[i],
                           .mark_depth = m->mark_depth[i],
                           .mark_phi = m->mark_phi[i],
                           .powers = cost->powers,
                           .unsolved = 0};
}

static void keep_marks(const lanes_contact* c, const contact_memory* m, int32_t i,
                       contact_cost* cost) {
    m->mark_depth[i] = c->mark_depth;
    m->mark_phi[i] = c->mark_phi;
    cost->powers = (uint32_t)c->powers;
    cost->unsolved |= c->unsolved != 0;
}

double sis_contact_emptying_force(double free, double G, double E) {
    return lanes_emptying_force(free, G, E);
}

double sis_contact_passive_force(const power_law* law, double force, double free, double G,
                                 double E) {
    double most = sis_contact_emptying_force(free, G, E);
    double least = law->both ? -sis_contact_emptying_force(-free, G, E) : 0;
    if (!(force > least)) return least; // also when force is not a number
    return force < most ? force : most;
}

double sis_contact_phi(const power_law* law, const contact_memory* memory, int32_t i, double eta,
                       contact_cost* cost) {
    double depth = power_depth(law, eta);
    if (!(depth > 0)) return 0;
    if (depth == memory->mark_depth[i]) return memory->mark_phi[i];
    lanes_mask near;
    double phi = lanes_carry(law, memory->mark_depth[i], memory->mark_phi[i], depth, &near);
    if (lanes_any(near) && phi >= 0) return phi;
    phi = lanes_phi(law, depth);
    sis_contact_mark(memory, i, depth, phi, cost);
    return phi;
}

void sis_contact_mark(const contact_memory* memory, int32_t i, double depth, double phi,
                      contact_cost* cost) {
    memory->mark_depth[i] = depth;
    memory->mark_phi[i] = phi;
    if (depth > 0) cost->powers++;
}

// Through the middle of a two-sided law to its other side. It gives no force at `rest`, the mirror
// image of w, and the root is between that and free. A power a turn, none where the last step was
// short.
static contact_root root_across(const power_law* law, const contact_problem* p,
                                const contact_memory* memory, int32_t i, contact_cost* cost) {
    lanes_contact c = {.before = p->before, .free = p->free, .G = p->G};
    const double rest = -2 * p->before, size = fabs(p->before) + fabs(p->free);
    double low = fmin(rest, p->free), high = fmax(rest, p->free);
    double depth = power_depth(law, p->before);
    double slope = 0.5 * power_exponent(law, depth) * p->phi_before / (depth * fabs(p->before));
    slope *= contact_rate(p->nu, p->free - rest, rest);
    double x = rest + (p->free - rest) / (1 + p->G * slope);
    lanes_root root = {x, 0};
    // No force, or parting faster than the loss allows.
    if (!(low < high) || contact_rate(p->nu, p->free - rest, p->free) == 0)
        return (contact_root){p->free, 0};
    const bool table = law->class == LAW_TABLE;
    double last = INFINITY;
    for (int turn = 0; turn < (table ? LANES_TABLE_TURNS : LANES_TURNS); turn++) {
        const lanes_gradient dg = power_gradient_sides(law, law, p->before, p->phi_before, x);
        c.nu = dg.value < 0 ? -p->nu : p->nu; // against the motion on both sides
        const lanes_gradient f = lanes_with_loss(&c, &dg, x);
        root = lanes_halley(&c, &f, x);
        cost->powers += dg.depth > 0;
        memory->mark_depth[i] = dg.depth;
        memory->mark_phi[i] = dg.phi;
        if (root.travel < x)
            high = x;
        else
            low = x;
        // With loss the slope changes where the force changes its sign.
        bool beside =
            p->nu > 0 && root.force * f.value <= 0 && fabs(root.travel - x) > 1e-15 * size;
        bool ends = lanes_any(lanes_step_ends(law, &c, &dg, x, root, true)) && !beside;
        if (ends || !(low < high)) return (contact_root){root.travel, root.force};
        bool slow = table && !(fabs(root.travel - x) <= 0.5 * last);
        double next =
            root.travel > low && root.travel < high && !slow ? root.travel : 0.5 * (low + high);
        last = fabs(next - x);
        x = next;
    }
    cost->unsolved = true;
    return (contact_root){root.travel, root.force};
}

// The problem in depths on the side where the contact is or goes to.
static contact_problem on_side(const power_law* law, const contact_problem* p, double side) {
    contact_problem m = *p;
    m.before = side * p->before - law->play;
    m.now = side * p->now - law->play;
    m.free = side * p->free;
    m.force_before = side * p->force_before;
    return m;
}

// A single contact has one way to go: told which, the compiler leaves out the others and all masks.
// Most samples begin inside.
SIS_INLINE lanes_root search_told(const lanes_law* law, lanes_contact* c, bool lossy) {
    lanes_search s;
    lanes_search_begin(law, c, -1, lossy, &s);
    if (lanes_any(s.inside)) {
        s.inside = -1;
        s.enters = 0;
        return lanes_search_rest(law, c, &s, lossy);
    }
    s.inside = 0;
    return lanes_search_rest(law, c, &s, lossy);
}

SIS_INLINE contact_root search(const lanes_law* law, const contact_problem* p,
                               const contact_memory* memory, int32_t i, contact_cost* cost) {
    lanes_contact c = one_lane(p, memory, i, cost);
    lanes_root root = p->nu > 0 ? search_told(law, &c, true) : lanes_ledger_root(law, &c, -1);
    keep_marks(&c, memory, i, cost);
    return (contact_root){root.travel, root.force};
}

SIS_APART static contact_root search_by_table(const lanes_law* law, const contact_problem* p,
                                              const contact_memory* memory, int32_t i,
                                              contact_cost* cost) {
    return search(law, p, memory, i, cost);
}

static contact_root root_one_sided(const power_law* law, const contact_problem* p,
                                   const contact_memory* memory, int32_t i, contact_cost* cost) {
    if (1 + p->nu * p->free <= 0) return (contact_root){p->free, 0}; // parts faster than 1/mu
    if (law->class == LAW_TABLE) return search_by_table(law, p, memory, i, cost);
    return search(law, p, memory, i, cost);
}

// A two-sided law is a one-sided one on the side where the contact is, unless it goes through to
// the other.
static contact_root root_both(const power_law* law, const contact_problem* p,
                              const contact_memory* memory, int32_t i, contact_cost* cost) {
    bool inside = power_depth(law, p->before) > CONTACT_VANISHED;
    double side = (inside ? p->before : p->free) < 0 ? -1 : 1;
    const contact_problem m = on_side(law, p, side);
    contact_root root = root_one_sided(law, &m, memory, i, cost);
    if (inside && m.before + root.travel < -2 * law->play)
        return root_across(law, p, memory, i, cost);
    return (contact_root){side * root.travel, side * root.force};
}

contact_root sis_ledger_root(const power_law* law, const contact_problem* p,
                             const contact_memory* memory, int32_t i, contact_cost* cost) {
    if (contact_vanishes(p)) return (contact_root){p->free, 0};
    return law->both ? root_both(law, p, memory, i, cost) : root_one_sided(law, p, memory, i, cost);
}

// Takes the mark to where the force leads, so that phi is there when the next sample begins.
static void mark_ahead(const power_law* law, const contact_problem* p, double force,
                       const contact_memory* memory, int32_t i) {
    double depth = power_depth(law, p->before + (p->free - p->G * force));
    lanes_mask near;
    double phi = lanes_carry(law, memory->mark_depth[i], memory->mark_phi[i], depth, &near);
    if (!lanes_any(near) || !(phi >= 0)) return;
    memory->mark_depth[i] = depth;
    memory->mark_phi[i] = phi;
}

// Of a two-sided law. It has no opening at which rounding would be given back: E may lie below 0 by
// that. In its free play it is 0. Where the factor R of the loss is nearly 0, the conservative part
// of the force is known from the potential only.
static contact_push push_both(const power_law* law, const contact_problem* p,
                              const contact_memory* memory, int32_t i, contact_cost* cost) {
    double force = sis_ledger_root(law, p, memory, i, cost).force, r = p->free - p->G * force, F;
    double E = memory->E[i], whole = E + 0.5 * r * force;
    if (!contact_conservative(law, p->nu, force, r, &F)) {
        double after = 0.5 * (p->phi_now + sis_contact_phi(law, memory, i, p->before + r, cost));
        memory->E[i] = after < whole ? after : whole;
        return (contact_push){force, r, whole > after ? whole - after : 0};
    }
    double after = E + 0.5 * r * F;
    bool open = power_depth(law, p->now) == 0 && power_depth(law, p->before + r) == 0;
    bool none = open && fabs(after) <= 1e-12 * fabs(E);
    memory->E[i] = none || !(fabs(after) < 1e200) ? 0 : after;
    if (p->nu == 0) mark_ahead(law, p, force, memory, i);
    return (contact_push){force, r, 0.5 * r * (force - F)};
}

// One lane of what lines do.
static double force_lossless(const lanes_law* law, lanes_contact* c) {
    lanes_ledger s;
    lanes_ledger_begin(law, c, -1, false, &s);
    if (lanes_any(s.search.inside)) {
        s.solved = s.search.inside = -1;
        s.search.enters = 0;
        lanes_ledger_rest(law, c, false, &s);
        return lanes_ledger_end(c, &s);
    }
    s.search.inside = 0;
    lanes_ledger_rest(law, c, false, &s);
    return lanes_ledger_end(c, &s);
}

static contact_push push_lossy(const lanes_law* law, const contact_problem* p, lanes_contact* c,
                               bool restitution, double* owed) {
    lanes_ledger s;
    double lost, force;
    lanes_ledger_begin(law, c, -1, true, &s);
    if (restitution) sis_restitution_begin(p, s.leaves != 0, s.payable, &s.force, owed);
    if (lanes_any(s.search.inside)) {
        s.solved = s.search.inside = -1;
        s.search.enters = 0;
        lanes_ledger_rest(law, c, true, &s);
        force = lanes_settle_lossy(law, c, -1, lanes_max(s.root.force, 0), &lost);
    } else {
        s.search.inside = 0;
        lanes_ledger_rest(law, c, true, &s);
        force = lanes_ledger_end_lossy(law, c, -1, &s, &lost);
    }
    contact_push push = {force, p->free - p->G * force, lost};
    if (restitution && s.solved) sis_restitution_end(p, push.force, push.travel, owed);
    return push;
}

contact_push sis_ledger_push(const contact_law* law, const contact_problem* p,
                             const contact_memory* memory, int32_t i, contact_cost* cost) {
    if (law->power.both) return push_both(&law->power, p, memory, i, cost);
    lanes_contact c = one_lane(p, memory, i, cost);
    const lanes_law* l = &law->power;
    contact_push push = {0, 0, 0};
    if (p->nu > 0) {
        push = push_lossy(l, p, &c, law->restitution, &memory->psi[i]);
    } else {
        push.force = force_lossless(l, &c);
        push.travel = p->free - p->G * push.force;
    }
    keep_marks(&c, memory, i, cost);
    memory->E[i] = c.E;
    return push;
}

// Energy released along a predicted opening y < 0: E+ = E (1 - r/y)^2, zero when r = y.
static affine release_along(double E, double y) {
    return (affine){-2 * E / y, 2 * E / (y * y), y};
}

static affine release(const contact_problem* p, double E, double y) {
    if (!(E > 0)) return (affine){0, 0, 0};
    if (y < 0 && 16 * y * y >= p->G * E) return release_along(E, y);
    double square = p->free * p->free;
    if (p->free < 0 || 8 * p->G * E >= square)
        return release_along(E, 0.5 * (p->free - sqrt(square + 8 * p->G * E)));
    return (affine){0, 0, 0};
}

// Inside, but without the energy to push out as far as the law wants: all it has along the way that
// empties it, and no yielding: f = a r for E = 0, with a steep enough to stop what comes in. A
// softer closure would let a body that is pressed in sink sample by sample.
static affine resist(const contact_problem* p, double E) {
    double root = sqrt(p->free * p->free + 8 * p->G * E);
    double y = p->free > 0 ? -4 * p->G * E / (p->free + root) : 0.5 * (p->free - root);
    double steepest = CONTACT_STIFFEST / p->G, rate = 2 * E;
    if (rate < steepest * y * y) return release_along(E, y);
    double q = sqrt(8 * steepest * E); // q^2 = 8 a E
    return (affine){q, steepest, 0};
}

// The same of a law that pushes both ways, on the side it is on.
static affine resist_beside(const contact_problem* p, double E) {
    if (!(p->before < 0)) return resist(p, E);
    contact_problem mirror = *p;
    mirror.free = -p->free;
    affine f = resist(&mirror, E);
    return (affine){-f.force, f.a, -f.at};
}

// E + r (q + a r)/2 >= 0 for every r if and only if q^2 <= 8 a E. Takes the tangent of DG at y and
// limits its slope to the interval in which that holds.
affine sis_ledger_closure(const power_law* law, const contact_problem* p, double E, double y,
                          contact_cost* cost) {
    if (!law->both && p->now <= 0 && p->before + y <= 0)
        return p->before > 0 ? resist(p, E) : release(p, E, y);
    power_gradient dg = sis_power_gradient_at(law, p->before, p->phi_before, y);
    cost->powers += dg.depth > 0;
    double force = dg.value;
    if (y != 0) {
        double drift = 2 * E - p->phi_now - p->phi_before, most = 0.5 * fabs(force);
        double back = -drift * y / (y * y + 0.5 * p->G * E);
        force += back > most ? most : back < -most ? -most : back;
        if (E + 0.5 * force * y < 0) return law->both ? resist_beside(p, E) : resist(p, E);
    }
    double work = force * y, inside = 8 * E * (work + 2 * E);
    double wide = work + 4 * E + (inside > 0 ? sqrt(inside) : 0);
    if (!(wide > 0)) return (affine){0, 0, 0};
    double least = force * force / wide, slope = dg.slope;
    if (y * y * slope > wide) slope = wide / (y * y);
    if (!(slope > least)) slope = least;
    if (!isfinite(slope)) return (affine){0, 0, 0};
    return (affine){force, slope, y};
}

// ---------------------------------------------------------------------------- restitution
//
// What a Hunt-Crossley contact owes. During an impact M v dv = -(1 + mu v) d phi: under a constant
// force f over a sample, from v- = d/k (d = eta^n - eta^{n-1}) to v+ = (r - d)/k, the law loses k f
// times the mean of mu v^2/(1 + mu v) between them,
//
//   Q = f/(2 nu (1 + c)) (c^2 + atanh(a)/a - 1),   c = nu r,   a = nu (2 d - r)/(1 + c)
//
// and the scheme f c^2/(2 nu (1 + c)): less by O(k^2). The difference is noted as owed. A contact
// that opens with the force that makes up for it leaves with the speed of the law itself, whatever
// the rate (Papetti, Avanzini and Rocchesso 2011, relation 6: mu v - log(1 + mu v) is the same
// before and after the impact).

// atanh(a)/a - 1 for |a| < 1.
static double atanh_excess(double a) {
    double square = a * a;
    if (square <= 0.0294) return 0.5 * square * lanes_atanh_tail(square);
    return 0.5 * (sis_log1p(a) - sis_log1p(-a)) / a - 1;
}

// What the law loses beyond the scheme, a unit of force, m. 0 where a velocity is beyond 1/mu.
static double excess(double nu, double d, double r) {
    double rate = 1 + nu * r;
    if (!(rate > 0)) return 0;
    double a = nu * (2 * d - r) / rate;
    return fabs(a) < 1 ? atanh_excess(a) / (2 * nu * rate) : 0;
}

// What is left of `payable` with the force f, payable + r f/2 - Q = payable + f S, and its slope in
// f. S = k (mean of v/(1 + mu v)), so that dS/dr = (k v+/(1 + mu v+) - S)/(r - 2 d).
static double left_with(const contact_problem* p, double payable, double f, double* slope) {
    double d = p->now - p->before, r = p->free - p->G * f, rate = 1 + p->nu * r;
    double S = 0.5 * r / rate - excess(p->nu, d, r), far = 1 + 2 * p->nu * (r - d);
    double apart = r - 2 * d, rise = 0.5 / (far * far);
    if (fabs(p->nu * apart) > 1e-4 * rate) rise = ((r - d) / far - S) / apart;
    *slope = S - f * p->G * rise;
    return payable + f * S;
}

// The force with which it opens; *owed: what of the debt is left.
static double leave_owing(const contact_problem* p, double payable, double* owed) {
    double d = p->now - p->before, after = payable - *owed, slope;
    // It opens, z <= 0; and 1 + mu v+ > 0, where what it gives grows beyond all bounds.
    double low = fmax(0, (p->free + p->before) / p->G), high = (p->free - d + 0.5 / p->nu) / p->G;
    double f = low, left = left_with(p, after, f, &slope);
    *owed = left < 0 && p->now > 0 ? -left : 0; // for the sample after this, which opens too
    if (!(high > low) || !(left > 0)) return low;
    for (int i = 0; i < 60; i++) { // what is left falls with f: Newton between bounds
        double next = f - left / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        double moved = fabs(next - f);
        f = next;
        if (moved <= 1e-15 * f) break;
        left = left_with(p, after, f, &slope);
        if (left > 0)
            low = f;
        else
            high = f;
    }
    return f;
}

void sis_restitution_begin(const contact_problem* p, bool leaves, double payable, double* force,
                           double* owed) {
    // What is owed belongs to one impact.
    if ((p->before <= 0 && p->now <= 0) || 1 + p->nu * p->free <= 0) *owed = 0;
    if (leaves && p->before > 0) *force = leave_owing(p, payable, owed);
}

void sis_restitution_end(const contact_problem* p, double force, double travel, double* owed) {
    double d = p->now - p->before;
    if (d < 0 && travel > d) *owed = 0; // pressed in again: another compression
    *owed += force * excess(p->nu, d, travel);
}
