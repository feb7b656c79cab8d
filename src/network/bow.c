// Bows. In a set everything else is affine in their forces, so one bow is one scalar equation,
//
//   v + Y F_N Phi(v) = v0,    v = r/2k - v_B,   Y = -dr/df / 2k > 0
//
// Several bows take turns until their forces rest.
#include "network/network.h"

enum { MOST_TURNS = 60, MOST_CHORDS = 30 };

static bool active(const network_link* link, const network_work* work, int32_t i, double free) {
    (void)i, (void)free;
    return work->bow[link->bow].force > 0;
}

// The chord of its curve at the last velocity, or the force of the last sample to begin with.
static void prepare(const network_link* link, double k, int32_t i, network_work* work) {
    const bow_memory* m = &work->bow[link->bow];
    double chord = m->force * sis_friction_chord(link->friction, m->relative_velocity) / (2 * k);
    work->loss[i] = 0;
    network_put(work, i,
                link->friction->linear ? (affine){0, chord, 2 * k * m->velocity}
                                       : (affine){work->memory.force[i], 0, 0});
}

// The player moves against its force, and friction takes the rest.
static body_work settle(const network_link* link, double k, int32_t i, bool closed,
                        network_work* work) {
    (void)closed;
    bow_memory* m = &work->bow[link->bow];
    double f = work->force[i];
    work->memory.force[i] = f;
    m->relative_velocity =
        work->travel[i] * (0.5 / k) - m->velocity; // a quotient of constants: no waiting for it
    return (body_work){-k * f * m->velocity, k * f * m->relative_velocity};
}

// A bow without force still has a velocity to begin from.
static void rest(const network_link* link, double k, int32_t i, network_work* work) {
    bow_memory* m = &work->bow[link->bow];
    work->memory.force[i] = 0;
    m->relative_velocity = work->travel[i] / (2 * k) - m->velocity;
    m->chord = 0;
}

// The chord of its curve, from the velocity it starts with.
static void start(const network_link* link, double k, int32_t i, network_work* work) {
    const bow_memory* m = &work->bow[link->bow];
    double chord = m->force * sis_friction_chord(link->friction, m->relative_velocity) / k;
    work->loss[i] = 0;
    network_put(work, i, (affine){0, chord, k * m->velocity});
}

static double first_force(const network_link* link, double k, int32_t i, double speed,
                          network_work* work) {
    bow_memory* m = &work->bow[link->bow];
    m->relative_velocity = speed - m->velocity;
    work->travel[i] = 2 * k * speed;
    return m->force * sis_friction_chord(link->friction, m->relative_velocity) *
           m->relative_velocity;
}

// The root of a bow on its curve. Its chord is computed for the next search, where it would have to
// be waited for.
static friction_point root_of(const network_link* link, double Y, double v0, bow_memory* m,
                              contact_cost* cost) {
    const friction_point from = {m->chord_at, m->chord};
    friction_point at = sis_friction_root(link->friction, Y * m->force, v0, m->relative_velocity,
                                          from, &cost->iterations);
    m->chord_at = at.v;
    m->chord = sis_friction_chord(link->friction, at.v);
    return at;
}

// Alone: r = free - G f, so that v0 = free/2k - v_B and Y = G/2k; a linear bow is affine.
static body_work alone(const network_link* link, double k, int32_t i, network_work* work) {
    const friction_law* law = link->friction;
    bow_memory* m = &work->bow[link->bow];
    double G = link->G, free = work->free[i], f;
    if (law->linear) {
        double a = m->force * sis_friction_chord(law, m->relative_velocity) / (2 * k);
        f = a * (free - 2 * k * m->velocity) / (1 + a * G);
    } else {
        double rate = 0.5 / k, v0 = free * rate - m->velocity, Y = G * rate;
        friction_point at = root_of(link, Y, v0, m, &work->cost[i]);
        f = m->force * at.chord * at.v;
    }
    work->force[i] = f;
    work->travel[i] = free - G * f;
    return settle(link, k, i, false, work);
}

const link_class sis_bow_class = {.active = active,
                                  .prepare = prepare,
                                  .settle = settle,
                                  .alone = alone,
                                  .rest = rest,
                                  .start = start,
                                  .first_force = first_force};

// Puts the n-th link, a bow, on its curve; returns how far its travel moved.
static double turn(const network_set* set, const network_link* link, int32_t n, double k,
                   network_work* work) {
    int32_t l = set->at[n];
    bow_memory* m = &work->bow[link->bow];
    double force = work->force[l], was = work->travel[l];
    sis_network_gain(set, n, work);
    double gain = -work->set_travel[n]; // m/N
    if (!(gain > 0)) gain = 0;
    double v0 = (was + gain * force) / (2 * k) - m->velocity, Y = gain / (2 * k);
    friction_point at = root_of(link, Y, v0, m, &work->cost[l]);
    double next = m->force * at.chord * at.v, change = next - force;
    for (int32_t i = 0; i < set->count; i++) {
        work->force[set->at[i]] += change * work->set_force[i];
        work->travel[set->at[i]] += change * work->set_travel[i];
    }
    work->q[l] = work->force[l] = next;
    return fabs(work->travel[l] - was);
}

// The chord of a bow at the velocity kept in chord_at.
static void freeze(const network_link* link, int32_t l, double k, network_work* work) {
    const bow_memory* m = &work->bow[link->bow];
    double chord = m->force * sis_friction_chord(link->friction, m->chord_at) / (2 * k);
    network_put(work, l, (affine){0, chord, 2 * k * m->velocity});
}

void sis_network_affine_bowed(const network_set* set, const network_link* links, double k,
                              network_work* work) {
    if (!set->block->bowed) {
        sis_network_affine(set, work);
        sis_network_refine(set, work);
        return;
    }
    for (int32_t n = 0; n < set->count && !set->frozen; n++) {
        int32_t l = set->at[n];
        if (!network_is_bow(&links[l])) continue;
        if (work->a[l] != 0) work->q[l] = work->force[l]; // its chord has served
        work->a[l] = work->at[l] = 0;
    }
    sis_network_affine(set, work);
    if (set->frozen) return;
    sis_network_refine(set, work);
    for (int turns = 0; turns < MOST_TURNS; turns++) {
        double moved = 0, size = 0;
        int32_t bows = 0;
        for (int32_t n = 0; n < set->count; n++) {
            const network_link* link = &links[set->at[n]];
            if (!network_is_bow(link)) continue;
            bows++;
            moved += turn(set, link, n, k, work);
            size += fabs(work->travel[set->at[n]]) + fabs(2 * k * work->bow[link->bow].velocity);
        }
        if (bows < 2 || moved <= 1e-14 * size) return;
    }
    // They found no rest: all on the chords they have last, which are passive together.
    for (int32_t n = 0; n < set->count; n++)
        if (network_is_bow(&links[set->at[n]])) freeze(&links[set->at[n]], set->at[n], k, work);
    sis_network_affine(set, work);
    sis_network_refine(set, work);
}

// Where the friction curve wants the n-th link with the others as they are; returns how far that is
// from the chord it has, relative to the velocities at hand.
static double thaw(const network_set* set, const network_link* link, int32_t n, double k,
                   network_work* work) {
    int32_t l = set->at[n];
    bow_memory* m = &work->bow[link->bow];
    sis_network_gain(set, n, work); // with the chord in it
    double with = -work->set_travel[n], left = 1 - with * work->a[l];
    double gain = with > 0 && left > 1e-14 ? with / left : 0;
    double v0 = (work->travel[l] + gain * work->force[l]) / (2 * k) - m->velocity;
    double was = m->chord_at, v = root_of(link, gain / (2 * k), v0, m, &work->cost[l]).v;
    double size = fabs(v) + fabs(was) + 1e-3 * link->friction->slips;
    return fabs(v - was) / size;
}

bool sis_network_newton_bowed(const network_set* set, const network_link* links, double k,
                              network_work* work) {
    network_set still = *set;
    still.frozen = true;
    if (!set->block->bowed) return sis_network_newton(&still, links, work);
    for (int32_t n = 0; n < set->count; n++) {
        if (!network_is_bow(&links[set->at[n]])) continue;
        bow_memory* m = &work->bow[links[set->at[n]].bow];
        m->chord_at = m->relative_velocity;
        m->chord = 0;
    }
    for (int chords = 1;; chords++) {
        double moved = 0;
        for (int32_t n = 0; n < set->count; n++)
            if (network_is_bow(&links[set->at[n]])) freeze(&links[set->at[n]], set->at[n], k, work);
        if (!sis_network_newton(&still, links, work)) return false;
        for (int32_t n = 0; n < set->count; n++)
            if (network_is_bow(&links[set->at[n]]))
                moved = fmax(moved, thaw(set, &links[set->at[n]], n, k, work));
        if (moved <= 1e-13 || chords == MOST_CHORDS) return true;
    }
}
