// Plates that start with shapes and velocities, and contacts over an area of them.
#include <stdlib.h>

#include "check.h"
#include "reference.h"

static sis_plate_def a_plate(sis_plate_model model, bool membrane) {
    sis_plate_def def = sis_plate_default();
    def.length = 0.5;
    def.width = 0.32;
    def.thickness = membrane ? 3e-4 : 1e-3;
    def.material_density = 1200;
    def.youngs = membrane ? 0 : 4e9;
    def.tension = membrane ? 800 : 0;
    def.model = model;
    return def;
}

static double density_of(const sis_plate_def* p) {
    return p->material_density * p->thickness;
}

static double omega(const sis_plate_def* p, int m, int n) {
    const double H = p->thickness, D = p->youngs * H * H * H / (12 * (1 - p->poisson * p->poisson));
    const double b2 = PI * PI * (pow(m / p->length, 2) + pow(n / p->width, 2));
    return sqrt((D * b2 * b2 + p->tension * b2) / density_of(p));
}

/** height (or speed) times sin(m pi x/a) sin(n pi y/b), plus a slope. */
typedef struct wave {
    double a, b, part, slope;
    int m, n;
} wave;

static bool wave_at(void* context, double x, double y, double* out, sis_error* error) {
    const wave* w = context;
    (void)error;
    *out = w->part * sin(w->m * PI * x / w->a) * sin(w->n * PI * y / w->b) + w->slope * x;
    return true;
}

static sis_profile profile_of(wave* w) {
    return (sis_profile){.context = w, .over = wave_at};
}

static void put_spot(sis_scene* scene, sis_id on, double x, double y, sis_quantity quantity) {
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.at = x;
    def.at_y = y;
    def.quantity = quantity;
    put(scene, SIS_KIND_PROBE, &def);
}

static sis_id put_thrown(sis_scene* scene, sis_id on, double velocity) {
    sis_pluck_def def = sis_pluck_default();
    def.on = on;
    def.velocity = velocity;
    return put(scene, SIS_KIND_PLUCK, &def);
}

/** A barrier under the area from (x, y) to (X, Y); NaN: the whole plate. */
static sis_id put_area(sis_scene* scene, double height, double x, double y, double X, double Y) {
    sis_barrier_def def = sis_barrier_default();
    def.height = height;
    def.from = x;
    def.from_y = y;
    def.to = X;
    def.to_y = Y;
    return put(scene, SIS_KIND_BARRIER, &def);
}

// ---------------------------------------------------------------------------- starts

// A mode by its word, by its number, as a shape and as a velocity: it rings as the plate does.
static void modes_of_plates_ring_alone(void) {
    for (int model = 0; model < 2; model++)
        for (int membrane = 0; membrane < 2; membrane++)
            for (int how = 0; how < 3; how++) {
                sis_plate_def def = a_plate((sis_plate_model)model, membrane);
                if (model) def.modes = 25;
                const double w = omega(&def, 2, 1), rate = 48000, v = 0.3;
                wave speed = {def.length, def.width, v, 0, 2, 1};
                sis_pluck_def pluck = sis_pluck_default();
                sis_scene* scene = sis_scene_new();
                pluck.on = put(scene, SIS_KIND_PLATE, &def);
                if (how == 0) pluck.velocity_profile = profile_of(&speed);
                if (how > 0) {
                    pluck.shape = SIS_PLUCK_MODE;
                    pluck.height = v / w;
                    pluck.mode = 2; // {2, 1} is the second lowest
                    pluck.mode_y = how == 1;
                }
                put(scene, SIS_KIND_PLUCK, &pluck);
                put_spot(scene, pluck.on, 0.125, 0.16, SIS_QUANTITY_DISPLACEMENT);
                put_spot(scene, pluck.on, 0.125, 0.16, SIS_QUANTITY_VELOCITY);
                run r = run_scene(scene, rate, (int32_t)(0.4 * 2 * PI / w * rate));
                CHECK_NEAR(run_at(&r, 0, 0) * w / v, how ? 1 : 0, 1e-3);
                CHECK_NEAR(run_at(&r, 0, 1) / v, how ? 0 : 1, 1e-3);
                for (int32_t n = 0; n < r.frames; n += 7) {
                    const double angle = w * n / rate, exact = how ? cos(angle) : sin(angle);
                    CHECK_NEAR(run_at(&r, n, 0) * w / v, exact, model ? 1e-6 : 3e-2);
                }
                const double energy =
                    0.5 * density_of(&def) * def.length * def.width * 0.25 * v * v;
                CHECK_NEAR(r.energy[0].total / energy, 1, 2e-2);
                CHECK_NEAR(run_residual(&r), 0, 1e-12);
                run_free(&r);
            }
}

// Modes of a plate and its grid agree about every shape and about a throw.
static void grids_and_modes_start_alike(void) {
    for (int shape = 0; shape < 4; shape++) {
        double u[2][4];
        for (int model = 0; model < 2; model++) {
            sis_plate_def def = a_plate((sis_plate_model)model, false);
            def.sigma1 = 0.02; // the highest modes go soon
            wave slope = {def.length, def.width, 1e-3, 2e-3, 3, 2};
            sis_pluck_def pluck = sis_pluck_default();
            sis_scene* scene = sis_scene_new();
            pluck.on = put(scene, SIS_KIND_PLATE, &def);
            pluck.at = 0.2;
            pluck.at_y = 0.12;
            pluck.height = 1e-3;
            if (shape == 1) pluck.shape = SIS_PLUCK_RAISED_COSINE, pluck.width = 0.2;
            if (shape == 2) {
                pluck = sis_pluck_default();
                pluck.profile = profile_of(&slope);
                pluck.on = 0;
            }
            if (shape == 3) {
                pluck = sis_pluck_default();
                pluck.velocity = 1;
                pluck.on = 0;
            }
            put(scene, SIS_KIND_PLUCK, &pluck);
            put_spot(scene, 0, 0.2, 0.12, SIS_QUANTITY_DISPLACEMENT);
            put_spot(scene, 0, 0.33, 0.2, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 96000, 40);
            for (int i = 0; i < 4; i++)
                u[model][i] = run_at(&r, i < 2 ? 0 : 39, i % 2);
            run_free(&r);
        }
        printf("  shape %d: %.6f %.6f %.6f %.6f mm on the grid, %.6f %.6f %.6f %.6f by modes\n",
               shape, 1e3 * u[0][0], 1e3 * u[0][1], 1e3 * u[0][2], 1e3 * u[0][3], 1e3 * u[1][0],
               1e3 * u[1][1], 1e3 * u[1][2], 1e3 * u[1][3]);
        // the peak of a triangle is round where modes are few, and so is the jump at an edge
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(u[0][i], u[1][i], shape == 0 || shape == 2 ? 6e-5 : 1e-5);
    }
}

// ---------------------------------------------------------------------------- areas

// A membrane thrown flat: its middle lands at once and leaves with the same speed (test_throw.c),
// and until its edges are felt it is where it was thrown from at twice the time of the fall.
static void a_membrane_thrown_on_an_area_bounces_flat(void) {
    for (int m = 0; m < METHODS; m++) {
        double off[2];
        for (int j = 0; j < 2; j++) {
            sis_plate_def def = a_plate(SIS_PLATE_FD, true);
            const double rate = 22050 << j, v = 2, gap = 1e-3, time = 2 * gap / v;
            def.tension = 4000;
            const int32_t steps = (int32_t)floor(time * rate + 0.5);
            sis_scene* scene = sis_scene_new();
            const sis_id plate = put(scene, SIS_KIND_PLATE, &def);
            put_contact(scene, plate, put_area(scene, -gap, NAN, NAN, NAN, NAN), 1e14, 1,
                        &methods[m]);
            put_thrown(scene, plate, -v);
            put_spot(scene, plate, 0.25, 0.16, SIS_QUANTITY_DISPLACEMENT);
            put_spot(scene, plate, 0.25, 0.16, SIS_QUANTITY_VELOCITY);
            run r = run_scene(scene, rate, steps + 1);
            off[j] = fabs(run_at(&r, steps, 0)) / gap;
            CHECK_NEAR(run_at(&r, steps, 1) / v, 1, 0.05);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            const sis_body_info body = sis_system_body(r.system, 0);
            const sis_link_info link = sis_system_link(r.system, 0);
            CHECK(link.points == (body.segments - 1) * (body.segments_y - 1));
            CHECK(link.distributed && link.block_size == 1);
            CHECK_NEAR(link.weight,
                       def.length * def.width / ((double)body.segments * body.segments_y), 1e-15);
            run_free(&r);
        }
        printf("  %s: off by %.4f and %.4f of the fall\n", methods[m].name, off[0], off[1]);
        CHECK(off[0] < 0.25 && off[1] < 0.6 * off[0]);
    }
}

// A soft bed, K in N/m^3, under part of a membrane: what it pushes with does not hang on the grid.
static double bed_force(int32_t nx, int32_t ny, double rate) {
    sis_plate_def def = a_plate(SIS_PLATE_FD, true);
    def.segments_x = nx;
    def.segments_y = ny;
    const method how = methods[LEDGER];
    sis_scene* scene = sis_scene_new();
    const sis_id plate = put(scene, SIS_KIND_PLATE, &def);
    const double hx = 0.125, hy = 0.08;
    put_contact(scene, plate, put_area(scene, 0, hx, hy, 3 * hx, 3 * hy), 2e6, 1, &how);
    put_thrown(scene, plate, -0.5);
    put_probe(scene, plate, SIS_QUANTITY_FORCE);
    run r = run_scene(scene, rate, (int32_t)(8e-4 * rate) + 1);
    const double f = run_at(&r, r.frames - 1, 0);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
    return f;
}

static void the_force_of_an_area_converges_with_the_grid(void) {
    double f[3];
    for (int j = 0; j < 3; j++)
        f[j] = bed_force(16 << j, 12 << j, 250000);
    // all points fall by v t against K: v sqrt(K rho) sin(t sqrt(K/rho)) a square metre
    const double rho = 0.36, t = 8e-4,
                 flat = 0.25 * 0.16 * 0.5 * sqrt(2e6 * rho) * sin(t * sqrt(2e6 / rho));
    printf("  %.4f %.4f %.4f N, without edges %.4f N\n", f[0], f[1], f[2], flat);
    CHECK(fabs(f[1] - f[2]) < 0.65 * fabs(f[0] - f[1]));
    CHECK_NEAR(f[2] / flat, 1, 0.2); // around the bed the membrane falls on and pulls
}

static bool bowl(void* context, double x, double y, double* out, sis_error* error) {
    (void)context, (void)error;
    *out = -1e-4 + 2e-2 * (pow(x - 0.25, 2) + pow(y - 0.16, 2)) * -1;
    return true;
}

// Plates of both models, beds of all sorts, all schemes, losses, other forces: the balance closes.
static void the_balance_of_areas_closes(void) {
    uint64_t seed = 4;
    static const double rates[] = {22050, 44100, 48000, 96000};
    for (int i = 0; i < (SANITIZED ? 14 : 56); i++) {
        const int m = i % METHODS;
        const bool modal = i % 4 == 3;
        sis_plate_def def =
            a_plate(modal ? SIS_PLATE_MODAL : SIS_PLATE_FD, random_unit(&seed) < 0.5);
        if (modal) def.modes = 12;
        def.segments_x = 8 + (int32_t)(6 * random_unit(&seed));
        def.segments_y = 6 + (int32_t)(6 * random_unit(&seed));
        def.sigma0 = 3 * random_unit(&seed);
        def.sigma1 = 1e-3 * random_unit(&seed);
        if (!modal && i % 5 == 0) def.edge = SIS_ENDS_CLAMPED;
        sis_scene* scene = sis_scene_new();
        const sis_id plate = put(scene, SIS_KIND_PLATE, &def);
        sis_barrier_def bed = sis_barrier_default();
        if (random_unit(&seed) < 0.5)
            bed.profile = (sis_profile){.over = bowl};
        else
            bed.height = -1e-3 * random_unit(&seed);
        bed.from = 0.1;
        bed.from_y = 0.05;
        if (random_unit(&seed) < 0.5) bed.to = 0.4, bed.to_y = 0.25;
        sis_contact_def contact = sis_contact_default();
        contact.above = plate;
        contact.below = put(scene, SIS_KIND_BARRIER, &bed);
        contact.K = random_log(&seed, 1e5, 1e13);
        contact.alpha = m == EXACT ? 1 : 1 + 2 * random_unit(&seed);
        contact.scheme = m == EXACT && modal ? SIS_SCHEME_LEDGER : methods[m].scheme;
        contact.release = methods[m].release;
        contact.potential = methods[m].potential;
        if (m == LEDGER || m == NEWTON) contact.damping = random_unit(&seed);
        put(scene, SIS_KIND_CONTACT, &contact);
        put_thrown(scene, plate, -2 * random_unit(&seed));
        const sis_id all = SIS_ALL;
        sis_gravity_def gravity = sis_gravity_default();
        gravity.on = (sis_objects){&all, 1};
        if (i % 2) put(scene, SIS_KIND_GRAVITY, &gravity);
        put_probe(scene, plate, SIS_QUANTITY_FORCE);
        run r = run_scene(scene, rates[i % 4], 300);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        CHECK_NEAR(r.energy[0].residual, 0, 1e-12 * r.energy[0].total);
        CHECK(sis_state_link(r.system, r.state, 0).min_force >= (m == PLAIN ? -1e300 : 0));
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- modal bodies

static void a_body_of_modes_starts_in_one_of_them(void) {
    static const double f[] = {200, 330}, mass[] = {0.1, 0.2}, shape[] = {0.5, -2, 1, 1};
    sis_modal_def def = sis_modal_default();
    def.frequency = (sis_list){f, 2};
    def.mass = (sis_list){mass, 2};
    def.shape = (sis_list){shape, 4};
    def.points = 2;
    sis_scene* scene = sis_scene_new();
    const sis_id body = put(scene, SIS_KIND_MODAL, &def);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = body;
    pluck.shape = SIS_PLUCK_MODE;
    pluck.mode = 1;
    pluck.height = 1e-3;
    put(scene, SIS_KIND_PLUCK, &pluck);
    put_spot(scene, body, 1, NAN, SIS_QUANTITY_DISPLACEMENT);
    put_spot(scene, body, 2, NAN, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, 44100, 400);
    for (int32_t n = 0; n < 400; n++) {
        const double q = cos(2 * PI * 200 * n / 44100.0);
        CHECK_NEAR(run_at(&r, n, 0), 0.25e-3 * q, 1e-12);
        CHECK_NEAR(run_at(&r, n, 1), -1e-3 * q, 1e-12);
    }
    run_free(&r);
}

// ---------------------------------------------------------------------------- refused

static void refuse(sis_scene* scene, sis_kind kind, const void* def, const char* part) {
    sis_error error = {.status = SIS_OK};
    CHECK(sis_scene_add(scene, kind, def, &error) == SIS_NONE);
    CHECK_TEXT(error.text, part);
}

static bool along(void* context, double x, double* out, sis_error* error) {
    (void)context, (void)error;
    *out = x;
    return true;
}

static void areas_and_starts_that_cannot_be_are_refused(void) {
    sis_scene* scene = sis_scene_new();
    sis_plate_def plate_def = a_plate(SIS_PLATE_FD, false);
    const sis_id plate = put(scene, SIS_KIND_PLATE, &plate_def);
    plate_def.edge = SIS_ENDS_CLAMPED;
    const sis_id held = put(scene, SIS_KIND_PLATE, &plate_def);
    sis_string_def string_def = sis_string_default();
    string_def.length = 1;
    string_def.tension = 10;
    string_def.density = 1e-2;
    const sis_id string = put(scene, SIS_KIND_STRING, &string_def);
    sis_contact_def contact = sis_contact_default();
    contact.K = 1e6;
    contact.alpha = 1;
    contact.above = plate;
    contact.below = put_area(scene, 0, 0.1, NAN, 0.2, NAN);
    refuse(scene, SIS_KIND_CONTACT, &contact, "must be corners {x, y} (m)");
    contact.below = put_area(scene, 0, 0.1, 0.1, 0.2, 0.4);
    refuse(scene, SIS_KIND_CONTACT, &contact, "is not under plate 'plate1', which is 0.5 m by");
    contact.above = string;
    refuse(scene, SIS_KIND_CONTACT, &contact, "are places under a plate, and 'string1' is none");
    sis_barrier_def bed = sis_barrier_default();
    bed.profile.value = along;
    contact.above = plate;
    contact.below = put(scene, SIS_KIND_BARRIER, &bed);
    refuse(scene, SIS_KIND_CONTACT, &contact, "a number or a function of x and y");
    bed = sis_barrier_default();
    bed.height = 0;
    bed.from = bed.from_y = 0.2;
    bed.to = 0.3;
    bed.to_y = 0.2;
    refuse(scene, SIS_KIND_BARRIER, &bed, "'from' must be less than 'to'");
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = plate;
    pluck.at = 0.1;
    pluck.height = 1e-3;
    refuse(scene, SIS_KIND_PLUCK, &pluck, "'at' = {x, y} (m) is missing");
    pluck.at_y = 0.1;
    pluck.shape = SIS_PLUCK_RAISED_COSINE;
    pluck.width = 0.25;
    refuse(scene, SIS_KIND_PLUCK, &pluck, "does not fit plate 'plate1', which is 0.5 m along x");
    pluck = sis_pluck_default();
    pluck.on = held;
    pluck.shape = SIS_PLUCK_MODE;
    pluck.mode = 1;
    pluck.height = 1;
    refuse(scene, SIS_KIND_PLUCK, &pluck, "the modes of a clamped plate have no closed form");
    pluck.on = plate;
    pluck.mode = 19000;
    put(scene, SIS_KIND_PLUCK, &pluck);
    sis_error error = {.status = SIS_OK};
    const sis_options options = sis_options_default(scene);
    CHECK(sis_compile(scene, &options, &error) == NULL);
    CHECK_TEXT(error.text, "pluck 'pluck1': 'mode' = 19000: plate 'plate1' has no such mode");
    sis_scene_free(scene);
}

// Between two lines of the grid there is nothing; above the plate at rest it would start inside.
static void areas_without_points_are_refused(void) {
    for (int high = 0; high < 2; high++) {
        sis_scene* scene = sis_scene_new();
        sis_plate_def plate_def = a_plate(SIS_PLATE_FD, false);
        plate_def.segments_x = plate_def.segments_y = 10;
        const sis_id plate = put(scene, SIS_KIND_PLATE, &plate_def);
        const sis_id bed = high ? put_area(scene, 1e-3, NAN, NAN, NAN, NAN)
                                : put_area(scene, 0, 0.101, 0.1, 0.149, 0.2);
        put_contact(scene, plate, bed, 1e6, 1, &methods[LEDGER]);
        sis_error error = {.status = SIS_OK};
        const sis_options options = sis_options_default(scene);
        CHECK(sis_compile(scene, &options, &error) == NULL);
        CHECK_TEXT(error.text, high ? "above the plane where the plate rests"
                                    : "no point of the plate lies there");
        sis_scene_free(scene);
    }
}

int main(void) {
    RUN(modes_of_plates_ring_alone);
    RUN(grids_and_modes_start_alike);
    RUN(a_membrane_thrown_on_an_area_bounces_flat);
    RUN(the_force_of_an_area_converges_with_the_grid);
    RUN(the_balance_of_areas_closes);
    RUN(a_body_of_modes_starts_in_one_of_them);
    RUN(areas_and_starts_that_cannot_be_are_refused);
    RUN(areas_without_points_are_refused);
    return CHECK_REPORT();
}
