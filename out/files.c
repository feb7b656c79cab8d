#define _XOPEN_SOURCE 700 // realpath

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUTS_MAX 32
#define INPUTS_MAX  4 // scene, song, scale and keyboard map

typedef struct output {
    char* shown;     // as the user wrote it
    char* target;    // where it goes, with links resolved; NULL: a device, a pipe or stdout
    char* temporary; // NULL: anonymous
    int descriptor;
    int slot; // in the table of temporaries
} output;

struct sis_files {
    char* protected_paths[INPUTS_MAX];
    const char* protected_as[INPUTS_MAX];
    int protected_count;
    int count;
    output outputs[OUTPUTS_MAX];
};

// ---------------------------------------------------------------------------- temporaries

// A signal handler can only reach static memory, so the names of all temporaries of the process are
// kept here. `used` is set after the name is complete and cleared before the name is reused.
#define SLOTS 1024
static char slot_path[SLOTS][PATH_MAX];
static volatile sig_atomic_t slot_used[SLOTS];

void sis_files_abandon(void) {
    int saved = errno;
    for (int i = 0; i < SLOTS; i++)
        if (slot_used[i]) unlink(slot_path[i]);
    errno = saved;
}

// One thread at a time has files and their names out of step.
static pthread_mutex_t in_step = PTHREAD_MUTEX_INITIALIZER;

void sis_files_settle(void) {
    pthread_mutex_lock(&in_step);
}

/** Holds back the signals that end a run, and other threads, while files and their names are out of
 * step. */
static void hold_signals(sigset_t* before) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, before);
    pthread_mutex_lock(&in_step);
}

static void release_signals(const sigset_t* before) {
    pthread_mutex_unlock(&in_step);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static int slot_take(const char* path) {
    if (strlen(path) >= PATH_MAX) return -1;
    for (int i = 0; i < SLOTS; i++)
        if (!slot_used[i]) {
            strcpy(slot_path[i], path);
            slot_used[i] = 1;
            return i;
        }
    return -1;
}

static void slot_give(int slot) {
    if (slot >= 0) slot_used[slot] = 0;
}

// ---------------------------------------------------------------------------- paths

static char* joined(const char* folder, const char* name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s%s%s", folder, strcmp(folder, "/") ? "/" : "", name);
    return path;
}

/** The folder of a path, without the last part: "." when there is no slash. */
static char* folder_of(const char* path) {
    const char* slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    if (slash == path) return strdup("/");
    return strndup(path, (size_t)(slash - path));
}

static const char* last_part(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool cannot_write(sis_fault* fault, const char* path, const char* why) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, why);
}

/** Finds where `path` leads: *target is NULL when it cannot be replaced by a rename. */
static bool resolve(const char* path, char** target, mode_t* mode, sis_fault* fault) {
    struct stat status;
    *target = NULL;
    *mode = 0;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return cannot_write(fault, path, "it is a directory");
        if (access(path, W_OK) != 0) return cannot_write(fault, path, strerror(errno));
        if (!S_ISREG(status.st_mode)) return true;
        // A rename would ignore that the old file is write-protected or is reached by a link.
        *mode = status.st_mode & 0777;
        *target = realpath(path, NULL);
        return *target || cannot_write(fault, path, strerror(errno));
    }
    if (errno != ENOENT) return cannot_write(fault, path, strerror(errno));
    const char* name = last_part(path);
    if (!*name) return cannot_write(fault, path, "there is no such directory");
    char* folder = folder_of(path);
    char* real = folder ? realpath(folder, NULL) : NULL;
    int why = errno;
    if (real) *target = joined(real, name);
    if (folder && !real)
        cannot_write(fault, path, why == ENOENT ? "there is no such directory" : strerror(why));
    else if (!*target)
        sis_fault_no_memory(fault);
    free(folder);
    free(real);
    return *target != NULL;
}

/** A new file in `folder` under a name of our own; -1 when it could not be made (see errno). */
static int create_hidden(const char* folder, char** path) {
    static int serial;
    for (int attempt = 0; attempt < 1000; attempt++) {
        char name[64];
        snprintf(name, sizeof name, ".sistrum-%ld-%d.tmp", (long)getpid(), serial++);
        *path = joined(folder, name);
        if (!*path) return -1;
        int descriptor = open(*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) return descriptor;
        int why = errno;
        free(*path);
        *path = NULL;
        errno = why;
        if (why != EEXIST) return -1;
    }
    return -1;
}

/** A file in `folder` that has lost its name at once. */
static int create_anonymous(const char* folder) {
    sigset_t before;
    hold_signals(&before);
    char* path = NULL;
    int descriptor = create_hidden(folder, &path);
    int why = errno;
    if (descriptor >= 0) unlink(path);
    release_signals(&before);
    free(path);
    errno = why;
    return descriptor;
}

static const char* scratch_folder(void) {
    const char* folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

// ---------------------------------------------------------------------------- the set

sis_files* sis_files_new(void) {
    return calloc(1, sizeof(sis_files));
}

static void output_close(output* out) {
    if (out->descriptor >= 0) close(out->descriptor);
    if (out->temporary) {
        sigset_t before;
        hold_signals(&before);
        unlink(out->temporary);
        slot_give(out->slot);
        release_signals(&before);
    }
    free(out->shown);
    free(out->target);
    free(out->temporary);
}

void sis_files_free(sis_files* files) {
    if (!files) return;
    for (int i = 0; i < files->count; i++)
        output_close(&files->outputs[i]);
    for (int i = 0; i < files->protected_count; i++)
        free(files->protected_paths[i]);
    free(files);
}

void sis_files_protect(sis_files* files, const char* path, const char* what) {
    char* real = files->protected_count < INPUTS_MAX ? realpath(path, NULL) : NULL;
    if (!real) return;
    files->protected_as[files->protected_count] = what;
    files->protected_paths[files->protected_count++] = real;
}

/** Two outputs in one file would overwrite each other; devices and pipes may be shared. */
static bool allowed(const sis_files* files, const output* new, sis_fault* fault) {
    if (files->count == OUTPUTS_MAX)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "more than %d outputs", OUTPUTS_MAX);
    for (int i = 0; new->target&& i < files->protected_count; i++)
        if (!strcmp(new->target, files->protected_paths[i]))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "'%s' is the %s itself and would be overwritten", new->shown,
                                 files->protected_as[i]);
    for (int i = 0; i < files->count; i++) {
        const output* old = &files->outputs[i];
        bool same = new->target ? old->target && !strcmp(new->target, old->target)
                                : !strcmp(new->shown, "-") && !strcmp(old->shown, "-");
        if (same)
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "'%s' is named twice: every output needs a file of its own",
                                 new->shown);
    }
    return true;
}

/** Creates the temporary beside the target and enters it for the signal handler in one breath. */
static bool open_temporary(output* out, mode_t mode, sis_fault* fault) {
    char* folder = folder_of(out->target);
    if (!folder) return sis_fault_no_memory(fault);
    sigset_t before;
    hold_signals(&before);
    out->descriptor = create_hidden(folder, &out->temporary);
    int why = errno;
    if (out->descriptor >= 0) out->slot = slot_take(out->temporary);
    release_signals(&before);
    free(folder);
    if (out->descriptor < 0) return cannot_write(fault, out->shown, strerror(why));
    if (mode) fchmod(out->descriptor, mode);
    return true;
}

/** Opens what `new` names; on failure the caller closes it. */
static bool open_output(const sis_files* files, output* new, sis_fault* fault) {
    mode_t mode = 0;
    if (!*new->shown) return sis_fault_set(fault, SIS_FAULT_REQUEST, "an output has no name");
    if (strcmp(new->shown, "-") != 0 && !resolve(new->shown, &new->target, &mode, fault))
        return false;
    if (!allowed(files, new, fault)) return false;
    if (new->target) return open_temporary(new, mode, fault);
    new->descriptor = create_anonymous(scratch_folder());
    return new->descriptor >= 0 || cannot_write(fault, scratch_folder(), strerror(errno));
}

int sis_files_add(sis_files* files, const char* path, sis_fault* fault) {
    output new = {.descriptor = -1, .slot = -1, .shown = strdup(path)};
    if (!new.shown) {
        sis_fault_no_memory(fault);
        return -1;
    }
    if (!open_output(files, &new, fault)) {
        output_close(&new);
        return -1;
    }
    files->outputs[files->count++] = new;
    return new.descriptor;
}

FILE* sis_files_stream(int descriptor, sis_fault* fault) {
    int copy = dup(descriptor);
    FILE* stream = copy >= 0 ? fdopen(copy, "r+b") : NULL;
    if (stream) return stream;
    if (copy >= 0) close(copy);
    sis_fault_set(fault, SIS_FAULT_RUN, "cannot open a stream: %s", strerror(errno));
    return NULL;
}

bool sis_files_close_stream(FILE* stream, sis_fault* fault) {
    errno = 0;
    bool written = fflush(stream) == 0 && !ferror(stream);
    int why = errno;
    if (fclose(stream) != 0 && written) {
        written = false;
        why = errno;
    }
    return written || sis_fault_set(fault, SIS_FAULT_RUN, "writing failed: %s",
                                    why ? strerror(why) : "the disk may be full");
}

int sis_files_scratch(const sis_files* files, sis_fault* fault) {
    const output* last = files->count ? &files->outputs[files->count - 1] : NULL;
    char* folder = last && last->target ? folder_of(last->target) : strdup(scratch_folder());
    int descriptor = folder ? create_anonymous(folder) : -1;
    if (descriptor < 0)
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot make a working file in '%s': %s",
                      folder ? folder : "?", strerror(errno));
    free(folder);
    return descriptor;
}

// ---------------------------------------------------------------------------- commit

static bool write_all(int to, const char* bytes, size_t count) {
    while (count) {
        ssize_t done = write(to, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

static bool copy_out(const output* out, sis_fault* fault) {
    bool standard = !strcmp(out->shown, "-");
    int to = standard ? STDOUT_FILENO : open(out->shown, O_WRONLY | O_CLOEXEC);
    if (to < 0) return cannot_write(fault, out->shown, strerror(errno));
    char bytes[1 << 14];
    ssize_t count = 0;
    bool fine = lseek(out->descriptor, 0, SEEK_SET) == 0;
    while (fine && (count = read(out->descriptor, bytes, sizeof bytes)) > 0)
        fine = write_all(to, bytes, (size_t)count);
    fine = fine && count == 0;
    int why = errno;
    if (!standard && close(to) != 0 && fine) {
        fine = false;
        why = errno;
    }
    return fine || cannot_write(fault, standard ? "standard output" : out->shown, strerror(why));
}

static bool rename_all(sis_files* files, sis_fault* fault) {
    for (int i = 0; i < files->count; i++) {
        output* out = &files->outputs[i];
        if (!out->temporary) continue;
        if (rename(out->temporary, out->target) != 0) {
            int why = errno;
            // A run is whole or absent: what was renamed before goes again.
            for (int j = 0; j < i; j++)
                if (files->outputs[j].target) unlink(files->outputs[j].target);
            return cannot_write(fault, out->shown, strerror(why));
        }
        slot_give(out->slot);
        out->slot = -1;
        free(out->temporary);
        out->temporary = NULL;
    }
    return true;
}

bool sis_files_commit(sis_files* files, sis_fault* fault) {
    for (int i = 0; i < files->count; i++) {
        const output* out = &files->outputs[i];
        struct stat status;
        if (out->target && stat(out->target, &status) == 0 && S_ISDIR(status.st_mode))
            return cannot_write(fault, out->shown, "it is a directory");
    }
    // Pipes and devices cannot be taken back, so they wait for all files to be complete, and the
    // renames, which hardly fail, wait for them.
    for (int i = 0; i < files->count; i++)
        if (!files->outputs[i].target && !copy_out(&files->outputs[i], fault)) return false;
    sigset_t before;
    hold_signals(&before);
    bool fine = rename_all(files, fault);
    release_signals(&before);
    return fine;
}

// ---------------------------------------------------------------------------- working files

bool sis_files_put(int scratch, const void* bytes, size_t size, sis_fault* fault) {
    const char* from = bytes;
    while (size) {
        ssize_t done = write(scratch, from, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0)
            return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write a working file: %s",
                                 strerror(errno));
        from += done;
        size -= (size_t)done;
    }
    return true;
}

bool sis_files_fetch(int scratch, void* bytes, size_t size, sis_fault* fault) {
    char* to = bytes;
    while (size) {
        ssize_t done = read(scratch, to, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0)
            return sis_fault_set(fault, SIS_FAULT_RUN, "cannot read a working file back");
        to += done;
        size -= (size_t)done;
    }
    return true;
}
