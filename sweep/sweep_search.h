/** @file sweep_search.h
 * A search for the lowest value of a function of numbers in 0 .. 1 that only can be evaluated:
 * covariance matrix adaptation (CMA-ES; Hansen, "The CMA evolution strategy: a tutorial", 2016),
 * with restarts.
 *
 *   explore --best--> descend --nothing moves any more--> explore elsewhere, larger generations, ...
 *
 * It goes on generation by generation. The points of a generation follow from the seed and from the
 * values of those before, from nothing else: whoever tells it the same values is given the same
 * points, with the same bits on every machine.
 */
#ifndef SISTRUM_SWEEP_SEARCH_H
#define SISTRUM_SWEEP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

enum { SIS_SEARCH_DIMENSIONS = 64 };

typedef struct sis_search sis_search;

/** NULL: no memory. [setup] */
sis_search* sis_search_new(int32_t dimensions, uint64_t seed);

/** NULL is fine. [setup] */
void sis_search_free(sis_search* search);

/** The points [count][dimensions] of the next generation, until the next call. Returns how many
 * there are. [any] */
int32_t sis_search_ask(sis_search* search, const double** points);

/** The values of all of them, in their order; NaN is worse than any. [any] */
void sis_search_tell(sis_search* search, const double* values);

/** How many descents have begun. [any] */
int32_t sis_search_descents(const sis_search* search);

/** Whether several descents in a row have found nothing better. [any] */
bool sis_search_over(const sis_search* search);

#endif
