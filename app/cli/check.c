// sistrum check: what would run, how safely, how finely and how fast, without writing anything.

#include "check_network.h"
#include "check_plates.h"
#include "check_strings.h"
#include "forms.h"
#include "job.h"
#include "presets.h"
#include "probes.h"
#include "say.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// The dry run ends with whichever comes first.
#define DRY_STEPS   20000
#define DRY_SECONDS 0.2

// A contact that lasts this many steps is well resolved; below the second number its force has
// hardly any shape.
#define STEPS_FINE   10
#define STEPS_COARSE 4

/** How long one contact stays closed, in steps. */
typedef struct spell {
    uint64_t counted;           // samples inside the potential so far
    uint64_t now;               // of the spell going on, 0: open
    uint64_t count;             // spells
    uint64_t shortest, longest; // of those
} spell;

typedef struct dry {
    spell* spells;            // [link_count]
    sis_link_report* reports; // [link_count], at the end
    uint64_t steps;           // watched
    double energy;            // J, at the start
    double factor;            // times real time
} dry;

// ---------------------------------------------------------------------------- the dry run

static uint64_t every_step(const void* self, uint64_t step) {
    (void)self;
    return step + 1;
}

static void end_spell(spell* s) {
    if (!s->now) return;
    if (!s->count || s->now < s->shortest) s->shortest = s->now;
    if (s->now > s->longest) s->longest = s->now;
    s->count++;
    s->now = 0;
}

static bool watch(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    dry* d = self;
    for (int32_t i = 0; i < sis_system_link_count(frames->system); i++) {
        spell* s = &d->spells[i];
        d->reports[i] = sis_state_link(frames->system, frames->state, i);
        uint64_t counted = d->reports[i].contact_samples;
        if (counted > s->counted)
            s->now++;
        else
            end_spell(s);
        s->counted = counted;
    }
    return true;
}

static bool dry_run(job* j, const sis_sink* sink, sis_run* run, double* energy, sis_fault* fault) {
    uint64_t steps = sis_plan_steps(&j->plan);
    *run = (sis_run){.system = j->system,
                     .steps = steps < DRY_STEPS ? steps : DRY_STEPS,
                     .sinks = sink,
                     .sink_count = sink ? 1 : 0,
                     .lenient = true,
                     .patience = DRY_SECONDS};
    run->gestures_self = job_gestures(j);
    if (run->gestures_self) run->gestures = sis_input_curves_fill;
    run->state = sis_run_state(j->system, fault);
    if (!run->state) return false;
    *energy = sis_state_energy(j->system, run->state).total;
    bool fine = sis_run_go(run, fault);
    free(run->state);
    return fine;
}

/** Twice: in blocks to time it, and step by step to watch the contacts. */
static bool try_out(job* j, dry* d, sis_fault* fault) {
    size_t room = (size_t)sis_system_link_count(j->system) + 1;
    d->spells = calloc(room, sizeof *d->spells);
    d->reports = calloc(room, sizeof *d->reports);
    if (!d->spells || !d->reports) return sis_fault_no_memory(fault);
    sis_run run;
    if (!dry_run(j, NULL, &run, &d->energy, fault)) return false;
    double rate = sis_plan_step_rate(&j->plan);
    d->factor = (double)run.done / rate / (run.seconds > 1e-9 ? run.seconds : 1e-9);
    sis_sink sink = {.self = d, .take = watch, .next_cut = every_step};
    if (!dry_run(j, &sink, &run, &d->energy, fault)) return false;
    d->steps = run.done;
    return true;
}

// ---------------------------------------------------------------------------- telling

static void tell_run(const job* j) {
    char text[64];
    printf("%s\n", job_title(j));
    printf("%-10s%s at %g Hz, %llu %s", "run",
           sis_unit_print(text, sizeof text, j->plan.duration, "s", 6), j->plan.rate,
           (unsigned long long)j->plan.rows, sis_plural(j->plan.rows, "sample", "samples"));
    if (j->plan.oversample > 1)
        printf(", %d steps each (%g Hz)", (int)j->plan.oversample, sis_plan_step_rate(&j->plan));
    printf("\n");
}

static void tell_bodies(const job* j) {
    table t = {0};
    char text[64];
    table_row(&t);
    table_cell(&t, 0, "name");
    table_cell(&t, 1, "kind");
    table_cell(&t, 2, "frequency");
    table_cell(&t, 3, "margin");
    for (int32_t i = 0; i < sis_system_body_count(j->system); i++) {
        sis_body_info b = sis_system_body(j->system, i);
        table_row(&t);
        table_cell(&t, 0, "%s", b.name);
        table_cell(&t, 1, "%s", sis_kind_word(b.kind));
        if (b.kind == SIS_KIND_BARRIER) continue;
        if (b.driven) {
            table_cell(&t, 2, "driven along its path");
            continue;
        }
        // A clamped plate rings, but at no frequency in closed form.
        const char* none = b.kind == SIS_KIND_PLATE ? "not known" : "free";
        table_cell(&t, 2, "%s",
                   b.frequency > 0 ? sis_unit_print(text, sizeof text, b.frequency, "Hz", 6)
                                   : none);
        table_cell(&t, 3, "%.6g", b.margin);
        table_cell(&t, 4, b.margin > 0 ? "stable" : "unstable");
    }
    table_print(&t, "bodies");
}

/** Whether the shortest of some spells has enough steps. */
static void judge_spells(char* text, size_t size, const spell* s, const sis_plan* plan) {
    int more = (int)ceil(STEPS_FINE / (double)s->shortest);
    if (s->shortest >= STEPS_FINE)
        snprintf(text, size, "resolved");
    else
        snprintf(text, size, "%s, try --oversample %d",
                 s->shortest >= STEPS_COARSE ? "coarse" : "not resolved",
                 more * (int)plan->oversample);
}

/** "closed 3 times in the first 20 ms, for 11 to 14 steps: resolved". A contact of many points is
 *  closed while any of them is, which says nothing of the single ones. */
static void tell_spells(char* text, size_t size, const dry* d, int32_t link, int32_t points,
                        const sis_plan* plan) {
    const spell* s = &d->spells[link];
    char span[48];
    sis_unit_print(span, sizeof span, (double)d->steps / sis_plan_step_rate(plan), "s", 3);
    if (!s->count && s->now) {
        snprintf(text, size, "closed all the time at the end of the first %s", span);
    } else if (!s->count) {
        snprintf(text, size, "open during the first %s", span);
    } else {
        char range[64];
        if (s->shortest == s->longest)
            snprintf(range, sizeof range, "%llu", (unsigned long long)s->shortest);
        else
            snprintf(range, sizeof range, "%llu to %llu", (unsigned long long)s->shortest,
                     (unsigned long long)s->longest);
        int used = snprintf(text, size, "closed %llu %s in the first %s, for %s %s: ",
                            (unsigned long long)s->count, sis_plural(s->count, "time", "times"),
                            span, range, sis_plural(s->longest, "step", "steps"));
        if (used < 0 || (size_t)used >= size) return;
        if (points > 1)
            snprintf(text + used, size - (size_t)used, "up to %u %s at once",
                     (unsigned)d->reports[link].points_max,
                     sis_plural(d->reports[link].points_max, "point", "points"));
        else
            judge_spells(text + used, size - (size_t)used, s, plan);
    }
}

/** What is solved together; points of one contact may also be each other's company. */
static void tell_block(table* t, const sis_link_info* link) {
    if (link->block_size > 1 && link->block_size == link->points)
        table_cell(t, 3, "all points together");
    else if (link->block_size > 1 && link->points > 1)
        table_cell(t, 3, "in blocks, the first of %d points", (int)link->block_size);
    else if (link->block_size > 1)
        table_cell(t, 3, "with %d %s (block %d)", (int)link->block_size - 1,
                   sis_plural((uint64_t)link->block_size - 1, "other", "others"), (int)link->block);
    else
        table_cell(t, 3, link->points > 1 ? "each point alone" : "alone");
}

static void tell_links(const job* j, const dry* d, sis_kind kind, const char* heading) {
    table t = {0};
    char text[256];
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info link = sis_system_link(j->system, i);
        if (link.kind != kind) continue;
        if (!t.count) {
            table_row(&t);
            table_cell(&t, 0, "name");
            if (kind == SIS_KIND_CONTACT) table_cell(&t, 1, "scheme");
            table_cell(&t, 2, kind == SIS_KIND_CONTACT ? "above / below" : "between");
            table_cell(&t, 3, "solved");
            table_cell(&t, 4, "compliance");
        }
        table_row(&t);
        table_cell(&t, 0, "%s", link.name);
        if (kind == SIS_KIND_CONTACT) table_cell(&t, 1, "%s", sis_scheme_word(link.scheme));
        table_cell(&t, 2, "%s / %s", link.above, link.below);
        tell_block(&t, &link);
        table_cell(&t, 4, "%.4g m/N", link.compliance);
        if (kind != SIS_KIND_CONTACT) continue;
        tell_spells(text, sizeof text, d, i, link.points, &j->plan);
        table_cell(&t, 5, "%s", text);
    }
    table_print(&t, heading);
}

static void tell_probes(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_probe_count(j->system); i++) {
        sis_probe_info p = sis_system_probe(j->system, i);
        table_row(&t);
        table_cell(&t, 0, "%s", p.name);
        table_cell(&t, 1, "%s of %s (%s)", sis_quantity_word(p.quantity), p.on, p.unit);
        if (p.channel && p.gain != 1)
            table_cell(&t, 2, "channel %d, gain %g", (int)p.channel, p.gain);
        else if (p.channel)
            table_cell(&t, 2, "channel %d", (int)p.channel);
        else
            table_cell(&t, 2, "data only");
    }
    table_print(&t, "probes");
}

static void tell_params(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_script_param_count(j->script); i++) {
        sis_param p = sis_script_param(j->script, i);
        const char* space = *p.unit ? " " : "";
        table_row(&t);
        table_cell(&t, 0, "%s = %.6g%s%s", p.name, p.value, space, p.unit);
        bool low = isfinite(p.min), high = isfinite(p.max);
        if (low && high) table_cell(&t, 1, "%g to %g", p.min, p.max);
        if (low && !high) table_cell(&t, 1, "from %g", p.min);
        if (!low && high) table_cell(&t, 1, "up to %g", p.max);
        table_cell(&t, 2, "default %.6g", p.fallback);
        table_cell(&t, 3, "%s", p.label);
    }
    table_print(&t, "params");
}

/** "force of bow1, 2 x + 0.1": what follows an input. */
static void tell_followers(const job* j, int32_t input, char* text, size_t size) {
    const sis_scene* scene = sis_script_scene(j->script);
    size_t used = 0;
    *text = '\0';
    for (int32_t i = 0; i < sis_script_follower_count(j->script); i++) {
        sis_follower f = sis_script_follower(j->script, i);
        if (f.input != input || used + 1 >= size) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s of %s", used ? ", " : "", f.key,
                                 sis_scene_name(scene, f.object));
        bool plain = f.scale == 1 && f.offset == 0;
        if (!plain && used < size)
            used += (size_t)snprintf(text + used, size - used, " (%g x %+g)", f.scale, f.offset);
    }
}

static void tell_inputs(const job* j) {
    table t = {0};
    char text[512], time[48];
    for (int32_t i = 0; i < sis_script_input_count(j->script); i++) {
        sis_input p = sis_script_input(j->script, i);
        const char* space = *p.unit ? " " : "";
        table_row(&t);
        if (p.trigger)
            table_cell(&t, 0, "%s, a trigger", p.name);
        else
            table_cell(&t, 0, "%s = %.6g%s%s", p.name, p.value, space, p.unit);
        table_cell(&t, 1, "%g to %g%s%s", p.min, p.max, space, p.unit);
        if (p.smooth > 0)
            table_cell(&t, 2, "smooth over %s",
                       sis_unit_print(time, sizeof time, p.smooth, "s", 4));
        else
            table_cell(&t, 2, "at once");
        tell_followers(j, i, text, sizeof text);
        table_rest(&t, "%s", *text ? text : "nothing follows it");
    }
    table_print(&t, "inputs");
}

static void tell_presets(const job* j) {
    table t = {0};
    char text[1024];
    for (int32_t i = 0; i < sis_script_preset_count(j->script); i++) {
        sis_preset p = sis_script_preset(j->script, i);
        preset_print(j->script, &p, text, sizeof text);
        table_row(&t);
        table_cell(&t, 0, "%s", p.name);
        table_rest(&t, "%s", text);
    }
    table_print(&t, "presets");
}

/** What sound from outside moves. */
static void tell_sound(const job* j) {
    const sis_gestures* g = sis_script_gestures(j->script);
    for (int32_t i = 0; g && i < g->sound_count; i++) {
        sis_input p = sis_script_input(j->script, g->sound[i]);
        double full = fmax(fabs(p.min), fabs(p.max));
        printf("%-10s%s, full scale %g%s%s\n", i ? "" : "sound", p.name, full, *p.unit ? " " : "",
               p.unit);
    }
}

static void tell_cost(const job* j, const dry* d) {
    char system[48], state[48], time[48];
    double seconds = (double)j->plan.rows / j->plan.rate / d->factor;
    printf("%-10ssystem %s, state %s\n", "memory",
           sis_unit_print(system, sizeof system, (double)sis_system_size(j->system), "B", 4),
           sis_unit_print(state, sizeof state, (double)sis_state_size(j->system), "B", 4));
    printf("%-10sabout %.3g times real time: %s for this run\n", "speed", d->factor,
           sis_unit_print(time, sizeof time, seconds, "s", 2));
}

int command_check(const options* o) {
    if (!o->scene) return complain(EXIT_USAGE, "check needs a scene: sistrum check SCENE");
    job j;
    dry d = {0};
    sis_fault fault;
    int code = job_open(&j, o);
    if (!code && !try_out(&j, &d, &fault)) code = job_complain(&j, &fault);
    if (!code) {
        tell_run(&j);
        tell_params(&j);
        tell_inputs(&j);
        tell_sound(&j);
        tell_presets(&j);
        tell_bodies(&j);
        tell_network(&j);
        tell_strings(&j);
        tell_plates(&j);
        tell_modal(&j);
        tell_partials(&j);
        tell_links(&j, &d, SIS_KIND_CONTACT, "contacts");
        tell_points(&j, d.energy);
        tell_links(&j, &d, SIS_KIND_SPRING, "springs");
        tell_bows(&j);
        tell_probes(&j);
        tell_roots(&j, d.reports);
        tell_impacts(&j); // adds to the scene, so it comes last of what reads it
        tell_cost(&j, &d);
        code = finish_output();
    }
    free(d.spells);
    free(d.reports);
    job_close(&j);
    return code;
}
