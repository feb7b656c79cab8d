// The instrument as [main] sees it: making it, scenes, knobs, presets, tuning.
#include "inside.h"

#include "scala.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sis_live_options sis_live_options_default(void) {
    return (sis_live_options){.rate = 48000,
                              .frames_max = 1024,
                              .worker = true,
                              .guard = true,
                              .limiter = true,
                              .dc_blocker = true,
                              .load_most = 0.8,
                              .memory_most = (size_t)256 << 20,
                              .gain = 1};
}

// ---------------------------------------------------------------------------- making

static bool check_options(const sis_live_options* o, sis_live_error* error) {
    if (!(o->rate >= 8000 && o->rate <= 384000))
        return sis_live_fail(error, SIS_LIVE_WRONG_REQUEST,
                             "the rate must be 8000 .. 384000 Hz, not %g", o->rate);
    if (o->frames_max < 1 || o->frames_max > 65536)
        return sis_live_fail(error, SIS_LIVE_WRONG_REQUEST,
                             "a block must have 1 .. 65536 frames, not %d", (int)o->frames_max);
    if (o->voices < 0 || o->voices > SIS_PLAY_MOST_VOICES)
        return sis_live_fail(error, SIS_LIVE_WRONG_REQUEST, "there may be 1 .. %d voices, not %d",
                             SIS_PLAY_MOST_VOICES, (int)o->voices);
    if (o->oversample < 0 || o->oversample > 64)
        return sis_live_fail(error, SIS_LIVE_WRONG_REQUEST,
                             "the oversampling must be 1 .. 64, not %d", (int)o->oversample);
    if (o->fingers < 0 || o->fingers > SIS_FINGERS_MOST)
        return sis_live_fail(error, SIS_LIVE_WRONG_REQUEST, "there may be 0 .. %d fingers, not %d",
                             SIS_FINGERS_MOST, (int)o->fingers);
    if (!(o->peak >= 0 && isfinite(o->peak)) || !(o->gain >= 0 && isfinite(o->gain)))
        return sis_live_fail(error, SIS_LIVE_WRONG_REQUEST,
                             "peak and gain must be finite numbers >= 0, not %g and %g", o->peak,
                             o->gain);
    return true;
}

static void work_on(void* self) {
    sis_live* live = self;
    while (!atomic_load(&live->stop))
        if (!sis_live_work_politely(live) || sis_lock_is_claimed(live->lock))
            sis_thread_sleep(0.0005);
}

static int32_t note_on(void* self, const sis_played* played);
static void note_up(void* self, int32_t note);
static void note_end(void* self, int32_t note);
static bool other_event(void* self, const sis_song_event* event);

static void start(sis_live* live) {
    const sis_live_options* o = &live->options;
    live->tuning = sis_tuning_equal(440);
    live->prepare_velocity = -1;
    live->polish.dc_blocker = o->dc_blocker;
    live->polish.limiter = o->limiter;
    sis_polish_start(&live->polish, o->rate, o->gain);
    atomic_store(&live->gain, o->gain);
    atomic_store(&live->guard, o->guard);
    atomic_store(&live->limiter, o->limiter);
    atomic_store(&live->dc_blocker, o->dc_blocker);
    atomic_store(&live->prepare, -1);
    atomic_store(&live->told.residual, o->audit ? 0 : (double)NAN);
    for (int32_t i = 0; i < SIS_SOUNDING_MOST; i++)
        atomic_store(&live->sounding[i], -1);
    sis_live_forget_notes(live);
    sis_fingers_lift(&live->fingers);
    sis_fingers_begin(&live->fingers);
}

sis_live* sis_live_new(const sis_live_options* options, sis_live_error* error) {
    if (!check_options(options, error)) return NULL;
    sis_live* live = calloc(1, sizeof *live);
    if (live) {
        const sis_hand_sink sink = {live, note_on, note_up, note_end, other_event};
        live->options = *options;
        live->lock = sis_lock_new();
        live->hand = sis_hand_new(SIS_NOTES, &sink);
    }
    if (!live || !live->lock || !live->hand) {
        sis_live_free(live);
        sis_live_no_memory(error);
        return NULL;
    }
    start(live);
    if (options->worker) live->worker = sis_thread_start(work_on, live);
    if (options->worker && !live->worker) {
        sis_live_free(live);
        sis_live_fail(error, SIS_LIVE_NO_MEMORY, "no thread could be started to compile notes");
        return NULL;
    }
    return live;
}

// What is still on its way belongs to nobody else.
static void empty_rings(sis_live* live) {
    sis_message m;
    while (sis_ring_take(&live->to_audio, &m)) {
        if (m.kind == SIS_TO_TONE) sis_tone_free(m.a);
        if (m.kind == SIS_TO_ENGINE) sis_engine_free(m.a);
        if (m.kind == SIS_TO_ROOM || m.kind == SIS_TO_TUNING) free(m.a);
        if (m.kind == SIS_TO_SEAT) {
            sis_program* p = ((sis_seat*)m.a)->owner;
            sis_seat_free(m.a);
            p->seat = NULL;
            sis_program_leave(p);
        }
    }
    sis_live_clear(live);
}

// All engines; no sis_live_run is running.
static void drop_engines(sis_live* live) {
    for (int32_t i = 0; i < live->leaving_count; i++)
        sis_engine_free(live->leaving[i]);
    sis_engine_free(live->engine);
    live->engine = NULL;
    live->leaving_count = 0;
}

void sis_live_free(sis_live* live) {
    if (!live) return;
    sis_live_load_drop(live);
    atomic_store(&live->stop, true);
    sis_thread_join(live->worker);
    live->newest = NULL; // it goes with its seat, which may still be on its way
    empty_rings(live);
    drop_engines(live);
    empty_rings(live);
    sis_program_leave(live->shown);
    sis_hand_free(live->hand);
    sis_lock_free(live->lock);
    free(live);
}

// ---------------------------------------------------------------------------- notes of the hand

// So that the host hears of its end, once.
static void open_note(sis_live* live, int32_t id, int32_t place) {
    if (id < 0) return;
    for (int32_t i = 0; i < live->open_count; i++)
        if (live->open[i].id == id) {
            live->open[i].place = place;
            return;
        }
    if (live->open_count == SIS_NOTES) live->open[0] = live->open[--live->open_count];
    live->open[live->open_count++] = (sis_open_note){id, place};
}

static int32_t note_on(void* self, const sis_played* played) {
    sis_live* live = self;
    open_note(live, played->id, live->free_count ? live->free_notes[live->free_count - 1] : 0);
    if (!live->free_count) return -1;
    int32_t note = live->free_notes[--live->free_count];
    live->notes[note] = *played;
    live->alive[note] = true;
    live->up[note] = false;
    live->serial[note] = live->note_count++;
    if (live->engine) sis_stage_on(&live->engine->stage, live->row, note, played);
    return note;
}

static void note_up(void* self, int32_t note) {
    sis_live* live = self;
    live->up[note] = true;
    if (live->engine) sis_stage_up(&live->engine->stage, live->row, note);
}

static void note_end(void* self, int32_t note) {
    sis_live* live = self;
    if (!live->alive[note]) return;
    if (live->engine) sis_stage_finish(&live->engine->stage, live->row, note);
    live->alive[note] = false;
    live->free_notes[live->free_count++] = note;
}

static bool other_event(void* self, const sis_song_event* event) {
    sis_live* live = self;
    if (live->engine) sis_stage_event(&live->engine->stage, live->row, event);
    if (live->engine) sis_live_follow(live, event);
    return true;
}

// ---------------------------------------------------------------------------- scenes

const char* sis_live_text(const sis_live* live, size_t* size) {
    if (size) *size = live->shown ? live->shown->recipe.size : 0;
    return live->shown ? live->shown->text : NULL;
}

const char* sis_live_name(const sis_live* live) {
    return live->shown ? live->shown->name : NULL;
}

// ---------------------------------------------------------------------------- knobs

int32_t sis_live_knob_count(const sis_live* live) {
    return atomic_load(&live->knob_count);
}

static int32_t cc_of(const sis_gestures* g, int32_t input) {
    for (int32_t i = 0; input >= 0 && i < SIS_PLAY_CONTROLLERS; i++)
        if (g->cc[i] == input) return i;
    return -1;
}

sis_live_knob sis_live_knob_at(const sis_live* live, int32_t i) {
    if (i < 0 || i >= sis_live_knob_count(live)) return (sis_live_knob){.name = NULL};
    const sis_knob* knob = &live->knobs[i];
    const sis_script* script = live->shown->script;
    const sis_gestures* g = sis_script_gestures(script);
    sis_live_knob made = {.value = atomic_load(&live->value[i]),
                          .min = knob->min,
                          .max = knob->max,
                          .input = knob->input >= 0,
                          .trigger = knob->trigger,
                          .cc = g ? cc_of(g, knob->input) : -1};
    if (knob->param >= 0) {
        sis_param param = sis_script_param(script, knob->param);
        made.name = param.name;
        made.label = param.label;
        made.unit = param.unit;
        made.fallback = param.fallback;
        made.logarithmic = param.logarithmic && knob->min > 0;
    } else {
        sis_input input = sis_script_input(script, knob->input);
        made.name = input.name;
        made.label = input.label;
        made.unit = input.unit;
        made.fallback = input.fallback;
    }
    return made;
}

int32_t sis_live_knob_find(const sis_live* live, const char* name) {
    for (int32_t i = 0; i < sis_live_knob_count(live); i++)
        if (!strcmp(sis_live_knob_at(live, i).name, name)) return i;
    return -1;
}

void sis_live_knob_set(sis_live* live, int32_t i, double value) {
    if (i < 0 || i >= atomic_load(&live->knob_count) || isnan(value)) return;
    const sis_knob* knob = &live->knobs[i];
    value = fmin(fmax(value, knob->min), knob->max);
    double before = atomic_exchange(&live->value[i], value);
    atomic_store(&live->by_hand[i], true);
    if (knob->input >= 0)
        atomic_store(&live->turned[i], true);
    else if (before != value)
        atomic_fetch_add(&live->params, 1);
}

int32_t sis_live_preset_count(const sis_live* live) {
    return live->shown ? sis_script_preset_count(live->shown->script) : 0;
}

const char* sis_live_preset_name(const sis_live* live, int32_t i) {
    return live->shown ? sis_script_preset(live->shown->script, i).name : NULL;
}

bool sis_live_preset_take(sis_live* live, int32_t i) {
    if (i < 0 || i >= sis_live_preset_count(live)) return false;
    sis_preset preset = sis_script_preset(live->shown->script, i);
    for (int32_t k = 0; k < sis_live_knob_count(live); k++) {
        sis_live_knob knob = sis_live_knob_at(live, k);
        double value = knob.fallback;
        for (int32_t s = 0; s < preset.count; s++)
            if (!strcmp(preset.settings[s].name, knob.name)) value = preset.settings[s].value;
        if (!knob.trigger) sis_live_knob_set(live, k, value);
    }
    return true;
}

// ---------------------------------------------------------------------------- probes

int32_t sis_live_probe_count(const sis_live* live) {
    return live->shown ? live->shown->probe_count : 0;
}

sis_live_probe sis_live_probe_at(const sis_live* live, int32_t i) {
    if (i < 0 || i >= sis_live_probe_count(live)) return (sis_live_probe){.name = NULL};
    return live->shown->probes[i];
}

int32_t sis_live_probe_find(const sis_live* live, const char* name) {
    for (int32_t i = 0; i < sis_live_probe_count(live); i++)
        if (!strcmp(live->shown->probes[i].name, name)) return i;
    return -1;
}

// ---------------------------------------------------------------------------- what the scene is

bool sis_live_takes_notes(const sis_live* live) {
    if (!live->shown || live->options.fingers) return false;
    const sis_gestures* g = sis_script_gestures(live->shown->script);
    const sis_play* play = sis_script_play(live->shown->script);
    if (!g || !g->sound_count) return true; // any key starts a scene without play{}
    return sis_play_is_pitched(play, g) || g->gate >= 0 || g->velocity >= 0 || play->velocity >= 0;
}

bool sis_live_is_pitched(const sis_live* live) {
    const sis_play* play =
        live->shown && !live->options.fingers ? sis_script_play(live->shown->script) : NULL;
    return play && sis_play_is_pitched(play, sis_script_gestures(live->shown->script));
}

bool sis_live_keys(const sis_live* live, int32_t* lowest, int32_t* highest) {
    bool some = false;
    sis_lock_take(live->lock);
    if (live->newest && live->newest->seat && sis_live_is_pitched(live)) {
        sis_program_ends(live->newest, &live->tuning, lowest, highest);
        some = true;
    }
    sis_lock_leave(live->lock);
    return some;
}

int32_t sis_live_sound_inputs(const sis_live* live) {
    const bool notes = live->shown && !live->options.fingers;
    const sis_gestures* g = notes ? sis_script_gestures(live->shown->script) : NULL;
    return g ? g->sound_count : 0;
}

int32_t sis_live_voices(const sis_live* live) {
    const sis_play* play = live->shown ? sis_script_play(live->shown->script) : NULL;
    int32_t voices = play ? play->voices : 16;
    if (live->options.fingers) return 1;
    return live->options.voices > 0 && live->options.voices < voices ? live->options.voices
                                                                     : voices;
}

int32_t sis_live_latency(const sis_live* live) {
    return atomic_load(&live->latency);
}

// ---------------------------------------------------------------------------- tuning and rate

sis_tuning sis_live_tuning(const sis_live* live) {
    sis_lock_claim(live->lock);
    sis_tuning now = live->tuning;
    sis_lock_leave(live->lock);
    return now;
}

void sis_live_tune(sis_live* live, const double hz[128]) {
    sis_tuning* tuning = malloc(sizeof *tuning);
    if (!tuning) return;
    for (int key = 0; key < SIS_KEYS; key++)
        tuning->hz[key] = hz[key] > 1e-3 && hz[key] < 1e6 ? hz[key] : (double)NAN;
    sis_lock_claim(live->lock);
    sis_live_make_way(live);
    live->tuning = *tuning;
    sis_live_count_reach(live);
    if (live->newest && live->newest->seat && live->newest->seat->keys > 1) {
        memset(live->newest->sent, 0,
               (size_t)(live->newest->seat->keys * live->newest->seat->velocities));
        if (live->newest->seat->velocities == 1) atomic_store(&live->prepare, 100);
    }
    sis_ring_put(&live->to_audio, &(sis_message){.kind = SIS_TO_TUNING, .a = tuning});
    sis_lock_leave(live->lock);
}

bool sis_live_tune_scala(sis_live* live, const char* scale, size_t scale_size, const char* keys,
                         size_t keys_size, double a4, sis_live_error* error) {
    double concert = a4 > 0 ? a4 : 440;
    sis_scale* steps = calloc(1, sizeof *steps);
    sis_keymap* map = calloc(1, sizeof *map);
    sis_tuning tuning = sis_tuning_equal(concert);
    sis_fault fault = {.text = "out of memory"};
    bool starved = !steps || !map, fine = !starved;
    if (fine) *map = sis_keymap_linear(concert);
    if (fine && scale) fine = sis_scale_read(scale, scale_size, "scale", steps, &fault);
    if (fine && keys) fine = sis_keymap_read(keys, keys_size, "keyboard map", map, &fault);
    if (fine && scale)
        fine = sis_tuning_scala(steps, map, keys ? "keyboard map" : "scale", &tuning, &fault);
    free(steps);
    free(map);
    if (!fine)
        return sis_live_fail(error, starved ? SIS_LIVE_NO_MEMORY : SIS_LIVE_WRONG_REQUEST, "%s",
                             fault.text);
    sis_live_tune(live, tuning.hz);
    return true;
}

// Under the lock, and no sis_live_run is running: everything that is compiled goes.
static void forget_engines(sis_live* live) {
    live->newest = NULL;
    empty_rings(live);
    drop_engines(live);
    live->changes = atomic_load(&live->changes_taken);
    live->bytes = 0;
    live->prepare_velocity = -1;
    atomic_store(&live->prepare, -1);
    atomic_store(&live->ready, 0);
    atomic_store(&live->to_come, 0);
    atomic_store(&live->reach, 0);
    atomic_store(&live->told.voices, 0);
    atomic_store(&live->told.fading, 0);
    atomic_store(&live->told.waiting, 0);
}

// Everything at another rate: the saved instrument (NULL: there is none) is compiled for it.
static bool begin_at(sis_live* live, const sis_live_options* options, const char* saved,
                     size_t size, sis_live_error* error) {
    sis_lock_claim(live->lock);
    live->options = *options;
    live->polish.dc_blocker = atomic_load(&live->dc_blocker);
    live->polish.limiter = atomic_load(&live->limiter);
    sis_polish_start(&live->polish, options->rate, atomic_load(&live->gain));
    forget_engines(live);
    sis_live_forget_notes(live);
    sis_lock_leave(live->lock);
    return !saved || sis_live_restore(live, saved, size, error);
}

bool sis_live_set_rate(sis_live* live, double rate, int32_t frames_max, sis_live_error* error) {
    const sis_live_options before = live->options;
    sis_live_options now = before;
    now.rate = rate;
    now.frames_max = frames_max;
    if (!check_options(&now, error)) return false;
    if (rate == before.rate) {
        sis_lock_claim(live->lock);
        live->options = now;
        sis_lock_leave(live->lock);
        return true;
    }
    size_t size = 0;
    char* saved = live->shown ? sis_live_save(live, &size) : NULL;
    if (live->shown && !saved) return sis_live_no_memory(error);
    sis_loading *loading = live->loading, *next = live->next; // they go on, and are made anew
    live->loading = live->next = NULL;
    bool fine = begin_at(live, &now, saved, size, error);
    if (!fine) begin_at(live, &before, saved, size, NULL);
    live->loading = loading;
    live->next = next;
    free(saved);
    return fine;
}

void sis_live_set_peak(sis_live* live, double peak) {
    if (!(peak >= 0 && isfinite(peak))) return;
    sis_lock_claim(live->lock);
    live->options.peak = peak;
    if (live->newest && live->newest->seat) {
        live->peak = sis_live_measure(&live->options, live->newest, &live->tuning);
        atomic_store(&live->factor, 1 / live->peak);
    }
    sis_lock_leave(live->lock);
}

double sis_live_peak(const sis_live* live) {
    return live->shown ? live->peak : 0;
}

uint32_t sis_live_trouble(sis_live* live, char* text, size_t room) {
    sis_lock_claim(live->lock);
    if (room) sis_clean(live->trouble, text, room);
    uint32_t count = (uint32_t)live->trouble_count;
    sis_lock_leave(live->lock);
    return count;
}
