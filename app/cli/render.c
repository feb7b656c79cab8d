// sistrum render: a run into files. All of them appear at the end, or none does.

#include "checkpoint.h"
#include "crew.h"
#include "gestures.h"
#include "job.h"
#include "levels.h"
#include "outputs.h"
#include "render_many.h"
#include "render_midi.h"
#include "say.h"
#include "sistrum/elementary.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- asking

/** Another kind of file under a well-known ending would mislead every other program. */
static int check_ending(const char* option, const char* path, const char* own, const char* all) {
    static const char* const known[] = {".wav",  ".npy", ".csv", ".json", ".lua", ".flac", ".ogg",
                                        ".opus", ".mp3", ".aif", ".aiff", ".caf", ".au",   ".m4a",
                                        ".png",  ".svg", ".pdf", ".mat",  ".npz"};
    const char* dot = path ? strrchr(sis_text_file(path), '.') : NULL;
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (!strcasecmp(dot, known[i]) && strcasecmp(dot, own) != 0)
            return complain(EXIT_USAGE, "%s writes %s files, not '%s'", option, all, path);
    return EXIT_DONE;
}

/** Data are what the ending says: under any other one they would not be what the name says. */
static int check_data_ending(const char* path) {
    if (!path || sis_data_kind_of(path) != SIS_DATA_UNKNOWN) return EXIT_DONE;
    return complain(EXIT_USAGE, "--data writes .npy, .h5, .mat and .csv files, not '%s'", path);
}

static int check_energy_ending(const char* path) {
    if (!path || !sis_energy_is_text(path)) return EXIT_DONE;
    return check_ending("--energy", path, ".csv", ".csv, .npy, .h5 and .mat");
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
    return check_ending("--record", o->record, ".csv", ".csv");
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
    if (!code) code = check_energy_ending(o->energy);
    if (!code) code = check_ending("--json", o->json, ".json", ".json");
    if (!code) code = checkpoint_check(o);
    if (code) return code;
    bool binary =
        (o->out && sis_path_is_standard(o->out)) || (o->data && sis_path_is_standard(o->data));
    if (binary && isatty(STDOUT_FILENO))
        return complain(EXIT_USAGE, "sound and data are not written to a terminal: name a file");
    return EXIT_DONE;
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

static bool run(outputs* u, job* j, const options* o, checkpoint* c, sis_fault* fault) {
    u->threads = part_threads(j, o);
    sis_crew* crew = u->threads > 1 ? sis_crew_new(u->threads) : NULL;
    sis_threads threads = {crew, lend};
    if (!crew) u->threads = 1;
    progress bar = progress_begin(o->quiet);
    sis_run r = {.system = j->system,
                 .seldom = !outputs_every_energy(u),
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
    bool fine = checkpoint_start(c, u, &r, fault) && sis_run_go(&r, fault) &&
                sis_outside_fine(j->gestures.sound, fault);
    progress_end(&bar);
    sis_crew_free(crew);
    u->seconds = r.seconds;
    u->slept = (double)r.slept / sis_plan_step_rate(&j->plan);
    return fine;
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

/** Opens the files, runs, and completes them. */
static bool make(outputs* u, job* j, const options* o, checkpoint* c, sis_fault* fault) {
    return outputs_open(u, j, o, c->path, checkpoint_parts(c), fault) && run(u, j, o, c, fault) &&
           outputs_complete(u, j, fault) && checkpoint_complete(c, fault) &&
           outputs_commit(u, fault) && checkpoint_over(c, fault);
}

static int complain_run(const job* j, const options* o, const sis_fault* fault) {
    if (fault->starved) say_starve();
    if (o->word_count > 1 && fault->kind != SIS_FAULT_SCENE && !*fault->object)
        return complain((int)fault->kind, "%s: %s", j->name, fault->text);
    return job_complain(j, fault);
}

/** A run that was ended when nothing but names was left to do. */
static int finish_names(const job* j, const options* o, checkpoint* c) {
    sis_fault fault;
    const char* what = "was over already";
    if (c->phase == CHECKPOINT_COMPLETE) {
        if (!checkpoint_finish(c, o, &fault)) return complain_run(j, o, &fault);
        what = "was done but for the names of its files, which they have now";
    } else if (!checkpoint_kept(c, o, &fault)) {
        return complain_run(j, o, &fault);
    }
    if (!o->quiet) fprintf(say_stream(), "%s: the run of '%s' %s\n", j->name, c->path, what);
    return EXIT_DONE;
}

static int render_job(job* j, const options* o, checkpoint* c) {
    if (c->resumed && c->phase >= CHECKPOINT_COMPLETE) return finish_names(j, o, c);
    outputs u = {.files = NULL};
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    int code = EXIT_DONE;
    c->u = &u;
    if (make(&u, j, o, c, &fault)) {
        if (!o->quiet) tell(&u, j, o);
        gestures_warn(j, u.state);
        if (o->out) levels_warn(&u.spec, &u.level, o);
    } else {
        checkpoint_explain(c, &fault);
        code = complain_run(j, o, &fault);
    }
    outputs_close(&u);
    return code;
}

/** One scene. */
static int render(const options* o) {
    job j;
    checkpoint c = {.path = NULL};
    int code = job_open(&j, o);
    if (!code) code = checkpoint_open(&c, &j, o);
    if (!code) code = render_job(&j, o, &c);
    job_close(&j);
    checkpoint_close(&c);
    return code;
}

int command_render(const options* o) {
    int code = check_request(o);
    if (code) return code;
    if (o->midi) return render_midi(o);
    return render_needs_folders(o) ? render_many(o, render) : render(o);
}
