// How a system is built, as one list of whole numbers: systems with the same list differ in numbers
// only, and sis_step_batch may step them side by side. Free masses, masses on springs, and contacts
// that share their masses with no other contact.
#include "compile/plan.h"

static bool lone(const sis_system* system, const network_block* block) {
    const network_link* link = &system->links[block->first];
    int32_t owner = system->owner[block->first];
    return block->lone && link->scheme <= SIS_SCHEME_NEWTON && owner >= 0 &&
           system->groups[owner].count == 1;
}

static bool plain(const network_end* end) {
    return !end->weight && end->count <= 1;
}

static bool fits(const sis_system* system) {
    if (system->bank_count != BANK_STRING || system->banks[BANK_DRIVEN].count > 0) return false;
    if (system->bow_count || system->stretch_count || system->row_count) return false;
    if (system->dof_count > TWIN_MOST || system->link_count > TWIN_MOST ||
        system->probe_count > TWIN_MOST)
        return false;
    for (int32_t b = 0; b < system->block_count; b++)
        if (!lone(system, &system->blocks[b])) return false;
    for (int32_t i = 0; i < system->source_count; i++)
        if (!plain(&system->sources[i].end)) return false;
    for (int32_t i = 0; i < system->probe_count; i++)
        if (!plain(&system->readers[i].end)) return false;
    return true;
}

// Writes the list, or only counts it.
static int32_t list(const sis_system* system, int32_t* build) {
    int32_t count = 0;
#define NOTE(what) (build ? (void)(build[count] = (int32_t)(what)) : (void)0, count++)
    NOTE(system->audit);
    NOTE(system->dof_count);
    NOTE(system->source_count);
    for (int32_t i = 0; i < system->source_count; i++)
        NOTE(system->sources[i].end.count ? system->sources[i].end.first : -1);
    NOTE(system->block_count);
    for (int32_t b = 0; b < system->block_count; b++) {
        const network_block* block = &system->blocks[system->others[b]];
        const network_link* link = &system->links[block->first];
        NOTE(block->first);
        NOTE(block->below);
        NOTE(block->above);
        NOTE(system->owner[block->first]);
        NOTE(link->scheme);
        NOTE(link->power.class);
        NOTE(link->release);
        NOTE(link->midpoint);
        NOTE(link->mu != 0);
    }
    NOTE(system->probe_count);
    for (int32_t i = 0; i < system->probe_count; i++) {
        const probe_reader* probe = &system->readers[i];
        NOTE(probe->quantity);
        NOTE(probe->end.count ? probe->end.first : -1);
        NOTE(probe->link_count);
        for (int32_t j = 0; j < probe->link_count; j++)
            NOTE(probe->links[j]);
    }
#undef NOTE
    return count;
}

bool sis_compile_twins(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    if (!fits(system)) return true;
    int32_t count = list(system, NULL);
    system->build = sis_arena_take(&system->arena, (size_t)count * sizeof *system->build, error);
    if (!system->build) return false;
    system->build_count = list(system, system->build);
    return true;
}
