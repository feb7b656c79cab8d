/** @file sweep_draw.h
 * Random numbers that follow from a seed, an index and a dimension, and from nothing else: whoever
 * draws them, in whatever order, gets the same ones.
 */
#ifndef SISTRUM_SWEEP_DRAW_H
#define SISTRUM_SWEEP_DRAW_H

#include <stdint.h>

typedef enum sis_draw {
    SIS_DRAW_UNIFORM, ///< each number by itself
    SIS_DRAW_SOBOL,   ///< a Sobol sequence, shifted by the seed: evenly spread for any count
    SIS_DRAW_LATIN,   ///< a Latin hypercube: each of `count` equal intervals of each dimension once
} sis_draw;

enum { SIS_SOBOL_DIMENSIONS = 21 };

/** The word for it: uniform, sobol, latin; NULL: there is none. [any] */
const char* sis_draw_word(sis_draw draw);

/** A number in [0, 1) for `index` < `count` in that dimension, which for Sobol sequences is less
 * than SIS_SOBOL_DIMENSIONS. [any] */
double sis_draw_at(sis_draw draw, uint64_t seed, uint64_t index, uint64_t count, int32_t dimension);

/** The same permutation of 0 .. count - 1 for every caller with the same key: where `index` goes.
 * [any] */
uint64_t sis_draw_permute(uint64_t index, uint64_t count, uint64_t key);

/** The point of the Sobol sequence itself, before it is shifted. [any] */
double sis_draw_sobol(uint64_t index, int32_t dimension);

#endif
