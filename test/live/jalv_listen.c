// Plays notes into a JACK client and listens to it:  jalv_listen CLIENT SECONDS
// Prints the largest sample; exit code 0 when there was sound.

#include <jack/jack.h>
#include <jack/midiport.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static jack_port_t *midi, *sound[2];
static _Atomic float loudest;
static _Atomic int bad;
static unsigned block;

static int process(jack_nframes_t frames, void* data) {
    void* events = jack_port_get_buffer(midi, frames);
    (void)data;
    jack_midi_clear_buffer(events);
    // A note a quarter of a second, whatever the period is.
    unsigned each = 12000 / frames + 1;
    if (block % each == 0) {
        unsigned char on[3] = {0x90, (unsigned char)(48 + block / each % 12), 110};
        jack_midi_event_write(events, frames / 3, on, 3);
    } else if (block % each == each / 2) {
        unsigned char off[3] = {0x80, (unsigned char)(48 + block / each % 12), 0};
        jack_midi_event_write(events, 0, off, 3);
    }
    block++;
    for (int c = 0; c < 2; c++) {
        const float* at = jack_port_get_buffer(sound[c], frames);
        for (jack_nframes_t i = 0; i < frames; i++) {
            if (!isfinite(at[i])) atomic_store(&bad, 1);
            if (fabsf(at[i]) > atomic_load(&loudest)) atomic_store(&loudest, fabsf(at[i]));
        }
    }
    return 0;
}

/** Connects to the ports of a client of one kind; how many there were. */
static int connect_all(jack_client_t* client, const char* who, const char* type,
                       unsigned long way) {
    char pattern[256];
    int count = 0;
    snprintf(pattern, sizeof pattern, "^%s:", who);
    const char** ports = jack_get_ports(client, pattern, type, way);
    for (; ports && ports[count]; count++) {
        if (way & JackPortIsInput)
            jack_connect(client, jack_port_name(midi), ports[count]);
        else
            jack_connect(client, ports[count], jack_port_name(sound[count & 1]));
    }
    jack_free(ports);
    return count;
}

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    jack_client_t* client = NULL;
    for (int i = 0; !client && i < 50; i++) {
        client = jack_client_open("listener", JackNoStartServer, NULL);
        if (!client) usleep(100000);
    }
    if (!client) return 2;
    midi = jack_port_register(client, "midi", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
    sound[0] = jack_port_register(client, "left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    sound[1] = jack_port_register(client, "right", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    jack_set_process_callback(client, process, NULL);
    jack_activate(client);
    int outs = 0;
    for (int i = 0; outs < 2 && i < 100; i++) {
        outs = connect_all(client, argv[1], JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput);
        if (outs < 2) usleep(100000);
    }
    connect_all(client, argv[1], JACK_DEFAULT_MIDI_TYPE, JackPortIsInput);
    usleep((useconds_t)(1e6 * atof(argv[2])));
    jack_client_close(client);
    float most = atomic_load(&loudest);
    printf("%g\n", (double)most);
    return outs >= 2 && !atomic_load(&bad) && most > 0.01f && most <= 1.0f ? 0 : 1;
}
