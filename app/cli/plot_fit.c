// sistrum plot fit.db: the way of a fit. Distances of all runs and the lowest so far; below it each
// param that is sought, of all runs and of the closest so far.

#include "plot_study.h"

#ifdef SISTRUM_SWEEP

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARAMS_MOST = 11, LINES = 2 };

/** Rows by their index. */
typedef struct way {
    int32_t params;  // that are drawn, columns 0 ...
    size_t distance; // column
    size_t count, room;
    double* run; // [room]: from 1 on
    double* all; // [1 + params][room]: the distance, then the params
    double* low; // [1 + params][room]: those of the closest run so far
} way;

static bool take_run(void* self, const sis_row* row) {
    way* w = self;
    size_t i = w->count, columns = (size_t)w->params + 1;
    if (i == w->room) return false;
    double distance = row->values[w->distance];
    bool closer = !isnan(distance) && (!i || !(w->low[i - 1] <= distance));
    w->run[i] = (double)row->index + 1;
    for (size_t c = 0; c < columns; c++) {
        double value = c ? row->values[c - 1] : distance;
        double before = i ? w->low[c * w->room + i - 1] : (double)NAN;
        w->all[c * w->room + i] = value;
        w->low[c * w->room + i] = closer ? value : before;
    }
    w->count++;
    return true;
}

static bool is_wide(const double* values, size_t count) {
    double low = (double)INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) continue;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    return low > 0 && high / low >= 30;
}

static void fill_panel(const way* w, sis_base* base, size_t c, sis_chart_line* lines,
                       sis_chart_panel* panel, char unit[32]) {
    const double *all = w->all + c * w->room, *low = w->low + c * w->room;
    int32_t column = c ? (int32_t)c - 1 : (int32_t)w->distance;
    double none = (double)NAN;
    plot_find_unit(base, column, unit);
    lines[0] = (sis_chart_line){.x = w->run,
                                .y = all,
                                .count = w->count,
                                .name = c ? NULL : "every run",
                                .stroke = sis_chart_style_plain(0)};
    lines[1] = (sis_chart_line){.x = w->run,
                                .y = low,
                                .count = w->count,
                                .name = c ? NULL : "closest so far",
                                .stroke = sis_chart_style_plain(1)};
    lines[0].stroke.curve = SIS_CURVE_POINTS;
    lines[1].stroke.curve = SIS_CURVE_STEPS;
    lines[1].stroke.dash = "1";
    lines[1].stroke.width = 2;
    *panel = (sis_chart_panel){
        .x = {.label = "run", .factor = 1, .from = none, .to = none},
        .y = {.label = sis_base_column(base, column),
              .unit = unit,
              .factor = 1,
              .from = none,
              .to = none,
              .logarithmic = is_wide(all, w->count)},
        .lines = lines,
        .line_count = LINES,
    };
}

static bool draw_way(const way* w, sis_base* base, const options* o, sis_fault* fault) {
    sis_chart_panel panels[PARAMS_MOST + 1];
    sis_chart_line lines[PARAMS_MOST + 1][LINES];
    char units[PARAMS_MOST + 1][32];
    size_t count = (size_t)w->params + 1;
    for (size_t c = 0; c < count; c++)
        fill_panel(w, base, c, lines[c], &panels[c], units[c]);
    sis_chart chart = {.width = SIS_CHART_TWO,
                       .height = 62,
                       .columns = count > 1 ? 2 : 1,
                       .panels = panels,
                       .panel_count = count};
    return plot_chart(&chart, o, fault);
}

bool plot_fit(sis_base* base, const options* o, sis_fault* fault) {
    way w = {.params = sis_base_params(base), .distance = (size_t)sis_base_params(base)};
    double runs = sis_base_number(base, "SELECT count(*) FROM runs");
    if (w.params > PARAMS_MOST) w.params = PARAMS_MOST;
    w.room = runs > 0 ? (size_t)runs : 0;
    if (!w.room) return sis_fault_set(fault, SIS_FAULT_RUN, "'%s' has no run yet", o->scene);
    size_t columns = (size_t)w.params + 1;
    w.run = malloc(w.room * sizeof *w.run);
    w.all = malloc(w.room * columns * sizeof *w.all);
    w.low = malloc(w.room * columns * sizeof *w.low);
    // Others may be adding rows meanwhile: those that were counted are enough.
    char query[64];
    snprintf(query, sizeof query, "ORDER BY idx LIMIT %zu", w.room);
    bool fine = (w.run && w.all && w.low) || sis_fault_no_memory(fault);
    fine = fine && sis_base_each(base, query, take_run, &w, fault) && draw_way(&w, base, o, fault);
    free(w.run);
    free(w.all);
    free(w.low);
    return fine;
}

#endif
