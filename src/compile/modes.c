// Banks of modes: of strings, of plates, and of bodies that are given by nothing else. A mode is a
// mass on a spring that rings at exactly (w_d, s), or the plain scheme.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>

mass_bank* sis_modes_take(compile_plan* plan, int32_t count, bool stretch, sis_error* error) {
    sis_system* system = plan->system;
    size_t n = (size_t)count;
    mass_bank* m = sis_arena_take(&system->arena, sizeof *m, error);
    double* block = sis_arena_take(&system->arena, n * 7 * sizeof(double), error);
    if (!m || !block) return NULL;
    *m = (mass_bank){block,
                     block + n,
                     block + 2 * n,
                     block + 3 * n,
                     block + 4 * n,
                     system->rate,
                     stretch ? block + 5 * n : NULL,
                     block + 6 * n,
                     NULL,
                     0};
    return m;
}

// u(k) of a mode that starts at 0 with u' = 1: e^(-s k) sin(w_d k)/w_d, s.
static double exact_swing(double w, double s, double k) {
    double turn = w * w - s * s, a = sqrt(fabs(turn));
    if (a * k < 1e-9) return k * sis_exp(-s * k);
    if (turn > 0) return sis_exp(-s * k) * sis_sin(a * k) / a;
    return sis_exp((a - s) * k) * (1 - sis_exp(-2 * a * k)) /
           (2 * a); // overdamped: sinh without overflow
}

void sis_modes_set(mass_bank* m, int32_t i, double mass, double w, double s, double k, bool exact) {
    double w2 = w * w, swing = exact_swing(w, s, k);
    if (exact) {
        double turn = w2 - s * s;
        if (turn < 0) { // overdamped: cosh/cosh without overflow
            double a = sqrt(-turn) * k, b = s * k;
            double ratio = sis_exp(a - b) * (1 + sis_exp(-2 * a)) / (1 + sis_exp(-2 * b));
            w2 = 2 / (k * k) * (1 - ratio);
        } else { // 1 - cos cancels for a slow mode, 2 sin^2 of half the angle does not
            double half = sis_sin(0.5 * sqrt(turn) * k), loss = sis_sinh(0.5 * s * k);
            w2 = 4 / (k * k) * (half * half + loss * loss) / sis_cosh(s * k);
        }
        s = sis_tanh(s * k) / k;
    }
    m->mass[i] = mass;
    m->stiffness[i] = mass * w2;
    m->Dinv[i] = k * k / (mass * (1 + s * k));
    m->drop[i] = 2 * s * k / (1 + s * k);
    m->swing[i] = exact ? swing : (1 - 0.5 * m->drop[i]) * k;
    m->loss[i] = mass * s / (2 * k);
}

// ---------------------------------------------------------------------------- modal{}

bool sis_modal_plan(compile_plan* plan, sis_id id, modal_form* form, sis_error* error) {
    const sis_modal_def* def = sis_scene_def(plan->scene, id);
    double rate = plan->system->rate;
    *form = (modal_form){.modes = def->frequency.count, .points = def->points};
    for (int32_t i = 0; i < form->modes; i++) {
        if (def->frequency.values[i] < 0.475 * rate) continue;
        sis_label label = sis_label_of(SIS_KIND_MODAL, def->name);
        sis_fail_key(error, SIS_REFUSED, "frequency",
                     "%s: 'modes': mode %d, %g Hz, is too high for %g steps per second: needs a "
                     "rate above %.6g "
                     "Hz, or leave the mode out",
                     label.text, (int)i + 1, def->frequency.values[i], rate,
                     def->frequency.values[i] / 0.475 * (1 + 1e-6));
        return false;
    }
    size_t size = (size_t)form->modes * (size_t)form->points;
    double* shape = sis_arena_take(&plan->system->arena, size * sizeof *shape, error);
    double* frequency =
        sis_arena_take(&plan->system->arena, (size_t)form->modes * sizeof *frequency, error);
    if (!shape || !frequency) return false;
    for (int32_t i = 0; i < form->modes; i++)
        frequency[i] = def->frequency.values[i];
    form->frequency = frequency;
    // Place by place, so that the shapes at one place lie side by side.
    for (int32_t p = 0; p < form->points; p++)
        for (int32_t i = 0; i < form->modes; i++)
            shape[(size_t)p * (size_t)form->modes + (size_t)i] =
                def->shape.count ? def->shape.values[(size_t)i * (size_t)form->points + (size_t)p]
                                 : 1;
    form->shape = shape;
    return true;
}

bool sis_modal_build(compile_plan* plan, sis_id id, modal_form* form, sis_body_info* info,
                     sis_error* error) {
    sis_system* system = plan->system;
    const sis_modal_def* def = sis_scene_def(plan->scene, id);
    mass_bank* m = sis_modes_take(plan, form->modes, false, error);
    if (!m) return false;
    double lowest = HUGE_VAL, highest = 0;
    for (int32_t i = 0; i < form->modes; i++) {
        double f = def->frequency.values[i], s = def->sigma.count ? def->sigma.values[i] : 0;
        sis_modes_set(m, i, def->mass.values[i], 2 * PI * f, s, system->k, true);
        lowest = fmin(lowest, f);
        highest = fmax(highest, f);
    }
    double turn = sis_sin(PI * highest / system->rate);
    info->frequency = lowest;
    info->margin = 1 - turn * turn;
    info->modes = form->modes;
    info->points = form->points;
    system->banks[form->bank].kind = sis_mass_kind(form->modes, sis_wide(system->lanes)->mass);
    system->banks[form->bank].data = m;
    return true;
}
