// Places that move while it sounds: stops that slide, bows, mallets and pickups. The energy balance
// closes whatever the hand does. (Where a stop ends its string: test_live_pitch.c.)
#include "live.h"

enum { FRAMES = SANITIZED ? 300 : 2000 };

static const double rate = 44100;
static const int schemes[] = {LEDGER, LEDGER_MID, NEWTON, NEWTON_MID, RELEASE};

// ---------------------------------------------------------------------------- scenes

// A stop, a bow and a pickup that slide along a string over a barrier, beside a spring that stays.
static void a_stop_a_bow_and_a_pickup_slide_together(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int s = 0; s < 5; s++)
            for (int how = 1; how < GESTURES; how++) {
                sis_scene* scene = sis_scene_new();
                const sis_id string = put_string(scene, models[m]);
                const stop at = {&methods[schemes[s]],
                                 (sis_law)(how % 3),
                                 1e6,
                                 1 + 0.5 * (s % 3),
                                 0.1,
                                 how % 3 ? 0 : -2e-4,
                                 0.2,
                                 false,
                                 (sis_sounding)(s % 3)};
                const sis_id finger = put_stop(scene, string, &at);
                live(scene, finger, "at", 0.2, 0.05, 0.4);
                if (s == 1) live(scene, finger, "K", 1e6, 0, 1e8);
                if (s == 2 && how % 3 < 2) live(scene, finger, "gap", 0, -1e-3, 1e-3);
                sis_bow_def stroke = sis_bow_default();
                stroke.on = string;
                stroke.at = 0.5;
                stroke.force = 0.5;
                stroke.velocity = 0.1;
                live(scene, put(scene, SIS_KIND_BOW, &stroke), "at", 0.5, 0.3, 0.6);
                sis_probe_def ear = sis_probe_default();
                ear.on = string;
                ear.at = 0.3;
                ear.quantity = s % 2 ? SIS_QUANTITY_VELOCITY : SIS_QUANTITY_DISPLACEMENT;
                live(scene, put(scene, SIS_KIND_PROBE, &ear), "at", 0.3, 0.01, 0.64);
                pluck(scene, string, 0.3, 2e-3);
                if (s % 2) {
                    sis_spring_def spring = sis_spring_default();
                    spring.a = string;
                    spring.at_a = 0.25;
                    spring.b = put_mass(scene, 0.01, 0, 0);
                    spring.K1 = 1e4;
                    put(scene, SIS_KIND_SPRING, &spring);
                }
                most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 31));
            }
    printf("        stop, bow and pickup: residual %.2g\n", most);
}

// A one-sided finger over a string that also lies on a barrier along half of it.
static void a_finger_slides_over_frets(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            const stop at = {&methods[LEDGER],  SIS_LAW_ONE_SIDED, 1e6, 1.5, 0.2, 1e-3, 0.2, true,
                             SIS_SOUNDING_RIGHT};
            const sis_id finger = put_stop(scene, string, &at);
            live(scene, finger, "at", 0.2, 0.05, 0.6);
            live(scene, finger, "gap", 0, -3e-3, 0);
            sis_barrier_def frets = sis_barrier_default();
            const double places[] = {0.1, 0.15, 0.2, 0.22, 0.3, 0.31, 0.315};
            frets.height = -1e-3;
            sis_contact_def def = sis_contact_default();
            def.above = string;
            def.below = put(scene, SIS_KIND_BARRIER, &frets);
            def.at = (sis_list){places, 7};
            def.K = 1e7;
            def.alpha = 1.5;
            def.sounding = SIS_SOUNDING_RIGHT;
            put(scene, SIS_KIND_CONTACT, &def);
            pluck(scene, string, 0.3, 3e-3);
            listen(scene, string, 0.5);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 12));
        }
    printf("        a finger over frets: residual %.2g\n", most);
}

// Two fingers and a bow along a string over a barrier: many links share one block.
static void fingers_slide_over_a_barrier(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int s = 0; s < 6; s++) {
            static const int all[] = {LEDGER, NEWTON, RELEASE, PLAIN, LEDGER_MID, NEWTON_MID};
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            sis_barrier_def below = sis_barrier_default();
            below.height = -1e-3;
            below.from = 0.1;
            below.to = 0.4;
            sis_contact_def def = sis_contact_default();
            def.above = string;
            def.below = put(scene, SIS_KIND_BARRIER, &below);
            def.K = 1e9;
            def.alpha = 1.5;
            live(scene, put(scene, SIS_KIND_CONTACT, &def), "K", 1e9, 1e6, 1e10);
            for (int i = 0; i < 2; i++) {
                const stop at = {&methods[all[s]],
                                 SIS_LAW_ONE_SIDED,
                                 1e6,
                                 1.5,
                                 0.2,
                                 1e-3,
                                 0.2 + 0.2 * i,
                                 true,
                                 (sis_sounding)(2 * i)};
                const sis_id finger = put_stop(scene, string, &at);
                live(scene, finger, "at", at.at, 0.05 + 0.1 * i, 0.4 + 0.1 * i);
                live(scene, finger, "gap", -1e-3, -3e-3, 0);
            }
            bow(scene, string, 0.6);
            pluck(scene, string, 0.3, 2e-3);
            listen(scene, string, 0.5);
            most = fmax(most, check_laws_of(scene, rate, (gesture)(1 + s % 4), FRAMES / 2, 12,
                                            all[s] == PLAIN));
        }
    printf("        two fingers over a barrier: residual %.2g\n", most);
}

// The same bits for any blocks where the tension moves what all links of the string answer.
static void a_finger_slides_on_a_string_that_is_tuned(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            live(scene, string, "tension", 70, 60, 80);
            const stop at = {&methods[LEDGER], SIS_LAW_ONE_SIDED, 1e6, 1.5, 0.2, 1e-3, 0.2, true,
                             SIS_SOUNDING_NONE};
            live(scene, put_stop(scene, string, &at), "at", 0.2, 0.05, 0.6);
            for (int i = 0; i < 2; i++) {
                sis_spring_def spring = sis_spring_default();
                spring.a = string;
                spring.b = put_mass(scene, 1e-3, 0, 0);
                spring.at_a = 0.11237 + 0.2713 * i;
                spring.K1 = 1e4;
                spring.K3 = 1e10;
                put(scene, SIS_KIND_SPRING, &spring);
            }
            pluck(scene, string, 0.4, 2e-3);
            listen(scene, string, 0.5);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 7u + (unsigned)m));
        }
    printf("        a finger on a string that is tuned: residual %.2g\n", most);
}

// Two strings that touch where they cross, each at a place that moves; and one whose tension grows.
static void the_crossing_of_two_strings_may_move(void) {
    double most = 0;
    for (int m = 0; m < 4; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id above = put_string(scene, models[m]);
            sis_string_def second = sis_string_default();
            second.length = 0.5;
            second.tension = 100;
            second.density = 0.002;
            second.radius = 3e-4;
            second.youngs = 1e9;
            second.nonlinear = SIS_KIRCHHOFF_CARRIER;
            second.model = models[(m + how) % 4];
            second.segments = second.model == SIS_STRING_MODAL ? 0 : 40;
            const sis_id below = put(scene, SIS_KIND_STRING, &second);
            const double at_above[] = {0.3}, at_below[] = {0.2};
            sis_contact_def def = sis_contact_default();
            def.above = above;
            def.below = below;
            def.at_above = (sis_list){at_above, 1};
            def.at_below = (sis_list){at_below, 1};
            def.gap = 1e-3;
            def.K = 1e6;
            def.alpha = 1.5;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            live(scene, contact, "at_above", 0.3, 0.02, 0.6);
            if (how != GESTURE_SINE) live(scene, contact, "at_below", 0.2, 0.1, 0.45);
            if (how == GESTURE_WALK) live(scene, contact, "gap", 1e-3, 0, 2e-3);
            pluck(scene, above, 0.3, 3e-3);
            listen(scene, below, 0.3);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 3));
        }
    printf("        a crossing: residual %.2g\n", most);
}

static void a_mallet_moves_over_a_plate(void) {
    double most = 0;
    for (int m = 0; m < 2; m++)
        for (int how = 1; how < GESTURES; how++) {
            sis_scene* scene = sis_scene_new();
            const sis_id plate = put_plate(scene, m ? SIS_PLATE_MODAL : SIS_PLATE_FD);
            const double at[] = {0.11, 0.13}, bead[] = {0.3, 0.2};
            sis_contact_def def = sis_contact_default();
            def.above = put_mass(scene, 0.02, 1e-3, -1);
            def.below = plate;
            def.at = (sis_list){at, 2};
            def.K = 1e6;
            def.alpha = 2;
            def.damping = 0.1;
            const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
            live(scene, contact, "at", 0.11, 0.05, 0.35);
            if (how != GESTURE_SINE) live(scene, contact, "at_y", 0.13, 0.05, 0.25);
            def.above = put_mass(scene, 0.02, 1e-3, -1);
            def.at = (sis_list){bead, 2};
            put(scene, SIS_KIND_CONTACT, &def);
            put_gravity(scene, 50);
            sis_probe_def probe = sis_probe_default();
            probe.on = plate;
            probe.at = 0.2;
            probe.at_y = 0.1;
            const sis_id ear = put(scene, SIS_KIND_PROBE, &probe);
            live(scene, ear, "at", 0.2, 0.01, 0.39);
            live(scene, ear, "at_y", 0.1, 0.01, 0.29);
            most = fmax(most, check_laws(scene, rate, (gesture)how, FRAMES, 8));
        }
    printf("        a mallet over a plate: residual %.2g\n", most);
}

// ---------------------------------------------------------------------------- laws of places

// A stop at rest is the same whether its place could move or not.
static void a_place_that_could_move_is_a_place(void) {
    for (int m = 0; m < 4; m++) {
        run r[2];
        for (int moving = 0; moving < 2; moving++) {
            sis_scene* scene = sis_scene_new();
            const sis_id string = put_string(scene, models[m]);
            const stop at = {
                &methods[LEDGER], SIS_LAW_ONE_SIDED, 1e6, 1.5, 0.1, -1e-4, 0.217, false,
                SIS_SOUNDING_LEFT};
            const sis_id finger = put_stop(scene, string, &at);
            if (moving) live(scene, finger, "at", 0.217, 0.1, 0.4);
            pluck(scene, string, 0.3, 3e-3);
            listen(scene, string, 0.5);
            r[moving] = run_live(compiled(scene, rate, 0), NULL, FRAMES, 64);
            sis_scene_free(scene);
        }
        for (int n = 0; n < FRAMES; n++)
            CHECK_NEAR(run_at(&r[0], n, 0), run_at(&r[1], n, 0), 1e-10);
        run_free(&r[0]);
        run_free(&r[1]);
    }
}

// ---------------------------------------------------------------------------- refusals

static const char* refused(sis_scene* scene) {
    static char text[512];
    snprintf(text, sizeof text, "%s", refusal_of(scene, rate).text);
    sis_scene_free(scene);
    return text;
}

static sis_scene* with_stop(sis_id* finger, sis_id* string) {
    sis_scene* scene = sis_scene_new();
    *string = put_string(scene, SIS_STRING_FD);
    const stop at = {&methods[LEDGER], SIS_LAW_ONE_SIDED, 1e6, 1.5, 0, -1e-3, 0.2, false,
                     SIS_SOUNDING_NONE};
    *finger = put_stop(scene, *string, &at);
    return scene;
}

static bool slope(void* context, double x, double* out, sis_error* error) {
    (void)context, (void)error;
    *out = -0.01 * x;
    return true;
}

static void what_cannot_move_is_said_in_one_sentence(void) {
    sis_id finger, string;
    sis_scene* scene = with_stop(&finger, &string);
    live(scene, finger, "at", 0.2, 0.1, 0.7);
    CHECK_TEXT(refused(scene), "'at' must stay between the ends of the string, 0 and 0.65 m, and "
                               "input 'at2' takes it from 0.1 to 0.7 m");
    scene = with_stop(&finger, &string);
    sis_contact_def def = sis_contact_default();
    const double places[] = {0.1, 0.3};
    def.above = string;
    def.below = put_barrier(scene, -1e-3);
    def.at = (sis_list){places, 2};
    def.K = 1e6;
    def.alpha = 1;
    live(scene, put(scene, SIS_KIND_CONTACT, &def), "at", 0.1, 0.05, 0.2);
    CHECK_TEXT(refused(scene), "give it one place, not 2");
    scene = with_stop(&finger, &string);
    sis_barrier_def ramp = sis_barrier_default();
    ramp.profile = (sis_profile){.value = slope};
    def.above = string;
    def.below = put(scene, SIS_KIND_BARRIER, &ramp);
    def.at = (sis_list){places, 1};
    live(scene, put(scene, SIS_KIND_CONTACT, &def), "at", 0.1, 0.05, 0.2);
    CHECK_TEXT(refused(scene), "whose 'height' must then be one number");
    scene = with_stop(&finger, &string);
    sis_bow_def stroke = sis_bow_default();
    stroke.on = put_mass(scene, 0.01, 0, 1);
    stroke.force = stroke.velocity = 0.1;
    live(scene, put(scene, SIS_KIND_BOW, &stroke), "at", 0.1, 0.05, 0.2);
    CHECK_TEXT(refused(scene), "what it is on has no places");
    scene = with_stop(&finger, &string);
    sis_error error = {0};
    const sis_id knob = put_input(scene, "knob", 0.1, 0.05, 0.2);
    CHECK(!sis_scene_bind(scene, finger, "at_y", knob, 1, 0, &error));
    CHECK_TEXT(error.text, "'at' has one number");
    const double one[] = {1}, f[] = {200, 300}, mass[] = {0.1, 0.1}, shape[] = {1, 0.5, 0.3, 1};
    sis_modal_def body = sis_modal_default();
    body.frequency = (sis_list){f, 2};
    body.mass = (sis_list){mass, 2};
    body.shape = (sis_list){shape, 4};
    body.points = 2;
    def.above = put_mass(scene, 0.01, 0, 1);
    def.below = put(scene, SIS_KIND_MODAL, &body);
    def.at = (sis_list){one, 1};
    live(scene, put(scene, SIS_KIND_CONTACT, &def), "at", 1, 1, 2);
    CHECK_TEXT(refused(scene), "places move along strings and over plates, not on a modal body");
    scene = with_stop(&finger, &string);
    def.above = put_mass(scene, 0.01, 0, 1);
    def.below = put_barrier(scene, -1e-3);
    def.at = (sis_list){NULL, 0};
    def.sounding = SIS_SOUNDING_LEFT;
    put(scene, SIS_KIND_CONTACT, &def);
    CHECK_TEXT(refused(scene), "'sounding' is for a stop at places of a string");
}

int main(void) {
    RUN(a_stop_a_bow_and_a_pickup_slide_together);
    RUN(a_finger_slides_over_frets);
    RUN(fingers_slide_over_a_barrier);
    RUN(a_finger_slides_on_a_string_that_is_tuned);
    RUN(the_crossing_of_two_strings_may_move);
    RUN(a_mallet_moves_over_a_plate);
    RUN(a_place_that_could_move_is_a_place);
    RUN(what_cannot_move_is_said_in_one_sentence);
    return CHECK_REPORT();
}
