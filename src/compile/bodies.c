// Bodies, forces and gravity of a scene: degrees of freedom, constants, stability margins.
#include "compile/plan.h"
#include "wide/width.h"

#include <math.h>

enum { MOST_POINTS = 2000000 };

static double frequency_of(const sis_mass_def* def) {
    if (def->path.count) return 0;
    if (!isnan(def->frequency)) return def->frequency;
    return isnan(def->stiffness) ? 0 : sqrt(def->stiffness / def->mass) / (2 * PI);
}

// H >= 0 for all states if and only if 1 - (w k/2)^2 >= 0; on the limit itself z = -1 is a double
// root.
static bool prove_margin(const sis_mass_def* def, double rate, double* margin, sis_error* error) {
    double f = frequency_of(def), half = PI * f / rate;
    *margin = 1 - half * half;
    if (*margin > 1e-9) return true;
    sis_label label = sis_label_of(SIS_KIND_MASS, def->name);
    sis_fail_key(error, SIS_REFUSED, isnan(def->frequency) ? "stiffness" : "frequency",
                 "%s: the spring of '%s', %g Hz, cannot be stable at %g steps per second: needs a "
                 "rate above %.6g Hz "
                 "(pi times the frequency), raise 'rate' or 'oversample'",
                 label.text, isnan(def->frequency) ? "stiffness" : "frequency", f, rate,
                 PI * f * (1 + 1e-6));
    return false;
}

static bool add_mass(compile_plan* plan, const sis_mass_def* def, int32_t at, sis_body_info* info,
                     sis_error* error) {
    sis_system* system = plan->system;
    const mass_bank* bank = system->banks[BANK_MASS].data;
    double k = system->k, w = 2 * PI * frequency_of(def), half_loss = 0.5 * def->damping * k;
    if (!prove_margin(def, system->rate, &info->margin, error)) return false;
    bank->mass[at] = def->mass;
    bank->stiffness[at] = !isnan(def->stiffness) ? def->stiffness : def->mass * w * w;
    bank->Dinv[at] = k * k / (def->mass * (1 + half_loss));
    bank->drop[at] = 2 * half_loss / (1 + half_loss);
    bank->swing[at] = (1 - 0.5 * bank->drop[at]) * k;
    bank->loss[at] = def->mass * def->damping / (4 * k);
    plan->position[at] = def->position;
    plan->velocity[at] = def->velocity;
    return true;
}

// The next degree of freedom that begins a cache line.
static double whole_lines(double points) {
    return 8 * ceil(points / 8);
}

static bool add_points(double* points, int32_t count, sis_error* error) {
    *points += count;
    if (*points <= MOST_POINTS) return true;
    sis_fail(error, SIS_REFUSED,
             "the bodies have more than %d points together: lower the rate or give 'segments'",
             MOST_POINTS);
    return false;
}

// One bank of masses, one of driven masses, then one a string, plate or modal body.
static bool make_banks(compile_plan* plan, int32_t masses, int32_t driven, sis_error* error) {
    sis_system* system = plan->system;
    int32_t first = masses + driven;
    system->bank_count =
        BANK_STRING + system->string_count + system->plate_count + system->modal_count;
    system->banks =
        sis_arena_take(&system->arena, (size_t)system->bank_count * sizeof(body_bank), error);
    if (!system->banks) return false;
    int32_t at = BANK_STRING;
    double points = first;
    for (int32_t i = 0; i < system->string_count; i++) {
        string_form* f = &system->strings[i];
        bool modal = f->model == SIS_STRING_MODAL;
        int32_t count = modal ? f->modes : f->segments - 1;
        points = whole_lines(points + STRING_EDGE);
        system->banks[f->bank = at++] = (body_bank){.first = (int32_t)points, .count = count};
        system->banks[f->bank].meet = f->model != SIS_STRING_FD || f->nonlinear;
        if (f->nonlinear) system->stretch_room = -1;
        if (!add_points(&points, count + STRING_EDGE, error)) return false;
    }
    for (int32_t i = 0; i < system->plate_count; i++) {
        plate_form* f = &system->plates[i];
        bool modal = f->model == SIS_PLATE_MODAL;
        int32_t count = modal ? f->modes : plate_stride(f->nx) * (f->ny + 1);
        if (!modal) points = whole_lines(points + 1); // rows begin on cache lines, none at 0
        system->banks[f->bank = at++] =
            (body_bank){.first = (int32_t)points, .count = count, .meet = modal};
        if (!add_points(&points, count + (modal ? 0 : plate_extra(f->nx, f->ny)), error))
            return false;
    }
    for (int32_t i = 0; i < system->modal_count; i++) {
        modal_form* f = &system->modals[i];
        system->banks[f->bank = at++] =
            (body_bank){.first = (int32_t)points, .count = f->modes, .meet = true};
        if (!add_points(&points, f->modes, error)) return false;
    }
    first = (int32_t)points;
    system->dof_count = first;
    size_t banks = (size_t)system->bank_count;
    system->alive = sis_arena_take(&system->arena, banks * sizeof *system->alive, error);
    if (!system->alive) return false;
    if (system->stretch_room) system->stretch_room = first;
    mass_bank* bank = sis_arena_take(&system->arena, sizeof *bank, error);
    driven_bank* paths = sis_arena_take(&system->arena, sizeof *paths, error);
    double* block = sis_arena_take(&system->arena, (size_t)masses * 6 * sizeof(double) + 1, error);
    sis_envelope* curves =
        sis_arena_take(&system->arena, (size_t)driven * sizeof *curves + 1, error);
    size_t size = (size_t)system->dof_count * sizeof(double) + 1;
    system->weight = sis_arena_take(&system->arena, size, error);
    plan->position = sis_arena_take(&plan->arena, size, error);
    plan->velocity = sis_arena_take(&plan->arena, size, error);
    if (!bank || !paths || !block || !curves || !system->weight || !plan->position ||
        !plan->velocity)
        return false;
    *bank = (mass_bank){block,
                        block + masses,
                        block + 2 * (size_t)masses,
                        block + 3 * (size_t)masses,
                        block + 4 * (size_t)masses,
                        system->rate,
                        NULL,
                        block + 5 * (size_t)masses,
                        NULL,
                        0};
    paths->path = curves;
    system->banks[BANK_MASS] =
        (body_bank){.kind = sis_mass_kind(masses, sis_wide(system->lanes)->mass),
                    .count = masses,
                    .data = bank};
    system->banks[BANK_DRIVEN] =
        (body_bank){.kind = &sis_driven_kind, .first = masses, .count = driven, .data = paths};
    system->timed = driven > 0;
    for (int32_t b = 0; b < system->bank_count; b++)
        if (system->banks[b].count) system->alive[system->alive_count++] = b;
    return true;
}

static bool add_string(compile_plan* plan, string_form* form, int32_t body, sis_body_info* info,
                       sis_error* error) {
    form->body = body;
    info->frequency = sis_string_partial(form, 1) / (2 * PI);
    info->margin = form->margin;
    info->points = form->segments + 1;
    info->model = form->model;
    info->ends = form->ends;
    info->nonlinear = form->nonlinear;
    info->tuned = form->tuned;
    info->segments = form->segments;
    info->modes = form->modes;
    info->length = form->length;
    info->h_over_hmin = form->h / form->h_min;
    info->gamma = form->gamma;
    info->tension = form->tension;
    info->density = form->density;
    info->stiffness = form->stiffness;
    info->used = form->model == SIS_STRING_MODAL ? form->stiffness : form->used;
    info->sigma0 = form->s0;
    info->sigma1 = form->s1;
    info->mirror = form->mirror;
    info->sigma0_used = form->s0_used;
    info->sigma1_used = form->s1_used;
    return sis_string_build(plan, form, error);
}

// A string, a plate or a modal body.
static bool add_form(compile_plan* plan, sis_id id, int32_t body, sis_body_info* info,
                     sis_error* error) {
    sis_system* system = plan->system;
    int32_t form = plan->form[id];
    if (plan->scene->objects[id].kind == SIS_KIND_STRING)
        return add_string(plan, &system->strings[form], body, info, error);
    if (plan->scene->objects[id].kind == SIS_KIND_PLATE) {
        system->plates[form].body = body;
        return sis_plate_build(plan, &system->plates[form], info, error);
    }
    system->modals[form].body = body;
    return sis_modal_build(plan, id, &system->modals[form], info, error);
}

static bool add_bodies(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const driven_bank* paths = system->banks[BANK_DRIVEN].data;
    int32_t mass_at = 0, driven_at = system->banks[BANK_DRIVEN].first, body = 0;
    for (sis_id id = 0; id < plan->scene->count; id++) {
        sis_kind kind = plan->scene->objects[id].kind;
        plan->object = id;
        plan->dof[id] = -1;
        if (kind != SIS_KIND_MASS && kind != SIS_KIND_BARRIER && plan->form[id] < 0) continue;
        sis_body_info* info = &system->body_info[body++];
        info->kind = kind;
        system->body_mass[body - 1] = -1;
        info->margin = 1;
        info->name = sis_arena_text(&system->arena, sis_scene_name(plan->scene, id), error);
        if (!info->name) return false;
        if (kind == SIS_KIND_BARRIER) continue;
        if (plan->form[id] >= 0) {
            if (!add_form(plan, id, body - 1, info, error)) return false;
            continue;
        }
        info->points = 1;
        const sis_mass_def* def = sis_scene_def(plan->scene, id);
        info->frequency = frequency_of(def);
        info->driven = def->path.count > 0;
        plan->dof[id] = system->body_mass[body - 1] = info->driven ? driven_at++ : mass_at++;
        if (!info->driven) {
            if (!add_mass(plan, def, plan->dof[id], info, error)) return false;
            continue;
        }
        size_t size = (size_t)def->path.count * 2 * sizeof(double);
        double* points = sis_arena_take(&system->arena, size, error);
        if (!points) return false;
        for (int32_t i = 0; i < 2 * def->path.count; i++)
            points[i] = def->path.points[i];
        sis_envelope path = {points, def->path.count};
        paths->path[plan->dof[id] - system->banks[BANK_DRIVEN].first] = path;
        plan->position[plan->dof[id]] = sis_envelope_at(path, 0);
        plan->velocity[plan->dof[id]] =
            (sis_envelope_at(path, system->k) - sis_envelope_at(path, 0)) / system->k;
    }
    plan->object = SIS_NONE;
    return true;
}

// The sample of an impulse: the nearest one, but sample 0 is the given state, so 1 at the earliest.
static uint64_t impulse_sample(double start, double rate) {
    double n = floor(start * rate + 0.5);
    return n < 1 ? 1 : n > 1e18 ? (uint64_t)1e18 : (uint64_t)n;
}

static bool add_source(compile_plan* plan, const sis_force_def* def, force_source* source,
                       sis_error* error) {
    double peak = isnan(def->peak) ? 1 : def->peak;
    network_end end;
    if (!sis_compile_end(plan, def->on, (sis_place){def->at, def->at_y}, 3, &end, error))
        return false;
    *source = (force_source){end, def->shape, peak, def->start, def->width, 0, {NULL, 0}, 0, 0};
    if (def->shape == SIS_FORCE_IMPULSE)
        source->sample = impulse_sample(def->start, plan->system->rate);
    if (!def->envelope.count) return true;
    size_t size = (size_t)def->envelope.count * 2 * sizeof(double);
    double* points = sis_arena_take(&plan->system->arena, size, error);
    if (!points) return false;
    for (int32_t i = 0; i < 2 * def->envelope.count; i++)
        points[i] = def->envelope.points[i];
    source->envelope = (sis_envelope){points, def->envelope.count};
    return true;
}

// The bank that holds the end of a source is forced there.
static void mark_forced(sis_system* system, const network_end* end) {
    for (int32_t b = 0; b < system->bank_count; b++) {
        body_bank* bank = &system->banks[b];
        for (int32_t i = 0; i < end->count; i++) {
            int32_t at = network_dof(end, i) - bank->first, last;
            if (at < 0 || at >= bank->count) continue;
            last = bank->forced_count ? bank->forced_first + bank->forced_count - 1 : at;
            if (!bank->forced_count || at < bank->forced_first) bank->forced_first = at;
            if (at > last) last = at;
            bank->forced_count = last - bank->forced_first + 1;
        }
    }
}

static bool add_sources(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    for (sis_id id = 0; id < plan->scene->count; id++) {
        plan->object = id;
        if (plan->scene->objects[id].kind == SIS_KIND_FORCE &&
            !add_source(plan, sis_scene_def(plan->scene, id),
                        &system->sources[system->source_count++], error))
            return false;
    }
    plan->object = SIS_NONE;
    for (int32_t i = 0; i < system->source_count; i++) {
        sis_source_span(&system->sources[i], system->rate);
        uint64_t last = system->sources[i].until + 1;
        if (last > system->forced_until) system->forced_until = last;
        mark_forced(system, &system->sources[i].end);
    }
    return true;
}

// How each bank flies, and D^-1 of diagonal bodies, one number a degree of freedom.
static bool finish_banks(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    size_t size = (size_t)system->dof_count * sizeof(double);
    plan->Dinv = sis_arena_take(&plan->arena, size, error);
    double* ones = sis_arena_take(&plan->arena, size, error);
    if (!plan->Dinv || !ones) return false;
    for (int32_t i = 0; i < system->dof_count; i++)
        ones[i] = 1;
    system->all_late = true;
    for (int32_t b = 0; b < system->bank_count; b++) {
        body_bank* bank = &system->banks[b];
        bank->number = b;
        if (!bank->advance) bank->advance = bank->kind->advance;
        if (bank->kind->diagonal) bank->kind->admit(bank, ones, plan->Dinv + bank->first);
        system->all_late = system->all_late && (bank->late || !bank->count);
    }
    return true;
}

// Strings, plates and modal bodies: how many degrees of freedom each needs.
static bool plan_forms(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    const int32_t* count = scene->kind_count;
    sis_arena* arena = &system->arena;
    system->strings =
        sis_arena_take(arena, (size_t)count[SIS_KIND_STRING] * sizeof(string_form) + 1, error);
    system->plates =
        sis_arena_take(arena, (size_t)count[SIS_KIND_PLATE] * sizeof(plate_form) + 1, error);
    system->modals =
        sis_arena_take(arena, (size_t)count[SIS_KIND_MODAL] * sizeof(modal_form) + 1, error);
    plan->form = sis_arena_take(&plan->arena, (size_t)scene->count * sizeof(int32_t), error);
    if (!system->strings || !system->plates || !system->modals || !plan->form) return false;
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        int32_t* made = kind == SIS_KIND_STRING  ? &system->string_count
                        : kind == SIS_KIND_PLATE ? &system->plate_count
                        : kind == SIS_KIND_MODAL ? &system->modal_count
                                                 : NULL;
        plan->object = id;
        plan->form[id] = made ? (*made)++ : -1;
        int32_t form = plan->form[id];
        bool good =
            kind == SIS_KIND_STRING  ? sis_string_plan(plan, id, &system->strings[form], error)
            : kind == SIS_KIND_PLATE ? sis_plate_plan(plan, id, &system->plates[form], error)
            : kind == SIS_KIND_MODAL ? sis_modal_plan(plan, id, &system->modals[form], error)
                                     : true;
        if (!good) return false;
    }
    plan->object = SIS_NONE;
    return true;
}

bool sis_compile_bodies(compile_plan* plan, sis_error* error) {
    const sis_scene* scene = plan->scene;
    sis_system* system = plan->system;
    int32_t masses = 0, driven = 0;
    int32_t forms = scene->kind_count[SIS_KIND_STRING] + scene->kind_count[SIS_KIND_PLATE] +
                    scene->kind_count[SIS_KIND_MODAL];
    for (sis_id id = 0; id < scene->count; id++) {
        if (scene->objects[id].kind != SIS_KIND_MASS) continue;
        const sis_mass_def* def = sis_scene_def(scene, id);
        if (def->path.count)
            driven++;
        else
            masses++;
    }
    if (masses + driven + forms == 0) {
        sis_fail(error, SIS_REFUSED, "the scene has nothing that moves: add a mass or a string");
        return false;
    }
    system->body_count = masses + driven + forms + scene->kind_count[SIS_KIND_BARRIER];
    size_t sources = (size_t)scene->kind_count[SIS_KIND_FORCE];
    system->sources = sis_arena_take(&system->arena, sources * sizeof(force_source) + 1, error);
    system->body_info =
        sis_arena_take(&system->arena, (size_t)system->body_count * sizeof(sis_body_info), error);
    system->body_mass =
        sis_arena_take(&system->arena, (size_t)system->body_count * sizeof(int32_t), error);
    plan->dof = sis_arena_take(&plan->arena, (size_t)scene->count * sizeof(int32_t), error);
    return system->body_mass && system->sources && system->body_info && plan->dof &&
           plan_forms(plan, error) && make_banks(plan, masses, driven, error) &&
           add_bodies(plan, error) && finish_banks(plan, error) && add_sources(plan, error) &&
           sis_compile_gravity(plan, error) && sis_compile_plucks(plan, error);
}
