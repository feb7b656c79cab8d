#include "voice.h"
#include "sistrum/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 256 }; // steps between two looks at the energy

// ---------------------------------------------------------------------------- hearing

/** A block on its way from the solver to `heard`. */
typedef struct ear {
    sis_voice* voice;
    const sis_block_plan* block;
} ear;

// From 1 to 0 along half a cosine, from a row on.
static double falling(const sis_block_plan* b, uint64_t from, double row) {
    if (from == SIS_NEVER || row <= (double)from) return 1;
    double part = (row - (double)from) / (double)b->fade;
    return part >= 1 ? 0 : 0.5 * (1 + sis_cos(3.14159265358979323846 * part));
}

// 60 dB less in every `release` seconds after the key came up. Struck again it comes back as fast
// as a fade goes.
static double released(const sis_voice* v, const sis_block_plan* b, double row) {
    double level = v->dim < 1 ? 1 - (1 - v->dim) * falling(b, v->lift, row) : 1;
    if (isnan(v->release) || !(row > (double)v->off)) return level;
    return level * sis_power(10, -3 * (row - (double)v->off) / (b->rate * v->release));
}

static double faded(const sis_voice* v, const sis_block_plan* b, double row) {
    return falling(b, v->cut, row);
}

static void count_in(sis_voice* v, const double* pair) {
    for (int side = 0; side < 2; side++) {
        v->sum[side] += pair[side];
        v->square[side] += pair[side] * pair[side];
    }
    v->counted++;
}

// A probe may rest at any value: sound is what differs from the first.
static void listen_for_sound(sis_voice* v, double left, double right) {
    if (!v->begun) {
        v->rest[0] = left;
        v->rest[1] = right;
        v->begun = true;
    }
    v->sounded = v->sounded || left != v->rest[0] || right != v->rest[1];
}

// The step before which something moves. The first step of a state is made at compile: a blow that
// begins a note comes with the next one, or it would be lost.
static uint64_t step_of(const sis_voice* v, const sis_block_plan* b, int32_t move) {
    const sis_move* m = &v->moves[move];
    bool begins = m->act == SIS_ACT_VELOCITY && m->row == v->start;
    return (m->row - b->row) * (uint64_t)b->oversample + begins;
}

// What moves before this step of the block.
static void move_until(sis_voice* v, const sis_block_plan* b, uint64_t step) {
    for (; v->move_next < v->move_count && step_of(v, b, v->move_next) <= step; v->move_next++)
        sis_gesture_give(&v->tone->play, v->tone->system, v->state, &v->moves[v->move_next]);
}

static bool hear(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    const ear* e = self;
    sis_voice* v = e->voice;
    const double* gain = v->tone->gain;
    uint64_t first = (uint64_t)v->first + frames->first;
    for (int32_t n = 0; n < frames->count; n++) {
        uint64_t step = first + (uint64_t)n;
        const double* probes = frames->probes + (size_t)n * (size_t)frames->probe_count;
        double left = 0, right = 0;
        for (int32_t p = 0; p < frames->probe_count; p++) {
            left += gain[2 * p] * probes[p];
            right += gain[2 * p + 1] * probes[p];
        }
        listen_for_sound(v, left, right);
        double row = (double)e->block->row + (double)step / e->block->oversample;
        double level = released(v, e->block, row) * faded(v, e->block, row);
        double* pair = v->heard + 2 * step;
        pair[0] = level * left;
        pair[1] = level * right;
        count_in(v, pair);
    }
    v->stored = sis_state_energy(frames->system, frames->state).total;
    if (v->stored > v->most) v->most = v->stored;
    move_until(v, e->block, first + (uint64_t)frames->count);
    return true;
}

static uint64_t next_look(const void* self, uint64_t step) {
    const ear* e = self;
    const sis_voice* v = e->voice;
    uint64_t look = step + LOOK;
    if (v->move_next >= v->move_count) return look;
    uint64_t move = step_of(v, e->block, v->move_next) - (uint64_t)v->first;
    return move > step && move < look ? move : look;
}

// ---------------------------------------------------------------------------- playing

void sis_voice_play(sis_voice* v, const sis_block_plan* block) {
    uint64_t steps = (uint64_t)block->rows * (uint64_t)block->oversample;
    uint64_t late = v->start > block->row ? v->start - block->row : 0;
    if (!v->state) {
        v->state = sis_run_state(v->tone->system, &v->fault);
        v->failed = v->state == NULL;
        if (v->failed) return;
        v->most = sis_state_energy(v->tone->system, v->state).total; // a pluck has it at once
    }
    v->first = (int32_t)(late * (uint64_t)block->oversample);
    memset(v->heard, 0, 2 * (size_t)steps * sizeof *v->heard);
    v->move_next = 0;
    move_until(v, block, (uint64_t)v->first);
    ear e = {v, block};
    sis_sink sink = {.self = &e, .take = hear, .next_cut = next_look};
    sis_run run = {.system = v->tone->system,
                   .state = v->state,
                   .steps = steps - (uint64_t)v->first,
                   .sinks = &sink,
                   .sink_count = 1,
                   .unaudited = true};
    v->failed = !sis_run_go(&run, &v->fault);
    v->seconds = run.seconds;
    v->move_count = 0;
}

bool sis_voice_move(sis_voice* v, sis_move move) {
    for (int32_t i = v->move_count - 1; i >= 0 && v->moves[i].row == move.row; i--)
        if (v->moves[i].act == move.act && v->moves[i].number == move.number) {
            v->moves[i].value = move.value;
            return true;
        }
    if (v->move_count == v->move_room) {
        int32_t room = v->move_room ? 2 * v->move_room : 16;
        sis_move* moves = realloc(v->moves, (size_t)room * sizeof *moves);
        if (!moves) return false;
        v->moves = moves;
        v->move_room = room;
    }
    v->moves[v->move_count++] = move;
    return true;
}

void sis_voice_again(sis_voice* v, const sis_block_plan* block, uint64_t row) {
    v->dim = released(v, block, (double)row);
    v->lift = row;
    v->off = SIS_NEVER;
    v->most = v->loudest = 0;
    v->quiet = 0;
}

// A quarter of a second of sound: is it far below the loudest one? Its mean does not count.
static void close_window(sis_voice* v, const sis_block_plan* block, double least) {
    if ((double)v->counted < 0.25 * block->rate * block->oversample) return;
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
bool sis_voice_rung_out(sis_voice* v, const sis_block_plan* block, double tail) {
    double least = sis_power(10, -tail / 10);
    double level = released(v, block, (double)(block->row + (uint64_t)block->rows));
    uint64_t after = block->row + (uint64_t)block->rows;
    close_window(v, block, least);
    if (!v->sounded && after - v->start >= block->hope) return true;
    return (v->most > 0 && v->stored * level * level <= least * v->most) || v->quiet >= 2;
}

void sis_voice_end(sis_voice* v) {
    free(v->parts);
    free(v->moves);
    free(v->state);
    free(v->heard);
}
