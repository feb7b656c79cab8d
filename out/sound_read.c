#include "sound_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** The file in memory: libsndfile may look for a header for ever in a file that cannot be read. */
typedef struct source {
    char* bytes;
    sf_count_t at, size;
} source;

static const size_t bytes_most = (size_t)1 << 29; // of a file; what is beyond them is left out

static sf_count_t size_of(void* self) {
    return ((source*)self)->size;
}

static sf_count_t tell(void* self) {
    return ((source*)self)->at;
}

static sf_count_t seek(sf_count_t offset, int whence, void* self) {
    source* s = self;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? s->at : s->size;
    if (from + offset < 0) return -1;
    s->at = from + offset;
    return s->at;
}

static sf_count_t take(void* to, sf_count_t count, void* self) {
    source* s = self;
    sf_count_t left = s->at < s->size ? s->size - s->at : 0, now = count < left ? count : left;
    if (now > 0) memcpy(to, s->bytes + s->at, (size_t)now);
    s->at += now > 0 ? now : 0;
    return now > 0 ? now : 0;
}

static bool fail(const char* path, const char* why, sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_REQUEST, "cannot read the sound '%s': %s", path, why);
}

static bool read_bytes(source* s, int descriptor, size_t size, const char* path, sis_fault* fault) {
    s->bytes = malloc(size + 1);
    if (!s->bytes) return sis_fault_no_memory(fault);
    while ((size_t)s->size < size) {
        ssize_t got = read(descriptor, s->bytes + s->size, size - (size_t)s->size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(path, strerror(errno), fault);
        if (got == 0) break;
        s->size += got;
    }
    return true;
}

static bool read_file(source* s, const char* path, sis_fault* fault) {
    struct stat found;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool fine = descriptor >= 0 && fstat(descriptor, &found) == 0;
    if (!fine)
        fail(path, strerror(errno), fault);
    else if (!S_ISREG(found.st_mode))
        fine = fail(path, S_ISDIR(found.st_mode) ? strerror(EISDIR) : "it is no file", fault);
    else if ((size_t)found.st_size > bytes_most)
        fine = read_bytes(s, descriptor, bytes_most, path, fault);
    else
        fine = read_bytes(s, descriptor, (size_t)found.st_size, path, fault);
    if (descriptor >= 0) close(descriptor);
    return fine;
}

static bool check_values(const sis_sound_data* sound, const char* path, sis_fault* fault) {
    uint64_t channels = (uint64_t)sound->channels, count = sound->rows * channels;
    bool sounds = false;
    for (uint64_t i = 0; i < count; i++) {
        if (!isfinite(sound->frames[i]))
            return sis_fault_set(fault, SIS_FAULT_REQUEST,
                                 "'%s' holds a sample that is no finite number, at %.6g s", path,
                                 (double)(i / channels) / sound->rate);
        sounds = sounds || sound->frames[i] != 0;
    }
    return sounds || sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' is silent", path);
}

static bool read_frames(SNDFILE* file, const SF_INFO* info, const char* path, double seconds,
                        sis_sound_data* sound, sis_fault* fault) {
    if (info->frames <= 0 || info->samplerate <= 0 || info->channels <= 0)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "'%s' has no sound in it", path);
    double most = ceil(seconds * info->samplerate);
    sound->rate = info->samplerate;
    sound->channels = info->channels;
    sound->rows = (uint64_t)fmin((double)info->frames, most);
    sound->frames = malloc((size_t)sound->rows * (size_t)info->channels * sizeof(double));
    if (!sound->frames) return sis_fault_no_memory(fault);
    sf_count_t got = sf_readf_double(file, sound->frames, (sf_count_t)sound->rows);
    if (got != (sf_count_t)sound->rows)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "the sound '%s' breaks off after %lld of %lld frames", path,
                             (long long)got, (long long)info->frames);
    return check_values(sound, path, fault);
}

static bool read_source(source* s, const char* path, double seconds, sis_sound_data* sound,
                        sis_fault* fault) {
    SF_VIRTUAL_IO ways = {size_of, seek, take, NULL, tell};
    SF_INFO info = {0};
    SNDFILE* file = sf_open_virtual(&ways, SFM_READ, &info, s);
    if (!file) return fail(path, sf_strerror(NULL), fault);
    bool fine = read_frames(file, &info, path, seconds, sound, fault);
    sf_close(file);
    return fine;
}

bool sis_sound_read(const char* path, double seconds, sis_sound_data* sound, sis_fault* fault) {
    source s = {.bytes = NULL};
    *sound = (sis_sound_data){.frames = NULL};
    bool fine = read_file(&s, path, fault) && read_source(&s, path, seconds, sound, fault);
    free(s.bytes);
    if (!fine) sis_sound_data_free(sound);
    return fine;
}

void sis_sound_data_free(sis_sound_data* sound) {
    free(sound->frames);
    *sound = (sis_sound_data){.frames = NULL};
}
