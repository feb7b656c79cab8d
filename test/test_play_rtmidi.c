// MIDI inputs by RtMidi, in place of which stands a table of functions: all of them or those that
// are named, those that come and go.
#define SISTRUM_RTMIDI
#undef SISTRUM_ALSA
#include "../app/play/play_midi_other.c" // NOLINT: the file as it is built where there is no ALSA

#include "check.h"

enum { PORTS_MOST = 24, OBJECTS_MOST = 64 };

static const char* ports[PORTS_MOST];
static int port_count;
static struct RtMidiWrapper objects[OBJECTS_MOST];
static struct {
    bool used;
    const char* opened;
    RtMidiCCallback call;
    void* self;
} about[OBJECTS_MOST];
static int heard, heard_bytes;

static int place(RtMidiInPtr input) {
    return (int)(input - objects);
}

static RtMidiInPtr make_input(enum RtMidiApi system, const char* name, unsigned size) {
    (void)name, (void)size;
    for (int i = 0; i < OBJECTS_MOST; i++) {
        if (about[i].used) continue;
        about[i].used = true;
        about[i].opened = NULL;
        objects[i].ok = system == RTMIDI_API_UNIX_JACK; // the first system fails
        return &objects[i];
    }
    return NULL;
}

static void free_input(RtMidiInPtr input) {
    CHECK(about[place(input)].used);
    about[place(input)].used = false;
}

static void set_callback(RtMidiInPtr input, RtMidiCCallback call, void* self) {
    about[place(input)].call = call;
    about[place(input)].self = self;
}

static void ignore_types(RtMidiInPtr input, bool sysex, bool time, bool sense) {
    (void)input;
    CHECK(!sysex && time && sense); // tunings are SysEx
}

static unsigned count_ports(RtMidiPtr input) {
    (void)input;
    return (unsigned)port_count;
}

static int port_name(RtMidiPtr input, unsigned i, char* name, int* room) {
    (void)input;
    return snprintf(name, (size_t)*room, "%s", (int)i < port_count ? ports[i] : "");
}

static void open_port(RtMidiPtr input, unsigned i, const char* name) {
    (void)name;
    about[place(input)].opened = ports[i];
    input->ok = strcmp(ports[i], "Broken") != 0;
}

// ---------------------------------------------------------------------------- what it stands on

void* play_library_open(const char* const* names, const play_symbol* symbols, size_t count,
                        void* table) {
    (void)names;
    CHECK(count == 7 && !strcmp(symbols[0].name, "rtmidi_in_create"));
    rtmidi_api api = {make_input,  free_input, set_callback, ignore_types,
                      count_ports, port_name,  open_port};
    memcpy(table, &api, sizeof api);
    return table;
}

int play_library_quiet(void) {
    return 0;
}

void play_library_loud(int before) {
    (void)before;
}

bool play_name_has(const char* name, const char* part) {
    return strstr(name, part) != NULL;
}

bool play_engine_hear(play_engine* e, const uint8_t* bytes, size_t size) {
    (void)e, (void)bytes;
    heard++;
    heard_bytes += (int)size;
    return true;
}

// ---------------------------------------------------------------------------- laws

static void plug(int count, const char* const* names) {
    port_count = count;
    for (int i = 0; i < count; i++)
        ports[i] = names[i];
}

static void strike(const char* name) {
    static const unsigned char note[] = {0x90, 60, 100};
    for (int i = 0; i < OBJECTS_MOST; i++)
        if (about[i].used && about[i].opened && !strcmp(about[i].opened, name))
            about[i].call(0, note, sizeof note, about[i].self);
}

static int used_objects(void) {
    int count = 0;
    for (int i = 0; i < OBJECTS_MOST; i++)
        count += about[i].used;
    return count;
}

static void every_input_is_heard(void) {
    static const char* const names[] = {"Keys 20:0", "Midi Through 14:0", "Pads 24:0", "Broken",
                                        "sistrum:midi_in 128:0"};
    char why[48];
    plug(5, names);
    heard = 0;
    play_midi* m = play_midi_open(NULL, NULL, true, why, sizeof why);
    CHECK(m && play_midi_tend(m) == 2);
    strike("Keys 20:0");
    strike("Pads 24:0");
    strike("Midi Through 14:0");
    CHECK(heard == 2 && heard_bytes == 6);
    play_midi_close(m);
    CHECK(used_objects() == 0);
}

static void a_name_chooses(void) {
    static const char* const names[] = {"Keys 20:0", "Midi Through 14:0", "Keys 28:0", "Pads 24:0"};
    char why[48];
    plug(4, names);
    play_midi* m = play_midi_open(NULL, "Keys", true, why, sizeof why);
    CHECK(m && play_midi_tend(m) == 2);
    play_midi_close(m);
    m = play_midi_open(NULL, "Through", true, why, sizeof why); // asked for, it is joined too
    CHECK(m && play_midi_tend(m) == 1);
    play_midi_close(m);
    m = play_midi_open(NULL, NULL, false, why, sizeof why);
    CHECK(m && play_midi_tend(m) == 0);
    play_midi_close(m);
}

static void they_come_and_go(void) {
    static const char* const names[] = {"A", "B", "C"};
    char why[48];
    plug(0, names);
    heard = 0;
    play_midi* m = play_midi_open(NULL, NULL, true, why, sizeof why);
    CHECK(m && play_midi_tend(m) == 0);
    plug(3, names);
    CHECK(play_midi_tend(m) == 3 && play_midi_tend(m) == 3);
    plug(1, names + 1);
    CHECK(play_midi_tend(m) == 1 && used_objects() == 2);
    strike("B");
    CHECK(heard == 1);
    plug(3, names);
    CHECK(play_midi_tend(m) == 3);
    strike("C");
    CHECK(heard == 2);
    play_midi_close(m);
    CHECK(used_objects() == 0);
}

static void more_than_there_is_room_for_are_left_out(void) {
    static char text[PORTS_MOST][8];
    const char* names[PORTS_MOST];
    char why[48];
    for (int i = 0; i < PORTS_MOST; i++) {
        snprintf(text[i], sizeof text[i], "in %d", i);
        names[i] = text[i];
    }
    plug(PORTS_MOST, names);
    play_midi* m = play_midi_open(NULL, NULL, true, why, sizeof why);
    CHECK(m && play_midi_tend(m) == 16 && used_objects() == 17);
    play_midi_close(m);
}

int main(void) {
    RUN(every_input_is_heard);
    RUN(a_name_chooses);
    RUN(they_come_and_go);
    RUN(more_than_there_is_room_for_are_left_out);
    return CHECK_REPORT();
}
