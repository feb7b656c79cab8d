#include "snapshots.h"

#include "facts.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------- what there is

static bool find_strings(sis_snapshots* s, sis_fault* fault) {
    s->shapes = calloc((size_t)sis_fact_bodies(s->system, SIS_KIND_STRING), sizeof *s->shapes);
    if (!s->shapes) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < sis_system_body_count(s->system); i++) {
        sis_body_info info = sis_system_body(s->system, i);
        if (info.kind != SIS_KIND_STRING) continue;
        sis_shape* shape = &s->shapes[s->shape_count];
        *shape = (sis_shape){.body = i, .info = info, .group = s->shape_count++};
        size_t points = (size_t)info.points;
        shape->x = calloc(points, sizeof *shape->x);
        shape->u = calloc(points * (size_t)s->times.count, sizeof *shape->u);
        if (!shape->x || !shape->u) return sis_fault_no_memory(fault);
        for (int32_t j = 0; j < info.points; j++)
            shape->x[j] = sis_system_place(s->system, i, j);
    }
    return true;
}

static int32_t shape_of(const sis_snapshots* s, int32_t body) {
    for (int32_t i = 0; body >= 0 && i < s->shape_count; i++)
        if (s->shapes[i].body == body) return i;
    return -1;
}

/** Strings that touch are shown in one panel. */
static void join(sis_snapshots* s, int32_t one, int32_t other) {
    int32_t from = s->shapes[other].group, to = s->shapes[one].group;
    for (int32_t i = 0; i < s->shape_count; i++)
        if (s->shapes[i].group == from) s->shapes[i].group = to;
}

static bool open_touch(sis_snapshots* s, sis_touch* touch) {
    size_t points = (size_t)touch->info.points, times = (size_t)s->times.count;
    touch->x = calloc(points, sizeof *touch->x);
    touch->edge = calloc(points, sizeof *touch->edge);
    touch->penetration = calloc(points, sizeof *touch->penetration);
    touch->force = calloc(points * times, sizeof *touch->force);
    touch->u = calloc(points * times, sizeof *touch->u);
    if (!touch->x || !touch->edge || !touch->penetration || !touch->force || !touch->u)
        return false;
    for (int32_t j = 0; j < touch->info.points; j++) {
        sis_contact_point p = sis_system_contact_point(s->system, touch->link, j);
        touch->x[j] = touch->above ? p.at_above : p.at_below;
        touch->edge[j] = p.height;
    }
    return true;
}

static bool find_touches(sis_snapshots* s, sis_fault* fault) {
    int32_t links = sis_system_link_count(s->system);
    s->touches = calloc((size_t)links + 1, sizeof *s->touches);
    if (!s->touches) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < links; i++) {
        sis_link_info info = sis_system_link(s->system, i);
        int32_t above = sis_fact_side(s->system, i, true);
        int32_t below = sis_fact_side(s->system, i, false);
        int32_t upper = shape_of(s, above), lower = shape_of(s, below);
        if (info.kind != SIS_KIND_CONTACT || (upper < 0 && lower < 0)) continue;
        if (upper >= 0 && lower >= 0) join(s, upper, lower);
        sis_touch* touch = &s->touches[s->touch_count++];
        *touch = (sis_touch){.link = i,
                             .info = info,
                             .above = upper >= 0,
                             .shape = upper >= 0 ? upper : lower,
                             .other = upper >= 0 ? below : above};
        // Free play on both sides cannot be shown by moving one of the two.
        if (sis_law_sides(info.law) == SIS_LAW_ONE_SIDED) touch->gap = info.gap;
        bool barrier = !isnan(sis_system_contact_point(s->system, i, 0).height);
        if (barrier) touch->other = -1;
        if (!open_touch(s, touch)) return sis_fault_no_memory(fault);
    }
    return true;
}

/** Numbers the groups in the order of their strings. */
static void count_groups(sis_snapshots* s) {
    for (int32_t i = 0; i < s->shape_count; i++) {
        int32_t group = s->shapes[i].group;
        if (group < s->group_count) continue;
        for (int32_t j = i; j < s->shape_count; j++)
            if (s->shapes[j].group == group) s->shapes[j].group = s->group_count;
        s->group_count++;
    }
}

// ---------------------------------------------------------------------------- the run

double sis_shape_at(const sis_shape* shape, int32_t time, double x) {
    const double* u = shape->u + (size_t)time * (size_t)shape->info.points;
    int32_t j = 1;
    while (j < shape->info.points - 1 && shape->x[j] < x)
        j++;
    double share = (x - shape->x[j - 1]) / (shape->x[j] - shape->x[j - 1]);
    return u[j - 1] + share * (u[j] - u[j - 1]);
}

/** Where the other body is at each point of a contact. A second string has its own shape. */
static void take_other(const sis_snapshots* s, const sis_state* state, const sis_touch* touch,
                       double* u) {
    if (touch->other < 0 || shape_of(s, touch->other) >= 0) return;
    sis_body_info body = sis_system_body(s->system, touch->other);
    sis_state_shape(s->system, state, touch->other, s->scratch);
    for (int32_t j = 0; j < touch->info.points; j++) {
        sis_contact_point p = sis_system_contact_point(s->system, touch->link, j);
        double x = touch->above ? p.at_below : p.at_above;
        double y = touch->above ? p.y_below : p.y_above;
        u[j] = sis_fact_read(&body, s->scratch, x, y);
    }
}

static void take_touch(const sis_snapshots* s, const sis_state* state, sis_touch* touch,
                       int32_t time) {
    size_t first = (size_t)time * (size_t)touch->info.points;
    sis_state_contact(s->system, state, touch->link, touch->penetration, touch->force + first);
    take_other(s, state, touch, touch->u + first);
}

static bool take(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    sis_snapshots* s = self;
    int32_t t = sis_times_at_end(&s->times, frames);
    if (t < 0) return true;
    for (int32_t i = 0; i < s->shape_count; i++) {
        sis_shape* shape = &s->shapes[i];
        sis_state_shape(s->system, frames->state, shape->body,
                        shape->u + (size_t)t * (size_t)shape->info.points);
    }
    for (int32_t i = 0; i < s->touch_count; i++)
        take_touch(s, frames->state, &s->touches[i], t);
    return true;
}

static uint64_t next_cut(const void* self, uint64_t step) {
    const sis_snapshots* s = self;
    return sis_times_cut(&s->times, step);
}

/** Where strings that lie below others rest, and where barriers are met. */
static void set_offsets(sis_snapshots* s) {
    for (int32_t i = 0; i < s->touch_count; i++) {
        sis_touch* touch = &s->touches[i];
        int32_t second = shape_of(s, touch->other);
        if (second >= 0) s->shapes[second].offset = s->shapes[touch->shape].offset - touch->gap;
    }
    for (int32_t i = 0; i < s->touch_count; i++) {
        sis_touch* touch = &s->touches[i];
        double shift = s->shapes[touch->shape].offset + (touch->above ? -touch->gap : touch->gap);
        for (int32_t j = 0; j < touch->info.points; j++)
            touch->edge[j] += shift;
        for (int32_t n = 0; n < s->times.count * touch->info.points; n++)
            touch->u[n] += shift;
    }
}

static bool make_scratch(sis_snapshots* s, sis_fault* fault) {
    int32_t most = 1;
    for (int32_t i = 0; i < sis_system_body_count(s->system); i++) {
        int32_t points = sis_system_body(s->system, i).points;
        if (points > most) most = points;
    }
    s->scratch = calloc((size_t)most, sizeof *s->scratch);
    return s->scratch || sis_fault_no_memory(fault);
}

bool sis_snapshots_take(sis_snapshots* s, const sis_picture* picture, sis_fault* fault) {
    *s = (sis_snapshots){.system = picture->system};
    if (!sis_fact_bodies(picture->system, SIS_KIND_STRING))
        return sis_fault_set(
            fault, SIS_FAULT_SCENE, "the scene has no string to show: snapshots need string{}%s",
            sis_fact_bodies(picture->system, SIS_KIND_PLATE) ? "; plates are shown by --what plate"
                                                             : "");
    if (!sis_times_choose(&s->times, picture, SIS_KIND_STRING, fault) || !make_scratch(s, fault) ||
        !find_strings(s, fault) || !find_touches(s, fault))
        return false;
    count_groups(s);
    sis_sink sink = {.self = s, .take = take, .next_cut = next_cut};
    if (!sis_times_run(&s->times, picture, sink, fault)) return false;
    set_offsets(s);
    return true;
}

void sis_snapshots_close(sis_snapshots* s) {
    for (int32_t i = 0; i < s->shape_count; i++) {
        free(s->shapes[i].x);
        free(s->shapes[i].u);
    }
    for (int32_t i = 0; i < s->touch_count; i++) {
        sis_touch* touch = &s->touches[i];
        free(touch->x);
        free(touch->edge);
        free(touch->penetration);
        free(touch->force);
        free(touch->u);
    }
    free(s->shapes);
    free(s->touches);
    free(s->scratch);
}
