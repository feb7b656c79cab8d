// Inputs: what a player moves while it sounds. Forces, bows, driven masses, gaps, heights, gravity
// and gains read them; whatever the hand does, the energy balance closes.
#include "check.h"
#include "reference.h"

#include <sistrum/sistrum.h>

enum { FRAMES = 3000, INPUTS = 9 };
static const double rate = 44100;

/** What the inputs of the scene below do. */
enum { PEAK, BOW_FORCE, BOW_VELOCITY, PATH, GAP, HEIGHT, GRAVITY, GAIN, BLOW };

static sis_id add_input(sis_scene* scene, const char* name, double value, double min, double max,
                        double smooth, bool trigger) {
    sis_error error = {0};
    sis_input_def input = sis_input_default();
    input.name = name;
    input.value = value;
    input.min = min;
    input.max = max;
    input.smooth = smooth;
    input.trigger = trigger;
    sis_id id = sis_scene_add_input(scene, &input, &error);
    if (id == SIS_NONE) printf("%s\n", error.text);
    return id;
}

static void bind(sis_scene* scene, sis_id id, const char* key, sis_id input, double scale,
                 double offset) {
    sis_error error = {0};
    bool bound = sis_scene_bind(scene, id, key, input, scale, offset, &error);
    if (!bound) printf("%s\n", error.text);
    CHECK(bound);
}

static sis_id add_string(sis_scene* scene, sis_string_model model) {
    sis_error error = {0};
    sis_string_def s = sis_string_default();
    s.length = 0.7;
    s.frequency = 210;
    s.material_density = 7850;
    s.radius = 3e-4;
    s.youngs = 2e11;
    s.sigma0 = 1.5;
    s.sigma1 = 2e-3;
    s.model = model;
    return sis_scene_add_string(scene, &s, &error);
}

static sis_contact_def touch(sis_id above, sis_id below, double at, sis_scheme scheme) {
    sis_contact_def c = sis_contact_default();
    static double place[1];
    place[0] = at;
    c.above = above;
    c.below = below;
    if (at > 0) c.at = (sis_list){place, 1};
    c.K = 1e7;
    c.alpha = 1.6;
    c.damping = 0.2;
    c.scheme = scheme;
    return c;
}

/** A string with all of them. */
static sis_system* played(sis_string_model model, sis_scheme scheme, double smooth, int32_t lanes) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_id in[INPUTS] = {add_input(scene, "peak", 0, -3, 3, smooth, false),
                         add_input(scene, "press", 0.5, 0, 2, smooth, false),
                         add_input(scene, "speed", 0.1, -0.3, 0.3, smooth, false),
                         add_input(scene, "hand", 0, 0, 1, smooth, false),
                         add_input(scene, "action", 0.5, 0, 1, smooth, false),
                         add_input(scene, "lift", 0, 0, 1, smooth, false),
                         add_input(scene, "tilt", 0, -1, 1, smooth, false),
                         add_input(scene, "loud", 1, 0, 2, smooth, false),
                         add_input(scene, "blow", 0, 0, 2, 0, true)};
    sis_id string = add_string(scene, model);
    sis_force_def f = sis_force_default();
    f.on = string;
    f.at = 0.11;
    f.shape = SIS_FORCE_CONSTANT;
    f.peak = 0;
    bind(scene, sis_scene_add_force(scene, &f, &error), "peak", in[PEAK], 0.5, 0.01);
    f.shape = SIS_FORCE_RAISED_COSINE;
    f.at = 0.33;
    f.peak = 2;
    f.width = 1e-3;
    f.trigger = in[BLOW];
    sis_scene_add_force(scene, &f, &error);
    sis_bow_def bow = sis_bow_default();
    bow.on = string;
    bow.at = 0.09;
    bow.force = bow.velocity = 0;
    sis_id b = sis_scene_add_bow(scene, &bow, &error);
    bind(scene, b, "force", in[BOW_FORCE], 1, 0);
    bind(scene, b, "velocity", in[BOW_VELOCITY], 1, 0);
    sis_mass_def finger = sis_mass_default();
    double still[] = {0, 0};
    finger.path = (sis_envelope){still, 1};
    sis_id hand = sis_scene_add_mass(scene, &finger, &error);
    bind(scene, hand, "path", in[PATH], -2e-3, 1e-3);
    sis_contact_def c = touch(hand, string, 0, scheme);
    double place = 0.52;
    c.at_below = (sis_list){&place, 1};
    sis_scene_add_contact(scene, &c, &error);
    sis_barrier_def neck = sis_barrier_default();
    neck.height = -1e-3;
    neck.from = 0.2;
    neck.to = 0.5;
    sis_id fretboard = sis_scene_add_barrier(scene, &neck, &error);
    bind(scene, fretboard, "height", in[HEIGHT], 8e-4, -1e-3);
    c = touch(string, fretboard, 0, scheme);
    c.K = 1e9;
    bind(scene, sis_scene_add_contact(scene, &c, &error), "gap", in[GAP], 4e-4, -1e-4);
    sis_mass_def ball = sis_mass_default();
    ball.mass = 2e-3;
    ball.position = 1e-3;
    sis_id free = sis_scene_add_mass(scene, &ball, &error);
    c = touch(free, string, 0, scheme);
    place = 0.6;
    c.at_below = (sis_list){&place, 1};
    bind(scene, sis_scene_add_contact(scene, &c, &error), "gap", in[GAP], 1e-4, 0);
    sis_gravity_def g = sis_gravity_default();
    g.on = (sis_objects){&free, 1};
    bind(scene, sis_scene_add_gravity(scene, &g, &error), "g", in[GRAVITY], 5, 9.81);
    sis_probe_def probe = sis_probe_default();
    probe.on = string;
    probe.at = 0.1;
    bind(scene, sis_scene_add_probe(scene, &probe, &error), "gain", in[GAIN], 1, 0);
    probe.on = free;
    probe.at = NAN;
    sis_scene_add_probe(scene, &probe, &error);
    sis_options options = sis_options_default(scene);
    options.rate = rate;
    options.lanes = lanes;
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) printf("%s\n", error.text);
    sis_scene_free(scene);
    return system;
}

static double random_between(uint64_t* seed, double low, double high) {
    return low + (high - low) * random_unit(seed);
}

/** Walks, jumps and rests of all inputs; blows now and then. */
static void draw_rows(uint64_t* seed, int32_t frames, double* rows, double roughness) {
    double now[INPUTS] = {0};
    static const double low[INPUTS] = {-3, 0, -0.3, 0, 0, 0, -1, 0, 0},
                        high[INPUTS] = {3, 2, 0.3, 1, 1, 1, 1, 2, 2};
    for (int32_t n = 0; n < frames; n++)
        for (int i = 0; i < INPUTS; i++) {
            double r = random_between(seed, 0, 1), span = high[i] - low[i];
            if (n == 0) now[i] = random_between(seed, low[i], high[i]);
            if (r < 0.002) now[i] = random_between(seed, low[i], high[i]);
            if (r > 0.5) now[i] += roughness * span * random_between(seed, -1, 1);
            now[i] = fmin(high[i], fmax(low[i], now[i]));
            rows[n * INPUTS + i] = i != BLOW ? now[i] : r < 0.002 ? 1 + r : 0;
        }
}

typedef struct trial {
    sis_system* system;
    sis_state* state;
    double* probes;
    sis_energy* energy;
} trial;

static trial begin(sis_system* system) {
    trial t = {.system = system};
    size_t size = sis_state_size(system);
    void* memory = aligned_alloc(SIS_STATE_ALIGN, size);
    t.state = sis_state_init(system, memory);
    t.probes = calloc((size_t)FRAMES * 2, sizeof *t.probes);
    t.energy = calloc(FRAMES, sizeof *t.energy);
    return t;
}

static void play(trial* t, const double* rows, int32_t block) {
    for (int32_t n = 0; n < FRAMES; n += block) {
        int32_t now = FRAMES - n < block ? FRAMES - n : block;
        sis_step(t->system, t->state,
                 &(sis_block){now, t->probes + 2 * n, t->energy + n,
                              rows ? rows + (size_t)n * INPUTS : NULL});
    }
}

static void end(trial* t) {
    free(t->state);
    free(t->probes);
    free(t->energy);
    sis_system_free(t->system);
}

static double residual_of(const trial* t) {
    sis_balance balance = {0};
    sis_balance_add(&balance, t->energy, FRAMES);
    return sis_balance_residual(&balance);
}

static void whatever_the_hand_does_the_balance_closes(void) {
    static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON,
                                         SIS_SCHEME_QUADRATISED};
    double* rows = calloc((size_t)FRAMES * INPUTS, sizeof *rows);
    uint64_t seed = 7;
    double worst = 0;
    for (int model = 0; model < 4; model++)
        for (int s = 0; s < 3; s++)
            for (int rough = 0; rough < 3; rough++) {
                draw_rows(&seed, FRAMES, rows, rough * 0.02);
                trial t = begin(played((sis_string_model)model, schemes[s], rough ? 0 : 0.003, 0));
                play(&t, rows, 64);
                bool finite = true;
                for (int32_t i = 0; i < 2 * FRAMES; i++)
                    finite = finite && isfinite(t.probes[i]);
                CHECK(finite);
                CHECK(residual_of(&t) <= 1e-12);
                if (!(residual_of(&t) <= 1e-12))
                    printf("  model %d scheme %d rough %d: %g\n", model, s, rough, residual_of(&t));
                worst = fmax(worst, residual_of(&t));
                for (int32_t l = 0; l < sis_system_link_count(t.system) && s != 2; l++)
                    if (sis_system_link(t.system, l).kind == SIS_KIND_CONTACT)
                        CHECK(sis_state_link(t.system, t.state, l).min_force >= 0);
                end(&t);
            }
    printf("  worst residual %.1e\n", worst);
    free(rows);
}

static void blocks_and_widths_do_not_matter(void) {
    static const int32_t blocks[] = {1, 7, 64, 4096};
    double* rows = calloc((size_t)FRAMES * INPUTS, sizeof *rows);
    uint64_t seed = 11;
    draw_rows(&seed, FRAMES, rows, 0.01);
    for (int model = 0; model < 4; model++) {
        trial one = begin(played((sis_string_model)model, SIS_SCHEME_LEDGER, 0.002, 1));
        play(&one, rows, FRAMES);
        for (int b = 0; b < 4; b++) {
            sis_system* system =
                played((sis_string_model)model, SIS_SCHEME_LEDGER, 0.002, b % 2 ? 2 : 0);
            trial t = begin(system);
            play(&t, rows, blocks[b]);
            CHECK(memcmp(t.probes, one.probes, (size_t)FRAMES * 2 * sizeof(double)) == 0);
            CHECK(memcmp(t.energy, one.energy, FRAMES * sizeof(sis_energy)) == 0);
            end(&t);
        }
        end(&one);
    }
    free(rows);
}

/** Values between blocks, of `later` in the middle of the run, are rows that stay. */
static void an_input_keeps_its_value_where_no_row_is_given(void) {
    for (int smooth = 0; smooth < 2; smooth++) {
        trial a = begin(played(SIS_STRING_FD, SIS_SCHEME_LEDGER, smooth * 0.001, 0));
        trial b = begin(played(SIS_STRING_FD, SIS_SCHEME_LEDGER, smooth * 0.001, 0));
        double* rows = calloc((size_t)FRAMES * INPUTS, sizeof *rows);
        for (int32_t n = 0; n < FRAMES; n++)
            for (int i = 0; i < INPUTS; i++) {
                double high = sis_system_input(a.system, i).max;
                double value = i == BLOW ? 0.7 : (n < 1000 ? 0.25 : 0.75) * high;
                rows[n * INPUTS + i] = i == BLOW && n % 1000 ? 0 : value;
            }
        for (int32_t n = 0; n < FRAMES; n += 50) {
            for (int i = 0; i < INPUTS && n % 1000 == 0; i++) {
                double value = rows[n * INPUTS + i];
                sis_state_input_set(a.system, a.state, i, value);
                if (i != BLOW) CHECK(sis_state_input(a.system, a.state, i) == value);
            }
            sis_step(a.system, a.state, &(sis_block){50, a.probes + 2 * n, a.energy + n, NULL});
        }
        play(&b, rows, 50);
        CHECK(memcmp(a.probes, b.probes, (size_t)FRAMES * 2 * sizeof(double)) == 0);
        CHECK(residual_of(&a) <= 1e-12);
        end(&a);
        end(&b);
        free(rows);
    }
}

static void what_is_no_number_or_out_of_range_is_held_and_counted(void) {
    trial t = begin(played(SIS_STRING_FD, SIS_SCHEME_LEDGER, 0, 0));
    double row[INPUTS];
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
    for (int w = 0; w < 5; w++) {
        for (int i = 0; i < INPUTS; i++)
            row[i] = wrong[w];
        double heard[2];
        sis_step(t.system, t.state, &(sis_block){1, heard, NULL, row});
        CHECK(isfinite(heard[0]) && isfinite(heard[1]));
        for (int i = 0; i < INPUTS; i++) {
            sis_input_info info = sis_system_input(t.system, i);
            double held = sis_state_input(t.system, t.state, i);
            CHECK(sis_state_input_clamped(t.system, t.state, i) == (uint64_t)w + 1);
            CHECK(held >= info.min && held <= info.max);
        }
    }
    play(&t, NULL, 100);
    CHECK(residual_of(&t) <= 1e-12);
    end(&t);
}

static sis_system* mass_with(const char* key, sis_id* input, double smooth, bool trigger) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    *input = add_input(scene, "x", 0, -10, 10, smooth, trigger);
    sis_mass_def m = sis_mass_default();
    m.mass = 0.1;
    sis_id mass = sis_scene_add_mass(scene, &m, &error);
    sis_force_def f = sis_force_default();
    f.on = mass;
    f.shape = trigger ? SIS_FORCE_IMPULSE : SIS_FORCE_CONSTANT;
    f.peak = trigger ? 0.3 : 0;
    if (trigger) f.trigger = *input;
    sis_id force = sis_scene_add_force(scene, &f, &error);
    if (key) bind(scene, force, key, *input, 1, 0);
    sis_probe_def p = sis_probe_default();
    p.on = mass;
    p.quantity = SIS_QUANTITY_VELOCITY;
    sis_scene_add_probe(scene, &p, &error);
    p.quantity = SIS_QUANTITY_DISPLACEMENT;
    sis_scene_add_probe(scene, &p, &error);
    sis_options options = sis_options_default(scene);
    sis_system* system = sis_compile(scene, &options, &error);
    if (!system) printf("%s\n", error.text);
    sis_scene_free(scene);
    return system;
}

static void a_new_value_is_reached_along_a_straight_line(void) {
    sis_id input;
    trial t = begin(mass_with("peak", &input, 0.01, false)); // 441 samples
    double rows[1000];
    for (int n = 0; n < 1000; n++)
        rows[n] = n < 100 ? 0 : 2;
    sis_step(t.system, t.state, &(sis_block){1000, t.probes, NULL, rows});
    double before = 0;
    for (int n = 1; n < 999; n++) { // velocity grows by the force of the sample
        double force = 0.1 * rate * 0.5 * (t.probes[2 * n + 2] - (n > 1 ? before : 0));
        before = t.probes[2 * n];
        double ramp = 2 * fmin(1, fmax(0, (n - 99) / 441.0));
        if (n > 2) CHECK_NEAR(force, 0.5 * (ramp + 2 * fmin(1, fmax(0, (n - 98) / 441.0))), 0.02);
    }
    end(&t);
}

static void what_is_given_before_the_first_sample_needs_no_time(void) {
    sis_id input;
    trial t = begin(mass_with("peak", &input, 0.01, false));
    sis_state_input_set(t.system, t.state, 0, 2);
    sis_step(t.system, t.state, &(sis_block){100, t.probes, NULL, NULL});
    CHECK_NEAR(t.probes[2 * 90] - t.probes[2 * 80], 2 / 0.1 * 10 / rate, 1e-12);
    end(&t);
}

static void each_blow_gives_its_impulse(void) {
    sis_id input;
    trial t = begin(mass_with(NULL, &input, 0, true));
    double rows[1000] = {[0] = 1, [100] = 2, [500] = 0.5, [501] = 0.5};
    double want = 0;
    sis_step(t.system, t.state, &(sis_block){1000, t.probes, NULL, rows});
    for (int n = 0; n < 990; n++) {
        if (n > 2 && rows[n] == 0 && rows[n + 1] == 0 && rows[n - 1] == 0)
            CHECK_NEAR(t.probes[2 * n], want, 1e-12);
        want += rows[n] * 0.3 / 0.1;
    }
    end(&t);
}

static void what_cannot_follow_is_refused_in_a_sentence(void) {
    sis_error error = {0};
    sis_scene* scene = sis_scene_new();
    sis_id x = add_input(scene, "x", 0.5, 0, 1, 0, false);
    sis_id blow = add_input(scene, "blow", 0, 0, 1, 0, true);
    sis_id string = add_string(scene, SIS_STRING_FD);
    CHECK(!sis_scene_bind(scene, string, "length", x, 1, 0, &error));
    CHECK_TEXT(error.text, "'length' cannot follow an input");
    CHECK_TEXT(error.text, "tension, bend");
    CHECK(!sis_scene_bind(scene, string, "bend", blow, 1, 1, &error));
    CHECK_TEXT(error.text, "trigger");
    CHECK(!sis_scene_bind(scene, string, "bend", x, 100, 1, &error));
    CHECK_TEXT(error.text, "from 1 to 101");
    CHECK(!sis_scene_bind(scene, string, "bend", x, NAN, 1, &error));
    CHECK(sis_scene_bind(scene, string, "bend", x, 0.1, 1, &error));
    CHECK(!sis_scene_bind(scene, string, "bend", x, 0.1, 1, &error));
    CHECK_TEXT(error.text, "already");
    CHECK(!sis_scene_bind(scene, 99, "bend", x, 0.1, 1, &error));
    CHECK(!sis_scene_bind(scene, string, "bend", string, 0.1, 1, &error));
    sis_force_def f = sis_force_default();
    f.on = string;
    f.at = 0.1;
    f.peak = f.width = 1;
    f.trigger = x;
    CHECK(sis_scene_add_force(scene, &f, &error) == SIS_NONE);
    CHECK_TEXT(error.text, "trigger = true");
    sis_scene_free(scene);
}

int main(void) {
    RUN(whatever_the_hand_does_the_balance_closes);
    RUN(blocks_and_widths_do_not_matter);
    RUN(an_input_keeps_its_value_where_no_row_is_given);
    RUN(what_is_no_number_or_out_of_range_is_held_and_counted);
    RUN(a_new_value_is_reached_along_a_straight_line);
    RUN(what_is_given_before_the_first_sample_needs_no_time);
    RUN(each_blow_gives_its_impulse);
    RUN(what_cannot_follow_is_refused_in_a_sentence);
    return CHECK_REPORT();
}
