#include "report.h"

#include "facts.h"
#include "json.h"
#include "sound_json.h"

#include <math.h>

typedef struct writer {
    const sis_report* report;
    sis_json json;
} writer;

static void set(writer* w, json_t* object, const char* key, json_t* value) {
    sis_json_set(&w->json, object, key, value);
}

static void append(writer* w, json_t* list, json_t* value) {
    sis_json_append(&w->json, list, value);
}

static json_t* word(sis_kind kind, const char* key, int value) {
    char text[64];
    return sis_json_text(sis_fact_word(kind, key, value, text, sizeof text));
}

static void string_keys(writer* w, json_t* body, const sis_body_info* info) {
    set(w, body, "model", word(SIS_KIND_STRING, "model", (int)info->model));
    set(w, body, "segments", json_integer(info->segments));
    set(w, body, "h_over_hmin", sis_json_number(info->h_over_hmin));
    set(w, body, "length", sis_json_number(info->length));
    set(w, body, "ends", word(SIS_KIND_STRING, "ends", (int)info->ends));
    set(w, body, "tuned", json_boolean(info->tuned));
    if (info->model == SIS_STRING_IMPLICIT) set(w, body, "gamma", sis_json_number(info->gamma));
    if (info->model == SIS_STRING_MODAL) set(w, body, "modes", json_integer(info->modes));
    if (info->nonlinear != SIS_LINEAR)
        set(w, body, "nonlinear", word(SIS_KIND_STRING, "nonlinear", (int)info->nonlinear));
}

/** Two numbers in a list. */
static json_t* pair(writer* w, json_t* one, json_t* other) {
    json_t* list = json_array();
    append(w, list, one);
    append(w, list, other);
    return list;
}

static void plate_keys(writer* w, json_t* body, const sis_body_info* info) {
    set(w, body, "model", word(SIS_KIND_PLATE, "model", (int)info->plate_model));
    set(w, body, "segments", pair(w, json_integer(info->segments), json_integer(info->segments_y)));
    if (info->h_over_hmin > 0) set(w, body, "h_over_hmin", sis_json_number(info->h_over_hmin));
    set(w, body, "size", pair(w, sis_json_number(info->length), sis_json_number(info->width)));
    set(w, body, "edge", word(SIS_KIND_PLATE, "edge", (int)info->ends));
    set(w, body, "tuned", json_boolean(info->tuned));
    if (info->plate_model == SIS_PLATE_MODAL) set(w, body, "modes", json_integer(info->modes));
}

static void modal_keys(writer* w, json_t* body, const sis_body_info* info) {
    set(w, body, "modes", json_integer(info->modes));
    set(w, body, "places", json_integer(info->points));
}

static json_t* bodies(writer* w) {
    json_t* list = json_array();
    for (int32_t i = 0; i < sis_system_body_count(w->report->system); i++) {
        sis_body_info info = sis_system_body(w->report->system, i);
        json_t* body = json_object();
        set(w, body, "name", sis_json_text(info.name));
        set(w, body, "kind", sis_json_text(sis_kind_word(info.kind)));
        set(w, body, "driven", json_boolean(info.driven));
        set(w, body, "frequency", sis_json_number(info.frequency));
        set(w, body, "margin", sis_json_number(info.margin));
        if (info.kind == SIS_KIND_STRING) string_keys(w, body, &info);
        if (info.kind == SIS_KIND_PLATE) plate_keys(w, body, &info);
        if (info.kind == SIS_KIND_MODAL) modal_keys(w, body, &info);
        append(w, list, body);
    }
    return list;
}

/** The largest H of the run, J; NaN: not known. Between the steps whose energies were asked for
 * there may have been more, unless all there was is what it started with. */
static double largest_energy(const sis_report* report) {
    bool known = !report->driven || !report->tally->gaps;
    return known ? report->tally->balance.highest : nan("");
}

static void contact_keys(writer* w, json_t* link, const sis_link_info* info) {
    double bound = sis_fact_bound(info, largest_energy(w->report));
    set(w, link, "scheme", sis_json_text(sis_scheme_word(info->scheme)));
    set(w, link, "distributed", json_boolean(info->distributed));
    if (isfinite(bound)) set(w, link, "penetration_bound", sis_json_number(bound));
}

/** What only some of the schemes have to tell. */
static void scheme_keys(writer* w, json_t* link, const sis_link_info* info,
                        const sis_link_report* r) {
    set(w, link, "energy_min", sis_json_number(r->lowest));
    if (info->scheme == SIS_SCHEME_ROOT) {
        set(w, link, "s", sis_json_number(info->s));
        set(w, link, "energy_bound", sis_json_number(r->lowest_bound));
        set(w, link, "complex_roots", sis_json_whole(r->complex_roots));
    }
    if (info->scheme >= SIS_SCHEME_AM1) {
        set(w, link, "impacts", sis_json_whole(r->impacts));
        double count = r->impacts ? (double)r->impacts : 1;
        set(w, link, "drift_mean", sis_json_number(r->drift_sum / count));
        set(w, link, "drift_max", sis_json_number(r->drift_max));
    }
}

static void iteration_keys(writer* w, json_t* link, const sis_link_report* r) {
    double mean = r->iterated_samples ? (double)r->iterations / (double)r->iterated_samples : 0;
    set(w, link, "iterations_max", sis_json_whole(r->iterations_max));
    set(w, link, "iterations_mean", sis_json_number(mean));
}

/** A bow is on one body, and never closed or open. */
static json_t* bow_object(writer* w, int32_t i, const sis_link_info* info) {
    sis_link_report r = sis_state_link(w->report->system, w->report->state, i);
    json_t* bow = json_object();
    set(w, bow, "name", sis_json_text(info->name));
    set(w, bow, "on", sis_json_text(info->below));
    set(w, bow, "max_force", sis_json_number(r.max_force));
    set(w, bow, "min_force", sis_json_number(r.min_force));
    iteration_keys(w, bow, &r);
    set(w, bow, "block_size", json_integer(info->block_size));
    return bow;
}

static json_t* link_object(writer* w, int32_t i, const sis_link_info* info) {
    sis_link_report r = sis_state_link(w->report->system, w->report->state, i);
    json_t* link = json_object();
    set(w, link, "name", sis_json_text(info->name));
    set(w, link, "above", sis_json_text(info->above));
    set(w, link, "below", sis_json_text(info->below));
    if (info->kind == SIS_KIND_CONTACT) contact_keys(w, link, info);
    set(w, link, "points", json_integer(info->points));
    set(w, link, "points_max", sis_json_whole(r.points_max));
    set(w, link, "max_penetration", sis_json_number(r.max_penetration));
    set(w, link, "max_force", sis_json_number(r.max_force));
    set(w, link, "min_force", sis_json_number(r.min_force));
    set(w, link, "trapped_max", sis_json_number(sis_tally_share(w->report->tally, r.trapped_max)));
    set(w, link, "contact_samples", sis_json_whole(r.contact_samples));
    iteration_keys(w, link, &r);
    set(w, link, "powers_max", sis_json_whole(r.powers_max));
    set(w, link, "unconverged", sis_json_whole(r.unconverged));
    if (info->kind == SIS_KIND_CONTACT) scheme_keys(w, link, info, &r);
    set(w, link, "block_size", json_integer(info->block_size));
    return link;
}

static json_t* links(writer* w, sis_kind kind) {
    json_t* list = json_array();
    for (int32_t i = 0; i < sis_system_link_count(w->report->system); i++) {
        sis_link_info info = sis_system_link(w->report->system, i);
        if (info.kind != kind) continue;
        append(w, list, kind == SIS_KIND_BOW ? bow_object(w, i, &info) : link_object(w, i, &info));
    }
    return list;
}

static json_t* probes(writer* w) {
    json_t* list = json_array();
    const sis_tally* tally = w->report->tally;
    for (int32_t i = 0; i < tally->probe_count; i++) {
        sis_probe_info info = sis_system_probe(w->report->system, i);
        json_t* probe = json_object();
        set(w, probe, "name", sis_json_text(info.name));
        set(w, probe, "on", sis_json_text(info.on));
        set(w, probe, "unit", sis_json_text(info.unit));
        set(w, probe, "channel", json_integer(info.channel));
        set(w, probe, "min", sis_json_number(tally->probes[i].min));
        set(w, probe, "max", sis_json_number(tally->probes[i].max));
        set(w, probe, "rms", sis_json_number(sis_tally_rms(tally, i)));
        append(w, list, probe);
    }
    return list;
}

static json_t* params(writer* w) {
    json_t* list = json_array();
    for (int32_t i = 0; i < w->report->param_count; i++) {
        const sis_report_param* p = &w->report->params[i];
        json_t* param = json_object();
        set(w, param, "name", sis_json_text(p->name));
        set(w, param, "value", sis_json_number(p->value));
        set(w, param, "default", sis_json_number(p->fallback));
        if (isfinite(p->min)) set(w, param, "min", sis_json_number(p->min));
        if (isfinite(p->max)) set(w, param, "max", sis_json_number(p->max));
        set(w, param, "unit", sis_json_text(p->unit));
        set(w, param, "label", sis_json_text(p->label));
        append(w, list, param);
    }
    return list;
}

/** Inputs with their ranges; what a player or a curve gave beyond them was held to them. */
static json_t* inputs(writer* w) {
    json_t* list = json_array();
    const sis_report* r = w->report;
    for (int32_t i = 0; i < sis_system_input_count(r->system); i++) {
        sis_input_info info = sis_system_input(r->system, i);
        json_t* input = json_object();
        set(w, input, "name", sis_json_text(info.name));
        set(w, input, "value", sis_json_number(info.value));
        set(w, input, "min", sis_json_number(info.min));
        set(w, input, "max", sis_json_number(info.max));
        set(w, input, "clamped", sis_json_whole(sis_state_input_clamped(r->system, r->state, i)));
        set(w, input, "unit", sis_json_text(info.unit));
        set(w, input, "label", sis_json_text(*info.label ? info.label : info.name));
        set(w, input, "smooth", sis_json_number(info.smooth));
        set(w, input, "trigger", json_boolean(info.trigger));
        append(w, list, input);
    }
    return list;
}

static json_t* energy(writer* w) {
    const sis_tally* tally = w->report->tally;
    json_t* object = json_object();
    set(w, object, "initial", sis_json_number(tally->initial));
    set(w, object, "final", sis_json_number(tally->last.total));
    set(w, object, "max", sis_json_number(tally->balance.highest));
    set(w, object, "supplied", sis_json_number(tally->last.supplied));
    set(w, object, "dissipated", sis_json_number(tally->last.dissipated));
    set(w, object, "residual_max", sis_json_number(sis_balance_residual(&tally->balance)));
    double slept = w->report->slept; // s
    set(w, object, "sleeps_from", sis_json_number(slept > 0 ? slept : (double)NAN));
    return object;
}

static json_t* speed(writer* w) {
    // A clock that did not advance must not divide by zero.
    double seconds = w->report->seconds > 1e-9 ? w->report->seconds : 1e-9;
    json_t* object = json_object();
    set(w, object, "seconds", sis_json_number(seconds));
    set(w, object, "realtime_factor",
        sis_json_number((double)w->report->plan.rows / w->report->plan.rate / seconds));
    return object;
}

static json_t* build(writer* w) {
    const sis_report* r = w->report;
    json_t* root = json_object();
    set(w, root, "version", sis_json_text(sis_version()));
    set(w, root, "scene", sis_json_text(r->scene));
    set(w, root, "title", sis_json_text(r->title));
    set(w, root, "rate", sis_json_plain(r->plan.rate));
    set(w, root, "oversample", json_integer(r->plan.oversample));
    set(w, root, "duration", sis_json_plain(r->plan.duration));
    set(w, root, "samples", sis_json_whole(r->plan.rows));
    set(w, root, "params", params(w));
    set(w, root, "inputs", inputs(w));
    set(w, root, "bodies", bodies(w));
    set(w, root, "contacts", links(w, SIS_KIND_CONTACT));
    set(w, root, "springs", links(w, SIS_KIND_SPRING));
    set(w, root, "bows", links(w, SIS_KIND_BOW));
    set(w, root, "probes", probes(w));
    set(w, root, "sound", sis_sound_json(&w->json, r->sound, r->level));
    set(w, root, "energy", energy(w));
    set(w, root, "speed", speed(w));
    return root;
}

bool sis_report_write(const sis_report* report, int descriptor, sis_fault* fault) {
    writer w = {.report = report, .json = {.complete = true}};
    json_t* root = build(&w);
    return sis_json_write(&w.json, root, descriptor, fault);
}
