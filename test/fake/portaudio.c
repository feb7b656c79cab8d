// A libportaudio that plays into nothing, for a device that is pulled out and plugged in again: it is
// there while the file $FAKE_DEVICE exists, which holds its rate. With $FAKE_JACK it is a JACK server:
// when that has gone, a stream still counts as active, whatever ends it waits for minutes, and this
// instance of the library opens no other, as the real one does.
#include <portaudio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct stream {
    PaStreamCallback* call;
    void* self;
    double rate;
    unsigned long frames;
    pthread_t thread;
    atomic_bool running, active;
} stream;

static int inside; // Pa_Initialize counts
static atomic_bool down;

static bool is_jack(void) {
    return getenv("FAKE_JACK") != NULL;
}

static void wait_if_down(void) {
    if (atomic_load(&down)) nanosleep(&(struct timespec){.tv_sec = 600}, NULL);
}

static double device_rate(void) {
    FILE* file = fopen(getenv("FAKE_DEVICE"), "r");
    double rate = 0;
    if (!file) return 0;
    if (fscanf(file, "%lf", &rate) != 1) rate = 0;
    fclose(file);
    return rate;
}

static double
    listed; // rate of the device when devices were listed, as the library does at its start

PaError Pa_Initialize(void) {
    if (!inside++) listed = device_rate();
    return paNoError;
}

PaError Pa_Terminate(void) {
    wait_if_down();
    inside--;
    return paNoError;
}

const char* Pa_GetErrorText(PaError code) {
    return code ? "no such device" : "fine";
}

PaDeviceIndex Pa_GetDeviceCount(void) {
    return listed > 0;
}

const PaDeviceInfo* Pa_GetDeviceInfo(PaDeviceIndex i) {
    static PaDeviceInfo info = {.name = "Fake", .maxOutputChannels = 2};
    info.defaultSampleRate = listed;
    return i == 0 ? &info : NULL;
}

const PaHostApiInfo* Pa_GetHostApiInfo(PaHostApiIndex i) {
    static PaHostApiInfo info = {.name = "Fakes"};
    info.type = is_jack() ? paJACK : paALSA;
    (void)i;
    return &info;
}

PaDeviceIndex Pa_GetDefaultOutputDevice(void) {
    return listed > 0 ? 0 : paNoDevice;
}

PaDeviceIndex Pa_GetDefaultInputDevice(void) {
    return paNoDevice;
}

PaError Pa_OpenStream(PaStream** made, const PaStreamParameters* in, const PaStreamParameters* out,
                      double rate, unsigned long frames, PaStreamFlags flags,
                      PaStreamCallback* call, void* self) {
    (void)in, (void)out, (void)flags;
    stream* s = device_rate() > 0 && !atomic_load(&down) ? calloc(1, sizeof *s) : NULL;
    if (!s) return paInvalidDevice;
    s->call = call;
    s->self = self;
    s->rate = rate;
    s->frames = frames;
    *made = s;
    return paNoError;
}

static void* play(void* self) {
    stream* s = self;
    static float left[65536], right[65536];
    float* out[2] = {left, right};
    while (atomic_load(&s->running) && device_rate() == s->rate) {
        s->call(NULL, out, s->frames, NULL, 0, s->self);
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * (double)s->frames / s->rate)}, NULL);
    }
    bool stays = is_jack() && atomic_load(&s->running);
    atomic_store(&s->active, stays);
    if (stays) atomic_store(&down, true);
    return NULL;
}

PaError Pa_StartStream(PaStream* made) {
    stream* s = made;
    atomic_store(&s->running, true);
    atomic_store(&s->active, true);
    return pthread_create(&s->thread, NULL, play, s) ? paInternalError : paNoError;
}

PaError Pa_StopStream(PaStream* made) {
    stream* s = made;
    wait_if_down();
    if (atomic_exchange(&s->running, false)) pthread_join(s->thread, NULL);
    return paNoError;
}

PaError Pa_AbortStream(PaStream* made) {
    return Pa_StopStream(made);
}

PaError Pa_CloseStream(PaStream* made) {
    Pa_StopStream(made);
    free(made);
    return paNoError;
}

PaError Pa_IsStreamActive(PaStream* made) {
    return atomic_load(&((stream*)made)->active);
}

const PaStreamInfo* Pa_GetStreamInfo(PaStream* made) {
    static const PaStreamInfo info = {.structVersion = 1, .outputLatency = 0.01};
    (void)made;
    return &info;
}
