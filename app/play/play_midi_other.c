// MIDI by RtMidi's C interface, where the ALSA sequencer is not built in; or no MIDI at all.
#include "play_midi.h"

#ifndef SISTRUM_ALSA
#ifdef SISTRUM_RTMIDI

#include "play_library.h"

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

struct play_midi {
    rtmidi_api api;
    play_engine* engine;
    RtMidiInPtr input;
    char* wanted;
    bool connect, joined;
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
    play_engine_hear(m->engine, bytes, size);
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

static bool name_of(const rtmidi_api* api, RtMidiInPtr input, unsigned i, char name[256]) {
    int size = 256;
    *name = 0;
    return api->rtmidi_get_port_name(input, i, name, &size) >= 0 && *name;
}

int play_midi_tend(play_midi* m) {
    char name[256];
    unsigned count = m->connect && !m->joined ? m->api.rtmidi_get_port_count(m->input) : 0;
    for (unsigned i = 0; i < count && !m->joined; i++) {
        if (!name_of(&m->api, m->input, i, name) || strstr(name, "Midi Through")) continue;
        if (m->wanted && !play_name_has(name, m->wanted)) continue;
        m->api.rtmidi_open_port(m->input, i, "midi_in");
        m->joined = m->input->ok;
    }
    return m->joined;
}

void play_midi_list(FILE* to) {
    rtmidi_api api;
    char name[256];
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
    bool there = open_library(&m->api);
    m->input = there ? open_input(&m->api) : NULL;
    if (m->input) {
        m->api.rtmidi_in_ignore_types(m->input, false, true, true);
        m->api.rtmidi_in_set_callback(m->input, hear, m);
        play_midi_tend(m);
        return m;
    }
    snprintf(why, room, there ? "RtMidi finds no system for it" : "librtmidi is not installed");
    play_midi_close(m);
    return NULL;
}

void play_midi_close(play_midi* m) {
    if (!m) return;
    if (m->input) m->api.rtmidi_in_free(m->input);
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
