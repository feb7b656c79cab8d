// Masses of a scene: free ones share one group of bodies, those driven along a path another.
#include "compile/plan.h"

#include <math.h>

static bool check_mass(const void* given, const char* object, sis_error* error) {
    const sis_mass_def* def = given;
    if (def->path.count) {
        if (!isnan(def->frequency) || !isnan(def->stiffness) || def->damping != 0 ||
            def->position != 0 || def->velocity != 0)
            return refuse(
                error, SIS_REFUSED, object,
                "it is driven along 'path', so frequency, stiffness, damping, position and "
                "velocity have no meaning: leave them out");
        return true;
    }
    if (isnan(def->mass))
        return refuse(error, SIS_BAD_VALUE, object,
                      "'mass' (kg) is missing (or drive it by 'path')");
    if (!isnan(def->frequency) && !isnan(def->stiffness))
        return refuse(error, SIS_REFUSED, object, "give 'frequency' or 'stiffness', not both");
    return true;
}

static bool is_driven(const void* def) {
    return ((const sis_mass_def*)def)->path.count > 0;
}

static double frequency_of(const sis_mass_def* def) {
    if (def->path.count) return 0;
    if (!isnan(def->frequency)) return def->frequency;
    return isnan(def->stiffness) ? 0 : sqrt(def->stiffness / def->mass) / (2 * PI);
}

static bool plan_mass(compile_plan* plan, body_spec* spec, const void* def, sis_error* error) {
    (void)error;
    spec->group = is_driven(def) ? GROUP_DRIVEN : GROUP_MASS;
    spec->first = plan->shared[spec->group]++;
    return true;
}

bool sis_mass_banks(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    int32_t masses = plan->shared[GROUP_MASS], driven = plan->shared[GROUP_DRIVEN];
    size_t curves = (size_t)driven * sizeof(sis_envelope) + 1;
    driven_group* paths = sis_arena_take(&system->arena, sizeof *paths, error);
    if (!paths || !(paths->path = sis_arena_take(&system->arena, curves, error))) return false;
    system->body_groups[GROUP_MASS] = (body_group){.count = masses};
    system->body_groups[GROUP_DRIVEN] =
        (body_group){.kind = &sis_driven_kind, .first = masses, .count = driven, .data = paths};
    system->timed = driven > 0;
    return sis_modes_take(plan, GROUP_MASS, false, error) != NULL;
}

// H >= 0 for all states if and only if 1 - (w k/2)^2 >= 0; on the limit itself z = -1 is a double
// root.
static bool prove_margin(const sis_mass_def* def, double rate, double* margin, sis_error* error) {
    double f = frequency_of(def), half = PI * f / rate;
    const char* key = isnan(def->frequency) ? "stiffness" : "frequency";
    *margin = 1 - half * half;
    if (*margin > 1e-9) return true;
    return sis_fail_key(error, SIS_REFUSED, key,
                        "the spring of '%s', %g Hz, cannot be stable at %g steps per second: "
                        "needs a rate above %.6g Hz (pi times the frequency), raise 'rate' or "
                        "'oversample'",
                        key, f, rate, PI * f * (1 + 1e-6));
}

static bool build_driven(compile_plan* plan, const sis_mass_def* def, const body_spec* spec,
                         int32_t at, sis_error* error) {
    sis_system* system = plan->system;
    const driven_group* paths = system->body_groups[GROUP_DRIVEN].data;
    sis_envelope* path = &paths->path[spec->first];
    if (!sis_keep_curve(plan, def->path, path, error)) return false;
    plan->position[at] = sis_envelope_at(*path, 0);
    plan->velocity[at] =
        (sis_envelope_at(*path, system->k) - sis_envelope_at(*path, 0)) / system->k;
    return true;
}

static bool build_mass(compile_plan* plan, body_spec* spec, const void* given, sis_body_info* info,
                       sis_error* error) {
    sis_system* system = plan->system;
    const sis_mass_def* def = given;
    const mass_group* bodies = system->body_groups[GROUP_MASS].data;
    int32_t at = sis_spec_dof(system->body_groups, spec, 0);
    double k = system->k, w = 2 * PI * frequency_of(def), half_loss = 0.5 * def->damping * k;
    info->frequency = frequency_of(def);
    info->driven = is_driven(def);
    if (info->driven) return build_driven(plan, def, spec, at, error);
    if (!prove_margin(def, system->rate, &info->margin, error)) return false;
    bodies->mass[at] = def->mass;
    bodies->stiffness[at] = !isnan(def->stiffness) ? def->stiffness : def->mass * w * w;
    bodies->Dinv[at] = k * k / (def->mass * (1 + half_loss));
    bodies->drop[at] = 2 * half_loss / (1 + half_loss);
    bodies->swing[at] = (1 - 0.5 * bodies->drop[at]) * k;
    bodies->loss[at] = def->mass * def->damping / (4 * k);
    plan->position[at] = def->position;
    plan->velocity[at] = def->velocity;
    return true;
}

static bool point_of_mass(compile_plan* plan, const body_spec* spec, sis_place at, int32_t order,
                          network_end* end, sis_error* error) {
    (void)at, (void)order, (void)error;
    *end = (network_end){.first = sis_spec_dof(plan->system->body_groups, spec, 0), .count = 1};
    return true;
}

static void pull_mass(compile_plan* plan, const body_spec* spec, const void* def, double g) {
    if (is_driven(def)) return;
    plan->system->weight[sis_spec_dof(plan->system->body_groups, spec, 0)] -=
        ((const sis_mass_def*)def)->mass * g;
}

const body_class sis_mass_class = {.called = "mass",
                                   .check = check_mass,
                                   .driven = is_driven,
                                   .spec_size = sizeof(body_spec),
                                   .plan = plan_mass,
                                   .build = build_mass,
                                   .point = point_of_mass,
                                   .pull = pull_mass,
                                   .shape = sis_mass_shape};
