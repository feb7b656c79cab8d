#include "checkpoint.h"

#include "levels.h"
#include "render_many.h"
#include "say.h"
#include "sweep_number.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EVERY 60.0 // s

/** The checkpoint itself, and what stands beside it while the run goes on. */
static int check_path(const options* o, const char* option) {
    const char* path = o->resume ? o->resume : o->checkpoint;
    const char* const written[] = {o->out, o->data, o->energy, o->record, o->json};
    size_t length = strlen(path);
    if (!length || sis_path_is_standard(path))
        return complain(EXIT_USAGE, "%s: name a file, not '%s'", option, path);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const char* rest =
            written[i] && !strncmp(written[i], path, length) ? written[i] + length : "";
        if (!strcmp(rest, ".sound") || !strcmp(rest, ".new"))
            return complain(EXIT_USAGE,
                            "'%s' is a working file of the checkpoint '%s': give the "
                            "output another name",
                            written[i], path);
    }
    return EXIT_DONE;
}

int checkpoint_check(const options* o) {
    const char* option = o->resume ? "--resume" : "--checkpoint";
    if (!o->checkpoint && !o->resume) {
        if (isnan(o->every)) return EXIT_DONE;
        return complain(EXIT_USAGE, "--every is for a run with --checkpoint or --resume");
    }
    if (o->checkpoint && o->resume)
        return complain(EXIT_USAGE, "--resume goes on writing its checkpoint: leave out "
                                    "--checkpoint");
    if (o->midi)
        return complain(EXIT_USAGE,
                        "%s is for a run without --midi: a song has a state for every "
                        "note that sounds",
                        option);
    if (render_needs_folders(o))
        return complain(EXIT_USAGE, "%s is for one scene at a time", option);
    return check_path(o, option);
}

// ---------------------------------------------------------------------------- which run it is

/** SHA-256 of a file that was read; "none" where it cannot be read again. */
static const char* hash_file(const char* path, char text[SIS_SHA256]) {
    char bytes[16384];
    sis_sha256 sha;
    FILE* file = fopen(path, "rb");
    if (!file) return "none";
    sis_sha256_begin(&sha);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        sis_sha256_add(&sha, bytes, got);
    fclose(file);
    return sis_sha256_end(&sha, text);
}

static void put_file(FILE* out, const char* key, const char* path) {
    char text[SIS_SHA256];
    if (path) fprintf(out, "%s: %s, SHA-256 %s\n", key, path, hash_file(path, text));
}

static void put_text(FILE* out, const char* key, const char* text) {
    if (text) fprintf(out, "%s: %s\n", key, text);
}

static void put_number(FILE* out, const char* key, double value) {
    if (!isnan(value)) fprintf(out, "%s: %.17g\n", key, value);
}

static void put_scene(FILE* out, const job* j, const options* o) {
    char text[SIS_SHA256];
    fprintf(out, "version: %s\n", sis_version());
    fprintf(out, "scene: %s, SHA-256 %s\n", j->name, hash_file(o->scene, text));
    fprintf(out, "rate: %.17g Hz\noversample: %d\nsamples: %llu\n", j->plan.rate,
            (int)j->plan.oversample, (unsigned long long)j->plan.rows);
    fprintf(out, "scheme: %s\n",
            j->scheme == SIS_SCHEME_AS_GIVEN ? "as given" : sis_scheme_word(j->scheme));
    for (int32_t i = 0; i < sis_script_param_count(j->script); i++) {
        sis_param p = sis_script_param(j->script, i);
        fprintf(out, "param %s: %.17g\n", p.name, p.value);
    }
    for (int32_t i = 0; i < sis_system_input_count(j->system); i++) {
        sis_input_info input = sis_system_input(j->system, i);
        fprintf(out, "input %s: %.17g\n", input.name, input.value);
    }
}

static void put_gestures(FILE* out, const options* o) {
    put_text(out, "--note", o->note);
    put_number(out, "--velocity", o->velocity);
    put_number(out, "--hold", o->hold);
    put_number(out, "--a4", o->a4);
    put_file(out, "--scale", o->scale);
    put_file(out, "--keys", o->keys);
    put_file(out, "--sound", o->sound);
    for (int32_t i = 0; i < o->input_count; i++) {
        const char* equals = strchr(o->inputs[i], '=');
        char text[SIS_SHA256];
        fprintf(out, "--input %s: SHA-256 %s\n", o->inputs[i],
                hash_file(equals ? equals + 1 : o->inputs[i], text));
    }
}

static void put_outputs(FILE* out, const job* j, const options* o) {
    sis_sound_spec spec = levels_spec(j, o, 1, 1);
    put_text(out, "-o", o->out);
    if (o->out)
        fprintf(out, "--bits: %s\n--normalise: %s\n--gain: %.17g dB\n",
                sis_sound_bits_word(spec.bits), spec.normalise ? "on" : "off", spec.gain_db);
    put_text(out, "--data", o->data);
    put_text(out, "--energy", o->energy);
    put_text(out, "--record", o->record);
    put_text(out, "--json", o->json);
    put_number(out, "--sleep", o->sleep);
}

/** Everything that the bytes of the outputs depend on. */
static char* identify(const job* j, const options* o) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    if (!out) return NULL;
    put_scene(out, j, o);
    put_gestures(out, o);
    put_outputs(out, j, o);
    bool lost = ferror(out) != 0;
    if (fclose(out) == 0 && !lost) return text;
    free(text);
    return NULL;
}

/** The first line in which the run differs from that of the checkpoint. */
static int complain_other(const checkpoint* c, const char* before) {
    const char *was = before, *is = c->identity;
    for (;;) {
        size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");
        if (a == b && !strncmp(was, is, a) && was[a] && is[b]) {
            was += a + 1;
            is += b + 1;
            continue;
        }
        return complain(EXIT_USAGE,
                        "'%s' is the checkpoint of another run: it has '%.*s', this one "
                        "'%.*s'; nothing was changed",
                        c->path, a ? (int)a : 7, a ? was : "no more", b ? (int)b : 7,
                        b ? is : "no more");
    }
}

// ---------------------------------------------------------------------------- the file

// "sistrum checkpoint 1\n", the SHA-256 of what follows in 64 digits, a newline; then the identity
// with its length, the phase, and for a run that is going on its place, the state and the sinks.
static const char magic[] = "sistrum checkpoint 1\n";
enum { MAGIC = sizeof magic - 1, HEAD = MAGIC + SIS_SHA256 };

static bool failed(const checkpoint* c, sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the checkpoint '%s': %s", c->path,
                         strerror(errno));
}

static bool put_bytes(int file, const char* bytes, size_t size) {
    while (size) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = ENOSPC;
        if (done <= 0) return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/** The name of a file is on the disk when its folder is. */
static void sync_folder(const char* path) {
    char* copy = strdup(path);
    char* slash = copy ? strrchr(copy, '/') : NULL;
    if (slash) slash[1] = '\0';
    int folder = copy ? open(slash ? copy : ".", O_RDONLY | O_CLOEXEC) : -1;
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(copy);
}

/** Writes it under another name, which it then takes the place of. */
static bool write_file(const checkpoint* c, const sis_store* body, sis_fault* fault) {
    char head[HEAD + 1], new[4096];
    memcpy(head, magic, MAGIC);
    sis_sha256_of(body->bytes, body->size, head + MAGIC);
    head[HEAD - 1] = '\n';
    if (snprintf(new, sizeof new, "%s.new", c->path) >= (int)sizeof new)
        return errno = ENAMETOOLONG, failed(c, fault);
    int file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return failed(c, fault);
    bool fine =
        put_bytes(file, head, HEAD) && put_bytes(file, body->bytes, body->size) && fsync(file) == 0;
    int why = errno;
    close(file);
    if (fine && rename(new, c->path) == 0) {
        sync_folder(c->path);
        return true;
    }
    if (fine) why = errno;
    unlink(new);
    errno = why;
    return failed(c, fault);
}

static void put_identity(checkpoint* c, sis_store* body) {
    uint64_t length = strlen(c->identity), phase = c->phase;
    sis_store_walk(body, &length, sizeof length);
    sis_store_walk(body, c->identity, length);
    sis_store_walk(body, &phase, sizeof phase);
}

/** One without a state. */
static bool write_phase(checkpoint* c, checkpoint_phase phase, sis_fault* fault) {
    sis_store body = {.bytes = NULL};
    c->phase = phase;
    put_identity(c, &body);
    bool fine = sis_store_fine(&body, fault) && write_file(c, &body, fault);
    sis_store_free(&body);
    return fine;
}

static bool write_run(checkpoint* c, sis_run* run, sis_fault* fault) {
    sis_store body = {.bytes = NULL};
    c->phase = CHECKPOINT_RUNNING;
    put_identity(c, &body);
    sis_run_keep(run, &body);
    bool fine = outputs_keep(c->u, c->j, &body, fault) && write_file(c, &body, fault);
    sis_store_free(&body);
    if (!fine) return false;
    c->written = true;
    c->at = (double)run->done / sis_plan_step_rate(&c->j->plan);
    c->last = sis_run_clock();
    return true;
}

// ---------------------------------------------------------------------------- reading

/** All of a file; NULL: see errno. */
static char* read_all(const char* path, size_t* size) {
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a pipe would wait
    char* bytes = NULL;
    *size = 0;
    if (file < 0) return NULL;
    if (fstat(file, &status) == 0 && !S_ISREG(status.st_mode))
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    else
        bytes = malloc((size_t)status.st_size + 1);
    while (bytes && *size < (size_t)status.st_size) {
        ssize_t got = read(file, bytes + *size, (size_t)status.st_size - *size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break; // the check sum tells
        *size += (size_t)got;
    }
    int why = errno;
    close(file);
    errno = why;
    return bytes;
}

static int complain_damaged(const checkpoint* c, const char* how) {
    return complain(EXIT_RUN, "'%s' %s; nothing was changed", c->path, how);
}

/** Reads identity and phase; the store stays where the rest begins. */
static int read_file(checkpoint* c, char** identity) {
    char sum[SIS_SHA256];
    sis_store* s = &c->store;
    *identity = NULL;
    s->bytes = read_all(c->path, &s->size);
    if (!s->bytes)
        return complain(EXIT_RUN, "cannot read the checkpoint '%s': %s", c->path,
                        errno == EINVAL ? "it is no regular file" : strerror(errno));
    if (s->size < MAGIC || memcmp(s->bytes, magic, MAGIC) != 0)
        return complain_damaged(c, "is no checkpoint of this version of sistrum");
    if (s->size < HEAD) return complain_damaged(c, "is a checkpoint that ends too early");
    sis_sha256_of(s->bytes + HEAD, s->size - HEAD, sum);
    if (memcmp(sum, s->bytes + MAGIC, SIS_SHA256 - 1) != 0)
        return complain_damaged(c, "is damaged or cut off: its check sum is another one");
    s->at = HEAD;
    s->reading = true;
    uint64_t length = 0, phase = 0;
    sis_store_walk(s, &length, sizeof length);
    if (length <= s->size) *identity = calloc(1, (size_t)length + 1);
    if (!*identity) return complain(EXIT_RUN, "out of memory");
    sis_store_walk(s, *identity, (size_t)length);
    sis_store_walk(s, &phase, sizeof phase);
    c->phase = (checkpoint_phase)phase;
    return EXIT_DONE;
}

static int take_up(checkpoint* c) {
    char* before = NULL;
    int code = read_file(c, &before);
    if (!code && strcmp(before, c->identity) != 0) code = complain_other(c, before);
    free(before);
    c->resumed = !code;
    return code;
}

/** One that is not over, or another file, is not overwritten. */
static int begin(checkpoint* c) {
    struct stat status;
    sis_fault fault;
    if (lstat(c->path, &status) == 0) {
        char* before = NULL;
        int code = read_file(c, &before);
        free(before);
        sis_store_free(&c->store);
        if (code) return code;
        if (c->phase != CHECKPOINT_OVER)
            return complain(EXIT_USAGE,
                            "'%s' is the checkpoint of a run that is not over: go on with "
                            "it by --resume, or remove it and the files *.part",
                            c->path);
    }
    return write_phase(c, CHECKPOINT_BEGUN, &fault) ? EXIT_DONE : complain_fault(&fault);
}

int checkpoint_open(checkpoint* c, const job* j, const options* o) {
    *c = (checkpoint){.path = o->resume ? o->resume : o->checkpoint,
                      .every = isnan(o->every) ? EVERY : o->every,
                      .j = j};
    if (!c->path) return EXIT_DONE;
    c->identity = identify(j, o);
    if (!c->identity) return complain(EXIT_RUN, "out of memory");
    return o->resume ? take_up(c) : begin(c);
}

sis_parts checkpoint_parts(const checkpoint* c) {
    if (!c->path) return SIS_PARTS_NONE;
    if (!c->resumed) return SIS_PARTS_NEW;
    return c->phase == CHECKPOINT_BEGUN ? SIS_PARTS_ANY : SIS_PARTS_OLD;
}

// ---------------------------------------------------------------------------- running

// What a signal asked for: the run ends after the next block, with a checkpoint.
static volatile sig_atomic_t ending;

static void note_signal(int number) {
    ending = number;
}

static void watch_signals(checkpoint* c) {
    struct sigaction action = {.sa_handler = note_signal}, before;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (int i = 0; sis_ending_signals[i]; i++)
        if (sigaction(sis_ending_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(sis_ending_signals[i], &action, NULL);
    c->watching = true;
}

static bool pause_run(void* self, sis_run* run, sis_fault* fault) {
    checkpoint* c = self;
    if (run->done == run->steps) return true;
    if (!ending && sis_run_clock() - c->last < c->every) return true;
    if (!write_run(c, run, fault)) return false;
    return !ending || sis_fault_set(fault, SIS_FAULT_RUN, "ended by a signal");
}

/** Lengths of the files are beyond those of the checkpoint, or it is not theirs. */
static bool take_up_run(checkpoint* c, sis_run* run, sis_fault* fault) {
    sis_run_keep(run, &c->store);
    if (!outputs_keep(c->u, c->j, &c->store, fault)) return false;
    const char* foreign = sis_state_foreign(c->j->system, c->u->state);
    if (foreign)
        return sis_fault_set(fault, SIS_FAULT_RUN, "'%s' cannot be used here: %s", c->path,
                             foreign);
    c->written = true;
    c->at = (double)run->done / sis_plan_step_rate(&c->j->plan);
    return true;
}

bool checkpoint_start(checkpoint* c, outputs* u, sis_run* run, sis_fault* fault) {
    if (!c->path) return true;
    c->u = u;
    if (c->phase == CHECKPOINT_RUNNING && !take_up_run(c, run, fault)) return false;
    sis_store_free(&c->store);
    run->pause = pause_run;
    run->pause_self = c;
    c->last = sis_run_clock();
    watch_signals(c);
    return true;
}

bool checkpoint_complete(checkpoint* c, sis_fault* fault) {
    if (!c->path) return true;
    if (!sis_files_sync(c->u->files, fault)) return false;
    return write_phase(c, CHECKPOINT_COMPLETE, fault);
}

/** Before the checkpoint says that the run is over: whoever is killed then leaves nothing else. */
static bool say_over(checkpoint* c, sis_fault* fault) {
    char* working = outputs_working(c->path);
    if (!working) return sis_fault_no_memory(fault);
    unlink(working);
    free(working);
    return write_phase(c, CHECKPOINT_OVER, fault);
}

bool checkpoint_over(checkpoint* c, sis_fault* fault) {
    return !c->path || say_over(c, fault);
}

/** Its name is given, or was. */
static bool give_name(const char* path, sis_fault* fault) {
    struct stat status;
    char *target = NULL, *part = path ? sis_files_part(path, &target) : NULL;
    bool fine = !path || (part && rename(part, target) == 0) ||
                (part && errno == ENOENT && stat(target, &status) == 0);
    int why = errno;
    free(part);
    free(target);
    return fine ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(why));
}

/** Whether what the run made is still there; who took it elsewhere wants another run, or none. */
bool checkpoint_kept(const checkpoint* c, const options* o, sis_fault* fault) {
    const char* const paths[] = {o->out, o->data, o->energy, o->record, o->json};
    struct stat status;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] && stat(paths[i], &status) != 0)
            return sis_fault_set(
                fault, SIS_FAULT_RUN,
                "the run of '%s' was over already, but '%s' is not there any more: "
                "remove '%s' to run it again",
                c->path, paths[i], c->path);
    return true;
}

bool checkpoint_finish(checkpoint* c, const options* o, sis_fault* fault) {
    const char* const paths[] = {o->out, o->data, o->energy, o->record, o->json};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (!give_name(paths[i], fault)) return false;
    return say_over(c, fault);
}

void checkpoint_explain(checkpoint* c, sis_fault* fault) {
    if (!c->path) return;
    if (!c->written && !c->resumed) { // nothing to go on with
        if (c->u) sis_files_drop(c->u->files);
        unlink(c->path);
        return;
    }
    size_t used = strlen(fault->text);
    if (c->phase == CHECKPOINT_RUNNING && !c->written) { // it was not taken up
        snprintf(fault->text + used, sizeof fault->text - used,
                 "; '%s' stays as it was, for --resume", c->path);
        return;
    }
    snprintf(fault->text + used, sizeof fault->text - used,
             "; '%s' keeps the run as it was after %.6g s, for --resume", c->path, c->at);
}

void checkpoint_close(checkpoint* c) {
    sis_store_free(&c->store);
    free(c->identity);
    if (!c->watching || !ending) return;
    signal((int)ending, SIG_DFL);
    raise((int)ending);
}
