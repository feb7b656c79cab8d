// The links of a banded string that act in a sample, as banded.c and band_pass.c see them.
#ifndef SIS_BAND_SET_H
#define SIS_BAND_SET_H

#include "network/band.h"

// The links of a block that act in this sample: those of the string and the others; the window.
typedef struct band_set {
    const network_block* block;
    const network_band* band;
    const network_link* links;
    network_work* work;
    int32_t count, others, singles; // links of the string, others; the former that are in no run
    const int32_t* at;              // links, ascending
    int32_t of[BAND_OTHERS];        // which of the others
    int32_t low, n;                 // first node of the window, nodes
    double* M;                      // its rows
    double *dx, *x; // over all nodes: the last change; scratch, or the whole response
    double* Z[BAND_OTHERS];
} band_set;

// What point l of the block reads of an array over the nodes, and what its force adds to one; q
// nodes.
SIS_INLINE double read_of(const network_band* band, int32_t l, const double* v, int32_t q) {
    const double* w = band->weight + (size_t)l * (size_t)q;
    double sum = 0;
    v += band->node[l];
    for (int32_t j = 0; j < q; j++)
        sum += w[j] * v[j];
    return sum;
}

SIS_INLINE void write_of(const network_band* band, int32_t l, double f, double* v, int32_t q) {
    const double* w = band->weight + (size_t)l * (size_t)q;
    v += band->node[l];
    for (int32_t j = 0; j < q; j++)
        v[j] += f * w[j];
}

// Numbers of nodes of a point, each compiled by itself.
#define STENCIL_EACH(q, CALL)                                                                      \
    switch (q) {                                                                                   \
    case 1:                                                                                        \
        CALL(1);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        CALL(3);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        CALL(4);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        CALL(6);                                                                                   \
    }

static inline int32_t link_of(const band_set* set, int32_t o) {
    return set->band->other[set->of[o]];
}

// The tangent at the travel r, loss included.
static inline double affine_at(const network_work* work, int32_t l, double r) {
    return work->q[l] + work->a[l] * (r - work->at[l]) + work->loss[l] * r;
}

// The chosen links of a block and their window; its arrays are the work's.
band_set sis_band_choose(const network_block* block, const network_link* links, network_work* work);

// Forces and travels of the set move onto their tangents. They belong together before and after it;
// work->old_force has the forces before.
void sis_band_pass(const band_set* set);

// x = what the forces of the set add to the free motion, over the whole string.
void sis_band_respond(const band_set* set);

// The travel of one of the others, in the set or not, that the response in x makes.
double sis_band_other_travel(const band_set* set, int32_t other);

#endif
