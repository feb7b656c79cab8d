#include "check_strings.h"

#include "facts.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>

#define PARTIALS   10
#define BODIES_MAX 8 // whose partials are listed

// ---------------------------------------------------------------------------- strings

/** "fd, ends supported, stiffness corrected": what was chosen. */
static void tell_model(table* t, const sis_body_info* b) {
    char model[32], ends[32], more[96] = "";
    if (b->model == SIS_STRING_IMPLICIT) snprintf(more, sizeof more, ", gamma = %.6g", b->gamma);
    if (b->model == SIS_STRING_MODAL)
        snprintf(more, sizeof more, ", %d %s", (int)b->modes,
                 sis_plural((uint64_t)b->modes, "mode", "modes"));
    bool clamped = b->ends == SIS_ENDS_CLAMPED && b->mirror != 1;
    const char* tuned = b->model == SIS_STRING_MODAL ? "exact frequencies"
                        : clamped                    ? "corrected stiffness and clamps"
                                                     : "corrected stiffness";
    table_cell(t, 1, "model");
    table_rest(t, "%s%s, ends %s, %s%s",
               sis_fact_word(SIS_KIND_STRING, "model", (int)b->model, model, sizeof model), more,
               sis_fact_word(SIS_KIND_STRING, "ends", (int)b->ends, ends, sizeof ends),
               b->tuned ? tuned : "as published",
               b->nonlinear == SIS_KIRCHHOFF_CARRIER ? ", tension by Kirchhoff and Carrier" : "");
}

static void tell_grid(table* t, const sis_body_info* b) {
    char spacing[48];
    bool limit = b->model == SIS_STRING_FD || b->model == SIS_STRING_IMPLICIT;
    sis_unit_print(spacing, sizeof spacing, b->length / b->segments, "m", 5);
    table_row(t);
    table_cell(t, 1, "grid");
    table_rest(t, "N = %d segments, h = %s, h/h_min = %.6g%s", (int)b->segments, spacing,
               b->h_over_hmin,
               b->model == SIS_STRING_MODAL   ? " (for contacts along a range)"
               : limit && b->h_over_hmin == 1 ? ": Courant number 1, exact; on the limit itself"
                                              : "");
}

static void tell_matter(table* t, const sis_body_info* b) {
    char length[48], tension[48], density[48];
    table_row(t);
    table_cell(t, 1, "string");
    table_rest(t, "%s, %s, %s; EI = %.5g N m^2, in the scheme EI' = %.5g N m^2",
               sis_unit_print(length, sizeof length, b->length, "m", 5),
               sis_unit_print(tension, sizeof tension, b->tension, "N", 5),
               sis_unit_print(density, sizeof density, 1000 * b->density, "g/m", 5), b->stiffness,
               b->used);
}

void tell_loss(table* t, const sis_body_info* b) {
    char low[48], high[48];
    table_row(t);
    table_cell(t, 1, "loss");
    if (b->sigma0 == 0 && b->sigma1 == 0) {
        table_rest(t, "none: sigma0 = 0, sigma1 = 0");
        return;
    }
    double slow = sis_fact_t60(b, 100), fast = sis_fact_t60(b, 1000);
    table_rest(t, "sigma0 = %.5g 1/s, sigma1 = %.5g m^2/s: T60 = %s at 100 Hz, %s at 1 kHz",
               b->sigma0, b->sigma1,
               isinf(slow) ? "for ever" : sis_unit_print(low, sizeof low, slow, "s", 3),
               isinf(fast) ? "for ever" : sis_unit_print(high, sizeof high, fast, "s", 3));
}

void tell_strings(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_body_count(j->system); i++) {
        sis_body_info b = sis_system_body(j->system, i);
        if (b.kind != SIS_KIND_STRING) continue;
        table_row(&t);
        table_cell(&t, 0, "%s", b.name);
        tell_model(&t, &b);
        tell_grid(&t, &b);
        tell_matter(&t, &b);
        tell_loss(&t, &b);
    }
    table_print(&t, "strings");
}

// ---------------------------------------------------------------------------- partials

static void head(table* t) {
    static const char* const titles[] = {"body", "partial", "rings at", "exact", "off by"};
    table_row(t);
    for (int i = 0; i < 5; i++)
        table_cell(t, i, "%s", titles[i]);
}

static void tell_partials_of(table* t, const job* j, int32_t body, const sis_body_info* b) {
    double rings, exact;
    int32_t p = 1;
    for (; p <= PARTIALS && sis_system_partial(j->system, body, p, &rings, &exact); p++) {
        table_row(t);
        if (p == 1) table_cell(t, 0, "%s", b->name);
        table_cell(t, 1, "%d", (int)p);
        table_cell(t, 2, "%.4f Hz", rings);
        table_cell(t, 3, "%.4f Hz", exact);
        double cents = 1200 * log2(rings / exact);
        table_cell(t, 4, "%+.4f cents", fabs(cents) < 5e-5 ? 0.0 : cents);
    }
    if (p > 1) return;
    table_row(t);
    table_cell(t, 0, "%s", b->name);
    table_rest(t, b->ends == SIS_ENDS_CLAMPED ? "none: clamped edges have no closed form" : "none");
}

void tell_partials(const job* j) {
    table t = {0};
    int32_t shown = 0, all = sis_fact_bodies(j->system, SIS_KIND_STRING) +
                             sis_fact_bodies(j->system, SIS_KIND_PLATE);
    for (int32_t i = 0; i < sis_system_body_count(j->system); i++) {
        sis_body_info b = sis_system_body(j->system, i);
        bool has = b.kind == SIS_KIND_STRING || b.kind == SIS_KIND_PLATE;
        if (!has || shown == BODIES_MAX) continue;
        if (!shown++) head(&t);
        tell_partials_of(&t, j, i, &b);
    }
    if (all > shown) {
        table_row(&t);
        table_rest(&t, "and those of %d %s more", (int)(all - shown),
                   sis_plural((uint64_t)(all - shown), "body", "bodies"));
    }
    table_print(&t, "partials");
}

// ---------------------------------------------------------------------------- contacts

/** ", string1 at 1.65 m and plate1 at {1.08, 0.135} m": where a single point is. */
static void find_places(const job* j, int32_t i, const sis_link_info* link, char* text,
                        size_t size) {
    char above[80], below[80];
    *text = 0;
    if (link->points > 1) return;
    sis_fact_where(j->system, i, 0, true, above, sizeof above);
    sis_fact_where(j->system, i, 0, false, below, sizeof below);
    bool both = *above && *below;
    snprintf(text, size, ", %s%s%s%s%s", *above ? link->above : "", above, both ? " and " : "",
             *below ? link->below : "", below);
}

/** A range is counted by its spacing, points by where they are. */
static void tell_stiffness(table* t, const job* j, int32_t i, const sis_link_info* link) {
    char spacing[48], places[400];
    find_places(j, i, link, places, sizeof places);
    table_cell(t, 1, "points");
    if (link->distributed && sis_fact_is_area(j->system, i))
        table_rest(t, "%d, %.5g mm^2 each; K = %.5g N/m^%g over the plate, %.5g N/m^%g a point",
                   (int)link->points, 1e6 * link->weight, link->K, link->alpha + 2,
                   link->K * link->weight, link->alpha);
    else if (link->distributed)
        table_rest(t, "%d, every %s; K = %.5g N/m^%g along the string, %.5g N/m^%g a point",
                   (int)link->points, sis_unit_print(spacing, sizeof spacing, link->weight, "m", 5),
                   link->K, link->alpha + 1, link->K * link->weight, link->alpha);
    else
        table_rest(t, "%d%s; K = %.5g N/m^%g%s", (int)link->points, places, link->K, link->alpha,
                   link->points > 1 ? " each" : "");
}

/** Whether anything adds energy during a run. */
static void tell_bound(table* t, const job* j, const sis_link_info* link, double energy) {
    char depth[48], joules[48];
    double bound = sis_fact_bound(link, energy);
    bool forced = job_driven(j);
    table_row(t);
    table_cell(t, 1, "depth");
    if (isnan(sis_fact_bound(link, 1)))
        table_rest(t, "no bound is known for this law, scheme and potential");
    else if (isnan(bound))
        table_rest(t,
                   "at rest at the start: its bound (Bilbao et al. 2014, eq. 23) depends on what "
                   "is supplied, and is in the report of a run with --energy");
    else
        table_rest(t, "at most %s with the %s of the start (Bilbao et al. 2014, eq. 23)%s",
                   sis_unit_print(depth, sizeof depth, bound, "m", 4),
                   sis_unit_print(joules, sizeof joules, energy, "J", 4),
                   forced ? "; with what is supplied later: in the report of a run with --energy"
                          : "");
}

void tell_points(const job* j, double energy) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info link = sis_system_link(j->system, i);
        sis_contact_point first = sis_system_contact_point(j->system, i, 0);
        bool placed = !isnan(first.at_above) || !isnan(first.at_below);
        if (link.kind != SIS_KIND_CONTACT || !placed) continue;
        table_row(&t);
        table_cell(&t, 0, "%s", link.name);
        tell_stiffness(&t, j, i, &link);
        tell_bound(&t, j, &link, energy);
    }
    table_print(&t, "touching");
}
