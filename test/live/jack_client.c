// A player and a listener for the tests of `sistrum play` under JACK: sends MIDI messages at exact frames to
// sistrum:midi_in and writes what sistrum:out_1 and out_2 give.
//
//   jack_client EVENTS OUT.f32 FRAMES freewheel|live [IN.f32]     EVENTS: lines "frame byte byte byte", bytes in hexadecimal
//                                                        live: sistrum is to join the port of the player by itself
//   jack_client period FRAMES                            asks the server for another period
//
// Two clients of the server, so that the graph is a line: player, instrument, listener, all in one cycle.

#include <jack/jack.h>
#include <jack/midiport.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct event {
    long frame;
    unsigned char bytes[3];
    size_t size;
} event;

typedef struct session {
    jack_client_t *player, *listener;
    jack_port_t *notes, *voice, *ear[2];
    float* sung; // sound for sistrum:in_1, [sung_frames]; NULL: none
    long sung_frames;
    event* events;
    long count, next;  // events
    long frames;       // to be heard
    float* heard;      // [frames][2]
    atomic_long start; // of this cycle in the song; -1: it has not begun
    atomic_long end;   // of what was heard
    atomic_bool wanted, freewheels;
    bool wait_for_freewheel;
    bool is_found; // sistrum joins the player's port by itself
    long position;
} session;

static int play(jack_nframes_t frames, void* self) {
    session* s = self;
    void* buffer = jack_port_get_buffer(s->notes, frames);
    jack_midi_clear_buffer(buffer);
    bool go = atomic_load(&s->wanted) && (!s->wait_for_freewheel || atomic_load(&s->freewheels));
    atomic_store(&s->start, go ? s->position : -1);
    float* voice = s->sung ? jack_port_get_buffer(s->voice, frames) : NULL;
    for (long n = 0; voice && n < (long)frames; n++)
        voice[n] = go && s->position + n < s->sung_frames ? s->sung[s->position + n] : 0;
    if (!go) return 0;
    for (; s->next < s->count && s->events[s->next].frame < s->position + (long)frames; s->next++) {
        const event* e = &s->events[s->next];
        jack_midi_event_write(buffer, (jack_nframes_t)(e->frame - s->position), e->bytes, e->size);
    }
    s->position += (long)frames;
    return 0;
}

static int listen(jack_nframes_t frames, void* self) {
    session* s = self;
    long start = atomic_load(&s->start);
    if (start < 0) return 0;
    for (int c = 0; c < 2; c++) {
        const float* sound = jack_port_get_buffer(s->ear[c], frames);
        for (long n = 0; n < (long)frames && start + n < s->frames; n++)
            s->heard[2 * (start + n) + c] = sound[n];
    }
    atomic_store(&s->end, start + (long)frames);
    return 0;
}

static void note_freewheel(int starting, void* self) {
    session* s = self;
    atomic_store(&s->freewheels, starting != 0);
}

static void quiet(const char* text) {
    (void)text;
}

static jack_client_t* open_client(const char* name) {
    jack_client_t* client = jack_client_open(name, JackNoStartServer, NULL);
    if (!client) fprintf(stderr, "jack_client: no server\n");
    return client;
}

static bool read_events(session* s, const char* path) {
    FILE* file = fopen(path, "r");
    char line[128];
    if (!file) return false;
    while (fgets(line, sizeof line, file)) {
        unsigned a = 0, b = 0, c = 0;
        long frame;
        int words = sscanf(line, "%ld %x %x %x", &frame, &a, &b, &c);
        if (words < 2) continue;
        s->events = realloc(s->events, (size_t)(s->count + 1) * sizeof *s->events);
        s->events[s->count++] = (event){
            frame, {(unsigned char)a, (unsigned char)b, (unsigned char)c}, (size_t)words - 1};
    }
    fclose(file);
    return true;
}

static bool read_sound(session* s, const char* path) {
    FILE* file = fopen(path, "rb");
    s->sung = calloc((size_t)s->frames, sizeof *s->sung);
    if (file && s->sung)
        s->sung_frames = (long)fread(s->sung, sizeof *s->sung, (size_t)s->frames, file);
    if (file) fclose(file);
    return s->sung_frames > 0;
}

static bool join(session* s) {
    s->notes = jack_port_register(s->player, "notes", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
    s->ear[0] =
        jack_port_register(s->listener, "ear_1", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    s->ear[1] =
        jack_port_register(s->listener, "ear_2", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    if (s->sung)
        s->voice =
            jack_port_register(s->player, "voice", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_set_process_callback(s->player, play, s);
    jack_set_process_callback(s->listener, listen, s);
    jack_set_freewheel_callback(s->player, note_freewheel, s);
    return jack_activate(s->player) == 0 && jack_activate(s->listener) == 0 &&
           (!s->sung || jack_connect(s->player, jack_port_name(s->voice), "sistrum:in_1") == 0) &&
           (s->is_found ||
            jack_connect(s->player, jack_port_name(s->notes), "sistrum:midi_in") == 0) &&
           jack_connect(s->listener, "sistrum:out_1", jack_port_name(s->ear[0])) == 0 &&
           jack_connect(s->listener, "sistrum:out_2", jack_port_name(s->ear[1])) == 0;
}

static bool wait_for_all(session* s) {
    for (int i = 0; i < 6000 && atomic_load(&s->end) < s->frames; i++)
        usleep(10000);
    return atomic_load(&s->end) >= s->frames;
}

static int set_period(long frames) {
    jack_client_t* client = open_client("test_period");
    int failed = !client || jack_set_buffer_size(client, (jack_nframes_t)frames);
    if (client) jack_client_close(client);
    return failed;
}

int main(int argc, char** argv) {
    jack_set_error_function(quiet);
    jack_set_info_function(quiet);
    if (argc == 3 && !strcmp(argv[1], "period")) return set_period(atol(argv[2]));
    if (argc != 5 && argc != 6) return 2;
    session s = {.frames = atol(argv[3]), .wait_for_freewheel = !strcmp(argv[4], "freewheel")};
    s.is_found = !s.wait_for_freewheel;
    atomic_store(&s.start, -1);
    s.heard = calloc((size_t)s.frames * 2 + 1, sizeof *s.heard);
    s.player = open_client("test_player");
    s.listener = open_client("test_listener");
    bool fine = s.heard && s.player && s.listener && read_events(&s, argv[1]) &&
                (argc < 6 || read_sound(&s, argv[5])) && join(&s);
    if (!fine) fprintf(stderr, "jack_client: cannot join sistrum\n");
    usleep(s.is_found ? 600000 : 100000); // the graph is sorted, and new ports were seen
    if (fine && s.wait_for_freewheel) jack_set_freewheel(s.player, 1);
    usleep(100000); // every client has been told
    atomic_store(&s.wanted, true);
    fine = fine && wait_for_all(&s);
    if (s.player && s.wait_for_freewheel) jack_set_freewheel(s.player, 0);
    usleep(100000);
    if (s.player) jack_client_close(s.player);
    if (s.listener) jack_client_close(s.listener);
    FILE* out = fine ? fopen(argv[2], "wb") : NULL;
    fine = out && fwrite(s.heard, 2 * sizeof(float), (size_t)s.frames, out) == (size_t)s.frames;
    if (out) fclose(out);
    free(s.heard);
    free(s.events);
    free(s.sung);
    return fine ? 0 : 1;
}
