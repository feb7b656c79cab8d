/** @file play_driver.h
 * Where sound goes and notes come from. A kind of driver is a table; the session calls the table
 * and does not ask which kind it has.
 *
 *   open --> rate and period are known --> start --> blocks --> stop --> close
 *
 * All functions but the callbacks of start are [main].
 */
#ifndef SISTRUM_PLAY_DRIVER_H
#define SISTRUM_PLAY_DRIVER_H

#include "fault.h"
#include "play_engine.h"

#include <stdio.h>

/** What a user asks of a driver. */
typedef struct play_driver_ask {
    const char* device; // NULL: the default one
    double rate;        // Hz; NaN: as the device has it
    double period;      // frames; NaN: as the device has it
    const char* midi;   // part of the name of MIDI inputs; NULL: those of the hardware
    bool connect;       // to outputs and MIDI inputs
    bool listen;        // to sound inputs too
    bool offline;       // time passes by advance only
} play_driver_ask;

/** How a driver does. */
typedef struct play_driver_state {
    double rate;
    int32_t period;
    double latency; // s, from the instrument to the device; NaN: not known
    uint64_t xruns; // blocks that came too late
    char text[128]; // "jack, 2 MIDI inputs"
} play_driver_state;

typedef struct play_driver play_driver;

typedef struct play_driver_class {
    const char* name;
    const char* about;
    /** Devices and MIDI ports, a line each. */
    void (*list)(FILE* to);
    /** NULL: `fault` says why. */
    play_driver* (*open)(const play_driver_ask* ask, sis_fault* fault);
    /** `sound_inputs`: channels of sound that the scene takes, 0 .. 2. */
    bool (*start)(play_driver* driver, play_engine* engine, int32_t sound_inputs, sis_fault* fault);
    void (*stop)(play_driver* driver);
    void (*close)(play_driver* driver);
    /** The server or the device has gone. */
    bool (*lost)(const play_driver* driver);
    /** Looks after connections; several times a second. */
    void (*tend)(play_driver* driver);
    void (*tell)(play_driver* driver, play_driver_state* state);
    /** Plays so many frames now; NULL: time passes by itself. */
    void (*advance)(play_driver* driver, uint64_t frames);
} play_driver_class;

/** Every driver begins with its table. */
struct play_driver {
    const play_driver_class* kind;
};

/** The kinds that are built in, the one to try first in front; NULL: there are no more. */
const play_driver_class* play_driver_at(int i);

/** The kind of that name; NULL: it is not built in, and *known says whether there is such a kind at
 * all. */
const play_driver_class* play_driver_find(const char* name, bool* known);

/** "jack, portaudio, null". Returns `text`. */
const char* play_driver_names(char* text, size_t room);

/** Opens the driver of that name; NULL: the first that works. */
play_driver* play_driver_open(const char* name, const play_driver_ask* ask, sis_fault* fault);

/** Prints what is built in and what there is: `sistrum play --list`. */
void play_driver_list(FILE* to);

// The kinds.
extern const play_driver_class play_driver_jack, play_driver_portaudio, play_driver_null;

#endif
