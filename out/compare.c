#include "compare.h"

#include "compare_pass.h"
#include "probes.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX   2000000  // compared
#define VALUES_MAX 16000000 // rows times probes: 128 MB

// ---------------------------------------------------------------------------- what is compared

static sis_system* compile(const sis_compare* c, sis_scheme scheme, double rate, sis_error* error) {
    sis_options how = {.rate = rate, .scheme = scheme};
    return sis_compile(c->scene, &how, error);
}

/** The scene with any scheme that it takes: what it consists of is the same for all. NULL: it takes
 *  none, or *starved: there is no memory to see. */
static sis_system* compile_any(const sis_compare* c, sis_options* how, bool* starved) {
    *how = (sis_options){.rate = sis_plan_step_rate(&c->plan)};
    sis_system* system = NULL;
    *starved = false;
    for (int i = SIS_SCHEME_AS_GIVEN; !system && !*starved && i < SIS_SCHEME_COUNT; i++) {
        sis_error error = {.status = SIS_OK};
        how->scheme = (sis_scheme)i;
        system = sis_compile(c->scene, how, &error);
        *starved = error.status == SIS_NO_MEMORY;
    }
    return system;
}

/** A scene without probes is compared by where its bodies are. */
static bool provide_probes(sis_compare* c, sis_fault* fault) {
    static const sis_quantity displacement = SIS_QUANTITY_DISPLACEMENT;
    for (sis_id id = 0; id < sis_scene_count(c->scene); id++)
        if (sis_scene_kind(c->scene, id) == SIS_KIND_PROBE) return true;
    c->added_probes = true;
    sis_options how;
    bool starved;
    sis_system_free(compile_any(c, &how, &starved)); // to know how it is compiled
    if (starved) return sis_fault_no_memory(fault);
    return sis_probes_add_bodies(c->scene, &how, &displacement, 1, fault);
}

static bool prepare(sis_compare* c, sis_fault* fault) {
    if (!provide_probes(c, fault)) return false;
    sis_options how;
    bool starved;
    c->model = compile_any(c, &how, &starved);
    if (starved) return sis_fault_no_memory(fault);
    if (!c->model) return true; // every scheme will say why
    c->probe_count = sis_system_probe_count(c->model);
    for (int32_t i = 0; i < sis_system_link_count(c->model); i++)
        c->contact_count += sis_system_link(c->model, i).kind == SIS_KIND_CONTACT;
    return sis_collider_watch(c->scene, c->model, c->probe_count, &c->subject, fault);
}

/** The rows from `from` to `to`, if they can be held. */
static bool make_room(sis_compare* c, sis_fault* fault) {
    // A row that is meant may be missed by a rounding of from * rate.
    double first = ceil(c->from * c->plan.rate - 1e-6);
    double end = fmin(floor(c->to * c->plan.rate + 1e-6) + 1, (double)c->plan.rows);
    if (!(end > first)) first = end - 1;
    c->first_row = (uint64_t)first;
    c->row_count = (uint64_t)(end - first);
    double most = fmin(ROWS_MAX, floor((double)VALUES_MAX / fmax(1, c->probe_count)));
    if ((double)c->row_count > most)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "%llu samples of %d %s are too many to compare: at most %.0f can "
                             "be held, so choose --to %.6g or a shorter --duration",
                             (unsigned long long)c->row_count, (int)c->probe_count,
                             sis_plural((uint64_t)c->probe_count, "probe", "probes"), most,
                             c->from + floor(most * 0.999) / c->plan.rate);
    c->column_count = c->row_count < SIS_COLUMNS ? (int32_t)c->row_count : SIS_COLUMNS;
    c->rows = calloc((size_t)c->row_count * ((size_t)c->probe_count + 1), sizeof *c->rows);
    c->peaks = calloc((size_t)c->probe_count + 1, sizeof *c->peaks);
    return (c->rows && c->peaks) || sis_fault_no_memory(fault);
}

// ---------------------------------------------------------------------------- the reference

/** What rings has no exit speed: the picture looks at its first periods. */
static void zoom_to_string(sis_compare* c, double end) {
    double frequency = 0; // of the slowest
    for (int32_t i = 0; i < sis_system_body_count(c->model); i++) {
        sis_body_info body = sis_system_body(c->model, i);
        if (!sis_kind_places(body.kind) || !(body.frequency > 0)) continue;
        frequency = frequency > 0 ? fmin(frequency, body.frequency) : body.frequency;
    }
    if (!(frequency > 0)) return;
    c->zoom_from = (double)c->first_row / c->plan.rate;
    c->zoom_to = c->zoom_from + SIS_COMPARE_PERIODS / frequency;
    if (c->zoom_to - c->zoom_from > 0.7 * (end - c->zoom_from)) c->zoom_to = c->zoom_from;
}

/** Where the picture looks closely: the first contact and as much again around it. */
static void set_zoom(sis_compare* c) {
    const sis_departure* d = &c->departure;
    double step = 1 / sis_plan_step_rate(&c->plan);
    double end = (double)(c->first_row + c->row_count) / c->plan.rate;
    if (!d->closed) {
        if (!*c->subject.name) zoom_to_string(c, end);
        return;
    }
    double from = (double)d->began * d->k;
    double to = d->opened ? (double)d->ended * d->k : end;
    double length = fmax(to - from, 4 * step);
    c->zoom_from = fmax(0, from - 0.6 * length);
    c->zoom_to = fmin(end, to + 1.0 * length);
    if (c->zoom_to - c->zoom_from > 0.7 * end) c->zoom_to = c->zoom_from;
}

/** Two runs: the first at half the factor, to see how far the second can be trusted. */
static bool run_reference(sis_compare* c, sis_scheme scheme, sis_fault* fault) {
    sis_contender* r = &c->reference;
    for (int round = 0; round < 2; round++) {
        int32_t factor = round ? c->factor : c->factor / 2;
        sis_error error = {.status = SIS_OK};
        sis_contender_close(r);
        *r = (sis_contender){.scheme = scheme};
        r->rate = sis_plan_step_rate(&c->plan) * factor;
        sis_system* system = compile(c, scheme, r->rate, &error);
        if (!system) {
            snprintf(r->why, sizeof r->why, "%s", error.text);
            r->about = error;
            return error.status != SIS_NO_MEMORY || sis_fault_no_memory(fault);
        }
        bool fine = sis_compare_pass(c, r, system, factor,
                                     round ? SIS_PASS_REFERENCE : SIS_PASS_DRAFT, fault);
        sis_system_free(system);
        if (!fine) return false;
        if (!r->ran) return true;
        if (!round) set_zoom(c);
    }
    return true;
}

/** The most accurate scheme that the scene takes. */
static bool find_reference(sis_compare* c, sis_fault* fault) {
    static const sis_scheme best[] = {SIS_SCHEME_EXACT, SIS_SCHEME_INVARIANT, SIS_SCHEME_NEWTON,
                                      SIS_SCHEME_LEDGER};
    for (int i = 0; c->model && !c->reference.ran && i < 4; i++)
        if (!run_reference(c, best[i], fault)) return false;
    return true;
}

// ---------------------------------------------------------------------------- the schemes

static bool contend(sis_compare* c, sis_contender* who, sis_fault* fault) {
    sis_error error = {.status = SIS_OK};
    who->rate = sis_plan_step_rate(&c->plan);
    sis_system* system = compile(c, who->scheme, who->rate, &error);
    if (!system) {
        who->refused = true;
        snprintf(who->why, sizeof who->why, "%s", error.text);
        who->about = error;
        return error.status != SIS_NO_MEMORY || sis_fault_no_memory(fault);
    }
    bool fine = sis_compare_pass(c, who, system, 1, SIS_PASS_SCHEME, fault) &&
                (!who->ran || sis_compare_cost(c, who, system, fault));
    sis_system_free(system);
    double exact = c->reference.ran ? c->reference.exit_speed : nan("");
    who->exit_error = exact > 0 ? who->exit_speed / exact - 1 : nan("");
    return fine;
}

bool sis_compare_go(sis_compare* c, sis_fault* fault) {
    if (!prepare(c, fault) || !make_room(c, fault)) return false;
    uint64_t steps = (c->first_row + c->row_count) * (uint64_t)c->plan.oversample;
    c->steps_planned = steps * (uint64_t)(c->factor + c->factor / 2 + c->scheme_count);
    if (!find_reference(c, fault)) return false;
    for (int32_t i = 0; i < c->scheme_count; i++) {
        sis_contender* who = &c->contenders[c->count++];
        who->scheme = c->schemes[i];
        if (!contend(c, who, fault)) return false;
        c->ran += who->ran;
        if (!who->ran && c->only_possible && who->refused) {
            if (!*c->refusal) {
                snprintf(c->refusal, sizeof c->refusal, "%.*s", (int)sizeof c->refusal - 1,
                         who->why);
                c->refused = who->about;
            }
            sis_contender_close(who);
            *who = (sis_contender){0};
            c->count--;
        }
    }
    return true;
}

void sis_compare_close(sis_compare* c) {
    for (int32_t i = 0; i < c->count; i++)
        sis_contender_close(&c->contenders[i]);
    sis_contender_close(&c->reference);
    sis_system_free(c->model);
    free(c->rows);
    free(c->peaks);
}
