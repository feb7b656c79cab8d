// Hours in seconds: random hands on shipped instruments, one after the other and again, while knobs
// are turned. Memory stays flat, no note sticks, the audio thread takes no memory. `make soak` runs it
// for ten minutes under sanitizers (SISTRUM_SOAK=600), `make test` for a moment.
#include "live_random.h"
#include "live_watch.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 128, EVENTS_MOST = 6 };

typedef struct stage_of_soak {
    sis_live* live;
    atomic_bool stop, finish, silent;
    atomic_long blocks, events;
    atomic_int low, high, knobs;
    long calls, wrong;
    player player;
} soak;

typedef struct instrument {
    const char* name;
    int low, high;
} instrument;

static const instrument instruments[] = {
    {"guitar", 40, 76},       {"felt_piano", 40, 84}, {"sitar", 48, 72},   {"timpani", 36, 55},
    {"slide_guitar", 46, 80}, {"tromba", 26, 55},     {"marimba", 50, 84}, {"resonator", 40, 70},
};
enum { INSTRUMENTS = sizeof instruments / sizeof *instruments };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void rest(double seconds) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

/** KB that the process holds; 0: not known. */
static long resident(void) {
    long pages = 0, held = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &pages, &held) != 2) held = 0;
    fclose(file);
    return held * (sysconf(_SC_PAGESIZE) >> 10);
}

// ---------------------------------------------------------------------------- the audio thread

static void play_frames(soak* s, const sis_live_event* events, int32_t count) {
    float left[FRAMES], right[FRAMES];
    dice* d = &s->player.dice;
    for (int32_t n = 0; n < FRAMES; n++)
        left[n] = right[n] = (float)(0.1 * dice_unit(d));
    sis_live_block block = {.frames = FRAMES,
                            .out = {left, right},
                            .in = {left, right},
                            .events = events,
                            .event_count = count};
    sis_live_run(s->live, &block);
    s->wrong += not_finite(left, FRAMES) + not_finite(right, FRAMES);
    atomic_fetch_add(&s->blocks, 1);
    atomic_fetch_add(&s->events, count);
}

static void play_some(soak* s) {
    sis_live_event events[EVENTS_MOST];
    dice* d = &s->player.dice;
    int32_t count = dice_below(d, 8) ? 0 : (int32_t)dice_below(d, EVENTS_MOST + 1), frame = 0;
    s->player.low = atomic_load(&s->low);
    s->player.high = atomic_load(&s->high);
    s->player.knobs = atomic_load(&s->knobs);
    for (int32_t i = 0; i < count; i++) {
        frame += (int32_t)dice_below(d, FRAMES / EVENTS_MOST);
        events[i] = play_something(&s->player, frame);
    }
    play_frames(s, events, count);
}

/** All keys and pedals come up; then a second, and nothing may sound but what sound plays. */
static void play_to_the_end(soak* s) {
    sis_live_event off = {.kind = SIS_LIVE_NOTE_OFF, .channel = -1, .key = -1, .note = -1};
    sis_live_event panic = {.kind = SIS_LIVE_PANIC};
    memset(s->player.down, 0, sizeof s->player.down);
    play_frames(s, &off, 1);
    play_frames(s, &panic, 1);
    for (int i = 0; i < 48000 / FRAMES; i++)
        play_frames(s, NULL, 0);
    atomic_store(&s->finish, false);
    atomic_store(&s->silent, true);
}

static void* audio_thread(void* self) {
    soak* s = self;
    while (!atomic_load(&s->stop)) {
        watched = true;
        if (atomic_load(&s->finish))
            play_to_the_end(s);
        else if (!atomic_load(&s->silent))
            play_some(s);
        watched = false;
        if (dice_below(&s->player.dice, 4) == 0) rest(0.0005); // others want to work too
    }
    s->calls = watched_calls;
    return NULL;
}

// ---------------------------------------------------------------------------- [main]

static void turn_a_knob(soak* s, dice* d) {
    int32_t count = sis_live_knob_count(s->live);
    if (!count) return;
    int32_t i = (int32_t)dice_below(d, (uint32_t)count);
    sis_live_knob knob = sis_live_knob_at(s->live, i);
    double part = 0.3 + 0.4 * dice_unit(d);
    sis_live_knob_set(s->live, i,
                      knob.logarithmic ? knob.min * pow(knob.max / knob.min, part)
                                       : knob.min + (knob.max - knob.min) * part);
}

static void play_instrument(soak* s, const instrument* one, double seconds, dice* d) {
    atomic_store(&s->low, one->low);
    atomic_store(&s->high, one->high);
    CHECK(load_scene(s->live, one->name));
    atomic_store(&s->knobs, sis_live_knob_count(s->live));
    atomic_store(&s->silent, false);
    for (double end = now() + seconds; now() < end; rest(0.05)) {
        if (dice_below(d, 8) == 0) turn_a_knob(s, d);
        if (dice_below(d, 64) == 0) sis_live_preset_take(s->live, (int32_t)dice_below(d, 3));
    }
    atomic_store(&s->finish, true);
    for (int i = 0; i < 60000 && !atomic_load(&s->silent); i++)
        rest(0.001);
    sis_live_status status = status_of(s->live);
    int32_t endless = sis_live_sound_inputs(s->live) > 0;
    bool silent = status.voices <= endless && status.keys == 0;
    if (!silent) printf("    %s: %d voices, %d keys\n", one->name, status.voices, status.keys);
    CHECK(silent);
    CHECK(status.wrong == 0);
}

static void hours_change_nothing(void) {
    const char* wish = getenv("SISTRUM_SOAK");
    double seconds = wish && atof(wish) > 0 ? atof(wish) : 2.4;
    bool brief = seconds < 60;
    int stints = brief ? 4 : INSTRUMENTS * (int)ceil(seconds / (INSTRUMENTS * 5));
    soak* s = calloc(1, sizeof *s);
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    dice d = {.seed = 11};
    pthread_t audio;
    long first = 0, last = 0;
    bool counted = watch_begin();
    o.audit = true;
    o.memory_most = 16 << 20;
    s->live = sis_live_new(&o, &error);
    s->player.dice.seed = 12;
    atomic_store(&s->silent, true);
    CHECK(s->live && pthread_create(&audio, NULL, audio_thread, s) == 0);
    for (int i = 0; i < stints; i++) {
        play_instrument(s, &instruments[i % INSTRUMENTS], seconds / stints, &d);
        if (i % INSTRUMENTS != INSTRUMENTS - 1) continue;
        // What is freed goes back to the system now and then: the least of the last rounds counts.
        long held = resident();
        if (i < 2 * INSTRUMENTS && held > first) first = held;
        if (i < stints - 3 * INSTRUMENTS || held < last || !last) last = held;
        printf("  %d stints, %ld MB\n", i + 1, held >> 10);
        fflush(stdout);
    }
    atomic_store(&s->stop, true);
    pthread_join(audio, NULL);
    printf(
        "  %.0f s: %ld blocks, %ld events, %ld calls of the audio thread, %ld MB, %ld MB before\n",
        seconds, atomic_load(&s->blocks), atomic_load(&s->events), s->calls, last >> 10,
        first >> 10);
    CHECK(counted ? s->calls == 0 : 1);
    CHECK(s->wrong == 0);
    CHECK(brief || last < first + first / 4 + (16 << 10));
    sis_live_free(s->live);
    free(s);
}

int main(void) {
    RUN(hours_change_nothing);
    return check_report();
}
