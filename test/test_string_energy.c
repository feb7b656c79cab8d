// Strings: stored + dissipated = supplied, to rounding, with losses and a push on, for every model,
// scheme, exponent and hardness.
#include <float.h>

#include "check.h"
#include "string_reference.h"

static const method hows[] = {
    {"ledger", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MEAN},
    {"ledger mid", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MIDPOINT},
    {"quadratised", SIS_SCHEME_QUADRATISED, false, SIS_POTENTIAL_MEAN},
    {"release", SIS_SCHEME_QUADRATISED, true, SIS_POTENTIAL_MEAN},
    {"newton", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MEAN},
    {"newton mid", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MIDPOINT},
    {"exact", SIS_SCHEME_EXACT, false, SIS_POTENTIAL_MEAN},
};
enum { FRAMES = 160 }; // 20 ms
enum { HOWS = 6, HOW_LEDGER = 0, HOW_NEWTON = 4, HOW_EXACT = 6 };

// Newton stores phi(eta), and eta is known to eps |u| only: 100 eps max|u|/max penetration.
static double allowance(const run* r, const method* how) {
    if (how->scheme != SIS_SCHEME_NEWTON) return 1e-12;
    double reach = 0, depth = 0;
    for (int32_t n = 0; n < r->frames; n++)
        for (int32_t p = 0; p < r->probes; p++)
            reach = fmax(reach, fabs(run_at(r, n, p)));
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++)
        depth = fmax(depth, sis_state_link(r->system, r->state, i).max_penetration);
    return 1e-12 + (depth > 0 ? 100 * DBL_EPSILON * reach / depth : 0);
}

// The worst of a family of runs, as a share of what is allowed.
typedef struct tally {
    double residual, share;
} tally;

static void weigh(run* r, const method* how, tally* worst) {
    const double residual = run_residual(r), allowed = allowance(r, how);
    CHECK_NEAR(residual, 0, allowed);
    if (!(residual <= worst->residual)) worst->residual = residual;
    if (!(residual / allowed <= worst->share)) worst->share = residual / allowed;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report report = sis_state_link(r->system, r->state, i);
        if (sis_system_link(r->system, i).kind != SIS_KIND_CONTACT) continue;
        CHECK(report.contact_samples > 0);
        if (how->scheme == SIS_SCHEME_LEDGER || how->scheme == SIS_SCHEME_EXACT || how->release)
            CHECK(report.min_force >= 0);
        if (how->scheme == SIS_SCHEME_QUADRATISED) CHECK(report.iterations == 0);
        CHECK(report.unconverged == 0);
    }
    CHECK(r->energy[r->frames - 1].supplied != 0);
    run_free(r);
}

static run on_bed(const sis_string_def* def, double K, double alpha, double mu, const method* how) {
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = put_bed(scene, NULL, -2e-4);
    contact.K = K;
    contact.alpha = alpha;
    contact.damping = mu;
    contact.scheme = how->scheme;
    contact.release = how->release;
    contact.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &contact);
    put_push(scene, string, 0.17, 4, 1.5e-3, 0);
    put_push(scene, string, 0.4, -3, 1.5e-3, 10e-3);
    put_pickup(scene, string, 0.29, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, SHORT_RATE, FRAMES);
}

static const double hardness[] = {1e4, 1e7, 1e10, 1e13};
static const double alphas[] = {1, 1.3, 1.4, 2.3, 3};

static void every_model_balances_with_every_scheme(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        printf("  %-22s", string_kinds[i].name);
        for (int m = 0; m < HOWS; m++) {
            tally worst = {0, 0};
            for (int K = 0; K < 4; K++)
                for (int a = 0; a < 5; a++) {
                    run r = on_bed(&def, hardness[K], alphas[a], 0, &hows[m]);
                    weigh(&r, &hows[m], &worst);
                }
            printf(" %s %.0e", hows[m].name, worst.residual);
        }
        printf("\n");
    }
}

static void the_closed_form_of_alpha_1_balances(void) {
    static const int kinds[] = {FD, FD_PLAIN};
    for (int i = 0; i < 2; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[kinds[i]]);
        tally worst = {0, 0};
        for (int K = 0; K < 4; K++) {
            run r = on_bed(&def, hardness[K], 1, 0, &hows[HOW_EXACT]);
            weigh(&r, &hows[HOW_EXACT], &worst);
        }
        printf("  exact on %s: %.1e\n", string_kinds[kinds[i]].name, worst.residual);
    }
}

static void clamped_ends_balance(void) {
    static const int kinds[] = {FD,          FD_PLAIN, STAR,           STAR_PLAIN,
                                GAMMA_TUNED, GAMMA_07, TRAPEZOID_PLAIN};
    for (int i = 0; i < 7; i++) {
        sis_string_def def = string_as(string_short(), &string_kinds[kinds[i]]);
        def.ends = SIS_ENDS_CLAMPED;
        tally worst = {0, 0};
        for (int m = 0; m < HOWS; m++)
            for (int K = 0; K < 4; K += 3) {
                run r = on_bed(&def, hardness[K], 1.4, 0, &hows[m]);
                weigh(&r, &hows[m], &worst);
            }
        printf("  clamped %-22s %.1e\n", string_kinds[kinds[i]].name, worst.residual);
    }
}

static void contact_losses_balance(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        tally worst = {0, 0};
        for (int m = 0; m < HOWS; m++)
            for (int K = 0; K < 4; K += 2) {
                run r = on_bed(&def, hardness[K + 1], 1.3, 0.5, &hows[m]);
                weigh(&r, &hows[m], &worst);
            }
        printf("  damped contact, %-22s %.1e\n", string_kinds[i].name, worst.residual);
    }
}

static void stretching_strings_balance(void) {
    static const int kinds[] = {FD, FD_PLAIN, STAR, STAR_PLAIN, GAMMA_07, MODAL, MODAL_PLAIN};
    for (int i = 0; i < 7; i++) {
        sis_string_def def = string_as(string_short(), &string_kinds[kinds[i]]);
        def.nonlinear = SIS_KIRCHHOFF_CARRIER;
        tally worst = {0, 0}, alone = {0, 0};
        for (int m = 0; m < HOWS; m++)
            for (int K = 0; K < 4; K += 2) {
                run r = on_bed(&def, hardness[K + 1], 1.4, 0, &hows[m]);
                weigh(&r, &hows[m], &worst);
            }
        sis_scene* scene = sis_scene_new();
        put_push(scene, put(scene, SIS_KIND_STRING, &def), 0.17, 20, 1.5e-3, 0);
        run r = run_scene(scene, SHORT_RATE, 1000);
        weigh(&r, &hows[HOW_LEDGER], &alone);
        printf("  stretching %-22s alone %.1e, on a bed %.1e\n", string_kinds[kinds[i]].name,
               alone.residual, worst.residual);
    }
}

// ---------------------------------------------------------------------------- points, two bodies

static sis_id touch(sis_scene* scene, sis_id above, sis_id below, double gap, double K,
                    const method* how) {
    sis_contact_def contact = sis_contact_default();
    contact.above = above;
    contact.below = below;
    contact.gap = gap;
    contact.K = K;
    contact.alpha = 1.5;
    contact.scheme = how->scheme;
    contact.release = how->release;
    contact.potential = how->potential;
    return put(scene, SIS_KIND_CONTACT, &contact);
}

static run on_frets(const sis_string_def* def, const method* how) {
    static const double frets[] = {0.061, 0.0915, 0.1234, 0.31, 0.32, 0.59};
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    sis_barrier_def neck = sis_barrier_default();
    neck.height = -3e-4;
    neck.at = (sis_list){frets, 6};
    touch(scene, string, put(scene, SIS_KIND_BARRIER, &neck), 0, 1e7, how);
    put_push(scene, string, 0.17, 4, 1.5e-3, 0);
    put_pickup(scene, string, 0.29, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, SHORT_RATE, FRAMES);
}

static run clash(const sis_string_def* upper, int32_t segments, const method* how) {
    sis_scene* scene = sis_scene_new();
    sis_string_def lower = *upper;
    lower.tension = 45;
    lower.segments = segments;
    const sis_id a = put(scene, SIS_KIND_STRING, upper);
    const sis_id b = put(scene, SIS_KIND_STRING, &lower);
    touch(scene, a, b, 1e-4, 1e8, how);
    put_push(scene, a, 0.17, 4, 1.5e-3, 0);
    put_pickup(scene, a, 0.29, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, SHORT_RATE, FRAMES);
}

// A mass below the string, a second one hanging from it by a spring, gravity on both, the string
// on a bed.
static run loaded(const sis_string_def* def, const method* how) {
    static const double place = 0.077;
    sis_scene* scene = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    const sis_id hammer = put_mass(scene, 3e-3, -2e-4, 2);
    const sis_id load = put_mass(scene, 1e-3, 0, 0);
    sis_contact_def contact = sis_contact_default();
    contact.above = string;
    contact.below = hammer;
    contact.at_above = (sis_list){&place, 1};
    contact.K = 3e7;
    contact.alpha = 2.3;
    contact.damping = 0.1;
    contact.scheme = how->scheme;
    contact.release = how->release;
    contact.potential = how->potential;
    put(scene, SIS_KIND_CONTACT, &contact);
    touch(scene, string, put_bed(scene, NULL, -5e-4), 0, 1e8, how);
    sis_spring_def spring = sis_spring_default();
    spring.a = string;
    spring.at_a = 0.44;
    spring.b = load;
    spring.K1 = 2e3;
    spring.K3 = 1e9;
    spring.damping = 0.05;
    put(scene, SIS_KIND_SPRING, &spring);
    put_gravity(scene, 9.81);
    put_push(scene, string, 0.3, -6, 1.5e-3, 8e-3);
    put_pickup(scene, string, 0.29, SIS_QUANTITY_DISPLACEMENT);
    return run_scene(scene, SHORT_RATE, FRAMES);
}

static void frets_two_strings_masses_and_springs_balance(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        tally frets = {0, 0}, two = {0, 0}, load = {0, 0};
        for (int m = 0; m < HOWS; m++) {
            run r = on_frets(&def, &hows[m]);
            weigh(&r, &hows[m], &frets);
            r = clash(&def, 0, &hows[m]);
            weigh(&r, &hows[m], &two);
            r = clash(&def, 15, &hows[m]);
            weigh(&r, &hows[m], &two);
            r = loaded(&def, &hows[m]);
            weigh(&r, &hows[m], &load);
        }
        printf("  %-22s frets %.1e, two strings %.1e, loaded %.1e\n", string_kinds[i].name,
               frets.residual, two.residual, load.residual);
    }
}

// Both laws that push both ways, on a mass that rides on the string.
static void two_sided_and_centre_limited_laws_balance(void) {
    static const double place = 0.21;
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        tally worst = {0, 0};
        for (int m = 0; m < HOWS; m++)
            for (int law = SIS_LAW_TWO_SIDED; law <= SIS_LAW_CENTRE_LIMITED; law++) {
                if (hows[m].release) continue; // a rule of one-sided contacts
                sis_scene* scene = sis_scene_new();
                sis_contact_def contact = sis_contact_default();
                contact.above = put(scene, SIS_KIND_STRING, &def);
                contact.below = put_mass(scene, 2e-3, 0, 1);
                contact.at_above = (sis_list){&place, 1};
                contact.K = 1e8;
                contact.alpha = 1.7;
                contact.law = (sis_law)law;
                contact.gap = law == SIS_LAW_CENTRE_LIMITED ? 1e-4 : 0;
                contact.scheme = hows[m].scheme;
                contact.potential = hows[m].potential;
                put(scene, SIS_KIND_CONTACT, &contact);
                put_push(scene, contact.above, 0.3, 4, 1.5e-3, 2e-3);
                put_pickup(scene, contact.above, 0.29, SIS_QUANTITY_DISPLACEMENT);
                run r = run_scene(scene, SHORT_RATE, FRAMES);
                const double residual = run_residual(&r), allowed = allowance(&r, &hows[m]);
                CHECK_NEAR(residual, 0, allowed);
                worst.residual = fmax(worst.residual, residual);
                CHECK(sis_state_link(r.system, r.state, 0).max_force > 0);
                run_free(&r);
            }
        printf("  two-sided laws, %-22s %.1e\n", string_kinds[i].name, worst.residual);
    }
}

// A string pressed onto a bed (a negative gap) holds phi(eta) per metre at the start; then it is
// thrown off.
static void a_string_that_starts_inside_its_bed_balances(void) {
    const double inside = 1e-4, K = 1e6, alpha = 1.5; // soft: the step resolves it
    for (int i = 0; i < STRING_KINDS; i++) {
        const sis_string_def def = string_as(string_short(), &string_kinds[i]);
        tally worst = {0, 0};
        double start = 0;
        for (int m = 0; m < HOWS; m++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put(scene, SIS_KIND_STRING, &def);
            touch(scene, string, put_bed(scene, NULL, -2e-4), -2e-4 - inside, K, &hows[m]);
            put_push(scene, string, 0.17, 4, 1.5e-3, 5e-3);
            put_pickup(scene, string, 0.29, SIS_QUANTITY_DISPLACEMENT);
            run r = run_scene(scene, SHORT_RATE, FRAMES);
            const sis_link_info link = sis_system_link(r.system, 0);
            const double held =
                link.points * link.weight * K / (alpha + 1) * pow(inside, alpha + 1);
            start = r.energy[0].total;
            CHECK_NEAR(start, held, 0.1 * held);
            weigh(&r, &hows[m], &worst);
        }
        printf("  starts inside, %-22s %.1e, holding %.3e J\n", string_kinds[i].name,
               worst.residual, start);
    }
}

// ---------------------------------------------------------------------------- the real string

static void the_string_of_2019_balances_at_44100(void) {
    for (int i = 0; i < STRING_KINDS; i++) {
        if (i == MODAL_PLAIN) continue; // as many points as modes: the same as MODAL, at this price
        sis_string_def def = string_as(string_2019(), &string_kinds[i]);
        def.sigma0 = 0.6;
        def.sigma1 = 2e-4;
        const method* how = &hows[i % 2 ? HOW_NEWTON : HOW_LEDGER];
        sis_scene* scene = sis_scene_new();
        const sis_id string = put(scene, SIS_KIND_STRING, &def);
        put_contact(scene, string, put_bed(scene, bent_2019, 0), 2.6e9, 1.4, how);
        put_push(scene, string, 0.8, 10, 1e-3, 0);
        put_pickup(scene, string, 0.9, SIS_QUANTITY_DISPLACEMENT);
        tally worst = {0, 0};
        run r = run_scene(scene, 44100, def.model == SIS_STRING_MODAL ? 400 : 1500);
        weigh(&r, how, &worst);
        printf("  2019 string, %-22s %-7s %.1e\n", string_kinds[i].name, how->name, worst.residual);
    }
}

int main(void) {
    RUN(every_model_balances_with_every_scheme);
    RUN(the_closed_form_of_alpha_1_balances);
    RUN(clamped_ends_balance);
    RUN(contact_losses_balance);
    RUN(stretching_strings_balance);
    RUN(frets_two_strings_masses_and_springs_balance);
    RUN(two_sided_and_centre_limited_laws_balance);
    RUN(a_string_that_starts_inside_its_bed_balances);
    RUN(the_string_of_2019_balances_at_44100);
    return CHECK_REPORT();
}
