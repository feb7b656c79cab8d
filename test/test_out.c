// The files a run is written to: their bytes, and that they are whole or absent.

#include "check.h"
#include "files.h"
#include "npy.h"
#include "out_help.h"

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
    rmdir(folder);
    return CHECK_REPORT();
}
