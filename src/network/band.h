// Links of one implicit or trapezoid string, solved in the shape of the string: see banded.c.
#ifndef SIS_BAND_H
#define SIS_BAND_H

#include "body/banded.h"
#include "network/network.h"

// Most nodes of a point (cubic weights of a tuned string), most diagonals beside the main one, and
// most links that hold on to more than the string.
enum { BAND_STENCIL = 6, BAND_REACH = BAND_STENCIL - 1, BAND_OTHERS = 8 };

// Points of one contact that lie side by side and are taken over lanes.
typedef struct band_run {
    int32_t first, count; // links
    const contact_law* law;
    const double* G; // m/N, of each; readable LINE_BEHIND places behind the last
} band_run;

// What the chosen points of a run do over lanes (band_lanes.h), each as contact_point.c does it.
typedef struct band_kernel {
    // phi at eta^n, and the first tangents: at the present travel, or, where that is far from the
    // root of the point alone, at that root.
    void (*begin)(const band_run* run, network_work* work);
    // The tangents at the present travels.
    void (*tangents)(const band_run* run, network_work* work);
    // Adds to the gap; `rounding`: the largest term of a travel.
    void (*look)(const band_run* run, double rounding, const network_work* work, network_gap* gap);
    // Energies, forces and potentials that are remembered; returns what was lost, J.
    double (*settle)(const band_run* run, network_work* work);
} band_kernel;

// Constant after compile. A point of the string is a run of nodes with weights; below it counts +,
// above it -.
typedef struct network_band {
    int32_t group, first, count; // the string: its bodies, its degrees of freedom (nodes)
    const banded* A;
    double admittance;    // m/N
    int32_t width;        // diagonals of D = A/admittance beside the main one
    int32_t reach;        // of D + sum a B B^T
    int32_t stencil;      // nodes of a point
    double profile;       // links in a row of the dense block's G, on average, and
    double node_cost;     // what a node costs, in instructions: whether to solve by the band
    bool plain;           // no link of the string holds on to anything else that moves
    const double* D;      // [node][width + 1]: D_{i,i}, D_{i,i+1}, ..
    const double* cut;    // [node][3]: what D_{i,i}, D_{i,i+1}, D_{i+1,i+1} lose when all nodes
                          // before i are eliminated
    const int32_t* node;  // [link of the block]: its first node; -1: it is one of the others
    const double* weight; // [link of the block][stencil]
    const double* G;      // [link of the block], m/N
    int32_t other_count;
    int32_t other[BAND_OTHERS];            // links
    double rest[BAND_OTHERS][BAND_OTHERS]; // m/N, their G through all bodies but the string
    int32_t run_count;
    const band_run* runs;
    const bool* in_run; // [link of the block]
    const band_kernel* kernel;
} network_band;

// Numbers of scratch (network_work.matrix) that a band needs.
size_t sis_band_scratch(const network_band* band);

// r* = B^T (d + next) of its links; not of the others.
void sis_band_free(const network_block* block, const double* d, const double* next,
                   network_work* work);

// Adds the forces of its links to `force`, over all degrees of freedom; not those of the others.
// True: some are not 0.
bool sis_band_add_forces(const network_block* block, const network_work* work, double* force);

// Solves the chosen links of a block that has a band, as solve_coupled does. False: a dense solve
// is cheaper, or it did not converge; nothing is recorded then.
bool sis_band_solve(const network_block* block, const network_link* links, double k,
                    network_work* work, body_work* done);

#endif
