// The shapes of bodies at the last row.
#include "base/power.h"
#include "step/system.h"

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
