// Parts of a system: bodies that no contact, spring or bow joins, even through others, do not know
// of each other and may be stepped in different threads.
//
// Which bodies are joined is a question of the scene; how many parts are made of that depends on
// how much there is to do, because to hand a part to another thread costs a few microseconds.
// Nothing of it depends on the machine, so that the sums over parts have the same bits everywhere.
//
// Parts lie in order: links part by part, and so blocks, lines and what they remember. What bodies
// remember lies where it always does.
#include "compile/plan.h"
#include "wide/width.h"

#include <string.h>

// Work is counted in points of an explicit string, about half a nanosecond each.
enum { MOST_PARTS = 64, LEAST_WORK = 512, BODY = 20, MASS = 4, BANDED = 6, LINK = 3 };

// ---------------------------------------------------------------------------- who is joined

// Who stands for all that are joined: the first degree of freedom of the first of them.
static int32_t find(int32_t* joined, int32_t i) {
    while (joined[i] != i)
        i = joined[i] = joined[joined[i]];
    return i;
}

static void join(int32_t* joined, int32_t a, int32_t b) {
    a = find(joined, a);
    b = find(joined, b);
    if (a < b)
        joined[b] = a;
    else
        joined[a] = b;
}

// Masses stand alone, the degrees of freedom of any other body are joined.
static void join_bodies(const sis_system* system, int32_t* joined) {
    for (int32_t i = 0; i < system->dof_count; i++)
        joined[i] = i;
    for (int32_t b = GROUP_STRING; b < system->body_group_count; b++) {
        const body_group* bodies = &system->body_groups[b];
        for (int32_t i = 0; i < bodies->count; i++)
            joined[bodies->first + i] = bodies->first;
    }
}

static void join_links(const sis_system* system, const network_link* links, int32_t* joined) {
    for (int32_t l = 0; l < system->link_count; l++) {
        const network_end *below = &links[l].below, *above = &links[l].above;
        if (below->count && above->count)
            join(joined, network_dof(below, 0), network_dof(above, 0));
    }
}

static const network_end* moving_end(const network_link* link) {
    return link->below.count ? &link->below : &link->above;
}

// What there is to do in a sample, where those that are joined have their first.
static void add_work(const sis_system* system, const network_link* links, int32_t* joined,
                     double* work) {
    for (int32_t b = 0; b < system->body_group_count; b++) {
        const body_group* bodies = &system->body_groups[b];
        for (int32_t i = 0; i < bodies->count && b < GROUP_STRING; i++)
            work[find(joined, bodies->first + i)] += MASS;
        if (bodies->count && b >= GROUP_STRING)
            work[find(joined, bodies->first)] +=
                BODY + (bodies->kind->diagonal ? 1.0 : BANDED) * bodies->count;
    }
    for (int32_t l = 0; l < system->link_count; l++)
        if (moving_end(&links[l])->count)
            work[find(joined, network_dof(moving_end(&links[l]), 0))] += LINK;
}

// Cuts those that are joined, in their order, into parts of about the same work; part_of[first].
static int32_t cut(const int32_t* joined, const double* work, int32_t dofs, int32_t* part_of) {
    double total = 0, before = 0;
    int32_t groups = 0, part = -1, last = -1;
    for (int32_t i = 0; i < dofs; i++) {
        if (joined[i] != i || !(work[i] > 0)) continue;
        total += work[i];
        groups++;
    }
    double parts = total / LEAST_WORK;
    if (parts > groups) parts = groups;
    if (parts > MOST_PARTS) parts = MOST_PARTS;
    for (int32_t i = 0; i < dofs; i++) {
        if (joined[i] != i || !(work[i] > 0)) continue;
        int32_t share = (int32_t)((before + 0.5 * work[i]) / total * (int32_t)parts);
        if (part < 0 || share != last) part++;
        last = share;
        part_of[i] = part;
        before += work[i];
    }
    return part < 0 ? 1 : part + 1;
}

bool sis_find_parts(compile_plan* plan, const network_link* links, sis_error* error) {
    sis_system* system = plan->system;
    size_t dofs = (size_t)system->dof_count;
    int32_t* joined = sis_arena_take(&plan->arena, dofs * sizeof *joined + 1, error);
    double* work = sis_arena_take(&plan->arena, dofs * sizeof *work + 1, error);
    plan->part_of = sis_arena_take(&plan->arena, dofs * sizeof *plan->part_of + 1, error);
    if (!joined || !work || !plan->part_of) return false;
    join_bodies(system, joined);
    join_links(system, links, joined);
    add_work(system, links, joined, work);
    for (int32_t i = 0; i < system->dof_count; i++)
        find(joined, i);
    // Inputs move all of a system: it is one part.
    if (system->input_count)
        memset(plan->part_of, 0, dofs * sizeof *plan->part_of);
    else
        system->part_count = cut(joined, work, system->dof_count, plan->part_of);
    for (int32_t i = 0; i < system->dof_count; i++)
        plan->part_of[i] = plan->part_of[find(joined, i)];
    return true;
}

int32_t sis_part_of_link(const compile_plan* plan, const network_link* link) {
    const network_end* end = moving_end(link);
    return end->count ? plan->part_of[network_dof(end, 0)] : 0;
}

// ---------------------------------------------------------------------------- what is in a part

// A list of those of 0 .. count - 1 that are in a part, in their order.
typedef int32_t (*part_finder)(const compile_plan* plan, int32_t i);

static bool list_part(compile_plan* plan, int32_t part, int32_t count, part_finder part_of,
                      int32_t** list, int32_t* listed, sis_error* error) {
    sis_system* system = plan->system;
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++)
        n += part_of(plan, i) == part;
    *list = sis_arena_take(&system->arena, (size_t)n * sizeof **list + 1, error);
    if (!*list) return false;
    *listed = 0;
    for (int32_t i = 0; i < count; i++)
        if (part_of(plan, i) == part) (*list)[(*listed)++] = i;
    return true;
}

static int32_t part_of_bow(const compile_plan* plan, int32_t i) {
    const sis_system* system = plan->system;
    return sis_part_of_link(plan, &system->links[system->bows[i].link]);
}

static int32_t part_of_group(const compile_plan* plan, int32_t i) {
    const sis_system* system = plan->system;
    if (!system->groups[i].count) return 0;
    return sis_part_of_link(plan, &system->links[system->link_at[system->groups[i].first]]);
}

static int32_t part_of_probe(const compile_plan* plan, int32_t i) {
    const sis_system* system = plan->system;
    const probe_reader* reader = &system->readers[i];
    if (reader->end.count) return plan->part_of[network_dof(&reader->end, 0)];
    return reader->link_count ? sis_part_of_link(plan, &system->links[*reader->links]) : 0;
}

static int32_t part_of_tracked(const compile_plan* plan, int32_t i) {
    const sis_system* system = plan->system;
    return plan->part_of[system->body_groups[system->tracked[i]].first];
}

static int32_t part_of_source(const compile_plan* plan, int32_t i) {
    const network_end* end = &plan->system->sources[i].end;
    return end->count ? plan->part_of[network_dof(end, 0)] : 0;
}

// ---------------------------------------------------------------------------- bodies of a part

// Neighbours among the masses, or the driven masses, as a group of their own behind all others.
static bool take_slice(sis_system* system, int32_t group, int32_t first, int32_t count,
                       int32_t number, sis_error* error) {
    const body_group* whole = &system->body_groups[group];
    body_group* slice = &system->body_groups[number];
    *slice = *whole;
    slice->first += first;
    slice->count = count;
    slice->forced_first = 0;
    slice->forced_count = whole->forced_count ? count : 0;
    if (group == GROUP_DRIVEN) {
        driven_group* paths = sis_arena_take(&system->arena, sizeof *paths, error);
        if (!paths) return false;
        paths->path = ((const driven_group*)whole->data)->path + first;
        slice->data = paths;
        return true;
    }
    mass_group* m = sis_arena_take(&system->arena, sizeof *m, error);
    if (!m) return false;
    *m = *(const mass_group*)whole->data;
    double** const rows[] = {&m->mass, &m->stiffness, &m->Dinv, &m->drop, &m->loss, &m->swing};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] += first;
    slice->data = m;
    slice->kind = sis_mass_kind(count, sis_wide(system->lanes)->mass);
    slice->advance = slice->kind->advance;
    return true;
}

// Cuts the masses and the driven masses where their parts change. Returns how many groups there are
// with them; there is room for one a mass. 0: no memory.
static int32_t slice_masses(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    int32_t number = system->body_group_count;
    for (int32_t group = 0; group < GROUP_STRING; group++) {
        const body_group* bodies = &system->body_groups[group];
        const int32_t* part_of = plan->part_of + bodies->first;
        for (int32_t i = 0, first = 0; i < bodies->count; i++) {
            if (i + 1 < bodies->count && part_of[i + 1] == part_of[i]) continue;
            if (!take_slice(system, group, first, i + 1 - first, number, error)) return 0;
            first = i + 1;
            number++;
        }
    }
    return number;
}

// The groups of a part: its masses, then its other bodies.
static bool list_bodies(compile_plan* plan, sis_system* part, int32_t groups, sis_error* error) {
    const sis_system* system = plan->system;
    part->alive = sis_arena_take(&plan->system->arena, (size_t)groups * sizeof *part->alive, error);
    if (!part->alive) return false;
    part->alive_count = 0;
    part->all_deferred = true;
    part->timed = false;
    const int32_t slices = groups - system->body_group_count;
    for (int32_t i = 0; i < groups - GROUP_STRING; i++) {
        int32_t b = i < slices ? system->body_group_count + i : GROUP_STRING + (i - slices);
        const body_group* bodies = &system->body_groups[b];
        if (!bodies->count || plan->part_of[bodies->first] != part->part) continue;
        part->alive[part->alive_count++] = b;
        part->all_deferred = part->all_deferred && bodies->deferred;
        part->timed = part->timed || bodies->kind == &sis_driven_kind;
    }
    return true;
}

// The runs of degrees of freedom that take forces of links, cut where parts change.
static bool list_ranges(compile_plan* plan, sis_system* part, sis_error* error) {
    const sis_system* system = plan->system;
    for (int pass = 0; pass < 2; pass++) { // count, then fill
        part->range_count = 0;
        for (int32_t r = 0; r < system->range_count; r++) {
            const dof_range* range = &system->ranges[r];
            const int32_t* part_of =
                plan->part_of + system->body_groups[range->group].first + range->first;
            for (int32_t i = 0; i < range->count; i++) {
                int32_t first = i;
                while (i < range->count && part_of[i] == part->part)
                    i++;
                if (i == first) continue;
                if (pass)
                    part->ranges[part->range_count] =
                        (dof_range){range->group, range->first + first, i - first};
                part->range_count++;
            }
        }
        if (pass) break;
        size_t size = (size_t)part->range_count * sizeof *part->ranges + 1;
        part->ranges = sis_arena_take(&plan->system->arena, size, error);
        if (!part->ranges) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------- links of a part

// Where a part has its links, lines, blocks and tension modulations: all of them lie part by part.
static void find_links(const compile_plan* plan, sis_system* part) {
    const sis_system* system = plan->system;
    part->link_first = part->link_count = part->line_first = part->line_count = 0;
    part->other_count = part->modulation_count = 0;
    for (int32_t i = system->link_count - 1; i >= 0; i--) {
        if (sis_part_of_link(plan, &system->links[i]) != part->part) continue;
        part->link_first = i;
        part->link_count++;
    }
    for (int32_t l = system->line_count - 1; l >= 0; l--) {
        if (sis_part_of_link(plan, system->lines[l].links) != part->part) continue;
        part->line_first = l;
        part->line_count++;
    }
    for (int32_t o = system->other_count - 1; o >= 0; o--) {
        const network_block* block = &system->blocks[system->others[o]];
        if (sis_part_of_link(plan, &system->links[block->first]) != part->part) continue;
        part->others = system->others + o;
        part->other_count++;
    }
    for (int32_t s = system->modulation_count - 1; s >= 0; s--) {
        if (sis_part_of_link(plan, &system->links[system->modulations[s]]) != part->part) continue;
        part->modulations = system->modulations + s;
        part->modulation_count++;
    }
}

// What the blocks of a part need to be solved; they take turns.
static block_scratch scratch_of(const compile_plan* plan, const sis_system* part) {
    const sis_system* system = plan->system;
    block_scratch most = {0, 0};
    for (int32_t b = 0; b < system->block_count; b++)
        if (sis_part_of_link(plan, &system->links[system->blocks[b].first]) == part->part)
            sis_block_scratch(&system->blocks[b], &most);
    return most;
}

static bool copy_sources(compile_plan* plan, sis_system* part, sis_error* error) {
    const sis_system* system = plan->system;
    int32_t *list, count;
    if (!list_part(plan, part->part, system->source_count, part_of_source, &list, &count, error))
        return false;
    part->sources =
        sis_arena_take(&plan->system->arena, (size_t)count * sizeof *part->sources + 1, error);
    for (int32_t i = 0; part->sources && i < count; i++)
        part->sources[i] = system->sources[list[i]];
    part->source_count = count;
    return part->sources != NULL;
}

static bool list_tracked(compile_plan* plan, sis_system* part, sis_error* error) {
    const sis_system* system = plan->system;
    if (!list_part(plan, part->part, system->tracked_count, part_of_tracked, &part->tracked,
                   &part->tracked_count, error))
        return false;
    for (int32_t i = 0; i < part->tracked_count; i++)
        part->tracked[i] = system->tracked[part->tracked[i]];
    return true;
}

// Bows, reports and probes of a part.
static bool list_others(compile_plan* plan, sis_system* part, sis_error* error) {
    const sis_system* system = plan->system;
    const int32_t number = part->part, bows = system->bow_count;
    return list_part(plan, number, bows, part_of_bow, &part->bow_at, &part->bow_count, error) &&
           list_part(plan, number, system->group_count, part_of_group, &part->counted,
                     &part->counted_count, error) &&
           list_part(plan, number, system->probe_count, part_of_probe, &part->heard,
                     &part->heard_count, error);
}

// The same of the whole system: all of them.
static int32_t* list_all(sis_system* system, int32_t count, sis_error* error) {
    int32_t* list = sis_arena_take(&system->arena, (size_t)count * sizeof *list + 1, error);
    for (int32_t i = 0; list && i < count; i++)
        list[i] = i;
    return list;
}

// Neighbours share cache lines: reports, probes. Parts that are handed out one after the other, and
// so run at the same time, lie far apart: their numbers with the bits in reverse order.
static int32_t* hand_out(sis_system* system, sis_error* error) {
    int32_t n = 0, count = system->part_count;
    int32_t* order = sis_arena_take(&system->arena, (size_t)count * sizeof *order, error);
    for (int32_t i = 0; order && i < MOST_PARTS; i++) {
        int32_t reversed = 0;
        for (int32_t bit = 1; bit < MOST_PARTS; bit *= 2)
            reversed = 2 * reversed + ((i & bit) != 0);
        if (reversed < count) order[n++] = reversed;
    }
    return order;
}

static bool make_parts(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const int32_t count = system->part_count, groups = slice_masses(plan, error);
    sis_system* parts = sis_arena_take(&system->arena, (size_t)count * sizeof *parts, error);
    if (!groups || !parts || !(system->order = hand_out(system, error))) return false;
    system->flag_stride = (system->body_group_count + 63) / 64 * 64;
    system->flag_count = count * system->flag_stride;
    block_scratch taken = {0, 0};
    for (int32_t p = 0; p < count; p++) {
        sis_system* part = &parts[p];
        *part = *system;
        part->part = p;
        part->matrix_first = taken.matrix;
        part->panel_first = taken.panel;
        if (!list_bodies(plan, part, groups, error) || !list_ranges(plan, part, error) ||
            !copy_sources(plan, part, error) || !list_tracked(plan, part, error) ||
            !list_others(plan, part, error))
            return false;
        find_links(plan, part);
        const block_scratch more = scratch_of(plan, part);
        taken.matrix += more.matrix;
        taken.panel += more.panel;
    }
    system->parts = parts;
    system->matrix_size = taken.matrix;
    system->panel_size = taken.panel;
    system->part_room = count * PART_FRAMES;
    if (system->padded) system->padded += (count - 1) * PART_GAP;
    return true;
}

bool sis_compile_parts(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t groups = (size_t)system->group_count;
    system->part_of = sis_arena_take(&system->arena, groups * sizeof *system->part_of + 1, error);
    system->bow_at = list_all(system, system->bow_count, error);
    system->counted = list_all(system, system->group_count, error);
    system->heard = list_all(system, system->probe_count, error);
    if (!system->part_of || !system->bow_at || !system->counted || !system->heard) return false;
    system->flag_count = system->body_group_count;
    system->counted_count = system->group_count;
    system->heard_count = system->probe_count;
    for (int32_t g = 0; g < system->group_count; g++)
        system->part_of[g] = part_of_group(plan, g);
    return system->part_count == 1 || make_parts(plan, error);
}

void sis_spread_parts(const sis_system* system, const state_view* view) {
    for (int32_t p = system->part_count - 1; p > 0; p--) { // the last has furthest to go
        const sis_system* part = sis_part(system, p);
        const state_view there = sis_part_view(part, view);
        const contact_memory *from = &view->work.memory, *to = &there.work.memory;
        const struct {
            const double* from;
            double* to;
        } rows[] = {{from->eta, to->eta},
                    {from->before, to->before},
                    {from->E, to->E},
                    {from->psi, to->psi},
                    {from->force, to->force},
                    {from->phi_before, to->phi_before},
                    {from->mark_depth, to->mark_depth},
                    {from->mark_phi, to->mark_phi},
                    {view->work.force, there.work.force}};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            memmove(rows[i].to + part->link_first, rows[i].from + part->link_first,
                    (size_t)part->link_count * sizeof(double));
    }
}
