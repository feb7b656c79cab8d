// No device: blocks are played at the rate by a thread, or at once when somebody asks for time to
// pass (--offline). For recordings, scripts and tests.
#include "play_driver.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef struct null_driver {
    play_driver base;
    play_engine* engine;
    double rate;
    int32_t period;
    bool offline;
    atomic_bool ending;
    atomic_ullong xruns;
    pthread_t thread;
    bool running;
    float* sound; // [2][period]
} null_driver;

static void play_block(null_driver* d, int32_t frames) {
    float* out[2] = {d->sound, d->sound + d->period};
    const float* in[2] = {NULL, NULL};
    play_engine_begin(d->engine);
    play_engine_run(d->engine, frames, out, in);
}

// A block that a device would have waited for in vain: it has two of them.
static bool is_late(const struct timespec* due, long long step) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - due->tv_sec) * 1000000000LL + (now.tv_nsec - due->tv_nsec) > 2 * step;
}

static void* run(void* self) {
    null_driver* d = self;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    long long step = llround(1e9 * d->period / d->rate);
    while (!atomic_load(&d->ending)) {
        play_block(d, d->period);
        if (is_late(&next, step)) atomic_fetch_add(&d->xruns, 1);
        long long ns = next.tv_nsec + step;
        next.tv_sec += (time_t)(ns / 1000000000);
        next.tv_nsec = (long)(ns % 1000000000);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    return NULL;
}

static void list(FILE* to) {
    fprintf(to, "  no device; --rate and --period as you like\n");
}

static play_driver* open_null(const play_driver_ask* ask, sis_fault* fault) {
    null_driver* d = calloc(1, sizeof *d);
    if (d) {
        d->base.kind = &play_driver_null;
        d->rate = isnan(ask->rate) ? 48000 : ask->rate;
        d->period = isnan(ask->period) ? 256 : (int32_t)ask->period;
        d->offline = ask->offline;
        d->sound = calloc(2 * (size_t)d->period, sizeof *d->sound);
    }
    if (d && d->sound) return &d->base;
    free(d);
    sis_fault_no_memory(fault);
    return NULL;
}

static bool start(play_driver* base, play_engine* engine, int32_t sound_inputs, sis_fault* fault) {
    null_driver* d = (null_driver*)base;
    (void)sound_inputs;
    d->engine = engine;
    play_engine_offline(engine, d->offline);
    if (d->offline) return true;
    atomic_store(&d->ending, false);
    d->running = pthread_create(&d->thread, NULL, run, d) == 0;
    return d->running || sis_fault_set(fault, SIS_FAULT_RUN, "cannot start a thread that plays");
}

static void stop(play_driver* base) {
    null_driver* d = (null_driver*)base;
    atomic_store(&d->ending, true);
    if (d->running) pthread_join(d->thread, NULL);
    d->running = false;
}

static void close_null(play_driver* base) {
    null_driver* d = (null_driver*)base;
    stop(base);
    free(d->sound);
    free(d);
}

static bool lost(const play_driver* base) {
    (void)base;
    return false;
}

static void tend(play_driver* base) {
    (void)base;
}

static void tell(play_driver* base, play_driver_state* state) {
    const null_driver* d = (const null_driver*)base;
    *state = (play_driver_state){.rate = d->rate,
                                 .period = d->period,
                                 .latency = (double)NAN,
                                 .xruns = atomic_load(&d->xruns)};
    snprintf(state->text, sizeof state->text, "null%s", d->offline ? ", offline" : "");
}

static void advance(play_driver* base, uint64_t frames) {
    null_driver* d = (null_driver*)base;
    for (; frames; frames -= frames < (uint64_t)d->period ? frames : (uint64_t)d->period)
        play_block(d, frames < (uint64_t)d->period ? (int32_t)frames : d->period);
}

const play_driver_class play_driver_null = {
    .name = "null",
    .about = "plays into nothing",
    .list = list,
    .open = open_null,
    .start = start,
    .stop = stop,
    .close = close_null,
    .lost = lost,
    .tend = tend,
    .tell = tell,
    .advance = advance,
};
