#include "play_session.h"

#include "scene_file.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRY_SECONDS  0.5 // between two looks for a driver that has gone
#define LOOK_SECONDS 0.1 // between two looks at files and the driver

double play_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void play_say(play_session* s, bool bad, const char* format, ...) {
    char text[1200], clean[1200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sis_clean(text, clean, sizeof clean);
    if (s->say) s->say(s->say_self, bad, clean);
}

// ---------------------------------------------------------------------------- hands

void play_send(void* session, const uint8_t* bytes, size_t size) {
    play_session* s = session;
    if (!play_engine_send(s->engine, bytes, size)) play_say(s, true, "too many notes at a time");
}

/** Notes of this velocity are compiled in spare time, for this scene and those to come. */
void play_prepare(play_session* s, int32_t velocity) {
    s->velocity = velocity;
    if (velocity > 0) sis_live_prepare(s->live, velocity);
}

double play_knob_share(const sis_live_knob* k, double value) {
    double span = k->max - k->min;
    if (!(span > 0)) return 0;
    double share =
        k->logarithmic ? log(value / k->min) / log(k->max / k->min) : (value - k->min) / span;
    return isnan(share) ? 0 : fmin(fmax(share, 0), 1);
}

double play_knob_at(const sis_live_knob* k, double share) {
    if (share <= 0) return k->min;
    if (share >= 1) return k->max;
    return k->logarithmic ? k->min * pow(k->max / k->min, share)
                          : k->min + share * (k->max - k->min);
}

void play_turn(play_session* s, int32_t knob, double value) {
    if (!play_engine_knob(s->engine, knob, value)) play_say(s, true, "too many turns at a time");
}

bool play_take_preset(play_session* s, int32_t preset) {
    if (!sis_live_preset_take(s->live, preset)) return false;
    s->preset = preset;
    for (int32_t i = 0; s->recorder && i < sis_live_knob_count(s->live); i++)
        play_recorder_knob(s->recorder, play_engine_frames(s->engine), i,
                           sis_live_knob_at(s->live, i).value);
    return true;
}

// ---------------------------------------------------------------------------- the scene's file

/** The title of the scene and the knobs that were turned, as far as it still has them. */
static sis_live_setting* keep_knobs(const play_session* s, const sis_script* script,
                                    int32_t* count) {
    int32_t all = sis_live_knob_count(s->live);
    sis_live_setting* kept = calloc((size_t)all + 1, sizeof *kept);
    *count = 0;
    for (int32_t i = 0; kept && i < all; i++) {
        sis_live_knob knob = sis_live_knob_at(s->live, i);
        bool fits = false;
        for (int32_t p = 0; p < sis_script_param_count(script); p++) {
            sis_param param = sis_script_param(script, p);
            fits = fits || (!strcmp(param.name, knob.name) && knob.value >= param.min &&
                            knob.value <= param.max);
        }
        for (int32_t p = 0; p < sis_script_input_count(script); p++) {
            sis_input input = sis_script_input(script, p);
            fits = fits || (!strcmp(input.name, knob.name) && !input.trigger &&
                            knob.value >= input.min && knob.value <= input.max);
        }
        if (fits && knob.value != knob.fallback)
            kept[(*count)++] = (sis_live_setting){strdup(knob.name), knob.value};
    }
    return kept;
}

static void free_knobs(sis_live_setting* kept, int32_t count) {
    for (int32_t i = 0; kept && i < count; i++)
        free((char*)kept[i].name);
    free(kept);
}

static void read_title(play_session* s, const sis_script* script) {
    const char* title = sis_scene_render(sis_script_scene(script)).title;
    sis_clean(title && *title ? title : s->name, s->title, sizeof s->title);
}

/** A scene that takes sound, or does so no more, needs other ports. */
static void start_again(play_session* s, int32_t inputs_before) {
    sis_fault fault;
    int32_t inputs = sis_live_sound_inputs(s->live);
    if (!s->driver || inputs == inputs_before) return;
    s->kind->stop(s->driver);
    if (!s->kind->start(s->driver, s->engine, inputs, &fault)) play_say(s, true, "%s", fault.text);
}

static bool load_text(play_session* s, const char* text, size_t size, const sis_script* script) {
    int32_t count = 0, inputs = sis_live_sound_inputs(s->live);
    sis_live_error error = {.line = 0};
    sis_live_setting* kept = keep_knobs(s, script, &count);
    bool fine = kept && sis_live_load(s->live, text, size, s->name, kept, count, &error);
    if (!fine) play_say(s, true, "%s", kept ? error.text : "out of memory");
    free_knobs(kept, count);
    if (!fine) return false;
    s->preset = -1;
    if (s->recorder) play_recorder_names(s->recorder, s->live);
    play_prepare(s, s->velocity);
    read_title(s, script);
    start_again(s, inputs);
    return true;
}

void play_reload(play_session* s) {
    char why[256];
    size_t size = 0;
    sis_script_error wrong = {.status = SIS_SCRIPT_WRONG};
    stat(s->ask->scene, &s->watch.known);
    char* text = sis_file_read(s->ask->scene, &size, why, sizeof why);
    sis_script* script = text ? sis_script_load_text(text, size, s->name, NULL, 0, &wrong) : NULL;
    if (!text)
        play_say(s, true, "%s: cannot read the scene: %s", s->name, why);
    else if (!script)
        play_say(s, true, "%s", wrong.text);
    else if (load_text(s, text, size, script))
        play_say(s, false, "loaded %s", s->name);
    sis_script_free(script);
    free(text);
}

static bool same_file(const struct stat* a, const struct stat* b) {
    return a->st_size == b->st_size && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/** A file that is being written changes from look to look: it is loaded when it rests. */
static void look_at_scene(play_session* s) {
    struct stat now;
    if (stat(s->ask->scene, &now) != 0) return; // an editor is about to put it there again
    bool rests = same_file(&now, &s->watch.looked);
    s->watch.looked = now;
    if (rests && !same_file(&now, &s->watch.known)) play_reload(s);
}

// ---------------------------------------------------------------------------- the driver

static double seconds_at(const play_session* s, double rate) {
    return s->seconds_before + (double)(play_engine_frames(s->engine) - s->frames_before) / rate;
}

double play_seconds(const play_session* s) {
    return seconds_at(s, s->state.rate);
}

/** The instrument gets the rate that the driver has now: it is compiled anew. Any period will do:
 * the engine cuts longer blocks. `news`: what has changed, "": nothing. */
static bool adapt(play_session* s, char* news, size_t room) {
    play_driver_state before = s->state;
    sis_live_error error = {.line = 0};
    *news = 0;
    s->kind->tell(s->driver, &s->state);
    bool same = s->state.rate == before.rate && !play_engine_is_held(s->engine);
    bool records = s->recorder && !play_recorder_has_ended(s->recorder);
    if (same && s->state.period == before.period) return true;
    if (!same) {
        play_engine_hold(s->engine);
        play_engine_wait(s->engine);
        s->seconds_before = seconds_at(s, before.rate);
        s->frames_before = play_engine_frames(s->engine);
        if (!sis_live_set_rate(s->live, s->state.rate, s->frames_max, &error)) {
            if (strcmp(s->unfit, error.text) != 0) play_say(s, true, "%s", error.text);
            snprintf(s->unfit, sizeof s->unfit, "%s", error.text);
            return false; // and stay silent
        }
        *s->unfit = 0;
        if (records) play_recorder_end(s->recorder);
        play_engine_release(s->engine);
        play_prepare(s, s->velocity);
    }
    snprintf(news, room, "%g Hz, %d frames%s", s->state.rate, (int)s->state.period,
             !same && records ? "; the recording has ended, it has one rate" : "");
    return true;
}

static void leave_driver(play_session* s) {
    s->xruns_before += s->state.xruns;
    s->kind->stop(s->driver);
    s->kind->close(s->driver);
    s->driver = NULL;
    s->next_try = play_now() + TRY_SECONDS;
}

static void lose_driver(play_session* s) {
    play_say(s, true, "%s has gone; waiting for it", s->kind->name);
    leave_driver(s);
}

/** The view has one line for messages: what happens at a time is one sentence. */
static void find_driver(play_session* s) {
    sis_fault fault;
    char news[128];
    if (play_now() < s->next_try) return;
    s->next_try = play_now() + TRY_SECONDS;
    s->driver = s->kind->open(&s->ask->device, &fault);
    if (!s->driver) return;
    bool fine = adapt(s, news, sizeof news) &&
                s->kind->start(s->driver, s->engine, sis_live_sound_inputs(s->live), &fault);
    if (fine) {
        play_say(s, false, "%s is back%s%s", s->kind->name, *news ? ": " : "", news);
        return;
    }
    s->kind->close(s->driver);
    s->driver = NULL;
}

void play_stand_still(play_session* s, void (*stand)(void)) {
    if (s->driver) leave_driver(s);
    stand();
    s->next_try = 0;
    find_driver(s);
}

void play_tell_troubles(play_session* s) {
    char text[1024];
    uint32_t troubles = sis_live_trouble(s->live, text, sizeof text);
    if (troubles != s->troubles && *text) play_say(s, true, "%s", text);
    s->troubles = troubles;
}

void play_tend(play_session* s) {
    double now = play_now();
    char text[1024];
    if (now < s->next_look) return;
    s->next_look = now + LOOK_SECONDS;
    if (!s->driver) find_driver(s);
    if (s->driver && s->kind->lost(s->driver)) lose_driver(s);
    if (s->driver) {
        s->kind->tend(s->driver);
        if (adapt(s, text, sizeof text) && *text) play_say(s, false, "%s", text);
    }
    look_at_scene(s);
    play_tell_troubles(s);
    if (s->recorder && *play_recorder_trouble(s->recorder, text, sizeof text))
        play_say(s, true, "%s", text);
}
