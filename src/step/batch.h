// Twins: states whose systems are built alike (compile/twins.c) and differ in numbers only, stepped
// side by side, a state a lane. What a sample needs stays in lanes over all frames of a block;
// states are read before them and written after them.
#ifndef SIS_BATCH_H
#define SIS_BATCH_H

#include "step/system.h"

// Sets of lanes that go through a sample together: a processor works on the others while it waits
// for the quotients of one.
enum { BATCH_WIDEST = 8, BATCH_SETS = 4, BATCH_MOST = BATCH_WIDEST * BATCH_SETS };

// Masses, or links, or probes, of all lanes together: about 64 kB of the stack.
enum { BATCH_NUMBERS = 112 };

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
    int32_t room; // masses, links and probes that its sets have together
    // Advances voices 0 .. count - 1, count <= lanes times sis_batch_sets.
    void (*step)(const batch_voice* voices, int32_t count, int32_t frames);
} batch_kernel;

// At more than one lane, where there is such a thing; all give the bits of sis_step.
extern const batch_kernel sis_batch_kernel_2, sis_batch_kernel_4, sis_batch_kernel_8;
const batch_kernel* sis_batch_kernel(int32_t width); // NULL: there is none

// How many sets of a system go together; 0: not even one fits.
int32_t sis_batch_sets(const batch_kernel* kernel, const sis_system* system);

#endif
