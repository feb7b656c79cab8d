#include "store.h"

#include <stdlib.h>
#include <string.h>

static bool has_room(sis_store* s, size_t size) {
    if (s->room - s->size >= size) return true;
    size_t room = 2 * s->room + size;
    char* bytes = realloc(s->bytes, room);
    if (!bytes) return false;
    s->bytes = bytes;
    s->room = room;
    return true;
}

void sis_store_walk(sis_store* s, void* value, size_t size) {
    if (!size || s->starved || s->short_) return;
    if (s->reading) {
        s->short_ = s->size - s->at < size;
        if (s->short_) return;
        memcpy(value, s->bytes + s->at, size);
        s->at += size;
        return;
    }
    s->starved = !has_room(s, size);
    if (s->starved) return;
    memcpy(s->bytes + s->size, value, size);
    s->size += size;
}

bool sis_store_fine(const sis_store* s, sis_fault* fault) {
    if (s->starved) return sis_fault_no_memory(fault);
    return !s->short_ || sis_fault_set(fault, SIS_FAULT_RUN, "the checkpoint ends too early");
}

void sis_store_free(sis_store* s) {
    free(s->bytes);
    *s = (sis_store){.bytes = NULL};
}
