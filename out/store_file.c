// Where files of a run are; the rest of the store needs no files and is in the live library too.
#include "store.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(const char* doing, sis_fault* fault) {
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot %s: %s", doing, strerror(errno));
}

bool sis_store_reaches(int descriptor, uint64_t size, sis_fault* fault) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return failed("go on with an output", fault);
    return (uint64_t)status.st_size >= size ||
           sis_fault_set(fault, SIS_FAULT_RUN,
                         "a file *.part or *.sound is shorter than it was: the run cannot go on");
}

bool sis_store_stream(sis_store* s, FILE* stream, sis_fault* fault) {
    if (!s->reading && fflush(stream) != 0) return failed("write an output", fault);
    int64_t place = s->reading ? 0 : (int64_t)ftello(stream);
    sis_store_walk(s, &place, sizeof place);
    if (!s->reading || s->short_) return place >= 0 || failed("write an output", fault);
    if (!sis_store_reaches(fileno(stream), (uint64_t)place, fault)) return false;
    if (fflush(stream) != 0 || ftruncate(fileno(stream), (off_t)place) != 0 ||
        fseeko(stream, (off_t)place, SEEK_SET) != 0)
        return failed("go on with an output", fault);
    return true;
}
