// A host by lilv, which is what Ardour, Qtractor and jalv load plugins with.
//
//   lv2_host song FILE.mid        writes the song that it plays
//   lv2_host noise FILE.wav       writes what it plays into effects
//   lv2_host check URI [WAV]      plays a plugin of LV2_PATH in every way; WAV: the same song by
//                                 sistrum render --midi --normalise off --rate 48000 --bits 32f,
//                                 or the noise by --sound

#include "lv2_help.h"

#include <lilv/lilv.h>
#include <math.h>

static int failures;

__attribute__((format(printf, 2, 3))) static void expect(bool holds, const char* format, ...) {
    if (holds) return;
    va_list list;
    va_start(list, format);
    fputs("  FAILED ", stdout);
    vprintf(format, list);
    fputs("\n", stdout);
    va_end(list);
    failures++;
}

// ---------------------------------------------------------------------------- the song as a file

static void put_whole(FILE* to, uint32_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--)
        fputc((int)(value >> (8 * i)) & 255, to);
}

static void put_delta(FILE* to, uint32_t ticks) {
    if (ticks >= 128) fputc((int)(0x80 | (ticks >> 7)), to);
    fputc((int)(ticks & 127), to);
}

/** 480 ticks in half a second: 50 frames of 48 kHz each. */
static int write_song(const char* path) {
    char* track = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&track, &size);
    if (!stream) return 1;
    int64_t before = 0;
    for (int i = 0; i < SONG_EVENTS; i++) {
        const song_event* e = &host_song[i];
        put_delta(stream, (uint32_t)((e->frame - before) / 50));
        before = e->frame;
        fwrite(e->bytes, 1, (e->bytes[0] & 0xe0) == 0xc0 ? 2 : 3, stream);
    }
    fwrite("\x00\xff\x2f\x00", 1, 4, stream);
    fclose(stream);
    FILE* to = fopen(path, "wb");
    if (!to) return 1;
    fwrite("MThd\0\0\0\6\0\0\0\1", 1, 12, to);
    put_whole(to, 480, 2);
    fwrite("MTrk", 1, 4, to);
    put_whole(to, (uint32_t)size, 4);
    fwrite(track, 1, size, to);
    free(track);
    return fclose(to) != 0;
}

// ---------------------------------------------------------------------------- a file of sound

static void put_little(FILE* to, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        fputc((int)(value >> (8 * i)) & 255, to);
}

/** Floats, two channels, 48 kHz. */
static int write_noise(const char* path) {
    FILE* to = fopen(path, "wb");
    if (!to) return 1;
    fwrite("RIFF", 1, 4, to);
    put_little(to, 36 + 8 * SONG_FRAMES, 4);
    fwrite("WAVEfmt ", 1, 8, to);
    put_little(to, 16, 4);
    put_little(to, 3 | 2 << 16, 4);
    put_little(to, 48000, 4);
    put_little(to, 48000 * 8, 4);
    put_little(to, 8 | 32 << 16, 4);
    fwrite("data", 1, 4, to);
    put_little(to, 8 * SONG_FRAMES, 4);
    for (uint32_t i = 0; i < 2 * SONG_FRAMES; i++) {
        float value = host_noise(i / 2);
        uint32_t bits = 0;
        memcpy(&bits, &value, sizeof bits);
        put_little(to, bits, 4);
    }
    return fclose(to) != 0;
}

static uint32_t whole_at(const uint8_t* at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/** Floats of a WAV of two channels; NULL: it is none. */
static float* read_wav(const char* path, size_t* frames) {
    FILE* from = fopen(path, "rb");
    uint8_t head[12], chunk[8];
    float* sound = NULL;
    if (!from) return NULL;
    if (fread(head, 1, 12, from) == 12 && !memcmp(head, "RIFF", 4))
        while (!sound && fread(chunk, 1, 8, from) == 8) {
            uint32_t size = whole_at(chunk + 4);
            if (!memcmp(chunk, "data", 4)) {
                sound = malloc(size + 8);
                *frames = sound ? fread(sound, 1, size, from) / 8 : 0;
            } else {
                fseek(from, (long)(size + (size & 1)), SEEK_CUR);
            }
        }
    fclose(from);
    return sound;
}

// ---------------------------------------------------------------------------- one plugin

typedef struct subject {
    LilvWorld* world;
    const LilvPlugin* plugin;
    uint32_t ports;
    float least[HOST_PORTS], most[HOST_PORTS], start[HOST_PORTS];
    bool control[HOST_PORTS], sound_in[HOST_PORTS];
    LilvInstance* instance;
    float latency;
} subject;

/** Makes it with lilv and connects its ports, controls at their defaults. */
static host* open_plugin(subject* s, double rate, uint32_t room, bool raw) {
    host* h = calloc(1, sizeof *h);
    if (!h) exit(1);
    host_prepare(h, (int32_t)room, raw);
    s->instance = lilv_plugin_instantiate(s->plugin, rate, h->features);
    if (!s->instance) {
        expect(false, "no instance at %g Hz: %s", rate, h->said);
        return NULL;
    }
    h->descriptor = lilv_instance_get_descriptor(s->instance);
    h->handle = lilv_instance_get_handle(s->instance);
    host_connect(h, s->ports, room);
    for (uint32_t i = PORT_GAIN; i < s->ports; i++)
        if (s->control[i]) h->controls[i] = s->start[i];
    for (uint32_t i = PORT_FIXED; i < s->ports; i++)
        if (s->sound_in[i]) {
            lilv_instance_connect_port(s->instance, i, h->in_place ? h->right : h->left);
            h->in_place = true;
        }
    h->controls[PORT_FREEWHEEL] = 1;
    return h;
}

static void close_plugin(subject* s, host* h) {
    lilv_instance_free(s->instance);
    s->instance = NULL;
    h->handle = NULL;
    host_free(h);
}

static float number(const LilvNode* node) {
    return lilv_node_is_float(node) || lilv_node_is_int(node) ? lilv_node_as_float(node) : NAN;
}

/** What lv2_validate does not look at: indices, kinds of numbers, ranges, symbols. */
static void read_ports(subject* s) {
    LilvNode* control = lilv_new_uri(s->world, LV2_CORE__ControlPort);
    LilvNode* sound = lilv_new_uri(s->world, LV2_CORE__AudioPort);
    LilvNode* input = lilv_new_uri(s->world, LV2_CORE__InputPort);
    s->ports = lilv_plugin_get_num_ports(s->plugin);
    expect(s->ports >= PORT_FIXED && s->ports <= HOST_PORTS, "%u ports", s->ports);
    for (uint32_t i = 0; i < s->ports && i < HOST_PORTS; i++) {
        const LilvPort* port = lilv_plugin_get_port_by_index(s->plugin, i);
        expect(port != NULL, "no port of index %u", i);
        if (!port) continue;
        const char* symbol = lilv_node_as_string(lilv_port_get_symbol(s->plugin, port));
        const LilvNode* again = lilv_port_get_symbol(s->plugin, port);
        expect(lilv_port_get_index(s->plugin, lilv_plugin_get_port_by_symbol(s->plugin, again)) ==
                   i,
               "symbol %s twice", symbol);
        bool is_input = lilv_port_is_a(s->plugin, port, input);
        s->control[i] = is_input && lilv_port_is_a(s->plugin, port, control);
        s->sound_in[i] = is_input && lilv_port_is_a(s->plugin, port, sound);
        if (!s->control[i]) continue;
        LilvNode *start = NULL, *least = NULL, *most = NULL;
        lilv_port_get_range(s->plugin, port, &start, &least, &most);
        s->start[i] = number(start), s->least[i] = number(least), s->most[i] = number(most);
        expect(s->least[i] < s->most[i] && s->start[i] >= s->least[i] && s->start[i] <= s->most[i],
               "port %s: %g from %g to %g", symbol, (double)s->start[i], (double)s->least[i],
               (double)s->most[i]);
        lilv_node_free(start);
        lilv_node_free(least);
        lilv_node_free(most);
    }
    lilv_node_free(control);
    lilv_node_free(sound);
    lilv_node_free(input);
}

static float* song_of(subject* s, uint32_t cut, bool raw) {
    float* sound = calloc(2 * SONG_FRAMES, sizeof *sound);
    host* h = open_plugin(s, 48000, 4096, raw);
    if (!h || !sound) {
        free(sound);
        return NULL;
    }
    lilv_instance_activate(s->instance);
    host_play(h, sound, cut, 5);
    lilv_instance_deactivate(s->instance);
    s->latency = h->controls[PORT_LATENCY];
    close_plugin(s, h);
    return sound;
}

static bool is_finite(const float* sound, size_t count, double limit) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)sound[i]) <= limit)) return false;
    return true;
}

static double loudest(const float* sound, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)sound[i]));
    return most;
}

// ---------------------------------------------------------------------------- what must hold

static void same_in_any_blocks(subject* s, const char* wav) {
    float* first = song_of(s, 256, true);
    static const uint32_t cuts[] = {37, 4096, 0};
    if (!first) return;
    for (int i = 0; i < 3; i++) {
        float* other = song_of(s, cuts[i], true);
        expect(other && !memcmp(first, other, 2 * SONG_FRAMES * sizeof *first),
               "blocks of %u differ from blocks of 256", cuts[i]);
        free(other);
    }
    size_t frames = 0;
    float* offline = wav ? read_wav(wav, &frames) : NULL;
    if (wav) expect(offline != NULL, "cannot read %s", wav);
    if (offline) {
        size_t common = frames < SONG_FRAMES ? frames : SONG_FRAMES, at = 0;
        // Oversampled scenes are late by the filter, which a file leaves out.
        const size_t late = (size_t)s->latency;
        if (common > SONG_FRAMES - late) common = SONG_FRAMES - late;
        while (at < 2 * common && first[at + 2 * late] == offline[at])
            at++;
        expect(common > 20000, "%s has only %zu frames", wav, frames);
        expect(at == 2 * common, "differs from offline at frame %zu: %.9g, %.9g", at / 2,
               (double)first[at + 2 * late], (double)offline[at]);
    }
    printf("  loudest %.3g%s", loudest(first, 2 * SONG_FRAMES),
           offline ? ", compared with offline" : "");
    free(offline);
    free(first);
}

static void normal_sound(subject* s, bool notes) {
    float* sound = song_of(s, 256, false);
    if (!sound) return;
    double most = loudest(sound, 2 * SONG_FRAMES);
    expect(is_finite(sound, 2 * SONG_FRAMES, 1.0), "beyond full scale");
    if (notes) expect(most > 0.01, "too soft: %g", most);
    printf(", normalised %.3g\n", most);
    free(sound);
}

/** Every port at both ends while it plays, and NaN. */
static void both_ends(subject* s) {
    host* h = open_plugin(s, 48000, 512, false);
    if (!h) return;
    lilv_instance_activate(s->instance);
    for (uint32_t i = PORT_GAIN; i < s->ports; i++) {
        if (!s->control[i]) continue;
        const float values[] = {s->least[i], s->most[i], NAN, s->start[i]};
        for (int v = 0; v < 4; v++) {
            h->controls[i] = values[v];
            for (int block = 0; block < 6; block++) {
                host_clear(h);
                host_midi(h, 5, block % 3 == 2 ? 0x80 : 0x90, 48 + (int)i, 100);
                memset(h->left, 0, 512 * sizeof *h->left); // no feedback
                host_run(h, 512);
                expect(is_finite(h->left, 512, 1e3) && is_finite(h->right, 512, 1e3),
                       "port %u at %g: no finite sound", i, (double)values[v]);
            }
        }
        h->controls[PORT_FREEWHEEL] = 1;
    }
    lilv_instance_deactivate(s->instance);
    close_plugin(s, h);
}

static const void* get_value(const char* symbol, void* data, uint32_t* size, uint32_t* type) {
    void** both = data;
    const subject* s = both[0];
    host* h = both[1];
    LilvNode* node = lilv_new_string(s->world, symbol);
    const LilvPort* port = lilv_plugin_get_port_by_symbol(s->plugin, node);
    lilv_node_free(node);
    *size = sizeof(float);
    *type = host_map(h, LV2_ATOM__Float);
    return port ? &h->controls[lilv_port_get_index(s->plugin, port)] : NULL;
}

/** A number of any kind of atom; NaN: it is none. */
static float read_number(host* h, const void* value, uint32_t size, uint32_t type) {
    float single = NAN;
    double twice = NAN;
    int32_t whole = 0;
    if (type == host_map(h, LV2_ATOM__Float) && size == sizeof single)
        memcpy(&single, value, sizeof single);
    if (type == host_map(h, LV2_ATOM__Double) && size == sizeof twice) {
        memcpy(&twice, value, sizeof twice);
        single = (float)twice;
    }
    if (type == host_map(h, LV2_ATOM__Int) && size == sizeof whole) {
        memcpy(&whole, value, sizeof whole);
        single = (float)whole;
    }
    return single;
}

static void set_value(const char* symbol, void* data, const void* value, uint32_t size,
                      uint32_t type) {
    uint32_t n = 0, t = 0;
    const subject* s = ((void**)data)[0];
    host* h = ((void**)data)[1];
    const float *at = get_value(symbol, data, &n, &t), to = read_number(h, value, size, type);
    ptrdiff_t i = at ? at - h->controls : 0;
    expect(at && to >= s->least[i] && to <= s->most[i], "a state sets port '%s' to %g", symbol,
           (double)to);
    if (at) h->controls[i] = to;
}

/** Whether two states hold the same of what the plugin itself saves; ports may lose a digit. */
static bool same_saved(const char* a, const char* b) {
    a = strstr(a, "sistrum-live ");
    b = strstr(b, "sistrum-live ");
    const char* end = a ? strstr(a, "\"\"\"") : NULL;
    return a && b && end && !strncmp(a, b, (size_t)(end - a));
}

/** Turns every knob a little, saves, restores into a new instance: the same song from both. */
static void state_is_kept(subject* s) {
    float *first = calloc(2 * SONG_FRAMES, sizeof *first),
          *other = calloc(2 * SONG_FRAMES, sizeof *other);
    host* h = open_plugin(s, 48000, 512, true);
    if (!h || !first || !other) return;
    void* both[2] = {s, h};
    for (uint32_t i = PORT_FIXED; i < s->ports; i++)
        if (s->control[i]) h->controls[i] = 0.8f * s->start[i] + 0.2f * s->most[i];
    lilv_instance_activate(s->instance);
    memset(h->left, 0, 512 * sizeof *h->left);
    host_run(h, 512);
    LilvState* state =
        lilv_state_new_from_instance(s->plugin, s->instance, &h->map, NULL, NULL, NULL, NULL,
                                     get_value, both, LV2_STATE_IS_POD, NULL);
    char* text = lilv_state_to_string(s->world, &h->map, &h->unmap, state, "urn:test:state", NULL);
    expect(text != NULL, "no state");
    lilv_state_free(state);
    lilv_instance_activate(s->instance);
    host_play(h, first, 512, 0);
    close_plugin(s, h);
    h = open_plugin(s, 48000, 512, true);
    if (h && text) {
        both[1] = h;
        state = lilv_state_new_from_string(s->world, &h->map, text);
        lilv_state_restore(state, s->instance, set_value, both, 0, NULL);
        lilv_state_free(state);
        lilv_instance_activate(s->instance);
        host_play(h, other, 512, 0);
        // An effect rings on while its knobs are turned: its sound has a past, its knobs have not.
        if (h->in_place) {
            state = lilv_state_new_from_instance(s->plugin, s->instance, &h->map, NULL, NULL, NULL,
                                                 NULL, get_value, both, LV2_STATE_IS_POD, NULL);
            char* again =
                lilv_state_to_string(s->world, &h->map, &h->unmap, state, "urn:test:state", NULL);
            expect(again && same_saved(text, again), "a restored state is another one");
            lilv_state_free(state);
            lilv_free(again);
            memcpy(other, first, 2 * SONG_FRAMES * sizeof *first);
        }
        size_t at = 0;
        while (at < 2 * SONG_FRAMES && first[at] == other[at])
            at++;
        expect(at == 2 * SONG_FRAMES, "a restored state sounds otherwise from frame %zu on",
               at / 2);
        close_plugin(s, h);
    }
    lilv_free(text);
    free(first);
    free(other);
}

static void other_rates(subject* s) {
    static const double rates[] = {22050, 44100, 96000, 48000.5};
    for (int i = 0; i < 4; i++) {
        host* h = open_plugin(s, rates[i], i ? 64 : 8192, false);
        if (!h) continue;
        lilv_instance_activate(s->instance);
        for (int block = 0; block < 30; block++) {
            host_clear(h);
            if (block == 1) host_midi(h, 3, 0x90, 55, 110);
            host_run(h, i ? 64 : 700);
            expect(is_finite(h->left, 64, 1.0), "%g Hz: no finite sound", rates[i]);
        }
        close_plugin(s, h);
    }
}

static void presets_load(subject* s) {
    LilvNode* kind = lilv_new_uri(s->world, "http://lv2plug.in/ns/ext/presets#Preset");
    LilvNodes* all = lilv_plugin_get_related(s->plugin, kind);
    host* h = open_plugin(s, 48000, 512, false);
    void* both[2] = {s, h};
    if (h) {
        LILV_FOREACH(nodes, i, all) {
            const LilvNode* preset = lilv_nodes_get(all, i);
            lilv_world_load_resource(s->world, preset);
            LilvState* state = lilv_state_new_from_world(s->world, &h->map, preset);
            expect(state && lilv_state_get_label(state), "a preset without a name");
            if (state) lilv_state_restore(state, s->instance, set_value, both, 0, NULL);
            lilv_state_free(state);
            host_run(h, 512);
        }
        close_plugin(s, h);
    }
    lilv_nodes_free(all);
    lilv_node_free(kind);
}

static int check(const char* uri, const char* wav) {
    subject s = {.world = lilv_world_new()};
    lilv_world_load_all(s.world);
    LilvNode* name = lilv_new_uri(s.world, uri);
    s.plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(s.world), name);
    printf("%s\n", uri);
    expect(s.plugin && lilv_plugin_verify(s.plugin), "not found, or not valid");
    if (!failures) {
        LilvNode* label = lilv_plugin_get_name(s.plugin);
        const LilvNode* class = lilv_plugin_class_get_label(lilv_plugin_get_class(s.plugin));
        bool notes = !strcmp(lilv_node_as_string(class), "Instrument Plugin");
        expect(lilv_plugin_has_latency(s.plugin), "no latency port");
        read_ports(&s);
        lilv_node_free(label);
        if (!failures) same_in_any_blocks(&s, wav);
        normal_sound(&s, notes);
        both_ends(&s);
        state_is_kept(&s);
        other_rates(&s);
        presets_load(&s);
    }
    lilv_node_free(name);
    lilv_world_free(s.world);
    return failures != 0;
}

int main(int argc, char** argv) {
    if (argc == 3 && !strcmp(argv[1], "song")) return write_song(argv[2]);
    if (argc == 3 && !strcmp(argv[1], "noise")) return write_noise(argv[2]);
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "check")) return check(argv[2], argv[3]);
    fprintf(stderr, "usage: lv2_host song FILE.mid | noise FILE.wav | check URI [WAV]\n");
    return 2;
}
