// Scenes in which something is pressed for ever: fingers on strings over frets, masses and strings
// pressed onto walls.
#include <math.h>

#include "campaign.h"

// A string of 12 to 120 points, whatever its model.
static sis_string_def draw_string(trial* t) {
    dice* d = &t->d;
    sis_string_def s = sis_string_default();
    s.length = dice_log(d, 0.1, 2);
    s.density = dice_log(d, 1e-4, 2e-2);
    const double points = dice_log(d, 12, 120), speed = s.length * t->rate / points;
    s.tension = s.density * speed * speed * dice_even(d, 0.3, 1);
    s.radius = dice_log(d, 1e-4, 1e-3);
    s.youngs = dice_chance(d, 0.3) ? 0 : dice_log(d, 1e9, 3e11);
    s.sigma0 = dice_chance(d, 0.2)   ? 0
               : dice_chance(d, 0.4) ? dice_log(d, 0.3, 30)
                                     : dice_log(d, 10, 200) * t->rate / t->frames;
    s.sigma1 = dice_chance(d, 0.4) ? 0 : dice_log(d, 1e-5, 1e-2);
    s.model = (sis_string_model)dice_pick(d, 4);
    s.tuned = dice_chance(d, 0.7);
    if (s.model != SIS_STRING_MODAL && dice_chance(d, 0.3)) s.ends = SIS_ENDS_CLAMPED;
    // Neither has a limit of its own below which it would stay.
    if (s.model == SIS_STRING_TRAPEZOID) s.segments = (int32_t)points;
    if (s.model == SIS_STRING_MODAL) s.modes = 3 + (int32_t)(points / 3);
    return s;
}

// A finger, a mass pressed by a constant force, holds a string down on frets; the string is plucked
// a little.
void draw_fretted(trial* t) {
    dice* d = &t->d;
    t->rate = draw_rate(d);
    t->frames = (int32_t)dice_even(d, 1500, 6000);
    const sis_string_def def = draw_string(t);
    const thing string = trial_string(t, def);
    const double L = def.length, x = L * dice_even(d, 0.2, 0.6);
    const double away = dice_chance(d, 0.4) ? 0 : dice_log(d, 1e-6, 1e-3);
    const thing finger = trial_mass(t, dice_log(d, 3e-4, 0.1), away, 0, draw_damping(t, d));
    trial_push(t, finger, (double)NAN, -dice_log(d, 0.03, 30));
    trial_contact(t, finger, string, draw_touch(d, 1e4, 1e11), x, false);
    const touch fret = draw_touch(d, 1e4, draw_hardest(d));
    const thing neck = trial_barrier(t, -dice_log(d, 1e-6, 1e-3));
    const int frets = dice_chance(d, 0.5) ? 1 : 2 + dice_pick(d, 5);
    if (dice_chance(d, 0.15)) {
        trial_contact(t, string, neck, fret, (double)NAN, true);
    } else {
        for (int i = 0; i < frets; i++) {
            const double near = x + L * (i ? dice_even(d, -0.15, 0.3) : dice_even(d, -0.03, 0.03));
            trial_contact(t, string, neck, fret, near, false);
        }
    }
    trial_probe(t, string, x);
    trial_probe(t, string, 0.8 * L);
    if (dice_chance(d, 0.7)) trial_pluck(t, string, 0.8 * L, dice_log(d, 1e-6, 1e-3));
}

// A mass on a wall under a constant force, from `part` of the depth at which it would rest.
typedef struct press {
    double mass, force, part, damping;
    touch law;
} press;

static double static_depth(const press* p) {
    return pow(p->force / p->law.K, 1 / p->law.alpha);
}

static void press_mass(trial* t, press p) {
    const thing wall = trial_barrier(t, 0);
    const thing m = trial_mass(t, p.mass, -p.part * static_depth(&p), 0, p.damping);
    trial_push(t, m, (double)NAN, -p.force);
    trial_contact(t, m, wall, p.law, (double)NAN, false);
}

// About rest a mass rings at omega^2 = alpha F/(depth m); omega k is drawn, the mass follows.
static void draw_pressed_mass(trial* t) {
    dice* d = &t->d;
    press p = {0};
    t->rate = draw_rate(d);
    t->frames = (int32_t)dice_even(d, 1000, 8000);
    p.part = dice_even(d, 0.1, 1.9);
    p.damping = draw_damping(t, d);
    do {
        p.law = draw_touch(d, 1e4, 1e13);
        p.force = dice_log(d, 1e-3, 100);
        const double omega = dice_log(d, 0.1, 300) * t->rate;
        p.mass = p.law.alpha * p.force / (static_depth(&p) * omega * omega);
    } while (!(p.mass >= 1e-7 && p.mass <= 10));
    press_mass(t, p);
}

// A string on a fret, or along a barrier, under constant forces.
static void draw_pressed_string(trial* t, bool distributed) {
    dice* d = &t->d;
    t->rate = draw_rate(d);
    t->frames = (int32_t)dice_even(d, 1500, 6000);
    const sis_string_def def = draw_string(t);
    const thing string = trial_string(t, def);
    const double L = def.length, x = L * dice_even(d, 0.2, 0.8);
    const thing wall = trial_barrier(t, dice_chance(d, 0.4) ? 0 : -dice_log(d, 1e-7, 1e-3));
    trial_contact(t, string, wall, draw_touch(d, 1e4, distributed ? 1e13 : 1e11), x, distributed);
    const int forces = distributed ? 1 + dice_pick(d, 3) : 1;
    for (int i = 0; i < forces; i++) {
        const bool there = !distributed && dice_chance(d, 0.5);
        trial_push(t, string, there ? x : L * dice_even(d, 0.1, 0.9), -dice_log(d, 1e-2, 30));
    }
    trial_probe(t, string, x);
    trial_probe(t, string, L * dice_even(d, 0.1, 0.9));
    if (dice_chance(d, 0.3)) trial_pluck(t, string, 0.4 * L, dice_log(d, 1e-6, 1e-3));
}

// The first two are those that were reported; of every five three are masses.
void draw_pressed(trial* t) {
    const uint64_t turn = t->index % 5;
    if (t->index < 2) {
        t->rate = 44100;
        t->frames = 8820;
        press_mass(t, (press){1e-4, 5, 0.5, 0, {t->index ? 1e11 : 1e10, 1.5, 0}});
    } else if (turn < 3) {
        draw_pressed_mass(t);
    } else {
        draw_pressed_string(t, turn == 4);
    }
}
