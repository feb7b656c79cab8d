// Voices in time: blocks, their sum, who begins, who is over.
#include "stage.h"

#include "stage_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- memory

static bool take_arrays(sis_stage* s, const sis_stage_options* o) {
    size_t steps = (size_t)o->rows * (size_t)o->oversample;
    size_t slots = (size_t)o->voices + SIS_FADING_MOST + 2, notes = (size_t)o->notes + 1;
    s->slots = calloc(slots, sizeof *s->slots);
    s->voices = calloc(slots, sizeof(sis_voice*));
    s->mix = calloc(2 * steps, sizeof *s->mix);
    if (o->probes) s->probes = calloc((size_t)o->probes * steps, sizeof *s->probes);
    if (o->probes && !s->probes) return false;
    s->voice_of = calloc(notes, sizeof *s->voice_of);
    s->below = malloc(notes * sizeof *s->below);
    s->above = malloc(notes * sizeof *s->above);
    s->began = calloc(notes, sizeof *s->began);
    s->notes = calloc(notes, sizeof *s->notes);
    if (!s->slots || !s->voices || !s->mix || !s->voice_of || !s->below || !s->above || !s->began ||
        !s->notes)
        return false;
    for (size_t i = 0; i < slots; i++) {
        s->voices[i] = &s->slots[i];
        s->slots[i].heard = calloc(2 * steps, sizeof(double));
        s->slot_count = (int32_t)i + 1;
        if (!s->slots[i].heard) return false;
    }
    return true;
}

bool sis_stage_open(sis_stage* s, const sis_stage_options* o, const sis_stage_host* host) {
    *s = (sis_stage){
        .host = *host, .tuning = *o->tuning, .note_room = o->notes, .probe_count = o->probes};
    s->block = (sis_block_plan){.oversample = o->oversample,
                                .rate = o->rate,
                                .fade = (uint64_t)ceil(SIS_VOICE_FADE_SECONDS * o->rate)};
    for (int c = 0; c < SIS_CHANNELS; c++)
        s->player[c] = (uint8_t)c;
    sis_desk_open(&s->desk);
    s->listens_to = -1;
    return take_arrays(s, o);
}

void sis_stage_close(sis_stage* s) {
    while (s->count > 0)
        sis_stage_end_voice(s, s->count - 1);
    for (int32_t i = 0; i < s->slot_count; i++)
        free(s->slots[i].heard);
    free(s->slots);
    free(s->voices);
    free(s->mix);
    free(s->probes);
    free(s->voice_of);
    free(s->below);
    free(s->above);
    free(s->began);
    free(s->notes);
    *s = (sis_stage){.count = 0};
}

// ---------------------------------------------------------------------------- blocks

void sis_stage_begin(sis_stage* s, int32_t rows, const float* const* sound) {
    for (int side = 0; side < 2; side++) {
        s->block.before[side] = s->outside[side];
        s->block.sound[side] = sound ? sound[side] : NULL;
    }
    s->block.row += (uint64_t)s->block.rows;
    s->block.rows = rows;
    s->summed = 0;
    size_t steps = (size_t)rows * (size_t)s->block.oversample;
    memset(s->mix, 0, 2 * steps * sizeof *s->mix);
    if (s->block.probes) memset(s->probes, 0, steps * (size_t)s->probe_count * sizeof *s->probes);
    for (int32_t i = 0; i < s->count; i++) {
        s->voices[i]->step = s->voices[i]->summed = 0;
        s->voices[i]->seconds = 0;
    }
}

void sis_stage_want_probes(sis_stage* s, bool wanted) {
    s->block.probes = wanted && !s->host.run ? s->probes : NULL;
    s->block.probe_count = s->probe_count;
}

static void play_one(void* self, int32_t i) {
    sis_stage* s = self;
    sis_voice* v = s->voices[i];
    double start = s->host.clock ? s->host.clock(s->host.self) : 0;
    sis_voice_play(v, &s->block, s->until);
    if (s->host.clock) v->seconds += s->host.clock(s->host.self) - start;
}

// In the order of the voices, whoever played them.
static void sum_voices(sis_stage* s, int32_t steps) {
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        for (int32_t n = 2 * v->summed; n < 2 * steps; n++)
            s->mix[n] += v->heard[n];
        if (steps > v->summed) v->summed = steps;
    }
}

void sis_stage_settle(sis_stage* s, uint64_t row) {
    s->until = row;
    if (s->host.run)
        s->host.run(s->host.self, s->count, play_one, s);
    else
        for (int32_t i = 0; i < s->count; i++)
            play_one(s, i);
    sum_voices(s, (int32_t)(row - s->block.row) * s->block.oversample);
    for (int32_t i = 0; i < s->count;) {
        if (sis_voice_is_over(s->voices[i], row))
            sis_stage_end_voice(s, i);
        else
            i++;
    }
}

void sis_stage_end(sis_stage* s) {
    sis_stage_settle(s, s->block.row + (uint64_t)s->block.rows);
    for (int side = 0; side < 2 && s->block.rows > 0; side++)
        s->outside[side] = s->block.sound[side] ? s->block.sound[side][s->block.rows - 1] : 0;
    for (int32_t i = 0; i < s->count; i++)
        s->counts.seconds += s->voices[i]->seconds;
}

// ---------------------------------------------------------------------------- voices

void sis_stage_end_voice(sis_stage* s, int32_t i) {
    sis_voice* v = s->voices[i];
    if (s->host.over) s->host.over(s->host.self, v);
    s->counts.seconds += v->seconds;
    s->counts.left += v->state && isfinite(v->stored) ? v->stored : 0;
    s->counts.capped += v->capped;
    s->counts.failed += v->failed;
    if (v->cut != SIS_NEVER && v->cut + v->cut_rows > s->end) s->end = v->cut + v->cut_rows;
    if (v->tone) v->tone->users--;
    v->seat->users--;
    if (v->memory) s->host.give_back(s->host.self, v->memory, v->room);
    memmove(&s->voices[i], &s->voices[i + 1], (size_t)(s->slot_count - i - 1) * sizeof(sis_voice*));
    s->voices[s->slot_count - 1] = v;
    s->count--;
}

int32_t sis_stage_sounding(const sis_stage* s, const sis_seat* seat) {
    int32_t sounding = 0;
    for (int32_t i = 0; i < s->count; i++)
        sounding += s->voices[i]->cut == SIS_NEVER && (!seat || s->voices[i]->seat == seat);
    return sounding;
}

bool sis_stage_steal(sis_stage* s, uint64_t row, const sis_seat* seat, uint64_t rows) {
    int32_t best = -1;
    for (int32_t i = 0; i < s->count; i++) {
        const sis_voice* v = s->voices[i];
        if (v->cut != SIS_NEVER || v->endless || (seat && v->seat != seat)) continue;
        if (best < 0 || v->loudness < s->voices[best]->loudness) best = i;
    }
    if (best < 0) return false;
    sis_voice* v = s->voices[best];
    bool unheard = !v->state || v->start == row;
    sis_voice_cut(v, row, rows);
    if (unheard) sis_stage_end_voice(s, best);
    return true;
}

// Makes room for a voice of this scene.
static void make_room(sis_stage* s, const sis_seat* seat, uint64_t row) {
    if (sis_stage_sounding(s, seat) >= seat->play.voices &&
        sis_stage_steal(s, row, seat, s->block.fade))
        s->counts.stolen++;
    if (s->count - sis_stage_sounding(s, NULL) <= SIS_FADING_MOST && s->count < s->slot_count)
        return;
    for (int32_t i = 0; i < s->count; i++)
        if (s->voices[i]->cut != SIS_NEVER) {
            sis_stage_end_voice(s, i);
            return;
        }
}

sis_voice* sis_stage_new_voice(sis_stage* s, sis_seat* seat, int32_t key, int32_t velocity,
                               uint64_t row) {
    make_room(s, seat, row);
    if (s->count == s->slot_count) sis_stage_steal(s, row, NULL, 0);
    if (s->count == s->slot_count) return NULL;
    sis_voice* v = s->voices[s->count++];
    const int32_t step = (int32_t)(row - s->block.row) * s->block.oversample;
    *v = (sis_voice){.seat = seat,
                     .id = ++s->last_id,
                     .part_count = seat->gestures.course_count ? seat->gestures.course_count : 1,
                     .top = -1,
                     .key = key,
                     .velocity = velocity,
                     .fed = seat->fed,
                     .start = row,
                     .off = SIS_NEVER,
                     .last = row,
                     .cut = SIS_NEVER,
                     .release = seat->play.release,
                     .dim = 1,
                     .heard = v->heard,
                     .step = step,
                     .summed = step,
                     .loudness = INFINITY};
    for (int32_t i = 0; i < v->part_count; i++)
        v->parts[i] = (sis_part){.note = -1,
                                 .hz = (double)NAN,
                                 .pressure = (double)NAN,
                                 .timbre = (double)NAN,
                                 .id = -1};
    seat->users++;
    int32_t sounding = sis_stage_sounding(s, NULL);
    if (sounding > s->counts.voices_max) s->counts.voices_max = sounding;
    return v;
}

// ---------------------------------------------------------------------------- beginning

static bool find_tone(sis_stage* s, sis_voice* v) {
    sis_seat* seat = v->seat;
    int32_t place = sis_seat_place(seat, v->key, v->velocity);
    sis_tone* tone = sis_seat_tone(seat, place, s->tuning.hz[v->key]);
    if (!tone && s->host.ask && !seat->asked[place]) {
        seat->asked[place] = 1;
        s->host.ask(s->host.self, seat, v->key, v->velocity);
        tone = sis_seat_tone(seat, place, s->tuning.hz[v->key]); // where it is there at once
    }
    if (!tone || !tone->system) return false;
    if (!v->memory) v->memory = s->host.lend(s->host.self, tone->room, &v->room);
    if (!v->memory) return false;
    v->tone = tone;
    tone->users++;
    return true;
}

bool sis_stage_begin_voice(sis_stage* s, sis_voice* v, uint64_t row) {
    if (!find_tone(s, v)) return false;
    v->start = row;
    v->step = v->summed = (int32_t)(row - s->block.row) * s->block.oversample;
    sis_voice_begin(v);
    for (int32_t i = 0; i < v->seat->input_count; i++)
        if (!isnan(v->seat->knobs[i]))
            sis_state_input_set(v->tone->system, v->state, i, v->seat->knobs[i]);
    return true;
}

void sis_stage_begin_waiting(sis_stage* s, uint64_t row) {
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        uint64_t asked = v->start;
        if (v->state || v->cut != SIS_NEVER || !sis_stage_begin_voice(s, v, row)) continue;
        s->counts.late++;
        s->counts.late_rows = row - asked;
        sis_stage_sound_parts(s, v, row);
    }
}

void sis_stage_start(sis_stage* s, uint64_t row, sis_seat* seat) {
    sis_stage_settle(s, row);
    sis_voice* v = sis_stage_new_voice(s, seat, 60, 64, row);
    if (!v) return;
    v->endless = seat->gestures.sound_count > 0 || seat->fingers; // it waits, whatever notes do
    if (seat->fingers) sis_fingers_begin(seat->fingers);
    if (sis_stage_begin_voice(s, v, row)) sis_stage_listen(s, v);
}

// ---------------------------------------------------------------------------- other scenes

static bool adopts(sis_stage* s, sis_voice* v, sis_seat* after) {
    if (!v->tone || after->keys != v->seat->keys || after->velocities != v->seat->velocities ||
        after->gestures.course_count != v->seat->gestures.course_count ||
        after->gestures.mode != v->seat->gestures.mode)
        return false;
    sis_tone* tone =
        sis_seat_tone(after, sis_seat_place(after, v->key, v->velocity), s->tuning.hz[v->key]);
    if (!tone || tone->room > v->room ||
        !sis_state_adopt(tone->system, v->tone->system, v->state, NULL))
        return false;
    v->tone->users--;
    v->tone = tone;
    tone->users++;
    sis_voice_settle_in(v);
    if (tone->touch) sis_voice_stir(v);
    return true;
}

static void move_to(sis_voice* v, sis_seat* after) {
    v->seat->users--;
    v->seat = after;
    after->users++;
    v->release = after->play.release;
}

// Keys that are down begin again in the other scene, from nothing.
static void begin_again(sis_stage* s, uint64_t row, int32_t id, sis_seat* after, uint64_t rows) {
    for (int32_t n = 0; n < s->note_room; n++) {
        if (s->voice_of[n] != id) continue;
        sis_played note = s->notes[n];
        sis_voice* v = sis_stage_key_down(s, after, row, n, &note);
        if (!v || v->start != row || v->lift_rows) continue;
        v->dim = 0;
        v->lift = row;
        v->lift_rows = rows;
    }
}

static bool has_endless(const sis_stage* s, const sis_seat* seat) {
    bool found = false;
    for (int32_t i = 0; i < s->count; i++)
        found = found || (s->voices[i]->seat == seat && s->voices[i]->endless);
    return found;
}

void sis_stage_replace(sis_stage* s, uint64_t row, sis_seat* before, sis_seat* after,
                       uint64_t rows) {
    int32_t last = s->last_id;
    sis_stage_settle(s, row);
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        if (v->seat != before || v->id > last) continue;
        if (v->state && adopts(s, v, after)) {
            move_to(v, after);
        } else if (v->cut == SIS_NEVER) {
            int32_t id = v->id;
            bool waits = after->gestures.sound_count || after->fingers;
            bool listens = v->endless && waits && !has_endless(s, after);
            sis_voice_cut(v, row, v->state ? rows : 0);
            if (listens) sis_stage_start(s, row, after);
            begin_again(s, row, id, after, rows);
            i = -1; // places may have moved; those that are done fade, or are of the new scene
        }
    }
}
