/** @file crew.h
 * A few threads that do one kind of work at a time, over and over: what a song needs block by
 * block. Which thread does what changes nothing that can be seen.
 */
#ifndef SISTRUM_MUSIC_CREW_H
#define SISTRUM_MUSIC_CREW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sis_crew sis_crew;

/** Starts threads - 1 of them, since the caller works too; where none can be started it works
 * alone. NULL: no memory. [setup] */
sis_crew* sis_crew_new(int32_t threads);

/** Calls work(self, i) for every i < count and returns when all have returned. [setup] */
void sis_crew_run(sis_crew* crew, int32_t count, void (*work)(void* self, int32_t i), void* self);

/** Ends the threads; NULL is fine. [setup] */
void sis_crew_free(sis_crew* crew);

#endif
