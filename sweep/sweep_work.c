#include "sweep_work.h"

#include "decimal_point.h"
#include "run.h"
#include "sweep_shard.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    THREADS_MOST = 1024,
    SLOTS_A_THREAD = 8, // rows that may wait for the one before them
};
static const double commit_seconds = 0.5, tell_seconds = 0.1;

/** A run on its way: from the thread that makes it to the writer. */
typedef struct slot {
    uint64_t index, block;
    bool last;  // of its block
    bool ready; // the row is made
    sis_row row;
} slot;

/** A row that waits until its shard is complete, without the room of one that is being made. */
typedef struct held_row {
    uint64_t index;
    char* error; // NULL: none
    bool failed;
    double values[]; // of all columns
} held_row;

/** The work while it goes on. */
typedef struct desk {
    sis_work* work;
    pthread_mutex_t lock;
    pthread_cond_t ready;     // the row that is written next is made
    pthread_cond_t room;      // there is room for one more
    slot* slots;              // [slot_count], a ring
    uint64_t slot_count;      //
    uint64_t issued, written; // runs that were begun and that were written
    uint64_t next, end;       // indices of the block that is handed out
    uint64_t block;           // its number
    uint64_t next_part;       // the next block of this part
    bool over;                // there are no more blocks
    atomic_bool stop;
    bool failed; // a thread has no memory
    sis_fault fault;
    int32_t alive; // threads
    // of the writer
    sis_shard shard;
    bool shard_open;
    held_row** held; // rows of an open shard, kept until it is complete
    uint64_t held_count, held_room;
    double began, committed, told;
} desk;

// ---------------------------------------------------------------------------- handing out

static bool find_block(desk* d, uint64_t* block) {
    sis_work* w = d->work;
    if (w->next_block) return w->next_block(w->next_self, block);
    if (d->next_part >= sis_sweep_blocks(w->sweep)) return false;
    *block = d->next_part;
    d->next_part += w->parts;
    return true;
}

/** Runs of a shard are made together, whichever of them are known; others are passed over. */
static bool is_known(const desk* d, uint64_t index) {
    return sis_base_has(d->work->base, index);
}

/** The next index to do; false: there are no more. `last`: it is the last of its block. */
static bool find_next(desk* d, uint64_t* index, bool* last) {
    const sis_sweep* s = d->work->sweep;
    while (!d->over) {
        while (d->next < d->end && is_known(d, d->next))
            d->next++;
        if (d->next < d->end) {
            *index = d->next++;
            while (d->next < d->end && is_known(d, d->next))
                d->next++;
            *last = d->next == d->end;
            return true;
        }
        if (!find_block(d, &d->block)) {
            d->over = true;
            break;
        }
        uint64_t count = sis_sweep_count(s);
        d->next = d->block * s->block;
        d->end = d->next + s->block < count ? d->next + s->block : count;
    }
    return false;
}

/** Takes the next run, waiting for room; NULL: there are no more. With the lock held. */
static slot* take_slot(desk* d) {
    uint64_t index = 0;
    bool last = false;
    while (!atomic_load(&d->stop) && d->issued - d->written >= d->slot_count)
        pthread_cond_wait(&d->room, &d->lock);
    if (atomic_load(&d->stop) || !find_next(d, &index, &last)) return NULL;
    slot* s = &d->slots[d->issued++ % d->slot_count];
    s->index = index;
    s->block = d->block;
    s->last = last;
    s->ready = false;
    return s;
}

/** A thread: makes runs until there are no more. */
static void* make_runs(void* data) {
    desk* d = data;
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    sis_decimal_point point = sis_decimal_point_begin(); // of this thread
    sis_runner* runner = sis_runner_new(d->work->sweep, &d->stop, &fault);
    bool fine = runner != NULL;
    pthread_mutex_lock(&d->lock);
    slot* s;
    while (fine && (s = take_slot(d))) {
        pthread_mutex_unlock(&d->lock);
        fine = sis_runner_run(runner, s->index, &s->row, &fault);
        pthread_mutex_lock(&d->lock);
        s->ready = fine;
        if (s == &d->slots[d->written % d->slot_count]) pthread_cond_signal(&d->ready);
    }
    if (!fine && !d->failed && !atomic_load(&d->stop)) {
        d->failed = true;
        d->fault = fault;
        atomic_store(&d->stop, true);
        pthread_cond_broadcast(&d->room);
    }
    d->alive--;
    pthread_cond_signal(&d->ready);
    pthread_mutex_unlock(&d->lock);
    sis_runner_free(runner);
    sis_decimal_point_end(point);
    return NULL;
}

// ---------------------------------------------------------------------------- writing

static bool put_row(desk* d, const sis_row* row, sis_fault* fault) {
    sis_work_progress* p = &d->work->progress;
    if (!sis_base_put(d->work->base, row, fault)) return false;
    p->done++;
    p->made++;
    p->failed += row->failed;
    return true;
}

static void drop_held(held_row* row) {
    free(row->error);
    free(row);
}

/** Keeps a row until its shard is complete. The bytes of its sound are written already. */
static bool hold_row(desk* d, const sis_row* row, sis_fault* fault) {
    size_t numbers = (size_t)d->work->sweep->column_count * sizeof *row->values;
    if (d->held_count == d->held_room) {
        uint64_t room = d->held_room ? 2 * d->held_room : 64;
        held_row** more = realloc(d->held, room * sizeof *more);
        if (!more) return sis_fault_no_memory(fault);
        d->held = more;
        d->held_room = room;
    }
    held_row* kept = calloc(1, sizeof *kept + numbers);
    if (!kept) return sis_fault_no_memory(fault);
    d->held[d->held_count++] = kept;
    kept->index = row->index;
    kept->failed = row->failed;
    memcpy(kept->values, row->values, numbers);
    if (*row->error) kept->error = strdup(row->error);
    return !*row->error || kept->error || sis_fault_no_memory(fault);
}

static bool put_held(desk* d, const held_row* kept, sis_fault* fault) {
    sis_row row = {.index = kept->index, .failed = kept->failed};
    memcpy(row.values, kept->values, (size_t)d->work->sweep->column_count * sizeof *row.values);
    snprintf(row.error, sizeof row.error, "%s", kept->error ? kept->error : "");
    return put_row(d, &row, fault);
}

static bool finish_shard(desk* d, sis_fault* fault) {
    d->shard_open = false;
    bool fine = sis_shard_finish(&d->shard, fault);
    for (uint64_t i = 0; i < d->held_count; i++) {
        fine = fine && put_held(d, d->held[i], fault);
        drop_held(d->held[i]);
    }
    d->held_count = 0;
    return fine && sis_base_commit(d->work->base, fault);
}

static bool write_slot(desk* d, const slot* s, sis_fault* fault) {
    if (!d->work->shards) return put_row(d, &s->row, fault);
    if (!d->shard_open && !sis_shard_open(&d->shard, d->work->shards, s->block, fault))
        return false;
    d->shard_open = true;
    if (!sis_shard_put(&d->shard, &s->row, fault) || !hold_row(d, &s->row, fault)) return false;
    return !s->last || finish_shard(d, fault);
}

static bool keep_up(desk* d, sis_fault* fault) {
    sis_work* w = d->work;
    double now = sis_run_clock();
    if (now - d->committed > commit_seconds) {
        if (!sis_base_commit(w->base, fault)) return false;
        d->committed = now;
    }
    if (now - d->told < tell_seconds) return true;
    d->told = now;
    w->progress.seconds = now - d->began;
    if (w->told) w->told(w->told_self, &w->progress);
    if (w->stop && w->stop(w->stop_self)) return sis_fault_set(fault, SIS_FAULT_RUN, "interrupted");
    return true;
}

/** Waits a moment for the next row, whatever is done to the clock of the machine; with the lock held. */
static void wait_for_row(desk* d) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 50000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&d->ready, &d->lock, &until);
}

/** Writes rows in their order until all are written. */
static bool write_rows(desk* d, sis_fault* fault) {
    bool fine = true;
    pthread_mutex_lock(&d->lock);
    for (;;) {
        slot* s = &d->slots[d->written % d->slot_count];
        bool waiting = d->written < d->issued, ready = waiting && s->ready;
        if (d->failed || (!waiting && d->alive == 0)) break;
        if (!ready) wait_for_row(d);
        pthread_mutex_unlock(&d->lock);
        fine = (!ready || write_slot(d, s, fault)) && keep_up(d, fault);
        pthread_mutex_lock(&d->lock);
        if (!fine) break;
        if (!ready) continue;
        d->written++;
        pthread_cond_broadcast(&d->room);
    }
    if (fine && d->failed) {
        *fault = d->fault;
        fine = false;
    }
    pthread_mutex_unlock(&d->lock);
    return fine;
}

// ---------------------------------------------------------------------------- threads

static bool start_threads(desk* d, pthread_t* threads, int32_t* count, sis_fault* fault) {
    int32_t wanted = d->work->threads < 1              ? 1
                     : d->work->threads > THREADS_MOST ? THREADS_MOST
                                                       : d->work->threads;
    int error = 0;
    d->alive = wanted;
    for (*count = 0; *count < wanted && !error; *count += !error)
        error = pthread_create(&threads[*count], NULL, make_runs, d);
    if (!error) return true;
    // Fewer will do.
    pthread_mutex_lock(&d->lock);
    d->alive -= wanted - *count;
    pthread_mutex_unlock(&d->lock);
    return *count > 0 ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot start a thread: %s", strerror(error));
}

static bool work_in_threads(desk* d, sis_fault* fault) {
    pthread_t threads[THREADS_MOST];
    int32_t count = 0;
    bool fine = start_threads(d, threads, &count, fault) && write_rows(d, fault);
    pthread_mutex_lock(&d->lock);
    if (!fine) atomic_store(&d->stop, true);
    pthread_cond_broadcast(&d->room);
    pthread_mutex_unlock(&d->lock);
    for (int32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (d->shard_open) sis_shard_abandon(&d->shard);
    // What is there is kept, whatever happened.
    sis_fault second;
    if (!sis_base_commit(d->work->base, fine ? fault : &second)) fine = false;
    d->work->progress.seconds = sis_run_clock() - d->began;
    if (d->work->told) d->work->told(d->work->told_self, &d->work->progress);
    return fine;
}

/** Indices of this part, and how many of them are known. */
static void count_runs(const sis_work* w, sis_work_progress* p) {
    uint64_t blocks = sis_sweep_blocks(w->sweep), all = sis_sweep_count(w->sweep);
    *p = (sis_work_progress){.count = all, .done = sis_base_done(w->base)};
    if (w->next_block || w->parts <= 1) return;
    p->count = p->done = 0;
    for (uint64_t b = w->part; b < blocks; b += w->parts) {
        uint64_t from = b * w->sweep->block, to = from + w->sweep->block;
        if (to > all) to = all;
        p->count += to - from;
        for (uint64_t i = from; i < to && i < sis_base_known(w->base); i++)
            p->done += sis_base_has(w->base, i);
    }
}

bool sis_work_go(sis_work* work, sis_fault* fault) {
    if (work->parts < 1) work->parts = 1;
    int32_t threads = work->threads < 1 ? 1 : work->threads;
    desk d = {.work = work,
              .next_part = work->part,
              .slot_count = (uint64_t)SLOTS_A_THREAD * (uint64_t)threads,
              .shard = {.descriptor = -1},
              .began = sis_run_clock()};
    d.committed = d.told = d.began;
    count_runs(work, &work->progress);
    d.slots = calloc(d.slot_count, sizeof *d.slots);
    if (!d.slots) return sis_fault_no_memory(fault);
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&d.lock, NULL);
    pthread_cond_init(&d.ready, &steady);
    pthread_cond_init(&d.room, NULL);
    pthread_condattr_destroy(&steady);
    bool fine = work_in_threads(&d, fault);
    pthread_cond_destroy(&d.ready);
    pthread_cond_destroy(&d.room);
    pthread_mutex_destroy(&d.lock);
    for (uint64_t i = 0; i < d.slot_count; i++)
        sis_row_free(&d.slots[i].row);
    for (uint64_t i = 0; i < d.held_count; i++)
        drop_held(d.held[i]);
    free(d.slots);
    free(d.held);
    return fine;
}
