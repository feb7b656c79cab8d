// MIDI by RtMidi's C interface, where the ALSA sequencer is not built in; or no MIDI at all.
#include "play_midi.h"

#ifndef SISTRUM_ALSA
#ifdef SISTRUM_RTMIDI

#include "play_library.h"

#include <pthread.h>
#include <rtmidi_c.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X)                                                                               \
    X(rtmidi_in_create)                                                                            \
    X(rtmidi_in_free)                                                                              \
    X(rtmidi_in_set_callback)                                                                      \
    X(rtmidi_in_ignore_types)                                                                      \
    X(rtmidi_get_port_count)                                                                       \
    X(rtmidi_get_port_name)                                                                        \
    X(rtmidi_open_port)

typedef struct rtmidi_api {
#define MEMBER(name) __typeof__(name)*(name);
    FUNCTIONS(MEMBER)
#undef MEMBER
} rtmidi_api;

enum { JOINED_MOST = 16, NAME_ROOM = 256 };

/** An input that is heard: RtMidi has one object for each. */
typedef struct joined {
    RtMidiInPtr input;
    char name[NAME_ROOM];
    bool there; // at the last look
} joined;

struct play_midi {
    rtmidi_api api;
    play_engine* engine;
    pthread_mutex_t one; // each input has a thread of its own, the engine hears one at a time
    RtMidiInPtr look;    // lists the inputs and hears none
    joined joined[JOINED_MOST];
    int joined_count;
    char* wanted;
    bool connect;
};

static bool open_library(rtmidi_api* api) {
    static const char* const names[] = {"librtmidi.so.6", "librtmidi.so.5", "librtmidi.so", NULL};
    static const play_symbol symbols[] = {
#define SYMBOL(name) {#name, offsetof(rtmidi_api, name)},
        FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return play_library_open(names, symbols, sizeof symbols / sizeof *symbols, api) != NULL;
}

const char* play_midi_about(void) {
    return "RtMidi";
}

static void hear(double time, const unsigned char* bytes, size_t size, void* self) {
    play_midi* m = self;
    (void)time;
    pthread_mutex_lock(&m->one);
    play_engine_hear(m->engine, bytes, size);
    pthread_mutex_unlock(&m->one);
}

/** The first system that works. Messages of RtMidi are not to be printed: they may point nowhere
 * when it fails. */
static RtMidiInPtr open_input(const rtmidi_api* api) {
    static const enum RtMidiApi systems[] = {RTMIDI_API_UNSPECIFIED, RTMIDI_API_UNIX_JACK};
    RtMidiInPtr input = NULL;
    int before = play_library_quiet();
    for (size_t i = 0; i < sizeof systems / sizeof *systems && !input; i++) {
        input = api->rtmidi_in_create(systems[i], "sistrum", 1024);
        if (!input || input->ok) continue;
        api->rtmidi_in_free(input);
        input = NULL;
    }
    play_library_loud(before);
    return input;
}

static bool name_of(const rtmidi_api* api, RtMidiInPtr input, unsigned i, char* name) {
    int size = NAME_ROOM;
    *name = 0;
    return api->rtmidi_get_port_name(input, i, name, &size) >= 0 && *name;
}

static joined* find_joined(play_midi* m, const char* name) {
    for (int i = 0; i < m->joined_count; i++)
        if (!strcmp(m->joined[i].name, name)) return &m->joined[i];
    return NULL;
}

static void join(play_midi* m, unsigned i, const char* name) {
    RtMidiInPtr input = m->joined_count < JOINED_MOST ? open_input(&m->api) : NULL;
    if (!input) return;
    m->api.rtmidi_in_ignore_types(input, false, true, true);
    m->api.rtmidi_in_set_callback(input, hear, m);
    m->api.rtmidi_open_port(input, i, "midi_in");
    if (!input->ok) {
        m->api.rtmidi_in_free(input);
        return;
    }
    joined* j = &m->joined[m->joined_count++];
    *j = (joined){.input = input, .there = true};
    snprintf(j->name, sizeof j->name, "%s", name);
}

/** Inputs that were pulled out are forgotten: plugged in again they are joined again. */
static void leave_gone(play_midi* m) {
    for (int i = 0; i < m->joined_count;) {
        if (m->joined[i].there) {
            i++;
            continue;
        }
        m->api.rtmidi_in_free(m->joined[i].input);
        m->joined[i] = m->joined[--m->joined_count];
    }
}

/** Every input but the one that loops back, or those whose names have what was asked for. Those that
 * play itself has opened are none. */
static bool is_meant(const play_midi* m, const char* name) {
    if (strstr(name, "sistrum")) return false;
    return m->wanted ? play_name_has(name, m->wanted) : !strstr(name, "Midi Through");
}

int play_midi_tend(play_midi* m) {
    char name[NAME_ROOM];
    unsigned count = m->connect ? m->api.rtmidi_get_port_count(m->look) : 0;
    for (int i = 0; i < m->joined_count; i++)
        m->joined[i].there = false;
    for (unsigned i = 0; i < count; i++) {
        if (!name_of(&m->api, m->look, i, name) || !is_meant(m, name)) continue;
        joined* known = find_joined(m, name);
        if (known)
            known->there = true;
        else
            join(m, i, name);
    }
    leave_gone(m);
    return m->joined_count;
}

void play_midi_list(FILE* to) {
    rtmidi_api api;
    char name[NAME_ROOM];
    RtMidiInPtr input = open_library(&api) ? open_input(&api) : NULL;
    if (!input) {
        fprintf(to, "  no MIDI inputs: RtMidi finds no system for them\n");
        return;
    }
    for (unsigned i = 0; i < api.rtmidi_get_port_count(input); i++)
        if (name_of(&api, input, i, name)) fprintf(to, "  %-10s %s\n", "MIDI input", name);
    api.rtmidi_in_free(input);
}

play_midi* play_midi_open(play_engine* engine, const char* wanted, bool connect, char* why,
                          size_t room) {
    play_midi* m = calloc(1, sizeof *m);
    snprintf(why, room, "out of memory");
    if (!m) return NULL;
    m->engine = engine;
    m->connect = connect;
    m->wanted = wanted ? strdup(wanted) : NULL;
    pthread_mutex_init(&m->one, NULL);
    bool there = open_library(&m->api);
    m->look = there ? open_input(&m->api) : NULL;
    if (m->look) {
        play_midi_tend(m);
        return m;
    }
    snprintf(why, room, there ? "RtMidi finds no system for it" : "librtmidi is not installed");
    play_midi_close(m);
    return NULL;
}

void play_midi_close(play_midi* m) {
    if (!m) return;
    for (int i = 0; i < m->joined_count; i++)
        m->api.rtmidi_in_free(m->joined[i].input);
    if (m->look) m->api.rtmidi_in_free(m->look);
    pthread_mutex_destroy(&m->one);
    free(m->wanted);
    free(m);
}

#else

const char* play_midi_about(void) {
    return "";
}

play_midi* play_midi_open(play_engine* engine, const char* wanted, bool connect, char* why,
                          size_t room) {
    (void)engine, (void)wanted, (void)connect;
    snprintf(why, room, "this program was built without MIDI for it");
    return NULL;
}

void play_midi_close(play_midi* midi) {
    (void)midi;
}

int play_midi_tend(play_midi* midi) {
    (void)midi;
    return 0;
}

void play_midi_list(FILE* to) {
    fprintf(to, "  no MIDI inputs: built without the ALSA sequencer and RtMidi\n");
}

#endif
#else
typedef int play_midi_other_is_not_built; // a file must hold something
#endif
