// Strings where it is hard: stiff frets on models whose points move each other, blows that stretch
// the string, forces and plucks finer than the grid, modes beyond the reach of a grid.
#include "check.h"
#include "string_reference.h"

static const double RATE = 8000;

// Three frets of 1e12 N/m under a bright string: contacts of one sample, all in one block.
static sis_scene* hard_frets(sis_string_model model, sis_scheme scheme) {
    static const double at[] = {0.194, 0.204, 0.68};
    sis_scene* scene = sis_scene_new();
    sis_string_def def = sis_string_default();
    def.length = 0.97;
    def.tension = 1640;
    def.density = 7.3e-4;
    def.radius = 1.7e-4;
    def.youngs = 2e11;
    def.model = model;
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    sis_barrier_def frets = sis_barrier_default();
    frets.height = -5.6e-5;
    frets.at = (sis_list){at, 3};
    const sis_id neck = put(scene, SIS_KIND_BARRIER, &frets);
    const method how = method_of(scheme, SIS_POTENTIAL_MEAN);
    put_contact(scene, string, neck, 1e12, 1, &how);
    put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.76, 1.6e-4);
    put_pickup(scene, string, 0.8, SIS_QUANTITY_DISPLACEMENT);
    return scene;
}

static void hard_frets_give_their_energy_back(void) {
    static const char* const names[] = {"fd", "implicit", "trapezoid", "modal"};
    for (int model = SIS_STRING_FD; model <= SIS_STRING_MODAL; model++) {
        run r = run_scene(hard_frets((sis_string_model)model, SIS_SCHEME_LEDGER), RATE, 2000);
        const sis_link_report report = sis_state_link(r.system, r.state, 0);
        const double held = report.trapped_max / run_peak(&r);
        printf("  %-9s holds at most %.1e of the energy while open, residual %.1e\n", names[model],
               held, run_residual(&r));
        CHECK(report.contact_samples > 20);
        CHECK_NEAR(held, 0, 1e-6);
        CHECK(report.min_force >= 0);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        run_free(&r);
    }
}

// What Newton cannot solve in double precision must not hang or leave the numbers.
static void newton_beyond_double_precision_ends(void) {
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_short();
    def.model = SIS_STRING_MODAL;
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    const method how = method_of(SIS_SCHEME_NEWTON, SIS_POTENTIAL_MEAN);
    put_contact(scene, string, put_bed(scene, NULL, -1e-4), 1e22, 1, &how);
    put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.5 * def.length, 3e-3);
    put_pickup(scene, string, 0.4 * def.length, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, SHORT_RATE, 300);
    for (int32_t n = 0; n < r.frames; n++)
        CHECK(isfinite(run_at(&r, n, 0)));
    run_free(&r);
}

// A string of growing tension under a blow: the grid of the published scheme leaves room for what
// the mass brings. The tuned one needs none.
static int32_t segments_under(bool tuned, double speed, double far) {
    double path[4] = {0, 0, 1, far};
    sis_scene* scene = sis_scene_new();
    sis_string_def def = string_2014(2e-4);
    def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    def.tuned = tuned;
    put(scene, SIS_KIND_STRING, &def);
    sis_mass_def mass = sis_mass_default();
    mass.mass = 5e-3;
    mass.velocity = speed;
    if (far > 0)
        mass = (sis_mass_def){.name = NULL,
                              .mass = 1,
                              .frequency = NAN,
                              .stiffness = NAN,
                              .path = {path, 2},
                              .trigger = SIS_NONE};
    put(scene, SIS_KIND_MASS, &mass);
    sis_system* system = compiled(scene, 44100);
    const int32_t segments = sis_system_body(system, 0).segments;
    sis_system_free(system);
    return segments;
}

static void grids_leave_room_for_blows(void) {
    const int32_t still = segments_under(false, 0, 0), slow = segments_under(false, 5, 0);
    const int32_t fast = segments_under(false, 20, 0), lifted = segments_under(false, 0, 0.02);
    printf("  %d segments; a blow of 5 m/s %d, 20 m/s %d; lifted 2 cm %d\n", (int)still, (int)slow,
           (int)fast, (int)lifted);
    CHECK(slow < still && fast < slow && lifted < still);
    CHECK(segments_under(true, 20, 0) == segments_under(true, 0, 0));
    CHECK(segments_under(true, 0, 0.02) == segments_under(true, 0, 0));
}

// A force narrower than a sample gives a mass its impulse, wherever it falls.
static void narrow_forces_keep_their_impulse(void) {
    for (int course = SIS_FORCE_RAISED_COSINE; course <= SIS_FORCE_HALF_COSINE; course++)
        for (int i = 0; i < 20; i++) {
            const double width = (0.05 + 0.09 * i) / RATE, start = (10 + 0.137 * i) / RATE;
            sis_scene* scene = sis_scene_new();
            const sis_id mass = put_mass(scene, 0.01, 0, 0);
            put_force(scene, mass, (sis_force_shape)course, 2, width, start);
            put_probe(scene, mass, SIS_QUANTITY_VELOCITY);
            run r = run_scene(scene, RATE, 40);
            CHECK_NEAR(run_at(&r, 39, 0), 0.5 * 2 * width / 0.01, 1e-12);
            run_free(&r);
        }
}

static void plucks_between_two_points_are_refused(void) {
    sis_scene* scene = sis_scene_new();
    const sis_string_def def = string_2019();
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = put(scene, SIS_KIND_STRING, &def);
    pluck.shape = SIS_PLUCK_RAISED_COSINE;
    pluck.at = 0.5 / 219 + 0.3; // between the points of the grid of 219 segments
    pluck.height = 1e-3;
    pluck.width = 1e-4;
    put(scene, SIS_KIND_PLUCK, &pluck);
    sis_error error = {.status = SIS_OK};
    const sis_options options = sis_options_default(scene);
    CHECK(sis_compile(scene, &options, &error) == NULL);
    CHECK_TEXT(error.text, "width");
    sis_scene_free(scene);
}

// Modes need no grid: a long string of few modes, and a rate at which no grid is stable.
static void modal_strings_need_no_grid(void) {
    sis_string_def def = string_2019();
    def.model = SIS_STRING_MODAL;
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, &def);
    sis_system* system = compiled(scene, 100); // its first mode is at 44.5 Hz
    CHECK(sis_system_body(system, 0).modes == 1);
    sis_system_free(system);
    def.length = 1000;
    def.modes = 10;
    scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, &def);
    sis_system_free(compiled(scene, 44100));
    def = string_2019(); // losses that let no mode swing
    def.model = SIS_STRING_MODAL;
    def.sigma1 = 900;
    scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_mode(scene, string, 40, 1e-3);
    put_pickup(scene, string, 0.51, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, 44100, 200);
    CHECK(isfinite(run_at(&r, 199, 0)) && fabs(run_at(&r, 199, 0)) <= 1e-3);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
}

// Without the books the motion is the same, and the books say that they are not kept.
static void leaving_the_books_out_changes_no_sample(void) {
    run kept = run_scene(hard_frets(SIS_STRING_FD, SIS_SCHEME_LEDGER), RATE, 500);
    sis_scene* scene = hard_frets(SIS_STRING_FD, SIS_SCHEME_LEDGER);
    const sis_options options = {.rate = RATE, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = true};
    run left = run_system(sis_compile(scene, &options, NULL), 500, 64);
    sis_scene_free(scene);
    for (int32_t n = 0; n < 500; n++)
        CHECK(run_at(&kept, n, 0) == run_at(&left, n, 0));
    CHECK(kept.energy[499].total == left.energy[499].total);
    CHECK(isnan(left.energy[499].residual) && isnan(left.energy[499].dissipated));
    run_free(&kept);
    run_free(&left);
}

int main(void) {
    RUN(hard_frets_give_their_energy_back);
    RUN(newton_beyond_double_precision_ends);
    RUN(grids_leave_room_for_blows);
    RUN(narrow_forces_keep_their_impulse);
    RUN(plucks_between_two_points_are_refused);
    RUN(modal_strings_need_no_grid);
    RUN(leaving_the_books_out_changes_no_sample);
    return CHECK_REPORT();
}
