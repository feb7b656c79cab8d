// The audio thread: events in, sound out.
#include "inside.h"

#include "mts.h"

#include <math.h>
#include <string.h>

#define LEAVE_SECONDS 0.3   // in which a scene gives way to another
#define GUARD_BLOCKS  2     // in a row that would take too long, before it does
#define GUARD_SECONDS 0.001 // in which the guard fades a voice

// ---------------------------------------------------------------------------- what comes and goes

bool sis_live_dispose(sis_live* live, sis_message_kind kind, void* what) {
    const sis_message message = {.kind = (int32_t)kind, .a = what};
    return sis_ring_put(&live->to_worker, &message);
}

void sis_live_forget_notes(sis_live* live) {
    live->free_count = 0;
    for (int32_t i = SIS_NOTES - 1; i >= 0; i--) {
        live->alive[i] = false;
        live->free_notes[live->free_count++] = i;
    }
    sis_hand_lift(live->hand);
}

static void count_past(sis_live* live, const sis_stage_counts* c) {
    sis_stage_counts* past = &live->past;
    past->stolen += c->stolen;
    past->failed += c->failed;
    past->late += c->late;
    past->late_rows = c->late ? c->late_rows : past->late_rows;
    past->left_out.bends += c->left_out.bends;
    past->left_out.pressures += c->left_out.pressures;
    past->left_out.controllers += c->left_out.controllers;
    past->left_out.programs += c->left_out.programs;
}

static void leave_engine(sis_live* live, sis_engine* before) {
    sis_engine_fade(before, (uint64_t)(LEAVE_SECONDS * live->options.rate));
    before->idle = 0;
    count_past(live, &before->stage.counts);
    if (live->leaving_count == SIS_LEAVING_MOST) {
        sis_live_dispose(live, SIS_FREE_ENGINE, live->leaving[0]);
        memmove(live->leaving, live->leaving + 1, (SIS_LEAVING_MOST - 1) * sizeof(sis_engine*));
        live->leaving_count--;
    }
    live->leaving[live->leaving_count++] = before;
}

// Places of the notes that are held, in the order in which they came.
static int32_t held_notes(const sis_live* live, int32_t* places) {
    int32_t count = 0;
    for (int32_t i = 0; i < SIS_NOTES; i++) {
        if (!live->alive[i]) continue;
        int32_t k = count++;
        for (; k > 0 && live->serial[places[k - 1]] > live->serial[i]; k--)
            places[k] = places[k - 1];
        places[k] = i;
    }
    return count;
}

// Keys that are down sound again, as many as there are voices.
static void play_held(sis_live* live, sis_engine* engine) {
    int32_t places[SIS_NOTES], count = held_notes(live, places);
    const sis_seat* seat = engine->seat;
    bool own = seat->gestures.mode == SIS_PLAY_VOICES && !seat->gestures.course_count;
    uint64_t row = engine->stage.block.row;
    for (int32_t i = own && count > seat->play.voices ? count - seat->play.voices : 0; i < count;
         i++) {
        sis_stage_on(&engine->stage, row, places[i], &live->notes[places[i]]);
        if (live->up[places[i]]) sis_stage_up(&engine->stage, row, places[i]);
    }
}

// What a hand has turned since the scene was loaded.
static void turn_again(sis_live* live) {
    for (int32_t k = 0; k < atomic_load(&live->knob_count); k++) {
        const sis_knob* knob = &live->knobs[k];
        if (knob->input >= 0 && !knob->trigger && atomic_load(&live->by_hand[k]) &&
            atomic_load(&live->value[k]) != knob->start)
            atomic_store(&live->turned[k], true);
    }
}

static void take_engine(sis_live* live, sis_engine* engine) {
    sis_engine* before = live->engine;
    if (before) {
        engine->stage.tuning = before->stage.tuning;
        engine->stage.desk = before->stage.desk;
        engine->stage.listens_to = before->stage.listens_to;
        leave_engine(live, before);
    }
    live->engine = engine;
    live->row = engine->stage.block.row;
    turn_again(live);
    if (engine->seat->gestures.sound_count || engine->seat->fingers)
        sis_stage_start(&engine->stage, engine->stage.block.row, engine->seat);
    play_held(live, engine);
    atomic_fetch_add(&live->changes_taken, 1);
    atomic_fetch_add(&live->told.generation, 1);
}

static sis_engine* engine_with(sis_live* live, const sis_seat* seat) {
    if (live->engine && sis_engine_has_seat(live->engine, seat)) return live->engine;
    for (int32_t i = 0; i < live->leaving_count; i++)
        if (sis_engine_has_seat(live->leaving[i], seat)) return live->leaving[i];
    return NULL;
}

static bool knows(const sis_live* live, const sis_engine* engine) {
    bool known = live->engine == engine;
    for (int32_t i = 0; i < live->leaving_count; i++)
        known = known || live->leaving[i] == engine;
    return known;
}

static void take_tuning(sis_live* live, sis_tuning* tuning) {
    if (live->engine) live->engine->stage.tuning = *tuning;
    if (live->engine)
        memset(live->engine->seat->asked, 0,
               (size_t)(live->engine->seat->keys * live->engine->seat->velocities));
    sis_live_dispose(live, SIS_FREE_MEMORY, tuning);
}

// Seats and engines may have been given back while it was on its way: then it goes back too.
void sis_live_receive(sis_live* live, const sis_message* m) {
    sis_engine* engine = NULL;
    switch ((sis_message_kind)m->kind) {
    case SIS_TO_ENGINE:
        take_engine(live, m->a);
        break;
    case SIS_TO_SEAT:
        // The engine that plays is the only one that gets other params.
        if (live->engine == m->b) {
            sis_engine_take_seat(live->engine, m->a);
            atomic_fetch_add(&live->told.generation, 1);
        } else {
            sis_live_dispose(live, SIS_FREE_SEAT, m->a);
        }
        atomic_fetch_add(&live->changes_taken, 1);
        break;
    case SIS_TO_TONE:
        engine = engine_with(live, m->b);
        if (engine)
            sis_engine_take_tone(engine, m->b, m->a);
        else
            sis_live_dispose(live, SIS_FREE_TONE, m->a);
        break;
    case SIS_TO_ROOM:
        if (knows(live, m->b))
            sis_engine_take_room(m->b, (sis_room){m->a, m->size});
        else
            sis_live_dispose(live, SIS_FREE_MEMORY, m->a);
        break;
    case SIS_TO_REFUSE:
        if (engine_with(live, m->b)) ((sis_seat*)m->b)->asked[m->i] = 2;
        break;
    case SIS_TO_TUNING:
        take_tuning(live, m->a);
        break;
    default:
        break;
    }
}

void sis_live_take_all(sis_live* live) {
    sis_message message;
    // What comes makes something else go.
    while (sis_ring_room(&live->to_worker) > SIS_RING_SPARE &&
           sis_ring_take(&live->to_audio, &message))
        sis_live_receive(live, &message);
}

// Whether anything is still heard of a note, or would be.
static bool is_heard(const sis_stage* s, const sis_open_note* note, bool held) {
    for (int32_t i = 0; i < s->count; i++) {
        const sis_voice* v = s->voices[i];
        if (held && s->voice_of[note->place] == v->id) return true;
        for (int32_t k = 0; k < v->part_count; k++)
            if (v->parts[k].id == note->id) return true;
    }
    return false;
}

static bool has_ended(const sis_live* live, const sis_open_note* note) {
    bool held = live->alive[note->place] && live->notes[note->place].id == note->id;
    if (live->engine && is_heard(&live->engine->stage, note, held)) return false;
    for (int32_t i = 0; i < live->leaving_count; i++)
        if (is_heard(&live->leaving[i]->stage, note, false)) return false;
    return true;
}

enum { ENDED_LOOKS = 64 }; // notes that are looked at in a block

static void list_ended(sis_live* live) {
    for (int32_t looks = 0; looks < ENDED_LOOKS && looks < live->open_count; looks++) {
        if (live->open_next >= live->open_count) live->open_next = 0;
        sis_open_note* note = &live->open[live->open_next];
        if (live->ended_count == SIS_ENDED_MOST) return;
        if (!has_ended(live, note)) {
            live->open_next++;
            continue;
        }
        live->ended[live->ended_count++] = note->id;
        *note = live->open[--live->open_count];
    }
}

static void tidy(sis_live* live) {
    list_ended(live);
    if (live->engine) sis_engine_tidy(live->engine);
    for (int32_t i = 0; i < live->leaving_count;) {
        sis_engine* e = live->leaving[i];
        sis_engine_tidy(e);
        bool silent = e->stage.count == 0 && e->idle > (uint64_t)e->delay;
        if (silent && sis_live_dispose(live, SIS_FREE_ENGINE, e))
            live->leaving[i] = live->leaving[--live->leaving_count];
        else
            i++;
    }
}

// ---------------------------------------------------------------------------- knobs

void sis_live_turn(sis_live* live, int32_t k, double value) {
    sis_engine* e = live->engine;
    const sis_knob* knob = &live->knobs[k];
    if (!e || knob->input < 0) return;
    sis_stage_input(&e->stage, live->row, e->seat, knob->input, value);
}

static void take_turned(sis_live* live) {
    int32_t count = atomic_load(&live->knob_count);
    for (int32_t k = 0; k < count; k++)
        if (atomic_load_explicit(&live->turned[k], memory_order_relaxed) &&
            atomic_exchange(&live->turned[k], false))
            sis_live_turn(live, k, atomic_load(&live->value[k]));
}

// An input is where a controller has put it.
static void show_input(sis_live* live, int32_t input, double part) {
    for (int32_t k = 0; input >= 0 && k < atomic_load(&live->knob_count); k++) {
        const sis_knob* knob = &live->knobs[k];
        if (knob->input != input || knob->trigger) continue;
        double value = isnan(part) ? knob->start : knob->min + (knob->max - knob->min) * part;
        if (atomic_exchange(&live->value[k], value) == value) continue;
        atomic_store(&live->by_hand[k], false);
        live->moved[k] = live->any_moved = true;
    }
}

// Of a note of a zone alone no knob follows.
void sis_live_follow(sis_live* live, const sis_song_event* e) {
    const sis_seat* seat = live->engine->seat;
    const sis_gestures* g = &seat->gestures;
    if (sis_hand_master(live->hand, e->channel) != e->channel) return;
    if (e->kind == SIS_SONG_CONTROL && e->number < SIS_PLAY_CONTROLLERS)
        show_input(live, g->cc[e->number], fmin(fmax(e->value / 127, 0), 1));
    for (int32_t i = 0; e->kind == SIS_SONG_RESET && i < SIS_PLAY_CONTROLLERS; i++)
        if (g->cc[i] >= 0 && sis_desk_resets(i) && isnan(seat->knobs[g->cc[i]]))
            show_input(live, g->cc[i], (double)NAN);
}

int32_t sis_live_moved(sis_live* live, int32_t* knobs, double* values, int32_t room) {
    int32_t count = 0, known = atomic_load(&live->knob_count);
    if (!live->any_moved) return 0;
    live->any_moved = false;
    for (int32_t k = 0; k < SIS_KNOBS_MOST; k++) {
        if (!live->moved[k]) continue;
        live->any_moved = live->any_moved || count == room;
        if (count == room) break;
        live->moved[k] = false;
        if (k >= known) continue; // of the scene before
        knobs[count] = k;
        values[count++] = atomic_load(&live->value[k]);
    }
    return count;
}

// ---------------------------------------------------------------------------- events

// Whether data bytes of a channel message are none.
static bool is_torn(const uint8_t* bytes) {
    bool one = (bytes[0] & 0xE0) == 0xC0; // program and channel pressure
    return bytes[0] < 0xF0 && (bytes[1] > 0x7F || (!one && bytes[2] > 0x7F));
}

static void take_midi(sis_live* live, const uint8_t* bytes) {
    int status = bytes[0] & 0xF0, first = bytes[1] & 0x7F, second = bytes[2] & 0x7F;
    if (is_torn(bytes)) {
        live->wrong++;
        return;
    }
    sis_midi_event e = {
        .channel = bytes[0] & 0x0F, .key = (uint8_t)first, .value = (uint32_t)second};
    switch (status) {
    case 0x80:
        e.act = SIS_MIDI_OFF;
        break;
    case 0x90:
        e.act = second ? SIS_MIDI_ON : SIS_MIDI_OFF;
        break;
    case 0xA0:
        e.act = SIS_MIDI_KEY_PRESSURE;
        break;
    case 0xB0:
        e.act = SIS_MIDI_CONTROL;
        break;
    case 0xC0:
        e.act = SIS_MIDI_PROGRAM;
        e.value = (uint32_t)first;
        break;
    case 0xD0:
        e.act = SIS_MIDI_PRESSURE;
        e.value = (uint32_t)first;
        break;
    case 0xE0:
        e.act = SIS_MIDI_BEND;
        e.value = (uint32_t)(second << 7 | first);
        break;
    default: // system messages; a data byte is no message
        if (bytes[0] < 0xF0) live->wrong++;
        return;
    }
    sis_hand_take(live->hand, &e);
}

// Tones of keys that have another pitch now may be asked for again, and the worker hears of it.
static void tell_pitches(sis_live* live, const sis_tuning* before, const sis_tuning* now) {
    sis_seat* seat = live->engine->seat;
    for (int32_t key = 0; key < SIS_KEYS; key++) {
        if (before->hz[key] == now->hz[key]) continue;
        const sis_message m = {.kind = SIS_TELL_PITCH, .i = key, .x = now->hz[key]};
        if (seat->keys > 1)
            memset(seat->asked + sis_seat_place(seat, key, 0), 0, (size_t)seat->velocities);
        sis_ring_put(&live->to_worker, &m);
    }
}

static void take_sysex(sis_live* live, const sis_live_event* event) {
    bool now = false;
    if (!live->engine || !event->data) return;
    sis_stage* stage = &live->engine->stage;
    sis_tuning before = stage->tuning, tuning = before;
    if (!sis_mts_take(event->data, event->size, &tuning, &now)) return;
    stage->tuning = tuning;
    tell_pitches(live, &before, &tuning);
    if (now) sis_stage_retune(stage, live->row);
}

static bool is_key(const sis_live_event* e) {
    return e->channel >= 0 && e->channel < SIS_CHANNELS && e->key >= 0 && e->key < SIS_KEYS;
}

// A note that the host gave no number has only its key for one.
static bool is_named(const sis_played* note, const sis_live_event* event) {
    bool by_key = event->channel >= 0 && event->key >= 0;
    return event->note < 0 || note->id == event->note || (note->id < 0 && by_key);
}

static void notes_off(sis_live* live, const sis_live_event* event) {
    for (int32_t i = 0; i < SIS_NOTES; i++) {
        const sis_played* note = &live->notes[i];
        bool meant = live->alive[i] && (event->channel < 0 || note->channel == event->channel) &&
                     (event->key < 0 || note->key == event->key) && is_named(note, event);
        if (meant) sis_hand_off(live->hand, note->channel, note->key, i);
    }
}

// As messages 120 and 121 on every channel, so that what is recorded of it does the same; and what
// no key began ends too.
static void panic(sis_live* live) {
    for (int i = 0; i < 2 * SIS_CHANNELS; i++) {
        const sis_midi_event off = {
            .act = SIS_MIDI_CONTROL, .channel = (uint8_t)(i / 2), .key = (uint8_t)(120 + i % 2)};
        sis_hand_take(live->hand, &off);
    }
    if (live->engine) sis_stage_silence(&live->engine->stage, live->row);
    for (int32_t i = 0; i < live->leaving_count; i++)
        sis_engine_fade(live->leaving[i], 0);
    sis_live_forget_notes(live);
    sis_live_lift_fingers(live);
}

static void express(sis_live* live, const sis_live_event* e) {
    const sis_which which = {e->channel, e->key, e->note};
    sis_act act = e->kind == SIS_LIVE_BEND       ? SIS_ACT_BEND
                  : e->kind == SIS_LIVE_PRESSURE ? SIS_ACT_PRESSURE
                                                 : SIS_ACT_CONTROL;
    double low = act == SIS_ACT_BEND ? -120 : 0, high = act == SIS_ACT_BEND ? 120 : 1;
    if (!isfinite(e->value) || !live->engine) {
        if (!isfinite(e->value)) live->wrong++;
        return;
    }
    sis_stage_express(&live->engine->stage, live->row, &which, act,
                      fmin(fmax(e->value, low), high));
}

static void turn(sis_live* live, const sis_live_event* e) {
    bool fine = e->index >= 0 && e->index < atomic_load(&live->knob_count) && !isnan(e->value);
    if (!fine) live->wrong++;
    if (!fine) return;
    const sis_knob* knob = &live->knobs[e->index];
    double value = fmin(fmax(e->value, knob->min), knob->max);
    double before = atomic_exchange(&live->value[e->index], value);
    atomic_store(&live->by_hand[e->index], true);
    if (knob->input >= 0)
        sis_live_turn(live, e->index, value);
    else if (before != value)
        atomic_fetch_add(&live->params, 1);
}

void sis_live_take(sis_live* live, const sis_live_event* e) {
    switch ((sis_live_kind)e->kind) {
    case SIS_LIVE_MIDI:
        take_midi(live, e->bytes);
        break;
    case SIS_LIVE_SYSEX:
        take_sysex(live, e);
        break;
    case SIS_LIVE_NOTE_ON:
        if (is_key(e) && e->value > 0)
            sis_hand_on(live->hand, e->channel, e->key, fmin(e->value, 1), e->note);
        else
            live->wrong++;
        break;
    case SIS_LIVE_NOTE_OFF:
        notes_off(live, e);
        break;
    case SIS_LIVE_NOTE_CHOKE:
        if (live->engine)
            sis_stage_choke(&live->engine->stage, live->row,
                            &(sis_which){e->channel, e->key, e->note});
        notes_off(live, e);
        break;
    case SIS_LIVE_BEND:
    case SIS_LIVE_PRESSURE:
    case SIS_LIVE_TIMBRE:
        express(live, e);
        break;
    case SIS_LIVE_KNOB:
        turn(live, e);
        break;
    case SIS_LIVE_PANIC:
        panic(live);
        break;
    default:
        live->wrong++;
    }
}

// ---------------------------------------------------------------------------- the guard

// Fades the quietest voices until what is to come fits into its time.
static void guard(sis_live* live, int32_t frames) {
    sis_engine* e = live->engine;
    double allowed = live->options.load_most * frames / live->options.rate, needed = 0;
    if (!e || atomic_load(&live->offline) || !atomic_load(&live->guard)) return;
    for (int32_t i = 0; i < e->stage.count; i++)
        needed += e->stage.voices[i]->cost * frames;
    live->crowded = needed > allowed ? live->crowded + 1 : 0;
    if (live->crowded < GUARD_BLOCKS) return;
    uint64_t row = e->stage.block.row + (uint64_t)e->stage.block.rows;
    while (needed > allowed && sis_stage_sounding(&e->stage, NULL) > 1) {
        double each = needed / e->stage.count;
        if (!sis_stage_steal(&e->stage, row, NULL, (uint64_t)(GUARD_SECONDS * live->options.rate)))
            break;
        live->guarded++;
        needed -= each;
    }
}

// ---------------------------------------------------------------------------- chunks

static void copy_sound(sis_live* live, const sis_live_block* block, int32_t first, int32_t rows,
                       const float** sound) {
    for (int side = 0; side < 2; side++) {
        sound[side] = NULL;
        if (!block->in[side]) continue;
        memcpy(live->sound[side], block->in[side] + first, (size_t)rows * sizeof(float));
        for (int32_t n = 0; n < rows; n++)
            if (!isfinite(live->sound[side][n])) live->sound[side][n] = 0;
        sound[side] = live->sound[side];
    }
}

// Events of the chunk, each at its row. Those out of order come as soon as they can.
static int32_t take_events(sis_live* live, const sis_live_block* block, int32_t next, int32_t first,
                           int32_t rows) {
    uint64_t start = live->engine ? live->engine->stage.block.row : 0;
    for (; next < block->event_count; next++) {
        const sis_live_event* e = &block->events[next];
        if (e->frame >= first + rows && e->frame < block->frames) break;
        if (e->frame < first || e->frame >= block->frames) live->wrong++;
        int32_t frame = e->frame < first ? first : e->frame;
        if (frame >= first + rows) frame = first + rows - 1;
        uint64_t row = start + (uint64_t)(frame - first);
        if (row > live->row) live->row = row;
        sis_live_take(live, e);
    }
    return next;
}

static int32_t play_chunk(sis_live* live, const sis_live_block* block, int32_t first, int32_t rows,
                          int32_t next) {
    const float* sound[2];
    float* out[2] = {block->out[0] ? block->out[0] + first : NULL,
                     block->out[1] ? block->out[1] + first : NULL};
    copy_sound(live, block, first, rows, sound);
    memset(live->mix, 0, sizeof live->mix);
    if (live->engine) sis_engine_want_probes(live->engine, block->probes != NULL);
    if (live->engine) sis_engine_begin(live->engine, rows, sound);
    for (int32_t i = 0; i < live->leaving_count; i++)
        sis_engine_begin(live->leaving[i], rows, sound);
    live->row = live->engine ? live->engine->stage.block.row : 0;
    if (first == 0) {
        sis_live_take_fingers(live);
        take_turned(live);
        if (atomic_exchange(&live->panic, false)) panic(live);
        for (int32_t i = 0; i < live->later_count; i++)
            sis_live_take(live, &live->later[i]);
        live->later_count = 0;
    }
    next = take_events(live, block, next, first, rows);
    if (live->engine) sis_engine_end(live->engine, live->mix);
    for (int32_t i = 0; i < live->leaving_count; i++)
        sis_engine_end(live->leaving[i], live->mix);
    if (live->engine && block->probes)
        sis_engine_probes(live->engine, block->probes, block->probe_count, first);
    sis_polish_run(&live->polish, live->mix, rows, out);
    return next;
}

static void keep_for_later(sis_live* live, const sis_live_block* block) {
    for (int32_t i = 0; i < block->event_count; i++) {
        bool room = live->later_count < SIS_LATER_MOST;
        if (block->events[i].kind == SIS_LIVE_SYSEX)
            sis_live_take(live, &block->events[i]);
        else if (room)
            live->later[live->later_count++] = block->events[i];
        else
            live->wrong++;
    }
}

// ---------------------------------------------------------------------------- a block

// What nothing is written to is silent.
static void clear_probes(const sis_live_block* block) {
    for (int32_t p = 0; block->probes && p < block->probe_count; p++)
        if (block->probes[p])
            memset(block->probes[p], 0, (size_t)block->frames * sizeof *block->probes[p]);
}

static void take_settings(sis_live* live) {
    double factor = atomic_exchange(&live->factor, 0);
    if (factor > 0 && live->engine) live->engine->factor = factor;
    live->polish.target = atomic_load(&live->gain);
    live->polish.limiter = atomic_load(&live->limiter);
    live->polish.dc_blocker = atomic_load(&live->dc_blocker);
}

static void run(sis_live* live, const sis_live_block* block) {
    double start = sis_thread_clock();
    if (atomic_load(&live->offline))
        while (sis_live_work(live))
            sis_live_take_all(live);
    sis_live_take_all(live);
    take_settings(live);
    if (block->frames == 0) {
        keep_for_later(live, block);
        return;
    }
    guard(live, block->frames);
    clear_probes(block);
    int32_t next = 0;
    for (int32_t first = 0; first < block->frames; first += SIS_CHUNK) {
        int32_t rows = block->frames - first < SIS_CHUNK ? block->frames - first : SIS_CHUNK;
        next = play_chunk(live, block, first, rows, next);
    }
    tidy(live);
    sis_live_tell(live, block->frames, sis_thread_clock() - start);
}

// [main] clears the way of what nobody has taken for long: silence, and the events come later.
static void pass_over(sis_live* live, const sis_live_block* block) {
    for (int side = 0; side < 2; side++)
        if (block->out[side]) memset(block->out[side], 0, (size_t)block->frames * sizeof(float));
    clear_probes(block);
    for (int32_t i = 0; i < block->event_count; i++) {
        bool room = live->later_count < SIS_LATER_MOST;
        if (room && block->events[i].kind != SIS_LIVE_SYSEX)
            live->later[live->later_count++] = block->events[i];
    }
}

void sis_live_run(sis_live* live, const sis_live_block* block) {
    if (block->frames < 0) return;
    if (atomic_exchange(&live->busy, true)) {
        pass_over(live, block);
        return;
    }
    run(live, block);
    atomic_store(&live->busy, false);
}

int32_t sis_live_ended(sis_live* live, int32_t* notes, int32_t room) {
    int32_t count = live->ended_count < room ? live->ended_count : room;
    if (count <= 0) return 0;
    memcpy(notes, live->ended, (size_t)count * sizeof *notes);
    live->ended_count -= count;
    memmove(live->ended, live->ended + count, (size_t)live->ended_count * sizeof *notes);
    return count;
}

// ---------------------------------------------------------------------------- from any thread

void sis_live_offline(sis_live* live, bool offline) {
    atomic_store(&live->offline, offline);
}

void sis_live_panic(sis_live* live) {
    atomic_store(&live->panic, true);
}

void sis_live_gain(sis_live* live, double gain) {
    if (gain >= 0 && gain < 1e6) atomic_store(&live->gain, gain);
}

void sis_live_protect(sis_live* live, bool guards, bool limiter, bool dc_blocker) {
    atomic_store(&live->guard, guards);
    atomic_store(&live->limiter, limiter);
    atomic_store(&live->dc_blocker, dc_blocker);
}

void sis_live_prepare(sis_live* live, int32_t velocity) {
    if (velocity >= 0 && velocity <= 127) atomic_store(&live->prepare, velocity);
}

void sis_live_prepared(const sis_live* live, int32_t* ready, int32_t* to_come) {
    int32_t asked = atomic_load(&live->prepare); // the worker has not heard of it yet
    int32_t layers = atomic_load(&live->layers);
    *ready = atomic_load(&live->ready);
    *to_come = asked < 0 ? atomic_load(&live->to_come)
                         : atomic_load(&live->reach) * (asked == 0 && layers > 1 ? layers - 1 : 1);
}
