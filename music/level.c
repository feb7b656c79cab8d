#include "level.h"

#include "crew.h"
#include "sistrum/elementary.h"
#include "sound.h"
#include "tone.h"

#include <math.h>
#include <stdlib.h>

enum {
    STEP = 6,       // semitones between the keys that are tried first, at least
    FIRST_MOST = 17 // so many of them at most
};

#define ATTACK_SECONDS 3.0  // of a key, if it sounds by then: bowed ones grow that long
#define QUIET_SECONDS  0.25 // without anything near the peak: it has passed
#define NEAR_PEAK      0.7
#define WHOLE_SECONDS  10.0 // of the loudest key, or of one that is silent so far

/** One key on trial. */
typedef struct trial {
    sis_tone* tone;
    double hz;          // NaN: the scene has no pitch to set
    bool whole;         // to its end, though the peak seems to have passed
    double peak;        // result
    uint64_t row, last; // heard so far, and the last one near the peak
    int32_t channels;
    bool starved; // there was no memory for it
} trial;

typedef struct trials {
    const sis_recipe* recipe;
    sis_plan plan; // of the whole sound
    trial* list;
} trials;

// ---------------------------------------------------------------------------- one key

/** A sis_emit. */
static bool listen(void* self, const double* rows, int32_t count, sis_fault* fault) {
    (void)fault;
    trial* t = self;
    for (int32_t n = 0; n < count; n++, t->row++) {
        double most = 0;
        for (int32_t c = 0; c < t->channels; c++)
            most = fmax(most, fabs(rows[n * t->channels + c]));
        t->peak = fmax(t->peak, most);
        if (most > NEAR_PEAK * t->peak) t->last = t->row;
    }
    return true;
}

/** Nothing more is to be expected of it. */
static bool is_over(const trial* t, const sis_plan* plan) {
    if (t->whole || !(t->peak > 0)) return false;
    return (double)t->row >= ATTACK_SECONDS * plan->rate ||
           (double)(t->row - t->last) > QUIET_SECONDS * plan->rate;
}

static bool hear_out(trial* t, const sis_plan* plan, sis_state* state, sis_sound* sound,
                     sis_fault* fault) {
    sis_sink sink = sis_sound_sink(sound);
    sis_run run = {.system = t->tone->system,
                   .state = state,
                   .sinks = &sink,
                   .sink_count = 1,
                   .unaudited = true};
    uint64_t left = sis_plan_steps(plan);
    while (left) {
        run.steps = left < SIS_FRAMES_MAX ? left : SIS_FRAMES_MAX;
        if (!sis_run_go(&run, fault)) return false;
        left -= run.steps;
        if (is_over(t, plan)) return true;
    }
    return sis_sound_finish(sound, fault);
}

/** A key that cannot be played counts as silent: a note on it will say why. One that there was no
 * memory for counts as nothing. */
static void try_key(void* self, int32_t i) {
    trials* all = self;
    trial* t = &all->list[i];
    sis_fault fault = {0};
    t->peak = 0;
    t->row = t->last = 0;
    if (!t->tone->system) sis_tone_compile(all->recipe, t->tone);
    const sis_system* system = t->tone->system;
    t->starved = !system && t->tone->fault.starved;
    if (!system) return;
    t->channels = sis_sound_channels(system);
    sis_state* state = sis_run_state(system, &fault);
    sis_sound* sound = sis_sound_new(system, &all->plan, listen, t, &fault);
    if (state) sis_gesture_begin(&t->tone->play, system, state, t->hz, 1);
    bool heard = state && sound && hear_out(t, &all->plan, state, sound, &fault);
    if (!heard) t->peak = 0;
    t->starved = !heard && fault.starved;
    sis_sound_free(sound);
    free(state);
}

// ---------------------------------------------------------------------------- the range

/** Lowest and highest note of all courses, Hz in twelve equal steps. */
static void find_courses(const sis_gestures* g, double* low, double* high) {
    sis_tuning equal = sis_tuning_equal(440);
    for (int32_t i = 0; i < g->course_count; i++) {
        *low = fmin(*low, equal.hz[g->courses[i].lowest]); // NaN gives way
        *high = fmax(*high, equal.hz[g->courses[i].highest]);
    }
}

/** Lowest and highest pitch: where the param has no end, two octaves from its value. */
static void find_range(const sis_performance* p, double* low, double* high) {
    const sis_gestures* g = sis_script_gestures(p->script);
    int32_t which = sis_script_play(p->script)->pitch;
    *low = *high = (double)NAN;
    find_courses(g, low, high);
    sis_input input = sis_script_input(p->script, g->pitch);
    if (g->pitch >= 0) {
        *low = fmax(input.min, 1);
        *high = input.max;
    }
    if (which < 0) return;
    sis_param pitch = sis_script_param(p->script, which);
    double middle = pitch.fallback > 0 ? pitch.fallback : 220;
    *low = isfinite(pitch.min) && pitch.min > 0 ? pitch.min : fmin(middle / 4, pitch.max);
    *high = isfinite(pitch.max) ? pitch.max : fmax(4 * middle, pitch.min);
}

static int32_t count_first(double low, double high) {
    if (!(high > low) || !(low > 0)) return 1;
    return (int32_t)fmin(ceil(12 * sis_log2(high / low) / STEP) + 1, FIRST_MOST);
}

static int32_t loudest_of(const trial* list, int32_t count) {
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++)
        if (list[i].peak > list[best].peak) best = i;
    return best;
}

/** The state of a search: tones of all keys, tried in rounds. */
typedef struct search {
    sis_recipe recipe;
    sis_crew* crew;
    trials all;
    double velocity;
    double low, high;
    bool pitched; // by a param: keys are scenes of their own
    int32_t count;
} search;

static bool add_key(search* s, double hz, sis_fault* fault) {
    trial* t = &s->all.list[s->count];
    *t = (trial){.hz = hz};
    t->tone = sis_tone_new(s->pitched ? hz : (double)NAN, s->velocity, "loudest key");
    if (!t->tone) return sis_fault_no_memory(fault);
    s->count++;
    return true;
}

/** Tries the keys from `first` on, in any number of threads. */
static bool try_from(search* s, int32_t first, sis_fault* fault) {
    trials part = s->all;
    part.list += first;
    sis_crew_run(s->crew, s->count - first, try_key, &part);
    for (int32_t i = first; i < s->count; i++)
        if (s->all.list[i].starved) return sis_fault_no_memory(fault);
    return true;
}

/** Keys over the whole range, then twice those at both sides of the loudest, half as far. */
static bool try_range(search* s, sis_fault* fault) {
    int32_t first = count_first(s->low, s->high);
    double ratio = first > 1 ? sis_power(s->high / s->low, 1.0 / (first - 1)) : 1;
    for (int32_t i = 0; i < first; i++)
        if (!add_key(s, i + 1 == first ? s->high : s->low * sis_power(ratio, i), fault))
            return false;
    if (!try_from(s, 0, fault)) return false;
    for (int round = 0; round < 2 && first > 1; round++) {
        int32_t before = s->count;
        double hz = s->all.list[loudest_of(s->all.list, before)].hz;
        ratio = sqrt(ratio);
        if (hz / ratio > s->low && !add_key(s, hz / ratio, fault)) return false;
        if (hz * ratio < s->high && !add_key(s, hz * ratio, fault)) return false;
        if (!try_from(s, before, fault)) return false;
    }
    return true;
}

bool sis_level_measure(const sis_performance* p, double duration, double* peak, sis_fault* fault) {
    const sis_play* play = sis_script_play(p->script);
    search s = {.velocity = play->velocity >= 0 ? 1 : (double)NAN, .pitched = play->pitch >= 0};
    trial list[FIRST_MOST + 4];
    char* text = NULL;
    *peak = 0;
    s.all = (trials){.recipe = &s.recipe, .list = list};
    find_range(p, &s.low, &s.high);
    if (!sis_plan_make(p->plan.rate, p->plan.oversample, fmin(duration, WHOLE_SECONDS), &s.all.plan,
                       fault))
        return false;
    s.crew = sis_crew_new(p->threads);
    bool fine = (s.crew || sis_fault_no_memory(fault)) &&
                sis_performance_recipe(p, 0, &s.recipe, &text, fault) && try_range(&s, fault);
    if (fine) {
        trial* best = &list[loudest_of(list, s.count)];
        double attack = best->peak;
        best->whole = true;
        trials one = s.all;
        one.list = best;
        try_key(&one, 0);
        *peak = fmax(attack, best->peak);
        if (best->starved) fine = sis_fault_no_memory(fault);
    }
    for (int32_t i = 0; i < s.count; i++)
        sis_tone_free(list[i].tone);
    free(text);
    sis_crew_free(s.crew);
    return fine;
}
