// sistrum render, as the program has it: the same files of app/cli/ and out/ stand on what is here. Files are in memory
// (web/src/engine/host.js), complaints are the page's, and what a page cannot have is not there.
#include "page.h"

#include "cast.h"
#include "checkpoint.h"
#include "crew.h"
#include "files.h"
#include "find.h"
#include "flac_file.h"
#include "job.h"
#include "outside.h"
#include "render_many.h"
#include "render_midi.h"
#include "report.h"
#include "say.h"
#include "space.h"
#include "suggest.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((import_module("sistrum"), import_name("progress"))) void page_progress(double done,
                                                                                      double all);

/** Runs `sistrum render` with these words, each ended by NUL. Returns its exit code; page_text has
 * the complaint. */
int EXPORT(page_render)(char* words, int32_t count) {
    char** list = calloc((size_t)count + 1, sizeof *list);
    if (!list) return complain(EXIT_RUN, "out of memory");
    for (int32_t i = 0; i < count; i++, words += strlen(words) + 1)
        list[i] = words;
    options o;
    page_say_begin();
    int code = options_read(&o, COMMAND_RENDER, count, list);
    o.quiet = true;
    if (!code) code = command_render(&o);
    options_free(&o);
    free(list);
    return code;
}

// ---------------------------------------------------------------------------- complaints

FILE* say_stream(void) {
    return stderr;
}

void say_starve(void) {}

static int fail_at(int code, const char* text, int line) {
    page_fail(text, line);
    return code;
}

int complain(int code, const char* format, ...) {
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return fail_at(code, text, 0);
}

int complain_script(const sis_script_error* error) {
    return fail_at(error->status == SIS_SCRIPT_SETTING ? EXIT_USAGE : EXIT_SCENE, error->text,
                   error->line);
}

int complain_fault(const sis_fault* fault) {
    return fail_at((int)fault->kind, fault->text, 0);
}

const char* closest(const char* wrong, const char* const* words, int count) {
    sis_suggestion suggestion = sis_suggest(wrong);
    for (int i = 0; i < count; i++)
        sis_suggest_from(&suggestion, words[i]);
    return suggestion.best;
}

progress progress_begin(bool quiet) {
    (void)quiet;
    return (progress){.wanted = true, .shown = sis_run_clock()};
}

void progress_show(void* self, uint64_t done, uint64_t steps) {
    progress* bar = self;
    double now = sis_run_clock();
    if (now - bar->shown < 0.05) return;
    bar->shown = now;
    page_progress((double)done, (double)steps);
}

void progress_end(progress* bar) {
    bar->wanted = false;
}

// ---------------------------------------------------------------------------- files

struct sis_files {
    int working;
};

sis_files* sis_files_new(void) {
    return calloc(1, sizeof(sis_files));
}

void sis_files_free(sis_files* files) {
    free(files);
}

void sis_files_protect(sis_files* files, const char* path, const char* what) {
    (void)files, (void)path, (void)what;
}

bool sis_path_is_standard(const char* path) {
    (void)path;
    return false;
}

int sis_files_add(sis_files* files, const char* path, sis_fault* fault) {
    (void)files;
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0)
        sis_fault_set(fault, SIS_FAULT_RUN, "cannot write '%s': %s", path, strerror(errno));
    return descriptor;
}

int sis_files_scratch(const sis_files* files, sis_fault* fault) {
    return sis_files_add((sis_files*)(uintptr_t)files, "working data", fault);
}

FILE* sis_files_stream(int descriptor, sis_fault* fault) {
    FILE* stream = fdopen(descriptor, "r+");
    if (!stream) sis_fault_no_memory(fault);
    return stream;
}

bool sis_files_close_stream(FILE* stream, sis_fault* fault) {
    return fclose(stream) == 0 ||
           (fault && sis_fault_set(fault, SIS_FAULT_RUN, "cannot write: %s", strerror(errno)));
}

bool sis_files_put(int scratch, const void* bytes, size_t size, sis_fault* fault) {
    return write(scratch, bytes, size) == (ssize_t)size ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write working data: %s", strerror(errno));
}

bool sis_files_fetch(int scratch, void* bytes, size_t size, sis_fault* fault) {
    return read(scratch, bytes, size) == (ssize_t)size ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot read working data back");
}

bool sis_files_commit(sis_files* files, sis_fault* fault) {
    (void)files, (void)fault;
    return true;
}

void sis_files_keep(sis_files* files, sis_parts parts) {
    (void)files, (void)parts;
}

bool sis_files_empty(sis_files* files, sis_fault* fault) {
    (void)files, (void)fault;
    return true;
}

bool sis_files_sync(const sis_files* files, sis_fault* fault) {
    (void)files, (void)fault;
    return true;
}

int sis_files_add_working(sis_files* files, const char* path, sis_fault* fault) {
    return sis_files_add(files, path, fault);
}

void sis_space_output(sis_space* space, const char* path, double bytes) {
    (void)space, (void)path, (void)bytes;
}

void sis_space_working(sis_space* space, const char* path, double bytes) {
    (void)space, (void)path, (void)bytes;
}

bool sis_space_check(const sis_space* space, sis_fault* fault) {
    (void)space, (void)fault;
    return true;
}

// ---------------------------------------------------------------------------- what a page has not

static bool refuse(sis_fault* fault, const char* what) {
    return sis_fault_set(fault, SIS_FAULT_REQUEST, "the page has no %s: take the program", what);
}

struct sis_crew {
    int nobody;
};

sis_crew* sis_crew_new(int32_t threads) {
    (void)threads;
    return calloc(1, sizeof(sis_crew));
}

void sis_crew_run(sis_crew* crew, int32_t count, void (*work)(void* self, int32_t i), void* self) {
    (void)crew;
    for (int32_t i = 0; i < count; i++)
        work(self, i);
}

void sis_crew_free(sis_crew* crew) {
    free(crew);
}

bool find_is_lost(const char* word) {
    (void)word;
    return false;
}

int find_complain(const char* word) {
    return complain(EXIT_USAGE, "there is no scene '%s'", word);
}

char* cast_first(const char* instruments) {
    (void)instruments;
    return NULL;
}

bool render_needs_folders(const options* o) {
    (void)o;
    return false;
}

int render_many(const options* o, int (*render)(const options* o)) {
    return render(o);
}

int checkpoint_check(const options* o) {
    if (!o->checkpoint && !o->resume && isnan(o->every)) return EXIT_DONE;
    return complain(EXIT_USAGE, "the page keeps no checkpoints: take the program");
}

int checkpoint_open(checkpoint* c, const job* j, const options* o) {
    *c = (checkpoint){.j = j, .every = o->every};
    return EXIT_DONE;
}

sis_parts checkpoint_parts(const checkpoint* c) {
    (void)c;
    return SIS_PARTS_NONE;
}

bool checkpoint_start(checkpoint* c, outputs* u, sis_run* run, sis_fault* fault) {
    (void)c, (void)u, (void)run, (void)fault;
    return true;
}

bool checkpoint_complete(checkpoint* c, sis_fault* fault) {
    (void)c, (void)fault;
    return true;
}

bool checkpoint_over(checkpoint* c, sis_fault* fault) {
    (void)c, (void)fault;
    return true;
}

bool checkpoint_finish(checkpoint* c, const options* o, sis_fault* fault) {
    (void)c, (void)o, (void)fault;
    return true;
}

bool checkpoint_kept(const checkpoint* c, const options* o, sis_fault* fault) {
    (void)c, (void)o, (void)fault;
    return true;
}

void checkpoint_explain(checkpoint* c, sis_fault* fault) {
    (void)c, (void)fault;
}

void checkpoint_close(checkpoint* c) {
    (void)c;
}

int render_midi(const options* o) {
    (void)o;
    return complain(EXIT_USAGE, "the page plays no MIDI files: take the program");
}

sis_flac* sis_flac_open(int descriptor, const sis_sound_spec* spec, sis_fault* fault) {
    (void)descriptor, (void)spec;
    return refuse(fault, "FLAC files"), NULL;
}

bool sis_flac_write(sis_flac* flac, const int* samples, size_t frames, sis_fault* fault) {
    (void)flac, (void)samples, (void)frames;
    return refuse(fault, "FLAC files");
}

bool sis_flac_close(sis_flac* flac, sis_fault* fault) {
    (void)flac;
    return refuse(fault, "FLAC files");
}

sis_outside* sis_outside_open(const char* path, sis_fault* fault) {
    (void)path;
    return refuse(fault, "sound from outside"), NULL;
}

void sis_outside_close(sis_outside* sound) {
    (void)sound;
}

double sis_outside_rate(const sis_outside* sound) {
    (void)sound;
    return 0;
}

uint64_t sis_outside_frames(const sis_outside* sound) {
    (void)sound;
    return 0;
}

void sis_outside_move(sis_outside* sound, const int32_t* inputs, const double* full, int32_t count,
                      int32_t oversample) {
    (void)sound, (void)inputs, (void)full, (void)count, (void)oversample;
}

bool sis_outside_moves(const sis_outside* sound, int32_t input) {
    (void)sound, (void)input;
    return false;
}

void sis_outside_fill(sis_outside* sound, uint64_t first, int32_t count, int32_t columns,
                      double* rows) {
    (void)sound, (void)first, (void)count, (void)columns, (void)rows;
}

bool sis_outside_fine(const sis_outside* sound, sis_fault* fault) {
    (void)sound, (void)fault;
    return true;
}
