/** @file sections.h
 * The sections of the bench, in the order in which they run. Each fills tables of the report and
 * keeps the values that claims (claims.c) and history (history.c) are made of.
 */
#ifndef SISTRUM_BENCH_SECTIONS_H
#define SISTRUM_BENCH_SECTIONS_H

#include "bench_scenes.h"
#include "tables.h"

/** What a section is told. */
typedef struct bench_context {
    bench_report* report;
    bool quick;          // short runs, to see that it works
    const char* counts;  // file of instructions per sample, "name,count" a line; NULL: none
    const char* program; // sistrum, to be timed as a whole; NULL: it is not
} bench_context;

typedef void bench_section(const bench_context* b);

bench_section section_limits;      // the machine: stencils, powers, banded solves, memory
bench_section section_workloads;   // A, A5, B, C, tromba marina, ...: every scheme, audited and not
bench_section section_contacts;    // what a touching point costs, by scheme
bench_section section_scaling;     // time against points, contacts, and size of dense blocks
bench_section section_accuracy;    // error against cost
bench_section section_masses;      // one mass and rows of balls
bench_section section_strings;     // points of the grid, models and solvers
bench_section section_bodies;      // plates, modal bodies, parts of the tromba marina, scenes
bench_section section_renders;     // the whole program against the engine alone
bench_section section_instruments; // real time, voices a core and the worst block of every scene
bench_section section_threads;     // many cores for one scene
bench_section section_gestures;    // what inputs cost
bench_section section_live;        // callbacks, notes, keyboards and knobs of the live library
bench_section section_studies;     // sistrum sweep against a loop, and its database
bench_section section_claims;      // what must hold, and whether it does

/** The workloads that are timed by name (see section_workloads), for a profiler. */
int workload_count(void);
const char* workload_name(int i);

/** The i-th workload with a scheme as a system; NULL: refused. */
sis_system* workload_system(int i, sis_scheme scheme, scene_audit audit);

#endif
