// Finds the contact lines: contacts that are alone on what they touch, each with its points, and
// what a force of theirs moves.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

// A string detects contact for so many points at least; fewer are looked at.
enum { DETECT_LEAST = 4, CLEAR_LEAST = 4 };

/** The bodies that a degree of freedom belongs to. */
static const body_group* group_of(const sis_system* system, int32_t dof) {
    return body_group_of(system->body_groups, system->body_group_count, dof);
}

/** How many links from `first` on make a line: alone in their blocks, of one contact, which lie in
    the order of its points. */
static int32_t run_length(const sis_system* system, int32_t first) {
    const network_link* link = &system->links[system->blocks[first].first];
    int32_t count = 0;
    while (first + count < system->block_count) {
        const network_block* block = &system->blocks[first + count];
        if (block->count > 1 || system->links[block->first].contact != link->contact) break;
        count++;
    }
    return link->contact ? count : 0;
}

/** Whether a side is a run of neighbours on a string that only this line moves. */
static bool is_run(const sis_system* system, const line_side* side, int32_t count) {
    if (!side->dof || side->admittance == 0) return false;
    bool run = system->body_groups[side->group].kind->line;
    for (int32_t j = 1; run && j < count; j++)
        run = side->dof[j] == side->dof[0] + j;
    return run;
}

/** One side of a line, and which of its bodies bound its motion. */
static bool make_side(sis_system* system, const contact_line* line, bool above, line_side* side,
                      sis_error* error) {
    bool single = true, own = true, none = true;
    *side = (line_side){.group = -1};
    for (int32_t j = 0; j < line->count; j++) {
        const network_end* end = above ? &line->links[j].above : &line->links[j].below;
        const network_end* one = above ? &line->links->above : &line->links->below;
        none = none && !end->count;
        single = single && end->count == 1 && !end->weight;
        own = own && end->admittance != 0 && end->admittance == one->admittance;
    }
    if (none) return true;
    const network_end* first = above ? &line->links->above : &line->links->below;
    side->ends = !single;
    side->group = (int32_t)(group_of(system, network_dof(first, 0)) - system->body_groups);
    side->admittance = own ? first->admittance : 0;
    if (!single) return true;
    size_t places = (size_t)line->count + LINE_BEHIND;
    int32_t* dof = sis_arena_take(&system->arena, places * sizeof *dof, error);
    for (int32_t j = 0; dof && j < line->count; j++)
        dof[j] = above ? line->links[j].above.first : line->links[j].below.first;
    for (int32_t j = 0; dof && j < LINE_BEHIND; j++)
        dof[line->count + j] = dof[0];
    side->dof = dof;
    side->run = dof && is_run(system, side, line->count);
    return dof != NULL;
}

/** Adds the motion of one end to a bound. False: there is none that is found faster than where the
    point is, or bodies of too many kinds. Of points of a grid the largest increment says how far
    each moved at most; bodies of one or a few modes are read as fast as that is found. */
static bool bound_end(const sis_system* system, const network_end* end, motion_bound* bound) {
    if (!end->count) return true;
    const body_group* bodies = group_of(system, network_dof(end, 0));
    const int32_t group = (int32_t)(bodies - system->body_groups);
    if (group < GROUP_STRING || !bodies->kind->diagonal || sis_is_mass_kind(bodies->kind))
        return false;
    double reach = 0;
    for (int32_t i = 0; i < end->count; i++) {
        if (group_of(system, network_dof(end, i)) != bodies) return false; // a hand moves it too
        reach += end->weight ? fabs(end->weight[i]) : 1;
    }
    for (int side = 0; side < 2; side++) {
        if (bound->group[side] >= 0 && bound->group[side] != group) continue;
        bound->group[side] = group;
        bound->reach[side] = fmax(bound->reach[side], reach);
        return true;
    }
    return false;
}

/** How far one sample moves links first .. first + count - 1 at most; false: not known. */
static bool bound_links(const sis_system* system, int32_t first, int32_t count,
                        motion_bound* bound) {
    bool known = true;
    *bound = (motion_bound){{-1, -1}, {0, 0}};
    for (int32_t i = first; known && i < first + count; i++)
        known = !system->links[i].slides && bound_end(system, &system->links[i].below, bound) &&
                bound_end(system, &system->links[i].above, bound);
    for (int side = 0; side < 2; side++) // both ends may be on the same bodies
        bound->reach[side] *= 2;
    return known;
}

/** The hand that all points of a side hold on to, among the driven masses; -1: none, or more. */
static int32_t hand_of(const sis_system* system, const line_side* side, int32_t count) {
    if (side->group != GROUP_DRIVEN || !side->dof) return -1;
    const body_group* driven = &system->body_groups[GROUP_DRIVEN];
    const driven_group* hands = driven->data;
    const int32_t hand = side->dof[0] - driven->first;
    for (int32_t j = 1; j < count; j++)
        if (side->dof[j] != side->dof[0]) return -1;
    return hands->live && hands->live[hand].input >= 0 && !hands->path[hand].count ? hand : -1;
}

static line_watch watch_of(const sis_system* system, contact_line* line) {
    if (!contact_has_lanes(line->law)) return LINE_ALWAYS;
    const bool rests = line->below.group < 0 || hand_of(system, &line->below, line->count) >= 0;
    if (rests && line->count >= DETECT_LEAST && line->above.run) return LINE_DETECTED;
    bool clear =
        line->count >= CLEAR_LEAST && bound_links(system, line->first, line->count, &line->bound);
    return clear ? LINE_CLEAR : LINE_LOOKS;
}

static bool make_line(sis_system* system, int32_t block, int32_t count, contact_line* line,
                      sis_error* error) {
    int32_t first = system->blocks[block].first;
    *line = (contact_line){.first = first,
                           .count = count,
                           .owner = system->owner[first],
                           .word = system->awake_words,
                           .law = system->links[first].contact,
                           .links = system->links + first,
                           .G = system->compliance + first,
                           .offset = system->line_offset + first};
    if (!make_side(system, line, false, &line->below, error) ||
        !make_side(system, line, true, &line->above, error))
        return false;
    line->ends = line->below.ends || line->above.ends;
    line->watch = watch_of(system, line);
    if (line->watch != LINE_ALWAYS) line->kernel = sis_wide(count > 1 ? system->lanes : 1)->line;
    system->awake_words += line_words(count);
    for (int32_t i = 0; i < count; i++)
        system->line_of[first + i] = (int32_t)(line - system->lines);
    return true;
}

// Where a hand moves what lies below, the bound is made again when it does: how high it may be above
// what numbers say is a matter of rounding.
static bool give_hand_bound(compile_plan* plan, const contact_line* line, int32_t hand,
                            sis_error* error) {
    sis_system* system = plan->system;
    const body_group* string = &system->body_groups[line->above.group];
    const driven_group* hands = system->body_groups[GROUP_DRIVEN].data;
    const live_number place = hands->live[hand];
    const input_spec* input = &system->inputs[place.input];
    const double reach = fmax(fabs(input->min), fabs(input->max)) * fabs(place.scale);
    const int32_t first = line->detection.start / STRING_CHUNK;
    const int32_t last = (line->detection.start + line->count - 1) / STRING_CHUNK;
    double* highest =
        sis_arena_take(&system->arena, (size_t)(last - first + 1) * sizeof *highest, error);
    if (!highest) return false;
    for (int32_t c = 0; c <= last - first; c++)
        highest[c] = -HUGE_VAL;
    for (int32_t j = 0; j < line->count; j++) {
        double* most = &highest[(line->detection.start + j) / STRING_CHUNK - first];
        const double size = fabs(line->offset[j]) + fabs(place.offset) + reach;
        *most = fmax(*most, line->offset[j] + 1e-15 * size);
    }
    system->hand_bounds[system->hand_bound_count++] =
        (hand_bound){.place = place,
                     .first = string->first_bound + first,
                     .count = last - first + 1,
                     .highest = highest};
    return true;
}

// A string over a barrier is compared with a lower bound in its update (body/string.c): the highest
// that points of the line are compared with, of each chunk.
static bool give_lower_bound(compile_plan* plan, contact_line* line, sis_error* error) {
    sis_system* system = plan->system;
    body_group* string = &system->body_groups[line->above.group];
    if (!string->detects) {
        string->first_bound = system->bound_size;
        system->bound_size += string->count / STRING_CHUNK + 1;
    }
    string->detects = true;
    line->detection = (line_detection){line->above.group, line->above.dof[0] - string->first,
                                       string->first_bound};
    const int32_t hand = hand_of(system, &line->below, line->count);
    if (hand >= 0) return give_hand_bound(plan, line, hand, error);
    for (int32_t j = 0; j < line->count; j++) {
        double* highest =
            &plan->lower_bound[string->first_bound + (line->detection.start + j) / STRING_CHUNK];
        *highest = fmax(*highest, line->offset[j]);
    }
    return true;
}

// What is below at rest, where hands move something else.
static bool keep_bounds(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const size_t size = (size_t)system->bound_size * sizeof(double);
    if (!system->hand_bound_count) return true;
    double* still = sis_arena_take(&system->arena, size, error);
    if (!still) return false;
    memcpy(still, plan->lower_bound, size);
    system->still_bound = still;
    return true;
}

// The runs of each group of bodies that are held; returns how many there are.
static int32_t list_ranges(const sis_system* system, const uint8_t* held, dof_range* ranges) {
    int32_t count = 0;
    for (int32_t b = 0; b < system->body_group_count; b++) {
        const body_group* bodies = &system->body_groups[b];
        for (int32_t i = 0; i < bodies->count; i++) {
            int32_t first = i;
            while (i < bodies->count && held[bodies->first + i])
                i++;
            if (i > first && ranges) ranges[count] = (dof_range){b, first, i - first};
            count += i > first;
        }
    }
    return count;
}

/** Adds to the number of ends that hold on to each degree of freedom, up to two. */
static void hold(const network_end* end, uint8_t* held) {
    for (int32_t j = 0; j < end->count; j++) {
        uint8_t* count = &held[network_dof(end, j)];
        if (*count < 2) ++*count;
    }
}

/** Explicit strings and plates take a force by one number, and what one link alone holds is moved
    by that link: it needs no accumulator. */
static void move_by_link(const compile_plan* plan, const network_link* link, network_end* end,
                         uint8_t* held) {
    const sis_system* system = plan->system;
    if (!end->count || link->class->modulation) return;
    int32_t dof = network_dof(end, 0);
    const body_group* bodies = group_of(system, dof);
    bool own = bodies - system->body_groups >= GROUP_STRING && bodies->kind->diagonal &&
               !sis_is_mass_kind(bodies->kind);
    for (int32_t j = 0; j < end->count; j++) {
        int32_t at = network_dof(end, j);
        own = own && held[at] == 1 && plan->Dinv[at] == plan->Dinv[dof];
    }
    if (!own) return;
    end->admittance = plan->Dinv[dof];
    for (int32_t j = 0; j < end->count; j++)
        held[network_dof(end, j)] = 0;
}

// The degrees of freedom that take forces of links from the accumulator, as few runs.
static bool find_ranges(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    uint8_t* held = sis_arena_take(&plan->arena, (size_t)system->dof_count + 2, error);
    if (!held) return false;
    for (int32_t i = 0; i < system->link_count; i++) {
        hold(&system->links[i].below, held);
        hold(&system->links[i].above, held);
    }
    for (int32_t i = 0; i < system->link_count; i++) {
        network_link* link = &system->links[i];
        move_by_link(plan, link, &link->below, held);
        move_by_link(plan, link, &link->above, held);
    }
    // A force on a banded string moves all of it.
    for (int32_t b = 0; b < system->body_group_count; b++) {
        const body_group* bodies = &system->body_groups[b];
        bool any = false;
        for (int32_t i = 0; i < bodies->count; i++)
            any = any || held[bodies->first + i];
        if (any && !bodies->kind->diagonal) memset(held + bodies->first, 1, (size_t)bodies->count);
    }
    system->range_count = list_ranges(system, held, NULL);
    size_t size = (size_t)system->range_count * sizeof(dof_range) + 1;
    system->ranges = sis_arena_take(&system->arena, size, error);
    if (!system->ranges) return false;
    list_ranges(system, held, system->ranges);
    return true;
}

static bool take_arrays(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t blocks = (size_t)system->block_count, links = (size_t)system->link_count;
    system->padded = system->link_count ? system->link_count + LINE_BEHIND : 0;
    size_t padded = (size_t)system->padded * sizeof(double) + 1;
    system->lines = sis_arena_take(&system->arena, blocks * sizeof(contact_line) + 1, error);
    system->others = sis_arena_take(&system->arena, blocks * sizeof(int32_t) + 1, error);
    system->line_of = sis_arena_take(&system->arena, links * sizeof(int32_t) + 1, error);
    system->compliance = sis_arena_take(&system->arena, padded, error);
    system->line_offset = sis_arena_take(&system->arena, padded, error);
    system->tracked = sis_arena_take(&system->arena,
                                     (size_t)system->body_group_count * sizeof(int32_t) + 1, error);
    system->hand_bounds =
        sis_arena_take(&system->arena, blocks * sizeof *system->hand_bounds + 1, error);
    plan->lower_bound =
        sis_arena_take(&plan->arena, (size_t)system->dof_count * sizeof(double) + 1, error);
    if (!system->lines || !system->others || !system->line_of || !system->compliance ||
        !system->line_offset || !system->tracked || !system->hand_bounds || !plan->lower_bound)
        return false;
    for (int32_t i = 0; i < system->dof_count; i++)
        plan->lower_bound[i] = -HUGE_VAL;
    for (int32_t l = 0; l < system->link_count; l++) {
        int32_t i = system->link_at[l];
        const network_link* link = &system->links[i];
        system->line_of[i] = -1;
        system->compliance[i] = link->G;
        system->line_offset[i] = plan->eta[l];
        if (!link->class->modulation)
            system->line_offset[i] -= network_read(&link->below, plan->position) -
                                      network_read(&link->above, plan->position);
    }
    return true;
}

/** The same of the links of a block before those whose places move. All may hold on to one hand. */
static bool bound_beside(const sis_system* system, network_block* block) {
    bool known = true;
    block->bound = (motion_bound){{-1, -1}, {0, 0}};
    for (int32_t i = block->first; known && i < block->first + block->slide; i++) {
        const network_link* link = &system->links[i];
        known = !link->slides;
        for (int side = 0; known && side < 2; side++) {
            const network_end* end = side ? &link->above : &link->below;
            const int32_t dof = end->count == 1 && !end->weight ? network_dof(end, 0) : -1;
            const bool driven =
                dof >= 0 && group_of(system, dof) == &system->body_groups[GROUP_DRIVEN];
            if (driven && block->hand < 0) block->hand = dof;
            known = driven ? block->hand == dof : bound_end(system, end, &block->bound);
        }
    }
    for (int side = 0; side < 2; side++)
        block->bound.reach[side] *= 2;
    return known;
}

/** A block of contacts only may sleep. */
static void make_sleep(const sis_system* system, network_block* block) {
    block->sleeps = true;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const contact_law* law = system->links[i].contact;
        block->sleeps = block->sleeps && law && contact_has_lanes(law) && !contact_holds_open(law);
    }
    block->hand = -1;
    if (block->slide < block->count)
        block->bounded = block->sleeps && bound_beside(system, block);
    else
        block->bounded =
            block->sleeps && bound_links(system, block->first, block->count, &block->bound);
}

/** The bodies whose largest increment a line or block asks for. */
static void track(sis_system* system, const motion_bound* bound) {
    for (int side = 0; side < 2; side++) {
        bool known = bound->group[side] < 0;
        for (int32_t t = 0; t < system->tracked_count; t++)
            known = known || system->tracked[t] == bound->group[side];
        if (!known) system->tracked[system->tracked_count++] = bound->group[side];
    }
}

bool sis_compile_lines(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    if (!take_arrays(plan, error) || !find_ranges(plan, error)) return false;
    for (int32_t b = 0; b < system->block_count;) {
        int32_t count = run_length(system, b);
        if (count == 0) {
            make_sleep(system, &system->blocks[b]);
            if (system->blocks[b].bounded) track(system, &system->blocks[b].bound);
            system->others[system->other_count++] = b++;
            continue;
        }
        contact_line* line = &system->lines[system->line_count];
        if (!make_line(system, b, count, line, error)) return false;
        if (line->watch == LINE_DETECTED && !give_lower_bound(plan, line, error)) return false;
        if (line->watch == LINE_CLEAR) track(system, &line->bound);
        system->line_count++;
        b += count;
    }
    return keep_bounds(plan, error);
}
