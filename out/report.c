#include "report.h"

#include "files.h"
#include "text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

// The builders below may return NULL when memory runs out, and the *_new functions of jansson take
// NULL as a failed element. So failures are counted in one place: `complete` of the writer.
typedef struct writer {
    const sis_report* report;
    bool complete;
} writer;

static void set(writer* w, json_t* object, const char* key, json_t* value) {
    if (json_object_set_new(object, key, value) != 0) w->complete = false;
}

static void append(writer* w, json_t* list, json_t* value) {
    if (json_array_append_new(list, value) != 0) w->complete = false;
}

/** What is not finite has no number in JSON. */
static json_t* number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

/** A rate is mostly a whole number and then written as people write it. */
static json_t* plain(double value) {
    bool whole_number = value == floor(value) && fabs(value) < 1e15;
    return whole_number ? json_integer((json_int_t)value) : number(value);
}

static json_t* text(const char* raw) {
    char* clean = sis_text_clean(raw ? raw : "");
    json_t* value = clean ? json_string(clean) : NULL;
    free(clean);
    return value;
}

static json_t* whole(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t* bodies(writer* w) {
    json_t* list = json_array();
    for (int32_t i = 0; i < sis_system_body_count(w->report->system); i++) {
        sis_body_info info = sis_system_body(w->report->system, i);
        json_t* body = json_object();
        set(w, body, "name", text(info.name));
        set(w, body, "kind", text(sis_kind_word(info.kind)));
        set(w, body, "driven", json_boolean(info.driven));
        set(w, body, "frequency", number(info.frequency));
        set(w, body, "margin", number(info.margin));
        append(w, list, body);
    }
    return list;
}

static json_t* link_object(writer* w, int32_t i, const sis_link_info* info) {
    sis_link_report r = sis_state_link(w->report->system, w->report->state, i);
    json_t* link = json_object();
    set(w, link, "name", text(info->name));
    set(w, link, "above", text(info->above));
    set(w, link, "below", text(info->below));
    if (info->kind == SIS_KIND_CONTACT) set(w, link, "scheme", text(sis_scheme_word(info->scheme)));
    set(w, link, "points", json_integer(info->points));
    set(w, link, "max_penetration", number(r.max_penetration));
    set(w, link, "max_force", number(r.max_force));
    set(w, link, "min_force", number(r.min_force));
    set(w, link, "trapped_max", number(sis_tally_relative(w->report->tally, r.trapped_max)));
    set(w, link, "contact_samples", whole(r.contact_samples));
    set(w, link, "iterations_max", whole(r.iterations_max));
    double mean = r.iterated_samples ? (double)r.iterations / (double)r.iterated_samples : 0;
    set(w, link, "iterations_mean", number(mean));
    set(w, link, "powers_max", whole(r.powers_max));
    set(w, link, "block_size", json_integer(info->block_size));
    return link;
}

static json_t* links(writer* w, sis_kind kind) {
    json_t* list = json_array();
    for (int32_t i = 0; i < sis_system_link_count(w->report->system); i++) {
        sis_link_info info = sis_system_link(w->report->system, i);
        if (info.kind == kind) append(w, list, link_object(w, i, &info));
    }
    return list;
}

static json_t* probes(writer* w) {
    json_t* list = json_array();
    const sis_tally* tally = w->report->tally;
    for (int32_t i = 0; i < tally->probe_count; i++) {
        sis_probe_info info = sis_system_probe(w->report->system, i);
        json_t* probe = json_object();
        set(w, probe, "name", text(info.name));
        set(w, probe, "on", text(info.on));
        set(w, probe, "unit", text(info.unit));
        set(w, probe, "channel", json_integer(info.channel));
        set(w, probe, "min", number(tally->probes[i].min));
        set(w, probe, "max", number(tally->probes[i].max));
        set(w, probe, "rms", number(sis_tally_rms(tally, i)));
        append(w, list, probe);
    }
    return list;
}

static json_t* params(writer* w) {
    json_t* list = json_array();
    for (int32_t i = 0; i < w->report->param_count; i++) {
        const sis_report_param* p = &w->report->params[i];
        json_t* param = json_object();
        set(w, param, "name", text(p->name));
        set(w, param, "value", number(p->value));
        set(w, param, "default", number(p->fallback));
        if (isfinite(p->min)) set(w, param, "min", number(p->min));
        if (isfinite(p->max)) set(w, param, "max", number(p->max));
        set(w, param, "unit", text(p->unit));
        set(w, param, "label", text(p->label));
        append(w, list, param);
    }
    return list;
}

static json_t* energy(writer* w) {
    const sis_tally* tally = w->report->tally;
    json_t* object = json_object();
    set(w, object, "initial", number(tally->initial));
    set(w, object, "final", number(tally->last.total));
    set(w, object, "max", number(tally->highest));
    set(w, object, "supplied", number(tally->last.supplied));
    set(w, object, "dissipated", number(tally->last.dissipated));
    set(w, object, "residual_max", number(sis_tally_relative(tally, tally->residual_max)));
    return object;
}

static json_t* speed(writer* w) {
    // A clock that did not advance must not divide by zero.
    double seconds = w->report->seconds > 1e-9 ? w->report->seconds : 1e-9;
    json_t* object = json_object();
    set(w, object, "seconds", number(seconds));
    set(w, object, "realtime_factor",
        number((double)w->report->plan.rows / w->report->plan.rate / seconds));
    return object;
}

static json_t* build(writer* w) {
    const sis_report* r = w->report;
    json_t* root = json_object();
    set(w, root, "version", text(sis_version()));
    set(w, root, "scene", text(r->scene));
    set(w, root, "title", text(r->title));
    set(w, root, "rate", plain(r->plan.rate));
    set(w, root, "oversample", json_integer(r->plan.oversample));
    set(w, root, "duration", plain(r->plan.duration));
    set(w, root, "samples", whole(r->plan.rows));
    set(w, root, "params", params(w));
    set(w, root, "bodies", bodies(w));
    set(w, root, "contacts", links(w, SIS_KIND_CONTACT));
    set(w, root, "springs", links(w, SIS_KIND_SPRING));
    set(w, root, "probes", probes(w));
    set(w, root, "energy", energy(w));
    set(w, root, "speed", speed(w));
    return root;
}

bool sis_report_write(const sis_report* report, int descriptor, sis_fault* fault) {
    writer w = {.report = report, .complete = true};
    json_t* root = build(&w);
    FILE* stream = w.complete ? sis_files_stream(descriptor, fault) : NULL;
    if (!w.complete) sis_fault_no_memory(fault);
    bool fine = stream != NULL;
    if (fine) {
        int failed = json_dumpf(root, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
        fputc('\n', stream);
        fine = sis_files_close_stream(stream, fault);
        if (fine && failed) fine = sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the report");
    }
    json_decref(root);
    return fine;
}
