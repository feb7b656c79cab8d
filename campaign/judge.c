// Runs a trial with the scheme to be judged and with newton, and asks the laws.
//
// The force that converges: before each sample the state is copied, and the copy is stepped by the
// system that newton was compiled into. Both systems come from one scene and lay out their states
// alike; newton takes eta^{n-1}, eta^n and the motion of the bodies from a state, and nothing else
// that a scheme has put there but first guesses. That eta^n reads the same through both is checked.
// A state belongs to one system, so the copy is given the mark of the other: nobody else may.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course.h"
#include "step/system.h"

const double FORCE_OFF = 1e-6, GROSS = 1e-3;

static const double REST = 1e-5, WOKEN = 1e-4; // of the fastest
static const double TRAPPED = 1e-9;
const double RESIDUAL = 1e-12;

const char* law_word(trial_law l) {
    static const char* const words[] = {"burst",    "deep",  "trapped", "pull",
                                        "residual", "swaps", "finite"};
    return words[l];
}

// ---------------------------------------------------------------------------- forces

typedef struct comparison {
    sis_system* system; // newton's
    sis_state* copy;
    double *eta, *force;        // [points] of the copy
    double* error;              // [points] of the sample before; < 0: nothing to compare
    double* right1;             // [points] N, converged forces of the sample before
    double largest[LINKS_MOST]; // N, of each contact
    verdict* v;
    histogram* errors;
} comparison;

static bool comparison_open(comparison* k, const course* c, const course* reference, verdict* v,
                            histogram* errors) {
    const size_t points = (size_t)c->points;
    *k = (comparison){.system = reference->system, .v = v, .errors = errors};
    if (reference->size != c->size || reference->points != c->points) return false;
    k->copy = aligned_alloc(64, c->size);
    k->eta = calloc(4 * points, sizeof(double));
    if (!k->copy || !k->eta) return false;
    k->force = k->eta + points;
    k->error = k->force + points;
    k->right1 = k->error + points;
    for (int32_t p = 0; p < c->points; p++)
        k->error[p] = -1;
    for (int32_t i = 0; i < c->links; i++)
        k->largest[i] = sis_state_link(reference->system, reference->state, i).max_force;
    return true;
}

static void comparison_close(comparison* k) {
    free(k->copy);
    free(k->eta);
}

// Did exact restitution act in the block of link i in the sample before? Its force is not newton's,
// and what it moves may then touch, or not touch, others of the block.
static bool restituted(const course* c, int32_t i, int32_t p) {
    if (c->info[i].block_size == 1) return course_opens_alone(c, i, p);
    for (int32_t j = 0; j < c->links; j++) {
        if (c->info[j].block != c->info[i].block) continue;
        for (int32_t q = c->first[j]; q < c->first[j + 1]; q++)
            if (course_opens_alone(c, j, q)) return true;
    }
    return false;
}

// Counts the errors of sample n - 1, now that eta^n is known.
static void count_errors(comparison* k, const course* c, int64_t n) {
    verdict* v = k->v;
    for (int32_t i = 0; i < c->links; i++)
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++) {
            const double error = k->error[p];
            k->error[p] = -1;
            if (error < 0 || restituted(c, i, p)) continue;
            histogram_add(k->errors, error);
            v->points++;
            const miss m = {.error = error,
                            .sample = n - 1,
                            .link = i,
                            .point = p - c->first[i],
                            .before = c->eta2[p],
                            .now = c->eta1[p],
                            .next = c->eta[p],
                            .force = c->force1[p],
                            .right = k->right1[p]};
            const double gross = fabs(m.force - m.right) / k->largest[i];
            if (!(gross <= v->gross)) v->gross = gross;
            if (!(error <= v->worst.error)) v->worst = m;
            if (error <= FORCE_OFF) continue;
            if (v->points_off++ == 0) v->first = m;
        }
}

static bool any_near(const course* c) {
    for (int32_t p = 0; p < c->points; p++)
        if (c->force[p] != 0 || c->eta[p] > 0 || c->eta1[p] > 0) return true;
    return false;
}

// Steps the copy, taken before this sample, by newton and compares. False: the two states are not
// laid out alike.
static bool compare(comparison* k, const course* c, int64_t n) {
    if (n > 1) count_errors(k, c, n);
    if (n < 1 || !any_near(c)) return true;
    sis_step(k->system, k->copy, &(sis_block){.frames = 1});
    for (int32_t i = 0; i < c->links; i++)
        sis_state_contact(k->system, k->copy, i, k->eta + c->first[i], k->force + c->first[i]);
    for (int32_t i = 0; i < c->links; i++)
        for (int32_t p = c->first[i]; p < c->first[i + 1]; p++) {
            const double f = c->force[p], right = k->force[p];
            const double apart = fabs(c->eta[p] - k->eta[p]), size = fabs(c->eta[p]);
            if (f != 0 && right != 0 && apart > 1e-6 * size + 1e-14) return false;
            if (f == 0 && right == 0) continue;
            if (f > k->largest[i]) k->largest[i] = f;
            k->error[p] = fabs(f - right) / fmax(fabs(right), FORCE_LEAST * k->largest[i]);
            if (isnan(k->error[p])) k->error[p] = HUGE_VAL;
            k->right1[p] = right;
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
    v->error.status = SIS_BAD_VALUE;
    strncpy(v->error.text, why, sizeof v->error.text - 1);
    v->broken |= 1u << LAW_FINITE;
}

static void run_judged(const trial* t, course* c, const course* reference, verdict* v,
                       histogram* errors) {
    comparison k;
    if (!comparison_open(&k, c, reference, v, errors))
        fail(v, "the state of newton is laid out in another way: forces cannot be compared");
    for (int64_t n = 0; n < t->frames && !v->broken; n++) {
        memcpy(k.copy, c->state, c->size);
        if (k.system) k.copy->mark = k.system->mark;
        course_step(c, n);
        if (!compare(&k, c, n))
            fail(v, "eta reads differently through newton's system: forces cannot be compared");
    }
    course_end(c);
    comparison_close(&k);
}

static void run_both(const trial* t, course* c, course* reference, verdict* v, histogram* errors) {
    for (int64_t n = 0; n < t->frames; n++)
        course_step(reference, n);
    course_end(reference);
    run_judged(t, c, reference, v, errors);
    v->broken |= judge_run(&v->judged, fmax(RESIDUAL, 2 * v->reference.residual));
    v->reference_broken = judge_run(&v->reference, RESIDUAL);
    judge_burst(v);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void trial_judge(const trial* t, const trial* reference, sis_scheme scheme, verdict* v,
                 histogram* errors) {
    const double begin = now();
    course c = {0}, r = {0};
    *v = (verdict){0};
    sis_system *judged = compile(t, scheme, v), *newton = compile(reference, SIS_SCHEME_NEWTON, v);
    v->refused = !judged || !newton;
    if (!v->refused) {
        if (course_open(&c, t, judged, &v->judged) &&
            course_open(&r, reference, newton, &v->reference))
            run_both(t, &c, &r, v, errors);
        else
            fail(v, "no memory, or more contacts and probes than the campaign has places for");
    }
    course_close(&c);
    course_close(&r);
    sis_system_free(judged);
    sis_system_free(newton);
    v->seconds = now() - begin;
}
