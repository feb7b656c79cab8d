// Two equal masses on a spring with a damper between them, free to go: a body that moves in its own
// way. With B = (1 -1; -1 1):
//
//   M u'' = -K B u - R B u' + F
//   D (d+ - d) = F - K B u - R/k B d,      D = M/k^2 + R/2k B
//   H = M/2 |d/k|^2 + K/2 e e-,   Q = R (delta_t. e)^2,   e = u_1 - u_2,   stable while K k^2 < 2 M
#include "compile/plan.h"

typedef struct pair_group {
    double mass, stiffness, damping; // kg, N/m, N s/m
    double k;
} pair_group;

// D^-1 f: what both feel is the mean, the rest is loosened by the damper.
static void yield_to(const pair_group* p, double f1, double f2, double* out) {
    double mean = 0.5 * (f1 + f2) * p->k * p->k / p->mass;
    double rest = 0.5 * (f1 - f2) * p->k * p->k / (p->mass + p->damping * p->k);
    out[0] = mean + rest;
    out[1] = mean - rest;
}

static void advance(const body_group* bodies, const body_motion* motion, double time) {
    (void)time;
    const pair_group* p = bodies->data;
    double *u = motion->u + bodies->first, *next = motion->next + bodies->first, more[2];
    const double *d = motion->d + bodies->first, *F = motion->F + bodies->first;
    double pull = p->stiffness * (u[0] - u[1]) + p->damping / p->k * (d[0] - d[1]);
    yield_to(p, F[0] - pull, F[1] + pull, more);
    for (int i = 0; i < 2; i++) {
        next[i] = d[i] + more[i];
        u[i] += next[i];
    }
}

static void apply(const body_group* bodies, const body_motion* motion, int32_t first,
                  int32_t count) {
    (void)first, (void)count;
    const double* force = motion->link_force + bodies->first;
    double more[2];
    yield_to(bodies->data, force[0], force[1], more);
    for (int i = 0; i < 2; i++) {
        motion->next[bodies->first + i] += more[i];
        motion->u[bodies->first + i] += more[i];
    }
}

static body_work work(const body_group* bodies, const body_motion* motion) {
    const pair_group* p = bodies->data;
    const double *d = motion->d + bodies->first, *next = motion->next + bodies->first;
    const double* F = motion->F + bodies->first;
    double travel[2] = {d[0] + next[0], d[1] + next[1]}, apart = travel[0] - travel[1];
    return (body_work){0.5 * (F[0] * travel[0] + F[1] * travel[1]),
                       p->damping / (4 * p->k) * apart * apart};
}

static void energy(const body_group* bodies, const body_motion* motion, double* kinetic,
                   double* elastic) {
    const pair_group* p = bodies->data;
    const double *u = motion->u + bodies->first, *d = motion->d + bodies->first;
    double e = u[0] - u[1];
    *kinetic += 0.5 * p->mass * (d[0] * d[0] + d[1] * d[1]) / (p->k * p->k);
    *elastic += 0.5 * p->stiffness * e * (e - (d[0] - d[1]));
}

static void admit(const body_group* bodies, const double* force, double* out) {
    yield_to(bodies->data, force[0], force[1], out);
}

// u^1 = u^0 + k v + k^2/2 u'', with the damper at the middle of the step.
static void start(const body_group* bodies, const body_motion* motion, double k, double time) {
    (void)time;
    const pair_group* p = bodies->data;
    const double *u = motion->u + bodies->first, *v = motion->d + bodies->first;
    const double* F = motion->F + bodies->first;
    double pull = 0.5 * p->stiffness * (u[0] - u[1]), way = p->mass / k;
    yield_to(p, 0.5 * F[0] - pull + way * v[0], 0.5 * F[1] + pull + way * v[1],
             motion->next + bodies->first);
}

static const body_kind kind = {.advance = advance,
                               .apply = apply,
                               .work = work,
                               .energy = energy,
                               .admit = admit,
                               .start = start};

// ---------------------------------------------------------------------------- set-up

static body_size size(const void* def) {
    (void)def;
    return (body_size){.points = 2};
}

static bool plan_pair(compile_plan* plan, body_spec* spec, const void* given, sis_error* error) {
    const sis_pair_def* def = given;
    double k = plan->system->k;
    spec->count = 2;
    spec->meet = true;
    return def->stiffness * k * k < 1.99 * def->mass ||
           sis_fail(error, SIS_REFUSED, "'stiffness' = %g N/m is too much at %g steps per second",
                    def->stiffness, plan->system->rate);
}

static bool build(compile_plan* plan, body_spec* spec, const void* given, sis_body_info* info,
                  sis_error* error) {
    const sis_pair_def* def = given;
    pair_group* p = sis_arena_take(&plan->system->arena, sizeof *p, error);
    if (!p) return false;
    *p = (pair_group){def->mass, def->stiffness, def->damping, plan->system->k};
    plan->system->body_groups[spec->group].kind = &kind;
    plan->system->body_groups[spec->group].data = p;
    info->points = 2;
    info->margin = 1 - 0.5 * p->stiffness * p->k * p->k / p->mass;
    return true;
}

static bool point(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                  network_end* end, sis_error* error) {
    (void)order, (void)error;
    int32_t place = (int32_t)at.x - 1;
    *end = (network_end){.first = sis_spec_dof(plan->system->body_groups, spec, place), .count = 1};
    return true;
}

static void pull(compile_plan* plan, const body_spec* spec, const void* given, double g) {
    double* weight = plan->system->weight + sis_spec_dof(plan->system->body_groups, spec, 0);
    weight[0] -= ((const sis_pair_def*)given)->mass * g;
    weight[1] -= ((const sis_pair_def*)given)->mass * g;
    sis_force_all(plan->system, spec);
}

static void shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                  double* u) {
    int32_t at = sis_spec_dof(system->body_groups, spec, 0);
    u[0] = motion->u[at] - motion->d[at];
    u[1] = motion->u[at + 1] - motion->d[at + 1];
}

const body_class sis_pair_class = {.called = "pair",
                                   .places = SIS_PLACES_NUMBER,
                                   .size = size,
                                   .spec_size = sizeof(body_spec),
                                   .plan = plan_pair,
                                   .build = build,
                                   .point = point,
                                   .pull = pull,
                                   .shape = shape};
