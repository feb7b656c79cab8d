// A small CLAP host: loads a plugin by dlopen, plays blocks, answers as hosts do. Tests and tools share it.
#ifndef SISTRUM_TEST_CLAP_HOST_H
#define SISTRUM_TEST_CLAP_HOST_H

#include "clap_api.h"

#include <stdatomic.h>
#include <stdio.h>

/** A loaded plugin file. */
typedef struct clap_file {
    void* library;
    const clap_plugin_entry_t* entry;
    const clap_plugin_factory_t* factory;
} clap_file;

/** False: `why` is on standard error. */
bool clap_file_open(clap_file* file, const char* path);
void clap_file_close(clap_file* file);

/** Any event of ours. */
typedef union host_event {
    clap_event_header_t header;
    clap_event_note_t note;
    clap_event_note_expression_t expression;
    clap_event_param_value_t param;
    clap_event_param_mod_t mod;
    clap_event_midi_t midi;
    clap_event_midi_sysex_t sysex;
} host_event;

enum { HOST_EVENTS = 4096, HOST_FRAMES = 8192 };

/** A host with one plugin, and the events of its next block. */
typedef struct clap_host_rack {
    clap_host_t host;
    const clap_plugin_t* plugin;
    const clap_plugin_params_t* params;
    const clap_plugin_state_t* state;
    const clap_plugin_audio_ports_t* audio_ports;
    const clap_plugin_note_ports_t* note_ports;
    const clap_plugin_latency_t* latency;
    const clap_plugin_render_t* render;
    const clap_plugin_voice_info_t* voices;
    const clap_plugin_tail_t* tail;
    _Atomic int restarts, callbacks, rescans, logs, note_ends;
    uint32_t rescan_flags;
    clap_event_param_value_t told; // the last value that the plugin sent
    int values_told;
    char log[1024];
    bool active;
    host_event events[HOST_EVENTS];
    uint32_t event_count;
    float out[2][HOST_FRAMES], in[2][HOST_FRAMES];
    clap_process_status status; // of the last block
} clap_host_rack;

/** Makes the plugin and its extensions; false: it could not be made. */
bool rack_open(clap_host_rack* rack, const clap_file* file, const char* id);
void rack_close(clap_host_rack* rack);

bool rack_activate(clap_host_rack* rack, double rate, uint32_t frames_max);
void rack_deactivate(clap_host_rack* rack);

/** Adds an event to the next block. */
host_event* rack_add(clap_host_rack* rack, uint16_t type, size_t size, uint32_t time);
void rack_note(clap_host_rack* rack, uint32_t time, int key, double velocity); // 0: note off
void rack_midi(clap_host_rack* rack, uint32_t time, int a, int b, int c);
void rack_param(clap_host_rack* rack, uint32_t time, const clap_param_info_t* info, double value);

/** Plays a block with these events into out[][0 .. frames). */
void rack_process(clap_host_rack* rack, uint32_t frames);

/** Hands the events over without sound. */
void rack_flush(clap_host_rack* rack);

/** The param with this name. */
bool rack_find(clap_host_rack* rack, const char* name, clap_param_info_t* info);

/** As `sistrum render --normalise off`: offline, and nothing behind the instrument. */
bool rack_make_plain(clap_host_rack* rack);

/** A text that grows: for states. */
typedef struct host_text {
    char* bytes;
    size_t size, room, at;
    size_t step; // at most so many bytes a call; 0: all
} host_text;

bool rack_save(clap_host_rack* rack, host_text* text);
bool rack_load(clap_host_rack* rack, host_text* text);
void host_text_free(host_text* text);

/** FNV-1a over bytes. */
uint64_t host_hash(uint64_t hash, const void* bytes, size_t size);
#define HOST_HASH 14695981039346656037u

#endif
