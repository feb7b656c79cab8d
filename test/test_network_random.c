// Random networks of every kind of body and link, of the size of instruments: no number is lost,
// the books balance, pushes only push, and no result depends on how the samples are cut into
// blocks.
#include "check.h"
#include "reference.h"

// Long runs where they are fast.
#if defined(__OPTIMIZE__) && !SANITIZED
enum { FRAMES = 1200 };
#else
enum { FRAMES = 200 };
#endif
enum { CUT_FRAMES = FRAMES / 4, BODIES = 6 };

static const double nowhere = (double)NAN; // the place of a body without any

// A body and where it may be touched.
typedef struct thing {
    sis_id id;
    sis_kind kind;
    double length, width;
    int points;
    double height; // of a barrier
} thing;

typedef struct dice {
    uint64_t seed;
    double rate;
    thing things[BODIES];
    int count;
    int contacts;
    bool pushes[64]; // contact i may only push
} dice;

static double unit(dice* d) {
    return random_unit(&d->seed);
}

static int pick(dice* d, int count) {
    return (int)(unit(d) * count);
}

static double between(dice* d, double low, double high) {
    return random_log(&d->seed, low, high);
}

// Now and then nothing.
static double maybe(dice* d, double part, double low, double high) {
    return unit(d) < part ? between(d, low, high) : 0;
}

static double either(dice* d, double x) {
    return unit(d) < 0.5 ? -x : x;
}

// ---------------------------------------------------------------------------- bodies

static thing random_mass(dice* d, sis_scene* scene) {
    sis_mass_def m = sis_mass_default();
    m.mass = between(d, 1e-4, 0.1);
    if (unit(d) < 0.6) m.frequency = between(d, 1, 0.1 * d->rate);
    m.damping = maybe(d, 0.5, 0.1, 100);
    m.position = either(d, maybe(d, 0.7, 1e-5, 1e-3));
    m.velocity = either(d, maybe(d, 0.6, 0.01, 3));
    return (thing){.id = sis_scene_add_mass(scene, &m, NULL), .kind = SIS_KIND_MASS};
}

static thing random_hand(dice* d, sis_scene* scene) {
    double path[12], t = 0;
    for (int i = 0; i < 6; i++) {
        path[2 * i] = t;
        path[2 * i + 1] = either(d, maybe(d, 0.8, 1e-5, 1e-3));
        t += between(d, 10, 500) / d->rate;
    }
    sis_mass_def m = sis_mass_default();
    m.path = (sis_envelope){path, 2 + pick(d, 5)};
    return (thing){.id = sis_scene_add_mass(scene, &m, NULL), .kind = SIS_KIND_MASS};
}

static thing random_barrier(dice* d, sis_scene* scene) {
    sis_barrier_def b = sis_barrier_default();
    b.height = either(d, maybe(d, 0.8, 1e-5, 1e-3));
    return (thing){
        .id = sis_scene_add_barrier(scene, &b, NULL), .kind = SIS_KIND_BARRIER, .height = b.height};
}

// Of any model, with some twenty points at this rate.
static thing random_string(dice* d, sis_scene* scene) {
    sis_string_def s = sis_string_default();
    s.length = between(d, 0.2, 2);
    s.density = between(d, 5e-4, 0.02);
    const double speed = s.length * d->rate / (5 + 20 * unit(d));
    s.tension = s.density * speed * speed * (0.3 + 0.7 * unit(d));
    s.radius = between(d, 1e-4, 1e-3);
    s.youngs = maybe(d, 0.7, 1e9, 4e11);
    s.sigma0 = maybe(d, 0.7, 0.1, 20);
    s.sigma1 = maybe(d, 0.6, 1e-5, 1e-2);
    s.model = (sis_string_model)pick(d, 4);
    s.tuned = unit(d) < 0.7;
    if (s.model != SIS_STRING_MODAL) s.ends = (sis_ends)pick(d, 2);
    if (s.model != SIS_STRING_TRAPEZOID && s.youngs > 0 && unit(d) < 0.15)
        s.nonlinear = SIS_KIRCHHOFF_CARRIER;
    const thing t = {
        .id = sis_scene_add_string(scene, &s, NULL), .kind = SIS_KIND_STRING, .length = s.length};
    if (t.id == SIS_NONE || unit(d) < 0.4) return t;
    sis_pluck_def p = sis_pluck_default();
    p.on = t.id;
    p.at = s.length * (0.2 + 0.6 * unit(d));
    p.height = either(d, between(d, 1e-5, 1e-3));
    sis_scene_add_pluck(scene, &p, NULL);
    return t;
}

// Plates and membranes, coarse: 3 to 8 intervals each way or, modal, a dozen modes.
static thing random_plate(dice* d, sis_scene* scene) {
    sis_plate_def p = sis_plate_default();
    p.thickness = between(d, 2e-4, 5e-3);
    p.material_density = between(d, 300, 8000);
    const bool membrane = unit(d) < 0.4;
    p.youngs = membrane ? 0 : between(d, 1e8, 2e11);
    p.tension = membrane || unit(d) < 0.3 ? between(d, 100, 1e4) : 0;
    p.sigma0 = maybe(d, 0.7, 0.1, 20);
    p.sigma1 = maybe(d, 0.6, 1e-5, 1e-2);
    if (unit(d) < 0.4) p.edge = SIS_ENDS_CLAMPED;
    const double c2 = p.tension / (p.material_density * p.thickness), k = 1 / d->rate;
    const double kappa = sqrt(p.youngs * p.thickness * p.thickness /
                              (12 * (1 - p.poisson * p.poisson) * p.material_density));
    const double q = c2 * k * k + 4 * p.sigma1 * k;
    const double h = sqrt(q + sqrt(q * q + 16 * kappa * kappa * k * k));
    p.segments_x = 3 + pick(d, 6);
    p.segments_y = 3 + pick(d, 6);
    p.length = fmax(1e-3, p.segments_x * h * (1.001 + unit(d)));
    p.width = fmax(1e-3, p.segments_y * h * (1.001 + unit(d)));
    if (unit(d) < 0.3) {
        p.model = SIS_PLATE_MODAL;
        p.edge = SIS_ENDS_SUPPORTED;
        p.segments_x = p.segments_y = 0;
        p.modes = 1 + pick(d, 6);
    }
    return (thing){.id = sis_scene_add_plate(scene, &p, NULL),
                   .kind = SIS_KIND_PLATE,
                   .length = p.length,
                   .width = p.width};
}

static thing random_modal(dice* d, sis_scene* scene) {
    enum { MODES = 8, PLACES = 3 };
    double f[MODES], s[MODES], m[MODES], shape[MODES * PLACES];
    const int modes = 1 + pick(d, MODES), places = 1 + pick(d, PLACES);
    for (int i = 0; i < modes; i++) {
        f[i] = maybe(d, 0.95, 20, 0.45 * d->rate);
        s[i] = maybe(d, 0.7, 0.1, 100);
        m[i] = between(d, 1e-3, 0.1);
    }
    for (int i = 0; i < modes * places; i++)
        shape[i] = 2 * unit(d) - 1;
    sis_modal_def def = sis_modal_default();
    def.frequency = (sis_list){f, modes};
    def.sigma = (sis_list){s, modes};
    def.mass = (sis_list){m, modes};
    def.shape = (sis_list){shape, modes * places};
    def.points = places;
    return (thing){
        .id = sis_scene_add_modal(scene, &def, NULL), .kind = SIS_KIND_MODAL, .points = places};
}

// ---------------------------------------------------------------------------- links

typedef struct place {
    double x, y;
} place;

static place a_place(dice* d, const thing* t) {
    place p = {nowhere, nowhere};
    if (t->kind == SIS_KIND_STRING || t->kind == SIS_KIND_PLATE)
        p.x = t->length * (0.02 + 0.96 * unit(d));
    if (t->kind == SIS_KIND_PLATE) p.y = t->width * (0.02 + 0.96 * unit(d));
    if (t->kind == SIS_KIND_MODAL) p.x = 1 + pick(d, t->points);
    return p;
}

static int numbers(const thing* t) {
    if (t->kind == SIS_KIND_PLATE) return 2;
    return t->kind == SIS_KIND_STRING || t->kind == SIS_KIND_MODAL ? 1 : 0;
}

// `points` places, as a contact wants them.
static sis_list places(dice* d, const thing* t, int points, double* values) {
    for (int i = 0; i < points; i++) {
        const place p = a_place(d, t);
        values[i * numbers(t)] = p.x;
        if (numbers(t) == 2) values[2 * i + 1] = p.y;
    }
    return (sis_list){values, points * numbers(t)};
}

static const method* a_method(dice* d) {
    static const int often[] = {LEDGER,  LEDGER, LEDGER,  LEDGER_MID, NEWTON,
                                RELEASE, PLAIN,  RELEASE, LEDGER};
    return &methods[often[pick(d, 9)]];
}

static void random_contact(dice* d, sis_scene* scene) {
    const thing *above = &d->things[pick(d, d->count)], *below = &d->things[pick(d, d->count)];
    // A barrier is on the side where strings do not start inside it.
    if ((below->kind == SIS_KIND_BARRIER && below->height > 0) ||
        (above->kind == SIS_KIND_BARRIER && above->height < 0)) {
        const thing* other = above;
        above = below;
        below = other;
    }
    sis_contact_def c = sis_contact_default();
    c.above = above->id;
    c.below = below->id;
    double there[2][4];
    const int points = 1 + pick(d, 2);
    const bool range = above->kind == SIS_KIND_STRING && unit(d) < 0.3 &&
                       (below->kind == SIS_KIND_STRING || below->kind == SIS_KIND_BARRIER);
    if (!range && numbers(above)) c.at_above = places(d, above, points, there[0]);
    if (!range && numbers(below)) c.at_below = places(d, below, points, there[1]);
    if (unit(d) < 0.3) c.interpolation = pick(d, 2);
    c.alpha = unit(d) < 0.4 ? 1 + 0.5 * pick(d, 5) : 1 + 2 * unit(d);
    c.K = between(d, 1, 1e4) * pow(between(d, 1e-5, 1e-3), 1 - c.alpha) * (range ? 10 : 1);
    c.law = unit(d) < 0.7 ? SIS_LAW_ONE_SIDED : (sis_law)pick(d, 3);
    c.gap = maybe(d, 0.5, 1e-6, 1e-4);
    const method* how = a_method(d);
    c.scheme = how->scheme;
    c.release = how->release;
    c.potential = how->potential;
    if (how->scheme != SIS_SCHEME_NEWTON) c.damping = maybe(d, 0.3, 1e-3, 1);
    if (sis_scene_add_contact(scene, &c, NULL) == SIS_NONE) return;
    d->pushes[d->contacts++] = c.law == SIS_LAW_ONE_SIDED && how != &methods[PLAIN];
}

static void random_spring(dice* d, sis_scene* scene) {
    const thing *a = &d->things[pick(d, d->count)], *b = &d->things[pick(d, d->count)];
    const place at_a = a_place(d, a), at_b = a_place(d, b);
    sis_spring_def s = sis_spring_default();
    s.a = a->id;
    s.b = unit(d) < 0.2 ? SIS_GROUND : b->id;
    s.at_a = at_a.x;
    s.at_a_y = at_a.y;
    if (s.b != SIS_GROUND) {
        s.at_b = at_b.x;
        s.at_b_y = at_b.y;
    }
    if (unit(d) < 0.3)
        s.rigid = true;
    else {
        s.K1 = maybe(d, 0.7, 1, 1e5);
        s.K3 = maybe(d, 0.4, 1e3, 1e10);
        s.damping = maybe(d, 0.5, 1e-3, 10);
    }
    sis_scene_add_spring(scene, &s, NULL);
}

static void random_bow(dice* d, sis_scene* scene) {
    const thing* t = &d->things[pick(d, d->count)];
    const place at = a_place(d, t);
    double force[6], velocity[6];
    for (int i = 0; i < 3; i++) {
        force[2 * i] = velocity[2 * i] = 0.3 * i * FRAMES / d->rate;
        force[2 * i + 1] = maybe(d, 0.9, 0.01, 3);
        velocity[2 * i + 1] = either(d, maybe(d, 0.9, 0.01, 0.5));
    }
    sis_bow_def b = sis_bow_default();
    b.on = t->id;
    b.at = at.x;
    b.at_y = at.y;
    b.force_curve = (sis_envelope){force, 1 + pick(d, 3)};
    b.velocity_curve = (sis_envelope){velocity, 1 + pick(d, 3)};
    b.curve = between(d, 10, 1000);
    b.method = unit(d) < 0.4 ? SIS_BOW_LINEAR : SIS_BOW_NEWTON;
    sis_scene_add_bow(scene, &b, NULL);
}

static void random_force(dice* d, sis_scene* scene) {
    const thing* t = &d->things[pick(d, d->count)];
    const place at = a_place(d, t);
    sis_force_def f = sis_force_default();
    f.on = t->id;
    f.at = at.x;
    f.at_y = at.y;
    f.shape = (sis_force_shape)pick(d, 4);
    f.peak = either(d, f.shape == SIS_FORCE_IMPULSE ? between(d, 1e-6, 1e-3) : between(d, 1e-3, 5));
    f.width = between(d, 1, 500) / d->rate;
    f.start = unit(d) < 0.5 ? 0 : unit(d) * FRAMES / d->rate;
    sis_scene_add_force(scene, &f, NULL);
}

static void add_probes(dice* d, sis_scene* scene) {
    for (int i = 0; i < d->count; i++) {
        const place at = a_place(d, &d->things[i]);
        sis_probe_def p = sis_probe_default();
        p.on = d->things[i].id;
        p.at = at.x;
        p.at_y = at.y;
        sis_scene_add_probe(scene, &p, NULL);
        p.quantity = SIS_QUANTITY_VELOCITY;
        sis_scene_add_probe(scene, &p, NULL);
    }
}

static sis_scene* random_scene(dice* d) {
    sis_scene* scene = sis_scene_new();
    const int bodies = 2 + pick(d, BODIES - 1);
    while (d->count < bodies) {
        static thing (*const makers[])(dice*, sis_scene*) = {
            random_mass,  random_mass,  random_string, random_string, random_string,
            random_plate, random_plate, random_modal,  random_hand,   random_barrier};
        // the first one can move
        const thing t = makers[pick(d, d->count ? 10 : 8)](d, scene);
        if (t.id != SIS_NONE) d->things[d->count++] = t;
    }
    const int contacts = 1 + pick(d, 12);
    for (int tries = 0; tries < 40 && d->contacts < contacts; tries++)
        random_contact(d, scene);
    for (int i = pick(d, 4); i > 0; i--)
        random_spring(d, scene);
    for (int i = pick(d, 3); i > 0; i--)
        random_bow(d, scene);
    for (int i = pick(d, 3); i > 0; i--)
        random_force(d, scene);
    if (unit(d) < 0.3) put_gravity(scene, 9.81);
    add_probes(d, scene);
    return scene;
}

// ---------------------------------------------------------------------------- laws

static bool all_finite(const run* r) {
    for (size_t i = 0; i < (size_t)r->frames * (size_t)r->probes; i++)
        if (!isfinite(r->rows[i])) return false;
    for (int32_t n = 0; n < r->frames; n++)
        if (!isfinite(r->energy[n].total + r->energy[n].residual + r->energy[n].supplied +
                      r->energy[n].dissipated))
            return false;
    return true;
}

// Largest residual over the largest of total, supplied and dissipated.
static double imbalance(const run* r) {
    double scale = 0, most = 0;
    for (int32_t n = 0; n < r->frames; n++) {
        const sis_energy e = r->energy[n];
        scale = fmax(scale, fmax(e.total, fmax(fabs(e.supplied), e.dissipated)));
        most = fmax(most, fabs(e.residual));
    }
    return most / fmax(scale, 1e-12); // J: a network held fast has only rounding to weigh
}

// What is lost never comes back.
static bool losses_rise(const run* r) {
    for (int32_t n = 1; n < r->frames; n++)
        if (r->energy[n].dissipated < r->energy[n - 1].dissipated) return false;
    return true;
}

static bool only_pushes(const dice* d, const run* r) {
    int contact = 0;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++)
        if (sis_system_link(r->system, i).kind == SIS_KIND_CONTACT && d->pushes[contact++] &&
            !(sis_state_link(r->system, r->state, i).min_force >= 0))
            return false;
    return true;
}

static bool same(const run* r, const run* cut) {
    return memcmp(r->rows, cut->rows, (size_t)cut->frames * (size_t)cut->probes * sizeof(double)) ==
               0 &&
           memcmp(r->energy, cut->energy, (size_t)cut->frames * sizeof(sis_energy)) == 0;
}

static bool uses_newton(const sis_system* system) {
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        const sis_link_info info = sis_system_link(system, i);
        if (info.kind == SIS_KIND_CONTACT && info.scheme == SIS_SCHEME_NEWTON) return true;
    }
    return false;
}

typedef struct tally {
    int ran, refused, newton;
    int kinds[SIS_KIND_COUNT];
    int touched, largest_block;
    double worst, worst_newton;
} tally;

static void count(const run* r, tally* t) {
    for (int32_t i = 0; i < sis_system_body_count(r->system); i++)
        t->kinds[sis_system_body(r->system, i).kind]++;
    bool touched = false;
    for (int32_t i = 0; i < sis_system_link_count(r->system); i++) {
        const sis_link_info info = sis_system_link(r->system, i);
        t->kinds[info.kind]++;
        if (info.block_size > t->largest_block) t->largest_block = info.block_size;
        touched = touched || (info.kind == SIS_KIND_CONTACT &&
                              sis_state_link(r->system, r->state, i).contact_samples > 0);
    }
    t->touched += touched;
}

static void try_one(uint64_t seed, tally* t) {
    dice d = {.seed = seed};
    d.rate = between(&d, 8000, 96000);
    sis_scene* scene = random_scene(&d);
    const sis_options options = {.rate = d.rate, .scheme = SIS_SCHEME_AS_GIVEN, .unaudited = false};
    sis_error error = {.status = SIS_OK};
    sis_system *system = sis_compile(scene, &options, &error),
               *twin = sis_compile(scene, &options, NULL);
    sis_scene_free(scene);
    CHECK((system == NULL) == (twin == NULL));
    if (!system || !twin) {
        CHECK(error.status == SIS_REFUSED && *error.text);
        sis_system_free(system);
        sis_system_free(twin);
        t->refused++;
        return;
    }
    run r = run_system(system, FRAMES, FRAMES);
    run cut = run_system(twin, CUT_FRAMES, 1 + (int32_t)(seed % 61));
    const bool finite = all_finite(&r), pushes = only_pushes(&d, &r), bits = same(&r, &cut),
               rising = losses_rise(&r), newton = uses_newton(r.system);
    const double off = imbalance(&r);
    CHECK(finite);
    CHECK(pushes);
    CHECK(bits);
    CHECK(rising);
    CHECK_NEAR(off, 0, 1e-10);
    if (!finite || !pushes || !bits || !rising || !(off <= 1e-10))
        printf("    seed %llu: finite %d, pushes %d, same bits %d, losses rise %d, residual %.2g\n",
               (unsigned long long)seed, finite, pushes, bits, rising, off);
    t->ran++;
    t->newton += newton;
    if (newton)
        t->worst_newton = fmax(t->worst_newton, off);
    else
        t->worst = fmax(t->worst, off);
    count(&r, t);
    run_free(&r);
    run_free(&cut);
}

static void random_networks_hold(void) {
    tally t = {.ran = 0};
    const int scenes = check_count(200, 1000);
    for (int i = 0; t.ran < scenes && i < 2 * scenes; i++)
        try_one((uint64_t)i * 7919 + 17, &t);
    printf(
        "  %d ran %d samples (%d touched, %d with newton), %d refused; residual %.1e, with newton "
        "%.1e; largest block %d\n",
        t.ran, FRAMES, t.touched, t.newton, t.refused, t.worst, t.worst_newton, t.largest_block);
    static const sis_kind every[] = {SIS_KIND_MASS,  SIS_KIND_STRING,  SIS_KIND_PLATE,
                                     SIS_KIND_MODAL, SIS_KIND_CONTACT, SIS_KIND_SPRING,
                                     SIS_KIND_BOW};
    printf(" ");
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++) {
        printf(" %s %d", sis_kind_word(every[i]), t.kinds[every[i]]);
        CHECK(t.kinds[every[i]] > scenes / 10);
    }
    printf("\n");
    CHECK(t.ran == scenes);
    CHECK(t.touched > t.ran / 2);
}

int main(void) {
    RUN(random_networks_hold);
    return CHECK_REPORT();
}
