// The [audio] promise of live.h, kept by force: sis_live_run takes no memory, no lock and makes no
// system call, whatever the worker and [main] do meanwhile, and every value that leaves it is finite.
#define _DEFAULT_SOURCE // syscall

#include "live_random.h"
#include "live_watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#if defined(__linux__) && defined(__GLIBC__) && !SANITIZED
#define SEALED 1
#else
#define SEALED 0
#endif

// ---------------------------------------------------------------------------- the audio thread

enum { FRAMES_MOST = 512, EVENTS_MOST = 8 };

typedef struct stand {
    sis_live* live;
    atomic_bool stop, done, sealed;
    atomic_long blocks;
    atomic_int low, high;
    long calls, wrong, ended;
    double loudest;
    int32_t fingers;
    long looks;
    player player;
} stand;

// From here on the kernel kills the thread at any system call but exit. (The strict mode of seccomp
// takes the time stamp counter away too, by which the clock is read.)
static void seal(void) {
#if SEALED
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

static void leave_sealed_thread(void) {
#if SEALED
    syscall(SYS_exit, 0); // of the thread: what else a thread does at its end is not allowed
#endif
}

// Any thread may, this one too.
static void move_finger(stand* s) {
    dice* d = &s->player.dice;
    double press = dice_below(d, 3) ? 4e-3 * dice_unit(d) : (double)NAN;
    const sis_system* system;
    const sis_state* state;
    sis_live_finger(s->live, (int32_t)dice_below(d, 3), (int32_t)dice_below(d, 6), dice_unit(d),
                    dice_unit(d), press);
    if (sis_live_look(s->live, &system, &state)) s->looks++;
}

static void play_block(stand* s) {
    static float left[FRAMES_MOST], right[FRAMES_MOST], in[2][FRAMES_MOST];
    static float probed[2][FRAMES_MOST];
    float* const rows[] = {probed[0], probed[1]};
    dice* d = &s->player.dice;
    sis_live_event events[EVENTS_MOST];
    int32_t notes[16];
    int32_t frames = (int32_t)dice_below(d, 8) ? 64 : (int32_t)dice_below(d, FRAMES_MOST + 1);
    int32_t count = (int32_t)dice_below(d, 4) ? 0 : (int32_t)dice_below(d, EVENTS_MOST + 1);
    s->player.low = atomic_load(&s->low);
    s->player.high = atomic_load(&s->high);
    for (int32_t i = 0; i < count; i++)
        events[i] =
            play_something(&s->player, frames ? (int32_t)dice_below(d, (uint32_t)frames) : 0);
    for (int32_t i = 1; i < count; i++) // qsort may take memory
        for (int32_t k = i; k > 0 && events[k].frame < events[k - 1].frame; k--) {
            sis_live_event e = events[k];
            events[k] = events[k - 1];
            events[k - 1] = e;
        }
    if (count && dice_below(d, 200) == 0) events[0].kind = SIS_LIVE_PANIC;
    for (int32_t n = 0; n < frames; n++)
        in[0][n] = in[1][n] = (float)(0.2 * dice_unit(d) - 0.1);
    sis_live_block block = {.frames = frames,
                            .out = {left, right},
                            .in = {in[0], in[1]},
                            .events = events,
                            .event_count = count,
                            .probes = dice_below(d, 3) ? rows : NULL,
                            .probe_count = 2};
    if (s->fingers && dice_below(d, 4) == 0) move_finger(s);
    sis_live_run(s->live, &block);
    s->wrong += not_finite(left, frames) + not_finite(right, frames);
    s->wrong += not_finite(probed[0], frames) + not_finite(probed[1], frames);
    for (int32_t n = 0; n < frames; n++)
        s->loudest = fmax(s->loudest, fabs((double)left[n]));
    s->ended += sis_live_ended(s->live, notes, 16);
}

static void* audio_thread(void* self) {
    stand* s = self;
    play_block(s); // what the loader does at the first call is not ours
    seal();
    watched = true;
    while (!atomic_load(&s->stop)) {
        play_block(s);
        atomic_fetch_add(&s->blocks, 1);
    }
    watched = false;
    s->calls = watched_calls;
    atomic_store(&s->done, true);
    leave_sealed_thread();
    return NULL;
}

// ---------------------------------------------------------------------------- [main]

static void wait_blocks(stand* s, long blocks) {
    long before = atomic_load(&s->blocks);
    for (int i = 0; i < 10000 && atomic_load(&s->blocks) < before + blocks; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void turn_knobs(sis_live* live, dice* d) {
    for (int32_t i = 0; i < sis_live_knob_count(live); i++) {
        sis_live_knob knob = sis_live_knob_at(live, i);
        double part = 0.4 + 0.2 * dice_unit(d); // near the middle: the ends are played elsewhere
        double value = knob.logarithmic ? knob.min * pow(knob.max / knob.min, part)
                                        : knob.min + (knob.max - knob.min) * part;
        if (dice_below(d, 2)) sis_live_knob_set(live, i, value);
    }
}

static void disturb(sis_live* live, dice* d) {
    double hz[128];
    char text[64];
    for (int key = 0; key < 128; key++)
        hz[key] = (430 + 20 * dice_unit(d)) * exp2((key - 69) / 12.0);
    switch (dice_below(d, 7)) {
    case 0:
        sis_live_tune(live, hz);
        break;
    case 1:
        sis_live_preset_take(live, (int32_t)dice_below(d, 4));
        break;
    case 2:
        sis_live_gain(live, 2 * dice_unit(d));
        break;
    case 3:
        sis_live_protect(live, dice_below(d, 2), dice_below(d, 2), dice_below(d, 2));
        break;
    case 4:
        sis_live_prepare(live, 1 + (int32_t)dice_below(d, 127));
        break;
    case 5:
        sis_live_trouble(live, text, sizeof text);
        break;
    default:
        turn_knobs(live, d);
    }
}

static void* clock_thread(void* self) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seal();
    clock_gettime(CLOCK_MONOTONIC, &now);
    atomic_store((atomic_bool*)self, true);
    leave_sealed_thread();
    return NULL;
}

static void* calling_thread(void* self) {
    seal();
#if SEALED
    syscall(SYS_getpid);
#endif
    atomic_store((atomic_bool*)self, true);
    leave_sealed_thread();
    return NULL;
}

static bool lives_through(void* (*work)(void* self)) {
    atomic_bool done = false;
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, &done)) return false;
    pthread_join(thread, NULL);
    return atomic_load(&done);
}

static bool sealed_thread_tells_the_time(void) {
    return lives_through(clock_thread);
}

// ---------------------------------------------------------------------------- laws

static void keys_of_scene(stand* s, const char* name) {
    bool low = !strcmp(name, "tromba") || !strcmp(name, "timpani");
    atomic_store(&s->low, low ? 36 : 50);
    atomic_store(&s->high, low ? 50 : 75);
}

static void play_without_asking(int32_t fingers) {
    static const char* scenes[] = {"guitar",    "sitar",   "felt_piano", "tromba",
                                   "resonator", "timpani", "guitar"};
    stand* s = calloc(1, sizeof *s);
    dice d = {.seed = 5};
    pthread_t audio;
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    o.audit = true;
    o.fingers = s->fingers = fingers;
    o.memory_most = 8 << 20;
    o.voices = SANITIZED ? 2 : 6;
    s->live = sis_live_new(&o, &error);
    s->player.dice.seed = 3;
    s->player.knobs = 12;
    keys_of_scene(s, scenes[0]);
    CHECK(load_scene(s->live, scenes[0]));
    CHECK(pthread_create(&audio, NULL, audio_thread, s) == 0);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (i) CHECK(load_scene(s->live, scenes[i]));
        keys_of_scene(s, scenes[i]);
        for (int k = 0; k < check_count(SANITIZED ? 3 : 8, 100); k++) {
            disturb(s->live, &d);
            wait_blocks(s, SANITIZED ? 5 : 40);
        }
    }
    atomic_store(&s->stop, true);
    pthread_join(audio, NULL);
    sis_live_status status;
    sis_live_status_read(s->live, &status);
    printf("  %ld blocks, %u scenes, %u changes of params, loudest %.2f, %ld calls\n",
           atomic_load(&s->blocks), status.loads, status.generation - status.loads, s->loudest,
           s->calls);
    CHECK(atomic_load(&s->done)); // else it made a system call, and the kernel killed it
    CHECK(s->calls == 0);
    CHECK(s->wrong == 0);
    CHECK(s->loudest > 1e-3);
    CHECK(status.generation > status.loads);
    CHECK(!fingers || s->looks > 0);
    sis_live_free(s->live);
    free(s);
}

static void the_audio_thread_asks_nobody_for_anything(void) {
    play_without_asking(0);
}

static void nor_do_fingers(void) {
    play_without_asking(2);
}

static void the_seal_holds(void) {
#if SEALED
    if (!sealed_thread_tells_the_time()) {
        CHECK_SKIP("this kernel refuses seccomp or tells the time by a system call");
        return;
    }
    CHECK(!lives_through(calling_thread));
#else
    (void)calling_thread;
    (void)sealed_thread_tells_the_time;
    CHECK_SKIP("no seal here: a sanitizer makes system calls of its own, or no Linux");
#endif
}

static void memory_and_locks_are_counted(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    if (!watch_begin()) {
        CHECK_SKIP("memory calls cannot be counted here");
        return;
    }
    watched = true;
    void* volatile deliberate = malloc(16);
    free(deliberate);
    pthread_mutex_lock(&mutex);
    watched = false;
    pthread_mutex_unlock(&mutex);
    CHECK(watched_calls == 3);
    watched_calls = 0;
}

int main(void) {
    RUN(memory_and_locks_are_counted);
    RUN(the_seal_holds);
    RUN(the_audio_thread_asks_nobody_for_anything);
    RUN(nor_do_fingers);
    return check_report();
}
