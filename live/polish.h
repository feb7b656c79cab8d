/** @file polish.h
 * The last stage of the sound: gain, DC blocker, limiter, meters. [audio]
 */
#ifndef SISTRUM_LIVE_POLISH_H
#define SISTRUM_LIVE_POLISH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sis_polish {
    double gain, target, glide; // factor, where it goes to, and by how much of the way in a frame
    double past_in[2], past_out[2], keep; // DC blocker
    double held, recover;                 // limiter: its factor, and how fast it comes back
    double lowest;                        // its factor since it was last looked at
    double peak[2], square[2];            // meters: largest, and a running mean of squares
    double window;                        // of that mean
    uint64_t limited;                     // frames
    bool dc_blocker, limiter;
} sis_polish;

/** All settled at `gain`. */
void sis_polish_start(sis_polish* polish, double rate, double gain);

/** [frames][2] in place, and to two rows of floats, each may be NULL. Every value is finite. */
void sis_polish_run(sis_polish* polish, double* pairs, int32_t frames, float* const* out);

#endif
