#define _DEFAULT_SOURCE // flock

#include "temporary.h"

#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- signals

// A signal handler can only reach static memory, so the names of all temporaries of the process are
// kept here. `used` is set after the name is complete and cleared before the name is reused.
#define SLOTS 1024
static char slot_path[SLOTS][PATH_MAX];
static volatile sig_atomic_t slot_used[SLOTS];

// Folders that this process made; they go with their last file.
#define FOLDERS 64
static char folder_path[FOLDERS][PATH_MAX];
static volatile sig_atomic_t folder_count;

void sis_files_new_folder(const char* path) {
    if (folder_count == FOLDERS || strlen(path) >= PATH_MAX) return;
    strcpy(folder_path[folder_count], path);
    folder_count++;
}

void sis_files_abandon(void) {
    int saved = errno;
    for (int i = 0; i < SLOTS; i++)
        if (slot_used[i]) unlink(slot_path[i]);
    for (int i = folder_count; i-- > 0;)
        rmdir(folder_path[i]); // fails where a file is in it
    errno = saved;
}

const int sis_ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGXCPU, SIGALRM,
                                  SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, 0};

// One thread at a time has files and their names out of step.
static pthread_mutex_t in_step = PTHREAD_MUTEX_INITIALIZER;

void sis_files_settle(void) {
    pthread_mutex_lock(&in_step);
}

void sis_hold_signals(sigset_t* before) {
    sigset_t ending;
    sigemptyset(&ending);
    for (int i = 0; sis_ending_signals[i]; i++)
        sigaddset(&ending, sis_ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &ending, before);
    pthread_mutex_lock(&in_step);
}

void sis_release_signals(const sigset_t* before) {
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

void sis_temporary_release(int slot) {
    if (slot >= 0) slot_used[slot] = 0;
}

// ---------------------------------------------------------------------------- paths

char* sis_path_join(const char* folder, const char* name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s%s%s", folder, strcmp(folder, "/") ? "/" : "", name);
    return path;
}

char* sis_path_folder(const char* path) {
    const char* slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    if (slash == path) return strdup("/");
    return strndup(path, (size_t)(slash - path));
}

const char* sis_path_last(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---------------------------------------------------------------------------- what others left

// Hidden files are .sistrum-PID-SERIAL.tmp, and .sistrum-PID-SERIAL.old-NAME for the file NAME that
// a set of new ones replaces.
#define PREFIX ".sistrum-"

/** Does the name have that form? Where the part after the serial number begins. */
static bool is_ours(const char* name, const char** end) {
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) return false;
    char *after = NULL, *last = NULL;
    if (strtol(name + strlen(PREFIX), &after, 10) <= 0 || *after != '-') return false;
    strtol(after + 1, &last, 10);
    *end = last;
    return last != after + 1 && (!strcmp(last, ".tmp") || !strncmp(last, ".old-", 5));
}

/** Is it a temporary of this process? Its lock, taken by this process too, would not tell. */
static bool is_own(const char* name) {
    for (int i = 0; i < SLOTS; i++)
        if (slot_used[i] && !strcmp(sis_path_last(slot_path[i]), name)) return true;
    return false;
}

/** Its run is over: nobody holds its lock, on this machine or, by a network file system, on
 *  another. Whoever has made a file and not locked it yet sees that it was taken (create_locked).
 */
static bool is_stale(int folder, const char* name) {
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        return false;
    if (is_own(name)) return false;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return false;
    bool free_to_take = flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return free_to_take;
}

/** Removes what killed runs left in a folder. An old file whose new one never came is put back. */
static void sweep(const char* path) {
    DIR* all = opendir(path);
    if (!all) return;
    int folder = dirfd(all);
    for (const struct dirent* entry; (entry = readdir(all));) {
        const char* end = NULL;
        struct stat status;
        if (!is_ours(entry->d_name, &end) || !is_stale(folder, entry->d_name)) continue;
        if (strncmp(end, ".old-", 5) == 0 &&
            fstatat(folder, end + 5, &status, AT_SYMLINK_NOFOLLOW) != 0)
            renameat(folder, entry->d_name, folder, end + 5);
        else
            unlinkat(folder, entry->d_name, 0);
    }
    closedir(all);
}

// ---------------------------------------------------------------------------- new ones

static int next_serial(void) {
    static int serial; // guarded by in_step
    return serial++;
}

/** Locked, so that other runs see that it is in use; -1 with *path NULL when it cannot be made. */
static int create_locked(const char* folder, char** path) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        char name[64];
        snprintf(name, sizeof name, PREFIX "%ld-%d.tmp", (long)getpid(), next_serial());
        *path = sis_path_join(folder, name);
        if (!*path) return -1;
        int file = open(*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        int why = errno;
        struct stat status;
        if (file >= 0) {
            flock(file, LOCK_EX | LOCK_NB); // where there are no locks, the process must do
            if (fstat(file, &status) != 0 || status.st_nlink > 0) return file;
            close(file); // swept in between
            why = EEXIST;
        }
        free(*path);
        *path = NULL;
        errno = why;
        if (why != EEXIST) return -1;
    }
    return -1;
}

int sis_temporary_create(const char* folder, char** path, int* slot) {
    sweep(folder);
    int file = create_locked(folder, path);
    int why = errno;
    *slot = file >= 0 ? slot_take(*path) : -1;
    errno = why;
    return file;
}

int sis_temporary_anonymous(const char* folder) {
    sigset_t before;
    sis_hold_signals(&before);
    char* path = NULL;
    int file = create_locked(folder, &path);
    int why = errno;
    if (file >= 0) unlink(path);
    sis_release_signals(&before);
    free(path);
    errno = why;
    return file;
}

// ---------------------------------------------------------------------------- old files

bool sis_backup_make(const char* target, char** backup) {
    *backup = NULL;
    struct stat status;
    if (lstat(target, &status) != 0) return true;
    char name[64 + NAME_MAX];
    snprintf(name, sizeof name, PREFIX "%ld-%d.old-%s", (long)getpid(), next_serial(),
             sis_path_last(target));
    char* folder = sis_path_folder(target);
    char* path = folder ? sis_path_join(folder, name) : NULL;
    free(folder);
    if (!path) return errno = ENOMEM, false;
    // A second name leaves the first in place at every moment. Where there are no second names, or
    // this one is too long, the file is moved aside.
    if (link(target, path) == 0 || (errno != ENAMETOOLONG && rename(target, path) == 0)) {
        *backup = path;
        return true;
    }
    int why = errno;
    free(path);
    errno = why;
    return why == ENAMETOOLONG; // a file that cannot be kept: its rename comes last or not at all
}

void sis_backup_restore(const char* target, const char* backup) {
    if (backup)
        rename(backup, target);
    else
        unlink(target);
}

void sis_backup_drop(const char* backup) {
    if (backup) unlink(backup);
}

bool sis_write_all(int descriptor, const char* bytes, size_t size) {
    while (size) {
        ssize_t done = write(descriptor, bytes, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}
