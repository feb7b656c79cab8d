// The compiled scene. Immutable after compile; everything in its arena.
#ifndef SIS_SYSTEM_H
#define SIS_SYSTEM_H

#include "body/body.h"
#include "network/network.h"
#include "scene/scene.h"

// An external force on one degree of freedom.
typedef struct force_source {
    int32_t dof;
    sis_force_shape shape;
    double peak, start, width; // N (N s for an impulse), s, s
    uint64_t sample;           // of an impulse
    sis_envelope envelope;
} force_source;

// The force at sample n, N.
double sis_source_value(const force_source* source, uint64_t n, double rate);

// An output. Links are positions in block order.
typedef struct probe_reader {
    sis_quantity quantity;
    int32_t dof;        // a body's degree of freedom; -1: none
    double height;      // displacement of a body that has none
    int32_t link_count; // links summed (force) or compared (penetration)
    const int32_t* links;
} probe_reader;

enum { BANK_MASS, BANK_DRIVEN, BANK_COUNT };

typedef enum state_row {
#define ROW(name, type, count, unit, doc) ROW_##name,
#include "compile/layout.def"
#undef ROW
    ROW_COUNT
} state_row;

struct sis_system {
    sis_arena arena;
    double rate, k; // Hz, s
    int32_t dof_count;
    body_bank banks[BANK_COUNT];
    double* weight; // N, gravity on each degree of freedom
    int32_t source_count;
    force_source* sources;
    int32_t link_count, block_count;
    network_link* links; // in block order
    network_block* blocks;
    int32_t* link_at;   // position of the i-th link of the scene
    size_t matrix_size; // entries of the largest profile
    int32_t probe_count;
    probe_reader* readers;
    double* first_row; // probe values of row 0
    double initial;    // J, total energy at the first half sample
    size_t offset[ROW_COUNT], state_size;
    void* image; // the state before sample 0
    int32_t body_count;
    sis_body_info* body_info;
    sis_link_info* link_info; // in order of appearance
    sis_probe_info* probe_info;
};

// The flat block: this head, then the rows of layout.def.
struct sis_state {
    uint64_t samples;
    double supplied, supplied_rest; // J, compensated sums
    double dissipated, dissipated_rest;
    double unused[3];
};

// Pointers into a state, made anew for each call.
typedef struct state_view {
    body_motion motion;
    network_work work;
    sis_link_report* report;
} state_view;

state_view sis_view(const sis_system* system, const sis_state* state);

// What a half sample holds: the sum over bodies and links.
sis_energy sis_stored_energy(const sis_system* system, const state_view* view);

// Counts what link i did in sample n: force, depth, trapped energy; now memory->before = eta^n.
void sis_count_link(const network_link* link, const state_view* view, int32_t i, uint64_t sample);

// The force that probes and reports show: integrators of an impact have one of their own.
static inline double sis_shown_force(const network_link* link, const state_view* view, int32_t i) {
    return network_link_is_impact(link) ? view->work.memory[i].shown : view->work.force[i];
}

// What a probe reads before the step of its sample, and after it.
double sis_probe_before(const sis_system* system, const probe_reader* probe,
                        const state_view* view);
double sis_probe_after(const sis_system* system, const probe_reader* probe, const state_view* view);

// The steps of sis_compile, in order; false: error says why.
typedef struct compile_plan {
    const sis_scene* scene;
    const sis_options* options;
    sis_system* system;
    int32_t* dof;     // of each object of the scene; -1: none
    double* velocity; // initial, of each degree of freedom
    double* position;
    double* eta;              // eta^0 of each link, in order of appearance
    const network_link* made; // links so far, in order of appearance
    sis_arena arena;          // gone after compile
} compile_plan;

bool sis_compile_bodies(compile_plan* plan, sis_error* error);
bool sis_compile_links(compile_plan* plan, sis_error* error);
bool sis_compile_blocks(compile_plan* plan, const int32_t* order, sis_error* error);
bool sis_compile_probes(compile_plan* plan, sis_error* error);
bool sis_compile_start(compile_plan* plan, sis_error* error);

#endif
