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

// What a scheme needs of its contact alone; what it needs of the block is checked when there are
// blocks.
static bool check_scheme(const compile_plan* plan, const sis_contact_def* def, sis_scheme scheme,
                         bool extended, sis_error* error) {
    bool wall =
        !sis_as_barrier(plan->scene, def->above) != !sis_as_barrier(plan->scene, def->below);
    bool impact = scheme >= SIS_SCHEME_AM1;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    const char* why = NULL;
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
    return !why || sis_fail(error, SIS_REFUSED, "%s: 'scheme' = \"%s\" %s", label.text,
                            sis_scheme_word(scheme), why);
}

bool sis_contact_owes(const compile_plan* plan, const sis_contact_def* def, sis_scheme scheme) {
    const bool lumped = plan->spec[def->above]->class->places < SIS_PLACES_LINE &&
                        plan->spec[def->below]->class->places < SIS_PLACES_LINE;
    return scheme == SIS_SCHEME_LEDGER && def->potential != SIS_POTENTIAL_MIDPOINT &&
           sis_law_sides(def->law) == SIS_LAW_ONE_SIDED && lumped;
}

// What the points of a contact have in common; all but its force is known without its points.
static bool make_contact(compile_plan* plan, const sis_contact_def* def, contact_law* law,
                         sis_link_info* info, sis_error* error) {
    sis_scheme scheme =
        plan->options->scheme == SIS_SCHEME_AS_GIVEN ? def->scheme : plan->options->scheme;
    sis_places above = plan->spec[def->above]->class->places;
    sis_places below = plan->spec[def->below]->class->places;
    bool extended = above != SIS_PLACES_NONE || below != SIS_PLACES_NONE;
    info->law = def->law;
    info->potential = def->potential;
    info->gap = def->gap;
    info->K = def->K;
    info->alpha = def->alpha;
    info->mu = def->damping;
    info->s = def->s;
    info->clamp = def->clamp;
    info->scheme = scheme;
    *law = (contact_law){.scheme = scheme,
                         .release = def->release && scheme == SIS_SCHEME_QUADRATISED,
                         .midpoint = def->potential == SIS_POTENTIAL_MIDPOINT,
                         .corrected = def->corrected && scheme != SIS_SCHEME_INVARIANT,
                         .closed = scheme == SIS_SCHEME_EXACT && extended,
                         .mu = def->damping,
                         .nu = 0.5 * def->damping * plan->options->rate, // mu/2k
                         .s = def->s};
    law->restitution = def->damping > 0 && sis_contact_owes(plan, def, scheme);
    if (!check_scheme(plan, def, scheme, extended, error)) return false;
    if (scheme != SIS_SCHEME_EXACT || law->closed) return true;
    return (law->table = table_for(plan, def->alpha, error)) != NULL;
}

// ---------------------------------------------------------------------------- where a contact acts

// At places that were given, or at nodes of a grid: `columns` along x from node `first` on, and
// over an area as many in each row from `first_y` on.
typedef struct contact_range {
    const body_spec *above, *below; // strings
    const body_spec* grid;          // a string or a plate; NULL: places that were given
    int32_t count, columns, first, first_y;
} contact_range;

static const body_spec* with_places(const compile_plan* plan, sis_id id, sis_places places) {
    return plan->spec[id]->class->places == places ? plan->spec[id] : NULL;
}

// The nodes 1 .. n - 1 of a grid of spacing h from `from` to `to`; NaN: its end.
static int32_t nodes_within(double from, double to, double h, int32_t n, int32_t* first) {
    int32_t last = n - 1;
    *first = 1;
    if (!isnan(from)) *first = (int32_t)fmax(1, ceil(from / h - 1e-9));
    if (!isnan(to)) last = (int32_t)fmin(n - 1, floor(to / h + 1e-9));
    return last < *first ? 0 : last - *first + 1;
}

// The nodes along the barrier or the other string, or within the corners of the barrier.
static void find_nodes(const sis_barrier_def* barrier, contact_range* range) {
    const body_spec* grid = range->grid;
    double from = NAN, to = NAN;
    if (range->above && range->below) to = fmin(range->above->length, range->below->length);
    if (barrier) from = barrier->from;
    if (barrier) to = barrier->to;
    range->columns = nodes_within(from, to, grid->hx, grid->nx, &range->first);
    // The end of the shorter of two strings does not move.
    if (!barrier && (range->first + range->columns - 1) * grid->hx > to * (1 - 1e-9))
        range->columns--;
    range->count = range->columns;
    if (grid->ny)
        range->count *=
            nodes_within(barrier->from_y, barrier->to_y, grid->hy, grid->ny, &range->first_y);
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
    const sis_barrier_def* barrier = sis_as_barrier(plan->scene, def->above);
    const body_spec* area = with_places(plan, def->above, SIS_PLACES_AREA);
    if (!barrier) barrier = sis_as_barrier(plan->scene, def->below);
    if (!area) area = with_places(plan, def->below, SIS_PLACES_AREA);
    // The coarser of two strings.
    bool upper = range->above && (!range->below || range->above->hx >= range->below->hx);
    const body_spec* grid = range->grid = area && barrier ? area
                                          : upper         ? range->above
                                                          : range->below;
    if (!grid) return true;
    find_nodes(barrier, range);
    if (range->count > 0) return true;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    if (grid->ny)
        return sis_fail(
            error, SIS_REFUSED,
            "%s: no point of the plate lies there: its points are %g m apart along x and %g m "
            "along y at this rate; widen the area, or give 'at' = {x, y} for a point",
            label.text, grid->hx, grid->hy);
    return sis_fail(
        error, SIS_REFUSED,
        "%s: no point of the string lies there: its points are %g m apart at this rate; widen the "
        "range, or give 'at' for a point",
        label.text, grid->hx);
}

// Where the j-th point is on that side.
static sis_place place_of(const compile_plan* plan, const sis_contact_def* def,
                          const contact_range* range, bool above, int32_t j) {
    const body_spec* grid = range->grid;
    if (!grid) return sis_contact_place(plan->scene, def, above, j);
    return (sis_place){(range->first + j % range->columns) * grid->hx,
                       grid->ny ? (range->first_y + j / range->columns) * grid->hy : (double)NAN};
}

// ---------------------------------------------------------------------------- points of a contact

// A barrier that stands in the string or plate at rest: that would start inside it.
static bool check_rest(const sis_contact_def* def, bool body_above, sis_place at, double height,
                       sis_error* error) {
    double inside = (body_above ? height : -height) - fmax(def->gap, 0);
    if (sis_law_sides(def->law) != SIS_LAW_ONE_SIDED || !(inside > 0) || def->gap < 0) return true;
    const char* body = isnan(at.y) ? "string" : "plate";
    return sis_fail(error, SIS_REFUSED,
                    "%s: at %s m the barrier is at %g m, %s the %s where the %s rests (0 m), so it "
                    "would start inside: %s it, or give a negative 'gap' if the %s is pressed on",
                    sis_label_of(SIS_KIND_CONTACT, def->name).text, sis_place_text(at).text, height,
                    body_above ? "above" : "below", isnan(at.y) ? "line" : "plane", body,
                    body_above ? "lower" : "raise", body);
}

// A place that moves over a barrier would have to know its profile while it sounds.
static bool refuse_slope(const sis_contact_def* def, const sis_barrier_def* barrier,
                         sis_error* error) {
    return sis_fail_key(error, SIS_REFUSED, "at",
                        "%s: 'at' follows an input over barrier '%s', whose 'height' must then be "
                        "one number, not a profile",
                        sis_label_of(SIS_KIND_CONTACT, def->name).text, barrier->name);
}

// A stop tunes a string at places that are given.
static bool check_sounding(const sis_contact_def* def, const contact_range* range,
                           sis_error* error) {
    if (def->sounding == SIS_SOUNDING_NONE || ((range->above || range->below) && !range->grid))
        return true;
    return sis_fail_key(error, SIS_REFUSED, "sounding",
                        "%s: 'sounding' is for a stop at places of a string: give 'at' on a string",
                        sis_label_of(SIS_KIND_CONTACT, def->name).text);
}

// One side of the j-th point: its end, where it is and what it reads at the start.
static bool make_side(compile_plan* plan, const sis_contact_def* def, const contact_range* range,
                      bool above, int32_t j, network_end* end, double* rest,
                      sis_contact_point* point, sis_error* error) {
    sis_id id = above ? def->above : def->below;
    const body_spec* other = above ? range->below : range->above;
    const sis_barrier_def* barrier = sis_as_barrier(plan->scene, id);
    sis_place at = place_of(plan, def, range, above, j);
    bool placed = plan->spec[id]->class->places != SIS_PLACES_NONE;
    *(above ? &point->at_above : &point->at_below) = placed ? at.x : (double)NAN;
    *(above ? &point->y_above : &point->y_below) = placed ? at.y : (double)NAN;
    int32_t order = plan->spec[id] == range->grid ? 3 : def->interpolation;
    const sis_sounding sounding = range->grid ? SIS_SOUNDING_NONE : def->sounding;
    if (!sis_compile_place(plan, plan->object, above, id, at, order, sounding, end, error))
        return false;
    *rest = network_read(end, plan->position);
    if (!barrier) return true;
    if (sis_profile_given(&barrier->profile) && sis_place_is_live(plan, plan->object, !above))
        return refuse_slope(def, barrier, error);
    const profile_name called = {SIS_KIND_BARRIER, barrier->name, "height", "m", 1e6};
    at = place_of(plan, def, range, !above, j);
    *rest = barrier->height;
    if (sis_profile_given(&barrier->profile) &&
        !sis_profile_value(&barrier->profile, at, called, rest, error)) {
        plan->object = id;
        return false;
    }
    if (sis_profile_given(&barrier->profile) && sis_scene_bound(plan->scene, id, "height"))
        *rest += barrier->height; // what follows an input is added to the profile
    point->height = *rest;
    return (!other && !range->grid) || check_rest(def, !above, at, *rest, error);
}

// ---------------------------------------------------------------------------- links

static bool count_links(compile_plan* plan, int32_t* total, sis_error* error) {
    const sis_scene* scene = plan->scene;
    double links = 0, weights = 0, most = 0;
    sis_id largest = SIS_NONE; // contact
    for (sis_id id = 0; id < scene->count; id++) {
        sis_kind kind = scene->objects[id].kind;
        if (kind == SIS_KIND_SPRING || kind == SIS_KIND_BOW) links += 1;
        if (plan->spec[id] && plan->spec[id]->modulated) links += 1;
        if (kind != SIS_KIND_CONTACT) continue;
        const sis_contact_def* def = scene->objects[id].def;
        contact_range range;
        plan->object = id;
        if (!range_of(plan, def, &range, error)) return false;
        links += range.count;
        if (range.count > most) largest = id;
        most = fmax(most, range.count);
        weights +=
            (double)range.count * (plan->spec[def->above]->modes + plan->spec[def->below]->modes);
    }
    *total = (int32_t)fmin(links, 1e9);
    plan->object = SIS_NONE;
    if (links <= MOST_LINKS && weights <= MOST_WEIGHTS) return true;
    plan->object = largest;
    return sis_fail(
        error, SIS_REFUSED,
        "the contacts have %g points in all%s: lower the rate, or give the bodies 'segments' "
        "or a smaller range",
        links, links <= MOST_LINKS ? " on modal bodies of many modes" : "; at most 200000 work");
}

// The next group of links: those of a contact, spring or bow with so many points. NULL: no memory.
static link_group* add_group(compile_plan* plan, sis_id id, sis_id above, sis_id below,
                             int32_t count, sis_error* error) {
    sis_system* system = plan->system;
    link_group* group = &system->groups[system->group_count];
    sis_link_info* info = &system->link_info[system->group_count];
    plan->linked[system->group_count++] = id;
    *group = (link_group){.first = plan->made_count, .count = count};
    *info = (sis_link_info){.kind = plan->scene->objects[id].kind,
                            .scheme = SIS_SCHEME_LEDGER,
                            .weight = 1,
                            .points = count,
                            .name = sis_keep_name(plan, id, error),
                            .below = sis_keep_name(plan, below, error),
                            .above = sis_keep_name(plan, above, error)};
    group->points = sis_arena_take(&system->arena, (size_t)count * sizeof *group->points, error);
    plan->made_count += count;
    return info->name && info->below && info->above && group->points ? group : NULL;
}

// The law of a contact at one point.
static bool make_law(const sis_contact_def* def, double K, power_law* law, sis_error* error) {
    sis_error why = {0};
    return sis_law_make(sis_law_class(def->law), def, K, law, &why) ||
           sis_refuse(error, why.status, sis_label_of(SIS_KIND_CONTACT, def->name).text, why.text);
}

// A gap and heights that follow inputs: eta = u_below - u_above - gap.
static bool move_by_hand(compile_plan* plan, sis_id id, const sis_contact_def* def,
                         network_link* link, sis_error* error) {
    if (!plan->hand_of) return true;
    if (sis_as_barrier(plan->scene, def->below) &&
        !sis_hold_by_hand(plan, def->below, 1, &link->below, error))
        return false;
    if (sis_as_barrier(plan->scene, def->above) &&
        !sis_hold_by_hand(plan, def->above, 1, &link->above, error))
        return false;
    return sis_hold_by_hand(plan, id, 1, sis_hand_lowers(plan, id) ? &link->below : &link->above,
                            error);
}

// Which schemes take gestures on a contact; a centre-limited gap is a constant of its law.
static bool check_gestures(const compile_plan* plan, sis_id id, const sis_contact_def* def,
                           sis_scheme scheme, sis_error* error) {
    bool live = false, gap = sis_scene_bound(plan->scene, id, "gap") != NULL;
    for (int32_t i = 0; i < plan->scene->binding_count; i++) {
        const sis_id object = plan->scene->bindings[i].object;
        live = live || object == id || object == def->above || object == def->below;
    }
    const sis_label label = sis_label_of(SIS_KIND_CONTACT, def->name);
    if (live && scheme >= SIS_SCHEME_EXACT)
        return sis_fail_key(error, SIS_REFUSED, "scheme",
                            "%s: 'scheme' = \"%s\" cannot follow inputs on the contact or its "
                            "bodies: use ledger, newton or quadratised",
                            label.text, sis_scheme_word(scheme));
    return !gap || sis_law_sides(def->law) != SIS_LAW_CENTRE_LIMITED ||
           sis_fail_key(error, SIS_REFUSED, "gap",
                        "%s: 'gap' of a centre-limited contact cannot follow an input", label.text);
}

static bool add_contact(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    sis_system* system = plan->system;
    const sis_contact_def* def = given;
    contact_law* law = &system->contacts[system->group_count];
    sis_link_info* info = &system->link_info[system->group_count];
    contact_range range;
    if (!range_of(plan, def, &range, error)) return false;
    link_group* group = add_group(plan, id, def->above, def->below, range.count, error);
    if (!group || !make_contact(plan, def, law, info, error) ||
        !check_gestures(plan, id, def, law->scheme, error) || !check_sounding(def, &range, error) ||
        !sis_check_live_places(plan, id, range.count, error))
        return false;
    info->distributed = range.grid != NULL;
    if (range.grid) info->weight = range.grid->hx * (range.grid->ny ? range.grid->hy : 1);
    if (!make_law(def, def->K * info->weight, &law->power, error)) return false;
    double gap = law->power.limited ? 0 : def->gap;
    for (int32_t j = 0; j < range.count; j++) {
        network_link* link = &plan->links[group->first + j];
        sis_contact_point* point = &group->points[j];
        double above, below;
        *link = (network_link){.class = &sis_contact_class, .contact = law};
        *point = (sis_contact_point){NAN, NAN, NAN, NAN, NAN};
        if (!make_side(plan, def, &range, true, j, &link->above, &above, point, error) ||
            !make_side(plan, def, &range, false, j, &link->below, &below, point, error))
            return false;
        link->slides = sis_place_is_live(plan, id, true) || sis_place_is_live(plan, id, false);
        if (!move_by_hand(plan, id, def, link, error)) return false;
        law->steady = fall_of(system, &link->below) - fall_of(system, &link->above);
        plan->eta[group->first + j] = below - above - gap;
    }
    return true;
}

static bool add_spring(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    const sis_spring_def* def = given;
    network_link* link = &plan->links[plan->made_count];
    double* eta = &plan->eta[plan->made_count];
    sis_link_info* info = &plan->system->link_info[plan->system->group_count];
    sis_place a = {def->at_a, def->at_a_y}, b = {def->at_b, def->at_b_y};
    link_group* group = add_group(plan, id, def->b, def->a, 1, error);
    *link = (network_link){.class = def->rigid ? &sis_rigid_class : &sis_spring_class,
                           .elastic = {def->K1, def->K3, def->damping}};
    if (!group || !sis_compile_end(plan, def->a, a, 3, &link->below, error) ||
        !sis_compile_end(plan, def->b, b, 3, &link->above, error))
        return false;
    *group->points = (sis_contact_point){b.x, a.x, b.y, a.y, NAN};
    info->K = def->rigid ? HUGE_VAL : def->K1;
    *eta = network_read(&link->below, plan->position) - network_read(&link->above, plan->position);
    return true;
}

// The envelope of a bow's force or velocity, and the factor that follows an input.
static bool add_stroke(compile_plan* plan, sis_id id, const char* key, sis_envelope curve,
                       double constant, sis_envelope* kept, live_number* factor, sis_error* error) {
    *factor = sis_live_field(plan, id, key, 1);
    if (factor->input >= 0) constant = 1;
    if (!sis_keep_curve(plan, curve, constant, kept, error)) return false;
    if (factor->input >= 0) plan->system->bows_follow = true;
    return true;
}

// N, over the envelope, inputs as they start.
static double largest_force(const compile_plan* plan, const bow_gesture* gesture) {
    const double factor = sis_live_start(plan, gesture->live_force);
    double most = 0;
    for (int32_t i = 0; i < gesture->force.count; i++)
        most = fmax(most, factor * gesture->force.points[2 * i + 1]);
    return most;
}

// The bow is the side that does not move: the body under it is below.
static bool add_bow(compile_plan* plan, sis_id id, const void* given, sis_error* error) {
    sis_system* system = plan->system;
    const sis_bow_def* def = given;
    network_link* link = &plan->links[plan->made_count];
    bow_gesture* gesture = &system->bows[system->bow_count];
    sis_link_info* info = &system->link_info[system->group_count];
    link_group* group = add_group(plan, id, id, def->on, 1, error);
    *link = (network_link){
        .class = &sis_bow_class, .friction = &gesture->friction, .bow = system->bow_count++};
    if (!group ||
        !add_stroke(plan, id, "force", def->force_curve, def->force, &gesture->force,
                    &gesture->live_force, error) ||
        !add_stroke(plan, id, "velocity", def->velocity_curve, def->velocity, &gesture->velocity,
                    &gesture->live_velocity, error) ||
        !sis_compile_place(plan, id, false, def->on, (sis_place){def->at, def->at_y}, 3,
                           SIS_SOUNDING_NONE, &link->below, error))
        return false;
    link->slides = sis_place_is_live(plan, id, false);
    *group->points = (sis_contact_point){NAN, def->at, NAN, def->at_y, NAN};
    gesture->friction = sis_friction_make(def->curve, def->method == SIS_BOW_LINEAR);
    gesture->trigger = sis_trigger_of(plan, def->trigger);
    gesture->timed =
        gesture->trigger >= 0 || gesture->force.count > 1 || gesture->velocity.count > 1;
    if (gesture->timed) system->bows_move = true;
    gesture->link = group->first; // its position is found with the blocks
    info->alpha = def->curve;
    info->K = largest_force(plan, gesture);
    return true;
}

// One link for each body whose tension grows; its column is the body's curvature.
static void add_modulations(compile_plan* plan) {
    for (int32_t i = 0; i < plan->system->body_count; i++) {
        const body_spec* spec = plan->system->bodies[i];
        if (!spec->modulated) continue;
        const body_group* bodies = &plan->system->body_groups[spec->group];
        plan->links[plan->made_count + plan->system->modulation_count++] =
            (network_link){.class = &sis_modulation_class,
                           .below = {.first = bodies->first, .count = bodies->count},
                           .elastic = {spec->modulation, 0, 0}};
    }
}

bool sis_compile_links(compile_plan* plan, sis_error* error) {
    static const object_adder add[SIS_KIND_COUNT] = {
        [SIS_KIND_CONTACT] = add_contact, [SIS_KIND_SPRING] = add_spring, [SIS_KIND_BOW] = add_bow};
    sis_system* system = plan->system;
    const int32_t* kinds = plan->scene->kind_count;
    size_t bows = (size_t)kinds[SIS_KIND_BOW];
    size_t groups = (size_t)kinds[SIS_KIND_CONTACT] + (size_t)kinds[SIS_KIND_SPRING] + bows;
    if (!count_links(plan, &system->link_count, error)) return false;
    size_t links = (size_t)system->link_count;
    plan->links = sis_arena_take(&plan->arena, links * sizeof *plan->links + 1, error);
    plan->eta = sis_arena_take(&plan->arena, links * sizeof *plan->eta + 1, error);
    plan->linked = sis_arena_take(&plan->arena, groups * sizeof *plan->linked + 1, error);
    system->groups = sis_arena_take(&system->arena, groups * sizeof(link_group) + 1, error);
    system->link_info = sis_arena_take(&system->arena, groups * sizeof(sis_link_info) + 1, error);
    system->contacts = sis_arena_take(&system->arena, groups * sizeof(contact_law) + 1, error);
    system->bows = sis_arena_take(&system->arena, bows * sizeof(bow_gesture) + 1, error);
    if (!plan->links || !plan->eta || !plan->linked || !system->groups || !system->link_info ||
        !system->contacts || !system->bows || !sis_add_objects(plan, add, error))
        return false;
    add_modulations(plan);
    return sis_compile_blocks(plan, plan->links, error);
}
