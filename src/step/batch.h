// Twins: states whose systems are built alike (compile/twins.c) and differ in numbers only, stepped
// side by side, a state a lane. What a sample needs stays in lanes over all frames of a block;
// states are read before them and written after them.
#ifndef SIS_BATCH_H
#define SIS_BATCH_H

#include "step/system.h"

enum { BATCH_WIDEST = 8 };

// One state of a run of twins. All of a run advance by the same number of frames, and have done at
// least one sample: row 0 is given.
typedef struct batch_voice {
    const sis_system* system;
    sis_state* state;
    double* probes;     // NULL: not wanted
    sis_energy* energy; // NULL: not wanted
} batch_voice;

typedef struct batch_kernel {
    int32_t lanes;
    // Advances voices 0 .. count - 1, count <= lanes.
    void (*step)(const batch_voice* voices, int32_t count, int32_t frames);
} batch_kernel;

// At more than one lane, where there is such a thing; all give the bits of sis_step.
extern const batch_kernel sis_batch_kernel_2, sis_batch_kernel_4, sis_batch_kernel_8;
const batch_kernel* sis_batch_kernel(int32_t width); // NULL: there is none

#endif
