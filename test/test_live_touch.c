// Fingers on a scene at rest: silence before the first touch, sound after a lift, energy that adds up
// whatever fingers do, in every shipped scene.
#include "live_help.h"
#include "live_random.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>

enum { FRAMES = 256, FINGERS = 2, BODIES_MOST = 64, NAME = 64, SCENES_MOST = 100 };

static const double NOWHERE = (double)NAN;

// ---------------------------------------------------------------------------- instruments

static sis_live* touched_live(double rate, int32_t fingers) {
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    o.rate = rate;
    o.peak = 1;
    o.fingers = fingers;
    o.audit = true;
    o.worker = o.guard = o.limiter = o.dc_blocker = false;
    sis_live* live = sis_live_new(&o, &error);
    CHECK(live != NULL);
    return live;
}

typedef struct heard {
    double peak;
    bool finite;
} heard;

static heard hear(sis_live* live, double seconds, double rate) {
    static float left[FRAMES], right[FRAMES];
    heard h = {0, true};
    for (int32_t n = 0; n < seconds * rate; n += FRAMES) {
        sis_live_block block = {.frames = FRAMES, .out = {left, right}};
        sis_live_run(live, &block);
        for (int32_t i = 0; i < FRAMES; i++) {
            h.finite = h.finite && isfinite(left[i]) && isfinite(right[i]);
            h.peak = fmax(h.peak, fmax(fabs((double)left[i]), fabs((double)right[i])));
        }
    }
    return h;
}

typedef struct view {
    const sis_system* system;
    const sis_state* state;
} view;

static view look(const sis_live* live) {
    view v = {NULL, NULL};
    CHECK(sis_live_look(live, &v.system, &v.state));
    return v;
}

static sis_energy energy_of(const sis_live* live) {
    view v = look(live);
    return sis_state_energy(v.system, v.state);
}

// Of what flowed; not finite: NaN.
static double residual_of(const sis_live* live) {
    sis_energy e = energy_of(live);
    double flowed = fmax(fmax(e.total, fabs(e.supplied)), e.dissipated);
    return flowed == 0 ? 0 : fabs(e.residual) / flowed;
}

static double u_of(const sis_live* live, int32_t body, int32_t point) {
    view v = look(live);
    static double shape[65536];
    sis_state_shape(v.system, v.state, body, shape);
    return shape[point];
}

static uint64_t steps_of(const sis_live* live) {
    return sis_state_samples(look(live).state);
}

// Links that fingers added and that push, with any force.
static int32_t pushing(const sis_live* live) {
    view v = look(live);
    int32_t bodies, links, count = 0;
    double force = 0;
    sis_live_own(live, &bodies, &links);
    for (int32_t i = links; i < sis_system_link_count(v.system); i++) {
        if (sis_system_link(v.system, i).kind != SIS_KIND_CONTACT) continue;
        sis_state_contact(v.system, v.state, i, NULL, &force);
        count += force != 0;
    }
    return count;
}

// ---------------------------------------------------------------------------- shipped scenes

typedef struct scene_list {
    char name[SCENES_MOST][NAME];
    int32_t count;
} scene_list;

static int by_name(const void* a, const void* b) {
    return strcmp(a, b);
}

static scene_list shipped(void) {
    scene_list list = {.count = 0};
    DIR* folder = opendir(SISTRUM_SOURCE_DIR "/scenes");
    CHECK(folder != NULL);
    for (struct dirent* entry; folder && (entry = readdir(folder)) && list.count < SCENES_MOST;) {
        const char* dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".lua") != 0 || dot - entry->d_name >= NAME) continue;
        snprintf(list.name[list.count++], NAME, "%.*s", (int)(dot - entry->d_name), entry->d_name);
    }
    if (folder) closedir(folder);
    qsort(list.name, (size_t)list.count, NAME, by_name);
    CHECK(list.count >= 30);
    return list;
}

// Bodies that can be touched, of the scene itself.
static int32_t touchable(const sis_live* live, int32_t* list) {
    view v = look(live);
    int32_t bodies, links, count = 0;
    sis_live_own(live, &bodies, &links);
    for (int32_t i = 0; i < bodies && count < BODIES_MOST; i++) {
        sis_body_info b = sis_system_body(v.system, i);
        if (sis_kind_moves(b.kind) && !b.driven) list[count++] = i;
    }
    return count;
}

// A touch in the middle of a body, some millimetres deep.
static void press_on(sis_live* live, int32_t finger, int32_t body, double part, double depth) {
    sis_body_info b = sis_system_body(look(live).system, body);
    double x = b.kind == SIS_KIND_MODAL ? 1 + floor(part * b.points) : part * b.length;
    sis_live_finger(live, finger, body, x, part * b.width, depth);
}

// A body that is heard where it is plucked: one that a probe with a channel hears, or any other.
static void every_scene_is_silent_until_it_is_touched(void) {
    scene_list scenes = shipped();
    for (int32_t i = 0; i < scenes.count; i++) {
        const double rate = 48000;
        sis_live* live = touched_live(rate, FINGERS);
        int32_t bodies[BODIES_MOST], count;
        CHECK(load_scene(live, scenes.name[i]));
        heard before = hear(live, 0.1, rate);
        CHECK(before.peak == 0);
        count = touchable(live, bodies);
        CHECK(count > 0);
        double loudest = 0, kept = energy_of(live).supplied;
        for (int32_t k = 0; k < count && (k < 2 || loudest == 0); k++) {
            press_on(live, 0, bodies[k], 0.3, 2e-3);
            hear(live, 0.03, rate);
            sis_live_finger(live, 0, bodies[k], 0, 0, NOWHERE);
            loudest = fmax(loudest, hear(live, 0.06, rate).peak);
        }
        if (!(loudest > 1e-9)) printf("    %s: %g\n", scenes.name[i], loudest);
        CHECK(loudest > 1e-9);
        CHECK(energy_of(live).supplied > kept);
        CHECK(residual_of(live) <= 1e-12);
        sis_live_free(live);
    }
}

static double odd_number(dice* d) {
    static const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY,
                                 1e300,       -1e300,           0};
    return odd[dice_below(d, sizeof odd / sizeof *odd)];
}

// Anything: touches, slides, lifts, places beside bodies, bodies that are none, numbers that are none.
static void touch_at_random(sis_live* live, dice* d) {
    int32_t bodies, links, body;
    sis_live_own(live, &bodies, &links);
    body = (int32_t)dice_below(d, (uint32_t)bodies);
    sis_body_info b = sis_system_body(look(live).system, body);
    double size = b.kind == SIS_KIND_MODAL ? b.points : b.length;
    double x = size * (1.4 * dice_unit(d) - 0.2), y = b.width * (1.4 * dice_unit(d) - 0.2);
    double press = 0.016 * dice_unit(d) - 8e-3;
    int32_t finger = (int32_t)dice_below(d, FINGERS + 1);
    switch (dice_below(d, 8)) {
    case 0:
        press = NOWHERE;
        break;
    case 1:
        press = odd_number(d);
        break;
    case 2:
        x = odd_number(d);
        break;
    case 3:
        body = (int32_t)dice_below(d, 1000) - 500;
        break;
    default:
        break;
    }
    sis_live_finger(live, finger, body, x, y, press);
}

static void energy_adds_up_whatever_fingers_do(void) {
    static const double rates[] = {44100, 48000, 96000};
    scene_list scenes = shipped();
    const int32_t turns = check_count(SANITIZED ? 4 : 12, 60);
    const bool all = check_count(0, 1);
    double worst = 0;
    for (int32_t i = 0; i < scenes.count; i++)
        for (int32_t r = 0; r < 3; r++) {
            if (!all && r != i % 3) continue;
            dice d = {.seed = (uint32_t)(7 + 3 * i + r)};
            sis_live* live = touched_live(rates[r], FINGERS);
            CHECK(load_scene(live, scenes.name[i]));
            hear(live, 0.01, rates[r]);
            for (int32_t k = 0; k < turns; k++) {
                touch_at_random(live, &d);
                heard h = hear(live, 0.02 * dice_unit(&d), rates[r]);
                double residual = residual_of(live);
                if (!h.finite || !(residual <= 1e-12))
                    printf("    %s at %g: %g\n", scenes.name[i], rates[r], residual);
                CHECK(h.finite);
                CHECK(residual <= 1e-12);
                worst = fmax(worst, residual);
            }
            for (int32_t f = 0; f < FINGERS; f++)
                sis_live_finger(live, f, -1, 0, 0, NOWHERE);
            hear(live, 0.02, rates[r]);
            CHECK(pushing(live) == 0);
            CHECK(status_of(live).failed == 0);
            sis_live_free(live);
        }
    printf("  largest residual %.1e\n", worst);
}

// ---------------------------------------------------------------------------- small scenes

#define WIRE                                                                                       \
    "local bend = input{ 'bend', 1, min = 0.9, max = 1.1, smooth = 0.01 }\n"                       \
    "local loss = param{ 'loss', 40, min = 1, max = 100 }\n"                                       \
    "local pitch = param{ 'pitch', 110, min = 50, max = 500, unit = 'Hz' }\n"                      \
    "local s = string{ name = 'wire', length = 0.65, frequency = pitch, density = 4e-3,\n"         \
    "  bend = bend, sigma0 = loss, sigma1 = 1e-3 }\n"                                              \
    "local m = mass{ name = 'ball', mass = 0.01, frequency = 20, damping = 20 }\n"                 \
    "local frame = mass{ name = 'frame', path = {{0, 0}, {0.1, 1e-3}} }\n"                         \
    "pluck{ on = s, at = 0.1, height = 3e-3 }\n"                                                   \
    "force{ on = s, at = 0.2, peak = 1, width = 1e-3 }\n"                                          \
    "contact{ above = frame, below = m, K = 1e6, alpha = 1.5, gap = 1e-2 }\n"                      \
    "probe{ on = s, at = 0.6, quantity = 'velocity', channel = 1 }\n"                              \
    "probe{ on = m, quantity = 'displacement', channel = 2 }\n"                                    \
    "render{ rate = 48000, duration = 1 }\n"                                                       \
    "play{ pitch = 'pitch' }\n"

static const double RATE = 48000;

static void a_string_follows_the_tip_and_slides(void) {
    sis_live* live = touched_live(RATE, FINGERS);
    CHECK(load_text(live, WIRE));
    hear(live, 0.01, RATE);
    int32_t last = sis_system_body(look(live).system, 0).segments;
    sis_live_finger(live, 1, 0, 0.325, 0, 3e-3);
    hear(live, 0.5, RATE);
    CHECK_NEAR(u_of(live, 0, last / 2), -3e-3, 3e-4);
    CHECK(pushing(live) == 1);
    sis_live_finger(live, 1, 0, 0.65 / 4, 0, 3e-3);
    hear(live, 0.5, RATE);
    CHECK_NEAR(u_of(live, 0, last / 4), -3e-3, 3e-4);
    CHECK_NEAR(u_of(live, 0, last / 2), -2e-3, 3e-4);
    sis_live_finger(live, 1, 0, 0.65 / 4, 0, -3e-3); // from below
    hear(live, 0.5, RATE);
    CHECK_NEAR(u_of(live, 0, last / 4), 3e-3, 3e-4);
    CHECK(pushing(live) == 1);
    sis_live_finger(live, 1, 0, 0.65 / 4, 0, NOWHERE);
    CHECK(hear(live, 0.01, RATE).peak > 1e-2);
    hear(live, 0.5, RATE);
    CHECK_NEAR(u_of(live, 0, last / 4), 0, 1e-5);
    CHECK(pushing(live) == 0);
    sis_live_free(live);
}

static void a_mass_is_taken_where_the_finger_goes(void) {
    sis_live* live = touched_live(RATE, FINGERS);
    CHECK(load_text(live, WIRE));
    hear(live, 0.01, RATE);
    sis_live_finger(live, 0, 1, 0, 0, -5e-3);
    hear(live, 0.5, RATE);
    CHECK_NEAR(u_of(live, 1, 0), -5e-3, 5e-4);
    sis_live_finger(live, 0, 1, 0, 0, 4e-3);
    hear(live, 0.5, RATE);
    CHECK_NEAR(u_of(live, 1, 0), 4e-3, 4e-4);
    sis_live_finger(live, 0, 1, 0, 0, NOWHERE);
    hear(live, 1, RATE);
    CHECK_NEAR(u_of(live, 1, 0), 0, 1e-5);
    CHECK(residual_of(live) <= 1e-12);
    sis_live_free(live);
}

// Inputs that are neither where they start nor, as a tip that is away, at an end of their range.
static int32_t moved_inputs(const sis_live* live) {
    view v = look(live);
    int32_t count = 0;
    for (int32_t i = 0; i < sis_system_input_count(v.system); i++) {
        const sis_input_info info = sis_system_input(v.system, i);
        const double now = sis_state_input(v.system, v.state, i);
        count += now != info.value && now != info.min && now != info.max;
    }
    return count;
}

// Constants that are where they start cost nothing.
static void places_of_lifted_fingers_go_home(void) {
    static const char* const scenes[] = {"tanpura", "guitar", "marble_on_glass"};
    for (int32_t s = 0; s < 3; s++) {
        sis_live* live = touched_live(RATE, FINGERS);
        int32_t bodies[BODIES_MOST];
        CHECK(load_scene(live, scenes[s]));
        hear(live, 0.01, RATE);
        CHECK(touchable(live, bodies) > 0);
        const int32_t before = moved_inputs(live);
        for (double part = 0.2; part < 0.9; part += 0.15) { // through all windows
            press_on(live, 0, bodies[0], part, 1e-3);
            hear(live, 0.1, RATE);
        }
        CHECK(moved_inputs(live) > before);
        sis_live_finger(live, 0, bodies[0], 0, 0, NOWHERE);
        hear(live, 0.02, RATE);
        CHECK(moved_inputs(live) == before);
        CHECK(residual_of(live) <= 1e-12);
        sis_live_free(live);
    }
}

static void what_is_at_rest_makes_no_steps(void) {
    sis_live* live = touched_live(RATE, FINGERS);
    CHECK(load_text(live, WIRE));
    hear(live, 0.1, RATE);
    uint64_t start = steps_of(live);
    hear(live, 0.5, RATE);
    CHECK(steps_of(live) == start);
    sis_live_finger(live, 0, 0, 0.2, 0, 2e-3);
    hear(live, 0.1, RATE);
    CHECK(steps_of(live) >= start + 4000);
    sis_live_finger(live, 0, 0, 0.2, 0, NOWHERE);
    hear(live, 3, RATE);
    uint64_t rests = steps_of(live);
    CHECK(hear(live, 0.2, RATE).peak < 1e-6);
    CHECK(steps_of(live) == rests);
    sis_live_knob_set(live, sis_live_knob_find(live, "bend"), 1.05); // a hand moves it
    hear(live, 0.01, RATE);
    CHECK(steps_of(live) > rests);
    sis_live_finger(live, 0, 2, 0.2, 0, 2e-3); // it is driven: nobody can
    sis_live_finger(live, 7, 0, 0.2, 0, 2e-3); // there is no such finger
    hear(live, 1, RATE);
    rests = steps_of(live);
    hear(live, 0.2, RATE);
    CHECK(steps_of(live) == rests);
    sis_live_free(live);
}

static void blocks_of_any_length_give_the_same_bits(void) {
    static const int32_t lengths[] = {480, 64, 96, 1, 160};
    enum { ROWS = 9600, EVERY = 480 };
    float* first = calloc(ROWS, sizeof *first);
    float* again = calloc(ROWS, sizeof *again);
    for (int32_t k = 0; k < 5; k++) {
        sis_live* live = touched_live(RATE, FINGERS);
        dice d = {.seed = 11};
        CHECK(load_text(live, WIRE));
        play_on(live, first, 0); // it is there
        for (int32_t row = 0; row < ROWS;) {
            if (row % EVERY == 0) touch_at_random(live, &d);
            int32_t left = EVERY - row % EVERY, frames = lengths[k] < left ? lengths[k] : left;
            play_on(live, (k ? again : first) + row, frames);
            row += frames;
        }
        if (k) CHECK(memcmp(first, again, ROWS * sizeof *first) == 0);
        sis_live_free(live);
    }
    CHECK(largest(first, ROWS) > 0);
    free(first);
    free(again);
}

static void params_go_on_under_fingers(void) {
    sis_live* live = touched_live(RATE, FINGERS);
    CHECK(load_text(live, WIRE));
    CHECK(sis_live_knob_find(live, "pitch") >= 0); // no note sets it
    sis_live_finger(live, 0, 0, 0.2, 0, 2e-3);
    hear(live, 0.1, RATE);
    uint64_t steps = steps_of(live);
    sis_live_knob_set(live, sis_live_knob_find(live, "loss"), 50);
    while (sis_live_work(live))
        ;
    hear(live, 0.05, RATE);
    CHECK(steps_of(live) > steps); // the same state
    CHECK(pushing(live) == 1);
    sis_live_knob_set(live, sis_live_knob_find(live, "pitch"), 200); // another grid
    while (sis_live_work(live))
        ;
    hear(live, 0.2, RATE);
    CHECK(pushing(live) == 1); // it is touched again
    CHECK(residual_of(live) <= 1e-12);
    CHECK(hear(live, 0.1, RATE).finite);
    sis_live_free(live);
}

static void no_note_plays_what_fingers_touch(void) {
    sis_live* live = touched_live(RATE, FINGERS);
    float left[FRAMES];
    int32_t bodies, links;
    CHECK(load_text(live, WIRE));
    CHECK(!sis_live_takes_notes(live));
    CHECK(!sis_live_is_pitched(live));
    play_midi(live, left, FRAMES, 0x90, 60, 100);
    CHECK(hear(live, 0.1, RATE).peak == 0);
    sis_live_own(live, &bodies, &links);
    CHECK(bodies == 3);
    CHECK(links == 1);
    sis_live_finger(live, 0, 0, 0.2, 0, 2e-3);
    hear(live, 0.1, RATE);
    sis_live_panic(live);
    hear(live, 0.1, RATE);
    CHECK(hear(live, 0.1, RATE).peak == 0);
    CHECK(pushing(live) == 0);
    sis_live_finger(live, 0, 0, 0.2, 0, 2e-3);
    CHECK(hear(live, 0.1, RATE).peak > 0);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- what would sound

// A scene that moves by itself, which is silent with fingers.
static void stays_silent(const char* text) {
    sis_live* live = touched_live(RATE, 1);
    bool fine = load_text(live, text);
    CHECK(fine);
    if (!fine) printf("    %s\n", text);
    sis_live_knob_set(live, 0, 0.5); // wakes it, if there is a knob
    heard h = hear(live, 0.2, RATE);
    if (!(h.peak < 1e-7)) printf("    %g: %s\n", h.peak, text);
    CHECK(h.peak < 1e-7);
    sis_live_free(live);
}

#define KNOB                                                                                       \
    "local knob = input{ 'knob', 0.2, min = 0, max = 1 } local other = mass{ path = knob }\n"
#define LISTEN " probe{ on = m, quantity = 'velocity', channel = 1 } render{ rate = 48000 }\n"

static void nothing_of_its_own_sounds(void) {
    stays_silent(KNOB "local m = mass{ mass = 1, velocity = 2 }" LISTEN);
    stays_silent(KNOB "local m = mass{ mass = 1, frequency = 50, position = 1e-2 }" LISTEN);
    stays_silent(KNOB "local m = mass{ mass = 1, position = 1e-2 } spring{ between = "
                      "{ m, 'ground' }, K1 = 1e4 }" LISTEN);
    stays_silent(KNOB "local m = mass{ mass = 1 } gravity{}" LISTEN); // nothing bears it
    stays_silent(KNOB "local m = mass{ mass = 1 } gravity{ g = -1 } contact{ above = m, below = "
                      "barrier{ height = -1 }, K = 1e5, alpha = 1 }" LISTEN);
    stays_silent(KNOB
                 "local m = mass{ mass = 1, velocity = -1, position = 0.1 } contact{ above = m, "
                 "below = barrier{ height = 0 }, K = 1e5, alpha = 1.5, scheme = 'exact' }" LISTEN);
    stays_silent(KNOB "local f = mass{ path = {{0, 0}, {0.1, 1}} } local m = mass{ mass = 1, "
                      "frequency = 9 } spring{ between = { f, m }, K1 = 1e3 }" LISTEN);
    stays_silent(KNOB "local m = string{ length = 1, tension = 100, density = 1e-2 } "
                      "bow{ on = m, at = 0.1, force = 1, velocity = 0.2 } "
                      "pluck{ on = m, shape = 'mode', mode = 2, height = 1e-3 } "
                      "pluck{ on = m, velocity = 0.1 } "
                      "force{ on = m, at = 0.2, shape = 'constant', peak = 1 } "
                      "probe{ on = m, at = 0.3, quantity = 'velocity', channel = 1 }");
    stays_silent(KNOB
                 "local m = string{ length = 1, tension = 100, density = 1e-2 } "
                 "bow{ on = m, at = 0.1, force = {{0, 0}, {0.1, 1}}, velocity = {{0, 0}, {1, 1}} "
                 "} probe{ on = m, at = 0.3, quantity = 'velocity', channel = 1 }");
    stays_silent(KNOB "local press = input{ 'press', 0.5, min = 0, max = 1 } "
                      "local m = string{ length = 1, tension = 100, density = 1e-2 } "
                      "bow{ on = m, at = 0.1, force = press, velocity = 0.2 } "
                      "probe{ on = m, at = 0.3, quantity = 'velocity', channel = 1 }");
    stays_silent(KNOB
                 "local blow = input{ 'blow', trigger = true } "
                 "local m = plate{ size = { 0.3, 0.2 }, thickness = 1e-3, youngs = 2e11, "
                 "material_density = 7850 } force{ on = m, at = { 0.1, 0.1 }, peak = 1, width = "
                 "1e-3, trigger = blow } pluck{ on = m, at = { 0.1, 0.1 }, height = 1e-3 } "
                 "probe{ on = m, at = { 0.2, 0.1 }, quantity = 'velocity', channel = 1 }");
}

static void what_lies_down_under_its_weight_is_silent(void) {
    sis_live* live = touched_live(RATE, 1);
    CHECK(load_text(live,
                    "local m = mass{ mass = 0.01, position = 0.02 } gravity{}\n"
                    "local c = contact{ above = m, below = barrier{ height = 1e-3 }, K = 1e6,\n"
                    "  alpha = 1.5, damping = 1 }\n"
                    "probe{ on = c, quantity = 'force', channel = 1 }"));
    CHECK(hear(live, 0.1, RATE).peak == 0);
    CHECK_NEAR(u_of(live, 0, 0), 1e-3, 1e-4);
    sis_live_finger(live, 0, 0, 0, 0, 5e-3);
    hear(live, 0.3, RATE);
    CHECK_NEAR(u_of(live, 0, 0), 5e-3, 5e-4);
    sis_live_finger(live, 0, 0, 0, 0, NOWHERE);
    CHECK(hear(live, 0.3, RATE).peak > 0.1);
    sis_live_free(live);
}

// ---------------------------------------------------------------------------- looking, threads

static void the_newest_voice_is_shown(void) {
    sis_live* live = plain_live(RATE, false);
    view v = {NULL, NULL};
    float left[FRAMES];
    int32_t bodies, links;
    CHECK(!sis_live_look(live, &v.system, &v.state));
    CHECK(load_text(live, WIRE));
    sis_live_offline(live, true);
    play_midi(live, left, FRAMES, 0x90, 45, 100);
    CHECK(sis_live_look(live, &v.system, &v.state));
    CHECK_NEAR(sis_system_body(v.system, 0).frequency, 110, 1);
    play_midi(live, left, FRAMES, 0x90, 57, 100);
    CHECK(sis_live_look(live, &v.system, &v.state));
    CHECK_NEAR(sis_system_body(v.system, 0).frequency, 220, 2);
    sis_live_own(live, &bodies, &links);
    CHECK(bodies == sis_system_body_count(v.system));
    CHECK(links == sis_system_link_count(v.system));
    sis_live_free(live);
}

typedef struct restless {
    sis_live* live;
    atomic_bool stop;
    uint32_t seed;
} restless;

static void* restless_thread(void* self) {
    restless* r = self;
    dice d = {.seed = r->seed};
    while (!atomic_load(&r->stop))
        sis_live_finger(r->live, (int32_t)dice_below(&d, 3), (int32_t)dice_below(&d, 3),
                        0.65 * dice_unit(&d), 0,
                        dice_below(&d, 3) ? 5e-3 * dice_unit(&d) : NOWHERE);
    return NULL;
}

static void any_thread_may_move_a_finger(void) {
    sis_live* live = touched_live(RATE, FINGERS);
    restless r[2] = {{.live = live, .seed = 1}, {.live = live, .seed = 2}};
    pthread_t threads[2];
    CHECK(load_text(live, WIRE));
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, restless_thread, &r[i]) == 0);
    heard h = hear(live, SANITIZED ? 0.2 : 1, RATE);
    for (int i = 0; i < 2; i++) {
        atomic_store(&r[i].stop, true);
        pthread_join(threads[i], NULL);
    }
    CHECK(h.finite);
    CHECK(residual_of(live) <= 1e-12);
    sis_live_free(live);
}

static void as_many_fingers_as_hands_have(void) {
    sis_live_options o = sis_live_options_default();
    sis_live_error error = {.text = ""};
    o.fingers = 9;
    CHECK(sis_live_new(&o, &error) == NULL);
    CHECK_TEXT(error.text, "0 .. 8 fingers");
    o.fingers = 8;
    o.worker = false;
    sis_live* live = sis_live_new(&o, &error);
    CHECK(live && load_text(live, WIRE));
    for (int32_t f = 0; f < 8; f++)
        sis_live_finger(live, f, 0, 0.07 * (f + 1), 0, 1e-3);
    hear(live, 0.2, RATE);
    CHECK(pushing(live) == 8);
    sis_live_free(live);
}

int main(void) {
    RUN(every_scene_is_silent_until_it_is_touched);
    RUN(energy_adds_up_whatever_fingers_do);
    RUN(a_string_follows_the_tip_and_slides);
    RUN(a_mass_is_taken_where_the_finger_goes);
    RUN(places_of_lifted_fingers_go_home);
    RUN(what_is_at_rest_makes_no_steps);
    RUN(blocks_of_any_length_give_the_same_bits);
    RUN(params_go_on_under_fingers);
    RUN(no_note_plays_what_fingers_touch);
    RUN(nothing_of_its_own_sounds);
    RUN(what_lies_down_under_its_weight_is_silent);
    RUN(the_newest_voice_is_shown);
    RUN(any_thread_may_move_a_finger);
    RUN(as_many_fingers_as_hands_have);
    return CHECK_REPORT();
}
