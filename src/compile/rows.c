// Finds the rows: runs of blocks that are one contact each, along explicit strings, all of one law.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

#define ROW_LEAST 4 // points; fewer are as well solved one by one

static bool same_law(const power_law* a, const power_law* b) {
    return a->K == b->K && a->alpha == b->alpha && a->both == b->both;
}

/** The string on whose grid a degree of freedom lies; NULL: on none. */
static const body_bank* string_of(const sis_system* system, int32_t dof) {
    for (int32_t b = BANK_STRING; b < system->bank_count; b++) {
        const body_bank* bank = &system->banks[b];
        if (dof >= bank->first && dof < bank->first + bank->count)
            return bank->kind->line ? bank : NULL;
    }
    return NULL;
}

static bool fits(const sis_system* system, const network_block* block) {
    const network_link* link = &system->links[block->first];
    return block->lone && (link->scheme <= SIS_SCHEME_NEWTON || link->line) && link->mu == 0 &&
           (block->below < 0 || string_of(system, block->below)) &&
           (block->above < 0 || string_of(system, block->above));
}

/** Whether a degree of freedom is that of the next point of the same string; or both are at rest.
 */
static bool goes_on(const sis_system* system, int32_t before, int32_t dof) {
    if (before < 0 || dof < 0) return before < 0 && dof < 0;
    return dof == before + 1 && string_of(system, dof) == string_of(system, before);
}

/** Whether a block goes on where the one before ends. */
static bool follows(const sis_system* system, const network_block* before,
                    const network_block* block) {
    const network_link *a = &system->links[before->first], *b = &system->links[block->first];
    return fits(system, block) && block->first == before->first + 1 &&
           goes_on(system, before->below, block->below) &&
           goes_on(system, before->above, block->above) && same_law(&a->power, &b->power) &&
           a->G == b->G && a->scheme == b->scheme && a->release == b->release &&
           a->midpoint == b->midpoint &&
           system->owner[before->first] == system->owner[block->first];
}

static int32_t run_length(const sis_system* system, int32_t first) {
    if (!fits(system, &system->blocks[first])) return 1;
    int32_t count = 1;
    while (first + count < system->block_count &&
           follows(system, &system->blocks[first + count - 1], &system->blocks[first + count]))
        count++;
    return count;
}

static double give_of(const compile_plan* plan, int32_t dof) {
    return dof >= 0 ? plan->Dinv[dof] : 0;
}

/** The degrees of freedom of one side of a row. */
static bool list_side(sis_system* system, int32_t block, int32_t count, bool above,
                      const int32_t** list, sis_error* error) {
    const network_block* b = &system->blocks[block];
    const body_bank* string = string_of(system, above ? b->above : b->below);
    *list = NULL;
    if (!string) return true;
    int32_t* at = sis_arena_take(&system->arena, (size_t)count * sizeof *at, error);
    if (!at) return false;
    for (int32_t j = 0; j < count; j++)
        at[j] = above ? b[j].above : b[j].below;
    *list = at;
    return true;
}

static bool make_row(compile_plan* plan, int32_t block, int32_t count, network_row* row,
                     sis_error* error) {
    sis_system* system = plan->system;
    const network_block* b = &system->blocks[block];
    const network_link* link = &system->links[b->first];
    size_t places = (size_t)count + ROW_BEHIND;
    double* offset = sis_arena_take(&system->arena, places * sizeof *offset, error);
    if (!offset) return false;
    for (int32_t i = count; i < count + ROW_BEHIND; i++)
        offset[i] = -HUGE_VAL;
    *row = (network_row){.first = b->first,
                         .count = count,
                         .word = system->awake_words,
                         .cells = system->cell_count,
                         .plane = network_row_plane(count),
                         .give_below = give_of(plan, b->below),
                         .give_above = give_of(plan, b->above),
                         .G = link->G,
                         .offset = offset,
                         .law = link->power,
                         .scheme = link->scheme,
                         .release = link->release,
                         .midpoint = link->midpoint};
    if (!list_side(system, block, count, false, &row->below, error) ||
        !list_side(system, block, count, true, &row->above, error))
        return false;
    system->awake_words += network_row_words(count);
    system->cell_count += ROW_FIELDS * row->plane;
    for (int32_t i = 0; i < count; i++)
        system->row_of[b->first + i] = (int32_t)(row - system->rows);
    for (int32_t l = 0; l < system->link_count; l++) {
        int32_t j = system->link_at[l] - b->first;
        if (j < 0 || j >= count) continue;
        offset[j] = plan->eta[l] - network_row_apart(row, plan->position, j);
    }
    return true;
}

// A string over a barrier at rest sees itself whether a point of it comes near (body/string.h): its
// floor is the highest that points of the row are compared with.
static void watch(compile_plan* plan, network_row* row) {
    sis_system* system = plan->system;
    row->watch = -1;
    if (row->below) return;
    row->watch = (int32_t)(string_of(system, row->above[0]) - system->banks);
    body_bank* string = &system->banks[row->watch];
    if (!string->watches) {
        string->floor = system->floor_room;
        system->floor_room += string->count / STRING_CHUNK + 1;
    }
    string->watches = true;
    row->watched = (row_watch){row->above[0] - string->first, string->floor};
    for (int32_t j = 0; j < row->count; j++) {
        double* highest = &plan->floor[string->floor + (row->watched.start + j) / STRING_CHUNK];
        *highest = fmax(*highest, row->offset[j]);
    }
}

// The runs of each bank that are held; returns how many there are.
static int32_t list_ranges(const sis_system* system, const uint8_t* held, dof_range* ranges) {
    int32_t count = 0;
    for (int32_t b = 0; b < system->bank_count; b++) {
        const body_bank* bank = &system->banks[b];
        for (int32_t i = 0; i < bank->count; i++) {
            int32_t first = i;
            while (i < bank->count && held[bank->first + i])
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
    by that link: it needs no push. */
static void move_by_link(const compile_plan* plan, network_link* link, network_end* end,
                         uint8_t* held) {
    const sis_system* system = plan->system;
    if (!end->count || link->kind == LINK_STRETCH) return;
    int32_t dof = network_dof(end, 0), b = system->bank_count - 1;
    while (system->banks[b].first > dof || !system->banks[b].count)
        b--;
    const body_kind* kind = system->banks[b].kind;
    bool own = b >= BANK_STRING && kind->diagonal && !sis_is_mass_kind(kind);
    for (int32_t j = 0; j < end->count; j++) {
        int32_t at = network_dof(end, j);
        own = own && held[at] == 1 && plan->Dinv[at] == plan->Dinv[dof];
    }
    if (!own) return;
    end->give = plan->Dinv[dof];
    for (int32_t j = 0; j < end->count; j++)
        held[network_dof(end, j)] = 0;
}

// The degrees of freedom that links outside of rows push, as few runs.
static bool find_ranges(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    uint8_t* held = sis_arena_take(&plan->arena, (size_t)system->dof_count + 2, error);
    if (!held) return false;
    for (int32_t i = 0; i < system->link_count; i++) {
        if (system->row_of[i] >= 0) continue;
        hold(&system->links[i].below, held);
        hold(&system->links[i].above, held);
    }
    for (int32_t i = 0; i < system->link_count; i++) {
        network_link* link = &system->links[i];
        if (system->row_of[i] >= 0) continue;
        move_by_link(plan, link, &link->below, held);
        move_by_link(plan, link, &link->above, held);
    }
    // A force on a banded string moves all of it.
    for (int32_t b = 0; b < system->bank_count; b++) {
        const body_bank* bank = &system->banks[b];
        bool any = false;
        for (int32_t i = 0; i < bank->count; i++)
            any = any || held[bank->first + i];
        if (any && !bank->kind->diagonal) memset(held + bank->first, 1, (size_t)bank->count);
    }
    system->range_count = list_ranges(system, held, NULL);
    size_t size = (size_t)system->range_count * sizeof(dof_range) + 1;
    system->ranges = sis_arena_take(&system->arena, size, error);
    if (!system->ranges) return false;
    list_ranges(system, held, system->ranges);
    return true;
}

bool sis_compile_rows(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t blocks = (size_t)system->block_count, links = (size_t)system->link_count;
    system->rows = sis_arena_take(&system->arena, blocks * sizeof(network_row) + 1, error);
    system->others = sis_arena_take(&system->arena, blocks * sizeof(int32_t) + 1, error);
    system->row_of = sis_arena_take(&system->arena, links * sizeof(int32_t) + 1, error);
    plan->floor =
        sis_arena_take(&plan->arena, (size_t)system->dof_count * sizeof(double) + 1, error);
    if (!system->rows || !system->others || !system->row_of || !plan->floor) return false;
    for (int32_t i = 0; i < system->dof_count; i++)
        plan->floor[i] = -HUGE_VAL;
    for (size_t i = 0; i < links; i++)
        system->row_of[i] = -1;
    for (int32_t b = 0; b < system->block_count;) {
        int32_t count = run_length(system, b);
        if (count < ROW_LEAST) {
            system->blocks[b].flies = system->blocks[b].lone;
            system->others[system->other_count++] = b++;
            continue;
        }
        network_row* row = &system->rows[system->row_count];
        if (!make_row(plan, b, count, row, error)) return false;
        watch(plan, row);
        system->row_count++;
        b += count;
    }
    system->kernel = sis_wide(system->lanes)->row;
    return find_ranges(plan, error);
}
