// Springs, rigid connections, and strings whose tension grows with their length: links whose force
// is affine in their travel.
//
// Kirchhoff and Carrier: a string of elongation energy EA/8L S^2, S = u.K u the integral of u_x^2,
// is pulled back along v = K u^n by f = EA/2L v.(u^{n+1} + u^{n-1})/2: a link whose column is v.
// With p = v.u^{n-1} in memory.eta and K1 = EA/4L, f = K1 (2 p + r) and p grows by r, since K is
// symmetric: E = K1/2 p^2 closes to rounding without iteration.
#include "network/network.h"

static bool always(const network_link* link, const network_work* work, int32_t i, double free) {
    (void)link, (void)work, (void)i, (void)free;
    return true;
}

static void prepare(const network_link* link, double k, int32_t i, network_work* work) {
    const contact_memory* m = &work->memory;
    network_put(work, i, spring_elastic(&link->elastic, m->eta[i], m->before[i]));
    work->loss[i] = spring_damper(&link->elastic, k);
}

static void prepare_rigid(const network_link* link, double k, int32_t i, network_work* work) {
    (void)link, (void)k;
    network_put(work, i, (affine){0, HUGE_VAL, 0});
    work->loss[i] = 0;
}

static void prepare_modulation(const network_link* link, double k, int32_t i, network_work* work) {
    (void)k;
    network_put(work, i, (affine){0, link->elastic.K1, -2 * work->memory.eta[i]});
    work->loss[i] = 0;
}

static body_work settle(const network_link* link, double k, int32_t i, bool closed,
                        network_work* work) {
    (void)link, (void)k, (void)closed;
    double r = work->travel[i], loss = work->loss[i];
    work->memory.force[i] = work->force[i] - loss * r;
    return (body_work){0, 0.5 * loss * r * r};
}

static void rest(const network_link* link, double k, int32_t i, network_work* work) {
    (void)link, (void)k;
    work->memory.force[i] = 0;
}

// (K1 + K3 eta^2) (eta + r/2): no force at r = -2 eta.
static void start(const network_link* link, double k, int32_t i, network_work* work) {
    double eta = work->memory.eta[i];
    double a = 0.5 * (link->elastic.K1 + link->elastic.K3 * eta * eta);
    network_put(work, i, (affine){0, a, -2 * eta});
    work->loss[i] = 2 * spring_damper(&link->elastic, k);
}

static double first_force(const network_link* link, double k, int32_t i, double speed,
                          network_work* work) {
    (void)k;
    const spring_law* law = &link->elastic;
    double eta = work->memory.eta[i];
    return (law->K1 + law->K3 * eta * eta) * eta + law->R * speed;
}

static double no_first_force(const network_link* link, double k, int32_t i, double speed,
                             network_work* work) {
    (void)link, (void)k, (void)speed;
    return work->force[i];
}

static void energy(const network_link* link, const contact_memory* m, int32_t i, double* contact,
                   double* elastic) {
    (void)contact;
    *elastic += spring_energy(&link->elastic, m->eta[i], m->before[i]);
}

static void energy_modulation(const network_link* link, const contact_memory* m, int32_t i,
                              double* contact, double* elastic) {
    (void)contact;
    *elastic += 0.5 * link->elastic.K1 * m->eta[i] * m->eta[i];
}

static double depth(const network_link* link, double eta) {
    (void)link;
    return fabs(eta);
}

static body_work alone(const network_link* link, double k, int32_t i, network_work* work) {
    const contact_memory* m = &work->memory;
    affine elastic = spring_elastic(&link->elastic, m->eta[i], m->before[i]);
    double loss = spring_damper(&link->elastic, k), G = link->G, free = work->free[i];
    double under = 1 + G * (elastic.a + loss), r = (free + G * elastic.a * elastic.at) / under;
    m->force[i] = elastic.a * (free - (1 + G * loss) * elastic.at) / under;
    work->force[i] = m->force[i] + loss * r;
    work->travel[i] = r;
    return (body_work){0, 0.5 * loss * r * r};
}

const link_class sis_spring_class = {.active = always,
                                     .prepare = prepare,
                                     .settle = settle,
                                     .alone = alone,
                                     .rest = rest,
                                     .start = start,
                                     .first_force = first_force,
                                     .energy = energy,
                                     .depth = depth};

const link_class sis_rigid_class = {.active = always,
                                    .prepare = prepare_rigid,
                                    .settle = settle,
                                    .rest = rest,
                                    .start = prepare_rigid,
                                    .first_force = no_first_force,
                                    .rigid = true};

const link_class sis_modulation_class = {.active = always,
                                         .prepare = prepare_modulation,
                                         .settle = settle,
                                         .rest = rest,
                                         .start = prepare_modulation,
                                         .first_force = no_first_force,
                                         .energy = energy_modulation,
                                         .modulation = true};
