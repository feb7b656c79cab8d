// Probes over time, a panel each: all of them, or those of contacts.

#include "facts.h"
#include "probes.h"
#include "subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANELS_MAX 8
#define BOUND_NEAR 5 // times the largest penetration: a bound that is drawn

typedef struct panel {
    int32_t probe;
    int32_t link;   // the contact it is about; -1: it shows what the probe says
    bool two_sided; // which never opens
    sis_trace trace;
    sis_probe_info info;
} panel;

typedef struct panels {
    sis_window window;
    int32_t count;
    int32_t left_out; // probes that found no panel
    double highest;   // J, total energy from the start to the end of the window
    panel panel[PANELS_MAX];
} panels;

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    panels* p = self;
    for (int32_t n = 0; n < frames->count; n++)
        p->highest = fmax(p->highest, frames->energy[n].total);
    for (int32_t i = 0; i < p->count; i++) {
        const double* value = frames->probes + p->panel[i].probe;
        for (int32_t n = 0; n < frames->count; n++)
            sis_trace_add(&p->panel[i].trace, frames->first + (uint64_t)n,
                          value[(size_t)n * (size_t)frames->probe_count]);
    }
    return true;
}

static bool add(panels* p, const sis_system* system, int32_t probe, int32_t link,
                sis_fault* fault) {
    if (p->count == PANELS_MAX) {
        p->left_out++;
        return true;
    }
    panel* new = &p->panel[p->count++];
    new->probe = probe;
    new->link = link;
    new->info = sis_system_probe(system, probe);
    new->two_sided =
        link >= 0 && sis_law_sides(sis_system_link(system, link).law) == SIS_LAW_TWO_SIDED;
    return sis_trace_open(&new->trace, &p->window, SIS_COLUMNS) || sis_fault_no_memory(fault);
}

/** How deep the contact of a panel could get, m; NaN: nothing is known, or nothing happens. */
static double bound_of(const sis_picture* picture, const panels* all, const panel* p) {
    bool penetration = p->link >= 0 && p->info.quantity == SIS_QUANTITY_PENETRATION;
    if (!penetration || !(p->trace.max > 0)) return nan("");
    sis_link_info link = sis_system_link(picture->system, p->link);
    return sis_fact_bound(&link, all->highest);
}

/** A bound far above what happens would flatten it: then it is told and not drawn. */
static bool draws_bound(const panel* p, double bound) {
    return bound <= BOUND_NEAR * p->trace.max;
}

/** An open contact may be far from closed: then only what is near to closing is of interest. */
static void set_range(const sis_canvas* canvas, const panel* p, double bound,
                      const sis_unit* unit) {
    double min = p->trace.min, max = p->trace.max;
    bool penetration = p->info.quantity == SIS_QUANTITY_PENETRATION && !p->two_sided;
    if (penetration && max > 0 && min < -0.3 * max) min = -0.3 * max;
    if (draws_bound(p, bound)) max = fmax(max, bound);
    sis_canvas_range(canvas, "y", min / unit->factor, max / unit->factor, 0.06);
}

static sis_unit panel_unit(const panel* p) {
    double size = fmax(fabs(p->trace.min), fabs(p->trace.max));
    bool penetration = p->info.quantity == SIS_QUANTITY_PENETRATION && !p->two_sided;
    if (penetration && p->trace.max > 0) size = p->trace.max;
    return sis_unit_pick(size, p->info.unit);
}

static const char* panel_colour(const panel* p) {
    switch (p->info.quantity) {
    case SIS_QUANTITY_DISPLACEMENT:
        return SIS_BLUE;
    case SIS_QUANTITY_VELOCITY:
        return SIS_GREEN;
    case SIS_QUANTITY_FORCE:
        return SIS_VERMILLION;
    case SIS_QUANTITY_PENETRATION:
        return SIS_PURPLE;
    }
    return SIS_BLUE;
}

/** What the panel shows, and of a penetration how deep it gets and could get. */
static void set_title(const sis_picture* picture, const panel* p, double bound, char* title,
                      size_t size) {
    sis_probe_title(&p->info, title, size);
    if (p->link < 0 || !(p->trace.max > 0)) return;
    sis_link_info link = sis_system_link(picture->system, p->link);
    char most[48], limit[48];
    size_t used = strlen(title);
    if (p->info.quantity == SIS_QUANTITY_FORCE) {
        if (link.points > 1) snprintf(title + used, size - used, ", all points together");
        return;
    }
    used += (size_t)snprintf(title + used, size - used, ", at most %s%s",
                             sis_unit_print(most, sizeof most, p->trace.max, "m", 3),
                             link.points > 1 ? " at the deepest point" : "");
    if (isnan(bound) || used >= size) return;
    snprintf(title + used, size - used, "; bound of Bilbao et al. 2014, eq. 23: %s%s",
             sis_unit_print(limit, sizeof limit, bound, "m", 3),
             draws_bound(p, bound) ? " (dashed)" : "");
}

static void draw_panel(sis_canvas* canvas, const sis_picture* picture, const panels* all, int i) {
    const panel* p = &all->panel[i];
    double height = 1.0 / all->count;
    bool lowest = i == all->count - 1;
    double rate = sis_plan_step_rate(&picture->plan);
    sis_canvas_panel(canvas, 1 - (i + 1) * height,
                     1 - (i + (all->count > 1 ? 0.26 : 0.1)) * height);
    sis_unit time = sis_canvas_time(canvas, &all->window, rate, lowest);
    sis_unit unit = panel_unit(p);
    double bound = bound_of(picture, all, p);
    set_range(canvas, p, bound, &unit);
    sis_canvas_label(canvas, "y", sis_quantity_word(p->info.quantity), unit.text);
    sis_canvas_trace(canvas, "signal", &p->trace, rate, 0, &time, unit.factor);
    char title[400];
    set_title(picture, p, bound, title, sizeof title);
    fprintf(canvas->script, "unset key\nset label ");
    sis_canvas_text(canvas, title);
    // Points are marked where they can be told apart.
    bool few = all->window.count <= 60;
    fprintf(canvas->script,
            " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n"
            "set ytics autofreq\n"
            "plot 0 with lines lw 0.8 lc rgb '#A0A0A0', "
            "$signal with %s lw 1.1 pt 7 ps 0.5 lc rgb '%s'",
            few ? "linespoints" : "lines", panel_colour(p));
    if (draws_bound(p, bound))
        fprintf(canvas->script, ", %.9g with lines lw 1.2 dt (12,8) lc rgb 'black'",
                bound / unit.factor);
    fputc('\n', canvas->script);
}

static bool draw(const sis_picture* picture, const panels* all, int descriptor, sis_fault* fault) {
    char rate[64], subtitle[160], more[64] = "";
    if (all->left_out)
        snprintf(more, sizeof more, ", the first %d of %d probes", (int)all->count,
                 (int)(all->count + all->left_out));
    snprintf(subtitle, sizeof subtitle, "%s%s, %s", sis_subject_word(picture->subject), more,
             sis_picture_rate(picture, rate, sizeof rate));
    int height = all->count == 1 ? 600 : 190 + 235 * all->count;
    sis_canvas canvas;
    if (!sis_canvas_open(&canvas, picture->format, 1400, height, picture->title, subtitle, fault))
        return false;
    if (all->count > 1) canvas.top = 50;
    for (int i = 0; i < all->count; i++)
        draw_panel(&canvas, picture, all, i);
    return sis_canvas_draw(&canvas, descriptor, fault);
}

/** The energy of the start is one of those that bound a penetration. */
static bool measure_start(const sis_picture* picture, panels* all, sis_fault* fault) {
    sis_state* state = sis_run_state(picture->system, fault);
    if (!state) return false;
    all->highest = sis_state_energy(picture->system, state).total;
    free(state);
    return true;
}

static bool draw_panels(const sis_picture* picture, panels* all, int descriptor, sis_fault* fault) {
    bool fine = measure_start(picture, all, fault) &&
                sis_picture_run(picture, (sis_sink){.self = all, .take = take}, fault);
    for (int i = 0; fine && i < all->count; i++)
        sis_trace_finish(&all->panel[i].trace);
    return fine && draw(picture, all, descriptor, fault);
}

static void close_panels(panels* all) {
    for (int i = 0; i < all->count; i++)
        sis_trace_close(&all->panel[i].trace);
}

bool sis_draw_signal(const sis_picture* picture, int descriptor, sis_fault* fault) {
    panels all = {.window = sis_picture_window(picture)};
    int32_t probes = sis_system_probe_count(picture->system);
    bool fine = true;
    if (!probes)
        fine = sis_fault_set(fault, SIS_FAULT_SCENE,
                             "the scene has no probe to show: add probe{ on = ... }");
    for (int32_t i = 0; fine && i < probes; i++)
        fine = add(&all, picture->system, i, -1, fault);
    fine = fine && draw_panels(picture, &all, descriptor, fault);
    close_panels(&all);
    return fine;
}

/** Whether the probe reads the contact of that name. */
static bool reads(const sis_probe_info* probe, const char* contact) {
    bool fits =
        probe->quantity == SIS_QUANTITY_PENETRATION || probe->quantity == SIS_QUANTITY_FORCE;
    return fits && strcmp(probe->on, contact) == 0;
}

static bool add_contact(panels* all, const sis_system* system, int32_t link, sis_fault* fault) {
    static const sis_quantity order[] = {SIS_QUANTITY_PENETRATION, SIS_QUANTITY_FORCE};
    const char* contact = sis_system_link(system, link).name;
    for (int q = 0; q < 2; q++)
        for (int32_t i = 0; i < sis_system_probe_count(system); i++) {
            sis_probe_info info = sis_system_probe(system, i);
            if (!reads(&info, contact) || info.quantity != order[q]) continue;
            if (!add(all, system, i, link, fault)) return false;
            break;
        }
    return true;
}

bool sis_draw_penetration(const sis_picture* picture, int descriptor, sis_fault* fault) {
    panels all = {.window = sis_picture_window(picture)};
    const char* contact = NULL;
    bool fine = true;
    for (int32_t i = 0; fine && i < sis_system_link_count(picture->system); i++) {
        sis_link_info link = sis_system_link(picture->system, i);
        if (link.kind != SIS_KIND_CONTACT) continue;
        if (!contact) contact = link.name;
        fine = add_contact(&all, picture->system, i, fault);
    }
    if (fine && !contact)
        fine = sis_fault_set(fault, SIS_FAULT_SCENE, "the scene has no contact: add contact{}");
    else if (fine && !all.count)
        fine = sis_fault_set(fault, SIS_FAULT_SCENE,
                             "no probe reads the contact '%s': give contact{} a local name c and "
                             "add probe{ on = c, quantity = \"penetration\" } and probe{ on = c, "
                             "quantity = \"force\" }",
                             contact);
    fine = fine && draw_panels(picture, &all, descriptor, fault);
    close_panels(&all);
    return fine;
}
