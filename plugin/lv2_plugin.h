/** @file lv2_plugin.h
 * What the files of the LV2 plugin share: one instance, its ports and what it has seen of them.
 */
#ifndef SISTRUM_PLUGIN_LV2_PLUGIN_H
#define SISTRUM_PLUGIN_LV2_PLUGIN_H

#include "lv2_bundle.h"
#include "lv2_ports.h"

#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/urid/urid.h>
#include <sistrum/live.h>

/** Numbers that the host has for the words of LV2. */
typedef struct words {
    LV2_URID sequence, frames, beats, string, path, object, blank;
    LV2_URID number_float, number_double, number_int, number_long, number_bool, urid;
    LV2_URID midi, set, get, property, value;
    LV2_URID log_error, state, ports, raw, block_length;
} words;

/** A knob that has a port. */
typedef struct knob_port {
    const float* at;   ///< where the host keeps its value; NULL: not connected
    float seen;        ///< last value there that was taken
    int32_t knob;      ///< of the scene that plays; -1: it has none of that name
    LV2_URID property; ///< the same knob in patch messages
    double values[3];  ///< fallback, min, max: what a float means that rounds one of them
    bool trigger;
    bool restored; ///< a host may have stored its port with fewer digits
    double value;  ///< as it was last set, for those who ask
} knob_port;

enum { EVENTS_MOST = 2048, PIECE = 1024 }; // events of a call; frames where sound comes in

typedef struct plugin {
    sis_live* live;
    double rate; ///< Hz
    bundle bundle;
    words words;
    LV2_Log_Log log; ///< a copy; printf is NULL where the host has none
    LV2_Atom_Forge forge;
    void* fixed[PORT_FIXED]; ///< ports; NULL: not connected
    const float* sound[2];   ///< from outside
    float* pieces[2];        ///< copies of them: hosts may give one buffer for in and out
    knob_port* knobs;        ///< [bundle.knob_count]
    float gain;              ///< dB, as it was last seen
    bool limiter, dc, guard, offline, raw;
    sis_live_event events[EVENTS_MOST]; ///< not played yet
    int32_t event_count;
    uint32_t played; ///< frames of this call
    int32_t latency; ///< frames
    bool has_run;    ///< since it was activated
} plugin;

/** Tells the host what is wrong; not from the audio thread. */
void plugin_say(const plugin* p, const char* sentence);

/** Finds the knobs of the ports in the scene that plays, and its latency. [main] */
void plugin_find_knobs(plugin* p);

// lv2_run.c
void plugin_run(LV2_Handle handle, uint32_t frames);
void plugin_event(plugin* p, const sis_live_event* event);

// lv2_message.c: patch messages
void message_take(plugin* p, const LV2_Atom_Object* object, uint32_t frame);
/** Tells knobs that MIDI controllers have moved, as patch:Set. */
void message_tell_moved(plugin* p, uint32_t frame);
void message_begin(plugin* p, LV2_Atom_Forge_Frame* sequence);
void message_end(plugin* p, LV2_Atom_Forge_Frame* sequence);

// lv2_state.c
const void* state_extension(void);

#endif
