// The files a run is written to: their bytes, their filter, and that they are whole or absent.

#include "canvas.h"
#include "check.h"
#include "csv.h"
#include "decimate.h"
#include "departure.h"
#include "files.h"
#include "npy.h"
#include "picture.h"
#include "report.h"
#include "run.h"
#include "sound.h"
#include "tally.h"
#include "text.h"
#include "trace.h"
#include "wav.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TAU 6.283185307179586

static char folder[64]; // of all files made here

static const char* in_folder(const char* name) {
    static char path[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int entries(void) {
    DIR* d = opendir(folder);
    int count = 0;
    while (d && readdir(d))
        count++;
    if (d) closedir(d);
    return count - 2; // . and ..
}

/** Bytes of a file, to be freed; NULL: there is none. */
static unsigned char* slurp(const char* path, size_t* size) {
    FILE* f = fopen(path, "rb");
    if (!f) return NULL;
    unsigned char* bytes = malloc(1 << 22);
    *size = bytes ? fread(bytes, 1, 1 << 22, f) : 0;
    fclose(f);
    return bytes;
}

static void spill(const char* path, const char* text) {
    FILE* f = fopen(path, "wb");
    if (f) fputs(text, f);
    if (f) fclose(f);
}

static bool holds(const char* path, const char* text) {
    size_t size = 0;
    unsigned char* bytes = slurp(path, &size);
    bool same = bytes && size == strlen(text) && !memcmp(bytes, text, size);
    free(bytes);
    return same;
}

static void put(int descriptor, const char* text) {
    CHECK(write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
}

// ---------------------------------------------------------------------------- atomic files

static void a_file_appears_whole_and_only_at_the_end(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    const char* path = in_folder("whole.txt");
    int descriptor = sis_files_add(files, path, &fault);
    CHECK(descriptor >= 0);
    put(descriptor, "sound");
    CHECK(access(path, F_OK) != 0);
    CHECK(entries() == 1); // the temporary
    CHECK(sis_files_commit(files, &fault));
    CHECK(holds(path, "sound"));
    CHECK(entries() == 1);
    sis_files_free(files);
    CHECK(holds(path, "sound"));
    unlink(path);
}

static void an_abandoned_run_leaves_the_old_file(void) {
    sis_fault fault = {0};
    const char* path = in_folder("old.txt");
    spill(path, "old");
    sis_files* files = sis_files_new();
    int descriptor = sis_files_add(files, path, &fault);
    CHECK(descriptor >= 0);
    put(descriptor, "new and half");
    sis_files_free(files);
    CHECK(holds(path, "old"));
    CHECK(entries() == 1);
    unlink(path);
}

static void all_files_of_a_run_or_none(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    const char* first = in_folder("first.txt");
    const char* second = in_folder("second.txt");
    CHECK(sis_files_add(files, first, &fault) >= 0);
    CHECK(sis_files_add(files, second, &fault) >= 0);
    CHECK(mkdir(second, 0777) == 0); // while the run goes on
    CHECK(!sis_files_commit(files, &fault));
    CHECK(fault.kind == SIS_FAULT_RUN);
    CHECK_TEXT(fault.text, "directory");
    sis_files_free(files);
    CHECK(access(first, F_OK) != 0);
    rmdir(second);
    CHECK(entries() == 0);
}

static void what_cannot_be_written_is_said_at_once(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    spill(in_folder("file"), "x");
    CHECK(sis_files_add(files, in_folder("file/below"), &fault) < 0);
    CHECK(fault.kind == SIS_FAULT_RUN);
    CHECK(sis_files_add(files, in_folder("nowhere/out.wav"), &fault) < 0);
    CHECK_TEXT(fault.text, "no such directory");
    CHECK(sis_files_add(files, folder, &fault) < 0);
    CHECK_TEXT(fault.text, "directory");
    CHECK(sis_files_add(files, in_folder("new/"), &fault) < 0);
    CHECK(sis_files_add(files, "", &fault) < 0);
    CHECK(fault.kind == SIS_FAULT_REQUEST);
    sis_files_free(files);
    unlink(in_folder("file"));
    CHECK(entries() == 0);
}

static void one_file_cannot_be_two_outputs_or_the_scene(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    char roundabout[160];
    snprintf(roundabout, sizeof roundabout, "%s/./../%s/a.txt", folder, strrchr(folder, '/') + 1);
    CHECK(sis_files_add(files, in_folder("a.txt"), &fault) >= 0);
    CHECK(sis_files_add(files, roundabout, &fault) < 0);
    CHECK(fault.kind == SIS_FAULT_REQUEST);
    CHECK_TEXT(fault.text, "twice");
    spill(in_folder("scene.lua"), "-- scene");
    CHECK(symlink(in_folder("scene.lua"), in_folder("link")) == 0);
    sis_files_protect(files, in_folder("scene.lua"));
    CHECK(sis_files_add(files, in_folder("scene.lua"), &fault) < 0);
    CHECK(sis_files_add(files, in_folder("link"), &fault) < 0);
    CHECK_TEXT(fault.text, "scene");
    sis_files_free(files);
    CHECK(holds(in_folder("scene.lua"), "-- scene"));
    unlink(in_folder("scene.lua"));
    unlink(in_folder("link"));
    CHECK(entries() == 0);
}

static void links_and_modes_survive(void) {
    sis_fault fault = {0};
    struct stat status = {0};
    spill(in_folder("real.txt"), "old");
    chmod(in_folder("real.txt"), 0640);
    CHECK(symlink("real.txt", in_folder("link.txt")) == 0);
    sis_files* files = sis_files_new();
    put(sis_files_add(files, in_folder("link.txt"), &fault), "new");
    CHECK(sis_files_commit(files, &fault));
    sis_files_free(files);
    CHECK(lstat(in_folder("link.txt"), &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(holds(in_folder("real.txt"), "new"));
    CHECK(stat(in_folder("real.txt"), &status) == 0 && (status.st_mode & 0777) == 0640);
    unlink(in_folder("real.txt"));
    unlink(in_folder("link.txt"));
}

static void devices_are_written_not_replaced(void) {
    sis_fault fault = {0};
    struct stat status = {0};
    sis_files* files = sis_files_new();
    put(sis_files_add(files, "/dev/null", &fault), "gone");
    CHECK(sis_files_commit(files, &fault));
    sis_files_free(files);
    CHECK(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    if (access("/dev/full", W_OK) != 0) return;
    files = sis_files_new();
    put(sis_files_add(files, in_folder("beside.txt"), &fault), "never");
    put(sis_files_add(files, "/dev/full", &fault), "too much");
    CHECK(!sis_files_commit(files, &fault));
    CHECK_TEXT(fault.text, "No space");
    sis_files_free(files);
    CHECK(entries() == 0);
}

static void a_handler_can_remove_the_temporaries(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    CHECK(sis_files_add(files, in_folder("a"), &fault) >= 0);
    CHECK(sis_files_add(files, in_folder("b"), &fault) >= 0);
    int scratch = sis_files_scratch(files, &fault);
    CHECK(scratch >= 0);
    CHECK(entries() == 2); // the working file has no name
    sis_files_abandon();
    CHECK(entries() == 0);
    close(scratch);
    sis_files_free(files);
}

// ---------------------------------------------------------------------------- npy

static void npy_is_version_one_padded_to_64(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    sis_npy npy;
    const double rows[] = {1, -2.5, 0x1p-1074, 1e308, 0, 3};
    CHECK(sis_npy_open(&npy, sis_files_add(files, in_folder("x.npy"), &fault), 3, 2, 1, &fault));
    CHECK(sis_npy_write(&npy, rows, 2, &fault) && sis_npy_write(&npy, rows + 4, 1, &fault));
    CHECK(sis_npy_close(&npy, &fault) && sis_files_commit(files, &fault));
    sis_files_free(files);
    size_t size = 0;
    unsigned char* b = slurp(in_folder("x.npy"), &size);
    CHECK(b && size == 128 + sizeof rows);
    if (!b) return;
    CHECK(!memcmp(b, "\x93NUMPY\x01\x00\x76\x00", 10)); // 118 = 128 - 10
    const char* text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
    CHECK(!memcmp(b + 10, text, strlen(text)));
    for (size_t i = 10 + strlen(text); i < 127; i++)
        CHECK(b[i] == ' ');
    CHECK(b[127] == '\n');
    CHECK(!memcmp(b + 128, "\0\0\0\0\0\0\xf0\x3f", 8)); // 1, low byte first
    free(b);
    unlink(in_folder("x.npy"));
}

// ---------------------------------------------------------------------------- wav

static void write_wav(const char* path, const sis_wav_spec* spec, double amplitude) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    int descriptor = sis_files_add(files, path, &fault);
    int scratch = spec->normalise ? sis_files_scratch(files, &fault) : -1;
    sis_wav* wav = sis_wav_open(descriptor, scratch, spec, &fault);
    CHECK(wav != NULL);
    for (uint64_t n = 0; wav && n < spec->frames; n++) {
        double frame[8];
        for (int32_t c = 0; c < spec->channels; c++)
            frame[c] = amplitude * sin(0.01 * (double)n + c) * (c + 1);
        CHECK(sis_wav_take(wav, frame, 1, &fault));
    }
    double peak = 0;
    CHECK(sis_wav_close(wav, &peak, &fault));
    CHECK(peak <= amplitude * spec->channels && peak > 0);
    CHECK(sis_files_commit(files, &fault));
    sis_files_free(files);
    if (scratch >= 0) close(scratch);
}

/** The chunk of that name in a WAV file: offset of its data, 0 when there is none. */
static size_t find_chunk(const unsigned char* b, size_t size, const char* name, size_t* length) {
    for (size_t at = 12; at + 8 <= size;) {
        size_t n =
            b[at + 4] | (size_t)b[at + 5] << 8 | (size_t)b[at + 6] << 16 | (size_t)b[at + 7] << 24;
        if (!memcmp(b + at, name, 4)) {
            *length = n;
            return at + 8;
        }
        at += 8 + n + (n & 1);
    }
    return 0;
}

static float sample(const unsigned char* b, size_t at) {
    float value;
    memcpy(&value, b + at, sizeof value);
    return value;
}

static void wav_bytes_are_reproducible(void) {
    sis_wav_spec spec = {.rate = 44100.4, .channels = 2, .frames = 3000, .title = "A title"};
    write_wav(in_folder("a.wav"), &spec, 3);
    sleep(1); // a time stamp would differ
    write_wav(in_folder("b.wav"), &spec, 3);
    size_t a_size = 0, b_size = 0, length = 0;
    unsigned char* a = slurp(in_folder("a.wav"), &a_size);
    unsigned char* b = slurp(in_folder("b.wav"), &b_size);
    CHECK(a && b && a_size == b_size && !memcmp(a, b, a_size));
    if (!a || !b) return;
    CHECK(find_chunk(a, a_size, "PEAK", &length) == 0);
    size_t list = find_chunk(a, a_size, "LIST", &length);
    CHECK(list && !memcmp(a + list, "INFOINAM", 8) && !memcmp(a + list + 12, "A title", 7));
    size_t fmt = find_chunk(a, a_size, "fmt ", &length);
    CHECK(fmt && a[fmt] == 3 && a[fmt + 2] == 2);                      // IEEE float, stereo
    CHECK((a[fmt + 4] | a[fmt + 5] << 8 | a[fmt + 6] << 16) == 44100); // rounded
    size_t data = find_chunk(a, a_size, "data", &length);
    CHECK(length == 3000 * 2 * 4 && data + length <= a_size);
    for (size_t n = 0; n < 3000; n += 97) { // not clipped: up to 6
        CHECK(sample(a, data + 8 * n) == (float)(3 * sin(0.01 * (double)n)));
        CHECK(sample(a, data + 8 * n + 4) == (float)(3 * sin(0.01 * (double)n + 1) * 2));
    }
    free(a);
    free(b);
    unlink(in_folder("a.wav"));
    unlink(in_folder("b.wav"));
}

static void normalised_sound_peaks_at_minus_one_decibel(void) {
    const double amplitudes[] = {1e-30, 0.5, 1e60}; // 1e60 is beyond float before scaling
    for (int i = 0; i < 3; i++) {
        sis_wav_spec spec = {.rate = 48000, .channels = 2, .frames = 5000, .normalise = true};
        write_wav(in_folder("n.wav"), &spec, amplitudes[i]);
        size_t size = 0, length = 0;
        unsigned char* b = slurp(in_folder("n.wav"), &size);
        CHECK(b != NULL);
        if (!b) return;
        size_t data = find_chunk(b, size, "data", &length);
        double peak = 0;
        for (size_t at = 0; at < length; at += 4)
            peak = fmax(peak, fabs((double)sample(b, data + at)));
        CHECK_NEAR(20 * log10(peak), -1, 1e-5);
        // One gain for both channels: the second stays twice the first.
        CHECK_NEAR((double)sample(b, data + 8 * 300 + 4) / (double)sample(b, data + 8 * 300),
                   2 * sin(4) / sin(3), 1e-5);
        free(b);
        unlink(in_folder("n.wav"));
    }
}

static void wav_beyond_its_format_is_refused(void) {
    sis_fault fault = {0};
    sis_wav_spec fine = {.rate = 44100, .channels = 1, .frames = 100};
    CHECK(sis_wav_check(&fine, &fault));
    sis_wav_spec slow = fine, fast = fine, large = fine;
    slow.rate = 0.4;
    fast.rate = 2e9;
    large.frames = 1073741824;
    CHECK(!sis_wav_check(&slow, &fault) && fault.kind == SIS_FAULT_REQUEST);
    CHECK(!sis_wav_check(&fast, &fault));
    CHECK(!sis_wav_check(&large, &fault));
    CHECK_TEXT(fault.text, "4 GiB");
    large.frames = 1073741824 - 256;
    CHECK(sis_wav_check(&large, &fault));
}

static void a_sound_beyond_float_is_an_error(void) {
    sis_fault fault = {0};
    sis_files* files = sis_files_new();
    sis_wav_spec spec = {.rate = 44100, .channels = 1, .frames = 1};
    sis_wav* wav =
        sis_wav_open(sis_files_add(files, in_folder("f.wav"), &fault), -1, &spec, &fault);
    const double huge[] = {1e39};
    CHECK(wav && !sis_wav_take(wav, huge, 1, &fault));
    CHECK_TEXT(fault.text, "normalise");
    sis_wav_free(wav);
    sis_files_free(files);
    CHECK(entries() == 0);
}

// ---------------------------------------------------------------------------- decimation

typedef struct tape {
    int32_t channels, count, room;
    double* rows;
} tape;

static bool record(void* self, const double* frames, int32_t count, sis_fault* fault) {
    (void)fault;
    tape* t = self;
    CHECK(t->count + count <= t->room);
    if (t->count + count > t->room) return false;
    memcpy(t->rows + t->count * t->channels, frames,
           (size_t)(count * t->channels) * sizeof *frames);
    t->count += count;
    return true;
}

/** Decimates cos(tau f n/factor + c) for both channels, f in cycles per row, fed in odd blocks. */
static tape decimated(int32_t factor, int32_t rows, double cycles) {
    sis_fault fault = {0};
    tape t = {
        .channels = 2, .room = rows + 1, .rows = calloc((size_t)rows + 1, 2 * sizeof(double))};
    sis_decimator* d = sis_decimator_new(factor, 2, (uint64_t)rows, record, &t, &fault);
    CHECK(d != NULL);
    for (int32_t n = 0; d && n < rows * factor;) {
        double steps[2 * 313];
        int32_t count = 0;
        for (; count < 313 && n < rows * factor; count++, n++) {
            steps[2 * count] = cos(TAU * cycles * n / factor);
            steps[2 * count + 1] = cos(TAU * cycles * n / factor + 1);
        }
        CHECK(sis_decimator_feed(d, steps, count, &fault));
    }
    if (d) CHECK(sis_decimator_finish(d, &fault));
    sis_decimator_free(d);
    CHECK(t.count == rows);
    return t;
}

static void a_tone_in_the_passband_keeps_its_level_and_its_time(void) {
    const int32_t factors[] = {2, 3, 8, 50};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++) {
            double cycles = 0.01 + 0.1 * k;
            tape t = decimated(factors[i], 2000, cycles);
            double worst = 0, re = 0, im = 0;
            for (int n = 500; n < 1500; n++) { // away from the ends
                worst = fmax(worst, fabs(t.rows[2 * n] - cos(TAU * cycles * n)));
                worst = fmax(worst, fabs(t.rows[2 * n + 1] - cos(TAU * cycles * n + 1)));
                re += t.rows[2 * n] * cos(TAU * cycles * n);
                im -= t.rows[2 * n] * sin(TAU * cycles * n);
            }
            CHECK_NEAR(worst, 0, 1e-7); // 0.01 dB would be 1e-3
            CHECK_NEAR(atan2(im, re), 0, 1e-2);
            free(t.rows);
        }
}

static void a_tone_above_the_new_nyquist_is_gone(void) {
    const double cycles[] = {0.51, 0.6, 0.99, 1.2, 1.9};
    for (int i = 0; i < 5; i++) {
        tape t = decimated(4, 2000, cycles[i]);
        double most = 0;
        for (int n = 500; n < 1500; n++)
            most = fmax(most, fabs(t.rows[2 * n]));
        CHECK(20 * log10(most) < -100);
        free(t.rows);
    }
}

static void a_resting_sound_stays_at_rest(void) {
    tape t = decimated(8, 300, 0); // 1 and cos 1 from the first step to the last
    for (int n = 0; n < 300; n++) {
        CHECK_NEAR(t.rows[2 * n], 1, 1e-7);
        CHECK_NEAR(t.rows[2 * n + 1], cos(1), 1e-7);
    }
    free(t.rows);
}

static void every_length_comes_out_exactly(void) {
    const int32_t rows[] = {1, 2, 255, 256, 257, 1000};
    for (int i = 0; i < 6; i++)
        free(decimated(7, rows[i], 0.1).rows); // counts are checked there
    free(decimated(1024, 3, 0.01).rows);
}

// ---------------------------------------------------------------------------- traces and texts

static void a_trace_keeps_every_extreme(void) {
    sis_window window = {.first = 1000, .count = 100000};
    sis_trace trace;
    CHECK(sis_trace_open(&trace, &window, 50));
    for (uint64_t n = 0; n < 200000; n++)
        sis_trace_add(&trace, n, n == 77777 ? 9 : n == 12345 ? -7 : sin(0.1 * (double)n));
    sis_trace_finish(&trace);
    CHECK(trace.point_count <= 200 && trace.point_count >= 150);
    CHECK(trace.max == 9 && trace.min == -7);
    int peaks = 0;
    for (int i = 0; i < trace.point_count; i++) {
        peaks += trace.points[i].value == 9 && trace.points[i].step == 77777;
        peaks += trace.points[i].value == -7 && trace.points[i].step == 12345;
        CHECK(i == 0 || trace.points[i].step > trace.points[i - 1].step);
    }
    CHECK(peaks == 2);
    CHECK(trace.points[0].step == 1000 && trace.points[trace.point_count - 1].step == 100999);
    sis_trace_close(&trace);
}

static void a_short_trace_keeps_everything(void) {
    sis_window window = {.first = 0, .count = 37};
    sis_trace trace;
    CHECK(sis_trace_open(&trace, &window, 10));
    for (uint64_t n = 0; n < 37; n++)
        sis_trace_add(&trace, n, (double)(n * n % 11));
    sis_trace_finish(&trace);
    CHECK(trace.point_count == 37);
    sis_trace_close(&trace);
}

static void columns_and_steps_agree(void) {
    for (uint64_t count = 1; count < 400; count += 7) {
        sis_window window = {.first = 5, .count = count};
        int32_t columns = count < 60 ? (int32_t)count : 60;
        for (int32_t c = 0; c < columns; c++) {
            uint64_t step = sis_window_step(&window, columns, c);
            CHECK(sis_window_column(&window, columns, step) == c);
            CHECK(step == 5 || sis_window_column(&window, columns, step - 1) == c - 1);
        }
    }
}

static void texts_become_printable(void) {
    char* clean = sis_text_clean("a\nb\x7f µ \xff\xc3 \xed\xa0\x80 é");
    CHECK(clean && !strcmp(clean, "a b  µ ?? ??? é"));
    free(clean);
}

static void units_fit_the_number(void) {
    char text[64];
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 0.0012, "m", 3), "1.2 mm"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 0, "m", 3), "0 m"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 1000, "N", 3), "1 kN"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, -833e-6, "s", 2), "-833 µs"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 1e-18, "J", 3), "1 1e-18 J"));
    CHECK(!strcmp(sis_unit_print(text, sizeof text, 999.99999e-9, "m", 4), "1 µm"));
}

// ---------------------------------------------------------------------------- runs

/** A 100 Hz mass on two channels, 0.25 of it on the second, and a wall it hits. */
static sis_system* ringing(double rate, sis_subject subject) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_mass_def mass = sis_mass_default();
    mass.mass = 0.1;
    mass.frequency = 100;
    mass.position = 1e-3;
    sis_id m = sis_scene_add_mass(scene, &mass, &error);
    sis_barrier_def wall = sis_barrier_default();
    wall.height = -0.8e-3;
    sis_id b = sis_scene_add_barrier(scene, &wall, &error);
    sis_contact_def contact = sis_contact_default();
    contact.above = m;
    contact.below = b;
    contact.K = 1e7;
    contact.alpha = 1.5;
    if (subject != SIS_SUBJECT_SIGNAL) sis_scene_add_contact(scene, &contact, &error);
    sis_probe_def probe = sis_probe_default();
    probe.on = m;
    if (subject == SIS_SUBJECT_SIGNAL) {
        sis_scene_add_probe(scene, &probe, &error);
        probe.channel = 2;
        probe.gain = 0.25;
        sis_scene_add_probe(scene, &probe, &error);
        sis_scene_add_probe(scene, &probe, &error);
    }
    sis_fault fault = {0};
    CHECK(sis_picture_probes(scene, subject, &fault));
    sis_options options = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

static void channels_are_gains_and_sums(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(8000, SIS_SUBJECT_SIGNAL);
    sis_plan plan;
    CHECK(sis_plan_make(8000, 1, 0.5, &plan, &fault) && plan.rows == 4000);
    CHECK(sis_sound_channels(system) == 2);
    tape t = {.channels = 2, .room = 4000, .rows = calloc(4000, 2 * sizeof(double))};
    sis_sound* sound = sis_sound_new(system, &plan, record, &t, &fault);
    sis_sink sinks[2] = {sis_sound_sink(sound)};
    sis_tally tally;
    sis_run run = {.system = system, .state = sis_run_state(system, &fault), .steps = 4000};
    CHECK(sis_tally_open(&tally, system, run.state, 1, &fault));
    sinks[1] = sis_tally_sink(&tally);
    run.sinks = sinks;
    run.sink_count = 2;
    CHECK(sis_run_go(&run, &fault) && sis_sound_finish(sound, &fault));
    CHECK(t.count == 4000 && tally.rows == 4000);
    double squares = 0;
    for (int n = 0; n < 4000; n++) {
        CHECK_NEAR(t.rows[2 * n + 1], 0.5 * t.rows[2 * n], 1e-18);
        squares += t.rows[2 * n] * t.rows[2 * n];
    }
    CHECK_NEAR(sis_tally_rms(&tally, 0), sqrt(squares / 4000), 1e-12);
    CHECK_NEAR(sis_tally_rms(&tally, 0), 1e-3 / sqrt(2), 1e-7); // 50 whole periods of a cosine
    CHECK_NEAR(tally.probes[0].max, 1e-3, 1e-18);
    CHECK(sis_tally_relative(&tally, tally.residual_max) < 1e-12);
    sis_tally_close(&tally);
    sis_sound_free(sound);
    free(run.state);
    free(t.rows);
    sis_system_free(system);
}

typedef struct third {
    int32_t count;
    double rows[2000];
} third;

static bool keep_third(void* self, const sis_frames* frames, sis_fault* fault) {
    (void)fault;
    third* t = self;
    for (int32_t n = 0; n < frames->count; n++)
        if ((frames->first + (uint64_t)n) % 3 == 0 && t->count < 2000)
            t->rows[t->count++] = frames->probes[n * frames->probe_count];
    return true;
}

static void a_slow_sound_passes_the_filter_in_time(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(24000, SIS_SUBJECT_SIGNAL);
    sis_plan plan;
    CHECK(sis_plan_make(8000, 3, 0.25, &plan, &fault) && plan.rows == 2000);
    tape t = {.channels = 2, .room = 2000, .rows = calloc(2000, 2 * sizeof(double))};
    static third states;
    sis_sound* sound = sis_sound_new(system, &plan, record, &t, &fault);
    sis_sink sinks[2] = {sis_sound_sink(sound), {.self = &states, .take = keep_third}};
    sis_run run = {.system = system,
                   .state = sis_run_state(system, &fault),
                   .steps = sis_plan_steps(&plan),
                   .sinks = sinks,
                   .sink_count = 2};
    CHECK(sis_run_go(&run, &fault) && sis_sound_finish(sound, &fault));
    CHECK(t.count == 2000 && states.count == 2000);
    for (int n = 150; n < 1850; n++)
        CHECK_NEAR(t.rows[2 * n], states.rows[n], 1e-9);
    for (int n = 0; n < 150; n++)
        CHECK_NEAR(t.rows[2 * n], states.rows[n], 1e-5); // at rest before
    sis_sound_free(sound);
    free(run.state);
    free(t.rows);
    sis_system_free(system);
}

static void a_run_without_rows_is_refused(void) {
    sis_fault fault = {0};
    sis_plan plan;
    CHECK(!sis_plan_make(44100, 1, 0, &plan, &fault) && fault.kind == SIS_FAULT_REQUEST);
    CHECK(!sis_plan_make(44100, 1, 1e-5, &plan, &fault));
    CHECK_TEXT(fault.text, "0 samples");
    CHECK(sis_plan_make(44100, 1, 1.2e-5, &plan, &fault) && plan.rows == 1);
    CHECK(!sis_plan_make(1e9, 1024, 1e6, &plan, &fault));
    CHECK(sis_plan_make(44100.5, 2, 10, &plan, &fault) && plan.rows == 441005);
    CHECK(sis_plan_steps(&plan) == 882010);
}

typedef struct seen {
    uint64_t steps, blocks;
} seen;

static bool count_steps(void* self, const sis_frames* frames, sis_fault* fault) {
    seen* s = self;
    CHECK(frames->first == s->steps);
    s->steps += (uint64_t)frames->count;
    s->blocks++;
    return s->steps < 5000 || sis_fault_set(fault, SIS_FAULT_RUN, "enough");
}

static uint64_t every_100(const void* self, uint64_t step) {
    (void)self;
    return (step / 100 + 1) * 100;
}

static void sinks_choose_cuts_and_can_stop_a_run(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(8000, SIS_SUBJECT_SIGNAL);
    seen s = {0};
    sis_sink sink = {.self = &s, .take = count_steps, .next_cut = every_100};
    sis_run run = {.system = system,
                   .state = sis_run_state(system, &fault),
                   .steps = 4950,
                   .sinks = &sink,
                   .sink_count = 1};
    CHECK(sis_run_go(&run, &fault) && s.steps == 4950 && s.blocks == 50 && run.done == 4950);
    s = (seen){0};
    run.steps = 10000;
    CHECK(!sis_run_go(&run, &fault));
    CHECK(!strcmp(fault.text, "enough") && s.steps == 5000);
    free(run.state);
    sis_system_free(system);
}

/** A mass that meets a linear contact of scheme root where its root is complex. */
static sis_system* without_root(bool clamp) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_mass_def mass = sis_mass_default();
    mass.mass = 1;
    mass.position = 0.0001;
    mass.velocity = -1;
    sis_contact_def contact = sis_contact_default();
    contact.above = sis_scene_add_mass(scene, &mass, &error);
    sis_barrier_def wall = sis_barrier_default();
    wall.height = 0;
    contact.below = sis_scene_add_barrier(scene, &wall, &error);
    contact.K = 3e6; // K k^2/M = 3, the limit is sqrt(5) - 1
    contact.alpha = 1;
    contact.scheme = SIS_SCHEME_ROOT;
    contact.s = 0.5;
    contact.clamp = clamp;
    sis_scene_add_contact(scene, &contact, &error);
    sis_options options = {.rate = 1000, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

static void a_complex_root_ends_a_run_unless_it_is_clamped(void) {
    for (int i = 0; i < 3; i++) {
        sis_fault fault = {0};
        sis_system* system = without_root(i == 1);
        sis_run run = {.system = system,
                       .state = sis_run_state(system, &fault),
                       .steps = 100,
                       .lenient = i == 2};
        bool fine = sis_run_go(&run, &fault);
        CHECK(sis_state_link(system, run.state, 0).complex_roots > 0);
        CHECK(fine == (i > 0));
        if (!fine) {
            CHECK(fault.kind == SIS_FAULT_RUN);
            CHECK_TEXT(fault.text, "contact1: complex root at sample 1 (discriminant -");
            CHECK_TEXT(fault.text, "s = 0.5");
            CHECK_TEXT(fault.text, "clamp = true");
        }
        free(run.state);
        sis_system_free(system);
    }
}

// ---------------------------------------------------------------------------- departures

/** Feeds a throw against a wall at eta = 0 that turns at once: eta = a t^2/2 - v |t|, so that it
 *  leaves with speed v; `phase` of a step lies between the instant and the next step. */
static sis_departure departure(double v, double a, double phase) {
    double rate = 1000;
    sis_departure d = sis_departure_begin(rate);
    for (int n = -20; n < 20; n++) {
        double t = (n + phase) / rate; // since leaving
        double eta = t > -0.01 && t < 0 ? 1e-3 : -v * fabs(t) + 0.5 * a * t * t;
        sis_departure_add(&d, (uint64_t)(n + 20), eta, v - a * t);
    }
    return d;
}

static void a_departure_is_followed_back_to_its_instant(void) {
    for (double phase = 0.05; phase < 1; phase += 0.1) {
        CHECK_NEAR(departure(2, 0, phase).speed, 2, 1e-12);
        CHECK_NEAR(departure(2, 50, phase).speed, 2, 1e-12);
        CHECK_NEAR(departure(2, -50, phase).speed, 2, 1e-12);
        sis_departure d = departure(2, 50, phase);
        CHECK(d.closed && d.opened && d.ended == 20 && d.began == 10);
    }
}

static void a_departure_needs_a_contact(void) {
    sis_departure d = sis_departure_begin(1000);
    for (uint64_t n = 0; n < 10; n++)
        sis_departure_add(&d, n, -1, 3);
    CHECK(!d.closed && isnan(d.speed));
    for (uint64_t n = 10; n < 20; n++)
        sis_departure_add(&d, n, 1, 3);
    CHECK(d.closed && !d.opened && d.began == 10 && isnan(d.speed));
    // Hit again at once.
    sis_departure_add(&d, 20, -1, -4);
    sis_departure_add(&d, 21, 1, 5);
    CHECK(d.ended == 20 && d.speed == 4);
}

// ---------------------------------------------------------------------------- pictures

static void pictures_find_their_probes(void) {
    sis_fault fault = {0};
    if (!sis_canvas_available(&fault)) {
        CHECK_SKIP("gnuplot is not installed");
        return;
    }
    const sis_subject subjects[] = {SIS_SUBJECT_PHASE, SIS_SUBJECT_PENETRATION,
                                    SIS_SUBJECT_HYSTERESIS, SIS_SUBJECT_CONTACT};
    for (int i = 0; i < 4; i++) {
        sis_system* system = ringing(8000, subjects[i]);
        sis_picture picture = {.subject = subjects[i],
                               .format = SIS_FORMAT_SVG,
                               .title = "it's \"a\" <test> & more",
                               .system = system,
                               .to = 0.1};
        CHECK(sis_plan_make(8000, 1, 0.1, &picture.plan, &fault));
        sis_files* files = sis_files_new();
        int descriptor = sis_files_add(files, in_folder("p.svg"), &fault);
        CHECK(sis_picture_draw(&picture, descriptor, &fault));
        CHECK(sis_files_commit(files, &fault));
        sis_files_free(files);
        size_t size = 0;
        unsigned char* b = slurp(in_folder("p.svg"), &size);
        CHECK(b && size > 2000);
        if (b) b[size < (1 << 22) ? size : size - 1] = 0;
        CHECK(b && strstr((const char*)b, "it's \"a\" &lt;test"));
        CHECK(b && strstr((const char*)b, "</svg>"));
        free(b);
        unlink(in_folder("p.svg"));
        sis_system_free(system);
    }
}

static void endings_choose_the_format(void) {
    CHECK(sis_format_of("a.png") == SIS_FORMAT_PNG && sis_format_of("x/A.SVG") == SIS_FORMAT_SVG);
    CHECK(sis_format_of("a.b.pdf") == SIS_FORMAT_PDF);
    CHECK(sis_format_of("png") == SIS_FORMAT_NONE && sis_format_of("x.png/a") == SIS_FORMAT_NONE);
    CHECK(sis_format_of("a.jpg") == SIS_FORMAT_NONE && sis_format_of("") == SIS_FORMAT_NONE);
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/sistrum-test-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    RUN(a_file_appears_whole_and_only_at_the_end);
    RUN(an_abandoned_run_leaves_the_old_file);
    RUN(all_files_of_a_run_or_none);
    RUN(what_cannot_be_written_is_said_at_once);
    RUN(one_file_cannot_be_two_outputs_or_the_scene);
    RUN(links_and_modes_survive);
    RUN(devices_are_written_not_replaced);
    RUN(a_handler_can_remove_the_temporaries);
    RUN(npy_is_version_one_padded_to_64);
    RUN(wav_bytes_are_reproducible);
    RUN(normalised_sound_peaks_at_minus_one_decibel);
    RUN(wav_beyond_its_format_is_refused);
    RUN(a_sound_beyond_float_is_an_error);
    RUN(a_tone_in_the_passband_keeps_its_level_and_its_time);
    RUN(a_tone_above_the_new_nyquist_is_gone);
    RUN(a_resting_sound_stays_at_rest);
    RUN(every_length_comes_out_exactly);
    RUN(a_trace_keeps_every_extreme);
    RUN(a_short_trace_keeps_everything);
    RUN(columns_and_steps_agree);
    RUN(texts_become_printable);
    RUN(units_fit_the_number);
    RUN(channels_are_gains_and_sums);
    RUN(a_slow_sound_passes_the_filter_in_time);
    RUN(a_run_without_rows_is_refused);
    RUN(sinks_choose_cuts_and_can_stop_a_run);
    RUN(a_complex_root_ends_a_run_unless_it_is_clamped);
    RUN(a_departure_is_followed_back_to_its_instant);
    RUN(a_departure_needs_a_contact);
    RUN(pictures_find_their_probes);
    RUN(endings_choose_the_format);
    rmdir(folder);
    return CHECK_REPORT();
}
