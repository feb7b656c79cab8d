// The scene with fingers: bodies, contacts and inputs that are added, and where it comes to rest.
#include "touch.h"

#include "rest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// A fingertip, as stiff as the body needs it: pressed, most of the way is the body's. But no finger
// is stiffer than 20 N/mm.
static const double FIRM = 20, FINGERTIP = 2e4; // , N/m
static const double LOSS = 1;                   // s/m, Hunt-Crossley: it does not bounce
// A mass that nothing holds: the frequency at which a hand does, and that of the soft spring which
// takes it back to its place when it was pushed away, Hz.
static const double GRIP = 50, HOME = 1;
// A string whose tension grows with amplitude may be pressed as far as is proved to be stable.
enum { REACH_TRIES = 10 };

typedef struct maker {
    sis_scene* scene;
    const sis_system* plain; // the same scene without fingers
    sis_touch* touch;
    double smooth; // s
    double reach;  // of the way that fingers may press
    sis_error* error;
} maker;

void sis_touch_free(sis_touch* t) {
    if (!t) return;
    for (int32_t i = 0; t->bodies && i < t->body_count; i++)
        free(t->bodies[i].rest);
    free(t->bodies);
    free(t->shape);
    free(t);
}

// ---------------------------------------------------------------------------- stiffness

static double fingertip(double stiffness, double mass) {
    const double needed = fmax(FIRM * stiffness, mass * (2 * PI * GRIP) * (2 * PI * GRIP));
    return fmin(needed, FINGERTIP);
}

// N/m, of a force in its middle: 4 T/L and 48 EI/L^3.
static double string_tip(const sis_body_info* b) {
    const double L = b->length;
    return fingertip(4 * b->tension / L + 48 * b->stiffness / (L * L * L), 0.5 * b->density * L);
}

// Of a square, D/(0.0116 a^2); a membrane, about 2 pi T over a logarithm.
static double plate_tip(const sis_body_info* b) {
    const double a = fmin(b->length, b->width);
    return fingertip(86 * b->stiffness / (a * a) + 2.5 * b->tension,
                     0.25 * b->density * b->length * b->width);
}

// At one of its places: 1/K = sum of shape^2/(M w^2), and the same for the mass.
static double modal_tip(const sis_modal_def* m, int32_t place) {
    double yields = 0, moves = 0;
    for (int32_t i = 0; i < m->frequency.count; i++) {
        const double shape = m->shape.count ? m->shape.values[i * m->points + place] : 1;
        const double w = 2 * PI * m->frequency.values[i], part = shape * shape / m->mass.values[i];
        moves += part;
        if (part > 0) yields += part / (w * w);
    }
    return fingertip(1 / yields, moves > 0 ? 1 / moves : 0);
}

// ---------------------------------------------------------------------------- adding

static sis_id add_input(const maker* m, int32_t finger, double value, double min, double max,
                        double smooth) {
    char name[64];
    sis_input_def def = sis_input_default();
    for (int32_t number = sis_scene_count(m->scene);; number++) {
        snprintf(name, sizeof name, "finger %d, %d", (int)finger + 1, (int)number);
        if (sis_scene_find(m->scene, SIS_KIND_INPUT, name) == SIS_NONE) break;
    }
    def.name = name;
    def.value = value;
    def.min = min;
    def.max = max;
    def.smooth = smooth;
    return sis_scene_add_input(m->scene, &def, m->error);
}

// A driven mass and the input that moves it.
static sis_id add_tip(const maker* m, int32_t finger, double start, double low, double high) {
    static const double still[2] = {0, 0};
    sis_mass_def def = sis_mass_default();
    const sis_id tip = add_input(m, finger, start, low, high, m->smooth);
    if (tip == SIS_NONE) return SIS_NONE;
    def.path = (sis_envelope){still, 1};
    const sis_id mass = sis_scene_add_mass(m->scene, &def, m->error);
    if (mass == SIS_NONE || !sis_scene_bind(m->scene, mass, "path", tip, 1, 0, m->error))
        return SIS_NONE;
    return mass;
}

// Where a finger touches a body: a fixed place, or inputs that move it.
typedef struct spot {
    double at[2];
    sis_id moved[2];
    int32_t axes; // that move
    int32_t numbers;
} spot;

static bool make_spot(const maker* m, int32_t finger, const sis_touch_body* b, double place,
                      const double* low, const double* high, spot* s) {
    const bool area = b->kind == SIS_TOUCH_AREA;
    *s = (spot){
        .at = {place}, .axes = area ? 2 : b->kind == SIS_TOUCH_LINE, .numbers = area ? 2 : 1};
    for (int32_t i = 0; i < s->axes; i++) {
        s->at[i] = 0.5 * (low[i] + high[i]);
        s->moved[i] = add_input(m, finger, s->at[i], low[i], high[i], m->smooth);
        if (s->moved[i] == SIS_NONE) return false;
    }
    return true;
}

// A soft tip that presses from above, or from below.
static bool add_contact(const maker* m, int32_t finger, const sis_touch_body* b, sis_id body,
                        double K, const spot* s, bool above) {
    static const char* const keys[2][2] = {{"at_above", "at_above_y"}, {"at_below", "at_below_y"}};
    const double side = above ? 1 : -1, near = -2 * side * b->press, far = side * b->away;
    const sis_id mass = add_tip(m, finger, side * b->press, fmin(near, far), fmax(near, far));
    if (mass == SIS_NONE) return false;
    sis_contact_def def = sis_contact_default();
    def.above = above ? mass : body;
    def.below = above ? body : mass;
    *(above ? &def.at_below : &def.at_above) = (sis_list){s->at, s->numbers};
    def.K = K;
    def.alpha = 1;
    def.damping = LOSS;
    const sis_id contact = sis_scene_add_contact(m->scene, &def, m->error);
    if (contact == SIS_NONE) return false;
    for (int32_t i = 0; i < s->axes; i++)
        if (!sis_scene_bind(m->scene, contact, keys[above][i], s->moved[i], 1, 0, m->error))
            return false;
    return true;
}

static bool is_weighty(const maker* m, sis_id body) {
    for (sis_id id = 0; id < sis_scene_count(m->scene); id++) {
        sis_gravity_def g;
        if (sis_scene_kind(m->scene, id) != SIS_KIND_GRAVITY) continue;
        sis_scene_get(m->scene, id, &g);
        if (g.g != 0 && (!g.on.count || g.on.ids[0] == SIS_ALL)) return true;
        for (int32_t i = 0; g.g != 0 && i < g.on.count; i++)
            if (g.on.ids[i] == body) return true;
    }
    return false;
}

static double own_stiffness(const maker* m, sis_id body, const sis_mass_def* mass) {
    const double w = 2 * PI * mass->frequency;
    double sum = mass->frequency > 0 ? mass->mass * w * w : fmax(mass->stiffness, 0);
    for (sis_id id = 0; id < sis_scene_count(m->scene); id++) {
        sis_spring_def s;
        if (sis_scene_kind(m->scene, id) != SIS_KIND_SPRING) continue;
        sis_scene_get(m->scene, id, &s);
        if (s.a == body || s.b == body) sum += s.K1;
    }
    return sum;
}

// A spring and a damper between a driven mass and the mass, as stiff as the input says.
static bool add_hold(const maker* m, int32_t finger, const sis_touch_body* b, sis_id body, double K,
                     double R) {
    const sis_id grip = add_input(m, finger, 0, 0, 1, 0);
    const sis_id mass = grip == SIS_NONE ? SIS_NONE : add_tip(m, finger, 0, -b->away, b->away);
    if (mass == SIS_NONE) return false;
    sis_spring_def def = sis_spring_default();
    def.a = mass;
    def.b = body;
    const sis_id spring = sis_scene_add_spring(m->scene, &def, m->error);
    return spring != SIS_NONE && sis_scene_bind(m->scene, spring, "K1", grip, K, 0, m->error) &&
           sis_scene_bind(m->scene, spring, "damping", grip, R, 0, m->error);
}

// ---------------------------------------------------------------------------- places

// A bridge along the first or the last fifth of a string stays beside the finger: points along a
// range are solved apart from each other only where no finger comes. True: there is a longer one.
static bool clear_bridges(const maker* m, const sis_body_info* info, sis_touch_body* b) {
    const double h = info->length / info->segments, L = info->length;
    bool long_one = false;
    for (int32_t i = 0; i < sis_system_link_count(m->plain); i++) {
        const sis_link_info link = sis_system_link(m->plain, i);
        const bool above = strcmp(link.above, info->name) == 0;
        if (!link.distributed || (!above && strcmp(link.below, info->name) != 0)) continue;
        const sis_contact_point p = sis_system_contact_point(m->plain, i, 0);
        const sis_contact_point q = sis_system_contact_point(m->plain, i, link.points - 1);
        const double first = above ? p.at_above : p.at_below,
                     last = above ? q.at_above : q.at_below;
        const bool left = last<L / 5, right = first> L - L / 5;
        if (left) b->low[0] = fmax(b->low[0], last + 5 * h);
        if (right) b->high[0] = fmin(b->high[0], first - 5 * h);
        long_one = long_one || (!left && !right);
    }
    return long_one;
}

// Under a longer one a finger has a tip in each of several windows, whose points of the grid are
// apart by as much as a place may reach (compile/live_places.c): so the contacts of a window are one
// block, and those of the whole string are not.
enum { WINDOW_POINTS = 32, WINDOW_GAP = 8 };
static void open_windows(const sis_body_info* info, bool long_one, sis_touch_body* b) {
    const double h = info->length / info->segments, gap = (WINDOW_GAP + 0.01) * h;
    const int32_t most = long_one ? info->segments / (WINDOW_POINTS + WINDOW_GAP) : 1;
    b->windows = most > SIS_TOUCH_WINDOWS_MOST ? SIS_TOUCH_WINDOWS_MOST : most < 1 ? 1 : most;
    const double wide = (b->high[0] - b->low[0] + gap) / b->windows;
    for (int32_t w = 0; w < b->windows; w++) {
        b->from[w] = b->low[0] + w * wide;
        b->to[w] = b->from[w] + wide - gap;
    }
}

static void size_up_string(const maker* m, const sis_body_info* info, sis_touch_body* b) {
    const bool grid = info->model != SIS_STRING_MODAL;
    open_windows(info, grid && clear_bridges(m, info, b) && info->model == SIS_STRING_FD, b);
}

static void size_up(const maker* m, const sis_body_info* info, sis_touch_body* b) {
    const double size[2] = {info->length, info->width};
    const double least = b->kind == SIS_TOUCH_AREA ? fmin(size[0], size[1]) : size[0];
    for (int32_t i = 0; i < 2; i++) {
        b->size[i] = size[i];
        b->low[i] = 0.01 * size[i];
        b->high[i] = 0.99 * size[i];
    }
    b->segments[0] = info->segments;
    b->segments[1] = info->segments_y;
    b->press = 0.05 * least * m->reach;
    b->clear = 0.1 * b->press;
    b->away = fmax(1, 20 * b->press);
    if (b->kind == SIS_TOUCH_LINE) size_up_string(m, info, b);
}

// A modal body has no size: millimetres.
static void size_up_places(const sis_modal_def* def, sis_touch_body* b) {
    b->places = def->points < SIS_TOUCH_PLACES_MOST ? def->points : SIS_TOUCH_PLACES_MOST;
    b->low[0] = 1;
    b->high[0] = b->places;
    b->press = 0.01;
    b->clear = 1e-3;
    b->away = 1;
}

// ---------------------------------------------------------------------------- bodies

static bool add_places(const maker* m, sis_touch_body* b, sis_id id) {
    sis_modal_def def;
    sis_scene_get(m->scene, id, &def);
    size_up_places(&def, b);
    b->each = b->places;
    for (int32_t f = 0; f < m->touch->fingers; f++)
        for (int32_t p = 0; p < b->places; p++) {
            spot here;
            if (!make_spot(m, f, b, p + 1, b->low, b->high, &here) ||
                !add_contact(m, f, b, id, modal_tip(&def, p), &here, true))
                return false;
        }
    return true;
}

// Pushed away it would fly for ever: it comes back, slowly and without swinging.
static bool add_home(const maker* m, sis_id body, const sis_mass_def* mass) {
    const double K = mass->mass * (2 * PI * HOME) * (2 * PI * HOME), place[2] = {0, mass->position};
    sis_mass_def home = sis_mass_default();
    sis_spring_def spring = sis_spring_default();
    home.path = (sis_envelope){place, 1};
    spring.a = sis_scene_add_mass(m->scene, &home, m->error);
    spring.b = body;
    spring.K1 = K;
    spring.damping = 2 * sqrt(K * mass->mass);
    return spring.a != SIS_NONE && sis_scene_add_spring(m->scene, &spring, m->error) != SIS_NONE;
}

static bool add_holds(const maker* m, sis_touch_body* b, sis_id id) {
    sis_mass_def def;
    sis_scene_get(m->scene, id, &def);
    const double own = own_stiffness(m, id, &def), K = fingertip(own, def.mass);
    b->each = 2;
    b->away = fmax(1, 2 * fabs(def.position));
    b->press = b->away;
    for (int32_t f = 0; f < m->touch->fingers; f++)
        if (!add_hold(m, f, b, id, K, 1.4 * sqrt(K * def.mass))) return false;
    return own > 0 || is_weighty(m, id) || add_home(m, id, &def);
}

// A string can be pressed down and pulled up, in each of its windows.
static bool add_windows(const maker* m, int32_t f, const sis_touch_body* b, sis_id id, double K) {
    for (int32_t w = 0; w < b->windows; w++) {
        spot here;
        if (!make_spot(m, f, b, 0, &b->from[w], &b->to[w], &here) ||
            !add_contact(m, f, b, id, K, &here, true) || !add_contact(m, f, b, id, K, &here, false))
            return false;
    }
    return true;
}

// A plate is touched from above.
static bool add_area(const maker* m, int32_t f, const sis_touch_body* b, sis_id id, double K) {
    spot here;
    return make_spot(m, f, b, 0, b->low, b->high, &here) &&
           add_contact(m, f, b, id, K, &here, true);
}

static bool add_surface(const maker* m, const sis_body_info* info, sis_touch_body* b, sis_id id) {
    const bool area = info->kind == SIS_KIND_PLATE;
    const double K = area ? plate_tip(info) : string_tip(info);
    b->kind = area ? SIS_TOUCH_AREA : SIS_TOUCH_LINE;
    size_up(m, info, b);
    b->each = area ? 3 : 3 * b->windows;
    for (int32_t f = 0; f < m->touch->fingers; f++)
        if (area ? !add_area(m, f, b, id, K) : !add_windows(m, f, b, id, K)) return false;
    return true;
}

static int32_t count_inputs(const sis_scene* scene) {
    int32_t count = 0;
    for (sis_id id = 0; id < sis_scene_count(scene); id++)
        count += sis_scene_kind(scene, id) == SIS_KIND_INPUT;
    return count;
}

static bool add_body(const maker* m, int32_t i, int32_t* inputs) {
    const sis_body_info info = sis_system_body(m->plain, i);
    const sis_id id = sis_scene_find(m->scene, info.kind, info.name);
    sis_touch_body* b = &m->touch->bodies[i];
    bool fine = true;
    *b = (sis_touch_body){.first = *inputs, .points = info.points};
    if (id == SIS_NONE || info.driven || !sis_kind_moves(info.kind)) return true;
    switch (sis_kind_places(info.kind)) {
    case SIS_PLACES_LINE:
    case SIS_PLACES_AREA:
        fine = add_surface(m, &info, b, id);
        break;
    case SIS_PLACES_NUMBER:
        b->kind = SIS_TOUCH_PLACES;
        fine = add_places(m, b, id);
        break;
    case SIS_PLACES_NONE:
        b->kind = SIS_TOUCH_HOLD;
        fine = add_holds(m, b, id);
        break;
    }
    *inputs += b->each * m->touch->fingers;
    return fine;
}

static bool add_fingers(const maker* m) {
    int32_t inputs = count_inputs(m->scene);
    for (int32_t i = 0; i < m->touch->body_count; i++)
        if (!add_body(m, i, &inputs)) return false;
    return true;
}

static sis_touch* new_touch(const sis_system* plain, int32_t fingers, double rate) {
    sis_touch* t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->fingers = fingers;
    t->body_count = sis_system_body_count(plain);
    t->link_count = sis_system_link_count(plain);
    t->seconds = SIS_TOUCH_STEPS / rate;
    t->bodies = calloc((size_t)t->body_count + 1, sizeof *t->bodies);
    if (t->bodies) return t;
    sis_touch_free(t);
    return NULL;
}

// ---------------------------------------------------------------------------- at rest

enum { SETTLE_STEPS = 256, SETTLE_LOOKS = 4 };
static const double SETTLE_SECONDS = 1, SETTLED = 1e-12;

// Steps until nothing moves any more, of what lies down under its weight: a second at most.
static void settle(const sis_system* system, sis_state* state) {
    const int32_t most = (int32_t)(SETTLE_SECONDS * sis_system_rate(system) / SETTLE_STEPS);
    const sis_block block = {.frames = SETTLE_STEPS};
    double highest = 0;
    for (int32_t i = 0, still = 0; i <= most && still < SETTLE_LOOKS; i++) {
        sis_step(system, state, &block);
        const double kinetic = sis_state_energy(system, state).kinetic;
        highest = fmax(highest, kinetic);
        if (kinetic == 0) return;
        still = kinetic <= SETTLED * highest ? still + 1 : 0;
    }
}

static bool read_rest(sis_touch* t, const sis_system* system, const sis_state* state) {
    int32_t most = 1;
    for (int32_t i = 0; i < t->body_count; i++) {
        sis_touch_body* b = &t->bodies[i];
        b->points = sis_system_body(system, i).points;
        b->rest = calloc((size_t)b->points + 1, sizeof *b->rest);
        if (!b->rest) return false;
        sis_state_shape(system, state, i, b->rest);
        if (b->points > most) most = b->points;
    }
    t->shape = calloc((size_t)most, sizeof *t->shape);
    return t->shape != NULL;
}

static bool start_at_rest(sis_touch* t, const sis_system* system, void** start) {
    *start = aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system));
    sis_state* state = *start ? sis_state_init(system, *start) : NULL;
    if (!state) return false;
    settle(system, state);
    return read_rest(t, system, state);
}

static bool modulates(const sis_system* system) {
    for (int32_t i = 0; i < sis_system_body_count(system); i++)
        if (sis_system_body(system, i).nonlinear != SIS_LINEAR) return true;
    return false;
}

// One copy of the scene, with fingers that reach so far.
static sis_system* make(const sis_scene* scene, const sis_options* how, const sis_system* plain,
                        double reach, sis_touch* touch, sis_error* error) {
    sis_scene* rest = sis_scene_at_rest(scene, error);
    const maker m = {rest, plain, touch, SIS_TOUCH_STEPS / how->rate, reach, error};
    sis_system* system = rest && add_fingers(&m) ? sis_compile(rest, how, error) : NULL;
    sis_scene_free(rest);
    return system;
}

static sis_system* compile_plain(const sis_scene* scene, const sis_options* how, sis_error* error) {
    sis_scene* rest = sis_scene_at_rest(scene, error);
    sis_system* plain = rest ? sis_compile(rest, how, error) : NULL;
    sis_scene_free(rest);
    return plain;
}

static sis_system* compile(const sis_scene* scene, const sis_options* how, int32_t fingers,
                           sis_touch** touch, void** start, sis_error* error) {
    const sis_error starved = {
        .status = SIS_NO_MEMORY, .text = "out of memory", .object = SIS_NONE};
    sis_system *plain = compile_plain(scene, how, error), *system = NULL;
    if (!plain) return NULL;
    const int32_t tries = modulates(plain) ? REACH_TRIES : 1;
    *touch = new_touch(plain, fingers, how->rate);
    double reach = 1;
    for (int32_t i = 0; *touch && !system && i < tries; i++, reach *= 0.5)
        system = make(scene, how, plain, reach, *touch, error);
    sis_system_free(plain);
    if (system && start_at_rest(*touch, system, start)) return system;
    if ((!*touch || system) && error) *error = starved;
    sis_system_free(system);
    return NULL;
}

sis_system* sis_touch_compile(const sis_scene* scene, const sis_options* how, int32_t fingers,
                              sis_touch** touch, void** start, sis_error* error) {
    *touch = NULL;
    *start = NULL;
    sis_system* system = compile(scene, how, fingers, touch, start, error);
    if (system) return system;
    if (error && error->object >= sis_scene_count(scene)) error->object = SIS_NONE;
    sis_touch_free(*touch);
    free(*start);
    *touch = NULL;
    *start = NULL;
    return NULL;
}
