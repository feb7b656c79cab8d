/** @file gestures.h
 * --input: the curves that the inputs of a scene follow in a run.
 */
#ifndef SISTRUM_CLI_GESTURES_H
#define SISTRUM_CLI_GESTURES_H

#include "job.h"

/** The inputs of the scene into j->gestures, without curves yet. EXIT_DONE, or a complaint was made.
 */
int gestures_open(job* j);

/** Reads all curves of --input into j->gestures. EXIT_DONE, or a complaint was made. */
int gestures_read(job* j, const options* o);

/** --sound: opens the file, for a scene that takes sound. EXIT_DONE, or a complaint was made. */
int outside_open(job* j, const options* o);

/** Once the run is planned: the file goes to the inputs that play{ sound = } names. */
int outside_connect(job* j);

/** How long it is; 0: there is none. */
double outside_seconds(const job* j);

/** Where the inputs start whose curves say so, as settings; the caller frees them. NULL: no memory.
 */
sis_setting* gestures_start(const job* j, int32_t* count);

/** Says once that values of inputs were held to their range. */
void gestures_warn(const job* j, const sis_state* state);

#endif
