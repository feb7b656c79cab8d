/** @file bodies.h
 * The third part of the bench: what plates, modal bodies and whole instruments cost.
 */
#ifndef SISTRUM_BENCH_BODIES_H
#define SISTRUM_BENCH_BODIES_H

#include <stdbool.h>

/** Measures and prints all tables of bodies; `quick`: short runs, to see that it works. */
void bench_bodies(bool quick);

#endif
