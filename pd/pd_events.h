/** @file pd_events.h
 * What is to happen in the coming block, for sistrum~: messages at their very sample, and MIDI byte by
 * byte as [midiin] gives it.
 *
 *   messages, bytes --pd_events--> sis_live_event in the order of their frames --> sis_live_run
 */
#ifndef SISTRUM_PD_EVENTS_H
#define SISTRUM_PD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sistrum/live.h"

enum {
    PD_EVENTS_MOST = 1024, // of one block
    PD_BYTES_MOST = 16384, // of all SysEx of one block
};

typedef struct pd_events {
    sis_live_event list[PD_EVENTS_MOST];
    int count;
    double tick; // logical time at which the block begins
    int block;   // frames of it
    double step; // of a frame, in samples of Pd: less than 1 where a subpatch is oversampled
    bool full;   // it was told that there are too many
    // bytes of MIDI
    uint8_t bytes[PD_BYTES_MOST];
    int byte_count, begun; // of SysEx: kept so far, and where the last one begins; -1: none
    uint8_t status, data[2];
    int data_count;
} pd_events;

/** None, and no message begun. */
void pd_events_open(pd_events* events);

/** At the sample of the coming block at which the message is sent. False: there are too many, which is
 * said once a block. */
bool pd_events_add(pd_events* events, sis_live_event event);

/** The next byte of MIDI: whole messages become events. False: as above. */
bool pd_events_byte(pd_events* events, uint8_t byte);

/** The block was played. What is left of a SysEx message that has not ended goes into the next one. */
void pd_events_played(pd_events* events);

#endif
