// sistrum render --midi: the notes of a song, each a run of its own, summed into one sound.
//
// How long the sound is shows only when the last note has rung out, and the header of a WAV comes
// first: so the sum waits in a working file.

#include "render_midi.h"

#include "cast.h"
#include "files.h"
#include "job.h"
#include "level.h"
#include "levels.h"
#include "notes.h"
#include "perform.h"
#include "room.h"
#include "say.h"
#include "song_report.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096 }; // steps read back at a time

typedef struct concert {
    job j;
    char song_name[256];
    sis_song song;
    int32_t notes;   // that were asked for: of the song, or of one channel
    int32_t skipped; // of them, beyond the range of the scene
    sis_tuning tuning;
    cast cast; // of other scenes
    sis_performance performance;
    sis_files* files;
    int out, json;     // descriptors; -1: not asked for
    int sum, unscaled; // working files
    sis_sound_spec spec;
    sis_sound_file* file;
    sis_sound_level level;
} concert;

// ---------------------------------------------------------------------------- asking

static int check_request(const options* o) {
    if (o->word_count > 1)
        return complain(EXIT_USAGE, "--midi plays one scene at a time: '%s' or '%s'", o->words[0],
                        o->words[1]);
    if (o->data || o->energy)
        return complain(EXIT_USAGE,
                        "%s is of one run, and a song is many: take --note, or leave "
                        "it out with --midi",
                        o->data ? "--data" : "--energy");
    if (!isnan(o->duration) && !(o->duration <= SIS_SONG_MOST_SECONDS))
        return complain(EXIT_USAGE, "--duration of a song is at most %d s, not %g",
                        SIS_SONG_MOST_SECONDS, o->duration);
    return EXIT_DONE;
}

/** "1, 3": the channels that have notes, where none of them has a scene; "": one has. */
static const char* idle_channels(const concert* c, char* list, size_t size) {
    bool has[SIS_CHANNELS] = {false};
    size_t used = 0;
    *list = '\0';
    for (int32_t i = 0; i < c->song.count; i++) {
        const sis_song_note* note = &c->song.notes[i];
        if (sis_performance_cast(&c->performance, note->master, note->program) >= 0) return list;
        has[note->channel] = true;
    }
    for (int i = 0; i < SIS_CHANNELS; i++)
        if (has[i])
            used += (size_t)snprintf(list + used, size - used, "%s%d", used ? ", " : "", i + 1);
    return list;
}

static int complain_idle(const concert* c, const char* channels) {
    bool one = !strchr(channels, ',');
    return complain(
        EXIT_SCENE,
        "%s: its notes are on channel%s %s, for which --instrument names no scene: give "
        "%d=SCENE there, or SCENE for all other channels",
        c->performance.song_name, one ? "" : "s", channels, atoi(channels));
}

// The notes that are asked for, as far as the scene reaches.
static int choose_notes(concert* c, const options* o) {
    sis_fault fault;
    const char* name = c->performance.song_name;
    if (!isnan(o->channel) &&
        !sis_song_keep_channel(&c->song, (int32_t)o->channel - 1, name, &fault))
        return complain_fault(&fault);
    c->notes = c->song.count;
    int32_t beyond = isnan(o->transpose) ? 0 : sis_song_transpose(&c->song, (int32_t)o->transpose);
    if (c->song.count == 0)
        return complain(EXIT_SCENE,
                        "%s: --transpose %g takes all notes beyond the MIDI keys 0 .. 127", name,
                        o->transpose);
    char channels[64];
    if (*idle_channels(c, channels, sizeof channels)) return complain_idle(c, channels);
    bool some = sis_performance_fit(&c->performance, &c->song, &c->skipped, &fault);
    c->skipped += beyond;
    if (!some && c->notes == 1)
        return complain(EXIT_SCENE, "%s; its one note cannot be played: --transpose would move it",
                        fault.text);
    if (!some)
        return complain(EXIT_SCENE,
                        "%s; none of its %d notes can be played: --transpose would move them",
                        fault.text, (int)c->notes);
    if (c->skipped > beyond)
        fprintf(say_stream(), "sistrum: %s; %d of its %d notes %s skipped\n", fault.text,
                (int)c->skipped, (int)c->notes, sis_plural((uint64_t)c->skipped, "is", "are"));
    else if (c->skipped)
        fprintf(
            say_stream(),
            "sistrum: %s: --transpose %g takes notes beyond the MIDI keys 0 .. 127; %d of its %d "
            "notes %s skipped\n",
            name, o->transpose, (int)c->skipped, (int)c->notes,
            sis_plural((uint64_t)c->skipped, "is", "are"));
    return EXIT_DONE;
}

/** As fine as the finest of the scenes asks for. */
static int refine(concert* c, const options* o) {
    sis_plan* plan = &c->performance.plan;
    sis_fault fault;
    int32_t finest = plan->oversample;
    for (int32_t i = 0; i < c->cast.count && isnan(o->oversample); i++) {
        int32_t own = sis_scene_render(sis_script_scene(c->cast.scripts[i])).oversample;
        if (own > finest) finest = own;
    }
    if (!sis_plan_make(plan->rate, finest, plan->duration, plan, &fault))
        return complain_fault(&fault);
    c->j.plan = *plan;
    return EXIT_DONE;
}

static int open_concert(concert* c, const options* o) {
    sis_fault fault;
    int code = job_load(&c->j, o);
    if (!code) code = notes_ready(&c->j, o);
    if (!code) code = notes_tuning(o, &c->tuning);
    if (code) return code;
    if (!sis_song_open(o->midi, &c->song, &fault)) return complain_fault(&fault);
    sis_clean(sis_text_file(o->midi), c->song_name, sizeof c->song_name);
    c->performance = (sis_performance){.scene = o->scene,
                                       .script = c->j.script,
                                       .settings = c->j.settings,
                                       .setting_count = c->j.setting_count,
                                       .song = &c->song,
                                       .song_name = c->song_name,
                                       .tuning = &c->tuning,
                                       .plan = c->j.plan,
                                       .scheme = c->j.scheme,
                                       .longest = o->duration,
                                       .sleep = o->sleep,
                                       .threads = levels_threads(o)};
    code = cast_open(&c->cast, o, &c->performance);
    if (!code) code = refine(c, o);
    return code ? code : choose_notes(c, o);
}

// ---------------------------------------------------------------------------- files

/** All scenes as loud as the first: the loudest key of each. */
static bool balance(concert* c, sis_fault* fault) {
    for (int32_t i = 0; i < c->cast.count; i++) {
        sis_performance one = c->performance;
        sis_instrument* scene = &c->cast.others[i];
        double peak = 0;
        double duration = sis_scene_render(sis_script_scene(scene->script)).duration;
        one.scene = scene->scene;
        one.script = scene->script;
        one.settings = scene->settings;
        one.setting_count = scene->setting_count;
        if (!sis_level_measure(&one, duration, &peak, fault)) return false;
        scene->gain = peak > 0 && c->spec.reference > 0 ? c->spec.reference / peak : 1;
    }
    return true;
}

static bool open_files(concert* c, const options* o, sis_fault* fault) {
    double rows = fmin(c->song.seconds * c->j.plan.rate, 1e15);
    c->spec = levels_spec(&c->j, o, 2, (uint64_t)rows); // at least so long
    if (!sis_sound_file_check(&c->spec, fault)) return false;
    sis_space space = {.count = 0};
    room_of_song(&c->j, o, c->song.seconds, &space);
    if (!sis_space_check(&space, fault)) return false;
    c->files = sis_files_new();
    if (!c->files) return sis_fault_no_memory(fault);
    sis_files_protect(c->files, o->scene, "scene");
    sis_files_protect(c->files, o->midi, "song");
    for (int32_t i = 0; i < c->cast.count; i++)
        sis_files_protect(c->files, c->cast.paths[i], "scene");
    if (o->scale) sis_files_protect(c->files, o->scale, "scale");
    if (o->keys) sis_files_protect(c->files, o->keys, "keyboard map");
    if (o->out && (c->out = sis_files_add(c->files, o->out, fault)) < 0) return false;
    if (o->json && (c->json = sis_files_add(c->files, o->json, fault)) < 0) return false;
    if (!o->out) return true;
    if ((c->sum = sis_files_scratch(c->files, fault)) < 0) return false;
    if (c->spec.normalise) c->unscaled = sis_files_scratch(c->files, fault);
    return (!c->spec.normalise || c->unscaled >= 0) &&
           levels_reference(&c->j, o, &c->spec, fault) && (!c->spec.normalise || balance(c, fault));
}

/** A sis_emit: the sum into its working file. */
static bool put_aside(void* self, const double* steps, int32_t count, sis_fault* fault) {
    const concert* c = self;
    return c->sum < 0 || sis_files_put(c->sum, steps, (size_t)count * 2 * sizeof *steps, fault);
}

/** The sum, through the low-pass filter where there is oversampling, into the file. */
static bool write_sound(concert* c, sis_fault* fault) {
    int32_t over = c->j.plan.oversample;
    c->spec.frames = c->performance.rows;
    c->file = sis_sound_file_open(c->out, c->unscaled, &c->spec, fault);
    if (!c->file) return false;
    sis_decimator* filter = NULL;
    if (over > 1)
        filter = sis_decimator_new(over, 2, c->spec.frames, sis_sound_file_take, c->file, fault);
    double* steps = malloc(ROOM * 2 * sizeof *steps);
    bool fine = (steps || sis_fault_no_memory(fault)) && (over == 1 || filter) &&
                (lseek(c->sum, 0, SEEK_SET) == 0 ||
                 sis_fault_set(fault, SIS_FAULT_RUN, "cannot read a working file back"));
    for (uint64_t left = c->spec.frames * (uint64_t)over; fine && left;) {
        int32_t now = left < ROOM ? (int32_t)left : ROOM;
        fine = sis_files_fetch(c->sum, steps, (size_t)now * 2 * sizeof *steps, fault) &&
               (filter ? sis_decimator_feed(filter, steps, now, fault)
                       : sis_sound_file_take(c->file, steps, now, fault));
        left -= (uint64_t)now;
    }
    fine = fine && (!filter || sis_decimator_finish(filter, fault));
    sis_decimator_free(filter);
    free(steps);
    if (!fine) return false;
    sis_sound_file* file = c->file;
    c->file = NULL;
    return sis_sound_file_close(file, &c->level, fault);
}

static int32_t voices_allowed(const concert* c) {
    int32_t all = sis_script_play(c->j.script)->voices;
    for (int32_t i = 0; i < c->cast.count; i++)
        all += sis_script_play(c->cast.scripts[i])->voices;
    return all;
}

static bool write_report(const concert* c, const options* o, sis_fault* fault) {
    const sis_performance* p = &c->performance;
    sis_song_report report = {.scene = c->j.name,
                              .song = p->song_name,
                              .title = c->j.render.title,
                              .plan = p->plan,
                              .rows = p->rows,
                              .notes = c->notes,
                              .skipped = c->skipped,
                              .played = p->played,
                              .silent = p->silent,
                              .voices = voices_allowed(c),
                              .voices_max = p->voices_max,
                              .stolen = p->stolen,
                              .capped = p->capped,
                              .systems = p->systems,
                              .left = p->left,
                              .bends = p->left_out.bends,
                              .pressures = p->left_out.pressures,
                              .controllers = p->left_out.controllers,
                              .programs = p->left_out.programs,
                              .sound = o->out ? &c->spec : NULL,
                              .level = &c->level,
                              .seconds = p->seconds};
    return sis_song_report_write(&report, c->json, fault);
}

// ---------------------------------------------------------------------------- playing

static bool play(concert* c, const options* o, sis_fault* fault) {
    if (!open_files(c, o, fault)) return false;
    progress bar = progress_begin(o->quiet);
    c->performance.emit = put_aside;
    c->performance.emit_self = c;
    c->performance.progress = progress_show;
    c->performance.progress_self = &bar;
    bool fine = sis_performance_go(&c->performance, fault);
    progress_end(&bar);
    return fine && (!o->out || write_sound(c, fault)) && (!o->json || write_report(c, o, fault)) &&
           sis_files_commit(c->files, fault);
}

/** Adds "12 pitch bends" to a list. */
static void list(char* text, size_t size, int32_t count, const char* one, const char* many) {
    size_t used = strlen(text);
    if (!count) return;
    snprintf(text + used, size - used, "%s%d %s", used ? ", " : "", (int)count,
             sis_plural((uint64_t)count, one, many));
}

/** What the song has and no scene takes, in one line. */
static void tell_left_out(const concert* c) {
    const sis_left_out* left = &c->performance.left_out;
    char text[1024] = "";
    list(text, sizeof text, left->bends, "pitch bend", "pitch bends");
    list(text, sizeof text, left->pressures, "pressure", "pressures");
    list(text, sizeof text, left->controllers, "controller", "controllers");
    for (int i = 0, first = 1; left->controllers && i < SIS_PLAY_CONTROLLERS; i++) {
        size_t used = strlen(text);
        if (left->numbers[i])
            snprintf(text + used, sizeof text - used, "%s%d", first ? " (" : ", ", i);
        first = first && !left->numbers[i];
    }
    if (left->controllers) strcat(text, ")");
    list(text, sizeof text, left->programs, "program change", "program changes");
    if (*text)
        fprintf(say_stream(), "sistrum: %s: left out, for want of inputs and scenes: %s\n",
                c->performance.song_name, text);
}

static void tell(const concert* c, const options* o) {
    const sis_performance* p = &c->performance;
    char text[64], names[512];
    double seconds = (double)p->rows / p->plan.rate;
    fprintf(say_stream(), "%s%s%s: %d %s of %s, %s at %g Hz", c->j.name, c->cast.count ? ", " : "",
            cast_names(&c->cast, names, sizeof names), (int)p->played,
            sis_plural((uint64_t)p->played, "note", "notes"), p->song_name,
            sis_unit_print(text, sizeof text, seconds, "s", 6), p->plan.rate);
    if (p->plan.oversample > 1) fprintf(say_stream(), " x %d", (int)p->plan.oversample);
    fprintf(say_stream(), "\n  voices    at most %d of %d at a time", (int)p->voices_max,
            (int)voices_allowed(c));
    if (p->stolen) fprintf(say_stream(), ", %d faded for a later note", (int)p->stolen);
    fprintf(say_stream(), "\n");
    if (p->silent)
        fprintf(say_stream(), "  silent    %d %s on keys that the tuning leaves out\n",
                (int)p->silent, sis_plural((uint64_t)p->silent, "note", "notes"));
    if (p->capped)
        fprintf(say_stream(), "  cut       %d %s still rang after %g s\n", (int)p->capped,
                sis_plural((uint64_t)p->capped, "voice", "voices"), SIS_VOICE_MOST_SECONDS);
    if (o->out) levels_tell(&c->spec, &c->level);
    double spent = p->seconds > 1e-9 ? p->seconds : 1e-9;
    fprintf(say_stream(), "  speed     %s, %.3g times real time on one core\n",
            sis_unit_print(text, sizeof text, spent, "s", 3), seconds / spent);
}

static void close_concert(concert* c) {
    sis_sound_file_free(c->file);
    if (c->sum >= 0) close(c->sum);
    if (c->unscaled >= 0) close(c->unscaled);
    sis_files_free(c->files);
    sis_song_free(&c->song);
    cast_close(&c->cast);
    job_close(&c->j);
}

int render_midi(const options* o) {
    int code = check_request(o);
    if (code) return code;
    concert c = {.out = -1, .json = -1, .sum = -1, .unscaled = -1};
    sis_fault fault;
    code = open_concert(&c, o);
    if (!code && !play(&c, o, &fault))
        code = *fault.object ? job_complain(&c.j, &fault) : complain_fault(&fault);
    if (!code && !o->quiet) tell(&c, o);
    if (!code && !o->quiet) tell_left_out(&c);
    if (!code && o->out) levels_warn(&c.spec, &c.level, o);
    close_concert(&c);
    return code;
}
