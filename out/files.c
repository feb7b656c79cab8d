#define _DEFAULT_SOURCE // realpath, flock

#include "files.h"

#include "temporary.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUTS_MAX 32
#define INPUTS_MAX  16 // scene, song, scale and keyboard map; curves

typedef struct output {
    char* shown;     // as the user wrote it
    char* target;    // where it goes, with links resolved; NULL: a device, a pipe or stdout
    char* temporary; // NULL: anonymous
    char* backup;    // the old file, while new ones take their places
    int descriptor;
    int slot;      // in the table of temporaries
    bool standard; // standard output, under whatever name
    bool working;  // gets no name of its own
} output;

struct sis_files {
    char* protected_paths[INPUTS_MAX];
    const char* protected_as[INPUTS_MAX];
    int protected_count;
    sis_parts parts; // outputs are kept
    int count;
    output outputs[OUTPUTS_MAX];
};

// ---------------------------------------------------------------------------- paths

static bool cannot_write(sis_fault* fault, const char* path, const char* why) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, why);
}

/** The same for what errno was. */
static bool write_failed(sis_fault* fault, const char* path, int why) {
    return why == ENOMEM ? sis_fault_no_memory(fault) : cannot_write(fault, path, strerror(why));
}

/** Where a symbolic link leads whose target does not exist yet: the link is followed, not replaced.
 *  NULL: no link, or no memory. */
static char* link_end(const char* path) {
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text - 1);
    if (length <= 0) return NULL;
    text[length] = '\0';
    if (text[0] == '/') return strdup(text);
    char* folder = sis_path_folder(path);
    char* end = folder ? sis_path_join(folder, text) : NULL;
    free(folder);
    return end;
}

enum { NO_DESCRIPTOR = -1, FOREIGN_DESCRIPTOR = -2 };

/** Whether the names in `folder` are numbers of open descriptors; *own: of this process. */
static bool lists_descriptors(const char* folder, bool* own) {
    char real[PATH_MAX], self[PATH_MAX];
    *own = true;
    if (!realpath(folder, real)) return false;
    if (!strcmp(real, "/dev/fd")) return true;
    if (strncmp(real, "/proc/", 6) != 0 || strcmp(sis_path_last(real), "fd") != 0) return false;
    size_t length = realpath("/proc/self", self) ? strlen(self) : 0;
    *own = length && !strncmp(real, self, length) && real[length] == '/';
    return true;
}

/** The descriptor that a path names, such as /dev/stdout or /dev/fd/3, also by links. What it was
 *  opened on has a name of its own, which is not what the user wrote: it may be open for appending,
 *  or hold what others wrote through the same descriptor. Needs no memory. */
static int descriptor_of(const char* path) {
    char at[PATH_MAX], folder[PATH_MAX], end[PATH_MAX];
    if (strlen(path) >= sizeof at) return NO_DESCRIPTOR;
    strcpy(at, path);
    for (int links = 0; links < 40; links++) {
        const char* name = sis_path_last(at);
        size_t length = (size_t)(name - at);
        memcpy(folder, at, length);
        folder[length] = '\0';
        long number;
        bool own;
        if (sis_text_whole(name, 0, INT_MAX, &number) &&
            lists_descriptors(length ? folder : ".", &own))
            return own ? (int)number : FOREIGN_DESCRIPTOR;
        ssize_t count = readlink(at, end, sizeof end - 1);
        if (count <= 0) return NO_DESCRIPTOR;
        end[count] = '\0';
        if (end[0] == '/') length = 0;
        if (length + (size_t)count >= sizeof at) return NO_DESCRIPTOR;
        strcpy(at + length, end);
    }
    return NO_DESCRIPTOR;
}

bool sis_path_is_standard(const char* path) {
    return !strcmp(path, "-") || descriptor_of(path) == STDOUT_FILENO;
}

bool sis_path_resolve(const char* path, char** target, mode_t* mode, sis_fault* fault) {
    struct stat status;
    *target = NULL;
    *mode = 0;
    if (sis_path_is_standard(path)) return true;
    bool is_descriptor = descriptor_of(path) != NO_DESCRIPTOR;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return cannot_write(fault, path, "it is a directory");
        if (is_descriptor && S_ISREG(status.st_mode))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "'%s' is a file that is open already: give its name", path);
        if (access(path, W_OK) != 0) return write_failed(fault, path, errno);
        if (!S_ISREG(status.st_mode)) return true;
        // A rename would ignore that the old file is write-protected or is reached by a link.
        *mode = status.st_mode & 0777;
        *target = realpath(path, NULL);
        return *target || write_failed(fault, path, errno);
    }
    if (errno != ENOENT) return write_failed(fault, path, errno);
    if (is_descriptor) return write_failed(fault, path, EBADF);
    char* end = link_end(path);
    if (end) { // the end of the chain exists or not, but no link leads in a circle: that is ELOOP
        bool found = sis_path_resolve(end, target, mode, fault);
        free(end);
        return found;
    }
    const char* name = sis_path_last(path);
    if (!*name) return cannot_write(fault, path, "there is no such directory");
    char* folder = sis_path_folder(path);
    char* real = folder ? realpath(folder, NULL) : NULL;
    int why = errno;
    if (real) *target = sis_path_join(real, name);
    if (folder && !real)
        cannot_write(fault, path, why == ENOENT ? "there is no such directory" : strerror(why));
    else if (!*target)
        sis_fault_no_memory(fault);
    free(folder);
    free(real);
    return *target != NULL;
}

const char* sis_path_scratch(void) {
    const char* folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

// ---------------------------------------------------------------------------- the set

sis_files* sis_files_new(void) {
    return calloc(1, sizeof(sis_files));
}

static void output_close(output* out, bool keep) {
    if (out->descriptor >= 0) close(out->descriptor);
    if (out->temporary && !keep) {
        sigset_t before;
        sis_hold_signals(&before);
        unlink(out->temporary);
        sis_temporary_release(out->slot);
        sis_release_signals(&before);
    }
    free(out->shown);
    free(out->target);
    free(out->temporary);
}

void sis_files_free(sis_files* files) {
    if (!files) return;
    for (int i = 0; i < files->count; i++)
        output_close(&files->outputs[i], files->parts != SIS_PARTS_NONE);
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

/** Whether what is written to `descriptor` goes into the file `target`. */
static bool leads_to(int descriptor, const char* target) {
    struct stat file, open;
    return stat(target, &file) == 0 && fstat(descriptor, &open) == 0 &&
           file.st_dev == open.st_dev && file.st_ino == open.st_ino;
}

bool sis_path_is_free(const char* path, sis_fault* fault) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return true;
    const bool printed = leads_to(STDOUT_FILENO, path);
    if (!printed && !leads_to(STDERR_FILENO, path)) return true;
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "'%s' is where standard %s goes: every output needs a file of its own",
                         path, printed ? "output" : "error");
}

static bool are_same(const output* a, const output* b) {
    if (a->target && b->target) return !strcmp(a->target, b->target);
    return a->standard && b->standard;
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
    for (int i = 0; i < files->count; i++)
        if (are_same(new, &files->outputs[i]))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "'%s' is named twice: every output needs a file of its own",
                                 new->shown);
    return !new->target || sis_path_is_free(new->shown, fault);
}

/** Creates the temporary beside the target and enters it for the signal handler in one breath. */
static bool open_temporary(output* out, mode_t mode, sis_fault* fault) {
    char* folder = sis_path_folder(out->target);
    if (!folder) return sis_fault_no_memory(fault);
    sigset_t before;
    sis_hold_signals(&before);
    out->descriptor = sis_temporary_create(folder, &out->temporary, &out->slot);
    int why = errno;
    sis_release_signals(&before);
    free(folder);
    if (out->descriptor < 0) return write_failed(fault, out->shown, why);
    if (mode) fchmod(out->descriptor, mode);
    return true;
}

// ---------------------------------------------------------------------------- kept files

void sis_files_keep(sis_files* files, sis_parts parts) {
    files->parts = parts;
}

void sis_files_drop(sis_files* files) {
    if (files) files->parts = SIS_PARTS_NONE;
}

/** A longer name in the same folder. */
static char* with_ending(const char* path, const char* ending) {
    size_t size = strlen(path) + strlen(ending) + 1;
    char* longer = malloc(size);
    if (longer) snprintf(longer, size, "%s%s", path, ending);
    return longer;
}

char* sis_files_part(const char* path, char** target) {
    mode_t mode;
    sis_fault fault;
    bool found = sis_path_resolve(path, target, &mode, &fault) && *target;
    char* part = found ? with_ending(*target, ".part") : NULL;
    if (part) return part;
    free(*target);
    *target = NULL;
    return NULL;
}

/** Opens the file `out->temporary`, which stays when the process ends. */
static bool open_kept(output* out, sis_parts parts, mode_t mode, sis_fault* fault) {
    int how = parts == SIS_PARTS_NEW ? O_CREAT | O_EXCL : parts == SIS_PARTS_ANY ? O_CREAT : 0;
    out->descriptor = open(out->temporary, O_RDWR | O_CLOEXEC | how, 0666);
    int why = errno;
    if (out->descriptor < 0 && why == EEXIST)
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "'%s' is there already: a run that was ended may go on with it by "
                             "--resume; if not, remove it",
                             out->temporary);
    if (out->descriptor < 0 && why == ENOENT && parts == SIS_PARTS_OLD)
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "'%s' is not there, without which the run cannot go on",
                             out->temporary);
    if (out->descriptor < 0) return write_failed(fault, out->temporary, why);
    if (flock(out->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return sis_fault_set(fault, SIS_FAULT_RUN, "another run is writing '%s'", out->temporary);
    if (mode) fchmod(out->descriptor, mode);
    return parts == SIS_PARTS_OLD || ftruncate(out->descriptor, 0) == 0 ||
           write_failed(fault, out->temporary, errno);
}

/** Beside its target, under its name. */
static bool open_part(output* out, sis_parts parts, mode_t mode, sis_fault* fault) {
    if (!out->target)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "'%s' cannot be kept for a run that goes on: name a file", out->shown);
    out->temporary = with_ending(out->target, ".part");
    if (!out->temporary) return sis_fault_no_memory(fault);
    return open_kept(out, parts, mode, fault);
}

bool sis_files_empty(sis_files* files, sis_fault* fault) {
    const output* last = &files->outputs[files->count - 1];
    return !files->parts || ftruncate(last->descriptor, 0) == 0 ||
           write_failed(fault, last->temporary, errno);
}

bool sis_files_sync(const sis_files* files, sis_fault* fault) {
    for (int i = 0; i < files->count; i++)
        if (fsync(files->outputs[i].descriptor) != 0)
            return write_failed(fault, files->outputs[i].shown, errno);
    return true;
}

/** Opens what `new` names; on failure the caller closes it. */
static bool open_output(const sis_files* files, output* new, sis_fault* fault) {
    mode_t mode = 0;
    if (!*new->shown) return sis_fault_set(fault, SIS_FAULT_REQUEST, "an output has no name");
    new->standard = sis_path_is_standard(new->shown);
    if (!sis_path_resolve(new->shown, &new->target, &mode, fault)) return false;
    if (!allowed(files, new, fault)) return false;
    if (files->parts) return open_part(new, files->parts, mode, fault);
    if (new->target) return open_temporary(new, mode, fault);
    new->descriptor = sis_temporary_anonymous(sis_path_scratch());
    return new->descriptor >= 0 || write_failed(fault, sis_path_scratch(), errno);
}

int sis_files_add(sis_files* files, const char* path, sis_fault* fault) {
    output new = {.descriptor = -1, .slot = -1, .shown = strdup(path)};
    if (!new.shown) {
        sis_fault_no_memory(fault);
        return -1;
    }
    if (!open_output(files, &new, fault)) {
        // What was not opened is not ours to remove.
        output_close(&new, files->parts && (new.descriptor < 0 || files->parts == SIS_PARTS_OLD));
        return -1;
    }
    files->outputs[files->count++] = new;
    return new.descriptor;
}

int sis_files_add_working(sis_files* files, const char* path, sis_fault* fault) {
    output new = {.descriptor = -1, .slot = -1, .working = true, .shown = strdup(path)};
    new.temporary = strdup(path);
    bool full = files->count == OUTPUTS_MAX;
    if (!new.shown || !new.temporary || full) sis_fault_no_memory(fault);
    if (new.shown&& new.temporary && !full && open_kept(&new, files->parts, 0, fault)) {
        files->outputs[files->count++] = new;
        return new.descriptor;
    }
    output_close(&new, true);
    return -1;
}

FILE* sis_files_stream(int descriptor, sis_fault* fault) {
    int copy = dup(descriptor);
    FILE* stream = copy >= 0 ? fdopen(copy, "r+b") : NULL;
    if (stream) return stream;
    int why = errno;
    if (copy >= 0) close(copy);
    if (why == ENOMEM)
        sis_fault_no_memory(fault);
    else
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot open a stream: %s", strerror(why));
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
    char* folder =
        last && last->target ? sis_path_folder(last->target) : strdup(sis_path_scratch());
    int descriptor = folder ? sis_temporary_anonymous(folder) : -1;
    if (descriptor < 0 && errno == ENOMEM)
        sis_fault_no_memory(fault);
    else if (descriptor < 0)
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot make a working file in '%s': %s", folder,
                      strerror(errno));
    free(folder);
    return descriptor;
}

// ---------------------------------------------------------------------------- commit

static bool copy_out(const output* out, sis_fault* fault) {
    bool standard = out->standard;
    int to = standard ? STDOUT_FILENO : open(out->shown, O_WRONLY | O_CLOEXEC);
    if (to < 0) return write_failed(fault, out->shown, errno);
    char bytes[1 << 14];
    ssize_t count = 0;
    bool fine = lseek(out->descriptor, 0, SEEK_SET) == 0;
    while (fine && (count = read(out->descriptor, bytes, sizeof bytes)) > 0)
        fine = sis_write_all(to, bytes, (size_t)count);
    fine = fine && count == 0;
    int why = errno;
    if (!standard && close(to) != 0 && fine) {
        fine = false;
        why = errno;
    }
    return fine || write_failed(fault, standard ? "standard output" : out->shown, why);
}

/** Gives output i its name; the old file of that name is kept under another one until all have
 *  theirs. */
static bool rename_one(output* out) {
    if (!sis_backup_make(out->target, &out->backup)) return false;
    if (rename(out->temporary, out->target) != 0) {
        int why = errno;
        if (out->backup) sis_backup_restore(out->target, out->backup);
        free(out->backup);
        out->backup = NULL;
        errno = why;
        return false;
    }
    sis_temporary_release(out->slot);
    out->slot = -1;
    free(out->temporary);
    out->temporary = NULL;
    return true;
}

/** A run is whole or absent: what was renamed before goes again, and what it replaced comes back.
 */
static bool rename_all(sis_files* files, sis_fault* fault) {
    int done = 0, why = 0;
    for (; done < files->count && !why; done++) {
        output* out = &files->outputs[done];
        if (out->target && out->temporary && !rename_one(out)) why = errno;
    }
    const char* failed = why ? files->outputs[done - 1].shown : NULL;
    for (int i = 0; i < done - (why ? 1 : 0); i++) {
        output* out = &files->outputs[i];
        if (out->target && why) sis_backup_restore(out->target, out->backup);
        if (out->target && !why) sis_backup_drop(out->backup);
        free(out->backup);
        out->backup = NULL;
    }
    return !why || write_failed(fault, failed, why);
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
        if (!files->outputs[i].target && !files->outputs[i].working &&
            !copy_out(&files->outputs[i], fault))
            return false;
    sigset_t before;
    sis_hold_signals(&before);
    bool fine = rename_all(files, fault);
    sis_release_signals(&before);
    if (fine) sis_files_drop(files); // working files go with the set
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
