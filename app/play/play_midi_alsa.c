// MIDI by the ALSA sequencer: one port of ours, to which inputs are joined; any other program may
// join it too (aconnect).
#include "play_midi.h"

#ifdef SISTRUM_ALSA

#include "play_library.h"

#include <alsa/asoundlib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(X)                                                                               \
    X(snd_seq_open)                                                                                \
    X(snd_seq_close)                                                                               \
    X(snd_seq_client_id)                                                                           \
    X(snd_seq_set_client_name)                                                                     \
    X(snd_seq_create_simple_port)                                                                  \
    X(snd_seq_connect_from)                                                                        \
    X(snd_seq_event_input)                                                                         \
    X(snd_seq_query_next_client)                                                                   \
    X(snd_seq_query_next_port)                                                                     \
    X(snd_seq_client_info_malloc)                                                                  \
    X(snd_seq_client_info_free)                                                                    \
    X(snd_seq_client_info_set_client)                                                              \
    X(snd_seq_client_info_get_client)                                                              \
    X(snd_seq_client_info_get_name)                                                                \
    X(snd_seq_port_info_malloc)                                                                    \
    X(snd_seq_port_info_free)                                                                      \
    X(snd_seq_port_info_set_client)                                                                \
    X(snd_seq_port_info_set_port)                                                                  \
    X(snd_seq_port_info_get_port)                                                                  \
    X(snd_seq_port_info_get_name)                                                                  \
    X(snd_seq_port_info_get_type)                                                                  \
    X(snd_seq_port_info_get_capability)                                                            \
    X(snd_midi_event_new)                                                                          \
    X(snd_midi_event_free)                                                                         \
    X(snd_midi_event_no_status)                                                                    \
    X(snd_midi_event_decode)                                                                       \
    X(snd_lib_error_set_handler)

typedef struct alsa_api {
#define MEMBER(name) __typeof__(name)*(name);
    FUNCTIONS(MEMBER)
#undef MEMBER
} alsa_api;

enum { JOINED_MOST = 64, BYTES = 1024 };

struct play_midi {
    alsa_api api;
    snd_seq_t* sequencer;
    snd_midi_event_t* decoder;
    play_engine* engine;
    char* wanted;
    bool connect;
    int port;
    struct {
        int client, port;
        bool there; // at the last look
    } joined[JOINED_MOST];
    int joined_count;
    pthread_t thread;
    bool running;
    atomic_bool ending;
};

static bool open_library(alsa_api* api) {
    static const char* const names[] = {"libasound.so.2", "libasound.so", NULL};
    static const play_symbol symbols[] = {
#define SYMBOL(name) {#name, offsetof(alsa_api, name)},
        FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return play_library_open(names, symbols, sizeof symbols / sizeof *symbols, api) != NULL;
}

const char* play_midi_about(void) {
    return "ALSA sequencer";
}

static snd_seq_t* open_sequencer(const alsa_api* api) {
    snd_seq_t* sequencer = NULL;
    int before = play_library_quiet();
    int failed = api->snd_seq_open(&sequencer, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK);
    play_library_loud(before);
    return failed < 0 ? NULL : sequencer;
}

// ---------------------------------------------------------------------------- inputs

/** One input of the machine. */
typedef struct input {
    int client, port;
    const char *client_name, *port_name;
    bool hardware;
} input;

/** Calls `use` for every port that gives notes to others. */
static void each_input(const alsa_api* api, snd_seq_t* sequencer,
                       void (*use)(void* self, const input* one), void* self) {
    snd_seq_client_info_t* client;
    snd_seq_port_info_t* port;
    if (api->snd_seq_client_info_malloc(&client) < 0) return;
    if (api->snd_seq_port_info_malloc(&port) >= 0) {
        const unsigned gives = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ;
        api->snd_seq_client_info_set_client(client, -1);
        while (api->snd_seq_query_next_client(sequencer, client) >= 0) {
            int number = api->snd_seq_client_info_get_client(client);
            if (number == SND_SEQ_CLIENT_SYSTEM || number == api->snd_seq_client_id(sequencer))
                continue;
            api->snd_seq_port_info_set_client(port, number);
            api->snd_seq_port_info_set_port(port, -1);
            while (api->snd_seq_query_next_port(sequencer, port) >= 0) {
                unsigned type = api->snd_seq_port_info_get_type(port);
                input one = {number, api->snd_seq_port_info_get_port(port),
                             api->snd_seq_client_info_get_name(client),
                             api->snd_seq_port_info_get_name(port),
                             (type & SND_SEQ_PORT_TYPE_HARDWARE) != 0};
                if ((api->snd_seq_port_info_get_capability(port) & gives) == gives) use(self, &one);
            }
        }
        api->snd_seq_port_info_free(port);
    }
    api->snd_seq_client_info_free(client);
}

static void join(void* self, const input* one) {
    play_midi* m = self;
    bool wanted = m->wanted ? play_name_has(one->client_name, m->wanted) ||
                                  play_name_has(one->port_name, m->wanted)
                            : one->hardware;
    for (int i = 0; i < m->joined_count; i++)
        if (m->joined[i].client == one->client && m->joined[i].port == one->port) {
            m->joined[i].there = true;
            return;
        }
    if (!wanted || m->joined_count == JOINED_MOST) return;
    if (m->api.snd_seq_connect_from(m->sequencer, m->port, one->client, one->port) < 0) return;
    m->joined[m->joined_count].client = one->client;
    m->joined[m->joined_count].port = one->port;
    m->joined[m->joined_count++].there = true;
}

/** What was pulled out may come back under the same numbers: then it is joined again. */
static void leave_gone(play_midi* m) {
    for (int i = 0; i < m->joined_count;)
        if (m->joined[i].there)
            i++;
        else
            m->joined[i] = m->joined[--m->joined_count];
}

static void print_input(void* self, const input* one) {
    fprintf(self, "  %-10s %s: %s\n", "MIDI input", one->client_name, one->port_name);
}

void play_midi_list(FILE* to) {
    alsa_api api;
    snd_seq_t* sequencer = open_library(&api) ? open_sequencer(&api) : NULL;
    if (!sequencer) {
        fprintf(to, "  no MIDI inputs: there is no ALSA sequencer\n");
        return;
    }
    each_input(&api, sequencer, print_input, to);
    api.snd_seq_close(sequencer);
}

int play_midi_tend(play_midi* m) {
    if (!m->connect) return 0;
    for (int i = 0; i < m->joined_count; i++)
        m->joined[i].there = false;
    each_input(&m->api, m->sequencer, join, m);
    leave_gone(m);
    return m->joined_count;
}

// ---------------------------------------------------------------------------- hearing

/** The queue of the sequencer is looked at every millisecond: a wait that any end of the program
 * ends. */
static void* hear(void* self) {
    play_midi* m = self;
    unsigned char bytes[BYTES];
    while (!atomic_load(&m->ending)) {
        snd_seq_event_t* event;
        while (m->api.snd_seq_event_input(m->sequencer, &event) >= 0 && event) {
            long size = m->api.snd_midi_event_decode(m->decoder, bytes, BYTES, event);
            if (size > 0) play_engine_hear(m->engine, bytes, (size_t)size);
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return NULL;
}

static bool set_up(play_midi* m, char* why, size_t room) {
    bool there = open_library(&m->api);
    m->sequencer = there ? open_sequencer(&m->api) : NULL;
    if (!m->sequencer) {
        snprintf(why, room, there ? "there is no ALSA sequencer" : "libasound is not installed");
        return false;
    }
    m->api.snd_seq_set_client_name(m->sequencer, "sistrum");
    m->port = m->api.snd_seq_create_simple_port(
        m->sequencer, "midi_in", SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE,
        SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SYNTHESIZER);
    if (m->port < 0 || m->api.snd_midi_event_new(BYTES, &m->decoder) < 0) {
        snprintf(why, room, "the ALSA sequencer has no room for a port");
        return false;
    }
    m->api.snd_midi_event_no_status(m->decoder, 1);
    play_midi_tend(m);
    m->running = pthread_create(&m->thread, NULL, hear, m) == 0;
    if (!m->running) snprintf(why, room, "cannot start a thread that listens");
    return m->running;
}

play_midi* play_midi_open(play_engine* engine, const char* wanted, bool connect, char* why,
                          size_t room) {
    play_midi* m = calloc(1, sizeof *m);
    snprintf(why, room, "out of memory");
    if (!m) return NULL;
    m->engine = engine;
    m->connect = connect;
    m->wanted = wanted ? strdup(wanted) : NULL;
    if ((!wanted || m->wanted) && set_up(m, why, room)) return m;
    play_midi_close(m);
    return NULL;
}

void play_midi_close(play_midi* m) {
    if (!m) return;
    atomic_store(&m->ending, true);
    if (m->running) pthread_join(m->thread, NULL);
    if (m->decoder) m->api.snd_midi_event_free(m->decoder);
    if (m->sequencer) m->api.snd_seq_close(m->sequencer);
    free(m->wanted);
    free(m);
}

#else
typedef int play_midi_alsa_is_not_built; // a file must hold something
#endif
