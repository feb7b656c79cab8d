// sistrum plugin: scenes as LV2 bundles. The binary is built already; a bundle is texts beside it.

#include "bundle.h"
#include "files.h"
#include "find.h"
#include "job.h"
#include "level.h"
#include "levels.h"
#include "lv2_ports.h"
#include "say.h"
#include "scene_file.h"
#include "text.h"
#include "turtle.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BINARY "sistrum-lv2.so"
#define NOTICE "sistrum-lv2.txt"

#define ROOM_FOR_CHORDS 3.0 // as sis_live has it

// ---------------------------------------------------------------------------- the binary

/** Where binary and notice are: beside the program, or where they are installed. */
static int find_binary(char folder[PATH_MAX]) {
    static const char* const places[] = {"", "/" SISTRUM_BIN_TO_LIB "/sistrum"};
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return complain(EXIT_RUN, "cannot find the folder of the program");
    program[length] = 0;
    char* slash = strrchr(program, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char file[PATH_MAX + 32];
        int size = snprintf(folder, PATH_MAX, "%s%s", program, places[i]);
        if (size < 0 || size >= PATH_MAX) continue;
        snprintf(file, sizeof file, "%s/" BINARY, folder);
        if (access(file, R_OK) == 0) return EXIT_DONE;
    }
    return complain(EXIT_RUN,
                    "the binary of the plugin, " BINARY ", is neither in '%s' nor in '%s'; it is "
                    "built where LV2's headers are (Debian: lv2-dev)",
                    program, folder);
}

// ---------------------------------------------------------------------------- one scene

/** Everything that a bundle is made of. */
typedef struct making {
    job job;
    plugin_about about;
    char stem[NAME_MAX + 1], title[256], line[256];
    char* scene;
    size_t scene_size;
    char* texts[4]; // manifest, plugin, presets, bundle.txt
    size_t sizes[4];
} making;

enum { LINE_MOST = 250 };

/** The first line of the scene, where it is a comment, without a name before a colon. */
static void find_line(making* m) {
    const char* at = m->scene;
    if (!strncmp(at, "\xEF\xBB\xBF", 3)) at += 3;
    if (strncmp(at, "--", 2) != 0) return;
    at += strspn(at, "- ");
    size_t length = strcspn(at, "\r\n");
    const char* colon = strstr(at, ": ");
    if (colon && (size_t)(colon - at) < 40 && (size_t)(colon - at) < length) {
        length -= (size_t)(colon + 2 - at);
        at = colon + 2;
    }
    if (length > LINE_MOST)
        for (length = LINE_MOST; length && (at[length] & 0xC0) == 0x80;) // at a whole character
            length--;
    snprintf(m->line, sizeof m->line, "%.*s", (int)length, at);
}

static void find_names(making* m, const char* scene) {
    const char* file = sis_text_file(scene);
    size_t length = strlen(file);
    if (length > 4 && !strcmp(file + length - 4, ".lua")) length -= 4;
    snprintf(m->stem, sizeof m->stem, "%.*s", (int)(length < NAME_MAX ? length : NAME_MAX), file);
    const char* title = m->job.render.title;
    snprintf(m->title, sizeof m->title, "%s", title && *title ? title : m->stem);
    find_line(m);
    m->about.stem = m->stem;
    m->about.title = m->title;
    m->about.line = m->line;
    m->about.file = sis_text_file(scene);
}

/** Hosts that look for bundles stumble over them (lilv). */
static int check_name(const making* m) {
    char clean[300];
    for (const char* at = m->stem; *at; at++)
        if ((unsigned char)*at < 32 || *at == 127)
            return complain(EXIT_SCENE,
                            "'%s': hosts find no bundle whose name has a control character: "
                            "rename the scene",
                            (sis_clean(m->stem, clean, sizeof clean), clean));
    return EXIT_DONE;
}

static int read_scene(making* m, const char* scene) {
    char why[200];
    m->scene = sis_file_read(scene, &m->scene_size, why, sizeof why);
    if (m->scene) return EXIT_DONE;
    if (errno == ENOMEM) return complain(EXIT_RUN, "out of memory");
    return complain(EXIT_SCENE, "%s: %s", scene, why);
}

/** The live library tells its reasons as sentences. */
static bool is_starved(const sis_live_error* error) {
    return strstr(error->text, "no memory left") || strstr(error->text, "out of memory");
}

/** The scene as the plugin will see it: its knobs, its presets, whether it sounds. */
static int load_live(making* m) {
    sis_live_options how = sis_live_options_default();
    sis_live_error error = {.text = "out of memory"};
    how.worker = false;
    how.peak = 1;
    m->about.live = sis_live_new(&how, &error);
    if (!m->about.live) return complain(EXIT_RUN, "%s", error.text);
    if (!sis_live_load(m->about.live, m->scene, m->scene_size, m->about.file, NULL, 0, &error))
        return complain(is_starved(&error) ? EXIT_RUN : EXIT_SCENE, "%s", error.text);
    return turtle_symbols(&m->about) ? EXIT_DONE : complain(EXIT_RUN, "out of memory");
}

/** What is full scale: three times the reference that `render` normalises notes by, so that there
 * is room for chords. Where no note tells it, as the live library measures. */
static int measure(making* m, const options* o) {
    sis_fault fault;
    sis_performance p = {.scene = o->scene,
                         .script = m->job.script,
                         .plan = m->job.plan,
                         .scheme = m->job.scheme,
                         .threads = levels_threads(o)};
    bool notes = sis_script_play(m->job.script) && sis_live_takes_notes(m->about.live);
    if (notes && !sis_level_measure(&p, m->job.render.duration, &m->about.peak, &fault))
        return job_complain(&m->job, &fault);
    m->about.peak *= ROOM_FOR_CHORDS;
    if (m->about.peak > 0) return EXIT_DONE;
    sis_live_set_peak(m->about.live, 0);
    m->about.peak = sis_live_peak(m->about.live);
    return EXIT_DONE;
}

static bool write_text(making* m, int i, void (*writer)(FILE*, const plugin_about*)) {
    FILE* stream = open_memstream(&m->texts[i], &m->sizes[i]);
    if (!stream) return false;
    writer(stream, &m->about);
    bool lost = ferror(stream) != 0;
    return fclose(stream) == 0 && !lost && m->texts[i];
}

static int write_bundle(making* m, const options* o, const char* binaries) {
    char name[NAME_MAX + 8], ttl[NAME_MAX + 8], binary[PATH_MAX + 32], notice[PATH_MAX + 32];
    bool presets = sis_live_preset_count(m->about.live) > 0;
    // Presets last: they turn the knobs.
    if (!write_text(m, 0, turtle_manifest) || !write_text(m, 1, turtle_plugin) ||
        !write_text(m, 3, turtle_bundle) || (presets && !write_text(m, 2, turtle_presets)))
        return complain(EXIT_RUN, "out of memory");
    snprintf(name, sizeof name, "%s.lv2", m->stem);
    snprintf(ttl, sizeof ttl, "%s.ttl", m->stem);
    snprintf(binary, sizeof binary, "%s/" BINARY, binaries);
    snprintf(notice, sizeof notice, "%s/" NOTICE, binaries);
    // A host looks at folders with a manifest: that comes last.
    const bundle_part parts[] = {{BUNDLE_BINARY, NULL, 0, binary},
                                 {BUNDLE_LICENSE, NULL, 0, notice},
                                 {BUNDLE_SCENE, m->scene, m->scene_size, NULL},
                                 {BUNDLE_TEXT, m->texts[3], m->sizes[3], NULL},
                                 {ttl, m->texts[1], m->sizes[1], NULL},
                                 {"manifest.ttl", m->texts[0], m->sizes[0], NULL},
                                 {"presets.ttl", m->texts[2], m->sizes[2], NULL}};
    sis_fault fault = {0};
    if (!bundle_write(o->out, name, parts, presets ? 7 : 6, &fault)) return complain_fault(&fault);
    return EXIT_DONE;
}

static void tell(const making* m, const options* o) {
    char title[300], stem[300];
    int32_t knobs = m->about.knob_count, presets = sis_live_preset_count(m->about.live);
    sis_clean(m->title, title, sizeof title);
    sis_clean(m->stem, stem, sizeof stem);
    fprintf(stdout, "%s/%s.lv2: %s, %d %s", o->out, stem, title, (int)knobs,
            sis_plural((uint64_t)knobs, "knob", "knobs"));
    if (presets)
        fprintf(stdout, ", %d %s", (int)presets,
                sis_plural((uint64_t)presets, "preset", "presets"));
    if (sis_live_takes_notes(m->about.live)) fprintf(stdout, ", played by notes");
    if (sis_live_sound_inputs(m->about.live)) fprintf(stdout, ", takes sound");
    fprintf(stdout, "\n");
}

static void making_free(making* m) {
    job_close(&m->job);
    sis_live_free(m->about.live);
    free(m->about.symbols);
    free(m->scene);
    for (int i = 0; i < 4; i++)
        free(m->texts[i]);
}

static int make_one(const options* o, const char* binaries) {
    making* m = calloc(1, sizeof *m);
    if (!m) return complain(EXIT_RUN, "out of memory");
    int code = job_load(&m->job, o);
    if (!code) code = read_scene(m, o->scene);
    if (!code) find_names(m, o->scene);
    if (!code) code = check_name(m);
    m->about.properties = o->properties;
    if (!code) code = load_live(m);
    if (!code) code = measure(m, o);
    if (!code) code = write_bundle(m, o, binaries);
    if (!code && !o->quiet) tell(m, o);
    making_free(m);
    free(m);
    return code;
}

// ---------------------------------------------------------------------------- all of them

static int stem_length(const char* scene) {
    const char* file = sis_text_file(scene);
    size_t length = strlen(file);
    return (int)(length > 4 && !strcmp(file + length - 4, ".lua") ? length - 4 : length);
}

static int check(const options* o) {
    if (o->all && o->word_count)
        return complain(EXIT_USAGE, "--all is every scene: leave out '%s'", o->words[0]);
    if (!o->word_count && !o->all)
        return complain(EXIT_USAGE, "plugin needs a scene: sistrum plugin SCENE... -o DIR");
    if (!o->out)
        return complain(EXIT_USAGE, "plugin needs a folder for bundles: -o DIR (hosts look in "
                                    "~/.lv2)");
    for (int32_t i = 0; i < o->word_count; i++)
        for (int32_t j = 0; j < i; j++) {
            int a = stem_length(o->words[i]), b = stem_length(o->words[j]);
            const char* name = sis_text_file(o->words[i]);
            if (a == b && !strncmp(name, sis_text_file(o->words[j]), (size_t)a))
                return complain(EXIT_USAGE, "'%s' and '%s' would be the same bundle: '%.*s.lv2'",
                                o->words[j], o->words[i], a, name);
        }
    return EXIT_DONE;
}

/** Makes the folder if it is missing. */
static int make_folder(const options* o, bool* made) {
    struct stat status;
    *made = mkdir(o->out, 0777) == 0;
    int error = errno;
    if (*made) sis_files_new_folder(o->out);
    if (*made || (stat(o->out, &status) == 0 && S_ISDIR(status.st_mode))) return EXIT_DONE;
    return complain(EXIT_RUN, "cannot make the folder '%s': %s", o->out, strerror(error));
}

/** Bundles of these; the code of the first that failed. */
static int make_all(const options* o, const char* binaries, const char* const* scenes, int count) {
    int code = EXIT_DONE;
    progress bar = progress_begin(o->quiet);
    for (int i = 0; i < count; i++) {
        options one = *o;
        one.scene = scenes[i];
        progress_show(&bar, (uint64_t)i, (uint64_t)count);
        int failed = make_one(&one, binaries);
        if (!code) code = failed;
    }
    progress_end(&bar);
    return code;
}

/** Whether it has play{}; what does not load has none. */
static bool is_played(const char* path) {
    sis_script* script = sis_script_load(path, NULL, 0, NULL);
    bool played = script && sis_script_play(script);
    sis_script_free(script);
    return played;
}

static int make_installed(const options* o, const char* binaries) {
    found_scenes all = find_all();
    const char** scenes = calloc((size_t)all.count + 1, sizeof *scenes);
    int count = 0, code = EXIT_DONE;
    if (!scenes || all.lost)
        code = complain(EXIT_RUN, "out of memory");
    else
        for (int i = 0; i < all.count; i++)
            if (is_played(all.scenes[i].path)) scenes[count++] = all.scenes[i].path;
    if (!code && !count)
        code = complain(EXIT_RUN, "no scene is installed; sistrum help scenes says where they are "
                                  "looked for");
    if (!code) code = make_all(o, binaries, scenes, count);
    free(scenes);
    found_free(&all);
    return code;
}

int command_plugin(const options* o) {
    char binaries[PATH_MAX];
    bool made = false;
    int code = check(o);
    if (!code) code = find_binary(binaries);
    if (!code) code = make_folder(o, &made);
    if (code) return code;
    code = o->all ? make_installed(o, binaries) : make_all(o, binaries, o->words, o->word_count);
    if (made) rmdir(o->out); // if nothing was written
    int lost = finish_output();
    return code ? code : lost;
}
