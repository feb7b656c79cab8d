// Pictures of a scene, drawn and looked at from outside: what the tests of pictures share. RATE and
// DURATION are the test's.
#ifndef SISTRUM_TEST_OUT_DRAW_H
#define SISTRUM_TEST_OUT_DRAW_H

#include "check.h"
#include "files.h"
#include "out_help.h"
#include "picture.h"

#include <stdlib.h>
#include <unistd.h>

static inline sis_system* compile(sis_scene* scene, sis_subject subject) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_options how = {.rate = RATE, .scheme = SIS_SCHEME_AS_GIVEN};
    CHECK(sis_picture_probes(scene, subject, &how, &fault));
    sis_system* system = sis_compile(scene, &how, &error);
    if (!system) printf("%s\n", error.text);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

static inline sis_picture picture_of(const sis_system* system, sis_subject subject) {
    sis_fault fault = {0};
    sis_picture picture = {.subject = subject,
                           .format = SIS_FORMAT_PNG,
                           .title = "scene",
                           .system = system,
                           .to = DURATION};
    CHECK(sis_plan_make(RATE, 1, DURATION, &picture.plan, &fault));
    return picture;
}

/** Big-endian numbers of the header of a PNG. */
static inline int png_number(const unsigned char* bytes) {
    return bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

static inline void draw_one(sis_scene* scene, sis_subject subject) {
    sis_fault fault = {0};
    sis_system* system = compile(scene, subject);
    sis_picture picture = picture_of(system, subject);
    sis_files* files = sis_files_new();
    int descriptor = sis_files_add(files, in_folder("p.png"), &fault);
    bool fine = sis_picture_draw(&picture, descriptor, &fault);
    if (!fine) printf("%s: %s\n", sis_subject_word(subject), fault.text);
    CHECK(fine);
    CHECK(!fine || sis_files_commit(files, &fault));
    sis_files_free(files);
    size_t size = 0;
    unsigned char* b = slurp(in_folder("p.png"), &size);
    CHECK(b && size > 4000 && !memcmp(b, "\x89PNG", 4));
    if (b) CHECK(png_number(b + 16) >= 900 && png_number(b + 20) >= 380);
    free(b);
    unlink(in_folder("p.png"));
    sis_system_free(system);
}

#endif
