// What a host saves, as text: lines of the plugin itself, an empty line, then what sis_live_save writes (the scene's text,
// knobs, tuning). Such a text alone is taken too.
//
//   sistrum-clap 1
//   gain -6
//   limiter 1
//
//   ...
#include "clap_player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "sistrum-clap "
enum { STATE_FORMAT = 1, STATE_MOST = 64 << 20 };

static const struct {
    param_kind kind;
    const char* word;
} lines[] = {{PARAM_GAIN, "gain"},
             {PARAM_LIMITER, "limiter"},
             {PARAM_DC_BLOCKER, "dc-blocker"},
             {PARAM_NORMALISE, "normalise"},
             {PARAM_PRESET, "preset"}};
enum { LINES = sizeof lines / sizeof *lines };

static clap_param* of_kind(const clap_player* p, param_kind kind) {
    for (int32_t i = 0; i < p->param_count; i++)
        if (p->params[i].kind == kind) return &p->params[i];
    return NULL;
}

// ---------------------------------------------------------------------------- save

static bool write_all(const clap_ostream_t* stream, const char* bytes, size_t size) {
    while (size) {
        int64_t wrote = stream->write(stream, bytes, size);
        if (wrote <= 0 || (uint64_t)wrote > size) return false;
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

static bool CLAP_ABI save(const clap_plugin_t* plugin, const clap_ostream_t* stream) {
    clap_player* p = clap_player_of(plugin);
    if (!p->live || !stream || !stream->write) return false;
    char head[512];
    size_t used = (size_t)snprintf(head, sizeof head, HEAD "%d\n", STATE_FORMAT);
    for (int i = 0; i < LINES; i++) {
        const clap_param* param = of_kind(p, lines[i].kind);
        char number[40];
        if (!param) continue;
        clap_text_write(atomic_load(&param->value), 17, number, sizeof number);
        used += (size_t)snprintf(head + used, sizeof head - used, "%s %s\n", lines[i].word, number);
    }
    used += (size_t)snprintf(head + used, sizeof head - used, "\n");
    size_t size = 0;
    char* text = sis_live_save(p->live, &size);
    bool fine = text && write_all(stream, head, used) && write_all(stream, text, size);
    free(text);
    return fine;
}

// ---------------------------------------------------------------------------- restore

/** All of a stream and a NUL; NULL: it cannot be read. */
static char* read_all(const clap_istream_t* stream, size_t* size) {
    size_t room = 1 << 16;
    char* text = malloc(room);
    *size = 0;
    while (text) {
        int64_t got = stream->read(stream, text + *size, room - *size - 1);
        if (got == 0) break;
        bool sane = got > 0 && (uint64_t)got < room - *size;
        if (sane) *size += (size_t)got;
        char* more = text;
        if (sane && *size + 1 == room) more = room < STATE_MOST ? realloc(text, room *= 2) : NULL;
        if (!sane || !more) {
            free(text);
            return NULL;
        }
        text = more;
    }
    if (text) text[*size] = 0;
    return text;
}

/** The plugin's own lines: `own` are their values, NaN where there is none. Where the rest begins;
 * NULL: a newer format, or none. */
static const char* read_head(clap_player* p, const char* text, double own[LINES]) {
    for (int i = 0; i < LINES; i++)
        own[i] = NAN;
    if (strncmp(text, HEAD, strlen(HEAD)) != 0) return text;
    double format = 0;
    const char* at = clap_text_number(text + strlen(HEAD), &format);
    if (!at || format < 1 || format > STATE_FORMAT) {
        clap_player_log(p, CLAP_LOG_ERROR,
                        "this state was saved by a newer version of Sistrum, or is damaged");
        return NULL;
    }
    for (at = strchr(at, '\n'); at && at[1] && at[1] != '\n'; at = strchr(at + 1, '\n'))
        for (int i = 0; i < LINES; i++) {
            size_t length = strlen(lines[i].word);
            if (!strncmp(at + 1, lines[i].word, length) && at[1 + length] == ' ')
                clap_text_number(at + 1 + length, &own[i]);
        }
    if (at && at[1] == '\n') return at + 2;
    clap_player_log(p, CLAP_LOG_ERROR, "this state is damaged: it ends before the scene");
    return NULL;
}

static void take_own(clap_player* p, const double own[LINES]) {
    for (int i = 0; i < LINES; i++) {
        clap_param* param = of_kind(p, lines[i].kind);
        if (!param) continue;
        double value = isnan(own[i]) ? param->fallback : own[i];
        if (value < param->min) value = param->min;
        if (value > param->max) value = param->max;
        atomic_store(&param->value, value);
        if (param->kind != PARAM_PRESET) clap_param_apply(p, param, value);
    }
    clap_player_catch_up(p);
}

/** Values that the host sent meanwhile. */
static void apply_moved(clap_player* p) {
    for (int32_t i = 0; i < p->param_count; i++) {
        clap_param* param = &p->params[i];
        int32_t index = atomic_load(&param->index);
        if (atomic_exchange(&param->moved, false) && index >= 0)
            sis_live_knob_set(p->live, index, atomic_load(&param->value));
    }
}

void clap_player_scene_changed(clap_player* p) {
    bool fits = clap_params_fit(p) && p->sound_inputs == sis_live_sound_inputs(p->live) &&
                p->takes_notes == sis_live_takes_notes(p->live) &&
                p->latency == (uint32_t)sis_live_latency(p->live);
    clap_params_follow(p);
    bool may_read = !fits && !p->active;
    if (may_read && clap_params_read(p)) {
        clap_ports_read(p);
        if (p->host_audio_ports && p->host_audio_ports->rescan)
            p->host_audio_ports->rescan(p->host, CLAP_AUDIO_PORTS_RESCAN_LIST);
        if (p->host_note_ports && p->host_note_ports->rescan)
            p->host_note_ports->rescan(p->host, CLAP_NOTE_PORTS_RESCAN_ALL);
        if (p->host_latency && p->host_latency->changed) p->host_latency->changed(p->host);
        if (p->host_voices && p->host_voices->changed) p->host_voices->changed(p->host);
    }
    p->is_stale = !fits && p->active;
    if (p->is_stale && p->host->request_restart) p->host->request_restart(p->host);
    uint32_t flags = CLAP_PARAM_RESCAN_VALUES | CLAP_PARAM_RESCAN_TEXT;
    if (may_read) flags |= CLAP_PARAM_RESCAN_INFO | CLAP_PARAM_RESCAN_ALL;
    if (p->host_params && p->host_params->rescan) p->host_params->rescan(p->host, flags);
}

static bool CLAP_ABI load(const clap_plugin_t* plugin, const clap_istream_t* stream) {
    clap_player* p = clap_player_of(plugin);
    if (!p->live || !stream || !stream->read) return false;
    size_t size = 0;
    char* text = read_all(stream, &size);
    double own[LINES];
    const char* rest = text ? read_head(p, text, own) : NULL;
    sis_live_error error = {.text = ""};
    atomic_store(&p->exchanging, true);
    bool fine = rest && sis_live_restore(p->live, rest, size - (size_t)(rest - text), &error);
    if (fine) clap_params_follow(p);
    atomic_store(&p->exchanging, false);
    apply_moved(p);
    if (*error.text) clap_player_log(p, CLAP_LOG_ERROR, error.text);
    free(text);
    if (!fine) return false;
    clap_player_scene_changed(p);
    take_own(p, own);
    return true;
}

const clap_plugin_state_t clap_state_extension = {save, load};

// ---------------------------------------------------------------------------- presets

void clap_preset_take(clap_player* p, int32_t preset) {
    if (preset < 1 || !sis_live_preset_take(p->live, preset - 1)) return;
    clap_params_follow(p);
    if (p->host_params && p->host_params->rescan)
        p->host_params->rescan(p->host, CLAP_PARAM_RESCAN_VALUES | CLAP_PARAM_RESCAN_TEXT);
}
