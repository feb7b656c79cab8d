#include "ranks.h"

#include "run.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG_ASK = 1, TAG_BLOCK, TAG_END, TAG_BYE };
static const uint64_t no_block = UINT64_MAX;
static const double tell_seconds = 0.1;

/** MPI would spin while it waits, on a core that others could use. */
static void rest(long microseconds) {
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

static void wait_for(MPI_Request* pending) {
    int done = 0;
    MPI_Test(pending, &done, MPI_STATUS_IGNORE);
    for (long pause = 20; !done; pause = pause < 1000 ? 2 * pause : pause) {
        rest(pause);
        MPI_Test(pending, &done, MPI_STATUS_IGNORE);
    }
}

static void post(const void* bytes, size_t size, int rank, int tag) {
    MPI_Request pending;
    MPI_Isend(bytes, (int)size, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &pending);
    wait_for(&pending);
}

// ---------------------------------------------------------------------------- all together

rank_word rank_word_of(int code, const char* hash, const char* text) {
    rank_word word = {.code = code};
    snprintf(word.hash, sizeof word.hash, "%s", hash);
    snprintf(word.text, sizeof word.text, "%s", text);
    gethostname(word.host, sizeof word.host - 1);
    return word;
}

void ranks_gather(const rank_word* own, rank_word* words) {
    MPI_Request pending;
    MPI_Igather(own, sizeof *own, MPI_BYTE, words, sizeof *own, MPI_BYTE, 0, MPI_COMM_WORLD,
                &pending);
    wait_for(&pending);
}

int ranks_share(int code) {
    MPI_Request pending;
    MPI_Ibcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD, &pending);
    wait_for(&pending);
    return code;
}

// ---------------------------------------------------------------------------- rank 0

static bool is_done(const desk* d, uint64_t block) {
    uint64_t from = block * d->sweep->block, to = from + d->sweep->block;
    if (to > sis_sweep_count(d->sweep)) to = sis_sweep_count(d->sweep);
    while (from < to && sis_base_has(d->base, from))
        from++;
    return from == to;
}

bool desk_next(desk* d, uint64_t* block) {
    pthread_mutex_lock(&d->lock);
    uint64_t blocks = sis_sweep_blocks(d->sweep);
    while (d->next < blocks && is_done(d, d->next))
        d->next++;
    bool is_there = !d->stop && d->next < blocks;
    if (is_there) *block = d->next++;
    pthread_mutex_unlock(&d->lock);
    return is_there;
}

sis_work_progress desk_progress(const desk* d) {
    sis_work_progress p = {.count = sis_sweep_count(d->sweep),
                           .seconds = sis_run_clock() - d->began};
    for (int i = 0; i < d->size; i++) {
        p.made += d->words[i].made;
        p.failed += d->words[i].failed;
    }
    p.done = d->done + p.made;
    if (p.done > p.count) p.done = p.count; // runs of blocks that were half done are made again
    return p;
}

static void answer_ask(desk* d, int rank) {
    uint64_t counts[2], block = no_block;
    MPI_Recv(counts, sizeof counts, MPI_BYTE, rank, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!desk_next(d, &block)) block = no_block;
    post(&block, sizeof block, rank, TAG_BLOCK);
    pthread_mutex_lock(&d->lock);
    d->words[rank].made = counts[0];
    d->words[rank].failed = counts[1];
    pthread_mutex_unlock(&d->lock);
}

static void answer_end(desk* d, int rank) {
    rank_word word;
    MPI_Recv(&word, sizeof word, MPI_BYTE, rank, TAG_END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&d->lock);
    d->words[rank] = word;
    d->stop = d->stop || word.code != 0;
    pthread_mutex_unlock(&d->lock);
}

/** Answers one rank, if one has something to say. True: one had; *ended counts those who end. */
static bool answer_one(desk* d, int* ended) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there) return false;
    double began = sis_run_clock();
    if (status.MPI_TAG == TAG_END) {
        answer_end(d, status.MPI_SOURCE);
        ++*ended;
    } else {
        answer_ask(d, status.MPI_SOURCE);
    }
    d->answers++;
    d->answering += sis_run_clock() - began;
    return true;
}

void* desk_answer(void* self) {
    desk* d = self;
    double told = 0;
    bool over = false;
    for (int ended = 1; !(over && ended == d->size) && !watch_is_ending(d->held);) {
        if (!answer_one(d, &ended)) rest(200);
        double now = sis_run_clock();
        pthread_mutex_lock(&d->lock);
        over = d->over;
        bool tells = now - told > tell_seconds;
        sis_work_progress p = tells ? desk_progress(d) : (sis_work_progress){0};
        pthread_mutex_unlock(&d->lock);
        if (tells) watch_show(d->view, &p);
        if (tells) told = now;
    }
    return NULL;
}

void ranks_dismiss(int size, int code) {
    int32_t number = code;
    for (int rank = 1; rank < size; rank++)
        post(&number, sizeof number, rank, TAG_BYE);
}

// ---------------------------------------------------------------------------- the others

/** Waits for a message of rank 0; false: a signal ends this rank before. */
static bool hear(int tag, sigset_t* held, long longest) {
    int there = 0;
    MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    for (long pause = 20; !there; pause = pause < longest ? 2 * pause : pause) {
        if (watch_is_ending(held)) return false;
        rest(pause);
        MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    }
    return true;
}

bool ranks_ask(uint64_t made, uint64_t failed, sigset_t* held, uint64_t* block) {
    uint64_t counts[2] = {made, failed};
    post(counts, sizeof counts, 0, TAG_ASK);
    if (!hear(TAG_BLOCK, held, 500)) return false;
    MPI_Recv(block, sizeof *block, MPI_BYTE, 0, TAG_BLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return *block != no_block;
}

bool ranks_end(const rank_word* own, sigset_t* held, int* code) {
    int32_t number = 0;
    post(own, sizeof *own, 0, TAG_END);
    if (!hear(TAG_BYE, held, 5000)) return false;
    MPI_Recv(&number, sizeof number, MPI_BYTE, 0, TAG_BYE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *code = number;
    return true;
}
