// Bodies given by their modes, and bodies joined rigidly: each must be the same as the body it
// describes.
#include <stdlib.h>

#include "check.h"
#include "reference.h"
#include "willemsen_reference.h"

static const double rate = 44100, nowhere = (double)NAN; // the place of a body without any

static double square(double x) {
    return x * x;
}

static void put_pickup(sis_scene* scene, sis_id on, double at) {
    sis_probe_def p = sis_probe_default();
    p.on = on;
    p.at = at;
    put(scene, SIS_KIND_PROBE, &p);
}

static void put_hit(sis_scene* scene, sis_id on, double at, double peak, double width) {
    sis_force_def f = sis_force_default();
    f.on = on;
    f.at = at;
    f.peak = peak;
    f.width = width;
    put(scene, SIS_KIND_FORCE, &f);
}

static double distance(const run* a, const run* b, double* peak) {
    double off = 0;
    *peak = 0;
    const size_t count = (size_t)a->frames * (size_t)a->probes;
    for (size_t i = 0; i < count; i++) {
        const double d = fabs(a->rows[i] - b->rows[i]);
        if (!(d <= off)) off = d;
        *peak = fmax(*peak, fabs(a->rows[i]));
    }
    return off;
}

// ---------------------------------------------------------------------------- modal bodies

static void a_mode_rings_and_decays_exactly(void) {
    static const double f[] = {50, 440, 5000, 15000, 20900}, s[] = {0, 3, 50, 400, 2000};
    double worst_f = 0, worst_s = 0;
    for (int i = 0; i < 5; i++) {
        const double mass = 0.01;
        sis_scene* scene = sis_scene_new();
        sis_modal_def d = sis_modal_default();
        d.frequency = (sis_list){&f[i], 1};
        d.sigma = (sis_list){&s[i], 1};
        d.mass = (sis_list){&mass, 1};
        const sis_id body = put(scene, SIS_KIND_MODAL, &d);
        sis_force_def hit = sis_force_default();
        hit.on = body;
        hit.shape = SIS_FORCE_IMPULSE;
        hit.peak = 1e-3;
        put(scene, SIS_KIND_FORCE, &hit);
        put_pickup(scene, body, 1);
        run r = run_scene(scene, rate, 4000);
        double hz = 0, decay = 0;
        wil_ringing(r.rows + 1, 3000, rate, f[i], &hz, &decay);
        const double ideal = sqrt(square(2 * PI * f[i]) - square(s[i])) / (2 * PI);
        CHECK_NEAR(hz / ideal, 1, 1e-9);
        CHECK_NEAR((decay - s[i]) / (2 * PI * f[i]), 0, 1e-9);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        worst_f = fmax(worst_f, fabs(hz / ideal - 1));
        worst_s = fmax(worst_s, fabs(decay - s[i]) / (2 * PI * f[i]));
        run_free(&r);
    }
    printf("  50 Hz to 20.9 kHz: frequency off by %.1e, decay by %.1e of w\n", worst_f, worst_s);
}

// s~ = tanh(s k)/k and w~^2 = (2/k^2)(1 - cos(w_d k)/cosh(s k)) are the numbers of a mass on a
// spring: the same motion, collisions with a wall included.
static void one_mode_is_a_mass_on_a_spring(void) {
    const double k = 1 / rate, f = 300, s = 8, M = 0.01;
    const double wd = sqrt(square(2 * PI * f) - s * s);
    run r[2];
    for (int modal = 0; modal < 2; modal++) {
        sis_scene* scene = sis_scene_new();
        sis_id body;
        if (modal) {
            sis_modal_def d = sis_modal_default();
            d.frequency = (sis_list){&f, 1};
            d.sigma = (sis_list){&s, 1};
            d.mass = (sis_list){&M, 1};
            body = put(scene, SIS_KIND_MODAL, &d);
        } else {
            sis_mass_def m = sis_mass_default();
            m.mass = M;
            m.damping = 2 * tanh(s * k) / k;
            m.stiffness = M * 2 / (k * k) * (1 - cos(wd * k) / cosh(s * k));
            body = put(scene, SIS_KIND_MASS, &m);
        }
        const double one = 1;
        const sis_id stop = put_barrier(scene, 5e-4);
        sis_contact_def c = sis_contact_default();
        c.above = stop;
        c.below = body;
        if (modal) c.at_below = (sis_list){&one, 1};
        c.K = 1e7;
        c.alpha = 1.5;
        put(scene, SIS_KIND_CONTACT, &c);
        put_hit(scene, body, modal ? 1 : nowhere, 50, 2e-3);
        put_pickup(scene, body, modal ? 1 : nowhere);
        r[modal] = run_scene(scene, rate, 3000);
        CHECK(sis_state_link(r[modal].system, r[modal].state, 0).contact_samples > 20);
        CHECK_NEAR(run_residual(&r[modal]), 0, 1e-12);
    }
    double peak;
    const double off = distance(&r[0], &r[1], &peak);
    printf("  one mode against a mass on a spring: %.1e of the peak\n", off / peak);
    CHECK_NEAR(off / peak, 0, 1e-9);
    run_free(&r[0]);
    run_free(&r[1]);
}

enum { MODES = 12, PLACES = 3 };

static sis_id string_or_modes(sis_scene* scene, bool modal, const double* place) {
    sis_string_def s = sis_string_default();
    s.length = 0.8;
    s.tension = 60;
    s.density = 4e-3;
    s.radius = 5e-4;
    s.youngs = 2e11;
    s.sigma0 = 2;
    s.sigma1 = 5e-3;
    s.model = SIS_STRING_MODAL;
    s.modes = MODES;
    if (!modal) return put(scene, SIS_KIND_STRING, &s);
    double f[MODES], sigma[MODES], m[MODES], shape[MODES * PLACES];
    const double EI = s.youngs * PI * square(square(s.radius)) / 4;
    for (int p = 0; p < MODES; p++) {
        const double q = square((p + 1) * PI / s.length);
        f[p] = sqrt((s.tension * q + EI * q * q) / s.density) / (2 * PI);
        sigma[p] = s.sigma0 + s.sigma1 * q;
        m[p] = s.density * s.length / 2;
        for (int i = 0; i < PLACES; i++)
            shape[p * PLACES + i] = sin((p + 1) * PI * place[i] / s.length);
    }
    sis_modal_def d = sis_modal_default();
    d.frequency = (sis_list){f, MODES};
    d.sigma = (sis_list){sigma, MODES};
    d.mass = (sis_list){m, MODES};
    d.shape = (sis_list){shape, MODES * PLACES};
    d.points = PLACES;
    return put(scene, SIS_KIND_MODAL, &d);
}

// Struck, stopped by a barrier, tied to a mass and bowed: the modes of a string are the string.
static void modes_of_a_string_are_the_string(void) {
    static const double place[PLACES] = {0.13, 0.31, 0.58};
    run r[2];
    for (int modal = 0; modal < 2; modal++) {
        double at[PLACES];
        for (int i = 0; i < PLACES; i++)
            at[i] = modal ? i + 1 : place[i];
        sis_scene* scene = sis_scene_new();
        const sis_id body = string_or_modes(scene, modal != 0, place);
        const sis_id stop = put_barrier(scene, -2e-4);
        sis_contact_def c = sis_contact_default();
        c.above = body;
        c.below = stop;
        c.at_above = (sis_list){&at[1], 1};
        c.K = 1e5;
        c.alpha = 1.3;
        put(scene, SIS_KIND_CONTACT, &c);
        const sis_id weight = put_mass(scene, 1e-3, 0, 0);
        sis_spring_def spring = sis_spring_default();
        spring.a = body;
        spring.at_a = at[2];
        spring.b = weight;
        spring.K1 = 1e3;
        spring.damping = 0.01;
        put(scene, SIS_KIND_SPRING, &spring);
        sis_bow_def bow = sis_bow_default();
        bow.on = body;
        bow.at = at[0];
        bow.force = 0.05;
        bow.velocity = 0.1;
        put(scene, SIS_KIND_BOW, &bow);
        put_hit(scene, body, at[0], 2, 1e-3);
        for (int i = 0; i < PLACES; i++)
            put_pickup(scene, body, at[i]);
        put_pickup(scene, weight, nowhere);
        r[modal] = run_scene(scene, rate, 2000);
        CHECK_NEAR(run_residual(&r[modal]), 0, 1e-12);
        CHECK(sis_state_link(r[modal].system, r[modal].state, 0).contact_samples > 10);
    }
    double peak;
    const double off = distance(&r[0], &r[1], &peak);
    printf("  12 modes against the modal string: %.1e of the peak, residuals %.1e %.1e\n",
           off / peak, run_residual(&r[0]), run_residual(&r[1]));
    CHECK_NEAR(off / peak, 0, 1e-9);
    run_free(&r[0]);
    run_free(&r[1]);
}

// A mode without a frequency is a free mass: momentum is what it was given.
static void a_mode_of_0_hz_flies_freely(void) {
    const double f = 0, M = 0.02;
    sis_scene* scene = sis_scene_new();
    sis_modal_def d = sis_modal_default();
    d.frequency = (sis_list){&f, 1};
    d.mass = (sis_list){&M, 1};
    const sis_id body = put(scene, SIS_KIND_MODAL, &d);
    put_hit(scene, body, 1, 2, 44 / rate); // raised cosine over 44 samples: 44 k N s
    put_pickup(scene, body, 1);
    run r = run_scene(scene, rate, 2000);
    CHECK_NEAR((run_at(&r, 1999, 0) - run_at(&r, 1998, 0)) * rate, 44 / rate / M, 1e-12);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    run_free(&r);
}

static void modal_bodies_obey_reciprocity(void) {
    static const double place[PLACES] = {0.13, 0.31, 0.58};
    run r[2];
    for (int i = 0; i < 2; i++) {
        sis_scene* scene = sis_scene_new();
        const sis_id body = string_or_modes(scene, true, place);
        put_hit(scene, body, i ? 3 : 1, 1, 1e-3);
        put_pickup(scene, body, i ? 1 : 3);
        r[i] = run_scene(scene, rate, 1500);
    }
    double peak;
    const double off = distance(&r[0], &r[1], &peak);
    CHECK_NEAR(off / peak, 0, 1e-12);
    run_free(&r[0]);
    run_free(&r[1]);
}

// ---------------------------------------------------------------------------- rigid springs

static sis_id put_rigid(sis_scene* scene, sis_id a, double at_a, sis_id b, double at_b) {
    sis_spring_def s = sis_spring_default();
    s.a = a;
    s.at_a = at_a;
    s.b = b;
    s.at_b = at_b;
    s.rigid = true;
    return put(scene, SIS_KIND_SPRING, &s);
}

// 3 g and 5 g on springs, thrown, pushed and falling on a floor, or 8 g on both springs.
static void two_masses_joined_rigidly_are_one(void) {
    run r[2];
    for (int joined = 0; joined < 2; joined++) {
        sis_scene* scene = sis_scene_new();
        sis_mass_def m = sis_mass_default();
        m.mass = joined ? 3e-3 : 8e-3;
        m.stiffness = joined ? 700 : 1000;
        m.damping = 2;
        m.velocity = -1;
        const sis_id first = put(scene, SIS_KIND_MASS, &m);
        sis_id last = first;
        if (joined) {
            m.mass = 5e-3;
            m.stiffness = 300;
            last = put(scene, SIS_KIND_MASS, &m);
            put_rigid(scene, first, nowhere, last, nowhere);
        }
        const sis_id floor_ = put_barrier(scene, -1e-3);
        put_contact(scene, first, floor_, 1e6, 1.5, &methods[LEDGER]);
        put_hit(scene, last, nowhere, 3, 0.01);
        put_gravity(scene, 9.81);
        put_pickup(scene, first, nowhere);
        put_pickup(scene, last, nowhere);
        r[joined] = run_scene(scene, rate, 3000);
        CHECK_NEAR(run_residual(&r[joined]), 0, 1e-12);
    }
    double peak, apart = 0;
    const double off = distance(&r[0], &r[1], &peak);
    for (int n = 0; n < 3000; n++)
        apart = fmax(apart, fabs(run_at(&r[1], n, 0) - run_at(&r[1], n, 1)));
    printf("  two masses joined against one: %.1e of the peak, parted by %.1e m, residual %.1e\n",
           off / peak, apart, run_residual(&r[1]));
    CHECK_NEAR(off / peak, 0, 1e-10);
    CHECK_NEAR(apart, 0, 1e-14);
    run_free(&r[0]);
    run_free(&r[1]);
}

static const double length = 1, tension = 100, density = 5e-3;

static sis_id flexible_string(sis_scene* scene, sis_string_model model) {
    sis_string_def s = sis_string_default();
    s.length = length;
    s.tension = tension;
    s.density = density;
    s.model = model;
    return put(scene, SIS_KIND_STRING, &s);
}

// T b (cot(b x) + cot(b (L - x))) = m w^2, w = b c: the lowest root, Hz.
static double loaded_partial(double mass, double x) {
    const double c = sqrt(tension / density);
    double low = 1e-6, high = PI / fmax(x, length - x) * (1 - 1e-12);
    for (int i = 0; i < 200; i++) {
        const double b = 0.5 * (low + high);
        const double f =
            tension * b * (1 / tan(b * x) + 1 / tan(b * (length - x))) - mass * square(b * c);
        if (f > 0)
            low = b;
        else
            high = b;
    }
    return low * c / (2 * PI);
}

static void a_string_with_a_mass_on_it_is_a_loaded_string(void) {
    static const char* const names[] = {"fd", "implicit", "trapezoid", "modal"};
    static const double places[] = {0.5, 0.37};
    for (int model = 0; model < 4; model++)
        for (int i = 0; i < 2; i++) {
            const double mass = 0.01, ideal = loaded_partial(mass, places[i]);
            sis_scene* scene = sis_scene_new();
            const sis_id string = flexible_string(scene, (sis_string_model)model);
            const sis_id weight = put_mass(scene, mass, 0, 0);
            put_rigid(scene, string, places[i], weight, nowhere);
            put_hit(scene, weight, nowhere, 1, 5e-3);
            put_pickup(scene, weight, nowhere);
            put_pickup(scene, string, places[i]);
            run r = run_scene(scene, rate, 30000);
            double* u = malloc(30000 * sizeof *u);
            if (!u) exit(1);
            double apart = 0, peak = 0;
            for (int n = 0; n < 30000; n++) {
                u[n] = run_at(&r, n, 0);
                apart = fmax(apart, fabs(u[n] - run_at(&r, n, 1)));
                peak = fmax(peak, fabs(u[n]));
            }
            const double hz = wil_frequency(u + 300, 29700, rate, ideal);
            printf("  %-9s mass at %.2f L: %.4f Hz, exact %.4f (%+.3f cents), residual %.1e\n",
                   names[model], places[i], hz, ideal, wil_cents(hz, ideal), run_residual(&r));
            CHECK_NEAR(wil_cents(hz, ideal), 0, 3);
            CHECK_NEAR(apart / peak, 0, 1e-11);
            CHECK_NEAR(run_residual(&r), 0, 1e-12);
            free(u);
            run_free(&r);
        }
}

// Held fast in the middle, a string sounds its octave.
static void a_string_held_in_the_middle_sounds_the_octave(void) {
    sis_scene* scene = sis_scene_new();
    const sis_id string = flexible_string(scene, SIS_STRING_FD);
    put_rigid(scene, string, 0.5, SIS_GROUND, nowhere);
    put_hit(scene, string, 0.2, 1, 3e-3);
    put_pickup(scene, string, 0.21);
    put_pickup(scene, string, 0.5);
    run r = run_scene(scene, rate, 20000);
    double u[20000], held = 0;
    for (int n = 0; n < 20000; n++) {
        u[n] = run_at(&r, n, 0);
        held = fmax(held, fabs(run_at(&r, n, 1)));
    }
    const double open = sqrt(tension / density) / (2 * length);
    const double hz = wil_frequency(u + 300, 19700, rate, 2 * open);
    printf("  held in the middle: %+.3f cents off the octave, the middle moves %.1e m\n",
           wil_cents(hz, 2 * open), held);
    CHECK_NEAR(wil_cents(hz, 2 * open), 0, 3);
    CHECK_NEAR(held, 0, 1e-14);
    run_free(&r);
}

// A contact, a spring and a rigid joint between the same two bodies: one block, every scheme.
static void contacts_beside_rigid_joints_balance(void) {
    static const int which[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE, PLAIN};
    static const double f[2] = {2161, 30.5}, sigma[2] = {1, 0}, mass[2] = {0.05, 0.063},
                        shape[4] = {-0.277, -0.524, -0.0313, -0.692}, first = 1, at = 0.494;
    for (int i = 0; i < 6; i++) {
        sis_scene* scene = sis_scene_new();
        const sis_id string = flexible_string(scene, SIS_STRING_FD);
        sis_modal_def d = sis_modal_default();
        d.frequency = (sis_list){f, 2};
        d.sigma = (sis_list){sigma, 2};
        d.mass = (sis_list){mass, 2};
        d.shape = (sis_list){shape, 4};
        d.points = 2;
        const sis_id body = put(scene, SIS_KIND_MODAL, &d);
        sis_contact_def c = sis_contact_default();
        c.above = body;
        c.below = string;
        c.at_above = (sis_list){&first, 1};
        c.at_below = (sis_list){&at, 1};
        c.K = 6.5e10;
        c.alpha = 2.0751;
        c.scheme = methods[which[i]].scheme;
        c.release = methods[which[i]].release;
        c.potential = methods[which[i]].potential;
        put(scene, SIS_KIND_CONTACT, &c);
        put_rigid(scene, string, 0.489, body, 2);
        sis_spring_def s = sis_spring_default();
        s.a = body;
        s.at_a = 2;
        s.b = SIS_GROUND;
        s.K1 = 2783;
        s.damping = 0.08;
        put(scene, SIS_KIND_SPRING, &s);
        put_hit(scene, string, 0.04, 0.02, 5e-4);
        run r = run_scene(scene, 13205.18, 3000);
        const sis_link_report l = sis_state_link(r.system, r.state, 0);
        printf("  %-20s residual %.1e, %d samples in contact, at most %u iterations\n",
               methods[which[i]].name, run_residual(&r), (int)l.contact_samples, l.iterations_max);
        CHECK_NEAR(run_residual(&r), 0, 1e-12);
        CHECK(l.contact_samples > 50);
        run_free(&r);
    }
}

static sis_scene* redundant(int which) {
    sis_scene* scene = sis_scene_new();
    const sis_id a = put_mass(scene, 1, 0, 0), b = put_mass(scene, 2, 0, 0),
                 c = put_mass(scene, 3, 0, 0);
    const sis_id string = flexible_string(scene, SIS_STRING_FD);
    put_rigid(scene, a, nowhere, b, nowhere);
    if (which == 0) put_rigid(scene, b, nowhere, a, nowhere);
    if (which == 1) {
        put_rigid(scene, b, nowhere, c, nowhere);
        put_rigid(scene, c, nowhere, a, nowhere);
    }
    if (which == 2) {
        put_rigid(scene, string, 0.4, SIS_GROUND, nowhere);
        put_rigid(scene, string, 0.4, a, nowhere);
        put_rigid(scene, b, nowhere, SIS_GROUND, nowhere);
    }
    if (which == 3) { // a chain is fine
        put_rigid(scene, b, nowhere, c, nowhere);
        put_rigid(scene, c, nowhere, string, 0.4);
    }
    return scene;
}

static void redundant_rigid_springs_are_refused(void) {
    for (int which = 0; which < 4; which++) {
        sis_scene* scene = redundant(which);
        const sis_options options = {
            .rate = rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
        sis_error error = {.status = SIS_OK};
        sis_system* system = sis_compile(scene, &options, &error);
        sis_scene_free(scene);
        CHECK((system != NULL) == (which == 3));
        if (which < 3) {
            CHECK(error.status == SIS_REFUSED);
            CHECK_TEXT(error.text, "rigid");
        }
        if (which == 0) printf("  %s\n", error.text);
        sis_system_free(system);
    }
}

int main(void) {
    RUN(a_mode_rings_and_decays_exactly);
    RUN(one_mode_is_a_mass_on_a_spring);
    RUN(modes_of_a_string_are_the_string);
    RUN(a_mode_of_0_hz_flies_freely);
    RUN(modal_bodies_obey_reciprocity);
    RUN(two_masses_joined_rigidly_are_one);
    RUN(a_string_with_a_mass_on_it_is_a_loaded_string);
    RUN(a_string_held_in_the_middle_sounds_the_octave);
    RUN(contacts_beside_rigid_joints_balance);
    RUN(redundant_rigid_springs_are_refused);
    return CHECK_REPORT();
}
