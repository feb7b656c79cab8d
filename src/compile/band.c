// Which blocks are solved in the shape of their string (network/banded.c), and the tables that this
// needs: blocks of springs and contacts of ledger and newton in which all but a few links hold on
// to one implicit or trapezoid string only.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

// Fewer links are solved faster together with all others.
enum { BAND_LEAST = 4 };

static const body_group* group_of(const sis_system* system, const network_end* end) {
    if (!end->count) return NULL;
    return body_group_of(system->body_groups, system->body_group_count, network_dof(end, 0));
}

// Does it move by a force at all?
static bool moves(const sis_system* system, const network_end* end) {
    return end->count && group_of(system, end) != &system->body_groups[GROUP_DRIVEN];
}

static bool is_banded(const body_group* bodies) {
    return bodies && bodies->kind == &sis_banded_kind;
}

// The end of a link that holds on to the string and nothing else that moves; NULL: it is one of the
// others.
static const network_end* own_end(const sis_system* system, const network_link* link,
                                  const body_group* string) {
    const bool below = moves(system, &link->below), above = moves(system, &link->above);
    const network_end* end = below ? &link->below : &link->above;
    if (below == above || group_of(system, end) != string) return NULL;
    return end->index || end->count > BAND_STENCIL ? NULL : end;
}

// The banded string of the first link that holds on to one; NULL: none, or a link cannot be taken.
static const body_group* string_of(const sis_system* system, const network_block* block) {
    const body_group* string = NULL;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const network_link* link = &system->links[i];
        if (link->class->rigid || link->class->modulation || link->friction) return NULL;
        if (network_is_contact(link) && !network_gradient_based(link)) return NULL;
        const body_group *below = group_of(system, &link->below),
                         *above = group_of(system, &link->above);
        if (!string) string = is_banded(below) ? below : is_banded(above) ? above : NULL;
    }
    return string;
}

// Counts the nodes of points, and gathers the others. False: there are too many of those.
static bool sort_links(const sis_system* system, const network_block* block,
                       const body_group* string, network_band* band) {
    int32_t nodes = 1;
    band->plain = true;
    for (int32_t i = block->first; i < block->first + block->count; i++) {
        const network_link* link = &system->links[i];
        const network_end* end = own_end(system, link, string);
        if (end) {
            if (end->count > nodes) nodes = end->count;
            band->plain = band->plain && (!link->below.count || !link->above.count);
            continue;
        }
        if (band->other_count == BAND_OTHERS) return false;
        band->other[band->other_count++] = i;
    }
    band->stencil = nodes < 2 ? 1 : nodes < 4 ? 3 : nodes < 5 ? 4 : 6;
    band->reach = band->stencil - 1 > band->width ? band->stencil - 1 : band->width;
    return true;
}

// D, and what its first rows lose when all nodes before them are eliminated.
static bool make_matrix(sis_system* system, network_band* band, sis_error* error) {
    const banded* A = band->A;
    const int32_t w = band->width, n = band->count;
    double* D = sis_arena_take(&system->arena, (size_t)n * (size_t)(w + 1) * sizeof *D, error);
    double* cut = sis_arena_take(&system->arena, 3 * (size_t)n * sizeof *cut, error);
    if (!D || !cut) return false;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= w; j++)
            D[i * (w + 1) + j] = i + j < n ? A->diagonal[j][i] / band->admittance : 0;
    double here = 0, beside = 0, next = 0; // of D_{i,i}, D_{i,i+1}, D_{i+1,i+1}
    for (int32_t i = 0; i < n; i++) {
        const double* row = D + (size_t)i * (size_t)(w + 1);
        double* lost = cut + 3 * (size_t)i;
        lost[0] = here, lost[1] = beside, lost[2] = next;
        double pivot = row[0] - here, one = row[1] - beside, two = w > 1 ? row[2] : 0;
        here = next + one * one / pivot;
        beside = one * two / pivot;
        next = two * two / pivot;
    }
    band->D = D;
    band->cut = cut;
    return true;
}

// Nodes and weights of the string's links; of a point near an end some are 0.
static bool make_points(sis_system* system, const network_block* block, const body_group* string,
                        network_band* band, sis_error* error) {
    const size_t links = (size_t)block->count, q = (size_t)band->stencil;
    int32_t* node = sis_arena_take(&system->arena, links * sizeof *node, error);
    double* weight = sis_arena_take(&system->arena, links * q * sizeof *weight, error);
    if (!node || !weight) return false;
    for (int32_t l = 0; l < block->count; l++) {
        const network_link* link = &system->links[block->first + l];
        const network_end* end = own_end(system, link, string);
        node[l] = -1;
        if (!end) continue;
        int32_t first = end->first - band->first, from = band->count - band->stencil;
        node[l] = first < from ? first : from;
        for (int32_t j = 0; j < end->count; j++)
            weight[(size_t)l * q + (size_t)(first - node[l] + j)] =
                (end == &link->below ? 1 : -1) * (end->weight ? end->weight[j] : 1);
    }
    band->node = node;
    band->weight = weight;
    return true;
}

static bool takes_lanes(const network_link* link) {
    const contact_law* law = link->contact;
    return law && law->scheme == SIS_SCHEME_LEDGER && !law->power.both && !law->midpoint &&
           !law->restitution;
}

// Contacts whose points lie side by side.
static bool make_runs(sis_system* system, const network_block* block, network_band* band,
                      sis_error* error) {
    const size_t links = (size_t)block->count;
    band_run* runs = sis_arena_take(&system->arena, links * sizeof *runs, error);
    bool* in_run = sis_arena_take(&system->arena, links * sizeof *in_run, error);
    double* G = sis_arena_take(&system->arena, (links + LINE_BEHIND) * sizeof *G, error);
    if (!runs || !in_run || !G) return false;
    for (int32_t l = 0; l < block->count; l++) {
        const network_link* link = &system->links[block->first + l];
        G[l] = link->G;
        in_run[l] = band->node[l] >= 0 && takes_lanes(link);
        if (!in_run[l]) continue;
        band_run* last = band->run_count ? &runs[band->run_count - 1] : NULL;
        if (last && last->law == link->contact && last->first + last->count == block->first + l)
            last->count++;
        else
            runs[band->run_count++] = (band_run){block->first + l, 1, link->contact, G + l};
    }
    band->runs = runs;
    band->in_run = in_run;
    band->G = G;
    band->kernel = sis_wide(system->lanes)->band;
    return true;
}

// ---------------------------------------------------------------------------- others

// A link without its ends on the string.
static network_link away_from(const sis_system* system, const network_link* link,
                              const body_group* string) {
    network_link rest = *link;
    if (group_of(system, &rest.below) == string) rest.below.count = 0;
    if (group_of(system, &rest.above) == string) rest.above.count = 0;
    return rest;
}

// response = D^-1 B of that link; both arrays are over all degrees of freedom, force is 0.
static void respond(const compile_plan* plan, const network_link* link, double* force,
                    double* response) {
    const network_end* ends[2] = {&link->below, &link->above};
    for (int side = 0; side < 2; side++)
        network_write(ends[side], side ? -1 : 1, force);
    for (int side = 0; side < 2; side++) {
        const body_group* bodies = group_of(plan->system, ends[side]);
        if (!bodies) continue;
        if (!bodies->kind->diagonal)
            bodies->kind->admit(bodies, force + bodies->first, response + bodies->first);
        for (int32_t i = bodies->first; bodies->kind->diagonal && i < bodies->first + bodies->count;
             i++)
            response[i] = plan->Dinv[i] * force[i];
    }
}

static bool make_others(compile_plan* plan, const body_group* string, network_band* band,
                        sis_error* error) {
    const sis_system* system = plan->system;
    const size_t size = (size_t)system->dof_count * sizeof(double);
    if (!band->other_count) return true;
    double* force = sis_arena_take(&plan->arena, size, error);
    double* response = sis_arena_take(&plan->arena, size, error);
    if (!force || !response) return false;
    for (int32_t o = 0; o < band->other_count; o++) {
        const network_link link = away_from(system, &system->links[band->other[o]], string);
        respond(plan, &link, force, response);
        for (int32_t p = 0; p < band->other_count; p++) {
            const network_link seen = away_from(system, &system->links[band->other[p]], string);
            band->rest[o][p] = network_apart(&seen, response);
        }
        memset(force, 0, size);
        memset(response, 0, size);
    }
    return true;
}

bool sis_compile_band(compile_plan* plan, network_block* block, sis_error* error) {
    sis_system* system = plan->system;
    const body_group* string = string_of(system, block);
    if (!string || string->retuned || block->count < BAND_LEAST || sis_block_slides(system, block))
        return true;
    const banded_string* whole = string->data;
    network_band made = {.group = (int32_t)(string - system->body_groups),
                         .first = string->first,
                         .count = string->count,
                         .A = &whole->band,
                         .admittance = whole->string.admittance,
                         .width = whole->band.width};
    if (made.count < 2 * BAND_STENCIL || !sort_links(system, block, string, &made)) return true;
    const int32_t end = block->count - 1;
    made.profile = (double)(block->start[end] + (size_t)(end - block->row[end] + 1)) / block->count;
    made.node_cost = 60 + 87 * made.reach;
    network_band* band = sis_arena_take(&system->arena, sizeof *band, error);
    if (!band || !make_matrix(system, &made, error) ||
        !make_points(system, block, string, &made, error) ||
        !make_runs(system, block, &made, error) || !make_others(plan, string, &made, error))
        return false;
    *band = made;
    block->band = band;
    return true;
}
