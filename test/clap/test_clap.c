// sistrum.clap in a host of our own: what it offers, how it plays, what it saves, and that nothing a host does breaks it.
#include "clap_host.h"

#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

static clap_file file;
static clap_host_rack rack;
static char home[64]; // the user's data

static const clap_plugin_descriptor_t* descriptor(uint32_t i) {
    return file.factory->get_plugin_descriptor(file.factory, i);
}

static uint32_t plugin_count(void) {
    return file.factory->get_plugin_count(file.factory);
}

static const clap_plugin_descriptor_t* find(const char* id) {
    for (uint32_t i = 0; i < plugin_count(); i++)
        if (!strcmp(descriptor(i)->id, id)) return descriptor(i);
    return NULL;
}

static bool has_feature(const clap_plugin_descriptor_t* d, const char* feature) {
    for (const char* const* f = (const char* const*)d->features; *f; f++)
        if (!strcmp(*f, feature)) return true;
    return false;
}

static double value_of(clap_host_rack* r, clap_id id) {
    double value = NAN;
    CHECK(r->params->get_value(r->plugin, id, &value));
    return value;
}

static bool is_finite_block(const clap_host_rack* r, uint32_t frames) {
    for (int c = 0; c < 2; c++)
        for (uint32_t i = 0; i < frames; i++)
            if (!isfinite(r->out[c][i])) return false;
    return true;
}

// ---------------------------------------------------------------------------- what it offers

static void it_exports_its_entry_and_nothing_else(void) {
    CHECK(dlsym(file.library, "clap_entry"));
    const char* const inside[] = {"sis_live_new", "sis_compile", "lua_newstate", "sis_version",
                                  "clap_player_new"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        CHECK(!dlsym(file.library, inside[i]));
    CHECK(!file.entry->get_factory("no.such.factory"));
    CHECK(!file.entry->get_factory(NULL));
}

static void every_scene_is_offered_under_its_name(void) {
    DIR* folder = opendir(SISTRUM_SOURCE_DIR "/scenes");
    CHECK(folder);
    const struct dirent* entry;
    while (folder && (entry = readdir(folder))) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".lua") != 0) continue;
        char id[300];
        snprintf(id, sizeof id, "org.sistrum.%.*s", (int)(length - 4), entry->d_name);
        const clap_plugin_descriptor_t* d = find(id);
        CHECK(d);
        if (!d) printf("%s is missing\n", id);
        CHECK(d && *d->name && *d->vendor && *d->version && d->description);
        CHECK(d && (has_feature(d, "instrument") || has_feature(d, "audio-effect")));
    }
    if (folder) closedir(folder);
    for (uint32_t i = 1; i < plugin_count(); i++)
        CHECK(strcmp(descriptor(i - 1)->id, descriptor(i)->id) < 0);
    CHECK(!descriptor(plugin_count()));
    CHECK(!file.factory->create_plugin(file.factory, &rack.host, "org.sistrum.nothing"));
}

static void a_broken_scene_of_the_user_hides_no_other(void) {
    CHECK(find("org.sistrum.user.mine"));
    CHECK(!find("org.sistrum.user.broken"));
    CHECK(!find("org.sistrum.user.endless"));
    CHECK(!find("org.sistrum.user.empty"));
    CHECK(!find("org.sistrum.user.large"));
    CHECK(!find("org.sistrum.user.silent"));
    CHECK(find("org.sistrum.tanpura"));
}

static void what_is_left_out_is_told_by_its_name(void) {
    static const char* const names[] = {"broken.lua:1: ", "endless.lua:1: ", "empty.lua: ",
                                        "large.lua: ",    "silent.lua: ",    "not a name.lua: "};
    char path[128], text[4096] = "";
    snprintf(path, sizeof path, "%s/said.txt", home);
    FILE* said = fopen(path, "r");
    if (said) text[fread(text, 1, sizeof text - 1, said)] = 0;
    if (said) fclose(said);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(strstr(text, names[i]));
    CHECK(!strstr(text, "readme.txt"));
}

/** Hosts show what a scene says of itself. */
static void names_are_text_whatever_a_scene_begins_with(void) {
    const clap_plugin_descriptor_t *odd = find("org.sistrum.user.odd"),
                                   *marked = find("org.sistrum.user.marked");
    CHECK(odd && !strcmp(odd->name, "Caf\uFFFD \uFFFD[31m"));
    CHECK(odd && strlen(odd->description) == 254); // whole characters
    CHECK(marked && !strcmp(marked->name, "Marked scene"));
    CHECK(marked && !strcmp(marked->description, "begins with a mark"));
}

static void a_second_begin_and_end_changes_nothing(void) {
    uint32_t count = plugin_count();
    CHECK(file.entry->init(NULL));
    file.entry->deinit();
    CHECK(plugin_count() == count);
}

// ---------------------------------------------------------------------------- params

static void check_texts(const clap_param_info_t* info) {
    double points[] = {info->min_value, info->max_value, info->default_value,
                       0.5 * (info->min_value + info->max_value)};
    char text[256], again[256], tiny[2];
    for (int i = 0; i < 4; i++) {
        double back = NAN;
        CHECK(rack.params->value_to_text(rack.plugin, info->id, points[i], text, sizeof text));
        CHECK(*text);
        CHECK(rack.params->text_to_value(rack.plugin, info->id, text, &back));
        CHECK(rack.params->value_to_text(rack.plugin, info->id, back, again, sizeof again));
        CHECK(!strcmp(text, again));
        if (strcmp(text, again) != 0) printf("%s: '%s' became '%s'\n", info->name, text, again);
    }
    CHECK(rack.params->value_to_text(rack.plugin, info->id, points[0], tiny, sizeof tiny));
    CHECK(strlen(tiny) < sizeof tiny);
    double back = 7;
    CHECK(!rack.params->text_to_value(rack.plugin, info->id, "no number", &back));
    CHECK(!rack.params->value_to_text(rack.plugin, info->id, NAN, text, sizeof text));
}

static void check_params(void) {
    uint32_t count = rack.params->count(rack.plugin);
    CHECK(count >= 4);
    for (uint32_t i = 0; i < count; i++) {
        clap_param_info_t info, before;
        CHECK(rack.params->get_info(rack.plugin, i, &info));
        CHECK(*info.name && info.id != CLAP_INVALID_ID);
        CHECK(isfinite(info.min_value) && isfinite(info.max_value));
        CHECK(info.min_value <= info.default_value && info.default_value <= info.max_value);
        CHECK(info.min_value < info.max_value);
        CHECK(value_of(&rack, info.id) == info.default_value);
        for (uint32_t k = 0; k < i && rack.params->get_info(rack.plugin, k, &before); k++) {
            CHECK(before.id != info.id);
            CHECK(strcmp(before.name, info.name) != 0);
        }
        check_texts(&info);
    }
    clap_param_info_t none;
    double value;
    CHECK(!rack.params->get_info(rack.plugin, count, &none));
    CHECK(!rack.params->get_value(rack.plugin, CLAP_INVALID_ID, &value));
}

/** Every param to both ends and beyond, by flush while inactive and at frames while active. */
static void sweep_params(void) {
    uint32_t count = rack.params->count(rack.plugin);
    for (uint32_t i = 0; i < count; i++) {
        clap_param_info_t info;
        rack.params->get_info(rack.plugin, i, &info);
        const double ends[] = {info.min_value, info.max_value,    info.max_value + 1, NAN,
                               -INFINITY,      info.default_value};
        for (int e = 0; e < 6; e++) {
            rack_param(&rack, (uint32_t)(10 * e), &info, ends[e]);
            rack_note(&rack, (uint32_t)(10 * e), 60, e % 2 ? 0 : 0.5);
        }
        rack_process(&rack, 64);
        CHECK(is_finite_block(&rack, 64));
        CHECK(value_of(&rack, info.id) == info.default_value);
    }
}

static double peak_of(clap_host_rack* r, int blocks, uint32_t frames) {
    double peak = 0;
    for (int b = 0; b < blocks; b++) {
        rack_process(r, frames);
        CHECK(is_finite_block(r, frames));
        for (int c = 0; c < 2; c++)
            for (uint32_t i = 0; i < frames; i++)
                peak = fmax(peak, fabs((double)r->out[c][i]));
    }
    return peak;
}

static int playable_key(void) {
    return 50; // in the range of every pitched scene
}

static void check_ports(const clap_plugin_descriptor_t* d) {
    clap_audio_port_info_t audio;
    clap_note_port_info_t notes;
    CHECK(rack.audio_ports->count(rack.plugin, false) == 1);
    CHECK(rack.audio_ports->get(rack.plugin, 0, false, &audio));
    CHECK(audio.channel_count == 2 && !strcmp(audio.port_type, CLAP_PORT_STEREO));
    CHECK(!rack.audio_ports->get(rack.plugin, 1, false, &audio));
    CHECK((rack.audio_ports->count(rack.plugin, true) == 1) == has_feature(d, "audio-effect"));
    if (rack.note_ports->count(rack.plugin, true)) {
        CHECK(rack.note_ports->get(rack.plugin, 0, true, &notes));
        CHECK(notes.supported_dialects & notes.preferred_dialect);
        clap_voice_info_t voices;
        CHECK(rack.voices->get(rack.plugin, &voices));
        CHECK(voices.voice_count >= 1 && voices.voice_count <= voices.voice_capacity);
    }
    CHECK(!rack.note_ports->count(rack.plugin, false));
    CHECK(rack.tail->get(rack.plugin) >= INT32_MAX);
    CHECK(rack.latency->get(rack.plugin) < 1000);
}

static void every_scene_plays_and_every_param_reaches_its_ends(void) {
    for (uint32_t i = 0; i < plugin_count(); i++) {
        const clap_plugin_descriptor_t* d = descriptor(i);
        bool opened = rack_open(&rack, &file, d->id);
        CHECK(opened);
        if (!opened) continue;
        check_ports(d);
        check_params();
        CHECK(rack.render->set(rack.plugin, CLAP_RENDER_OFFLINE));
        CHECK(rack_activate(&rack, 48000, 256));
        if (rack.note_ports->count(rack.plugin, true)) {
            rack_note(&rack, 0, playable_key(), 0.8);
            double peak = peak_of(&rack, 40, 256);
            CHECK(peak > 1e-4 && peak <= 1);
            if (!(peak > 1e-4)) printf("%s: peak %g\n", d->id, peak);
        }
        sweep_params();
        rack.plugin->reset(rack.plugin);
        rack_close(&rack);
    }
}

static void a_flush_sets_what_get_value_says(void) {
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    clap_param_info_t K;
    CHECK(rack_find(&rack, "Bridge hardness", &K));
    CHECK_NEAR(K.min_value, 4, 1e-12); // 1e4 .. 1e9: its decimal logarithm
    CHECK_NEAR(K.max_value, 9, 1e-12);
    char text[64];
    rack_param(&rack, 0, &K, 7);
    rack_flush(&rack); // inactive
    CHECK(value_of(&rack, K.id) == 7);
    CHECK(rack.params->value_to_text(rack.plugin, K.id, 7, text, sizeof text));
    CHECK_TEXT(text, "1e+07 N/m^(alpha+1)");
    double plain = 0;
    CHECK(rack.params->text_to_value(rack.plugin, K.id, "2 M", &plain));
    CHECK_NEAR(plain, log10(2e6), 1e-12);
    CHECK(rack_activate(&rack, 44100, 64));
    rack_param(&rack, 0, &K, 5);
    rack.events[0].param.cookie = NULL; // a host without cookies
    rack_flush(&rack);                  // active
    CHECK(value_of(&rack, K.id) == 5);
    K.cookie = (void*)(uintptr_t)2; // of another param
    rack_param(&rack, 0, &K, 6);
    rack_process(&rack, 64);
    CHECK(value_of(&rack, K.id) == 6);
    rack_close(&rack);
}

// ---------------------------------------------------------------------------- a user

static void a_controller_that_moves_an_input_is_told(void) {
    CHECK(rack_open(&rack, &file, "org.sistrum.tanpura"));
    clap_param_info_t thread;
    double value = 0;
    CHECK(rack_find(&rack, "Thickness of the thread between string and bridge", &thread) &&
          rack_activate(&rack, 48000, 64));
    rack_note(&rack, 0, 50, 0.8);
    rack_process(&rack, 64);
    CHECK(rack.values_told == 0);
    rack_midi(&rack, 3, 0xB0, 1, 127);
    rack_process(&rack, 64);
    CHECK(rack.values_told == 1 && rack.told.param_id == thread.id);
    CHECK(rack.told.value == thread.max_value && rack.told.header.time < 64);
    CHECK(rack.params->get_value(rack.plugin, thread.id, &value) && value == thread.max_value);
    rack_process(&rack, 64);
    CHECK(rack.values_told == 1);
    rack_close(&rack);
}

static void write_scene(const char* name, const char* text) {
    char path[128];
    snprintf(path, sizeof path, "%s/sistrum/scenes/%s", home, name);
    FILE* out = fopen(path, "w");
    if (out) {
        fputs(text, out);
        fclose(out);
    }
}

/** A folder of data with scenes of all sorts. */
static bool make_user(void) {
    snprintf(home, sizeof home, "/tmp/sistrum_clap_XXXXXX");
    char path[128];
    if (!mkdtemp(home)) return false;
    snprintf(path, sizeof path, "%s/sistrum", home);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/sistrum/scenes", home);
    mkdir(path, 0777);
    write_scene(
        "mine.lua",
        "-- Mine: a mass on a spring\n"
        "local f = param{ \"f\", 200, min = 20, max = 4000, scale = \"log\", unit = \"Hz\" }\n"
        "local v = param{ \"v\", 1, min = 0.1, max = 2, unit = \"m/s\" }\n"
        "local m = mass{ mass = 0.01, frequency = f, damping = 5, velocity = v }\n"
        "probe{ on = m, quantity = \"velocity\" }\n"
        "play{ pitch = \"f\", velocity = \"v\" }\n");
    static const char heard[] = "probe{ on = mass{ mass = 1, velocity = 1 } }\n";
    char text[1024] = "-- Caf\xE9 \x1B[31m: ";
    for (int i = 0; i < 200; i++)
        strcat(text, "\u00E9");
    strcat(text, "\n");
    strcat(text, heard);
    write_scene("odd.lua", text);
    snprintf(text, sizeof text, "\xEF\xBB\xBF-- Marked scene: begins with a mark\r\n%s", heard);
    write_scene("marked.lua", text);
    write_scene("broken.lua", "mass{ mas = 1 }\n");
    write_scene("endless.lua", "while true do end\n");
    write_scene("empty.lua", "\0");
    write_scene("silent.lua", "mass{ mass = 1, frequency = 100, velocity = 1 }\n");
    write_scene("large.lua", "");
    snprintf(path, sizeof path, "%s/sistrum/scenes/large.lua", home);
    if (truncate(path, 5 << 20) != 0) return false;
    write_scene("not a name.lua", "mass{ mass = 1 }\n");
    write_scene("readme.txt", "no scene\n");
    return setenv("XDG_DATA_HOME", home, 1) == 0;
}

/** What the plugin says of scenes goes into a file. */
static bool open_plugin(const char* path) {
    char said[128];
    snprintf(said, sizeof said, "%s/said.txt", home);
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    if (before < 0 || !freopen(said, "w", stderr)) return false;
    bool fine = clap_file_open(&file, path);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    return fine;
}

static void forget_user(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", home);
    if (system(command) != 0) printf("%s stays\n", home);
}

int main(int count, char** words) {
    if (count != 2 || !make_user() || !open_plugin(words[1])) {
        fprintf(stderr, "usage: test_clap PLUGIN\n");
        return 2;
    }
    RUN(it_exports_its_entry_and_nothing_else);
    RUN(every_scene_is_offered_under_its_name);
    RUN(a_broken_scene_of_the_user_hides_no_other);
    RUN(what_is_left_out_is_told_by_its_name);
    RUN(names_are_text_whatever_a_scene_begins_with);
    RUN(a_second_begin_and_end_changes_nothing);
    RUN(every_scene_plays_and_every_param_reaches_its_ends);
    RUN(a_flush_sets_what_get_value_says);
    RUN(a_controller_that_moves_an_input_is_told);
    clap_file_close(&file);
    forget_user();
    return CHECK_REPORT();
}
