// Places of contacts, bows and probes that follow inputs.
//
// Compile takes such an end for one that holds on to every node its whole range can reach, with
// weights 0 but where it begins. So blocks, the force accumulator and who is alone on what are
// right wherever it goes; a call then gives it the few weights of where it is (step/live_place.c).
#include "compile/plan.h"
#include "step/live.h"

#include <math.h>
#include <string.h>

// Places nearer to an end than this much of the length are on it.
static const double EDGE = 1e-6;

typedef struct place_keys {
    const sis_binding *x, *y;
} place_keys;

// What the numbers of a place follow; contacts may name them by side.
static place_keys keys_of(const compile_plan* plan, sis_id object, bool above) {
    const sis_scene* scene = plan->scene;
    const bool contact = sis_scene_kind(scene, object) == SIS_KIND_CONTACT;
    place_keys keys = {sis_scene_bound(scene, object, "at"),
                       sis_scene_bound(scene, object, "at_y")};
    if (contact && !keys.x)
        keys.x = sis_scene_bound(scene, object, above ? "at_above" : "at_below");
    if (contact && !keys.y)
        keys.y = sis_scene_bound(scene, object, above ? "at_above_y" : "at_below_y");
    return keys;
}

bool sis_place_is_live(const compile_plan* plan, sis_id object, bool above) {
    const place_keys keys = keys_of(plan, object, above);
    return keys.x || keys.y;
}

// ---------------------------------------------------------------------------- what is refused

static sis_label label_of(const compile_plan* plan, sis_id object) {
    return sis_label_of(sis_scene_kind(plan->scene, object), sis_scene_name(plan->scene, object));
}

static bool check_range(const compile_plan* plan, const sis_binding* b, const body_spec* spec,
                        double length, sis_error* error) {
    if (!b || (b->low >= EDGE * length && b->high <= (1 - EDGE) * length)) return true;
    return sis_fail_key(error, SIS_REFUSED, b->key,
                        "%s: '%s' must stay between the ends of the %s, 0 and %g m, and input '%s' "
                        "takes it from %g to %g m",
                        label_of(plan, b->object).text, b->key, spec->class->called, length,
                        sis_scene_name(plan->scene, b->input), b->low, b->high);
}

static bool check(const compile_plan* plan, sis_id object, const body_spec* spec, place_keys keys,
                  sis_error* error) {
    const char* key = keys.x ? keys.x->key : keys.y->key;
    if (!spec->class->weigh)
        return sis_fail_key(error, SIS_REFUSED, key,
                            "%s: '%s' cannot follow an input: places move along strings and over "
                            "plates, not on a %s",
                            label_of(plan, object).text, key, spec->class->called);
    if (keys.y && spec->class->places != SIS_PLACES_AREA)
        return sis_fail_key(error, SIS_REFUSED, keys.y->key,
                            "%s: '%s' cannot follow an input: a place on a %s has one number",
                            label_of(plan, object).text, keys.y->key, spec->class->called);
    return check_range(plan, keys.x, spec, spec->length, error) &&
           check_range(plan, keys.y, spec, spec->width, error);
}

bool sis_check_live_places(const compile_plan* plan, sis_id object, int32_t points,
                           sis_error* error) {
    for (int side = 0; side < 2; side++) {
        const place_keys keys = keys_of(plan, object, side);
        const sis_binding* b = keys.x ? keys.x : keys.y;
        if (b && points != 1)
            return sis_fail_key(error, SIS_REFUSED, b->key,
                                "%s: '%s' follows an input: give it one place, not %d",
                                label_of(plan, object).text, b->key, (int)points);
    }
    return true;
}

// ---------------------------------------------------------------------------- what it may hold

// Nodes of one axis, of 1 .. n - 1, whose weights may be other than 0.
typedef struct node_range {
    int32_t first, count;
} node_range;

static node_range nodes_of(const sis_binding* b, double at, double h, int32_t n) {
    const double low = b ? b->low : at, high = b ? b->high : at;
    const double first = fmax(1, floor(low / h) - 3), last = fmin(n - 1, floor(high / h) + 4);
    return (node_range){(int32_t)first, (int32_t)(last - first) + 1};
}

// Adds the weights where it begins to those of a wide end.
static void add_start(const double* weight, const int32_t* index, int32_t n, int32_t count,
                      const int32_t* wide, double* to) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < count; j++)
            if (wide[j] == index[i]) to[j] += weight[i];
}

static bool make_wide(compile_plan* plan, const live_place* p, node_range x, node_range y,
                      network_end* end, sis_error* error) {
    sis_system* system = plan->system;
    const body_spec* spec = p->body;
    const int32_t count = x.count * y.count;
    double weights[STENCIL * STENCIL];
    int32_t places[STENCIL * STENCIL], n = 0;
    double* weight = sis_arena_take(&system->arena, (size_t)count * sizeof *weight, error);
    int32_t* index = sis_arena_take(&system->arena, (size_t)count * sizeof *index, error);
    if (!weight || !index) return false;
    for (int32_t j = 0; j < y.count; j++)
        for (int32_t i = 0; i < x.count; i++)
            index[n++] =
                spec->ny ? plate_place(spec->nx, x.first + i, y.first + j) : x.first + i - 1;
    sis_place at = p->at;
    at.x = sis_stop_place(spec, at.x, p->order, p->sounding);
    n = spec->class->weigh(spec, at, p->order, weights, places);
    add_start(weights, places, n, count, index, weight);
    *end = (network_end){.first = sis_spec_dof(system->body_groups, spec, 0),
                         .count = count,
                         .weight = weight,
                         .index = index};
    return true;
}

// ---------------------------------------------------------------------------- ends

static const double* keep_Dinv(compile_plan* plan, sis_error* error) {
    const size_t size = (size_t)plan->system->dof_count * sizeof(double);
    if (!plan->kept_Dinv) plan->kept_Dinv = sis_arena_take(&plan->system->arena, size, error);
    if (plan->kept_Dinv) memcpy(plan->kept_Dinv, plan->Dinv, size);
    return plan->kept_Dinv;
}

bool sis_compile_place(compile_plan* plan, sis_id object, bool above, sis_id body, sis_place at,
                       int32_t order, sis_sounding sounding, network_end* end, sis_error* error) {
    const body_spec* spec = plan->spec[body];
    const place_keys keys = keys_of(plan, object, above);
    const bool string = spec->class->places == SIS_PLACES_LINE;
    const sis_sounding tunes = string ? sounding : SIS_SOUNDING_NONE;
    if (tunes) sis_string_stops(plan, (string_spec*)plan->spec[body]);
    if (!spec->class->point || spec->class->places == SIS_PLACES_NONE || (!keys.x && !keys.y)) {
        if (tunes && !isnan(at.x)) at.x = sis_stop_place(spec, at.x, order, tunes);
        return sis_compile_end(plan, body, at, order, end, error);
    }
    if (!check(plan, object, spec, keys, error)) return false;
    live_place* p = sis_arena_take(&plan->system->arena, sizeof *p, error);
    if (!p) return false;
    *p = (live_place){.body = spec,
                      .Dinv = keep_Dinv(plan, error),
                      .link = -1,
                      .probe = -1,
                      .above = above,
                      .order = order,
                      .sounding = tunes,
                      .at = at,
                      .live_x = keys.x,
                      .live_y = keys.y,
                      .hand = -1,
                      .most = 1 + (spec->modes ? spec->count : STENCIL * STENCIL)};
    if (!p->Dinv) return false;
    plan->places[plan->place_count++] = (placed_end){object, p};
    if (spec->modes) {
        at.x = sis_stop_place(spec, at.x, order, tunes);
        return sis_compile_end(plan, body, at, order, end, error);
    }
    const node_range one = {1, 1};
    return make_wide(plan, p, nodes_of(keys.x, at.x, spec->hx, spec->nx),
                     spec->ny ? nodes_of(keys.y, at.y, spec->hy, spec->ny) : one, end, error);
}

// ---------------------------------------------------------------------------- makers

// The hand of a gap may be on the same end.
static void find_hand(const compile_plan* plan, sis_id object, live_place* p) {
    const sis_system* system = plan->system;
    const network_link* link = &system->links[p->link];
    const network_end* end = p->above ? &link->above : &link->below;
    const int32_t hand = system->body_groups[GROUP_DRIVEN].first + plan->hand_of[object];
    if (plan->hand_of[object] < 0 || network_dof(end, end->count - 1) != hand) return;
    p->hand = hand;
    p->hand_weight = end->weight[end->count - 1];
}

static void take_rooms(sis_system* system, live_place* p) {
    const size_t most = (size_t)p->most;
    if (p->room) return; // its other number did
    p->room = sis_live_room(system, sizeof(place_room) + most * (sizeof(double) + sizeof(int32_t)));
    if (!system->live_scratch && p->link >= 0)
        system->live_scratch =
            sis_live_room(system, 2 * (size_t)system->dof_count * sizeof(double));
    p->scratch = system->live_scratch;
}

// Which links and probes are meant is known now.
static void find_target(const compile_plan* plan, sis_id object, live_place* p) {
    const sis_system* system = plan->system;
    const sis_scene* scene = plan->scene;
    int32_t n = 0;
    if (scene->objects[object].kind == SIS_KIND_PROBE) {
        for (sis_id id = 0; id < object; id++)
            n += scene->objects[id].kind == SIS_KIND_PROBE;
        p->probe = n;
        return;
    }
    while (plan->linked[n] != object)
        n++;
    p->link = system->link_at[system->groups[n].first];
    find_hand(plan, object, p);
}

bool sis_make_live_place(compile_plan* plan, const sis_binding* binding, live_binding* b,
                         sis_error* error) {
    sis_system* system = plan->system;
    live_axis* axis = sis_arena_take(&system->arena, sizeof *axis, error);
    if (!axis) return false;
    int32_t count = 0;
    for (int32_t i = 0; i < plan->place_count; i++) {
        live_place* p = plan->places[i].place;
        if (plan->places[i].object != binding->object) continue;
        const place_keys keys = keys_of(plan, binding->object, p->above);
        if (keys.x != binding && keys.y != binding) continue;
        find_target(plan, binding->object, p);
        take_rooms(system, p);
        axis->place[count++] = p;
        axis->across = keys.y == binding;
    }
    if (!count)
        return sis_fail_key(error, SIS_REFUSED, binding->key,
                            "%s: '%s' cannot follow an input: what it is on has no places",
                            label_of(plan, binding->object).text, binding->key);
    b->class = &sis_live_place;
    b->spec = axis;
    if (axis->place[0]->link < 0)
        system->copies.readers = true;
    else
        system->copies.blocks = true;
    return true;
}
