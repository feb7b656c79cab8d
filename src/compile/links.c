// Links of a scene and the blocks they form: links that touch a common body are solved together.
#include "compile/system.h"

#include <math.h>

enum {
    PROFILE_MAX = 1 << 22
}; // entries of one block's profile: 32 MB, some 2900 links all in touch

static double compliance_of(const sis_system* system, int32_t dof) {
    if (dof < 0) return 0;
    const body_bank* bank =
        &system->banks[dof < system->banks[BANK_DRIVEN].first ? BANK_MASS : BANK_DRIVEN];
    return bank->kind->compliance(bank, dof);
}

// Acceleration of gravity on a degree of freedom, m/s^2.
static double fall_of(const sis_system* system, int32_t dof) {
    const mass_bank* masses = system->banks[BANK_MASS].data;
    return dof >= 0 && dof < system->banks[BANK_MASS].count
               ? system->weight[dof] / masses->mass[dof]
               : 0;
}

// eta^0 of a link: barriers stand at their height.
static double height_of(const compile_plan* plan, sis_id id) {
    if (id < 0) return 0;
    if (plan->dof[id] >= 0) return plan->position[plan->dof[id]];
    return ((const sis_barrier_def*)sis_scene_def(plan->scene, id))->height;
}

// The curve of an exponent, made once for all contacts that share it.
static const exact_table* table_for(compile_plan* plan, double alpha, sis_error* error) {
    for (int32_t i = 0; i < plan->system->link_count; i++)
        if (plan->made[i].table && plan->made[i].power.alpha == alpha) return plan->made[i].table;
    exact_table* table = sis_arena_take(&plan->system->arena, sizeof *table, error);
    if (table) sis_exact_table_make(table, alpha);
    return table;
}

// What a scheme needs of its contact alone; what it needs of the block is checked when there are
// blocks.
static bool check_scheme(const sis_contact_def* def, sis_scheme scheme, bool wall,
                         sis_error* error) {
    bool impact = scheme >= SIS_SCHEME_AM1;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    const char *word = sis_scheme_word(scheme), *why = NULL;
    if (def->potential == SIS_POTENTIAL_MIDPOINT && scheme != SIS_SCHEME_LEDGER &&
        scheme != SIS_SCHEME_NEWTON)
        why = "has no potential = \"midpoint\": that works with ledger and newton only";
    else if ((scheme == SIS_SCHEME_EXACT || scheme == SIS_SCHEME_ROOT) && def->damping > 0)
        why = "has no damping: use ledger, quadratised, newton or invariant, or damping = 0";
    else if (scheme == SIS_SCHEME_ROOT && def->law == SIS_LAW_TWO_SIDED &&
             floor(0.5 * (def->alpha - 1)) != 0.5 * (def->alpha - 1))
        why = "takes two-sided laws with odd whole alpha only (1, 3, 5, ...): use ledger, newton "
              "or exact";
    else if (impact && def->law != SIS_LAW_ONE_SIDED)
        why = "is for one-sided contacts only: use ledger, quadratised or newton";
    else if (impact && !wall)
        why = "is for one mass on a wall (a barrier): use ledger, quadratised, newton or exact";
    if (!why) return true;
    sis_fail(error, SIS_REFUSED, "%s: scheme \"%s\" %s", label.text, word, why);
    return false;
}

static bool make_contact(compile_plan* plan, const sis_contact_def* def, network_link* link,
                         sis_link_info* info, sis_error* error) {
    sis_scheme scheme =
        plan->options->scheme == SIS_SCHEME_AS_GIVEN ? def->scheme : plan->options->scheme;
    bool wall = (plan->scene->objects[def->above].kind == SIS_KIND_BARRIER) !=
                (plan->scene->objects[def->below].kind == SIS_KIND_BARRIER);
    link->scheme = scheme;
    link->release = def->release && scheme == SIS_SCHEME_QUADRATISED;
    link->midpoint = def->potential == SIS_POTENTIAL_MIDPOINT;
    link->corrected = def->corrected && scheme != SIS_SCHEME_INVARIANT;
    link->mu = def->damping;
    link->s = def->s;
    link->power = sis_power_law_make(def->law, def->K, def->alpha, def->gap);
    info->law = def->law;
    info->K = def->K;
    info->alpha = def->alpha;
    info->mu = def->damping;
    info->s = def->s;
    info->clamp = def->clamp;
    if (!check_scheme(def, scheme, wall, error)) return false;
    if (scheme != SIS_SCHEME_EXACT) return true;
    return (link->table = table_for(plan, def->alpha, error)) != NULL;
}

static bool make_link(compile_plan* plan, sis_id id, network_link* link, sis_link_info* info,
                      double* eta, sis_error* error) {
    const sis_scene* scene = plan->scene;
    sis_id below, above;
    double gap = 0;
    if (scene->objects[id].kind == SIS_KIND_SPRING) {
        const sis_spring_def* def = sis_scene_def(scene, id);
        link->spring = true;
        link->elastic = (spring_law){def->K1, def->K3, def->damping};
        below = def->a;
        above = def->b;
    } else {
        const sis_contact_def* def = sis_scene_def(scene, id);
        if (!make_contact(plan, def, link, info, error)) return false;
        below = def->below;
        above = def->above;
        gap = def->law == SIS_LAW_CENTRE_LIMITED ? 0 : def->gap;
    }
    link->below = below >= 0 ? plan->dof[below] : -1;
    link->above = above >= 0 ? plan->dof[above] : -1;
    link->G = compliance_of(plan->system, link->below) + compliance_of(plan->system, link->above);
    link->steady = fall_of(plan->system, link->below) - fall_of(plan->system, link->above);
    *eta = height_of(plan, below) - height_of(plan, above) - gap;
    info->kind = scene->objects[id].kind;
    info->scheme = link->scheme;
    info->points = 1;
    info->compliance = link->G;
    info->mass = plan->system->k * plan->system->k / link->G;
    info->name = sis_arena_text(&plan->system->arena, sis_scene_name(scene, id), error);
    info->below = sis_arena_text(&plan->system->arena, sis_scene_name(scene, below), error);
    info->above = sis_arena_text(&plan->system->arena, sis_scene_name(scene, above), error);
    return info->name && info->below && info->above;
}

// Lists of the links at each degree of freedom that a force can move.
typedef struct link_lists {
    int32_t *first, *next; // next has two entries a link: 2 l for below, 2 l + 1 for above
} link_lists;

static bool list_links(compile_plan* plan, const network_link* links, link_lists* lists,
                       sis_error* error) {
    sis_system* system = plan->system;
    lists->first =
        sis_arena_take(&plan->arena, (size_t)system->dof_count * sizeof(int32_t) + 1, error);
    lists->next =
        sis_arena_take(&plan->arena, (size_t)system->link_count * 2 * sizeof(int32_t) + 1, error);
    if (!lists->first || !lists->next) return false;
    for (int32_t i = 0; i < system->dof_count; i++)
        lists->first[i] = -1;
    for (int32_t l = system->link_count - 1; l >= 0; l--)
        for (int side = 1; side >= 0; side--) {
            int32_t dof = side ? links[l].above : links[l].below;
            if (dof < 0 || compliance_of(system, dof) == 0) continue;
            lists->next[2 * l + side] = lists->first[dof];
            lists->first[dof] = 2 * l + side;
        }
    return true;
}

// Breadth first from `seed`, appending the links of its block to `order`; returns how many it holds
// then.
static int32_t walk(const sis_system* system, const network_link* links, const link_lists* lists,
                    int32_t seed, int32_t* order, int32_t from, uint8_t* seen, uint8_t mark) {
    int32_t end = from;
    order[end++] = seed;
    seen[seed] = mark;
    for (int32_t at = from; at < end; at++)
        for (int side = 0; side < 2; side++) {
            int32_t dof = side ? links[order[at]].above : links[order[at]].below;
            if (dof < 0 || compliance_of(system, dof) == 0) continue;
            for (int32_t e = lists->first[dof]; e >= 0; e = lists->next[e])
                if (seen[e / 2] != mark) {
                    seen[e / 2] = mark;
                    order[end++] = e / 2;
                }
        }
    return end;
}

bool sis_compile_links(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    int32_t n = scene->kind_count[SIS_KIND_CONTACT] + scene->kind_count[SIS_KIND_SPRING];
    size_t count = (size_t)n;
    system->link_count = n;
    network_link* links = sis_arena_take(&plan->arena, count * sizeof *links + 1, error);
    system->links = sis_arena_take(&system->arena, count * sizeof *links + 1, error);
    system->link_info = sis_arena_take(&system->arena, count * sizeof(sis_link_info) + 1, error);
    system->link_at = sis_arena_take(&system->arena, count * sizeof(int32_t) + 1, error);
    plan->eta = sis_arena_take(&plan->arena, count * sizeof(double) + 1, error);
    int32_t* order = sis_arena_take(&plan->arena, count * sizeof(int32_t) + 1, error);
    uint8_t* seen = sis_arena_take(&plan->arena, count + 1, error);
    link_lists lists;
    plan->made = links;
    if (!links || !system->links || !system->link_info || !system->link_at || !plan->eta ||
        !order || !seen)
        return false;
    int32_t l = 0;
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        if (kind != SIS_KIND_CONTACT && kind != SIS_KIND_SPRING) continue;
        if (!make_link(plan, id, &links[l], &system->link_info[l], &plan->eta[l], error))
            return false;
        l++;
    }
    if (!list_links(plan, links, &lists, error)) return false;
    int32_t end = 0;
    for (l = 0; l < n; l++) {
        if (seen[l]) continue;
        // Twice: from the far end of the first walk a chain comes out in order, with a narrow
        // profile.
        int32_t block_end = walk(system, links, &lists, l, order, end, seen, 1);
        block_end = walk(system, links, &lists, order[block_end - 1], order, end, seen, 2);
        for (int32_t i = end; i < block_end; i++) {
            system->link_info[order[i]].block = system->block_count;
            system->link_info[order[i]].block_size = block_end - end;
        }
        system->block_count++;
        end = block_end;
    }
    for (int32_t i = 0; i < n; i++) {
        system->links[i] = links[order[i]];
        system->link_at[order[i]] = i;
    }
    return sis_compile_blocks(plan, order, error);
}

// G between two links: the sum over the bodies they share, with the sign of the sides.
static double entry(const sis_system* system, const network_link* a, const network_link* b) {
    double sum = 0;
    if (a->below >= 0 && a->below == b->below) sum += compliance_of(system, a->below);
    if (a->above >= 0 && a->above == b->above) sum += compliance_of(system, a->above);
    if (a->below >= 0 && a->below == b->above) sum -= compliance_of(system, a->below);
    if (a->above >= 0 && a->above == b->below) sum -= compliance_of(system, a->above);
    return sum;
}

// leftmost[dof]: the first link of the block, in block order, that a force at dof moves.
static bool make_block(sis_system* system, network_block* block, const int32_t* leftmost,
                       sis_error* error) {
    size_t n = (size_t)block->count, size = 0;
    int32_t* row = sis_arena_take(&system->arena, n * sizeof *row, error);
    size_t* start = sis_arena_take(&system->arena, n * sizeof *start, error);
    if (!row || !start) return false;
    const network_link* links = system->links + block->first;
    for (int32_t i = 0; i < block->count; i++) {
        row[i] = i;
        for (int side = 0; side < 2; side++) {
            int32_t dof = side ? links[i].above : links[i].below;
            if (dof < 0 || compliance_of(system, dof) == 0) continue;
            int32_t left = leftmost[dof] - block->first;
            if (left < row[i]) row[i] = left;
        }
        start[i] = size;
        size += (size_t)(i - row[i] + 1);
        if (size > PROFILE_MAX) {
            sis_fail(error, SIS_REFUSED,
                     "%d links that share bodies make a matrix of over %d entries: "
                     "split the network into parts that do not touch",
                     (int)block->count, PROFILE_MAX);
            return false;
        }
    }
    double* G = sis_arena_take(&system->arena, size * sizeof *G, error);
    if (!G) return false;
    for (int32_t i = 0; i < block->count; i++)
        for (int32_t j = row[i]; j <= i; j++)
            G[start[i] + (size_t)(j - row[i])] = entry(system, &links[i], &links[j]);
    block->row = row;
    block->start = start;
    block->G = G;
    if (size > system->matrix_size) system->matrix_size = size;
    return true;
}

// The schemes that follow one contact's own flow cannot share its bodies.
static bool check_sharing(const network_link* link, const char* name, sis_error* error) {
    if (link->spring || link->scheme < SIS_SCHEME_EXACT) return true;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, name);
    sis_fail(
        error, SIS_REFUSED,
        "%s: scheme \"%s\" needs a contact whose bodies touch nothing else; here other contacts or "
        "springs share them: use ledger, quadratised or newton",
        label.text, sis_scheme_word(link->scheme));
    return false;
}

bool sis_compile_blocks(compile_plan* plan, const int32_t* order, sis_error* error) {
    sis_system* system = plan->system;
    system->blocks = sis_arena_take(&system->arena,
                                    (size_t)system->block_count * sizeof(network_block) + 1, error);
    int32_t* leftmost =
        sis_arena_take(&plan->arena, (size_t)system->dof_count * sizeof *leftmost, error);
    if (!system->blocks || !leftmost) return false;
    for (int32_t l = system->link_count - 1; l >= 0; l--) {
        if (system->links[l].below >= 0) leftmost[system->links[l].below] = l;
        if (system->links[l].above >= 0) leftmost[system->links[l].above] = l;
    }
    int32_t at = 0;
    for (int32_t i = 0; i < system->block_count; i++) {
        network_block* block = &system->blocks[i];
        block->first = at;
        block->count = system->link_info[order[at]].block_size;
        at += block->count;
        if (!make_block(system, block, leftmost, error)) return false;
        for (int32_t l = block->first; l < at && block->count > 1; l++)
            if (!check_sharing(&system->links[l], system->link_info[order[l]].name, error))
                return false;
    }
    return true;
}
