#include "gestures.h"

#include "say.h"
#include "strike.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int gestures_open(job* j) {
    sis_fault fault;
    return sis_strike_open(j->script, &j->gestures, &fault) ? EXIT_DONE : complain_fault(&fault);
}

static int complain_unknown(const job* j, const char* name) {
    const char* names[64];
    char list[400] = "";
    int count = 0;
    for (int32_t i = 0; i < j->gestures.count && count < 64; i++) {
        names[count] = j->gestures.curves[i].name;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", names[count]);
        count++;
    }
    const char* guess = closest(name, names, count);
    if (guess)
        return complain(EXIT_USAGE, "--input: %s has no input '%s' (did you mean '%s'?)", j->name,
                        name, guess);
    return complain(EXIT_USAGE, "--input: %s has no input '%s'; it has: %s", j->name, name,
                    count ? list : "none");
}

static int find_input(const job* j, const char* name) {
    for (int32_t i = 0; i < j->gestures.count; i++)
        if (!strcmp(j->gestures.curves[i].name, name)) return i;
    return -1;
}

/** NAME=FILE, or FILE. */
static int read_curve(job* j, const char* text) {
    const char* equals = strchr(text, '=');
    char name[256] = "";
    int32_t which = -1;
    sis_fault fault;
    if (equals) {
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        which = find_input(j, name);
        if (which < 0) return complain_unknown(j, name);
        if (j->gestures.curves[which].count)
            return complain(EXIT_USAGE, "--input %s: it has a curve already", name);
    }
    if (sis_input_curves_read(&j->gestures, which, equals ? equals + 1 : text, &fault))
        return EXIT_DONE;
    if (fault.starved) say_starve();
    return complain((int)fault.kind, equals ? "--input %s: %s" : "--input: %s%s", name, fault.text);
}

/** A curve says where its input starts. */
static int check_settings(const job* j, const options* o) {
    for (int32_t i = 0; i < o->setting_count; i++) {
        int which = find_input(j, o->settings[i].name);
        if (which >= 0 && j->gestures.curves[which].count)
            return complain(EXIT_USAGE, "--set %s: the curve of --input says where it starts",
                            o->settings[i].name);
    }
    return EXIT_DONE;
}

int gestures_read(job* j, const options* o) {
    int code = gestures_open(j);
    for (int32_t i = 0; !code && i < o->input_count; i++)
        code = read_curve(j, o->inputs[i]);
    return code ? code : check_settings(j, o);
}

sis_setting* gestures_start(const job* j, int32_t* count) {
    sis_setting* settings = calloc((size_t)j->gestures.count + 1, sizeof *settings);
    *count = 0;
    for (int32_t i = 0; settings && i < j->gestures.count; i++) {
        const sis_input_curve* curve = &j->gestures.curves[i];
        sis_input input = sis_script_input(j->script, i);
        if (!curve->count || curve->trigger) continue;
        double start = fmin(fmax(sis_input_curve_at(curve, 0), input.min), input.max);
        settings[(*count)++] = (sis_setting){.name = curve->name, .value = start};
    }
    return settings;
}

void gestures_warn(const job* j, const sis_state* state) {
    int32_t count = sis_system_input_count(j->system), others = 0, first = -1;
    for (int32_t i = 0; i < count; i++) {
        if (!sis_state_input_clamped(j->system, state, i)) continue;
        if (first >= 0) others++;
        if (first < 0) first = i;
    }
    if (first < 0) return;
    sis_input_info input = sis_system_input(j->system, first);
    uint64_t clamped = sis_state_input_clamped(j->system, state, first);
    char more[48] = "";
    if (others)
        snprintf(more, sizeof more, ", and so %s %d more", others == 1 ? "was" : "were", others);
    fprintf(say_stream(), "sistrum: %s: input '%s' was held to %g .. %g%s%s at %llu %s%s\n",
            j->name, input.name, input.min, input.max, *input.unit ? " " : "", input.unit,
            (unsigned long long)clamped, sis_plural(clamped, "step", "steps"), more);
}

// ---------------------------------------------------------------------------- sound from outside

/** What else would move the inputs of the sound. */
static int check_alone(const job* j, const options* o, const sis_gestures* g) {
    for (int32_t c = 0; c < g->sound_count; c++) {
        const char* name = sis_script_input(j->script, g->sound[c]).name;
        if (j->gestures.curves[g->sound[c]].count)
            return complain(EXIT_USAGE, "--input %s: --sound moves it already", name);
        for (int32_t i = 0; i < o->setting_count; i++)
            if (!strcmp(o->settings[i].name, name))
                return complain(EXIT_USAGE, "--set %s: --sound moves it already", name);
    }
    return EXIT_DONE;
}

int outside_open(job* j, const options* o) {
    const sis_gestures* g = sis_script_gestures(j->script);
    sis_fault fault;
    if (!g || !g->sound_count)
        return complain(EXIT_SCENE,
                        "%s: the scene takes no sound: add play{ sound = \"NAME\" } with the name "
                        "of an input",
                        j->name);
    int code = j->gestures.count ? EXIT_DONE : gestures_open(j);
    if (!code) code = check_alone(j, o, g);
    if (code) return code;
    j->gestures.sound = sis_outside_open(o->sound, &fault);
    if (j->gestures.sound) return EXIT_DONE;
    if (fault.starved) say_starve();
    return complain((int)fault.kind, "--sound: %s", fault.text);
}

double outside_seconds(const job* j) {
    const sis_outside* sound = j->gestures.sound;
    return sound ? (double)sis_outside_frames(sound) / sis_outside_rate(sound) : 0;
}

int outside_connect(job* j) {
    const sis_gestures* g = sis_script_gestures(j->script);
    double rate = sis_outside_rate(j->gestures.sound), full[2] = {0};
    if (rate != j->plan.rate)
        return complain(EXIT_USAGE,
                        "--sound: the file has %g Hz and the run %g Hz: give --rate %g, or a file "
                        "of %g Hz",
                        rate, j->plan.rate, rate, j->plan.rate);
    for (int32_t c = 0; c < g->sound_count; c++) {
        sis_input input = sis_script_input(j->script, g->sound[c]);
        full[c] = fmax(fabs(input.min), fabs(input.max));
    }
    sis_outside_move(j->gestures.sound, g->sound, full, g->sound_count, j->plan.oversample);
    return EXIT_DONE;
}
