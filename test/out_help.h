/** @file out_help.h
 * What the tests of outputs share: a folder for the files they make, and a system to run.
 */
#ifndef SISTRUM_TEST_OUT_HELP_H
#define SISTRUM_TEST_OUT_HELP_H

#include "check.h"
#include "picture.h"

#include <stdlib.h>

static char folder[64]; // of all files made here

static inline const char* in_folder(const char* name) {
    static char path[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/** Bytes of a file, to be freed; NULL: there is none. */
static inline unsigned char* slurp(const char* path, size_t* size) {
    FILE* f = fopen(path, "rb");
    if (!f) return NULL;
    unsigned char* bytes = malloc(1 << 22);
    *size = bytes ? fread(bytes, 1, 1 << 22, f) : 0;
    fclose(f);
    return bytes;
}

/** A 100 Hz mass on two channels, 0.25 of it on the second, and a wall it hits. */
static inline sis_system* ringing(double rate, sis_subject subject) {
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

#endif
