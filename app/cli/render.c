// sistrum render: a run into files. All of them appear at the end, or none does.

#include "crew.h"
#include "csv.h"
#include "files.h"
#include "gestures.h"
#include "job.h"
#include "levels.h"
#include "npy.h"
#include "record.h"
#include "render_many.h"
#include "render_midi.h"
#include "report.h"
#include "room.h"
#include "say.h"
#include "sistrum/elementary.h"
#include "sound.h"
#include "tally.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/** Everything a run is poured into. */
typedef struct outputs {
    sis_files* files;
    sis_state* state;
    sis_tally tally;
    sis_sound* sound;
    sis_sound_spec spec; // of its file
    sis_sound_file* file;
    sis_sound_level level;
    int scratch;
    sis_npy npy;
    sis_csv csv;
    sis_record record;
    int json; // descriptor
    sis_sink sinks[5];
    int32_t sink_count;
    double seconds; // spent stepping
    int32_t threads;
    double slept; // s, when it fell asleep; 0: it did not
} outputs;

// ---------------------------------------------------------------------------- asking

/** Another kind of file under a well-known ending would mislead every other program. */
static int check_ending(const char* option, const char* path, const char* own) {
    static const char* const known[] = {".wav",  ".npy", ".csv", ".json", ".lua", ".flac", ".ogg",
                                        ".opus", ".mp3", ".aif", ".aiff", ".caf", ".au",   ".m4a",
                                        ".png",  ".svg", ".pdf", ".mat",  ".npz"};
    const char* dot = path ? strrchr(sis_text_file(path), '.') : NULL;
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (!strcasecmp(dot, known[i]) && strcasecmp(dot, own) != 0)
            return complain(EXIT_USAGE, "%s writes %s files, not '%s'", option, own, path);
    return EXIT_DONE;
}

/** Data have one kind of file: under any other ending it would not be what the name says. */
static int check_data_ending(const char* path) {
    static const char* const later[] = {".h5", ".hdf5", ".hdf", ".he5", ".mat"};
    const char* dot = path ? strrchr(sis_text_file(path), '.') : NULL;
    if (!dot || !strcasecmp(dot, ".npy")) return EXIT_DONE;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (!strcasecmp(dot, later[i]))
            return complain(EXIT_USAGE,
                            "--data writes .npy files, not '%s': HDF5 and Matlab files are not "
                            "written yet",
                            path);
    return complain(EXIT_USAGE, "--data writes .npy files, not '%s'", path);
}

/** Gestures belong to one run of one scene. */
static int check_gestures(const options* o) {
    const char* option = o->record        ? "--record"
                         : o->input_count ? "--input"
                         : o->sound       ? "--sound"
                                          : NULL;
    if (option && o->midi)
        return complain(EXIT_USAGE, "%s is for a run without --midi, whose notes play the inputs",
                        option);
    if (option && render_needs_folders(o))
        return complain(EXIT_USAGE, "%s is for one scene at a time", option);
    return check_ending("--record", o->record, ".csv");
}

static int check_request(const options* o) {
    if (!o->scene)
        return complain(EXIT_USAGE, "render needs a scene: sistrum render SCENE -o out.wav");
    if (!o->out && !o->data && !o->energy && !o->json && !o->record)
        return complain(EXIT_USAGE,
                        "render needs an output: -o out.wav, --data out.npy, --energy out.csv or "
                        "--json report.json");
    int code = levels_check(o);
    if (!code) code = check_gestures(o);
    if (!code && !render_needs_folders(o)) code = check_data_ending(o->data);
    if (!code) code = check_ending("--energy", o->energy, ".csv");
    if (!code) code = check_ending("--json", o->json, ".json");
    if (code) return code;
    bool binary =
        (o->out && sis_path_is_standard(o->out)) || (o->data && sis_path_is_standard(o->data));
    if (binary && isatty(STDOUT_FILENO))
        return complain(EXIT_USAGE, "sound and data are not written to a terminal: name a file");
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------- opening

static bool open_sound(outputs* u, const job* j, const options* o, sis_fault* fault) {
    bool heard = u->spec.channels > 0;
    int descriptor = sis_files_add(u->files, o->out, fault);
    if (descriptor < 0) return false;
    if (u->spec.normalise && heard) {
        u->scratch = sis_files_scratch(u->files, fault);
        if (u->scratch < 0 || !levels_reference(j, o, &u->spec, fault)) return false;
    }
    if (heard) u->file = sis_sound_file_open(descriptor, u->scratch, &u->spec, fault);
    if (heard && !u->file) return false;
    u->sound = sis_sound_new(j->system, &j->plan, sis_sound_file_take, u->file, fault);
    if (!u->sound) return false;
    u->sinks[u->sink_count++] = sis_sound_sink(u->sound);
    return true;
}

static bool open_data(outputs* u, const job* j, const char* path, sis_fault* fault) {
    int32_t columns = sis_system_probe_count(j->system);
    if (!columns)
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "the scene has no probe, so there are no data: add probe{ on = ... }");
    int descriptor = sis_files_add(u->files, path, fault);
    if (descriptor < 0 ||
        !sis_npy_open(&u->npy, descriptor, j->plan.rows, columns, j->plan.oversample, fault))
        return false;
    u->sinks[u->sink_count++] = sis_npy_sink(&u->npy);
    return true;
}

static bool open_energy(outputs* u, const job* j, const char* path, sis_fault* fault) {
    int descriptor = sis_files_add(u->files, path, fault);
    if (descriptor < 0 || !sis_csv_open(&u->csv, descriptor, &j->plan, fault)) return false;
    u->sinks[u->sink_count++] = sis_csv_sink(&u->csv);
    return true;
}

static bool open_record(outputs* u, const job* j, const char* path, sis_fault* fault) {
    if (!sis_system_input_count(j->system))
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "the scene has no input, so there is nothing to record: add "
                             "input{ \"NAME\", VALUE }");
    int descriptor = sis_files_add(u->files, path, fault);
    if (descriptor < 0 || !sis_record_open(&u->record, descriptor, j->system, fault)) return false;
    u->sinks[u->sink_count++] = sis_record_sink(&u->record);
    return true;
}

/** What cannot be is said before any file is touched. */
static bool can_be(outputs* u, const job* j, const options* o, sis_fault* fault) {
    u->spec = levels_spec(j, o, sis_sound_channels(j->system), j->plan.rows);
    bool heard = o->out && u->spec.channels > 0;
    if (heard && !sis_sound_file_check(&u->spec, fault)) return false;
    sis_space space = {.count = 0};
    room_of_scene(j, o, &space);
    return sis_space_check(&space, fault);
}

static bool open_outputs(outputs* u, const job* j, const options* o, sis_fault* fault) {
    *u = (outputs){.scratch = -1, .json = -1};
    if (!can_be(u, j, o, fault)) return false;
    u->files = sis_files_new();
    if (!u->files) return sis_fault_no_memory(fault);
    sis_files_protect(u->files, o->scene, "scene");
    for (int32_t i = 0; i < o->input_count; i++) {
        const char* equals = strchr(o->inputs[i], '=');
        sis_files_protect(u->files, equals ? equals + 1 : o->inputs[i], "curve");
    }
    if (o->sound) sis_files_protect(u->files, o->sound, "sound");
    u->state = sis_run_state(j->system, fault);
    if (!u->state) return false;
    if (!sis_tally_open(&u->tally, j->system, u->state, j->plan.oversample, fault)) return false;
    u->sinks[u->sink_count++] = sis_tally_sink(&u->tally);
    if (o->out && !open_sound(u, j, o, fault)) return false;
    if (o->data && !open_data(u, j, o->data, fault)) return false;
    if (o->energy && !open_energy(u, j, o->energy, fault)) return false;
    if (o->record && !open_record(u, j, o->record, fault)) return false;
    if (o->json) u->json = sis_files_add(u->files, o->json, fault);
    return !o->json || u->json >= 0;
}

// ---------------------------------------------------------------------------- running

/** Fewer parts are not worth the threads, unless they are asked for. */
enum { PARTS_LEAST = 4 };

/** Threads for the parts of one scene; several scenes have one each. */
static int32_t part_threads(const job* j, const options* o) {
    int32_t parts = sis_system_parts(j->system), most = levels_threads(o);
    if (o->word_count > 1 || parts < (isnan(o->threads) ? PARTS_LEAST : 2)) return 1;
    return most < parts ? most : parts;
}

static void lend(void* crew, int32_t count, void (*work)(void* data, int32_t i), void* data) {
    sis_crew_run(crew, count, work, data);
}

static bool run(outputs* u, job* j, const options* o, sis_fault* fault) {
    u->threads = part_threads(j, o);
    sis_crew* crew = u->threads > 1 ? sis_crew_new(u->threads) : NULL;
    sis_threads threads = {crew, lend};
    if (!crew) u->threads = 1;
    progress bar = progress_begin(o->quiet);
    sis_run r = {.system = j->system,
                 .seldom = !u->csv.stream, // no file has them all
                 .state = u->state,
                 .steps = sis_plan_steps(&j->plan),
                 .sinks = u->sinks,
                 .sink_count = u->sink_count,
                 .threads = crew ? &threads : NULL,
                 .sleep = isnan(o->sleep) ? 0 : sis_power(10, -o->sleep / 10),
                 .progress = progress_show,
                 .progress_self = &bar};
    r.gestures_self = job_gestures(j);
    if (r.gestures_self) r.gestures = sis_input_curves_fill;
    bool fine = sis_run_go(&r, fault) && sis_outside_fine(j->gestures.sound, fault);
    progress_end(&bar);
    sis_crew_free(crew);
    u->seconds = r.seconds;
    u->slept = (double)r.slept / sis_plan_step_rate(&j->plan);
    return fine;
}

static bool write_report(const outputs* u, const job* j, sis_fault* fault) {
    int32_t count = sis_script_param_count(j->script);
    sis_report_param* params = calloc((size_t)count + 1, sizeof *params);
    if (!params) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i < count; i++) {
        sis_param p = sis_script_param(j->script, i);
        params[i] = (sis_report_param){.name = p.name,
                                       .label = p.label,
                                       .unit = p.unit,
                                       .value = p.value,
                                       .fallback = p.fallback,
                                       .min = p.min,
                                       .max = p.max};
    }
    sis_report report = {.scene = j->name,
                         .title = j->render.title,
                         .plan = j->plan,
                         .system = j->system,
                         .state = u->state,
                         .tally = &u->tally,
                         .driven = job_driven(j),
                         .params = params,
                         .param_count = count,
                         .sound = u->sound ? &u->spec : NULL,
                         .level = &u->level,
                         .seconds = u->seconds,
                         .slept = u->slept};
    bool fine = sis_report_write(&report, u->json, fault);
    free(params);
    return fine;
}

/** Completes every file; only then do they get their names. */
static bool finish(outputs* u, const job* j, sis_fault* fault) {
    if (u->sound && !sis_sound_finish(u->sound, fault)) return false;
    sis_sound_file* file = u->file;
    u->file = NULL;
    if (!sis_sound_file_close(file, &u->level, fault)) return false;
    if (!sis_npy_close(&u->npy, fault) || !sis_csv_close(&u->csv, fault) ||
        !sis_record_close(&u->record, fault))
        return false;
    if (u->json >= 0 && !write_report(u, j, fault)) return false;
    return sis_files_commit(u->files, fault);
}

static void close_outputs(outputs* u) {
    sis_sound_free(u->sound);
    sis_sound_file_free(u->file);
    sis_npy_close(&u->npy, NULL);
    sis_csv_close(&u->csv, NULL);
    sis_record_close(&u->record, NULL);
    if (u->scratch >= 0) close(u->scratch);
    sis_tally_close(&u->tally);
    sis_files_free(u->files);
    free(u->state);
}

// ---------------------------------------------------------------------------- telling

/** Where a contact went on without a real root its energy is not what the motion has. */
static void tell_breaks(const outputs* u, const job* j) {
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_report r = sis_state_link(j->system, u->state, i);
        if (!r.complex_roots) continue;
        fprintf(say_stream(),
                "  %-9s energy breaks at %llu %s: complex roots, the first at sample %llu\n",
                sis_system_link(j->system, i).name, (unsigned long long)r.complex_roots,
                sis_plural(r.complex_roots, "sample", "samples"),
                (unsigned long long)r.first_complex);
    }
}

/** root and the integrators of one impact do not promise to conserve. */
static bool conserves(const sis_link_info* link) {
    return link->kind != SIS_KIND_CONTACT || link->scheme < SIS_SCHEME_ROOT;
}

/** Is all that flowed no more than rounding of what forces exchange in a sample? Where a body is
 * held rigidly nothing else may flow. */
static bool only_rounding(const outputs* u, const job* j) {
    double exchanged = 0; // J, what the largest force of a point does to its bodies in one sample
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info link = sis_system_link(j->system, i);
        sis_link_report r = sis_state_link(j->system, u->state, i);
        double force = fmax(r.max_force, -r.min_force);
        if (!conserves(&link)) return false;
        exchanged = fmax(exchanged, 0.5 * force * force * link.compliance);
    }
    return u->tally.balance.flowed <= 1e-12 * exchanged;
}

/** What the numbers say against the run: energy that does not close, or that a contact kept. */
static void tell_doubts(const outputs* u, const job* j) {
    bool promised = true;
    for (int32_t i = 0; i < sis_system_link_count(j->system); i++) {
        sis_link_info link = sis_system_link(j->system, i);
        sis_link_report r = sis_state_link(j->system, u->state, i);
        double held = sis_tally_share(&u->tally, r.trapped_max);
        promised = promised && conserves(&link);
        if (held > 0.01)
            fprintf(say_stream(),
                    "  %-9s held %.2g %% of the energy while open: too stiff for this scheme and "
                    "rate; try scheme = \"newton\" or more oversampling\n",
                    link.name, 100 * held);
        if (r.unconverged)
            fprintf(say_stream(),
                    "  %-9s its force did not converge in %llu %s: too stiff for double "
                    "precision beside its neighbours; lower K or raise the rate\n",
                    link.name, (unsigned long long)r.unconverged,
                    sis_plural(r.unconverged, "step", "steps"));
    }
    double off = sis_balance_residual(&u->tally.balance);
    if (off > 0.1 && !promised)
        fprintf(say_stream(),
                "  doubt     energy is off by %.2g of what flowed: its scheme needs more samples a "
                "contact; raise the rate, lower K, or take ledger\n",
                off);
    if (off > 1e-6 && promised && !only_rounding(u, j))
        fprintf(say_stream(),
                "  doubt     the energy does not close: some contact is too stiff for double "
                "precision; lower K or raise the rate\n");
}

static void tell(const outputs* u, const job* j, const options* o) {
    char text[64];
    double duration = (double)j->plan.rows / j->plan.rate;
    fprintf(say_stream(), "%s: %llu %s, %s at %g Hz", j->name, (unsigned long long)j->plan.rows,
            sis_plural(j->plan.rows, "sample", "samples"),
            sis_unit_print(text, sizeof text, duration, "s", 6), j->plan.rate);
    if (j->plan.oversample > 1) fprintf(say_stream(), " x %d", (int)j->plan.oversample);
    fprintf(say_stream(), "\n");
    for (int32_t i = 0; i < u->tally.probe_count && i < 8; i++) {
        sis_probe_info info = sis_system_probe(j->system, i);
        const sis_tally_probe* p = &u->tally.probes[i];
        sis_unit unit = sis_unit_pick(p->largest, info.unit);
        fprintf(say_stream(), "  %-9s %.4g to %.4g %s\n", info.name, p->min / unit.factor,
                p->max / unit.factor, unit.text);
    }
    if (o->out) levels_tell(&u->spec, &u->level);
    sis_unit_print(text, sizeof text, u->tally.balance.flowed, "J", 4);
    double residual = sis_balance_residual(&u->tally.balance);
    if (residual > 1e-6 && only_rounding(u, j))
        fprintf(say_stream(), "  energy    residual %.2g: nothing moves but by rounding, %s\n",
                residual, text);
    else
        fprintf(say_stream(), "  energy    residual %.2g of the %s that flowed\n", residual, text);
    if (u->slept > 0)
        fprintf(say_stream(), "  sleeps    from %s on\n",
                sis_unit_print(text, sizeof text, u->slept, "s", 4));
    tell_breaks(u, j);
    tell_doubts(u, j);
    double seconds = u->seconds > 1e-9 ? u->seconds : 1e-9;
    fprintf(say_stream(), "  speed     %s, %.3g times real time",
            sis_unit_print(text, sizeof text, seconds, "s", 3), duration / seconds);
    if (u->threads > 1) fprintf(say_stream(), ", in %d threads", (int)u->threads);
    fprintf(say_stream(), "\n");
}

/** One scene. */
static int render(const options* o) {
    job j;
    int code = job_open(&j, o);
    if (code) {
        job_close(&j);
        return code;
    }
    outputs u;
    sis_fault fault;
    bool fine = open_outputs(&u, &j, o, &fault) && run(&u, &j, o, &fault) && finish(&u, &j, &fault);
    if (fine && !o->quiet) tell(&u, &j, o);
    if (fine) gestures_warn(&j, u.state);
    if (fine && o->out) levels_warn(&u.spec, &u.level, o);
    if (!fine && fault.starved) say_starve();
    if (!fine && o->word_count > 1 && fault.kind != SIS_FAULT_SCENE && !*fault.object)
        code = complain((int)fault.kind, "%s: %s", j.name, fault.text);
    else if (!fine)
        code = job_complain(&j, &fault);
    close_outputs(&u);
    job_close(&j);
    return code;
}

int command_render(const options* o) {
    int code = check_request(o);
    if (code) return code;
    if (o->midi) return render_midi(o);
    return render_needs_folders(o) ? render_many(o, render) : render(o);
}
