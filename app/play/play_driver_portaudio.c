// PortAudio, where no JACK server runs: the devices of the system. Notes come by play_midi.
#include "play_driver.h"

#ifdef SISTRUM_PORTAUDIO

#include "play_library.h"
#include "play_midi.h"
#include "text.h"

#include <math.h>
#include <portaudio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(X)                                                                               \
    X(Pa_Initialize)                                                                               \
    X(Pa_Terminate)                                                                                \
    X(Pa_GetErrorText)                                                                             \
    X(Pa_GetDeviceCount)                                                                           \
    X(Pa_GetDeviceInfo)                                                                            \
    X(Pa_GetHostApiInfo)                                                                           \
    X(Pa_GetDefaultOutputDevice)                                                                   \
    X(Pa_GetDefaultInputDevice)                                                                    \
    X(Pa_OpenStream)                                                                               \
    X(Pa_CloseStream)                                                                              \
    X(Pa_StartStream)                                                                              \
    X(Pa_StopStream)                                                                               \
    X(Pa_AbortStream)                                                                              \
    X(Pa_IsStreamActive)                                                                           \
    X(Pa_GetStreamInfo)

typedef struct pa_api {
#define MEMBER(name) __typeof__(name)*(name);
    FUNCTIONS(MEMBER)
#undef MEMBER
} pa_api;

enum { PERIOD = 256, FRAMES_MOST = 65536 };

typedef struct pa_driver {
    play_driver base;
    pa_api api;
    bool initialised, started;
    bool stuck;  // its stream waits for a JACK server that has gone, and is left to it
    bool spoilt; // the library has lost its JACK server: it may not be asked to end
    PaStream* stream;
    play_engine* engine;
    play_midi* midi;
    char* wanted;
    bool connect, listen;
    int device;
    double rate;
    int32_t period;
    int outputs, inputs;
    char name[80], midi_text[64];
    atomic_ullong xruns, blocks;
    atomic_bool inside, abandoned; // the callback
    unsigned long long blocks_before;
    int quiet_turns;          // looks without a block between
    float spare[FRAMES_MOST]; // the second channel, where the device has one only
} pa_driver;

// An instance of the library whose stream has lost its JACK server opens no other and never ends:
// what is opened later takes another instance. [main]
static pa_api library;
static enum { NOT_OPEN, OPEN, SPOILT } library_is;

static bool open_library(pa_api* api) {
    static const char* const names[] = {"libportaudio.so.2", "libportaudio.so", NULL};
    static const play_symbol symbols[] = {
#define SYMBOL(name) {#name, offsetof(pa_api, name)},
        FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    const size_t count = sizeof symbols / sizeof *symbols;
    if (library_is == NOT_OPEN && play_library_open(names, symbols, count, &library))
        library_is = OPEN;
    if (library_is == SPOILT && play_library_again(names, symbols, count, &library))
        library_is = OPEN;
    *api = library;
    return library_is == OPEN;
}

static bool initialise(const pa_api* api) {
    int before = play_library_quiet();
    PaError failed = api->Pa_Initialize();
    play_library_loud(before);
    return failed == paNoError;
}

static void terminate(const pa_api* api) {
    int before = play_library_quiet();
    api->Pa_Terminate();
    play_library_loud(before);
}

// ---------------------------------------------------------------------------- the callback

/** [audio] */
static void play_block(pa_driver* d, const void* heard, void* sound, unsigned long frames) {
    float* const* to = sound;
    const float* const* from = heard;
    float* out[2] = {to[0], d->outputs > 1 ? to[1] : d->spare};
    const float* in[2] = {from && d->inputs > 0 ? from[0] : NULL,
                          from && d->inputs > 1 ? from[1] : NULL};
    play_engine_begin(d->engine);
    play_engine_run(d->engine, (int32_t)frames, out, in);
    for (unsigned long i = 0; d->outputs == 1 && i < frames; i++)
        to[0][i] = 0.5f * (to[0][i] + d->spare[i]);
}

/** [audio] */
static int process(const void* heard, void* sound, unsigned long frames,
                   const PaStreamCallbackTimeInfo* time, PaStreamCallbackFlags flags, void* self) {
    pa_driver* d = self;
    float* const* to = sound;
    (void)time;
    if (flags & (paOutputUnderflow | paInputOverflow)) atomic_fetch_add(&d->xruns, 1);
    atomic_fetch_add(&d->blocks, 1);
    atomic_store(&d->inside, true);
    // A server that stood still and goes on finds the engine in other hands.
    bool ours = !atomic_load(&d->abandoned);
    if (ours) play_block(d, heard, sound, frames);
    atomic_store(&d->inside, false);
    for (int c = 0; !ours && c < d->outputs; c++)
        memset(to[c], 0, frames * sizeof(float));
    return ours ? paContinue : paAbort;
}

// ---------------------------------------------------------------------------- devices

/** By number or by part of its name; the default one where none is named; -1: there is none. */
static int find_device(const pa_api* api, const char* wanted) {
    long number;
    int count = api->Pa_GetDeviceCount();
    if (!wanted) return api->Pa_GetDefaultOutputDevice();
    if (sis_text_whole(wanted, 0, count - 1, &number)) return (int)number;
    for (int i = 0; i < count; i++) {
        const PaDeviceInfo* info = api->Pa_GetDeviceInfo(i);
        if (info->maxOutputChannels > 0 && play_name_has(info->name, wanted)) return i;
    }
    return -1;
}

static PaStreamParameters outputs_of(pa_driver* d, int device) {
    const PaDeviceInfo* info = d->api.Pa_GetDeviceInfo(device);
    d->outputs = info->maxOutputChannels < 2 ? 1 : 2;
    return (PaStreamParameters){.device = device,
                                .channelCount = d->outputs,
                                .sampleFormat = paFloat32 | paNonInterleaved,
                                .suggestedLatency = info->defaultLowOutputLatency};
}

/** Of the same device where it has any, else of the default one. */
static bool inputs_of(pa_driver* d, int device, int32_t wanted, PaStreamParameters* p) {
    if (d->api.Pa_GetDeviceInfo(device)->maxInputChannels < 1)
        device = d->api.Pa_GetDefaultInputDevice();
    if (device < 0 || wanted < 1) return false;
    const PaDeviceInfo* info = d->api.Pa_GetDeviceInfo(device);
    d->inputs = info->maxInputChannels < wanted ? info->maxInputChannels : wanted;
    *p = (PaStreamParameters){.device = device,
                              .channelCount = d->inputs,
                              .sampleFormat = paFloat32 | paNonInterleaved,
                              .suggestedLatency = info->defaultLowInputLatency};
    return d->inputs > 0;
}

static bool open_stream(pa_driver* d, int32_t sound_inputs, sis_fault* fault) {
    PaStreamParameters in, out = outputs_of(d, d->device);
    d->inputs = 0;
    bool hears = d->listen && inputs_of(d, d->device, sound_inputs, &in);
    int before = play_library_quiet();
    PaError failed = d->api.Pa_OpenStream(&d->stream, hears ? &in : NULL, &out, d->rate,
                                          (unsigned long)d->period, paNoFlag, process, d);
    play_library_loud(before);
    if (failed == paNoError) return true;
    d->stream = NULL;
    return sis_fault_set(fault, SIS_FAULT_RUN, "the device '%s' does not play at %g Hz: %s",
                         d->name, d->rate, d->api.Pa_GetErrorText(failed));
}

// ---------------------------------------------------------------------------- the table

static bool lost(const play_driver* base) {
    const pa_driver* d = (const pa_driver*)base;
    return d->started && (d->quiet_turns > 20 || d->api.Pa_IsStreamActive(d->stream) != 1);
}

static void rest(long milliseconds) {
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/** Whether the next block comes, within half a second or a few blocks. */
static bool still_plays(const pa_driver* d) {
    unsigned long long before = atomic_load(&d->blocks);
    double patience = fmax(0.5, 4 * (double)d->period / d->rate);
    for (double waited = 0; waited < patience; waited += 0.01) {
        if (atomic_load(&d->blocks) != before) return true;
        rest(10);
    }
    return false;
}

static bool is_jack(const pa_driver* d, int device) {
    const PaDeviceInfo* info = d->api.Pa_GetDeviceInfo(device);
    return info && d->api.Pa_GetHostApiInfo(info->hostApi)->type == paJACK;
}

/** Whether a JACK server may have gone with the device: one of JACK, or of ALSA that leads to it. An
 * instance of the library that was a client of it ends the program where it is asked to end. */
static bool lost_jack(const pa_driver* d) {
    bool client = false;
    int count = d->started ? d->api.Pa_GetDeviceCount() : 0;
    for (int i = 0; i < count; i++)
        client = client || is_jack(d, i);
    return client && (lost(&d->base) || !still_plays(d));
}

/** Leaves the stream, its callback and this driver to the library. */
static void abandon(pa_driver* d) {
    atomic_store(&d->abandoned, true);
    while (atomic_load(&d->inside))
        rest(1);
    d->stuck = true;
    d->started = false;
    library_is = SPOILT;
    play_midi_close(d->midi);
    d->midi = NULL;
}

static void stop(play_driver* base) {
    pa_driver* d = (pa_driver*)base;
    d->spoilt = d->spoilt || lost_jack(d);
    // A stream through a JACK server that has gone waits for it when it is stopped.
    if (d->spoilt && d->started && is_jack(d, d->device)) abandon(d);
    if (d->stuck) return;
    int before = play_library_quiet();
    // What waits to be played would be waited for, in vain where the device has gone.
    if (d->started && (d->spoilt || lost(base)))
        d->api.Pa_AbortStream(d->stream);
    else if (d->started)
        d->api.Pa_StopStream(d->stream);
    if (d->stream) d->api.Pa_CloseStream(d->stream);
    play_library_loud(before);
    d->stream = NULL;
    d->started = false;
    play_midi_close(d->midi);
    d->midi = NULL;
}

static void close_pa(play_driver* base) {
    pa_driver* d = (pa_driver*)base;
    stop(base);
    if (d->stuck) return; // its thread may still use it
    if (d->spoilt)
        library_is = SPOILT;
    else if (d->initialised)
        terminate(&d->api);
    free(d->wanted);
    free(d);
}

static bool set_up(pa_driver* d, const play_driver_ask* ask, sis_fault* fault) {
    d->connect = ask->connect;
    d->listen = ask->listen;
    d->wanted = ask->midi ? strdup(ask->midi) : NULL;
    if (ask->midi && !d->wanted) return sis_fault_no_memory(fault);
    if (!open_library(&d->api))
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "PortAudio's library (libportaudio) is not installed");
    d->initialised = initialise(&d->api);
    if (!d->initialised) return sis_fault_set(fault, SIS_FAULT_RUN, "PortAudio does not start");
    int device = find_device(&d->api, ask->device);
    if (device < 0 && ask->device)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--device: PortAudio has no output '%.100s'; --list names them",
                             ask->device);
    if (device < 0) return sis_fault_set(fault, SIS_FAULT_RUN, "PortAudio finds no device");
    const PaDeviceInfo* info = d->api.Pa_GetDeviceInfo(device);
    d->device = device;
    d->rate = isnan(ask->rate) ? info->defaultSampleRate : ask->rate;
    d->period = isnan(ask->period) ? PERIOD : (int32_t)ask->period;
    snprintf(d->name, sizeof d->name, "%s", info->name);
    return true;
}

static play_driver* open_pa(const play_driver_ask* ask, sis_fault* fault) {
    pa_driver* d = calloc(1, sizeof *d);
    if (!d) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    d->base.kind = &play_driver_portaudio;
    if (set_up(d, ask, fault)) return &d->base;
    close_pa(&d->base);
    return NULL;
}

static bool start(play_driver* base, play_engine* engine, int32_t sound_inputs, sis_fault* fault) {
    pa_driver* d = (pa_driver*)base;
    char why[48];
    d->engine = engine;
    d->quiet_turns = 0;
    if (!open_stream(d, sound_inputs, fault)) return false;
    d->midi = play_midi_open(engine, d->wanted, d->connect, why, sizeof why);
    if (!d->midi) snprintf(d->midi_text, sizeof d->midi_text, "no MIDI: %s", why);
    int before = play_library_quiet();
    d->started = d->api.Pa_StartStream(d->stream) == paNoError;
    play_library_loud(before);
    return d->started ||
           sis_fault_set(fault, SIS_FAULT_RUN, "the device '%s' does not start", d->name);
}

static void tend(play_driver* base) {
    pa_driver* d = (pa_driver*)base;
    unsigned long long blocks = atomic_load(&d->blocks);
    d->quiet_turns = blocks == d->blocks_before ? d->quiet_turns + 1 : 0;
    d->blocks_before = blocks;
    int inputs = d->midi ? play_midi_tend(d->midi) : 0;
    if (d->midi)
        snprintf(d->midi_text, sizeof d->midi_text, "%d MIDI input%s", inputs,
                 inputs == 1 ? "" : "s");
}

static void tell(play_driver* base, play_driver_state* state) {
    pa_driver* d = (pa_driver*)base;
    const PaStreamInfo* info = d->stream ? d->api.Pa_GetStreamInfo(d->stream) : NULL;
    *state = (play_driver_state){.rate = d->rate,
                                 .period = d->period,
                                 .latency = info ? info->outputLatency : (double)NAN,
                                 .xruns = atomic_load(&d->xruns)};
    snprintf(state->text, sizeof state->text, "portaudio %.40s%s%.60s", d->name,
             *d->midi_text ? ", " : "", d->midi_text);
}

static void list(FILE* to) {
    pa_api api;
    if (!open_library(&api) || !initialise(&api)) {
        fprintf(to, "  its library (libportaudio) is not installed\n");
        return;
    }
    int count = api.Pa_GetDeviceCount();
    for (int i = 0; i < count; i++) {
        const PaDeviceInfo* info = api.Pa_GetDeviceInfo(i);
        fprintf(to, "  device %-3d %s, %s: %d out, %d in, %g Hz%s\n", i, info->name,
                api.Pa_GetHostApiInfo(info->hostApi)->name, info->maxOutputChannels,
                info->maxInputChannels, info->defaultSampleRate,
                i == api.Pa_GetDefaultOutputDevice() ? " (default)" : "");
    }
    if (count < 1) fprintf(to, "  no devices\n");
    terminate(&api);
    play_midi_list(to);
}

const play_driver_class play_driver_portaudio = {
    .name = "portaudio",
    .about = "PortAudio: devices of the system",
    .list = list,
    .open = open_pa,
    .start = start,
    .stop = stop,
    .close = close_pa,
    .lost = lost,
    .tend = tend,
    .tell = tell,
};

#else
typedef int play_driver_portaudio_is_not_built; // a file must hold something
#endif
