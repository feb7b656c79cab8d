// G of a block from its bodies as they are: what compile makes once, made again while it sounds for
// bodies whose answer to a force has moved.
#include "network/network.h"

#include <string.h>

static const body_group* group_of(const network_bodies* all, int32_t dof) {
    return body_group_of(all->groups, all->count, dof);
}

// response = D^-1 B of a link, on what it holds on to.
static void respond(const network_bodies* all, const network_link* link) {
    const network_end* ends[2] = {&link->below, &link->above};
    for (int side = 0; side < 2; side++)
        network_write(ends[side], side ? -1 : 1, all->force);
    for (int side = 0; side < 2; side++) {
        const network_end* end = ends[side];
        if (!end->count) continue;
        const body_group* bodies = group_of(all, end->first);
        if (!bodies->kind->diagonal)
            bodies->kind->admit(bodies, all->force + bodies->first, all->response + bodies->first);
        for (int32_t i = 0; bodies->kind->diagonal && i < end->count; i++) {
            const int32_t dof = network_dof(end, i);
            all->response[dof] = all->Dinv[dof] * all->force[dof];
        }
    }
}

// Puts the zeros back.
static void clear(const network_bodies* all, const network_link* link) {
    const network_end* ends[2] = {&link->below, &link->above};
    for (int side = 0; side < 2; side++) {
        const network_end* end = ends[side];
        if (!end->count) continue;
        const body_group* bodies = group_of(all, end->first);
        for (int32_t i = 0; i < end->count; i++)
            all->force[network_dof(end, i)] = all->response[network_dof(end, i)] = 0;
        if (!bodies->kind->diagonal)
            memset(all->response + bodies->first, 0, (size_t)bodies->count * sizeof(double));
    }
}

// Which of two links answers for the entry between them, so that it has the same bits whichever
// moved last: one that slides, else the later one (step/live_place.c).
static bool answers(const network_link* links, int32_t i, int32_t other) {
    if (links[i].slides != links[other].slides) return links[i].slides;
    return i >= other;
}

void sis_network_compliance(const network_bodies* all, const network_block* block,
                            const network_link* links, double* G) {
    for (int32_t i = 0; i < block->count; i++) {
        double* row = G + block->start[i];
        for (int32_t j = 0; block->wide && j < PROFILE_PAD; j++)
            row[i - block->row[i] + 1 + j] = 0;
        if (links[i].class->modulation) continue;
        respond(all, &links[i]);
        for (int32_t j = block->row[i]; j <= i; j++)
            if (answers(links, i, j))
                row[j - block->row[i]] =
                    links[j].class->modulation ? 0 : network_apart(&links[j], all->response);
        for (int32_t j = i + 1; links[i].slides && j < block->count; j++)
            if (answers(links, i, j) && block->row[j] <= i)
                G[block->start[j] + (size_t)(i - block->row[j])] =
                    links[j].class->modulation ? 0 : network_apart(&links[j], all->response);
        clear(all, &links[i]);
    }
}

void sis_network_square(const network_block* block, double* square) {
    const int32_t side = network_square_side(block->count);
    memset(square, 0, (size_t)side * (size_t)side * sizeof *square);
    for (int32_t i = 0; i < block->count; i++)
        for (int32_t j = block->row[i]; j <= i; j++)
            square[i * side + j] = square[j * side + i] =
                block->G[block->start[i] + (size_t)(j - block->row[i])];
}
