// JACK, which PipeWire serves too. The server tells rate and period; it may change them, run faster
// than time (freewheel), or go away and come back.
#include "play_driver.h"

#ifdef SISTRUM_JACK

#include "play_library.h"

#include <jack/jack.h>
#include <jack/midiport.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X)                                                                               \
    X(jack_client_open)                                                                            \
    X(jack_client_close)                                                                           \
    X(jack_activate)                                                                               \
    X(jack_deactivate)                                                                             \
    X(jack_get_sample_rate)                                                                        \
    X(jack_get_buffer_size)                                                                        \
    X(jack_set_buffer_size)                                                                        \
    X(jack_set_process_callback)                                                                   \
    X(jack_set_freewheel_callback)                                                                 \
    X(jack_set_buffer_size_callback)                                                               \
    X(jack_set_sample_rate_callback)                                                               \
    X(jack_set_xrun_callback)                                                                      \
    X(jack_set_port_registration_callback)                                                         \
    X(jack_on_shutdown)                                                                            \
    X(jack_set_error_function)                                                                     \
    X(jack_set_info_function)                                                                      \
    X(jack_port_register)                                                                          \
    X(jack_port_unregister)                                                                        \
    X(jack_port_get_buffer)                                                                        \
    X(jack_port_name)                                                                              \
    X(jack_port_by_name)                                                                           \
    X(jack_port_get_aliases)                                                                       \
    X(jack_port_connected_to)                                                                      \
    X(jack_port_connected)                                                                         \
    X(jack_port_get_latency_range)                                                                 \
    X(jack_get_ports)                                                                              \
    X(jack_connect)                                                                                \
    X(jack_free)                                                                                   \
    X(jack_midi_get_event_count)                                                                   \
    X(jack_midi_event_get)

typedef struct jack_api {
#define MEMBER(name) __typeof__(name)*(name);
    FUNCTIONS(MEMBER)
#undef MEMBER
} jack_api;

typedef struct jack_driver {
    play_driver base;
    jack_api api;
    jack_client_t* client;
    play_engine* engine;
    jack_port_t *out[2], *in[2], *midi;
    char* wanted; // part of the names of MIDI ports
    bool connect, listen, started;
    double rate;    // that the engine has
    int32_t period; // likewise
    atomic_int now_rate, now_period;
    atomic_ullong xruns;
    atomic_bool gone;
    atomic_bool ports_changed;
} jack_driver;

static bool open_library(jack_api* api) {
    static const char* const names[] = {"libjack.so.0", "libjack.so", NULL};
    static const play_symbol symbols[] = {
#define SYMBOL(name) {#name, offsetof(jack_api, name)},
        FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return play_library_open(names, symbols, sizeof symbols / sizeof *symbols, api) != NULL;
}

static void say_nothing(const char* text) {
    (void)text;
}

/** A client of the server, which must be running. NULL: it is not. */
static jack_client_t* open_client(const jack_api* api, const char* server) {
    jack_status_t status;
    jack_options_t how = JackNoStartServer;
    int before = play_library_quiet();
    api->jack_set_error_function(say_nothing);
    api->jack_set_info_function(say_nothing);
    jack_client_t* client =
        server ? api->jack_client_open("sistrum", how | JackServerName, &status, server)
               : api->jack_client_open("sistrum", how, &status);
    play_library_loud(before);
    return client;
}

// ---------------------------------------------------------------------------- callbacks

/** [audio] */
static int process(jack_nframes_t frames, void* self) {
    jack_driver* d = self;
    float* out[2];
    const float* in[2] = {NULL, NULL};
    for (int c = 0; c < 2; c++) {
        out[c] = d->api.jack_port_get_buffer(d->out[c], frames);
        if (d->in[c]) in[c] = d->api.jack_port_get_buffer(d->in[c], frames);
    }
    play_engine_begin(d->engine);
    void* midi = d->api.jack_port_get_buffer(d->midi, frames);
    uint32_t count = d->api.jack_midi_get_event_count(midi);
    for (uint32_t i = 0; i < count; i++) {
        jack_midi_event_t event;
        if (d->api.jack_midi_event_get(&event, midi, i) == 0)
            play_engine_midi(d->engine, (int32_t)event.time, event.buffer, event.size);
    }
    play_engine_run(d->engine, (int32_t)frames, out, in);
    return 0;
}

static void freewheel(int starting, void* self) {
    jack_driver* d = self;
    play_engine_offline(d->engine, starting != 0);
}

static int change_period(jack_nframes_t frames, void* self) {
    jack_driver* d = self;
    atomic_store(&d->now_period, (int)frames);
    return 0;
}

static int change_rate(jack_nframes_t rate, void* self) {
    jack_driver* d = self;
    atomic_store(&d->now_rate, (int)rate);
    if (d->engine && (double)rate != d->rate) play_engine_hold(d->engine);
    return 0;
}

static int count_xrun(void* self) {
    jack_driver* d = self;
    atomic_fetch_add(&d->xruns, 1);
    return 0;
}

static void note_port(jack_port_id_t port, int registered, void* self) {
    jack_driver* d = self;
    (void)port;
    if (registered) atomic_store(&d->ports_changed, true);
}

static void shut_down(void* self) {
    jack_driver* d = self;
    atomic_store(&d->gone, true);
}

// ---------------------------------------------------------------------------- ports

/** By its name, or by the one that its device has. */
static bool is_called(const jack_driver* d, const char* port, const char* part) {
    if (play_name_has(port, part)) return true;
    char one[512] = "", two[512] = "";
    char* const aliases[2] = {one, two};
    jack_port_t* found = d->api.jack_port_by_name(d->client, port);
    int count = found ? d->api.jack_port_get_aliases(found, aliases) : 0;
    return (count > 0 && play_name_has(one, part)) || (count > 1 && play_name_has(two, part));
}

/** Joins MIDI inputs to midi_in: those that are wanted, or all of the hardware. */
static void connect_midi(jack_driver* d) {
    unsigned long flags = JackPortIsOutput | (d->wanted ? 0 : JackPortIsPhysical);
    const char** ports = d->api.jack_get_ports(d->client, NULL, JACK_DEFAULT_MIDI_TYPE, flags);
    for (const char** port = ports; port && *port; port++) {
        if (strstr(*port, "Midi-Through")) continue;
        if (d->wanted && !is_called(d, *port, d->wanted)) continue;
        if (!d->api.jack_port_connected_to(d->midi, *port))
            d->api.jack_connect(d->client, *port, d->api.jack_port_name(d->midi));
    }
    d->api.jack_free(ports);
}

/** Joins a port of ours to the i-th of the device's. */
static void connect_sound(jack_driver* d, jack_port_t* own, int i, bool output) {
    unsigned long flags = JackPortIsPhysical | (output ? JackPortIsInput : JackPortIsOutput);
    if (d->api.jack_port_connected(own)) return;
    const char** ports = d->api.jack_get_ports(d->client, NULL, JACK_DEFAULT_AUDIO_TYPE, flags);
    int count = 0;
    while (ports && ports[count])
        count++;
    const char* other = count ? ports[i < count ? i : count - 1] : NULL;
    const char* name = d->api.jack_port_name(own);
    if (other) d->api.jack_connect(d->client, output ? name : other, output ? other : name);
    d->api.jack_free(ports);
}

static void connect_all(jack_driver* d) {
    int before = play_library_quiet();
    connect_midi(d);
    for (int c = 0; c < 2; c++) {
        connect_sound(d, d->out[c], c, true);
        if (d->in[c] && d->listen) connect_sound(d, d->in[c], c, false);
    }
    play_library_loud(before);
}

static bool make_ports(jack_driver* d) {
    static const char* const outs[2] = {"out_1", "out_2"};
    for (int c = 0; c < 2; c++)
        d->out[c] = d->api.jack_port_register(d->client, outs[c], JACK_DEFAULT_AUDIO_TYPE,
                                              JackPortIsOutput, 0);
    d->midi =
        d->api.jack_port_register(d->client, "midi_in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
    return d->out[0] && d->out[1] && d->midi;
}

/** Ports for sound from outside: as many as the scene takes. */
static void make_inputs(jack_driver* d, int32_t count) {
    static const char* const ins[2] = {"in_1", "in_2"};
    for (int c = 0; c < 2; c++) {
        if (c < count && !d->in[c])
            d->in[c] = d->api.jack_port_register(d->client, ins[c], JACK_DEFAULT_AUDIO_TYPE,
                                                 JackPortIsInput, 0);
        if (c >= count && d->in[c]) {
            d->api.jack_port_unregister(d->client, d->in[c]);
            d->in[c] = NULL;
        }
    }
}

// ---------------------------------------------------------------------------- the table

static void close_jack(play_driver* base) {
    jack_driver* d = (jack_driver*)base;
    int before = play_library_quiet();
    if (d->client) d->api.jack_client_close(d->client);
    play_library_loud(before);
    free(d->wanted);
    free(d);
}

static void set_callbacks(jack_driver* d) {
    const jack_api* api = &d->api;
    api->jack_set_process_callback(d->client, process, d);
    api->jack_set_freewheel_callback(d->client, freewheel, d);
    api->jack_set_buffer_size_callback(d->client, change_period, d);
    api->jack_set_sample_rate_callback(d->client, change_rate, d);
    api->jack_set_xrun_callback(d->client, count_xrun, d);
    api->jack_set_port_registration_callback(d->client, note_port, d);
    api->jack_on_shutdown(d->client, shut_down, d);
}

static bool set_up(jack_driver* d, const play_driver_ask* ask, sis_fault* fault) {
    d->connect = ask->connect;
    d->listen = ask->listen;
    d->wanted = ask->midi ? strdup(ask->midi) : NULL;
    if (ask->midi && !d->wanted) return sis_fault_no_memory(fault);
    if (!open_library(&d->api))
        return sis_fault_set(fault, SIS_FAULT_RUN, "JACK's library (libjack) is not installed");
    d->client = open_client(&d->api, ask->device);
    if (!d->client && ask->device)
        return sis_fault_set(fault, SIS_FAULT_RUN, "no JACK server '%.100s' is running",
                             ask->device);
    if (!d->client) return sis_fault_set(fault, SIS_FAULT_RUN, "no JACK server is running");
    if (!isnan(ask->period)) d->api.jack_set_buffer_size(d->client, (jack_nframes_t)ask->period);
    d->rate = (double)d->api.jack_get_sample_rate(d->client);
    d->period = (int32_t)d->api.jack_get_buffer_size(d->client);
    atomic_store(&d->now_rate, (int)d->rate);
    atomic_store(&d->now_period, d->period);
    if (!isnan(ask->rate) && ask->rate != d->rate)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "the JACK server runs at %g Hz, not at --rate %g: leave it out, or "
                             "start the server with it",
                             d->rate, ask->rate);
    set_callbacks(d);
    return make_ports(d) ||
           sis_fault_set(fault, SIS_FAULT_RUN, "the JACK server has no room for more ports");
}

static play_driver* open_jack(const play_driver_ask* ask, sis_fault* fault) {
    jack_driver* d = calloc(1, sizeof *d);
    if (!d) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    d->base.kind = &play_driver_jack;
    if (set_up(d, ask, fault)) return &d->base;
    close_jack(&d->base);
    return NULL;
}

static bool start(play_driver* base, play_engine* engine, int32_t sound_inputs, sis_fault* fault) {
    jack_driver* d = (jack_driver*)base;
    d->engine = engine;
    make_inputs(d, sound_inputs);
    int before = play_library_quiet();
    d->started = d->api.jack_activate(d->client) == 0;
    play_library_loud(before);
    if (!d->started)
        return sis_fault_set(fault, SIS_FAULT_RUN, "the JACK server does not let the program play");
    if (d->connect) connect_all(d);
    return true;
}

static void stop(play_driver* base) {
    jack_driver* d = (jack_driver*)base;
    int before = play_library_quiet();
    if (d->started && !atomic_load(&d->gone)) d->api.jack_deactivate(d->client);
    play_library_loud(before);
    d->started = false;
}

static bool lost(const play_driver* base) {
    return atomic_load(&((const jack_driver*)base)->gone);
}

static void tend(play_driver* base) {
    jack_driver* d = (jack_driver*)base;
    if (d->connect && d->started && atomic_exchange(&d->ports_changed, false)) connect_all(d);
}

static int count_connections(const jack_driver* d) {
    const char** ports =
        d->api.jack_get_ports(d->client, NULL, JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput);
    int count = 0;
    for (const char** port = ports; port && *port; port++)
        count += d->api.jack_port_connected_to(d->midi, *port) != 0;
    d->api.jack_free(ports);
    return count;
}

static void tell(play_driver* base, play_driver_state* state) {
    jack_driver* d = (jack_driver*)base;
    d->rate = atomic_load(&d->now_rate);
    d->period = atomic_load(&d->now_period);
    *state = (play_driver_state){.rate = d->rate,
                                 .period = d->period,
                                 .latency = (double)NAN,
                                 .xruns = atomic_load(&d->xruns)};
    snprintf(state->text, sizeof state->text, "jack");
    if (!d->started || atomic_load(&d->gone)) return;
    jack_latency_range_t range;
    d->api.jack_port_get_latency_range(d->out[0], JackPlaybackLatency, &range);
    int inputs = count_connections(d);
    state->latency = (double)(range.max > 0 ? range.max : (jack_nframes_t)d->period) / d->rate;
    snprintf(state->text, sizeof state->text, "jack, %d MIDI input%s", inputs,
             inputs == 1 ? "" : "s");
}

static void list_ports(const jack_api* api, jack_client_t* client, const char* type,
                       unsigned long flags, const char* what, FILE* to) {
    const char** ports = api->jack_get_ports(client, NULL, type, flags);
    for (const char** port = ports; port && *port; port++) {
        char alias[512] = "", other[512] = "";
        char* const aliases[2] = {alias, other};
        jack_port_t* found = api->jack_port_by_name(client, *port);
        bool named = found && api->jack_port_get_aliases(found, aliases) > 0;
        fprintf(to, "  %-10s %s%s%s%s\n", what, *port, named ? " (" : "", named ? alias : "",
                named ? ")" : "");
    }
    api->jack_free(ports);
}

static void list(FILE* to) {
    jack_api api;
    if (!open_library(&api)) {
        fprintf(to, "  its library (libjack) is not installed\n");
        return;
    }
    jack_client_t* client = open_client(&api, NULL);
    if (!client) {
        fprintf(to, "  no server is running\n");
        return;
    }
    fprintf(to, "  %-10s %u Hz, period %u\n", "server", api.jack_get_sample_rate(client),
            api.jack_get_buffer_size(client));
    unsigned long sink = JackPortIsPhysical | JackPortIsInput;
    list_ports(&api, client, JACK_DEFAULT_AUDIO_TYPE, sink, "output", to);
    list_ports(&api, client, JACK_DEFAULT_AUDIO_TYPE, JackPortIsPhysical | JackPortIsOutput,
               "input", to);
    list_ports(&api, client, JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, "MIDI input", to);
    api.jack_client_close(client);
}

const play_driver_class play_driver_jack = {
    .name = "jack",
    .about = "JACK, or PipeWire in its place",
    .list = list,
    .open = open_jack,
    .start = start,
    .stop = stop,
    .close = close_jack,
    .lost = lost,
    .tend = tend,
    .tell = tell,
};

#else
typedef int play_driver_jack_is_not_built; // a file must hold something
#endif
