// The kernel of rows over lanes. Included by row_1.c, row_2.c and row_4.c.
#include "network/row.h"
#include "scheme/newton_lanes.h"
#include "scheme/quadratised_lanes.h"

// Those that were inside fill the list from its front, the others from its back.
typedef struct row_list {
    int32_t* at;
    int32_t front, back; // back: first of the others
} row_list;

static inline void list_point(row_list* list, const contact_memory* memory, const uint8_t* awake,
                              int32_t j) {
    if (awake[j] && memory[j].before > 0)
        list->at[list->front++] = j;
    else
        list->at[--list->back] = j;
}

static int32_t wake(const network_row* row, const double* u, const contact_memory* memory,
                    const uint8_t* awake, int32_t* at) {
    const double* below = row->below >= 0 ? u + row->below : NULL;
    const double* above = row->above >= 0 ? u + row->above : NULL;
    row_list list = {at, 0, row->count};
    int32_t i = 0;
    for (; i + LANES <= row->count; i += LANES) {
        lanes apart = below ? lanes_load(below + i) : lanes_all(0);
        if (above) apart -= lanes_load(above + i);
        lanes eta = lanes_load(row->offset + i) + apart;
        uint32_t risen = 0;
        memcpy(&risen, awake + i, LANES);
        unsigned which = lanes_which(lanes_less(lanes_all(0), eta));
        if (!(which | risen)) continue;
        for (int32_t j = 0; j < LANES; j++)
            if ((which >> j & 1) || awake[i + j]) list_point(&list, memory, awake, i + j);
    }
    for (; i < row->count; i++)
        if (awake[i] || network_row_eta(row, u, i) > 0) list_point(&list, memory, awake, i);
    int32_t others = row->count - list.back;
    for (int32_t n = 0; n < others; n++)
        at[list.front + n] = at[list.back + n];
    return list.front + others;
}

// Points side by side: in lanes while they are solved, as numbers while they are gathered.
typedef struct row_lanes {
    double now[LANES], before[LANES], free[LANES];
    double phi_before[LANES], force_before[LANES], E[LANES], psi[LANES];
    double mark_depth[LANES], mark_phi[LANES];
} row_lanes;

static double difference(const network_row* row, const double* values, int32_t j) {
    return (row->below >= 0 ? values[row->below + j] : 0) -
           (row->above >= 0 ? values[row->above + j] : 0);
}

static void gather(const network_row* row, const body_motion* motion, const contact_memory* m,
                   bool awake, int32_t j, int lane, row_lanes* at) {
    double last = difference(row, motion->d, j), next = difference(row, motion->next, j);
    at->free[lane] = next + last;
    at->now[lane] = awake ? m->eta : network_row_eta(row, motion->u, j) - next;
    at->before[lane] = awake ? m->before : at->now[lane] - last;
    at->phi_before[lane] = m->phi_before;
    at->force_before[lane] = m->force;
    at->E[lane] = m->E;
    at->psi[lane] = m->psi;
    at->mark_depth[lane] = m->mark_depth;
    at->mark_phi[lane] = m->mark_phi;
}

// A lane without a point: open and far.
static void leave_empty(int lane, row_lanes* at) {
    at->now[lane] = at->before[lane] = -1;
    at->free[lane] = at->phi_before[lane] = at->force_before[lane] = at->E[lane] = 0;
    at->psi[lane] = at->mark_depth[lane] = at->mark_phi[lane] = 0;
}

// Forces of one set of lanes; E, psi and the marks are updated.
LANES_FN lanes solve_lanes(const network_row* row, const lanes_law* law, lanes_contact* c,
                           lanes* psi, lanes* iterations) {
    lanes_mask all = lanes_equal(c->G, c->G);
    if (!row->midpoint) {
        c->phi_now = lanes_contact_phi(law, c, c->now, all);
    } else {
        // The same scheme in half variables, in which eta^n plays no part.
        c->before = 0.5 * (c->now + c->before);
        c->phi_before = lanes_contact_phi(law, c, c->before, all);
        c->now = lanes_all(-HUGE_VAL);
        c->phi_now = lanes_all(0);
        c->free = 0.5 * c->free;
        c->G = 0.5 * c->G;
        c->E = 0.5 * c->E;
    }
    lanes force = row->scheme == SIS_SCHEME_LEDGER ? lanes_ledger_force(law, c, all)
                  : row->scheme == SIS_SCHEME_NEWTON
                      ? lanes_newton_force(law, c, all, iterations)
                      : lanes_quadratised_force(law, c, row->release, psi);
    if (row->midpoint) c->E = c->E / 0.5;
    return force;
}

static void count_point(const contact_memory* m, double force, row_tally* tally) {
    double depth = m->before > 0 ? m->before : 0;
    if (force > tally->most) tally->most = force;
    if (force < tally->least) tally->least = force;
    if (depth > tally->deepest) tally->deepest = depth;
    if (m->E < tally->lowest) tally->lowest = m->E;
    tally->inside += depth > 0;
    if (force == 0 && depth == 0 && m->eta <= 0) tally->held += m->E;
}

static void move_bodies(const network_row* row, const body_motion* motion, int32_t j, double f) {
    if (row->below >= 0) {
        double more = row->give_below * f;
        motion->next[row->below + j] -= more;
        motion->u[row->below + j] -= more;
    }
    if (row->above >= 0) {
        double more = row->give_above * f;
        motion->next[row->above + j] += more;
        motion->u[row->above + j] += more;
    }
}

static row_tally solve(const network_row* row, const body_motion* motion, contact_memory* memory,
                       double* force, uint8_t* awake, const int32_t* list, int32_t count) {
    row_tally tally = {0};
    const lanes_law law = lanes_law_of(&row->law);
    double most_powers = 0, most_iterations = 0;
    for (int32_t n = 0; n < count; n += LANES) {
        int filled = count - n < LANES ? count - n : LANES;
        row_lanes at;
        for (int lane = 0; lane < LANES; lane++) {
            int32_t j = lane < filled ? list[n + lane] : 0;
            if (lane < filled)
                gather(row, motion, &memory[j], awake[j], j, lane, &at);
            else
                leave_empty(lane, &at);
        }
        lanes_contact c = {.now = lanes_load(at.now),
                           .before = lanes_load(at.before),
                           .free = lanes_load(at.free),
                           .G = lanes_all(row->G),
                           .phi_before = lanes_load(at.phi_before),
                           .force_before = lanes_load(at.force_before),
                           .E = lanes_load(at.E),
                           .mark_depth = lanes_load(at.mark_depth),
                           .mark_phi = lanes_load(at.mark_phi)};
        lanes psi = lanes_load(at.psi), iterations = lanes_all(0);
        lanes f = solve_lanes(row, &law, &c, &psi, &iterations);
        double pushes[LANES], phi[LANES], powers[LANES], steps[LANES];
        lanes_store(pushes, f);
        lanes_store(phi, c.phi_now);
        lanes_store(powers, c.powers);
        lanes_store(steps, iterations);
        lanes_store(at.E, c.E);
        lanes_store(at.psi, psi);
        lanes_store(at.mark_depth, c.mark_depth);
        lanes_store(at.mark_phi, c.mark_phi);
        for (int lane = 0; lane < filled; lane++) {
            int32_t j = list[n + lane];
            contact_memory* m = &memory[j];
            double push = pushes[lane], next = at.before[lane] + (at.free[lane] - row->G * push);
            m->E = at.E[lane];
            m->psi = at.psi[lane];
            m->force = push;
            m->phi_before = row->midpoint ? 0 : phi[lane];
            m->mark_depth = at.mark_depth[lane];
            m->mark_phi = at.mark_phi[lane];
            m->before = at.now[lane];
            m->eta = next;
            force[j] = push;
            move_bodies(row, motion, j, push);
            count_point(m, push, &tally);
            if (powers[lane] > most_powers) most_powers = powers[lane];
            if (steps[lane] > most_iterations) most_iterations = steps[lane];
            awake[j] = m->eta > 0 || m->before > 0 || m->E != 0 || push != 0;
        }
    }
    tally.powers = (uint32_t)most_powers;
    tally.iterations = (uint32_t)most_iterations;
    return tally;
}
