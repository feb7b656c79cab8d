#include "play_recorder.h"

#include "play_notes.h"
#include "play_ring.h"
#include "play_wave.h"
#include "temporary.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SOUND_SECONDS = 8, // that the disk may be late
    EVENT_BYTES = 1 << 20,
    CHUNK = 4096,        // frames written at a time
    MESSAGE_MOST = 1024, // bytes of a system message
    SYSEX = 0xf0
};

/** A file under its name for the time being. */
typedef struct part {
    char* path;      // as the user wrote it
    char* temporary; // NAME.part.wav
    int descriptor;
} part;

/** What happened, in the ring; `size` bytes follow. */
typedef struct happened {
    uint64_t frame;
    double value;
    int32_t index;
    uint32_t size;
    uint8_t kind; // of sis_live_kind
} happened;

struct play_recorder {
    double rate;
    part sound, notes, knobs;
    SNDFILE* flac; // NULL: a WAV file, or no sound
    play_wave wave;
    play_notes song;
    bool has_knobs;
    play_ring* frames; // of floats, left and right
    play_ring* events;
    atomic_bool ending, ended;
    atomic_ullong taken, lost;
    pthread_t thread;
    bool running;
    pthread_mutex_t lock; // of what follows: disk thread and main thread
    char** names;
    int32_t name_count;
    sis_fault fault;
    bool told;
};

// ---------------------------------------------------------------------------- names of files

static const char* ending_of(const char* path) {
    const char* file = sis_text_file(path);
    const char* dot = strrchr(file, '.');
    return dot ? dot : file + strlen(file);
}

/** The path with another ending; NULL: no memory. */
static char* with_ending(const char* path, const char* ending) {
    size_t stem = (size_t)(ending_of(path) - path), size = stem + strlen(ending) + 1;
    char* whole = malloc(size);
    if (whole) snprintf(whole, size, "%.*s%s", (int)stem, path, ending);
    return whole;
}

static bool open_part(part* p, const char* path, sis_fault* fault) {
    char ending[32];
    snprintf(ending, sizeof ending, ".part%s", ending_of(path));
    p->path = strdup(path);
    p->temporary = p->path ? with_ending(path, ending) : NULL;
    if (!p->temporary) return sis_fault_no_memory(fault);
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot record into '%s': it is no file", path);
    p->descriptor = open(p->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (p->descriptor >= 0) return true;
    if (errno == EEXIST)
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "'%s' is left of a recording that was killed: rename or remove it",
                             p->temporary);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
}

/** Gives it its name, or removes it. */
static bool close_part(part* p, bool keep, sis_fault* fault) {
    bool fine = true;
    if (p->descriptor >= 0) {
        if (keep) fine = fsync(p->descriptor) == 0 || errno == EINVAL || errno == EROFS;
        fine = close(p->descriptor) == 0 && fine;
        fine = (keep ? rename(p->temporary, p->path) : unlink(p->temporary)) == 0 && fine;
    }
    if (!fine)
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", p->path, strerror(errno));
    free(p->path);
    free(p->temporary);
    *p = (part){.descriptor = -1};
    return fine;
}

// ---------------------------------------------------------------------------- sound

static bool is_flac(const char* path) {
    return !strcmp(ending_of(path), ".flac");
}

bool play_recorder_check(const play_record_spec* spec, sis_fault* fault) {
    const char* of = spec->sound ? ending_of(spec->sound) : ".wav";
    if (strcmp(of, ".wav") != 0 && strcmp(of, ".flac") != 0)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "--record writes .wav or .flac, not '%s'",
                             spec->sound);
    of = spec->notes ? ending_of(spec->notes) : ".mid";
    if (strcmp(of, ".mid") != 0)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "--record-notes writes .mid, not '%s'",
                             spec->notes);
    return true;
}

static bool sound_failed(const play_recorder* r, sis_fault* fault) {
    const char* why = errno ? strerror(errno) : sf_strerror(r->flac);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot record into '%s': %s", r->sound.path, why);
}

static bool open_flac(play_recorder* r) {
    SF_INFO info = {.samplerate = (int)round(r->rate),
                    .channels = 2,
                    .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_24};
    r->flac = sf_open_fd(r->sound.descriptor, SFM_WRITE, &info, SF_FALSE);
    if (r->flac) sf_command(r->flac, SFC_SET_CLIPPING, NULL, SF_TRUE);
    return r->flac != NULL;
}

static bool open_sound(play_recorder* r, const char* path, sis_fault* fault) {
    if (!open_part(&r->sound, path, fault)) return false;
    errno = 0;
    if (!(is_flac(path) ? open_flac(r) : play_wave_begin(&r->wave, r->sound.descriptor, r->rate)))
        return sound_failed(r, fault);
    r->frames = play_ring_new((size_t)(SOUND_SECONDS * r->rate) * 2 * sizeof(float));
    return r->frames || sis_fault_no_memory(fault);
}

static bool write_frames(play_recorder* r, const float* frames, size_t count) {
    if (r->flac) return sf_writef_float(r->flac, frames, (sf_count_t)count) == (sf_count_t)count;
    return play_wave_add(&r->wave, frames, count);
}

static bool write_sound(play_recorder* r, bool save, sis_fault* fault) {
    float frames[2 * CHUNK];
    size_t count;
    errno = 0;
    while ((count = play_ring_filled(r->frames) / (2 * sizeof(float)))) {
        if (count > CHUNK) count = CHUNK;
        play_ring_read(r->frames, frames, count * 2 * sizeof(float));
        if (!write_frames(r, frames, count)) return sound_failed(r, fault);
    }
    if (save && !r->flac && !play_wave_save(&r->wave)) return sound_failed(r, fault);
    return true;
}

// ---------------------------------------------------------------------------- notes and knobs

static const char* digits(double value, char text[32]) {
    for (int count = 15; count <= 17; count++) {
        snprintf(text, 32, "%.*g", count, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

static bool write_knob(play_recorder* r, uint64_t frame, int32_t index, double value,
                       sis_fault* fault) {
    char time[32], number[32], line[256];
    if (index < 0 || index >= r->name_count || !r->names[index]) return true;
    int size =
        snprintf(line, sizeof line, "%s%s,%s,%s\n", r->has_knobs ? "" : "time,name,value\n",
                 digits((double)frame / r->rate, time), r->names[index], digits(value, number));
    r->has_knobs = true;
    if (size >= (int)sizeof line) return true; // no knob has such a name
    if (sis_write_all(r->knobs.descriptor, line, (size_t)size)) return true;
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot record into '%s': %s", r->knobs.path,
                         strerror(errno));
}

/** Panic, in the words of MIDI. */
static bool write_panic(play_recorder* r, uint64_t frame, sis_fault* fault) {
    for (int channel = 0; channel < 16; channel++) {
        uint8_t off[3] = {(uint8_t)(0xb0 + channel), 120, 0}, reset[3] = {off[0], 121, 0};
        if (!play_notes_add(&r->song, frame, off, 3, fault) ||
            !play_notes_add(&r->song, frame, reset, 3, fault))
            return false;
    }
    return true;
}

static bool write_event(play_recorder* r, const happened* h, const uint8_t* bytes,
                        sis_fault* fault) {
    if (h->kind == SIS_LIVE_KNOB) return write_knob(r, h->frame, h->index, h->value, fault);
    if (h->kind == SIS_LIVE_PANIC) return write_panic(r, h->frame, fault);
    return play_notes_add(&r->song, h->frame, bytes, h->size, fault);
}

static bool write_events(play_recorder* r, sis_fault* fault) {
    happened h;
    uint8_t bytes[MESSAGE_MOST];
    while (play_ring_read(r->events, &h, sizeof h)) {
        play_ring_read(r->events, bytes, h.size);
        if (!write_event(r, &h, bytes, fault)) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------- the disk thread

/** Everything that waits; `save`: files are complete afterwards. */
static bool write_all(play_recorder* r, bool save, sis_fault* fault) {
    uint64_t now = atomic_load(&r->taken);
    bool fine =
        (!r->frames || write_sound(r, save, fault)) && (!r->events || write_events(r, fault));
    return fine && (!save || !r->events || play_notes_save(&r->song, now, fault));
}

/** What could be written of a recording that failed is a sound and a song too: its first bytes say
 * how much there is. */
static void keep_what_is_written(play_recorder* r) {
    sis_fault ignored;
    if (r->frames && !r->flac) play_wave_end(&r->wave);
    if (!r->events) return;
    bool fine =
        write_events(r, &ignored) && play_notes_save(&r->song, atomic_load(&r->taken), &ignored);
    if (!fine) play_notes_end(&r->song);
}

static void* write_on(void* self) {
    play_recorder* r = self;
    bool fine = true;
    for (int turn = 1; !atomic_load(&r->ending); turn++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        sis_fault fault;
        pthread_mutex_lock(&r->lock);
        if (fine && !write_all(r, turn % 100 == 0, &fault)) {
            fine = false;
            r->fault = fault;
            atomic_store(&r->ended, true);
        }
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

static void free_recorder(play_recorder* r) {
    for (int32_t i = 0; i < r->name_count; i++)
        free(r->names[i]);
    free(r->names);
    play_ring_free(r->frames);
    play_ring_free(r->events);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static bool open_files(play_recorder* r, const play_record_spec* spec, sis_fault* fault) {
    if (spec->sound && !open_sound(r, spec->sound, fault)) return false;
    if (!spec->notes) return true;
    char* knobs = with_ending(spec->notes, ".csv");
    bool fine = (knobs || sis_fault_no_memory(fault)) && open_part(&r->notes, spec->notes, fault) &&
                open_part(&r->knobs, knobs, fault) &&
                play_notes_begin(&r->song, r->notes.descriptor, r->rate, fault);
    free(knobs);
    if (!fine) return false;
    r->events = play_ring_new(EVENT_BYTES);
    return r->events || sis_fault_no_memory(fault);
}

static bool close_files(play_recorder* r, bool keep, sis_fault* fault) {
    errno = 0;
    if (r->flac && sf_close(r->flac) != 0) keep = sound_failed(r, fault);
    bool fine = close_part(&r->sound, keep, fault);
    fine = close_part(&r->notes, keep, fault) && fine;
    return close_part(&r->knobs, keep && r->has_knobs, fault) && fine && keep;
}

play_recorder* play_recorder_open(const play_record_spec* spec, sis_fault* fault) {
    play_recorder* r = calloc(1, sizeof *r);
    if (!r) {
        sis_fault_no_memory(fault);
        return NULL;
    }
    r->rate = spec->rate;
    r->sound.descriptor = r->notes.descriptor = r->knobs.descriptor = -1;
    pthread_mutex_init(&r->lock, NULL);
    bool fine = open_files(r, spec, fault);
    r->running = fine && pthread_create(&r->thread, NULL, write_on, r) == 0;
    if (r->running) return r;
    if (fine) sis_fault_set(fault, SIS_FAULT_RUN, "cannot start a thread that records");
    close_files(r, false, NULL);
    free_recorder(r);
    return NULL;
}

bool play_recorder_close(play_recorder* r, sis_fault* fault) {
    if (!r) return true;
    atomic_store(&r->ending, true);
    pthread_join(r->thread, NULL);
    bool fine = r->fault.kind == SIS_FAULT_NONE;
    if (!fine) *fault = r->fault;
    fine = fine && write_all(r, true, fault);
    sis_fault later;
    if (!fine) keep_what_is_written(r);
    bool closed = close_files(r, true, fine ? fault : &later);
    free_recorder(r);
    return fine && closed;
}

// ---------------------------------------------------------------------------- the audio thread

static void pause_briefly(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static bool has_room(play_recorder* r, play_ring* ring, size_t size, bool patient) {
    while (patient && play_ring_room(ring) < size && !atomic_load(&r->ended))
        pause_briefly();
    return play_ring_room(ring) >= size;
}

static void take_sound(play_recorder* r, const sis_live_block* block, bool patient) {
    float pairs[2 * 256];
    if (!block->out[0] || !block->out[1]) return;
    for (int32_t from = 0; from < block->frames; from += 256) {
        int32_t count = block->frames - from < 256 ? block->frames - from : 256;
        size_t size = (size_t)count * 2 * sizeof(float);
        for (int32_t i = 0; i < count; i++) {
            pairs[2 * i] = block->out[0][from + i];
            pairs[2 * i + 1] = block->out[1][from + i];
        }
        if (!has_room(r, r->frames, size, patient) || !play_ring_write(r->frames, pairs, size))
            atomic_fetch_add(&r->lost, (unsigned long long)count);
    }
}

static void take_event(play_recorder* r, const sis_live_event* event, uint64_t frame,
                       bool patient) {
    happened h = {
        .frame = frame, .value = event->value, .index = event->index, .kind = event->kind};
    const uint8_t* bytes = event->bytes;
    if (event->kind == SIS_LIVE_MIDI) {
        bool two = (event->bytes[0] & 0xe0) == 0xc0; // program and channel pressure
        h.size = two ? 2 : 3;
    } else if (event->kind == SIS_LIVE_SYSEX) {
        h.size = event->size <= MESSAGE_MOST ? (uint32_t)event->size : 0;
        bytes = event->data;
        if (!h.size || *bytes != SYSEX) return;
    }
    uint8_t whole[sizeof h + MESSAGE_MOST];
    memcpy(whole, &h, sizeof h);
    if (h.size) memcpy(whole + sizeof h, bytes, h.size);
    if (has_room(r, r->events, sizeof h + h.size, patient))
        play_ring_write(r->events, whole, sizeof h + h.size);
}

void play_recorder_take(play_recorder* r, const sis_live_block* block, uint64_t frame,
                        bool patient) {
    if (atomic_load(&r->ended)) return;
    for (int32_t i = 0; r->events && i < block->event_count; i++)
        take_event(r, &block->events[i], frame + (uint64_t)block->events[i].frame, patient);
    if (r->frames) take_sound(r, block, patient);
    atomic_store(&r->taken, frame + (uint64_t)block->frames);
}

// ---------------------------------------------------------------------------- the main thread

bool play_recorder_names(play_recorder* r, const sis_live* live) {
    int32_t count = sis_live_knob_count(live);
    char** names = calloc((size_t)count + 1, sizeof *names);
    for (int32_t i = 0; names && i < count; i++)
        names[i] = strdup(sis_live_knob_at(live, i).name);
    if (!names) return false;
    pthread_mutex_lock(&r->lock);
    char** before = r->names;
    int32_t before_count = r->name_count;
    r->names = names;
    r->name_count = count;
    pthread_mutex_unlock(&r->lock);
    for (int32_t i = 0; i < before_count; i++)
        free(before[i]);
    free(before);
    return true;
}

void play_recorder_knob(play_recorder* r, uint64_t frame, int32_t index, double value) {
    sis_fault fault;
    if (!r->events) return;
    pthread_mutex_lock(&r->lock);
    // What the audio thread told before comes first.
    if (r->fault.kind == SIS_FAULT_NONE &&
        !(write_events(r, &fault) && write_knob(r, frame, index, value, &fault)))
        r->fault = fault;
    pthread_mutex_unlock(&r->lock);
}

void play_recorder_end(play_recorder* r) {
    atomic_store(&r->ended, true);
}

bool play_recorder_has_ended(const play_recorder* r) {
    return atomic_load(&r->ended);
}

double play_recorder_seconds(const play_recorder* r) {
    return (double)atomic_load(&r->taken) / r->rate;
}

uint64_t play_recorder_lost(const play_recorder* r) {
    return atomic_load(&r->lost);
}

const char* play_recorder_trouble(play_recorder* r, char* text, size_t room) {
    *text = 0;
    pthread_mutex_lock(&r->lock);
    if (r->fault.kind != SIS_FAULT_NONE && !r->told) {
        snprintf(text, room, "%s", r->fault.text);
        r->told = true;
    }
    pthread_mutex_unlock(&r->lock);
    return text;
}
