/** @file decimate.h
 * From steps to the rows of a file without aliases: the filter of sistrum/downsample.h with its
 * delay taken out, so that row n still is the time n/rate.
 *
 * A sound that starts at some displacement is taken to have rested there, and one that ends
 * somewhere to stay there: silence would be a jump, and the filter would ring with it.
 */
#ifndef SISTRUM_OUT_DECIMATE_H
#define SISTRUM_OUT_DECIMATE_H

#include "fault.h"
#include "store.h"

#include <stdint.h>

/** Whoever takes [count][channels] values. */
typedef bool (*sis_emit)(void* self, const double* frames, int32_t count, sis_fault* fault);

typedef struct sis_decimator sis_decimator;

/** Decimates by `factor` >= 2. Exactly `rows` rows go to `emit`. */
sis_decimator* sis_decimator_new(int32_t factor, int32_t channels, uint64_t rows, sis_emit emit,
                                 void* self, sis_fault* fault);

/** Takes the next `count` steps of [channels] values. */
bool sis_decimator_feed(sis_decimator* decimator, const double* steps, int32_t count,
                        sis_fault* fault);

/** Emits what the filter still holds. */
bool sis_decimator_finish(sis_decimator* decimator, sis_fault* fault);

/** Puts down the filter and its past, or takes them up. */
void sis_decimator_keep(sis_decimator* decimator, sis_store* store);

/** NULL is fine. */
void sis_decimator_free(sis_decimator* decimator);

#endif
