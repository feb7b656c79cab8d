// Strings in outputs: what follows from a system, probes that are added, snapshots, maps of
// contacts, and the pictures made of them.

#include "check.h"
#include "contact_map.h"
#include "facts.h"
#include "files.h"
#include "out_help.h"
#include "picture.h"
#include "probes.h"
#include "report.h"
#include "snapshots.h"
#include "text.h"

#include <stdlib.h>
#include <unistd.h>

#define RATE     22050.0
#define DURATION 0.05
#include "out_draw.h"

// ---------------------------------------------------------------------------- facts

static void words_come_from_the_schema(void) {
    char text[32];
    CHECK(!strcmp(sis_fact_word(SIS_KIND_STRING, "model", SIS_STRING_FD, text, 32), "fd"));
    CHECK(!strcmp(sis_fact_word(SIS_KIND_STRING, "model", SIS_STRING_MODAL, text, 32), "modal"));
    CHECK(!strcmp(sis_fact_word(SIS_KIND_STRING, "ends", SIS_ENDS_CLAMPED, text, 32), "clamped"));
    CHECK(!strcmp(sis_fact_word(SIS_KIND_STRING, "model", 9, text, 32), ""));
    CHECK(!strcmp(sis_fact_word(SIS_KIND_STRING, "colour", 0, text, 32), ""));
}

static void at_the_bound_half_of_the_contact_energy_is_everything(void) {
    sis_link_info link = {.kind = SIS_KIND_CONTACT, .K = 3e7, .alpha = 1.7, .weight = 0.004};
    double eta = sis_fact_bound(&link, 2e-3);
    double potential = link.weight * link.K / 2.7 * pow(eta, 2.7);
    CHECK_NEAR(potential / 2, 2e-3, 1e-15);
    CHECK(isnan(sis_fact_bound(&link, 0)));
    link.potential = SIS_POTENTIAL_MIDPOINT;
    CHECK(isnan(sis_fact_bound(&link, 1)));
    link.potential = SIS_POTENTIAL_MEAN;
    link.K = 0;
    CHECK(isnan(sis_fact_bound(&link, 1)));
    link.K = 1;
    link.scheme = SIS_SCHEME_RK4;
    CHECK(isnan(sis_fact_bound(&link, 1)));
}

static void decay_times_follow_the_losses(void) {
    sis_body_info string = {.tension = 90, .density = 0.01, .sigma0 = 0.5, .sigma1 = 2e-4};
    double w = 2 * 3.141592653589793 * 800, c2 = 9000;
    CHECK_NEAR(sis_fact_t60(&string, 800), 3 * log(10) / (0.5 + 2e-4 * w * w / c2), 1e-12);
    string.stiffness = 1e-2; // the wave number is the root of c^2 b^2 + kappa^2 b^4 = w^2
    double b2 = ((3 * log(10) / sis_fact_t60(&string, 800)) - 0.5) / 2e-4;
    CHECK_NEAR(c2 * b2 + 1.0 * b2 * b2, w * w, 1e-6 * w * w);
    string.sigma0 = string.sigma1 = 0;
    CHECK(isinf(sis_fact_t60(&string, 800)));
}

static void places_are_in_metres_or_centimetres(void) {
    CHECK(!strcmp(sis_unit_place(1).text, "m") && sis_unit_place(2.5).factor == 1);
    CHECK(!strcmp(sis_unit_place(0.65).text, "cm") && sis_unit_place(0.65).factor == 0.01);
}

static void sides_are_found_by_what_they_are(void) {
    sis_error error = {0};
    sis_system* system = compile(plucked(&error), SIS_SUBJECT_ENERGY);
    CHECK(sis_fact_bodies(system, SIS_KIND_STRING) == 1);
    CHECK(sis_fact_spread(system, 0) && !sis_fact_spread(system, 1));
    CHECK(sis_system_body(system, sis_fact_side(system, 0, true)).kind == SIS_KIND_STRING);
    CHECK(sis_system_body(system, sis_fact_side(system, 1, true)).kind == SIS_KIND_MASS);
    CHECK(sis_system_body(system, sis_fact_side(system, 1, false)).kind == SIS_KIND_STRING);
    CHECK_NEAR(sis_fact_place(system, 1, 0), 0.35, 1e-15);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- probes

static void added_probes_have_names_that_can_be_read(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_scene* scene = plucked(&error);
    sis_options how = {.rate = RATE, .scheme = SIS_SCHEME_AS_GIVEN};
    for (int i = 0; i < 2; i++) // the second time the names are taken
        CHECK(sis_picture_probes(scene, SIS_SUBJECT_PHASE, &how, &fault));
    sis_system* system = sis_compile(scene, &how, &error);
    CHECK(system && sis_system_probe_count(system) == 9);
    CHECK(!strcmp(sis_system_probe(system, 1).name, "displacement of wire at 0.9 L"));
    CHECK(!strcmp(sis_system_probe(system, 2).name, "velocity of wire at 0.9 L"));
    CHECK(!strcmp(sis_system_probe(system, 3).name, "displacement of hammer"));
    char title[128];
    sis_probe_info probe = sis_system_probe(system, 2);
    sis_probe_title(&probe, title, sizeof title);
    CHECK(!strcmp(title, "velocity of wire at 0.9 L"));
    probe = sis_system_probe(system, 0);
    sis_probe_title(&probe, title, sizeof title);
    CHECK(!strcmp(title, "probe1: velocity of wire"));
    sis_system_free(system);
    sis_scene_free(scene);
}

// ---------------------------------------------------------------------------- snapshots

static void snapshots_are_spread_over_the_first_period(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(plucked(&error), SIS_SUBJECT_SNAPSHOTS);
    sis_picture picture = picture_of(system, SIS_SUBJECT_SNAPSHOTS);
    sis_snapshots s;
    CHECK(sis_snapshots_take(&s, &picture, &fault));
    CHECK(s.times.count == 6 && s.times.step[0] == 0); // plucked: it starts with energy
    CHECK_NEAR((double)s.times.step[5] / RATE, 5.0 / 6 / sis_system_body(system, 0).frequency,
               1 / RATE);
    CHECK(s.shape_count == 1 && s.touch_count == 2 && s.group_count == 1);
    // The start is the pluck, and the hammer stands where it begins.
    CHECK_NEAR(sis_shape_at(&s.shapes[0], 0, 0.1), 1.5e-3, 2e-5);
    CHECK_NEAR(sis_shape_at(&s.shapes[0], 0, 0.35), 1.5e-3, 2e-5);
    CHECK_NEAR(s.touches[0].edge[7], -5e-4, 1e-12);
    CHECK_NEAR(s.touches[1].u[0], 5e-3, 1e-12);
    CHECK(s.touches[0].other < 0 && s.touches[1].other >= 0 && !s.touches[1].above);
    // Where a string is pushed it is inside the barrier, or was a moment ago.
    for (int32_t t = 0; t < s.times.count; t++)
        for (int32_t j = 0; j < s.touches[0].info.points; j++)
            if (s.touches[0].force[t * s.touches[0].info.points + j] > 0)
                CHECK(sis_shape_at(&s.shapes[0], t, s.touches[0].x[j]) < -4e-4);
    sis_snapshots_close(&s);
    sis_system_free(system);
}

static void snapshots_are_taken_when_asked(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(plucked(&error), SIS_SUBJECT_SNAPSHOTS);
    sis_picture picture = picture_of(system, SIS_SUBJECT_SNAPSHOTS);
    const double times[] = {0, 0.004, 0.01};
    picture.times = times;
    picture.time_count = 3;
    sis_snapshots s;
    CHECK(sis_snapshots_take(&s, &picture, &fault));
    CHECK(s.times.count == 3 && s.times.step[1] == 88 && s.times.step[2] == 221);
    // The same shapes as those of a run to that step.
    sis_state* state = sis_run_state(system, &fault);
    sis_block block = {.frames = 89};
    sis_step(system, state, &block);
    double u[2000];
    CHECK(s.shapes[0].info.points < 2000);
    sis_state_shape(system, state, s.shapes[0].body, u);
    for (int32_t j = 0; j < s.shapes[0].info.points; j++)
        CHECK(s.shapes[0].u[s.shapes[0].info.points + j] == u[j]);
    free(state);
    sis_snapshots_close(&s);
    const double late[] = {0, DURATION};
    picture.times = late;
    picture.time_count = 2;
    CHECK(!sis_snapshots_take(&s, &picture, &fault) && fault.kind == SIS_FAULT_REQUEST);
    CHECK_TEXT(fault.text, "not before the end");
    sis_snapshots_close(&s);
    sis_system_free(system);
}

static void snapshots_need_a_string(void) {
    sis_fault fault = {0};
    sis_system* system = ringing(RATE, SIS_SUBJECT_SNAPSHOTS);
    sis_picture picture = picture_of(system, SIS_SUBJECT_SNAPSHOTS);
    sis_snapshots s;
    CHECK(!sis_snapshots_take(&s, &picture, &fault) && fault.kind == SIS_FAULT_SCENE);
    CHECK_TEXT(fault.text, "no string");
    sis_snapshots_close(&s);
    sis_system_free(system);
}

/** Two strings, one above the other by 1 mm, and a third for itself. */
static sis_scene* three_strings(sis_error* error) {
    sis_scene* scene = sis_scene_new();
    sis_contact_def contact = sis_contact_default();
    contact.above = add_wire(scene, "upper", error);
    add_wire(scene, "alone", error);
    contact.below = add_wire(scene, "lower", error);
    contact.K = 1e8;
    contact.alpha = 1.5;
    contact.gap = 1e-3;
    sis_scene_add_contact(scene, &contact, error);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = contact.above;
    pluck.at = 0.2;
    pluck.height = 3e-3;
    sis_scene_add_pluck(scene, &pluck, error);
    return scene;
}

static void strings_that_touch_share_a_panel(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(three_strings(&error), SIS_SUBJECT_SNAPSHOTS);
    sis_picture picture = picture_of(system, SIS_SUBJECT_SNAPSHOTS);
    sis_snapshots s;
    CHECK(sis_snapshots_take(&s, &picture, &fault));
    CHECK(s.group_count == 2 && s.shape_count == 3);
    CHECK(s.shapes[0].group == s.shapes[2].group && s.shapes[0].group != s.shapes[1].group);
    CHECK_NEAR(s.shapes[2].offset, -1e-3, 1e-9);
    CHECK(s.shapes[0].offset == 0 && s.shapes[1].offset == 0);
    sis_snapshots_close(&s);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- maps of contacts

static void a_map_holds_the_largest_force_and_where_it_is_open(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(plucked(&error), SIS_SUBJECT_CONTACT);
    sis_window window = {.first = 0, .count = 600};
    sis_contact_map map;
    CHECK(sis_contact_map_open(&map, system, 0, &window, 100));
    CHECK(map.rows == map.info.points && map.shown_from == 0);
    CHECK_NEAR(map.shown_to, 0.5, 1e-15);
    sis_state* state = sis_run_state(system, &fault);
    sis_block block = {.frames = 1};
    for (uint64_t n = 0; n < 600; n++) {
        sis_step(system, state, &block);
        sis_contact_map_take(&map, system, state, n);
    }
    double most = sis_state_link(system, state, 0).max_force;
    CHECK(most > 0);
    CHECK_NEAR((double)map.most, most, 1e-6 * most);
    int closed = 0;
    float largest = 0;
    for (int i = 0; i < map.rows * map.columns; i++) {
        closed += map.force[i] >= 0;
        largest = fmaxf(largest, map.force[i]);
    }
    CHECK(largest == map.most);
    CHECK(closed > 20 && closed < map.rows * map.columns / 2);
    for (int r = 0; r < map.rows; r++)
        CHECK(map.force[r * map.columns] < 0); // nothing touches at first
    sis_contact_map_close(&map);
    free(state);
    sis_system_free(system);
}

// ---------------------------------------------------------------------------- pictures and report

static void every_picture_of_a_string_is_drawn(void) {
    sis_fault fault = {0};
    if (!sis_canvas_available(&fault)) {
        CHECK_SKIP("gnuplot is not installed");
        return;
    }
    for (int i = 0; i < SIS_SUBJECT_COUNT; i++) {
        sis_error error = {0};
        if (i == SIS_SUBJECT_PLATE || i == SIS_SUBJECT_BOW) continue; // it has none
        draw_one(plucked(&error), (sis_subject)i);
    }
    sis_error error = {0};
    draw_one(three_strings(&error), SIS_SUBJECT_SNAPSHOTS);
    draw_one(three_strings(&error), SIS_SUBJECT_CONTACT);
}

static void a_report_knows_strings(void) {
    sis_error error = {0};
    sis_fault fault = {0};
    sis_system* system = compile(plucked(&error), SIS_SUBJECT_ENERGY);
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
        .scene = "wire", .plan = plan, .system = system, .state = run.state, .tally = &tally};
    sis_files* files = sis_files_new();
    CHECK(sis_report_write(&report, sis_files_add(files, in_folder("r.json"), &fault), &fault));
    CHECK(sis_files_commit(files, &fault));
    sis_files_free(files);
    size_t size = 0;
    unsigned char* text = slurp(in_folder("r.json"), &size);
    if (text) text[size < (1 << 22) ? size : size - 1] = 0;
    const char* const keys[] = {
        "\"model\": \"fd\"",      "\"segments\": ",        "\"h_over_hmin\": ",
        "\"points_max\": ",       "\"distributed\": true", "\"penetration_bound\": ",
        "\"ends\": \"supported\""};
    for (int i = 0; i < 7; i++)
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
    RUN(words_come_from_the_schema);
    RUN(at_the_bound_half_of_the_contact_energy_is_everything);
    RUN(decay_times_follow_the_losses);
    RUN(places_are_in_metres_or_centimetres);
    RUN(sides_are_found_by_what_they_are);
    RUN(added_probes_have_names_that_can_be_read);
    RUN(snapshots_are_spread_over_the_first_period);
    RUN(snapshots_are_taken_when_asked);
    RUN(snapshots_need_a_string);
    RUN(strings_that_touch_share_a_panel);
    RUN(a_map_holds_the_largest_force_and_where_it_is_open);
    RUN(every_picture_of_a_string_is_drawn);
    RUN(a_report_knows_strings);
    rmdir(folder);
    return CHECK_REPORT();
}
