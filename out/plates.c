#include "plates.h"

#include "facts.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------- what there is

static bool find_sheets(sis_plates* p, sis_fault* fault) {
    size_t count = (size_t)sis_fact_bodies(p->system, SIS_KIND_PLATE);
    p->sheets = calloc(count, sizeof *p->sheets);
    if (!p->sheets) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < sis_system_body_count(p->system); i++) {
        sis_body_info info = sis_system_body(p->system, i);
        if (info.kind != SIS_KIND_PLATE) continue;
        sis_sheet* sheet = &p->sheets[p->sheet_count++];
        *sheet = (sis_sheet){.body = i, .info = info};
        sheet->u = calloc((size_t)info.points * (size_t)p->times.count, sizeof *sheet->u);
        if (!sheet->u) return sis_fault_no_memory(fault);
    }
    return true;
}

static int32_t sheet_of(const sis_plates* p, int32_t body) {
    for (int32_t i = 0; body >= 0 && i < p->sheet_count; i++)
        if (p->sheets[i].body == body) return i;
    return -1;
}

static void add_spots(sis_plates* p, int32_t link, bool above) {
    int32_t sheet = sheet_of(p, sis_fact_side(p->system, link, above));
    if (sheet < 0) return;
    sis_link_info info = sis_system_link(p->system, link);
    for (int32_t j = 0; j < info.points; j++) {
        sis_contact_point at = sis_system_contact_point(p->system, link, j);
        p->spots[p->spot_count++] = (sis_spot){.sheet = sheet,
                                               .link = link,
                                               .point = j,
                                               .kind = info.kind,
                                               .name = info.name,
                                               .x = above ? at.at_above : at.at_below,
                                               .y = above ? at.y_above : at.y_below,
                                               .first = j == 0};
    }
}

static bool find_spots(sis_plates* p, sis_fault* fault) {
    size_t points = 1, most = 1;
    for (int32_t i = 0; i < sis_system_link_count(p->system); i++) {
        size_t some = (size_t)sis_system_link(p->system, i).points;
        points += 2 * some; // both sides may be plates
        if (some > most) most = some;
    }
    p->spots = calloc(points, sizeof *p->spots);
    p->force = calloc(most, sizeof *p->force);
    if (!p->spots || !p->force) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < sis_system_link_count(p->system); i++) {
        add_spots(p, i, true);
        add_spots(p, i, false);
    }
    return true;
}

// ---------------------------------------------------------------------------- the run

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    sis_plates* p = self;
    int32_t t = sis_times_at_end(&p->times, frames);
    if (t < 0) return true;
    for (int32_t i = 0; i < p->sheet_count; i++) {
        sis_sheet* sheet = &p->sheets[i];
        double* u = sheet->u + (size_t)t * (size_t)sheet->info.points;
        sis_state_shape(p->system, frames->state, sheet->body, u);
        for (int32_t j = 0; j < sheet->info.points; j++)
            p->most = fmax(p->most, fabs(u[j]));
    }
    for (int32_t i = 0; i < p->spot_count; i++) {
        sis_spot* spot = &p->spots[i];
        sis_state_contact(p->system, frames->state, spot->link, NULL, p->force);
        spot->acts[t] = p->force[spot->point] != 0;
    }
    return true;
}

static uint64_t next_cut(const void* self, uint64_t step) {
    const sis_plates* p = self;
    return sis_times_cut(&p->times, step);
}

bool sis_plates_take(sis_plates* p, const sis_picture* picture, sis_fault* fault) {
    *p = (sis_plates){.system = picture->system};
    if (!sis_fact_bodies(picture->system, SIS_KIND_PLATE))
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "the scene has no plate to show: --what plate needs plate{}");
    if (!sis_times_choose(&p->times, picture, SIS_KIND_PLATE, fault) || !find_sheets(p, fault) ||
        !find_spots(p, fault))
        return false;
    sis_sink sink = {.self = p, .take = take, .next_cut = next_cut};
    return sis_times_run(&p->times, picture, sink, fault);
}

void sis_plates_close(sis_plates* p) {
    for (int32_t i = 0; i < p->sheet_count; i++)
        free(p->sheets[i].u);
    free(p->sheets);
    free(p->spots);
    free(p->force);
}
