// Plates and membranes as published (test_plate_pitch.c has tuned ones): partials against the
// closed forms of the scheme and of Kirchhoff, clamped edges, losses, energy, reciprocity, and what
// must be refused.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reference.h"
#include "wide/width.h"
#include "willemsen_reference.h"

static const double rate = 44100;

// 1 mm steel.
static sis_plate_def steel(double length, double width) {
    sis_plate_def p = sis_plate_default();
    p.tuned = false;
    p.length = length;
    p.width = width;
    p.thickness = 1e-3;
    p.material_density = 7850;
    p.youngs = 2e11;
    p.poisson = 0.3;
    return p;
}

static sis_plate_def drumhead(double length, double width) {
    sis_plate_def p = sis_plate_default();
    p.tuned = false;
    p.length = length;
    p.width = width;
    p.thickness = 1e-4;
    p.material_density = 1400;
    p.youngs = 0;
    p.tension = 5000;
    return p;
}

static sis_plate_def with_grid(sis_plate_def p, int32_t nx, int32_t ny) {
    p.segments_x = nx;
    p.segments_y = ny;
    return p;
}

static double square(double x) {
    return x * x;
}

static double kappa2(const sis_plate_def* p) { // D/rhoH
    const double H = p->thickness;
    return p->youngs * H * H / (12 * (1 - p->poisson * p->poisson) * p->material_density);
}

static double speed2(const sis_plate_def* p) { // T/rhoH
    return p->tension / (p->material_density * p->thickness);
}

static double wave2(const sis_plate_def* p, int m, int l) { // square of the wave number
    return square(m * PI / p->length) + square(l * PI / p->width);
}

// Kirchhoff plate with tension, supported: w^2 = kappa^2 q^2 + c^2 q.
static double exact_partial(const sis_plate_def* p, int m, int l) {
    const double q = wave2(p, m, l);
    return sqrt(kappa2(p) * q * q + speed2(p) * q) / (2 * PI);
}

// q of the grid: (4/hx^2) sin^2(m pi/2 Nx) + (4/hy^2) sin^2(l pi/2 Ny).
static double grid_wave2(const sis_body_info* b, int m, int l) {
    return square(2 * b->segments / b->length * sin(m * PI / (2 * b->segments))) +
           square(2 * b->segments_y / b->width * sin(l * PI / (2 * b->segments_y)));
}

// sin(w k/2) = (k/2) sqrt(kappa^2 Q^2 + c^2 Q), losses left out.
static double scheme_partial(const sis_plate_def* p, const sis_body_info* b, int m, int l) {
    const double Q = grid_wave2(b, m, l);
    return rate / PI * asin(0.5 / rate * sqrt(kappa2(p) * Q * Q + speed2(p) * Q));
}

static sis_system* compiled(const sis_plate_def* p, double at_rate, sis_error* error) {
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_PLATE, p);
    const sis_options options = {
        .rate = at_rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
    sis_system* system = sis_compile(scene, &options, error);
    sis_scene_free(scene);
    return system;
}

// ---------------------------------------------------------------------------- partials

// The first partials are those of some (m, l), each both as the scheme's and as the plate's.
static void check_partials(const sis_plate_def* p, int count) {
    sis_error error = {.status = SIS_OK};
    sis_system* system = compiled(p, rate, &error);
    CHECK(system != NULL);
    if (!system) {
        printf("  %s\n", error.text);
        return;
    }
    const sis_body_info b = sis_system_body(system, 0);
    CHECK(b.margin > 0);
    bool seen[40][40] = {{false}};
    double last = 0;
    for (int i = 1; i <= count; i++) {
        double rings = 0, exact = 0;
        CHECK(sis_system_partial(system, 0, i, &rings, &exact));
        bool found = false;
        for (int m = 1; m < 40 && m < b.segments && !found; m++)
            for (int l = 1; l < 40 && l < b.segments_y && !found; l++) {
                if (seen[m][l] || fabs(exact / exact_partial(p, m, l) - 1) > 1e-12) continue;
                const double expected =
                    p->model == SIS_PLATE_MODAL ? exact : scheme_partial(p, &b, m, l);
                if (fabs(rings / expected - 1) > 1e-10) continue;
                found = seen[m][l] = true;
            }
        CHECK(found);
        CHECK(rings >= last * (1 - 1e-12) || p->model != SIS_PLATE_MODAL);
        last = rings;
    }
    CHECK(seen[1][1]);
    double rings = 0, exact = 0;
    CHECK(!sis_system_partial(system, 0, 0, &rings, &exact));
    CHECK(!sis_system_partial(system, 0, 1000000, &rings, &exact));
    sis_system_free(system);
}

static void partials_are_those_of_the_scheme_and_of_kirchhoff(void) {
    sis_plate_def p = with_grid(steel(0.5, 0.3), 25, 15);
    check_partials(&p, 20);
    sis_system* system = compiled(&p, rate, NULL);
    double rings = 0, exact = 0;
    CHECK(system && sis_system_partial(system, 0, 1, &rings, &exact));
    CHECK_NEAR(rings, 36.14655, 1e-5);
    CHECK_NEAR(exact, 36.25644, 1e-5);
    printf("  0.5 x 0.3 m, 1 mm steel, h = 0.02 m: f11 %.5f Hz, Kirchhoff %.5f Hz\n", rings, exact);
    sis_system_free(system);
    p = steel(0.5, 0.3); // the finest stable grid
    check_partials(&p, 20);
    p.model = SIS_PLATE_MODAL;
    check_partials(&p, 20);
}

static void membranes_ring_at_their_partials(void) {
    sis_plate_def p = drumhead(0.4, 0.3);
    check_partials(&p, 12);
    p.model = SIS_PLATE_MODAL;
    check_partials(&p, 12);
    p = drumhead(0.4, 0.3);
    p.youngs = 3e9; // a stiff skin: both terms
    check_partials(&p, 12);
}

static void partials_converge_with_order_2(void) {
    double off[3];
    for (int i = 0; i < 3; i++) {
        const sis_plate_def p = with_grid(steel(0.5, 0.5), 10 << i, 10 << i);
        sis_system* system = compiled(&p, rate, NULL);
        double rings = 0, exact = 1;
        CHECK(system && sis_system_partial(system, 0, 1, &rings, &exact));
        off[i] = 1 - rings / exact;
        sis_system_free(system);
    }
    const double order = log2(off[0] / off[1]), finer = log2(off[1] / off[2]);
    printf("  supported square, 10, 20, 40 intervals: f11 off by %.2e %.2e %.2e, order %.2f %.2f\n",
           off[0], off[1], off[2], order, finer);
    CHECK_NEAR(order, 2, 0.02);
    CHECK_NEAR(finer, 2, 0.02);
}

// ---------------------------------------------------------------------------- ringing

static sis_id put_tap(sis_scene* scene, sis_id on, double x, double y, double impulse) {
    sis_force_def f = sis_force_default();
    f.on = on;
    f.at = x;
    f.at_y = y;
    f.shape = SIS_FORCE_IMPULSE;
    f.peak = impulse;
    return put(scene, SIS_KIND_FORCE, &f);
}

static void put_pickup(sis_scene* scene, sis_id on, double x, double y) {
    sis_probe_def p = sis_probe_default();
    p.on = on;
    p.at = x;
    p.at_y = y;
    put(scene, SIS_KIND_PROBE, &p);
}

static sis_scene* tapped(const sis_plate_def* p, double x, double y, double at_x, double at_y) {
    sis_scene* scene = sis_scene_new();
    const sis_id plate = put(scene, SIS_KIND_PLATE, p);
    put_tap(scene, plate, x, y, 1e-3);
    put_pickup(scene, plate, at_x, at_y);
    return scene;
}

// The motion of grid mode (m, l) in a tapped plate: it obeys the recursion of one mode exactly.
static void measure_mode(const sis_plate_def* p, int m, int l, double* frequency, double* decay) {
    enum { FRAMES = 2500, POINTS = 4000 };
    static double motion[FRAMES], u[POINTS], mode[POINTS];
    run r = run_scene(tapped(p, 0.31 * p->length, 0.27 * p->width, 0.4 * p->length, 0.4 * p->width),
                      rate, 1);
    const sis_body_info b = sis_system_body(r.system, 0);
    CHECK(b.points <= POINTS);
    if (b.points > POINTS) return;
    for (int i = 0; i < b.points; i++)
        mode[i] = sin(m * PI * (i % (b.segments + 1)) / b.segments) *
                  sin(l * PI * (i / (b.segments + 1)) / b.segments_y);
    for (int n = 0; n < FRAMES; n++) {
        const sis_block block = {1, NULL, NULL, NULL};
        sis_step(r.system, r.state, &block);
        sis_state_shape(r.system, r.state, 0, u);
        motion[n] = 0;
        for (int i = 0; i < b.points; i++)
            motion[n] += u[i] * mode[i];
    }
    wil_ringing(motion, FRAMES, rate, exact_partial(p, m, l), frequency, decay);
    run_free(&r);
}

static void tapped_plates_ring_as_announced(void) {
    static const int modes[][2] = {{1, 1}, {2, 1}, {1, 2}, {3, 3}, {6, 2}};
    const sis_plate_def plates[] = {with_grid(steel(0.5, 0.3), 25, 15), steel(0.3, 0.2),
                                    drumhead(0.4, 0.3)};
    double worst = 0;
    for (size_t i = 0; i < sizeof plates / sizeof plates[0]; i++) {
        sis_system* system = compiled(&plates[i], rate, NULL);
        const sis_body_info b = sis_system_body(system, 0);
        sis_system_free(system);
        for (size_t j = 0; j < sizeof modes / sizeof modes[0]; j++) {
            double f = 0, s = 0;
            measure_mode(&plates[i], modes[j][0], modes[j][1], &f, &s);
            const double expected = scheme_partial(&plates[i], &b, modes[j][0], modes[j][1]);
            CHECK_NEAR(f / expected, 1, 1e-8);
            CHECK_NEAR(s / (2 * PI * f), 0, 1e-7);
            worst = fmax(worst, fabs(f / expected - 1));
        }
    }
    printf("  measured partials off the scheme's own by at most %.1e\n", worst);
}

// sigma = s0 + s1 q, to the accuracy of the grid and of the backward difference.
static void losses_of_plates_are_as_asked_for(void) {
    sis_plate_def p = steel(0.5, 0.3);
    p.sigma0 = 3;
    p.sigma1 = 0.02;
    static const int modes[][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}};
    for (int j = 0; j < 4; j++) {
        double f = 0, s = 0;
        measure_mode(&p, modes[j][0], modes[j][1], &f, &s);
        const double asked = p.sigma0 + p.sigma1 * wave2(&p, modes[j][0], modes[j][1]);
        printf("  mode %d %d: decay %.4f 1/s, asked for %.4f\n", modes[j][0], modes[j][1], s,
               asked);
        CHECK_NEAR(s / asked, 1, 0.02);
    }
}

// One h for both directions would model another plate here.
static void a_ruler_rings_right(void) {
    sis_plate_def p = steel(1, 0.02);
    sis_error error = {.status = SIS_OK};
    sis_system* system = compiled(&p, rate, &error);
    CHECK(system != NULL);
    if (!system) {
        printf("  %s\n", error.text);
        return;
    }
    const sis_body_info b = sis_system_body(system, 0);
    double rings = 0, exact = 0, f = 0, s = 0;
    CHECK(sis_system_partial(system, 0, 1, &rings, &exact));
    CHECK_NEAR(exact / exact_partial(&p, 1, 1), 1, 1e-12);
    CHECK_NEAR(rings / scheme_partial(&p, &b, 1, 1), 1, 1e-10);
    measure_mode(&p, 1, 1, &f, &s);
    CHECK_NEAR(f / rings, 1, 1e-8);
    printf("  1 m x 2 cm: %d x %d intervals, f11 %.1f Hz (exact %.1f, %.0f cents)", b.segments,
           b.segments_y, rings, exact, wil_cents(rings, exact));
    sis_system_free(system);
    system = compiled(&p, 16 * rate, NULL); // finer in time, finer in space
    CHECK(system && sis_system_partial(system, 0, 1, &rings, &exact));
    printf(", at 16 times the rate %.0f cents\n", wil_cents(rings, exact));
    CHECK_NEAR(wil_cents(rings, exact), 0, 40);
    sis_system_free(system);
    p.model = SIS_PLATE_MODAL;
    system = compiled(&p, rate, NULL);
    CHECK(system && sis_system_partial(system, 0, 1, &rings, &exact));
    CHECK_NEAR(rings, exact, 1e-9 * exact);
    sis_system_free(system);
}

// w a^2 sqrt(rhoH/D) of the fundamental of a clamped square plate: exact 35.9852.
static double clamped_square(int32_t intervals) {
    sis_plate_def p = with_grid(steel(0.5, 0.5), intervals, intervals);
    p.edge = SIS_ENDS_CLAMPED;
    sis_scene* scene = sis_scene_new();
    const sis_id plate = put(scene, SIS_KIND_PLATE, &p);
    sis_force_def f = sis_force_default(); // slow: little of the higher modes
    f.on = plate;
    f.at = f.at_y = 0.25;
    f.peak = 1;
    f.width = 0.01;
    put(scene, SIS_KIND_FORCE, &f);
    put_pickup(scene, plate, 0.25, 0.25);
    run r = run_scene(scene, rate, 14000);
    const double hz = wil_frequency(r.rows + 500, r.frames - 500, rate, 34);
    const double omega = 2 * rate * sin(PI * hz / rate); // without the warp of time
    run_free(&r);
    return omega * 0.25 / sqrt(kappa2(&p));
}

static void clamped_plates_converge_to_the_clamped_fundamental(void) {
    static const double table[] = {34.4043, 35.5619, 35.8772}, exact = 35.9852;
    double value[3];
    for (int i = 0; i < 3; i++) {
        value[i] = clamped_square(10 << i);
        CHECK_NEAR(value[i], table[i], 2e-4);
    }
    const double order = log2((exact - value[0]) / (exact - value[1])),
                 finer = log2((exact - value[1]) / (exact - value[2]));
    printf("  clamped square, 10, 20, 40 intervals: %.4f %.4f %.4f (exact %.4f), order %.2f %.2f\n",
           value[0], value[1], value[2], exact, order, finer);
    CHECK_NEAR(finer, 2, 0.06);
}

// ---------------------------------------------------------------------------- against the
// reference

static void plates_step_as_the_reference_does(void) {
    for (int clamped = 0; clamped < 2; clamped++) {
        sis_plate_def def = with_grid(steel(0.4, 0.28), 20, 14);
        def.sigma0 = 2;
        def.sigma1 = 0.01;
        def.edge = clamped ? SIS_ENDS_CLAMPED : SIS_ENDS_SUPPORTED;
        static wil_plate p, zero;
        p = zero;
        p.Nx = 20;
        p.Ny = 14;
        p.h = 0.02;
        p.rhoH = 7.85;
        p.D = kappa2(&def) * 7.85;
        p.s0 = def.sigma0;
        p.s1 = def.sigma1;
        run r = run_scene(tapped(&def, 0.06, 0.24, 0.2, 0.1), rate, 4); // the tap is over
        double shape[21 * 15], off = 0, peak = 0;
        for (int n = 0; n < 1500; n++) {
            const sis_block block = {1, NULL, NULL, NULL};
            if (n > 1) wil_plate_free(&p, 1 / rate, clamped ? 1 : -1);
            sis_step(r.system, r.state, &block);
            memcpy(p.before, p.u, sizeof p.u);
            memcpy(p.u, p.next, sizeof p.u);
            sis_state_shape(r.system, r.state, 0, shape);
            for (int y = 0; y <= p.Ny; y++)
                for (int x = 0; x <= p.Nx; x++) {
                    wil_real* u = &p.u[x + WIL_PAD][y + WIL_PAD];
                    if (n < 2) *u = shape[y * 21 + x]; // from the second sample on they run alone
                    off = fmax(off, (double)fabsl(*u - shape[y * 21 + x]));
                    peak = fmax(peak, (double)fabsl(*u));
                }
        }
        printf("  %s: %.1e of the peak\n", clamped ? "clamped" : "supported", off / peak);
        CHECK(peak > 0);
        CHECK_NEAR(off / peak, 0, 1e-10);
        run_free(&r);
    }
}

// ---------------------------------------------------------------------------- modal plates

static void modal_plates_ring_and_decay_exactly(void) {
    sis_plate_def p = steel(0.5, 0.3);
    p.model = SIS_PLATE_MODAL;
    p.modes = 1;
    p.sigma0 = 4;
    p.sigma1 = 0.05;
    run r = run_scene(tapped(&p, 0.2, 0.1, 0.21, 0.13), rate, 4000);
    double f = 0, s = 0;
    const double q = wave2(&p, 1, 1), sigma = p.sigma0 + p.sigma1 * q;
    const double w = sqrt(kappa2(&p)) * q;
    wil_ringing(r.rows + 1, r.frames - 1, rate, w / (2 * PI), &f, &s);
    printf("  modal plate, mode 1 1: frequency off by %.1e, decay by %.1e\n",
           f / (sqrt(w * w - sigma * sigma) / (2 * PI)) - 1, s / sigma - 1);
    CHECK_NEAR(f / (sqrt(w * w - sigma * sigma) / (2 * PI)), 1, 1e-9);
    CHECK_NEAR(s / sigma, 1, 1e-6);
    run_free(&r);
}

// The two models are the same plate: they meet as the grid of the other gets fine.
static void modal_and_fd_plates_sound_alike(void) {
    double off[2];
    for (int i = 0; i < 2; i++) {
        sis_plate_def p = with_grid(steel(0.5, 0.4), 15 << i, 12 << i);
        double part[2][900], peak = 0;
        for (int m = 0; m < 2; m++) {
            sis_scene* scene = sis_scene_new();
            if (m) p.segments_x = p.segments_y = 0;
            p.model = m ? SIS_PLATE_MODAL : SIS_PLATE_FD;
            const sis_id plate = put(scene, SIS_KIND_PLATE, &p);
            sis_force_def f = sis_force_default();
            f.on = plate;
            f.at = f.at_y = 0.1;
            f.peak = 1;
            f.width = 0.01;
            put(scene, SIS_KIND_FORCE, &f);
            put_pickup(scene, plate, 0.2, 0.2);
            run r = run_scene(scene, rate, 900);
            memcpy(part[m], r.rows, sizeof part[m]);
            run_free(&r);
        }
        off[i] = 0;
        for (int n = 0; n < 900; n++) {
            off[i] = fmax(off[i], fabs(part[0][n] - part[1][n]));
            peak = fmax(peak, fabs(part[1][n]));
        }
        off[i] /= peak;
    }
    printf("  modal against fd, 15 x 12 and 30 x 24: %.4f %.4f of the peak\n", off[0], off[1]);
    CHECK(off[1] < 0.35 * off[0]);
    CHECK(off[1] < 0.02);
}

// ---------------------------------------------------------------------------- energy, reciprocity

static void energy_of_plates_closes(void) {
    double worst = 0;
    for (int i = 0; i < 16; i++) {
        sis_plate_def p = i & 1 ? drumhead(0.4, 0.3) : steel(0.3, 0.2);
        if (i & 2) p.edge = SIS_ENDS_CLAMPED;
        if (i & 4) {
            p.sigma0 = 3;
            p.sigma1 = 0.02;
        }
        if (i & 8) {
            p.model = SIS_PLATE_MODAL;
            p.edge = SIS_ENDS_SUPPORTED;
            p.modes = 60;
        }
        sis_scene* scene = sis_scene_new();
        const sis_id plate = put(scene, SIS_KIND_PLATE, &p);
        sis_force_def f = sis_force_default();
        f.on = plate;
        f.at = 0.117;
        f.at_y = 0.083;
        f.peak = 5;
        f.width = 2e-3;
        put(scene, SIS_KIND_FORCE, &f);
        const sis_id ball = put_mass(scene, 0.005, 1e-3, -1); // and a ball that bounces off
        const double at[2] = {0.2, 0.11};
        sis_contact_def c = sis_contact_default();
        c.above = ball;
        c.below = plate;
        c.at_below = (sis_list){at, 2};
        c.K = 1e7;
        c.alpha = 1.5;
        put(scene, SIS_KIND_CONTACT, &c);
        put_gravity(scene, 9.81);
        run r = run_scene(scene, rate, 1500);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        CHECK(r.energy[r.frames - 1].supplied != 0);
        CHECK((r.energy[r.frames - 1].dissipated > 0) == ((i & 4) != 0));
        CHECK(sis_state_link(r.system, r.state, 0).min_force >= 0);
        CHECK(sis_state_link(r.system, r.state, 0).contact_samples > 0);
        worst = fmax(worst, run_residual(&r));
        run_free(&r);
    }
    printf("  residual at most %.1e\n", worst);
}

// Steps a tapped plate and writes its energies: each sample's when asked one by one, else that of
// the last sample only.
static void step_tapped(const sis_plate_def* p, int32_t lanes, bool one_by_one, double* heard,
                        sis_energy* energy, int frames) {
    sis_scene* scene = tapped(p, 0.4 * p->length, 0.45 * p->width, 0.6 * p->length, 0.5 * p->width);
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, NULL);
    sis_scene_free(scene);
    CHECK(system != NULL);
    if (!system) return;
    sis_state* state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    sis_step(system, state, &(sis_block){frames, heard, one_by_one ? energy : NULL, NULL});
    if (!one_by_one) *energy = sis_state_energy(system, state);
    free(state);
    sis_system_free(system);
}

// Rows are taken several at a time and columns in vectors: every remainder of both must come out
// alike at every width, and what is booked a sample late must be there whenever it is asked for.
static void grids_of_every_size_close_their_books_at_every_width(void) {
    enum { FRAMES = 120 };
    static double heard[2][FRAMES];
    static sis_energy energy[2][FRAMES], last;
    double worst = 0;
    int grids = 0;
    for (int i = 0; i < 8 * 9 * 4; i++, grids++) {
        sis_plate_def p =
            with_grid(i & 1 ? drumhead(0.4, 0.3) : steel(0.4, 0.3), 2 + i / 4 % 8, 2 + i / 32);
        if (i & 1) p.youngs = 3e9; // pulls and bends
        if (i & 2) p.edge = SIS_ENDS_CLAMPED;
        p.sigma0 = 3;
        p.sigma1 = 0.02;
        step_tapped(&p, 1, true, heard[0], energy[0], FRAMES);
        for (int32_t lanes = 2; lanes <= 4; lanes *= 2) {
            if (lanes > sis_widest()) continue;
            step_tapped(&p, lanes, true, heard[1], energy[1], FRAMES);
            CHECK(memcmp(heard[0], heard[1], sizeof heard[0]) == 0);
            CHECK(memcmp(energy[0], energy[1], sizeof energy[0]) == 0);
        }
        step_tapped(&p, 0, false, heard[1], &last, FRAMES);
        CHECK(memcmp(&last, &energy[0][FRAMES - 1], sizeof last) == 0);
        double largest = 0, off = 0;
        for (int n = 0; n < FRAMES; n++) {
            largest = fmax(largest, energy[0][n].total);
            off = fmax(off, fabs(energy[0][n].residual));
            if (n > 1) CHECK(energy[0][n].dissipated >= energy[0][n - 1].dissipated);
        }
        CHECK(largest > 0 && last.dissipated > 0);
        CHECK_NEAR(off / largest, 0, 1e-12);
        worst = fmax(worst, off / largest);
    }
    printf("  %d grids, residual at most %.1e\n", grids, worst);
}

static void what_is_struck_here_and_heard_there_may_be_exchanged(void) {
    static const double a[2] = {0.1234, 0.0567}, b[2] = {0.211, 0.1478};
    double worst = 0;
    for (int i = 0; i < 6; i++) {
        sis_plate_def p = i & 1 ? drumhead(0.3, 0.2) : steel(0.3, 0.2);
        p.sigma0 = 1;
        p.sigma1 = 0.01;
        if (i / 2 == 1) p.edge = SIS_ENDS_CLAMPED;
        if (i / 2 == 2) p.model = SIS_PLATE_MODAL;
        run to = run_scene(tapped(&p, a[0], a[1], b[0], b[1]), rate, 800);
        run fro = run_scene(tapped(&p, b[0], b[1], a[0], a[1]), rate, 800);
        double off = 0, peak = 0;
        for (int n = 0; n < 800; n++) {
            off = fmax(off, fabs(to.rows[n] - fro.rows[n]));
            peak = fmax(peak, fabs(to.rows[n]));
        }
        CHECK(peak > 0);
        CHECK_NEAR(off / peak, 0, 1e-11);
        worst = fmax(worst, off / peak);
        run_free(&to);
        run_free(&fro);
    }
    printf("  exchanged places differ by at most %.1e of the peak\n", worst);
}

// ---------------------------------------------------------------------------- refused

static void unstable_grids_are_refused_with_numbers(void) {
    sis_plate_def p = steel(0.5, 0.3);
    sis_system* system = compiled(&p, rate, NULL);
    CHECK(system != NULL);
    const sis_body_info b = sis_system_body(system, 0);
    sis_system_free(system);
    printf("  finest stable grid %d x %d, margin %.3f\n", b.segments, b.segments_y, b.margin);
    CHECK(b.margin >= 0 && b.margin < 0.3);
    for (int i = 0; i < 3; i++) {
        sis_plate_def fine = with_grid(p, b.segments + 12, b.segments_y + 8);
        if (i == 1) fine = with_grid(drumhead(0.3, 0.3), 300, 20);
        if (i == 2) fine.edge = SIS_ENDS_CLAMPED;
        sis_error error = {.status = SIS_OK};
        system = compiled(&fine, rate, &error);
        CHECK(system == NULL);
        CHECK(error.status == SIS_REFUSED);
        CHECK_TEXT(error.text, "plate1");
        if (i == 0) printf("  %s\n", error.text);
        sis_system_free(system);
    }
    // At the announced limit the plate stays bounded.
    const sis_plate_def last = with_grid(p, b.segments, b.segments_y);
    run r = run_scene(tapped(&last, 0.1, 0.1, 0.2, 0.2), rate, 4000);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    double peak = 0;
    for (int n = 0; n < r.frames; n++)
        peak = fmax(peak, fabs(r.rows[n]));
    CHECK(peak < 1e-2);
    run_free(&r);
}

int main(void) {
    RUN(partials_are_those_of_the_scheme_and_of_kirchhoff);
    RUN(membranes_ring_at_their_partials);
    RUN(partials_converge_with_order_2);
    RUN(tapped_plates_ring_as_announced);
    RUN(losses_of_plates_are_as_asked_for);
    RUN(a_ruler_rings_right);
    RUN(clamped_plates_converge_to_the_clamped_fundamental);
    RUN(plates_step_as_the_reference_does);
    RUN(modal_plates_ring_and_decay_exactly);
    RUN(modal_and_fd_plates_sound_alike);
    RUN(energy_of_plates_closes);
    RUN(grids_of_every_size_close_their_books_at_every_width);
    RUN(what_is_struck_here_and_heard_there_may_be_exchanged);
    RUN(unstable_grids_are_refused_with_numbers);
    return CHECK_REPORT();
}
