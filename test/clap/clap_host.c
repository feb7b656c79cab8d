#include "clap_host.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define dlopen(path, how)    ((void*)LoadLibraryA(path))
#define dlsym(library, name) ((const void*)(uintptr_t)GetProcAddress((HMODULE)(library), name))
#define dlclose(library)     FreeLibrary((HMODULE)(library))
#define dlerror()            "the plugin could not be loaded"
#else
#include <dlfcn.h>
#endif

// ---------------------------------------------------------------------------- the file

bool clap_file_open(clap_file* file, const char* path) {
    *file = (clap_file){.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!file->library) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    file->entry = dlsym(file->library, "clap_entry");
    if (!file->entry || !clap_version_is_compatible(file->entry->clap_version) ||
        !file->entry->init(path)) {
        fprintf(stderr, "%s: no clap_entry, or it does not begin\n", path);
        return false;
    }
    file->factory = file->entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
    return file->factory != NULL;
}

void clap_file_close(clap_file* file) {
    if (file->entry) file->entry->deinit();
    if (file->library) dlclose(file->library);
    *file = (clap_file){0};
}

// ---------------------------------------------------------------------------- what a plugin may ask

static clap_host_rack* rack_of(const clap_host_t* host) {
    return host->host_data;
}

static void rescan_params(const clap_host_t* host, clap_param_rescan_flags flags) {
    rack_of(host)->rescan_flags |= flags;
    rack_of(host)->rescans++;
}
static void clear_param(const clap_host_t* host, clap_id id, clap_param_clear_flags flags) {
    (void)host, (void)id, (void)flags;
}
static void do_nothing(const clap_host_t* host) {
    (void)host;
}
static void rescan_ports(const clap_host_t* host, uint32_t flags) {
    (void)flags;
    rack_of(host)->rescans++;
}
static bool yes(const clap_host_t* host, uint32_t flag) {
    (void)host, (void)flag;
    return true;
}
static uint32_t dialects(const clap_host_t* host) {
    (void)host;
    return CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI | CLAP_NOTE_DIALECT_MIDI_MPE;
}
static void log_text(const clap_host_t* host, clap_log_severity severity, const char* text) {
    (void)severity;
    clap_host_rack* rack = rack_of(host);
    snprintf(rack->log, sizeof rack->log, "%s", text);
    rack->logs++;
}

static const void* extension(const clap_host_t* host, const char* id) {
    (void)host;
    static const clap_host_params_t params = {rescan_params, clear_param, do_nothing};
    static const clap_host_latency_t latency = {do_nothing};
    static const clap_host_audio_ports_t audio = {yes, rescan_ports};
    static const clap_host_note_ports_t notes = {dialects, rescan_ports};
    static const clap_host_voice_info_t voices = {do_nothing};
    static const clap_host_log_t log = {log_text};
    const struct {
        const char* id;
        const void* extension;
    } all[] = {{CLAP_EXT_PARAMS, &params},     {CLAP_EXT_LATENCY, &latency},
               {CLAP_EXT_AUDIO_PORTS, &audio}, {CLAP_EXT_NOTE_PORTS, &notes},
               {CLAP_EXT_VOICE_INFO, &voices}, {CLAP_EXT_LOG, &log}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(id, all[i].id)) return all[i].extension;
    return NULL;
}

static void request_restart(const clap_host_t* host) {
    rack_of(host)->restarts++;
}
static void request_callback(const clap_host_t* host) {
    rack_of(host)->callbacks++;
}

// ---------------------------------------------------------------------------- the rack

bool rack_open(clap_host_rack* rack, const clap_file* file, const char* id) {
    memset(rack, 0, sizeof *rack);
    rack->host = (clap_host_t){
        .clap_version = CLAP_VERSION_INIT,
        .host_data = rack,
        .name = "Sistrum's test host",
        .vendor = "Sistrum",
        .url = "",
        .version = "1",
        .get_extension = extension,
        .request_restart = request_restart,
        .request_process = do_nothing,
        .request_callback = request_callback,
    };
    rack->plugin = file->factory->create_plugin(file->factory, &rack->host, id);
    if (!rack->plugin) return false;
    if (!rack->plugin->init(rack->plugin)) {
        fprintf(stderr, "%s: %s\n", id, rack->log);
        rack_close(rack);
        return false;
    }
    const clap_plugin_t* plugin = rack->plugin;
    rack->params = plugin->get_extension(plugin, CLAP_EXT_PARAMS);
    rack->state = plugin->get_extension(plugin, CLAP_EXT_STATE);
    rack->audio_ports = plugin->get_extension(plugin, CLAP_EXT_AUDIO_PORTS);
    rack->note_ports = plugin->get_extension(plugin, CLAP_EXT_NOTE_PORTS);
    rack->latency = plugin->get_extension(plugin, CLAP_EXT_LATENCY);
    rack->render = plugin->get_extension(plugin, CLAP_EXT_RENDER);
    rack->voices = plugin->get_extension(plugin, CLAP_EXT_VOICE_INFO);
    rack->tail = plugin->get_extension(plugin, CLAP_EXT_TAIL);
    return rack->params && rack->state && rack->audio_ports && rack->note_ports && rack->latency &&
           rack->render && rack->voices && rack->tail;
}

void rack_close(clap_host_rack* rack) {
    if (!rack->plugin) return;
    rack_deactivate(rack);
    rack->plugin->destroy(rack->plugin);
    rack->plugin = NULL;
}

bool rack_activate(clap_host_rack* rack, double rate, uint32_t frames_max) {
    rack_deactivate(rack);
    rack->active = rack->plugin->activate(rack->plugin, rate, 1, frames_max);
    if (rack->active) rack->active = rack->plugin->start_processing(rack->plugin);
    return rack->active;
}

void rack_deactivate(clap_host_rack* rack) {
    if (!rack->active) return;
    rack->plugin->stop_processing(rack->plugin);
    rack->plugin->deactivate(rack->plugin);
    rack->active = false;
}

// ---------------------------------------------------------------------------- events

host_event* rack_add(clap_host_rack* rack, uint16_t type, size_t size, uint32_t time) {
    static host_event lost;
    host_event* event =
        rack->event_count < HOST_EVENTS ? &rack->events[rack->event_count++] : &lost;
    memset(event, 0, sizeof *event);
    event->header = (clap_event_header_t){(uint32_t)size, time, CLAP_CORE_EVENT_SPACE_ID, type, 0};
    return event;
}

void rack_note(clap_host_rack* rack, uint32_t time, int key, double velocity) {
    uint16_t type = velocity > 0 ? CLAP_EVENT_NOTE_ON : CLAP_EVENT_NOTE_OFF;
    clap_event_note_t* note = &rack_add(rack, type, sizeof *note, time)->note;
    note->note_id = -1;
    note->key = (int16_t)key;
    note->velocity = velocity;
}

void rack_midi(clap_host_rack* rack, uint32_t time, int a, int b, int c) {
    clap_event_midi_t* midi = &rack_add(rack, CLAP_EVENT_MIDI, sizeof *midi, time)->midi;
    midi->data[0] = (uint8_t)a;
    midi->data[1] = (uint8_t)b;
    midi->data[2] = (uint8_t)c;
}

void rack_param(clap_host_rack* rack, uint32_t time, const clap_param_info_t* info, double value) {
    clap_event_param_value_t* p = &rack_add(rack, CLAP_EVENT_PARAM_VALUE, sizeof *p, time)->param;
    p->param_id = info->id;
    p->cookie = info->cookie;
    p->note_id = p->port_index = p->channel = p->key = -1;
    p->value = value;
}

static uint32_t list_size(const clap_input_events_t* list) {
    return ((const clap_host_rack*)list->ctx)->event_count;
}
static const clap_event_header_t* list_get(const clap_input_events_t* list, uint32_t i) {
    return &((const clap_host_rack*)list->ctx)->events[i].header;
}
static bool list_push(const clap_output_events_t* list, const clap_event_header_t* event) {
    clap_host_rack* rack = list->ctx;
    if (event->type == CLAP_EVENT_NOTE_END) rack->note_ends++;
    if (event->type != CLAP_EVENT_PARAM_VALUE) return true;
    memcpy(&rack->told, event, sizeof rack->told);
    rack->values_told++;
    return true;
}

void rack_process(clap_host_rack* rack, uint32_t frames) {
    float *out[2] = {rack->out[0], rack->out[1]}, *in[2] = {rack->in[0], rack->in[1]};
    clap_audio_buffer_t outs = {.data32 = out, .channel_count = 2};
    clap_audio_buffer_t ins = {.data32 = in, .channel_count = 2};
    clap_input_events_t in_events = {rack, list_size, list_get};
    clap_output_events_t out_events = {rack, list_push};
    bool has_input = rack->audio_ports->count(rack->plugin, true) > 0;
    clap_process_t process = {
        .steady_time = -1,
        .frames_count = frames,
        .audio_inputs = &ins,
        .audio_outputs = &outs,
        .audio_inputs_count = has_input ? 1 : 0,
        .audio_outputs_count = 1,
        .in_events = &in_events,
        .out_events = &out_events,
    };
    rack->status = rack->plugin->process(rack->plugin, &process);
    rack->event_count = 0;
}

void rack_flush(clap_host_rack* rack) {
    clap_input_events_t in_events = {rack, list_size, list_get};
    clap_output_events_t out_events = {rack, list_push};
    rack->params->flush(rack->plugin, &in_events, &out_events);
    rack->event_count = 0;
}

bool rack_find(clap_host_rack* rack, const char* name, clap_param_info_t* info) {
    uint32_t count = rack->params->count(rack->plugin);
    for (uint32_t i = 0; i < count; i++)
        if (rack->params->get_info(rack->plugin, i, info) && !strcmp(info->name, name)) return true;
    return false;
}

bool rack_make_plain(clap_host_rack* rack) {
    static const char* const names[] = {"Limiter", "DC blocker", "Normalise"};
    bool fine = rack->render->set(rack->plugin, CLAP_RENDER_OFFLINE);
    for (int i = 0; i < 3; i++) {
        clap_param_info_t info;
        fine = rack_find(rack, names[i], &info) && fine;
        rack_param(rack, 0, &info, 0);
    }
    rack_flush(rack);
    return fine;
}

// ---------------------------------------------------------------------------- states

static int64_t text_write(const clap_ostream_t* stream, const void* bytes, uint64_t size) {
    host_text* text = stream->ctx;
    if (text->step && size > text->step) size = text->step;
    while (text->size + size + 1 > text->room) {
        text->room = text->room ? 2 * text->room : 4096;
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes) abort();
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
    return (int64_t)size;
}

static int64_t text_read(const clap_istream_t* stream, void* bytes, uint64_t size) {
    host_text* text = stream->ctx;
    if (text->step && size > text->step) size = text->step;
    if (size > text->size - text->at) size = text->size - text->at;
    if (size) memcpy(bytes, text->bytes + text->at, size);
    text->at += size;
    return (int64_t)size;
}

bool rack_save(clap_host_rack* rack, host_text* text) {
    text->size = 0;
    clap_ostream_t stream = {text, text_write};
    return rack->state->save(rack->plugin, &stream);
}

bool rack_load(clap_host_rack* rack, host_text* text) {
    text->at = 0;
    clap_istream_t stream = {text, text_read};
    return rack->state->load(rack->plugin, &stream);
}

void host_text_free(host_text* text) {
    free(text->bytes);
    *text = (host_text){0};
}

uint64_t host_hash(uint64_t hash, const void* bytes, size_t size) {
    const unsigned char* at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}
