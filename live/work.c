// The worker: compiles tones that notes wait for, takes changes of params, frees what is left.
#include "inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARE_SECONDS 0.02 // that one round may prepare tones
#define SERVE_SECONDS 0.05 // or may compile what notes wait for

static void tell_trouble(sis_live* live, const char* text) {
    snprintf(live->trouble, sizeof live->trouble, "%s", text);
    live->trouble_count++;
}

static bool send(sis_live* live, sis_message message) {
    while (!sis_ring_put(&live->to_audio, &message)) {
        if (atomic_load(&live->stop)) return false;
        sis_thread_sleep(0.001); // the audio thread takes them all in every block
    }
    return true;
}

// ---------------------------------------------------------------------------- tones

void sis_live_compile(sis_live* live, sis_seat* seat, int32_t key, int32_t velocity, double hz,
                      bool waits) {
    sis_program* p = seat->owner;
    int32_t place = sis_seat_place(seat, key, velocity);
    sis_tone* tone = NULL;
    sis_tuning tuning = live->tuning; // the audio thread may know better
    tuning.hz[key] = hz;
    sis_fault beyond;
    if (sis_program_reaches(p, &tuning, key, &beyond))
        tone = sis_program_tone(p, &tuning, key, velocity);
    else
        tell_trouble(live, beyond.text);
    if (tone && !tone->system) tell_trouble(live, tone->fault.text);
    if (!tone || !tone->system || !sis_engine_enlarge(p->engine, tone->room, waits)) {
        sis_tone_free(tone);
        if (waits)
            seat->asked[place] = 2;
        else
            send(live, (sis_message){.kind = SIS_TO_REFUSE, .b = seat, .i = place});
        return;
    }
    p->sent[place] = 1;
    live->bytes += tone->size;
    atomic_fetch_add(&live->ready, 1);
    if (!waits) {
        send(live, (sis_message){.kind = SIS_TO_TONE, .a = tone, .b = seat});
        return;
    }
    sis_engine_take_tone(p->engine, seat, tone);
}

static void free_tone(sis_live* live, sis_tone* tone) {
    live->bytes -= tone->size;
    atomic_fetch_sub(&live->ready, 1);
    sis_tone_free(tone);
}

static void count_out(sis_live* live, const sis_seat* seat) {
    int32_t places = seat->keys * seat->velocities, count = 0;
    for (int32_t i = 0; i < places; i++) {
        if (!seat->tones[i]) continue;
        live->bytes -= seat->tones[i]->size;
        count++;
    }
    atomic_fetch_sub(&live->ready, count);
}

static void free_seat(sis_live* live, sis_seat* seat) {
    sis_program* p = seat->owner;
    count_out(live, seat);
    p->seat = NULL;
    sis_seat_free(seat);
    sis_program_leave(p);
}

static void free_engine(sis_live* live, sis_engine* e) {
    if (e->seat) count_out(live, e->seat);
    for (int32_t i = 0; i < e->retired_count; i++)
        count_out(live, e->retired[i]);
    sis_engine_free(e);
}

// ---------------------------------------------------------------------------- requests

// Tones of that key that were sent have another pitch.
static void take_pitch(sis_live* live, int32_t key, double hz) {
    const sis_program* p = live->newest;
    live->tuning.hz[key] = hz;
    if (!p || !p->seat || p->seat->keys == 1) return;
    memset(p->sent + sis_seat_place(p->seat, key, 0), 0, (size_t)p->seat->velocities);
    live->prepare_next = 0;
    if (p->seat->velocities == 1) live->prepare_velocity = 100;
}

static void serve(sis_live* live, const sis_message* m, bool compiles) {
    switch ((sis_message_kind)m->kind) {
    case SIS_ASK_TONE:
        if (compiles)
            sis_live_compile(live, m->b, m->i, m->j, m->x, false);
        else
            ((sis_seat*)m->b)->asked[sis_seat_place(m->b, m->i, m->j)] = 0;
        break;
    case SIS_TELL_PITCH:
        take_pitch(live, m->i, m->x);
        break;
    case SIS_FREE_TONE:
        free_tone(live, m->a);
        break;
    case SIS_FREE_SEAT:
        free_seat(live, m->a);
        break;
    case SIS_FREE_ENGINE:
        free_engine(live, m->a);
        break;
    case SIS_FREE_MEMORY:
        free(m->a);
        break;
    default:
        break;
    }
}

void sis_live_clear(sis_live* live) {
    sis_message message;
    while (sis_ring_take(&live->to_worker, &message))
        serve(live, &message, false);
}

// False: there is nothing. What is sent must find room: nobody waits for the audio thread here.
static bool serve_all(sis_live* live, bool politely) {
    sis_message message;
    bool any = false, more = true;
    double start = sis_thread_clock();
    while (more && sis_ring_room(&live->to_audio) > SIS_RING_SPARE &&
           sis_ring_take(&live->to_worker, &message)) {
        serve(live, &message, true);
        any = true;
        more = !atomic_load(&live->stop) && !(politely && sis_lock_is_claimed(live->lock)) &&
               sis_thread_clock() - start < SERVE_SECONDS;
    }
    return any;
}

// ---------------------------------------------------------------------------- params

// The settings of now: those of the load, and the knobs over them.
static int32_t settings_of_now(const sis_live* live, sis_setting* settings, int32_t room) {
    const sis_program* shown = live->shown;
    int32_t count = 0;
    for (int32_t i = 0; i < shown->setting_count && count < room; i++)
        settings[count++] = shown->settings[i];
    for (int32_t k = 0; k < atomic_load(&live->knob_count) && count < room; k++) {
        if (live->knobs[k].param < 0) continue;
        settings[count++] =
            (sis_setting){sis_script_param(shown->script, live->knobs[k].param).name,
                          atomic_load(&live->value[k])};
    }
    return count;
}

// Tones of what sounds come first, so that states can go on with them.
static void compile_sounding(sis_live* live, const sis_program* p) {
    for (int32_t i = 0; i < SIS_SOUNDING_MOST; i++) {
        int32_t packed = atomic_load(&live->sounding[i]);
        if (packed < 0) continue;
        int32_t key = packed / 128, velocity = packed % 128;
        int32_t place = sis_seat_place(p->seat, key, velocity);
        if (p->sent[place] || !sis_program_reaches(p, &live->tuning, key, NULL)) continue;
        sis_tone* tone = sis_program_tone(p, &live->tuning, key, velocity);
        if (tone && tone->system) {
            p->sent[place] = 1;
            live->bytes += tone->size;
            atomic_fetch_add(&live->ready, 1);
            sis_seat_put(p->seat, tone);
        } else {
            sis_tone_free(tone);
        }
    }
}

static void drop_program(sis_live* live, sis_program* p) {
    count_out(live, p->seat);
    sis_seat_free(p->seat);
    p->seat = NULL;
    sis_program_leave(p);
}

// The scene with the params of now goes on in the same engine, or in a new one where it asks for
// another oversampling.
static void take_params(sis_live* live) {
    sis_setting settings[2 * SIS_KNOBS_MOST];
    sis_live_error error = {.text = ""};
    const sis_program* now = live->newest;
    sis_live_options options = live->options;
    if (now->dense) options.oversample = now->dense;
    int32_t count = settings_of_now(live, settings, 2 * SIS_KNOBS_MOST);
    sis_program* p = sis_program_new(now->text, now->recipe.size, now->name, settings, count,
                                     &options, options.fingers ? &live->fingers : NULL, &error);
    if (!p) {
        tell_trouble(live, error.text);
        return;
    }
    sis_tone* first = sis_program_first(p, &live->tuning);
    bool fine = first && first->system;
    if (first && !first->system) tell_trouble(live, first->fault.text);
    sis_engine* engine = now->engine;
    bool other = p->oversample != now->oversample || !engine;
    if (fine && other)
        engine = sis_engine_new(live, live->options.rate, &live->tuning, p, first, &error);
    if (fine && other && engine) engine->factor = 1 / live->peak;
    fine = fine && engine && (other || sis_engine_enlarge(engine, first->room, false));
    if (fine) {
        compile_sounding(live, p);
        p->dense = now->dense;
        p->engine = engine;
        live->newest = p;
        live->changes++;
        atomic_store(&live->latency, engine->delay);
        send(live, (sis_message){.kind = other ? SIS_TO_ENGINE : SIS_TO_SEAT,
                                 .a = other ? (void*)engine : (void*)p->seat,
                                 .b = engine});
        live->prepare_next = 0;
        sis_live_count_reach(live);
    } else {
        drop_program(live, p);
    }
    sis_tone_free(first);
}

// ---------------------------------------------------------------------------- in its spare time

static int32_t key_at(const sis_seat* seat, int32_t place) {
    return seat->keys > 1 ? place / seat->velocities : 60;
}

static int32_t velocity_at(const sis_seat* seat, int32_t place) {
    return seat->velocities > 1 ? place % seat->velocities : 100;
}

// Whether the tone of that place is asked for and has not been sent.
static bool is_wanted(const sis_program* p, int32_t place, int32_t asked) {
    int32_t velocity = velocity_at(p->seat, place);
    bool meant = p->seat->velocities == 1 || velocity == asked || (asked == 0 && velocity > 0);
    return meant && !p->sent[place];
}

void sis_live_count_reach(sis_live* live) {
    const sis_program* p = live->newest;
    int32_t keys = 0;
    if (!p || !p->seat) return;
    for (int32_t key = 0; key < SIS_KEYS && p->seat->keys > 1; key++)
        keys += sis_program_reaches(p, &live->tuning, key, NULL);
    atomic_store(&live->reach, p->seat->keys > 1 ? keys : 1);
    atomic_store(&live->layers, p->seat->velocities);
}

// Of what is wanted from the first place on.
static int32_t count_to_come(const sis_live* live, int32_t asked) {
    const sis_program* p = live->newest;
    bool there[SIS_KEYS];
    int32_t count = 0;
    if (!p || !p->seat || !p->engine || asked < 0) return 0;
    for (int32_t key = 0; key < SIS_KEYS; key++)
        there[key] = sis_program_reaches(p, &live->tuning, key, NULL);
    for (int32_t place = 0; place < p->seat->keys * p->seat->velocities; place++)
        count += there[key_at(p->seat, place)] && is_wanted(p, place, asked);
    return count;
}

// The next tone that is wanted and not there; false: there is none.
static bool prepare_one(sis_live* live) {
    sis_program* p = live->newest;
    if (!p || !p->seat || !p->engine || live->prepare_velocity < 0) return false;
    const sis_seat* seat = p->seat;
    int32_t places = seat->keys * seat->velocities;
    if (live->prepare_next == 0)
        atomic_store(&live->to_come, count_to_come(live, live->prepare_velocity));
    for (; live->prepare_next < places; live->prepare_next++) {
        int32_t place = live->prepare_next, key = key_at(seat, place);
        if (!is_wanted(p, place, live->prepare_velocity) ||
            !sis_program_reaches(p, &live->tuning, key, NULL))
            continue;
        if (live->bytes > live->options.memory_most / 10 * 9) break;
        live->prepare_next++;
        sis_live_compile(live, p->seat, key, velocity_at(seat, place), live->tuning.hz[key], false);
        if (atomic_load(&live->to_come) > 0) atomic_fetch_sub(&live->to_come, 1);
        return true;
    }
    live->prepare_velocity = -1;
    atomic_store(&live->to_come, 0);
    return false;
}

static bool prepare_some(sis_live* live, bool politely) {
    int32_t asked = atomic_load(&live->prepare);
    if (asked >= 0) {
        live->prepare_velocity = asked;
        live->prepare_next = 0;
        atomic_store(&live->to_come,
                     count_to_come(live, asked)); // before it is no longer asked for
        atomic_compare_exchange_strong(&live->prepare, &asked, -1);
    }
    if (live->prepare_velocity < 0) return false;
    double start = sis_thread_clock();
    bool any = false;
    while (sis_ring_room(&live->to_audio) > SIS_RING_ROOM / 2 && prepare_one(live)) {
        any = true;
        if (sis_thread_clock() - start > SPARE_SECONDS) break;
        if (politely && sis_lock_is_claimed(live->lock)) break;
    }
    return any;
}

// The newest knobs win where the audio thread takes nothing.
static bool follow_params(sis_live* live) {
    uint32_t params = atomic_load(&live->params);
    bool way = live->changes - atomic_load(&live->changes_taken) < SIS_CHANGES_MOST &&
               sis_ring_room(&live->to_audio) > SIS_RING_SPARE;
    if (params == live->params_done || !live->newest || !way) return false;
    live->params_done = params;
    take_params(live);
    return true;
}

// Offline params change between two blocks, all that were turned at a time: the audio thread sees to
// it, as it waits for them.
static bool work(sis_live* live, bool politely) {
    sis_lock_take(live->lock);
    bool any = serve_all(live, politely);
    if (!politely || !atomic_load(&live->offline)) any = follow_params(live) || any;
    any = prepare_some(live, politely) || any;
    sis_lock_leave(live->lock);
    return any;
}

bool sis_live_work(sis_live* live) {
    return work(live, false);
}

bool sis_live_work_politely(sis_live* live) {
    return work(live, true);
}
