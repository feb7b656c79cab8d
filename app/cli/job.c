#include "job.h"

#include "find.h"
#include "gestures.h"
#include "notes.h"
#include "presets.h"
#include "say.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int load_with(job* j, const options* o, const sis_setting* settings, int32_t count) {
    if (find_is_lost(o->scene)) return find_complain(o->scene);
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    j->script = sis_script_load(o->scene, settings, count, &error);
    if (j->script) return EXIT_DONE;
    return complain_script(&error);
}

static int complain_starved(void) {
    say_starve();
    return complain(EXIT_RUN, "out of memory");
}

/** Settings in the order in which they win over those before. */
typedef struct setting_list {
    const sis_setting* settings;
    int32_t count;
} setting_list;

/** Loads the scene once more, with all of these. */
static int load_again(job* j, const options* o, const setting_list* lists, int list_count) {
    size_t all = 0, used = 0;
    for (int i = 0; i < list_count; i++)
        all += (size_t)lists[i].count;
    sis_setting* settings = malloc((all + 1) * sizeof *settings);
    if (!settings) return complain_starved();
    for (int i = 0; i < list_count; i++)
        for (int32_t s = 0; s < lists[i].count; s++)
            settings[used++] = lists[i].settings[s];
    sis_script* before = j->script; // names of a preset live in it
    j->script = NULL;
    int code = load_with(j, o, settings, (int32_t)all);
    sis_script_free(before);
    free(settings);
    return code;
}

/** What every further load of the scene begins with. */
static int keep_settings(job* j, const options* o) {
    sis_preset preset;
    int code = preset_find(j, o->preset, &preset);
    if (code) return code;
    j->settings =
        malloc(((size_t)preset.count + (size_t)o->setting_count + 1) * sizeof *j->settings);
    if (!j->settings) return complain_starved();
    for (int32_t i = 0; i < preset.count; i++)
        j->settings[j->setting_count++] = preset.settings[i];
    for (int32_t i = 0; i < o->setting_count; i++)
        j->settings[j->setting_count++] = o->settings[i];
    return EXIT_DONE;
}

/** Before a sound from outside there is silence: the inputs it moves start at 0. */
static int32_t silence(const job* j, const options* o, sis_setting settings[2]) {
    const sis_gestures* g = sis_script_gestures(j->script);
    int32_t count = o->sound && g ? g->sound_count : 0;
    for (int32_t i = 0; i < count; i++)
        settings[i] = (sis_setting){.name = sis_script_input(j->script, g->sound[i]).name};
    return count;
}

/** Loads it with everything that was chosen; `start` is where curves begin. */
static int load_chosen(job* j, const options* o, const sis_note_settings* note,
                       setting_list start) {
    sis_preset preset;
    sis_setting silent[2];
    int code = preset_find(j, o->preset, &preset);
    if (code) return code;
    setting_list lists[] = {{preset.settings, preset.count},
                            {o->settings, o->setting_count},
                            {note->settings, note->count},
                            start,
                            {silent, silence(j, o, silent)}};
    return load_again(j, o, lists, (int)(sizeof lists / sizeof *lists));
}

/** A note is a choice of settings, which play{} of the scene knows; so is a preset; curves say where
 *  their inputs start, and the scene knows which there are: so it is loaded once more with them. */
static int load(job* j, const options* o) {
    sis_note_settings note = {.count = 0};
    setting_list start = {.count = 0};
    int code = notes_check(o);
    if (!code) code = load_with(j, o, o->settings, o->setting_count);
    if (!code && notes_given(o)) code = notes_settings(j, o, &note);
    if (!code && (notes_given(o) || o->preset || o->sound)) code = load_chosen(j, o, &note, start);
    if (code || !o->input_count) return code;
    code = gestures_read(j, o);
    if (code) return code;
    sis_setting* begin = gestures_start(j, &start.count);
    if (!begin) return complain_starved();
    start.settings = begin;
    code = load_chosen(j, o, &note, start);
    free(begin);
    return code;
}

sis_input_curves* job_gestures(job* j) {
    if (!sis_input_curves_move(&j->gestures)) return NULL;
    j->gestures.rate = sis_plan_step_rate(&j->plan);
    return &j->gestures;
}

bool job_has(const job* j, sis_kind kind) {
    const sis_scene* scene = sis_script_scene(j->script);
    for (sis_id id = 0; id < sis_scene_count(scene); id++)
        if (sis_scene_kind(scene, id) == kind) return true;
    return false;
}

bool job_driven(const job* j) {
    bool driven =
        job_has(j, SIS_KIND_FORCE) || job_has(j, SIS_KIND_BOW) || job_has(j, SIS_KIND_GRAVITY);
    for (int32_t i = 0; i < sis_system_body_count(j->system); i++)
        driven = driven || sis_system_body(j->system, i).driven;
    return driven;
}

/** Whether the scene has anything that moves. */
static bool moves(const job* j) {
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++)
        if (sis_kind_moves((sis_kind)kind) && job_has(j, (sis_kind)kind)) return true;
    return false;
}

// render{} of the scene asks for it, or its defaults do.
static int complain_plan(const job* j, const sis_fault* fault) {
    const sis_scene* scene = sis_script_scene(j->script);
    sis_error error = {.status = SIS_REFUSED, .object = SIS_NONE};
    for (sis_id id = 0; id < sis_scene_count(scene); id++)
        if (sis_scene_kind(scene, id) == SIS_KIND_RENDER) error.object = id;
    snprintf(error.text, sizeof error.text, "%.*s", (int)sizeof error.text - 1, fault->text);
    sis_script_error wrong;
    sis_script_locate(j->script, &error, &wrong);
    return complain(EXIT_SCENE, "%s", wrong.text);
}

static int plan(job* j, const options* o) {
    double rate = isnan(o->rate) ? j->render.rate : o->rate;
    double duration = isnan(o->duration) ? j->render.duration + outside_seconds(j) : o->duration;
    int32_t oversample = isnan(o->oversample) ? j->render.oversample : (int32_t)o->oversample;
    sis_fault fault;
    if (sis_plan_make(rate, oversample, duration, &j->plan, &fault)) return EXIT_DONE;
    // What the scene alone asks for is the scene's fault.
    if (isnan(o->rate) && isnan(o->duration) && isnan(o->oversample))
        return complain_plan(j, &fault);
    return complain_fault(&fault);
}

sis_options job_options(const job* j) {
    return (sis_options){.rate = sis_plan_step_rate(&j->plan), .scheme = j->scheme};
}

int job_compile(job* j) {
    sis_options how = job_options(j);
    sis_error error = {.status = SIS_REFUSED};
    j->system = sis_compile(sis_script_scene(j->script), &how, &error);
    if (j->system) return EXIT_DONE;
    sis_script_error wrong;
    sis_script_locate(j->script, &error, &wrong);
    if (error.status == SIS_NO_MEMORY) say_starve();
    return complain(error.status == SIS_NO_MEMORY ? EXIT_RUN : EXIT_SCENE, "%s", wrong.text);
}

int job_complain(const job* j, const sis_fault* fault) {
    const char* name = sis_script_name(j->script);
    sis_id id = *fault->object
                    ? sis_scene_find(sis_script_scene(j->script), fault->of, fault->object)
                    : SIS_NONE;
    int line = (int)sis_script_line(j->script, id);
    if (fault->starved) say_starve();
    if (line) return complain((int)fault->kind, "%s:%d: %s", name, line, fault->text);
    if (fault->kind == SIS_FAULT_SCENE) return complain(EXIT_SCENE, "%s: %s", name, fault->text);
    return complain_fault(fault);
}

int job_load(job* j, const options* o) {
    *j = (job){.scheme = o->scheme};
    sis_clean(sis_text_file(o->scene), j->name, sizeof j->name);
    int code = load(j, o);
    if (!code) code = keep_settings(j, o);
    if (!code && o->sound) code = outside_open(j, o);
    if (code) return code;
    if (!moves(j))
        return complain(
            EXIT_SCENE,
            "%s: the scene has nothing that moves: add mass{}, string{}, plate{} or modal{}",
            sis_script_name(j->script));
    j->render = sis_scene_render(sis_script_scene(j->script));
    code = plan(j, o);
    if (!code && o->sound) code = outside_connect(j);
    if (code || o->midi) return code;
    return notes_given(o) ? notes_play(j, o) : notes_strike(j);
}

int job_open(job* j, const options* o) {
    int code = job_load(j, o);
    return code ? code : job_compile(j);
}

void job_close(job* j) {
    sis_input_curves_close(&j->gestures);
    free(j->settings);
    sis_system_free(j->system);
    sis_script_free(j->script);
}

int job_window(const job* j, const options* o, double* from, double* to) {
    double end = (double)j->plan.rows / j->plan.rate;
    *from = isnan(o->from) ? 0 : o->from;
    *to = isnan(o->to) ? end : fmin(o->to, end);
    if (!(*from < end))
        return complain(EXIT_USAGE, "--from %g s is not before the end of the run at %g s", *from,
                        end);
    if (!(*from < *to))
        return complain(EXIT_USAGE, "--from %g s must be before --to %g s", *from, *to);
    return EXIT_DONE;
}

const char* job_title(const job* j) {
    return j->render.title && *j->render.title ? j->render.title : j->name;
}
