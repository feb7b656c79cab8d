/* campaign: laws of contacts in thousands of scenes that nobody chose. See docs/campaigns.md.
 *
 *   campaign                              three hundred scenes, some 15 s; a test runs fewer
 *   campaign --full                       ten thousand
 *   campaign --only chains --index 17     one scene: its text, its numbers
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign.h"

static const int full_scenes[TRIAL_KINDS] = {2200, 1800, 2500, 1500, 2000};
static const double FORCES_RIGHT = 0.9999; // of all contact samples

typedef struct settings {
    uint64_t seed;
    sis_scheme scheme;
    int only; // kind; -1: all, RESTITUTION: that
    int64_t index;
    double part; // of full_scenes
    long scenes; // of each kind; 0: by part
    int threads;
    double nudge; // of where masses and plucks begin, relative, in the judged run
    bool table, quiet, text;
} settings;

enum { RESTITUTION = TRIAL_KINDS };

// ---------------------------------------------------------------------------- threads

typedef struct crew {
    const settings* s;
    trial_kind kind;
    long scenes;
    atomic_long next;
    verdict* verdicts;
} crew;

typedef struct worker {
    crew* crew;
    pthread_t thread;
    histogram errors;
} worker;

static void* work(void* argument) {
    worker* w = argument;
    crew* c = w->crew;
    trial* t = calloc(2, sizeof *t);
    if (!t) return NULL;
    trial* nudged = t + 1;
    for (long i = atomic_fetch_add(&c->next, 1); i < c->scenes; i = atomic_fetch_add(&c->next, 1)) {
        trial_draw(t, c->s->seed, c->kind, (uint64_t)i, 0);
        trial_draw(nudged, c->s->seed, c->kind, (uint64_t)i, c->s->nudge);
        trial_judge(nudged, t, c->s->scheme, &c->verdicts[i], &w->errors);
        trial_free(t);
        trial_free(nudged);
    }
    free(t);
    return w;
}

static bool run_all(crew* c, histogram* errors) {
    worker* workers = calloc((size_t)c->s->threads, sizeof *workers);
    if (!workers) return false;
    bool fine = true;
    for (int i = 0; i < c->s->threads; i++) {
        workers[i].crew = c;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) exit(2);
    }
    for (int i = 0; i < c->s->threads; i++) {
        void* done = NULL;
        pthread_join(workers[i].thread, &done);
        fine = fine && done;
        histogram_merge(errors, &workers[i].errors);
    }
    free(workers);
    return fine;
}

// ---------------------------------------------------------------------------- telling

static void tell_broken(unsigned broken) {
    for (int l = 0; l < LAW_COUNT; l++)
        if (broken >> l & 1) printf(" %s", law_word((trial_law)l));
}

static void tell_showing(const char* name, const showing* s) {
    printf("  %-8s fastest %.3g m/s, deepest %.3g m, phi/bound %.3g (first deep sample %lld), "
           "trapped %.2g, pull %.2g, residual %.2g, overlap/bound %.3g (first swap %lld), "
           "touching %.0f %%, law off %.0e (99.99 %%), %.0e\n",
           name, s->fastest, s->deepest, s->deep, (long long)s->deep_at, s->trapped, s->pull,
           s->residual, s->swap, (long long)s->swap_at, 100 * s->touching,
           histogram_quantile(&s->law, FORCES_RIGHT), s->law.worst);
}

static void tell_miss(const char* name, const miss* m) {
    printf("  %s: sample %lld, contact %d point %d, eta %.6g, %.6g, %.6g m, force %.9g N, "
           "converged %.9g N, off by %.2g\n",
           name, (long long)m->sample, m->link + 1, m->point, m->before, m->now, m->next, m->force,
           m->right, m->error);
}

// In sixteen parts of the run.
static void tell_speeds(const char* name, const showing* s) {
    printf("  %-8s speeds", name);
    for (int w = 0; w < WINDOWS; w += WINDOWS / 16) {
        double most = 0;
        for (int i = w; i < w + WINDOWS / 16; i++)
            most = fmax(most, s->speed[i]);
        printf(" %.0e", most);
    }
    printf(" m/s\n");
}

static void tell_verdict(const settings* s, const verdict* v) {
    tell_showing(sis_scheme_word(s->scheme), &v->judged);
    tell_showing("newton", &v->reference);
    if (v->rest_from < WINDOWS)
        printf("  newton rests from %.0f %% of the run on; then at most %.2g of the fastest\n",
               100.0 * v->rest_from / WINDOWS, v->woken);
    tell_speeds(sis_scheme_word(s->scheme), &v->judged);
    tell_speeds("newton", &v->reference);
    printf("  forces: %llu compared, %llu off by more than %g\n", (unsigned long long)v->points,
           (unsigned long long)v->points_off, FORCE_OFF);
    if (v->points_off) tell_miss("first off", &v->first);
    if (v->points) tell_miss("worst", &v->worst);
}

// Says of each scene that breaks a law which, how, and all its numbers.
static void tell_failures(const crew* c) {
    trial* t = malloc(sizeof *t);
    for (long i = 0; t && i < c->scenes; i++) {
        const verdict* v = &c->verdicts[i];
        if (!v->broken && v->error.status == SIS_OK) continue;
        if (v->refused && v->error.status == SIS_REFUSED) continue; // counted only
        printf("FAIL --seed %llu --only %s --index %ld:", (unsigned long long)c->s->seed,
               trial_word(c->kind), i);
        tell_broken(v->broken);
        printf(" %s\n", v->error.text);
        if (c->s->quiet) continue;
        tell_verdict(c->s, v);
        trial_draw(t, c->s->seed, c->kind, (uint64_t)i, 0);
        printf("  %s\n", t->text);
        trial_free(t);
    }
    free(t);
}

// ---------------------------------------------------------------------------- the summary

typedef struct summary {
    long ran, refused, rested;
    long broken[LAW_COUNT], off; // scenes; off: with forces that are off
    histogram law;               // forces against their law
    double residual, deep, woken, touching;
    long residual_at, deep_at, woken_at, off_at, law_at;
    double seconds;
} summary;

static void sum_up(const crew* c, bool reference, summary* sum) {
    double worst = 0;
    *sum = (summary){.residual_at = -1, .deep_at = -1, .woken_at = -1, .off_at = -1, .law_at = -1};
    for (long i = 0; i < c->scenes; i++) {
        const verdict* v = &c->verdicts[i];
        const showing* s = reference ? &v->reference : &v->judged;
        const unsigned broken = reference ? v->reference_broken : v->broken;
        sum->refused += v->refused;
        if (v->refused) continue;
        sum->ran++;
        sum->rested += v->rest_from < WINDOWS;
        sum->touching += s->touching;
        sum->seconds += v->seconds;
        for (int l = 0; l < LAW_COUNT; l++)
            sum->broken[l] += broken >> l & 1;
        sum->off += v->points_off > 0;
        if (!(s->law.worst <= sum->law.worst)) sum->law_at = i;
        histogram_merge(&sum->law, &s->law);
#define WORST(what, value)                                                                         \
    if (!((value) <= sum->what)) {                                                                 \
        sum->what = (value);                                                                       \
        sum->what##_at = i;                                                                        \
    }
        WORST(residual, s->residual)
        WORST(deep, s->deep)
        WORST(woken, v->woken)
#undef WORST
        if (v->points_off && !(v->worst.error <= worst)) {
            worst = v->worst.error;
            sum->off_at = i;
        }
    }
}

static void tell_summary(const crew* c, const histogram* errors, const char* name, bool reference) {
    summary sum;
    sum_up(c, reference, &sum);
    printf("%s %s: %ld %s, ", trial_word(c->kind), name, sum.ran,
           sum.ran == 1 ? "scene" : "scenes");
    if (!reference) printf("burst %ld, ", sum.broken[LAW_BURST]);
    printf("deep %ld, trapped %ld, pull %ld, residual %.0e, swaps %ld", sum.broken[LAW_DEEP],
           sum.broken[LAW_TRAPPED], sum.broken[LAW_PULL], sum.residual, sum.broken[LAW_SWAP]);
    if (!reference) printf(", force off %.0e", histogram_quantile(errors, FORCES_RIGHT));
    printf(", law off %.0e (99.99 %%)\n", histogram_quantile(&sum.law, FORCES_RIGHT));
    if (reference) return;
    printf(
        "  %ld with a residual too large, %ld not finite; %ld refused at compile; newton comes to "
        "rest in %ld; touching %.0f %% of samples; %.0f s\n",
        sum.broken[LAW_RESIDUAL], sum.broken[LAW_FINITE], sum.refused, sum.rested,
        sum.ran ? 100 * sum.touching / (double)sum.ran : 0, sum.seconds);
    printf("  forces: %llu compared, off by at most %.0e in 99 %%, %.0e in 99.9 %%, %.0e in all; "
           "%ld scenes have one off by %g\n",
           (unsigned long long)errors->total, histogram_quantile(errors, 0.99),
           histogram_quantile(errors, 0.999), errors->worst, sum.off, FORCE_OFF);
    printf("  worst: residual at index %ld, depth %.2g of its bound at %ld, woken %.1e at %ld, "
           "force at %ld, law %.0e at %ld\n",
           sum.residual_at, sum.deep, sum.deep_at, sum.woken, sum.woken_at, sum.off_at,
           sum.law.worst, sum.law_at);
}

// Scenes with a force that is far off, though 99.99 % of all be right: where to look first.
static void tell_gross(const crew* c) {
    long count = 0;
    for (long i = 0; i < c->scenes; i++) {
        if (c->verdicts[i].gross <= GROSS) continue;
        if (count == 0) printf("  forces off by %g of the largest of their contact at", GROSS);
        if (count++ < 20) printf(" %ld", i);
    }
    if (count > 20) printf(" and %ld more", count - 20);
    if (count) printf("\n");
}

// Rows for docs/campaigns.md: tools/study.py puts them there.
static void tell_row(const crew* c, const histogram* errors, bool reference) {
    summary sum;
    sum_up(c, reference, &sum);
    printf("ROW\t%s\t%s\t%ld\t", trial_word(c->kind),
           reference ? "newton" : sis_scheme_word(c->s->scheme), sum.ran);
    printf(reference ? "-\t" : "%ld\t", sum.broken[LAW_BURST]);
    printf("%ld\t%ld\t%ld\t%ld\t%.0e\t", sum.broken[LAW_DEEP], sum.broken[LAW_SWAP],
           sum.broken[LAW_TRAPPED], sum.broken[LAW_PULL], sum.residual);
    printf(reference ? "-\t" : "%.0e\t", histogram_quantile(errors, FORCES_RIGHT));
    printf("%.0e\n", histogram_quantile(&sum.law, FORCES_RIGHT));
}

static bool campaign(const settings* s, trial_kind kind) {
    crew c = {.s = s, .kind = kind};
    histogram errors = {.worst = 0};
    c.scenes = s->scenes ? s->scenes : lround(s->part * full_scenes[kind]);
    if (c.scenes < 1) return true;
    c.verdicts = calloc((size_t)c.scenes, sizeof *c.verdicts);
    if (!c.verdicts || !run_all(&c, &errors)) {
        fprintf(stderr, "campaign: no memory\n");
        exit(2);
    }
    tell_failures(&c);
    tell_summary(&c, &errors, sis_scheme_word(s->scheme), false);
    tell_gross(&c);
    tell_summary(&c, &errors, "newton", true);
    if (s->table) {
        tell_row(&c, &errors, false);
        tell_row(&c, &errors, true);
    }
    summary sum;
    sum_up(&c, false, &sum);
    bool holds = sum.ran > c.scenes / 2 && errors.total > 0 &&
                 histogram_quantile(&errors, FORCES_RIGHT) <= FORCE_OFF &&
                 histogram_quantile(&sum.law, FORCES_RIGHT) <= FORCE_OFF;
    for (int l = 0; l < LAW_COUNT; l++)
        holds = holds && sum.broken[l] == 0;
    fflush(stdout);
    free(c.verdicts);
    return holds;
}

static bool one_scene(const settings* s, trial_kind kind) {
    trial* t = calloc(2, sizeof *t);
    verdict* v = calloc(1, sizeof *v);
    histogram errors = {.worst = 0};
    if (!t || !v) exit(2);
    trial* nudged = t + 1;
    trial_draw(t, s->seed, kind, (uint64_t)s->index, 0);
    trial_draw(nudged, s->seed, kind, (uint64_t)s->index, s->nudge);
    printf("%s\n", t->text);
    if (!s->text) {
        trial_judge(nudged, t, s->scheme, v, &errors);
        if (!v->refused) tell_verdict(s, v);
        printf("%s", v->refused ? "refused:" : v->broken ? "breaks:" : "breaks no law");
        tell_broken(v->broken);
        printf(" %s\n", v->error.text);
    }
    const bool holds = v->broken == 0;
    trial_free(t);
    trial_free(nudged);
    free(t);
    free(v);
    return holds;
}

// ---------------------------------------------------------------------------- arguments

static void usage(void) {
    printf("campaign [--full | --scenes N] [--only KIND] [--index I [--text]] [--seed S] "
           "[--threads T]\n         [--scheme WORD] [--nudge X] [--quiet] [--table]\n"
           "KIND is squeezed, stacks, chains, fretted, pressed or restitution.\n");
}

static int kind_of(const char* word) {
    for (int k = 0; k < TRIAL_KINDS; k++)
        if (!strcmp(word, trial_word((trial_kind)k))) return k;
    return strcmp(word, "restitution") ? -2 : RESTITUTION;
}

static sis_scheme scheme_of(const char* word) {
    for (int s = 0; s < SIS_SCHEME_COUNT; s++)
        if (!strcmp(word, sis_scheme_word((sis_scheme)s))) return (sis_scheme)s;
    return SIS_SCHEME_AS_GIVEN;
}

static bool read_arguments(int count, char** words, settings* s) {
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : "";
        if (!strcmp(word, "--full"))
            s->part = 1;
        else if (!strcmp(word, "--quiet"))
            s->quiet = true;
        else if (!strcmp(word, "--table"))
            s->table = true;
        else if (!strcmp(word, "--text"))
            s->text = true;
        else if (i++, !strcmp(word, "--scenes"))
            s->scenes = atol(value);
        else if (!strcmp(word, "--only"))
            s->only = kind_of(value);
        else if (!strcmp(word, "--index"))
            s->index = atol(value);
        else if (!strcmp(word, "--seed"))
            s->seed = strtoull(value, NULL, 10);
        else if (!strcmp(word, "--nudge"))
            s->nudge = atof(value);
        else if (!strcmp(word, "--threads"))
            s->threads = atoi(value);
        else if (!strcmp(word, "--scheme"))
            s->scheme = scheme_of(value);
        else
            return false;
    }
    return s->only >= -1 && s->threads > 0 && s->threads <= 256 &&
           s->scheme != SIS_SCHEME_AS_GIVEN && (s->index < 0 || s->only >= 0);
}

int main(int count, char** words) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    settings s = {.seed = 1,
                  .scheme = SIS_SCHEME_LEDGER,
                  .only = -1,
                  .index = -1,
                  .part = 0.03,
                  .threads = cores > 0 && cores < 256 ? (int)cores : 2};
    if (!read_arguments(count, words, &s)) {
        usage();
        return 2;
    }
    if (s.index >= 0 && s.only < TRIAL_KINDS) return one_scene(&s, (trial_kind)s.only) ? 0 : 1;
    bool holds = true;
    for (int k = 0; k < TRIAL_KINDS; k++)
        if (s.only < 0 || s.only == k) holds = campaign(&s, (trial_kind)k) && holds;
    if (s.only < 0 || s.only == RESTITUTION) holds = restitution_run(s.scheme, s.table) && holds;
    printf("%s\n", holds ? "all laws hold" : "LAWS BROKEN");
    return holds ? 0 : 1;
}
