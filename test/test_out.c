// The files a run is written to: their bytes, and that they are whole or absent.

#include "check.h"
#include "files.h"
#include "npy.h"
#include "out_help.h"
#include "wav.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int entries(void) {
    DIR* d = opendir(folder);
    int count = 0;
    while (d && readdir(d))
        count++;
    if (d) closedir(d);
    return count - 2; // . and ..
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
    sis_files_protect(files, in_folder("scene.lua"), "scene");
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
    rmdir(folder);
    return CHECK_REPORT();
}
