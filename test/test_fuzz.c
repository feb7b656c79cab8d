// Random legal networks, sane and absurd: nothing becomes infinite, the books balance, pushes only
// push, and the results do not depend on how the samples are cut into blocks.
#include <float.h>
#include <stdlib.h>

#include "check.h"
#include "reference.h"

enum { FRAMES = 500, BODIES = 6 };

typedef struct dice {
    uint64_t seed;
    bool absurd; // the whole range of the schema, or what a workshop could hold
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

// Log-uniform in the absurd or the sane range, now and then zero.
static double size(dice* d, double low, double high, double least, double most, double zeros) {
    if (unit(d) < zeros) return 0;
    return d->absurd ? random_log(&d->seed, least, most) : random_log(&d->seed, low, high);
}

static sis_id random_mass(dice* d, sis_scene* scene, double rate) {
    sis_mass_def def = sis_mass_default();
    def.mass = size(d, 1e-4, 1, 1e-12, 1e12, 0);
    if (unit(d) < 0.4) def.frequency = unit(d) * 0.3 * rate * (unit(d) < 0.2 ? 1 : 0.01);
    if (def.frequency > 1e9) def.frequency = 1e9;
    def.damping = size(d, 0.1, 1e4, 1e-9, 1e9, 0.5);
    def.position = sign(d) * size(d, 1e-5, 1e-3, 1e-12, 1e6, 0.1);
    def.velocity = sign(d) * size(d, 0.01, 10, 1e-9, 1e6, 0.3);
    return put(scene, SIS_KIND_MASS, &def);
}

static sis_id random_hand(dice* d, sis_scene* scene, double rate) {
    double path[12];
    double t = -2 / rate;
    for (int i = 0; i < 6; i++) {
        path[2 * i] = t;
        path[2 * i + 1] = sign(d) * size(d, 1e-5, 1e-3, 1e-12, 1e6, 0.1);
        t += random_log(&d->seed, 0.1, 200) / rate;
    }
    sis_mass_def def = sis_mass_default();
    def.path = (sis_envelope){path, 1 + pick(d, 6)};
    return put(scene, SIS_KIND_MASS, &def);
}

static void random_contact(dice* d, sis_scene* scene, const sis_id* ids, int count) {
    static const double common[] = {1, 1.3, 1.5, 2, 2.5, 3};
    sis_contact_def def = sis_contact_default();
    def.above = ids[pick(d, count)];
    def.below = ids[pick(d, count)];
    def.K = size(d, 1e3, 1e10, 1e-6, 1e30, 0.05);
    def.alpha = unit(d) < 0.4 ? common[pick(d, 6)]
                : d->absurd   ? 1 + 19 * unit(d)
                              : 1 + 2.5 * unit(d);
    def.law = unit(d) < 0.6 ? SIS_LAW_ONE_SIDED : (sis_law)pick(d, 3);
    def.gap = sign(d) * size(d, 1e-6, 1e-4, 1e-12, 1e6, 0.4);
    if (def.law == SIS_LAW_CENTRE_LIMITED) def.gap = fabs(def.gap);
    def.damping = size(d, 1e-3, 10, 1e-9, 1e9, 0.6);
    const method* how = &methods[pick(d, METHODS)];
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    if (how->scheme == SIS_SCHEME_EXACT) def.damping = 0;
    sis_scene_add_contact(scene, &def, NULL); // meaningless pairs are refused: that is fine
}

static void random_spring(dice* d, sis_scene* scene, const sis_id* ids, int count) {
    sis_spring_def def = sis_spring_default();
    def.a = ids[pick(d, count)];
    def.b = unit(d) < 0.3 ? SIS_GROUND : ids[pick(d, count)];
    def.K1 = size(d, 1, 1e6, 1e-6, 1e20, 0.3);
    def.K3 = size(d, 1e3, 1e12, 1e-6, 1e30, 0.5);
    def.damping = size(d, 1e-3, 10, 1e-9, 1e12, 0.5);
    sis_scene_add_spring(scene, &def, NULL);
}

static void random_force(dice* d, sis_scene* scene, const sis_id* ids, int count, double rate) {
    double curve[6] = {0, 1, 20 / rate, -1, 300 / rate, 0.5};
    sis_force_def def = sis_force_default();
    def.on = ids[pick(d, count)];
    def.shape = (sis_force_shape)pick(d, 5);
    def.peak = sign(d) * size(d, 1e-3, 1e2, 1e-9, 1e12, 0.05);
    def.width = fmin(1e12, fmax(1e-12, random_log(&d->seed, 0.1, 1000) / rate));
    def.start = unit(d) < 0.4 ? 0 : unit(d) * FRAMES / rate;
    if (def.shape == SIS_FORCE_ENVELOPE) def.envelope = (sis_envelope){curve, 3};
    sis_scene_add_force(scene, &def, NULL);
}

static sis_scene* random_scene(dice* d, double rate) {
    sis_scene* scene = sis_scene_new();
    sis_id ids[2 * BODIES];
    int count = 0;
    const int masses = 1 + pick(d, BODIES);
    for (int i = 0; i < masses; i++)
        ids[count++] = random_mass(d, scene, rate);
    if (unit(d) < 0.3) ids[count++] = random_hand(d, scene, rate);
    if (unit(d) < 0.7) {
        sis_barrier_def def = sis_barrier_default();
        def.height = sign(d) * size(d, 1e-5, 1e-3, 1e-12, 1e6, 0.3);
        ids[count++] = put(scene, SIS_KIND_BARRIER, &def);
    }
    for (int i = pick(d, 7); i >= 0; i--)
        random_contact(d, scene, ids, count);
    for (int i = pick(d, 4); i > 0; i--)
        random_spring(d, scene, ids, count);
    for (int i = pick(d, 4); i > 0; i--)
        random_force(d, scene, ids, count, rate);
    if (unit(d) < 0.3) put_gravity(scene, sign(d) * size(d, 1, 20, 1e-6, 1e6, 0.1));
    for (int i = 0; i < count; i++) {
        put_probe(scene, ids[i], SIS_QUANTITY_DISPLACEMENT);
        put_probe(scene, ids[i], SIS_QUANTITY_VELOCITY);
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

// Largest residual over the largest of total, supplied and dissipated.
static double imbalance(const run* r) {
    double most = 0, scale = 0;
    for (int32_t n = 0; n < r->frames; n++) {
        const sis_energy e = r->energy[n];
        most = fmax(most, fabs(e.residual));
        scale = fmax(scale, fmax(e.total, fmax(fabs(e.supplied), e.dissipated)));
    }
    return most > 0 ? most / scale : 0;
}

// A one-sided contact that is not the published psi scheme only pushes. Contacts of a scene know
// their law, links do not: the tell-tale is the probe of their definition, so the scene is asked
// again.
static bool same(const run* a, const run* b) {
    return memcmp(a->rows, b->rows, (size_t)a->frames * (size_t)a->probes * sizeof(double)) == 0 &&
           memcmp(a->energy, b->energy, (size_t)a->frames * sizeof(sis_energy)) == 0;
}

typedef struct tally {
    int compiled, refused, newton;
    double worst, worst_newton;
    uint32_t iterations;
} tally;

static void try_one(uint64_t seed, bool absurd, tally* t) {
    dice d = {seed, absurd};
    const double rate = absurd ? random_log(&d.seed, 1e-3, 1e9) : random_log(&d.seed, 8000, 192000);
    sis_scene* scene = random_scene(&d, rate);
    sis_error error = {SIS_OK, ""};
    const sis_options options = {rate, SIS_SCHEME_AS_GIVEN};
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
    run r = run_system(system, FRAMES, FRAMES),
        cut = run_system(twin, FRAMES, 1 + (int32_t)(seed % 37));
    bool newton = false;
    for (int32_t i = 0; i < sis_system_link_count(system); i++) {
        const sis_link_info info = sis_system_link(system, i);
        newton = newton || (info.kind == SIS_KIND_CONTACT && info.scheme == SIS_SCHEME_NEWTON);
        const uint32_t iterations = sis_state_link(system, r.state, i).iterations_max;
        if (iterations > t->iterations) t->iterations = iterations;
    }
    const bool finite = all_finite(&r);
    const double off = imbalance(&r);
    CHECK(finite);
    CHECK(same(&r, &cut));
    if (!newton) CHECK_NEAR(off, 0, 1e-10);
    if (!finite || (!newton && !(off <= 1e-10)))
        printf("    seed %llu %s: finite %d, residual %.3g\n", (unsigned long long)seed,
               absurd ? "absurd" : "sane", finite, off);
    t->compiled++;
    t->newton += newton;
    if (newton)
        t->worst_newton = fmax(t->worst_newton, off);
    else
        t->worst = fmax(t->worst, off);
    run_free(&r);
    run_free(&cut);
}

static void try_many(int count, bool absurd) {
    tally t = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < count; i++)
        try_one((uint64_t)i * 7919 + (absurd ? 1 : 2), absurd, &t);
    printf("  %s: %d ran (%d with newton), %d refused; residual %.1e, with newton %.1e; most "
           "iterations %u\n",
           absurd ? "absurd" : "sane", t.compiled, t.newton, t.refused, t.worst, t.worst_newton,
           t.iterations);
    CHECK(t.compiled > count / 3);
}

static void sane_networks_hold(void) {
    try_many(400, false);
}

static void absurd_networks_hold(void) {
    try_many(600, true);
}

int main(void) {
    RUN(sane_networks_hold);
    RUN(absurd_networks_hold);
    return CHECK_REPORT();
}
