// HDF5 files: the library writes names, units and everything else, and gives the numbers their place
// in one piece. They are then written there without it, so that a long run takes no memory and a full
// disk is found at the write that fails.
//
// The library is looked for when somebody writes such a file, in a process of its own: it brings forty
// others, which no other command should wait for, and which may crash where there is no memory.

#include "data_inside.h"

#if defined(SISTRUM_HDF5)

#include "temporary.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <unistd.h>

// ---------------------------------------------------------------------------- the library

#define FUNCTIONS(F)                                                                               \
    F(H5open)                                                                                      \
    F(H5Eset_auto2)                                                                                \
    F(H5Screate)                                                                                   \
    F(H5Screate_simple)                                                                            \
    F(H5Sclose)                                                                                    \
    F(H5Tcopy)                                                                                     \
    F(H5Tset_size)                                                                                 \
    F(H5Tset_strpad)                                                                               \
    F(H5Tset_cset)                                                                                 \
    F(H5Tclose)                                                                                    \
    F(H5Pcreate)                                                                                   \
    F(H5Pcopy)                                                                                     \
    F(H5Pset_obj_track_times)                                                                      \
    F(H5Pset_alloc_time)                                                                           \
    F(H5Pset_fill_time)                                                                            \
    F(H5Pclose)                                                                                    \
    F(H5Dcreate2)                                                                                  \
    F(H5Dwrite)                                                                                    \
    F(H5Dget_offset)                                                                               \
    F(H5Dclose)                                                                                    \
    F(H5Fcreate)                                                                                   \
    F(H5Fclose)                                                                                    \
    LOCKING(F)

#if H5_VERSION_GE(1, 10, 7)
#define LOCKING(F) F(H5Pset_file_locking)
#else
#define LOCKING(F)
#endif

#define NUMBERS(F)                                                                                 \
    F(H5T_IEEE_F64LE_g)                                                                            \
    F(H5T_NATIVE_DOUBLE_g)                                                                         \
    F(H5T_C_S1_g)                                                                                  \
    F(H5P_CLS_FILE_ACCESS_ID_g)                                                                    \
    F(H5P_CLS_FILE_CREATE_ID_g)                                                                    \
    F(H5P_CLS_DATASET_CREATE_ID_g)

// The functions and numbers of the library, under their own names.
static struct hdf5 {
#define MEMBER(name) __typeof__(name)* name;
    FUNCTIONS(MEMBER)
#undef MEMBER
#define MEMBER(name) const hid_t* name;
    NUMBERS(MEMBER)
#undef MEMBER
} lib;

typedef enum outcome { FINE, FAILED, MISSING, STARVED } outcome;

/** Whether a library that cannot be loaded is not there or none; if not, there was no memory for it. */
static bool not_there(const char* why) {
    static const char* const signs[] = {"No such file", "ELF", "too short", "undefined symbol"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (why && strstr(why, signs[i])) return true;
    return false;
}

/** Finds all of them. */
static outcome load(void) {
    void* library = dlopen(SISTRUM_HDF5, RTLD_NOW | RTLD_LOCAL);
    bool all = true;
    if (!library) return not_there(dlerror()) ? MISSING : STARVED;
    void* found;
#define FIND(name)                                                                                 \
    found = dlsym(library, #name);                                                                 \
    memcpy(&lib.name, &found, sizeof found);                                                       \
    all = all && found;
    FUNCTIONS(FIND)
    NUMBERS(FIND)
#undef FIND
    if (!all) return MISSING;
    if (lib.H5open() < 0) return FAILED;
    lib.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // it would print
    return FINE;
}

bool sis_hdf5_ready(const char* path, sis_fault* fault) {
    (void)path, (void)fault;
    return true;
}

// ---------------------------------------------------------------------------- a file

/** A file that is being laid out. */
typedef struct layout {
    hid_t file;
    hid_t once; // how a dataset is made: without the time
    bool fine;
    int why; // errno of what failed first
} layout;

/** Notes what failed and gives back what it was asked about. */
static hid_t check(layout* l, hid_t result) {
    if (result < 0 && l->fine) l->why = errno;
    if (result < 0) l->fine = false;
    errno = 0;
    return result;
}

/** A dataset of `rank` 0 or 1. */
static void put_values(layout* l, const char* name, int rank, hsize_t count, hid_t in_file,
                       hid_t in_memory, const void* values) {
    if (!l->fine) return;
    hid_t space =
        check(l, rank ? lib.H5Screate_simple(1, &count, NULL) : lib.H5Screate(H5S_SCALAR));
    hid_t set = !l->fine ? -1
                         : check(l, lib.H5Dcreate2(l->file, name, in_file, space, H5P_DEFAULT,
                                                   l->once, H5P_DEFAULT));
    if (l->fine) check(l, lib.H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    if (set >= 0) check(l, lib.H5Dclose(set));
    if (space >= 0) check(l, lib.H5Sclose(space));
}

static void put_number(layout* l, const char* name, double value) {
    put_values(l, name, 0, 1, *lib.H5T_IEEE_F64LE_g, *lib.H5T_NATIVE_DOUBLE_g, &value);
}

static bool is_ascii(const char* text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] > 127) return false;
    return true;
}

/** Texts of one length, filled up with 0: what every reader takes. Octave takes ASCII alone. */
static void put_texts(layout* l, const char* name, int rank, const char* const* texts,
                      size_t count) {
    size_t size = 1;
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i]) > size) size = strlen(texts[i]);
    char* all = calloc(count, size);
    hid_t type = all ? check(l, lib.H5Tcopy(*lib.H5T_C_S1_g)) : check(l, -1);
    for (size_t i = 0; all && i < count; i++)
        memcpy(all + i * size, texts[i], strlen(texts[i]));
    if (l->fine) check(l, lib.H5Tset_size(type, size));
    if (l->fine) check(l, lib.H5Tset_strpad(type, H5T_STR_NULLPAD));
    bool ascii = !all || is_ascii(all, count * size);
    if (l->fine) check(l, lib.H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8));
    put_values(l, name, rank, count, type, type, all);
    if (type >= 0) lib.H5Tclose(type);
    free(all);
}

/** Room for all rows, in one piece. */
static uint64_t put_room(layout* l, const sis_data_about* about) {
    hsize_t sizes[2] = {about->rows, (hsize_t)about->columns};
    haddr_t offset = HADDR_UNDEF;
    if (!l->fine) return 0;
    hid_t how = check(l, lib.H5Pcopy(l->once));
    if (l->fine) check(l, lib.H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY));
    if (l->fine) check(l, lib.H5Pset_fill_time(how, H5D_FILL_TIME_NEVER));
    hid_t space = l->fine ? check(l, lib.H5Screate_simple(2, sizes, NULL)) : -1;
    hid_t set = l->fine ? check(l, lib.H5Dcreate2(l->file, "data", *lib.H5T_IEEE_F64LE_g, space,
                                                  H5P_DEFAULT, how, H5P_DEFAULT))
                        : -1;
    if (set >= 0) offset = lib.H5Dget_offset(set);
    if (offset == HADDR_UNDEF) check(l, -1);
    if (set >= 0) check(l, lib.H5Dclose(set));
    if (space >= 0) lib.H5Sclose(space);
    if (how >= 0) lib.H5Pclose(how);
    return (uint64_t)offset;
}

/** Begins the file. The set of files holds its lock. */
static void create(layout* l, const char* path) {
    const unsigned anew = 2; // H5F_ACC_TRUNC, which would call the library by its name
    hid_t how = check(l, lib.H5Pcreate(*lib.H5P_CLS_FILE_ACCESS_ID_g));
    hid_t what = check(l, lib.H5Pcreate(*lib.H5P_CLS_FILE_CREATE_ID_g));
#if H5_VERSION_GE(1, 10, 7)
    if (l->fine) check(l, lib.H5Pset_file_locking(how, 0, 1));
#endif
    if (l->fine) check(l, lib.H5Pset_obj_track_times(what, 0));
    l->file = l->fine ? check(l, lib.H5Fcreate(path, anew, what, how)) : -1;
    l->once = l->fine ? check(l, lib.H5Pcreate(*lib.H5P_CLS_DATASET_CREATE_ID_g)) : -1;
    if (l->fine) check(l, lib.H5Pset_obj_track_times(l->once, 0));
    if (how >= 0) lib.H5Pclose(how);
    if (what >= 0) lib.H5Pclose(what);
}

static uint64_t lay_out(layout* l, const sis_data_about* about) {
    put_texts(l, "names", 1, about->names, (size_t)about->columns);
    put_texts(l, "units", 1, about->units, (size_t)about->columns);
    put_number(l, "rate", about->rate);
    put_number(l, "start", about->start);
    put_number(l, "oversample", about->oversample);
    put_texts(l, "scene", 0, &about->scene, 1);
    put_texts(l, "title", 0, &about->title, 1);
    put_texts(l, "version", 0, (const char*[]){SIS_VERSION}, 1);
    return put_room(l, about);
}

/** What the process of the library has to say. */
typedef struct answer {
    outcome outcome;
    int why; // errno
    uint64_t base;
} answer;

static answer lay_out_here(const char* path, const sis_data_about* about) {
    layout l = {.file = -1, .once = -1, .fine = true};
    answer a = {.outcome = load()};
    if (a.outcome != FINE) return a;
    errno = 0;
    create(&l, path);
    a.base = lay_out(&l, about);
    if (l.once >= 0) lib.H5Pclose(l.once);
    errno = 0;
    if (l.file >= 0) check(&l, lib.H5Fclose(l.file));
    a.outcome = l.fine ? FINE : FAILED;
    a.why = l.why;
    return a;
}

enum { DESCRIPTORS = 1024 };

/** A run that is killed takes its child along: it would still write when the next one goes on. */
static void live_no_longer_than(pid_t parent) {
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(1);
}

/** The child: nobody hears what the libraries print, and nothing is run at its end. */
static _Noreturn void answer_into(int pipe, pid_t parent, const char* path,
                                  const sis_data_about* about) {
    live_no_longer_than(parent);
    // Who shares a descriptor shares its lock: the next run must not wait for it.
    for (int other = STDERR_FILENO + 1; other < DESCRIPTORS; other++)
        if (other != pipe) close(other);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    answer a = lay_out_here(path, about);
    _exit(write(pipe, &a, sizeof a) == (ssize_t)sizeof a ? 0 : 1);
}

/** Asks a child; one that does not answer has crashed, for which want of memory is the cause. */
static answer ask(const char* path, const sis_data_about* about) {
    answer a = {.outcome = FAILED};
    int ends[2];
    if (pipe(ends) != 0) return a.why = errno, a;
    pid_t parent = getpid(), child = fork();
    if (child == 0) answer_into(ends[1], parent, path, about);
    a.why = errno;
    close(ends[1]);
    if (child > 0) {
        ssize_t got;
        while ((got = read(ends[0], &a, sizeof a)) < 0 && errno == EINTR) {
        }
        if (got != (ssize_t)sizeof a) a = (answer){.outcome = STARVED};
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    return a;
}

/** The whole file but the numbers, in a file that has a name. */
static bool lay_out_named(const char* path, const sis_data_about* about, uint64_t* base,
                          sis_fault* fault) {
    answer a = ask(path, about);
    *base = a.base;
    if (a.outcome == FINE) return true;
    if (a.outcome == STARVED) return sis_fault_no_memory(fault);
    if (a.outcome == MISSING)
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "cannot load " SISTRUM_HDF5 ": install the HDF5 library, or write "
                             ".npy, .mat or .csv");
    errno = a.why;
    if (a.why) return sis_data_failed(fault);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the data: the HDF5 library gave up");
}

/** Copies what lies between two places of a file. */
static bool copy(int from, int to, uint64_t at, uint64_t end, sis_fault* fault) {
    char bytes[4096];
    while (at < end) {
        size_t most = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        ssize_t got = pread(from, bytes, most, (off_t)at);
        if (got <= 0) return sis_data_failed(fault);
        if (!sis_data_put_at(to, bytes, (size_t)got, at, fault)) return false;
        at += (uint64_t)got;
    }
    return true;
}

/** The library opens names only: what has none gets a copy. Its numbers are a hole, which takes no
 *  room. */
static bool lay_out_nameless(int descriptor, const sis_data_about* about, uint64_t* base,
                             sis_fault* fault) {
    sigset_t before;
    char* path = NULL;
    int slot = -1;
    struct stat status = {0};
    sis_hold_signals(&before);
    int named = sis_temporary_create(sis_path_scratch(), &path, &slot);
    sis_release_signals(&before);
    if (named < 0) return sis_data_failed(fault);
    bool fine = lay_out_named(path, about, base, fault) &&
                (fstat(named, &status) == 0 || sis_data_failed(fault));
    uint64_t end = *base + 8 * about->rows * (uint64_t)about->columns;
    fine = fine && copy(named, descriptor, 0, *base, fault) &&
           copy(named, descriptor, end, (uint64_t)status.st_size, fault);
    sis_hold_signals(&before);
    unlink(path);
    sis_temporary_release(slot);
    sis_release_signals(&before);
    close(named);
    free(path);
    return fine;
}

bool sis_hdf5_layout(int descriptor, const sis_data_about* about, uint64_t* base,
                     sis_fault* fault) {
    char path[64];
    struct stat status, same;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), descriptor);
    bool has_name = fstat(descriptor, &status) == 0 && status.st_nlink > 0 &&
                    stat(path, &same) == 0 && same.st_ino == status.st_ino;
    return has_name ? lay_out_named(path, about, base, fault)
                    : lay_out_nameless(descriptor, about, base, fault);
}

#else

bool sis_hdf5_ready(const char* path, sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_REQUEST,
                         "'%s': this build has no HDF5: install libhdf5-dev and build again, or "
                         "write .npy, .mat or .csv",
                         path);
}

bool sis_hdf5_layout(int descriptor, const sis_data_about* about, uint64_t* base,
                     sis_fault* fault) {
    (void)descriptor, (void)about, (void)base;
    return sis_hdf5_ready("data", fault);
}

#endif
