// Tension that moves while it sounds: strings of every model and plates are bent, tuned and
// stretched, and what the hand gives is all that comes in.
#include "live_hand.h"
#include "wide/width.h"

// ---------------------------------------------------------------------------- (a) the balance

typedef struct trial {
    const char* name;
    gesture g;
} trial;
static const trial trials[] = {
    {"sine", sine}, {"jumps", jump}, {"jitter", jitter}, {"wander", wander}};
enum { TRIALS = sizeof trials / sizeof *trials, MOVING = 2000, RESTING = 2000 };

// Gestures take turns in the brief form: every kind of body meets all of them, but not by every scheme.
static int first_trial(int turn) {
    return check_count(turn % 2, 0);
}

static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON, SIS_SCHEME_QUADRATISED};

// A string that is struck by a hammer, pushed, and falls on a bed.
static sis_scene* struck_string(const sis_string_def* def, const hold* b, bool bed,
                                sis_scheme scheme) {
    sis_scene* scene = sis_scene_new();
    const method how = method_of(scheme, SIS_POTENTIAL_MEAN);
    const sis_id string = put(scene, SIS_KIND_STRING, def);
    if (b) put_bound(scene, string, b);
    put_pluck(scene, string, SIS_PLUCK_TRIANGLE, 0.21, 1e-3);
    put_push(scene, string, 0.13, 2, 0.01, 0.05);
    const sis_id hammer = put_mass(scene, 3e-3, -3e-3, 1);
    sis_contact_def contact = sis_contact_default();
    const double place = 0.37;
    contact.above = string;
    contact.below = hammer;
    contact.at = (sis_list){&place, 1};
    contact.K = 1e7;
    contact.alpha = 2;
    contact.damping = 0.1;
    contact.scheme = how.scheme;
    put(scene, SIS_KIND_CONTACT, &contact);
    if (bed) {
        contact.at = (sis_list){0};
        contact.below = put_bed(scene, NULL, -5e-4);
        contact.K = 1e9;
        contact.alpha = 1.5;
        put(scene, SIS_KIND_CONTACT, &contact);
    }
    put_pickup(scene, string, 0.31, SIS_QUANTITY_DISPLACEMENT);
    return scene;
}

// Newton stores phi(eta), and eta is known to eps |u| only.
static double allowed(sis_scheme scheme) {
    return scheme == SIS_SCHEME_NEWTON ? 2e-11 : 1e-11;
}

static void balance(sis_system* system, const hold* b, const trial* t, sis_scheme scheme,
                    double* worst) {
    double* hand = hand_rows(b, t->g, MOVING + RESTING, MOVING);
    played p = play(system, hand, MOVING + RESTING, 64);
    const double moving = residual_of(&p, 0, MOVING + 64);
    const double resting = residual_of(&p, MOVING + 64, MOVING + RESTING);
    CHECK_NEAR(moving, 0, allowed(scheme));
    CHECK_NEAR(resting, 0, 0.1 * allowed(scheme));
    CHECK(p.energy[p.frames - 1].supplied != 0);
    CHECK(p.energy[p.frames - 1].total >= 0);
    worst[0] = fmax(worst[0], moving);
    worst[1] = fmax(worst[1], resting);
    free(hand);
    end(&p);
}

static const hold tensions = {"tension", 20, 60, 90}, bends = {"bend", 0.7, 1, 1.2};

static void all_strings(sis_ends ends, sis_nonlinear nonlinear, bool bed) {
    double most[2] = {0, 0};
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = string_short();
        def = string_as(def, &string_kinds[kind]);
        def.ends = ends;
        def.nonlinear = nonlinear;
        double worst[2] = {0, 0};
        for (int s = 0; s < 3; s++)
            for (int t = first_trial(kind + s); t < TRIALS; t += check_count(2, 1)) {
                const hold* b = t % 2 ? &bends : &tensions;
                sis_scene* scene = struck_string(&def, b, bed, schemes[s]);
                balance(compiled(scene, SHORT_RATE), b, &trials[t], schemes[s], worst);
            }
        printf("  %-22s moving %.1e, resting %.1e\n", string_kinds[kind].name, worst[0], worst[1]);
        most[0] = fmax(most[0], worst[0]);
        most[1] = fmax(most[1], worst[1]);
    }
    printf("  worst %.1e %.1e\n", most[0], most[1]);
}

static void strings_under_a_hammer_close_their_balance_however_they_are_bent(void) {
    all_strings(SIS_ENDS_SUPPORTED, SIS_LINEAR, false);
}

static void strings_on_a_bed_close_their_balance_however_they_are_bent(void) {
    all_strings(SIS_ENDS_SUPPORTED, SIS_LINEAR, true);
}

// So many links that their G is made every LIVE_HOLD samples only.
static sis_system* wide_bed(void) {
    sis_string_def def = string_as(string_short(), &string_kinds[TRAPEZOID]);
    return compiled(struck_string(&def, &bends, true, SIS_SCHEME_LEDGER), 2 * SHORT_RATE);
}

static void a_trapezoid_on_a_wide_bed_closes_its_balance_in_blocks_of_any_length(void) {
    static const int32_t blocks[] = {1, 7, 64, 4096};
    double* hand = hand_rows(&bends, sine, MOVING, MOVING - 300);
    played first = play(wide_bed(), hand, MOVING, MOVING);
    CHECK_NEAR(residual_of(&first, 0, MOVING), 0, 1e-11);
    for (int b = 0; b < 4; b++) {
        played other = play(wide_bed(), hand, MOVING, blocks[b]);
        CHECK(same_bits(&first, &other));
        end(&other);
    }
    free(hand);
    end(&first);
}

static void clamped_strings_close_their_balance_however_they_are_bent(void) {
    all_strings(SIS_ENDS_CLAMPED, SIS_LINEAR, false);
}

static void strings_that_stretch_close_their_balance_however_they_are_bent(void) {
    all_strings(SIS_ENDS_SUPPORTED, SIS_KIRCHHOFF_CARRIER, false);
}

static const hold drums = {"tension", 1000, 3000, 4000};

static sis_scene* struck_plate(const sis_plate_def* def, const hold* b, sis_scheme scheme) {
    sis_scene* scene = sis_scene_new();
    const sis_id plate = put(scene, SIS_KIND_PLATE, def);
    if (b) put_bound(scene, plate, b);
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = plate;
    pluck.shape = SIS_PLUCK_RAISED_COSINE;
    pluck.at = 0.13;
    pluck.at_y = 0.11;
    pluck.width = 0.1;
    pluck.height = 1e-3;
    put(scene, SIS_KIND_PLUCK, &pluck);
    sis_contact_def contact = sis_contact_default();
    static const double place[2] = {0.21, 0.17};
    contact.below = plate;
    contact.above = put_mass(scene, 0.02, 2e-3, -1);
    contact.at = (sis_list){place, 2};
    contact.K = 1e7;
    contact.alpha = 1.5;
    contact.scheme = scheme;
    put(scene, SIS_KIND_CONTACT, &contact);
    sis_probe_def probe = sis_probe_default();
    probe.on = plate;
    probe.at = 0.3;
    probe.at_y = 0.1;
    put(scene, SIS_KIND_PROBE, &probe);
    return scene;
}

static void plates_close_their_balance_however_they_are_stretched(void) {
    for (int kind = 0; kind < PLATE_KINDS; kind++) {
        const sis_plate_def def = plate_as(&plate_kinds[kind]);
        double worst[2] = {0, 0};
        for (int s = 0; s < 3; s++)
            for (int t = first_trial(kind + s); t < TRIALS; t += check_count(2, 1))
                balance(compiled(struck_plate(&def, &drums, schemes[s]), SHORT_RATE), &drums,
                        &trials[t], schemes[s], worst);
        printf("  %-24s moving %.1e, resting %.1e\n", plate_kinds[kind].name, worst[0], worst[1]);
    }
}

// ---------------------------------------------------------------------------- (d), (e), (g) bits

static sis_system* compiled_wide(sis_scene* scene, int32_t lanes) {
    sis_options options = sis_options_default(scene);
    sis_error error = {0};
    options.rate = SHORT_RATE;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) {
        printf("%s\n", error.text);
        exit(1);
    }
    sis_scene_free(scene);
    return system;
}

// Scene number i of those that move: strings of all models, plates.
enum { MOVERS = 2 * STRING_KINDS + PLATE_KINDS };
static sis_scene* mover(int i, bool live) {
    if (i >= 2 * STRING_KINDS) {
        const sis_plate_def def = plate_as(&plate_kinds[i - 2 * STRING_KINDS]);
        return struck_plate(&def, live ? &drums : NULL, SIS_SCHEME_LEDGER);
    }
    sis_string_def def = string_as(string_short(), &string_kinds[i / 2]);
    if (i % 3 == 0) def.ends = SIS_ENDS_CLAMPED;
    if (i % 4 == 0) def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    return struck_string(&def, live ? &tensions : NULL, i % 2, SIS_SCHEME_LEDGER);
}

static const hold* bound_of(int i) {
    return i < 2 * STRING_KINDS ? &tensions : &drums;
}

static void gestures_have_the_same_bits_in_blocks_of_any_length_and_at_every_width(void) {
    static const int32_t blocks[] = {1, 7, 64, 4096};
    for (int i = 0; i < MOVERS; i++) {
        double* hand = hand_rows(bound_of(i), wander, 1000, 700);
        played first = play(compiled_wide(mover(i, true), 1), hand, 1000, 1000);
        for (int b = 0; b < 4; b++) {
            played other = play(compiled_wide(mover(i, true), 1), hand, 1000, blocks[b]);
            CHECK(same_bits(&first, &other));
            end(&other);
        }
        for (int32_t lanes = 2; lanes <= sis_widest(); lanes *= 2) {
            played other = play(compiled_wide(mover(i, true), lanes), hand, 1000, 64);
            CHECK(same_bits(&first, &other));
            end(&other);
        }
        free(hand);
        end(&first);
    }
}

static void a_state_copied_in_mid_gesture_goes_on_with_the_same_bits(void) {
    for (int i = 0; i < MOVERS; i++) {
        double* hand = hand_rows(bound_of(i), wander, 600, 600);
        played whole = play(compiled_wide(mover(i, true), 0), hand, 600, 50);
        played part = begin(compiled_wide(mover(i, true), 0), 600);
        advance(&part, hand, 0, 333, 50);
        void* copy = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(part.system));
        memcpy(copy, part.state, sis_state_size(part.system));
        memset(part.state, 0xa5, sis_state_size(part.system));
        free(part.state);
        part.state = copy;
        const sis_energy e = sis_state_energy(part.system, part.state);
        CHECK(memcmp(&e, &part.energy[332], sizeof e) == 0);
        advance(&part, hand, 333, 600, 50);
        CHECK(same_bits(&whole, &part));
        free(hand);
        end(&whole);
        end(&part);
    }
}

// The grid of a string or plate whose tension moves, for one that stands still.
static sis_scene* still_on_grid(int i, const sis_body_info* grid) {
    if (i >= 2 * STRING_KINDS) {
        sis_plate_def def = plate_as(&plate_kinds[i - 2 * STRING_KINDS]);
        def.segments_x = grid->segments;
        def.segments_y = grid->segments_y;
        if (def.model == SIS_PLATE_MODAL) def.modes = grid->modes;
        return struck_plate(&def, NULL, SIS_SCHEME_LEDGER);
    }
    const string_kind* kind = &string_kinds[i / 2];
    sis_string_def def = string_as(string_short(), kind);
    if (i % 3 == 0) def.ends = SIS_ENDS_CLAMPED;
    if (i % 4 == 0) def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    def.segments = grid->segments;
    if (kind->model == SIS_STRING_MODAL) def.modes = grid->modes;
    if (kind->model == SIS_STRING_IMPLICIT) def.gamma = grid->gamma;
    return struck_string(&def, NULL, i % 2, SIS_SCHEME_LEDGER);
}

static double farthest(const played* a, const played* b) {
    double most = 0, size = 0;
    for (int32_t n = 0; n < a->frames * a->probes; n++) {
        most = fmax(most, fabs(a->rows[n] - b->rows[n]));
        size = fmax(size, fabs(a->rows[n]));
    }
    return most / size;
}

// (A trapezoid whose tension can move is solved without a band, and a Kirchhoff-Carrier one with
// fewer modes that stretch: those agree to rounding, as far as contacts let it be seen.)
static void a_hand_that_rests_gives_the_bits_of_a_string_or_plate_on_that_grid(void) {
    for (int i = 0; i < MOVERS; i++) {
        sis_system* system = compiled_wide(mover(i, true), 0);
        const sis_body_info grid = sis_system_body(system, 0);
        played live = play(system, NULL, 1000, 64);
        played still = play(compiled_wide(still_on_grid(i, &grid), 0), NULL, 1000, 64);
        const bool held =
            i < 2 * STRING_KINDS && i % 2 && string_kinds[i / 2].model == SIS_STRING_TRAPEZOID;
        if (held)
            CHECK_NEAR(farthest(&live, &still), 0, 1e-9);
        else
            CHECK(same_bits(&live, &still));
        if (!held && !same_bits(&live, &still))
            printf("  scene %d: %.2g\n", i, farthest(&live, &still));
        CHECK(live.energy[999].supplied == still.energy[999].supplied || held);
        end(&live);
        end(&still);
    }
}

// ---------------------------------------------------------------------------- (f) refusals

static void put_input(sis_scene* scene, sis_id object, const char* key, const char* name,
                      double low, double start, double high) {
    sis_input_def def = sis_input_default();
    sis_error error = {0};
    def.name = name;
    def.min = low;
    def.max = high;
    def.value = start;
    const sis_id input = put(scene, SIS_KIND_INPUT, &def);
    CHECK(sis_scene_bind(scene, object, key, input, 1, 0, &error));
}

static void refused(sis_scene* scene, const char* part, const char* other) {
    sis_options options = sis_options_default(scene);
    sis_error error = {0};
    options.rate = SHORT_RATE;
    sis_system* system = sis_compile(scene, &options, &error);
    CHECK(system == NULL);
    CHECK_TEXT(error.text, part);
    CHECK_TEXT(error.text, other);
    printf("  %s\n", error.text);
    sis_system_free(system);
    sis_scene_free(scene);
}

static void ranges_that_cannot_be_proved_are_refused_in_a_sentence(void) {
    sis_string_def def = string_short();
    sis_scene* scene = sis_scene_new();
    def.segments = 30;
    put_input(scene, put(scene, SIS_KIND_STRING, &def), "tension", "peg", 20, 60, 400);
    refused(scene, "'segments' = 30", "400 N");

    scene = sis_scene_new();
    def.segments = 0;
    def.youngs = 0;
    put_input(scene, put(scene, SIS_KIND_STRING, &def), "tension", "peg", 0, 60, 100);
    refused(scene, "'tension' reaches a tension of 0 N", "above that");

    scene = sis_scene_new();
    def = string_short();
    sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_input(scene, string, "tension", "peg", 20, 60, 100);
    put_input(scene, string, "bend", "wheel", 0.9, 1, 1.1);
    refused(scene, "'tension' and 'bend' both", "one of them");

    scene = sis_scene_new();
    def = string_short();
    def.tension = NAN;
    def.frequency = 100;
    put_input(scene, put(scene, SIS_KIND_STRING, &def), "tension", "peg", 20, 60, 100);
    refused(scene, "'frequency' = 100 Hz", "'bend'");

    scene = sis_scene_new();
    def = string_short();
    def.model = SIS_STRING_MODAL;
    def.modes = 25;
    put_input(scene, put(scene, SIS_KIND_STRING, &def), "bend", "wheel", 0.9, 1, 20);
    refused(scene, "'modes' = 25", "at most");

    scene = sis_scene_new();
    sis_plate_def plate = plate_small(SIS_PLATE_FD, true, SIS_ENDS_SUPPORTED, 0);
    put_input(scene, put(scene, SIS_KIND_PLATE, &plate), "tension", "pedal", 0, 3000, 4000);
    refused(scene, "'tension' reaches 0 N/m", "membrane");

    scene = sis_scene_new();
    plate.segments_x = 16;
    plate.segments_y = 12;
    put_input(scene, put(scene, SIS_KIND_PLATE, &plate), "tension", "pedal", 1000, 3000, 90000);
    refused(scene, "'segments' = {16, 12}", "90000 N/m");
}

// ---------------------------------------------------------------------------- bend at rest

static void bend_at_rest_is_a_tension_of_its_square(void) {
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = string_as(string_short(), &string_kinds[kind]), same = def;
        def.bend = 1.25;
        same.tension = def.tension * 1.25 * 1.25;
        played bent = play(compiled_wide(struck_string(&def, NULL, true, SIS_SCHEME_LEDGER), 0),
                           NULL, 400, 64);
        played tight = play(compiled_wide(struck_string(&same, NULL, true, SIS_SCHEME_LEDGER), 0),
                            NULL, 400, 64);
        CHECK(same_bits(&bent, &tight));
        end(&bent);
        end(&tight);
    }
    sis_string_def def = string_short();
    def.youngs = 0;
    def.tension = NAN;
    def.frequency = 100;
    def.bend = 1.122462048309373; // two semitones
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, &def);
    sis_system* system = compiled(scene, 44100);
    double rings, exact;
    CHECK(sis_system_partial(system, 0, 1, &rings, &exact));
    CHECK_NEAR(cents(rings, 100 * def.bend), 0, 0.01);
    sis_system_free(system);
}

int main(void) {
    RUN(bend_at_rest_is_a_tension_of_its_square);
    RUN(ranges_that_cannot_be_proved_are_refused_in_a_sentence);
    RUN(a_hand_that_rests_gives_the_bits_of_a_string_or_plate_on_that_grid);
    RUN(gestures_have_the_same_bits_in_blocks_of_any_length_and_at_every_width);
    RUN(a_state_copied_in_mid_gesture_goes_on_with_the_same_bits);
    RUN(strings_under_a_hammer_close_their_balance_however_they_are_bent);
    RUN(strings_on_a_bed_close_their_balance_however_they_are_bent);
    RUN(a_trapezoid_on_a_wide_bed_closes_its_balance_in_blocks_of_any_length);
    RUN(clamped_strings_close_their_balance_however_they_are_bent);
    RUN(strings_that_stretch_close_their_balance_however_they_are_bent);
    RUN(plates_close_their_balance_however_they_are_stretched);
    return CHECK_REPORT();
}
