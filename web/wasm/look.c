// What the page sees of the voice that is shown: shapes, forces, energies; and what is where.
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double numbers[PAGE_NUMBERS];
static double* wide; // one body or link
static float* shapes;
static float* strongest;          // force of every point since the last look
static uint64_t* counted;         // samples in contact of every link at the last look
static const sis_system* watched; // that these are of
static double* layout;
static size_t wide_room, shapes_room, strongest_room, counted_room, layout_room;

static bool enlarge(void** memory, size_t* room, size_t bytes) {
    if (bytes <= *room) return true;
    void* more = realloc(*memory, bytes);
    if (!more) return false;
    *memory = more;
    *room = bytes;
    return true;
}

bool page_shown(bool hand, const sis_system** system, const sis_state** state) {
    const sis_live* live = hand ? page_hand : page_notes;
    if (!live) return false;
    return sis_live_look(live, system, state);
}

void page_own(bool hand, const sis_system* system, int32_t* bodies, int32_t* links) {
    *bodies = sis_system_body_count(system);
    *links = sis_system_link_count(system);
    if (hand) sis_live_own(page_hand, bodies, links);
}

// ---------------------------------------------------------------------------- shapes and forces

static size_t points_of(const sis_system* system, int32_t bodies, int32_t links, size_t* most) {
    size_t all = 0;
    *most = 1;
    for (int32_t i = 0; i < bodies + links; i++) {
        int32_t points = i < bodies ? sis_system_body(system, i).points
                                    : sis_system_link(system, i - bodies).points;
        all += (size_t)points * (i < bodies ? 1 : 2);
        if ((size_t)points > *most) *most = (size_t)points;
    }
    return all;
}

static float* narrow(float* to, const double* from, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        to[i] = (float)from[i];
    return to + count;
}

// Blows last a tenth of a millisecond: a look now and then would hardly ever see one.
static void keep_strongest(float* kept, const double* forces, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (fabs(forces[i]) > fabs((double)kept[i])) kept[i] = (float)forces[i];
}

static size_t link_points(const sis_system* system, int32_t links, size_t* most) {
    size_t all = 0;
    *most = 1;
    for (int32_t i = 0; i < links; i++) {
        size_t points = (size_t)sis_system_link(system, i).points;
        all += points;
        if (points > *most) *most = points;
    }
    return all;
}

// Begins to watch a system; false: no memory.
static bool watch(const sis_system* system, int32_t links) {
    size_t most, all = link_points(system, links, &most);
    if (watched == system) return true;
    watched = NULL;
    if (!enlarge((void**)&strongest, &strongest_room, (all + 1) * sizeof *strongest) ||
        !enlarge((void**)&counted, &counted_room, ((size_t)links + 1) * sizeof *counted) ||
        !enlarge((void**)&wide, &wide_room, 2 * most * sizeof *wide))
        return false;
    memset(strongest, 0, (all + 1) * sizeof *strongest);
    memset(counted, 0, ((size_t)links + 1) * sizeof *counted);
    watched = system;
    return true;
}

/** Keeps the largest forces until the next look: after every block. */
void EXPORT(page_peek)(int32_t hand) {
    const sis_system* system = NULL;
    const sis_state* state = NULL;
    int32_t bodies, links;
    if (!page_shown(hand, &system, &state)) return;
    page_own(hand, system, &bodies, &links);
    if (!watch(system, links)) return;
    float* kept = strongest;
    for (int32_t i = 0; i < links; i++) {
        int32_t points = sis_system_link(system, i).points;
        sis_state_contact(system, state, i, NULL, wide);
        keep_strongest(kept, wide, points);
        kept += points;
    }
}

// Samples that a link was in contact since the last look.
static float touched_since(const sis_system* system, const sis_state* state, int32_t link) {
    uint64_t now = sis_state_link(system, state, link).contact_samples, before = counted[link];
    counted[link] = now;
    return (float)(now >= before ? now - before : now);
}

static void put_energy(double* to, const sis_system* system, const sis_state* state) {
    sis_energy e = sis_state_energy(system, state);
    double flowed = fmax(fmax(fabs(e.total), fabs(e.supplied)), fabs(e.dissipated));
    double list[] = {e.kinetic,
                     e.elastic,
                     e.contact,
                     e.supplied,
                     e.dissipated,
                     e.total,
                     flowed > 0 ? e.residual / flowed : 0,
                     flowed};
    memcpy(to, list, sizeof list);
}

static void put_status(double* to) {
    sis_live_status s[2] = {0};
    sis_live_status_read(page_notes, &s[0]);
    if (page_hand) sis_live_status_read(page_hand, &s[1]);
    double list[] = {fmax(s[0].peak[0], s[0].peak[1]) + fmax(s[1].peak[0], s[1].peak[1]),
                     hypot(hypot(s[0].rms[0], s[0].rms[1]), hypot(s[1].rms[0], s[1].rms[1])) /
                         sqrt(2),
                     s[0].load + s[1].load,
                     fmax(s[0].limited, s[1].limited),
                     fmax(s[0].residual, s[1].residual),
                     s[0].voices + (s[1].stored > 0),
                     s[0].keys,
                     s[0].waiting,
                     s[0].touching + s[1].touching,
                     (double)s[0].late,
                     (double)s[0].frames,
                     s[0].voices,
                     s[1].stored,
                     (double)s[0].generation + (double)s[1].generation};
    memcpy(to, list, sizeof list);
}

/** page_numbers: [0] which system it is (0: nothing is shown), [1] floats of page_shapes, [2] energy,
 * [10] status. Shapes of the bodies; of each link forces, the largest since the last look, and
 * penetrations; of each link how many samples it was in contact since then. */
const double* EXPORT(page_look)(int32_t hand) {
    const sis_system* system = NULL;
    const sis_state* state = NULL;
    memset(numbers, 0, sizeof numbers);
    put_status(numbers + 10);
    if (!page_shown(hand, &system, &state)) return numbers;
    int32_t bodies, links;
    size_t most;
    page_own(hand, system, &bodies, &links);
    size_t count = points_of(system, bodies, links, &most) + (size_t)links;
    page_peek(hand);
    if (watched != system ||
        !enlarge((void**)&shapes, &shapes_room, (count + 1) * sizeof *shapes) ||
        !enlarge((void**)&wide, &wide_room, 2 * most * sizeof *wide))
        return numbers;
    float* to = shapes;
    for (int32_t i = 0; i < bodies; i++) {
        sis_state_shape(system, state, i, wide);
        to = narrow(to, wide, sis_system_body(system, i).points);
    }
    float* kept = strongest;
    for (int32_t i = 0; i < links; i++) {
        int32_t points = sis_system_link(system, i).points;
        size_t bytes = (size_t)points * sizeof *to;
        sis_state_contact(system, state, i, wide, NULL);
        memcpy(to, kept, bytes);
        memset(kept, 0, bytes);
        to = narrow(to + points, wide, points);
        kept += points;
    }
    for (int32_t i = 0; i < links; i++)
        *to++ = touched_since(system, state, i);
    numbers[0] = (double)(uintptr_t)system;
    numbers[1] = (double)count;
    put_energy(numbers + 2, system, state);
    return numbers;
}

const float* EXPORT(page_shapes)(void) {
    return shapes;
}

// ---------------------------------------------------------------------------- what is where

static double kind_of(sis_kind kind) {
    return (double)kind;
}

// Which body the name stands for; -1: ground or a barrier.
static double index_of(const sis_system* system, int32_t bodies, const char* name) {
    for (int32_t i = 0; name && i < bodies; i++)
        if (!strcmp(sis_system_body(system, i).name, name)) return i;
    return -1;
}

static double* put_body(double* to, const sis_system* system, int32_t i) {
    sis_body_info b = sis_system_body(system, i);
    double head[] = {kind_of(b.kind), b.driven,   b.points,     b.length,
                     b.width,         b.segments, b.segments_y, b.frequency};
    memcpy(to, head, sizeof head);
    to += sizeof head / sizeof *head;
    for (int32_t j = 0; j < b.points; j++)
        *to++ = sis_system_place(system, i, j);
    return to;
}

static double* put_link(double* to, const sis_system* system, int32_t bodies, int32_t i) {
    sis_link_info l = sis_system_link(system, i);
    double head[] = {kind_of(l.kind),
                     index_of(system, bodies, l.above),
                     index_of(system, bodies, l.below),
                     l.points,
                     l.distributed,
                     l.gap,
                     sis_law_sides(l.law)};
    memcpy(to, head, sizeof head);
    to += sizeof head / sizeof *head;
    for (int32_t j = 0; j < l.points; j++) {
        sis_contact_point p = sis_system_contact_point(system, i, j);
        double list[] = {p.at_above, p.at_below, p.y_above, p.y_below, p.height};
        memcpy(to, list, sizeof list);
        to += sizeof list / sizeof *list;
    }
    return to;
}

static size_t write_layout(bool hand, const sis_system* system) {
    int32_t bodies, links;
    size_t size = 2, most;
    page_own(hand, system, &bodies, &links);
    size += points_of(system, bodies, links, &most) * 3 + (size_t)(bodies + links) * 8;
    if (!enlarge((void**)&layout, &layout_room, size * sizeof *layout)) return 0;
    double* to = layout;
    *to++ = bodies;
    *to++ = links;
    for (int32_t i = 0; i < bodies; i++)
        to = put_body(to, system, i);
    for (int32_t i = 0; i < links; i++)
        to = put_link(to, system, bodies, i);
    return (size_t)(to - layout);
}

/** Writes what is where in the voice that is shown; returns how many numbers. 0: nothing is shown. */
size_t EXPORT(page_layout)(int32_t hand) {
    const sis_system* system = NULL;
    const sis_state* state = NULL;
    if (!page_shown(hand, &system, &state)) return 0;
    return write_layout(hand, system);
}

/** The same of any system. */
size_t page_layout_of(const sis_system* system);
size_t page_layout_of(const sis_system* system) {
    return write_layout(false, system);
}

const double* EXPORT(page_layout_numbers)(void) {
    return layout;
}
