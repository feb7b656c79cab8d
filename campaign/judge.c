// Runs a trial with the scheme to be judged and with newton, and asks the laws.
//
// The force that converges: before each sample the state is copied, and the copy is stepped by the
// system that newton was compiled into. Both systems come from one scene and lay out their states
// alike; newton takes eta^{n-1}, eta^n and the motion of the bodies from a state, and nothing else
// that a scheme has put there but first guesses. That eta^n reads the same through both is checked.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign.h"

const double FORCE_OFF = 1e-6;

// A force is weighed against its own size, or this part of the largest of its contact.
static const double FORCE_LEAST = 1e-6;

// Rounding in the bounds of depth: relative, and of the largest energy so far.
static const double DEEP_HAIR = 1e-6, DEEP_FLOOR = 1e-11;

static const double REST = 1e-5, WOKEN = 1e-4; // of the fastest
static const double TRAPPED = 1e-9, RESIDUAL = 1e-12;

const char* law_word(trial_law l) {
    static const char* const words[] = {"burst",    "deep",  "trapped", "pull",
                                        "residual", "swaps", "finite"};
    return words[l];
}

// ---------------------------------------------------------------------------- a run

enum { LINKS_MOST = PAIRS_MOST };

typedef struct course {
    const trial* t;
    sis_system* system;
    sis_state* state;
    size_t size;
    int32_t links, points;         // of all links
    int32_t first[LINKS_MOST + 1]; // point of each link
    sis_link_info info[LINKS_MOST];
    double *eta, *force; // [points] of this sample
    double* eta1;        // of the sample before
    double row[PROBES_MOST], row1[PROBES_MOST];
    sis_energy e, e1; // after this sample, and after the one before
    double initial;   // J
    double scale;     // J, largest of stored, |supplied| and dissipated so far
    double stored;    // J, largest
    int64_t touching;
    showing* show;
} course;

static bool course_open(course* c, const trial* t, sis_system* system, showing* show) {
    *c = (course){.t = t, .system = system, .show = show};
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
    c->eta = calloc(3 * (size_t)c->points, sizeof(double));
    if (!c->state || !c->eta) return false;
    c->force = c->eta + c->points;
    c->eta1 = c->force + c->points;
    sis_state_init(system, c->state);
    c->e = sis_state_energy(system, c->state);
    c->initial = c->scale = c->stored = c->e.total;
    *show = (showing){.deep_at = -1, .swap_at = -1, .finite = true};
    return true;
}

static void course_close(course* c) {
    free(c->state);
    free(c->eta);
}

static void read_contacts(const course* c, const sis_state* state, double* eta, double* force) {
    for (int32_t i = 0; i < c->links; i++)
        sis_state_contact(c->system, state, i, eta + c->first[i], force + c->first[i]);
}

static void course_step(course* c) {
    c->e1 = c->e;
    memcpy(c->eta1, c->eta, (size_t)c->points * sizeof(double));
    memcpy(c->row1, c->row, sizeof c->row);
    sis_step(c->system, c->state, &(sis_block){.frames = 1, .probes = c->row, .energy = &c->e});
    read_contacts(c, c->state, c->eta, c->force);
}

// ---------------------------------------------------------------------------- what it shows

// Twice the energy that contact i can have taken up at sample n. All parts of the stored energy are
// positive and E of a contact is the mean of two potentials, so that phi(eta^n) <= 2 E <= 2 H at
// n - 1/2 and n + 1/2. A lossy contact may record what it loses in another sample than it takes it
// (exact restitution): it is held to what was there and has been supplied.
static double twice_available(const course* c, int32_t i) {
    if (c->info[i].mu > 0) return 2 * fmax(c->initial + c->e1.supplied, c->initial + c->e.supplied);
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

static void see_energy(course* c) {
    const sis_energy* e = &c->e;
    c->scale = fmax(c->scale, fmax(e->total, fmax(fabs(e->supplied), e->dissipated)));
    c->stored = fmax(c->stored, e->total);
    if (!(fabs(e->residual) <= c->show->residual))
        c->show->residual = fabs(e->residual); // J so far
}

static void see(course* c, int64_t n) {
    see_energy(c);
    see_depths(c, n);
    see_order(c, n);
    see_speeds(c, n);
}

static void see_end(course* c) {
    showing* s = c->show;
    for (int32_t i = 0; i < c->links; i++) {
        const sis_link_report r = sis_state_link(c->system, c->state, i);
        const double pull = r.max_force > 0 ? r.min_force / r.max_force : r.min_force;
        if (!(pull >= s->pull)) s->pull = pull;
        if (!(r.trapped_max / c->stored <= s->trapped) && r.trapped_max > 0)
            s->trapped = r.trapped_max / c->stored;
    }
    if (c->scale > 0) s->residual /= c->scale;
    s->touching = (double)c->touching / c->t->frames;
    s->finite = isfinite(s->fastest + s->deep + s->residual + s->pull + s->trapped + s->swap);
}

// ---------------------------------------------------------------------------- forces

typedef struct comparison {
    sis_system* system; // newton's
    sis_state* copy;
    double *eta, *force; // [points] of the copy
    double* error;       // [points] of the sample before; < 0: nothing to compare
    double* eta2;        // [points] eta^{n-2} when eta is eta^n
    bool* alone;         // [points] no other contact of its block gave a force
    double* force1;      // [points] forces of the sample before, to tell of them
    double* right1;
    double largest[LINKS_MOST]; // N, of each contact
    int32_t block[LINKS_MOST], block_size[LINKS_MOST];
    verdict* v;
    histogram* errors;
} comparison;

static bool comparison_open(comparison* k, const course* c, sis_system* newton,
                            const sis_state* reference, verdict* v, histogram* errors) {
    const size_t points = (size_t)c->points;
    *k = (comparison){.system = newton, .v = v, .errors = errors};
    if (sis_state_size(newton) != c->size || sis_system_link_count(newton) != c->links)
        return false;
    k->copy = aligned_alloc(64, c->size);
    k->eta = calloc(6 * points, sizeof(double));
    k->alone = calloc(points, sizeof(bool));
    if (!k->copy || !k->eta || !k->alone) return false;
    k->force = k->eta + points;
    k->error = k->force + points;
    k->eta2 = k->error + points;
    k->force1 = k->eta2 + points;
    k->right1 = k->force1 + points;
    for (int32_t p = 0; p < c->points; p++)
        k->error[p] = -1;
    for (int32_t i = 0; i < c->links; i++) {
        k->largest[i] = sis_state_link(newton, reference, i).max_force;
        k->block[i] = c->info[i].block;
        k->block_size[i] = c->info[i].block_size;
    }
    return true;
}

static void comparison_close(comparison* k) {
    free(k->copy);
    free(k->eta);
    free(k->alone);
}

// Counts the errors of sample n - 1, now that eta^n is known. Where a lossy contact by itself
// opens, exact restitution acts, which is not newton's.
static void count_errors(comparison* k, const course* c, int64_t n) {
    for (int32_t i = 0; i < c->links; i++)
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++) {
            const double error = k->error[p];
            k->error[p] = -1;
            if (error < 0) continue;
            if (c->info[i].mu > 0 && k->alone[p] && k->eta2[p] > 0 && c->eta[p] <= 0) continue;
            verdict* v = k->v;
            histogram_add(k->errors, error);
            v->points++;
            const miss m = {error,      n - 1,        i,           p - c->first[i], k->eta2[p],
                            c->eta1[p], k->force1[p], k->right1[p]};
            if (!(error <= v->worst.error)) v->worst = m;
            if (error <= FORCE_OFF) continue;
            if (v->points_off++ == 0) v->first = m;
        }
}

// How many points of each block give a force; returns whether point p of link i is the only one.
static bool stands_alone(const comparison* k, const course* c, int32_t i, int32_t p) {
    if (k->block_size[i] == 1) return true;
    for (int32_t j = 0; j < c->links; j++) {
        if (k->block[j] != k->block[i]) continue;
        for (int32_t q = c->first[j]; q < c->first[j + 1]; q++)
            if (q != p && (c->force[q] != 0 || k->force[q] != 0)) return false;
    }
    return true;
}

static bool any_near(const course* c) {
    for (int32_t p = 0; p < c->points; p++)
        if (c->force[p] != 0 || c->eta[p] > 0 || c->eta1[p] > 0) return true;
    return false;
}

// Steps the copy, taken before this sample, by newton and compares. False: the two states are not
// laid out alike.
static bool compare(comparison* k, course* c, int64_t n) {
    if (n > 1) count_errors(k, c, n);
    if (n < 1 || !any_near(c)) return true;
    sis_step(k->system, k->copy, &(sis_block){.frames = 1});
    for (int32_t i = 0; i < c->links; i++)
        sis_state_contact(k->system, k->copy, i, k->eta + c->first[i], k->force + c->first[i]);
    for (int32_t i = 0; i < c->links; i++)
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++) {
            const double f = c->force[p], right = k->force[p];
            if (f != 0 && right != 0 && c->eta[p] != k->eta[p]) return false;
            k->eta2[p] = c->eta1[p];
            if (f == 0 && right == 0) continue;
            if (f > k->largest[i]) k->largest[i] = f;
            const double size = fmax(fabs(right), FORCE_LEAST * k->largest[i]);
            k->error[p] = fabs(f - right) / size;
            if (isnan(k->error[p])) k->error[p] = HUGE_VAL;
            k->force1[p] = f;
            k->right1[p] = right;
            k->alone[p] = c->info[i].mu > 0 && stands_alone(k, c, i, p);
        }
    return true;
}

// ---------------------------------------------------------------------------- laws

// From where on does the reference rest for good? Chaos may let the other come to rest later: it is
// given a quarter of that time more.
static void judge_burst(verdict* v) {
    const showing *s = &v->judged, *r = &v->reference;
    int from = WINDOWS;
    while (from > 0 && r->speed[from - 1] < REST * r->fastest)
        from--;
    v->rest_from = from;
    v->woken = 0;
    for (int w = from + 1 + from / 4; w < WINDOWS; w++)
        v->woken = fmax(v->woken, s->speed[w] / s->fastest);
    if (v->woken > WOKEN) v->broken |= 1u << LAW_BURST;
}

static unsigned judge_run(const showing* s, double residual) {
    unsigned broken = 0;
    if (s->deep_at >= 0) broken |= 1u << LAW_DEEP;
    if (!(s->trapped <= TRAPPED)) broken |= 1u << LAW_TRAPPED;
    if (!(s->pull >= 0)) broken |= 1u << LAW_PULL;
    if (!(s->residual <= residual)) broken |= 1u << LAW_RESIDUAL;
    if (s->swap_at >= 0) broken |= 1u << LAW_SWAP;
    if (!s->finite) broken |= 1u << LAW_FINITE;
    return broken;
}

static sis_system* compile(const trial* t, sis_scheme scheme, verdict* v) {
    const sis_options options = {.rate = t->rate, .scheme = scheme};
    if (t->error.status != SIS_OK) {
        v->error = t->error;
        return NULL;
    }
    return sis_compile(t->scene, &options, &v->error);
}

static void fail(verdict* v, const char* why) {
    v->error.status = SIS_REFUSED;
    strncpy(v->error.text, why, sizeof v->error.text - 1);
}

static void run_judged(const trial* t, course* c, course* r, verdict* v, histogram* errors) {
    comparison k;
    if (!comparison_open(&k, c, r->system, r->state, v, errors)) {
        fail(v, "the state of newton is laid out in another way: forces cannot be compared");
        v->broken |= 1u << LAW_FINITE;
    } else {
        for (int64_t n = 0; n < t->frames; n++) {
            memcpy(k.copy, c->state, c->size);
            course_step(c);
            see(c, n);
            if (compare(&k, c, n)) continue;
            fail(v,
                 "eta reads differently through the system of newton: forces cannot be compared");
            v->broken |= 1u << LAW_FINITE;
            break;
        }
        see_end(c);
    }
    comparison_close(&k);
}

void trial_judge(const trial* t, sis_scheme scheme, verdict* v, histogram* errors) {
    *v = (verdict){0};
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    sis_system *judged = compile(t, scheme, v), *newton = compile(t, SIS_SCHEME_NEWTON, v);
    course c, r;
    v->refused = !judged || !newton;
    if (!v->refused && course_open(&r, t, newton, &v->reference) &&
        course_open(&c, t, judged, &v->judged)) {
        for (int64_t n = 0; n < t->frames; n++) {
            course_step(&r);
            see(&r, n);
        }
        see_end(&r);
        run_judged(t, &c, &r, v, errors);
        v->broken |= judge_run(&v->judged, fmax(RESIDUAL, 2 * v->reference.residual));
        v->reference_broken = judge_run(&v->reference, RESIDUAL);
        judge_burst(v);
        course_close(&c);
        course_close(&r);
    }
    sis_system_free(judged);
    sis_system_free(newton);
    clock_gettime(CLOCK_MONOTONIC, &end);
    v->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}
