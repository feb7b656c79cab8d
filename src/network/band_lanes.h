// Points of a banded string over lanes: the tangents of their law, how far those reach, and their
// energies. Included by src/wide. What contact_point.c does for one contact in a block is done here
// for LANES neighbours; those that are not chosen are computed along and not used.
#include "contact/schemes_lanes.h"
#include "network/band.h"

// Where the tangent of the last forces leads within so much of the depth, in exponents, it is a
// good place to begin; else the root of the point alone.
#define BAND_NEAR 1e-3

LANES_FN unsigned band_chosen(const band_run* run, const network_work* work, int32_t i) {
    unsigned bits = 0;
    const int32_t left = run->first + run->count - i;
    for (int32_t lane = 0; lane < LANES && lane < left; lane++)
        bits |= (unsigned)work->chosen[i + lane] << lane;
    return bits;
}

LANES_FN void band_put(double* to, lanes_mask used, lanes value) {
    lanes_store(to, lanes_pick(used, value, lanes_load(to)));
}

LANES_FN void band_load(const band_run* run, const network_work* work, int32_t i,
                        lanes_contact* c) {
    const contact_memory* m = &work->memory;
    c->now = lanes_load(m->eta + i);
    c->before = lanes_load(m->before + i);
    c->G = lanes_load(run->G + (i - run->first));
    c->nu = lanes_all(run->law->nu);
    c->phi_now = lanes_load(work->phi + i);
    c->phi_before = lanes_load(m->phi_before + i);
    c->force_before = lanes_load(m->force + i);
    c->E = lanes_load(m->E + i);
    c->mark_depth = lanes_load(m->mark_depth + i);
    c->mark_phi = lanes_load(m->mark_phi + i);
    c->powers = c->unsolved = lanes_all(0);
}

LANES_FN void band_keep_marks(const lanes_contact* c, unsigned bits, lanes_mask used, int32_t i,
                              network_work* work) {
    double powers[LANES], unsolved[LANES];
    band_put(work->memory.mark_depth + i, used, c->mark_depth);
    band_put(work->memory.mark_phi + i, used, c->mark_phi);
    lanes_store(powers, c->powers);
    lanes_store(unsolved, c->unsolved);
    for (int32_t lane = 0; lane < LANES; lane++) {
        if (!(bits >> lane & 1)) continue;
        work->cost[i + lane].powers += (uint32_t)powers[lane];
        work->cost[i + lane].unsolved |= unsolved[lane] != 0;
    }
}

// Value and slope of the law over the travel r, loss included.
typedef struct band_tangent {
    lanes value, slope;
} band_tangent;

LANES_FN band_tangent band_tangent_at(const contact_law* law, const lanes_law* l, lanes_contact* c,
                                      lanes r, lanes_mask used) {
    lanes zero = lanes_all(0);
    const lanes_gradient dg = lanes_gradient_at(l, c->before, c->phi_before, r, used);
    band_tangent t = {dg.value, dg.slope};
    lanes_mask leaves = used & lanes_less(zero, c->before) & lanes_at_most(c->before + r, zero);
    if (law->scheme != SIS_SCHEME_LEDGER) leaves = leaves & lanes_less(zero, zero);
    if (lanes_any_rarely(leaves)) { // what E holds of phi(w): see gradient_of
        lanes held = 2 * c->E - c->phi_now;
        lanes_mask pays = leaves & lanes_less(zero, held);
        lanes push = lanes_min(-held / r, lanes_all(1e100));
        t.value = lanes_pick(leaves, lanes_pick(pays, push, zero), t.value);
        t.slope = lanes_pick(leaves, lanes_pick(pays, lanes_min(-push / r, lanes_all(1e150)), zero),
                             t.slope);
    }
    lanes_mark(c, used & ~leaves, dg.depth, dg.phi);
    if (law->nu > 0) {
        lanes rate = 1 + c->nu * r;
        lanes_mask pushes = lanes_less(zero, rate);
        t.slope = lanes_pick(pushes, t.slope * rate + c->nu * t.value, zero);
        t.value = lanes_pick(pushes, t.value * rate, zero);
    }
    return t;
}

LANES_FN void band_put_tangent(band_tangent t, lanes r, lanes_mask used, int32_t i,
                               network_work* work) {
    band_put(work->q + i, used, t.value);
    band_put(work->a + i, used, t.slope);
    band_put(work->at + i, used, r);
}

// Which points the tangent t at r leads far from r; with the others' last forces r moves by
// G (F - f)/(1 + G F').
LANES_FN lanes_mask band_far(const lanes_law* l, const lanes_contact* c, band_tangent t, lanes r) {
    lanes zero = lanes_all(0), z = c->before + r;
    lanes moved = c->G * lanes_abs(t.value - c->force_before) * lanes_exponent(l, z);
    lanes_mask near = lanes_less(zero, c->before) & lanes_less(zero, z) &
                      lanes_at_most(moved, BAND_NEAR * z * (1 + c->G * t.slope));
    return ~near;
}

static void band_begin(const band_run* run, network_work* work) {
    const contact_law* law = run->law;
    lanes_law scratch;
    const lanes_law* l = lanes_law_at(&law->power, &scratch);
    for (int32_t i = run->first; i < run->first + run->count; i += LANES) {
        const unsigned bits = band_chosen(run, work, i);
        if (!bits) continue;
        const lanes_mask used = lanes_from_which(bits);
        lanes_contact c;
        band_load(run, work, i, &c);
        c.phi_now = lanes_contact_phi(l, &c, c.now, used);
        lanes r = lanes_load(work->travel + i);
        band_tangent t = band_tangent_at(law, l, &c, r, used);
        lanes_mask far = used & band_far(l, &c, t, r);
        if (lanes_any(far)) {
            c.free = r + c.G * c.force_before;
            lanes root = law->nu > 0 ? lanes_ledger_root_lossy(l, &c, far).travel
                                     : lanes_ledger_root(l, &c, far).travel;
            const band_tangent there = band_tangent_at(law, l, &c, root, far);
            t.value = lanes_pick(far, there.value, t.value);
            t.slope = lanes_pick(far, there.slope, t.slope);
            r = lanes_pick(far, root, r);
        }
        band_put_tangent(t, r, used, i, work);
        band_put(work->phi + i, used, c.phi_now);
        band_keep_marks(&c, bits, used, i, work);
        for (int32_t lane = 0; lane < LANES; lane++)
            if (bits >> lane & 1) work->loss[i + lane] = 0;
    }
}

static void band_tangents(const band_run* run, network_work* work) {
    lanes_law scratch;
    const lanes_law* l = lanes_law_at(&run->law->power, &scratch);
    for (int32_t i = run->first; i < run->first + run->count; i += LANES) {
        const unsigned bits = band_chosen(run, work, i);
        if (!bits) continue;
        const lanes_mask used = lanes_from_which(bits);
        lanes_contact c;
        band_load(run, work, i, &c);
        lanes r = lanes_load(work->travel + i);
        band_put_tangent(band_tangent_at(run->law, l, &c, r, used), r, used, i, work);
        band_keep_marks(&c, bits, used, i, work);
    }
}

static void band_look(const band_run* run, double rounding, const network_work* work,
                      network_gap* gap) {
    lanes_law scratch;
    const lanes_law* l = lanes_law_at(&run->law->power, &scratch);
    lanes zero = lanes_all(0), most = lanes_all(gap->largest);
    for (int32_t i = run->first; i < run->first + run->count; i += LANES) {
        const unsigned bits = band_chosen(run, work, i);
        if (!bits) continue;
        const lanes_mask used = lanes_from_which(bits);
        lanes before = lanes_load(work->memory.before + i), r = lanes_load(work->travel + i);
        lanes size = lanes_abs(before) + rounding, z = before + r;
        lanes at = lanes_load(work->at + i), step = lanes_abs(r - at);
        lanes reach = lanes_pick(lanes_less(zero, z), z / lanes_exponent(l, z), lanes_abs(r));
        lanes_mask enough =
            lanes_at_most(step, LEDGER_ENOUGH * lanes_max(reach, lanes_all(1e-9) * size));
        if (lanes_any(used & ~enough)) gap->enough = false;
        if (run->law->nu > 0) {
            lanes_mask from = lanes_less(zero, 1 + run->law->nu * at);
            lanes_mask to = lanes_less(zero, 1 + run->law->nu * r);
            if (lanes_any(used & (from ^ to))) gap->corner = true;
        }
        lanes_mask more = used & ~lanes_at_most(step, most * size);
        if (lanes_any(more)) most = lanes_pick(more, step / size, most);
    }
    double each[LANES];
    lanes_store(each, most);
    for (int32_t lane = 0; lane < LANES; lane++) // also when one is not a number
        if (!(each[lane] <= gap->largest)) gap->largest = each[lane];
}

// Energies after the sample (see settle_gradient); the loss is summed point by point, the same at
// every width.
static double band_settle(const band_run* run, network_work* work) {
    const contact_law* law = run->law;
    const contact_memory* m = &work->memory;
    lanes_law scratch;
    const lanes_law* l = lanes_law_at(&law->power, &scratch);
    double sum = 0;
    for (int32_t i = run->first; i < run->first + run->count; i += LANES) {
        const unsigned bits = band_chosen(run, work, i);
        if (!bits) continue;
        const lanes_mask used = lanes_from_which(bits);
        lanes_contact c;
        band_load(run, work, i, &c);
        lanes zero = lanes_all(0), r = lanes_load(work->travel + i);
        lanes f = lanes_load(work->force + i), F = f, lost = zero;
        lanes_mask unknown = lanes_less(zero, zero);
        if (law->nu > 0) {
            lanes rate = 1 + c.nu * r;
            unknown = used & ~lanes_less(lanes_all(1e-3), rate);
            F = f / lanes_pick(unknown, lanes_all(1), rate);
            lost = 0.5 * r * (f - F);
        }
        lanes after = c.E + 0.5 * r * F;
        if (lanes_any_rarely(unknown)) {
            lanes whole = c.E + 0.5 * r * f;
            lanes mean = 0.5 * (c.phi_now + lanes_contact_phi(l, &c, c.before + r, unknown));
            mean = lanes_min(whole, mean);
            after = lanes_pick(unknown, mean, after);
            lost = lanes_pick(unknown, lanes_max(whole - mean, zero), lost);
            band_keep_marks(&c, bits, unknown, i, work);
        }
        lanes_mask open = lanes_at_most(c.now, zero) & lanes_at_most(c.before + r, zero);
        lanes least = lanes_pick(open, 1e-12 * lanes_abs(c.E), lanes_all(1e-100));
        lanes_mask kept = lanes_less(lanes_max(least, lanes_all(1e-100)), after) &
                          lanes_less(after, lanes_all(1e200));
        lanes_mask gone = ~kept & lanes_less(zero, after) & lanes_less(after, lanes_all(1e200));
        lost = lanes_pick(gone, lost + after, lost);
        band_put(m->E + i, used, lanes_pick(kept, after, zero));
        band_put(m->force + i, used, f);
        band_put(m->phi_before + i, used, c.phi_now);
        if (!lanes_any(used & ~lanes_equal(lost, zero))) continue;
        double each[LANES];
        lanes_store(each, lost);
        for (int32_t lane = 0; lane < LANES; lane++)
            if (bits >> lane & 1) sum += each[lane];
    }
    return sum;
}

static const band_kernel band_passes = {band_begin, band_tangents, band_look, band_settle};
