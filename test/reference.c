// Exact solutions and scene helpers of the physics tests.
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- exact solutions
//
// Both flight and contact are power series in time around the current instant, 30 terms, so every
// step is its own dense output. In contact p = x^alpha follows from p' x = alpha x' p:
//
//   j x_0 p_j = sum_{i=1..j} (i (alpha + 1) - j) x_i p_{j-i}
//
// x^alpha is singular where contact begins and ends; steps shrink with the distance to that point
// and stop at 1e-9 of the depth, where the work of the contact force is below 1e-18 of the energy.

enum { TERMS = 32 };
static const double touch_part = 1e-9;

double wall_theta(double alpha) {
    const double t = alpha + 1;
    return sqrt(PI) * tgamma(1 + 1 / t) / tgamma(0.5 + 1 / t);
}

double wall_depth(double mass, double K, double alpha, double speed) {
    return pow((alpha + 1) * mass * speed * speed / (2 * K), 1 / (alpha + 1));
}

double wall_stiffness(double mass, double alpha, double speed, double duration) {
    const double depth = speed * duration / (2 * wall_theta(alpha));
    return (alpha + 1) * mass * speed * speed / (2 * pow(depth, alpha + 1));
}

typedef struct series {
    double c[TERMS + 2]; // x(t) = sum c_j (t/unit)^j
    double unit;         // s, keeps the terms of one size
} series;

static series series_at(const wall* w, bool contact, double x0, double v0) {
    series s;
    double p[TERMS];
    double pace = w->omega + w->damping;
    if (contact) pace += fabs(v0) / x0 + sqrt(w->K * pow(x0, w->alpha - 1) / w->mass);
    s.unit = pace > 0 ? 1 / pace : 1;
    s.c[0] = x0;
    s.c[1] = v0 * s.unit;
    for (int j = 0; j < TERMS; j++) {
        double a = -w->omega * w->omega * (s.c[j] - (j == 0 ? w->rest : 0)) -
                   w->damping * (j + 1) * s.c[j + 1] / s.unit + (j == 0 ? w->force / w->mass : 0);
        if (contact) {
            double sum = 0, force;
            for (int i = 1; i <= j; i++)
                sum += (i * (w->alpha + 1) - j) * s.c[i] * p[j - i];
            p[j] = j == 0 ? pow(x0, w->alpha) : sum / (j * x0);
            force = p[j];
            for (int i = 0; i <= j; i++)
                force += w->mu * p[i] * (j - i + 1) * s.c[j - i + 1] / s.unit;
            a -= w->K / w->mass * force;
        }
        s.c[j + 2] = a * s.unit * s.unit / ((j + 1.0) * (j + 2.0));
    }
    return s;
}

static double position(const series* s, double t) {
    double sum = 0;
    for (int j = TERMS + 1; j >= 0; j--)
        sum = sum * (t / s->unit) + s->c[j];
    return sum;
}

static double velocity(const series* s, double t) {
    double sum = 0;
    for (int j = TERMS + 1; j >= 1; j--)
        sum = sum * (t / s->unit) + j * s->c[j];
    return sum / s->unit;
}

// Where the last terms fall below 1e-18 of x: 0.27 of the way to the nearest singularity.
static double contact_step(const series* s) {
    double step = 1;
    for (int j = TERMS; j <= TERMS + 1; j++)
        if (s->c[j] != 0) step = fmin(step, pow(1e-18 * s->c[0] / fabs(s->c[j]), 1.0 / j));
    return step * s->unit;
}

// First time in (0, end] at which sign (x - level) rises through 0, or -1.
static double crossing(const series* x, double level, double sign, double end) {
    enum { PARTS = 64 };
    for (int i = 0; i < PARTS; i++) {
        double low = end * i / PARTS, high = end * (i + 1) / PARTS;
        if (sign * (position(x, low) - level) > 0 || sign * (position(x, high) - level) <= 0)
            continue;
        for (int halving = 0; halving < 60; halving++) {
            const double middle = low + (high - low) / 2;
            if (sign * (position(x, middle) - level) > 0)
                high = middle;
            else
                low = middle;
        }
        return high;
    }
    return -1;
}

static double flight_step(const wall* w, double x0, double v0, double left) {
    const double pace = w->omega + w->damping;
    double step = pace > 0 ? fmin(left, 0.5 / pace) : left;
    const double pull = w->force / w->mass - w->omega * w->omega * (x0 - w->rest);
    if (x0 > 0 && pull != 0) step = fmin(step, 0.5 * fabs(v0 / pull)); // still in the sliver
    return step;
}

void wall_exact(const wall* w, double x0, double v0, double step, int32_t count, double* x,
                double* v) {
    const double end = step * count;
    double touch = touch_part * x0, t = 0;
    int32_t next = 0;
    bool contact = x0 > 0;
    while (next < count) {
        const series s = series_at(w, contact, x0, v0);
        double h = contact ? contact_step(&s) : flight_step(w, x0, v0, end - t);
        const double event = crossing(&s, contact ? touch : 0, contact ? -1 : 1, h);
        if (event >= 0) {
            h = event;
            v0 = velocity(&s, h);
            if (!contact) {
                touch = touch_part * wall_depth(w->mass, w->K, w->alpha, v0);
                h += touch / v0;
            }
            contact = !contact;
        }
        for (; next < count && next * step < t + h; next++) {
            x[next] = position(&s, next * step - t);
            if (v) v[next] = velocity(&s, next * step - t);
        }
        x0 = event >= 0 ? touch : position(&s, h);
        v0 = velocity(&s, h);
        t += h;
    }
}

// ---------------------------------------------------------------------------- methods

const method methods[METHODS] = {
    {"ledger", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MEAN},
    {"ledger midpoint", SIS_SCHEME_LEDGER, false, SIS_POTENTIAL_MIDPOINT},
    {"newton", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MEAN},
    {"newton midpoint", SIS_SCHEME_NEWTON, false, SIS_POTENTIAL_MIDPOINT},
    {"exact", SIS_SCHEME_EXACT, false, SIS_POTENTIAL_MEAN},
    {"quadratised release", SIS_SCHEME_QUADRATISED, true, SIS_POTENTIAL_MEAN},
    {"quadratised plain", SIS_SCHEME_QUADRATISED, false, SIS_POTENTIAL_MEAN},
};

// ---------------------------------------------------------------------------- scenes

static void give_up(const char* what, const sis_error* error) {
    fprintf(stderr, "%s: %s\n", what, error->text);
    exit(1);
}

sis_id put(sis_scene* scene, sis_kind kind, const void* def) {
    sis_error error = {.status = SIS_OK};
    const sis_id id = sis_scene_add(scene, kind, def, &error);
    if (id == SIS_NONE) give_up(sis_kind_word(kind), &error);
    return id;
}

sis_id put_mass(sis_scene* scene, double mass, double position_, double velocity_) {
    sis_mass_def def = sis_mass_default();
    def.mass = mass;
    def.position = position_;
    def.velocity = velocity_;
    return put(scene, SIS_KIND_MASS, &def);
}

sis_id put_barrier(sis_scene* scene, double height) {
    sis_barrier_def def = sis_barrier_default();
    def.height = height;
    return put(scene, SIS_KIND_BARRIER, &def);
}

sis_id put_contact(sis_scene* scene, sis_id above, sis_id below, double K, double alpha,
                   const method* how) {
    sis_contact_def def = sis_contact_default();
    def.above = above;
    def.below = below;
    def.K = K;
    def.alpha = alpha;
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    return put(scene, SIS_KIND_CONTACT, &def);
}

sis_id put_spring(sis_scene* scene, sis_id a, sis_id b, double K1, double K3, double damping) {
    sis_spring_def def = sis_spring_default();
    def.a = a;
    def.b = b;
    def.K1 = K1;
    def.K3 = K3;
    def.damping = damping;
    return put(scene, SIS_KIND_SPRING, &def);
}

sis_id put_force(sis_scene* scene, sis_id on, sis_force_shape shape, double peak, double width,
                 double start) {
    sis_force_def def = sis_force_default();
    def.on = on;
    def.shape = shape;
    def.peak = peak;
    def.width = width;
    def.start = start;
    return put(scene, SIS_KIND_FORCE, &def);
}

sis_id put_gravity(sis_scene* scene, double g) {
    sis_gravity_def def = sis_gravity_default();
    def.g = g;
    return put(scene, SIS_KIND_GRAVITY, &def);
}

void put_probe(sis_scene* scene, sis_id on, sis_quantity quantity) {
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.quantity = quantity;
    put(scene, SIS_KIND_PROBE, &def);
}

sis_scene* bounce_scene(const bounce* b, const method* how) {
    sis_scene* scene = sis_scene_new();
    sis_mass_def body = sis_mass_default();
    body.mass = b->mass;
    body.frequency = b->frequency > 0 ? b->frequency : (double)NAN;
    body.damping = b->damping;
    body.position = b->flipped ? -b->position : b->position;
    body.velocity = b->flipped ? -b->velocity : b->velocity;
    const sis_id mass = put(scene, SIS_KIND_MASS, &body);
    const sis_id wall_ = put_barrier(scene, b->flipped ? -b->height : b->height);
    sis_contact_def def = sis_contact_default();
    def.above = b->flipped ? mass : wall_;
    def.below = b->flipped ? wall_ : mass;
    def.K = b->K;
    def.alpha = b->alpha;
    def.damping = b->mu;
    def.scheme = how->scheme;
    def.release = how->release;
    def.potential = how->potential;
    const sis_id contact = put(scene, SIS_KIND_CONTACT, &def);
    put_probe(scene, mass, SIS_QUANTITY_DISPLACEMENT);
    put_probe(scene, mass, SIS_QUANTITY_VELOCITY);
    put_probe(scene, contact, SIS_QUANTITY_FORCE);
    put_probe(scene, contact, SIS_QUANTITY_PENETRATION);
    return scene;
}

// ---------------------------------------------------------------------------- runs

run run_system(sis_system* system, int32_t frames, int32_t block) {
    run r = {.system = system, .frames = frames, .probes = sis_system_probe_count(system)};
    r.state = sis_state_init(system, aligned_alloc(64, sis_state_size(system)));
    r.rows = calloc((size_t)frames * (size_t)r.probes + 1, sizeof(double));
    r.energy = calloc((size_t)frames + 1, sizeof(sis_energy));
    if (!r.rows || !r.energy)
        give_up("run", &(sis_error){.status = SIS_NO_MEMORY, .text = "no memory"});
    for (int32_t done = 0; done < frames; done += block) {
        const int32_t now = frames - done < block ? frames - done : block;
        const sis_block part = {now, r.rows + (size_t)done * (size_t)r.probes, r.energy + done,
                                NULL};
        sis_step(system, r.state, &part);
    }
    return r;
}

run run_scene(sis_scene* scene, double rate, int32_t frames) {
    sis_error error = {.status = SIS_OK};
    const sis_options options = {.rate = rate, .scheme = SIS_SCHEME_AS_GIVEN};
    sis_system* system = sis_compile(scene, &options, &error);
    sis_scene_free(scene);
    if (!system) give_up("compile", &error);
    return run_system(system, frames, 256);
}

void run_free(run* r) {
    sis_system_free(r->system);
    free(r->state);
    free(r->rows);
    free(r->energy);
    memset(r, 0, sizeof *r);
}

double run_at(const run* r, int32_t n, int32_t p) {
    return r->rows[(size_t)n * (size_t)r->probes + (size_t)p];
}

double run_peak(const run* r) {
    double peak = 0;
    for (int32_t n = 0; n < r->frames; n++)
        peak = fmax(peak, r->energy[n].total);
    return peak;
}

double run_residual(const run* r) {
    sis_balance balance = {0};
    sis_balance_add(&balance, r->energy, r->frames);
    return balance.flowed > 0 && isfinite(balance.flowed) ? sis_balance_residual(&balance)
                                                          : (double)NAN;
}

// ---------------------------------------------------------------------------- random numbers

double random_unit(uint64_t* seed) {
    *seed += 0x9e3779b97f4a7c15u; // splitmix64
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double random_log(uint64_t* seed, double low, double high) {
    return low * pow(high / low, random_unit(seed));
}
