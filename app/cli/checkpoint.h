/** @file checkpoint.h
 * --checkpoint and --resume: a run that may be ended at any moment, by kill -9 or a power cut, and goes
 * on in another process to the same bytes.
 *
 * The outputs grow in files PATH.part, the sound in CHECKPOINT.sound. From time to time all of them go
 * to the disk, and then the checkpoint is replaced, in one step, by one with the state, what every sink
 * remembers, and how long its file is. Who goes on cuts the files off there. A checkpoint is also
 * written before the files are made, when they are complete and about to get their names, and at the
 * end: so there is no moment at which it does not say what is there.
 */
#ifndef SISTRUM_CLI_CHECKPOINT_H
#define SISTRUM_CLI_CHECKPOINT_H

#include "outputs.h"

typedef enum checkpoint_phase {
    CHECKPOINT_BEGUN,    // nothing is done
    CHECKPOINT_RUNNING,  // with state and sinks
    CHECKPOINT_COMPLETE, // all files are written, and some have their names
    CHECKPOINT_OVER      // and all have
} checkpoint_phase;

typedef struct checkpoint {
    const char* path; // NULL: none was asked for
    double every;     // s
    char* identity;   // of the run, as lines "key: value"
    checkpoint_phase phase;
    bool resumed;
    bool written;    // one with a state is there
    double at;       // s of the run, of the last one
    double last;     // s on the wall
    sis_store store; // what is taken up
    const job* j;
    outputs* u;
    bool watching; // signals
} checkpoint;

/** Whether the options fit together. EXIT_DONE, or a complaint was made. */
int checkpoint_check(const options* o);

/** Reads the checkpoint of --resume, or begins that of --checkpoint. EXIT_DONE, or a complaint was made.
 *  Without either it does nothing. checkpoint_close in any case. */
int checkpoint_open(checkpoint* c, const job* j, const options* o);

/** How the files of the run are opened. */
sis_parts checkpoint_parts(const checkpoint* c);

/** Takes up state and sinks, or begins, and has the run write checkpoints. */
bool checkpoint_start(checkpoint* c, outputs* u, sis_run* run, sis_fault* fault);

/** All files are complete. outputs_commit follows, then checkpoint_over. */
bool checkpoint_complete(checkpoint* c, sis_fault* fault);
bool checkpoint_over(checkpoint* c, sis_fault* fault);

/** After the run was over: whether its files are there. */
bool checkpoint_kept(const checkpoint* c, const options* o, sis_fault* fault);

/** The run was ended when its files were complete: gives them their names. */
bool checkpoint_finish(checkpoint* c, const options* o, sis_fault* fault);

/** Says of a run that failed what is kept; when nothing is, nothing is left either. */
void checkpoint_explain(checkpoint* c, sis_fault* fault);

/** Ends the process if it was told to by a signal. */
void checkpoint_close(checkpoint* c);

#endif
