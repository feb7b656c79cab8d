#include "sweep_shard.h"

#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char* sis_shard_path(const char* folder, uint64_t block) {
    char name[64];
    snprintf(name, sizeof name, "shard-%06llu.tar", (unsigned long long)block);
    return sis_path_join(folder, name);
}

static bool fail(const sis_shard* s, sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", s->path, strerror(errno));
}

static bool put(const sis_shard* s, const char* bytes, size_t size, sis_fault* fault) {
    return sis_write_all(s->descriptor, bytes, size) || fail(s, fault);
}

bool sis_shard_open(sis_shard* s, const char* folder, uint64_t block, sis_fault* fault) {
    *s = (sis_shard){.descriptor = -1, .path = sis_shard_path(folder, block)};
    size_t room = s->path ? strlen(s->path) + 8 : 0;
    s->temporary = s->path ? malloc(room) : NULL;
    if (!s->temporary) {
        free(s->path);
        s->path = NULL;
        return sis_fault_no_memory(fault);
    }
    snprintf(s->temporary, room, "%s.tmp", s->path);
    // Of a run that was killed there may be one: its study goes on here.
    s->descriptor = open(s->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (s->descriptor >= 0) return true;
    fail(s, fault);
    sis_shard_abandon(s);
    return false;
}

bool sis_shard_put(sis_shard* s, const sis_row* row, sis_fault* fault) {
    return put(s, row->files, row->file_bytes, fault);
}

void sis_shard_settle(const char* path) {
    char* folder = sis_path_folder(path);
    int descriptor = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

/** Whether two files hold the same bytes; what cannot be read is another file. */
static bool holds_the_same(const char* a, const char* b) {
    FILE* one = fopen(a, "rb");
    FILE* other = fopen(b, "rb");
    bool same = one && other;
    while (same) {
        char first[4096], second[4096];
        size_t size = fread(first, 1, sizeof first, one);
        same = fread(second, 1, sizeof second, other) == size && !memcmp(first, second, size);
        if (size < sizeof first) break;
    }
    same = same && !ferror(one) && !ferror(other);
    if (one) fclose(one);
    if (other) fclose(other);
    return same;
}

bool sis_shard_place(const char* temporary, const char* path, sis_fault* fault) {
    // The same study gives the same bytes, also after a kill: other bytes are somebody else's.
    if (access(path, F_OK) == 0 && !holds_the_same(temporary, path))
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "'%s' holds sounds of another study: remove it, or give --shards "
                             "another folder",
                             path);
    return rename(temporary, path) == 0 ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
}

bool sis_shard_finish(sis_shard* s, sis_fault* fault) {
    static const char end[1024]; // two blocks of zeros
    bool fine = put(s, end, sizeof end, fault);
    if (fine && fsync(s->descriptor) != 0) fine = fail(s, fault);
    int closed = close(s->descriptor);
    s->descriptor = -1;
    if (fine && closed != 0) fine = fail(s, fault);
    fine = fine && sis_shard_place(s->temporary, s->path, fault);
    if (fine) {
        sis_shard_settle(s->path);
        free(s->temporary);
        s->temporary = NULL;
    }
    sis_shard_abandon(s);
    return fine;
}

void sis_shard_abandon(sis_shard* s) {
    if (s->descriptor >= 0) close(s->descriptor);
    if (s->temporary) unlink(s->temporary);
    free(s->temporary);
    free(s->path);
    *s = (sis_shard){.descriptor = -1};
}
