// Stiffness, loss, gaps, heights and springs that move while it sounds: the energy balance closes
// whatever the hand does, nothing is pulled, and neither blocks nor lanes nor copies show.
#include "live.h"

enum { FRAMES = SANITIZED ? 300 : 2500 };

static const double rate = 44100;

// ---------------------------------------------------------------------------- masses

typedef struct trial {
    const method* how;
    double alpha;
    sis_law law;
} trial;

// A mass that swings into a barrier.
static sis_id swinging(sis_scene* scene, const trial* t, sis_id* contact) {
    sis_mass_def mass = sis_mass_default();
    mass.mass = 0.01;
    mass.frequency = 300;
    mass.damping = 3;
    mass.position = 0.002;
    const sis_id above = put(scene, SIS_KIND_MASS, &mass);
    sis_contact_def def = sis_contact_default();
    def.above = above;
    def.below = put_barrier(scene, 0);
    def.K = 1e5;
    def.alpha = t->alpha;
    def.law = t->law;
    def.gap = t->law == SIS_LAW_CENTRE_LIMITED ? 5e-4 : 0;
    def.scheme = t->how->scheme;
    def.release = t->how->release;
    def.potential = t->how->potential;
    *contact = put(scene, SIS_KIND_CONTACT, &def);
    return above;
}

static void a_stiffness_may_move_under_every_law_and_scheme(void) {
    static const int schemes[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE, PLAIN};
    static const double alphas[] = {1, 1.5, 2, 2.3, 2.5, 3};
    double most = 0;
    for (int s = 0; s < 6; s++)
        for (int a = 0; a < 6; a++)
            for (int law = 0; law < 3; law++) {
                const trial t = {&methods[schemes[s]], alphas[a], (sis_law)law};
                sis_scene* scene = sis_scene_new();
                sis_id contact;
                const sis_id mass = swinging(scene, &t, &contact);
                put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
                live(scene, contact, "K", 1e5, 0, pow(1000, t.alpha) * 1e3);
                const gesture how = (gesture)(1 + (s + a + law) % 4);
                most = fmax(most, check_laws_of(scene, rate, how, FRAMES, 17u * (unsigned)a + 3,
                                                schemes[s] == PLAIN));
            }
    printf("        K of a mass: residual %.2g\n", most);
}

static void a_loss_may_move_during_impacts(void) {
    double most = 0;
    for (int s = 0; s < 5; s++)
        for (int how = 1; how < GESTURES; how++) {
            static const int schemes[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE};
            const trial t = {&methods[schemes[s]], 1.5, SIS_LAW_ONE_SIDED};
            sis_scene* scene = sis_scene_new();
            sis_id contact;
            const sis_id mass = swinging(scene, &t, &contact);
            put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
            live(scene, contact, "K", 1e7, 1e3, 1e8);
            live(scene, contact, "damping", 0, 0, 5);
            put_force(scene, mass, SIS_FORCE_CONSTANT, -0.2, 1, 0);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 5));
        }
    printf("        K and loss of a mass: residual %.2g\n", most);
}

// ---------------------------------------------------------------------------- strings and plates

// A string plucked over a barrier along part of it, or under one, with a bow and a force.
static sis_id over_barrier(sis_scene* scene, sis_string_model model, bool under, bool bowed,
                           sis_id* barrier) {
    const sis_id string = put_string(scene, model);
    sis_barrier_def below = sis_barrier_default();
    below.height = under ? 1e-3 : -1e-3;
    below.from = 0.1;
    below.to = 0.4;
    *barrier = put(scene, SIS_KIND_BARRIER, &below);
    sis_contact_def def = sis_contact_default();
    def.above = under ? *barrier : string;
    def.below = under ? string : *barrier;
    def.K = 1e9;
    def.alpha = 1.5;
    pluck(scene, string, 0.2, 3e-3);
    if (bowed) bow(scene, string, 0.5);
    sis_force_def blow = sis_force_default();
    blow.on = string;
    blow.at = 0.45;
    blow.peak = 1;
    blow.width = blow.start = 1e-3;
    put(scene, SIS_KIND_FORCE, &blow);
    listen(scene, string, 0.3);
    return put(scene, SIS_KIND_CONTACT, &def);
}

static void stiffness_and_loss_may_move_along_a_string(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            sis_id barrier, contact = over_barrier(scene, models[m], how % 2, how < 3, &barrier);
            live(scene, contact, "K", 1e9, 0, 1e11);
            if (how != GESTURE_SINE) live(scene, contact, "damping", 0.1, 0, 1);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 9));
        }
    printf("        K along a string: residual %.2g\n", most);
}

static void heights_and_gaps_may_move_along_a_string(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const bool under = how % 2;
            sis_id barrier, contact = over_barrier(scene, models[m], under, how < 3, &barrier);
            if (how != GESTURE_WALK)
                live(scene, barrier, "height", under ? 1e-3 : -1e-3, under ? 0 : -2e-3,
                     under ? 2e-3 : 0);
            if (how != GESTURE_SINE) live(scene, contact, "gap", 0, -1e-3, 1e-3);
            if (how == GESTURE_JUMPS) live(scene, contact, "K", 1e9, 1e6, 1e11);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 21));
        }
    printf("        heights and gaps along a string: residual %.2g\n", most);
}

static void gaps_may_move_between_strings(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id above = put_string(scene, models[m]), below = put_string(scene, models[m]);
            sis_contact_def def = sis_contact_default();
            def.above = above;
            def.below = below;
            def.K = 1e8;
            def.alpha = 1.5;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            pluck(scene, above, 0.2, 3e-3);
            listen(scene, below, 0.3);
            live(scene, contact, "gap", 2e-3, 0, 3e-3);
            most = fmax(most, check_laws(scene, rate, (gesture)how, SANITIZED ? 200 : 1500, 4));
        }
    printf("        gaps between strings: residual %.2g\n", most);
}

// Two strings at rest: a hand that closes the gap presses one on the other.
static void a_hand_wakes_strings_that_sleep(void) {
    for (int m = 0; m < 4; m++) {
        sis_scene* scene = sis_scene_new();
        sis_contact_def def = sis_contact_default();
        def.above = put_string(scene, models[m]);
        def.below = put_string(scene, models[m]);
        def.K = 1e8;
        def.alpha = 1.5;
        live(scene, put(scene, SIS_KIND_CONTACT, &def), "gap", 1e-3, -1e-3, 1e-3);
        sis_system* system = compiled(scene, rate, 0);
        double rows[400];
        for (int n = 0; n < 400; n++)
            rows[n] = 1e-3 - n / 100 * 5e-4;
        run r = run_live(system, rows, 400, 64);
        const sis_link_report report = sis_state_link(system, r.state, 0);
        CHECK(report.contact_samples > 0);
        CHECK(r.energy[399].total > 0);
        CHECK(residual_from(&r, 0) <= 1e-12);
        run_free(&r);
        sis_scene_free(scene);
    }
}

// A plate and a mallet that falls on it, whose K, gap and loss move.
static void a_mallet_on_a_plate_may_change(void) {
    double most = 0;
    for (int m = 0; m < 2; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id plate = put_plate(scene, m ? SIS_PLATE_MODAL : SIS_PLATE_FD);
            const double at[] = {0.11, 0.13};
            sis_contact_def def = sis_contact_default();
            def.above = put_mass(scene, 0.02, 1e-3, -1);
            def.below = plate;
            def.at = (sis_list){at, 2};
            def.K = 1e6;
            def.alpha = 2.3;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            put_gravity(scene, 50);
            sis_probe_def probe = sis_probe_default();
            probe.on = plate;
            probe.at = 0.2;
            probe.at_y = 0.1;
            put(scene, SIS_KIND_PROBE, &probe);
            live(scene, contact, "K", 1e6, 0, 1e10);
            live(scene, contact, "damping", 0.1, 0, 1);
            live(scene, contact, "gap", 0, -1e-3, 1e-3);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 8));
        }
    printf("        a mallet on a plate: residual %.2g\n", most);
}

// A plate over a barrier below an area of it.
static void stiffness_and_height_may_move_over_an_area(void) {
    double most = 0;
    for (int m = 0; m < 2; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id plate = put_plate(scene, m ? SIS_PLATE_MODAL : SIS_PLATE_FD);
            sis_barrier_def below = sis_barrier_default();
            below.height = -1e-4;
            below.from = 0.1, below.from_y = 0.1;
            below.to = 0.2, below.to_y = 0.2;
            const sis_id barrier = put(scene, SIS_KIND_BARRIER, &below);
            sis_contact_def def = sis_contact_default();
            def.above = plate;
            def.below = barrier;
            def.K = 1e10;
            def.alpha = 1.5;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            sis_pluck_def start = sis_pluck_default();
            start.on = plate;
            start.shape = SIS_PLUCK_MODE;
            start.height = 1e-3;
            start.mode = start.mode_y = 1;
            put(scene, SIS_KIND_PLUCK, &start);
            sis_probe_def probe = sis_probe_default();
            probe.on = plate;
            probe.at = 0.2;
            probe.at_y = 0.1;
            put(scene, SIS_KIND_PROBE, &probe);
            live(scene, contact, "K", 1e10, 0, 1e12);
            if (how > 1) live(scene, barrier, "height", -1e-4, -1e-3, 0);
            most = fmax(most, check_laws(scene, rate, (gesture)how, SANITIZED ? 600 : 1500, 2));
        }
    printf("        an area of a plate: residual %.2g\n", most);
}

// ---------------------------------------------------------------------------- springs

static void springs_may_change_between_any_bodies(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            sis_id barrier;
            over_barrier(scene, models[m], false, how < 3, &barrier);
            const sis_id string = sis_scene_find(scene, SIS_KIND_STRING, "string1");
            sis_spring_def def = sis_spring_default();
            def.a = string;
            def.at_a = 0.25;
            def.b = put_mass(scene, 0.005, 0, 0.3);
            def.K1 = 1000;
            const sis_id spring = put(scene, SIS_KIND_SPRING, &def);
            live(scene, spring, "K1", 1000, 0, 1e6);
            live(scene, spring, "K3", 1e9, 0, 1e12);
            live(scene, spring, "damping", 0.1, 0, 10);
            listen(scene, def.b, (double)NAN);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 6));
        }
    printf("        springs: residual %.2g\n", most);
}

// ---------------------------------------------------------------------------- what moves alone

// A mass that lies pressed in a contact is a spring: K grows, what is supplied is its energy.
static void what_a_hand_supplies_is_the_potential(void) {
    for (int s = 0; s < METHODS; s++) {
        if (s == EXACT || s == PLAIN) continue;
        sis_scene* scene = sis_scene_new();
        sis_mass_def mass = sis_mass_default();
        mass.mass = 1000; // it does not move
        mass.position = -1e-3;
        const sis_id above = put(scene, SIS_KIND_MASS, &mass);
        sis_contact_def def = sis_contact_default();
        def.above = above;
        def.below = put_barrier(scene, 0);
        def.K = 1000;
        def.alpha = 1;
        def.scheme = methods[s].scheme;
        def.release = methods[s].release;
        def.potential = methods[s].potential;
        live(scene, put(scene, SIS_KIND_CONTACT, &def), "K", 0, 0, 4000);
        sis_system* system = compiled(scene, rate, 0);
        double rows[40];
        for (int n = 0; n < 40; n++)
            rows[n] = 100 * n;
        run r = run_live(system, rows, 40, 40);
        CHECK_NEAR(r.energy[39].supplied, 0.5 * 3900 * 1e-6, 1e-6 * 0.5 * 3900 * 1e-6);
        CHECK(residual_from(&r, 0) <= 1e-12);
        run_free(&r);
        sis_scene_free(scene);
    }
}

// A gap that moves as a driven mass would: the same motion.
static void a_hand_at_the_gap_is_a_driven_mass(void) {
    sis_scene* scenes[2];
    for (int s = 0; s < 2; s++) {
        sis_scene* scene = scenes[s] = sis_scene_new();
        const sis_id mass = put_mass(scene, 0.01, 0, -1);
        sis_id below = SIS_NONE;
        if (s == 0) {
            below = put_barrier(scene, -1e-3);
        } else {
            const double path[] = {0, -1e-3};
            sis_mass_def driven = sis_mass_default();
            driven.mass = 1;
            driven.path = (sis_envelope){path, 1};
            below = put(scene, SIS_KIND_MASS, &driven);
        }
        put_contact(scene, mass, below, 1e7, 1.5, &methods[LEDGER]);
        put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
        live(scene, below, s ? "path" : "height", -1e-3, -1e-2, 1e-2);
    }
    sis_system *one = compiled(scenes[0], rate, 0), *other = compiled(scenes[1], rate, 0);
    double* rows = gesture_rows(one, GESTURE_SINE, FRAMES, 3);
    for (int n = 0; n < FRAMES; n++)
        rows[n] *= 0.1;
    run a = run_live(one, rows, FRAMES, 64), b = run_live(other, rows, FRAMES, 64);
    for (int n = 0; n < FRAMES; n++) {
        CHECK_NEAR(run_at(&a, n, 0), run_at(&b, n, 0), 1e-9);
        CHECK_NEAR(a.energy[n].supplied, b.energy[n].supplied, 1e-9 * b.energy[n].total + 1e-12);
    }
    CHECK(residual_from(&a, 0) <= 1e-12);
    run_free(&a);
    run_free(&b);
    free(rows);
    sis_scene_free(scenes[0]);
    sis_scene_free(scenes[1]);
}

// Other keys of a contact do not move its gap, in whatever order they came to follow inputs.
static void a_gap_follows_its_own_input(void) {
    static const char* const keys[] = {"K", "damping"};
    static const double low[] = {1e6, 0}, high[] = {1e7, 7};
    for (int t = 0; t < 4; t++) {
        const int key = t / 2;
        sis_system* systems[2];
        sis_scene* scenes[2];
        for (int s = 0; s < 2; s++) { // only the key, the key and a gap that rests
            sis_scene* scene = scenes[s] = sis_scene_new();
            const sis_id mass = put_mass(scene, 0.01, 1e-3, -1);
            const sis_id below = put_barrier(scene, 0);
            const sis_id contact = put_contact(scene, mass, below, 1e6, 1.5, &methods[LEDGER]);
            put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
            if (s && t % 2) live(scene, contact, "gap", 0, 0, 1e-4);
            live(scene, contact, keys[key], low[key], low[key], high[key]);
            if (s && !(t % 2)) live(scene, contact, "gap", 0, 0, 1e-4);
            systems[s] = compiled(scene, rate, 0);
        }
        double rows[2][2 * FRAMES] = {{0}};
        for (int n = 0; n < FRAMES; n++) {
            rows[0][n] = n % 2 ? high[key] : low[key];
            rows[1][2 * n + t % 2] = rows[0][n];
        }
        run a = run_live(systems[0], rows[0], FRAMES, 64);
        run b = run_live(systems[1], rows[1], FRAMES, 64);
        for (int n = 0; n < FRAMES; n++)
            CHECK_NEAR(run_at(&a, n, 0), run_at(&b, n, 0), 1e-9);
        CHECK(residual_from(&b, 0) <= 1e-12);
        run_free(&a);
        run_free(&b);
        sis_scene_free(scenes[0]);
        sis_scene_free(scenes[1]);
    }
}

// ---------------------------------------------------------------------------- refusals

static void what_cannot_move_is_said_in_one_sentence(void) {
    static const sis_scheme schemes[] = {SIS_SCHEME_EXACT, SIS_SCHEME_ROOT, SIS_SCHEME_AM1};
    for (int s = 0; s < 3; s++) {
        sis_scene* scene = sis_scene_new();
        sis_contact_def def = sis_contact_default();
        def.above = put_mass(scene, 0.01, 1e-3, -1);
        def.below = put_barrier(scene, 0);
        def.K = 1e5;
        def.alpha = 1;
        def.scheme = schemes[s];
        live(scene, put(scene, SIS_KIND_CONTACT, &def), "K", 1e5, 0, 1e6);
        CHECK_TEXT(refusal_of(scene, rate).text, "use ledger, newton or quadratised");
        sis_scene_free(scene);
    }
    sis_scene* scene = sis_scene_new();
    sis_spring_def spring = sis_spring_default();
    spring.a = put_mass(scene, 0.01, 0, 1);
    spring.b = put_mass(scene, 0.01, 0, 0);
    spring.rigid = true;
    live(scene, put(scene, SIS_KIND_SPRING, &spring), "K1", 0, 0, 1);
    CHECK_TEXT(refusal_of(scene, rate).text, "'rigid' has no 'K1' that could follow an input");
    sis_scene_free(scene);
}

int main(void) {
    RUN(a_stiffness_may_move_under_every_law_and_scheme);
    RUN(a_loss_may_move_during_impacts);
    RUN(stiffness_and_loss_may_move_along_a_string);
    RUN(heights_and_gaps_may_move_along_a_string);
    RUN(gaps_may_move_between_strings);
    RUN(a_hand_wakes_strings_that_sleep);
    RUN(a_mallet_on_a_plate_may_change);
    RUN(stiffness_and_height_may_move_over_an_area);
    RUN(springs_may_change_between_any_bodies);
    RUN(what_a_hand_supplies_is_the_potential);
    RUN(a_hand_at_the_gap_is_a_driven_mass);
    RUN(a_gap_follows_its_own_input);
    RUN(what_cannot_move_is_said_in_one_sentence);
    return CHECK_REPORT();
}
