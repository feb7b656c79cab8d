#include "compare.h"
#include "json.h"

static json_t* exit_object(sis_json* json, const sis_compare* c) {
    const sis_departure* d = &c->departure;
    json_t* object = json_object();
    sis_json_set(json, object, "body", sis_json_text(c->subject.name));
    if (d->closed) sis_json_set(json, object, "touches", sis_json_number((double)d->began * d->k));
    if (d->opened) sis_json_set(json, object, "leaves", sis_json_number((double)d->ended * d->k));
    sis_json_set(json, object, "speed", sis_json_number(c->reference.exit_speed));
    return object;
}

static json_t* reference(sis_json* json, const sis_compare* c) {
    const sis_contender* r = &c->reference;
    if (!r->ran) return json_null();
    json_t* object = json_object();
    sis_json_set(json, object, "scheme", sis_json_text(sis_scheme_word(r->scheme)));
    sis_json_set(json, object, "factor", json_integer(c->factor));
    sis_json_set(json, object, "rate", sis_json_plain(r->rate));
    sis_json_set(json, object, "self_error", sis_json_number(r->error));
    sis_json_set(json, object, "self_good_until", sis_json_number(r->good_until));
    if (*c->subject.name) sis_json_set(json, object, "exit", exit_object(json, c));
    return object;
}

static json_t* errors(sis_json* json, const sis_compare* c, const sis_contender* who) {
    json_t* list = json_array();
    for (int32_t i = 0; i < c->probe_count; i++) {
        sis_probe_info info = sis_system_probe(c->model, i);
        json_t* probe = json_object();
        sis_json_set(json, probe, "name", sis_json_text(info.name));
        sis_json_set(json, probe, "peak", sis_json_number(c->peaks[i]));
        sis_json_set(json, probe, "unit", sis_json_text(info.unit));
        sis_json_set(json, probe, "error", sis_json_number(who->errors[i]));
        sis_json_append(json, list, probe);
    }
    return list;
}

static json_t* contender(sis_json* json, const sis_compare* c, const sis_contender* who) {
    json_t* object = json_object();
    sis_json_set(json, object, "scheme", sis_json_text(sis_scheme_word(who->scheme)));
    sis_json_set(json, object, "ran", json_boolean(who->ran));
    if (!who->ran) {
        sis_json_set(json, object, "why", sis_json_text(who->why));
        return object;
    }
    sis_json_set(json, object, "exit_speed", sis_json_number(who->exit_speed));
    sis_json_set(json, object, "exit_error", sis_json_number(who->exit_error));
    sis_json_set(json, object, "error_max", sis_json_number(who->error));
    sis_json_set(json, object, "good_until", sis_json_number(who->good_until));
    sis_json_set(json, object, "residual_max", sis_json_number(who->drift));
    sis_json_set(json, object, "min_force", sis_json_number(who->min_force));
    sis_json_set(json, object, "trapped_max", sis_json_number(who->trapped));
    sis_json_set(json, object, "iterations_mean", sis_json_number(who->iterations));
    sis_json_set(json, object, "ns_per_step", sis_json_number(who->nanoseconds));
    if (who->scheme == SIS_SCHEME_ROOT)
        sis_json_set(json, object, "complex_roots", sis_json_whole(who->complex_roots));
    if (who->scheme >= SIS_SCHEME_AM1) {
        sis_json_set(json, object, "impacts", sis_json_whole(who->impacts));
        sis_json_set(json, object, "drift_mean", sis_json_number(who->drift_mean));
        sis_json_set(json, object, "drift_max", sis_json_number(who->drift_max));
    }
    if (c->reference.ran) sis_json_set(json, object, "probes", errors(json, c, who));
    return object;
}

bool sis_compare_write(const sis_compare* c, const char* scene, int descriptor, sis_fault* fault) {
    sis_json json = {.complete = true};
    json_t* root = json_object();
    sis_json_set(&json, root, "version", sis_json_text(sis_version()));
    sis_json_set(&json, root, "scene", sis_json_text(scene));
    sis_json_set(&json, root, "rate", sis_json_plain(c->plan.rate));
    sis_json_set(&json, root, "oversample", json_integer(c->plan.oversample));
    sis_json_set(&json, root, "from", sis_json_plain((double)c->first_row / c->plan.rate));
    sis_json_set(&json, root, "samples", sis_json_whole(c->row_count));
    sis_json_set(&json, root, "reference", reference(&json, c));
    json_t* list = json_array();
    for (int32_t i = 0; i < c->count; i++)
        sis_json_append(&json, list, contender(&json, c, &c->contenders[i]));
    sis_json_set(&json, root, "schemes", list);
    return sis_json_write(&json, root, descriptor, fault);
}
