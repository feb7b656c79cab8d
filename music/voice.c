#include "voice.h"

#include "seat.h"
#include "sistrum/elementary.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64, // steps at a time
    LOOK = 256  // steps between two looks at the energy
};

static const double RESTS = 1e-10; // of the largest energy: what fingers moved is at rest
enum { IDLE_TURNS = 16 };          // of fingers that were lifted

// ---------------------------------------------------------------------------- memory

static size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

size_t sis_voice_room(const sis_tone* tone) {
    size_t values = (size_t)(tone->probe_count + tone->input_count) * PIECE;
    return round_up(sis_state_size(tone->system)) + round_up(values * sizeof(double));
}

void sis_voice_settle_in(sis_voice* v) {
    const sis_tone* tone = v->tone;
    v->probes = (double*)(void*)((char*)v->memory + round_up(sis_state_size(tone->system)));
    v->inputs = v->probes + (size_t)tone->probe_count * PIECE;
}

void sis_voice_begin(sis_voice* v) {
    const sis_tone* tone = v->tone;
    v->state = sis_state_init(tone->system, v->memory);
    if (tone->start) memcpy(v->memory, tone->start, sis_state_size(tone->system));
    v->still = tone->touch != NULL; // until it is touched
    sis_voice_settle_in(v);
    v->most = v->stored = sis_state_energy(tone->system, v->state).total; // a pluck has it at once
    v->age = 0;
    v->loudness = INFINITY; // nobody takes its place before it is heard
}

// ---------------------------------------------------------------------------- levels

// Rows from one to a step. Whole steps make the difference: it does not depend on where the block
// begins.
static double rows_since(const sis_block_plan* b, uint64_t from, uint64_t step) {
    uint64_t then = from * (uint64_t)b->oversample;
    return step > then ? (double)(step - then) / b->oversample : 0;
}

// From 1 to 0 along half a cosine, from a row on.
static double falling(const sis_block_plan* b, uint64_t from, uint64_t rows, uint64_t step) {
    if (from == SIS_NEVER) return 1;
    double part = rows ? rows_since(b, from, step) / (double)rows : 1;
    if (part >= 1) return step >= from * (uint64_t)b->oversample ? 0 : 1;
    return part > 0 ? 0.5 * (1 + sis_cos(3.14159265358979323846 * part)) : 1;
}

// 60 dB less in every `release` seconds after the key came up. Struck again it comes back as fast
// as a fade goes.
static double released(const sis_voice* v, const sis_block_plan* b, uint64_t step) {
    double level = v->dim < 1 ? 1 - (1 - v->dim) * falling(b, v->lift, v->lift_rows, step) : 1;
    if (isnan(v->release) || v->off == SIS_NEVER) return level;
    double rows = rows_since(b, v->off, step);
    return rows > 0 ? level * sis_power(10, -3 * rows / (b->rate * v->release)) : level;
}

static bool is_level(const sis_voice* v) {
    return v->dim == 1 && v->cut == SIS_NEVER && (isnan(v->release) || v->off == SIS_NEVER);
}

// ---------------------------------------------------------------------------- hearing

// A probe may rest at any value: sound is what differs from the first.
static void listen_for_sound(sis_voice* v, const double* pair) {
    if (!v->begun) {
        v->rest[0] = pair[0];
        v->rest[1] = pair[1];
        v->begun = true;
    }
    v->sounded = v->sounded || pair[0] != v->rest[0] || pair[1] != v->rest[1];
}

// What fingers touch is silent at rest.
static void from_rest(sis_voice* v, double* pair) {
    pair[0] -= v->rest[0];
    pair[1] -= v->rest[1];
    v->held[0] = pair[0];
    v->held[1] = pair[1];
}

static void count_in(sis_voice* v, const double* pair) {
    for (int side = 0; side < 2; side++) {
        v->sum[side] += pair[side];
        v->square[side] += pair[side] * pair[side];
        v->recent += pair[side] * pair[side];
    }
    v->counted++;
}

static void mix_probes(const sis_tone* tone, const double* probes, double* pair) {
    double left = 0, right = 0;
    for (int32_t p = 0; p < tone->probe_count; p++) {
        left += tone->gain[2 * p] * probes[p];
        right += tone->gain[2 * p + 1] * probes[p];
    }
    pair[0] = left;
    pair[1] = right;
}

// Its probes, as far as it is let through, beside those of the voices before it. The first of a tone
// where it has more than the stage.
static void add_probes(const sis_voice* v, const sis_block_plan* b, int32_t n, double factor) {
    int32_t own = v->tone->probe_count, count = own < b->probe_count ? own : b->probe_count;
    const double* from = v->probes + (size_t)n * (size_t)own;
    double* to = b->probes + (size_t)(v->step + n) * (size_t)b->probe_count;
    for (int32_t p = 0; p < count && !v->failed; p++)
        to[p] += factor * from[p];
}

// Of `count` steps that were just made. What is not finite is silence, and the end of the voice.
static void hear(sis_voice* v, const sis_block_plan* b, int32_t count) {
    uint64_t first = b->row * (uint64_t)b->oversample + (uint64_t)v->step;
    bool level = is_level(v);
    for (int32_t n = 0; n < count; n++) {
        double* pair = v->heard + 2 * (v->step + n);
        mix_probes(v->tone, v->probes + (size_t)n * (size_t)v->tone->probe_count, pair);
        if (!isfinite(pair[0]) || !isfinite(pair[1])) v->failed = true;
        if (v->failed) pair[0] = pair[1] = 0;
        listen_for_sound(v, pair);
        if (v->tone->touch) from_rest(v, pair);
        double factor = 1;
        if (!level) {
            uint64_t step = first + (uint64_t)n;
            factor = released(v, b, step) * falling(b, v->cut, v->cut_rows, step);
            pair[0] *= factor;
            pair[1] *= factor;
        }
        if (b->probes) add_probes(v, b, n, factor);
        count_in(v, pair);
    }
}

// ---------------------------------------------------------------------------- ringing out

bool sis_voice_is_held(const sis_voice* v) {
    for (int32_t i = 0; i < v->part_count; i++)
        if (v->parts[i].held > 0) return true;
    return false;
}

// A quarter of a second of sound: is it far below the loudest one? Its mean does not count.
static void close_window(sis_voice* v, const sis_block_plan* b, double least) {
    if ((double)v->counted < 0.25 * b->rate * b->oversample) return;
    double n = (double)v->counted, loud = 0;
    for (int side = 0; side < 2; side++) {
        loud = fmax(loud, v->square[side] / n - (v->sum[side] / n) * (v->sum[side] / n));
        v->square[side] = v->sum[side] = 0;
    }
    v->counted = 0;
    v->loudest = fmax(v->loudest, loud);
    v->quiet = v->loudest > 0 && loud <= least * v->loudest ? v->quiet + 1 : 0;
}

// Its stored energy, as far as it is still let through, is `tail` dB down. Or, since a hammer that
// flew away keeps its energy for ever, what is heard has been for half a second. Or nothing came at
// all while the scene lasts, as of a blow of no strength; before that a late blow may still come.
static bool has_rung_out(sis_voice* v, const sis_block_plan* b, uint64_t step) {
    double least = v->tone->touch ? RESTS : v->seat->least;
    double level = released(v, b, step);
    close_window(v, b, least);
    if (!v->sounded && v->age >= v->seat->hope * (uint64_t)b->oversample) return true;
    return (v->most > 0 && v->stored * level * level <= least * v->most) || v->quiet >= 2;
}

// Nothing moves any more that was moved by fingers, or nothing of it has been heard for half a
// second; a mass that flew away moves for ever. All fingers have been lifted for a while.
static void come_to_rest(sis_voice* v) {
    const double kinetic = sis_state_energy(v->tone->system, v->state).kinetic;
    const bool over = kinetic <= RESTS * v->most || v->quiet >= 2;
    const sis_fingers* f = v->seat->fingers;
    if (over && f->idle >= IDLE_TURNS && !sis_fingers_busy(v->tone->touch, f)) v->still = true;
}

void sis_voice_stir(sis_voice* v) {
    v->still = false;
    v->quiet = 0;
    v->counted = 0;
    v->sum[0] = v->sum[1] = v->square[0] = v->square[1] = 0;
    if (v->seat->fingers) v->seat->fingers->idle = 0;
}

// Every LOOK steps. Where a hand may feed it, it does not end before the key is up.
static void look(sis_voice* v, const sis_block_plan* b, uint64_t step) {
    v->stored = sis_state_energy(v->tone->system, v->state).total;
    if (v->stored > v->most) v->most = v->stored;
    v->loudness = v->recent / LOOK;
    v->recent = 0;
    if (!isfinite(v->stored)) v->failed = true;
    uint64_t row = (step + (uint64_t)b->oversample - 1) / (uint64_t)b->oversample;
    bool over = has_rung_out(v, b, step);
    if (v->tone->touch) come_to_rest(v);
    if (v->endless || (v->fed && sis_voice_is_held(v))) return;
    bool capped =
        !over && row > v->last && (double)(row - v->last) >= SIS_VOICE_MOST_SECONDS * b->rate;
    if (v->cut == SIS_NEVER) v->capped = v->capped || capped;
    if (over || capped) sis_voice_cut(v, row, b->fade);
}

void sis_voice_cut(sis_voice* v, uint64_t row, uint64_t rows) {
    if (row >= v->cut) return;
    v->cut = row;
    v->cut_rows = rows;
}

bool sis_voice_is_over(const sis_voice* v, uint64_t row) {
    return v->failed || (v->cut != SIS_NEVER && row >= v->cut + v->cut_rows);
}

void sis_voice_again(sis_voice* v, const sis_block_plan* b, uint64_t row) {
    v->dim = released(v, b, row * (uint64_t)b->oversample);
    v->lift = row;
    v->lift_rows = b->fade;
    v->off = SIS_NEVER;
    v->most = v->loudest = 0;
    v->quiet = 0;
}

// ---------------------------------------------------------------------------- playing

// Sound from outside goes along straight lines from row to row.
static double outside(const sis_block_plan* b, int side, int32_t step) {
    int32_t row = step / b->oversample, part = step % b->oversample;
    double now = b->sound[side][row], before = row ? b->sound[side][row - 1] : b->before[side];
    return before + (now - before) * (part + 1) / b->oversample;
}

// Rows of inputs, where sound from outside moves some of them; all others keep their value.
static const double* rows_of_inputs(sis_voice* v, const sis_block_plan* b, int32_t count) {
    const sis_gestures* g = &v->tone->play;
    size_t inputs = (size_t)v->tone->input_count;
    if (!g->sound_count || !(b->sound[0] || b->sound[1])) return NULL;
    for (size_t i = 0; i < inputs; i++) {
        double held = sis_state_input(v->tone->system, v->state, (int32_t)i);
        for (int32_t n = 0; n < count; n++)
            v->inputs[(size_t)n * inputs + i] = held;
    }
    for (int32_t k = 0; k < g->sound_count; k++) {
        sis_input_info input = sis_system_input(v->tone->system, g->sound[k]);
        double full = fmax(fabs(input.min), fabs(input.max));
        int side = b->sound[k] ? k : 1 - k;
        for (int32_t n = 0; n < count; n++)
            v->inputs[(size_t)n * inputs + (size_t)g->sound[k]] =
                full * outside(b, side, v->step + n);
    }
    return v->inputs;
}

static int32_t least(int32_t a, uint64_t b) {
    return (uint64_t)a < b ? a : (int32_t)b;
}

// The first step of a state is made at compile: a blow that begins a note comes with the next one,
// or it would be lost.
static void strike(sis_voice* v) {
    v->blow = false;
    if (v->seat->plain) sis_gesture_strike_all(v->tone->system, v->state);
    for (int32_t i = 0; i < v->part_count; i++) {
        if (!v->parts[i].blow) continue;
        const sis_move blow = {
            .act = SIS_ACT_VELOCITY, .value = v->parts[i].velocity, .number = (uint8_t)i};
        v->parts[i].blow = false;
        sis_gesture_give(&v->tone->play, v->tone->system, v->state, &blow);
    }
}

// Fingers move at every SIS_TOUCH_STEPS-th of its steps. One that touches wakes it.
static void turn_fingers(sis_voice* v) {
    sis_fingers* fingers = v->seat->fingers;
    if (v->cut != SIS_NEVER) return; // another one is touched now
    if (v->still && sis_fingers_busy(v->tone->touch, fingers)) sis_voice_stir(v);
    if (!v->still && v->age % SIS_TOUCH_STEPS == 0)
        sis_fingers_turn(v->tone->touch, fingers, v->tone->system, v->state);
}

// Up to a step of the block without making any.
static void stay(sis_voice* v, const sis_block_plan* b, int32_t to) {
    uint64_t first = b->row * (uint64_t)b->oversample;
    for (; v->step < to; v->step++) {
        double factor = falling(b, v->cut, v->cut_rows, first + (uint64_t)v->step);
        v->heard[2 * v->step] = factor * v->held[0];
        v->heard[2 * v->step + 1] = factor * v->held[1];
    }
}

void sis_voice_play(sis_voice* v, const sis_block_plan* b, uint64_t row) {
    uint64_t start = b->row * (uint64_t)b->oversample;
    int32_t to = (int32_t)(row - b->row) * b->oversample;
    if (!v->state) {
        v->step = v->summed = to; // it has not begun: nothing to hear
        return;
    }
    while (v->step < to && !v->failed) {
        if (v->tone->touch) turn_fingers(v);
        if (v->still) {
            stay(v, b, to);
            return;
        }
        int32_t count = least(to - v->step, v->blow ? 1 : PIECE);
        if (v->tone->touch) count = least(count, SIS_TOUCH_STEPS - v->age % SIS_TOUCH_STEPS);
        count = least(count, LOOK - v->age % LOOK);
        sis_block block = {
            .frames = count, .probes = v->probes, .inputs = rows_of_inputs(v, b, count)};
        sis_step(v->tone->system, v->state, &block);
        hear(v, b, count);
        v->step += count;
        v->age += (uint64_t)count;
        if (v->blow) strike(v);
        if (v->age % LOOK == 0) look(v, b, start + (uint64_t)v->step);
    }
    if (v->step >= to) return;
    memset(v->heard + 2 * v->step, 0, 2 * (size_t)(to - v->step) * sizeof *v->heard);
    v->step = to;
}
