#include "impact/impact.h"

#include <math.h>

double sis_impact_law(const impact_problem* p, double x, double v, contact_cost* cost) {
    if (!(x > 0)) return 0;
    cost->powers++;
    return p->law->K * sis_power_raise(p->law, x) * (1 + p->mu * v);
}

// Trapezoid: v1 = v + k/2 (a0 + a1), x1 = x + k/2 (v + v1), implicit in f1. Along f1 both x1 and v1
// fall, so f1 - f(x1, v1) rises while 1 + mu v > 0: bracketed Newton.
static impact_state am1(const impact_problem* p, impact_state s, contact_cost* cost) {
    double k = p->k, dv = 0.5 * k / p->mass, dx = 0.5 * k * dv;
    double v = s.v + k * p->acceleration - dv * s.force, x = s.x + 0.5 * k * (s.v + v);
    double low = 0, high = sis_impact_law(p, x, v, cost), f = high;
    if (!(x > 0) || !(high > 0)) return (impact_state){x, v, 0, s.entry, 0, false};
    for (int i = 0; i < 100; i++) {
        double x1 = x - dx * f, v1 = v - dv * f, law = sis_impact_law(p, x1, v1, cost);
        double rise =
            x1 > 0 ? law * p->law->alpha * dx / x1 + p->mu * law * dv / (1 + p->mu * v1) : 0;
        double miss = f - law;
        cost->iterations++;
        if (miss > 0)
            high = f;
        else
            low = f;
        double next = f - miss / (1 + rise);
        bool done = fabs(next - f) <= 1e-15 * fabs(f);
        if (!done && !(next > low && next < high)) next = 0.5 * (low + high);
        f = next;
        if (done) break;
    }
    return (impact_state){x - dx * f, v - dv * f, f, s.entry, 0, false};
}

// Velocity Verlet, eq. 21: the new force is taken at the half-way velocity, and kept.
static impact_state verlet(const impact_problem* p, impact_state s, contact_cost* cost) {
    double half = s.v + 0.5 * p->k * (p->acceleration - s.force / p->mass), x = s.x + p->k * half;
    double f = sis_impact_law(p, x, half, cost);
    return (impact_state){x,    half + 0.5 * p->k * (p->acceleration - f / p->mass), f, s.entry, 0,
                          false};
}

// Eq. 22, not the textbook's Heun: x moves with the mean of v and its prediction, and the force at
// the predicted velocity is kept for the next step.
static impact_state heun(const impact_problem* p, impact_state s, contact_cost* cost) {
    double a = p->acceleration - s.force / p->mass, guess = s.v + p->k * a;
    double x = s.x + 0.5 * p->k * (s.v + guess), f = sis_impact_law(p, x, guess, cost);
    return (impact_state){
        x, s.v + 0.5 * p->k * (a + p->acceleration - f / p->mass), f, s.entry, 0, false};
}

static double pull(const impact_problem* p, double x, double v, contact_cost* cost) {
    return p->acceleration - sis_impact_law(p, x, v, cost) / p->mass;
}

static impact_state rk4(const impact_problem* p, impact_state s, contact_cost* cost) {
    double k = p->k, x = s.x, v = s.v;
    double l1 = k * v, k1 = k * pull(p, x, v, cost);
    double l2 = k * (v + 0.5 * k1), k2 = k * pull(p, x + 0.5 * l1, v + 0.5 * k1, cost);
    double l3 = k * (v + 0.5 * k2), k3 = k * pull(p, x + 0.5 * l2, v + 0.5 * k2, cost);
    double l4 = k * (v + k3), k4 = k * pull(p, x + l3, v + k3, cost);
    x += (l1 + 2 * l2 + 2 * l3 + l4) / 6;
    v += (k1 + 2 * k2 + 2 * k3 + k4) / 6;
    return (impact_state){x, v, sis_impact_law(p, x, v, cost), s.entry, 0, false};
}

// Power of the loss, W.
static double loss_at(const impact_problem* p, impact_state s, contact_cost* cost) {
    return p->mu > 0 ? p->mu * sis_impact_law(p, s.x, 0, cost) * s.v * s.v : 0;
}

// The flow of the contact alone; everything else has come as a kick before.
static impact_state invariant(const impact_problem* p, impact_state s, contact_cost* cost) {
    s = sis_impact_flow(p, s, cost);
    s.force = sis_impact_law(p, s.x, s.v, cost);
    return s;
}

// The impact of this contact, as the closed forms want it.
static sis_impact impact_of(const impact_problem* p, double speed) {
    return (sis_impact){p->mass, p->law->K, p->law->alpha, p->mu, speed};
}

// Speed at first touch: from outside by the way left to the wall, from inside by the first
// integral.
static double entry_speed(const impact_problem* p, impact_state s, contact_cost* cost) {
    if (s.x <= 0) {
        double square = s.v * s.v - 2 * p->acceleration * s.x;
        return square > 0 ? sqrt(square) : 0;
    }
    cost->powers++;
    double phi = p->law->K_over_t * s.x * sis_power_raise(p->law, s.x);
    double z = p->mu * s.v;
    if (!(p->mu > 0)) return sqrt(s.v * s.v + 2 * phi / p->mass);
    double c = p->mu * p->mu * phi / p->mass + (z > -1 ? sis_impact_integral(z) : 0);
    return sis_impact_integral_inverse(c, false) / p->mu;
}

// At the end of an impact: its energy against the exact one, with the way since the wall taken
// back.
static void end_impact(const impact_problem* p, impact_state* s, contact_cost* cost) {
    sis_impact impact = impact_of(p, s->entry);
    double exact = s->entry > 0 ? sis_impact_leaves(&impact) : 0;
    double way = 2 * p->acceleration * s->x; // v^2 = v_wall^2 + way
    if (p->corrected) {
        double square = exact * exact + way;
        s->v = square > 0 ? -sqrt(square) : 0;
    }
    cost->impact_ended = exact > 0;
    double drift = exact > 0 ? (s->v * s->v - way) / (exact * exact) - 1 : 0;
    cost->drift = drift < 1e100 ? drift : 1e100; // also when it is not a number
}

// Stored beyond the motion the bodies show: with it the total in contact is the integrator's own M
// v^2/2 + phi.
double sis_impact_stored(const impact_problem* p, double x, impact_state end, double phi) {
    if (!(x > 0) && !(end.x > 0) && !end.touched) return 0;
    double mean = (end.x - x) / p->k;
    return 0.5 * p->mass * (end.v - mean) * (end.v + mean) + phi;
}

// M v^2/2 + phi, J.
static double energy_at(const impact_problem* p, impact_state s, contact_cost* cost) {
    cost->powers += s.x > 0;
    return 0.5 * p->mass * s.v * s.v + power_phi(p->law, s.x > 0 ? s.x : 0);
}

// The same from the force the method keeps, as if there were no loss: no power.
static double guess_at(const impact_problem* p, impact_state s) {
    double phi = s.x > 0 ? fabs(s.force) * s.x * p->law->inverse_t : 0;
    return 0.5 * p->mass * s.v * s.v + phi;
}

// A contact takes energy, and a steady acceleration a gives at most what it would give to a free
// mass: of E = M v^2/2 + phi, d(sqrt E)/dt <= |a| sqrt(M/2). By how much the energy after a step is
// beyond that; 0: not beyond IMPACT_MOST times it.
static double growth_of(const impact_problem* p, impact_state s, impact_state end,
                        contact_cost* cost) {
    double given = fabs(p->acceleration) * p->k * sqrt(0.5 * p->mass), before, after;
    double guess = sqrt(guess_at(p, s)) + given;
    if (guess_at(p, end) <= 0.5 * IMPACT_MOST * guess * guess) return 0;
    before = sqrt(energy_at(p, s, cost)) + given;
    after = energy_at(p, end, cost);
    return after > IMPACT_MOST * before * before ? after / (before * before) : 0;
}

// No answer: counted where root counts its complex ones.
static void tell_growth(double growth, contact_cost* cost) {
    cost->complex_root = true;
    cost->discriminant = growth < 1e300 ? growth : 1e300; // also when it is not a number
}

impact_state sis_impact_step(const impact_problem* p, impact_state s, contact_cost* cost) {
    impact_state end;
    switch (p->scheme) {
    case SIS_SCHEME_AM1:
        end = am1(p, s, cost);
        break;
    case SIS_SCHEME_VERLET:
        end = verlet(p, s, cost);
        break;
    case SIS_SCHEME_HEUN:
        end = heun(p, s, cost);
        break;
    case SIS_SCHEME_RK4:
        end = rk4(p, s, cost);
        break;
    default:
        end = invariant(p, s, cost);
        break;
    }
    // An explicit method may blow up in one step on a wall too hard for it: then the mass is
    // stopped.
    double growth = 0;
    if (!(fabs(end.x) < 1e50 && fabs(end.v) < 1e50 && fabs(end.force) < 1e100)) {
        end = (impact_state){s.x < 0 ? s.x : 0, 0, 0, s.entry, 0, false};
        growth = HUGE_VAL;
    } else if (p->scheme != SIS_SCHEME_INVARIANT) {
        growth = growth_of(p, s, end, cost);
    }
    if (growth > 0) tell_growth(growth, cost);
    // The invariant flow knows its loss; the others lose what the law takes at the two ends.
    if (p->scheme != SIS_SCHEME_INVARIANT)
        end.lost = 0.5 * p->k * (loss_at(p, s, cost) + loss_at(p, end, cost));
    if (!(fabs(end.lost) < 1e150)) end.lost = 0;
    if (end.x > 0 && (s.x <= 0 || !(s.entry > 0))) end.entry = entry_speed(p, s, cost);
    if (p->corrected && end.x > 0) {
        sis_impact impact = impact_of(p, end.entry);
        double most = sis_impact_deepest(&impact);
        if (end.x > most) {
            end.x = most;
            end.force = sis_impact_law(p, end.x, end.v, cost);
        }
    }
    bool within = end.touched && s.x <= 0 && end.x <= 0; // came and left inside the sample
    if (within) end.entry = entry_speed(p, s, cost);
    if ((s.x > 0 || within) && end.x <= 0) {
        end_impact(p, &end, cost);
        end.entry = 0;
    }
    return end;
}
