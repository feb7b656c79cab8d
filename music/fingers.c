// Fingers that move: towards what a hand wants, every SIS_TOUCH_STEPS steps.
#include "touch.h"

#include <math.h>

// A tip comes down from just above the body and goes no faster than a finger does; it is lifted at
// once. Along the body it goes no faster than this many lengths a second.
static const double DOWN = 0.6, SLIDE = 20; // m/s, 1/s
// A finger with a mass in its grip, m/s.
static const double CARRY = 3;

typedef struct finger_turn {
    const sis_touch* touch;
    sis_fingers* fingers;
    const sis_system* system;
    sis_state* state;
} finger_turn;

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

static double towards(double from, double to, double most) {
    return clamp(to, from - most, from + most);
}

static void set(const finger_turn* t, int32_t input, double value) {
    sis_state_input_set(t->system, t->state, input, value);
}

// ---------------------------------------------------------------------------- what is wanted

static const sis_touch_body* body_at(const sis_touch* touch, int32_t body) {
    if (body < 0 || body >= touch->body_count) return NULL;
    return touch->bodies[body].kind == SIS_TOUCH_NONE ? NULL : &touch->bodies[body];
}

// Whether a finger is to touch anything, and where: places and depths are held to their ranges.
static bool is_down(const sis_touch* touch, const sis_finger* want, sis_finger* held) {
    const sis_touch_body* b = body_at(touch, want->body);
    if (!b || !isfinite(want->press)) return false;
    const bool placed = b->kind != SIS_TOUCH_HOLD, area = b->kind == SIS_TOUCH_AREA;
    if ((placed && !isfinite(want->x)) || (area && !isfinite(want->y))) return false;
    *held = *want;
    held->x = placed ? clamp(want->x, b->low[0], b->high[0]) : 0;
    held->y = area ? clamp(want->y, b->low[1], b->high[1]) : 0;
    if (b->kind == SIS_TOUCH_PLACES) held->x = floor(held->x + 0.5);
    held->press = clamp(want->press, -b->press, b->press);
    return true;
}

// ---------------------------------------------------------------------------- the body below

static int32_t nearest(double x, double size, int32_t segments) {
    return (int32_t)floor(x / size * segments + 0.5);
}

// u at rest at a place: of the nearest point.
static double rest_at(const sis_touch_body* b, const sis_finger* at) {
    int32_t j = 0;
    if (b->kind == SIS_TOUCH_PLACES) j = (int32_t)at->x - 1;
    if (b->kind == SIS_TOUCH_LINE) j = nearest(at->x, b->size[0], b->segments[0]);
    if (b->kind == SIS_TOUCH_AREA)
        j = nearest(at->y, b->size[1], b->segments[1]) * (b->segments[0] + 1) +
            nearest(at->x, b->size[0], b->segments[0]);
    return j >= 0 && j < b->points ? b->rest[j] : 0;
}

// The largest |u| of a body, wherever it is.
static double swing(const finger_turn* t, int32_t body) {
    const sis_touch_body* b = &t->touch->bodies[body];
    double most = 0;
    sis_state_shape(t->system, t->state, body, t->touch->shape);
    for (int32_t i = 0; i < b->points; i++)
        most = fmax(most, fabs(t->touch->shape[i]));
    return isfinite(most) ? most : 0;
}

// ---------------------------------------------------------------------------- one finger

// The first of its inputs on the body it touches.
static int32_t inputs_of(const finger_turn* t, int32_t i) {
    const sis_touch_body* b = &t->touch->bodies[t->fingers->now[i].body];
    return b->first + i * b->each;
}

// Of the window of a string in which it is.
static int32_t window_of(const finger_turn* t, int32_t i) {
    return inputs_of(t, i) + 3 * (t->fingers->place[i] / 2);
}

static int32_t tip_of(const finger_turn* t, int32_t i) {
    const sis_touch_body* b = &t->touch->bodies[t->fingers->now[i].body];
    if (b->kind == SIS_TOUCH_PLACES) return inputs_of(t, i) + t->fingers->place[i];
    if (b->kind == SIS_TOUCH_LINE) return window_of(t, i) + 1 + t->fingers->place[i] % 2;
    return inputs_of(t, i) + b->each - 1;
}

// Whether it is under a string and pulls it up.
static bool below(const finger_turn* t, int32_t i) {
    const sis_touch_body* b = &t->touch->bodies[t->fingers->now[i].body];
    return b->kind == SIS_TOUCH_LINE && t->fingers->place[i] % 2 == 1;
}

// The place of a tip that was just lifted goes home in the turn after the next: then it is away.
static void send_home(const finger_turn* t, int32_t i) {
    const bool line = t->touch->bodies[t->fingers->now[i].body].kind == SIS_TOUCH_LINE;
    t->fingers->home[i] =
        (sis_home_way){t->fingers->now[i].body, line ? t->fingers->place[i] / 2 : 0, false};
}

static void go_home(const finger_turn* t, int32_t i) {
    sis_home_way* way = &t->fingers->home[i];
    if (way->body < 0) return;
    if (!way->ready) {
        way->ready = true;
        return;
    }
    const sis_touch_body* b = &t->touch->bodies[way->body];
    const int32_t first = b->first + i * b->each, w = way->window;
    if (b->kind == SIS_TOUCH_LINE) set(t, first + 3 * w, 0.5 * (b->from[w] + b->to[w]));
    if (b->kind == SIS_TOUCH_AREA)
        for (int32_t axis = 0; axis < 2; axis++)
            set(t, first + axis, 0.5 * (b->low[axis] + b->high[axis]));
    way->body = -1;
}

static void lift(const finger_turn* t, int32_t i) {
    sis_finger* now = &t->fingers->now[i];
    const sis_touch_body* b = &t->touch->bodies[now->body];
    send_home(t, i);
    if (b->kind == SIS_TOUCH_HOLD)
        set(t, inputs_of(t, i), 0);
    else
        set(t, tip_of(t, i), below(t, i) ? -b->away : b->away);
    now->body = -1;
}

static void slide(const finger_turn* t, int32_t i) {
    const sis_finger* now = &t->fingers->now[i];
    const sis_touch_body* b = &t->touch->bodies[now->body];
    if (b->kind == SIS_TOUCH_AREA) set(t, inputs_of(t, i), now->x);
    if (b->kind == SIS_TOUCH_LINE) {
        const int32_t w = t->fingers->place[i] / 2;
        set(t, window_of(t, i), clamp(now->x, b->from[w], b->to[w]));
    }
    if (b->kind == SIS_TOUCH_AREA) set(t, inputs_of(t, i) + 1, now->y);
    set(t, tip_of(t, i), now->press);
}

// The window that is nearest.
static int32_t window_at(const sis_touch_body* b, double x) {
    int32_t w = 0;
    while (w + 1 < b->windows && x > 0.5 * (b->to[w] + b->from[w + 1]))
        w++;
    return w;
}

// A place of a modal body from 0 on; window and side of a string.
static int32_t place_of(const sis_touch_body* b, const sis_finger* want) {
    if (b->kind == SIS_TOUCH_LINE) return 2 * window_at(b, want->x) + (want->press < 0);
    return b->kind == SIS_TOUCH_PLACES ? (int32_t)want->x - 1 : 0;
}

// Above whatever the body does at the moment; a mass is taken where it is.
static void come(const finger_turn* t, int32_t i, const sis_finger* want) {
    const sis_touch_body* b = &t->touch->bodies[want->body];
    sis_finger* now = &t->fingers->now[i];
    const double high = swing(t, want->body);
    if (b->kind == SIS_TOUCH_HOLD && high > b->press) return; // out of reach until it comes back
    *now = *want;
    t->fingers->place[i] = place_of(b, want);
    now->press = fmin(high + b->clear, b->away);
    if (below(t, i)) now->press = -now->press;
    if (b->kind == SIS_TOUCH_HOLD) now->press = clamp(t->touch->shape[0], -b->press, b->press);
    slide(t, i);
}

// The same body, at the same place of a modal one, on the same side of a string.
static bool stays(const finger_turn* t, int32_t i, const sis_finger* want) {
    const sis_touch_body* b = &t->touch->bodies[t->fingers->now[i].body];
    if (want->body != t->fingers->now[i].body) return false;
    if (b->kind == SIS_TOUCH_LINE) return place_of(b, want) % 2 == t->fingers->place[i] % 2;
    return b->kind == SIS_TOUCH_HOLD || place_of(b, want) == t->fingers->place[i];
}

// Into the next window of a string: there the tip goes to where it is here, which is then lifted.
static void change_window(const finger_turn* t, int32_t i) {
    const sis_finger* now = &t->fingers->now[i];
    const sis_touch_body* b = &t->touch->bodies[now->body];
    const int32_t w = window_at(b, now->x);
    if (w == t->fingers->place[i] / 2) return;
    set(t, tip_of(t, i), below(t, i) ? -b->away : b->away);
    send_home(t, i);
    t->fingers->place[i] = 2 * w + t->fingers->place[i] % 2;
}

static void follow(const finger_turn* t, int32_t i, const sis_finger* want) {
    sis_finger* now = &t->fingers->now[i];
    const sis_touch_body* b = &t->touch->bodies[now->body];
    const double seconds = t->touch->seconds;
    const bool held = b->kind == SIS_TOUCH_HOLD;
    const double tip = held ? want->press : rest_at(b, want) - want->press;
    now->press = towards(now->press, tip, (held ? CARRY : DOWN) * seconds);
    now->x = towards(now->x, want->x, SLIDE * b->size[0] * seconds);
    now->y = towards(now->y, want->y, SLIDE * b->size[1] * seconds);
    if (b->kind == SIS_TOUCH_LINE) change_window(t, i);
    if (held) set(t, inputs_of(t, i), 1);
    slide(t, i);
}

// A tip that has come to a mass from afar stands still before it takes hold: a damper feels every
// motion.
static bool comes_still(const finger_turn* t, int32_t i) {
    const sis_touch_body* b = &t->touch->bodies[t->fingers->now[i].body];
    return b->kind == SIS_TOUCH_HOLD && t->fingers->place[i]++ < 1;
}

static void turn_one(const finger_turn* t, int32_t i) {
    sis_finger want;
    const bool down = is_down(t->touch, &t->fingers->want[i], &want);
    const bool touches = t->fingers->now[i].body >= 0;
    if (down || touches) t->fingers->idle = 0;
    go_home(t, i);
    if (touches && (!down || !stays(t, i, &want)))
        lift(t, i);
    else if (!touches && down)
        come(t, i, &want);
    else if (touches && !comes_still(t, i))
        follow(t, i, &want);
}

// ---------------------------------------------------------------------------- all of them

void sis_fingers_begin(sis_fingers* f) {
    f->idle = 0;
    for (int32_t i = 0; i < SIS_FINGERS_MOST; i++) {
        f->now[i] = (sis_finger){.body = -1};
        f->home[i] = (sis_home_way){.body = -1};
        f->place[i] = 0;
    }
}

void sis_fingers_lift(sis_fingers* f) {
    for (int32_t i = 0; i < SIS_FINGERS_MOST; i++)
        f->want[i] = (sis_finger){.body = -1, .press = (double)NAN};
}

bool sis_fingers_busy(const sis_touch* touch, const sis_fingers* f) {
    sis_finger held;
    for (int32_t i = 0; i < touch->fingers; i++)
        if (f->now[i].body >= 0 || is_down(touch, &f->want[i], &held)) return true;
    return false;
}

void sis_fingers_turn(const sis_touch* touch, sis_fingers* fingers, const sis_system* system,
                      sis_state* state) {
    const finger_turn t = {touch, fingers, system, state};
    if (fingers->idle < INT32_MAX) fingers->idle++;
    for (int32_t i = 0; i < touch->fingers; i++)
        turn_one(&t, i);
}
