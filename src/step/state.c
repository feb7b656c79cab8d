// The flat state: pointers into it, what its bodies and links hold, and how links read them and act
// on them.
#include "base/power.h"
#include "step/system.h"

#include <math.h>
#include <string.h>

size_t sis_state_size(const sis_system* system) {
    return system->state_size;
}

const char* sis_state_wrong(const sis_system* system, const void* memory) {
    if (!system) return "there is no system (it is NULL)";
    if (!memory) return "there is no memory for the state (it is NULL)";
    if ((uintptr_t)memory % SIS_STATE_ALIGN)
        return "the memory of the state is not aligned to 64 bytes: take aligned_alloc(64, size)";
    return NULL;
}

const char* sis_state_foreign(const sis_system* system, const void* memory) {
    const char* wrong = sis_state_wrong(system, memory);
    if (wrong || ((const sis_state*)memory)->mark == system->mark) return wrong;
    return "the state belongs to another system: another scene, rate or version, or it was never "
           "initialised";
}

uint64_t sis_state_refused(const sis_state* state) {
    return state ? state->refused : 0;
}

sis_state* sis_state_init(const sis_system* system, void* memory) {
    if (sis_state_wrong(system, memory)) return NULL;
    memcpy(memory, system->image, system->state_size);
    return memory;
}

uint64_t sis_state_samples(const sis_state* state) {
    return state->samples;
}

state_view sis_view(const sis_system* system, const sis_state* state) {
    char* base = (char*)(uintptr_t)state;
    state_view view = {0};
#define IN_view(name)   view.name
#define IN_motion(name) view.motion.name
#define IN_work(name)   view.work.name
#define IN_memory(name) view.work.memory.name
#define ROW(where, name, type, count, unit, doc)                                                   \
    IN_##where(name) = (type*)(void*)(base + system->offset[ROW_##where##_##name]);
#include "step/layout.def"
#undef ROW
    view.work.column = view.motion.column;
    view.samples = state->samples;
    view.accumulated = true;
    if (state->turn) sis_view_turn(&view);
    return view;
}

state_view sis_part_view(const sis_system* part, const state_view* whole) {
    state_view view = *whole;
    contact_memory* m = &view.work.memory;
    network_work* w = &view.work;
    double** const padded[] = {&m->eta,        &m->before,     &m->E,        &m->psi,  &m->force,
                               &m->phi_before, &m->mark_depth, &m->mark_phi, &w->free, &w->force,
                               &w->travel,     &w->q,          &w->a,        &w->at,   &w->phi};
    double** const scratch[] = {&w->y,   &w->s,         &w->base,      &w->step,
                                &w->ref, &w->set_force, &w->set_travel};
    const ptrdiff_t gap = (ptrdiff_t)part->part * PART_GAP;
    for (size_t i = 0; i < sizeof padded / sizeof *padded; i++)
        *padded[i] += gap;
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        *scratch[i] += part->link_first + gap;
    w->stiff += part->link_first;
    w->set_at += part->link_first;
    w->set_row += part->link_first;
    w->set_start += part->link_first;
    w->matrix += part->matrix_first;
    w->gathered += part->matrix_first;
    w->panel += part->panel_first;
    view.motion.has_candidate += (ptrdiff_t)part->part * part->flag_stride;
    view.sums += part->part;
    return view;
}

// Only quadratised, as published, sleeps on what it holds.
static double line_energy(const contact_line* line, const state_view* view, int32_t awake) {
    const double* E = view->work.memory.E + line->first;
    double sum;
    if (line->kernel && awake == 0 && !contact_holds_open(line->law)) return 0;
#define TERM(AT) AT(E + i)
    SIS_SUM(sum, line->count, TERM);
#undef TERM
    return sum;
}

sis_energy sis_part_stored(const sis_system* system, const state_view* view) {
    sis_energy e = {0};
    for (int32_t b = 0; b < system->alive_count; b++) {
        const body_group* bodies = &system->body_groups[system->alive[b]];
        bodies->kind->energy(bodies, &view->motion, &e.kinetic, &e.elastic);
    }
    for (int32_t l = system->line_first; l < system->line_first + system->line_count; l++)
        e.contact += line_energy(&system->lines[l], view, view->lines[l].awake);
    for (int32_t b = 0; b < system->other_count; b++) {
        const network_block* block = &system->blocks[system->others[b]];
        for (int32_t i = block->first; i < block->first + block->count; i++) {
            const network_link* link = &system->links[i];
            if (link->class->energy)
                link->class->energy(link, &view->work.memory, i, &e.contact, &e.elastic);
        }
    }
    return e;
}

sis_energy sis_stored_energy(const sis_system* system, const state_view* whole) {
    sis_energy e = {0};
    for (int32_t p = 0; p < system->part_count; p++) {
        const sis_system* part = sis_part(system, p);
        state_view view = sis_part_view(part, whole);
        sis_energy of_part = sis_part_stored(part, &view);
        e.kinetic += of_part.kinetic;
        e.elastic += of_part.elastic;
        e.contact += of_part.contact;
    }
    e.total = e.kinetic + e.elastic + e.contact;
    return e;
}

void sis_modulation_columns(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->modulation_count; i++) {
        const network_link* link = &system->links[system->modulations[i]];
        for (int32_t b = GROUP_STRING; b < system->body_group_count; b++) {
            const body_group* bodies = &system->body_groups[b];
            if (bodies->first != link->below.first || !bodies->kind->modulation) continue;
            bodies->kind->modulation(bodies, &view->motion);
            bodies->kind->admit(bodies, view->motion.column + bodies->first,
                                view->work.response + bodies->first);
        }
    }
}

void sis_set_bows(const sis_system* system, const state_view* view, uint64_t sample) {
    const input_state* inputs = view->motion.inputs;
    for (int32_t i = 0; i < system->bow_count; i++) {
        const bow_gesture* bow = &system->bows[system->bow_at[i]];
        bow_memory* m = &view->work.bow[system->bow_at[i]];
        if (!bow->timed) {
            m->force = sis_envelope_at(bow->force, 0) * live_at(bow->live_force, inputs);
            m->velocity = sis_envelope_at(bow->velocity, 0) * live_at(bow->live_velocity, inputs);
            continue;
        }
        const live_start start = live_since(bow->trigger, inputs, sample);
        const double time = (double)start.since / system->rate;
        const double force = live_at(bow->live_force, inputs) * fabs(start.blow);
        const double speed = live_at(bow->live_velocity, inputs) * start.blow;
        m->force = sis_envelope_at(bow->force, time) * force;
        m->velocity = sis_envelope_at(bow->velocity, time) * speed;
    }
}

// relative velocity = (u^n - u^{n-1})/k less the bow's velocity in this sample.
void sis_move_linear_bows(const sis_system* system, const state_view* view) {
    for (int32_t i = 0; i < system->bow_count; i++) {
        const network_link* link = &system->links[system->bows[system->bow_at[i]].link];
        bow_memory* m = &view->work.bow[system->bow_at[i]];
        if (!link->friction->linear) continue;
        m->relative_velocity =
            network_read(&link->below, view->motion.d) * system->rate - m->velocity;
    }
}

double sis_link_read(const network_link* link, const state_view* view, const double* values) {
    if (!link->class->modulation)
        return network_read(&link->below, values) - network_read(&link->above, values);
    network_end end = link->below;
    end.weight = view->motion.column + end.first;
    return network_read(&end, values);
}

void sis_link_add_force(const network_link* link, const state_view* view, double f, double* force) {
    network_end below = link->below;
    if (link->class->modulation) below.weight = view->motion.column + below.first;
    network_write(&below, -f, force);
    network_write(&link->above, f, force);
}

bool sis_link_apply(const network_link* link, const state_view* view, double f) {
    const network_end *below = &link->below, *above = &link->above;
    const body_motion* motion = &view->motion;
    if (below->admittance == 0 && above->admittance == 0) {
        sis_link_add_force(link, view, f, motion->link_force);
        return true;
    }
    if (below->admittance != 0)
        network_apply(below, -f, motion->u, motion->next);
    else
        network_write(below, -f, motion->link_force);
    if (above->admittance != 0)
        network_apply(above, f, motion->u, motion->next);
    else
        network_write(above, f, motion->link_force);
    return below->admittance == 0 || above->admittance == 0;
}

// ---------------------------------------------------------------------------- shapes
//
// The shapes of bodies at the last row.

// What is left of u^n when the step after it has been made.
static double last_u(const body_motion* motion, int32_t dof) {
    return motion->u[dof] - motion->d[dof];
}

// e^x for x <= 0, to the digits of 1.
static double decayed(double x) {
    return x < -700 ? 0 : 1 + sis_expm1(x);
}

// The shape of a mode of a string at x (compile/string_modes.c): cosh/cosh and sinh/sinh without
// overflow.
double sis_mode_at(const string_mode* m, double x) {
    const double turn = 1 / 6.28318530717958647693;
    if (!m->clamped) return sis_cos_turns(0.25 - turn * m->k1 * x);
    double y = x - m->half, away = y < 0 ? -y : y;
    double near = decayed(m->k2 * (away - m->half)), far = decayed(-m->k2 * (away + m->half));
    double full = decayed(-2 * m->k2 * m->half);
    if (m->p % 2) return sis_cos_turns(turn * m->k1 * y) - m->edge * (near + far) / (1 + full);
    double odd = (near - far) / (1 - full);
    return sis_cos_turns(0.25 - turn * m->k1 * y) - m->edge * (y < 0 ? -odd : odd);
}

void sis_mass_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                    double* u) {
    u[0] = last_u(motion, sis_spec_dof(system->body_groups, spec, 0));
}

void sis_string_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                      double* u) {
    const string_spec* f = (const string_spec*)spec;
    const body_group* bodies = &system->body_groups[spec->group];
    int32_t N = f->segments;
    u[0] = u[N] = 0;
    for (int32_t j = 1; j < N; j++) {
        bool grid = f->model != SIS_STRING_MODAL;
        u[j] = grid ? last_u(motion, bodies->first + j - 1) : 0;
        if (f->root != 0) {
            double left = j > 1 ? last_u(motion, bodies->first + j - 2) : 0;
            double right = j < N - 1 ? last_u(motion, bodies->first + j) : 0;
            u[j] -= f->root * ((left - u[j]) + (right - u[j]));
        }
        for (int64_t p = 1; f->sine && p <= f->modes; p++)
            u[j] += f->sine[p * j % (2 * N)] * last_u(motion, bodies->first + (int32_t)p - 1);
        for (int32_t p = 0; f->mode && p < f->modes; p++)
            u[j] += sis_mode_at(&f->mode[p], j * f->h) * last_u(motion, bodies->first + p);
    }
}

void sis_plate_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                     double* u) {
    const plate_spec* f = (const plate_spec*)spec;
    const body_group* bodies = &system->body_groups[spec->group];
    int32_t stride = f->nx + 1;
    for (int32_t i = 0; i < stride * (f->ny + 1); i++)
        u[i] = 0;
    for (int32_t j = 1; j < f->ny && f->model == SIS_PLATE_FD; j++)
        for (int32_t i = 1; i < f->nx; i++)
            u[j * stride + i] = last_u(motion, bodies->first + plate_place(f->nx, i, j));
    for (int32_t p = 0; p < f->modes && f->model == SIS_PLATE_MODAL; p++)
        for (int32_t j = 1; j < f->ny; j++) {
            double y = sis_cos_turns(0.25 - 0.5 * f->list[p].l * j / f->ny) *
                       last_u(motion, bodies->first + p);
            for (int32_t i = 1; i < f->nx; i++)
                u[j * stride + i] += y * sis_cos_turns(0.25 - 0.5 * f->list[p].m * i / f->nx);
        }
}

void sis_modal_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                     double* u) {
    const modal_spec* f = (const modal_spec*)spec;
    for (int32_t p = 0; p < f->points; p++) {
        const double* shape = f->shape + (size_t)p * (size_t)f->modes;
        u[p] = 0;
        for (int32_t m = 0; m < f->modes; m++)
            u[p] += shape[m] * last_u(motion, sis_spec_dof(system->body_groups, spec, m));
    }
}

void sis_state_shape(const sis_system* system, const sis_state* state, int32_t body, double* u) {
    if (!sis_belongs(system, state) || body < 0 || body >= system->body_count) return;
    const body_spec* spec = system->bodies[body];
    const body_motion motion = sis_view(system, state).motion;
    if (spec->class->shape) spec->class->shape(system, spec, &motion, u);
}
