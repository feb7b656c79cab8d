// Tension that moves while it sounds: strings of every model and plates are bent, tuned and
// stretched, and what the hand gives is all that comes in.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "string_reference.h"
#include "wide/width.h"

// ---------------------------------------------------------------------------- scenes

// What follows an input: a field of a string or plate, from .. to, begun at `start`.
typedef struct bound {
    const char* key;
    double low, start, high;
} bound;

static void put_bound(sis_scene* scene, sis_id object, const bound* b) {
    sis_input_def def = sis_input_default();
    sis_error error = {0};
    def.name = "hand";
    def.value = b->start;
    def.min = b->low;
    def.max = b->high;
    const sis_id input = put(scene, SIS_KIND_INPUT, &def);
    if (!sis_scene_bind(scene, object, b->key, input, 1, 0, &error)) {
        printf("%s\n", error.text);
        exit(1);
    }
}

static sis_plate_def plate_small(sis_plate_model model, bool tuned, sis_ends edge, double youngs) {
    sis_plate_def def = sis_plate_default();
    def.length = 0.4;
    def.width = 0.3;
    def.thickness = 1e-3;
    def.material_density = 1200;
    def.youngs = youngs;
    def.tension = 3000;
    def.sigma0 = 2;
    def.sigma1 = 1e-3;
    def.model = model;
    def.tuned = tuned;
    def.edge = edge;
    return def;
}

typedef struct plate_kind {
    const char* name;
    sis_plate_model model;
    bool tuned;
    sis_ends edge;
    double youngs;
} plate_kind;
static const plate_kind plate_kinds[] = {
    {"membrane", SIS_PLATE_FD, true, SIS_ENDS_SUPPORTED, 0},
    {"membrane published", SIS_PLATE_FD, false, SIS_ENDS_SUPPORTED, 0},
    {"plate", SIS_PLATE_FD, true, SIS_ENDS_SUPPORTED, 3e9},
    {"plate published", SIS_PLATE_FD, false, SIS_ENDS_SUPPORTED, 3e9},
    {"plate clamped", SIS_PLATE_FD, true, SIS_ENDS_CLAMPED, 3e9},
    {"plate clamped published", SIS_PLATE_FD, false, SIS_ENDS_CLAMPED, 3e9},
    {"membrane modal", SIS_PLATE_MODAL, true, SIS_ENDS_SUPPORTED, 0},
    {"plate modal", SIS_PLATE_MODAL, true, SIS_ENDS_SUPPORTED, 3e9},
};
enum { PLATE_KINDS = sizeof plate_kinds / sizeof *plate_kinds };

static sis_plate_def plate_as(const plate_kind* kind) {
    return plate_small(kind->model, kind->tuned, kind->edge, kind->youngs);
}

// ---------------------------------------------------------------------------- gestures

// Where the hand is, 0 .. 1 of its range, at sample n.
typedef double (*gesture)(int32_t n);

static double sine(int32_t n) {
    return 0.5 + 0.5 * sin(0.013 * n);
}

static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185u;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44du;
    return x ^ (x >> 33);
}

static double jump(int32_t n) {
    return (double)(mixed((uint64_t)(n / 37) + 5) >> 11) * 0x1p-53;
}

// In every sample; more would pump the highest partials without end, as it should.
static double jitter(int32_t n) {
    return 0.5 + 0.1 * (double)(mixed((uint64_t)n + 99) >> 11) * 0x1p-53;
}

static double wander(int32_t n) {
    return 0.5 + 0.3 * sin(0.002 * n) * sin(0.11 * n) + jitter(n / 5) - 0.5;
}

// Plays a system: `frames` samples in blocks of `block`, of which the first `moving` follow the
// gesture; then the hand rests.
typedef struct played {
    sis_system* system;
    sis_state* state;
    int32_t frames, probes;
    double* rows;
    sis_energy* energy;
} played;

static double* hand_rows(const bound* b, gesture g, int32_t frames, int32_t moving) {
    double* rows = malloc((size_t)frames * sizeof *rows);
    for (int32_t n = 0; n < frames; n++) {
        const double at = g ? g(n < moving ? n : moving) : 0;
        rows[n] = g ? b->low + (b->high - b->low) * at : b->start;
    }
    return rows;
}

static void advance(played* p, const double* hand, int32_t from, int32_t to, int32_t block) {
    for (int32_t n = from; n < to; n += block) {
        const int32_t count = n + block < to ? block : to - n;
        const sis_block part = {.frames = count,
                                .probes = p->rows + (size_t)n * (size_t)p->probes,
                                .energy = p->energy + n,
                                .inputs = hand ? hand + n : NULL};
        sis_step(p->system, p->state, &part);
    }
}

static played begin(sis_system* system, int32_t frames) {
    played p = {.system = system, .frames = frames, .probes = sis_system_probe_count(system)};
    p.state =
        sis_state_init(system, aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system)));
    p.rows = calloc((size_t)frames * (size_t)p.probes + 1, sizeof *p.rows);
    p.energy = calloc((size_t)frames, sizeof *p.energy);
    return p;
}

static played play(sis_system* system, const double* hand, int32_t frames, int32_t block) {
    played p = begin(system, frames);
    advance(&p, hand, 0, frames, block);
    return p;
}

static void end(played* p) {
    free(p->state);
    free(p->rows);
    free(p->energy);
    sis_system_free(p->system);
}

// Largest |residual| of samples from .. to relative to the largest energy of all.
static double residual_of(const played* p, int32_t from, int32_t to) {
    double most = 0, scale = 0, first = from ? p->energy[from - 1].residual : 0;
    for (int32_t n = 0; n < p->frames; n++) {
        const sis_energy* e = &p->energy[n];
        scale = fmax(scale, fmax(e->total, fmax(fabs(e->supplied), e->dissipated)));
        const double off = fabs(e->residual - first);
        if (n >= from && n < to && !(off <= most)) most = off;
    }
    return most / scale;
}

// ---------------------------------------------------------------------------- (a) the balance

typedef struct trial {
    const char* name;
    gesture g;
} trial;
static const trial trials[] = {{"sine", sine}, {"jumps", jump}, {"jitter", jitter}, {"wander", wander}};
enum { TRIALS = sizeof trials / sizeof *trials, MOVING = 2000, RESTING = 2000 };

static const sis_scheme schemes[] = {SIS_SCHEME_LEDGER, SIS_SCHEME_NEWTON, SIS_SCHEME_QUADRATISED};

// A string that is struck by a hammer, pushed, and falls on a bed.
static sis_scene* struck_string(const sis_string_def* def, const bound* b, bool bed,
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

static void balance(sis_system* system, const bound* b, const trial* t, sis_scheme scheme,
                    double* worst) {
    double* hand = hand_rows(b, t->g, MOVING + RESTING, MOVING);
    played p = play(system, hand, MOVING + RESTING, 64);
    const double moving = residual_of(&p, 0, MOVING + 64);
    const double resting = residual_of(&p, MOVING + 64, MOVING + RESTING);
    CHECK_NEAR(moving, 0, allowed(scheme));
    CHECK_NEAR(resting, 0, 0.1 * allowed(scheme));
    CHECK(p.energy[p.frames - 1].supplied != 0);
    CHECK(p.energy[p.frames - 1].total >= 0);
    if (getenv("TELL") && moving > 1e-12) {
        double most = 0;
        for (int32_t n = 0; n < p.frames; n++)
            most = fmax(most, p.energy[n].total);
        printf("   %s scheme %d: %.1e of %.2e (began with %.2e)\n", t->name, (int)scheme, moving, most,
               p.energy[0].total);
    }
    worst[0] = fmax(worst[0], moving);
    worst[1] = fmax(worst[1], resting);
    free(hand);
    end(&p);
}

static const bound tensions = {"tension", 20, 60, 90}, bends = {"bend", 0.7, 1, 1.2};

static void all_strings(sis_ends ends, sis_nonlinear nonlinear, bool bed) {
    double most[2] = {0, 0};
    for (int kind = 0; kind < STRING_KINDS; kind++) {
        sis_string_def def = string_short();
        def = string_as(def, &string_kinds[kind]);
        def.ends = ends;
        def.nonlinear = nonlinear;
        double worst[2] = {0, 0};
        for (int s = 0; s < 3; s++)
            for (int t = 0; t < TRIALS; t++) {
                const bound* b = t % 2 ? &bends : &tensions;
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

static void clamped_strings_close_their_balance_however_they_are_bent(void) {
    all_strings(SIS_ENDS_CLAMPED, SIS_LINEAR, false);
}

static void strings_that_stretch_close_their_balance_however_they_are_bent(void) {
    all_strings(SIS_ENDS_SUPPORTED, SIS_KIRCHHOFF_CARRIER, false);
}

static const bound drums = {"tension", 1000, 3000, 4000};

static sis_scene* struck_plate(const sis_plate_def* def, const bound* b, sis_scheme scheme) {
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
            for (int t = 0; t < TRIALS; t++)
                balance(compiled(struck_plate(&def, &drums, schemes[s]), SHORT_RATE), &drums,
                        &trials[t], schemes[s], worst);
        printf("  %-24s moving %.1e, resting %.1e\n", plate_kinds[kind].name, worst[0], worst[1]);
    }
}

// ---------------------------------------------------------------------------- (b), (c) slow bends

#define SLOW_RATE 44100.0
enum { RAMP = 11025, SETTLED = 33075 };
static double slow(int32_t n) { // from the middle of the range to its end
    const double x = n < 200 ? 0 : n > RAMP ? 1 : (n - 200.0) / (RAMP - 200);
    return 0.5 + 0.5 * x * x * (3 - 2 * x);
}

// A string at 110 Hz.
static sis_string_def string_low(const string_kind* kind, sis_ends ends) {
    sis_string_def def = sis_string_default();
    def.length = 0.65;
    def.tension = 80;
    def.density = 3.9e-3;
    def.radius = 2.5e-4;
    def.youngs = 2e11;
    def.ends = ends;
    return string_as(def, kind);
}

static double partial_of(sis_scene* scene, double rate, int32_t p) {
    sis_system* system = compiled(scene, rate);
    double rings = 0, exact = sis_system_body(system, 0).frequency;
    if (p > 1) sis_system_partial(system, 0, p, &rings, &exact);
    sis_system_free(system);
    return exact;
}

// The frequency of a sinusoid: x_{n+m} + x_{n-m} = 2 cos(m w) x_n, m about a quarter of a period.
static double pitch_of(const double* x, int32_t count, double about, double rate) {
    const int32_t m = (int32_t)(0.25 * rate / about);
    double up = 0, down = 0;
    for (int32_t n = m; n + m < count; n++) {
        up += x[n] * (x[n + m] + x[n - m]);
        down += x[n] * x[n];
    }
    return acos(0.5 * up / down) / m * rate / (2 * PI);
}

typedef struct slow_bend {
    double ratio, supplied, cents;
} slow_bend;

// One mode, bent slowly from `start` to `high`; plain: the scenes before and after it.
static slow_bend bend_slowly(sis_scene* scene, const bound* b, double before, double after) {
    double* hand = hand_rows(b, slow, SETTLED, SETTLED);
    played p = play(compiled(scene, SLOW_RATE), hand, SETTLED, 512);
    const double E = p.energy[0].total, got = p.energy[p.frames - 1].supplied;
    slow_bend r = {.ratio = after / before, .supplied = got / E};
    r.cents =
        cents(pitch_of(p.rows + RAMP + 200, SETTLED - RAMP - 200, after, SLOW_RATE), after);
    CHECK_NEAR(residual_of(&p, 0, p.frames), 0, 1e-11);
    free(hand);
    end(&p);
    return r;
}

// Two semitones up: T by 2^(1/3).
static const double up = 1.2599210498948732, semitones = 1.122462048309373;

static slow_bend bend_string(const string_kind* kind, sis_ends ends, bool by_tension) {
    const bound tension = {"tension", 80 * (2 - up), 80, 80 * up};
    const bound bend = {"bend", 2 - semitones, 1, semitones};
    sis_string_def def = string_low(kind, ends), tight = def;
    tight.tension = 80 * up;
    sis_scene *scene = sis_scene_new(), *was = sis_scene_new(), *will = sis_scene_new();
    const sis_id string = put(scene, SIS_KIND_STRING, &def);
    put_mode(scene, string, 1, 1e-3);
    put_pickup(scene, string, 0.31, SIS_QUANTITY_DISPLACEMENT);
    put_bound(scene, string, by_tension ? &tension : &bend);
    put(was, SIS_KIND_STRING, &def);
    put(will, SIS_KIND_STRING, &tight);
    return bend_slowly(scene, by_tension ? &tension : &bend, partial_of(was, SLOW_RATE, 1),
                       partial_of(will, SLOW_RATE, 1));
}

static void a_slow_bend_of_a_string_supplies_in_proportion_to_the_pitch(void) {
    for (int kind = 0; kind < STRING_KINDS; kind++)
        for (int ends = 0; ends < 2; ends++) {
            const slow_bend r = bend_string(&string_kinds[kind], ends ? SIS_ENDS_CLAMPED
                                                                      : SIS_ENDS_SUPPORTED,
                                            kind % 2);
            printf("  %-22s %s f'/f %.6f, supplied/E %.6f, %.4f cents\n", string_kinds[kind].name,
                   ends ? "clamped  " : "supported", r.ratio, r.supplied, r.cents);
            CHECK_NEAR(r.supplied, r.ratio - 1, 1e-3 * (r.ratio - 1));
            CHECK_NEAR(r.cents, 0, 0.5);
        }
}

static void a_slow_stretch_of_a_plate_supplies_in_proportion_to_the_pitch(void) {
    for (int kind = 0; kind < PLATE_KINDS; kind++) {
        sis_plate_def def = plate_as(&plate_kinds[kind]), tight;
        if (def.edge == SIS_ENDS_CLAMPED) continue; // its modes have no closed form
        def.sigma0 = def.sigma1 = 0;
        tight = def;
        tight.tension *= 1.5;
        const bound b = {"tension", 0.5 * def.tension, def.tension, 1.5 * def.tension};
        sis_scene *scene = sis_scene_new(), *was = sis_scene_new(), *will = sis_scene_new();
        const sis_id plate = put(scene, SIS_KIND_PLATE, &def);
        sis_pluck_def pluck = sis_pluck_default();
        pluck.on = plate;
        pluck.shape = SIS_PLUCK_MODE;
        pluck.mode = pluck.mode_y = 1;
        pluck.height = 1e-3;
        put(scene, SIS_KIND_PLUCK, &pluck);
        sis_probe_def probe = sis_probe_default();
        probe.on = plate;
        probe.at = 0.17;
        probe.at_y = 0.1;
        put(scene, SIS_KIND_PROBE, &probe);
        put_bound(scene, plate, &b);
        put(was, SIS_KIND_PLATE, &def);
        put(will, SIS_KIND_PLATE, &tight);
        const slow_bend r = bend_slowly(scene, &b, partial_of(was, SLOW_RATE, 1),
                                        partial_of(will, SLOW_RATE, 1));
        printf("  %-22s f'/f %.6f, supplied/E %.6f, %.4f cents\n", plate_kinds[kind].name, r.ratio,
               r.supplied, r.cents);
        CHECK_NEAR(r.supplied, r.ratio - 1, 1e-3 * (r.ratio - 1));
        CHECK_NEAR(r.cents, 0, 0.5);
    }
}

// The strength of a frequency in x under a window with side lobes below -92 dB.
static double strength(const double* x, int32_t count, double f, double rate) {
    double re = 0, im = 0;
    for (int32_t n = 0; n < count; n++) {
        const double t = 2 * PI * n / count, a = 2 * PI * f * n / rate;
        const double w =
            0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t);
        re += w * x[n] * cos(a);
        im += w * x[n] * sin(a);
    }
    return hypot(re, im);
}

static void a_slow_bend_of_low_partials_makes_nothing_high(void) {
    enum { COUNT = 16384 };
    static const int chosen[] = {FD, STAR, TRAPEZOID, MODAL};
    for (int c = 0; c < 4; c++) {
        const bound b = {"bend", 2 - semitones, 1, semitones};
        const sis_string_def def = string_low(&string_kinds[chosen[c]], SIS_ENDS_SUPPORTED);
        sis_scene* scene = sis_scene_new();
        const sis_id string = put(scene, SIS_KIND_STRING, &def);
        for (int32_t p = 1; p <= 3; p++)
            put_mode(scene, string, p, 1e-3 / p);
        put_pickup(scene, string, 0.11, SIS_QUANTITY_DISPLACEMENT);
        put_bound(scene, string, &b);
        double* hand = hand_rows(&b, slow, COUNT, COUNT);
        played p = play(compiled(scene, SLOW_RATE), hand, COUNT, 512);
        double low = 0, high = 0;
        for (double f = 90; f < 500; f += 3)
            low = fmax(low, strength(p.rows, COUNT, f, SLOW_RATE));
        for (double f = 3000; f < 22000; f += 97)
            high = fmax(high, strength(p.rows, COUNT, f, SLOW_RATE));
        printf("  %-12s above 3 kHz: %.1f dB\n", string_kinds[chosen[c]].name,
               20 * log10(high / low));
        CHECK(high < 1e-4 * low);
        free(hand);
        end(&p);
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

static const bound* bound_of(int i) {
    return i < 2 * STRING_KINDS ? &tensions : &drums;
}

static bool same_bits(const played* a, const played* b) {
    return memcmp(a->rows, b->rows, (size_t)a->frames * (size_t)a->probes * sizeof(double)) == 0 &&
           memcmp(a->energy, b->energy, (size_t)a->frames * sizeof *a->energy) == 0;
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
        const bool held = i < 2 * STRING_KINDS && i % 2 &&
                            string_kinds[i / 2].model == SIS_STRING_TRAPEZOID;
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
        played bent = play(compiled_wide(struck_string(&def, NULL, true, SIS_SCHEME_LEDGER), 0), NULL, 400, 64);
        played tight = play(compiled_wide(struck_string(&same, NULL, true, SIS_SCHEME_LEDGER), 0), NULL, 400, 64);
        CHECK(same_bits(&bent, &tight));
        end(&bent);
        end(&tight);
    }
    sis_string_def def = string_short();
    def.youngs = 0;
    def.tension = NAN;
    def.frequency = 100;
    def.bend = semitones;
    sis_scene* scene = sis_scene_new();
    put(scene, SIS_KIND_STRING, &def);
    sis_system* system = compiled(scene, 44100);
    double rings, exact;
    CHECK(sis_system_partial(system, 0, 1, &rings, &exact));
    CHECK_NEAR(cents(rings, 100 * semitones), 0, 0.01);
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
    RUN(clamped_strings_close_their_balance_however_they_are_bent);
    RUN(strings_that_stretch_close_their_balance_however_they_are_bent);
    RUN(plates_close_their_balance_however_they_are_stretched);
    RUN(a_slow_bend_of_a_string_supplies_in_proportion_to_the_pitch);
    RUN(a_slow_stretch_of_a_plate_supplies_in_proportion_to_the_pitch);
    RUN(a_slow_bend_of_low_partials_makes_nothing_high);
    return CHECK_REPORT();
}
