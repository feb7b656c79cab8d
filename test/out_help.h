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
    sis_options options = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN};
    CHECK(sis_picture_probes(scene, subject, &options, &fault));
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system != NULL);
    sis_scene_free(scene);
    return system;
}

/** A string of 100 Hz, 0.5 m long. */
static inline sis_id add_wire(sis_scene* scene, const char* name, sis_error* error) {
    sis_string_def string = sis_string_default();
    string.name = name;
    string.length = 0.5;
    string.tension = 40;
    string.density = 4e-3;
    string.sigma0 = 1;
    string.sigma1 = 1e-3;
    return sis_scene_add_string(scene, &string, error);
}

/** A plucked string over a flat barrier, and a mass that falls onto it. */
static inline sis_scene* plucked(sis_error* error) {
    sis_scene* scene = sis_scene_new();
    sis_id wire = add_wire(scene, "wire", error);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = wire;
    pluck.at = 0.2;
    pluck.height = 3e-3;
    sis_scene_add_pluck(scene, &pluck, error);
    sis_barrier_def floor_def = sis_barrier_default();
    floor_def.name = "floor";
    floor_def.height = -5e-4;
    sis_contact_def contact = sis_contact_default();
    contact.name = "buzz";
    contact.above = wire;
    contact.below = sis_scene_add_barrier(scene, &floor_def, error);
    contact.K = 1e8;
    contact.alpha = 1.5;
    sis_scene_add_contact(scene, &contact, error);
    sis_mass_def mass = sis_mass_default();
    mass.name = "hammer";
    mass.mass = 1e-3;
    mass.position = 5e-3;
    mass.velocity = -1;
    contact.name = "strike";
    contact.below = wire;
    contact.above = sis_scene_add_mass(scene, &mass, error);
    const double place = 0.35;
    contact.at_below = (sis_list){.values = &place, .count = 1};
    sis_scene_add_contact(scene, &contact, error);
    sis_probe_def probe = sis_probe_default();
    probe.on = wire;
    probe.at = 0.1;
    probe.quantity = SIS_QUANTITY_VELOCITY;
    sis_scene_add_probe(scene, &probe, error);
    CHECK(error->status == SIS_OK);
    return scene;
}

/** A plate of 40 by 20 cm that rings from 85 Hz on. */
static inline sis_id add_board(sis_scene* scene, const char* name, sis_ends edge,
                               sis_error* error) {
    sis_plate_def plate = sis_plate_default();
    plate.name = name;
    plate.length = 0.4;
    plate.width = 0.2;
    plate.thickness = 1e-3;
    plate.material_density = 2700;
    plate.youngs = 7e10;
    plate.sigma0 = 2;
    plate.sigma1 = 1e-3;
    plate.edge = edge;
    plate.segments_x = 16;
    plate.segments_y = 8;
    return sis_scene_add_plate(scene, &plate, error);
}

/** A body of two modes at two places. */
static inline sis_id add_box(sis_scene* scene, const char* name, sis_error* error) {
    static const double frequency[] = {110, 260}, sigma[] = {5, 8}, mass[] = {0.2, 0.1},
                        shape[] = {1, 0.5, 1, -0.8};
    sis_modal_def modal = sis_modal_default();
    modal.name = name;
    modal.frequency = (sis_list){frequency, 2};
    modal.sigma = (sis_list){sigma, 2};
    modal.mass = (sis_list){mass, 2};
    modal.shape = (sis_list){shape, 4};
    modal.points = 2;
    return sis_scene_add_modal(scene, &modal, error);
}

/** A bowed string on a bridge that rattles on a board, which is tied to a box. */
static inline sis_scene* bowed(sis_error* error) {
    sis_scene* scene = sis_scene_new();
    sis_id wire = add_wire(scene, "wire", error);
    sis_id board = add_board(scene, "board", SIS_ENDS_SUPPORTED, error);
    sis_mass_def mass = sis_mass_default();
    mass.name = "bridge";
    mass.mass = 1e-3;
    mass.frequency = 500;
    sis_id bridge = sis_scene_add_mass(scene, &mass, error);
    const double foot = 0.42, seat[] = {0.3, 0.15};
    sis_contact_def contact = sis_contact_default();
    contact.name = "foot";
    contact.above = wire;
    contact.below = bridge;
    contact.at_above = (sis_list){&foot, 1};
    contact.K = 5e6;
    contact.alpha = 1.3;
    contact.law = SIS_LAW_TWO_SIDED;
    sis_scene_add_contact(scene, &contact, error);
    contact = sis_contact_default();
    contact.name = "rattle";
    contact.above = bridge;
    contact.below = board;
    contact.at_below = (sis_list){seat, 2};
    contact.K = 5e8;
    contact.alpha = 1.3;
    contact.gap = 1e-6;
    sis_scene_add_contact(scene, &contact, error);
    sis_spring_def spring = sis_spring_default();
    spring.name = "post";
    spring.a = board;
    spring.at_a = 0.1;
    spring.at_a_y = 0.05;
    spring.b = add_box(scene, "box", error);
    spring.at_b = 2;
    spring.K1 = 1e5;
    sis_scene_add_spring(scene, &spring, error);
    sis_bow_def bow = sis_bow_default();
    bow.name = "stick";
    bow.on = wire;
    bow.at = 0.1;
    bow.force = 0.5;
    bow.velocity = 0.2;
    sis_scene_add_bow(scene, &bow, error);
    sis_probe_def probe = sis_probe_default();
    probe.on = board;
    probe.at = 0.2;
    probe.at_y = 0.1;
    probe.quantity = SIS_QUANTITY_VELOCITY;
    sis_scene_add_probe(scene, &probe, error);
    if (error->status) printf("%s\n", error->text);
    CHECK(error->status == SIS_OK);
    return scene;
}

#endif
