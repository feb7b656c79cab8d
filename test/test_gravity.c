// Gravity on masses, strings and plates: what sags, how far, and its work.
#include "check.h"
#include "string_reference.h"

static sis_id put_pull(sis_scene* scene, double g, const sis_id* on, int32_t count) {
    sis_gravity_def def = sis_gravity_default();
    def.g = g;
    def.on = (sis_objects){on, count};
    return put(scene, SIS_KIND_GRAVITY, &def);
}

static sis_string_def hanging(const string_kind* kind, double sigma0) {
    sis_string_def def = sis_string_default();
    def.length = 0.6;
    def.density = 5e-3;
    def.tension = 40;
    def.sigma0 = sigma0;
    return string_as(def, kind);
}

static void put_spot(sis_scene* scene, sis_id on, double x, double y) {
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.at = x;
    def.at_y = y;
    put(scene, SIS_KIND_PROBE, &def);
}

// rho g x (L - x)/2T, at the points of the grid to rounding.
static void a_string_sags_to_a_parabola(void) {
    static const double rates[] = {22050, 44100, 48000, 96000};
    double worst = 0;
    for (int kind = 0; kind < STRING_KINDS; kind++)
        for (int i = 0; i < 4; i++) {
            sis_string_def def = hanging(&string_kinds[kind], 400);
            if (kind == MODAL_PLAIN) def.modes = 60;
            const double g = 9.81, L = def.length, deepest = def.density * g * L * L / 8 / 40;
            sis_scene* scene = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            put_pull(scene, g, &string, 1);
            run r = run_scene(scene, rates[i], (int32_t)(0.25 * rates[i]));
            const sis_body_info info = sis_system_body(r.system, 0);
            double u[2000];
            CHECK(info.points <= 2000);
            sis_state_shape(r.system, r.state, 0, u);
            // A tuned string has a little stiffness; if it is implicit, it is pushed and read
            // through the root of its mass.
            const double tol = def.model == SIS_STRING_MODAL  ? 1e-3
                               : info.gamma != 0 && def.tuned ? 4 / pow(info.segments, 2)
                               : def.tuned                    ? 1e-4
                                                              : 1e-9;
            for (int32_t j = 0; j < info.points; j++) {
                const double x = sis_system_place(r.system, 0, j);
                CHECK_NEAR(u[j] / deepest, -4 * x * (L - x) / (L * L), tol);
            }
            worst = fmax(worst, run_residual(&r));
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            // it has sunk by a mean of 2/3 of the middle: half the work of that is stored
            const double work = def.density * g * L * deepest * 2 / 3;
            CHECK_NEAR(r.energy[r.frames - 1].supplied / work, 1, 2e-2);
            CHECK_NEAR(r.energy[r.frames - 1].total / work, 0.5, 2e-2);
            run_free(&r);
        }
    printf("  residual %.2g at most\n", worst);
}

// Without losses it swings about that line, with the energy of the fall, at every rate.
static void the_work_of_gravity_is_supplied(void) {
    uint64_t seed = 6;
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = hanging(&string_kinds[kind], 0);
        sis_scene* scene = sis_scene_new();
        const sis_id string = put(scene, SIS_KIND_STRING, &def);
        const method how = method_of(SIS_SCHEME_LEDGER, SIS_POTENTIAL_MEAN);
        const sis_id all = SIS_ALL;
        put_contact(scene, string, put_barrier(scene, -1e-5), random_log(&seed, 1e5, 1e9), 1.5,
                    &how);
        put_push(scene, string, 0.2, 0.1, 2e-3, 1e-3);
        put_pull(scene, 30 * random_unit(&seed), &all, 1);
        run r = run_scene(scene, 22050, 2000);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        CHECK(r.energy[1000].supplied > 0);
        run_free(&r);
    }
}

// The series of Navier: w = sum 16 q/(pi^6 D m n (m^2/a^2 + n^2/b^2)^2), with tension T as well.
static double navier(const sis_plate_def* p, double g, double x, double y) {
    const double H = p->thickness, D = p->youngs * H * H * H / (12 * (1 - p->poisson * p->poisson));
    double sum = 0;
    for (int m = 1; m < 120; m += 2)
        for (int n = 1; n < 120; n += 2) {
            const double b2 = PI * PI * (pow(m / p->length, 2) + pow(n / p->width, 2));
            sum += 16 * p->material_density * H * g /
                   (PI * PI * m * n * (D * b2 * b2 + p->tension * b2)) *
                   sin(m * PI * x / p->length) * sin(n * PI * y / p->width);
        }
    return sum;
}

static void plates_sag_as_the_series_says(void) {
    for (int modal = 0; modal < 2; modal++)
        for (int membrane = 0; membrane < 2; membrane++) {
            sis_plate_def def = sis_plate_default();
            def.length = 0.5;
            def.width = 0.3;
            def.thickness = membrane ? 3e-4 : 1e-3;
            def.material_density = 1500;
            def.youngs = membrane ? 0 : 5e9;
            def.tension = membrane ? 500 : 30;
            def.sigma0 = 200;
            def.model = modal ? SIS_PLATE_MODAL : SIS_PLATE_FD;
            if (modal) def.modes = 60;
            if (!modal) def.segments_x = 20, def.segments_y = 12;
            sis_scene* scene = sis_scene_new();
            const sis_id plate = put(scene, SIS_KIND_PLATE, &def);
            put_pull(scene, 9.81, &plate, 1);
            put_spot(scene, plate, 0.25, 0.15);
            put_spot(scene, plate, 0.1, 0.2);
            run r = run_scene(scene, 22050, 6000);
            CHECK_NEAR(run_at(&r, 5999, 0) / -navier(&def, 9.81, 0.25, 0.15), 1, 1e-2);
            CHECK_NEAR(run_at(&r, 5999, 1) / -navier(&def, 9.81, 0.1, 0.2), 1, 1.5e-2);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            run_free(&r);
        }
}

// Names choose bodies; several gravities add up; what is driven along a path stays on it.
static void gravities_add_up_on_the_bodies_they_name(void) {
    const double rate = 48000;
    sis_scene* scene = sis_scene_new();
    const sis_id a = put_mass(scene, 0.3, 0, 0), b = put_mass(scene, 2, 0, 0);
    sis_mass_def driven = sis_mass_default();
    const double path[] = {0, 0.1, 1, 0.2};
    driven.path = (sis_envelope){path, 2};
    const sis_id c = put(scene, SIS_KIND_MASS, &driven);
    sis_string_def def = hanging(&string_kinds[FD], 0);
    const sis_id s = put(scene, SIS_KIND_STRING, &def), t = put(scene, SIS_KIND_STRING, &def);
    const sis_id both[] = {a, s}, all = SIS_ALL;
    put_gravity(scene, 3); // on all masses
    put_pull(scene, 4, both, 2);
    put_pull(scene, -1.5, &all, 1);
    put_probe(scene, a, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, b, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, c, SIS_QUANTITY_DISPLACEMENT);
    put_pickup(scene, s, 0.3, SIS_QUANTITY_DISPLACEMENT);
    put_pickup(scene, t, 0.3, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate, 101);
    const double fall = 0.5 * (100 / rate) * (100 / rate); // m, for 1 m/s^2
    CHECK_NEAR(run_at(&r, 100, 0) / fall, -5.5, 1e-9);
    CHECK_NEAR(run_at(&r, 100, 1) / fall, -1.5, 1e-9);
    CHECK_NEAR(run_at(&r, 100, 2), 0.1 + 0.1 * 100 / rate, 1e-12);
    CHECK_NEAR(run_at(&r, 100, 3) / fall, -2.5, 1e-9); // its ends are not felt yet
    CHECK_NEAR(run_at(&r, 100, 4) / fall, 1.5, 1e-9);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
}

static void refused(sis_scene* scene, const sis_id* on, int32_t count, const char* part) {
    sis_gravity_def def = sis_gravity_default();
    sis_error error = {.status = SIS_OK};
    def.on = (sis_objects){on, count};
    CHECK(sis_scene_add_gravity(scene, &def, &error) == SIS_NONE);
    CHECK_TEXT(error.text, part);
}

static void what_gravity_cannot_pull_is_refused(void) {
    sis_scene* scene = sis_scene_new();
    const sis_id mass = put_mass(scene, 1, 0, 0), floor_id = put_barrier(scene, 0);
    const double one[] = {100};
    sis_modal_def modal = sis_modal_default();
    modal.frequency = modal.mass = (sis_list){one, 1};
    const sis_id body = put(scene, SIS_KIND_MODAL, &modal);
    const sis_id nobody = 77, mixed[] = {mass, SIS_ALL}, twice[] = {mass, mass};
    refused(scene, &floor_id, 1,
            "'on' must be a mass, string or plate, a list of them, or \"all\"");
    refused(scene, &nobody, 1, "got something that is not in the scene");
    refused(scene, &body, 1, "the modes of modal body 'modal1' do not tell");
    refused(scene, mixed, 2, "got both");
    refused(scene, &mass, -1, "'on' must have 1 to");
    put_pull(scene, 1, twice, 2);
    sis_error error = {.status = SIS_OK};
    const sis_options options = sis_options_default(scene);
    CHECK(sis_compile(scene, &options, &error) == NULL);
    CHECK_TEXT(error.text, "gravity 'gravity1': 'on' names 'mass1' twice");
    sis_scene_free(scene);
}

int main(void) {
    RUN(a_string_sags_to_a_parabola);
    RUN(the_work_of_gravity_is_supplied);
    RUN(plates_sag_as_the_series_says);
    RUN(gravities_add_up_on_the_bodies_they_name);
    RUN(what_gravity_cannot_pull_is_refused);
    return CHECK_REPORT();
}
