/** @file sweep_work.h
 * Makes the runs of a study that its database lacks: threads make them, the caller writes.
 *
 *   next block --> indices --> runners in threads --> rows, in the order of their indices --> shard,
 *   database
 *
 * Rows are committed twice a second. Of a study with sounds the rows of a block are committed when its
 * shard is complete. So whoever is killed loses at most half a second of rows, or the shards that were
 * being made, and the same call goes on from there.
 */
#ifndef SISTRUM_SWEEP_WORK_H
#define SISTRUM_SWEEP_WORK_H

#include "sweep_base.h"

/** How far it is. */
typedef struct sis_work_progress {
    uint64_t done, count; // runs, of those that this call is to see done
    uint64_t made;        // by this call
    uint64_t failed;      // of those
    double seconds;       // since it began
} sis_work_progress;

typedef struct sis_work {
    const sis_sweep* sweep;
    sis_base* base;
    const char* shards; // folder of the sounds; NULL: there are none
    int32_t threads;
    uint64_t part, parts; // blocks b with b % parts == part; 0, 1: all of them
    /** NULL, or the next block to do, instead of those above: false: there are no more. Called by one
     * thread at a time. */
    bool (*next_block)(void* self, uint64_t* block);
    void* next_self;
    void (*told)(void* self, const sis_work_progress* progress); // some times a second; NULL
    void* told_self;
    bool (*stop)(void* self); // looked at as often; true: ends soon; NULL: never
    void* stop_self;
    sis_work_progress progress; // result
} sis_work;

/** Works until all is done. False: it could not be written, there is no memory, or it was to stop;
 * what has been committed stays. [setup] */
bool sis_work_go(sis_work* work, sis_fault* fault);

#endif
