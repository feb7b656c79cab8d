// A row: contacts along a string on a grid, each alone on its point, all of one law. Most of them
// are open in most samples. A row looks at its points several at a time, wakes those that come
// near, and solves what is awake several at a time too (base/lanes.h).
//
// The eta of a sleeping point is not kept: it follows from the bodies.
#ifndef SIS_ROW_H
#define SIS_ROW_H

#include "network/network.h"

// A string over a barrier that sees itself where it falls (body/string.h).
typedef struct row_watch {
    int32_t start; // its point under the first link
    int32_t fell;  // where what it notes of its chunks begins
} row_watch;

// Which points may be near that are not awake: none, some of those that fell, any.
typedef enum row_look { ROW_LOOKS_AWAY, ROW_LOOKS_DOWN, ROW_LOOKS_ROUND } row_look;

typedef struct network_row {
    int32_t first, count;          // links
    int32_t word;                  // of its first link among the bits of who is awake
    size_t cells, plane;           // its first among the numbers of all rows; how many points apart
    const int32_t *below, *above;  // [count] degrees of freedom, in order; NULL: at rest
    double give_below, give_above; // m/N, how far a unit force moves a point in one step
    double G;                      // m/N, their sum
    const double* offset;          // m, [count]: eta = offset + u_below - u_above; -inf behind it
    power_law law;
    sis_scheme scheme; // ledger, newton, quadratised; exact: the closed form of alpha = 1
    bool release, midpoint;
    int32_t watch; // bank whose floor is its barrier: it sleeps on while that has not fallen; -1
    row_watch watched;
} network_row;

// What the points of a row did in one sample.
typedef struct row_tally {
    double most, least; // N, forces
    double deepest;     // m
    double lowest;      // J
    double held;        // J, by open points that give no force
    uint32_t inside, powers, iterations;
    bool unsolved; // a search has not converged
} row_tally;

typedef struct row_kernel {
    // Tells which points (bits, as `awake`) are awake or would be inside at the next sample; false:
    // none. u has flown there already.
    bool (*wake)(const network_row* row, const body_motion* motion, const uint64_t* awake,
                 uint64_t* near, row_look look);
    // Solves those points, moves the bodies, tells who stays awake.
    row_tally (*solve)(const network_row* row, const body_motion* motion, double* cells,
                       double* force, uint64_t* awake, uint64_t* near);
} row_kernel;

// Who is awake: a bit for each point, 64 in a word, each row in words of its own. Kernels look at
// whole lanes: up to ROW_BEHIND places behind the last point, where no bit is set.
enum { ROW_WORD = 64, ROW_BEHIND = 7 };

// What the points of a row remember (contact_memory has the meanings): all of one number, then all
// of the next, row->plane apart. Sets of lanes begin anywhere.
typedef enum row_field {
    ROW_ETA,
    ROW_BEFORE,
    ROW_ENERGY,
    ROW_PSI,
    ROW_FORCE,
    ROW_PHI_BEFORE,
    ROW_MARK_DEPTH,
    ROW_MARK_PHI,
    ROW_FIELDS
} row_field;

static inline size_t network_row_plane(int32_t count) {
    return (size_t)(count + ROW_BEHIND) / 8 * 8 + 8; // on cache lines
}

static inline int32_t network_row_words(int32_t count) {
    return (count + ROW_BEHIND) / ROW_WORD + 1;
}

static inline bool network_row_awake(const uint64_t* awake, int32_t j) {
    return awake[(uint32_t)j / ROW_WORD] >> (uint32_t)j % ROW_WORD & 1;
}

static inline bool network_row_any(const uint64_t* awake, int32_t count) {
    uint64_t any = 0;
    for (int32_t i = 0; i < network_row_words(count); i++)
        any |= awake[i];
    return any != 0;
}

// The difference below - above of a number at point j.
static inline double network_row_apart(const network_row* row, const double* values, int32_t j) {
    return (row->below ? values[row->below[j]] : 0) - (row->above ? values[row->above[j]] : 0);
}

// eta of a sleeping point j at the shapes u.
static inline double network_row_eta(const network_row* row, const double* u, int32_t j) {
    return row->offset[j] + network_row_apart(row, u, j);
}

#endif
