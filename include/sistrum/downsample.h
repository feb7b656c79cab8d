/** @file
 * From an oversampled signal to samples without aliases: one streaming filter for files, live
 * sound, plugins and the page, so that all of them give the same samples.
 *
 * Linear phase. Flat within 0.001 dB up to 0.4535 of the output rate (20 kHz at 44.1 kHz); whatever
 * folds below that is at least 100 dB down (measured in test/test_downsample.c). A cascade of
 * low-pass filters, one for each prime factor, the largest first; a factor of two is a half-band
 * filter, of which half the coefficients are 0. Coefficients come from sistrum/elementary.h: the
 * same bits on every machine.
 *
 * A signal that starts at some value is taken to have rested there: silence before it would be a
 * jump, and the filter would ring with it.
 */
#ifndef SISTRUM_DOWNSAMPLE_H
#define SISTRUM_DOWNSAMPLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SIS_DOWNSAMPLE_MAX = 1024 }; ///< largest factor

/** Filter and past of some channels, in the caller's memory; no pointers in it: may be copied. */
typedef struct sis_downsampler sis_downsampler;

/** [any] Bytes for a factor from 1 to SIS_DOWNSAMPLE_MAX and 1 to 64 channels; 0: out of range. */
size_t sis_downsampler_size(int32_t factor, int32_t channels);

/** [setup] Makes the filter in `memory` of that size, aligned to 8 bytes. NULL: out of range, no
 * memory, or it is not aligned. */
sis_downsampler* sis_downsampler_init(int32_t factor, int32_t channels, void* memory);

/** [any] Row n of the output is the input at the time of row n - delay: output samples of latency.
 * Whoever writes a file drops that many rows and feeds the last step again to get the last ones.
 * NULL: 0. */
int32_t sis_downsampler_delay(const sis_downsampler* downsampler);

/** [audio] Forgets the past; the next step fed is again the value it rested at. */
void sis_downsampler_reset(sis_downsampler* downsampler);

/** [audio] Takes `count` steps of [channels] values and writes rows of [channels] values as they
 * become known: one somewhere in every `factor` steps, so that k factor steps have given k rows
 * however they were fed. Returns how many rows: at most count / factor + 1. */
int32_t sis_downsampler_run(sis_downsampler* downsampler, const double* steps, int32_t count,
                            double* rows);

#ifdef __cplusplus
}
#endif

#endif
