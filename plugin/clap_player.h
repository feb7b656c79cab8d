// One plugin: a scene that a CLAP host plays.
//
//   clap_entry.c    entry point and factory
//   clap_scenes.c   which scenes there are; clap_folders.c: where they lie
//   clap_player.c   life of a plugin: made, activated, reset, destroyed; its extensions
//   clap_process.c  a block: events in, sound out                                          [audio]
//   clap_params.c   the list of params; clap_values.c: their values; clap_text.c: as text
//   clap_state.c    save and restore, presets
//   clap_ports.c    ports, latency, tail, rendering, voices
//
// Threads as CLAP has them: [main] and [audio], which may be the same thread. What both touch is atomic.
#ifndef SISTRUM_CLAP_PLAYER_H
#define SISTRUM_CLAP_PLAYER_H

#include "clap_scenes.h"
#include "sistrum/live.h"

#include <stdatomic.h>

/** What a param turns. */
typedef enum param_kind {
    PARAM_KNOB,       // of the scene
    PARAM_PRESET,     // which preset was taken last; 0: none
    PARAM_GAIN,       // dB
    PARAM_LIMITER,    // 0, 1
    PARAM_DC_BLOCKER, // 0, 1
    PARAM_NORMALISE,  // 0: probes as they are; 1: the loudest is full scale
} param_kind;

/** A param of the host. Its value here is that of the scene; the host's is the decimal logarithm of
 * it where the scale is logarithmic, so that equal ways of a hand are equal ratios. */
typedef struct clap_param {
    clap_id id; // from its name in the scene: the same in every version of it
    param_kind kind;
    char key[128]; // its name in the scene
    char name[CLAP_NAME_SIZE];
    char unit[64];
    double min, max, fallback;
    bool logarithmic, trigger, input;
    _Atomic int32_t index; // of the knob; -1: the scene that plays has no such knob
    _Atomic double value;
    _Atomic bool moved; // while a scene was exchanged
    double offset;      // modulation, in the host's unit [audio]
} clap_param;

enum {
    EVENTS_MOST = 1024, // of one sis_live_run; more are handed over in several
    NOTES_MOST = 256,   // notes whose end the host is told
    FRAMES_MOST = 65536,
};

/** A note that has begun and whose end the host does not know. */
typedef struct clap_note {
    int32_t note;
    int16_t port, channel, key;
} clap_note;

typedef struct clap_player {
    clap_plugin_t plugin;
    const clap_host_t* host;
    const clap_host_params_t* host_params;
    const clap_host_latency_t* host_latency;
    const clap_host_audio_ports_t* host_audio_ports;
    const clap_host_note_ports_t* host_note_ports;
    const clap_host_thread_check_t* host_threads;
    const clap_host_timer_support_t* host_timer;
    const clap_host_voice_info_t* host_voices;
    const clap_host_log_t* host_log;
    const clap_scene* scene; // that it began with
    sis_live* live;
    clap_id timer;
    bool has_timer, active;
    uint32_t troubles; // told so far
    double rate;
    uint32_t frames_max;

    // As the host knows them; they change while it is inactive.
    clap_param* params;
    int32_t param_count;
    int32_t sound_inputs, voices;
    bool takes_notes, overlapping;
    uint32_t latency;
    bool is_stale; // the scene has others: to be read anew when it is inactive

    _Atomic bool offline;
    _Atomic bool exchanging;          // knobs have no number now
    _Atomic int32_t preset_wanted;    // of a preset that [main] shall take, from 1 on; 0: none
    _Atomic int32_t normalise_wanted; // 1: off, 2: on; 0: as it is

    // [audio]
    clap_note notes[NOTES_MOST];
    int32_t note_count;
    sis_live_event events[EVENTS_MOST];
} clap_player;

const clap_plugin_t* clap_player_new(const clap_host_t* host, const clap_scene* scene);
static inline clap_player* clap_player_of(const clap_plugin_t* plugin) {
    return plugin->plugin_data;
}

/** Tells the host's log; severity as in CLAP. [main] */
void clap_player_log(const clap_player* p, int32_t severity, const char* text);

/** What the worker could not do, to the log. [main] */
void clap_player_tell_trouble(clap_player* p);

/** Does what [audio] has asked for. [main] */
void clap_player_catch_up(clap_player* p);

/** Asks the host to call [main], if there is anything to do. [any] */
void clap_player_ask_main(const clap_player* p);

// ---------------------------------------------------------------------------- params

/** Reads the list anew from the scene that plays. [main] Inactive. False: no memory, nothing
 * changed. */
bool clap_params_read(clap_player* p);
void clap_params_free(clap_player* p);

/** Whether the scene that plays has the same list. [main] */
bool clap_params_fit(const clap_player* p);

/** Takes numbers and values of knobs from the scene that plays, by name. [main] */
void clap_params_follow(clap_player* p);

/** By number, with the host's cookie where it has one; NULL: none. [any] */
clap_param* clap_params_get(const clap_player* p, clap_id id, const void* cookie);

/** Between the scene's numbers and the host's. [any] */
double clap_param_plain(const clap_param* param, double value);
double clap_param_value(const clap_param* param, double plain);
double clap_param_plain_min(const clap_param* param);
double clap_param_plain_max(const clap_param* param);

/** Takes a value that the host sends; false: it is no number, or it changes nothing that sounds.
 * `value` is that of the scene, modulation included. [audio], [main] when inactive */
bool clap_param_take(clap_param* param, double plain, double* value);

/** Hands the value over, to be heard from the next frame on. [any] */
void clap_param_apply(clap_player* p, clap_param* param, double value);

void clap_params_flush(const clap_plugin_t* plugin, const clap_input_events_t* in,
                       const clap_output_events_t* out);

bool clap_param_write(const clap_player* p, const clap_param* param, double plain, char* text,
                      uint32_t room);
bool clap_param_parse(const clap_player* p, const clap_param* param, const char* text,
                      double* plain);

/** A number, with a point whatever the locale says; where it ends. NULL: none. [any] */
const char* clap_text_number(const char* text, double* number);
void clap_text_write(double number, int digits, char* text, size_t room);

// ---------------------------------------------------------------------------- the rest

clap_process_status clap_player_process(const clap_plugin_t* plugin, const clap_process_t* process);

/** Takes the preset, 1 .. count, and tells the host the new values. [main] */
void clap_preset_take(clap_player* p, int32_t preset);

/** What changed with the scene: told to the host now or when it is inactive. [main] */
void clap_player_scene_changed(clap_player* p);

/** Reads ports, latency and voices from the scene that plays. [main] Inactive. */
void clap_ports_read(clap_player* p);

extern const clap_plugin_params_t clap_params_extension;
extern const clap_plugin_state_t clap_state_extension;
extern const clap_plugin_audio_ports_t clap_audio_ports_extension;
extern const clap_plugin_note_ports_t clap_note_ports_extension;
extern const clap_plugin_latency_t clap_latency_extension;
extern const clap_plugin_tail_t clap_tail_extension;
extern const clap_plugin_render_t clap_render_extension;
extern const clap_plugin_voice_info_t clap_voice_info_extension;

#endif
