// Links of a scene: every contact and spring becomes one link for each of its points.
#include "compile/plan.h"

#include <math.h>

enum { MOST_LINKS = 200000, MOST_WEIGHTS = 16000000 };

// Acceleration of gravity on a degree of freedom, m/s^2.
static double fall_of(const sis_system* system, const network_end* end) {
    const mass_group* masses = system->body_groups[GROUP_MASS].data;
    return end->count == 1 && end->first < system->body_groups[GROUP_MASS].count
               ? system->weight[end->first] / masses->mass[end->first]
               : 0;
}

// The curve of an exponent, made once for all contacts that share it.
static const exact_table* table_for(compile_plan* plan, double alpha, sis_error* error) {
    const sis_system* system = plan->system;
    for (int32_t g = 0; g < system->group_count; g++)
        if (system->contacts[g].table && system->contacts[g].power.alpha == alpha)
            return system->contacts[g].table;
    exact_table* table = sis_arena_take(&plan->system->arena, sizeof *table, error);
    if (table) sis_exact_table_make(table, alpha);
    return table;
}

static bool has_places(const compile_plan* plan, sis_id id) {
    return sis_places_of(plan->scene, id) != SIS_PLACES_NONE;
}

// What a scheme needs of its contact alone; what it needs of the block is checked when there are
// blocks.
static bool check_scheme(const compile_plan* plan, const sis_contact_def* def, sis_scheme scheme,
                         sis_error* error) {
    bool wall =
        !sis_as_barrier(plan->scene, def->above) != !sis_as_barrier(plan->scene, def->below);
    bool extended = has_places(plan, def->above) || has_places(plan, def->below);
    bool impact = scheme >= SIS_SCHEME_AM1;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    const char *word = sis_scheme_word(scheme), *why = NULL;
    if (sis_law_class(def->law)->potential && scheme != SIS_SCHEME_LEDGER &&
        scheme != SIS_SCHEME_NEWTON && scheme != SIS_SCHEME_QUADRATISED)
        why = "takes powers of the depth only, not this 'law': use ledger, newton or quadratised";
    else if (def->potential == SIS_POTENTIAL_MIDPOINT && scheme != SIS_SCHEME_LEDGER &&
             scheme != SIS_SCHEME_NEWTON)
        why = "has no potential = \"midpoint\": that works with ledger and newton only";
    else if ((scheme == SIS_SCHEME_EXACT || scheme == SIS_SCHEME_ROOT) && def->damping > 0)
        why = "has no damping: use ledger, quadratised, newton or invariant, or damping = 0";
    else if (scheme == SIS_SCHEME_ROOT && extended)
        why = "is for single masses: on strings, plates and modal bodies use ledger, quadratised "
              "or newton";
    else if (impact && extended)
        why = "is for one mass on a wall: on strings, plates and modal bodies use ledger, "
              "quadratised or newton";
    else if (scheme == SIS_SCHEME_EXACT && extended && def->alpha != 1)
        why = "has a closed form on strings and plates for alpha = 1 only: use ledger or newton";
    else if (scheme == SIS_SCHEME_EXACT && extended && def->law != SIS_LAW_ONE_SIDED)
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
    sis_fail(error, SIS_REFUSED, "%s: 'scheme' = \"%s\" %s", label.text, word, why);
    return false;
}

// Whether a body moves as a whole where it is touched: a mass, a body given by its modes, or none.
static bool is_lumped(const compile_plan* plan, sis_id id) {
    return sis_places_of(plan->scene, id) < SIS_PLACES_LINE;
}

// What the points of a contact have in common; all but its force is known without its points.
static bool make_contact(compile_plan* plan, const sis_contact_def* def, contact_law* law,
                         sis_link_info* info, sis_error* error) {
    sis_scheme scheme =
        plan->options->scheme == SIS_SCHEME_AS_GIVEN ? def->scheme : plan->options->scheme;
    bool extended = has_places(plan, def->above) || has_places(plan, def->below);
    info->law = def->law;
    info->potential = def->potential;
    info->gap = def->gap;
    info->K = def->K;
    info->alpha = def->alpha;
    info->mu = def->damping;
    info->s = def->s;
    info->clamp = def->clamp;
    *law = (contact_law){.scheme = scheme,
                         .release = def->release && scheme == SIS_SCHEME_QUADRATISED,
                         .midpoint = def->potential == SIS_POTENTIAL_MIDPOINT,
                         .corrected = def->corrected && scheme != SIS_SCHEME_INVARIANT,
                         .closed = scheme == SIS_SCHEME_EXACT && extended,
                         .mu = def->damping,
                         .nu = 0.5 * def->damping * plan->options->rate, // mu/2k
                         .s = def->s};
    law->restitution = scheme == SIS_SCHEME_LEDGER && def->damping > 0 && !law->midpoint &&
                       sis_law_sides(def->law) == SIS_LAW_ONE_SIDED &&
                       is_lumped(plan, def->above) && is_lumped(plan, def->below);
    if (!check_scheme(plan, def, scheme, error)) return false;
    if (scheme != SIS_SCHEME_EXACT || law->closed) return true;
    return (law->table = table_for(plan, def->alpha, error)) != NULL;
}

// ---------------------------------------------------------------------------- points of a contact

// Where a contact acts: a list of places, the nodes first .. first + count - 1 of the line
// `grid`, or the nodes of the `area` from (first, first_y) on, `columns` of them along x.
typedef struct contact_range {
    const body_spec *above, *below, *grid; // lines
    const body_spec* area;
    int32_t first, count;
    int32_t first_y, columns;
} contact_range;

static const body_spec* with_places(const compile_plan* plan, sis_id id, sis_places places) {
    return id >= 0 && sis_places_of(plan->scene, id) == places ? plan->spec[id] : NULL;
}

// The nodes of the coarser string that lie along the barrier or the other string.
static void find_range(const compile_plan* plan, const sis_contact_def* def, contact_range* range) {
    const body_spec *above = range->above, *below = range->below;
    range->grid = above && (!below || above->hx >= below->hx) ? above : below;
    if (!range->grid) return;
    const sis_barrier_def* barrier =
        sis_as_barrier(plan->scene, range->above ? def->below : def->above);
    double from = 0, to = range->grid->length, h = range->grid->hx;
    if (barrier && !isnan(barrier->from)) from = barrier->from;
    if (barrier && !isnan(barrier->to)) to = barrier->to;
    if (range->above && range->below) to = fmin(range->above->length, range->below->length);
    int32_t first = (int32_t)ceil(from / h - 1e-9), last = (int32_t)floor(to / h + 1e-9);
    if (first < 1) first = 1;
    if (last > range->grid->nx - 1) last = range->grid->nx - 1;
    // The end of the shorter of two strings does not move.
    if (range->above && range->below && last * h > to * (1 - 1e-9)) last--;
    range->first = first;
    range->count = last - first + 1;
}

// The nodes 1 .. n - 1 of a grid of spacing h from `from` to `to`; NaN: its end.
static int32_t nodes_within(double from, double to, double h, int32_t n, int32_t* first) {
    int32_t last = n - 1;
    *first = 1;
    if (!isnan(from)) *first = (int32_t)fmax(1, ceil(from / h - 1e-9));
    if (!isnan(to)) last = (int32_t)fmin(n - 1, floor(to / h + 1e-9));
    return last < *first ? 0 : last - *first + 1;
}

// The nodes of a plate within the corners of the barrier.
static void find_area(const sis_barrier_def* barrier, const body_spec* plate,
                      contact_range* range) {
    double hx = plate->length / plate->nx, hy = plate->width / plate->ny;
    range->area = plate;
    range->columns = nodes_within(barrier->from, barrier->to, hx, plate->nx, &range->first);
    range->count = range->columns *
                   nodes_within(barrier->from_y, barrier->to_y, hy, plate->ny, &range->first_y);
}

static bool refuse_area(const sis_contact_def* def, const body_spec* plate, sis_error* error) {
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    sis_fail(error, SIS_REFUSED,
             "%s: no point of the plate lies there: its points are %g m apart along x and %g m "
             "along y at this rate; widen the area, or give 'at' = {x, y} for a point",
             label.text, plate->length / plate->nx, plate->width / plate->ny);
    return false;
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
    int32_t above = sis_contact_place_count(plan->scene, def, true);
    int32_t below = sis_contact_place_count(plan->scene, def, false);
    *range = (contact_range){.above = with_places(plan, def->above, SIS_PLACES_LINE),
                             .below = with_places(plan, def->below, SIS_PLACES_LINE),
                             .count = above > below ? above : below};
    if (range->count) return true;
    range->count = 1; // masses, a modal body of one place
    bool plate_above = with_places(plan, def->above, SIS_PLACES_AREA) != NULL;
    const body_spec* plate =
        with_places(plan, plate_above ? def->above : def->below, SIS_PLACES_AREA);
    const sis_barrier_def* barrier =
        sis_as_barrier(plan->scene, plate_above ? def->below : def->above);
    if (plate && barrier) {
        find_area(barrier, plate, range);
        return range->count > 0 ? true : refuse_area(def, plate, error);
    }
    if (!range->above && !range->below) return true;
    find_range(plan, def, range);
    return range->count > 0 ? true : refuse_range(def, range->grid ? range->grid->hx : 0, error);
}

// The height of a barrier at a place.
static bool height_at(const sis_barrier_def* def, sis_place at, double* height, sis_error* error) {
    const profile_name called = {SIS_KIND_BARRIER, def->name, "height", "m", 1e6};
    *height = def->height;
    if (!sis_profile_given(&def->profile)) return true;
    return sis_profile_value(&def->profile, at, called, height, error);
}

// A barrier that stands in the string or plate at rest: that would start inside it.
static bool check_rest(const sis_contact_def* def, bool body_above, sis_place at, double height,
                       sis_error* error) {
    double inside = (body_above ? height : -height) - fmax(def->gap, 0);
    if (sis_law_sides(def->law) != SIS_LAW_ONE_SIDED || !(inside > 0) || def->gap < 0) return true;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    const char *side = body_above ? "above" : "below", *move = body_above ? "lower" : "raise";
    if (isnan(at.y))
        sis_fail(error, SIS_REFUSED,
                 "%s: at %g m the barrier is at %g m, %s the line where the string rests (0 m), so "
                 "it would start inside: %s it, or give a negative 'gap' if the string is pressed "
                 "on",
                 label.text, at.x, height, side, move);
    else
        sis_fail(error, SIS_REFUSED,
                 "%s: at {%g, %g} m the barrier is at %g m, %s the plane where the plate rests (0 "
                 "m), so it would start inside: %s it, or give a negative 'gap' if the plate is "
                 "pressed on",
                 label.text, at.x, at.y, height, side, move);
    return false;
}

// Where the j-th point is on that side.
static sis_place place_of(const compile_plan* plan, const sis_contact_def* def,
                          const contact_range* range, bool above, int32_t j) {
    const body_spec* area = range->area;
    if (range->grid) return (sis_place){(range->first + j) * range->grid->hx, NAN};
    if (area)
        return (sis_place){(range->first + j % range->columns) * area->hx,
                           (range->first_y + j / range->columns) * area->hy};
    return sis_contact_place(plan->scene, def, above, j);
}

// One side of the j-th point: its end, where it is and what it reads at the start.
static bool make_side(compile_plan* plan, const sis_contact_def* def, const contact_range* range,
                      bool above, int32_t j, network_end* end, double* rest,
                      sis_contact_point* point, sis_error* error) {
    sis_id id = above ? def->above : def->below;
    const body_spec* own = above ? range->above : range->below;
    const sis_barrier_def* barrier = sis_as_barrier(plan->scene, id);
    sis_place at = place_of(plan, def, range, above, j);
    bool placed = has_places(plan, id);
    *(above ? &point->at_above : &point->at_below) = placed ? at.x : (double)NAN;
    *(above ? &point->y_above : &point->y_below) = placed ? at.y : (double)NAN;
    int32_t order = own && own == range->grid ? 3 : def->interpolation;
    if (!sis_compile_end(plan, id, at, order, end, error)) return false;
    *rest = network_read(end, plan->position);
    if (!barrier) return true;
    const body_spec* other = above ? range->below : range->above;
    at = place_of(plan, def, range, !above, j);
    if (!height_at(barrier, at, rest, error)) {
        plan->object = id;
        return false;
    }
    point->height = *rest;
    return (!other && !range->area) || check_rest(def, !above, at, *rest, error);
}

// How many modes a body's point has, for the memory it takes.
static double modes_of(const compile_plan* plan, sis_id id) {
    return plan->spec[id]->modes;
}

// ---------------------------------------------------------------------------- links

static bool count_links(compile_plan* plan, int32_t* total, sis_error* error) {
    const sis_scene* scene = plan->scene;
    double links = 0, weights = 0, most = 0;
    sis_id largest = SIS_NONE; // contact
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        if (kind == SIS_KIND_SPRING || kind == SIS_KIND_BOW) links += 1;
        if (plan->spec[id] && plan->spec[id]->stretching) links += 1;
        if (kind != SIS_KIND_CONTACT) continue;
        const sis_contact_def* def = sis_scene_def(scene, id);
        contact_range range;
        plan->object = id;
        if (!range_of(plan, def, &range, error)) return false;
        links += range.count;
        if (range.count > most) largest = id;
        most = fmax(most, range.count);
        weights += range.count * (modes_of(plan, def->above) + modes_of(plan, def->below));
    }
    plan->object = largest;
    *total = (int32_t)fmin(links, 1e9);
    if (links <= MOST_LINKS && weights <= MOST_WEIGHTS) {
        plan->object = SIS_NONE;
        return true;
    }
    sis_fail(error, SIS_REFUSED,
             "the contacts have %g points in all%s: lower the rate, or give the bodies 'segments' "
             "or a smaller range",
             links,
             links <= MOST_LINKS ? " on modal bodies of many modes" : "; at most 200000 work");
    return false;
}

static bool name_link(compile_plan* plan, sis_id id, sis_id above, sis_id below, sis_scheme scheme,
                      sis_link_info* info, sis_error* error) {
    info->kind = plan->scene->objects[id].kind;
    info->scheme = scheme;
    info->weight = 1;
    info->name = sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, id), error);
    info->below = sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, below), error);
    info->above = sis_arena_text(&plan->system->arena, sis_scene_name(plan->scene, above), error);
    return info->name && info->below && info->above;
}

static bool make_law(const sis_contact_def* def, double K, power_law* law, sis_error* error) {
    sis_error why = {0};
    if (sis_law_make(sis_law_class(def->law), def, K, law, &why)) return true;
    return sis_refuse(error, why.status, sis_label_of(SIS_KIND_CONTACT, def->name).text, why.text);
}

static bool add_contact(compile_plan* plan, sis_id id, network_link* links, link_group* group,
                        sis_link_info* info, sis_error* error) {
    const sis_contact_def* def = sis_scene_def(plan->scene, id);
    contact_law* law = &plan->system->contacts[group - plan->system->groups];
    const network_link common = {.class = &sis_contact_class, .contact = law};
    contact_range range;
    if (!make_contact(plan, def, law, info, error) || !range_of(plan, def, &range, error) ||
        !name_link(plan, id, def->above, def->below, law->scheme, info, error))
        return false;
    if (range.grid) info->weight = range.grid->hx;
    if (range.area) info->weight = range.area->hx * range.area->hy;
    info->distributed = range.grid || range.area;
    info->points = group->count = range.count;
    group->points =
        sis_arena_take(&plan->system->arena, (size_t)range.count * sizeof *group->points, error);
    if (!group->points) return false;
    if (!make_law(def, def->K * info->weight, &law->power, error)) return false;
    double gap = law->power.limited ? 0 : def->gap;
    for (int32_t j = 0; j < range.count; j++) {
        network_link* link = &links[group->first + j];
        double above, below;
        *link = common;
        group->points[j] = (sis_contact_point){NAN, NAN, NAN, NAN, NAN};
        if (!make_side(plan, def, &range, true, j, &link->above, &above, &group->points[j],
                       error) ||
            !make_side(plan, def, &range, false, j, &link->below, &below, &group->points[j], error))
            return false;
        law->steady = fall_of(plan->system, &link->below) - fall_of(plan->system, &link->above);
        plan->eta[group->first + j] = below - above - gap;
    }
    return true;
}

static bool add_spring(compile_plan* plan, sis_id id, network_link* links, link_group* group,
                       sis_link_info* info, sis_error* error) {
    const sis_spring_def* def = sis_scene_def(plan->scene, id);
    network_link* link = &links[group->first];
    *link = (network_link){.class = def->rigid ? &sis_rigid_class : &sis_spring_class,
                           .elastic = {def->K1, def->K3, def->damping}};
    info->points = group->count = 1;
    info->K = def->rigid ? HUGE_VAL : def->K1;
    group->points = sis_arena_take(&plan->system->arena, sizeof *group->points, error);
    if (!group->points) return false;
    *group->points = (sis_contact_point){def->at_b, def->at_a, def->at_b_y, def->at_a_y, NAN};
    sis_place a = {def->at_a, def->at_a_y}, b = {def->at_b, def->at_b_y};
    if (!name_link(plan, id, def->b, def->a, SIS_SCHEME_LEDGER, info, error) ||
        !sis_compile_end(plan, def->a, a, 3, &link->below, error) ||
        !sis_compile_end(plan, def->b, b, 3, &link->above, error))
        return false;
    plan->eta[group->first] =
        network_read(&link->below, plan->position) - network_read(&link->above, plan->position);
    return true;
}

// A curve of a bow's gesture, or a constant as one.
static bool keep_curve(compile_plan* plan, double constant, sis_envelope curve, sis_envelope* out,
                       sis_error* error) {
    int32_t count = curve.count ? curve.count : 1;
    double* points =
        sis_arena_take(&plan->system->arena, (size_t)count * 2 * sizeof(double), error);
    if (!points) return false;
    points[1] = constant;
    for (int32_t i = 0; i < 2 * curve.count; i++)
        points[i] = curve.points[i];
    *out = (sis_envelope){points, count};
    return true;
}

// The bow is the side that does not move: the body under it is below.
static bool add_bow(compile_plan* plan, sis_id id, network_link* links, link_group* group,
                    sis_link_info* info, sis_error* error) {
    const sis_bow_def* def = sis_scene_def(plan->scene, id);
    network_link* link = &links[group->first];
    bow_gesture* gesture = &plan->system->bows[plan->system->bow_count];
    gesture->friction = sis_friction_make(def->curve, def->method == SIS_BOW_LINEAR);
    *link = (network_link){
        .class = &sis_bow_class, .friction = &gesture->friction, .bow = plan->system->bow_count++};
    info->points = group->count = 1;
    group->points = sis_arena_take(&plan->system->arena, sizeof *group->points, error);
    if (!group->points) return false;
    *group->points = (sis_contact_point){NAN, def->at, NAN, def->at_y, NAN};
    gesture->link = group->first; // its position is found with the blocks
    info->alpha = def->curve;
    info->K = isnan(def->force) ? 0 : def->force;
    for (int32_t i = 0; i < def->force_curve.count; i++)
        info->K = fmax(info->K, def->force_curve.points[2 * i + 1]);
    plan->eta[group->first] = 0;
    if (!keep_curve(plan, def->force, def->force_curve, &gesture->force, error) ||
        !keep_curve(plan, def->velocity, def->velocity_curve, &gesture->velocity, error))
        return false;
    if (gesture->force.count > 1 || gesture->velocity.count > 1) plan->system->bows_move = true;
    return name_link(plan, id, id, def->on, SIS_SCHEME_LEDGER, info, error) &&
           sis_compile_end(plan, def->on, (sis_place){def->at, def->at_y}, 3, &link->below, error);
}

// One link for each body whose tension grows; its column is the body's curvature.
static void add_stretches(compile_plan* plan, network_link* links, int32_t at) {
    for (int32_t i = 0; i < plan->system->body_count; i++) {
        const body_spec* spec = plan->system->bodies[i];
        if (!spec->stretching) continue;
        const body_group* bodies = &plan->system->body_groups[spec->group];
        links[at++] = (network_link){.class = &sis_stretch_class,
                                     .below = {.first = bodies->first, .count = bodies->count},
                                     .elastic = {spec->stretch, 0, 0}};
        plan->system->stretch_count++;
    }
}

bool sis_compile_links(compile_plan* plan, sis_error* error) {
    sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    int32_t n, group = 0;
    size_t bows = (size_t)scene->kind_count[SIS_KIND_BOW];
    size_t groups = (size_t)scene->kind_count[SIS_KIND_CONTACT] +
                    (size_t)scene->kind_count[SIS_KIND_SPRING] + bows;
    if (!count_links(plan, &n, error)) return false;
    size_t count = (size_t)n;
    system->group_count = (int32_t)groups;
    network_link* links = sis_arena_take(&plan->arena, count * sizeof *links + 1, error);
    system->groups = sis_arena_take(&system->arena, groups * sizeof(link_group) + 1, error);
    system->link_info = sis_arena_take(&system->arena, groups * sizeof(sis_link_info) + 1, error);
    system->contacts = sis_arena_take(&system->arena, groups * sizeof(contact_law) + 1, error);
    plan->eta = sis_arena_take(&plan->arena, count * sizeof(double) + 1, error);
    system->bows = sis_arena_take(&system->arena, bows * sizeof(bow_gesture) + 1, error);
    if (!system->bows || !system->contacts || !links || !system->groups || !system->link_info ||
        !plan->eta)
        return false;
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        if (kind != SIS_KIND_CONTACT && kind != SIS_KIND_SPRING && kind != SIS_KIND_BOW) continue;
        plan->object = id;
        link_group* g = &system->groups[group];
        sis_link_info* info = &system->link_info[group++];
        g->first = plan->made_count;
        bool good = kind == SIS_KIND_CONTACT  ? add_contact(plan, id, links, g, info, error)
                    : kind == SIS_KIND_SPRING ? add_spring(plan, id, links, g, info, error)
                                              : add_bow(plan, id, links, g, info, error);
        if (!good) return false;
        plan->made_count += g->count;
    }
    plan->object = SIS_NONE;
    add_stretches(plan, links, plan->made_count);
    system->link_count = n;
    return sis_compile_blocks(plan, links, error);
}
