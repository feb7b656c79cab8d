// sistrum-mpi: sistrum sweep on many machines. Every rank fills databases of its own; rank 0 hands out
// the work and puts them together.

#include "files.h"
#include "find.h"
#include "parts.h"
#include "ranks.h"
#include "run.h"
#include "say.h"
#include "slurm.h"
#include "studies.h"
#include "temporary.h"

#include <math.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** With --local: how often what was made is brought home. */
static const double home_seconds = 120;

/** One rank and what it is doing. */
typedef struct rank {
    int number, size;
    const options* o;
    request r;
    sigset_t held;
    desk* desk;   // rank 0; NULL: another
    char* folder; // of the parts
    char* local;  // own folder on a disk of this node; NULL: none
    char* shards; // where sounds are made; NULL: none
    int32_t parts;
    bool has;      // a block that was not begun:
    uint64_t next; // its number
    double part_began;
    uint64_t made_before, failed_before;
    atomic_ullong made, failed;
    rank_word word;
} rank;

// ---------------------------------------------------------------------------- runs

static bool ask(rank* k, uint64_t* block) {
    return k->desk ? desk_next(k->desk, block)
                   : ranks_ask(atomic_load(&k->made), atomic_load(&k->failed), &k->held, block);
}

/** For sis_work. */
static bool next_block(void* self, uint64_t* block) {
    rank* k = self;
    if (k->has) {
        k->has = false;
        *block = k->next;
        return true;
    }
    if (k->local && sis_run_clock() - k->part_began > home_seconds) return false;
    return ask(k, block);
}

static void count_runs(void* self, const sis_work_progress* p) {
    rank* k = self;
    atomic_store(&k->made, k->made_before + p->made);
    atomic_store(&k->failed, k->failed_before + p->failed);
    if (!k->desk) return;
    pthread_mutex_lock(&k->desk->lock);
    k->desk->words[0].made = atomic_load(&k->made);
    k->desk->words[0].failed = atomic_load(&k->failed);
    pthread_mutex_unlock(&k->desk->lock);
}

static bool fill_part(rank* k, const char* path, sis_fault* fault) {
    sis_base* base = sis_base_open(path, k->r.sweep, k->r.command, fault);
    if (!base) return false;
    sis_work work = {.sweep = k->r.sweep,
                     .base = base,
                     .shards = k->shards,
                     .threads = isnan(k->o->threads) ? 1 : (int32_t)k->o->threads,
                     .next_block = next_block,
                     .next_self = k,
                     .told = count_runs,
                     .told_self = k,
                     .stop = watch_is_ending,
                     .stop_self = &k->held};
    k->part_began = sis_run_clock();
    bool fine = sis_work_go(&work, fault);
    k->made_before = atomic_load(&k->made);
    k->failed_before = atomic_load(&k->failed);
    sis_fault second;
    return sis_base_close(base, fine ? fault : &second) && fine;
}

/** Sounds first: whoever sees a row finds its sound. */
static bool bring_home(rank* k, const char* from, const char* to, sis_fault* fault) {
    return (!k->shards || parts_bring_all(k->shards, k->r.shards, ".tar", fault)) &&
           parts_bring(from, to, fault);
}

/** Fills one database; with --local it is brought home, also when something went wrong. */
static bool make_part(rank* k, sis_fault* fault) {
    char* to = parts_path(k->folder, k->number, k->parts);
    char* at = k->local ? parts_path(k->local, k->number, k->parts) : NULL;
    bool fine = (to && (at || !k->local)) || sis_fault_no_memory(fault);
    if (fine) {
        sis_fault second;
        fine = fill_part(k, at ? at : to, fault);
        if (at && !bring_home(k, at, to, fine ? fault : &second)) fine = false;
        k->parts++;
    }
    free(to);
    free(at);
    return fine;
}

static void work(rank* k) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    bool fine = true;
    while (fine && (k->has = ask(k, &k->next)))
        fine = make_part(k, &fault);
    k->word = rank_word_of(fine ? 0 : (int)fault.kind, k->r.sweep->hash, fine ? "" : fault.text);
    k->word.parts = k->parts;
    k->word.made = atomic_load(&k->made);
    k->word.failed = atomic_load(&k->failed);
}

// ---------------------------------------------------------------------------- rank 0

/** Says what the first rank that failed has to say. Returns its code; 0: none failed. */
static int complain_for(const rank_word* words, int size) {
    for (int i = 0; i < size; i++) {
        if (!words[i].code) continue;
        if (!i) return complain(words[i].code, "%s", words[i].text);
        return complain(words[i].code, "%s (rank %d on %s)", words[i].text, i, words[i].host);
    }
    return 0;
}

static int check_words(const rank_word* words, int size) {
    int code = complain_for(words, size);
    for (int i = 1; !code && i < size; i++)
        if (strcmp(words[i].hash, words[0].hash) != 0)
            code = complain(EXIT_USAGE,
                            "rank %d on %s has another study than rank 0 on %s: scene, files and "
                            "version of sistrum-mpi must be the same everywhere",
                            i, words[i].host, words[0].host);
    return code;
}

/** Puts together what all ranks have made. */
static bool take_parts(rank* k, sis_base* base, sis_fault* fault) {
    part_list made = {0};
    bool fine = true;
    for (int i = 0; i < k->size; i++)
        for (int32_t n = 0; fine && n < k->desk->words[i].parts; n++) {
            char* path = parts_path(k->folder, i, n);
            fine = (path && part_list_add(&made, path)) || sis_fault_no_memory(fault);
            free(path);
        }
    fine = fine && sis_base_take(base, (const char* const*)made.paths, made.count, fault);
    if (fine) parts_remove(k->folder, &made);
    part_list_free(&made);
    return fine;
}

/** What the ranks cost beside their runs. */
static void tell_ranks(const rank* k, double together) {
    const desk* d = k->desk;
    fprintf(say_stream(), "%d rank%s; put together in %.3g s", k->size, k->size == 1 ? "" : "s",
            together);
    if (d->answers)
        fprintf(say_stream(), "; %llu times rank 0 was asked, %.3g us each",
                (unsigned long long)d->answers, 1e6 * d->answering / (double)d->answers);
    fputc('\n', say_stream());
}

/** After the work of all: the database is completed. Returns the exit code. */
static int finish_base(rank* k, sis_base* base) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    double began = sis_run_clock();
    bool fine = take_parts(k, base, &fault);
    sis_work_progress p = desk_progress(k->desk);
    p.done = sis_base_done(base);
    uint64_t failed = sis_base_failed(base);
    sis_fault second;
    bool closed = sis_base_close(base, fine ? &fault : &second);
    int code = complain_for(k->desk->words, k->size);
    if (code) return code;
    if (!fine || !closed) return complain_fault(&fault);
    if (!k->o->quiet) watch_tell(k->r.database, &p, failed);
    request_tell_lost(&k->r);
    if (!k->o->quiet && p.made) tell_ranks(k, sis_run_clock() - began);
    return k->o->csv ? studies_export(k->r.database, k->o->csv) : EXIT_DONE;
}

static int lead(rank* k, sis_base* base, rank_word* words) {
    watch view = watch_begin(k->o);
    desk d = {.sweep = k->r.sweep,
              .base = base,
              .size = k->size,
              .words = words,
              .view = &view,
              .held = &k->held,
              .began = sis_run_clock(),
              .done = sis_base_done(base),
              .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    for (int i = 0; i < k->size; i++)
        words[i].made = words[i].failed = 0, words[i].parts = 0;
    k->desk = &d;
    bool answers = pthread_create(&thread, NULL, desk_answer, &d) == 0;
    if (answers) work(k);
    pthread_mutex_lock(&d.lock);
    if (answers) words[0] = k->word;
    d.stop = d.stop || words[0].code != 0 || !answers;
    d.over = true;
    pthread_mutex_unlock(&d.lock);
    if (answers)
        pthread_join(thread, NULL);
    else
        desk_answer(&d);
    watch_end(&view);
    if (watch_is_ending(&k->held)) return EXIT_RUN; // parts stay for the next job
    return answers ? finish_base(k, base) : complain(EXIT_RUN, "cannot start a thread");
}

// ---------------------------------------------------------------------------- every rank

/** What this rank can say against the study. Complaints go where say_into put them. */
static int prepare(rank* k) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    int code = request_open(&k->r, k->o, "sistrum-mpi");
    if (code) return code;
    k->folder = parts_folder(k->r.database);
    if (!k->folder) return complain(EXIT_RUN, "out of memory");
    if (k->o->local && !k->o->slurm) {
        k->local = parts_make_local(k->o->local, &fault);
        if (!k->local) return complain_fault(&fault);
    }
    if (k->r.shards) k->shards = k->local ? sis_path_join(k->local, "shards") : strdup(k->r.shards);
    if (k->r.shards && !k->shards) return complain(EXIT_RUN, "out of memory");
    return EXIT_DONE;
}

/** Rank 0 alone: what all ranks need is made. */
static int begin(rank* k, sis_base** base) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    int code = request_outputs(&k->r, k->o);
    if (!code) code = request_folder(&k->r);
    if (code) return code;
    *base = parts_open(k->r.database, k->folder, k->r.sweep, k->r.command, &fault);
    if (!*base) {
        request_leave_folder(&k->r);
        return complain_fault(&fault);
    }
    if (parts_make_folder(k->folder, &fault)) return EXIT_DONE;
    sis_base_close(*base, NULL);
    return complain_fault(&fault);
}

static int follow(rank* k) {
    int code = EXIT_RUN;
    work(k);
    if (watch_is_ending(&k->held) || !ranks_end(&k->word, &k->held, &code)) return EXIT_RUN;
    return code;
}

static int lead_all(rank* k, rank_word* words, int code) {
    sis_base* base = NULL;
    if (!code) code = check_words(words, k->size);
    if (!code && k->o->slurm) {
        code = slurm_mpi(&k->r, k->o);
        ranks_share(-1); // there is nothing to do
        return code;
    }
    if (!code) code = begin(k, &base);
    if (ranks_share(code)) return code;
    code = lead(k, base, words);
    if (!watch_is_ending(&k->held)) ranks_dismiss(k->size, code);
    return code;
}

/** The complaint of prepare as text, without the name of the program. */
static int prepare_quietly(rank* k, rank_word* word) {
    char* text = NULL;
    size_t size = 0, name = strlen(say_name()) + 2;
    FILE* stream = open_memstream(&text, &size);
    say_into(stream);
    int code = prepare(k);
    say_into(NULL);
    if (stream) fclose(stream);
    if (text) text[strcspn(text, "\n")] = '\0';
    *word = rank_word_of(code, k->r.sweep ? k->r.sweep->hash : "",
                         text && strlen(text) > name ? text + name : "");
    free(text);
    return code;
}

static int run(rank* k) {
    rank_word own, *words = k->number ? NULL : calloc((size_t)k->size, sizeof *words);
    prepare_quietly(k, &own);
    if (!k->number && !words) MPI_Abort(MPI_COMM_WORLD, EXIT_RUN);
    ranks_gather(&own, words);
    int code = 0;
    if (!k->number)
        code = lead_all(k, words, 0);
    else if ((code = ranks_share(0)) == 0)
        code = follow(k);
    if (k->local) parts_remove_local(k->local);
    free(words);
    free(k->folder);
    free(k->local);
    free(k->shards);
    request_close(&k->r);
    return code < 0 ? EXIT_DONE : code;
}

// ---------------------------------------------------------------------------- the command line

static int check_options(const options* o) {
    if (o->word_count && (!strcmp(o->words[0], "show") || !strcmp(o->words[0], "merge")))
        return complain(EXIT_USAGE, "sistrum sweep %s does that", o->words[0]);
    if (o->index_word)
        return complain(EXIT_USAGE, "--index is for job arrays: sistrum sweep does that");
    return request_check(o);
}

static void print_help(void) {
    printf("sistrum-mpi SCENE -o study.db --axis NAME=from:to:count [OPTIONS]\n"
           "mpirun -n 64 sistrum-mpi SCENE -o study.db --random N [OPTIONS]\n"
           "As sistrum sweep, on all ranks of an MPI job. Ranks take blocks of runs one by one;\n"
           "each fills databases of its own in study.db.parts, which rank 0 puts together. The\n"
           "same command again goes on where it was, with any number of ranks, and gives the\n"
           "same rows and the same sounds.\n\n");
    options_help(COMMAND_SWEEP | COMMAND_MPI);
}

/** Words for one: rank 0 says them, the others are silent. */
static int speak_alone(int number, int (*say)(const options* o), const options* o) {
    FILE* nowhere = number ? fopen("/dev/null", "w") : NULL;
    say_into(nowhere);
    int code = say(o);
    say_into(NULL);
    if (nowhere) fclose(nowhere);
    return code;
}

static int run_found(rank* k, const options* o) {
    bool lost = false;
    char* path = find_scene(o->scene, &lost);
    options found = *o;
    if (path) found.scene = path;
    k->o = &found;
    int code = lost ? complain(EXIT_RUN, "out of memory") : run(k);
    free(path);
    return code;
}

static int read_and_run(rank* k, int argc, char** argv) {
    options o;
    FILE* nowhere = k->number ? fopen("/dev/null", "w") : NULL;
    say_into(nowhere);
    int code = options_read(&o, COMMAND_SWEEP | COMMAND_MPI, argc - 1, argv + 1);
    say_into(NULL);
    if (nowhere) fclose(nowhere);
    if (!code && o.help) {
        if (!k->number) print_help();
        code = finish_output();
    } else if (!code && !(code = speak_alone(k->number, check_options, &o))) {
        code = run_found(k, &o);
    }
    options_free(&o);
    return code;
}

int main(int argc, char** argv) {
    rank k = {.size = 1};
    sigset_t before;
    say_as("sistrum-mpi");
    k.held = watch_signals();
    // Before MPI starts threads of its own, which would let them through.
    pthread_sigmask(SIG_BLOCK, &k.held, &before);
    signal(SIGPIPE, SIG_IGN);
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &k.number);
    MPI_Comm_size(MPI_COMM_WORLD, &k.size);
    int code = EXIT_DONE;
    if (level < MPI_THREAD_SERIALIZED && k.size > 1)
        code = k.number ? EXIT_RUN
                        : complain(EXIT_RUN, "this MPI does not let a thread of a program call it");
    else if (argc == 2 && !strcmp(argv[1], "--version"))
        code = k.number ? EXIT_DONE : (printf("sistrum-mpi %s\n", sis_version()), finish_output());
    else
        code = read_and_run(&k, argc, argv);
    if (watch_is_ending(&k.held)) {
        pthread_sigmask(SIG_SETMASK, &before, NULL); // ends here, and MPI ends the other ranks
        return EXIT_RUN;
    }
    MPI_Finalize();
    return code;
}
