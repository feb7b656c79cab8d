// sistrum scenes: what is installed, a line each; sistrum params: the knobs of one scene.

#include "files.h"
#include "find.h"
#include "job.h"
#include "presets.h"
#include "print_json.h"
#include "say.h"
#include "scene_file.h"
#include "sound.h"
#include "table.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- about a scene

/** What a list says of a scene. */
typedef struct about {
    char title[128]; // of render{}, else what stands before the colon of the first line
    char line[256];  // the first line of the file, without the title
    char why[1024];  // it does not load; "": it does
    int32_t params;
    bool pitched;    // notes set its pitch: --note, --midi
    bool instrument; // it sounds and has knobs to play with; else it is a study
    bool lost;       // there was no memory to look at it
} about;

/** "-- Name: one line" at the top of a file: `name` is "" where there is no short one. */
static void read_line(const char* text, size_t size, char* name, size_t room, about* a) {
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", text[at]))
        at++;
    if (size - at < 2 || strncmp(text + at, "--", 2) != 0) return;
    while (at < size && (text[at] == '-' || text[at] == ' '))
        at++;
    size_t length = 0;
    while (at + length < size && text[at + length] != '\n' && text[at + length] != '\r')
        length++;
    char line[sizeof a->line];
    snprintf(line, sizeof line, "%.*s", (int)(length < 250 ? length : 250), text + at);
    const char* colon = strstr(line, ": ");
    if (colon && (size_t)(colon - line) < room) {
        snprintf(name, room, "%.*s", (int)(colon - line), line);
        snprintf(a->line, sizeof a->line, "%s", colon + 2);
    } else {
        snprintf(a->line, sizeof a->line, "%s", line);
    }
}

/** The rule of the gallery (tools/gallery_page.py): a sound, and more than one knob. */
static bool is_instrument(const sis_script* script, bool* lost) {
    sis_options how = sis_options_default(sis_script_scene(script));
    sis_error error = {.status = SIS_OK};
    sis_system* system = sis_script_param_count(script) > 1
                             ? sis_compile(sis_script_scene(script), &how, &error)
                             : NULL;
    *lost = error.status == SIS_NO_MEMORY;
    bool sounds = system && sis_sound_channels(system) > 0;
    sis_system_free(system);
    return sounds;
}

static about describe(const char* path) {
    about a = {0};
    char name[40] = "";
    size_t size = 0;
    char* text = sis_file_read(path, &size, a.why, sizeof a.why);
    a.lost = !text && errno == ENOMEM;
    if (!text) return a;
    a.why[0] = 0;
    read_line(text, size, name, sizeof name, &a);
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    sis_script* script = sis_script_load_text(text, size, sis_text_file(path), NULL, 0, &error);
    free(text);
    if (!script) {
        snprintf(a.why, sizeof a.why, "%s", error.text);
        a.lost = error.status == SIS_SCRIPT_NO_MEMORY;
        return a;
    }
    sis_render_def render = sis_scene_render(sis_script_scene(script));
    bool titled = render.title && *render.title;
    snprintf(a.title, sizeof a.title, "%s", titled ? render.title : name);
    a.params = sis_script_param_count(script);
    const sis_play* play = sis_script_play(script);
    a.pitched = play && play->pitch >= 0;
    a.instrument = is_instrument(script, &a.lost);
    sis_script_free(script);
    return a;
}

// ---------------------------------------------------------------------------- printing

/** A cell of text from a file: one line, printable. */
static void clean_cell(table* t, int column, const char* raw) {
    char* text = sis_text_clean(raw);
    if (text) table_cell(t, column, "%s", text);
    t->lost = t->lost || !text;
    free(text);
}

// ---------------------------------------------------------------------------- scenes

static int scenes_as_json(const found_scenes* all) {
    sis_json json = {.complete = true};
    json_t *root = json_object(), *folders = json_array(), *list = json_array();
    for (int i = 0; i < all->folder_count; i++)
        sis_json_append(&json, folders, sis_json_text(all->folders[i]));
    for (int i = 0; i < all->count; i++) {
        about a = describe(all->scenes[i].path);
        json.complete = json.complete && !a.lost;
        json_t* scene = json_object();
        sis_json_set(&json, scene, "name", sis_json_text(all->scenes[i].name));
        sis_json_set(&json, scene, "title", sis_json_text(a.title));
        sis_json_set(&json, scene, "about", sis_json_text(a.line));
        sis_json_set(&json, scene, "kind", sis_json_text(a.instrument ? "instrument" : "study"));
        sis_json_set(&json, scene, "pitched", json_boolean(a.pitched));
        sis_json_set(&json, scene, "params", sis_json_whole((uint64_t)a.params));
        sis_json_set(&json, scene, "path", sis_json_text(all->scenes[i].path));
        if (*a.why) sis_json_set(&json, scene, "error", sis_json_text(a.why));
        sis_json_append(&json, list, scene);
    }
    sis_json_set(&json, root, "folders", folders);
    sis_json_set(&json, root, "scenes", list);
    return print_json(&json, root);
}

static void about_row(table* t, const char* raw, const about* a) {
    char* name = sis_text_clean(raw);
    table_row(t);
    if (name) table_cell(t, 0, "  %s", name);
    t->lost = t->lost || !name || a->lost;
    free(name);
    if (*a->why) {
        table_cell(t, 1, "does not load");
        clean_cell(t, 3, a->why);
    } else {
        clean_cell(t, 1, a->title);
        table_cell(t, 2, "%s", a->pitched ? "pitched" : "-");
        clean_cell(t, 3, a->line);
    }
}

/** Instruments first, as in the gallery. */
static int scenes_as_table(const found_scenes* all) {
    static const char* const headings[] = {"Instruments", "Studies in a few lines", "Broken"};
    about* abouts = calloc((size_t)all->count + 1, sizeof *abouts);
    if (!abouts) return complain(EXIT_RUN, "out of memory");
    for (int i = 0; i < all->count; i++)
        abouts[i] = describe(all->scenes[i].path);
    table t = {0};
    for (int group = 0; group < 3; group++) {
        int rows = 0;
        for (int i = 0; i < all->count; i++) {
            int own = *abouts[i].why ? 2 : abouts[i].instrument ? 0 : 1;
            if (own != group) continue;
            if (!rows++) {
                table_row(&t);
                table_rest(&t, "%s", headings[group]);
            }
            about_row(&t, all->scenes[i].name, &abouts[i]);
        }
    }
    free(abouts);
    table_print(&t, NULL);
    return finish_output();
}

int command_scenes(const options* o) {
    found_scenes all = find_all();
    int code = EXIT_DONE;
    if (all.lost) {
        code = complain(EXIT_RUN, "out of memory");
    } else if (!all.count && !o->as_json) {
        char places[1000] = "";
        for (int i = 0; i < all.folder_count; i++) {
            size_t used = strlen(places);
            snprintf(places + used, sizeof places - used, "%s%s", i ? ", " : "", all.folders[i]);
        }
        char missing[MISSING_TEXT];
        find_missing(all.folder_count, missing, sizeof missing);
        code = complain(EXIT_RUN, "no scenes are installed: looked in %s; %s",
                        *places ? places : "no folder at all",
                        *missing ? missing : "SISTRUM_SCENES may name a folder");
    } else {
        char missing[MISSING_TEXT];
        if (*find_missing(all.folder_count, missing, sizeof missing))
            complain(EXIT_DONE, "%s", missing);
        code = o->as_json ? scenes_as_json(&all) : scenes_as_table(&all);
    }
    found_free(&all);
    return code;
}

// ---------------------------------------------------------------------------- params

static const char* scale_of(const sis_param* p) {
    return p->logarithmic ? "log" : "linear";
}

static json_t* inputs_as_json(sis_json* json, const sis_script* script) {
    json_t* list = json_array();
    for (int32_t i = 0; i < sis_script_input_count(script); i++) {
        sis_input p = sis_script_input(script, i);
        json_t* input = json_object();
        sis_json_set(json, input, "name", sis_json_text(p.name));
        sis_json_set(json, input, "label", sis_json_text(p.label));
        sis_json_set(json, input, "unit", sis_json_text(p.unit));
        sis_json_set(json, input, "default", sis_json_plain(p.fallback));
        sis_json_set(json, input, "min", sis_json_plain(p.min));
        sis_json_set(json, input, "max", sis_json_plain(p.max));
        sis_json_set(json, input, "smooth", sis_json_plain(p.smooth));
        sis_json_set(json, input, "trigger", json_boolean(p.trigger));
        sis_json_append(json, list, input);
    }
    return list;
}

static json_t* presets_as_json(sis_json* json, const sis_script* script) {
    json_t* list = json_array();
    for (int32_t i = 0; i < sis_script_preset_count(script); i++) {
        sis_preset p = sis_script_preset(script, i);
        json_t *preset = json_object(), *values = json_object();
        sis_json_set(json, preset, "name", sis_json_text(p.name));
        for (int32_t k = 0; k < p.count; k++)
            sis_json_set(json, values, p.settings[k].name, sis_json_plain(p.settings[k].value));
        sis_json_set(json, preset, "values", values);
        sis_json_append(json, list, preset);
    }
    return list;
}

static int params_as_json(const sis_script* script, const char* file) {
    sis_json json = {.complete = true};
    json_t *root = json_object(), *list = json_array();
    sis_render_def render = sis_scene_render(sis_script_scene(script));
    for (int32_t i = 0; i < sis_script_param_count(script); i++) {
        sis_param p = sis_script_param(script, i);
        json_t* param = json_object();
        sis_json_set(&json, param, "name", sis_json_text(p.name));
        sis_json_set(&json, param, "label", sis_json_text(p.label));
        sis_json_set(&json, param, "unit", sis_json_text(p.unit));
        sis_json_set(&json, param, "default", sis_json_plain(p.fallback));
        // null: no bound
        sis_json_set(&json, param, "min", sis_json_plain(p.min));
        sis_json_set(&json, param, "max", sis_json_plain(p.max));
        sis_json_set(&json, param, "scale", sis_json_text(scale_of(&p)));
        sis_json_append(&json, list, param);
    }
    sis_json_set(&json, root, "scene", sis_json_text(file));
    sis_json_set(&json, root, "title", sis_json_text(render.title));
    sis_json_set(&json, root, "params", list);
    sis_json_set(&json, root, "inputs", inputs_as_json(&json, script));
    sis_json_set(&json, root, "presets", presets_as_json(&json, script));
    return print_json(&json, root);
}

/** As short as it can be without being another number. */
static void number_cell(table* t, int column, double value) {
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    table_cell(t, column, "%s", text);
}

static void range_cell(table* t, const sis_param* p) {
    bool low = isfinite(p->min), high = isfinite(p->max);
    if (low && high)
        table_cell(t, 3, "%g to %g", p->min, p->max);
    else if (low)
        table_cell(t, 3, "%g and more", p->min);
    else if (high)
        table_cell(t, 3, "%g and less", p->max);
    else
        table_cell(t, 3, "any");
}

static void input_rows(table* t, const sis_script* script) {
    for (int32_t i = 0; i < sis_script_input_count(script); i++) {
        sis_input p = sis_script_input(script, i);
        table_row(t);
        clean_cell(t, 0, p.name);
        if (!p.trigger) number_cell(t, 1, p.fallback);
        clean_cell(t, 2, p.unit);
        table_cell(t, 3, "%g to %g", p.min, p.max);
        table_cell(t, 4, p.trigger ? "trigger" : "input");
        clean_cell(t, 5, p.label);
    }
}

/** After an empty line, which ends the knobs. */
static void print_presets(const sis_script* script) {
    table t = {0};
    char text[1024];
    for (int32_t i = 0; i < sis_script_preset_count(script); i++) {
        sis_preset p = sis_script_preset(script, i);
        preset_print(script, &p, text, sizeof text);
        table_row(&t);
        table_cell(&t, 0, "preset \"%s\"", p.name);
        table_rest(&t, "%s", text);
    }
    if (t.count) printf("\n");
    table_print(&t, NULL);
}

static int params_as_table(const sis_script* script, const char* file) {
    int32_t count = sis_script_param_count(script);
    if (!count && !sis_script_input_count(script)) {
        char clean[1024];
        sis_clean(file, clean, sizeof clean);
        printf("%s has no param{}: nothing to set\n", clean);
        return finish_output();
    }
    table t = {0};
    static const char* const heads[] = {"name", "default", "unit", "range", "scale", "label"};
    table_row(&t);
    for (int c = 0; c < 6; c++)
        table_cell(&t, c, "%s", heads[c]);
    for (int32_t i = 0; i < count; i++) {
        sis_param p = sis_script_param(script, i);
        table_row(&t);
        clean_cell(&t, 0, p.name);
        number_cell(&t, 1, p.fallback);
        clean_cell(&t, 2, p.unit);
        range_cell(&t, &p);
        table_cell(&t, 4, "%s", scale_of(&p));
        clean_cell(&t, 5, p.label);
    }
    input_rows(&t, script);
    table_print(&t, NULL);
    print_presets(script);
    return finish_output();
}

int command_params(const options* o) {
    if (!o->scene) return complain(EXIT_USAGE, "params needs a scene: sistrum params SCENE");
    if (find_is_lost(o->scene)) return find_complain(o->scene);
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    sis_script* script = sis_script_load(o->scene, NULL, 0, &error);
    if (!script) return complain_script(&error);
    const char* file = sis_text_file(o->scene);
    int code = o->as_json ? params_as_json(script, file) : params_as_table(script, file);
    sis_script_free(script);
    return code;
}
