#include "flac_file.h"

#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

#define FLAC_MEMORY (1 << 20) // bytes, more than its encoder takes

static bool failed(sis_flac* flac, sis_fault* fault) {
    if (errno == ENOMEM) return sis_fault_no_memory(fault);
    const char* why = sf_strerror((SNDFILE*)flac);
    if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO) why = strerror(errno);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the sound: %s", why);
}

sis_flac* sis_flac_open(int descriptor, const sis_sound_spec* spec, sis_fault* fault) {
    SF_INFO info = {.samplerate = (int)round(spec->rate),
                    .channels = spec->channels,
                    .format = SF_FORMAT_FLAC |
                              (spec->bits == SIS_SOUND_16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24)};
    // libsndfile does not look whether all its parts of FLAC got their memory: so is there any?
    void* room = malloc(FLAC_MEMORY);
    if (!room) return sis_fault_no_memory(fault), NULL;
    free(room);
    errno = 0;
    SNDFILE* file = sf_open_fd(descriptor, SFM_WRITE, &info, SF_FALSE);
    if (!file) return failed(NULL, fault), NULL;
    if (spec->title && *spec->title) sf_set_string(file, SF_STR_TITLE, spec->title);
    // Its last parts come with the header; errno tells of those that it did not look at.
    sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    if (errno != ENOMEM) return (sis_flac*)file;
    sf_close(file);
    return sis_fault_no_memory(fault), NULL;
}

bool sis_flac_write(sis_flac* flac, const int* samples, size_t frames, sis_fault* fault) {
    sf_count_t count = (sf_count_t)frames;
    errno = 0;
    return sf_writef_int((SNDFILE*)flac, samples, count) == count || failed(flac, fault);
}

bool sis_flac_close(sis_flac* flac, sis_fault* fault) {
    errno = 0;
    int error = sf_close((SNDFILE*)flac);
    if (!error && !errno) return true; // it does not tell of every write that fails
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the sound: %s",
                         errno ? strerror(errno) : sf_error_number(error));
}
