// The files of one run: all of them appear at the end, or none does.

#include "outputs.h"

#include "levels.h"
#include "report.h"
#include "room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- opening

char* outputs_working(const char* kept_for) {
    size_t size = strlen(kept_for) + sizeof ".sound";
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s.sound", kept_for);
    return path;
}

/** Where sound waits until its peak is known, or until a run that may be ended is over. */
static int open_scratch(outputs* u, sis_fault* fault) {
    if (!u->parts) return sis_files_scratch(u->files, fault);
    char* path = outputs_working(u->kept_for);
    int scratch = path ? sis_files_add_working(u->files, path, fault) : -1;
    if (!path) sis_fault_no_memory(fault);
    free(path);
    return scratch;
}

static bool open_sound(outputs* u, const job* j, const options* o, sis_fault* fault) {
    bool heard = u->spec.channels > 0;
    int descriptor = sis_files_add(u->files, o->out, fault);
    if (descriptor < 0) return false;
    if (!sis_files_empty(u->files, fault)) return false;
    if ((u->spec.normalise || u->spec.kept) && heard) {
        u->scratch = open_scratch(u, fault);
        if (u->scratch < 0) return false;
    }
    if (u->spec.normalise && heard && !levels_reference(j, o, &u->spec, fault)) return false;
    if (heard) u->file = sis_sound_file_open(descriptor, u->scratch, &u->spec, fault);
    if (heard && !u->file) return false;
    u->sound = sis_sound_new(j->system, &j->plan, sis_sound_file_take, u->file, fault);
    if (!u->sound) return false;
    u->sinks[u->sink_count++] = sis_sound_sink(u->sound);
    return true;
}

static bool open_data(outputs* u, const job* j, const char* path, sis_fault* fault) {
    if (!sis_system_probe_count(j->system))
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "the scene has no probe, so there are no data: add probe{ on = ... }");
    int descriptor = sis_files_add(u->files, path, fault);
    if (descriptor < 0 ||
        !sis_data_open_probes(&u->data, descriptor, path, j->system, &j->plan, j->name,
                              j->render.title, u->parts == SIS_PARTS_OLD, fault))
        return false;
    u->sinks[u->sink_count++] = sis_data_sink_probes(&u->data);
    return true;
}

static bool open_energy(outputs* u, const job* j, const char* path, sis_fault* fault) {
    const bool text = sis_energy_is_text(path);
    const bool begun = u->parts == SIS_PARTS_OLD;
    int descriptor = sis_files_add(u->files, path, fault);
    if (descriptor < 0) return false;
    if (text ? !sis_csv_open(&u->csv, descriptor, &j->plan, fault)
             : !sis_data_open_energies(&u->energies, descriptor, path, &j->plan, j->name,
                                       j->render.title, begun, fault))
        return false;
    u->sinks[u->sink_count++] = text ? sis_csv_sink(&u->csv) : sis_data_sink_energies(&u->energies);
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

static bool open_json(outputs* u, const char* path, sis_fault* fault) {
    u->json = sis_files_add(u->files, path, fault);
    return u->json >= 0 && sis_files_empty(u->files, fault);
}

/** What cannot be is said before any file is touched. */
static bool can_be(outputs* u, const job* j, const options* o, sis_fault* fault) {
    const int32_t probes = sis_system_probe_count(j->system);
    const uint64_t rows = j->plan.rows;
    u->spec = levels_spec(j, o, sis_sound_channels(j->system), rows);
    bool heard = o->out && u->spec.channels > 0;
    if (heard && !sis_sound_file_check(&u->spec, fault)) return false;
    if (o->data && !sis_data_check(o->data, rows, probes, fault)) return false;
    if (o->energy && !sis_energy_is_text(o->energy) &&
        !sis_data_check(o->energy, rows, SIS_DATA_ENERGIES, fault))
        return false;
    if (u->parts == SIS_PARTS_OLD) return true; // much of it is there
    sis_space space = {.count = 0};
    room_of_scene(j, o, &space);
    return sis_space_check(&space, fault);
}

static void protect_inputs(outputs* u, const options* o) {
    sis_files_protect(u->files, o->scene, "scene");
    for (int32_t i = 0; i < o->input_count; i++) {
        const char* equals = strchr(o->inputs[i], '=');
        sis_files_protect(u->files, equals ? equals + 1 : o->inputs[i], "curve");
    }
    if (o->sound) sis_files_protect(u->files, o->sound, "sound");
    if (u->kept_for) sis_files_protect(u->files, u->kept_for, "checkpoint");
}

bool outputs_every_energy(const outputs* u) {
    return u->csv.stream || u->energies.columns;
}

bool outputs_open(outputs* u, const job* j, const options* o, const char* kept_for, sis_parts parts,
                  sis_fault* fault) {
    *u = (outputs){.parts = parts, .kept_for = kept_for, .scratch = -1, .json = -1};
    if (!can_be(u, j, o, fault)) return false;
    u->files = sis_files_new();
    if (!u->files) return sis_fault_no_memory(fault);
    sis_files_keep(u->files, parts);
    protect_inputs(u, o);
    u->state = sis_run_state(j->system, fault);
    if (!u->state) return false;
    if (!sis_tally_open(&u->tally, j->system, u->state, j->plan.oversample, fault)) return false;
    u->sinks[u->sink_count++] = sis_tally_sink(&u->tally);
    if (o->out && !open_sound(u, j, o, fault)) return false;
    if (o->data && !open_data(u, j, o->data, fault)) return false;
    if (o->energy && !open_energy(u, j, o->energy, fault)) return false;
    if (o->record && !open_record(u, j, o->record, fault)) return false;
    return !o->json || open_json(u, o->json, fault);
}

// ---------------------------------------------------------------------------- keeping

bool outputs_keep(outputs* u, const job* j, sis_store* store, sis_fault* fault) {
    sis_store_walk(store, u->state, sis_state_size(j->system));
    sis_tally_keep(&u->tally, store);
    if (u->sound) sis_sound_keep(u->sound, store);
    if (u->file && !sis_sound_file_keep(u->file, store, fault)) return false;
    if (u->data.columns && !sis_data_keep(&u->data, store, fault)) return false;
    if (u->energies.columns && !sis_data_keep(&u->energies, store, fault)) return false;
    if (u->csv.stream && !sis_csv_keep(&u->csv, store, fault)) return false;
    if (u->record.stream && !sis_record_keep(&u->record, store, fault)) return false;
    return sis_store_fine(store, fault) && (store->reading || sis_files_sync(u->files, fault));
}

// ---------------------------------------------------------------------------- completing

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

bool outputs_complete(outputs* u, const job* j, sis_fault* fault) {
    if (u->sound && !sis_sound_finish(u->sound, fault)) return false;
    sis_sound_file* file = u->file;
    u->file = NULL;
    if (!sis_sound_file_close(file, &u->level, fault)) return false;
    if (!sis_data_close(&u->data, fault) || !sis_data_close(&u->energies, fault) ||
        !sis_csv_close(&u->csv, fault) || !sis_record_close(&u->record, fault))
        return false;
    return u->json < 0 || write_report(u, j, fault);
}

bool outputs_commit(outputs* u, sis_fault* fault) {
    return sis_files_commit(u->files, fault);
}

void outputs_close(outputs* u) {
    sis_sound_free(u->sound);
    sis_sound_file_free(u->file);
    sis_data_close(&u->data, NULL);
    sis_data_close(&u->energies, NULL);
    sis_csv_close(&u->csv, NULL);
    sis_record_close(&u->record, NULL);
    if (u->scratch >= 0 && !u->kept_for) close(u->scratch);
    sis_tally_close(&u->tally);
    sis_files_free(u->files);
    free(u->state);
}
