#include "space.h"

#include "temporary.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/** The part of a file system; NULL: there is no such folder, or there are too many. */
static sis_space_part* part_of(sis_space* space, const char* folder) {
    struct stat status;
    if (stat(folder, &status) != 0) return NULL;
    for (int i = 0; i < space->count; i++)
        if (space->parts[i].device == status.st_dev) return &space->parts[i];
    if (space->count == SIS_SPACE_MAX) return NULL;
    sis_space_part* part = &space->parts[space->count++];
    *part = (sis_space_part){.device = status.st_dev};
    snprintf(part->folder, sizeof part->folder, "%s", folder);
    return part;
}

/** Where an output is written: *target, which the caller frees, is NULL where it only passes
 * through a working file. False: nowhere. */
static bool find_folder(const char* path, char** folder, char** target) {
    mode_t mode;
    *folder = *target = NULL;
    if (!sis_path_resolve(path, target, &mode, NULL)) return false;
    *folder = *target ? sis_path_folder(*target) : strdup(sis_path_scratch());
    return *folder != NULL;
}

/** Bytes that go when the file is replaced: of its last name only. */
static double size_of(const char* path) {
    struct stat status;
    if (lstat(path, &status) != 0 || status.st_nlink > 1) return 0;
    return 512.0 * (double)status.st_blocks;
}

void sis_space_output(sis_space* space, const char* path, double bytes) {
    char *folder, *target;
    sis_space_part* part = find_folder(path, &folder, &target) ? part_of(space, folder) : NULL;
    if (part && target) {
        part->written += bytes;
        part->replaced += size_of(target);
    } else if (part) {
        part->working += bytes;
    }
    free(folder);
    free(target);
}

void sis_space_working(sis_space* space, const char* path, double bytes) {
    char *folder, *target;
    sis_space_part* part = find_folder(path, &folder, &target) ? part_of(space, folder) : NULL;
    if (part) part->working += bytes;
    free(folder);
    free(target);
}

// ---------------------------------------------------------------------------- several runs

static const sis_space_part* part_on(const sis_space* space, dev_t device) {
    for (int i = 0; i < space->count; i++)
        if (space->parts[i].device == device) return &space->parts[i];
    return NULL;
}

/** What stays of a run when it is over, at least 0, and what it takes beyond that while it goes on.
 */
static double stays(const sis_space_part* part) {
    return fmax(0, part->written - part->replaced);
}

static double passes(const sis_space_part* part) {
    return part->written + part->working - stays(part);
}

/** The part whose run takes most beyond what stays, less than `below`; ties by their order. */
static int next_largest(const sis_space* runs, int count, dev_t device, double below, int after) {
    int best = -1;
    double most = -1;
    for (int i = 0; i < count; i++) {
        const sis_space_part* part = part_on(&runs[i], device);
        double here = part ? passes(part) : -1;
        bool left = here < below || (here == below && i > after);
        if (left && here > most) {
            most = here;
            best = i;
        }
    }
    return best;
}

static void join_device(sis_space* all, const sis_space* runs, int count, int threads,
                        const sis_space_part* model) {
    sis_space_part* sum = part_of(all, model->folder);
    if (!sum) return;
    for (int i = 0; i < count; i++) {
        const sis_space_part* part = part_on(&runs[i], model->device);
        if (part) sum->written += stays(part);
    }
    double below = INFINITY;
    for (int n = 0, last = -1; n < threads; n++) {
        last = next_largest(runs, count, model->device, below, last);
        if (last < 0) break;
        below = passes(part_on(&runs[last], model->device));
        sum->working += below;
    }
}

void sis_space_join(sis_space* all, const sis_space* runs, int count, int threads) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < runs[i].count; k++) {
            const sis_space_part* part = &runs[i].parts[k];
            if (!part_on(all, part->device)) join_device(all, runs, count, threads, part);
        }
}

// ---------------------------------------------------------------------------- asking

static void print_bytes(char* text, size_t size, double bytes) {
    if (bytes >= 1e12)
        snprintf(text, size, "%.4g TB", 1e-12 * bytes);
    else
        sis_unit_print(text, size, bytes, "B", 4);
}

bool sis_space_check(const sis_space* space, sis_fault* fault) {
    for (int i = 0; i < space->count; i++) {
        const sis_space_part* part = &space->parts[i];
        struct statvfs system;
        // A file system that does not count its blocks has room until it says otherwise.
        if (statvfs(part->folder, &system) != 0 || system.f_blocks == 0) continue;
        double room = (double)system.f_bavail * (double)system.f_frsize; // as df counts
        double needed = part->written + part->working;
        if (needed <= room) continue;
        char wanted[64], there[64];
        print_bytes(wanted, sizeof wanted, needed);
        print_bytes(there, sizeof there, room);
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "no room in '%s': the run writes up to %s there, and %s are free; a "
                             "shorter --duration or fewer outputs take less",
                             part->folder, wanted, there);
    }
    return true;
}
