/** @file watch.h
 * What is shown while a study is made, and the signals that end it.
 */
#ifndef SISTRUM_CLI_WATCH_H
#define SISTRUM_CLI_WATCH_H

#include "request.h"
#include "sweep_work.h"

#include <signal.h>

/** What is shown while it works. */
typedef struct watch {
    bool quiet, terminal;
    double told; // s, of the last line in a log
    bool drawn;
} watch;

watch watch_begin(const options* o);

/** For sis_work: `self` is a watch. */
void watch_show(void* self, const sis_work_progress* progress);

/** Wipes the line. */
void watch_end(watch* w);

/** Says what the database holds now. */
void watch_tell(const char* database, const sis_work_progress* progress, uint64_t failed);

/** The signals that end a program and are not ignored. */
sigset_t watch_signals(void);

/** Whether one of these, which are held back, waits for being let through. For sis_work: `held` is a
 * sigset_t. */
bool watch_is_ending(void* held);

#endif
