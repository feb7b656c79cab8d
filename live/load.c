// Scenes: from a text to an engine that plays, here or in a thread of its own.
//
//   text --make--> program, first tone, engine, peak --install--> the audio thread
//
// Making takes its time and touches nothing of the instrument; installing is short, under the lock.
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADROOM    3.0     // the loudest single note is so far below full scale
#define DENSE_BELOW 44100.0 // Hz: rates that a scene need not be written for
enum { DENSE_MOST = 8 };    // times the steps of its own that it takes there

struct sis_loading {
    sis_live* live;
    sis_live_options options; // of the time when it was begun
    sis_tuning tuning;
    double known; // its peak; 0: it is not known
    char *text, *name;
    size_t size;
    sis_setting* settings; // [count]; their names belong to it
    int32_t count;
    // what has become of it
    sis_program* program;
    sis_tone* tone;
    sis_engine* engine; // NULL: the error says why
    double peak;
    sis_live_error error;
    sis_thread* thread;
    _Atomic bool done;
};

// ---------------------------------------------------------------------------- what is asked for

static void forget_program(sis_loading* l) {
    if (l->program) sis_seat_free(l->program->seat);
    sis_program_leave(l->program);
    sis_tone_free(l->tone);
    l->program = NULL;
    l->tone = NULL;
}

// What was made and not installed goes.
static void unmake(sis_loading* l) {
    sis_thread_join(l->thread);
    l->thread = NULL;
    if (l->engine) {
        sis_engine_free(l->engine); // with seat and program
        l->engine = NULL;
        l->program = NULL;
    }
    forget_program(l);
    atomic_store(&l->done, false);
}

static void free_loading(sis_loading* l) {
    if (!l) return;
    unmake(l);
    for (int32_t i = 0; i < l->count; i++)
        free((void*)(uintptr_t)l->settings[i].name);
    free(l->settings);
    free(l->text);
    free(l->name);
    free(l);
}

static sis_loading* new_loading(sis_live* live, const char* text, size_t size, const char* name,
                                const sis_live_setting* settings, int32_t count) {
    sis_loading* l = calloc(1, sizeof *l);
    if (!l) return NULL;
    l->live = live;
    l->text = sis_live_copy_text(text, size);
    l->size = size;
    l->name = sis_live_copy_text(name, strlen(name));
    l->settings = calloc((size_t)count + 1, sizeof *l->settings);
    bool room = l->text && l->name && l->settings;
    for (int32_t i = 0; room && i < count; i++) {
        char* copy = sis_live_copy_text(settings[i].name, strlen(settings[i].name));
        l->settings[l->count++] = (sis_setting){copy, settings[i].value};
        room = copy != NULL;
    }
    if (room) return l;
    free_loading(l);
    return NULL;
}

// ---------------------------------------------------------------------------- making

double sis_live_measure(const sis_live_options* o, const sis_program* p, const sis_tuning* tuning) {
    if (o->peak > 0) return o->peak;
    double peak = sis_program_peak(p, tuning);
    return peak > 0 ? HEADROOM * peak : 1;
}

static void blame_tone(sis_live_error* error, const sis_tone* tone) {
    bool asked = tone->fault.kind == SIS_FAULT_REQUEST;
    sis_live_fail(error,
                  tone->fault.starved ? SIS_LIVE_NO_MEMORY
                  : asked             ? SIS_LIVE_WRONG_SETTING
                                      : SIS_LIVE_WRONG_SCENE,
                  "%s", tone->fault.text);
    error->line = tone->line;
}

// A program and its first tone. False: `error` says why not.
static bool compile(sis_loading* l, const sis_live_options* options, sis_live_error* error) {
    l->program = sis_program_new(l->text, l->size, l->name, l->settings, l->count, options,
                                 options->fingers ? &l->live->fingers : NULL, error);
    if (!l->program) return false;
    l->tone = sis_program_first(l->program, &l->tuning);
    if (!l->tone) return sis_live_no_memory(error);
    if (!l->tone->system) blame_tone(error, l->tone);
    return l->tone->system != NULL;
}

// At a rate below those it was written for its grids may be too fine and its modes too high: then it
// takes several steps a frame. What is told is what was wrong with those of its own.
static bool compile_densely(sis_loading* l) {
    sis_live_options options = l->options;
    sis_live_error other;
    bool refused = l->tone != NULL, fine = false;
    int32_t own = l->program ? l->program->oversample : 0;
    if (!refused || options.oversample > 0 || options.rate >= DENSE_BELOW) return false;
    for (int32_t times = 2; !fine && times <= DENSE_MOST; times *= 2) {
        forget_program(l);
        options.oversample = times * own;
        fine = compile(l, &options, &other);
        if (fine) l->program->dense = l->program->oversample;
    }
    return fine;
}

// In any thread.
static void make(void* self) {
    sis_loading* l = self;
    l->error = (sis_live_error){.text = ""};
    bool fine = compile(l, &l->options, &l->error) || compile_densely(l);
    if (fine && !sis_program_list_probes(l->program, l->tone)) fine = sis_live_no_memory(&l->error);
    if (fine)
        l->engine =
            sis_engine_new(l->live, l->options.rate, &l->tuning, l->program, l->tone, &l->error);
    if (l->engine)
        l->peak = l->known > 0 ? l->known : sis_live_measure(&l->options, l->program, &l->tuning);
    atomic_store(&l->done, true);
}

// With what the instrument is now.
static void take_stock(sis_loading* l) {
    sis_lock_claim(l->live->lock);
    l->options = l->live->options;
    l->tuning = l->live->tuning;
    sis_lock_leave(l->live->lock);
}

static void start(sis_loading* l) {
    take_stock(l);
    l->thread = sis_thread_start(make, l);
    if (!l->thread) make(l);
}

// ---------------------------------------------------------------------------- knobs

static bool is_role(const sis_gestures* g, int32_t input) {
    bool role = input == g->pitch || input == g->velocity || input == g->gate;
    for (int32_t i = 0; i < g->course_count; i++)
        role = role || input == g->courses[i].pitch || input == g->courses[i].velocity ||
               input == g->courses[i].gate;
    for (int32_t i = 0; i < g->sound_count; i++)
        role = role || input == g->sound[i];
    return role;
}

static void bound(double value, double* min, double* max) {
    double wide = 10 * fmax(fabs(value), 1);
    if (!isfinite(*min)) *min = isfinite(*max) ? fmin(*max, value) - wide : value - wide;
    if (!isfinite(*max)) *max = fmax(*min, value) + wide;
}

// Of the last knob: what it may be, and where it stands.
static void add_knob(sis_live* live, double value, double min, double max, bool trigger) {
    int32_t k = atomic_load(&live->knob_count);
    sis_knob* knob = &live->knobs[k];
    bound(value, &min, &max);
    knob->min = min;
    knob->max = max;
    knob->start = value;
    knob->trigger = trigger;
    atomic_store(&live->value[k], value);
    atomic_store(&live->turned[k], false);
    atomic_store(&live->by_hand[k], false);
    atomic_store(&live->knob_count, k + 1);
}

// False: there are too many. Threads may look at them at any time.
static bool name_knob(sis_live* live, int32_t param, int32_t input) {
    int32_t k = atomic_load(&live->knob_count);
    if (k == SIS_KNOBS_MOST) return false;
    live->knobs[k].param = param;
    live->knobs[k].input = input;
    return true;
}

// Params, then inputs, in the order of the scene.
static void list_knobs(sis_live* live, const sis_program* p) {
    const sis_play* play = p->seat->fingers ? NULL : sis_script_play(p->script);
    const sis_gestures* g = &p->seat->gestures;
    atomic_store(&live->knob_count, 0);
    for (int32_t i = 0; i < sis_script_param_count(p->script); i++) {
        sis_param param = sis_script_param(p->script, i);
        if (play && (i == play->pitch || i == play->velocity)) continue;
        if (name_knob(live, i, -1)) add_knob(live, param.value, param.min, param.max, false);
    }
    for (int32_t i = 0; i < sis_script_input_count(p->script); i++) {
        sis_input input = sis_script_input(p->script, i);
        if (is_role(g, i)) continue;
        if (name_knob(live, -1, i))
            add_knob(live, input.value, input.min, input.max, input.trigger);
    }
}

// ---------------------------------------------------------------------------- installing

// Where the audio thread does not run, [main] takes its place for a moment; where it does, it may
// wait for the lock itself.
void sis_live_make_way(sis_live* live) {
    while (live->changes - atomic_load(&live->changes_taken) >= SIS_CHANGES_MOST ||
           sis_ring_room(&live->to_audio) < SIS_RING_SPARE / 2) {
        if (atomic_exchange(&live->busy, true)) {
            sis_lock_leave(live->lock);
            sis_thread_sleep(0.001);
            sis_lock_claim(live->lock);
            continue;
        }
        sis_live_clear(live);
        sis_live_take_all(live);
        sis_live_clear(live);
        atomic_store(&live->busy, false);
    }
}

static bool is_tuned(const sis_tuning* a, const sis_tuning* b) {
    return !memcmp(a, b, sizeof *a);
}

// A saved instrument brings its peak along, unless probes are to be played as they are.
static double peak_of(const sis_live* live, const sis_loading* l) {
    const sis_live_options* o = &live->options;
    if (o->peak == 1) return 1;
    if (l->known > 0) return l->known;
    if (o->peak == l->options.peak) return l->peak;
    return sis_live_measure(o, l->program, &live->tuning);
}

static void hand_over(sis_live* live, sis_loading* l) {
    sis_program* p = l->program;
    bool tuned = is_tuned(&l->tuning, &live->tuning);
    live->peak = peak_of(live, l);
    l->engine->factor = 1 / live->peak;
    l->engine->stage.tuning = live->tuning;
    const sis_tone* tone = l->tone;
    p->own_bodies = tone->touch ? tone->touch->body_count : sis_system_body_count(tone->system);
    p->own_links = tone->touch ? tone->touch->link_count : sis_system_link_count(tone->system);
    if (tuned) p->sent[tone->place] = 1;
    live->bytes += l->tone->size;
    atomic_fetch_add(&live->ready, 1);
    sis_seat_put(p->seat, l->tone);
    sis_program_leave(live->shown);
    p->users++;
    live->shown = live->newest = p;
    sis_live_count_reach(live);
}

// The program plays from now on.
static void install(sis_live* live, sis_loading* l) {
    sis_lock_claim(live->lock);
    sis_live_make_way(live);
    hand_over(live, l);
    list_knobs(live, l->program);
    live->params_done = atomic_load(&live->params);
    atomic_store(&live->prepare, l->program->seat->velocities == 1 ? 100 : -1);
    atomic_store(&live->latency, l->engine->delay);
    sis_ring_put(&live->to_audio, &(sis_message){.kind = SIS_TO_ENGINE, .a = l->engine});
    live->changes++;
    atomic_fetch_add(&live->told.loads, 1);
    sis_lock_leave(live->lock);
    l->program = NULL;
    l->engine = NULL;
    l->tone = NULL;
}

// ---------------------------------------------------------------------------- loading

void sis_live_load_drop(sis_live* live) {
    free_loading(live->loading);
    free_loading(live->next);
    live->loading = live->next = NULL;
}

bool sis_live_load_as(sis_live* live, const char* text, size_t size, const char* name,
                      const sis_live_setting* settings, int32_t count, double peak,
                      sis_live_error* error) {
    sis_live_load_drop(live);
    sis_loading* l = new_loading(live, text, size, name, settings, count);
    if (!l) return sis_live_no_memory(error);
    l->known = peak;
    take_stock(l);
    make(l);
    bool fine = l->engine != NULL;
    if (fine) install(live, l);
    if (!fine && error) *error = l->error;
    free_loading(l);
    return fine;
}

bool sis_live_load(sis_live* live, const char* text, size_t size, const char* name,
                   const sis_live_setting* settings, int32_t count, sis_live_error* error) {
    return sis_live_load_as(live, text, size, name, settings, count, 0, error);
}

bool sis_live_load_start(sis_live* live, const char* text, size_t size, const char* name,
                         const sis_live_setting* settings, int32_t count, sis_live_error* error) {
    sis_loading* l = new_loading(live, text, size, name, settings, count);
    if (!l) return sis_live_no_memory(error);
    if (live->loading) {
        free_loading(live->next);
        live->next = l;
    } else {
        live->loading = l;
        start(l);
    }
    return true;
}

// Whether it was made for another rate than that of now.
static bool is_stale(const sis_live* live, const sis_loading* l) {
    return live->options.rate != l->options.rate;
}

sis_live_progress sis_live_load_poll(sis_live* live, sis_live_error* error) {
    sis_loading* l = live->loading;
    if (!l) return SIS_LIVE_IDLE;
    if (!atomic_load(&l->done)) return SIS_LIVE_LOADING;
    if (live->next) {
        free_loading(l);
        l = live->loading = live->next;
        live->next = NULL;
        start(l);
        return SIS_LIVE_LOADING;
    }
    if (l->engine && is_stale(live, l)) {
        unmake(l);
        start(l);
        return SIS_LIVE_LOADING;
    }
    bool fine = l->engine != NULL;
    if (fine) install(live, l);
    if (!fine && error) *error = l->error;
    live->loading = NULL;
    free_loading(l);
    return fine ? SIS_LIVE_LOADED : SIS_LIVE_REFUSED;
}
