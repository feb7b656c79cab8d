#include "data_inside.h"

#include "csv.h"
#include "files.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// ---------------------------------------------------------------------------- kinds

sis_data_kind sis_data_kind_of(const char* path) {
    static const struct {
        const char* ending;
        sis_data_kind kind;
    } all[] = {{".npy", SIS_DATA_NPY}, {".csv", SIS_DATA_CSV},   {".mat", SIS_DATA_MAT},
               {".h5", SIS_DATA_HDF5}, {".hdf5", SIS_DATA_HDF5}, {".hdf", SIS_DATA_HDF5},
               {".he5", SIS_DATA_HDF5}};
    const char* dot = strrchr(sis_text_file(path), '.');
    for (size_t i = 0; dot && i < sizeof all / sizeof *all; i++)
        if (!strcasecmp(dot, all[i].ending)) return all[i].kind;
    return dot ? SIS_DATA_UNKNOWN : SIS_DATA_NPY;
}

bool sis_energy_is_text(const char* path) {
    if (!strrchr(sis_text_file(path), '.')) return true;
    sis_data_kind kind = sis_data_kind_of(path);
    return kind == SIS_DATA_CSV || kind == SIS_DATA_UNKNOWN;
}

#define MAT_MOST 2147483647.0 // bytes of a variable

bool sis_data_check(const char* path, uint64_t rows, int32_t columns, sis_fault* fault) {
    double size = 8.0 * (double)rows * columns;
    sis_data_kind kind = sis_data_kind_of(path);
    if (kind == SIS_DATA_HDF5) return sis_hdf5_ready(path, fault);
    if (kind == SIS_DATA_MAT && size > MAT_MOST)
        return sis_fault_set(
            fault, SIS_FAULT_REQUEST,
            "'%s' would hold %.4g GB in one variable, and a Matlab file cannot hold "
            "more than 2 GiB: write .h5 or .npy",
            path, size / 1e9);
    return true;
}

#define TEXT_ROOM 8192.0 // names, units and all the rest, but for long ones
#define NAME_ROOM 512.0

double sis_data_bytes(const char* path, uint64_t rows, int32_t columns) {
    sis_data_kind kind = sis_data_kind_of(path);
    if (kind == SIS_DATA_NPY) return sis_npy_bytes(rows, columns);
    double text = TEXT_ROOM + NAME_ROOM * columns, cells = (double)rows * columns;
    if (kind != SIS_DATA_CSV) return text + 8 * cells;
    return text + 25 * (cells + (double)rows); // -1.2345678901234567e-100 and what follows it
}

// ---------------------------------------------------------------------------- bytes

bool sis_data_failed(sis_fault* fault) {
    if (errno == ENOMEM) return sis_fault_no_memory(fault);
    return sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the data: %s", strerror(errno));
}

bool sis_data_put_at(int descriptor, const void* bytes, size_t size, uint64_t at,
                     sis_fault* fault) {
    const char* from = bytes;
    if (lseek(descriptor, (off_t)at, SEEK_SET) < 0) return sis_data_failed(fault);
    while (size) {
        ssize_t done = write(descriptor, from, size);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = ENOSPC;
        if (done <= 0) return sis_data_failed(fault);
        from += done;
        size -= (size_t)done;
    }
    return true;
}

// ---------------------------------------------------------------------------- CSV

/** A line of a comment ends where the text does. */
static void print_plain(FILE* stream, const char* text) {
    for (; *text; text++)
        fputc((unsigned char)*text < 32 ? ' ' : *text, stream);
}

static void print_field(FILE* stream, const char* text) {
    bool plain = !strpbrk(text, ",\"\r\n") && *text != '#';
    if (plain) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc((unsigned char)*text < 32 ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

static bool text_fine(FILE* stream, sis_fault* fault) {
    return !ferror(stream) || sis_data_failed(fault);
}

/** Comments, then the names. */
static bool print_heading(FILE* stream, const sis_data_about* about, sis_fault* fault) {
    errno = 0;
    fprintf(stream, "# sistrum: " SIS_VERSION "\n# scene: ");
    print_plain(stream, about->scene);
    fprintf(stream, "\n# title: ");
    print_plain(stream, about->title);
    fprintf(stream, "\n# rate: %.17g\n# start: %.17g\n# oversample: %d\n# units: s", about->rate,
            about->start, (int)about->oversample);
    for (int32_t c = 0; c < about->columns; c++) {
        fputc(',', stream);
        print_field(stream, about->units[c]);
    }
    fprintf(stream, "\ntime");
    for (int32_t c = 0; c < about->columns; c++) {
        fputc(',', stream);
        print_field(stream, about->names[c]);
    }
    fputc('\n', stream);
    return text_fine(stream, fault);
}

static bool print_rows(sis_data_file* f, const double* rows, int32_t count, sis_fault* fault) {
    errno = 0;
    for (int32_t n = 0; n < count; n++) {
        fprintf(f->text, "%.17g", f->start + (double)(f->row + (uint64_t)n) / f->rate);
        for (int32_t c = 0; c < f->columns; c++)
            fprintf(f->text, ",%.17g", *rows++);
        fputc('\n', f->text);
    }
    return text_fine(f->text, fault);
}

// ---------------------------------------------------------------------------- columns of Matlab

#define BLOCK_NUMBERS 131072.0 // 1 MiB

static bool make_block(sis_data_file* f, sis_fault* fault) {
    double room = BLOCK_NUMBERS / f->columns;
    f->room = room > 64 ? (size_t)room : 64;
    if (f->room > f->rows) f->room = (size_t)f->rows;
    f->block = malloc(f->room * (size_t)f->columns * sizeof *f->block);
    return f->block || sis_fault_no_memory(fault);
}

/** What waits goes to its place in each column. `row` counts it already. */
static bool flush_block(sis_data_file* f, sis_fault* fault) {
    uint64_t first = f->row - f->held;
    for (int32_t c = 0; c < f->columns; c++) {
        double* column = f->block + (size_t)c * f->room;
        for (size_t i = 0; i < f->held; i++) {
            uint64_t bits = sis_low_byte_first(column[i]);
            memcpy(&column[i], &bits, sizeof bits);
        }
        uint64_t at = f->base + 8 * ((uint64_t)c * f->rows + first);
        if (!sis_data_put_at(f->descriptor, column, 8 * f->held, at, fault)) return false;
    }
    f->held = 0;
    return true;
}

static bool put_columns(sis_data_file* f, const double* rows, int32_t count, sis_fault* fault) {
    for (int32_t n = 0; n < count; n++) {
        for (int32_t c = 0; c < f->columns; c++)
            f->block[(size_t)c * f->room + f->held] = *rows++;
        f->held++;
        f->row++;
        if (f->held == f->room && !flush_block(f, fault)) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------- a file

static bool begin(sis_data_file* f, int descriptor, const sis_data_about* about, bool begun,
                  sis_fault* fault) {
    switch (f->kind) {
    case SIS_DATA_CSV:
        f->text = sis_files_stream(descriptor, fault);
        return f->text && (begun || print_heading(f->text, about, fault));
    case SIS_DATA_MAT:
        f->descriptor = descriptor;
        return make_block(f, fault) &&
               (begun || sis_mat_layout(descriptor, about, &f->base, fault));
    case SIS_DATA_HDF5:
        if (!begun && !sis_hdf5_layout(descriptor, about, &f->base, fault)) return false;
        return sis_npy_open_at(&f->raw, descriptor, f->base, f->columns, fault);
    default:
        return sis_npy_open(&f->raw, descriptor, f->rows, f->columns, 1, fault);
    }
}

bool sis_data_open(sis_data_file* f, int descriptor, const char* path, const sis_data_about* about,
                   bool begun, sis_fault* fault) {
    *f = (sis_data_file){.kind = sis_data_kind_of(path),
                         .columns = about->columns,
                         .oversample = about->oversample,
                         .rows = about->rows,
                         .rate = about->rate,
                         .start = about->start,
                         .descriptor = -1};
    return sis_data_check(path, about->rows, about->columns, fault) &&
           begin(f, descriptor, about, begun, fault);
}

bool sis_data_write(sis_data_file* f, const double* rows, int32_t count, sis_fault* fault) {
    if (f->kind == SIS_DATA_MAT) return put_columns(f, rows, count, fault);
    bool fine = f->kind == SIS_DATA_CSV ? print_rows(f, rows, count, fault)
                                        : sis_npy_write(&f->raw, rows, count, fault);
    f->row += (uint64_t)count;
    return fine;
}

bool sis_data_keep(sis_data_file* f, sis_store* store, sis_fault* fault) {
    if (f->kind == SIS_DATA_MAT && f->held && !flush_block(f, fault)) return false;
    sis_store_walk(store, &f->row, sizeof f->row);
    sis_store_walk(store, &f->base, sizeof f->base);
    if (f->kind == SIS_DATA_CSV) return sis_store_stream(store, f->text, fault);
    if (f->kind == SIS_DATA_NPY) return sis_store_stream(store, f->raw.stream, fault);
    if (f->kind == SIS_DATA_MAT) {
        uint64_t last = f->row ? (uint64_t)(f->columns - 1) * f->rows + f->row : 0; // numbers
        return !store->reading || sis_store_reaches(f->descriptor, f->base + 8 * last, fault);
    }
    uint64_t at = f->base + 8 * f->row * (uint64_t)f->columns;
    if (store->reading && !sis_store_reaches(fileno(f->raw.stream), at, fault)) return false;
    if (fflush(f->raw.stream) != 0) return sis_data_failed(fault);
    return !store->reading || fseeko(f->raw.stream, (off_t)at, SEEK_SET) == 0 ||
           sis_data_failed(fault);
}

bool sis_data_close(sis_data_file* f, sis_fault* fault) {
    bool fine = !f->block || !f->held || flush_block(f, fault);
    FILE* text = f->text;
    f->text = NULL;
    free(f->block);
    f->block = NULL;
    if (text && !sis_files_close_stream(text, fine ? fault : NULL)) fine = false;
    return sis_npy_close(&f->raw, fine ? fault : NULL) && fine;
}

// ---------------------------------------------------------------------------- of a run

bool sis_data_open_probes(sis_data_file* f, int descriptor, const char* path,
                          const sis_system* system, const sis_plan* plan, const char* scene,
                          const char* title, bool begun, sis_fault* fault) {
    int32_t columns = sis_system_probe_count(system);
    const char** words = calloc(2 * (size_t)columns + 1, sizeof *words);
    if (!words) return sis_fault_no_memory(fault);
    for (int32_t p = 0; p < columns; p++) {
        sis_probe_info info = sis_system_probe(system, p);
        words[p] = info.name;
        words[columns + p] = info.unit;
    }
    sis_data_about about = {.names = words,
                            .units = words + columns,
                            .columns = columns,
                            .rows = plan->rows,
                            .rate = plan->rate,
                            .oversample = plan->oversample,
                            .scene = scene,
                            .title = title ? title : ""};
    bool fine = sis_data_open(f, descriptor, path, &about, begun, fault);
    free(words);
    return fine;
}

bool sis_data_open_energies(sis_data_file* f, int descriptor, const char* path,
                            const sis_plan* plan, const char* scene, const char* title, bool begun,
                            sis_fault* fault) {
    static const char* const names[SIS_DATA_ENERGIES] = {
        "kinetic", "elastic", "contact", "supplied", "dissipated", "total", "residual"};
    static const char* const units[SIS_DATA_ENERGIES] = {"J", "J", "J", "J", "J", "J", "J"};
    double step = (plan->oversample - 1) / 2 + 0.5; // whole steps, and a half
    sis_data_about about = {.names = names,
                            .units = units,
                            .columns = SIS_DATA_ENERGIES,
                            .rows = plan->rows,
                            .rate = plan->rate,
                            .start = step / sis_plan_step_rate(plan),
                            .oversample = plan->oversample,
                            .scene = scene,
                            .title = title ? title : ""};
    return sis_data_open(f, descriptor, path, &about, begun, fault);
}

static bool take_probes(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_data_file* f = self;
    if (f->oversample == 1) return sis_data_write(f, frames->probes, frames->count, fault);
    for (int32_t n = 0; n < frames->count; n++) {
        if ((frames->first + (uint64_t)n) % (uint64_t)f->oversample) continue;
        const double* row = frames->probes + (size_t)n * (size_t)frames->probe_count;
        if (!sis_data_write(f, row, 1, fault)) return false;
    }
    return true;
}

static bool take_energies(void* self, const sis_frames* frames, sis_fault* fault) {
    sis_data_file* f = self;
    uint64_t o = (uint64_t)f->oversample;
    for (int32_t n = 0; n < frames->count; n++) {
        if ((frames->first + (uint64_t)n) % o != (o - 1) / 2) continue;
        const sis_energy* e = &frames->energy[n];
        double row[SIS_DATA_ENERGIES] = {e->kinetic,    e->elastic, e->contact, e->supplied,
                                         e->dissipated, e->total,   e->residual};
        if (!sis_data_write(f, row, 1, fault)) return false;
    }
    return true;
}

sis_sink sis_data_sink_probes(sis_data_file* f) {
    return (sis_sink){.self = f, .take = take_probes};
}

sis_sink sis_data_sink_energies(sis_data_file* f) {
    return (sis_sink){.self = f, .take = take_energies};
}
