// One run of a scene for a script: what is asked for, what runs, where the numbers go. Not
// installed.
#ifndef SISTRUM_EXPERIMENT_H
#define SISTRUM_EXPERIMENT_H

#include "lab.h"
#include "run.h"
#include "script.h"

#define SIS_SETTINGS_MOST 32
#define SIS_SHAPES_MOST   64

/** What a script asks for. Texts are kept by its tables. */
typedef struct sis_request {
    const char* scene; // a name, or the text of a scene
    sis_setting settings[SIS_SETTINGS_MOST];
    int32_t setting_count;
    sis_scheme scheme;
    double rate, oversample, duration; // NaN: as the scene says
    double times[SIS_SHAPES_MOST];     // s, of the shapes
    int32_t time_count;
    uint64_t every; // n-th step is kept
    bool energy, unaudited, lenient, may_fail;
} sis_request;

/** Where the shape of one body or contact at one time goes. */
typedef struct sis_shot {
    int32_t time; // which of the times
    int32_t body; // -1: it is a link
    int32_t link;
    sis_vec *u, *eta, *force;
    struct sis_shot* next;
} sis_shot;

/** A userdata: Lua frees what hangs on it. */
typedef struct sis_experiment {
    sis_request request;
    sis_script* script;
    sis_system* system;
    sis_state* state;
    sis_plan plan;
    sis_run run;
    sis_balance balance;
    // where the numbers go
    sis_vec** probes;   // [probe_count]
    sis_vec* energy[7]; // in the order of sis_energy; NULL: not kept
    uint64_t steps[SIS_SHAPES_MOST];
    sis_shot* shots;
} sis_experiment;

/** Reads the arguments of run and inspect; raises. */
void sis_request_read(lua_State* L, sis_request* request);

/** Loads and compiles what is asked for. [fault] */
bool sis_experiment_prepare(sis_experiment* e, const sis_study* study, sis_fault* fault);

/** Runs; the arrays must be there. */
bool sis_experiment_go(sis_experiment* e, sis_fault* fault);

/** Frees what the experiment holds itself. */
void sis_experiment_close(sis_experiment* e);

#endif
