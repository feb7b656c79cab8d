// Random legal networks, sane and absurd: nothing becomes infinite, the books balance, pushes only
// push, and the results do not depend on how the samples are cut into blocks.
#include <float.h>

#include "check.h"
#include "reference.h"

enum { FRAMES = 500, BODIES = 6 };

// What a workshop could hold; what a tinkerer could type; the whole range of the schema.
typedef enum range { SANE, WIDE, ABSURD } range;
static const char* const range_names[] = {"sane", "wide", "absurd"};

typedef struct dice {
    uint64_t seed;
    range range;
    int contacts;
    bool pushes[16]; // contact i may only push
    int strings;
    sis_id string[4];
    double length[4];
} dice;

static double unit(dice* d) {
    return random_unit(&d->seed);
}

static int pick(dice* d, int count) {
    return (int)(unit(d) * count);
}

static double sign(dice* d) {
    return unit(d) < 0.5 ? -1 : 1;
}

// Log-uniform, and now and then zero. The wide range goes half the way (in decades) to the absurd.
typedef struct span {
    double low, high, least, most, zeros;
} span;

static double size(dice* d, span s) {
    if (unit(d) < s.zeros) return 0;
    if (d->range == ABSURD) return random_log(&d->seed, s.least, s.most);
    if (d->range == WIDE)
        return random_log(&d->seed, sqrt(s.low * s.least), sqrt(s.high) * sqrt(s.most));
    return random_log(&d->seed, s.low, s.high);
}

// Ranges: sane from, to; schema from, to; how often zero.
static const span masses = {1e-4, 1, 1e-12, 1e12, 0};          // kg
static const span damping = {0.1, 1e4, 1e-9, 1e9, 0.5};        // 1/s
static const span lengths = {1e-5, 1e-3, 1e-12, 1e6, 0.1};     // m
static const span gaps = {1e-6, 1e-4, 1e-12, 1e6, 0.4};        // m
static const span speeds = {0.01, 10, 1e-9, 1e6, 0.3};         // m/s
static const span stiffnesses = {1e3, 1e10, 1e-6, 1e30, 0.05}; // N/m^alpha
static const span losses = {1e-3, 10, 1e-9, 1e9, 0.6};         // s/m
static const span linear = {1, 1e6, 1e-6, 1e20, 0.3};          // N/m
static const span cubic = {1e3, 1e12, 1e-6, 1e30, 0.5};        // N/m^3
static const span dampers = {1e-3, 10, 1e-9, 1e12, 0.5};       // N s/m
static const span peaks = {1e-3, 1e2, 1e-9, 1e12, 0.05};       // N
static const span gravities = {1, 20, 1e-6, 1e6, 0.1};         // m/s^2
static const span rates = {8000, 192000, 1e-3, 1e9, 0};        // Hz

static sis_id random_mass(dice* d, sis_scene* scene, double rate) {
    sis_mass_def def = sis_mass_default();
    def.mass = size(d, masses);
    if (unit(d) < 0.4) def.frequency = unit(d) * 0.3 * rate * (unit(d) < 0.2 ? 1 : 0.01);
    if (def.frequency > 1e9) def.frequency = 1e9;
    def.damping = size(d, damping);
    def.position = sign(d) * size(d, lengths);
    def.velocity = sign(d) * size(d, speeds);
    return put(scene, SIS_KIND_MASS, &def);
}

static sis_id random_hand(dice* d, sis_scene* scene, double rate) {
    double path[12];
    double t = -2 / rate;
    for (int i = 0; i < 6; i++) {
        path[2 * i] = t;
        path[2 * i + 1] = sign(d) * size(d, lengths);
        t += random_log(&d->seed, 0.1, 200) / rate;
    }
    sis_mass_def def = sis_mass_default();
    def.path = (sis_envelope){path, 1 + pick(d, 6)};
    return put(scene, SIS_KIND_MASS, &def);
}

// A string whose grid has some dozen points at this rate, of any model.
static sis_id random_string(dice* d, sis_scene* scene, double rate) {
    static const span extent = {0.1, 3, 1e-3, 1e4, 0}, weight = {1e-4, 0.1, 1e-9, 1e6, 0};
    static const span thickness = {1e-4, 1e-3, 1e-9, 10, 0}, modulus = {1e9, 4e11, 1, 1e14, 0.3};
    static const span slow = {0.1, 20, 1e-9, 1e6, 0.3}, steep = {1e-5, 1e-2, 1e-9, 1e3, 0.3};
    sis_string_def def = sis_string_default();
    const double segments = 4 + 30 * unit(d);
    def.length = size(d, extent);
    def.density = size(d, weight);
    const double speed = def.length * rate / segments;
    def.tension = fmin(1e9, def.density * speed * speed * (0.2 + unit(d)));
    def.radius = size(d, thickness);
    def.youngs = size(d, modulus);
    def.sigma0 = size(d, slow);
    def.sigma1 = size(d, steep);
    def.model = (sis_string_model)pick(d, 4);
    def.ends = (sis_ends)pick(d, 2);
    def.tuned = unit(d) < 0.7;
    if (def.model == SIS_STRING_IMPLICIT && unit(d) < 0.3) def.gamma = 3 * unit(d) - 0.9;
    if (unit(d) < 0.3) def.nonlinear = SIS_KIRCHHOFF_CARRIER;
    if (d->range == ABSURD || unit(d) < 0.3) def.segments = 2 + pick(d, 30);
    const sis_id id = sis_scene_add_string(scene, &def, NULL);
    if (id == SIS_NONE) return id;
    d->string[d->strings] = id;
    d->length[d->strings++] = def.length;
    if (unit(d) < 0.5) return id;
    sis_pluck_def pluck = sis_pluck_default();
    pluck.on = id;
    pluck.shape = (sis_pluck_shape)pick(d, 2);
    pluck.at = def.length * (0.2 + 0.6 * unit(d));
    pluck.height = fmin(1e3, sign(d) * size(d, lengths));
    if (pluck.shape == SIS_PLUCK_RAISED_COSINE) pluck.width = 0.3 * def.length;
    sis_scene_add_pluck(scene, &pluck, NULL);
    return id;
}

// Places along whichever bodies are strings.
static double a_place(dice* d, sis_id id) {
    for (int32_t i = 0; id >= 0 && i < d->strings; i++)
        if (d->string[i] == id) return d->length[i] * unit(d);
    return (double)NAN;
}

static void random_contact(dice* d, sis_scene* scene, const sis_id* ids, int count) {
    static const double common[] = {1, 1.3, 1.5, 2, 2.5, 3};
    sis_contact_def def = sis_contact_default();
    def.above = ids[pick(d, count)];
    def.below = ids[pick(d, count)];
    double above[2] = {a_place(d, def.above), a_place(d, def.above)};
    double below[2] = {a_place(d, def.below), a_place(d, def.below)};
    const bool points = unit(d) < 0.6;
    if (points && !isnan(above[0])) def.at_above = (sis_list){above, 1 + pick(d, 2)};
    if (points && !isnan(below[0])) def.at_below = (sis_list){below, 1 + pick(d, 2)};
    if (unit(d) < 0.3) def.interpolation = pick(d, 2);
    def.K = size(d, stiffnesses);
    static const double steepest[] = {3.5, 7, 20};
    def.alpha = unit(d) < 0.4 ? common[pick(d, 6)] : 1 + (steepest[d->range] - 1) * unit(d);
    def.law = unit(d) < 0.6 ? SIS_LAW_ONE_SIDED : (sis_law)pick(d, 3);
    def.gap = sign(d) * size(d, gaps);
    if (def.law == SIS_LAW_CENTRE_LIMITED) def.gap = fabs(def.gap);
    def.damping = size(d, losses);
    const method* how = &methods[pick(d, METHODS)];
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    if (how->scheme == SIS_SCHEME_EXACT) def.damping = 0;
    // Meaningless pairs are refused: that is fine.
    if (sis_scene_add_contact(scene, &def, NULL) == SIS_NONE) return;
    d->pushes[d->contacts++] = def.law == SIS_LAW_ONE_SIDED && def.scheme != SIS_SCHEME_NEWTON &&
                               (def.scheme != SIS_SCHEME_QUADRATISED || def.release);
}

static void random_spring(dice* d, sis_scene* scene, const sis_id* ids, int count) {
    sis_spring_def def = sis_spring_default();
    def.a = ids[pick(d, count)];
    def.b = unit(d) < 0.3 ? SIS_GROUND : ids[pick(d, count)];
    def.at_a = a_place(d, def.a);
    def.at_b = a_place(d, def.b);
    def.K1 = size(d, linear);
    def.K3 = size(d, cubic);
    def.damping = size(d, dampers);
    sis_scene_add_spring(scene, &def, NULL);
}

static void random_force(dice* d, sis_scene* scene, const sis_id* ids, int count, double rate) {
    double curve[6] = {0, 1, 20 / rate, -1, 300 / rate, 0.5};
    sis_force_def def = sis_force_default();
    def.on = ids[pick(d, count)];
    def.at = a_place(d, def.on);
    def.shape = (sis_force_shape)pick(d, 5);
    def.peak = sign(d) * size(d, peaks);
    def.width = fmin(1e12, fmax(1e-12, random_log(&d->seed, 0.1, 1000) / rate));
    def.start = unit(d) < 0.4 ? 0 : unit(d) * FRAMES / rate;
    if (def.shape == SIS_FORCE_ENVELOPE) def.envelope = (sis_envelope){curve, 3};
    sis_scene_add_force(scene, &def, NULL);
}

static sis_scene* random_scene(dice* d, double rate) {
    sis_scene* scene = sis_scene_new();
    sis_id ids[2 * BODIES];
    int count = 0;
    for (int i = pick(d, BODIES); i >= 0; i--)
        ids[count++] = random_mass(d, scene, rate);
    if (unit(d) < 0.3) ids[count++] = random_hand(d, scene, rate);
    if (unit(d) < 0.7) {
        sis_barrier_def def = sis_barrier_default();
        def.height = sign(d) * size(d, lengths);
        ids[count++] = put(scene, SIS_KIND_BARRIER, &def);
    }
    for (int i = pick(d, 5) - 2; i > 0; i--) {
        const sis_id id = random_string(d, scene, rate);
        if (id == SIS_NONE) continue;
        ids[count++] = id;
    }
    for (int i = pick(d, 7); i >= 0; i--)
        random_contact(d, scene, ids, count);
    for (int i = pick(d, 4); i > 0; i--)
        random_spring(d, scene, ids, count);
    for (int i = pick(d, 4); i > 0; i--)
        random_force(d, scene, ids, count, rate);
    if (unit(d) < 0.3) put_gravity(scene, sign(d) * size(d, gravities));
    for (int i = 0; i < count; i++) {
        sis_probe_def def = sis_probe_default();
        def.on = ids[i];
        def.at = a_place(d, ids[i]);
        sis_scene_add_probe(scene, &def, NULL);
        def.quantity = SIS_QUANTITY_VELOCITY;
        sis_scene_add_probe(scene, &def, NULL);
        put_probe(scene, ids[i], SIS_QUANTITY_FORCE);
    }
    return scene;
}

static bool all_finite(const run* r) {
    for (size_t i = 0; i < (size_t)r->frames * (size_t)r->probes; i++)
        if (!isfinite(r->rows[i])) return false;
    for (int32_t n = 0; n < r->frames; n++) {
        const sis_energy e = r->energy[n];
        if (!isfinite(e.kinetic + e.elastic + e.contact + e.supplied + e.dissipated + e.total +
                      e.residual))
            return false;
    }
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report l = sis_state_link(r->system, r->state, i);
        if (!isfinite(l.max_penetration + l.max_force + l.min_force + l.trapped_max)) return false;
    }
    return true;
}

// The largest of total, supplied and dissipated.
static double energy_scale(const run* r) {
    double scale = 0;
    for (int32_t n = 0; n < r->frames; n++) {
        const sis_energy e = r->energy[n];
        scale = fmax(scale, fmax(e.total, fmax(fabs(e.supplied), e.dissipated)));
    }
    return scale;
}

// Largest residual over that.
static double imbalance(const run* r) {
    double most = 0;
    for (int32_t n = 0; n < r->frames; n++)
        most = fmax(most, fabs(r->energy[n].residual));
    return most > 0 ? most / energy_scale(r) : 0;
}

// One-sided contacts push, unless they are the published psi scheme; rounding is not a pull.
static bool only_pushes(const dice* d, const run* r) {
    int contact = 0;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report report = sis_state_link(r->system, r->state, i);
        if (sis_system_link(r->system, i).kind == SIS_KIND_CONTACT && d->pushes[contact++] &&
            !(report.min_force >= -1e-12 * fabs(report.max_force)))
            return false;
    }
    return true;
}

// A force f moves its bodies by G f in a step. Where that is far more than they move in the end,
// its rounding eps G f works against f: the most that can add up to, relative to the energies at
// hand.
static double rounding_work(const run* r) {
    double work = 0;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report report = sis_state_link(r->system, r->state, i);
        const double force = fmax(fabs(report.max_force), fabs(report.min_force));
        work += FRAMES * DBL_EPSILON * sis_system_link(r->system, i).compliance * force * force;
    }
    return work / energy_scale(r);
}

static bool same(const run* a, const run* b) {
    return memcmp(a->rows, b->rows, (size_t)a->frames * (size_t)a->probes * sizeof(double)) == 0 &&
           memcmp(a->energy, b->energy, (size_t)a->frames * sizeof(sis_energy)) == 0;
}

typedef struct tally {
    int compiled, refused, newton, loose;
    double worst, worst_newton;
    uint32_t iterations;
} tally;

static bool uses_newton(const sis_system* system) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        const sis_link_info info = sis_system_link(system, i);
        if (info.kind == SIS_KIND_CONTACT && info.scheme == SIS_SCHEME_NEWTON) return true;
    }
    return false;
}

static void check_runs(const dice* d, uint64_t seed, const run* r, const run* cut, tally* t) {
    const bool newton = uses_newton(r->system), finite = all_finite(r), pushes = only_pushes(d, r);
    const double off = imbalance(r);
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const uint32_t iterations = sis_state_link(r->system, r->state, i).iterations_max;
        if (iterations > t->iterations) t->iterations = iterations;
    }
    // At the ends of the schema (a kilotonne on a hair, samples of a thousand seconds) double has
    // no digits left for balances: there every number must be one, and the same for any block size.
    // Nearer to instruments the books close, and a contact never pulls.
    CHECK(finite);
    CHECK(same(r, cut));
    const double bound = newton || off == 0 || d->range == ABSURD ? HUGE_VAL
                         : d->range == WIDE                       ? 1e-10 + rounding_work(r)
                                                                  : 1e-10;
    CHECK_NEAR(off, 0, bound);
    CHECK(pushes || d->range == ABSURD);
    if (!finite || (!pushes && d->range != ABSURD) || !(off <= bound))
        printf("    seed %llu %s: finite %d, pushes %d, residual %.3g\n", (unsigned long long)seed,
               range_names[d->range], finite, pushes, off);
    t->loose += !newton && !(off <= 1e-10);
    t->compiled++;
    t->newton += newton;
    if (newton)
        t->worst_newton = fmax(t->worst_newton, off);
    else
        t->worst = fmax(t->worst, off);
}

static void try_one(uint64_t seed, range wild, tally* t) {
    dice d = {.seed = seed, .range = wild};
    const double rate = size(&d, rates);
    sis_scene* scene = random_scene(&d, rate);
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
    sis_system* system = sis_compile(scene, &options, &error);
    sis_system* twin = sis_compile(scene, &options, NULL);
    sis_scene_free(scene);
    CHECK((system == NULL) == (twin == NULL));
    if (!system || !twin) {
        CHECK(error.status != SIS_OK && *error.text);
        sis_system_free(system);
        sis_system_free(twin);
        t->refused++;
        return;
    }
    run r = run_system(system, FRAMES, FRAMES);
    run cut = run_system(twin, FRAMES, 1 + (int32_t)(seed % 37));
    check_runs(&d, seed, &r, &cut, t);
    run_free(&r);
    run_free(&cut);
}

static void try_many(int count, range wild) {
    tally t = {.compiled = 0};
    for (int i = 0; i < count; i++)
        try_one((uint64_t)i * 7919 + (uint64_t)wild, wild, &t);
    printf(
        "  %s: %d ran (%d with newton), %d refused; residual %.1e (above 1e-10: %d), with newton "
        "%.1e; most iterations %u\n",
        range_names[wild], t.compiled, t.newton, t.refused, t.worst, t.loose, t.worst_newton,
        t.iterations);
    CHECK(t.loose == 0 || wild != SANE);
    CHECK(t.compiled > count / 3);
}

static void sane_networks_hold(void) {
    try_many(check_count(SANITIZED ? 60 : 130, 400), SANE);
}

static void wide_networks_hold(void) {
    try_many(check_count(SANITIZED ? 80 : 160, 500), WIDE);
}

static void absurd_networks_hold(void) {
    try_many(check_count(SANITIZED ? 80 : 160, 500), ABSURD);
}

// One mass on a wall with the schemes that are made for it; root goes on where it has no real root.
static sis_scene* random_wall(dice* d, double rate) {
    sis_scene* scene = sis_scene_new();
    const sis_id mass = random_mass(d, scene, rate);
    sis_barrier_def stop = sis_barrier_default();
    stop.height = sign(d) * size(d, lengths);
    const sis_id barrier = put(scene, SIS_KIND_BARRIER, &stop);
    sis_contact_def def = sis_contact_default();
    const bool below = unit(d) < 0.5;
    def.above = below ? barrier : mass;
    def.below = below ? mass : barrier;
    def.K = size(d, stiffnesses);
    def.alpha = 1 + pick(d, 5) * 0.5 + (unit(d) < 0.3 ? 15 * unit(d) : 0);
    def.scheme = (sis_scheme)(SIS_SCHEME_ROOT + pick(d, SIS_SCHEME_COUNT - SIS_SCHEME_ROOT));
    if (def.scheme == SIS_SCHEME_ROOT) {
        def.s = random_log(&d->seed, 0.01, 100);
        def.clamp = true;
        def.law = (sis_law)pick(d, 3);
    } else {
        def.damping = size(d, losses);
        def.corrected = def.scheme != SIS_SCHEME_INVARIANT && unit(d) < 0.5;
    }
    sis_scene_add_contact(scene, &def, NULL);
    if (unit(d) < 0.5) put_gravity(scene, sign(d) * size(d, gravities));
    random_force(d, scene, &mass, 1, rate);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, mass, SIS_QUANTITY_FORCE);
    return scene;
}

static bool walls_report_numbers(const run* r) {
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_report l = sis_state_link(r->system, r->state, i);
        if (!isfinite(l.lowest + l.lowest_bound + l.discriminant + l.drift_max + l.drift_sum))
            return false;
    }
    return all_finite(r);
}

static void walls_hold(void) {
    int ran = 0;
    const int count = check_count(SANITIZED ? 200 : 400, 1200);
    for (int i = 0; i < count; i++) {
        dice d = {.seed = (uint64_t)i * 104729 + 1, .range = (range)(i % 3)};
        const double rate = size(&d, rates);
        sis_scene* scene = random_wall(&d, rate);
        const sis_options options = {
            .rate = rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
        sis_system *system = sis_compile(scene, &options, NULL),
                   *twin = sis_compile(scene, &options, NULL);
        sis_scene_free(scene);
        CHECK((system == NULL) == (twin == NULL));
        if (!system || !twin) continue;
        run r = run_system(system, FRAMES, FRAMES), cut = run_system(twin, FRAMES, 1 + i % 37);
        CHECK(walls_report_numbers(&r));
        CHECK(same(&r, &cut));
        run_free(&r);
        run_free(&cut);
        ran++;
    }
    printf("  %d walls ran\n", ran);
    CHECK(ran > count / 12 * 7);
}

int main(void) {
    RUN(walls_hold);
    RUN(sane_networks_hold);
    RUN(wide_networks_hold);
    RUN(absurd_networks_hold);
    return CHECK_REPORT();
}
