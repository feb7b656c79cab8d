// Stored + dissipated = supplied, to rounding, with every loss and every input switched on.
#include <float.h>

#include "check.h"
#include "reference.h"

static const double alphas[] = {1, 1.1, 1.3, 1.5, 2, 2.5, 3, 3.7};
enum { ALPHAS = sizeof alphas / sizeof *alphas };

static const double swing[] = {0,    2e-3, 0.1,  -1e-3, 0.23, 3e-3, 0.31, 0,
                               0.55, 2e-3, 0.56, -2e-3, 0.9,  1e-3, 2.0,  0};
static const double gesture[] = {0, 0, 0.02, 1, 0.1, -0.6, 0.3, 0.4, 0.5, 0};

static sis_id contact_of(sis_scene* scene, sis_id above, sis_id below, sis_law law, double gap,
                         double mu, double K, double alpha, const method* how) {
    sis_contact_def def = sis_contact_default();
    def.above = above;
    def.below = below;
    def.K = K;
    def.alpha = alpha;
    def.law = law;
    def.gap = gap;
    def.damping = mu;
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    return put(scene, SIS_KIND_CONTACT, &def);
}

static sis_id sprung_mass(sis_scene* scene, double mass, double frequency, double damping,
                          double position, double velocity) {
    sis_mass_def def = sis_mass_default();
    def.mass = mass;
    def.frequency = frequency;
    def.damping = damping;
    def.position = position;
    def.velocity = velocity;
    return put(scene, SIS_KIND_MASS, &def);
}

// All shapes of force on one mass, spread over the second.
static void all_forces(sis_scene* scene, sis_id on, double size) {
    put_force(scene, on, SIS_FORCE_RAISED_COSINE, 3 * size, 2e-3, 0.0501);
    put_force(scene, on, SIS_FORCE_HALF_COSINE, -2 * size, 3.3e-3, 0.15);
    put_force(scene, on, SIS_FORCE_IMPULSE, 3e-3 * size, (double)NAN, 0.21);
    put_force(scene, on, SIS_FORCE_IMPULSE, -1e-3 * size, (double)NAN, 0);
    put_force(scene, on, SIS_FORCE_CONSTANT, 0.7 * size, 0.3, 0.3);
    put_force(scene, on, SIS_FORCE_CONSTANT, -0.05 * size, (double)NAN, 0.4);
    sis_force_def def = sis_force_default();
    def.on = on;
    def.shape = SIS_FORCE_ENVELOPE;
    def.peak = 1.5 * size;
    def.start = 0.45;
    def.envelope = (sis_envelope){gesture, 5};
    put(scene, SIS_KIND_FORCE, &def);
}

static sis_id driven_mass(sis_scene* scene) {
    sis_mass_def def = sis_mass_default();
    def.path = (sis_envelope){swing, 8};
    return put(scene, SIS_KIND_MASS, &def);
}

// A sprung mass alone with its barrier, law by law.
static void put_alone(sis_scene* scene, sis_law law, double alpha, const method* how) {
    const sis_id mass = sprung_mass(scene, 0.013, 47 + 6 * (int)law, 3, 2.5e-4, 1.7);
    const sis_id wall_ = put_barrier(scene, law == SIS_LAW_ONE_SIDED ? 1e-3 : 2e-4);
    const double gap = law == SIS_LAW_CENTRE_LIMITED ? 7e-4
                       : law == SIS_LAW_TWO_SIDED    ? -1e-4
                                                     : 1e-4;
    const double mu = how->scheme == SIS_SCHEME_EXACT ? 0 : 0.15;
    const double K = wall_stiffness(0.013, alpha, 1.5, 4e-4);
    contact_of(scene, wall_, mass, law, gap, mu, K, alpha, how);
    if (law == SIS_LAW_ONE_SIDED)
        all_forces(scene, mass, 1);
    else
        put_force(scene, mass, SIS_FORCE_RAISED_COSINE, 4, 2e-3, 0.2 + 0.1 * (int)law);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
}

// Two masses, a barrier, a driven mass, four contacts and three springs in one block.
static void put_cluster(sis_scene* scene, double alpha, const method* how) {
    const sis_id low = sprung_mass(scene, 0.013, 37, 2, -2e-3, 1.7);
    const sis_id high = sprung_mass(scene, 0.004, 21, 0, 1e-3, -0.4);
    const sis_id hand = driven_mass(scene);
    const sis_id floor_ = put_barrier(scene, -3e-3);
    const double K = wall_stiffness(0.004, alpha, 1.5, 3e-4);
    contact_of(scene, high, low, SIS_LAW_ONE_SIDED, 1e-4, 0.1, K, alpha, how);
    contact_of(scene, low, floor_, SIS_LAW_ONE_SIDED, 0, 0, 3 * K, alpha, how);
    contact_of(scene, high, hand, SIS_LAW_CENTRE_LIMITED, 4e-3, 0.2, 0.4 * K, alpha, how);
    contact_of(scene, hand, low, SIS_LAW_TWO_SIDED, -5e-4, 0.05, pow(5e-3, -alpha), alpha, how);
    put_spring(scene, low, high, 800, 2e7, 0.05);
    put_spring(scene, high, hand, 150, 1e6, 0.03);
    put_spring(scene, SIS_GROUND, low, 90, 0, 0.02);
    all_forces(scene, high, 0.4);
    put_probe(scene, low, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, high, SIS_QUANTITY_DISPLACEMENT);
}

static sis_scene* busy_scene(double alpha, const method* how) {
    sis_scene* scene = sis_scene_new();
    put_gravity(scene, 9.81);
    for (int law = 0; law < 3; law++)
        put_alone(scene, (sis_law)law, alpha, how);
    if (how->scheme != SIS_SCHEME_EXACT) put_cluster(scene, alpha, how);
    return scene;
}

// Newton stores phi(eta), and eta is known to eps |u| only.
static double allowance(const run* r, const method* how) {
    if (how->scheme != SIS_SCHEME_NEWTON) return 1e-12;
    double reach = 0, depth = HUGE_VAL;
    for (int32_t n = 0; n < r->frames; n++)
        for (int32_t p = 0; p < r->probes; p++)
            reach = fmax(reach, fabs(run_at(r, n, p)));
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report report = sis_state_link(r->system, r->state, i);
        if (report.max_penetration > 0) depth = fmin(depth, report.max_penetration);
    }
    return 1e-12 + 100 * DBL_EPSILON * reach / depth;
}

static double balance(double alpha, const method* how, double rate) {
    const double duration = SANITIZED ? 0.1 : 0.1 * check_count(3, 10); // s
    run r = run_scene(busy_scene(alpha, how), rate, (int32_t)(duration * rate));
    const double residual = run_residual(&r), bound = allowance(&r, how);
    const sis_energy end = r.energy[r.frames - 1];
    CHECK_NEAR(residual, 0, bound);
    if (!(residual <= bound))
        printf("    %s alpha %g at %g Hz: residual %.3g, allowed %.3g\n", how->name, alpha, rate,
               residual, bound);
    CHECK(end.dissipated > 0.01 * run_peak(&r)); // losses and inputs were really on
    double most = 0;
    for (int32_t n = 0; n < r.frames; n++)
        most = fmax(most, fabs(r.energy[n].supplied));
    CHECK(most > 0.02 * run_peak(&r));
    for (int32_t n = 1; n < r.frames; n++)
        if (!(r.energy[n].dissipated >= r.energy[n - 1].dissipated)) {
            CHECK(r.energy[n].dissipated >= r.energy[n - 1].dissipated);
            break;
        }
    for (int32_t i = 0; i < sis_system_link_count(r.system); i++) // nothing was idle
        if (sis_system_link(r.system, i).kind == SIS_KIND_CONTACT) {
            CHECK(sis_state_link(r.system, r.state, i).contact_samples > 0);
        }
    run_free(&r);
    return residual;
}

static void every_alpha_balances(void) {
    for (int m = 0; m < METHODS; m++) {
        double worst = 0;
        for (int a = 0; a < ALPHAS; a++) {
            const double residual = balance(alphas[a], &methods[m], 44100);
            worst = !(residual <= worst) ? residual : worst;
        }
        printf("  %-20s worst residual %.2e\n", methods[m].name, worst);
    }
}

static void every_rate_balances(void) {
    static const double rates[] = {8000, 44100.5, 48000, 192000};
    for (int m = 0; m < METHODS; m++) {
        double worst = 0;
        for (int i = 0; i < 4; i++) {
            const double residual = balance(i & 1 ? 1.3 : 2.5, &methods[m], rates[i]);
            worst = !(residual <= worst) ? residual : worst;
        }
        printf("  %-20s worst residual %.2e\n", methods[m].name, worst);
    }
}

// A mass thrown far from its wall: the largest |u| per penetration.
static void hard_wall_far_away_balances(void) {
    for (int m = 0; m < METHODS; m++)
        for (int a = 0; a < ALPHAS; a += 3) {
            const bounce b = {.mass = 0.01,
                              .frequency = 10,
                              .position = -0.5,
                              .velocity = 1,
                              .height = 0.2,
                              .K = 7e7,
                              .alpha = alphas[a]};
            run r = run_scene(bounce_scene(&b, &methods[m]), 44100, 44100);
            double bound = allowance(&r, &methods[m]);
            CHECK_NEAR(run_residual(&r), 0, bound);
            run_free(&r);
        }
}

// A bouncing marble with Hunt-Crossley loss comes to rest and its energy went into the loss.
static void marble_comes_to_rest(void) {
    for (int m = 0; m < METHODS; m++) {
        if (m == EXACT) continue;
        const bounce b = {
            .mass = 0.01, .position = -0.02, .K = 1e8, .alpha = 1.5, .mu = 0.4, .flipped = true};
        sis_scene* scene = bounce_scene(&b, &methods[m]);
        put_gravity(scene, 9.81);
        run r = run_scene(scene, 44100, 2 * 44100);
        const double fall = 0.01 * 9.81 * 0.02;
        const sis_energy end = r.energy[r.frames - 1];
        CHECK_NEAR(run_residual(&r), 0, allowance(&r, &methods[m]));
        // Supplied: the height it lost, the little it sank in included.
        CHECK_NEAR(end.supplied, fall, 0.01 * fall);
        CHECK_NEAR(end.dissipated, fall, 0.02 * fall);
        if (m != PLAIN) CHECK(sis_state_link(r.system, r.state, 0).min_force >= 0);
        run_free(&r);
    }
}

// A ball pressed onto the table and never leaving it, oscillating hard (w k = 0.8) for a second:
// what its contacts hold stays the mean potential of two samples, because the drift of the
// fixed-work root is fed back. `parts` > 1: so many contacts side by side, solved as a block.
static double drift_when_pressed(double alpha, int parts) {
    const double rate = 44100, M = 0.01, g = 9.81, rest = alpha * g / pow(0.8 * rate, 2);
    const double K = M * g / pow(rest, alpha);
    sis_scene* scene = sis_scene_new();
    const sis_id ball = put_mass(scene, M, -1.5 * rest, 0), table = put_barrier(scene, 0);
    for (int i = 0; i < parts; i++)
        put_contact(scene, ball, table, K / parts, alpha, &methods[LEDGER]);
    put_gravity(scene, g);
    put_probe(scene, ball, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, rate, 44100);
    double worst = 0;
    for (int32_t n = 0; n + 1 < r.frames; n++) {
        const double now = -run_at(&r, n, 0), next = -run_at(&r, n + 1, 0);
        const double mean = 0.5 * K / (alpha + 1) * (pow(now, alpha + 1) + pow(next, alpha + 1));
        worst = fmax(worst, fabs(r.energy[n].contact - mean) / (M * g * rest));
    }
    run_free(&r);
    return worst;
}

static void pressed_contacts_hold_their_potential(void) {
    const double alone = drift_when_pressed(1.5, 1), steep = drift_when_pressed(2.5, 1);
    const double block = drift_when_pressed(2.5, 3);
    printf("  drift of a pressed contact: %.1e (alpha 1.5), %.1e (alpha 2.5), %.1e in a block\n",
           alone, steep, block);
    CHECK(alone < 1e-7);
    CHECK(steep < 1e-4);
    CHECK(block < 1e-12);
}

// A steady kick far smaller than the increment it adds to: its rounding is kept, not lost.
static void gravity_does_not_drift(void) {
    for (double rate = 44100; rate < 2e6; rate *= 6) {
        sis_scene* scene = sis_scene_new();
        put_mass(scene, 0.01, 0, 3);
        put_gravity(scene, 9.81);
        run r = run_scene(scene, rate, (int32_t)(0.5 * rate));
        CHECK_NEAR(run_residual(&r), 0, 4e-15);
        run_free(&r);
    }
}

// The parts of the energy are what they say: checked on a sprung mass in flight.
static void energies_are_what_they_say(void) {
    const double k = 1 / 44100.0, w = 2 * PI * 110;
    sis_scene* scene = sis_scene_new();
    const sis_id mass = sprung_mass(scene, 0.03, 110, 0, 2e-3, 0.5);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    run r = run_scene(scene, 44100, 2000);
    for (int32_t n = 0; n + 1 < r.frames; n++) {
        const double u = run_at(&r, n, 0), next = run_at(&r, n + 1, 0), v = (next - u) / k;
        const sis_energy e = r.energy[n];
        CHECK_NEAR(e.kinetic, 0.5 * 0.03 * v * v, 1e-13);
        CHECK_NEAR(e.elastic, 0.5 * 0.03 * w * w * u * next, 1e-13);
        CHECK_NEAR(e.total, e.kinetic + e.elastic + e.contact, 1e-16);
        CHECK(e.contact == 0 && e.supplied == 0 && e.dissipated == 0);
    }
    const sis_energy now = sis_state_energy(r.system, r.state);
    CHECK(memcmp(&now, &r.energy[r.frames - 1], sizeof now) == 0);
    run_free(&r);
}

// A contact holds the mean (or the middle) of its potential.
static void contact_energy_is_the_potential(void) {
    for (int m = 0; m < METHODS; m++) {
        if (m == RELEASE || m == PLAIN || m == EXACT) continue;
        const double k = 1 / 48000.0, alpha = 2.2, speed = 2;
        const double K = wall_stiffness(0.02, alpha, speed, 60 * k);
        const bounce b = {
            .mass = 0.02, .position = -3.3 * k * speed, .velocity = speed, .K = K, .alpha = alpha};
        run r = run_scene(bounce_scene(&b, &methods[m]), 48000, 80);
        for (int32_t n = 0; n + 1 < r.frames; n++) {
            const double a = fmax(run_at(&r, n, 3), 0), c = fmax(run_at(&r, n + 1, 3), 0);
            const double middle = fmax(0.5 * (run_at(&r, n, 3) + run_at(&r, n + 1, 3)), 0);
            const double mean = 0.5 * K / (alpha + 1) * (pow(a, alpha + 1) + pow(c, alpha + 1));
            const double held = methods[m].potential == SIS_POTENTIAL_MEAN
                                    ? mean
                                    : K / (alpha + 1) * pow(middle, alpha + 1);
            const bool newton = methods[m].scheme == SIS_SCHEME_NEWTON;
            CHECK_NEAR(r.energy[n].contact, held, (newton ? 1e-12 : 1e-3) * run_peak(&r));
        }
        run_free(&r);
    }
}

static void residuals_are_relative_to_what_flowed(void) {
    const sis_energy all[] = {{.total = 2, .supplied = 0, .dissipated = 0, .residual = 1e-15},
                              {.total = 1, .supplied = -5, .dissipated = 3, .residual = -4e-15},
                              {.total = 3, .supplied = 2, .dissipated = 4, .residual = 2e-15}};
    sis_balance whole = {0}, parts = {0}, lost = {0}, nothing = {0};
    sis_balance_add(&whole, all, 3);
    for (int i = 0; i < 3; i++)
        sis_balance_add(&parts, &all[i], 1);
    CHECK(whole.highest == 3 && whole.flowed == 5 && whole.off == 4e-15);
    CHECK(memcmp(&whole, &parts, sizeof whole) == 0);
    CHECK(sis_balance_residual(&whole) == 4e-15 / 5);
    sis_balance_add(&lost, &all[2], 1);
    CHECK(lost.flowed == 4);
    sis_balance_add(&nothing, &(sis_energy){0}, 1);
    CHECK(sis_balance_residual(&nothing) == 0);
    sis_balance_add(&whole, &(sis_energy){.total = 1, .residual = (double)NAN}, 1);
    sis_balance_add(&whole, all, 3);
    CHECK(isnan(sis_balance_residual(&whole)));
}

int main(void) {
    RUN(residuals_are_relative_to_what_flowed);
    RUN(every_alpha_balances);
    RUN(every_rate_balances);
    RUN(hard_wall_far_away_balances);
    RUN(marble_comes_to_rest);
    RUN(pressed_contacts_hold_their_potential);
    RUN(gravity_does_not_drift);
    RUN(energies_are_what_they_say);
    RUN(contact_energy_is_the_potential);
    return CHECK_REPORT();
}
