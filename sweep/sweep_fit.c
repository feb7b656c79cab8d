#include "sweep_fit.h"

#include "run.h"
#include "sweep_search.h"
#include "sweep_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** One generation. */
typedef struct generation {
    sis_fit* fit;
    const double* points;
    uint64_t first, count; // indices
    uint64_t next;         // that is handed out
    uint64_t read;         // rows that were read back
    double* distances;     // [count]
    bool strange;          // a row has other params
} generation;

/** For sis_work: a block of a fit is one run. */
static bool next_block(void* self, uint64_t* block) {
    generation* g = self;
    if (g->next == g->first + g->count) return false;
    *block = g->next++;
    return true;
}

static bool is_made(const generation* g) {
    for (uint64_t i = g->first; i < g->first + g->count; i++)
        if (!sis_base_has(g->fit->base, i)) return false;
    return true;
}

/** Makes the runs that the database lacks. */
static bool make_runs(generation* g, sis_fault* fault) {
    sis_fit* fit = g->fit;
    if (is_made(g)) return true;
    int32_t threads = g->count < (uint64_t)fit->threads ? (int32_t)g->count : fit->threads;
    sis_work work = {.sweep = fit->sweep,
                     .base = fit->base,
                     .threads = threads,
                     .next_block = next_block,
                     .next_self = g,
                     .stop = fit->stop,
                     .stop_self = fit->stop_self};
    bool fine = sis_work_go(&work, fault);
    fit->made += work.progress.made;
    fit->failed += work.progress.failed;
    return fine;
}

/** The params of a row must be those of the search: else it is not that of this program. */
static bool take_row(void* self, const sis_row* row) {
    generation* g = self;
    sis_fit* fit = g->fit;
    int32_t axes = fit->sweep->points.axis_count;
    double values[SIS_AXES_MOST];
    if (row->index != g->first + g->read || g->read == g->count) return false;
    sis_points_at(&fit->sweep->points, row->index, values);
    for (int32_t i = 0; i < axes; i++)
        g->strange = g->strange || row->values[i] != values[i];
    double distance = row->values[axes];
    g->distances[g->read++] = distance;
    if (distance < fit->best.values[axes] || (fit->best.failed && !isnan(distance))) {
        fit->best = *row;
        fit->best.failed = false;
    }
    return !g->strange;
}

static bool read_rows(generation* g, sis_fault* fault) {
    char query[128];
    snprintf(query, sizeof query, "WHERE idx >= %llu AND idx < %llu ORDER BY idx",
             (unsigned long long)g->first, (unsigned long long)(g->first + g->count));
    *fault = (sis_fault){.kind = SIS_FAULT_NONE};
    bool fine = sis_base_each(g->fit->base, query, take_row, g, fault);
    if (!fine && fault->kind != SIS_FAULT_NONE) return false;
    return (fine && g->read == g->count) ||
           sis_fault_set(fault, SIS_FAULT_RUN,
                         "run %llu of the database is not what the search makes of the rows before "
                         "it: the database was changed; give another -o",
                         (unsigned long long)(g->first + (g->read ? g->read - 1 : 0)));
}

/** Whether the fit ends with this generation, of which `all` were asked for. */
static bool has_ended(sis_fit* fit, const generation* g, int32_t all) {
    double distance = fit->best.values[fit->sweep->points.axis_count];
    bool close = !fit->best.failed && distance <= fit->tolerance;
    fit->end = close ? SIS_FIT_CLOSE : SIS_FIT_RUNS;
    return close || g->count < (uint64_t)all;
}

static bool seek(sis_fit* fit, sis_search* search, double* distances, sis_fault* fault) {
    sis_points* points = &fit->sweep->points;
    double began = sis_run_clock();
    for (uint64_t first = 0; first < fit->runs;) {
        generation g = {.fit = fit, .first = first, .next = first, .distances = distances};
        int32_t all = sis_search_ask(search, &g.points);
        uint64_t left = fit->runs - first;
        g.count = (uint64_t)all < left ? (uint64_t)all : left;
        points->sought = g.points;
        points->sought_first = first;
        if (!make_runs(&g, fault) || !read_rows(&g, fault)) return false;
        fit->done = first += g.count;
        fit->seconds = sis_run_clock() - began;
        if (fit->told) fit->told(fit->told_self, fit);
        if (has_ended(fit, &g, all)) return true;
        sis_search_tell(search, distances);
        fit->descents = sis_search_descents(search);
        fit->end = SIS_FIT_STUCK;
        if (sis_search_over(search)) return true;
        if (fit->stop && fit->stop(fit->stop_self))
            return sis_fault_set(fault, SIS_FAULT_RUN, "interrupted");
    }
    fit->end = SIS_FIT_RUNS;
    return true;
}

bool sis_fit_go(sis_fit* fit, sis_fault* fault) {
    enum { ROOM = 4096 }; // more than any generation has
    sis_points* points = &fit->sweep->points;
    sis_search* search = sis_search_new(points->drawn, points->seed);
    double* distances = malloc(ROOM * sizeof *distances);
    bool fine = (search && distances) || sis_fault_no_memory(fault);
    fit->best = (sis_row){.failed = true};
    fit->best.values[points->axis_count] = (double)INFINITY;
    fine = fine && seek(fit, search, distances, fault);
    points->sought = NULL;
    free(distances);
    sis_search_free(search);
    return fine;
}
