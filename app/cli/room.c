#include "room.h"

#include "csv.h"
#include "data_file.h"
#include "levels.h"
#include "say.h"
#include "sound.h"

#include <math.h>
#include <stdlib.h>

// A report: its frame, and what an object of the scene or a param may take in it.
#define REPORT_BYTES 16384.0
#define OBJECT_BYTES 2048.0

static double report_bytes(const job* j) {
    int32_t objects = sis_scene_count(sis_script_scene(j->script));
    return REPORT_BYTES + OBJECT_BYTES * (objects + sis_script_param_count(j->script));
}

static int32_t count_probes(const job* j) {
    const sis_scene* scene = sis_script_scene(j->script);
    int32_t probes = 0;
    for (sis_id id = 0; id < sis_scene_count(scene); id++)
        probes += sis_scene_kind(scene, id) == SIS_KIND_PROBE;
    return probes;
}

static void add_sound(const sis_sound_spec* spec, const char* path, sis_space* space) {
    sis_space_output(space, path, sis_sound_file_bytes(spec));
    double unscaled = (double)sizeof(double) * spec->channels * (double)spec->frames;
    if (spec->normalise || spec->kept) sis_space_working(space, path, unscaled);
}

static double energy_bytes(const job* j, const char* path) {
    if (sis_energy_is_text(path)) return sis_csv_bytes(&j->plan);
    return sis_data_bytes(path, j->plan.rows, SIS_DATA_ENERGIES);
}

void room_of_scene(const job* j, const options* o, sis_space* space) {
    int32_t probes = count_probes(j);
    int32_t channels = j->system ? sis_sound_channels(j->system) : probes;
    sis_sound_spec spec = levels_spec(j, o, channels, j->plan.rows);
    if (o->out) add_sound(&spec, o->out, space);
    if (o->data) sis_space_output(space, o->data, sis_data_bytes(o->data, j->plan.rows, probes));
    if (o->energy) sis_space_output(space, o->energy, energy_bytes(j, o->energy));
    if (o->json) sis_space_output(space, o->json, report_bytes(j));
}

void room_of_song(const job* j, const options* o, double seconds, sis_space* space) {
    if (!isnan(o->duration)) seconds = fmin(seconds, o->duration);
    double rows = fmin(seconds * j->plan.rate, 1e15);
    sis_sound_spec spec = levels_spec(j, o, 2, (uint64_t)rows);
    double sum = 2.0 * sizeof(double) * rows * j->plan.oversample;
    if (o->out) add_sound(&spec, o->out, space);
    if (o->out) sis_space_working(space, o->out, sum);
    if (o->json) sis_space_output(space, o->json, REPORT_BYTES);
}

// ---------------------------------------------------------------------------- several scenes

/** What it complains about is said again when the scene is rendered. */
static void look_at(const options* o, bool compile, sis_space* space) {
    job j;
    *space = (sis_space){.count = 0};
    int code = job_load(&j, o);
    if (!code && compile) code = job_compile(&j);
    if (!code) room_of_scene(&j, o, space);
    job_close(&j);
}

int room_for_scenes(const options* (*each)(const void* self, int32_t i), const void* self,
                    int32_t count, int32_t threads) {
    sis_space* runs = calloc((size_t)count, sizeof *runs);
    FILE* nowhere = fopen("/dev/null", "w");
    bool fits = false;
    sis_fault fault = {0};
    // Compiling takes longer and is needed only where room is short.
    for (int compile = 0; runs && nowhere && compile < 2 && !fits; compile++) {
        sis_space all = {.count = 0};
        say_into(nowhere);
        for (int32_t i = 0; i < count; i++)
            look_at(each(self, i), compile, &runs[i]);
        say_into(NULL);
        sis_space_join(&all, runs, count, threads);
        fits = sis_space_check(&all, &fault);
    }
    bool looked = runs && nowhere;
    if (nowhere) fclose(nowhere);
    free(runs);
    if (!looked) return complain(EXIT_RUN, "out of memory");
    return fits ? EXIT_DONE : complain_fault(&fault);
}
