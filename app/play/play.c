// From nothing to a sounding instrument, and back.
#include "play_session.h"
#include "play_terminal.h"

#include "scene_file.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES_LEAST = 256 };

static bool make_live(play_session* s, sis_fault* fault) {
    sis_live_error error = {.line = 0};
    sis_live_options how = s->ask->live;
    s->frames_max = s->state.period > FRAMES_LEAST ? s->state.period : FRAMES_LEAST;
    how.rate = s->state.rate;
    how.frames_max = s->frames_max;
    s->live = sis_live_new(&how, &error);
    if (!s->live) return sis_fault_set(fault, SIS_FAULT_RUN, "%s", error.text);
    if (s->ask->tuning) sis_live_tune(s->live, s->ask->tuning);
    return true;
}

static bool load(play_session* s, sis_fault* fault) {
    const play_ask* ask = s->ask;
    char why[256];
    size_t size = 0;
    sis_live_error error = {.line = 0};
    sis_live_setting* settings = calloc((size_t)ask->setting_count + 1, sizeof *settings);
    stat(ask->scene, &s->watch.known);
    s->watch.looked = s->watch.known;
    char* text = settings ? sis_file_read(ask->scene, &size, why, sizeof why) : NULL;
    for (int32_t i = 0; settings && i < ask->setting_count; i++)
        settings[i] = (sis_live_setting){ask->settings[i].name, ask->settings[i].value};
    bool fine =
        text && sis_live_load(s->live, text, size, s->name, settings, ask->setting_count, &error);
    if (!settings)
        sis_fault_no_memory(fault);
    else if (!text)
        sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: cannot read the scene: %s", ask->scene, why);
    else if (!fine)
        sis_fault_set(fault,
                      error.fault == SIS_LIVE_NO_MEMORY       ? SIS_FAULT_RUN
                      : error.fault == SIS_LIVE_WRONG_SETTING ? SIS_FAULT_REQUEST
                                                              : SIS_FAULT_SCENE,
                      "%s", error.text);
    free(text);
    free(settings);
    return fine;
}

/** Which preset the settings began with. */
static void find_preset(play_session* s) {
    for (int32_t i = 0; s->ask->preset && i < sis_live_preset_count(s->live); i++)
        if (!strcmp(sis_live_preset_name(s->live, i), s->ask->preset)) s->preset = i;
}

/** Compiles every key before anything sounds; blocks of no frames take what is compiled. */
static void prepare(const play_session* s) {
    int32_t ready = 0, to_come = 1;
    bool any = true, tells = isatty(STDERR_FILENO);
    double next = play_now() + 0.3;
    if (isnan(s->ask->prepare)) return;
    sis_live_prepare(s->live, (int32_t)s->ask->prepare);
    while ((any || to_come) && !play_signals_ending()) {
        any = sis_live_work(s->live);
        sis_live_run(s->live, &(sis_live_block){.frames = 0});
        sis_live_prepared(s->live, &ready, &to_come);
        if (tells && play_now() > next) {
            fprintf(stderr, "\rcompiling: %d notes ready, %d to come \033[K", ready, to_come);
            next = play_now() + 0.2;
        }
    }
    if (tells) fprintf(stderr, "\r\033[K");
}

static bool open_recorder(play_session* s, sis_fault* fault) {
    play_record_spec spec = s->ask->record;
    if (!spec.sound && !spec.notes) return true;
    spec.rate = s->state.rate;
    s->recorder = play_recorder_open(&spec, fault);
    return s->recorder && (play_recorder_names(s->recorder, s->live) || sis_fault_no_memory(fault));
}

static bool set_up(play_session* s, sis_fault* fault) {
    s->driver = play_driver_open(s->ask->driver, &s->ask->device, fault);
    if (!s->driver) return false;
    s->kind = s->driver->kind;
    s->kind->tell(s->driver, &s->state);
    if (!make_live(s, fault) || !load(s, fault)) return false;
    find_preset(s);
    prepare(s);
    if (!open_recorder(s, fault)) return false;
    s->engine = play_engine_new(s->live, s->frames_max, s->recorder);
    if (!s->engine) return sis_fault_no_memory(fault);
    if (!s->kind->start(s->driver, s->engine, sis_live_sound_inputs(s->live), fault)) return false;
    s->kind->tell(s->driver, &s->state);
    return true;
}

static bool tear_down(play_session* s, sis_fault* fault) {
    if (s->driver) s->kind->stop(s->driver);
    if (s->driver) s->kind->close(s->driver);
    uint64_t lost = s->recorder ? play_recorder_lost(s->recorder) : 0;
    bool fine = play_recorder_close(s->recorder, fault);
    play_engine_free(s->engine);
    sis_live_free(s->live);
    if (fine && lost)
        return sis_fault_set(fault, SIS_FAULT_RUN,
                             "the disk was too slow: %llu frames of the recording are missing",
                             (unsigned long long)lost);
    return fine;
}

bool play_go(const play_ask* ask, int* ending, sis_fault* fault) {
    play_session s = {.ask = ask, .preset = -1};
    *ending = 0;
    sis_clean(sis_text_file(ask->scene), s.name, sizeof s.name);
    sis_clean(ask->title, s.title, sizeof s.title);
    if (!play_recorder_check(&ask->record, fault)) return false;
    bool view = ask->view && play_terminal_is_there();
    play_signals_begin(view);
    bool fine = set_up(&s, fault);
    if (fine && view)
        play_with_view(&s);
    else if (fine)
        play_with_lines(&s);
    *ending = play_signals_ending();
    sis_fault later;
    bool closed = tear_down(&s, fine ? fault : &later);
    if (fine && closed && s.idle && !*ending)
        return sis_fault_set(fault, SIS_FAULT_REQUEST,
                             "--offline plays the commands of standard input, and there are none");
    if (fine && closed && s.failed && !*ending)
        return sis_fault_set(fault, SIS_FAULT_REQUEST, "not every command was understood");
    return fine && closed;
}
