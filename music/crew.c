#include "crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

// Bytes: steps of notes call few functions inside each other; the usual 8 MiB for each of many
// threads may be more than a limit of addresses allows.
enum { STACK = 1 << 21 }; // bytes: kernels of eight lanes without optimisation take 0.5 MiB

struct sis_crew {
    pthread_t* threads; // [started]
    int32_t started;
    pthread_mutex_t lock;
    pthread_cond_t begun, ended;
    uint64_t round; // of work, counted
    int32_t busy;   // threads that have not ended this round
    bool dismissed;
    atomic_int next;
    int32_t count;
    void (*work)(void* self, int32_t i);
    void* self;
};

static void do_share(sis_crew* crew) {
    for (int32_t i; (i = atomic_fetch_add(&crew->next, 1)) < crew->count;)
        crew->work(crew->self, i);
}

static void* member(void* data) {
    sis_crew* crew = data;
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&crew->lock);
        while (crew->round == seen && !crew->dismissed)
            pthread_cond_wait(&crew->begun, &crew->lock);
        seen = crew->round;
        bool over = crew->dismissed;
        pthread_mutex_unlock(&crew->lock);
        if (over) return NULL;
        do_share(crew);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0) pthread_cond_signal(&crew->ended);
        pthread_mutex_unlock(&crew->lock);
    }
}

sis_crew* sis_crew_new(int32_t threads) {
    sis_crew* crew = calloc(1, sizeof *crew);
    if (!crew) return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begun, NULL);
    pthread_cond_init(&crew->ended, NULL);
    crew->threads = calloc((size_t)(threads > 1 ? threads : 1), sizeof *crew->threads);
    // Signals are for the thread that has the files.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_attr_t how;
    if (pthread_attr_init(&how) == 0) {
        pthread_attr_setstacksize(&how, STACK);
        while (crew->threads && crew->started < threads - 1 &&
               pthread_create(&crew->threads[crew->started], &how, member, crew) == 0)
            crew->started++;
        pthread_attr_destroy(&how);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return crew;
}

void sis_crew_run(sis_crew* crew, int32_t count, void (*work)(void* self, int32_t i), void* self) {
    bool alone = crew->started == 0 || count < 2;
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->self = self;
    crew->count = count;
    atomic_store(&crew->next, 0);
    if (!alone) {
        crew->busy = crew->started;
        crew->round++;
        pthread_cond_broadcast(&crew->begun);
    }
    pthread_mutex_unlock(&crew->lock);
    do_share(crew);
    if (alone) return;
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->ended, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void sis_crew_free(sis_crew* crew) {
    if (!crew) return;
    pthread_mutex_lock(&crew->lock);
    crew->dismissed = true;
    pthread_cond_broadcast(&crew->begun);
    pthread_mutex_unlock(&crew->lock);
    for (int32_t i = 0; i < crew->started; i++)
        pthread_join(crew->threads[i], NULL);
    pthread_cond_destroy(&crew->ended);
    pthread_cond_destroy(&crew->begun);
    pthread_mutex_destroy(&crew->lock);
    free(crew->threads);
    free(crew);
}
