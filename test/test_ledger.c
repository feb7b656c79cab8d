// Contacts are true in every state: at rest, pressed, squeezed, in stacks, shorter than a sample.
// Random scenes of the same kinds are judged by the program campaign.
#include <stdlib.h>

#include "check.h"
#include "contact/contact.h"
#include "reference.h"

// ---------------------------------------------------------------------------- random states

// One contact in one sample: entering, inside, on its way out, at rest, pressed. omega k from 1e-3
// to 1e3. `loss` is mu v at most.
static contact_problem random_state(uint64_t* seed, const power_law* law, double loss) {
    const double depth = random_log(seed, 1e-9, 1e-2), omega = random_log(seed, 1e-3, 1e3);
    const double force = law->K * pow(depth, law->alpha);
    contact_problem p = {.G = omega * omega * depth / (law->alpha * force)};
    const int kind = (int)(5 * random_unit(seed));
    p.before = kind == 0   ? -depth * random_unit(seed)
               : kind == 4 ? depth * random_unit(seed)
                           : depth;
    p.free = kind == 0   ? -p.before + depth * random_log(seed, 1e-3, 10)
             : kind == 1 ? depth * (8 * random_unit(seed) - 2)
             : kind == 2 ? -depth * random_log(seed, 1e-3, 3)
             : kind == 3 ? p.G * force * (1 + 1e-6 * (random_unit(seed) - 0.5))
                         : depth * random_log(seed, 0.1, 100);
    p.now = kind == 3 ? p.before : p.before + 0.5 * p.free * random_unit(seed);
    p.force_before = random_unit(seed) < 0.5 ? force * random_log(seed, 0.3, 3) : 0;
    if (law->both && random_unit(seed) < 0.5) {
        p.before = -p.before;
        p.free = -p.free;
        p.now = -p.now;
        p.force_before = -p.force_before;
    }
    p.nu = loss > 0 ? loss * random_log(seed, 1e-3, 1) / (depth + fabs(p.free)) : 0;
    p.phi_before = power_phi(law, power_depth(law, p.before));
    return p;
}

typedef struct search_report {
    double worst;
    uint32_t powers;
    int unsolved;
} search_report;

// The force of ledger's search against newton's.
static search_report search_states(sis_law kind, double loss, int count) {
    search_report worst = {0};
    uint64_t seed = 2026 + (uint64_t)kind;
    for (int i = 0; i < count; i++) {
        const double alpha = random_unit(&seed) < 0.3 ? 1 + 0.5 * floor(5 * random_unit(&seed))
                                                      : 1 + 3 * random_unit(&seed);
        const power_law law = sis_power_law_make(kind, random_log(&seed, 1e3, 1e13), alpha,
                                                 1e-7 * random_unit(&seed));
        const contact_problem p = random_state(&seed, &law, loss);
        double depth[2] = {0}, phi[2] = {0};
        const contact_memory m = {.E = (double[2]){0}, .mark_depth = depth, .mark_phi = phi};
        contact_cost cost = {0}, other = {0};
        const double f = sis_ledger_root(&law, &p, &m, 0, &cost).force;
        const double g = sis_newton_root(&law, &p, &m, 1, &other).force;
        const double size = fabs(p.before) + fabs(p.free);
        // Below this the force is not known: travels are differences.
        const double off = fabs(f - g) / fmax(fabs(g), 1e-6 * size / p.G);
        if (!(off <= worst.worst)) worst.worst = off;
        if (cost.powers > worst.powers) worst.powers = cost.powers;
        worst.unsolved += cost.unsolved || other.unsolved;
    }
    return worst;
}

static void the_search_converges_in_every_state(void) {
    static const char* names[] = {"one-sided", "two-sided", "centre-limited"};
    const int count = check_count(SANITIZED ? 20000 : 40000, 200000);
    for (int law = 0; law < 3; law++)
        for (int lossy = 0; lossy < 2; lossy++) {
            const search_report r = search_states((sis_law)law, lossy ? 5 : 0, count);
            printf("  %s%s: force off by at most %.1e, %u powers\n", names[law],
                   lossy ? " with loss" : "", r.worst, r.powers);
            CHECK_NEAR(r.worst, 0, lossy && law ? 1e-7 : 1e-9); // where 1 + nu r is nearly 0
            CHECK(r.unsolved == 0);
            CHECK(r.powers <= (lossy || law ? 20 : 5));
        }
}

// What is no number any more: the foot of a wave that has not arrived, a bow that slips so fast
// that it gives nothing; and the blow that follows it.
static void what_vanishes_gives_no_force(void) {
    static const double sizes[] = {0, 5e-324, 3e-315, 1e-304, 1e-201, 1e-162, 1e-150, 1e-140, 1e-9};
    const int count = (int)(sizeof sizes / sizeof *sizes);
    for (int n = 0; n < 3 * 2 * 4 * count * count; n++) {
        const double a = sizes[n % count], b = sizes[n / count % count];
        const int kind = n / (count * count), signs = kind % 4;
        const power_law law =
            sis_power_law_make((sis_law)(kind / 8), 1e7, kind & 4 ? 1 : 1.3, kind & 4 ? 0 : 1e-7);
        contact_problem p = {.before = signs & 1 ? -a : a, .free = signs & 2 ? -b : b, .G = 1e-4};
        p.now = p.before;
        p.nu = n & 1 ? 10 : 0;
        p.phi_before = p.phi_now = power_phi(&law, power_depth(&law, p.before));
        double depth[2] = {0}, phi[2] = {0};
        const contact_memory m = {.E = (double[2]){0}, .mark_depth = depth, .mark_phi = phi};
        contact_cost cost = {0};
        const contact_root one = sis_ledger_root(&law, &p, &m, 0, &cost);
        const contact_root other = sis_newton_root(&law, &p, &m, 1, &cost);
        CHECK(!cost.unsolved);
        CHECK(isfinite(one.travel) && isfinite(one.force));
        CHECK(isfinite(other.travel) && isfinite(other.force));
    }
}

// ---------------------------------------------------------------------------- scenes

static const method* const both_schemes[] = {&methods[LEDGER], &methods[NEWTON]};

static sis_id put_lossy(sis_scene* scene, sis_id above, sis_id below, double K, double alpha,
                        double mu, const method* how) {
    sis_contact_def contact = sis_contact_default();
    contact.above = above;
    contact.below = below;
    contact.K = K;
    contact.alpha = alpha;
    contact.damping = mu;
    contact.scheme = how->scheme;
    contact.potential = how->potential;
    return put(scene, SIS_KIND_CONTACT, &contact);
}

// `at`: along a string; NaN: on a mass.
static void put_steady_force(sis_scene* scene, sis_id on, double at, double newtons) {
    sis_force_def force = sis_force_default();
    force.on = on;
    if (!isnan(at)) force.at = at;
    force.shape = SIS_FORCE_CONSTANT;
    force.peak = newtons;
    put(scene, SIS_KIND_FORCE, &force);
}

static double largest(const run* r, int32_t from, int32_t to, int32_t probe) {
    double most = 0;
    for (int32_t n = from; n < to; n++)
        most = fmax(most, fabs(run_at(r, n, probe)));
    return most;
}

// Squeezed between two stops with loss it comes to rest, and stays there.
static void a_squeezed_mass_comes_to_rest_and_stays(void) {
    for (int m = 0; m < 2; m++)
        for (int trial = 0; trial < 20; trial++) {
            uint64_t seed = 77 + (uint64_t)trial;
            const bool named = trial == 0;
            const double mass = named ? 0.01 : random_log(&seed, 1e-4, 0.1);
            const double K = named ? 1e6 : random_log(&seed, 1e5, 1e9);
            const double mu = named ? 1 : random_log(&seed, 0.3, 5);
            const double overlap = named ? 2e-4 : random_log(&seed, 1e-5, 1e-3);
            sis_scene* scene = sis_scene_new();
            const sis_id ball = put_mass(scene, mass, 0.05 * overlap, 1e-3);
            const sis_id low = put_barrier(scene, overlap), high = put_barrier(scene, -overlap);
            put_lossy(scene, ball, low, K, 1.5, mu, both_schemes[m]);
            put_lossy(scene, high, ball, K, 1.5, mu, both_schemes[m]);
            put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
            run r = run_scene(scene, 44100, 44100);
            const double most = largest(&r, 0, r.frames, 0);
            int32_t calm = r.frames; // from here on its speed stays below 1e-5
            while (calm > 0 && fabs(run_at(&r, calm - 1, 0)) < 1e-5 * most)
                calm--;
            if (named) CHECK(calm < 4410);
            if (calm < r.frames - 2000) CHECK(largest(&r, calm + 2000, r.frames, 0) < 1e-5 * most);
            CHECK_NEAR(run_residual(&r), 0, 1e-11); // phi(eta) knows eta to the rounding of u
            run_free(&r);
        }
}

// A hammer of 20 g onto 1 g on a lossy floor: nobody passes through anybody, at any phase of
// arrival, and the hammer comes back as it does at 64 times the rate (0.33308 m/s).
static void masses_do_not_pass_through_each_other(void) {
    for (int m = 0; m < 2; m++) {
        double least = 1e9, most = -1e9;
        for (int phase = 0; phase < 40; phase++) {
            const double rate = 44100;
            sis_scene* scene = sis_scene_new();
            const sis_id light = put_mass(scene, 1e-3, 1e-4, 0);
            const sis_id hammer = put_mass(scene, 2e-2, 1e-3 + 3 * phase / (40 * rate), -3);
            put_lossy(scene, hammer, light, 1e10, 1, 0, both_schemes[m]);
            put_lossy(scene, light, put_barrier(scene, 0), 1e9, 2, 3, both_schemes[m]);
            put_probe(scene, light, SIS_QUANTITY_DISPLACEMENT);
            put_probe(scene, hammer, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, rate, 900);
            for (int32_t n = 0; n < r.frames; n++)
                CHECK(run_at(&r, n, 0) < run_at(&r, n, 1) + 1e-4 && run_at(&r, n, 0) > -1e-3);
            const double back = (run_at(&r, 899, 1) - run_at(&r, 898, 1)) * rate;
            least = fmin(least, back);
            most = fmax(most, back);
            for (int32_t i = 0; i < 2; i++) {
                const sis_link_report report = sis_state_link(r.system, r.state, i);
                CHECK_NEAR(report.trapped_max, 0, 1e-12);
                CHECK(report.min_force >= 0 && report.unconverged == 0);
            }
            run_free(&r);
        }
        printf("  %s: the hammer comes back with %.4f to %.4f m/s\n", both_schemes[m]->name, least,
               most);
        CHECK_NEAR(least, 0.33308, 0.01);
        CHECK_NEAR(most, 0.33308, 0.01);
    }
}

// A bead pressed by 5 N swings about its static depth, and not deeper than the work of the force
// leads it: the mean of two potentials is bounded, one of them by twice that, 2^(1/2.5) as deep.
static void a_pressed_contact_swings_about_its_static_depth(void) {
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 8; i++) {
            const double K = pow(10, 7 + 0.75 * i), depth = pow(5 / K, 1 / 1.5);
            sis_scene* scene = sis_scene_new();
            const sis_id bead = put_mass(scene, 1e-4, -0.5 * depth, 0);
            put_lossy(scene, bead, put_barrier(scene, 0), K, 1.5, 0, both_schemes[m]);
            put_steady_force(scene, bead, NAN, -5);
            put_probe(scene, bead, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, 44100, 22050);
            // phi(z) - 5 z is what it was at the start: the other turning point.
            double low = depth, high = 3 * depth;
            const double start = K / 2.5 * pow(0.5 * depth, 2.5) - 2.5 * depth;
            for (int turn = 0; turn < 60; turn++) {
                const double z = 0.5 * (low + high);
                if (K / 2.5 * pow(z, 2.5) - 5 * z < start)
                    low = z;
                else
                    high = z;
            }
            const double deepest = largest(&r, 0, r.frames, 0);
            if (K > 1e9 && K < 1e11)
                printf("  %s, K %.1e: %.3f static depths, turning point %.3f\n",
                       both_schemes[m]->name, K, deepest / depth, low / depth);
            CHECK(deepest < 1.32 * low && deepest > depth);
            CHECK_NEAR(run_residual(&r), 0, m ? 1e-10 : 1e-12);
            run_free(&r);
        }
}

static sis_id put_test_string(sis_scene* scene, sis_string_model model) {
    sis_string_def string = sis_string_default();
    string.length = 0.65;
    string.tension = 70;
    string.density = 4e-3;
    string.radius = 4e-4;
    string.youngs = 2e11;
    string.sigma0 = 30;
    string.sigma1 = 5e-3;
    string.model = model;
    return put(scene, SIS_KIND_STRING, &string);
}

// A string pressed onto a fret, and one pressed onto a bed, come to rest: the force of the contact
// is the same in every sample, not one of two by turns.
static void a_pressed_string_settles(void) {
    static const sis_string_model models[] = {SIS_STRING_FD, SIS_STRING_IMPLICIT, SIS_STRING_MODAL};
    for (int model = 0; model < 3; model++)
        for (int bed = 0; bed < 2; bed++)
            for (int i = 0; i < 3; i++) {
                sis_scene* scene = sis_scene_new();
                const sis_id string = put_test_string(scene, models[model]);
                sis_barrier_def floor = sis_barrier_default();
                const double fret = 0.31;
                floor.height = -5e-4;
                if (!bed) floor.at = (sis_list){&fret, 1};
                sis_contact_def contact = sis_contact_default();
                contact.above = string;
                contact.below = put(scene, SIS_KIND_BARRIER, &floor);
                contact.K = pow(10, 8 + 1.5 * i);
                contact.alpha = 1.5;
                const sis_id touch = put(scene, SIS_KIND_CONTACT, &contact);
                put_steady_force(scene, string, 0.3, -4);
                put_probe(scene, touch, SIS_QUANTITY_FORCE);
                run r = run_scene(scene, 44100, 44100);
                double least = HUGE_VAL, most = 0;
                for (int32_t n = r.frames - 200; n < r.frames; n++) {
                    least = fmin(least, run_at(&r, n, 0));
                    most = fmax(most, run_at(&r, n, 0));
                }
                CHECK(most > 0.1 && most - least < 1e-6 * most);
                CHECK_NEAR(run_residual(&r), 0,
                           1e-11); // an explicit string at rest rounds by 4e-12
                CHECK(sis_state_link(r.system, r.state, 0).unconverged == 0);
                run_free(&r);
            }
}

// ---------------------------------------------------------------------------- loss of short
// impacts

// Exit speed over that of the law, of a mass that meets a wall.
static double exit_ratio(double alpha, double loss, double samples, double phase,
                         const method* how) {
    const double rate = 44100, speed = 1.3, mass = 0.02;
    const sis_impact impact = {mass, wall_stiffness(mass, alpha, speed, samples / rate), alpha,
                               loss / speed, speed};
    sis_scene* scene = sis_scene_new();
    const sis_id ball = put_mass(scene, mass, speed * (2 + phase) / rate, -speed);
    put_lossy(scene, ball, put_barrier(scene, 0), impact.K, alpha, impact.mu, how);
    put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
    run r = run_scene(scene, rate, 100 + (int32_t)(20 * samples * (1 + loss)));
    const double ratio = run_at(&r, r.frames - 1, 0) / sis_impact_exit_speed(&impact);
    CHECK_NEAR(run_residual(&r), 0, 1e-12);
    CHECK(sis_state_link(r.system, r.state, 0).min_force >= 0);
    run_free(&r);
    return ratio;
}

// Shorter than a sample, or with mu v up to 1/2 in some samples, the exit speed is that of the law;
// newton, which has no energy of its own to settle, is within a few per cent.
static void short_impacts_lose_what_the_law_says(void) {
    static const double alphas[] = {1, 1.5, 2.5}, lengths[] = {0.1, 0.3, 1, 2.5};
    static const double losses[] = {1e-3, 0.03, 0.1, 0.5, 1, 2};
    double worst = 0, newton = 0;
    for (int a = 0; a < 3; a++)
        for (int d = 0; d < 4; d++)
            for (int l = 0; l < 6; l++)
                for (int phase = 0; phase < 16; phase++) {
                    const double p = phase / 16.0;
                    const double off =
                        exit_ratio(alphas[a], losses[l], lengths[d], p, &methods[LEDGER]) - 1;
                    const double other =
                        exit_ratio(alphas[a], losses[l], lengths[d], p, &methods[NEWTON]) - 1;
                    const bool exact = losses[l] < 2 || lengths[d] <= 1;
                    if (exact) worst = fmax(worst, fabs(off));
                    newton = fmax(newton, fabs(other));
                    CHECK_NEAR(off, 0, exact ? 1e-10 : 0.05);
                    CHECK_NEAR(other, 0, 0.02 + 0.1 * losses[l]);
                }
    printf("  exit speed off by at most %.1e (ledger), %.1e (newton)\n", worst, newton);
}

// What is owed belongs to one compression: pressed and shaken for long, a mass leaves as it does by
// newton, which owes nothing, and as it would after a moment.
static void what_is_owed_belongs_to_one_impact(void) {
    double left[2][2];
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 2; i++) {
            const double rate = 44100, time = i ? 0.2 : 0.02, depth = pow(50 / 1e12, 1 / 1.5);
            sis_scene* scene = sis_scene_new();
            const sis_id ball = put_mass(scene, 0.01, -depth, 0);
            put_lossy(scene, ball, put_barrier(scene, 0), 1e12, 1.5, 2, both_schemes[m]);
            put_force(scene, ball, SIS_FORCE_CONSTANT, -50, time, 0);
            enum { POINTS = 7300 };
            static double shake[2 * POINTS];
            for (int n = 0; n < POINTS; n++) {
                const double t = n / 36000.0;
                shake[2 * n] = t;
                shake[2 * n + 1] = t < time ? 15 * sin(2 * PI * 6000 * t) : 0;
            }
            sis_force_def force = sis_force_default();
            force.on = ball;
            force.shape = SIS_FORCE_ENVELOPE;
            force.envelope = (sis_envelope){shake, POINTS};
            put(scene, SIS_KIND_FORCE, &force);
            put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
            run r = run_scene(scene, rate, (int32_t)((time + 0.003) * rate));
            left[m][i] = run_at(&r, r.frames - 1, 0);
            run_free(&r);
        }
    printf("  it leaves with %.5f, %.5f m/s (newton %.5f, %.5f)\n", left[0][0], left[0][1],
           left[1][0], left[1][1]);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(left[0][i] / left[1][i], 1, 0.02);
}

// Beyond double precision contacts take passive forces, newton too: nothing is made.
static void absurd_squeezes_make_no_energy(void) {
    for (int m = 0; m < 2; m++) {
        sis_scene* scene = sis_scene_new();
        const sis_id ball = put_mass(scene, 1.6e-5, -8e-4, 1e-3);
        method midpoint = *both_schemes[m];
        midpoint.potential = SIS_POTENTIAL_MIDPOINT;
        put_lossy(scene, ball, put_barrier(scene, 0), 1.05e11, 1, 0, both_schemes[m]);
        put_lossy(scene, put_barrier(scene, 1.2e-3), ball, 4.7e12, 2, 0, &midpoint);
        put_probe(scene, ball, SIS_QUANTITY_VELOCITY);
        run r = run_scene(scene, 1000, 400);
        for (int32_t n = 0; n < r.frames; n++)
            CHECK(r.energy[n].total < 1.001 * r.energy[0].total);
        run_free(&r);
    }
}

// A bouncing ball with loss, 44.1 kHz against 64 times that: the same bounces.
static void a_bouncing_ball_is_that_of_a_higher_rate(void) {
    double at[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const double rate = i ? 64 * 44100.0 : 44100;
        sis_scene* scene = sis_scene_new();
        put_gravity(scene, 9.81);
        const sis_id ball = put_mass(scene, 0.01, 0.02, 0);
        put_lossy(scene, ball, put_barrier(scene, 0), 1e9, 1.5, 0.3, &methods[LEDGER]);
        put_probe(scene, ball, SIS_QUANTITY_DISPLACEMENT);
        run r = run_scene(scene, rate, (int32_t)(0.3 * rate) + 1);
        at[i] = run_at(&r, r.frames - 1, 0);
        run_free(&r);
    }
    printf("  after 0.3 s %.9f m, at 64 times the rate %.9f m\n", at[0], at[1]);
    CHECK_NEAR(at[0], at[1], 2e-5);
}

int main(void) {
    RUN(the_search_converges_in_every_state);
    RUN(what_vanishes_gives_no_force);
    RUN(a_squeezed_mass_comes_to_rest_and_stays);
    RUN(masses_do_not_pass_through_each_other);
    RUN(a_pressed_contact_swings_about_its_static_depth);
    RUN(a_pressed_string_settles);
    RUN(short_impacts_lose_what_the_law_says);
    RUN(what_is_owed_belongs_to_one_impact);
    RUN(absurd_squeezes_make_no_energy);
    RUN(a_bouncing_ball_is_that_of_a_higher_rate);
    return CHECK_REPORT();
}
