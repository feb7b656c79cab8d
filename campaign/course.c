// One run, sample by sample: depths, order, speeds, energies, and forces against their law.
#include "course.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double FORCE_LEAST = 1e-6;

// Rounding in the bounds of depth: relative, and of the largest energy so far.
static const double DEEP_HAIR = 1e-6, DEEP_FLOOR = 1e-11;

bool course_open(course* c, const trial* t, sis_system* system, showing* show) {
    *c = (course){.t = t, .system = system, .show = show};
    *show = (showing){.deep_at = -1, .swap_at = -1, .finite = true};
    c->size = sis_state_size(system);
    c->links = sis_system_link_count(system);
    if (c->links > LINKS_MOST || sis_system_probe_count(system) > PROBES_MOST) return false;
    for (int32_t i = 0; i < c->links; i++) {
        c->info[i] = sis_system_link(system, i);
        c->first[i] = c->points;
        c->points += c->info[i].points;
    }
    c->first[c->links] = c->points;
    c->state = aligned_alloc(64, c->size);
    c->eta = calloc(5 * (size_t)c->points, sizeof(double));
    if (!c->state || !c->eta) return false;
    c->force = c->eta + c->points;
    c->eta1 = c->force + c->points;
    c->force1 = c->eta1 + c->points;
    c->eta2 = c->force1 + c->points;
    sis_state_init(system, c->state);
    c->e = sis_state_energy(system, c->state);
    c->initial = c->scale = c->stored = c->e.total;
    return true;
}

void course_close(course* c) {
    free(c->state);
    free(c->eta);
}

// Laws are asked of every third sample, which is even and odd by turns: their powers are dear.
enum { LAW_EVERY = 3 };

// ---------------------------------------------------------------------------- depths and order

// Twice the energy that contact i can have taken up at sample n. All parts of the stored energy are
// positive and E of a contact is the mean of two potentials, so that phi(eta^n) <= 2 E <= 2 H at
// n - 1/2 and n + 1/2. A lossy contact may record what it loses in another sample than it takes it
// (exact restitution): it is held to what was there and has been supplied.
static double twice_available(const course* c, int32_t i) {
    if (c->info[i].mu > 0) return 2 * (c->initial + fmax(c->e1.supplied, c->e.supplied));
    return 2 * fmin(c->e1.total, c->e.total);
}

static double potential(const sis_link_info* info, double eta) {
    if (!(eta > 0)) return isnan(eta) ? eta : 0;
    const double t = info->alpha + 1;
    return info->weight * info->K / t * pow(eta, t);
}

static double depth_of(const sis_link_info* info, double phi) {
    const double t = info->alpha + 1;
    return pow(phi * t / (info->weight * info->K), 1 / t);
}

static void see_depths(course* c, int64_t n) {
    showing* s = c->show;
    bool touching = false;
    for (int32_t i = 0; i < c->links; i++) {
        double deepest = -HUGE_VAL;
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++)
            if (!(c->eta[p] <= deepest)) deepest = c->eta[p];
        if (deepest <= 0) continue;
        touching = true;
        const double bound = (1 + DEEP_HAIR) * twice_available(c, i) + DEEP_FLOOR * c->scale;
        const double part = potential(&c->info[i], deepest) / bound;
        if (!(deepest <= s->deepest)) s->deepest = deepest;
        if (!(part <= s->deep)) s->deep = part;
        if (!(part <= 1) && s->deep_at < 0) s->deep_at = n;
    }
    c->touching += touching;
}

static double place_of(const course* c, const thing* o) {
    return o->moves ? c->row[o->probe] : o->height;
}

// The order of masses, seen in their places themselves.
static void see_order(course* c, int64_t n) {
    showing* s = c->show;
    for (int32_t i = 0; i < c->links; i++) {
        const thing *above = &c->t->pairs[i].above, *below = &c->t->pairs[i].below;
        if ((above->moves && above->probe < 0) || (below->moves && below->probe < 0)) continue;
        const double high = place_of(c, above), low = place_of(c, below), over = low - high;
        if (over <= 0) continue;
        const double bound = twice_available(c, i) + DEEP_FLOOR * c->scale;
        const double most =
            (1 + DEEP_HAIR) * depth_of(&c->info[i], bound) + 1e-9 * (fabs(low) + fabs(high));
        if (!(over / most <= s->swap)) s->swap = over / most;
        if (!(over <= most) && s->swap_at < 0) s->swap_at = n;
    }
}

// ---------------------------------------------------------------------------- speeds and energies

// Between two samples: a velocity over two of them does not see what changes from one to the next.
static void see_speeds(course* c, int64_t n) {
    showing* s = c->show;
    if (n == 0) return;
    double* most = &s->speed[n * WINDOWS / c->t->frames];
    for (int32_t p = 0; p < c->t->probes; p++) {
        const double v = fabs(c->row[p] - c->row1[p]) * c->t->rate;
        if (!(v <= *most)) *most = v;
        if (!(v <= s->fastest)) s->fastest = v;
    }
}

// A force moves the bodies by r = r* - G f: where a contact is stiff both terms are far larger than
// r, and the work f r of a sample is known to the rounding of f G f only.
static void see_energy(course* c) {
    const sis_energy* e = &c->e;
    for (int32_t i = 0; i < c->links; i++)
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++)
            c->rounding += DBL_EPSILON * c->info[i].compliance * c->force[p] * c->force[p];
    c->scale = fmax(c->scale, fmax(e->total, fmax(fabs(e->supplied), e->dissipated)));
    c->stored = fmax(c->stored, e->total);
    if (!(fabs(e->residual) <= c->show->residual)) c->show->residual = fabs(e->residual); // J
}

// ---------------------------------------------------------------------------- the law of a force

// f(r) = DG(w, r) max(0, 1 + mu r/2k), DG = (phi(w + r) - phi(w))/r, and its slope.
typedef struct law_value {
    long double force, slope;
} law_value;

static law_value law_at(const sis_link_info* info, double k, double w, double z) {
    const long double K = (long double)info->weight * info->K, a = info->alpha, t = a + 1;
    const long double r = (long double)z - w, deep = fmax(w, 0), to = fmax(z, 0);
    long double value, slope;
    if (w > 0 && fabsl(r) < 1e-5L * w) { // where the difference would cancel: about the middle
        const long double middle = w + r / 2, force = K * powl(middle, a);
        value = force * (1 + a * (a - 1) / 24 * (r / middle) * (r / middle));
        slope = a * force / middle / 2;
    } else if (r == 0) {
        return (law_value){0, 0};
    } else {
        value = K / t * (powl(to, t) - powl(deep, t)) / r;
        slope = (K * powl(to, a) - value) / r;
    }
    const long double nu = info->mu / (2 * k), R = 1 + nu * r;
    if (R <= 0) return (law_value){0, 0};
    return (law_value){value * R, slope * R + nu * value};
}

// Is point p of link i the only one of its block that gave a force in the sample before?
static bool stood_alone(const course* c, int32_t i, int32_t p) {
    if (c->info[i].block_size == 1) return true;
    for (int32_t j = 0; j < c->links; j++) {
        if (c->info[j].block != c->info[i].block) continue;
        for (int32_t q = c->first[j]; q < c->first[j + 1]; q++)
            if (q != p && c->force1[q] != 0) return false;
    }
    return true;
}

bool course_opens_alone(const course* c, int32_t i, int32_t p) {
    return c->info[i].mu > 0 && c->eta2[p] > 0 && c->eta[p] <= 1e-9 * c->eta2[p] &&
           stood_alone(c, i, p);
}

// How far the force of the sample before is from the one that obeys its law, all other forces as
// they are: one Newton step of r + G f(r) = r*, taken in more digits than the run has.
static void see_laws(course* c) {
    // A first touch can be of any size; one that moves nobody by this much is none.
    const double k = 1 / c->t->rate, nothing = 1e-12 * c->show->fastest * k;
    for (int32_t i = 0; i < c->links; i++)
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++) {
            const double f = c->force1[p];
            if (f == 0 && !(c->eta2[p] > 0) && !(c->eta[p] > 0)) continue;
            if (f > c->largest[i]) c->largest[i] = f;
            if (course_opens_alone(c, i, p)) continue;
            const law_value law = law_at(&c->info[i], k, c->eta2[p], c->eta[p]);
            const double off = (double)((f - law.force) / (1 + c->info[i].compliance * law.slope));
            const double right = fabs(f - off);
            if (right > c->largest[i]) c->largest[i] = right;
            const double least = fmax(FORCE_LEAST * c->largest[i], nothing / c->info[i].compliance);
            const double error = fabs(off) / fmax(right, least);
            histogram_add(&c->show->law, off == 0 ? 0 : isnan(error) ? HUGE_VAL : error);
        }
}

// ---------------------------------------------------------------------------- a sample, the end

void course_step(course* c, int64_t n) {
    const size_t size = (size_t)c->points * sizeof(double);
    c->e1 = c->e;
    memcpy(c->eta2, c->eta1, size);
    memcpy(c->eta1, c->eta, size);
    memcpy(c->force1, c->force, size);
    memcpy(c->row1, c->row, sizeof c->row);
    sis_step(c->system, c->state, &(sis_block){.frames = 1, .probes = c->row, .energy = &c->e});
    for (int32_t i = 0; i < c->links; i++)
        sis_state_contact(c->system, c->state, i, c->eta + c->first[i], c->force + c->first[i]);
    see_energy(c);
    see_depths(c, n);
    see_order(c, n);
    see_speeds(c, n);
    if (n > 1 && n % LAW_EVERY == 0) see_laws(c);
}

void course_end(course* c) {
    showing* s = c->show;
    for (int32_t i = 0; i < c->links; i++) {
        const sis_link_report r = sis_state_link(c->system, c->state, i);
        const double pull = r.max_force > 0 ? r.min_force / r.max_force : r.min_force;
        if (!(pull >= s->pull)) s->pull = pull;
        if (r.trapped_max != 0 && !(r.trapped_max / c->stored <= s->trapped))
            s->trapped = r.trapped_max / c->stored;
    }
    const double scale = fmax(c->scale, c->rounding / RESIDUAL);
    if (scale > 0) s->residual /= scale; // else nothing has moved
    s->touching = (double)c->touching / c->t->frames;
    s->finite = isfinite(s->fastest + s->deep + s->residual + s->pull + s->trapped + s->swap);
}
