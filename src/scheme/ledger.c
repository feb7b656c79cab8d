// The ledger scheme: the conservative force f = DG(w, x) of Bilbao 2014 at a root x found with
// fixed work, clipped to what the contact's energy E can pay for. Letters: w = eta^{n-1}, z =
// eta^{n+1}, x = z - w, free = x without contact force, zf = w + free, kap = G. The root solves
//
//   h(x) = x - free + kap DG(w, x) = 0      <=>      kap (phi(z) - phi(w)) = (zf - z)(z - w)
//
// that is, z is the second intersection of a parabola and a convex curve.
#include "scheme/contact.h"

#include "base/power.h"

#include <math.h>

double sis_contact_emptying_force(double free, double G, double E) {
    double root = sqrt(free * free + 8 * G * E);
    // The same root without cancellation on either side.
    if (free > 0) return (free + root) / (2 * G);
    return E > 0 ? 4 * E / (root - free) : 0;
}

double sis_contact_passive_force(const power_law* law, double force, double free, double G,
                                 double E) {
    double most = sis_contact_emptying_force(free, G, E);
    double least = law->both ? -sis_contact_emptying_force(-free, G, E) : 0;
    if (!(force > least)) return least; // also when force is not a number
    return force < most ? force : most;
}

double sis_contact_phi(const power_law* law, contact_memory* memory, double eta,
                       contact_cost* cost) {
    double x = power_depth(law, eta);
    if (x == 0) return 0;
    double phi = sis_power_carry(law, memory->mark_depth, memory->mark_phi, x);
    if (phi >= 0) return phi;
    cost->powers++;
    phi = power_phi(law, x);
    memory->mark_depth = x;
    memory->mark_phi = phi;
    return phi;
}

void sis_contact_mark(contact_memory* memory, double depth, double phi, contact_cost* cost) {
    memory->mark_depth = depth;
    memory->mark_phi = phi;
    if (depth > 0) cost->powers++;
}

// Replaces sqrt(phi) by its tangent at z0 and solves the quadratic that is left: exact for alpha
// = 1.
static double tangent_step(const power_law* law, const contact_problem* p, double z0,
                           contact_memory* memory, contact_cost* cost) {
    double w = p->before, zf = w + p->free, kap = p->G;
    double phi = power_phi(law, z0);
    sis_contact_mark(memory, z0, phi, cost);
    double a = sqrt(phi), b = a * law->t / (2 * z0);
    double A = 1 + kap * b * b, B = 2 * kap * a * b + 2 * z0 - w - zf;
    double C = kap * (phi - p->phi_before) - (zf - z0) * (z0 - w);
    double inside = B * B - 4 * A * C;
    double root = inside > 0 ? sqrt(inside) : 0;
    double step = B > 0 ? -2 * C / (B + root) : (root - B) / (2 * A);
    double z = z0 + step;
    return z > 0 ? z : 0.5 * z0;
}

// One Halley step on h from x; one power gives phi, phi' and phi''. With the slope 1 + G s of h
// that the step uses, the force at its end is DG - h s/(1 + G s): no difference of nearly equal
// numbers in it.
static contact_root halley_step(const power_law* law, const contact_problem* p, double x,
                                contact_memory* memory, contact_cost* cost) {
    power_gradient dg = sis_power_gradient_at(law, p->before, p->phi_before, x);
    sis_contact_mark(memory, dg.depth, dg.phi, cost);
    double h = x - p->free + p->G * dg.value;
    double slope = dg.slope, under = 1 + p->G * slope;
    double turn = 1 - 0.5 * h * p->G * dg.bend / (under * under);
    // Beyond a factor of two the parabola is no longer to be trusted.
    if (turn > 0.5 && turn < 2) {
        slope -= 0.5 * h * dg.bend / under;
        under = 1 + p->G * slope;
    }
    return (contact_root){x - h / under, dg.value - h * slope / under};
}

// Entry and strong compression: kap phi(z) <= free^2/4 + kap phi(w) bounds z from above.
static contact_root enter(const power_law* law, const contact_problem* p, contact_memory* memory,
                          contact_cost* cost) {
    double zf = p->before + p->free;
    double bound = 0.25 * p->free * p->free + p->G * p->phi_before;
    double z = sis_root_guess(bound / (p->G * law->K_over_t), law->inverse_t);
    if (!(z < zf)) z = zf;
    z = tangent_step(law, p, z, memory, cost);
    if (cost->powers < 2) z = tangent_step(law, p, z < zf ? z : zf, memory, cost);
    double x = z - p->before, phi = sis_power_carry(law, memory->mark_depth, memory->mark_phi, z);
    double force = (p->free - x) / p->G;
    if (phi >= 0 && p->G * phi < 0.1 * p->free * p->free) force = (phi - p->phi_before) / x; // soft
    return (contact_root){x, force};
}

// Rebound: zeta = z/w in (0, 1], (1 - zeta^t)/(1 - zeta) as a parabola exact at 0, 1/2 and 1.
static contact_root rebound(const power_law* law, const contact_problem* p, contact_memory* memory,
                            contact_cost* cost) {
    double w = p->before, s1 = law->rebound1, s2 = law->rebound2;
    double push = p->G * p->phi_before / (w * w); // kap phi'(w)/(w t)
    double A = push * s2, B = 1 + push * s1, C = push - (w + p->free) / w;
    double inside = B * B - 4 * A * C;
    double root = inside > 0 ? sqrt(inside) : 0;
    double zeta = -2 * C / (B + root);
    if (!(zeta > 0)) zeta = 0.01;
    return halley_step(law, p, (zeta - 1) * w, memory, cost);
}

// Moderate compression: begin from the force of the last sample.
static contact_root compress(const power_law* law, const contact_problem* p, contact_memory* memory,
                             contact_cost* cost) {
    double zf = p->before + p->free;
    double z = zf - p->G * p->force_before;
    if (!(z > 0.05 * zf)) z = 0.05 * zf;
    return halley_step(law, p, z - p->before, memory, cost);
}

// Leaving, z <= 0: x^2 - free x - kap phi(w) = 0, the negative root.
static contact_root leave(const contact_problem* p) {
    double root = sqrt(p->free * p->free + 4 * p->G * p->phi_before);
    double x = p->free > 0 ? -2 * p->G * p->phi_before / (p->free + root) : 0.5 * (p->free - root);
    return (contact_root){x, x < 0 ? -p->phi_before / x : 0};
}

contact_root sis_ledger_root(const power_law* law, const contact_problem* p, contact_memory* memory,
                             contact_cost* cost) {
    double w = p->before, zf = w + p->free;
    contact_root found;
    if (law->both) {
        found = halley_step(law, p, p->free - p->G * p->force_before, memory, cost);
        return cost->powers < 2 ? halley_step(law, p, found.travel, memory, cost) : found;
    }
    if (w <= 0) return zf <= 0 ? (contact_root){p->free, 0} : enter(law, p, memory, cost);
    found = leave(p);
    if (w + found.travel <= 0) return found;
    double push = p->G * power_force(law, w, p->phi_before);
    double ahead = zf - p->G * p->force_before; // where the last force would take it
    double deepest = p->now > ahead ? p->now : ahead;
    if (2 * push < p->free && deepest > 2 * w) return enter(law, p, memory, cost);
    found = 2 * push >= p->free ? rebound(law, p, memory, cost) : compress(law, p, memory, cost);
    return cost->powers < 2 ? halley_step(law, p, found.travel, memory, cost) : found;
}

// The energy that must be gone when the contact opens: E holds (phi(eta^n) + phi(w))/2, and only
// the half of eta^n stays for the next sample. Books the exit exactly: E+ = phi(eta^n)/2.
static bool leaves(const contact_problem* p, double payable) {
    double w = p->before;
    if (w <= 0) return w + p->free <= 0 && p->free < 0;
    return w + 0.5 * (p->free - sqrt(p->free * p->free + 8 * p->G * payable)) <= 0;
}

double sis_ledger_force(const power_law* law, const contact_problem* p, contact_memory* memory,
                        contact_cost* cost) {
    double E = memory->E;
    if (!law->both) {
        double payable = E - 0.5 * p->phi_now;
        if (!(payable > 0)) payable = 0;
        if (leaves(p, payable)) {
            memory->E = E - payable;
            return payable > 0 ? sis_contact_emptying_force(p->free, p->G, payable) : 0;
        }
        if (p->before <= 0 && p->before + p->free <= 0) return 0;
    }
    contact_root root = sis_ledger_root(law, p, memory, cost);
    double x = root.travel, force = root.force;
    // Feed the drift of E against the potential back into the force, gently.
    double drift = 2 * E - p->phi_now - p->phi_before;
    double under = x * x + 0.5 * p->G * E;
    double back = under > 0 ? drift * x / under : 0, most = 0.2 * fabs(force);
    force -= back > most ? most : back < -most ? -most : back;
    force = sis_contact_passive_force(law, force, p->free, p->G, E);
    double after = E + 0.5 * (p->free - p->G * force) * force;
    memory->E = after > 0 ? after : 0;
    return force;
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
        double back = -(2 * E - p->phi_now - p->phi_before) / y, most = 0.5 * fabs(force);
        force += back > most ? most : back < -most ? -most : back;
        if (E + 0.5 * force * y < 0) return resist(p, E);
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
