/** @file thread.h
 * Threads, a lock and a clock: POSIX and Windows. With SIS_NO_THREADS there is one thread only.
 */
#ifndef SISTRUM_LIVE_THREAD_H
#define SISTRUM_LIVE_THREAD_H

#include <stdbool.h>

typedef struct sis_lock sis_lock;
typedef struct sis_thread sis_thread;

sis_lock* sis_lock_new(void); // NULL: no memory
void sis_lock_free(sis_lock* lock);
void sis_lock_take(sis_lock* lock);
void sis_lock_leave(sis_lock* lock);
/** Takes it; until then sis_lock_is_claimed is true, and whoever asks should leave it soon. */
void sis_lock_claim(sis_lock* lock);
bool sis_lock_is_claimed(sis_lock* lock);

/** Signals of the process are not for it. NULL: it could not be started. */
sis_thread* sis_thread_start(void (*work)(void* self), void* self);
/** Waits until it has returned. NULL is fine. */
void sis_thread_join(sis_thread* thread);

void sis_thread_sleep(double seconds);

/** Seconds of a clock that never goes back; makes no system call where the system has a fast one. */
double sis_thread_clock(void);

#endif
