// The live library under hosts gone mad: random bytes, numbers and calls in any order. It does not
// crash, hang, grow or give a number that is not finite, and no note is left over.
#include "live_random.h"
#include "live_scenes.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { FRAMES_MOST = 5000, EVENTS_MOST = 24 };

static float left[FRAMES_MOST], right[FRAMES_MOST], in[2][FRAMES_MOST];

static int events_wanted(void) {
    return check_count(SANITIZED ? 4000 : 10000, 1000000);
}

// ---------------------------------------------------------------------------- calls of a host

static const char* const broken[] = {
    "",
    "probe{",
    "mass{ mass = -1 }",
    "error('no')",
    "local m = mass{ mass = 1 } render{ rate = 48000, duration = 1 }", // no sound
    "\x1bLua binary",
    "play{ pitch = 'f0' }",
};

static void load_any(sis_live* live, dice* d) {
    sis_live_error error = {.text = ""};
    sis_live_setting settings[] = {{"stiff", wild_number(d)}, {"level", wild_number(d)}};
    bool bad = dice_below(d, 4) == 0;
    const char* text = bad ? broken[dice_below(d, sizeof broken / sizeof *broken)]
                           : small_scenes[dice_below(d, SMALL_SCENES)];
    int32_t count = dice_below(d, 4) == 0 ? 2 : 0;
    if (dice_below(d, 4) == 0) { // without waiting
        sis_live_load_start(live, text, strlen(text), "any", settings, count, &error);
        return;
    }
    bool fine = sis_live_load(live, text, strlen(text), "any", settings, count, &error);
    bool sane = fine == (error.text[0] == '\0') && (bad || count || fine);
    if (!sane) printf("    %s\n", error.text);
    if (!sane) CHECK(sane); // a load says why it failed, and only then
}

static void restore_any(sis_live* live, dice* d) {
    sis_live_error error = {.text = ""};
    size_t size = 0;
    char* text = sis_live_save(live, &size);
    if (!text) return;
    for (uint32_t i = dice_below(d, 4); i > 0 && size > 0; i--)
        text[dice_below(d, (uint32_t)size)] = (char)dice_below(d, 256);
    if (dice_below(d, 4) == 0) size = dice_below(d, (uint32_t)size + 1);
    if (!sis_live_restore(live, text, size, &error)) CHECK(error.text[0] != '\0');
    free(text);
}

static void tune_any(sis_live* live, dice* d) {
    static const char scale[] = "! x\nx\n 7\n 100.\n 200.\n 300.\n 500.\n 3/2\n 900.\n 2/1\n";
    double hz[128];
    for (int key = 0; key < 128; key++)
        hz[key] = dice_below(d, 4) ? 440 * exp2((key - 69) / 12.0) : wild_number(d);
    if (dice_below(d, 2))
        sis_live_tune(live, hz);
    else
        sis_live_tune_scala(live, scale, dice_below(d, sizeof scale), NULL, 0, wild_number(d),
                            NULL);
}

/** Calls that any thread may make. */
static void call_any(sis_live* live, dice* d) {
    sis_live_status status;
    int32_t ready, to_come;
    switch (dice_below(d, 8)) {
    case 0:
        sis_live_gain(live, wild_number(d));
        break;
    case 1:
        sis_live_protect(live, dice_below(d, 2), dice_below(d, 2), dice_below(d, 2));
        break;
    case 2:
        sis_live_panic(live);
        break;
    case 3:
        sis_live_prepare(live, wild_whole(d, 127));
        break;
    case 4:
        sis_live_prepared(live, &ready, &to_come);
        break;
    case 5:
        sis_live_status_read(live, &status);
        if (status.voices < 0 || status.voices > 64)
            CHECK(status.voices >= 0 && status.voices <= 64);
        break;
    default:
        sis_live_knob_set(live, wild_whole(d, 12), wild_number(d));
    }
}

static void poll_any(sis_live* live) {
    sis_live_error error = {.text = ""};
    sis_live_progress now = sis_live_load_poll(live, &error);
    bool sane = (now == SIS_LIVE_REFUSED) == (error.text[0] != '\0') &&
                (now == SIS_LIVE_REFUSED) == (error.fault != SIS_LIVE_FINE);
    if (!sane) CHECK(sane);
    for (int32_t i = -1; i <= sis_live_probe_count(live); i++)
        if (sis_live_probe_at(live, i).name)
            sis_live_probe_find(live, sis_live_probe_at(live, i).name);
}

/** Calls of [main]. */
static void call_main(sis_live* live, dice* d) {
    char text[200];
    size_t size;
    switch (dice_below(d, 16)) {
    case 0:
    case 1:
        load_any(live, d);
        break;
    case 2:
        restore_any(live, d);
        break;
    case 3:
        tune_any(live, d);
        break;
    case 4:
        sis_live_set_peak(live, wild_number(d));
        break;
    case 5:
        sis_live_preset_take(live, wild_whole(d, 3));
        break;
    case 6:
        sis_live_trouble(live, text, dice_below(d, 200));
        break;
    case 7:
        sis_live_work(live);
        break;
    case 8:
        for (int32_t i = -1; i <= sis_live_knob_count(live); i++) {
            sis_live_knob knob = sis_live_knob_at(live, i);
            if (knob.name && !(knob.value >= knob.min && knob.value <= knob.max))
                CHECK(false); // knobs stay in their range
        }
        break;
    case 9:
        sis_live_text(live, &size);
        sis_live_name(live);
        sis_live_voices(live);
        sis_live_latency(live);
        sis_live_sound_inputs(live);
        sis_live_takes_notes(live);
        sis_live_is_pitched(live);
        for (int32_t i = 0; i < sis_live_preset_count(live); i++)
            sis_live_preset_name(live, i);
        break;
    case 10:
        poll_any(live);
        break;
    default:
        call_any(live, d);
    }
}

/** Calls that need the audio thread to rest. */
static void call_resting(sis_live* live, dice* d) {
    static const double rates[] = {48000, 44100, 8000, 96000, 384000, 0, -1};
    double rate = dice_below(d, 8) ? rates[dice_below(d, 3)] : rates[dice_below(d, 7)];
    sis_live_set_rate(live, rate, wild_whole(d, 5000), NULL);
}

// ---------------------------------------------------------------------------- blocks

typedef struct fuzz {
    sis_live* live;
    dice dice;
    long events, wrong;
    uint8_t data[EVENTS_MOST][SYSEX_MOST];
} fuzz;

static void run_any(fuzz* f) {
    dice* d = &f->dice;
    sis_live_event events[EVENTS_MOST];
    int32_t notes[8];
    int32_t frames = dice_below(d, 8) == 0 ? (int32_t)dice_below(d, FRAMES_MOST + 1)
                                           : (int32_t)dice_below(d, 200);
    int32_t count = (int32_t)dice_below(d, EVENTS_MOST + 1);
    for (int32_t i = 0; i < count; i++)
        events[i] = wild_event(d, frames, f->data[i]);
    if (dice_below(d, 2)) qsort(events, (size_t)count, sizeof *events, by_frame);
    bool same = dice_below(d, 4) == 0;
    for (int32_t n = 0; n < frames; n++) {
        in[0][n] = dice_below(d, 64) ? (float)(dice_unit(d) - 0.5) : (float)wild_number(d);
        if (same) left[n] = in[0][n];
    }
    static float probed[3][FRAMES_MOST];
    float* const rows[] = {probed[0], dice_below(d, 2) ? probed[1] : NULL, probed[2]};
    bool probes = dice_below(d, 2);
    sis_live_block block = {.frames = frames,
                            .probes = probes ? rows : NULL,
                            .probe_count = (int32_t)dice_below(d, 4),
                            .out = {dice_below(d, 8) ? left : NULL, right},
                            .in = {same ? left : in[0], dice_below(d, 2) ? in[1] : NULL},
                            .events = events,
                            .event_count = count};
    sis_live_run(f->live, &block);
    if (block.out[0]) f->wrong += not_finite(left, frames);
    f->wrong += not_finite(right, frames);
    for (int32_t p = 0; probes && p < block.probe_count; p++)
        if (rows[p]) f->wrong += not_finite(rows[p], frames);
    f->events += count;
    sis_live_ended(f->live, notes, (int32_t)dice_below(d, 9));
}

/** Everything comes up, and a second later nothing sounds: true. */
static bool falls_silent(sis_live* live) {
    sis_live_event off[] = {{.kind = SIS_LIVE_NOTE_OFF, .channel = -1, .key = -1, .note = -1},
                            {.kind = SIS_LIVE_PANIC}};
    sis_live_status status = {.voices = -1};
    sis_live_block first = {.frames = 64, .out = {left, right}, .events = off, .event_count = 2};
    sis_live_block next = {.frames = 1024, .out = {left, right}};
    sis_live_offline(live, false);
    sis_live_run(live, &first);
    for (int i = 0; i < 48; i++)
        sis_live_run(live, &next);
    sis_live_status_read(live, &status);
    // what sound from outside plays never ends
    int32_t endless = sis_live_sound_inputs(live) > 0;
    bool silent = status.voices <= endless && status.keys == 0 && status.waiting <= endless;
    if (!silent)
        printf("    %d voices, %d keys, %d waiting in %.200s\n", status.voices, status.keys,
               status.waiting, sis_live_text(live, NULL));
    return silent;
}

static sis_live* any_live(dice* d, bool worker) {
    sis_live_options o = sis_live_options_default();
    sis_live_error error;
    o.worker = worker;
    o.audit = dice_below(d, 2);
    if (dice_below(d, 2)) o.voices = 1 + (int32_t)dice_below(d, 3);
    if (dice_below(d, 2)) o.memory_most = dice_below(d, 2) ? 1 : 20000;
    if (dice_below(d, 3) == 0) o.peak = 1;
    return sis_live_new(&o, &error);
}

static size_t memory_in_use(void) {
#if defined(__GLIBC__) && !SANITIZED
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

// ---------------------------------------------------------------------------- laws

static void nothing_breaks_in_one_thread(void) {
    fuzz* f = calloc(1, sizeof *f);
    int wanted = events_wanted(), rounds = 0;
    size_t before = 0;
    f->dice.seed = 1;
    for (; f->events < wanted; rounds++) {
        dice* d = &f->dice;
        f->live = any_live(d, false);
        CHECK(f->live != NULL);
        for (int i = 0; i < 60; i++) {
            for (uint32_t k = dice_below(d, 4); k > 0; k--)
                call_main(f->live, d);
            if (dice_below(d, 16) == 0) call_resting(f->live, d);
            if (dice_below(d, 16) == 0) sis_live_offline(f->live, dice_below(d, 2));
            run_any(f);
            if (dice_below(d, 2)) sis_live_work(f->live);
        }
        if (dice_below(d, 2)) CHECK(falls_silent(f->live));
        sis_live_free(f->live);
        if (rounds == 3) before = memory_in_use();
    }
    size_t after = memory_in_use();
    printf("  %ld events in %d instruments, %zu KB in use, %zu before\n", f->events, rounds,
           after >> 10, before >> 10);
    CHECK(f->wrong == 0);
    CHECK(rounds < 5 || after < before + (300 << 10)); // the C library keeps some of what is freed
    free(f);
}

typedef struct host {
    fuzz fuzz;
    atomic_bool stop, rest, resting;
} host;

static void* audio_thread(void* self) {
    host* h = self;
    while (!atomic_load(&h->stop)) {
        if (atomic_load(&h->rest)) {
            atomic_store(&h->resting, true);
            continue;
        }
        atomic_store(&h->resting, false);
        run_any(&h->fuzz);
        if (dice_below(&h->fuzz.dice, 4) == 0)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return NULL;
}

static void nothing_breaks_in_three_threads(void) {
    host* h = calloc(1, sizeof *h);
    dice d = {.seed = 99};
    int rounds = 0, wanted = check_count(SANITIZED ? 2 : 4, 40);
    h->fuzz.dice.seed = 2;
    for (; rounds < wanted || h->fuzz.events < events_wanted(); rounds++) {
        pthread_t audio;
        h->fuzz.live = any_live(&d, true);
        atomic_store(&h->stop, false);
        CHECK(pthread_create(&audio, NULL, audio_thread, h) == 0);
        for (int i = 0; i < 150; i++) {
            call_main(h->fuzz.live, &d);
            if (dice_below(&d, 32)) continue;
            atomic_store(&h->rest, true);
            while (!atomic_load(&h->resting)) {
            }
            call_resting(h->fuzz.live, &d);
            atomic_store(&h->rest, false);
            while (atomic_load(&h->resting)) {
            }
        }
        atomic_store(&h->stop, true);
        pthread_join(audio, NULL);
        CHECK(falls_silent(h->fuzz.live));
        sis_live_free(h->fuzz.live);
    }
    printf("  %ld events in %d instruments\n", h->fuzz.events, rounds);
    CHECK(h->fuzz.wrong == 0);
    free(h);
}

int main(void) {
    RUN(nothing_breaks_in_one_thread);
    RUN(nothing_breaks_in_three_threads);
    return check_report();
}
