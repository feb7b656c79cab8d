// A contact line: points of one contact that are alone on what they touch, all of one law, one or a
// thousand of them. Most are open in most samples: a line sleeps while none of its points can
// touch, looks at them several at a time, and solves those that are awake several at a time too.
//
// The eta of a sleeping point is not kept: it follows from the bodies.
#ifndef SIS_LINE_H
#define SIS_LINE_H

#include "network/network.h"

// How a line knows that a sleeping point may touch.
typedef enum line_watch {
    LINE_ALWAYS,   // its points never sleep: laws with two sides, schemes with a velocity of their
                   // own
    LINE_LOOKS,    // looks at all of them in every sample
    LINE_DETECTED, // the update of the string above finds candidates (body/string.c)
    LINE_CLEAR,    // not before bodies have moved as far as the nearest point was away
} line_watch;

// One side of a line. The points of one body are all taken alike.
typedef struct line_side {
    const int32_t* dof; // the degree of freedom of each point; NULL: none, or several (network_end)
    bool ends;          // several: read and moved by their network_end
    double admittance;  // m/N, a force of the line alone moves them so far; 0: through
                        // motion->link_force
    bool run;           // neighbours on a string that only this line moves: lanes as they lie
    int32_t group;      // bodies; -1: none
} line_side;

// A string over a barrier whose update compares it with a lower bound. Where a hand moves the
// barrier, the bound goes with it (step/live.c).
typedef struct line_detection {
    int32_t group;     // bodies
    int32_t start;     // its point under the first of the line
    int32_t candidate; // where the flags of its chunks begin
} line_detection;

typedef struct contact_line {
    int32_t first, count; // links
    int32_t owner;        // contact of the scene
    int32_t word;         // of its first point among the bits of who is awake
    const contact_law* law;
    const network_link* links; // its own
    line_side below, above;
    bool ends;            // has one of them several degrees of freedom a point?
    const double* G;      // m/N, of each point
    const double* offset; // m, of each: eta = offset + u_below - u_above
    line_watch watch;
    motion_bound bound; // LINE_CLEAR
    line_detection detection;
    const struct line_kernel* kernel; // NULL: point by point (network/line.c)
} contact_line;

// What the points of a line did in one sample.
typedef struct line_tally {
    double most, least; // N, forces
    double deepest;     // m
    double lowest;      // J
    double held;        // J, by open points that give no force
    double lost;        // J
    uint32_t inside, powers, iterations;
    int32_t solved, awake; // points that were solved; that stay awake
    bool unsolved;         // a search has not converged
    bool accumulated;      // motion->link_force has forces of it
} line_tally;

// Where a line works: the state of the system, by pointers.
typedef struct line_place {
    const body_motion* motion;
    const contact_memory* memory; // over all links, as is
    double* force;                // N, f^n
    uint64_t *awake, *near; // bits of this line: who is awake; who is looked at in this sample
} line_place;

typedef struct line_kernel {
    // Which points (bits, as `awake`) are awake or would be inside at the next sample; false: none.
    // u is there already, without links. Into `clear`: how far the nearest other one is away.
    bool (*wake)(const contact_line* line, const line_place* place, double* clear);
    // Those among the candidates that the update of the string found.
    bool (*wake_candidates)(const contact_line* line, const line_place* place);
    // Solves those points, moves the bodies, tells who stays awake.
    line_tally (*solve)(const contact_line* line, const line_place* place);
    // The largest of |values|.
    double (*largest)(const double* values, int32_t count);
    // What an end of many points reads of two arrays.
    network_dots dots;
} line_kernel;

// Who is awake: a bit for each point, 64 in a word, each line in words of its own. Kernels look at
// whole lanes: up to LINE_BEHIND places behind the last point, where no bit is set.
enum { LINE_WORD = 64, LINE_BEHIND = 7 };

static inline int32_t line_words(int32_t count) {
    return (count + LINE_BEHIND) / LINE_WORD + 1;
}

static inline bool line_awake(const uint64_t* awake, int32_t j) {
    return awake[(uint32_t)j / LINE_WORD] >> (uint32_t)j % LINE_WORD & 1;
}

// Finds the points of a line that may touch in this sample; false: there are none. `fastest`: the
// largest increment of each group of bodies; `forced`: an external force acts on the string above.
bool sis_line_wake(const contact_line* line, sleep_state* state, const double* fastest, bool forced,
                   const line_place* place);

// Solves them, by the kernel of the line.
line_tally sis_line_solve(const contact_line* line, sleep_state* state, const line_place* place);

// Solves point j of a line that has no kernel.
contact_push sis_line_point(const contact_line* line, int32_t j, double k,
                            const body_motion* motion, network_work* work, bool* accumulated);

// eta of a sleeping point j at the shapes u.
static inline double line_eta(const contact_line* line, const double* u, int32_t j) {
    return line->offset[j] + network_apart(&line->links[j], u);
}

// A force on a point of one side; true: it is in motion->link_force now.
static inline bool line_move(const network_end* end, const body_motion* motion, double force) {
    if (!end->count) return false;
    if (end->admittance != 0) {
        network_apply(end, force, motion->u, motion->next);
        return false;
    }
    network_write(end, force, motion->link_force);
    return true;
}

#endif
