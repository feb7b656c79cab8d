// Engines: a stage of voices for one scene, with what it needs around it.
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACE_SECONDS 0.05 // in which a voice gives way to the same note with other params
enum { FINGER_ROOMS = 4 };   // of states that fingers touch or touched

// ---------------------------------------------------------------------------- what the stage asks

static sis_seat* cast(void* self, int channel, int program) {
    sis_seat* seat = ((sis_engine*)self)->seat;
    (void)channel;
    (void)program;
    return seat->fingers ? NULL : seat; // fingers touch it: notes do not play it
}

static void ask(void* self, sis_seat* seat, int32_t key, int32_t velocity) {
    sis_engine* e = self;
    sis_live* live = e->live;
    if (atomic_load(&live->offline)) { // then the host has time
        sis_lock_take(live->lock);
        sis_live_compile(live, seat, key, velocity, e->stage.tuning.hz[key], true);
        sis_lock_leave(live->lock);
        return;
    }
    const sis_message message = {
        .kind = SIS_ASK_TONE, .b = seat, .i = key, .j = velocity, .x = e->stage.tuning.hz[key]};
    if (!sis_ring_put(&live->to_worker, &message))
        seat->asked[sis_seat_place(seat, key, velocity)] = 0; // again in the next block
}

static void* lend(void* self, size_t bytes, size_t* got) {
    sis_engine* e = self;
    for (int32_t i = e->room_count - 1; i >= 0; i--) {
        sis_room room = e->rooms[i];
        if (room.size < bytes) continue;
        e->rooms[i] = e->rooms[--e->room_count];
        *got = room.size;
        return room.memory;
    }
    return NULL;
}

static void give_back(void* self, void* memory, size_t bytes) {
    sis_engine_take_room(self, (sis_room){memory, bytes});
}

static double wall_clock(void* self) {
    (void)self;
    return sis_thread_clock();
}

// ---------------------------------------------------------------------------- making

static bool make_filter(sis_engine* e) {
    int32_t over_by = e->stage.block.oversample;
    e->rows = calloc(2 * (SIS_CHUNK + 2), sizeof *e->rows);
    if (!e->rows) return false;
    if (over_by == 1) return true;
    e->filter_memory = malloc(sis_downsampler_size(over_by, 2));
    if (!e->filter_memory) return false;
    e->filter = sis_downsampler_init(over_by, 2, e->filter_memory);
    e->delay = sis_downsampler_delay(e->filter);
    return e->filter != NULL;
}

static bool make_probes(sis_engine* e) {
    int32_t over_by = e->stage.block.oversample, count = e->stage.probe_count;
    e->probe_rows = calloc(((size_t)count + 1) * (SIS_CHUNK + 2), sizeof *e->probe_rows);
    if (!e->probe_rows) return false;
    if (over_by == 1 || count == 0) return true;
    e->probe_memory = malloc(sis_downsampler_size(over_by, count));
    if (!e->probe_memory) return false;
    e->probe_filter = sis_downsampler_init(over_by, count, e->probe_memory);
    return e->probe_filter != NULL;
}

static bool first_rooms(sis_engine* e, size_t size) {
    for (int32_t i = 0; i < e->rooms_most && i < SIS_ROOMS_MOST; i++) {
        void* memory = aligned_alloc(SIS_STATE_ALIGN, size);
        if (!memory) return false;
        memset(memory, 0, size); // touched now, not in the audio thread
        e->rooms[e->room_count++] = (sis_room){memory, size};
    }
    e->room_size = e->lent = size;
    return true;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

sis_engine* sis_engine_new(sis_live* live, double rate, const sis_tuning* tuning, sis_program* p,
                           const sis_tone* tone, sis_live_error* error) {
    sis_engine* e = calloc(1, sizeof *e);
    if (!e) {
        sis_live_no_memory(error);
        return NULL;
    }
    sis_stage_options options = {.rate = rate,
                                 .oversample = p->oversample,
                                 .rows = SIS_CHUNK,
                                 .voices = p->seat->play.voices,
                                 .notes = SIS_NOTES,
                                 .probes = least(tone->probe_count, SIS_PROBES_MOST),
                                 .tuning = tuning};
    sis_stage_host host = {.self = e,
                           .cast = cast,
                           .ask = ask,
                           .lend = lend,
                           .give_back = give_back,
                           .clock = wall_clock};
    e->live = live;
    e->factor = 1;
    bool fine = sis_stage_open(&e->stage, &options, &host) && make_filter(e) && make_probes(e);
    // One for each voice; what fingers touch is one, beside those that fade.
    e->rooms_most = p->seat->fingers ? FINGER_ROOMS : e->stage.slot_count;
    fine = fine && first_rooms(e, tone->room + tone->room / 4 / 64 * 64);
    if (fine) {
        e->seat = p->seat;
        p->engine = e;
        return e;
    }
    sis_engine_free(e);
    sis_live_no_memory(error);
    return NULL;
}

static void leave_seat(sis_seat* seat) {
    if (!seat) return;
    sis_program* p = seat->owner;
    p->seat = NULL;
    p->engine = NULL;
    sis_seat_free(seat);
    sis_program_leave(p);
}

void sis_engine_free(sis_engine* e) {
    if (!e) return;
    sis_stage_close(&e->stage);
    for (int32_t i = 0; i < e->retired_count; i++)
        leave_seat(e->retired[i]);
    leave_seat(e->seat);
    for (int32_t i = 0; i < e->orphan_count; i++)
        sis_tone_free(e->orphans[i]);
    for (int32_t i = 0; i < e->room_count; i++)
        free(e->rooms[i].memory);
    free(e->filter_memory);
    free(e->rows);
    free(e->probe_memory);
    free(e->probe_rows);
    free(e);
}

bool sis_engine_enlarge(sis_engine* e, size_t room, bool directly) {
    sis_live* live = e->live;
    if (room <= e->lent) return true;
    room += room / 4 / 64 * 64;
    for (int32_t i = 0; i < e->rooms_most; i++) {
        sis_message message = {
            .kind = SIS_TO_ROOM, .a = aligned_alloc(SIS_STATE_ALIGN, room), .b = e, .size = room};
        if (!message.a) return i > 0;
        memset(message.a, 0, room);
        if (directly)
            sis_engine_take_room(e, (sis_room){message.a, room});
        else if (!sis_ring_put(&live->to_audio, &message)) {
            free(message.a);
            return i > 0;
        }
    }
    e->lent = room;
    return true;
}

// ---------------------------------------------------------------------------- what comes

bool sis_engine_has_seat(const sis_engine* e, const sis_seat* seat) {
    for (int32_t i = 0; i < e->retired_count; i++)
        if (e->retired[i] == seat) return true;
    return e->seat == seat;
}

void sis_engine_take_room(sis_engine* e, sis_room room) {
    if (room.size > e->room_size) e->room_size = room.size;
    bool small = room.size < e->room_size;
    if ((small || e->room_count == SIS_ROOMS_MOST) &&
        sis_live_dispose(e->live, SIS_FREE_MEMORY, room.memory))
        return;
    if (e->room_count < SIS_ROOMS_MOST) e->rooms[e->room_count++] = room;
}

// Voices of a tone or a seat end here, however far they have faded: there is no room for more.
static void drop_voices(sis_engine* e, const sis_tone* tone, const sis_seat* seat) {
    for (int32_t i = 0; i < e->stage.count;) {
        const sis_voice* v = e->stage.voices[i];
        if ((tone && v->tone == tone) || (seat && v->seat == seat))
            sis_stage_end_voice(&e->stage, i);
        else
            i++;
    }
}

// A tone that stood in its place and is still played waits until it is not.
static void put_aside(sis_engine* e, sis_tone* tone) {
    if (!tone) return;
    if (!tone->users && sis_live_dispose(e->live, SIS_FREE_TONE, tone)) return;
    if (e->orphan_count == SIS_ORPHANS_MOST) {
        drop_voices(e, e->orphans[0], NULL);
        sis_live_dispose(e->live, SIS_FREE_TONE, e->orphans[0]);
        e->orphans[0] = e->orphans[--e->orphan_count];
    }
    e->orphans[e->orphan_count++] = tone;
}

void sis_engine_take_tone(sis_engine* e, sis_seat* seat, sis_tone* tone) {
    seat->asked[tone->place] = 0;
    put_aside(e, sis_seat_put(seat, tone));
}

// Tones that have been idle longest go where all of them hold too much; notes that waited for one
// have begun by now.
static void evict(sis_engine* e) {
    enum { AT_A_TIME = 4 };
    for (int i = 0; i < AT_A_TIME && sis_ring_room(&e->live->to_worker) > SIS_RING_SPARE; i++) {
        sis_tone* idle = sis_seat_evict(e->seat, e->live->options.memory_most);
        if (!idle) return;
        sis_live_dispose(e->live, SIS_FREE_TONE, idle);
    }
}

// Seats whose voices fade get no more notes: what they have compiled goes as soon as nobody plays it.
// Some places at a time.
static void sweep(sis_engine* e) {
    enum { AT_A_TIME = 1024 };
    for (int i = 0; i < AT_A_TIME && e->retired_count; i++) {
        sis_seat* seat = e->retired[e->swept % e->retired_count];
        if (e->swept_place >= seat->keys * seat->velocities) {
            e->swept = (e->swept + 1) % e->retired_count;
            e->swept_place = 0;
            continue;
        }
        if (sis_ring_room(&e->live->to_worker) <= SIS_RING_SPARE) return;
        sis_tone* idle = sis_seat_take_out(seat, e->swept_place++);
        if (idle) sis_live_dispose(e->live, SIS_FREE_TONE, idle);
    }
}

void sis_engine_take_seat(sis_engine* e, sis_seat* seat) {
    sis_seat* before = e->seat;
    uint64_t rows = (uint64_t)(REPLACE_SECONDS * e->stage.block.rate);
    uint64_t next = e->stage.block.row + (uint64_t)e->stage.block.rows; // what is before was heard
    for (int32_t i = 0; i < seat->input_count && i < before->input_count; i++)
        seat->knobs[i] = before->knobs[i];
    e->seat = seat;
    sis_stage_replace(&e->stage, next, before, seat, rows);
    if (e->retired_count == SIS_RETIRED_MOST) {
        drop_voices(e, NULL, e->retired[0]);
        sis_live_dispose(e->live, SIS_FREE_SEAT, e->retired[0]);
        e->retired[0] = e->retired[--e->retired_count];
    }
    e->retired[e->retired_count++] = before;
}

// ---------------------------------------------------------------------------- playing

void sis_engine_begin(sis_engine* e, int32_t rows, const float* const* sound) {
    sis_stage_begin(&e->stage, rows, sound);
    sis_stage_begin_waiting(&e->stage, e->stage.block.row);
}

// The clock runs on while the system does something else: a single dear block counts for little.
static void count_costs(sis_engine* e, int32_t rows) {
    for (int32_t i = 0; i < e->stage.count; i++) {
        sis_voice* v = e->stage.voices[i];
        double now = v->seconds / rows;
        v->cost = v->cost > 0 ? v->cost + (now > v->cost ? 0.05 : 0.3) * (now - v->cost) : now;
    }
}

void sis_engine_end(sis_engine* e, double* mix) {
    const sis_block_plan* block = &e->stage.block;
    sis_stage_end(&e->stage);
    count_costs(e, block->rows);
    const double* pairs = e->stage.mix;
    int32_t rows = block->rows;
    if (e->filter) {
        rows = sis_downsampler_run(e->filter, pairs, rows * block->oversample, e->rows);
        pairs = e->rows;
    }
    for (int32_t n = 0; n < 2 * rows && n < 2 * SIS_CHUNK; n++)
        mix[n] += e->factor * pairs[n];
    e->idle = e->stage.count ? 0 : e->idle + (uint64_t)rows;
}

// Before it was wanted nobody fed the filter.
void sis_engine_want_probes(sis_engine* e, bool wanted) {
    if (wanted && !e->stage.block.probes && e->probe_filter) sis_downsampler_reset(e->probe_filter);
    sis_stage_want_probes(&e->stage, wanted);
}

void sis_engine_probes(sis_engine* e, float* const* out, int32_t count, int32_t first) {
    const sis_block_plan* block = &e->stage.block;
    int32_t width = e->stage.probe_count, rows = block->rows;
    const double* values = e->stage.probes;
    if (!block->probes) return;
    if (e->probe_filter) {
        rows =
            sis_downsampler_run(e->probe_filter, values, rows * block->oversample, e->probe_rows);
        values = e->probe_rows;
    }
    for (int32_t p = 0; p < count && p < width; p++) {
        if (!out[p]) continue;
        for (int32_t n = 0; n < rows && n < block->rows; n++) {
            float value = (float)values[n * width + p];
            out[p][first + n] = isfinite(value) ? value : 0;
        }
    }
}

void sis_engine_fade(sis_engine* e, uint64_t rows) {
    for (int32_t i = 0; i < e->stage.count; i++)
        sis_voice_cut(e->stage.voices[i], e->stage.block.row + (uint64_t)e->stage.block.rows,
                      e->stage.voices[i]->state ? rows : 0);
}

void sis_engine_tidy(sis_engine* e) {
    evict(e);
    sweep(e);
    for (int32_t i = 0; i < e->stage.count;) {
        sis_voice* v = e->stage.voices[i];
        uint8_t asked = v->state ? 0 : v->seat->asked[sis_seat_place(v->seat, v->key, v->velocity)];
        if (asked == 2) sis_voice_cut(v, 0, 0); // its scene has no such note
        if ((asked == 2 || v->cut_rows == 0) && v->cut != SIS_NEVER)
            sis_stage_end_voice(&e->stage, i);
        else
            i++;
    }
    for (int32_t i = 0; i < e->retired_count;) {
        bool done = !e->retired[i]->users && sis_ring_room(&e->live->to_worker) > 16 &&
                    sis_live_dispose(e->live, SIS_FREE_SEAT, e->retired[i]);
        if (done)
            e->retired[i] = e->retired[--e->retired_count];
        else
            i++;
    }
    for (int32_t i = 0; i < e->orphan_count;) {
        bool done =
            !e->orphans[i]->users && sis_live_dispose(e->live, SIS_FREE_TONE, e->orphans[i]);
        if (done)
            e->orphans[i] = e->orphans[--e->orphan_count];
        else
            i++;
    }
}
