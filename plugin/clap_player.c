#include "clap_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void clap_player_log(const clap_player* p, int32_t severity, const char* text) {
    if (p->host_log && p->host_log->log) p->host_log->log(p->host, severity, text);
}

void clap_player_tell_trouble(clap_player* p) {
    char text[1024] = "";
    uint32_t troubles = sis_live_trouble(p->live, text, sizeof text);
    if (troubles != p->troubles && *text) clap_player_log(p, CLAP_LOG_WARNING, text);
    p->troubles = troubles;
}

void clap_player_catch_up(clap_player* p) {
    int32_t preset = atomic_exchange(&p->preset_wanted, 0);
    int32_t normalise = atomic_exchange(&p->normalise_wanted, 0);
    if (preset) clap_preset_take(p, preset);
    if (normalise) sis_live_set_peak(p->live, normalise == 2 ? 0 : 1);
    // No block comes while it is inactive: what was compiled is handed over here.
    if (!p->active) sis_live_run(p->live, &(sis_live_block){.frames = 0});
}

void clap_player_ask_main(const clap_player* p) {
    bool wanted = atomic_load(&p->preset_wanted) || atomic_load(&p->normalise_wanted);
    if (wanted && p->host->request_callback) p->host->request_callback(p->host);
}

// ---------------------------------------------------------------------------- life

static const void* ask(const clap_player* p, const char* id) {
    return p->host->get_extension ? p->host->get_extension(p->host, id) : NULL;
}

static void meet_host(clap_player* p) {
    p->host_params = ask(p, CLAP_EXT_PARAMS);
    p->host_latency = ask(p, CLAP_EXT_LATENCY);
    p->host_audio_ports = ask(p, CLAP_EXT_AUDIO_PORTS);
    p->host_note_ports = ask(p, CLAP_EXT_NOTE_PORTS);
    p->host_threads = ask(p, CLAP_EXT_THREAD_CHECK);
    p->host_timer = ask(p, CLAP_EXT_TIMER_SUPPORT);
    p->host_voices = ask(p, CLAP_EXT_VOICE_INFO);
    p->host_log = ask(p, CLAP_EXT_LOG);
    if (p->host_timer && p->host_timer->register_timer)
        p->has_timer = p->host_timer->register_timer(p->host, 500, &p->timer);
}

static bool CLAP_ABI init(const clap_plugin_t* plugin) {
    clap_player* p = clap_player_of(plugin);
    if (p->live) return true;
    meet_host(p);
    sis_live_options options = sis_live_options_default();
    sis_live_error error = {.text = ""};
    p->rate = options.rate;
    p->frames_max = (uint32_t)options.frames_max;
    p->live = sis_live_new(&options, &error);
    bool fine = p->live && sis_live_load(p->live, p->scene->text, p->scene->size, p->scene->file,
                                         NULL, 0, &error);
    if (!fine) clap_player_log(p, CLAP_LOG_ERROR, error.text);
    if (fine) fine = clap_params_read(p);
    if (fine) clap_ports_read(p);
    return fine;
}

static void CLAP_ABI destroy(const clap_plugin_t* plugin) {
    clap_player* p = clap_player_of(plugin);
    if (p->has_timer && p->host_timer->unregister_timer)
        p->host_timer->unregister_timer(p->host, p->timer);
    sis_live_free(p->live);
    clap_params_free(p);
    free(p);
}

static bool CLAP_ABI activate(const clap_plugin_t* plugin, double rate, uint32_t frames_min,
                              uint32_t frames_max) {
    (void)frames_min;
    clap_player* p = clap_player_of(plugin);
    if (!p->live || p->active) return false;
    if (frames_max < 1) frames_max = 1;
    if (frames_max > FRAMES_MOST) frames_max = FRAMES_MOST;
    sis_live_error error = {.text = ""};
    if (rate != p->rate || frames_max != p->frames_max) {
        if (!sis_live_set_rate(p->live, rate, (int32_t)frames_max, &error)) {
            clap_player_log(p, CLAP_LOG_ERROR, error.text);
            return false;
        }
        p->rate = rate;
        p->frames_max = frames_max;
        clap_ports_read(p);
    }
    p->active = true;
    return true;
}

static void CLAP_ABI deactivate(const clap_plugin_t* plugin) {
    clap_player* p = clap_player_of(plugin);
    if (!p->live) return;
    p->active = false;
    if (p->is_stale) clap_player_scene_changed(p);
    clap_player_tell_trouble(p);
}

static bool CLAP_ABI start_processing(const clap_plugin_t* plugin) {
    return clap_player_of(plugin)->active;
}

static void CLAP_ABI stop_processing(const clap_plugin_t* plugin) {
    (void)plugin;
}

static void CLAP_ABI reset(const clap_plugin_t* plugin) {
    clap_player* p = clap_player_of(plugin);
    p->note_count = 0;
    for (int32_t i = 0; i < p->param_count; i++)
        p->params[i].offset = 0;
    if (p->live) sis_live_panic(p->live);
}

static void CLAP_ABI on_main_thread(const clap_plugin_t* plugin) {
    clap_player* p = clap_player_of(plugin);
    if (!p->live) return;
    clap_player_catch_up(p);
    clap_player_tell_trouble(p);
}

// ---------------------------------------------------------------------------- extensions

static void CLAP_ABI on_timer(const clap_plugin_t* plugin, clap_id timer) {
    (void)timer;
    on_main_thread(plugin);
}

static const clap_plugin_timer_support_t timer_extension = {on_timer};

static const void* CLAP_ABI get_extension(const clap_plugin_t* plugin, const char* id) {
    (void)plugin;
    const struct {
        const char* id;
        const void* extension;
    } all[] = {
        {CLAP_EXT_PARAMS, &clap_params_extension},
        {CLAP_EXT_STATE, &clap_state_extension},
        {CLAP_EXT_AUDIO_PORTS, &clap_audio_ports_extension},
        {CLAP_EXT_NOTE_PORTS, &clap_note_ports_extension},
        {CLAP_EXT_LATENCY, &clap_latency_extension},
        {CLAP_EXT_TAIL, &clap_tail_extension},
        {CLAP_EXT_RENDER, &clap_render_extension},
        {CLAP_EXT_VOICE_INFO, &clap_voice_info_extension},
        {CLAP_EXT_TIMER_SUPPORT, &timer_extension},
    };
    for (size_t i = 0; id && i < sizeof all / sizeof *all; i++)
        if (!strcmp(id, all[i].id)) return all[i].extension;
    return NULL;
}

const clap_plugin_t* clap_player_new(const clap_host_t* host, const clap_scene* scene) {
    clap_player* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->host = host;
    p->scene = scene;
    p->plugin = (clap_plugin_t){
        .desc = &scene->descriptor,
        .plugin_data = p,
        .init = init,
        .destroy = destroy,
        .activate = activate,
        .deactivate = deactivate,
        .start_processing = start_processing,
        .stop_processing = stop_processing,
        .reset = reset,
        .process = clap_player_process,
        .get_extension = get_extension,
        .on_main_thread = on_main_thread,
    };
    return &p->plugin;
}
