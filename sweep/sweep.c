#include "sweep.h"

#include "collider.h"
#include "sound.h"
#include "sound_file.h"
#include "strike.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHARD_USUAL = 256 };

const char* sis_sounds_word(sis_sounds sounds) {
    static const char* const words[] = {"none", "wav", "flac", "npy"};
    return (unsigned)sounds < 4 ? words[sounds] : NULL;
}

// ---------------------------------------------------------------------------- the scene

static bool script_fault(const sis_script_error* error, sis_fault* fault) {
    if (error->status == SIS_SCRIPT_NO_MEMORY) return sis_fault_no_memory(fault);
    return sis_fault_set(fault,
                         error->status == SIS_SCRIPT_SETTING ? SIS_FAULT_REQUEST : SIS_FAULT_SCENE,
                         "%s", error->text);
}

static bool load_script(sis_sweep* s, sis_fault* fault) {
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    sis_script_free(s->script);
    s->script = sis_script_load_text(s->spec.scene, s->spec.scene_size, s->spec.scene_name,
                                     s->settings, s->setting_count, &error);
    return s->script || script_fault(&error, fault);
}

static bool copy_settings(sis_sweep* s, sis_fault* fault) {
    // Room for where every input may start.
    size_t room = (size_t)s->spec.setting_count + 1;
    s->settings = malloc(room * sizeof *s->settings);
    if (!s->settings) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < s->spec.setting_count; i++)
        s->settings[s->setting_count++] = s->spec.settings[i];
    return true;
}

// ---------------------------------------------------------------------------- curves

static int32_t find_curve(const sis_input_curves* curves, const char* name, size_t length) {
    for (int32_t i = 0; i < curves->count; i++)
        if (strlen(curves->curves[i].name) == length &&
            !strncmp(curves->curves[i].name, name, length))
            return i;
    return -1;
}

static bool read_curve(sis_sweep* s, const char* text, sis_fault* fault) {
    const char* equals = strchr(text, '=');
    int32_t which = -1;
    if (equals) {
        which = find_curve(&s->curves, text, (size_t)(equals - text));
        if (which < 0)
            return sis_fault_set(fault, SIS_FAULT_REQUEST, "--input: the scene has no input '%.*s'",
                                 (int)(equals - text), text);
    }
    return sis_input_curves_read(&s->curves, which, equals ? equals + 1 : text, fault);
}

/** A curve says where its input starts. */
static bool add_starts(sis_sweep* s, sis_fault* fault) {
    size_t room = (size_t)s->setting_count + (size_t)s->curves.count + 1;
    sis_setting* more = realloc(s->settings, room * sizeof *more);
    if (!more) return sis_fault_no_memory(fault);
    s->settings = more;
    for (int32_t i = 0; i < s->curves.count; i++) {
        const sis_input_curve* curve = &s->curves.curves[i];
        sis_input input = sis_script_input(s->script, i);
        if (!curve->count || curve->trigger) continue;
        double start = fmin(fmax(sis_input_curve_at(curve, 0), input.min), input.max);
        s->settings[s->setting_count++] = (sis_setting){.name = curve->name, .value = start};
    }
    return true;
}

static bool read_curves(sis_sweep* s, sis_fault* fault) {
    if (!s->spec.input_count) return true;
    if (!sis_strike_open(s->script, &s->curves, fault)) return false;
    for (int32_t i = 0; i < s->spec.input_count; i++)
        if (!read_curve(s, s->spec.inputs[i], fault)) return false;
    return add_starts(s, fault) && load_script(s, fault);
}

// ---------------------------------------------------------------------------- points

/** What is set or follows a curve cannot be an axis as well. */
static bool check_settings(const sis_sweep* s, sis_fault* fault) {
    for (int32_t a = 0; a < s->points.axis_count; a++)
        for (int32_t i = 0; i < s->setting_count; i++)
            if (!strcmp(s->points.axes[a].name, s->settings[i].name))
                return sis_fault_set(fault, SIS_FAULT_REQUEST, "--axis %s: %s sets it already",
                                     s->points.axes[a].name,
                                     i < s->spec.setting_count ? "--set or --preset"
                                                               : "the curve of --input");
    for (int32_t a = 0; a < s->points.axis_count; a++) // curves of triggers are no settings
        for (int32_t i = 0; i < s->curves.count; i++)
            if (s->curves.curves[i].count &&
                !strcmp(s->points.axes[a].name, s->curves.curves[i].name))
                return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                     "--axis %s: the curve of --input sets it already",
                                     s->points.axes[a].name);
    return true;
}

/** A fit seeks between two values; one value alone holds for all of its runs. */
static bool check_sought(const sis_points* p, sis_fault* fault) {
    for (int32_t i = 0; i < p->axis_count; i++) {
        const sis_axis* a = &p->axes[i];
        if (a->form != SIS_AXIS_DRAWN && a->count != 1)
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "--axis %s: a fit seeks between two values: write %s=from:to",
                                 a->name, a->name);
    }
    return true; // a search takes as many numbers as there may be axes
}

static bool read_points(sis_sweep* s, sis_fault* fault) {
    const sis_sweep_spec* spec = &s->spec;
    sis_points* p = &s->points;
    *p = (sis_points){
        .a4 = spec->a4, .random = spec->random, .seed = spec->seed, .draw = spec->draw};
    if (spec->pairs && !sis_points_pairs(p, spec->pairs, spec->pairs_name, s->script, fault))
        return false;
    for (int32_t i = 0; i < spec->axis_count; i++)
        if (!sis_points_axis(p, spec->axes[i], s->script, fault)) return false;
    if (spec->fit) p->random = SIS_FIT_MOST;
    if (spec->free && !p->random)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--free says what is drawn: give --random N");
    // Ranges that were given say what is drawn; else everything is.
    bool all = p->random && (spec->free || !p->drawn);
    if (spec->fit && !check_sought(p, fault)) return false;
    if (spec->fit && !spec->free && !p->drawn)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "nothing is sought: give --free A,B,... or --axis NAME=from:to");
    if (all && !sis_points_free(p, spec->free, s->settings, s->setting_count, s->script, fault))
        return false;
    return check_settings(s, fault) && sis_points_finish(p, fault);
}

// ---------------------------------------------------------------------------- measures

/** Without a list all functions of the file are measured; a fit may have some as goals already. */
static bool read_functions(sis_sweep* s, const sis_functions* own, sis_fault* fault) {
    const int32_t goals = s->measures.count;
    bool fine = true;
    for (int32_t i = 0; fine && i < sis_functions_count(own); i++) {
        const char* name = sis_functions_name(own, i);
        int32_t k = 0;
        while (k < goals && strcmp(s->measures.list[k].name, name) != 0)
            k++;
        fine = (s->spec.fit && k < goals) || sis_measures_read(&s->measures, name, own, fault);
    }
    return fine;
}

static bool read_measures(sis_sweep* s, sis_fault* fault) {
    const sis_sweep_spec* spec = &s->spec;
    sis_functions* own = NULL;
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    if (spec->functions) {
        own = sis_functions_open(spec->functions, spec->functions_size, spec->functions_name, 0,
                                 &error);
        if (!own && error.status == SIS_SCRIPT_NO_MEMORY) return sis_fault_no_memory(fault);
        if (!own) return sis_fault_set(fault, SIS_FAULT_REQUEST, "%s", error.text);
    }
    const char* list = spec->measures ? spec->measures : spec->fit ? NULL : "peak,rms,centroid";
    bool fine = !spec->fit || sis_target_goals(&s->target, spec->fit, &s->measures, own, fault);
    bool is_none = list && !*list && spec->caller.count; // those of the caller are enough
    fine = fine && (is_none || sis_measures_read(&s->measures, list, own, fault));
    fine = fine && (!own || spec->measures || read_functions(s, own, fault));
    for (int32_t i = 0; fine && i < spec->caller.count; i++)
        fine = sis_measures_add(&s->measures, spec->caller.names[i], fault);
    sis_functions_free(own);
    return fine;
}

static bool has_contact(const sis_system* system, const char* name) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        sis_link_info link = sis_system_link(system, i);
        if (link.kind == SIS_KIND_CONTACT && (!*name || !strcmp(link.name, name))) return true;
    }
    return false;
}

static bool has_collider(sis_sweep* s, const sis_system* system, sis_fault* fault) {
    sis_collider collider; // adds probes to the scene of this script, which is not run
    return sis_collider_watch(sis_script_scene(s->script), system, sis_system_probe_count(system),
                              &collider, fault) &&
           (*collider.name || sis_fault_set(fault, SIS_FAULT_SCENE,
                                            "%s: --measure exit_speed needs a mass that collides",
                                            sis_script_name(s->script)));
}

/** Whether the scene has what is to be measured. */
static bool check_measure(sis_sweep* s, const sis_measure* m, const sis_system* system,
                          sis_fault* fault) {
    bool contact = m->kind == SIS_MEASURE_CONTACT_TIME || m->kind == SIS_MEASURE_MAX_PENETRATION ||
                   m->kind == SIS_MEASURE_MAX_FORCE;
    if (contact && !has_contact(system, m->of))
        return sis_fault_set(fault, *m->of ? SIS_FAULT_REQUEST : SIS_FAULT_SCENE,
                             *m->of ? "--measure %s: the scene has no contact '%s'"
                                    : "--measure %s: the scene has no contact",
                             m->name, m->of);
    if (m->kind == SIS_MEASURE_ENERGY && m->time > s->plan.duration)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "--measure %s: the run ends at %g s",
                             m->name, s->plan.duration);
    if (m->kind == SIS_MEASURE_DISTANCE) s->hears = s->hears || s->spec.fit->sound.frames;
    if (m->kind == SIS_MEASURE_EXIT_SPEED) return has_collider(s, system, fault);
    s->hears = s->hears || sis_measure_hears(m);
    return true;
}

static bool check_measures(sis_sweep* s, sis_fault* fault) {
    sis_options how = {.rate = sis_plan_step_rate(&s->plan), .scheme = s->spec.scheme};
    sis_error error = {.status = SIS_REFUSED};
    sis_system* system = sis_compile(sis_script_scene(s->script), &how, &error);
    if (!system) {
        sis_script_error wrong;
        sis_script_locate(s->script, &error, &wrong);
        return script_fault(&wrong, fault);
    }
    bool fine = true;
    s->hears = s->spec.sounds != SIS_SOUNDS_NONE;
    s->channels = sis_sound_channels(system);
    for (int32_t i = 0; fine && i < s->measures.count; i++)
        fine = check_measure(s, &s->measures.list[i], system, fault);
    sis_system_free(system);
    if (fine && s->hears && s->channels < 1)
        fine = sis_fault_set(fault, SIS_FAULT_SCENE,
                             "%s: the scene has no sound to measure: no probe has a channel; add "
                             "probe{ on = ..., channel = 1 }",
                             sis_script_name(s->script));
    return fine;
}

/** Whether there can be such files. */
static bool check_sounds(const sis_sweep* s, sis_fault* fault) {
    sis_sound_spec file = {.rate = s->plan.rate, .channels = s->channels, .frames = s->plan.rows};
    if (s->spec.sounds != SIS_SOUNDS_WAV && s->spec.sounds != SIS_SOUNDS_FLAC) return true;
    file.format = s->spec.sounds == SIS_SOUNDS_FLAC ? SIS_SOUND_FLAC : SIS_SOUND_WAV;
    file.bits = s->spec.sounds == SIS_SOUNDS_FLAC ? SIS_SOUND_24 : SIS_SOUND_32F;
    return sis_sound_file_check(&file, fault);
}

static bool plan_runs(sis_sweep* s, sis_fault* fault) {
    const sis_sweep_spec* spec = &s->spec;
    sis_render_def render = sis_scene_render(sis_script_scene(s->script));
    return sis_plan_make(isnan(spec->rate) ? render.rate : spec->rate,
                         spec->oversample ? spec->oversample : render.oversample,
                         isnan(spec->duration) ? render.duration : spec->duration, &s->plan, fault);
}

/** Of a fit all runs are as long, and not longer than the sound they are compared with. */
static bool make_plan(sis_sweep* s, sis_fault* fault) {
    const sis_heard* sound = s->spec.fit ? &s->spec.fit->sound : NULL;
    if (!plan_runs(s, fault)) return false;
    if (!sound || !sound->frames) return true;
    s->spec.rate = s->plan.rate;
    double length = (double)sound->rows / sound->rate, fade = SIS_SOUND_FADE_SECONDS;
    if (length > 4 * fade) length -= fade; // sistrum render may have faded its end
    s->spec.duration = fmin(s->plan.duration, length);
    return plan_runs(s, fault) &&
           sis_target_hear(&s->target, s->spec.fit, s->plan.rate, s->plan.rows, fault);
}

// ---------------------------------------------------------------------------- columns

static bool is_column(const sis_sweep* s, const char* name) {
    static const char* const kept[] = {"idx", "index", "error", "rowid", "oid", "_rowid_"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!strcasecmp(kept[i], name)) return true;
    for (int32_t i = 0; i < s->column_count; i++)
        if (!strcasecmp(s->columns[i], name)) return true;
    return false;
}

/** Names of columns differ, whatever their case. A measure with the name of a param says so. */
static void add_column(sis_sweep* s, const char* name, const char* prefix) {
    char* column = s->columns[s->column_count];
    snprintf(column, SIS_COLUMN_NAME, "%s", name);
    if (is_column(s, column)) snprintf(column, SIS_COLUMN_NAME, "%s%s", prefix, name);
    for (int i = 2; is_column(s, column); i++)
        snprintf(column, SIS_COLUMN_NAME, "%s%s_%d", prefix, name, i);
    s->column_count++;
}

static void name_columns(sis_sweep* s) {
    for (int32_t i = 0; i < s->points.axis_count; i++)
        add_column(s, s->points.axes[i].name, "param_");
    for (int32_t i = 0; i < s->measures.count; i++)
        add_column(s, s->measures.list[i].name, "measured_");
}

// ---------------------------------------------------------------------------- all of it

/** Small studies have small blocks, so that they can be handed out evenly; a block of a study with
 * sounds is a shard. Follows from the study alone. */
static uint64_t choose_block(const sis_sweep* s) {
    if (s->spec.sounds != SIS_SOUNDS_NONE) return s->spec.shard;
    if (s->spec.fit) return 1;
    uint64_t block = s->points.count / 1024;
    return block < 1 ? 1 : block > 256 ? 256 : block;
}

static bool make(sis_sweep* s, sis_fault* fault) {
    if (!copy_settings(s, fault) || !load_script(s, fault) || !read_curves(s, fault) ||
        !read_points(s, fault) || !make_plan(s, fault) || !read_measures(s, fault) ||
        !check_measures(s, fault) || !check_sounds(s, fault))
        return false;
    if (!load_script(s, fault)) return false; // without the probes that were tried
    s->block = choose_block(s);
    name_columns(s);
    return sis_sweep_describe(s, fault);
}

sis_sweep* sis_sweep_new(const sis_sweep_spec* spec, sis_fault* fault) {
    sis_sweep* s = calloc(1, sizeof *s);
    if (!s) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    s->spec = *spec;
    if (!s->spec.shard) s->spec.shard = SHARD_USUAL;
    if (make(s, fault)) return s;
    sis_sweep_free(s);
    return NULL;
}

void sis_sweep_free(sis_sweep* sweep) {
    if (!sweep) return;
    sis_points_close(&sweep->points);
    sis_target_free(&sweep->target);
    sis_input_curves_close(&sweep->curves);
    sis_script_free(sweep->script);
    free(sweep->settings);
    free(sweep->text);
    free(sweep);
}

uint64_t sis_sweep_count(const sis_sweep* sweep) {
    return sweep->points.count;
}

uint64_t sis_sweep_blocks(const sis_sweep* sweep) {
    return (sweep->points.count + sweep->block - 1) / sweep->block;
}

void sis_row_free(sis_row* row) {
    free(row->files);
    row->files = NULL;
    row->file_bytes = row->file_room = 0;
}
