// sistrum play: a scene as a live instrument.

#include "play.h"

#include "find.h"
#include "job.h"
#include "notes.h"
#include "play_terminal.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_words(const options* o, play_ask* ask) {
    const char* connect = o->connect_word ? o->connect_word : "outputs";
    const char* normalise = o->normalise_word ? o->normalise_word : "on";
    bool all = !strcmp(connect, "all"), no = !strcmp(connect, "no");
    bool off = !strcmp(normalise, "off");
    if (!all && !no && strcmp(connect, "outputs") != 0)
        return complain(EXIT_USAGE, "--connect must be outputs, all or no, not '%s'", connect);
    if (!off && strcmp(normalise, "on") != 0)
        return complain(EXIT_USAGE, "--normalise must be on or off, not '%s'", normalise);
    ask->device.connect = !no;
    ask->device.listen = all;
    ask->live.peak = off ? 1 : 0;
    return EXIT_DONE;
}

static sis_live_options options_of(const options* o) {
    sis_live_options how = sis_live_options_default();
    how.audit = !o->no_audit;
    how.worker = true;
    how.guard = !o->no_guard;
    how.limiter = !o->no_limiter;
    how.dc_blocker = !o->no_dc;
    how.voices = isnan(o->voices) ? 0 : (int32_t)o->voices;
    how.oversample = isnan(o->oversample) ? 0 : (int32_t)o->oversample;
    how.gain = isnan(o->gain) ? 1 : pow(10, o->gain / 20);
    if (!isnan(o->load)) how.load_most = o->load / 100;
    if (!isnan(o->memory)) how.memory_most = (size_t)(o->memory * 1e6);
    return how;
}

/** What the session needs of the options and of the scene, which is known to be sound. */
static int play_scene(const options* o, job* j, const sis_tuning* tuning) {
    bool tuned = o->scale || o->keys || !isnan(o->a4);
    play_ask ask = {.scene = o->scene,
                    .settings = j->settings,
                    .setting_count = j->setting_count,
                    .preset = o->preset,
                    .title = job_title(j),
                    .driver = o->driver,
                    .device = {.device = o->device,
                               .rate = o->rate,
                               .period = o->period,
                               .midi = o->midi_input,
                               .offline = o->offline},
                    .live = options_of(o),
                    .tuning = tuned ? tuning->hz : NULL,
                    .prepare = o->prepare,
                    .record = {.sound = o->record, .notes = o->record_notes},
                    .view = !o->no_view};
    int code = check_words(o, &ask), ending = 0;
    sis_fault fault;
    if (code) return code;
    if (!play_go(&ask, &ending, &fault)) code = complain_fault(&fault);
    if (!code && ending) play_signals_end_by(ending);
    return code ? code : finish_output();
}

int command_play(const options* o) {
    if (o->list) {
        play_driver_list(stdout);
        return finish_output();
    }
    if (!o->scene) return complain(EXIT_USAGE, "play needs a scene: sistrum play SCENE");
    job j;
    sis_tuning tuning;
    int code = job_load(&j, o);
    if (!code) code = notes_tuning(o, &tuning);
    if (!code) code = play_scene(o, &j, &tuning);
    job_close(&j);
    return code;
}
