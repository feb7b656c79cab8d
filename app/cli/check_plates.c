#include "check_plates.h"

#include "check_strings.h"
#include "facts.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>

#define E 2.718281828459045

// ---------------------------------------------------------------------------- plates

static void tell_model(table* t, const sis_body_info* b) {
    char model[32], edge[32], more[48] = "";
    if (b->plate_model == SIS_PLATE_MODAL)
        snprintf(more, sizeof more, ", %d %s", (int)b->modes,
                 sis_plural((uint64_t)b->modes, "mode", "modes"));
    table_cell(t, 1, "model");
    const char* tuned =
        b->plate_model == SIS_PLATE_MODAL ? "exact frequencies" : "corrected partials";
    table_rest(t, "%s%s, edges %s, %s",
               sis_fact_word(SIS_KIND_PLATE, "model", (int)b->plate_model, model, sizeof model),
               more, sis_fact_word(SIS_KIND_PLATE, "edge", (int)b->ends, edge, sizeof edge),
               b->tuned ? tuned : "as published");
}

static void tell_grid(table* t, const sis_body_info* b) {
    char hx[48], hy[48], limit[64] = "";
    table_row(t);
    table_cell(t, 1, "grid");
    if (b->plate_model == SIS_PLATE_FD && b->h_over_hmin > 0)
        snprintf(limit, sizeof limit, ", h/h_min = %.6g", b->h_over_hmin);
    table_rest(t, "%d x %d segments, hx = %s, hy = %s%s, margin %.6g%s", (int)b->segments,
               (int)b->segments_y, sis_unit_print(hx, sizeof hx, b->length / b->segments, "m", 5),
               sis_unit_print(hy, sizeof hy, b->width / b->segments_y, "m", 5), limit, b->margin,
               b->plate_model == SIS_PLATE_MODAL ? " (for pictures)" : "");
}

static void tell_matter(table* t, const sis_body_info* b) {
    char lx[48], ly[48], density[48], tension[48];
    table_row(t);
    table_cell(t, 1, b->stiffness > 0 ? "plate" : "membrane");
    table_rest(t, "%s x %s, %s, D = %.5g N m, tension %s",
               sis_unit_print(lx, sizeof lx, b->length, "m", 5),
               sis_unit_print(ly, sizeof ly, b->width, "m", 5),
               sis_unit_print(density, sizeof density, 1000 * b->density, "g/m^2", 5), b->stiffness,
               sis_unit_print(tension, sizeof tension, b->tension, "N/m", 5));
}

void tell_plates(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_body_count(j->system); i++) {
        sis_body_info b = sis_system_body(j->system, i);
        if (b.kind != SIS_KIND_PLATE) continue;
        table_row(&t);
        table_cell(&t, 0, "%s", b.name);
        tell_model(&t, &b);
        tell_grid(&t, &b);
        tell_matter(&t, &b);
        tell_loss(&t, &b);
    }
    table_print(&t, "plates");
}

// ---------------------------------------------------------------------------- modal bodies

/** "98.2 Hz to 2.31 kHz, and 1 at 0 Hz": what the modes ring at. */
static void find_modes(const job* j, int32_t body, int32_t modes, char* text, size_t size) {
    double low = INFINITY, high = 0, rings, exact;
    int32_t still = 0;
    for (int32_t p = 1; p <= modes && sis_system_partial(j->system, body, p, &rings, &exact); p++) {
        still += exact == 0; // the body moves as a whole
        if (exact > 0) low = fmin(low, exact);
        high = fmax(high, exact);
    }
    char from[48], to[48], rest[48] = "";
    if (still) snprintf(rest, sizeof rest, "%s%d at 0 Hz", high > 0 ? ", and " : "", (int)still);
    if (!(high > 0))
        snprintf(text, size, "%s", rest);
    else if (low == high)
        snprintf(text, size, "%s%s", sis_unit_print(from, sizeof from, low, "Hz", 5), rest);
    else
        snprintf(text, size, "%s to %s%s", sis_unit_print(from, sizeof from, low, "Hz", 5),
                 sis_unit_print(to, sizeof to, high, "Hz", 5), rest);
}

void tell_modal(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_body_count(j->system); i++) {
        sis_body_info b = sis_system_body(j->system, i);
        char text[160];
        if (b.kind != SIS_KIND_MODAL) continue;
        find_modes(j, i, b.modes, text, sizeof text);
        table_row(&t);
        table_cell(&t, 0, "%s", b.name);
        table_cell(&t, 1, "%d %s", (int)b.modes, sis_plural((uint64_t)b.modes, "mode", "modes"));
        table_cell(&t, 2, "%s", text);
        table_cell(&t, 3, "%d %s", (int)b.points,
                   sis_plural((uint64_t)b.points, "place", "places"));
    }
    table_print(&t, "modal");
}

// ---------------------------------------------------------------------------- bows

// v + Y F_N Phi(v) = v0 has one solution for every v0 if Y F_N < e/(2 sqrt(2a)), because the
// steepest fall of Phi is -2 sqrt(2a)/e. Y is the mobility of the point over a sample, G/(2k).
static void judge_friction(table* t, const sis_link_info* bow, double rate) {
    double mobility = 0.5 * rate * bow->compliance * bow->K, limit = E / (2 * sqrt(2 * bow->alpha));
    table_row(t);
    table_cell(t, 1, "friction");
    if (mobility < limit)
        table_rest(t, "one force at every state: Y F_N = %.4g m/s is below e/(2 sqrt(2a)) = %.4g",
                   mobility, limit);
    else
        table_rest(t,
                   "up to three forces: Y F_N = %.4g m/s is above e/(2 sqrt(2a)) = %.4g; it keeps "
                   "to the branch it is on (stick or slip) as long as that exists",
                   mobility, limit);
}

void tell_bows(const job* j) {
    table t = {0};
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info bow = sis_system_link(j->system, i);
        char where[80], force[48], grip[48];
        if (bow.kind != SIS_KIND_BOW) continue;
        table_row(&t);
        table_cell(&t, 0, "%s", bow.name);
        table_cell(&t, 1, "on");
        table_rest(&t, "%s%s", bow.below,
                   sis_fact_where(j->system, i, 0, false, where, sizeof where));
        if (!(bow.K > 0) || !(bow.alpha > 0)) continue;
        table_row(&t);
        table_cell(&t, 1, "force");
        table_rest(&t, "F_N up to %s; friction curve a = %.5g s^2/m^2, largest at %s",
                   sis_unit_print(force, sizeof force, bow.K, "N", 5), bow.alpha,
                   sis_unit_print(grip, sizeof grip, sis_fact_grip(&bow), "m/s", 4));
        judge_friction(&t, &bow, sis_system_rate(j->system));
    }
    table_print(&t, "bows");
}
