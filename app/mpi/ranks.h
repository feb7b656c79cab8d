/** @file ranks.h
 * How the ranks of a job talk. Rank 0 hands out blocks of indices, one at a time to whoever asks; it
 * works as well, and a thread of it answers meanwhile. Nobody spins while waiting.
 *
 *   rank k  -- ask: runs made so far -->     rank 0
 *   rank k  <-- block, or that there are no more --
 *   rank k  -- end: how it went, parts -->
 *   rank k  <-- bye: the exit code --
 */
#ifndef SISTRUM_MPI_RANKS_H
#define SISTRUM_MPI_RANKS_H

#include "watch.h"

#include <pthread.h>

enum { RANK_TEXT = 2048, RANK_HOST = 64 };

/** What a rank says before the work, and at its end. */
typedef struct rank_word {
    uint64_t made, failed; // runs
    int32_t code;          // exit code; 0: all went well
    int32_t parts;         // databases that it has filled
    char hash[SIS_SHA256]; // of its study
    char host[RANK_HOST];
    char text[RANK_TEXT]; // complaint, without the name of the program
} rank_word;

/** What rank 0 knows of the work. */
typedef struct desk {
    const sis_sweep* sweep;
    const sis_base* base; // what is done already
    int size;             // ranks
    rank_word* words;     // [size]
    watch* view;
    sigset_t* held;
    double began;
    uint64_t done;    // runs, before this job
    uint64_t answers; // of the thread that answers: how often it did, and how long that took
    double answering; // s
    // what threads share
    pthread_mutex_t lock;
    uint64_t next; // block
    bool stop;     // hand out no more
    bool over;     // rank 0 has made its runs
} desk;

/** A word of this rank. */
rank_word rank_word_of(int code, const char* hash, const char* text);

/** Rank 0 learns the words of all; `words` [size] is for it, NULL elsewhere. */
void ranks_gather(const rank_word* own, rank_word* words);

/** Rank 0 tells all others its number. */
int ranks_share(int code);

/** The next block; false: there are no more, or a signal ends this rank. Of rank 0, and of the others,
 * who have no desk. */
bool desk_next(desk* d, uint64_t* block);
bool ranks_ask(uint64_t made, uint64_t failed, sigset_t* held, uint64_t* block);

/** A thread of rank 0, `self` is a desk: answers until all ranks have ended. */
void* desk_answer(void* self);

/** Runs that were made by this job until now. [any, with the lock held] */
sis_work_progress desk_progress(const desk* d);

/** The other ranks: say how it went, and wait for the exit code. False: a signal ends it. */
bool ranks_end(const rank_word* own, sigset_t* held, int* code);

/** Rank 0: the work is over for all. */
void ranks_dismiss(int size, int code);

#endif
