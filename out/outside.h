/** @file outside.h
 * Sound from outside, read from a file, into the rows of inputs of a run.
 *
 * Full scale of the file is the `full` of the input it moves. With oversampling the sound goes along
 * a straight line from row to row: step k of row n has x[n-1] + (x[n] - x[n-1]) (k + 1)/oversample,
 * x[-1] = 0, in this order of operations, and then full times it, as the live library has it. After
 * the end of the file there is silence.
 */
#ifndef SISTRUM_OUT_OUTSIDE_H
#define SISTRUM_OUT_OUTSIDE_H

#include "run.h"

typedef struct sis_outside sis_outside;

/** Opens a file of one or two channels. NULL: `fault` says why. */
sis_outside* sis_outside_open(const char* path, sis_fault* fault);

void sis_outside_close(sis_outside* sound);

/** Hz, and how many frames it has. */
double sis_outside_rate(const sis_outside* sound);
uint64_t sis_outside_frames(const sis_outside* sound);

/** It moves `count` inputs, 1 or 2: columns `inputs` of the rows; `full` is full scale of each. Of
 *  two channels for one input the mean is taken, one channel goes to both. */
void sis_outside_move(sis_outside* sound, const int32_t* inputs, const double* full, int32_t count,
                      int32_t oversample);

/** Whether it moves that input. */
bool sis_outside_moves(const sis_outside* sound, int32_t input);

/** Its columns of the rows of the steps `first` and after, `columns` to a row; blocks come in their
 *  order. */
void sis_outside_fill(sis_outside* sound, uint64_t first, int32_t count, int32_t columns,
                      double* rows);

/** After a run: whether all of the file could be read. */
bool sis_outside_fine(const sis_outside* sound, sis_fault* fault);

#endif
