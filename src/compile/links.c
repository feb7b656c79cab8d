// Links of a scene: every contact and spring becomes one link for each of its points.
#include "compile/system.h"

#include <math.h>

enum { MOST_LINKS = 200000, MOST_WEIGHTS = 16000000 };

// Acceleration of gravity on a degree of freedom, m/s^2.
static double fall_of(const sis_system* system, const network_end* end) {
    const mass_bank* masses = system->banks[BANK_MASS].data;
    return end->count && end->first < system->banks[BANK_MASS].count
               ? system->weight[end->first] / masses->mass[end->first]
               : 0;
}

// The curve of an exponent, made once for all contacts that share it.
static const exact_table* table_for(compile_plan* plan, double alpha, sis_error* error) {
    for (int32_t i = 0; i < plan->made_count; i++)
        if (plan->made[i].table && plan->made[i].power.alpha == alpha) return plan->made[i].table;
    exact_table* table = sis_arena_take(&plan->system->arena, sizeof *table, error);
    if (table) sis_exact_table_make(table, alpha);
    return table;
}

// What a scheme needs of its contact alone; what it needs of the block is checked when there are
// blocks.
static bool check_scheme(const compile_plan* plan, const sis_contact_def* def, sis_scheme scheme,
                         sis_error* error) {
    bool wall = (plan->scene->objects[def->above].kind == SIS_KIND_BARRIER) !=
                (plan->scene->objects[def->below].kind == SIS_KIND_BARRIER);
    bool string = plan->form[def->above] >= 0 || plan->form[def->below] >= 0;
    bool impact = scheme >= SIS_SCHEME_AM1;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    const char *word = sis_scheme_word(scheme), *why = NULL;
    if (def->potential == SIS_POTENTIAL_MIDPOINT && scheme != SIS_SCHEME_LEDGER &&
        scheme != SIS_SCHEME_NEWTON)
        why = "has no potential = \"midpoint\": that works with ledger and newton only";
    else if ((scheme == SIS_SCHEME_EXACT || scheme == SIS_SCHEME_ROOT) && def->damping > 0)
        why = "has no damping: use ledger, quadratised, newton or invariant, or damping = 0";
    else if (scheme == SIS_SCHEME_ROOT && string)
        why = "is for single masses: on a string use ledger, quadratised or newton";
    else if (impact && string)
        why = "is for one mass on a wall: on a string use ledger, quadratised or newton";
    else if (scheme == SIS_SCHEME_EXACT && string && def->alpha != 1)
        why = "has a closed form on strings for alpha = 1 only: use ledger or newton";
    else if (scheme == SIS_SCHEME_EXACT && string && def->law != SIS_LAW_ONE_SIDED)
        why = "on strings is for one-sided contacts: use ledger or newton";
    else if (scheme == SIS_SCHEME_ROOT && def->law == SIS_LAW_TWO_SIDED &&
             floor(0.5 * (def->alpha - 1)) != 0.5 * (def->alpha - 1))
        why = "takes two-sided laws with odd whole alpha only (1, 3, 5, ...): use ledger, newton "
              "or exact";
    else if (impact && def->law != SIS_LAW_ONE_SIDED)
        why = "is for one-sided contacts only: use ledger, quadratised or newton";
    else if (impact && !wall)
        why = "is for one mass on a wall (a barrier): use ledger, quadratised, newton or exact";
    if (!why) return true;
    sis_fail(error, SIS_REFUSED, "%s: scheme \"%s\" %s", label.text, word, why);
    return false;
}

// What the points of a contact have in common.
static bool make_contact(compile_plan* plan, const sis_contact_def* def, network_link* link,
                         sis_link_info* info, sis_error* error) {
    sis_scheme scheme =
        plan->options->scheme == SIS_SCHEME_AS_GIVEN ? def->scheme : plan->options->scheme;
    link->scheme = scheme;
    link->release = def->release && scheme == SIS_SCHEME_QUADRATISED;
    link->midpoint = def->potential == SIS_POTENTIAL_MIDPOINT;
    link->corrected = def->corrected && scheme != SIS_SCHEME_INVARIANT;
    link->mu = def->damping;
    link->s = def->s;
    link->line =
        scheme == SIS_SCHEME_EXACT && (plan->form[def->above] >= 0 || plan->form[def->below] >= 0);
    info->law = def->law;
    info->potential = def->potential;
    info->gap = def->gap;
    info->K = def->K;
    info->alpha = def->alpha;
    info->mu = def->damping;
    info->s = def->s;
    info->clamp = def->clamp;
    if (!check_scheme(plan, def, scheme, error)) return false;
    if (scheme != SIS_SCHEME_EXACT || link->line) return true;
    return (link->table = table_for(plan, def->alpha, error)) != NULL;
}

// ---------------------------------------------------------------------------- points of a contact

// Where a contact acts: a list of places, or the nodes first .. first + count - 1 of `grid`.
typedef struct contact_range {
    const string_form *above, *below, *grid;
    sis_list at_above, at_below;
    int32_t first, count;
} contact_range;

static const string_form* form_of(const compile_plan* plan, sis_id id) {
    return id >= 0 && plan->form[id] >= 0 ? &plan->system->strings[plan->form[id]] : NULL;
}

static const sis_barrier_def* barrier_of(const compile_plan* plan, sis_id id) {
    return id >= 0 && plan->scene->objects[id].kind == SIS_KIND_BARRIER
               ? sis_scene_def(plan->scene, id)
               : NULL;
}

// The nodes of the coarser string that lie along the barrier or the other string.
static void find_range(const compile_plan* plan, const sis_contact_def* def, contact_range* range) {
    const string_form *above = range->above, *below = range->below;
    range->grid = above && (!below || above->h >= below->h) ? above : below;
    if (!range->grid) return;
    const sis_barrier_def* barrier = barrier_of(plan, range->above ? def->below : def->above);
    double from = 0, to = range->grid->length, h = range->grid->h;
    if (barrier && !isnan(barrier->from)) from = barrier->from;
    if (barrier && !isnan(barrier->to)) to = barrier->to;
    if (range->above && range->below) to = fmin(range->above->length, range->below->length);
    int32_t first = (int32_t)ceil(from / h - 1e-9), last = (int32_t)floor(to / h + 1e-9);
    if (first < 1) first = 1;
    if (last > range->grid->segments - 1) last = range->grid->segments - 1;
    // The end of the shorter of two strings does not move.
    if (range->above && range->below && last * h > to * (1 - 1e-9)) last--;
    range->first = first;
    range->count = last - first + 1;
}

static bool refuse_range(const sis_contact_def* def, double h, sis_error* error) {
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    sis_fail(
        error, SIS_REFUSED,
        "%s: no point of the string lies there: its points are %g m apart at this rate; widen the "
        "range, or give 'at' for a point",
        label.text, h);
    return false;
}

static bool range_of(const compile_plan* plan, const sis_contact_def* def, contact_range* range,
                     sis_error* error) {
    *range = (contact_range){.above = form_of(plan, def->above),
                             .below = form_of(plan, def->below),
                             .at_above = sis_contact_places(plan->scene, def, true),
                             .at_below = sis_contact_places(plan->scene, def, false),
                             .count = 1};
    if (!range->above && !range->below) return true;
    sis_list places = range->above ? range->at_above : range->at_below;
    range->count = places.count;
    if (places.count) return true;
    find_range(plan, def, range);
    return range->count > 0 ? true : refuse_range(def, range->grid ? range->grid->h : 0, error);
}

// The height of a barrier at a place.
static bool height_at(const sis_barrier_def* def, double x, double* height, sis_error* error) {
    *height = def->height;
    if (!def->profile.value) return true;
    sis_error why = {SIS_OK, ""};
    double value = 0;
    bool good = def->profile.value(def->profile.context, x, &value, &why);
    *height = value;
    if (good && value >= -1e6 && value <= 1e6) return true;
    sis_label label = sis_label_of(SIS_KIND_BARRIER, def->name);
    if (!good && why.text[0])
        sis_fail(error, why.status, "%s", why.text);
    else
        sis_fail(error, SIS_BAD_VALUE,
                 "%s: 'height' at %g m must be between -1e+06 and 1e+06 m, got %g", label.text, x,
                 value);
    return false;
}

// A barrier that stands in the string at rest: the string would start inside it.
static bool check_rest(const sis_contact_def* def, bool string_above, double x, double height,
                       sis_error* error) {
    double inside = (string_above ? height : -height) - fmax(def->gap, 0);
    if (def->law != SIS_LAW_ONE_SIDED || !(inside > 0) || def->gap < 0) return true;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    sis_fail(error, SIS_REFUSED,
             "%s: at %g m the barrier is at %g m, %s the line where the string rests (0 m), so it "
             "would start inside: %s it, or give a negative 'gap' if the string is pressed on",
             label.text, x, height, string_above ? "above" : "below",
             string_above ? "lower" : "raise");
    return false;
}

// One side of the j-th point: its end, where it is and what it reads at the start.
static bool make_side(compile_plan* plan, const sis_contact_def* def, const contact_range* range,
                      bool above, int32_t j, network_end* end, double* rest,
                      sis_contact_point* point, sis_error* error) {
    sis_id id = above ? def->above : def->below;
    const string_form *own = above ? range->above : range->below,
                      *other = above ? range->below : range->above;
    sis_list places = above ? range->at_above : range->at_below;
    double at = range->grid    ? (range->first + j) * range->grid->h
                : places.count ? places.values[j]
                               : (double)NAN;
    const sis_barrier_def* barrier = barrier_of(plan, id);
    *(above ? &point->at_above : &point->at_below) = own ? at : (double)NAN;
    if (!sis_compile_end(plan, id, at, own == range->grid ? 3 : def->interpolation, end, error))
        return false;
    *rest = network_read(end, plan->position);
    if (!barrier) return true;
    if (other && !range->grid) at = (above ? range->at_below : range->at_above).values[j];
    if (!height_at(barrier, at, rest, error)) return false;
    point->height = *rest;
    return !other || check_rest(def, !above, at, *rest, error);
}

// ---------------------------------------------------------------------------- links

static bool count_links(compile_plan* plan, int32_t* total, sis_error* error) {
    const sis_scene* scene = plan->scene;
    double links = 0, weights = 0;
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        if (kind == SIS_KIND_SPRING) links += 1;
        if (kind == SIS_KIND_STRING && ((const sis_string_def*)sis_scene_def(scene, id))->nonlinear)
            links += 1;
        if (kind != SIS_KIND_CONTACT) continue;
        contact_range range;
        if (!range_of(plan, sis_scene_def(scene, id), &range, error)) return false;
        links += range.count;
        weights += range.count * ((range.above ? (double)range.above->modes : 0) +
                                  (range.below ? (double)range.below->modes : 0));
    }
    *total = (int32_t)fmin(links, 1e9);
    if (links <= MOST_LINKS && weights <= MOST_WEIGHTS) return true;
    sis_fail(error, SIS_REFUSED,
             "the contacts have %g points in all%s: lower the rate, or give the strings 'segments' "
             "or a shorter range",
             links,
             links <= MOST_LINKS ? " on modal strings of many modes" : "; at most 200000 work");
    return false;
}

static bool name_link(compile_plan* plan, sis_id id, sis_id above, sis_id below,
                      const network_link* link, sis_link_info* info, sis_error* error) {
    info->kind = plan->scene->objects[id].kind;
    info->scheme = link->scheme;
    info->weight = 1;
    info->name = sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, id), error);
    info->below = sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, below), error);
    info->above = sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, above), error);
    return info->name && info->below && info->above;
}

static bool add_contact(compile_plan* plan, sis_id id, network_link* links, link_group* group,
                        sis_link_info* info, sis_error* error) {
    const sis_contact_def* def = sis_scene_def(plan->scene, id);
    network_link common = {.spring = false};
    contact_range range;
    if (!make_contact(plan, def, &common, info, error) || !range_of(plan, def, &range, error) ||
        !name_link(plan, id, def->above, def->below, &common, info, error))
        return false;
    if (range.grid) info->weight = range.grid->h;
    info->distributed = range.grid != NULL;
    info->points = group->count = range.count;
    group->points =
        sis_arena_take(&plan->system->arena, (size_t)range.count * sizeof *group->points, error);
    if (!group->points) return false;
    common.power = sis_power_law_make(def->law, def->K * info->weight, def->alpha, def->gap);
    double gap = def->law == SIS_LAW_CENTRE_LIMITED ? 0 : def->gap;
    for (int32_t j = 0; j < range.count; j++) {
        network_link* link = &links[group->first + j];
        double above, below;
        *link = common;
        group->points[j] = (sis_contact_point){NAN, NAN, NAN};
        if (!make_side(plan, def, &range, true, j, &link->above, &above, &group->points[j],
                       error) ||
            !make_side(plan, def, &range, false, j, &link->below, &below, &group->points[j], error))
            return false;
        link->steady = fall_of(plan->system, &link->below) - fall_of(plan->system, &link->above);
        plan->eta[group->first + j] = below - above - gap;
    }
    return true;
}

static bool add_spring(compile_plan* plan, sis_id id, network_link* links, link_group* group,
                       sis_link_info* info, sis_error* error) {
    const sis_spring_def* def = sis_scene_def(plan->scene, id);
    network_link* link = &links[group->first];
    *link = (network_link){.spring = true, .elastic = {def->K1, def->K3, def->damping}};
    info->points = group->count = 1;
    group->points = sis_arena_take(&plan->system->arena, sizeof *group->points, error);
    if (!group->points) return false;
    *group->points = (sis_contact_point){def->at_b, def->at_a, NAN};
    if (!name_link(plan, id, def->b, def->a, link, info, error) ||
        !sis_compile_end(plan, def->a, def->at_a, 3, &link->below, error) ||
        !sis_compile_end(plan, def->b, def->at_b, 3, &link->above, error))
        return false;
    plan->eta[group->first] =
        network_read(&link->below, plan->position) - network_read(&link->above, plan->position);
    return true;
}

// One link for each string whose tension grows; its column is the string's curvature.
static void add_stretches(compile_plan* plan, network_link* links, int32_t at) {
    for (int32_t i = 0; i < plan->system->string_count; i++) {
        const string_form* form = &plan->system->strings[i];
        const body_bank* bank = &plan->system->banks[form->bank];
        if (!form->nonlinear) continue;
        links[at++] = (network_link){.spring = true,
                                     .stretch = true,
                                     .below = {bank->first, bank->count, NULL},
                                     .elastic = {form->area_stiffness / (4 * form->length), 0, 0}};
        plan->system->stretch_count++;
    }
}

bool sis_compile_links(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    int32_t n, group = 0;
    size_t groups =
        (size_t)scene->kind_count[SIS_KIND_CONTACT] + (size_t)scene->kind_count[SIS_KIND_SPRING];
    if (!count_links(plan, &n, error)) return false;
    size_t count = (size_t)n;
    system->group_count = (int32_t)groups;
    network_link* links = sis_arena_take(&plan->arena, count * sizeof *links + 1, error);
    system->groups = sis_arena_take(&system->arena, groups * sizeof(link_group) + 1, error);
    system->link_info = sis_arena_take(&system->arena, groups * sizeof(sis_link_info) + 1, error);
    plan->eta = sis_arena_take(&plan->arena, count * sizeof(double) + 1, error);
    plan->made = links;
    if (!links || !system->groups || !system->link_info || !plan->eta) return false;
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        if (kind != SIS_KIND_CONTACT && kind != SIS_KIND_SPRING) continue;
        link_group* g = &system->groups[group];
        sis_link_info* info = &system->link_info[group++];
        g->first = plan->made_count;
        bool good = kind == SIS_KIND_CONTACT ? add_contact(plan, id, links, g, info, error)
                                             : add_spring(plan, id, links, g, info, error);
        if (!good) return false;
        plan->made_count += g->count;
    }
    add_stretches(plan, links, plan->made_count);
    system->link_count = n;
    return sis_compile_blocks(plan, links, error);
}
