#include "pd_events.h"

#include <m_pd.h>
#include <math.h>

void pd_events_open(pd_events* e) {
    e->count = e->block = 0;
    e->step = 1;
    e->byte_count = e->data_count = 0;
    e->begun = -1;
    e->status = 0;
    e->full = false;
    e->tick = clock_getlogicaltime();
}

bool pd_events_add(pd_events* e, sis_live_event event) {
    double frame = clock_gettimesincewithunits(e->tick, e->step, 1) + 1e-4;
    double last = e->count ? e->list[e->count - 1].frame : 0;
    if (e->count == PD_EVENTS_MOST) {
        bool told = e->full;
        e->full = true;
        return told;
    }
    event.frame = (int32_t)fmin(fmax(floor(frame), last), fmax(e->block - 1, 0));
    e->list[e->count++] = event;
    return true;
}

// ---------------------------------------------------------------------------- bytes of MIDI

static int data_of(uint8_t status) {
    int kind = status & 0xF0;
    return kind == 0xC0 || kind == 0xD0 ? 1 : 2;
}

static bool end_sysex(pd_events* e) {
    bool whole = e->begun >= 0 && e->byte_count < PD_BYTES_MOST;
    sis_live_event event = {.kind = SIS_LIVE_SYSEX, .note = -1};
    if (whole) {
        event.data = e->bytes + e->begun;
        event.size = (size_t)(e->byte_count - e->begun);
    }
    e->begun = -1;
    return !whole || pd_events_add(e, event);
}

static bool take_data(pd_events* e, uint8_t byte) {
    if (e->begun >= 0 && e->byte_count < PD_BYTES_MOST) e->bytes[e->byte_count++] = byte;
    if (e->begun >= 0 || !e->status) return true;
    e->data[e->data_count++] = byte;
    if (e->data_count < data_of(e->status)) return true;
    uint8_t second = e->data_count > 1 ? e->data[1] : 0;
    e->data_count = 0; // running status: the next data are of the same kind
    return pd_events_add(e, (sis_live_event){.kind = SIS_LIVE_MIDI,
                                             .bytes = {e->status, e->data[0], second},
                                             .note = -1});
}

bool pd_events_byte(pd_events* e, uint8_t byte) {
    if (byte >= 0xF8) return true; // clock and active sensing
    if (byte < 0x80) return take_data(e, byte);
    bool fine = end_sysex(e);
    if (byte == 0xF0) e->begun = e->byte_count;
    e->status = byte < 0xF0 ? byte : 0;
    e->data_count = 0;
    return fine;
}

void pd_events_played(pd_events* e) {
    e->count = 0;
    e->full = false;
    if (e->begun < 0) e->byte_count = 0;
}
