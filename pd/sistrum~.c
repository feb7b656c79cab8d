// sistrum~: a scene as an object of Pure Data.
//
//   [sistrum~ SCENE [-signals NAME ...] [-probes NAME ...] [-raw] [-offline] [KNOB VALUE ...]]
//
//   inlets   1, 2: sound from outside, for scenes that take it; messages at the first
//            3 and after: a signal for each input that -signals names
//   outlets  1, 2: sound; then a signal for each probe that -probes names
//            the last: what it says: opened, error, status, knob, preset, probe
//
// Messages and the signal loop of Pd run in one thread, so what live.h calls [main] and [audio] is
// that thread; scenes and notes are compiled by threads of the live library. Messages act at their
// very sample: Pd handles all messages of a block before it asks for the sound of it.
#include <m_pd.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pd_events.h"
#include "pd_find.h"
#include "scene_file.h"
#include "sistrum/live.h"

enum {
    SIGNALS_MOST = 16,
    PROBES_MOST = 64,
    POLL_MS = 5,      // between two looks whether a scene is ready
    SIGNAL_STEP = 16, // frames from one value of an input to the next
    SETTINGS_MOST = 64,
    PATH_ROOM = 4096,
};

typedef struct sistrum_tilde {
    t_object object;
    t_float unused; // of the main signal inlet
    t_canvas* canvas;
    t_outlet* info;
    sis_live* live;
    sis_live_options options;
    pd_events events; // of the coming block, as messages give them
    sis_live_event merged[PD_EVENTS_MOST + SIGNALS_MOST * 64];
    int block; // frames of it
    // inputs that follow signals
    t_symbol* names[SIGNALS_MOST];
    int32_t knobs[SIGNALS_MOST]; // -1: the scene has none of that name
    double values[SIGNALS_MOST]; // last given
    int signal_count;
    // probes that are heard by themselves
    t_symbol* probes[PROBES_MOST];
    int32_t places[PROBES_MOST]; // among those of the scene; -1: it has none of that name
    int probe_count;
    // sound: in 0, 1, the signals, out 0, 1, the probes
    t_sample* pd[2 + SIGNALS_MOST + 2 + PROBES_MOST];
    float* sound;             // [4 + probe_count][block]
    float* rows[PROBES_MOST]; // where the scene's probes go; NULL: nowhere
    // a scene on its way
    t_clock* poll;
    char opening[PATH_ROOM]; // as it was named
    bool offline, raw;
    bool fits; // the scene plays at the rate of Pd
    uint32_t failures;
} sistrum_tilde;

static t_class* sistrum_class;

static const char TOO_MANY[] = "more than 1024 messages in one block: the others are left out";

// ---------------------------------------------------------------------------- what it says

/** A box that is being made has no outlets yet. */
static void tell(sistrum_tilde* x, const char* what, const char* text) {
    t_atom atom;
    if (!x->info) return;
    SETSYMBOL(&atom, gensym(text));
    outlet_anything(x->info, gensym(what), 1, &atom);
}

static void complain(sistrum_tilde* x, const char* text) {
    pd_error(x, "sistrum~: %s", text);
    tell(x, "error", text);
}

static void tell_number(sistrum_tilde* x, const char* what, double value) {
    t_atom atom;
    SETFLOAT(&atom, (t_float)value);
    outlet_anything(x->info, gensym(what), 1, &atom);
}

/** All atoms with a blank between them: names may hold blanks. */
static void join(int argc, const t_atom* argv, char* text, size_t size) {
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < argc && used + 2 < size; i++) {
        if (i) text[used++] = ' ';
        atom_string(&argv[i], text + used, (unsigned)(size - used));
        used += strlen(text + used);
    }
    for (char* c = text; *c; c++) // atom_string puts a backslash before blanks and commas
        if (*c == '\\' && c[1]) memmove(c, c + 1, strlen(c));
}

// ---------------------------------------------------------------------------- scenes and knobs

static void find_signals(sistrum_tilde* x) {
    for (int i = 0; i < x->signal_count; i++) {
        x->knobs[i] = sis_live_knob_find(x->live, x->names[i]->s_name);
        x->values[i] = (double)NAN;
        bool moves = x->knobs[i] >= 0 && sis_live_knob_at(x->live, x->knobs[i]).input;
        if (moves) continue;
        char text[300];
        snprintf(text, sizeof text, "-signals %.100s: the scene has no input of that name",
                 x->names[i]->s_name);
        x->knobs[i] = -1;
        complain(x, text);
    }
}

/** The place of a probe: by its name, or by its number from 1 on. */
static int32_t place_of(const sis_live* live, const char* name) {
    int32_t place = sis_live_probe_find(live, name);
    char* end = NULL;
    long number = strtol(name, &end, 10);
    bool counted = place < 0 && *name && !*end;
    return counted && number >= 1 && number <= sis_live_probe_count(live) ? (int32_t)number - 1
                                                                          : place;
}

/** Which row of the next blocks is which probe of the scene. */
static void aim_probes(sistrum_tilde* x) {
    for (int i = 0; i < PROBES_MOST; i++)
        x->rows[i] = NULL;
    for (int i = 0; x->sound && i < x->probe_count; i++)
        if (x->places[i] >= 0) x->rows[x->places[i]] = x->sound + (4 + i) * x->block;
}

static void find_probes(sistrum_tilde* x) {
    for (int i = 0; i < x->probe_count; i++) {
        char text[300];
        x->places[i] = place_of(x->live, x->probes[i]->s_name);
        if (x->places[i] >= 0) continue;
        snprintf(text, sizeof text,
                 "-probes %.100s: the scene has no probe of that name; the message probes lists "
                 "them",
                 x->probes[i]->s_name);
        complain(x, text);
    }
    aim_probes(x);
}

/** At the rate of Pd, or silent: any other would be out of tune. */
static void fit(sistrum_tilde* x) {
    sis_live_error error = {.text = ""};
    x->fits = x->live && sis_live_set_rate(x->live, x->options.rate, x->options.frames_max, &error);
    if (x->live && !x->fits) complain(x, error.text);
}

static void is_open(sistrum_tilde* x, const char* name) {
    if (!x->fits) fit(x);
    find_signals(x);
    find_probes(x);
    tell(x, "opened", name);
}

/** Looks whether the scene is ready, and looks again if it is not. */
static void sistrum_poll(sistrum_tilde* x) {
    sis_live_error error = {.text = ""};
    sis_live_progress now = sis_live_load_poll(x->live, &error);
    if (now == SIS_LIVE_LOADING) clock_delay(x->poll, POLL_MS);
    if (now == SIS_LIVE_LOADED) is_open(x, x->opening);
    if (now == SIS_LIVE_REFUSED) complain(x, error.text);
}

/** Waits for the scene where the box is made or time does not count; else Pd goes on. */
static void take_scene(sistrum_tilde* x, const char* name, const char* scene, size_t size,
                       const char* path, const sis_live_setting* settings, int32_t count) {
    sis_live_error error = {.text = ""};
    bool waits = x->offline || !x->info;
    bool fine = waits ? sis_live_load(x->live, scene, size, path, settings, count, &error)
                      : sis_live_load_start(x->live, scene, size, path, settings, count, &error);
    if (!fine) {
        complain(x, error.text);
    } else if (waits) {
        is_open(x, name);
    } else {
        snprintf(x->opening, sizeof x->opening, "%s", name);
        clock_delay(x->poll, POLL_MS);
    }
}

static void open_scene(sistrum_tilde* x, const char* name, const sis_live_setting* settings,
                       int32_t count) {
    char path[PATH_ROOM], why[256], text[1024];
    if (!pd_find_scene(x->canvas, class_gethelpdir(sistrum_class), name, path, sizeof path)) {
        snprintf(text, sizeof text,
                 "there is no scene '%.200s': neither beside the patch, nor where Pd looks, nor "
                 "installed; SISTRUM_SCENES may name a folder",
                 name);
        complain(x, text);
        return;
    }
    size_t size = 0;
    char* scene = sis_file_read(path, &size, why, sizeof why);
    if (!scene) {
        snprintf(text, sizeof text, "cannot read the scene '%.300s': %s", path, why);
        complain(x, text);
        return;
    }
    take_scene(x, name, scene, size, path, settings, count);
    free(scene);
}

static void sistrum_open(sistrum_tilde* x, t_symbol* s, int argc, t_atom* argv) {
    (void)s;
    char name[PATH_ROOM];
    join(argc, argv, name, sizeof name);
    if (x->live && *name) open_scene(x, name, NULL, 0);
}

static void add_event(sistrum_tilde* x, sis_live_event event);

static void turn(sistrum_tilde* x, const char* name, double value) {
    int32_t i = sis_live_knob_find(x->live, name);
    char text[300];
    if (i >= 0 && isfinite(value)) {
        add_event(x,
                  (sis_live_event){.kind = SIS_LIVE_KNOB, .index = i, .value = value, .note = -1});
        return;
    }
    snprintf(text, sizeof text, i < 0 ? "the scene has no knob '%.200s'" : "%.200s: no number",
             name);
    complain(x, text);
}

/** knob NAME VALUE; names may hold blanks. */
static void sistrum_knob(sistrum_tilde* x, t_symbol* s, int argc, t_atom* argv) {
    (void)s;
    char name[256];
    if (!x->live || argc < 2 || argv[argc - 1].a_type != A_FLOAT) {
        complain(x, "knob needs a name and a number: knob K 1e7");
        return;
    }
    join(argc - 1, argv, name, sizeof name);
    turn(x, name, (double)atom_getfloat(&argv[argc - 1]));
}

/** NAME VALUE, which is as good as knob NAME VALUE. */
static void sistrum_anything(sistrum_tilde* x, t_symbol* s, int argc, t_atom* argv) {
    char text[300];
    if (x->live && argc == 1 && argv->a_type == A_FLOAT &&
        sis_live_knob_find(x->live, s->s_name) >= 0) {
        turn(x, s->s_name, (double)atom_getfloat(argv));
        return;
    }
    snprintf(text, sizeof text,
             "'%.200s' is neither a message that it knows nor a knob of the scene", s->s_name);
    complain(x, text);
}

static void sistrum_preset(sistrum_tilde* x, t_symbol* s, int argc, t_atom* argv) {
    (void)s;
    char name[256], text[400];
    join(argc, argv, name, sizeof name);
    for (int32_t i = 0; x->live && i < sis_live_preset_count(x->live); i++) {
        if (strcmp(sis_live_preset_name(x->live, i), name) != 0) continue;
        sis_live_preset_take(x->live, i);
        return;
    }
    snprintf(text, sizeof text, "the scene has no preset '%.200s'; the message presets lists them",
             name);
    complain(x, text);
}

static void sistrum_presets(sistrum_tilde* x) {
    for (int32_t i = 0; x->live && i < sis_live_preset_count(x->live); i++)
        tell(x, "preset", sis_live_preset_name(x->live, i));
}

/** Its probes as lists: probe NAME OBJECT UNIT. */
static void sistrum_probes(sistrum_tilde* x) {
    for (int32_t i = 0; x->live && i < sis_live_probe_count(x->live); i++) {
        sis_live_probe probe = sis_live_probe_at(x->live, i);
        t_atom atoms[3];
        SETSYMBOL(&atoms[0], gensym(probe.name));
        SETSYMBOL(&atoms[1], gensym(probe.on));
        SETSYMBOL(&atoms[2], gensym(probe.unit));
        outlet_anything(x->info, gensym("probe"), 3, atoms);
    }
}

/** Its knobs as lists: knob NAME VALUE MIN MAX. */
static void sistrum_knobs(sistrum_tilde* x) {
    for (int32_t i = 0; x->live && i < sis_live_knob_count(x->live); i++) {
        sis_live_knob knob = sis_live_knob_at(x->live, i);
        t_atom atoms[4];
        SETSYMBOL(&atoms[0], gensym(knob.name));
        SETFLOAT(&atoms[1], (t_float)knob.value);
        SETFLOAT(&atoms[2], (t_float)knob.min);
        SETFLOAT(&atoms[3], (t_float)knob.max);
        outlet_anything(x->info, gensym("knob"), 4, atoms);
    }
}

static void sistrum_status(sistrum_tilde* x) {
    sis_live_status status;
    if (!x->live) return;
    sis_live_status_read(x->live, &status);
    tell_number(x, "voices", status.voices);
    tell_number(x, "keys", status.keys);
    tell_number(x, "waiting", status.waiting);
    tell_number(x, "touching", status.touching);
    tell_number(x, "load", status.load);
    tell_number(x, "limited", status.limited);
    tell_number(x, "peak-left", status.peak[0]);
    tell_number(x, "peak-right", status.peak[1]);
    tell_number(x, "stolen", (double)(status.stolen + status.guarded));
    tell_number(x, "late", (double)status.late);
    tell_number(x, "latency", sis_live_latency(x->live));
    char text[1024];
    uint32_t failures = sis_live_trouble(x->live, text, sizeof text);
    if (failures != x->failures && *text) complain(x, text);
    x->failures = failures;
}

// ---------------------------------------------------------------------------- events

static void add_event(sistrum_tilde* x, sis_live_event event) {
    if (x->live && !pd_events_add(&x->events, event)) complain(x, TOO_MANY);
}

/** note KEY VELOCITY [CHANNEL], as of MIDI: keys 0 to 127, velocity 0 ends the note. */
static bool all_numbers(int argc, const t_atom* argv) {
    for (int i = 0; i < argc; i++)
        if (argv[i].a_type != A_FLOAT) return false;
    return true;
}

static void sistrum_note(sistrum_tilde* x, t_symbol* s, int argc, t_atom* argv) {
    (void)s;
    double key = (double)atom_getfloatarg(0, argc, argv);
    double velocity = (double)atom_getfloatarg(1, argc, argv);
    double channel = argc > 2 ? (double)atom_getfloatarg(2, argc, argv) : 1; // 17: of a second port
    bool sane = key >= 0 && key <= 127 && channel >= 1 && channel <= 1024;
    if (argc < 2 || !all_numbers(argc, argv) || !sane) {
        complain(x, "note needs a key 0 to 127, a velocity 0 to 127, and may have a channel from 1 "
                    "on: note 60 100");
        return;
    }
    velocity = fmin(fmax(velocity, 0), 127);
    uint8_t on = (uint8_t)(0x90 | (((int)channel - 1) & 15));
    add_event(x, (sis_live_event){.kind = SIS_LIVE_MIDI,
                                  .bytes = {on, (uint8_t)key, (uint8_t)velocity},
                                  .note = -1});
}

/** midi BYTE ...: whole messages or parts of them, as [midiin] gives them. */
static void sistrum_midi(sistrum_tilde* x, t_symbol* s, int argc, t_atom* argv) {
    (void)s;
    for (int i = 0; i < argc; i++) {
        double value = (double)atom_getfloatarg(i, argc, argv);
        if (all_numbers(1, argv + i) && value >= 0 && value <= 255) continue;
        complain(x, "midi needs bytes, 0 to 255: midi 144 60 100");
        return; // of a message that is torn no byte is taken
    }
    for (int i = 0; i < argc; i++)
        if (x->live && !pd_events_byte(&x->events, (uint8_t)atom_getfloatarg(i, argc, argv)))
            complain(x, TOO_MANY);
}

static void sistrum_panic(sistrum_tilde* x) {
    if (x->live) sis_live_panic(x->live);
}

static void sistrum_gain(sistrum_tilde* x, t_floatarg gain) {
    if (x->live && isfinite(gain)) sis_live_gain(x->live, (double)gain);
}

static void sistrum_offline(sistrum_tilde* x, t_floatarg on) {
    x->offline = on != 0;
    if (x->live) sis_live_offline(x->live, x->offline);
}

// ---------------------------------------------------------------------------- sound

/** Values of the signals that are given to inputs, every SIGNAL_STEP frames where they change. */
static int signal_events(sistrum_tilde* x, int n, int frame, sis_live_event* events) {
    int count = 0;
    for (int i = 0; i < x->signal_count && frame < n; i++) {
        double value = x->knobs[i] >= 0 ? (double)x->pd[2 + i][frame] : (double)NAN;
        if (!isfinite(value) || value == x->values[i]) continue;
        x->values[i] = value;
        events[count++] = (sis_live_event){.kind = SIS_LIVE_KNOB,
                                           .frame = frame,
                                           .index = x->knobs[i],
                                           .value = value,
                                           .note = -1};
    }
    return count;
}

/** Messages and signals in the order of their frames. */
static int merge(sistrum_tilde* x, int n) {
    const int most = (int)(sizeof x->merged / sizeof *x->merged);
    int count = 0, next = 0, step = SIGNAL_STEP;
    while (n / step > 60) // long blocks have longer steps
        step *= 2;
    for (int frame = 0; frame < n; frame += step) {
        if (count + SIGNALS_MOST < most && x->signal_count)
            count += signal_events(x, n, frame, x->merged + count);
        while (next < x->events.count && x->events.list[next].frame < frame + step && count < most)
            x->merged[count++] = x->events.list[next++];
    }
    return count;
}

/** What the i-th outlet of -probes has; two may name the same one. NULL: nothing. */
static const float* row_of(const sistrum_tilde* x, int i) {
    return x->places[i] >= 0 ? x->rows[x->places[i]] : NULL;
}

static t_int* sistrum_perform(t_int* w) {
    sistrum_tilde* x = (sistrum_tilde*)w[1];
    int n = (int)w[2];
    t_sample **pd = x->pd, **out = &x->pd[2 + x->signal_count];
    float* sound = x->sound;
    x->events.tick = clock_getlogicaltime(); // what is sent from now on is of the next block
    if (x->fits && sound && n <= x->block) {
        for (int i = 0; i < n; i++) {
            sound[i] = (float)pd[0][i];
            sound[x->block + i] = (float)pd[1][i];
        }
        sis_live_block block = {.frames = n,
                                .out = {sound + 2 * x->block, sound + 3 * x->block},
                                .in = {sound, sound + x->block},
                                .events = x->merged,
                                .event_count = merge(x, n),
                                .probes = x->probe_count ? x->rows : NULL,
                                .probe_count = PROBES_MOST};
        sis_live_run(x->live, &block);
    }
    pd_events_played(&x->events);
    for (int c = 0; c < 2 + x->probe_count; c++) {
        const float* row = !sound ? NULL : c < 2 ? sound + (2 + c) * x->block : row_of(x, c - 2);
        for (int i = 0; i < n; i++)
            out[c][i] = x->fits && sound && row ? (t_sample)row[i] : (t_sample)0;
    }
    return w + 3;
}

/** Called when the sound of Pd is switched on or its graph changes. */
static void sistrum_dsp(sistrum_tilde* x, t_signal** signals) {
    int n = signals[0]->s_n;
    x->options.rate = (double)signals[0]->s_sr;
    x->events.step = (double)sys_getsr() / x->options.rate;
    fit(x);
    if (n != x->block || !x->sound) {
        float* sound = calloc((4 + (size_t)x->probe_count) * (size_t)n, sizeof *sound);
        free(x->sound);
        x->sound = sound;
    }
    x->block = x->events.block = n;
    aim_probes(x);
    x->events.tick = clock_getlogicaltime();
    for (int i = 0; i < 4 + x->signal_count + x->probe_count; i++)
        x->pd[i] = signals[i]->s_vec;
    dsp_add(sistrum_perform, 2, x, (t_int)n);
}

// ---------------------------------------------------------------------------- making and freeing

/** What stands in the box after the name of the scene. */
typedef struct box {
    char scene[PATH_ROOM];
    char names[SETTINGS_MOST][256];
    sis_live_setting settings[SETTINGS_MOST];
    int32_t count;
} box;

static bool is_word(const t_atom* atom, const char* word) {
    return atom->a_type == A_SYMBOL && (!word || !strcmp(atom->a_w.w_symbol->s_name, word));
}

/** A name in the list of -signals or -probes; false: there is no room. */
static bool list_name(sistrum_tilde* x, const t_atom* atom, const t_symbol* list) {
    char text[256];
    join(1, atom, text, sizeof text);
    if (!strcmp(list->s_name, "-probes") && x->probe_count < PROBES_MOST) {
        x->places[x->probe_count] = -1;
        x->probes[x->probe_count++] = gensym(text);
        return true;
    }
    if (strcmp(list->s_name, "-signals") != 0 || x->signal_count == SIGNALS_MOST) return false;
    x->knobs[x->signal_count] = -1;
    x->names[x->signal_count++] = gensym(text);
    return true;
}

static void read_box(sistrum_tilde* x, int argc, t_atom* argv, box* b) {
    const t_symbol* list = NULL;
    *b->scene = '\0';
    b->count = 0;
    for (int i = 0; i < argc; i++) {
        bool pair = is_word(&argv[i], NULL) && i + 1 < argc && argv[i + 1].a_type == A_FLOAT;
        bool number = argv[i].a_type == A_FLOAT && list && !strcmp(list->s_name, "-probes");
        if (is_word(&argv[i], "-signals") || is_word(&argv[i], "-probes")) {
            list = argv[i].a_w.w_symbol;
        } else if (is_word(&argv[i], "-raw")) {
            x->raw = true;
        } else if (is_word(&argv[i], "-offline")) {
            x->offline = true;
        } else if (!*b->scene && !list) {
            join(1, &argv[i], b->scene, sizeof b->scene);
        } else if (pair && b->count < SETTINGS_MOST) {
            char* name = b->names[b->count];
            join(1, &argv[i], name, sizeof b->names[0]);
            double value = (double)atom_getfloat(&argv[++i]);
            b->settings[b->count++] = (sis_live_setting){.name = name, .value = value};
            list = NULL;
        } else if (!list || !(number || is_word(&argv[i], NULL)) || !list_name(x, &argv[i], list)) {
            char text[300], word[200];
            join(1, &argv[i], word, sizeof word);
            snprintf(text, sizeof text,
                     "'%s' is neither -signals, -probes, -raw, -offline nor a knob with a "
                     "number",
                     word);
            complain(x, text);
        }
    }
}

static void make_live(sistrum_tilde* x) {
    sis_live_error error = {.line = 0};
    x->options = sis_live_options_default();
    if (sys_getsr() > 0) x->options.rate = (double)sys_getsr();
    x->options.worker = true;
    if (x->raw) {
        x->options.guard = x->options.limiter = x->options.dc_blocker = false;
        x->options.peak = 1;
    }
    x->live = sis_live_new(&x->options, &error);
    if (!x->live)
        complain(x, error.text);
    else
        sis_live_offline(x->live, x->offline);
    x->fits = x->live != NULL;
}

static void* sistrum_new(t_symbol* s, int argc, t_atom* argv) {
    (void)s;
    sistrum_tilde* x = (sistrum_tilde*)pd_new(sistrum_class);
    x->canvas = canvas_getcurrent();
    pd_events_open(&x->events);
    x->signal_count = x->probe_count = x->block = 0;
    x->info = NULL;
    x->poll = clock_new(x, (t_method)sistrum_poll);
    x->live = NULL;
    x->sound = NULL;
    x->raw = x->offline = false;
    x->failures = 0;
    x->unused = 0;
    signalinlet_new(&x->object, 0);
    box* b = malloc(sizeof *b);
    if (b) read_box(x, argc, argv, b);
    make_live(x);
    if (b && x->live && *b->scene) open_scene(x, b->scene, b->settings, b->count);
    for (int i = 0; i < 2 + x->probe_count; i++)
        outlet_new(&x->object, &s_signal);
    x->info = outlet_new(&x->object, NULL);
    if (!b) return x;
    for (int i = 0; i < x->signal_count; i++) { // where nothing is connected it stays as it is
        bool known = x->live && *b->scene && x->knobs[i] >= 0;
        double value = known ? sis_live_knob_at(x->live, x->knobs[i]).value : 0;
        signalinlet_new(&x->object, (t_float)value);
    }
    free(b);
    return x;
}

static void sistrum_free(sistrum_tilde* x) {
    clock_free(x->poll);
    sis_live_free(x->live);
    free(x->sound);
}

static void add(const char* name, t_method method, t_atomtype kind) {
    class_addmethod(sistrum_class, method, gensym(name), kind, A_NULL);
}

void sistrum_tilde_setup(void);
void sistrum_tilde_setup(void) {
    sistrum_class =
        class_new(gensym("sistrum~"), (t_newmethod)(t_method)sistrum_new, (t_method)sistrum_free,
                  sizeof(sistrum_tilde), CLASS_DEFAULT, A_GIMME, A_NULL);
    CLASS_MAINSIGNALIN(sistrum_class, sistrum_tilde, unused);
    add("dsp", (t_method)sistrum_dsp, A_CANT);
    add("open", (t_method)sistrum_open, A_GIMME);
    add("note", (t_method)sistrum_note, A_GIMME);
    add("midi", (t_method)sistrum_midi, A_GIMME);
    class_addlist(sistrum_class, sistrum_midi);
    add("knob", (t_method)sistrum_knob, A_GIMME);
    add("knobs", (t_method)sistrum_knobs, A_NULL);
    add("probes", (t_method)sistrum_probes, A_NULL);
    add("preset", (t_method)sistrum_preset, A_GIMME);
    add("presets", (t_method)sistrum_presets, A_NULL);
    add("status", (t_method)sistrum_status, A_NULL);
    add("panic", (t_method)sistrum_panic, A_NULL);
    add("gain", (t_method)sistrum_gain, A_FLOAT);
    add("offline", (t_method)sistrum_offline, A_FLOAT);
    class_addanything(sistrum_class, sistrum_anything);
}
