// Several scenes at once: one thread a scene, as many as there are cores.
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#endif
#include "render_many.h"

#include "data_file.h"
#include "files.h"
#include "room.h"
#include "say.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/** The outputs that a scene can have, in the order of `output_of`. */
enum { OUTPUTS = 4 };
static const char* const option_names[OUTPUTS] = {"-o", "--data", "--energy", "--json"};
static const char* const endings[OUTPUTS] = {".wav", ".npy", ".csv", ".json"};

static const char** output_of(options* o, int i) {
    const char** const all[OUTPUTS] = {&o->out, &o->data, &o->energy, &o->json};
    return all[i];
}

/** One scene. */
typedef struct task {
    options o;
    char* paths[OUTPUTS];
    char* words; // what it said
    size_t size;
    bool lost; // it failed, and there was no memory to say why
    int code;
    bool done;
} task;

/** A thread on a stack of this program: the system would keep 8 MiB of addresses for each, and for
 *  some time after its end. */
typedef struct member {
    pthread_t thread;
    void* stack;
    size_t size;
} member;

typedef struct work {
    task* tasks;
    int32_t count;
    int (*render)(const options* o);
    atomic_int next;
    member* crew; // [started]
    int32_t started;
    pthread_mutex_t lock; // of `done` and `alive`, and
    pthread_cond_t told;  // one of them has changed
    int32_t alive;        // members that have not come to their end
} work;

// ---------------------------------------------------------------------------- folders and names

bool render_needs_folders(const options* o) {
    options copy = *o;
    bool slash = false;
    for (int i = 0; i < OUTPUTS; i++) {
        const char* path = *output_of(&copy, i);
        slash = slash || (path && *path && path[strlen(path) - 1] == '/');
    }
    return slash || o->word_count > 1;
}

/** The name of a scene without its folders and ".lua". */
static int stem_length(const char* scene) {
    const char* file = sis_text_file(scene);
    size_t length = strlen(file);
    return (int)(length > 4 && !strcmp(file + length - 4, ".lua") ? length - 4 : length);
}

static bool ends_with(const char* text, const char* end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static int check_folders(const options* o) {
    options copy = *o;
    for (int i = 0; i < OUTPUTS; i++) {
        const char* path = *output_of(&copy, i);
        if (!path) continue;
        bool sound = i == 0 && ends_with(path, ".flac");
        bool data = i == 1 && strrchr(sis_text_file(path), '.') &&
                    sis_data_kind_of(path) != SIS_DATA_UNKNOWN;
        if (sis_path_is_standard(path) || sound || data || ends_with(path, endings[i]))
            return complain(EXIT_USAGE,
                            "several scenes are written into a folder: %s DIR/, not '%s'",
                            option_names[i], path);
        if (o->word_count == 1 && !ends_with(path, "/"))
            return complain(EXIT_USAGE, "either all outputs are folders or none: '%s' has no '/'",
                            path);
    }
    return EXIT_DONE;
}

/** Two scenes of one name would overwrite each other. */
static int check_names(const options* o) {
    for (int32_t i = 0; i < o->word_count; i++)
        for (int32_t j = 0; j < i; j++) {
            int a = stem_length(o->words[i]), b = stem_length(o->words[j]);
            const char* name = sis_text_file(o->words[i]);
            if (a == b && !strncmp(name, sis_text_file(o->words[j]), (size_t)a))
                return complain(EXIT_USAGE,
                                "'%s' and '%s' would be written to the same file: '%.*s'",
                                o->words[j], o->words[i], a, name);
        }
    return EXIT_DONE;
}

/** Makes the folders that are missing; `made` remembers which. */
static int make_folders(const options* o, bool* made) {
    options copy = *o;
    for (int i = 0; i < OUTPUTS; i++) {
        const char* path = *output_of(&copy, i);
        struct stat status;
        if (!path) continue;
        made[i] = mkdir(path, 0777) == 0;
        if (made[i]) sis_files_new_folder(path);
        if (made[i] || (stat(path, &status) == 0 && S_ISDIR(status.st_mode))) continue;
        return complain(EXIT_RUN, "cannot make the folder '%s': %s", path, strerror(errno));
    }
    return EXIT_DONE;
}

/** Folders that were made for nothing go again; what has files in it stays. */
static void remove_empty(const options* o, const bool* made) {
    options copy = *o;
    for (int i = 0; i < OUTPUTS; i++)
        if (made[i]) rmdir(*output_of(&copy, i));
}

// ---------------------------------------------------------------------------- tasks

/** The options of one scene: the same, but with files of its own. */
static bool task_make(task* t, const options* o, const char* scene) {
    *t = (task){.o = *o};
    t->o.scene = scene;
    for (int i = 0; i < OUTPUTS; i++) {
        const char** path = output_of(&t->o, i);
        if (!*path) continue;
        size_t size = strlen(*path) + strlen(scene) + 8;
        t->paths[i] = malloc(size);
        if (!t->paths[i]) return false;
        snprintf(t->paths[i], size, "%s%s%.*s%s", *path, ends_with(*path, "/") ? "" : "/",
                 stem_length(scene), sis_text_file(scene), endings[i]);
        *path = t->paths[i];
    }
    return true;
}

static void task_free(task* t) {
    for (int i = 0; i < OUTPUTS; i++)
        free(t->paths[i]);
    free(t->words);
}

/** True: it had no memory. */
static bool task_run(task* t, int (*render)(const options* o)) {
    FILE* stream = open_memstream(&t->words, &t->size);
    say_into(stream); // without memory for it, straight to stderr
    t->code = render(&t->o);
    bool lost = say_lost(), starved = say_starved();
    say_into(NULL);
    if (stream) fclose(stream); // makes `words` what it is, or NULL without memory
    t->lost = t->code && stream && (lost || !t->words);
    if (t->lost) t->code = EXIT_RUN;
    return t->code && (starved || t->lost);
}

// ---------------------------------------------------------------------------- threads

// Lua allows 200 calls of C inside each other, which take less than 1 MiB.
enum { WORKER_STACK = 1 << 21, WATCHER_STACK = 1 << 18 };

/** False: there is no memory for it, or no thread. */
static bool member_start(member* m, size_t size, void* (*run)(void*), void* data) {
    const int private = MAP_PRIVATE | MAP_ANONYMOUS;
    pthread_attr_t how;
    *m = (member){.stack = mmap(NULL, size, PROT_READ | PROT_WRITE, private, -1, 0), .size = size};
    if (m->stack == MAP_FAILED) return false;
    mprotect(m->stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE); // where it may not grow into
    bool started = false;
    if (pthread_attr_init(&how) == 0) {
        started = pthread_attr_setstack(&how, m->stack, size) == 0 &&
                  pthread_create(&m->thread, &how, run, data) == 0;
        pthread_attr_destroy(&how);
    }
    if (!started) munmap(m->stack, size);
    return started;
}

static void member_join(member* m) {
    pthread_join(m->thread, NULL);
    munmap(m->stack, m->size);
}

/** One thread more, or one less, is at work, or a task is done. */
static void note(work* w, int32_t members, bool* done) {
    pthread_mutex_lock(&w->lock);
    w->alive += members;
    if (done) *done = true;
    pthread_cond_signal(&w->told);
    pthread_mutex_unlock(&w->lock);
}

/** A task that had no memory beside the others is left for the time after them. */
static void* worker(void* data) {
    work* w = data;
    for (int i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
        bool starved = task_run(&w->tasks[i], w->render);
        if (!starved) note(w, 0, &w->tasks[i].done);
    }
    note(w, -1, NULL);
    return NULL;
}

/** As many threads as can be had; none: the tasks are left for later, too. */
static void start_crew(work* w, int32_t threads) {
    w->crew = calloc((size_t)threads, sizeof *w->crew);
    for (; w->crew && w->started < threads; w->started++) {
        note(w, 1, NULL);
        if (member_start(&w->crew[w->started], WORKER_STACK, worker, w)) continue;
        note(w, -1, NULL);
        break;
    }
}

static void end_crew(work* w) {
    for (int32_t i = 0; i < w->started; i++)
        member_join(&w->crew[i]);
    free(w->crew);
    w->crew = NULL;
    w->started = 0;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

/** Waits for a task; what no thread has done is done here, with all the memory there is. */
static void wait_for(work* w, task* t) {
    pthread_mutex_lock(&w->lock);
    while (!t->done && w->alive)
        pthread_cond_wait(&w->told, &w->lock);
    bool done = t->done;
    pthread_mutex_unlock(&w->lock);
    if (done) return;
    if (w->crew) end_crew(w);
    free(t->words);
    t->words = NULL;
    t->size = 0;
    task_run(t, w->render);
}

/** Says what the scenes have to say, in their order, as soon as it is known. */
static int say_in_order(work* w) {
    int code = EXIT_DONE;
    for (int32_t i = 0; i < w->count; i++) {
        task* t = &w->tasks[i];
        wait_for(w, t);
        if (t->lost)
            complain(t->code, "%s: out of memory", sis_text_file(t->o.scene));
        else if (t->words && t->size)
            fwrite(t->words, 1, t->size, stderr);
        if (!code) code = t->code;
    }
    return code;
}

// ---------------------------------------------------------------------------- signals

// Wakes the watcher when there is nothing to watch any more: pthread_cancel would load a library,
// for which there may be no memory.
#define WAKE SIGURG

typedef struct watched {
    sigset_t ending; // and WAKE
    atomic_bool over;
} watched;

/** Takes the signals that end the program for all threads: none of them is then between a file and
 *  its name. */
static void* watch(void* data) {
    watched* w = data;
    int number = 0;
    while (sigwait(&w->ending, &number) != 0 || number == WAKE)
        if (atomic_load(&w->over)) return NULL;
    sis_files_settle();
    sis_files_abandon();
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &w->ending, NULL);
    raise(number);
    return NULL;
}

/** What would end the program, and WAKE; what it was told to ignore stays ignored. */
static sigset_t ending_signals(void) {
    sigset_t ending;
    sigemptyset(&ending);
    for (int i = 0; sis_ending_signals[i]; i++) {
        int number = sis_ending_signals[i];
        struct sigaction now;
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&ending, number);
    }
    sigaddset(&ending, WAKE);
    return ending;
}

// ---------------------------------------------------------------------------- all of them

static int32_t thread_count(const options* o) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double wanted = isnan(o->threads) ? (cores > 0 ? (double)cores : 1) : o->threads;
    return (int32_t)fmin(wanted, o->word_count);
}

static int run_all(work* w, int32_t threads) {
    watched signals = {.ending = ending_signals()};
    sigset_t before;
    member watcher;
    pthread_sigmask(SIG_BLOCK, &signals.ending, &before);
    bool is_watched = member_start(&watcher, WATCHER_STACK, watch, &signals);
    if (!is_watched) pthread_sigmask(SIG_SETMASK, &before, NULL);
    start_crew(w, threads);
    int code = say_in_order(w);
    end_crew(w);
    if (is_watched) {
        atomic_store(&signals.over, true);
        pthread_kill(watcher.thread, WAKE);
        member_join(&watcher);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return code;
}

static const options* task_options(const void* self, int32_t i) {
    const work* w = self;
    return &w->tasks[i].o;
}

/** Runs them if all of them have room. */
static int run_if_room(work* w, int32_t threads) {
    int code = room_for_scenes(task_options, w, w->count, threads);
    return code ? code : run_all(w, threads);
}

int render_many(const options* o, int (*render)(const options* o)) {
    bool made[OUTPUTS] = {false};
    int code = check_folders(o);
    if (!code) code = check_names(o);
    if (!code) code = make_folders(o, made);
    work w = {.tasks = calloc((size_t)o->word_count, sizeof *w.tasks), .render = render};
    if (!w.tasks) code = complain(EXIT_RUN, "out of memory");
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.told, NULL);
    bool room = true;
    while (!code && room && w.count < o->word_count) {
        room = task_make(&w.tasks[w.count], o, o->words[w.count]);
        w.count++;
    }
    if (!code) code = room ? run_if_room(&w, thread_count(o)) : complain(EXIT_RUN, "out of memory");
    for (int32_t i = 0; i < w.count; i++)
        task_free(&w.tasks[i]);
    free(w.tasks);
    pthread_cond_destroy(&w.told);
    pthread_mutex_destroy(&w.lock);
    remove_empty(o, made);
    return code;
}
