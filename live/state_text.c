// What a host saves: lines of words, then the text of the scene.
//
//   sistrum-live 1
//   version 0.14.0
//   name tanpura.lua
//   knob buzz 3fe0000000000000 0.5     the bits of the number, and the number for a reader
//   input thread 3f1a36e2eb1c432d 1e-4
//   tune 69 407b800000000000           of keys that are not equal tempered at 440 Hz
//   scene 1234
//   ...1234 bytes...
//
// Numbers are their bits: whatever locale a host has set, they come back as they were.
#include "inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// ---------------------------------------------------------------------------- saving

typedef struct writer {
    char* text;
    size_t size, room;
    bool failed;
} writer;

static void put(writer* w, const char* bytes, size_t size) {
    if (w->failed) return;
    if (w->size + size + 1 > w->room) {
        size_t room = 2 * (w->size + size) + 256;
        char* more = realloc(w->text, room);
        w->failed = !more;
        if (!more) return;
        w->text = more;
        w->room = room;
    }
    memcpy(w->text + w->size, bytes, size);
    w->size += size;
    w->text[w->size] = '\0';
}

static void put_knobs(writer* w, const sis_live* live) {
    char line[256];
    for (int32_t i = 0; i < sis_live_knob_count(live); i++) {
        sis_live_knob knob = sis_live_knob_at(live, i);
        if (knob.trigger) continue;
        int size =
            snprintf(line, sizeof line, "%s %.120s %016" PRIx64 " %g\n",
                     knob.input ? "input" : "knob", knob.name, bits_of(knob.value), knob.value);
        put(w, line, (size_t)size);
    }
}

static void put_tuning(writer* w, const sis_live* live) {
    sis_tuning equal = sis_tuning_equal(440);
    char line[64];
    const sis_tuning now = sis_live_tuning(live);
    for (int key = 0; key < SIS_KEYS; key++) {
        if (now.hz[key] == equal.hz[key]) continue;
        int size =
            snprintf(line, sizeof line, "tune %d %016" PRIx64 "\n", key, bits_of(now.hz[key]));
        put(w, line, (size_t)size);
    }
}

// So that it is as loud as it was, wherever it is opened.
static void put_peak(writer* w, const sis_live* live) {
    char line[64];
    double peak = sis_live_peak(live);
    if (live->options.peak == 1 || !(peak > 0)) return; // probes as they are
    int size = snprintf(line, sizeof line, "peak %016" PRIx64 " %g\n", bits_of(peak), peak);
    put(w, line, (size_t)size);
}

char* sis_live_save(const sis_live* live, size_t* size) {
    const sis_program* p = live->shown;
    writer w = {.text = NULL};
    char line[600], name[512];
    if (size) *size = 0;
    if (!p) return NULL;
    sis_clean(p->name, name, sizeof name);
    int length = snprintf(line, sizeof line, "sistrum-live %d\nversion %s\nname %s\n",
                          SIS_LIVE_FORMAT, SIS_VERSION, name);
    put(&w, line, (size_t)length);
    put_peak(&w, live);
    put_knobs(&w, live);
    put_tuning(&w, live);
    length = snprintf(line, sizeof line, "scene %zu\n", p->recipe.size);
    put(&w, line, (size_t)length);
    put(&w, p->text, p->recipe.size);
    if (w.failed) {
        free(w.text);
        return NULL;
    }
    if (size) *size = w.size;
    return w.text;
}

// ---------------------------------------------------------------------------- restoring

typedef struct reader {
    const char *at, *end;
    char line[700];
    char name[512];
    sis_live_setting knobs[SIS_KNOBS_MOST], params[SIS_KNOBS_MOST];
    char names[SIS_KNOBS_MOST][128];
    int32_t count, param_count;
    sis_tuning tuning;
    double peak; // 0: not saved
    const char* scene;
    size_t scene_size;
} reader;

// The next line; false: there is none, or it is too long.
static bool next_line(reader* r) {
    const char* stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (!stop || (size_t)(stop - r->at) >= sizeof r->line) return false;
    memcpy(r->line, r->at, (size_t)(stop - r->at));
    r->line[stop - r->at] = '\0';
    r->at = stop + 1;
    return true;
}

static bool malformed(sis_live_error* error, const char* what) {
    return sis_live_fail(error, SIS_LIVE_DAMAGED, "the saved instrument is damaged: %s", what);
}

// The name may have blanks; what follows it has none. Params are settings of the scene; inputs are
// where a hand has put them, which is not where the scene has them.
static bool read_knob(reader* r, bool input) {
    uint64_t bits = 0;
    if (r->count == SIS_KNOBS_MOST) return true;
    char *number = strrchr(r->line, ' '), *name = strchr(r->line, ' ') + 1;
    if (number) *number = '\0';
    char* digits = strrchr(r->line, ' ');
    if (!number || !digits || digits <= name || sscanf(digits, "%16" SCNx64, &bits) != 1)
        return false;
    snprintf(r->names[r->count], sizeof *r->names, "%.*s", (int)(digits - name), name);
    sis_live_setting knob = {r->names[r->count], from_bits(bits)};
    r->knobs[r->count++] = knob;
    if (!input) r->params[r->param_count++] = knob;
    return isfinite(from_bits(bits));
}

static bool read_tune(reader* r) {
    uint64_t bits = 0;
    int key = -1;
    if (sscanf(r->line, "tune %d %16" SCNx64, &key, &bits) != 2 || key < 0 || key > 127)
        return false;
    double hz = from_bits(bits);
    r->tuning.hz[key] = hz;
    return isnan(hz) || (hz > 0 && hz < 1e6);
}

static bool read_peak(reader* r) {
    uint64_t bits = 0;
    if (sscanf(r->line, "peak %16" SCNx64, &bits) != 1) return false;
    r->peak = from_bits(bits);
    return r->peak > 0 && isfinite(r->peak);
}

// True: the line is understood; *done: the scene has come. Words of later versions are passed over.
static bool read_line(reader* r, bool* done) {
    size_t size = 0;
    if (!strncmp(r->line, "knob ", 5)) return read_knob(r, false);
    if (!strncmp(r->line, "input ", 6)) return read_knob(r, true);
    if (!strncmp(r->line, "tune ", 5)) return read_tune(r);
    if (!strncmp(r->line, "peak ", 5)) return read_peak(r);
    if (!strncmp(r->line, "name ", 5)) snprintf(r->name, sizeof r->name, "%.500s", r->line + 5);
    if (strncmp(r->line, "scene ", 6) != 0) return true;
    if (sscanf(r->line, "scene %zu", &size) != 1 || size > (size_t)(r->end - r->at)) return false;
    r->scene = r->at;
    r->scene_size = size;
    *done = true;
    return true;
}

static bool read_all(reader* r, sis_live_error* error) {
    int format = 0;
    bool done = false;
    if (!next_line(r) || sscanf(r->line, "sistrum-live %d", &format) != 1 || format < 1)
        return sis_live_fail(error, SIS_LIVE_DAMAGED, "this is not an instrument saved by Sistrum");
    if (format > SIS_LIVE_FORMAT)
        return sis_live_fail(error, SIS_LIVE_NEWER,
                             "the instrument was saved by a newer Sistrum (format %d; this is "
                             "%s, which reads up to %d): install that one",
                             format, SIS_VERSION, SIS_LIVE_FORMAT);
    while (!done) {
        if (!next_line(r)) return malformed(error, "it has no scene");
        if (!read_line(r, &done)) return malformed(error, r->line);
    }
    return true;
}

// Of knobs that the scene still has; a value that it no longer allows is held to its range.
static void turn_knobs(sis_live* live, const reader* r) {
    for (int32_t i = 0; i < r->count; i++)
        sis_live_knob_set(live, sis_live_knob_find(live, r->knobs[i].name), r->knobs[i].value);
}

bool sis_live_restore(sis_live* live, const char* text, size_t size, sis_live_error* error) {
    reader* r = calloc(1, sizeof *r);
    if (!r) return sis_live_no_memory(error);
    r->at = text;
    r->end = text + size;
    r->tuning = sis_tuning_equal(440);
    bool fine = read_all(r, error);
    const sis_tuning before = sis_live_tuning(live);
    bool retuned = fine;
    if (fine) sis_live_tune(live, r->tuning.hz);
    // With its params at once; where one is refused by now, the scene as it is and then knob by knob.
    fine =
        fine && (sis_live_load_as(live, r->scene, r->scene_size, r->name, r->params, r->param_count,
                                  r->peak, NULL) ||
                 sis_live_load_as(live, r->scene, r->scene_size, r->name, NULL, 0, r->peak, error));
    if (fine) turn_knobs(live, r);
    if (!fine && retuned) sis_live_tune(live, before.hz); // what plays on is in tune
    free(r);
    return fine;
}
