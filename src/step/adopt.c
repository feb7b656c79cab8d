// A running state goes on with another system: the same scene with other parameters, of the same
// layout. That is one large gesture (step/live.c): the constants change at a fixed state, contacts
// whose law or place has changed re-make what they hold,
//
//   E' = (phi(eta'^n) + phi(eta'^{n-1}))/2,
//
// and what all of it does to the stored energy is recorded as supplied. Losses that bodies have
// deferred are recorded as the old system counts them.
#include "step/live.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------- what must agree

// Two systems, one object: names are those of the new one.
typedef struct adoption {
    const sis_system *from, *to;
    sis_error* error;
} adoption;

static bool same_end(const network_end* a, const network_end* b) {
    return a->first == b->first && a->count == b->count && !a->weight == !b->weight &&
           !a->index == !b->index;
}

static bool same_bodies(const adoption* a) {
    if (a->from->body_count != a->to->body_count)
        return sis_fail(a->error, SIS_REFUSED, "the scene has %d bodies now, and had %d",
                        (int)a->to->body_count, (int)a->from->body_count);
    for (int32_t i = 0; i < a->to->body_count; i++) {
        const sis_body_info *was = &a->from->body_info[i], *is = &a->to->body_info[i];
        if (was->kind != is->kind || was->model != is->model || was->plate_model != is->plate_model)
            return sis_fail(a->error, SIS_REFUSED, "%s '%s' has another model now",
                            sis_kind_word(is->kind), is->name);
        if (was->segments != is->segments || was->segments_y != is->segments_y ||
            was->modes != is->modes)
            return sis_fail(
                a->error, SIS_REFUSED,
                "%s '%s' has another grid now: %d segments and %d modes, and had %d and %d; a "
                "shape on one grid is not one on another: fade to a new state, or give 'segments' "
                "or "
                "'modes'",
                sis_kind_word(is->kind), is->name, (int)is->segments, (int)is->modes,
                (int)was->segments, (int)was->modes);
        if (was->driven != is->driven)
            return sis_fail(a->error, SIS_REFUSED, "%s '%s' is%s driven now",
                            sis_kind_word(is->kind), is->name, is->driven ? "" : " not");
    }
    return true;
}

// The contact, spring or bow that link i belongs to.
static const char* link_name(const sis_system* system, int32_t i) {
    return system->owner[i] < 0 ? "" : system->link_info[system->owner[i]].name;
}

static bool same_links(const adoption* a) {
    const sis_system *from = a->from, *to = a->to;
    if (from->link_count != to->link_count || from->group_count != to->group_count ||
        from->block_count != to->block_count || from->line_count != to->line_count)
        return sis_fail(a->error, SIS_REFUSED,
                        "contacts, springs and bows have %d points in %d blocks now, and had %d in "
                        "%d",
                        (int)to->link_count, (int)to->block_count, (int)from->link_count,
                        (int)from->block_count);
    for (int32_t i = 0; i < to->link_count; i++) {
        const network_link *was = &from->links[i], *is = &to->links[i];
        if (was->class == is->class && same_end(&was->below, &is->below) &&
            same_end(&was->above, &is->above) && !was->contact == !is->contact &&
            (!is->contact || (was->contact->scheme == is->contact->scheme &&
                              was->contact->midpoint == is->contact->midpoint &&
                              was->contact->power.both == is->contact->power.both)))
            continue;
        return sis_fail(a->error, SIS_REFUSED,
                        "'%s' holds on to other points of its bodies now, or has another scheme",
                        link_name(to, i));
    }
    return true;
}

static bool same_inputs(const adoption* a) {
    bool same = a->from->input_count == a->to->input_count;
    for (int32_t i = 0; same && i < a->to->input_count; i++)
        same = a->from->inputs[i].trigger == a->to->inputs[i].trigger &&
               strcmp(a->from->input_info[i].name, a->to->input_info[i].name) == 0;
    return same || sis_fail(a->error, SIS_REFUSED, "the scene has other inputs now");
}

// Scratch of the block solver comes last (layout.def) and may be larger or smaller.
static bool same_rows(const adoption* a) {
    const size_t lasting = ROW_work_matrix * sizeof *a->to->offset;
    return (a->from->part_count == a->to->part_count &&
            memcmp(a->from->offset, a->to->offset, lasting) == 0) ||
           sis_fail(a->error, SIS_REFUSED, "the states of the two systems have other layouts");
}

static bool same_layout(const adoption* a) {
    if (a->from->rate != a->to->rate)
        return sis_fail(a->error, SIS_REFUSED, "it runs at %g steps per second now, and did at %g",
                        a->to->rate, a->from->rate);
    if (a->from->audit != a->to->audit)
        return sis_fail(a->error, SIS_REFUSED, "one of the two systems is not audited");
    return same_bodies(a) && same_links(a) && same_inputs(a) && same_rows(a);
}

// ---------------------------------------------------------------------------- links

static bool same_weights(const network_end* a, const network_end* b) {
    for (int32_t i = 0; i < a->count; i++)
        if (network_dof(a, i) != network_dof(b, i) || (a->weight && a->weight[i] != b->weight[i]))
            return false;
    return true;
}

static bool same_law(const contact_law* a, const contact_law* b) {
    if (!a) return true;
    bool same = a->mu == b->mu && a->power.K == b->power.K && a->power.alpha == b->power.alpha &&
                a->power.play == b->power.play && a->power.table == b->power.table;
    for (int i = 0; i < LAW_NUMBERS && a->power.table; i++)
        same = same && a->power.number[i] == b->power.number[i];
    return same;
}

static bool is_changed(const adoption* a, int32_t i) {
    const network_link *was = &a->from->links[i], *is = &a->to->links[i];
    if (is->class->modulation) return false; // its own energy is a function of what it remembers
    return a->from->line_offset[i] != a->to->line_offset[i] ||
           !same_weights(&was->below, &is->below) || !same_weights(&was->above, &is->above) ||
           !same_law(was->contact, is->contact);
}

// Schemes with a velocity of their own keep a force of the old law.
static bool links_can_change(const adoption* a) {
    for (int32_t i = 0; i < a->to->link_count; i++) {
        const contact_law* law = a->to->links[i].contact;
        if (law && contact_flows(law) && is_changed(a, i))
            return sis_fail(a->error, SIS_REFUSED,
                            "the law of '%s' has changed, and its scheme \"%s\" cannot take that "
                            "on while it runs: use ledger, newton or quadratised",
                            link_name(a->to, i), sis_scheme_word(law->scheme));
    }
    return true;
}

// What a contact holds where it is; nothing is owed to the new law.
static void hold_again(const contact_law* law, const contact_memory* m, int32_t i) {
    m->force[i] = 0;
    if (law->scheme != SIS_SCHEME_QUADRATISED) m->psi[i] = 0;
    sis_remake_energy(law, m, i);
}

// All points wake: they know where they are.
static void wake_all(const sis_system* system, const state_view* view) {
    for (int32_t l = 0; l < system->line_count; l++) {
        const contact_line* line = &system->lines[l];
        for (int32_t j = 0; j < line->count; j++)
            view->awake[line->word + j / LINE_WORD] |= (uint64_t)1 << j % LINE_WORD;
        view->lines[l] = (sleep_state){.awake = line->count};
    }
    for (int32_t b = 0; b < system->block_count; b++)
        view->blocks[b] = (sleep_state){.awake = 1};
}

// `live`: the new system, with the constants of this state.
static void adopt_links(const adoption* a, const sis_system* live, const sis_system* part,
                        const state_view* view) {
    for (int32_t i = part->link_first; i < part->link_first + part->link_count; i++) {
        const contact_law* law = live->links[i].contact;
        const bool changed = is_changed(a, i);
        if (live->links[i].class->modulation) continue;
        if (changed || sis_link_sleeps(a->from, view, i)) sis_link_look(live, view, i);
        if (changed && law) hold_again(law, &view->work.memory, i);
    }
}

// ---------------------------------------------------------------------------- the rest of a state

static void adopt_inputs(const sis_system* to, const state_view* view) {
    for (int32_t i = 0; i < to->input_count; i++) {
        const input_spec* spec = &to->inputs[i];
        input_state* input = &view->motion.inputs[i];
        if (spec->trigger) continue;
        input->target = fmin(spec->max, fmax(spec->min, input->target));
        input->value = fmin(spec->max, fmax(spec->min, input->value));
        if (!spec->steps) input->left = 0;
        if (!input->left) input->value = input->target;
    }
    for (int32_t i = 0; i < to->live_count; i++) // they move on from where they are
        view->applied[i] = fmin(to->live[i].high, fmax(to->live[i].low, view->applied[i]));
    for (int32_t i = 0; i < to->dof_count; i++)
        view->motion.F[i] = sis_weight_at(to, view, i);
    for (int32_t i = 0; i < to->bow_count; i++)
        view->work.bow[i].chord = 0;
    sis_set_bows(to, view, view->samples);
}

static void record_jump(part_sums* sums, const sis_energy* was, const sis_energy* is,
                        double recorded) {
    sums->supplied += is->total - was->total;
    sums->dissipated += recorded;
}

// Total energy of a part, and what its bodies have lost but not recorded, J.
static sis_energy energy_of(const sis_system* part, const state_view* view) {
    sis_energy e = sis_part_stored(part, view);
    e.total = e.kinetic + e.elastic + e.contact;
    for (int32_t b = 0; b < part->alive_count && part->audit && view->samples > 1; b++) {
        const body_group* bodies = &part->body_groups[part->alive[b]];
        if (bodies->deferred) e.dissipated += bodies->kind->work(bodies, &view->motion).dissipated;
    }
    return e;
}

static void adopt_all(const adoption* a, state_view* whole) {
    enum { MOST_PARTS = 64 };
    sis_energy was[MOST_PARTS];
    for (int32_t p = 0; p < a->from->part_count; p++) {
        const state_view view = sis_part_view(sis_part(a->from, p), whole);
        const sis_system* live = sis_live_system(sis_part(a->from, p), &view);
        was[p] = energy_of(live, &view);
        sis_live_done(live, &view);
    }
    adopt_inputs(a->to, whole);
    sis_system* live = sis_live_copy(a->to, whole);
    for (int32_t p = 0; p < a->to->part_count; p++) {
        const state_view view = sis_part_view(sis_part(a->to, p), whole);
        adopt_links(a, live, sis_part(a->to, p), &view);
    }
    wake_all(a->to, whole);
    sis_move_constants(live, whole);
    sis_live_done(live, whole);
    const char* image = a->to->image;
    memcpy((double*)(uintptr_t)whole->motion.lower_bound,
           image + a->to->offset[ROW_motion_lower_bound],
           (size_t)a->to->bound_size * sizeof(double));
    sis_move_bounds(a->to, whole);
    for (int32_t p = 0; p < a->to->part_count; p++) {
        const state_view view = sis_part_view(sis_part(a->to, p), whole);
        const sis_system* now = sis_live_system(sis_part(a->to, p), &view);
        const sis_energy is = energy_of(now, &view);
        sis_live_done(now, &view);
        record_jump(view.sums, &was[p], &is, was[p].dissipated - is.dissipated);
    }
    whole->sums->supplied -= a->to->initial - a->from->initial;
}

bool sis_state_adopt(const sis_system* system, const sis_system* before, sis_state* state,
                     sis_error* error) {
    if (!system || !sis_belongs(before, state))
        return sis_fail(error, SIS_BAD_VALUE, "the state does not belong to the system it leaves");
    const adoption a = {before, system, error};
    if (!same_layout(&a) || !links_can_change(&a)) return false;
    state_view view = sis_view(before, state);
    if (state->samples > 0)
        adopt_all(&a, &view);
    else
        sis_state_init(system, state);
    state->mark = system->mark;
    return true;
}
