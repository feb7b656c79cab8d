// A scene that is drawn: additions to the scene itself and to its text in Lua, which can be played
// by the program (`sistrum render`).
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "campaign.h"

static const char* const words[] = {"squeezed", "stacks", "chains", "fretted", "pressed"};

const char* trial_word(trial_kind kind) {
    return words[kind];
}

static void tell(trial* t, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(t->text + t->used, sizeof t->text - t->used, format, list);
    va_end(list);
    t->used += (size_t)n;
    if (t->used >= sizeof t->text) t->used = sizeof t->text - 1;
}

static thing named(trial* t, sis_id id, char letter, bool moves) {
    thing o = {.id = id, .probe = -1, .height = 0, .moves = moves, .name = ""};
    snprintf(o.name, sizeof o.name, "%c%d", letter, ++t->objects % 1000);
    return o;
}

void trial_probe(trial* t, thing on, double x) {
    sis_probe_def p = sis_probe_default();
    p.on = on.id;
    p.at = x;
    if (sis_scene_add_probe(t->scene, &p, &t->error) == SIS_NONE) return;
    t->probes++;
    tell(t, "probe { on = %s", on.name);
    if (!isnan(x)) tell(t, ", at = %.17g", x);
    tell(t, " } ");
}

thing trial_mass(trial* t, double mass, double position, double velocity, double damping) {
    sis_mass_def m = sis_mass_default();
    m.mass = mass;
    m.position = position * (1 + t->nudge);
    m.velocity = velocity;
    m.damping = damping;
    thing o = named(t, sis_scene_add_mass(t->scene, &m, &t->error), 'm', true);
    tell(t,
         "local %s = mass { mass = %.17g, position = %.17g, velocity = %.17g, damping = %.17g } ",
         o.name, mass, position, velocity, damping);
    o.probe = t->probes;
    trial_probe(t, o, (double)NAN);
    return o;
}

thing trial_barrier(trial* t, double height) {
    sis_barrier_def b = sis_barrier_default();
    b.height = height;
    thing o = named(t, sis_scene_add_barrier(t->scene, &b, &t->error), 'b', false);
    o.height = height;
    tell(t, "local %s = barrier { height = %.17g } ", o.name, height);
    return o;
}

void trial_contact(trial* t, thing above, thing below, touch law, double x, bool distributed) {
    sis_contact_def c = sis_contact_default();
    c.above = above.id;
    c.below = below.id;
    c.K = law.K;
    c.alpha = law.alpha;
    c.damping = law.mu;
    if (!distributed && !isnan(x)) c.at = (sis_list){&x, 1};
    if (sis_scene_add_contact(t->scene, &c, &t->error) == SIS_NONE) return;
    t->pairs[t->contacts++] = (pair){above, below};
    tell(t, "contact { above = %s, below = %s, K = %.17g, alpha = %.17g, damping = %.17g",
         above.name, below.name, law.K, law.alpha, law.mu);
    if (c.at.count) tell(t, ", at = %.17g", x);
    tell(t, " } ");
}

thing trial_string(trial* t, sis_string_def s) {
    static const char* const models[] = {"fd", "implicit", "trapezoid", "modal"};
    thing o = named(t, sis_scene_add_string(t->scene, &s, &t->error), 's', true);
    tell(
        t,
        "local %s = string { model = \"%s\", length = %.17g, tension = %.17g, density = %.17g, "
        "radius = %.17g, youngs = %.17g, sigma0 = %.17g, sigma1 = %.17g, tuned = %s, ends = \"%s\"",
        o.name, models[s.model], s.length, s.tension, s.density, s.radius, s.youngs, s.sigma0,
        s.sigma1, s.tuned ? "true" : "false", s.ends == SIS_ENDS_CLAMPED ? "clamped" : "supported");
    if (s.modes) tell(t, ", modes = %d", s.modes);
    if (s.segments) tell(t, ", segments = %d", s.segments);
    tell(t, " } ");
    return o;
}

void trial_push(trial* t, thing on, double x, double force) {
    sis_force_def f = sis_force_default();
    f.on = on.id;
    f.at = x;
    f.shape = SIS_FORCE_CONSTANT;
    f.peak = force;
    sis_scene_add_force(t->scene, &f, &t->error);
    tell(t, "force { on = %s, shape = \"constant\", peak = %.17g", on.name, force);
    if (!isnan(x)) tell(t, ", at = %.17g", x);
    tell(t, " } ");
}

void trial_pluck(trial* t, thing on, double x, double height) {
    sis_pluck_def p = sis_pluck_default();
    p.on = on.id;
    p.at = x;
    p.height = height * (1 + t->nudge);
    sis_scene_add_pluck(t->scene, &p, &t->error);
    tell(t, "pluck { on = %s, at = %.17g, height = %.17g } ", on.name, x, height);
}

void trial_gravity(trial* t, double g) {
    sis_gravity_def def = sis_gravity_default();
    def.g = g;
    sis_scene_add_gravity(t->scene, &def, &t->error);
    tell(t, "gravity { g = %.17g } ", g);
}

// ---------------------------------------------------------------------------- common numbers

double draw_rate(dice* d) {
    const double u = dice_unit(d);
    return u < 0.35 ? 44100 : u < 0.6 ? 48000 : dice_log(d, 8000, 192000);
}

double draw_alpha(dice* d) {
    static const double often[] = {1, 1.5, 2, 2.5, 3};
    return dice_chance(d, 0.6) ? often[dice_pick(d, 5)] : dice_even(d, 1, 4);
}

double draw_mu(dice* d) {
    return dice_chance(d, 0.4) ? 0 : dice_log(d, 1e-2, 5);
}

// Of masses, 1/s: none, or enough to come to rest within the run, as few do by their contacts
// alone.
double draw_damping(const trial* t, dice* d) {
    return dice_chance(d, 0.4) ? 0 : dice_log(d, 10, 500) * t->rate / t->frames;
}

// Contacts far stiffer than a sample can follow ring on whatever the bodies lose: half of the
// scenes have none, so that more of them come to rest.
double draw_hardest(dice* d) {
    return dice_chance(d, 0.5) ? 1e13 : 1e9;
}

touch draw_touch(dice* d, double low, double high) {
    touch law;
    law.K = dice_log(d, low, high);
    law.alpha = draw_alpha(d);
    law.mu = draw_mu(d);
    return law;
}

// ---------------------------------------------------------------------------- masses

static double either_sign(dice* d, double value) {
    return dice_chance(d, 0.5) ? value : -value;
}

// A mass between two stops that overlap it. The first is the one that was reported.
static void draw_squeezed(trial* t) {
    dice* d = &t->d;
    const double none = (double)NAN;
    t->rate = draw_rate(d);
    t->frames = (int32_t)dice_even(d, 2000, 9000);
    double mass = dice_log(d, 1e-5, 1);
    double up = dice_log(d, 1e-6, 1e-3), down = dice_chance(d, 0.5) ? up : dice_log(d, 1e-6, 1e-3);
    double at = dice_even(d, -down, up), speed = either_sign(d, dice_log(d, 1e-4, 10));
    double damping = draw_damping(t, d);
    const double hardest = draw_hardest(d);
    touch floor = draw_touch(d, 1e4, hardest);
    touch ceiling = dice_chance(d, 0.6) ? floor : draw_touch(d, 1e4, hardest);
    if (t->index == 0) {
        t->rate = 44100;
        t->frames = 8820;
        mass = 0.01;
        up = down = 2e-4;
        at = 1e-5;
        speed = 1e-3;
        damping = 0;
        floor = ceiling = (touch){1e6, 1.5, 1};
    }
    const thing m = trial_mass(t, mass, at, speed, damping);
    const thing low = trial_barrier(t, up), high = trial_barrier(t, -down);
    trial_contact(t, m, low, floor, none, false);
    trial_contact(t, high, m, ceiling, none, false);
    if (t->index > 0 && dice_chance(d, 0.3)) trial_gravity(t, 9.81);
}

// Masses on top of each other on a floor, touching, a little apart or a little inside each other.
static void draw_stacks(trial* t) {
    dice* d = &t->d;
    const double none = (double)NAN;
    const int count = dice_chance(d, 0.06) ? 20 : 2 + dice_pick(d, 7);
    const bool alike = dice_chance(d, 0.5), same_mass = dice_chance(d, 0.3);
    const int spacing = dice_pick(d, 3);
    const double g = dice_chance(d, 0.5) ? 9.81 : dice_log(d, 1, 1000);
    t->rate = draw_rate(d);
    t->frames = (int32_t)dice_even(d, 3000, 12000);
    const double damping = draw_damping(t, d), hardest = draw_hardest(d);
    // In most a mass would rest at a depth that is drawn: others fall for as long as they run.
    const double depth = dice_chance(d, 0.3) ? 0 : dice_log(d, 1e-9, 1e-5);
    touch law = draw_touch(d, 1e4, hardest);
    double at = 0, mass = dice_log(d, 1e-4, 1);
    if (depth > 0) law.K = fmin(1e13, fmax(1e4, mass * g / pow(depth, law.alpha)));
    thing below = trial_barrier(t, 0);
    for (int i = 0; i < count; i++) {
        if (!same_mass) mass = dice_log(d, 1e-4, 1);
        if (spacing == 1) at += dice_log(d, 1e-7, 1e-3);
        if (spacing == 2) at -= dice_log(d, 1e-9, 1e-6);
        const double speed = dice_chance(d, 0.8) ? 0 : either_sign(d, dice_log(d, 1e-3, 0.3));
        const thing m = trial_mass(t, mass, at, speed, damping);
        if (!alike) law = draw_touch(d, 1e4, hardest);
        if (!alike && depth > 0) law.K = fmin(1e13, fmax(1e4, mass * g / pow(depth, law.alpha)));
        if (law.mu == 0 && dice_chance(d, 0.7)) law.mu = dice_log(d, 1e-2, 5);
        trial_contact(t, m, below, law, none, false);
        below = m;
    }
    trial_gravity(t, g);
}

// The reported chain, at one of 40 arrival phases: the two must not swap places.
static void reported_chain(trial* t) {
    const double none = (double)NAN, phase = (double)t->index / 40 * 3 / 44100;
    t->rate = 44100;
    t->frames = 4410;
    const thing floor = trial_barrier(t, 0);
    const thing light = trial_mass(t, 1e-3, 1e-4, 0, 0);
    const thing hammer = trial_mass(t, 2e-2, 1e-3 + phase, -3, 0);
    trial_contact(t, hammer, light, (touch){1e10, 1, 0}, none, false);
    trial_contact(t, light, floor, (touch){1e9, 2, 3}, none, false);
}

// Masses that fly into each other, the lower ones rather up, the upper ones rather down.
static void draw_chains(trial* t) {
    dice* d = &t->d;
    const double none = (double)NAN;
    if (t->index < 40) {
        reported_chain(t);
        return;
    }
    const int count = 2 + dice_pick(d, 4);
    const bool alike = dice_chance(d, 0.4), floor = dice_chance(d, 0.5);
    const double low = dice_chance(d, 0.7) ? 1e5 : 1e4, high = low == 1e5 ? 1e11 : 1e13;
    t->rate = draw_rate(d);
    t->frames = (int32_t)dice_even(d, 500, 4000);
    const double damping = dice_chance(d, 0.7) ? 0 : draw_damping(t, d);
    touch law = draw_touch(d, low, high);
    double at = dice_log(d, 1e-5, 1e-2);
    thing below = {.id = SIS_NONE};
    if (floor) below = trial_barrier(t, 0);
    for (int i = 0; i < count; i++) {
        const double mass = dice_log(d, 1e-4, 1);
        const bool upwards = dice_chance(d, floor ? 0.2 : i == 0 ? 0.9 : i < count - 1 ? 0.5 : 0.1);
        const double speed = dice_chance(d, 0.2) ? 0 : dice_log(d, 0.03, 10);
        const thing m = trial_mass(t, mass, at, upwards ? speed : -speed, damping);
        if (!alike) law = draw_touch(d, low, high);
        if (below.id != SIS_NONE) trial_contact(t, m, below, law, none, false);
        below = m;
        at += dice_log(d, 1e-5, 1e-2);
    }
    if (dice_chance(d, 0.3)) trial_gravity(t, dice_chance(d, 0.5) ? 9.81 : dice_log(d, 10, 1000));
}

void trial_draw(trial* t, uint64_t seed, trial_kind kind, uint64_t index, double nudge) {
    static void (*const draw[])(trial*) = {draw_squeezed, draw_stacks, draw_chains, draw_fretted,
                                           draw_pressed};
    memset(t, 0, sizeof *t);
    t->kind = kind;
    t->index = index;
    t->nudge = nudge;
    t->d.state = seed * 0x9e3779b97f4a7c15u + (uint64_t)kind * 0xd1342543de82ef95u;
    t->d.state = dice_next(&t->d) ^ index * 0xda942042e4dd58b5u;
    dice_next(&t->d);
    t->scene = sis_scene_new();
    draw[kind](t);
    tell(t, "render { rate = %.17g, duration = %.17g }", t->rate, t->frames / t->rate);
}

void trial_free(trial* t) {
    sis_scene_free(t->scene);
    t->scene = NULL;
}
