// The instruments as the worklet plays them.
#include "page.h"

#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sis_live* page_notes;
sis_live* page_hand;

static float out[2][PAGE_FRAMES], hand_out[2][PAGE_FRAMES];
static double pairs[2 * PAGE_FRAMES];
static sis_live_event events[PAGE_EVENTS];
static int32_t event_count;
static int32_t hand_knobs[256]; // those of `hand` for those of `notes`; -1: it has none
static sis_polish sum;          // of both
static double page_rate;

// ---------------------------------------------------------------------------- making

static sis_live_options options_of(double rate, double memory) {
    sis_live_options o = sis_live_options_default();
    o.rate = rate;
    o.frames_max = PAGE_FRAMES;
    o.worker = false;
    o.audit = true;
    o.memory_most = (size_t)memory;
    return o;
}

/** Both instruments, without a scene; `memory` bytes for compiled notes. */
int EXPORT(page_open)(double rate, double memory) {
    sis_live_error error = {.text = ""};
    sis_live_options o = options_of(rate, memory);
    page_rate = rate;
    page_notes = sis_live_new(&o, &error);
    o.fingers = PAGE_FINGERS;
    if (page_notes) page_hand = sis_live_new(&o, &error);
    if (!page_hand) page_notes = NULL;
    sum.limiter = true;
    sis_polish_start(&sum, rate, 1);
    if (!page_notes) page_fail(error.text, 0);
    return page_notes != NULL;
}

static void match_knobs(void) {
    for (int32_t i = 0; i < sis_live_knob_count(page_notes); i++)
        hand_knobs[i] =
            page_hand ? sis_live_knob_find(page_hand, sis_live_knob_at(page_notes, i).name) : -1;
}

/** What of the scene's sound is full scale, as sis_live_set_peak; 0: measured when it is loaded. */
void EXPORT(page_set_peak)(double peak) {
    sis_live_set_peak(page_notes, peak);
    if (page_hand) sis_live_set_peak(page_hand, peak);
}

double EXPORT(page_peak)(void) {
    return sis_live_peak(page_notes);
}

sis_setting* page_settings(const char* names, const double* values, int32_t count) {
    sis_setting* settings = calloc((size_t)count + 1, sizeof *settings);
    for (int32_t i = 0; settings && i < count; i++) {
        settings[i] = (sis_setting){names, values[i]};
        names += strlen(names) + 1;
    }
    return settings;
}

/** Takes a scene; settings are `count` names, each ended by NUL, and their values. 0: page_text has
 * the sentence. */
int EXPORT(page_load)(const char* text, size_t size, const char* name, const char* names,
                      const double* values, int32_t count) {
    sis_live_error error = {.text = ""};
    sis_setting* given = page_settings(names, values, count);
    sis_live_setting* settings = calloc((size_t)count + 1, sizeof *settings);
    if (!given || !settings) return free(given), free(settings), page_fail("out of memory", 0), 0;
    for (int32_t i = 0; i < count; i++)
        settings[i] = (sis_live_setting){given[i].name, given[i].value};
    free(given);
    bool fine = sis_live_load(page_notes, text, size, name, settings, count, &error);
    sis_live_error untouched = {.text = ""};
    if (fine && page_hand) sis_live_set_peak(page_hand, sis_live_peak(page_notes)); // as loud
    if (fine && page_hand &&
        !sis_live_load(page_hand, text, size, name, settings, count, &untouched)) {
        sis_live_free(page_hand); // it is heard all the same
        page_hand = NULL;
    }
    free(settings);
    if (fine)
        match_knobs();
    else
        page_fail(error.text, error.line);
    return fine;
}

/** Compiles what is waiting: in the Worker all keys within its memory, in the worklet what notes and
 * knobs ask for. Returns whether there was anything. */
int EXPORT(page_work)(void) {
    bool any = sis_live_work(page_notes);
    return (page_hand && sis_live_work(page_hand)) || any;
}

/** Every key at that velocity, by page_work. */
void EXPORT(page_prepare)(int32_t velocity) {
    sis_live_prepare(page_notes, velocity);
}

/** Enough: what is not compiled now is compiled when a note asks for it. */
void EXPORT(page_settle)(void) {
    page_notes->prepare_velocity = -1;
    atomic_store(&page_notes->prepare, -1);
    atomic_store(&page_notes->to_come, 0);
}

/** The last thing that failed: a sentence in page_text. Returns how often anything failed. */
uint32_t EXPORT(page_trouble)(void) {
    char text[1024] = "";
    uint32_t count = sis_live_trouble(page_notes, text, sizeof text);
    page_say_begin();
    page_say("%s", text);
    return count;
}

// ---------------------------------------------------------------------------- what hands do

void EXPORT(page_event)(int32_t kind, int32_t channel, int32_t key, int32_t note, double value,
                        int32_t bytes) {
    if (event_count == PAGE_EVENTS) return;
    events[event_count++] =
        (sis_live_event){.kind = (uint8_t)kind,
                         .bytes = {(uint8_t)bytes, (uint8_t)(bytes >> 8), (uint8_t)(bytes >> 16)},
                         .channel = (int16_t)channel,
                         .key = (int16_t)key,
                         .note = note,
                         .value = value};
}

void EXPORT(page_knob)(int32_t i, double value) {
    if (i < 0 || i >= sis_live_knob_count(page_notes)) return;
    sis_live_knob_set(page_notes, i, value);
    if (page_hand && hand_knobs[i] >= 0) sis_live_knob_set(page_hand, hand_knobs[i], value);
}

double EXPORT(page_knob_value)(int32_t i) {
    return sis_live_knob_at(page_notes, i).value;
}

void EXPORT(page_preset)(int32_t i) {
    sis_live_preset_take(page_notes, i);
    if (page_hand) sis_live_preset_take(page_hand, i);
}

void EXPORT(page_finger)(int32_t finger, int32_t body, double x, double y, double press) {
    if (page_hand) sis_live_finger(page_hand, finger, body, x, y, press);
}

void EXPORT(page_gain)(double gain) {
    sis_live_gain(page_notes, gain);
    if (page_hand) sis_live_gain(page_hand, gain);
}

void EXPORT(page_panic)(void) {
    sis_live_panic(page_notes);
    if (page_hand) sis_live_panic(page_hand);
}

/** The texts of Scala files; sizes < 0: none. 0: page_text has the sentence. */
int EXPORT(page_tune)(const char* scale, int32_t scale_size, const char* keys, int32_t keys_size,
                      double a4) {
    sis_live_error error = {.text = ""};
    if (scale_size < 0) scale = NULL, scale_size = 0;
    if (keys_size < 0) keys = NULL, keys_size = 0;
    if (sis_live_tune_scala(page_notes, scale, (size_t)scale_size, keys, (size_t)keys_size, a4,
                            &error))
        return 1;
    return page_fail(error.text, 0), 0;
}

void EXPORT(page_offline)(int32_t offline) {
    sis_live_offline(page_notes, offline != 0);
    if (page_hand) sis_live_offline(page_hand, offline != 0);
}

// ---------------------------------------------------------------------------- sound

static bool sounds(float sides[2][PAGE_FRAMES], int32_t frames) {
    for (int32_t n = 0; n < frames; n++)
        if (sides[0][n] != 0 || sides[1][n] != 0) return true;
    return false;
}

// One limiter for both, so that their sum stays below full scale too.
static void add_hand(int32_t frames) {
    float* const to[2] = {out[0], out[1]};
    for (int32_t n = 0; n < frames; n++)
        for (int side = 0; side < 2; side++)
            pairs[2 * n + side] = (double)out[side][n] + (double)hand_out[side][n];
    sis_polish_run(&sum, pairs, frames, to);
}

/** Plays at most PAGE_FRAMES; returns the left side, the right one is PAGE_FRAMES floats behind it. */
const float* EXPORT(page_run)(int32_t frames) {
    sis_live_block block = {
        .frames = frames, .out = {out[0], out[1]}, .events = events, .event_count = event_count};
    sis_live_run(page_notes, &block);
    event_count = 0;
    if (page_hand) {
        sis_live_run(page_hand,
                     &(sis_live_block){.frames = frames, .out = {hand_out[0], hand_out[1]}});
        bool by_hand = sounds(hand_out, frames), both = by_hand && sounds(out, frames);
        if (sum.held < 1 || both)
            add_hand(frames);
        else if (by_hand)
            memcpy(out, hand_out, sizeof out); // its very bits
    }
    return out[0];
}

const float* EXPORT(page_run_end)(void) {
    return out[1] + PAGE_FRAMES;
}

/** The hand finds the bodies at rest: one frame of it, so that there is something to look at. */
void EXPORT(page_rest)(void) {
    if (page_hand)
        sis_live_run(page_hand, &(sis_live_block){.frames = 1, .out = {hand_out[0], hand_out[1]}});
}
