// Chunks and events of a standard MIDI file.
#include "midi.h"
#include "mts.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Where the reader is; `end` is that of the chunk it is in. */
typedef struct reader {
    const unsigned char* bytes;
    size_t at, end, size;
    const char* name;
    sis_midi_file* file;
    sis_fault* fault;
    int track; // 1, 2, ...
} reader;

__attribute__((format(printf, 3, 4))) static bool fail(reader* r, size_t at, const char* format,
                                                       ...) {
    char why[400];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    return sis_fault_set(r->fault, SIS_FAULT_SCENE, "%.300s: byte %zu: %s", r->name, at, why);
}

static uint32_t big_endian(const unsigned char* bytes, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

// ---------------------------------------------------------------------------- bytes of a track

static bool short_of(reader* r, const char* what) {
    return fail(r, r->at, "track %d ends in the middle of %s", r->track, what);
}

// Seven bits a byte, the highest says that more follow; four bytes at most.
static bool read_length(reader* r, const char* what, uint32_t* value) {
    size_t start = r->at;
    *value = 0;
    for (int i = 0; i < 4; i++) {
        if (r->at >= r->end) return short_of(r, what);
        unsigned char byte = r->bytes[r->at++];
        *value = *value << 7 | (byte & 0x7Fu);
        if (!(byte & 0x80)) return true;
    }
    return fail(r, start, "%s has more than four bytes", what);
}

static bool read_data(reader* r, uint8_t* value) {
    if (r->at >= r->end) return short_of(r, "an event");
    *value = r->bytes[r->at];
    if (*value & 0x80)
        return fail(r, r->at, "0x%02X stands where a data byte below 0x80 must be", *value);
    r->at++;
    return true;
}

// What a meta event or a system exclusive one holds.
static bool read_block(reader* r, const char* what, const unsigned char** data, uint32_t* length) {
    size_t start = r->at;
    if (!read_length(r, what, length)) return false;
    if (*length > r->end - r->at)
        return fail(r, start, "%s of %u %s goes beyond the end of track %d", what,
                    (unsigned)*length, sis_plural(*length, "byte", "bytes"), r->track);
    *data = r->bytes + r->at;
    r->at += *length;
    return true;
}

// ---------------------------------------------------------------------------- events

static bool keep(reader* r, sis_midi_event event) {
    sis_midi_file* file = r->file;
    if (file->count == SIS_SONG_MOST_EVENTS)
        return fail(r, r->at, "there are more than %d notes, controllers, tempos and tunings",
                    SIS_SONG_MOST_EVENTS);
    if (file->count == file->room) {
        int32_t room = file->room ? 2 * file->room : 256;
        sis_midi_event* events = realloc(file->events, (size_t)room * sizeof *events);
        if (!events) return sis_fault_no_memory(r->fault);
        file->events = events;
        file->room = room;
    }
    file->events[file->count++] = event;
    return true;
}

static bool note(reader* r, uint64_t tick, uint8_t status, uint8_t key, uint8_t velocity) {
    bool on = status >> 4 == 9 && velocity > 0;
    if (on && ++r->file->notes > SIS_SONG_MOST_NOTES)
        return fail(r, r->at, "there are more than %d notes", SIS_SONG_MOST_NOTES);
    return keep(r, (sis_midi_event){.tick = tick,
                                    .value = velocity,
                                    .act = on ? SIS_MIDI_ON : SIS_MIDI_OFF,
                                    .channel = status & 15,
                                    .key = key});
}

// Statuses 8 to E: note off, note on, and in this order
static bool channel_event(reader* r, uint64_t tick, uint8_t status) {
    static const sis_midi_act acts[] = {SIS_MIDI_KEY_PRESSURE, SIS_MIDI_CONTROL, SIS_MIDI_PROGRAM,
                                        SIS_MIDI_PRESSURE, SIS_MIDI_BEND};
    uint8_t one = 0, two = 0, kind = status >> 4;
    bool single = kind == 0xC || kind == 0xD;
    if (!read_data(r, &one)) return false;
    if (!single && !read_data(r, &two)) return false;
    if (kind == 0x8 || kind == 0x9) return note(r, tick, status, one, two);
    sis_midi_event event = {.tick = tick, .channel = status & 15, .act = (uint8_t)acts[kind - 0xA]};
    event.key = single || kind == 0xE ? 0 : one;
    event.value = kind == 0xE ? one | (uint32_t)two << 7 : single ? one : two;
    return keep(r, event);
}

static bool tempo(reader* r, uint64_t tick, size_t start, const unsigned char* data,
                  uint32_t length) {
    if (length != 3) return fail(r, start, "a tempo has 3 bytes, not %u", (unsigned)length);
    uint32_t microseconds = big_endian(data, 3);
    if (microseconds == 0) return fail(r, start, "a tempo of 0 microseconds a quarter");
    return keep(r, (sis_midi_event){.tick = tick, .value = microseconds, .act = SIS_MIDI_TEMPO});
}

static bool meta_event(reader* r, uint64_t tick, bool* over) {
    size_t start = r->at - 1;
    if (r->at >= r->end) return short_of(r, "a meta event");
    uint8_t type = r->bytes[r->at++];
    const unsigned char* data = NULL;
    uint32_t length = 0;
    if (type & 0x80) return fail(r, r->at - 1, "0x%02X is no kind of meta event", type);
    if (!read_block(r, "a meta event", &data, &length)) return false;
    if (type == 0x51) return tempo(r, tick, start, data, length);
    *over = type == 0x2F;
    if (*over && length != 0) return fail(r, start, "the end of a track has no bytes");
    return true;
}

// Of system exclusive messages those that tune are kept.
static bool exclusive(reader* r, uint64_t tick, bool begins) {
    const unsigned char* data = NULL;
    uint32_t length = 0;
    if (!read_block(r, "a system exclusive event", &data, &length)) return false;
    bool now;
    sis_tuning any = {{0}};
    if (!begins || !sis_mts_take(data, length, &any, &now)) return true;
    return keep(r, (sis_midi_event){.tick = tick,
                                    .value = (uint32_t)(data - r->bytes),
                                    .size = length,
                                    .act = SIS_MIDI_TUNING});
}

// One event after its delta time. Running status: a data byte repeats the last channel status. The
// standard has meta and system exclusive events end it; files that go on after one mean what they
// repeat.
static bool read_event(reader* r, uint64_t tick, uint8_t* running, bool* over) {
    if (r->at >= r->end) return short_of(r, "an event");
    uint8_t status = r->bytes[r->at];
    if (status < 0x80 && *running == 0)
        return fail(r, r->at,
                    "an event begins with the data byte 0x%02X, but there is no event "
                    "to repeat",
                    status);
    if (status < 0x80) return channel_event(r, tick, *running);
    r->at++;
    if (status < 0xF0) {
        *running = status;
        return channel_event(r, tick, status);
    }
    if (status == 0xFF) return meta_event(r, tick, over);
    if (status == 0xF0 || status == 0xF7) return exclusive(r, tick, status == 0xF0);
    return fail(r, r->at - 1, "the status 0x%02X does not belong in a file", status);
}

static bool read_track(reader* r) {
    uint64_t tick = 0;
    uint8_t running = 0;
    bool over = false;
    while (!over) {
        uint32_t delta = 0;
        if (r->at >= r->end)
            return fail(r, r->at, "track %d ends without an end-of-track event", r->track);
        if (!read_length(r, "a delta time", &delta)) return false;
        tick += delta;
        if (!read_event(r, tick, &running, &over)) return false;
    }
    if (r->at != r->end)
        return fail(r, r->at, "track %d goes on for %zu %s after its end-of-track event", r->track,
                    r->end - r->at, sis_plural(r->end - r->at, "byte", "bytes"));
    if (tick > r->file->end) r->file->end = tick;
    return true;
}

// ---------------------------------------------------------------------------- chunks

static bool read_division(reader* r, uint32_t division) {
    sis_midi_file* file = r->file;
    if (!(division & 0x8000)) {
        file->division = (int32_t)division;
        return division > 0 || fail(r, 12, "a division of 0 ticks a quarter");
    }
    int frames = 256 - (int)(division >> 8), ticks = (int)(division & 0xFF); // a second, a frame
    if ((frames != 24 && frames != 25 && frames != 29 && frames != 30) || ticks == 0)
        return fail(r, 12,
                    "a division of %d frames a second and %d ticks a frame: SMPTE has 24, "
                    "25, 29 or 30 frames, and ticks from 1 on",
                    frames, ticks);
    // 29 stands for the 29.97 frames of NTSC.
    file->ticks_a_second = (frames == 29 ? 30000.0 / 1001 : frames) * ticks;
    return true;
}

static bool read_header(reader* r, int* tracks) {
    if (r->size >= 4 && memcmp(r->bytes, "RIFF", 4) == 0)
        return fail(r, 0, "it is a RIFF file; the MIDI file inside it must be taken out first");
    if (r->size < 4 || memcmp(r->bytes, "MThd", 4) != 0)
        return fail(r, 0, "it is not a MIDI file: it does not begin with MThd");
    if (r->size < 14) return fail(r, r->size, "the file ends in its header");
    uint32_t length = big_endian(r->bytes + 4, 4), format = big_endian(r->bytes + 8, 2);
    *tracks = (int)big_endian(r->bytes + 10, 2);
    if (length < 6 || length > r->size - 8)
        return fail(r, 4, "a header of %u %s; it has 6", (unsigned)length,
                    sis_plural(length, "byte", "bytes"));
    if (format == 2)
        return fail(r, 8,
                    "it is of format 2, patterns that are no song; formats 0 and 1 can be "
                    "played");
    if (format > 2) return fail(r, 8, "format %u is unknown; there are 0 and 1", (unsigned)format);
    if (*tracks == 0) return fail(r, 10, "it has no tracks");
    if (format == 0 && *tracks != 1) return fail(r, 10, "format 0 has one track, not %d", *tracks);
    r->at = 8 + (size_t)length;
    return read_division(r, big_endian(r->bytes + 12, 2));
}

// The next track; chunks of other kinds are skipped.
static bool next_track(reader* r, int tracks) {
    for (;;) {
        size_t start = r->at, left = r->size - start;
        if (left == 0)
            return fail(r, start, "the file ends after %d of %d %s", r->track - 1, tracks,
                        sis_plural((uint64_t)tracks, "track", "tracks"));
        if (left < 8) return fail(r, start, "the file ends in the head of a chunk");
        uint32_t length = big_endian(r->bytes + start + 4, 4);
        if (length > left - 8)
            return fail(r, start + 4, "a chunk of %u bytes, but only %zu %s left", (unsigned)length,
                        left - 8, sis_plural(left - 8, "is", "are"));
        r->at = start + 8;
        r->end = r->at + length;
        if (memcmp(r->bytes + start, "MTrk", 4) == 0) return true;
        r->at = r->end;
    }
}

bool sis_midi_parse(const unsigned char* bytes, size_t size, const char* name, sis_midi_file* file,
                    sis_fault* fault) {
    *file = (sis_midi_file){.division = 0};
    reader r = {.bytes = bytes, .size = size, .name = name, .file = file, .fault = fault};
    int tracks = 0;
    if (!read_header(&r, &tracks)) return false;
    for (r.track = 1; r.track <= tracks; r.track++)
        if (!next_track(&r, tracks) || !read_track(&r)) return false;
    return true;
}
