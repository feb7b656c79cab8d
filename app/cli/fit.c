// sistrum fit: the params with which a scene comes closest to a sound or to measures.

#include "find.h"
#include "job.h"
#include "say.h"

#ifndef SISTRUM_SWEEP

int command_fit(const options* o) {
    (void)o;
    return complain(EXIT_RUN, "this program was built without SQLite, which fit needs");
}

#else

#include "files.h"
#include "request.h"
#include "sound_read.h"
#include "studies.h"
#include "sweep_fit.h"
#include "text.h"
#include "watch.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { RUNS_USUAL = 2000, TARGET_SECONDS = 60 };
static const double tolerance_usual = 0.00001; // dB

/** A fit on its way from the command line to its end. */
typedef struct task {
    const options* o;
    const char* scene; // as it was typed
    request r;
    sis_sound_data sound;
    char* goals;
    char* database; // where -o is not given
    sis_fit_spec spec;
    sis_fit fit;
    sigset_t held;
    bool terminal, drawn;
    double told;
} task;

// ---------------------------------------------------------------------------- the request

static bool ends_in(const char* path, const char* ending) {
    size_t length = strlen(path), size = strlen(ending);
    return length > size && !strcasecmp(path + length - size, ending);
}

static int check_request(const options* o) {
    sis_fault fault;
    if (!o->scene)
        return complain(EXIT_USAGE, "fit needs a scene: sistrum fit SCENE --target sound.wav "
                                    "--free K");
    if (!o->target_count)
        return complain(EXIT_USAGE, "fit needs a target: --target sound.wav, or --target "
                                    "centroid=1200,t60=1.5");
    if (o->write && !ends_in(o->write, ".wav") && !ends_in(o->write, ".flac"))
        return complain(EXIT_USAGE, "--write writes .wav or .flac, not '%s'", o->write);
    if (o->write && !sis_path_is_free(o->write, &fault)) return complain_fault(&fault);
    if (o->csv && !sis_path_is_standard(o->csv) && !sis_path_is_free(o->csv, &fault))
        return complain_fault(&fault);
    return EXIT_DONE;
}

/** NAME=NUMBER,... unless there is a file of that name. */
static bool is_goal(const char* text) {
    return strchr(text, '=') && access(text, F_OK) != 0;
}

static int read_targets(task* t) {
    const options* o = t->o;
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    size_t room = 1;
    for (int32_t i = 0; i < o->target_count; i++)
        room += strlen(o->targets[i]) + 1;
    t->goals = calloc(room, 1);
    if (!t->goals) return complain(EXIT_RUN, "out of memory");
    for (int32_t i = 0; i < o->target_count; i++) {
        const char* text = o->targets[i];
        if (is_goal(text)) {
            if (*t->goals) strcat(t->goals, ",");
            strcat(t->goals, text);
        } else if (t->sound.frames) {
            return complain(EXIT_USAGE, "--target: one sound at a time: '%s' or '%s'",
                            t->spec.sound_name, text);
        } else if (!sis_sound_read(text, TARGET_SECONDS, &t->sound, &fault)) {
            fault.kind = fault.starved ? SIS_FAULT_RUN : SIS_FAULT_REQUEST;
            return complain_fault(&fault);
        } else {
            t->spec.sound_name = text;
        }
    }
    if (o->level && !t->sound.frames)
        return complain(EXIT_USAGE, "--level is about a sound: give --target sound.wav too");
    t->spec.sound = (sis_heard){.frames = t->sound.frames,
                                .rows = t->sound.rows,
                                .channels = t->sound.channels,
                                .rate = t->sound.rate};
    t->spec.goals = *t->goals ? t->goals : NULL;
    t->spec.level = o->level;
    return EXIT_DONE;
}

/** "SCENE-fit.db", here. */
static char* usual_database(const char* scene) {
    const char* name = sis_text_file(scene);
    size_t length = strlen(name), room = length + sizeof "-fit.db";
    if (ends_in(name, ".lua")) length -= 4;
    char* path = malloc(room);
    if (path) snprintf(path, room, "%.*s-fit.db", (int)length, name);
    return path;
}

// ---------------------------------------------------------------------------- while it works

static void show(void* self, const sis_fit* fit) {
    task* t = self;
    double seconds = fit->seconds, wait = t->terminal ? 0.1 : 30;
    if (t->o->quiet || seconds - t->told < wait) return;
    t->told = seconds;
    char line[160], distance[32] = "none yet";
    if (!fit->best.failed)
        snprintf(distance, sizeof distance, "%.4g dB",
                 fit->best.values[fit->sweep->points.axis_count]);
    snprintf(line, sizeof line, "%llu runs, descent %d, distance %s", (unsigned long long)fit->done,
             (int)fit->descents, distance);
    fprintf(stderr, t->terminal ? "\r%-70.70s" : "%s: %s\n", t->terminal ? line : say_name(), line);
    fflush(stderr);
    t->drawn = t->terminal;
}

// ---------------------------------------------------------------------------- the result

static const char* end_of(const task* t, char text[96]) {
    switch (t->fit.end) {
    case SIS_FIT_CLOSE:
        snprintf(text, 96, "within %.3g dB", t->fit.tolerance);
        break;
    case SIS_FIT_RUNS:
        snprintf(text, 96, "ended by --runs %llu", (unsigned long long)t->fit.runs);
        break;
    case SIS_FIT_STUCK:
        snprintf(text, 96, "the last descents found nothing better");
        break;
    }
    return text;
}

/** A key, also between the keys, as sistrum render takes it: "440.5Hz". */
static const char* note_of(const sis_sweep* s, double key, char text[SIS_DECIMAL + 2]) {
    sis_decimal(sis_points_hz(&s->points, key), text);
    return strcat(text, "Hz");
}

/** What holds for all runs, as it was typed. */
static void tell_how(const task* t, FILE* out) {
    const options* o = t->o;
    char text[SIS_DECIMAL];
    for (int32_t i = 0; i < o->input_count; i++)
        request_words(out, 2, (char*[]){"--input", (char*)o->inputs[i]});
    if (!isnan(o->hold)) fprintf(out, " --hold %s", sis_decimal(o->hold, text));
    if (!isnan(o->a4)) fprintf(out, " --a4 %s", sis_decimal(o->a4, text));
    if (!isnan(o->rate)) fprintf(out, " --rate %s", sis_decimal(o->rate, text));
    if (!isnan(o->duration)) fprintf(out, " --duration %s", sis_decimal(o->duration, text));
    if (!isnan(o->oversample)) fprintf(out, " --oversample %.0f", o->oversample);
    if (o->scheme_word) fprintf(out, " --scheme %s", o->scheme_word);
}

/** What sistrum render is given for the best run. */
static void tell_command(const task* t) {
    const sis_sweep* s = t->r.sweep;
    char text[SIS_DECIMAL + 2];
    FILE* out = say_stream();
    fprintf(out, "  sistrum render");
    request_words(out, 1, (char*[]){(char*)t->scene});
    if (t->o->preset) request_words(out, 2, (char*[]){"--preset", (char*)t->o->preset});
    for (int32_t i = 0; i < t->o->setting_count; i++)
        fprintf(out, " --set %s=%s", t->o->settings[i].name,
                sis_decimal(t->o->settings[i].value, text));
    for (int32_t i = 0; i < s->points.axis_count; i++) {
        const sis_axis* a = &s->points.axes[i];
        bool played = a->kind == SIS_AXIS_NOTE || a->kind == SIS_AXIS_VELOCITY;
        if (a->kind == SIS_AXIS_NOTE)
            note_of(s, t->fit.best.values[i], text);
        else
            sis_decimal(t->fit.best.values[i], text);
        fprintf(out, played ? " --%s %s" : " --set %s=%s", a->name, text);
    }
    tell_how(t, out);
    fprintf(out, " -o best.wav\n");
}

static void tell(const task* t) {
    const sis_sweep* s = t->r.sweep;
    const sis_row* best = &t->fit.best;
    char end[96];
    FILE* out = say_stream();
    if (t->o->quiet) return;
    fprintf(out, "%s: %llu %s, %s", t->r.database, (unsigned long long)t->fit.done,
            sis_plural(t->fit.done, "run", "runs"), end_of(t, end));
    if (t->fit.made)
        fprintf(out, "; %llu in %.3g s", (unsigned long long)t->fit.made, t->fit.seconds);
    if (best->failed) {
        fprintf(out, "; no run had a distance (sistrum sweep show %s)\n", t->r.database);
        return;
    }
    fprintf(out, "\n");
    for (int32_t i = 0; i < s->column_count; i++)
        if (!isnan(best->values[i]))
            fprintf(out, "  %-16s %.8g%s%s\n", s->columns[i], best->values[i],
                    i < s->points.axis_count && *s->points.axes[i].unit ? " " : "",
                    i < s->points.axis_count    ? s->points.axes[i].unit
                    : i == s->points.axis_count ? " dB"
                                                : "");
    tell_command(t);
}

/** The best run once more. */
static int write_best(const task* t) {
    const sis_sweep* s = t->r.sweep;
    const options* o = t->o;
    char key[SIS_DECIMAL + 2];
    if (t->fit.best.failed) return complain(EXIT_RUN, "--write: no run had a distance");
    options render = *o;
    size_t count = (size_t)o->setting_count + (size_t)s->points.axis_count;
    sis_setting* settings = malloc((count + 1) * sizeof *settings);
    if (!settings) return complain(EXIT_RUN, "out of memory");
    if (o->setting_count)
        memcpy(settings, o->settings, (size_t)o->setting_count * sizeof *settings);
    render.settings = settings;
    for (int32_t i = 0; i < s->points.axis_count; i++) {
        const sis_axis* a = &s->points.axes[i];
        double value = t->fit.best.values[i];
        if (a->kind == SIS_AXIS_NOTE) render.note = note_of(s, value, key);
        if (a->kind == SIS_AXIS_VELOCITY) render.velocity = value;
        if (a->kind == SIS_AXIS_PARAM || a->kind == SIS_AXIS_INPUT)
            settings[render.setting_count++] = (sis_setting){.name = a->name, .value = value};
    }
    render.words = (const char*[]){o->scene};
    render.word_count = 1;
    render.out = o->write;
    render.quiet = true;
    int code = command_render(&render);
    free(settings);
    return code;
}

// ---------------------------------------------------------------------------- working

static int work_with(task* t, sis_base* base) {
    const options* o = t->o;
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    t->terminal = isatty(STDERR_FILENO);
    t->fit = (sis_fit){.sweep = t->r.sweep,
                       .base = base,
                       .threads = isnan(o->threads) ? (int32_t)(cores > 0 ? cores : 1)
                                                    : (int32_t)o->threads,
                       .runs = isnan(o->runs) ? RUNS_USUAL : (uint64_t)o->runs,
                       .tolerance = isnan(o->tolerance) ? tolerance_usual : o->tolerance,
                       .told = show,
                       .told_self = t,
                       .stop = watch_is_ending,
                       .stop_self = &t->held};
    bool done = sis_fit_go(&t->fit, &fault);
    if (t->drawn) fprintf(stderr, "\r%70s\r", "");
    sis_fault closing;
    bool closed = sis_base_close(base, done ? &fault : &closing);
    if (watch_is_ending(&t->held)) return EXIT_RUN; // the signal says the rest
    if (!done || !closed) return complain_fault(&fault);
    tell(t);
    return EXIT_DONE;
}

static int work_on(task* t) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    sigset_t before;
    t->held = watch_signals();
    pthread_sigmask(SIG_BLOCK, &t->held, &before);
    sis_base* base = sis_base_open(t->r.database, t->r.sweep, t->r.command, &fault);
    int code = base ? work_with(t, base) : complain_fault(&fault);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/** A blow is no number that sistrum render could be given. */
static int check_axes(const sis_sweep* s) {
    for (int32_t i = 0; i < s->points.axis_count; i++)
        if (s->points.axes[i].kind == SIS_AXIS_BLOW)
            return complain(EXIT_USAGE, "fit: '%s' is a trigger: seek velocity or a param instead",
                            s->points.axes[i].name);
    return EXIT_DONE;
}

static int fit_scene(task* t) {
    int code = read_targets(t);
    t->r.spec.fit = &t->spec;
    if (!code) code = request_open(&t->r, t->o, "sistrum fit");
    if (!code) code = check_axes(t->r.sweep);
    if (!code) code = request_outputs(&t->r, t->o);
    if (!code) code = work_on(t);
    if (!code && t->o->csv) code = studies_export(t->r.database, t->o->csv);
    if (!code && t->o->write) code = write_best(t);
    request_close(&t->r);
    sis_sound_data_free(&t->sound);
    free(t->goals);
    return code;
}

int command_fit(const options* o) {
    int code = check_request(o);
    if (code) return code;
    bool lost = false;
    char *path = find_scene(o->scene, &lost), *database = usual_database(o->scene);
    options found = *o;
    task t = {.o = &found, .scene = o->scene, .r = {.part = 1}};
    if (path) found.scene = path;
    if (!found.out) found.out = database;
    code = lost || !database ? complain(EXIT_RUN, "out of memory") : fit_scene(&t);
    free(path);
    free(database);
    return code;
}

#endif
