// Plates, modal bodies and bows in outputs: what follows from a system, probes that are added,
// shapes of plates, and the pictures and reports made of them.

#include "check.h"
#include "contact_map.h"
#include "facts.h"
#include "files.h"
#include "out_help.h"
#include "picture.h"
#include "plates.h"
#include "probes.h"
#include "report.h"
#include "snapshots.h"

#include <stdlib.h>
#include <unistd.h>

#define RATE     22050.0
#define DURATION 0.06
#include "out_draw.h"

/** A mass that falls onto a plate after 10 ms. */
static sis_scene* struck(sis_ends edge, sis_error* error) {
    sis_scene* scene = sis_scene_new();
    sis_id board = add_board(scene, "board", edge, error);
    sis_mass_def mass = sis_mass_default();
    mass.name = "mallet";
    mass.mass = 5e-3;
    mass.position = 0.01;
    mass.velocity = -1;
    const double place[] = {0.1, 0.05};
    sis_contact_def contact = sis_contact_default();
    contact.name = "blow";
    contact.above = sis_scene_add_mass(scene, &mass, error);
    contact.below = board;
    contact.at_below = (sis_list){place, 2};
    contact.K = 1e8;
    contact.alpha = 1.5;
    sis_scene_add_contact(scene, &contact, error);
    CHECK(error->status == SIS_OK);
    return scene;
}

// ---------------------------------------------------------------------------- facts

static int32_t link_named(const sis_system* system, const char* name) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++)
        if (!strcmp(sis_system_link(system, i).name, name)) return i;
    return -1;
}

static void sides_are_found_by_what_they_are(void) {
    sis_error error = {0};
    sis_system* system = compile(bowed(&error), SIS_SUBJECT_ENERGY);
    static const struct {
        const char* link;
        sis_kind above, below;
        const char *where_above, *where_below;
    } sides[] = {
        {"foot", SIS_KIND_STRING, SIS_KIND_MASS, " at 0.42 m", ""},
        {"rattle", SIS_KIND_MASS, SIS_KIND_PLATE, "", " at {0.3, 0.15} m"},
        {"post", SIS_KIND_MODAL, SIS_KIND_PLATE, " at place 2", " at {0.1, 0.05} m"},
    };
    for (int i = 0; i < 3; i++) {
        int32_t link = link_named(system, sides[i].link);
        char text[80];
        CHECK(link >= 0);
        CHECK(sis_system_body(system, sis_fact_side(system, link, true)).kind == sides[i].above);
        CHECK(sis_system_body(system, sis_fact_side(system, link, false)).kind == sides[i].below);
        CHECK(!strcmp(sis_fact_where(system, link, 0, true, text, 80), sides[i].where_above));
        CHECK(!strcmp(sis_fact_where(system, link, 0, false, text, 80), sides[i].where_below));
    }
    int32_t bow = link_named(system, "stick");
    CHECK(sis_system_body(system, sis_fact_side(system, bow, false)).kind == SIS_KIND_STRING);
    CHECK(isnan(sis_fact_place(system, link_named(system, "rattle"), 0)));
    CHECK(sis_fact_links(system, SIS_KIND_CONTACT) == 2 &&
          sis_fact_links(system, SIS_KIND_BOW) == 1);
    CHECK(sis_fact_bodies(system, SIS_KIND_PLATE) == 1);
    sis_system_free(system);
}

static void a_place_between_points_is_read_linearly(void) {
    double u[5 * 4];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 5; i++)
            u[5 * j + i] = 3 + 0.5 * i - 2 * j + 0.25 * i * j;
    sis_body_info plate = {.kind = SIS_KIND_PLATE,
                           .points = 20,
                           .segments = 4,
                           .segments_y = 3,
                           .length = 0.8,
                           .width = 0.3};
    for (double x = 0; x < 0.81; x += 0.05)
        for (double y = 0; y < 0.31; y += 0.03) {
            double i = x / 0.2, j = y / 0.1;
            CHECK_NEAR(sis_fact_read(&plate, u, x, y), 3 + 0.5 * i - 2 * j + 0.25 * i * j, 1e-12);
        }
    sis_body_info string = {.kind = SIS_KIND_STRING, .points = 5, .segments = 4, .length = 0.8};
    CHECK_NEAR(sis_fact_read(&string, u, 0.3, (double)NAN), 3.75, 1e-12);
    sis_body_info modal = {.kind = SIS_KIND_MODAL, .points = 2};
    CHECK(sis_fact_read(&modal, u, 2, (double)NAN) == 3.5);
    sis_body_info mass = {.kind = SIS_KIND_MASS, .points = 1};
    CHECK(sis_fact_read(&mass, u, (double)NAN, (double)NAN) == 3);
}

static void friction_is_largest_where_the_bow_lets_go(void) {
    sis_link_info bow = {.kind = SIS_KIND_BOW, .K = 0.7, .alpha = 80};
    double grip = sis_fact_grip(&bow);
    CHECK_NEAR(sis_fact_friction(&bow, grip), 0.7, 1e-15);
    CHECK_NEAR(sis_fact_friction(&bow, -grip), -0.7, 1e-15);
    CHECK(sis_fact_friction(&bow, 1.01 * grip) < 0.7 && sis_fact_friction(&bow, 0.99 * grip) < 0.7);
    CHECK(sis_fact_friction(&bow, 0) == 0);
}

// ---------------------------------------------------------------------------- probes

static void added_probes_read_every_body(void) {
    sis_error error = {0};
    sis_system* system = compile(bowed(&error), SIS_SUBJECT_PHASE);
    static const char* const names[] = {
        "displacement of wire at 0.9 L", "displacement of board at 0.4 lx, 0.45 ly",
        "displacement of bridge",        "displacement of box at place 1",
        "velocity of box at place 1",    "velocity of board at 0.4 lx, 0.45 ly"};
    for (int i = 0; i < 6; i++) {
        int found = 0;
        for (int32_t p = 0; p < sis_system_probe_count(system); p++)
            found += !strcmp(sis_system_probe(system, p).name, names[i]);
        CHECK(found == 1);
    }
    CHECK(sis_system_probe_count(system) == 9);
    sis_system_free(system);
}

static void a_bow_is_read_by_velocity_and_force(void) {
    sis_error error = {0};
    sis_system* system = compile(bowed(&error), SIS_SUBJECT_BOW);
    CHECK(sis_system_probe_count(system) == 3);
    sis_probe_info velocity = sis_system_probe(system, 1), force = sis_system_probe(system, 2);
    CHECK(!strcmp(velocity.name, "velocity of stick") && !strcmp(velocity.unit, "m/s"));
    CHECK(!strcmp(force.name, "force of stick") && !strcmp(force.unit, "N"));
    // What is drawn lies on the friction curve.
    sis_link_info bow = sis_system_link(system, link_named(system, "stick"));
    sis_fault fault = {0};
    sis_state* state = sis_run_state(system, &fault);
    for (int n = 0; n < 1000; n++) {
        double row[3];
        sis_block block = {.frames = 1, .probes = row};
        sis_step(system, state, &block);
        CHECK(row[1] * row[2] >= 0); // friction only takes
        if (n) CHECK_NEAR(row[2], sis_fact_friction(&bow, row[1]), 1e-9);
    }
    free(state);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- shapes of plates

static void plates_are_shown_from_when_they_move(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(struck(SIS_ENDS_SUPPORTED, &error), SIS_SUBJECT_PLATE);
    sis_picture picture = picture_of(system, SIS_SUBJECT_PLATE);
    sis_plates p;
    CHECK(sis_plates_take(&p, &picture, &fault));
    CHECK(p.times.count == 6 && p.sheet_count == 1 && p.spot_count == 1);
    // It is hit after 10 ms; the first time is a sixth of a period later.
    double period = 1 / p.sheets[0].info.frequency;
    double first = (double)p.times.step[0] / RATE, last = (double)p.times.step[5] / RATE;
    CHECK(first > 0.0085 + period / 6 && first < 0.0102 + period / 6);
    CHECK_NEAR(last - first, 5.0 / 6 * period, 1 / RATE);
    CHECK(p.most > 1e-6 && p.most < 1e-2);
    CHECK(p.spots[0].x == 0.1 && p.spots[0].y == 0.05 && p.spots[0].kind == SIS_KIND_CONTACT);
    sis_plates_close(&p);
    sis_system_free(system);
}

static void plates_are_shown_when_asked(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(struck(SIS_ENDS_CLAMPED, &error), SIS_SUBJECT_PLATE);
    sis_picture picture = picture_of(system, SIS_SUBJECT_PLATE);
    const double times[] = {0, 0.0102, 0.02};
    picture.times = times;
    picture.time_count = 3;
    sis_plates p;
    CHECK(sis_plates_take(&p, &picture, &fault));
    CHECK(p.times.count == 3 && p.times.step[1] == 225);
    int32_t points = p.sheets[0].info.points;
    CHECK(points == 17 * 9);
    sis_state* state = sis_run_state(system, &fault);
    sis_block block = {.frames = 226};
    sis_step(system, state, &block);
    double u[17 * 9], force = 0;
    sis_state_shape(system, state, p.sheets[0].body, u);
    sis_state_contact(system, state, 0, NULL, &force);
    for (int32_t j = 0; j < points; j++)
        CHECK(p.sheets[0].u[points + j] == u[j]);
    CHECK(force > 0 && p.spots[0].acts[1]); // during the blow
    CHECK(!p.spots[0].acts[0]);
    for (int32_t j = 0; j < points; j++)
        CHECK(p.sheets[0].u[j] == 0);
    free(state);
    sis_plates_close(&p);
    sis_system_free(system);
}

static void every_link_of_a_plate_is_marked(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(bowed(&error), SIS_SUBJECT_PLATE);
    sis_picture picture = picture_of(system, SIS_SUBJECT_PLATE);
    sis_plates p;
    CHECK(sis_plates_take(&p, &picture, &fault));
    CHECK(p.spot_count == 2);
    CHECK(p.spots[0].kind == SIS_KIND_CONTACT && p.spots[0].x == 0.3 && p.spots[0].y == 0.15);
    CHECK(p.spots[1].kind == SIS_KIND_SPRING && p.spots[1].x == 0.1 && p.spots[1].y == 0.05);
    sis_plates_close(&p);
    sis_system_free(system);
}

static void pictures_need_what_they_show(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(plucked(&error), SIS_SUBJECT_PLATE);
    sis_picture picture = picture_of(system, SIS_SUBJECT_PLATE);
    sis_plates p;
    CHECK(!sis_plates_take(&p, &picture, &fault) && fault.kind == SIS_FAULT_SCENE);
    CHECK_TEXT(fault.text, "no plate");
    sis_plates_close(&p);
    sis_system_free(system);
    system = compile(struck(SIS_ENDS_SUPPORTED, &error), SIS_SUBJECT_SNAPSHOTS);
    picture = picture_of(system, SIS_SUBJECT_SNAPSHOTS);
    sis_snapshots s;
    CHECK(!sis_snapshots_take(&s, &picture, &fault) && fault.kind == SIS_FAULT_SCENE);
    CHECK_TEXT(fault.text, "--what plate");
    sis_snapshots_close(&s);
    sis_system_free(system);
}

/** A string that lies on a plate at three points. */
static sis_scene* string_on_plate(sis_error* error) {
    sis_scene* scene = sis_scene_new();
    const double along[] = {0.2, 0.25, 0.3}, on[] = {0.1, 0.1, 0.2, 0.1, 0.3, 0.1};
    sis_contact_def contact = sis_contact_default();
    contact.name = "buzz";
    contact.above = add_wire(scene, "wire", error);
    contact.below = add_board(scene, "board", SIS_ENDS_SUPPORTED, error);
    contact.at_above = (sis_list){along, 3};
    contact.at_below = (sis_list){on, 6};
    contact.K = 1e7;
    contact.alpha = 1.5;
    contact.gap = 2e-4;
    sis_scene_add_contact(scene, &contact, error);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = contact.above;
    pluck.at = 0.2;
    pluck.height = 2e-3;
    sis_scene_add_pluck(scene, &pluck, error);
    CHECK(error->status == SIS_OK);
    return scene;
}

static void snapshots_show_where_the_plate_under_a_string_is(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(string_on_plate(&error), SIS_SUBJECT_SNAPSHOTS);
    sis_picture picture = picture_of(system, SIS_SUBJECT_SNAPSHOTS);
    sis_snapshots s;
    CHECK(sis_snapshots_take(&s, &picture, &fault));
    CHECK(s.shape_count == 1 && s.touch_count == 1 && s.touches[0].info.points == 3);
    int moved = 0;
    for (int n = 0; n < 3 * s.times.count; n++) {
        CHECK(fabs(s.touches[0].u[n] + 2e-4) < 1e-3); // below the string by the gap
        moved += s.touches[0].u[n] != -2e-4;
    }
    CHECK(s.touches[0].u[0] == -2e-4 && moved > 3);
    sis_snapshots_close(&s);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- maps of contacts

/** A mass over three points of a plate. */
static sis_scene* three_points(sis_error* error) {
    sis_scene* scene = struck(SIS_ENDS_SUPPORTED, error);
    const double places[] = {0.1, 0.1, 0.2, 0.1, 0.3, 0.1};
    sis_contact_def contact = sis_contact_default();
    contact.name = "feet";
    contact.above = sis_scene_find(scene, SIS_KIND_MASS, "mallet");
    contact.below = sis_scene_find(scene, SIS_KIND_PLATE, "board");
    contact.at_below = (sis_list){places, 6};
    contact.K = 1e7;
    contact.alpha = 1.5;
    sis_scene_add_contact(scene, &contact, error);
    CHECK(error->status == SIS_OK);
    return scene;
}

static void points_of_a_plate_are_counted_in_a_map(void) {
    sis_error error = {0};
    sis_system* system = compile(three_points(&error), SIS_SUBJECT_CONTACT);
    int32_t feet = link_named(system, "feet");
    CHECK(sis_fact_spread(system, feet) && !sis_fact_spread(system, link_named(system, "blow")));
    sis_window window = {.first = 0, .count = 100};
    sis_contact_map map;
    CHECK(sis_contact_map_open(&map, system, feet, &window, 10));
    CHECK(map.counted && map.shown_from == 0.5 && map.shown_to == 3.5);
    for (int j = 1; j < 3; j++)
        CHECK(map.first_row[j] > map.last_row[j - 1]);
    sis_contact_map_close(&map);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- pictures and report

static void every_picture_of_a_network_is_drawn(void) {
    sis_fault fault = {0};
    sis_error error = {0};
    if (!sis_canvas_available(&fault)) {
        CHECK_SKIP("gnuplot is not installed");
        return;
    }
    for (int i = 0; i < SIS_SUBJECT_COUNT; i++)
        draw_one(bowed(&error), (sis_subject)i);
    draw_one(struck(SIS_ENDS_CLAMPED, &error), SIS_SUBJECT_PLATE);
    draw_one(three_points(&error), SIS_SUBJECT_CONTACT);
    draw_one(string_on_plate(&error), SIS_SUBJECT_SNAPSHOTS);
}

static void a_report_knows_plates_modal_bodies_and_bows(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(bowed(&error), SIS_SUBJECT_ENERGY);
    sis_plan plan;
    CHECK(sis_plan_make(RATE, 1, DURATION, &plan, &fault));
    sis_tally tally;
    sis_run run = {.system = system, .state = sis_run_state(system, &fault)};
    CHECK(sis_tally_open(&tally, system, run.state, 1, &fault));
    sis_sink sink = sis_tally_sink(&tally);
    run.steps = sis_plan_steps(&plan);
    run.sinks = &sink;
    run.sink_count = 1;
    CHECK(sis_run_go(&run, &fault));
    sis_report report = {
        .scene = "bowed", .plan = plan, .system = system, .state = run.state, .tally = &tally};
    sis_files* files = sis_files_new();
    CHECK(sis_report_write(&report, sis_files_add(files, in_folder("r.json"), &fault), &fault));
    CHECK(sis_files_commit(files, &fault));
    sis_files_free(files);
    size_t size = 0;
    unsigned char* text = slurp(in_folder("r.json"), &size);
    if (text) text[size < (1 << 22) ? size : size - 1] = 0;
    const char* const keys[] = {"\"kind\": \"plate\"", "\"kind\": \"modal\"",
                                "\"places\": 2",       "\"edge\": \"supported\"",
                                "\"bows\": [",         "\"on\": \"wire\""};
    for (int i = 0; i < 6; i++)
        CHECK(text && strstr((const char*)text, keys[i]));
    CHECK(sis_balance_residual(&tally.balance) < 1e-12);
    free(text);
    unlink(in_folder("r.json"));
    sis_tally_close(&tally);
    free(run.state);
    sis_system_free(system);
}

int main(void) {
    snprintf(folder, sizeof folder, "/tmp/sistrum-test-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    RUN(sides_are_found_by_what_they_are);
    RUN(a_place_between_points_is_read_linearly);
    RUN(friction_is_largest_where_the_bow_lets_go);
    RUN(added_probes_read_every_body);
    RUN(a_bow_is_read_by_velocity_and_force);
    RUN(plates_are_shown_from_when_they_move);
    RUN(plates_are_shown_when_asked);
    RUN(every_link_of_a_plate_is_marked);
    RUN(pictures_need_what_they_show);
    RUN(snapshots_show_where_the_plate_under_a_string_is);
    RUN(points_of_a_plate_are_counted_in_a_map);
    RUN(every_picture_of_a_network_is_drawn);
    RUN(a_report_knows_plates_modal_bodies_and_bows);
    rmdir(folder);
    return CHECK_REPORT();
}
