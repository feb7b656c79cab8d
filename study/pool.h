/** @file pool.h
 * Items run in child processes, several at a time: what crashes one of them leaves the others
 * alone.
 */
#ifndef SISTRUM_STUDY_POOL_H
#define SISTRUM_STUDY_POOL_H

#include "study.h"

/** One item: how it is to be run, and what came of it. */
typedef struct sis_task {
    sis_study study;
    bool slow;       // is started early, so that it does not run on alone at the end
    bool alone;      // runs when nothing else does
    json_t* result;  // NULL: it failed; the caller owns it
    sis_fault fault; // and why, beginning with PAPER/ITEM
    double seconds;  // from its start to its end
} sis_task;

typedef struct sis_pool {
    sis_task* tasks; // [count]
    int32_t count;
    int32_t workers;                                           // at most so many at a time
    json_t* (*work)(const sis_study* study, sis_fault* fault); // NULL: sis_study_run
    /** Called when a task has begun or ended, and several times a second in between. `running` is
     * one that runs, -1: none; `ended` the one that has just ended, -1: none. NULL: nobody listens.
     */
    void (*told)(void* self, int32_t done, int32_t running, int32_t ended);
    void* self;
} sis_pool;

/** Runs every task. What a task fails of is in the task; false only when no child could be started.
 *
 *  SIGINT, SIGTERM and SIGHUP are held back meanwhile: when one of them comes, the children and
 * what they have started get SIGTERM, are waited for, and the signal then does to the caller what
 * it usually does. When the caller is killed they end, too. */
bool sis_pool_run(sis_pool* pool, sis_fault* fault);

#endif
