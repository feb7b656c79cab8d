// One run after another: settings, scene, system, samples, measures.

#include "collider.h"
#include "departure.h"
#include "note.h"
#include "sound.h"
#include "strike.h"
#include "sweep_shard.h"
#include "sweep_sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETTINGS_MORE = SIS_AXES_MOST + 4, // beside those of the study: axes and a note
    ROWS_MOST = 1 << 28                // of one sound
};

/** What a run listens to. */
typedef struct listener {
    double* frames; // [rows][channels] so far
    size_t room;    // numbers
    size_t filled;  // numbers
    sis_balance balance;
    sis_departure departure;
    double energy[SIS_MEASURES_MOST]; // J, of each measure of an energy
    uint64_t due[SIS_MEASURES_MOST];  // steps after which it is read; 0: never, or at the start
} listener;

struct sis_runner {
    const sis_sweep* sweep;
    const atomic_bool* stop;
    sis_setting* settings; // [setting_count]: of this run
    double* before;        // [setting_count]: values with which `system` was compiled
    int32_t setting_count;
    sis_note_settings note;
    double hz, velocity; // of the note; NaN: none
    sis_script* script;
    sis_system* system; // NULL: none yet
    sis_plan plan;
    sis_collider collider;
    void* memory; // of the state
    size_t memory_room;
    sis_input_curves gestures;
    listener ears;
    sis_ear ear;
    sis_packer packer;
    bool broken; // no row can be made: not the fault of this run
};

sis_runner* sis_runner_new(const sis_sweep* sweep, const atomic_bool* stop, sis_fault* fault) {
    sis_runner* r = calloc(1, sizeof *r);
    size_t room = (size_t)sweep->setting_count + SETTINGS_MORE;
    if (r) r->packer = (sis_packer){-1, -1, 0};
    if (r) r->settings = calloc(room, sizeof *r->settings);
    if (r) r->before = calloc(room, sizeof *r->before);
    if (!r || !r->settings || !r->before) {
        sis_runner_free(r);
        sis_fault_no_memory(fault);
        return NULL;
    }
    r->sweep = sweep;
    r->stop = stop;
    return r;
}

void sis_runner_free(sis_runner* r) {
    if (!r) return;
    sis_packer_close(&r->packer);
    sis_ear_free(&r->ear);
    sis_input_curves_close(&r->gestures);
    sis_system_free(r->system);
    sis_script_free(r->script);
    free(r->ears.frames);
    free(r->memory);
    free(r->settings);
    free(r->before);
    free(r);
}

// ---------------------------------------------------------------------------- settings

static void add_setting(sis_runner* r, const char* name, double value) {
    r->settings[r->setting_count++] = (sis_setting){.name = name, .value = value};
}

/** What is set in this run, always in the same order. */
static void choose_settings(sis_runner* r, const double* values) {
    const sis_sweep* s = r->sweep;
    r->setting_count = 0;
    r->hz = r->velocity = (double)NAN;
    for (int32_t i = 0; i < s->setting_count; i++)
        add_setting(r, s->settings[i].name, s->settings[i].value);
    for (int32_t i = 0; i < s->points.axis_count; i++) {
        const sis_axis* a = &s->points.axes[i];
        if (a->kind == SIS_AXIS_PARAM || a->kind == SIS_AXIS_INPUT)
            add_setting(r, a->name, values[i]);
        if (a->kind == SIS_AXIS_NOTE) r->hz = sis_points_hz(&s->points, values[i]);
        if (a->kind == SIS_AXIS_VELOCITY) r->velocity = values[i];
    }
    if (isnan(r->hz) && isnan(r->velocity)) return;
    sis_note_set(s->script, r->hz, r->velocity, &r->note);
    for (int32_t i = 0; i < r->note.count; i++)
        add_setting(r, r->note.settings[i].name, r->note.settings[i].value);
}

static bool is_compiled(const sis_runner* r) {
    for (int32_t i = 0; i < r->setting_count; i++)
        if (r->settings[i].value != r->before[i]) return false;
    return r->system != NULL;
}

// ---------------------------------------------------------------------------- the system

static bool locate(const sis_runner* r, const sis_error* error, sis_fault* fault) {
    sis_script_error wrong;
    sis_script_locate(r->script, error, &wrong);
    if (wrong.status == SIS_SCRIPT_NO_MEMORY) return sis_fault_no_memory(fault);
    return sis_fault_set(fault, SIS_FAULT_SCENE, "%s", wrong.text);
}

static bool plan_run(sis_runner* r, sis_fault* fault) {
    const sis_sweep_spec* spec = &r->sweep->spec;
    sis_render_def render = sis_scene_render(sis_script_scene(r->script));
    return sis_plan_make(isnan(spec->rate) ? render.rate : spec->rate,
                         spec->oversample ? spec->oversample : render.oversample,
                         isnan(spec->duration) ? render.duration : spec->duration, &r->plan, fault);
}

static bool compile(sis_runner* r, sis_fault* fault) {
    sis_options how = {.rate = sis_plan_step_rate(&r->plan), .scheme = r->sweep->spec.scheme};
    sis_error error = {.status = SIS_REFUSED};
    r->system = sis_compile(sis_script_scene(r->script), &how, &error);
    return r->system || locate(r, &error, fault);
}

/** Probes for the exit speed make it another system. */
static bool watch_collider(sis_runner* r, sis_fault* fault) {
    if (!sis_collider_watch(sis_script_scene(r->script), r->system,
                            sis_system_probe_count(r->system), &r->collider, fault))
        return false;
    sis_system_free(r->system);
    r->system = NULL;
    return compile(r, fault);
}

static void drop_system(sis_runner* r) {
    sis_system_free(r->system);
    r->system = NULL;
}

static bool load_system(sis_runner* r, sis_fault* fault) {
    const sis_sweep_spec* spec = &r->sweep->spec;
    sis_script_error error = {.status = SIS_SCRIPT_WRONG};
    drop_system(r);
    sis_script_free(r->script);
    r->script = sis_script_load_text(spec->scene, spec->scene_size, spec->scene_name, r->settings,
                                     r->setting_count, &error);
    if (!r->script && error.status == SIS_SCRIPT_NO_MEMORY) return sis_fault_no_memory(fault);
    if (!r->script) return sis_fault_set(fault, SIS_FAULT_SCENE, "%s", error.text);
    if (!plan_run(r, fault) || !compile(r, fault)) return false;
    for (int32_t i = 0; i < r->setting_count; i++)
        r->before[i] = r->settings[i].value;
    return !sis_measures_have(&r->sweep->measures, SIS_MEASURE_EXIT_SPEED) ||
           watch_collider(r, fault);
}

static bool make_system(sis_runner* r, sis_fault* fault) {
    if (load_system(r, fault)) return true;
    drop_system(r);
    return false;
}

static bool make_state(sis_runner* r, sis_state** state, sis_fault* fault) {
    size_t size = sis_state_size(r->system);
    if (size > r->memory_room) {
        free(r->memory);
        r->memory = aligned_alloc(SIS_STATE_ALIGN, size);
        r->memory_room = r->memory ? size : 0;
    }
    *state = r->memory ? sis_state_init(r->system, r->memory) : NULL;
    return *state || sis_fault_no_memory(fault);
}

// ---------------------------------------------------------------------------- gestures

static bool copy_curve(sis_input_curve* to, const sis_input_curve* from, sis_fault* fault) {
    to->given = from->given;
    if (!from->count) return true;
    to->points = malloc(2 * from->count * sizeof *to->points);
    if (!to->points) return sis_fault_no_memory(fault);
    memcpy(to->points, from->points, 2 * from->count * sizeof *to->points);
    to->count = to->room = from->count;
    return true;
}

static bool strike_axes(sis_runner* r, const double* values, double rate, sis_fault* fault) {
    for (int32_t a = 0; a < r->sweep->points.axis_count; a++) {
        if (r->sweep->points.axes[a].kind != SIS_AXIS_BLOW) continue;
        for (int32_t i = 0; i < r->gestures.count; i++) {
            sis_input_curve* curve = &r->gestures.curves[i];
            if (!strcmp(curve->name, r->sweep->points.axes[a].name) &&
                !sis_strike_blow(rate, values[a], curve, fault))
                return false;
        }
    }
    return true;
}

/** Curves of the study, then the note or the blows of this run. */
static bool make_gestures(sis_runner* r, const double* values, sis_fault* fault) {
    const sis_input_curves* given = &r->sweep->curves;
    double rate = sis_plan_step_rate(&r->plan);
    if (!sis_script_input_count(r->script)) return true;
    if (!sis_strike_open(r->script, &r->gestures, fault)) return false;
    for (int32_t i = 0; i < given->count && i < r->gestures.count; i++)
        if (!copy_curve(&r->gestures.curves[i], &given->curves[i], fault)) return false;
    r->gestures.rate = rate;
    bool note = !isnan(r->hz) || !isnan(r->velocity);
    bool fine = note ? sis_strike_note(r->script, rate, r->hz, r->velocity, r->sweep->spec.hold,
                                       &r->gestures, fault)
                     : sis_strike_plain(r->script, rate, &r->gestures, fault);
    return fine && strike_axes(r, values, rate, fault);
}

// ---------------------------------------------------------------------------- listening

/** Takes [count][channels] values: a sis_emit. */
static bool keep(void* self, const double* frames, int32_t count, sis_fault* fault) {
    sis_runner* r = self;
    size_t numbers = (size_t)count * (size_t)sis_sound_channels(r->system);
    if (r->ears.filled + numbers > r->ears.room)
        return sis_fault_set(fault, SIS_FAULT_RUN, "there are more samples than were planned");
    memcpy(r->ears.frames + r->ears.filled, frames, numbers * sizeof *frames);
    r->ears.filled += numbers;
    return true;
}

static bool make_ears(sis_runner* r, const sis_state* state, sis_fault* fault) {
    listener* l = &r->ears;
    double rate = sis_plan_step_rate(&r->plan);
    sis_energy start = sis_state_energy(r->system, state);
    size_t numbers = (size_t)r->plan.rows * (size_t)sis_sound_channels(r->system);
    l->balance = (sis_balance){0};
    sis_balance_add(&l->balance, &start, 1);
    l->departure = sis_departure_begin(rate);
    l->filled = 0;
    for (int32_t i = 0; i < r->sweep->measures.count; i++) {
        const sis_measure* m = &r->sweep->measures.list[i];
        bool energy = m->kind == SIS_MEASURE_ENERGY;
        double due = energy ? fmin(round(m->time * rate), (double)sis_plan_steps(&r->plan)) : 0;
        l->due[i] = (uint64_t)due;
        // Duration may follow from a param: what this run does not reach has no number.
        l->energy[i] = m->time > r->plan.duration ? (double)NAN : start.total;
        if (isnan(l->energy[i])) l->due[i] = 0;
    }
    if (!r->sweep->hears || numbers <= l->room) return true;
    if (r->plan.rows > ROWS_MOST)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "a sound of %llu samples cannot be measured",
                             (unsigned long long)r->plan.rows);
    free(l->frames);
    l->frames = malloc(numbers * sizeof *l->frames);
    l->room = l->frames ? numbers : 0;
    return l->frames || sis_fault_no_memory(fault);
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_runner* r = self;
    listener* l = &r->ears;
    uint64_t end = frames->first + (uint64_t)frames->count;
    if (r->stop && atomic_load(r->stop)) return sis_fault_set(fault, SIS_FAULT_RUN, "interrupted");
    sis_balance_add(&l->balance, frames->energy, frames->energies);
    for (int32_t i = 0; i < r->sweep->measures.count; i++)
        if (l->due[i] == end) l->energy[i] = sis_state_energy(r->system, frames->state).total;
    for (int32_t n = 0; *r->collider.name && n < frames->count; n++) {
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        sis_departure_add(&l->departure, frames->first + (uint64_t)n,
                          sis_collider_deepest(&r->collider, row), row[r->collider.velocity]);
    }
    return true;
}

static uint64_t next_cut(const void* self, uint64_t step) {
    const sis_runner* r = self;
    uint64_t next = UINT64_MAX;
    for (int32_t i = 0; i < r->sweep->measures.count; i++)
        if (r->ears.due[i] > step && r->ears.due[i] < next) next = r->ears.due[i];
    return next;
}

// ---------------------------------------------------------------------------- running

static bool run(sis_runner* r, sis_state* state, sis_fault* fault) {
    sis_sink sinks[2] = {{.self = r, .take = take, .next_cut = next_cut}};
    sis_sound* sound = NULL;
    sis_run go = {.system = r->system,
                  .state = state,
                  .steps = sis_plan_steps(&r->plan),
                  .sinks = sinks,
                  .sink_count = 1,
                  .seldom = true};
    if (r->sweep->hears) {
        sound = sis_sound_new(r->system, &r->plan, keep, r, fault);
        if (!sound) return false;
        sinks[go.sink_count++] = sis_sound_sink(sound);
    }
    if (sis_input_curves_move(&r->gestures)) {
        go.gestures = sis_input_curves_fill;
        go.gestures_self = &r->gestures;
    }
    bool fine = sis_run_go(&go, fault) && (!sound || sis_sound_finish(sound, fault));
    sis_sound_free(sound);
    return fine;
}

// ---------------------------------------------------------------------------- measures

static double over_contacts(const sis_runner* r, const sis_state* state, const sis_measure* m) {
    double most = 0;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        sis_link_info link = sis_system_link(r->system, i);
        if (link.kind != SIS_KIND_CONTACT || (*m->of && strcmp(link.name, m->of) != 0)) continue;
        sis_link_report report = sis_state_link(r->system, state, i);
        double value = m->kind == SIS_MEASURE_MAX_FORCE ? report.max_force
                       : m->kind == SIS_MEASURE_MAX_PENETRATION
                           ? report.max_penetration
                           : (double)report.contact_samples / sis_plan_step_rate(&r->plan);
        most = fmax(most, value);
    }
    return most;
}

/** Measures of the sound; those of own functions are made together, later. */
static bool hear(sis_runner* r, const sis_heard* heard, const sis_measure* m, double* value,
                 const char** why, sis_fault* fault) {
    switch (m->kind) {
    case SIS_MEASURE_CENTROID:
        return sis_heard_centroid(&r->ear, heard, value, why, fault);
    case SIS_MEASURE_PITCH:
        return sis_heard_pitch(&r->ear, heard, value, why, fault);
    case SIS_MEASURE_LOUDNESS:
        return sis_heard_loudness(&r->ear, heard, value, why, fault);
    case SIS_MEASURE_T60:
        *value = sis_heard_t60(&r->ear, heard, why);
        return true;
    case SIS_MEASURE_PEAK:
        *value = sis_heard_peak(heard);
        return true;
    case SIS_MEASURE_RMS:
        *value = sis_heard_rms(heard);
        return true;
    default:
        return true;
    }
}

/** A sentence for each thing that went wrong, as many as there is room for. */
static void add_sentence(sis_row* row, const char* sentence) {
    size_t used = row->failed ? strlen(row->error) : 0, room = sizeof row->error - used;
    int length = snprintf(row->error + used, room, "%s%.1000s", used ? "; " : "", sentence);
    if (used && length >= (int)room) row->error[used] = '\0';
    row->failed = true;
}

static void complain(sis_row* row, const char* name, const char* why) {
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s: %.800s", name, why);
    add_sentence(row, sentence);
}

static bool measure(sis_runner* r, const sis_heard* heard, const sis_state* state, int32_t i,
                    sis_row* row, sis_fault* fault) {
    const sis_measure* m = &r->sweep->measures.list[i];
    double* value = &row->values[r->sweep->points.axis_count + i];
    const char* why = "it is not a finite number";
    switch (m->kind) {
    case SIS_MEASURE_CONTACT_TIME:
    case SIS_MEASURE_MAX_PENETRATION:
    case SIS_MEASURE_MAX_FORCE:
        *value = over_contacts(r, state, m);
        break;
    case SIS_MEASURE_EXIT_SPEED:
        why = r->ears.departure.closed ? "it has not left its first contact when the run ends"
                                       : "nothing is touched";
        *value = r->ears.departure.speed;
        break;
    case SIS_MEASURE_RESIDUAL:
        *value = sis_balance_residual(&r->ears.balance);
        break;
    case SIS_MEASURE_ENERGY:
        why = "the run ends before";
        *value = r->ears.energy[i];
        break;
    case SIS_MEASURE_OWN:
    case SIS_MEASURE_DISTANCE:
    case SIS_MEASURE_CALLER:
        return true;
    default:
        if (!hear(r, heard, m, value, &why, fault)) return false;
    }
    if (isfinite(*value)) return true;
    *value = (double)NAN;
    complain(row, m->name, why);
    return true;
}

static bool call_own(sis_runner* r, sis_functions* own, double rate, sis_row* row,
                     sis_fault* fault) {
    for (int32_t i = 0; i < r->sweep->measures.count; i++) {
        const sis_measure* m = &r->sweep->measures.list[i];
        double value = (double)NAN;
        sis_script_error error = {.status = SIS_SCRIPT_OK};
        if (m->kind != SIS_MEASURE_OWN) continue;
        bool called = sis_functions_call(own, m->name, rate, &value, &error);
        if (!called && error.status == SIS_SCRIPT_NO_MEMORY) return sis_fault_no_memory(fault);
        bool finite = called && isfinite(value);
        row->values[r->sweep->points.axis_count + i] = finite ? value : (double)NAN;
        if (!finite) complain(row, m->name, called ? "it returned no finite number" : error.text);
    }
    return true;
}

/** Functions of the user start afresh for each sound: nothing is carried over from another run. */
static bool measure_own(sis_runner* r, const sis_heard* heard, sis_row* row, sis_fault* fault) {
    const sis_sweep_spec* spec = &r->sweep->spec;
    sis_script_error error = {.status = SIS_SCRIPT_OK};
    if (!sis_measures_have(&r->sweep->measures, SIS_MEASURE_OWN)) return true;
    sis_functions* own = sis_functions_open(spec->functions, spec->functions_size,
                                            spec->functions_name, (size_t)heard->rows, &error);
    bool given = own && sis_functions_give(own, r->ear.mono, (size_t)heard->rows, &error);
    bool fine = given ? call_own(r, own, heard->rate, row, fault)
                      : error.status != SIS_SCRIPT_NO_MEMORY || sis_fault_no_memory(fault);
    if (!given && fine) complain(row, "own measures", error.text);
    sis_functions_free(own);
    return fine;
}

/** Of a fit: its first measure follows from the sound and from those after it. */
static bool measure_distance(sis_runner* r, const sis_heard* heard, sis_row* row,
                             sis_fault* fault) {
    const sis_target* target = &r->sweep->target;
    double sound = 0, *value = &row->values[r->sweep->points.axis_count];
    if (target->levels && !sis_target_sound(target, &r->ear, heard, &sound, fault)) return false;
    double goals = sis_target_measures(target, value + 1);
    *value = sqrt(sound * sound + goals * goals);
    if (isfinite(*value)) return true;
    *value = (double)NAN;
    complain(row, "distance", isnan(sound) ? "the sound is silent" : "a measure has no number");
    return true;
}

/** Those of the caller are the last columns. */
static void measure_caller(sis_runner* r, const sis_heard* heard, sis_row* row) {
    const sis_caller_measures* caller = &r->sweep->spec.caller;
    if (!caller->count) return;
    int32_t first = r->sweep->column_count - caller->count;
    double* values = row->values + first;
    char why[1024] = "";
    bool fine = caller->make(caller->self, row->index, r->ear.mono, (size_t)heard->rows,
                             heard->rate, values, why);
    if (!fine) {
        char clean[1024];
        sis_clean(why, clean, sizeof clean);
        add_sentence(row, clean);
    }
    for (int32_t i = 0; i < caller->count; i++) {
        if (isfinite(values[i])) continue;
        values[i] = (double)NAN;
        if (fine) complain(row, caller->names[i], "it returned no finite number");
    }
}

/** Of FLAC files that are not normalised. */
static void complain_clipped(uint64_t samples, sis_row* row) {
    char why[128];
    snprintf(why, sizeof why, "%llu %s beyond full scale and clipped", (unsigned long long)samples,
             samples == 1 ? "sample is" : "samples are");
    complain(row, "sound", why);
}

static bool measure_all(sis_runner* r, const sis_state* state, sis_row* row, sis_fault* fault) {
    int32_t channels = sis_sound_channels(r->system);
    sis_heard heard = {.frames = r->ears.frames,
                       .rows = channels ? r->ears.filled / (size_t)channels : 0,
                       .channels = channels,
                       .rate = r->plan.rate};
    bool mixed = sis_measures_mix(&r->sweep->measures) || r->sweep->target.levels;
    if (mixed && !sis_ear_hear(&r->ear, &heard, fault)) return false;
    for (int32_t i = 0; i < r->sweep->measures.count; i++)
        if (!measure(r, &heard, state, i, row, fault)) return false;
    if (!measure_own(r, &heard, row, fault)) return false;
    if (r->sweep->spec.fit && !measure_distance(r, &heard, row, fault)) return false;
    measure_caller(r, &heard, row);
    if (r->sweep->spec.sounds == SIS_SOUNDS_NONE) return true;
    sis_render_def render = sis_scene_render(sis_script_scene(r->script));
    r->broken = !sis_packer_pack(&r->packer, r->sweep, &heard, render.title, row, fault);
    if (!r->broken && r->packer.clipped) complain_clipped(r->packer.clipped, row);
    return !r->broken;
}

// ---------------------------------------------------------------------------- one run

static bool make_run(sis_runner* r, sis_row* row, sis_fault* fault) {
    sis_state* state = NULL;
    choose_settings(r, row->values);
    return (is_compiled(r) || make_system(r, fault)) && make_state(r, &state, fault) &&
           make_gestures(r, row->values, fault) && make_ears(r, state, fault) &&
           run(r, state, fault) && measure_all(r, state, row, fault);
}

/** The sentence of a run that failed, with the line of the scene where there is one. */
static void explain(const sis_runner* r, const sis_fault* fault, sis_row* row) {
    sis_id id = r->script && *fault->object
                    ? sis_scene_find(sis_script_scene(r->script), fault->of, fault->object)
                    : SIS_NONE;
    int line = r->script ? (int)sis_script_line(r->script, id) : 0;
    char text[1024];
    if (line)
        snprintf(text, sizeof text, "%.200s:%d: %.800s", sis_script_name(r->script), line,
                 fault->text);
    else
        snprintf(text, sizeof text, "%s", fault->text);
    sis_clean(text, row->error, sizeof row->error);
    row->failed = true;
}

bool sis_runner_run(sis_runner* r, uint64_t index, sis_row* row, sis_fault* fault) {
    const sis_sweep* s = r->sweep;
    sis_fault own = {.kind = SIS_FAULT_NONE};
    row->index = index;
    row->failed = false;
    row->error[0] = '\0';
    row->file_bytes = 0;
    sis_points_at(&s->points, index, row->values);
    for (int32_t i = s->points.axis_count; i < s->column_count; i++)
        row->values[i] = (double)NAN;
    if (make_run(r, row, &own)) return true;
    if (own.starved || r->broken || (r->stop && atomic_load(r->stop))) {
        if (fault) *fault = own;
        return false;
    }
    explain(r, &own, row);
    row->file_bytes = 0;
    for (int32_t i = s->points.axis_count; i < s->column_count; i++)
        row->values[i] = (double)NAN;
    return true;
}
