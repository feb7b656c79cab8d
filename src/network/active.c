// Which links of a block act in a sample, and what their forces do to the others. Most points of a
// string are open most of the time: only those that may touch are solved for.
#include "network/network.h"

static bool holds(const network_end* whole, const network_end* part) {
    return part->count && part->first >= whole->first && part->first < whole->first + whole->count;
}

// G between the tension modulation of a string and another link, from the response of the string to
// a force along its column.
static double modulation_entry(const network_link* string, const network_link* other,
                               const network_work* work) {
    double sum = 0;
    if (other->class->modulation) {
        if (!holds(&string->below, &other->below)) return 0;
        int32_t first = string->below.first;
        return sis_dot(work->column + first, work->response + first, string->below.count);
    }
    if (holds(&string->below, &other->below)) sum += network_read(&other->below, work->response);
    if (holds(&string->below, &other->above)) sum -= network_read(&other->above, work->response);
    return sum;
}

// First position in the ascending list at or after `link`.
static int32_t search(const int32_t* at, int32_t count, int32_t link) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (at[middle] < link)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// One row of the set: its part of a row of the block's G, or of a string's tension made anew.
static void gather_row(const network_set* set, const network_link* links, int32_t n,
                       const network_work* work, double* row) {
    const network_block* b = set->block;
    const int32_t l = set->at[n], i = l - b->first, first = set->row[n];
    const double* G = b->G + b->start[i] - b->first - b->row[i];
    if (links[l].class->modulation)
        for (int32_t m = first; m <= n; m++)
            row[m - first] = modulation_entry(&links[l], &links[set->at[m]], work);
    else
        for (int32_t m = first; m <= n; m++)
            row[m - first] = G[set->at[m]];
    for (int32_t k = 1; b->wide && k <= PROFILE_PAD; k++)
        row[n - first + k] = 0;
}

// The same as a square.
static void gather_square(const network_set* set, const network_link* links,
                          const network_work* work, double* G) {
    const network_block* b = set->block;
    const int32_t side = set->square, whole = network_square_side(b->count);
    for (int32_t j = 0; j < set->count; j++) {
        const double* from = b->square + (set->at[j] - b->first) * whole;
        for (int32_t i = 0; i < set->count; i++)
            G[j * side + i] = from[set->at[i] - b->first];
        for (int32_t i = set->count; i < side; i++)
            G[j * side + i] = 0;
    }
    for (int32_t j = 0; j < set->count; j++)
        for (int32_t i = 0; i < set->count && links[set->at[j]].class->modulation; i++)
            G[j * side + i] = G[i * side + j] =
                modulation_entry(&links[set->at[j]], &links[set->at[i]], work);
}

static void gather_rows(network_set* set, const network_link* links, network_work* work) {
    const network_block* b = set->block;
    size_t size = 0;
    for (int32_t n = 0; n < set->count; n++) {
        work->set_row[n] = search(set->at, n, b->first + b->row[set->at[n] - b->first]);
        work->set_start[n] = size;
        gather_row(set, links, n, work, work->gathered + size);
        size += (size_t)(n - set->row[n] + 1 + (b->wide ? PROFILE_PAD : 0));
    }
}

network_set sis_network_gather(const network_block* b, const network_link* links, double scale,
                               network_work* work) {
    network_set set = {.block = b,
                       .at = work->set_at,
                       .row = work->set_row,
                       .start = work->set_start,
                       .G = work->gathered,
                       .L = work->matrix,
                       .scale = scale};
    bool moves = false;
    for (int32_t l = b->first; l < b->first + b->count; l++) {
        if (!work->chosen[l] || work->chosen[l] == LINK_APART) continue;
        set.at[set.count++] = l;
        moves = moves || links[l].class->modulation;
    }
    const bool all = set.whole = set.count == b->count && !moves;
    if (b->square && set.count >= SQUARE_LEAST) {
        set.square = network_square_side(set.count);
        if (all)
            set.G = b->square;
        else
            gather_square(&set, links, work, work->gathered);
    } else if (all) {
        set.row = b->row;
        set.start = b->start;
        set.G = b->G;
    } else {
        gather_rows(&set, links, work);
    }
    return set;
}

// travel -= G f for the links outside the set.
static void subtract_column(const network_set* set, const network_link* links, int32_t l,
                            network_work* work) {
    const network_block* b = set->block;
    double f = set->scale * work->force[l];
    int32_t j = l - b->first;
    if (f == 0) return;
    if (links[l].class->modulation) {
        for (int32_t o = b->first; o < b->first + b->count; o++)
            if (!work->chosen[o])
                work->travel[o] -= modulation_entry(&links[l], &links[o], work) * f;
        return;
    }
    for (int32_t i = b->row[j]; i <= b->last[j]; i++) {
        if (i > b->near[j] && i < b->slide) i = b->slide; // rows between are shorter
        if (work->chosen[b->first + i]) continue;
        int32_t high = i > j ? i : j, low = i > j ? j : i;
        if (low < b->row[high]) continue;
        work->travel[b->first + i] -= b->G[b->start[high] + (size_t)(low - b->row[high])] * f;
    }
}

bool sis_network_spread(const network_set* set, const network_link* links, network_work* work) {
    const network_block* b = set->block;
    bool closes = false;
    if (set->count == b->count) return false;
    for (int32_t l = b->first; l < b->first + b->count; l++)
        if (!work->chosen[l]) work->travel[l] = work->free[l];
    for (int32_t n = 0; n < set->count; n++)
        subtract_column(set, links, set->at[n], work);
    for (int32_t l = b->first; l < b->first + b->count; l++) {
        if (work->chosen[l]) continue;
        work->force[l] = 0;
        if (!links[l].class->active(&links[l], work, l, work->travel[l])) continue;
        work->chosen[l] = true;
        closes = true;
    }
    return closes;
}
