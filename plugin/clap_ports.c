#include "clap_player.h"

#include "script.h"

#include <stdio.h>
#include <string.h>

/** Whether one key may sound twice: as play{} has it. */
static bool is_overlapping(const clap_player* p) {
    size_t size = 0;
    const char* text = sis_live_text(p->live, &size);
    sis_script* script =
        text ? sis_script_load_text(text, size, sis_live_name(p->live), NULL, 0, NULL) : NULL;
    const sis_gestures* gestures = script ? sis_script_gestures(script) : NULL;
    bool overlapping = gestures && gestures->mode == SIS_PLAY_VOICES && !gestures->course_count;
    sis_script_free(script);
    return overlapping;
}

void clap_ports_read(clap_player* p) {
    p->takes_notes = sis_live_takes_notes(p->live);
    p->sound_inputs = sis_live_sound_inputs(p->live);
    p->latency = (uint32_t)sis_live_latency(p->live);
    p->voices = sis_live_voices(p->live);
    p->overlapping = is_overlapping(p);
}

// ---------------------------------------------------------------------------- sound

static uint32_t CLAP_ABI audio_count(const clap_plugin_t* plugin, bool is_input) {
    return is_input ? clap_player_of(plugin)->sound_inputs > 0 : 1;
}

static bool CLAP_ABI audio_get(const clap_plugin_t* plugin, uint32_t index, bool is_input,
                               clap_audio_port_info_t* info) {
    if (index >= audio_count(plugin, is_input) || !info) return false;
    bool mono = is_input && clap_player_of(plugin)->sound_inputs == 1;
    *info = (clap_audio_port_info_t){
        .id = is_input ? 1 : 0,
        .flags = CLAP_AUDIO_PORT_IS_MAIN,
        .channel_count = mono ? 1 : 2,
        .port_type = mono ? CLAP_PORT_MONO : CLAP_PORT_STEREO,
        .in_place_pair = CLAP_INVALID_ID,
    };
    snprintf(info->name, sizeof info->name, "%s", is_input ? "Sound in" : "Sound");
    return true;
}

const clap_plugin_audio_ports_t clap_audio_ports_extension = {audio_count, audio_get};

// ---------------------------------------------------------------------------- notes

static uint32_t CLAP_ABI note_count(const clap_plugin_t* plugin, bool is_input) {
    return is_input && clap_player_of(plugin)->takes_notes;
}

static bool CLAP_ABI note_get(const clap_plugin_t* plugin, uint32_t index, bool is_input,
                              clap_note_port_info_t* info) {
    if (index >= note_count(plugin, is_input) || !info) return false;
    *info = (clap_note_port_info_t){
        .id = 0,
        .supported_dialects =
            CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI | CLAP_NOTE_DIALECT_MIDI_MPE,
        .preferred_dialect = CLAP_NOTE_DIALECT_CLAP,
    };
    snprintf(info->name, sizeof info->name, "Notes");
    return true;
}

const clap_plugin_note_ports_t clap_note_ports_extension = {note_count, note_get};

// ---------------------------------------------------------------------------- numbers

static uint32_t CLAP_ABI latency(const clap_plugin_t* plugin) {
    return clap_player_of(plugin)->latency;
}

const clap_plugin_latency_t clap_latency_extension = {latency};

/** What rings has no fixed end; a plugin that is silent sleeps (clap_player_process). */
static uint32_t CLAP_ABI tail(const clap_plugin_t* plugin) {
    (void)plugin;
    return INT32_MAX;
}

const clap_plugin_tail_t clap_tail_extension = {tail};

static bool CLAP_ABI is_hard_realtime(const clap_plugin_t* plugin) {
    (void)plugin;
    return false;
}

static bool CLAP_ABI set_render(const clap_plugin_t* plugin, clap_plugin_render_mode mode) {
    clap_player* p = clap_player_of(plugin);
    if (!p->live || (mode != CLAP_RENDER_OFFLINE && mode != CLAP_RENDER_REALTIME)) return false;
    atomic_store(&p->offline, mode == CLAP_RENDER_OFFLINE);
    sis_live_offline(p->live, mode == CLAP_RENDER_OFFLINE);
    return true;
}

const clap_plugin_render_t clap_render_extension = {is_hard_realtime, set_render};

static bool CLAP_ABI voice_info(const clap_plugin_t* plugin, clap_voice_info_t* info) {
    const clap_player* p = clap_player_of(plugin);
    if (!info || p->voices < 1 || !p->takes_notes) return false;
    *info = (clap_voice_info_t){
        .voice_count = (uint32_t)p->voices,
        .voice_capacity = (uint32_t)p->voices,
        .flags = p->overlapping ? CLAP_VOICE_INFO_SUPPORTS_OVERLAPPING_NOTES : 0,
    };
    return true;
}

const clap_plugin_voice_info_t clap_voice_info_extension = {voice_info};
