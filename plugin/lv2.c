// The LV2 plugin: one binary, which is copied into every bundle and plays the scene beside it.

#include "lv2_plugin.h"

#include <dlfcn.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FADE_SECONDS 0.01 // more than all sound off takes

// ---------------------------------------------------------------------------- the start

static void find_words(words* w, const LV2_URID_Map* map) {
    const struct {
        LV2_URID* to;
        const char* uri;
    } all[] = {{&w->sequence, LV2_ATOM__Sequence},
               {&w->frames, LV2_ATOM__frameTime},
               {&w->beats, LV2_ATOM__beatTime},
               {&w->string, LV2_ATOM__String},
               {&w->object, LV2_ATOM__Object},
               {&w->blank, LV2_ATOM__Blank},
               {&w->number_float, LV2_ATOM__Float},
               {&w->number_double, LV2_ATOM__Double},
               {&w->number_int, LV2_ATOM__Int},
               {&w->number_long, LV2_ATOM__Long},
               {&w->number_bool, LV2_ATOM__Bool},
               {&w->urid, LV2_ATOM__URID},
               {&w->midi, LV2_MIDI__MidiEvent},
               {&w->set, LV2_PATCH__Set},
               {&w->get, LV2_PATCH__Get},
               {&w->property, LV2_PATCH__property},
               {&w->value, LV2_PATCH__value},
               {&w->log_error, LV2_LOG__Error},
               {&w->state, URI_STATE},
               {&w->ports, URI_PORTS},
               {&w->raw, URI_RAW},
               {&w->block_length, LV2_BUF_SIZE__maxBlockLength}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i].to = map->map(map->handle, all[i].uri);
}

static void* find_feature(const LV2_Feature* const* features, const char* uri) {
    for (; features && *features; features++)
        if (!strcmp((*features)->URI, uri)) return (*features)->data;
    return NULL;
}

void plugin_say(const plugin* p, const char* sentence) {
    if (p->log.printf)
        p->log.printf(p->log.handle, p->words.log_error, "sistrum: %s\n", sentence);
    else
        fprintf(stderr, "sistrum: %s\n", sentence);
}

/** What the host says of its blocks, and whether it wants the probes as they are. */
static void read_options(plugin* p, const LV2_Options_Option* o, sis_live_options* options) {
    for (; o && (o->key || o->value); o++) {
        int32_t value = 0;
        if (!o->value || o->size != sizeof value) continue;
        memcpy(&value, o->value, sizeof value);
        if (o->key == p->words.block_length && o->type == p->words.number_int && value > 0)
            options->frames_max = value < 65536 ? value : 65536;
        if (o->key == p->words.raw && o->type == p->words.number_bool) p->raw = value != 0;
    }
    if (p->raw) {
        options->peak = 1;
        options->guard = options->limiter = options->dc_blocker = false;
    }
}

static bool make_ports(plugin* p, LV2_URID_Map* map) {
    const bundle* b = &p->bundle;
    p->knobs = calloc((size_t)b->knob_count + 1, sizeof *p->knobs);
    for (int32_t i = 0; i < b->sound; i++)
        p->pieces[i] = calloc(PIECE, sizeof **p->pieces);
    if (!p->knobs || (b->sound > 0 && !p->pieces[0]) || (b->sound > 1 && !p->pieces[1]))
        return false;
    for (int32_t i = 0; i < b->knob_count; i++) {
        char uri[512];
        snprintf(uri, sizeof uri, "%s#%s", b->uri, b->knobs[i].symbol);
        p->knobs[i].property = map->map(map->handle, uri);
    }
    return true;
}

void plugin_find_knobs(plugin* p) {
    p->latency = sis_live_latency(p->live);
    for (int32_t i = 0; i < p->bundle.knob_count; i++) {
        knob_port* port = &p->knobs[i];
        port->knob = sis_live_knob_find(p->live, p->bundle.knobs[i].name);
        if (port->knob < 0) continue;
        sis_live_knob knob = sis_live_knob_at(p->live, port->knob);
        port->values[0] = knob.fallback;
        port->values[1] = knob.min;
        port->values[2] = knob.max;
        port->trigger = knob.trigger;
        port->value = knob.trigger ? 0 : knob.value;
        port->seen = (float)port->value;
    }
}

static void cleanup(LV2_Handle handle) {
    plugin* p = handle;
    if (!p) return;
    sis_live_free(p->live);
    bundle_free(&p->bundle);
    free(p->knobs);
    free(p->pieces[0]);
    free(p->pieces[1]);
    free(p);
}

/** False: `why` is a sentence. */
static bool start(plugin* p, double rate, const char* folder, LV2_URID_Map* map,
                  const LV2_Options_Option* given, sis_live_error* why) {
    if (!bundle_read(&p->bundle, folder, true, why->text, sizeof why->text)) return false;
    if (!make_ports(p, map)) {
        snprintf(why->text, sizeof why->text, "out of memory");
        return false;
    }
    sis_live_options options = sis_live_options_default();
    options.rate = rate;
    options.frames_max = 8192;
    options.worker = true;
    options.peak = p->bundle.peak > 0 ? p->bundle.peak : 1;
    read_options(p, given, &options);
    p->guard = options.guard, p->limiter = options.limiter, p->dc = options.dc_blocker;
    const bundle* b = &p->bundle;
    p->rate = rate;
    p->live = sis_live_new(&options, why);
    if (!p->live || !sis_live_load(p->live, b->scene, b->scene_size, b->name, NULL, 0, why))
        return false;
    plugin_find_knobs(p);
    return true;
}

static LV2_Handle instantiate(const LV2_Descriptor* descriptor, double rate, const char* folder,
                              const LV2_Feature* const* features) {
    (void)descriptor;
    LV2_URID_Map* map = find_feature(features, LV2_URID__map);
    plugin* p = calloc(1, sizeof *p);
    sis_live_error why = {.text = "out of memory"};
    if (!p || !map || !folder) {
        if (p) plugin_say(p, "the host has no urid:map, which the plugin needs");
        free(p);
        return NULL;
    }
    find_words(&p->words, map);
    const LV2_Log_Log* log = find_feature(features, LV2_LOG__log);
    if (log) p->log = *log;
    lv2_atom_forge_init(&p->forge, map);
    if (start(p, rate, folder, map, find_feature(features, LV2_OPTIONS__options), &why)) return p;
    plugin_say(p, why.text);
    cleanup(p);
    return NULL;
}

static void connect_port(LV2_Handle handle, uint32_t port, void* data) {
    plugin* p = handle;
    if (port < PORT_FIXED) {
        p->fixed[port] = data;
        return;
    }
    uint32_t sound = (uint32_t)p->bundle.sound, knobs = (uint32_t)p->bundle.knob_count;
    port -= PORT_FIXED;
    if (port < sound)
        p->sound[port] = data;
    else if (port - sound < knobs)
        p->knobs[port - sound].at = data;
}

/** LV2: a plugin that is activated sounds as a new one; what was played before is gone. It fades here,
 * where nobody hears it: the host does not run the plugin meanwhile. */
static void activate(LV2_Handle handle) {
    plugin* p = handle;
    sis_live_panic(p->live);
    int32_t fade = (int32_t)(FADE_SECONDS * p->rate) + p->latency;
    if (p->has_run) sis_live_run(p->live, &(sis_live_block){.frames = fade});
    p->has_run = false;
}

static const void* extension_data(const char* uri) {
    return !strcmp(uri, LV2_STATE__interface) ? state_extension() : NULL;
}

// ---------------------------------------------------------------------------- the way in

// A library has no place for its name but a global one: it is found once, from where the binary is.
static pthread_once_t found_once = PTHREAD_ONCE_INIT;
static char found_uri[1024];
static LV2_Descriptor found;

static void find_itself(void) {
    Dl_info info;
    char folder[4096], why[256];
    if (!dladdr((void*)&found, &info) || !info.dli_fname) return;
    int size = snprintf(folder, sizeof folder, "%s", info.dli_fname);
    if (size < 0 || (size_t)size >= sizeof folder) return;
    char* slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    else
        snprintf(folder, sizeof folder, ".");
    bundle b;
    if (bundle_read(&b, folder, false, why, sizeof why) && strlen(b.uri) < sizeof found_uri) {
        snprintf(found_uri, sizeof found_uri, "%s", b.uri);
        found = (LV2_Descriptor){.URI = found_uri,
                                 .instantiate = instantiate,
                                 .connect_port = connect_port,
                                 .activate = activate,
                                 .run = plugin_run,
                                 .cleanup = cleanup,
                                 .extension_data = extension_data};
    }
    bundle_free(&b);
}

LV2_SYMBOL_EXPORT const LV2_Descriptor* lv2_descriptor(uint32_t index) {
    pthread_once(&found_once, find_itself);
    return index == 0 && found.URI ? &found : NULL;
}
