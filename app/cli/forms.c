#include "forms.h"

#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_a(const job* j, sis_kind kind, const char* name) {
    return sis_scene_find(sis_script_scene(j->script), kind, name) != SIS_NONE;
}

/** Whether the name is that of a body with places. */
static bool is_placed(const job* j, const char* name) {
    for (int kind = 0; kind < SIS_KIND_COUNT; kind++)
        if (sis_kind_places((sis_kind)kind) && is_a(j, (sis_kind)kind, name)) return true;
    return false;
}

/** Whether the name is that of a barrier and of nothing that moves. */
static bool is_wall(const job* j, const char* name) {
    return is_a(j, SIS_KIND_BARRIER, name) && !is_a(j, SIS_KIND_MASS, name) && !is_placed(j, name);
}

/** Whether the name is that of a mass and of nothing else: closed forms are those of masses. */
static bool is_mass(const job* j, const char* name) {
    return is_a(j, SIS_KIND_MASS, name) && !is_placed(j, name);
}

/** The velocity that a mass starts with, m/s; NaN: unknown. Read from the first row of a system
 * with one more probe: the scene is not used any more after that. */
static double initial_velocity(const job* j, const char* name) {
    sis_scene* scene = sis_script_scene(j->script);
    sis_probe_def probe = sis_probe_default();
    probe.on = sis_scene_find(scene, SIS_KIND_MASS, name);
    probe.quantity = SIS_QUANTITY_VELOCITY;
    double velocity = nan("");
    if (probe.on == SIS_NONE || sis_scene_add_probe(scene, &probe, NULL) == SIS_NONE)
        return velocity;
    sis_options how = {.rate = sis_system_rate(j->system), .scheme = j->scheme};
    sis_system* system = sis_compile(scene, &how, NULL);
    sis_state* state = system ? sis_run_state(system, NULL) : NULL;
    int32_t count = system ? sis_system_probe_count(system) : 0;
    double* row = calloc((size_t)count + 1, sizeof *row);
    if (state && row) {
        sis_block block = {.frames = 1, .probes = row};
        sis_step(system, state, &block);
        velocity = row[count - 1];
    }
    free(row);
    free(state);
    sis_system_free(system);
    return velocity;
}

/** "at 1 m/s (assumed): 38.9 µm deep, ..." for a free mass that meets the wall. */
static void tell_impact(table* t, const job* j, const sis_link_info* link) {
    bool above = is_wall(j, link->below); // the mass
    double velocity = initial_velocity(j, above ? link->above : link->below);
    double towards = above ? -velocity : velocity;
    bool known = towards > 0;
    sis_impact impact = {link->mass, link->K, link->alpha, link->mu, known ? towards : 1};
    char in[48], out[48], fit[48], deep[48], lasts[48];
    double duration = sis_impact_duration(&impact);
    sis_unit_print(in, sizeof in, impact.speed, "m/s", 4);
    sis_unit_print(out, sizeof out, sis_impact_exit_speed(&impact), "m/s", 6);
    sis_unit_print(fit, sizeof fit, sis_impact_exit_speed_fit(&impact), "m/s", 6);
    sis_unit_print(deep, sizeof deep, sis_impact_max_depth(&impact), "m", 4);
    sis_unit_print(lasts, sizeof lasts, duration, "s", 4);
    table_row(t);
    table_cell(t, 0, "%s", link->name);
    table_cell(t, 1, "in at %s (%s)", in, known ? "initial" : "assumed");
    table_cell(t, 2, "%s deep", deep);
    table_cell(t, 3, "%s, %.4g steps", lasts, duration * sis_system_rate(j->system));
    table_cell(t, 4, "out at %s (fit %s)", out, fit);
    table_cell(t, 5, "restitution %.4g", sis_impact_restitution(&impact));
}

void tell_impacts(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info link = sis_system_link(j->system, i);
        bool power = link.kind == SIS_KIND_CONTACT && sis_law_sides(link.law) == link.law;
        bool opens = power && link.law != SIS_LAW_TWO_SIDED && link.K > 0;
        if (opens && is_wall(j, link.above) != is_wall(j, link.below)) {
            const char* other = is_wall(j, link.below) ? link.above : link.below;
            if (is_mass(j, other) && link.mass > 0 && isfinite(link.mass))
                tell_impact(&t, j, &link);
        }
    }
    table_print(&t, "impacts");
}

/** What the limit of a linear contact says of it; "" when there is none to say. */
static void judge_roots(char* text, size_t size, const sis_link_info* link, double rate) {
    double q = link->K / (rate * rate) / link->mass, limit = sis_root_limit(link->s, link->law);
    *text = 0;
    if (link->alpha != 1 || !(link->mass > 0) || isnan(limit)) return;
    if (isinf(limit))
        snprintf(text, size, "K k^2/M = %.4g: real at every rate", q);
    else if (q <= limit)
        snprintf(text, size, "K k^2/M = %.4g: real up to %.4g", q, limit);
    else
        snprintf(text, size,
                 "K k^2/M = %.4g: real up to %.4g only, that is from %.6g steps per second on", q,
                 limit, rate * sqrt(q / limit));
}

void tell_roots(const job* j, const sis_link_report* reports) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info link = sis_system_link(j->system, i);
        if (link.kind != SIS_KIND_CONTACT || link.scheme != SIS_SCHEME_ROOT) continue;
        char limit[160];
        judge_roots(limit, sizeof limit, &link, sis_system_rate(j->system));
        table_row(&t);
        table_cell(&t, 0, "%s", link.name);
        table_cell(&t, 1, "s = %g", link.s);
        const char* separator = *limit ? "; " : "";
        if (reports[i].complex_roots)
            table_rest(&t, "%s%scomplex at sample %llu (discriminant %.3g): %s", limit, separator,
                       (unsigned long long)reports[i].first_complex, reports[i].discriminant,
                       link.clamp ? "energy breaks there" : "a run stops there");
        else
            table_rest(&t, "%s%sreal in the dry run", limit, separator);
    }
    table_print(&t, "roots");
}
