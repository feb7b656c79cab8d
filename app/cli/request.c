// From options to a study.

#include "request.h"

#ifdef SISTRUM_SWEEP

#include "files.h"
#include "notes.h"
#include "say.h"
#include "scene_file.h"
#include "sweep_shard.h"
#include "temporary.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void request_close(request* r) {
    sis_sweep_free(r->sweep);
    free(r->scene);
    free(r->pairs);
    free(r->functions);
    free(r->database);
    free(r->shards);
    free(r->command);
    job_close(&r->j);
}

// ---------------------------------------------------------------------------- words

/** The number of a word in a list that ends in NULL; -1: it is none of them. */
static int find_in(const char* word, const char* (*at)(int)) {
    for (int i = 0; at(i); i++)
        if (!strcmp(at(i), word)) return i;
    return -1;
}

static const char* draw_at(int i) {
    return sis_draw_word((sis_draw)i);
}

static const char* sounds_at(int i) {
    return sis_sounds_word((sis_sounds)i);
}

static int read_index(request* r, const char* word) {
    char first[32];
    const char* slash = word ? strchr(word, '/') : NULL;
    r->part = r->parts = 1;
    if (!word) return EXIT_DONE;
    snprintf(first, sizeof first, "%.*s", slash && slash - word < 30 ? (int)(slash - word) : 0,
             word);
    if (!slash || !sis_text_whole(slash + 1, 1, 1000000, &r->parts) ||
        !sis_text_whole(first, 1, r->parts, &r->part))
        return complain(EXIT_USAGE,
                        "--index must be I/N with I from 1 to N, such as 3/16, not '%s'", word);
    return EXIT_DONE;
}

static int read_words(request* r, const options* o) {
    sis_sweep_spec* spec = &r->spec;
    int draw = o->draw_word ? find_in(o->draw_word, draw_at) : SIS_DRAW_UNIFORM;
    int sounds = o->sounds_word ? find_in(o->sounds_word, sounds_at) : SIS_SOUNDS_NONE;
    if (draw < 0)
        return complain(EXIT_USAGE, "--draw is uniform, sobol or latin, not '%s'", o->draw_word);
    if (o->sounds_word && sounds <= SIS_SOUNDS_NONE)
        return complain(EXIT_USAGE, "--sounds is wav, flac or npy, not '%s'", o->sounds_word);
    if (!o->sounds_word && (o->shards || !isnan(o->shard) || o->normalise_word))
        return complain(EXIT_USAGE, "%s is for sounds: give --sounds too",
                        o->shards           ? "--shards"
                        : o->normalise_word ? "--normalise"
                                            : "--shard");
    if (o->normalise_word && strcmp(o->normalise_word, "on") != 0 &&
        strcmp(o->normalise_word, "off") != 0)
        return complain(EXIT_USAGE, "--normalise is on or off, not '%s'", o->normalise_word);
    if (isnan(o->random) && !spec->fit && (!isnan(o->seed) || o->draw_word))
        return complain(EXIT_USAGE, "%s is about what is drawn: give --random N too",
                        o->draw_word ? "--draw" : "--seed");
    spec->draw = (sis_draw)draw;
    spec->sounds = (sis_sounds)sounds;
    spec->normalise =
        o->normalise_word ? !strcmp(o->normalise_word, "on") : spec->sounds == SIS_SOUNDS_FLAC;
    return read_index(r, o->index_word);
}

// ---------------------------------------------------------------------------- files

/** The text of a file; NULL: a complaint was made, and *code is its number. The scene has no option.
 */
static char* read_text(const char* option, const char* path, size_t* size, int* code) {
    char why[256];
    char* text = sis_file_read(path, size, why, sizeof why);
    if (text) return text;
    if (errno == ENOMEM) say_starve();
    *code = errno == ENOMEM ? complain(EXIT_RUN, "out of memory")
            : option        ? complain(EXIT_USAGE, "%s: cannot read '%s': %s", option, path, why)
                            : complain(EXIT_SCENE, "%s: cannot read the scene: %s", path, why);
    return NULL;
}

/** As text that ends in 0. */
static char* read_string(const char* option, const char* path, int* code) {
    size_t size = 0;
    char* text = read_text(option, path, &size, code);
    if (text && memchr(text, 0, size)) {
        *code =
            complain(EXIT_USAGE, "%s: '%s' is no text in UTF-8: it holds zero bytes", option, path);
        free(text);
        return NULL;
    }
    char* string = text ? strndup(text, size) : NULL;
    if (text && !string) *code = complain(EXIT_RUN, "out of memory");
    free(text);
    return string;
}

static int read_files(request* r, const options* o) {
    int code = EXIT_DONE;
    sis_sweep_spec* spec = &r->spec;
    r->scene = read_text(NULL, o->scene, &spec->scene_size, &code);
    spec->scene = r->scene;
    spec->scene_name = r->j.name;
    if (!code && o->pairs) r->pairs = read_string("--pairs", o->pairs, &code);
    spec->pairs = r->pairs;
    spec->pairs_name = o->pairs ? sis_text_file(o->pairs) : "";
    if (!code && o->measure_file)
        r->functions = read_text("--measure-file", o->measure_file, &spec->functions_size, &code);
    spec->functions = r->functions;
    spec->functions_name = o->measure_file ? sis_text_file(o->measure_file) : "";
    return code;
}

/** "study.db" becomes "study" and what is added. */
static char* beside(const char* database, const char* added) {
    size_t length = strlen(database), room = length + strlen(added) + 1;
    if (length > 3 && !strcasecmp(database + length - 3, ".db")) length -= 3;
    char* path = malloc(room);
    if (path) snprintf(path, room, "%.*s%s", (int)length, database, added);
    return path;
}

static int choose_paths(request* r, const options* o) {
    char part[64];
    snprintf(part, sizeof part, "-%ld-of-%ld.db", r->part, r->parts);
    r->database = o->index_word ? beside(o->out, part) : strdup(o->out);
    if (o->sounds_word) r->shards = o->shards ? strdup(o->shards) : beside(o->out, "-shards");
    if (!r->database || (o->sounds_word && !r->shards)) return complain(EXIT_RUN, "out of memory");
    return EXIT_DONE;
}

void request_words(FILE* out, int count, char** words) {
    for (int i = 0; i < count; i++) {
        const char* word = words[i];
        bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_-+=:,./@") == strlen(word);
        fputs(plain ? " " : " '", out);
        for (; *word; word++)
            fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
        fputs(plain ? "" : "'", out);
    }
}

/** What was typed, so that a shell would take it again. */
static int keep_command(request* r, const options* o, const char* program) {
    size_t size = 0;
    FILE* out = open_memstream(&r->command, &size);
    if (!out) return complain(EXIT_RUN, "out of memory");
    fputs(program, out);
    request_words(out, o->argc, o->argv);
    bool lost = ferror(out) != 0;
    return fclose(out) != 0 || lost ? complain(EXIT_RUN, "out of memory") : EXIT_DONE;
}

int request_folder(request* r) {
    r->made_shards = r->shards && mkdir(r->shards, 0777) == 0;
    if (!r->shards || r->made_shards || errno == EEXIST) return EXIT_DONE;
    return complain(EXIT_RUN, "cannot make the folder '%s': %s", r->shards, strerror(errno));
}

void request_leave_folder(const request* r) {
    if (r->made_shards) rmdir(r->shards);
}

void request_tell_lost(const request* r) {
    uint64_t all = 0, lost = 0, blocks = r->shards ? sis_sweep_blocks(r->sweep) : 0;
    for (uint64_t b = (uint64_t)r->part - 1; b < blocks; b += (uint64_t)r->parts, all++) {
        char* path = sis_shard_path(r->shards, b);
        lost += path && access(path, F_OK) != 0;
        free(path);
    }
    if (lost)
        complain(
            EXIT_DONE,
            "%llu of %llu shards %s not in '%s': the runs are done and not made again; another "
            "-o with this folder as --shards makes them",
            (unsigned long long)lost, (unsigned long long)all, lost == 1 ? "is" : "are", r->shards);
}

// ---------------------------------------------------------------------------- the study

static int make_study(request* r, const options* o) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    sis_sweep_spec* spec = &r->spec;
    spec->settings = r->j.settings;
    spec->setting_count = r->j.setting_count;
    spec->rate = o->rate;
    spec->duration = o->duration;
    spec->oversample = isnan(o->oversample) ? 0 : (int32_t)o->oversample;
    spec->scheme = o->scheme;
    spec->axes = o->axes;
    spec->axis_count = o->axis_count;
    spec->random = isnan(o->random) ? 0 : (uint64_t)o->random;
    spec->seed = isnan(o->seed) ? 1 : (uint64_t)o->seed;
    spec->free = o->free_list;
    spec->inputs = o->inputs;
    spec->input_count = o->input_count;
    spec->hold = o->hold;
    spec->a4 = isnan(o->a4) ? 440 : o->a4;
    spec->measures = o->measure_list;
    spec->shard = isnan(o->shard) ? 0 : (uint64_t)o->shard;
    r->sweep = sis_sweep_new(spec, &fault);
    return r->sweep ? EXIT_DONE : complain_fault(&fault);
}

/** As sistrum render says it: without a note they would do nothing. */
static int check_notes(const request* r, const options* o) {
    bool pitched = false, played = false;
    for (int32_t i = 0; i < r->sweep->points.axis_count; i++) {
        sis_axis_kind kind = r->sweep->points.axes[i].kind;
        pitched = pitched || kind == SIS_AXIS_NOTE;
        played = played || kind == SIS_AXIS_NOTE || kind == SIS_AXIS_VELOCITY;
    }
    if (!isnan(o->a4) && !pitched)
        return complain(EXIT_USAGE, "--a4 is how notes are tuned: give --axis note=A3 too");
    if (!isnan(o->hold) && !played)
        return complain(EXIT_USAGE, "--hold is how long the key of one note is down: give --axis "
                                    "note=A3 too");
    if (!isnan(o->hold) && !notes_held(r->j.script))
        return complain(EXIT_SCENE,
                        "%s: play{} names no input of gate, so --hold sets nothing: add gate = "
                        "\"NAME\" to it",
                        r->j.name);
    return EXIT_DONE;
}

int request_check(const options* o) {
    if (!o->scene)
        return complain(EXIT_USAGE, "sweep needs a scene: sistrum sweep SCENE -o study.db --axis "
                                    "NAME=from:to:count");
    if (o->word_count > 1)
        return complain(EXIT_USAGE, "one scene at a time: '%s' or '%s'", o->words[0], o->words[1]);
    if (!o->out) return complain(EXIT_USAGE, "sweep needs a database: -o study.db");
    if (o->best || o->lowest || !isnan(o->row_count))
        return complain(EXIT_USAGE, "%s is for sistrum sweep show study.db",
                        o->best     ? "--best"
                        : o->lowest ? "--lowest"
                                    : "--rows");
    sis_fault fault;
    if (o->csv && !sis_path_is_standard(o->csv) && !sis_path_is_free(o->csv, &fault))
        return complain_fault(&fault);
    return EXIT_DONE;
}

/** What was read. Curves come last: sis_files keeps no more than sixteen in mind. */
static void protect_inputs(sis_files* files, const request* r, const options* o) {
    sis_files_protect(files, r->database, "database");
    sis_files_protect(files, o->scene, "scene");
    if (o->pairs) sis_files_protect(files, o->pairs, "file of --pairs");
    if (o->measure_file) sis_files_protect(files, o->measure_file, "file of --measure-file");
    for (int32_t i = 0; i < o->target_count; i++)
        sis_files_protect(files, o->targets[i], "target");
    for (int32_t i = 0; i < o->input_count; i++) {
        const char* equals = strchr(o->inputs[i], '=');
        sis_files_protect(files, equals ? equals + 1 : o->inputs[i], "curve");
    }
}

int request_outputs(const request* r, const options* o) {
    sis_fault fault = {.kind = SIS_FAULT_RUN};
    if (!o->csv && !o->write) return EXIT_DONE;
    sis_files* files = sis_files_new();
    if (!files) return complain(EXIT_RUN, "out of memory");
    protect_inputs(files, r, o);
    bool fine = access(r->database, F_OK) == 0 || sis_files_add(files, r->database, &fault) >= 0;
    fine = fine && (!o->csv || sis_files_add(files, o->csv, &fault) >= 0);
    fine = fine && (!o->write || sis_files_add(files, o->write, &fault) >= 0);
    sis_files_free(files);
    return fine ? EXIT_DONE : complain_fault(&fault);
}

int request_open(request* r, const options* o, const char* program) {
    options plain = *o;
    plain.hold = (double)NAN; // job_load would ask for a note
    plain.a4 = (double)NAN;
    int code = job_load(&r->j, &plain);
    if (!code) code = read_words(r, o);
    if (!code) code = choose_paths(r, o);
    if (!code) code = read_files(r, o);
    if (!code) code = keep_command(r, o, program);
    if (!code) code = make_study(r, o);
    return code ? code : check_notes(r, o);
}

#endif
