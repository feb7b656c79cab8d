// What the keys of the terminal do, and the loop of the view.
#include "play_terminal.h"
#include "play_view.h"
#include "text.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAME_SECONDS   0.05 // between two pictures
#define ESCAPE_SECONDS  0.05 // after which an escape is a key of its own
#define MESSAGE_SECONDS 6.0
#define STEP            0.02 // of a knob's way, for one turn
#define FINE_STEP       0.002

// ---------------------------------------------------------------------------- knobs

static sis_live_knob chosen_knob(const play_view* v) {
    return sis_live_knob_at(v->session->live, v->chosen);
}

static void choose(play_view* v, int32_t step) {
    int32_t count = sis_live_knob_count(v->session->live), to = v->chosen + step;
    v->chosen = to < 0 ? 0 : to >= count ? (count ? count - 1 : 0) : to;
}

static void turn(play_view* v, double step) {
    sis_live_knob k = chosen_knob(v);
    if (!k.name) return;
    if (k.trigger) {
        if (step > 0) play_turn(v->session, v->chosen, k.max > 0 ? k.max : 1);
        return;
    }
    play_turn(v->session, v->chosen, play_knob_at(&k, play_knob_share(&k, k.value) + step));
}

static void turn_to(play_view* v, double share) {
    sis_live_knob k = chosen_knob(v);
    if (k.name && !k.trigger) play_turn(v->session, v->chosen, play_knob_at(&k, share));
}

static void reset(play_view* v) {
    sis_live_knob k = chosen_knob(v);
    if (k.name && !k.trigger) play_turn(v->session, v->chosen, k.fallback);
}

static double draw_random(play_view* v) {
    v->random ^= v->random << 13;
    v->random ^= v->random >> 7;
    v->random ^= v->random << 17;
    return (double)(v->random >> 11) / 9007199254740992.0;
}

/** Every knob somewhere near the middle of its way; or back, each as the scene has it. */
static void turn_all(play_view* v, bool random) {
    play_session* s = v->session;
    for (int32_t i = 0; i < sis_live_knob_count(s->live); i++) {
        sis_live_knob k = sis_live_knob_at(s->live, i);
        if (k.trigger) continue;
        double share = play_knob_share(&k, k.value) + 0.3 * (draw_random(v) - 0.5);
        play_turn(s, i, random ? play_knob_at(&k, share) : k.fallback);
    }
    play_say(s, false, random ? "all knobs turned at random" : "all knobs as the scene has them");
}

static void take_typed(play_view* v) {
    double value;
    sis_live_knob k = chosen_knob(v);
    v->typing = false;
    if (!*v->typed || !k.name) return;
    if (!sis_text_number(v->typed, &value)) {
        play_say(v->session, true, "'%s' is not a number", v->typed);
        return;
    }
    if (value < k.min || value > k.max)
        play_say(v->session, true, "%s goes from %g to %g", k.name, k.min, k.max);
    play_turn(v->session, v->chosen, fmin(fmax(value, k.min), k.max));
}

static void type(play_view* v, const play_key* key) {
    size_t used = strlen(v->typed);
    if (key->code == PLAY_KEY_ENTER)
        take_typed(v);
    else if (key->code == PLAY_KEY_ESCAPE)
        v->typing = false;
    else if (key->code == PLAY_KEY_BACKSPACE && used)
        v->typed[used - 1] = 0;
    else if (key->code > 32 && key->code < 127 && !key->ctrl && used + 1 < sizeof v->typed) {
        v->typed[used] = (char)key->code;
        v->typed[used + 1] = 0;
    }
}

static void step_preset(play_view* v, int32_t step) {
    play_session* s = v->session;
    int32_t count = sis_live_preset_count(s->live);
    if (!count) {
        play_say(s, false, "the scene has no presets");
        return;
    }
    int32_t to = s->preset < 0 ? (step > 0 ? 0 : count - 1) : (s->preset + step + count) % count;
    if (play_take_preset(s, to)) play_say(s, false, "preset %s", sis_live_preset_name(s->live, to));
}

// ---------------------------------------------------------------------------- keys

static void all_off(play_view* v) {
    play_piano_up(&v->piano);
    play_engine_panic(v->session->engine);
    v->piano.pedal = false;
    play_say(v->session, false, "all sound ends");
}

static void change_mode(play_view* v) {
    play_piano_up(&v->piano);
    v->piano.mode = (v->piano.mode + 1) % PLAY_PIANO_MODES;
}

// The one of the lower row of keys: the third, or the nearest that the scene has.
static int32_t first_octave(const sis_live* live) {
    int32_t low = 0, high = 127, octave = 3;
    if (!sis_live_keys(live, &low, &high)) return octave;
    while (octave > -1 && 12 * (octave + 1) + 7 > high)
        octave--;
    while (octave < 8 && 12 * (octave + 1) + 11 < low)
        octave++;
    return octave;
}

static void change_octave(play_view* v, int step) {
    int32_t to = v->piano.octave + step;
    if (to >= -1 && to <= 8) v->piano.octave = to;
}

static void change_velocity(play_view* v, int step) {
    int32_t to = v->piano.velocity + step;
    v->piano.velocity = to < 1 ? 1 : to > 127 ? 127 : to;
    play_prepare(v->session, v->piano.velocity);
}

static void take_ctrl(play_view* v, int32_t letter) {
    switch (letter) {
    case 'c':
    case 'q':
    case 'd':
        v->session->quit = true;
        break;
    case 'z':
        play_piano_up(&v->piano);
        play_stand_still(v->session, play_terminal_stop);
        break;
    case 'l':
        play_screen_resize(&v->screen, v->screen.columns, v->screen.rows);
        break;
    case 'r':
        turn_all(v, true);
        break;
    case 'b':
        turn_all(v, false);
        break;
    case 'o':
        play_reload(v->session);
        break;
    default:
        break;
    }
}

static void take_plain(play_view* v, const play_key* key) {
    double step = key->shift ? FINE_STEP : STEP;
    switch (key->code) {
    case PLAY_KEY_UP:
        choose(v, -1);
        break;
    case PLAY_KEY_DOWN:
        choose(v, 1);
        break;
    case PLAY_KEY_LEFT:
        turn(v, -step);
        break;
    case PLAY_KEY_RIGHT:
        turn(v, step);
        break;
    case PLAY_KEY_HOME:
        turn_to(v, 0);
        break;
    case PLAY_KEY_END:
        turn_to(v, 1);
        break;
    case PLAY_KEY_PAGE_UP:
        step_preset(v, -1);
        break;
    case PLAY_KEY_PAGE_DOWN:
        step_preset(v, 1);
        break;
    case PLAY_KEY_BACKSPACE:
    case PLAY_KEY_DELETE:
        reset(v);
        break;
    case PLAY_KEY_ENTER:
        if (chosen_knob(v).trigger)
            turn(v, 1);
        else
            v->typing = chosen_knob(v).name != NULL;
        *v->typed = 0;
        break;
    case PLAY_KEY_ESCAPE:
        all_off(v);
        break;
    case PLAY_KEY_TAB:
        change_mode(v);
        break;
    case ' ':
        play_piano_pedal(&v->piano, !v->piano.pedal);
        break;
    case ',':
    case '<':
        change_octave(v, -1);
        break;
    case '.':
    case '>':
        change_octave(v, 1);
        break;
    case '-':
    case '_':
        change_velocity(v, -9);
        break;
    case '+':
    case '=':
        change_velocity(v, 9);
        break;
    case '?':
    case PLAY_KEY_F1:
        v->help = true;
        break;
    default:
        break;
    }
}

void play_view_key(play_view* v, const play_key* key) {
    if (key->code == PLAY_KEY_ANSWER) {
        play_terminal_use_keys();
        v->piano.key_up = true;
        return;
    }
    if (key->code == PLAY_KEY_NONE) return;
    bool ends = key->ctrl && !key->up && (key->code == 'c' || key->code == 'q');
    if (!ends && !v->typing && play_piano_take(&v->piano, key, play_now())) {
        v->help = false;
        return;
    }
    if (key->up) return;
    bool control = key->ctrl && key->code < 128;
    if (control)
        take_ctrl(v, key->code);
    else if (v->help)
        v->help = false;
    else if (v->typing)
        type(v, key);
    else
        take_plain(v, key);
}

// ---------------------------------------------------------------------------- the loop

static void say(void* self, bool bad, const char* text) {
    play_view* v = self;
    snprintf(v->message, sizeof v->message, "%s", text);
    v->message_bad = bad;
    v->message_until = bad ? (double)INFINITY : play_now() + MESSAGE_SECONDS;
}

static bool fit(play_view* v) {
    int columns, rows;
    play_terminal_size(&columns, &rows);
    return play_screen_resize(&v->screen, columns, rows);
}

/** Keys that came, waiting for the first of them until the next picture. False: the terminal has
 * gone. */
static bool read_keys(play_view* v, play_keys* keys, double until) {
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    double wait = keys->used ? ESCAPE_SECONDS : fmax(until - play_now(), 0.001);
    if (v->piano.key_up == false) wait = fmin(wait, 0.02);
    int found = poll(&look, 1, (int)(wait * 1000) + 1);
    uint8_t bytes[128];
    ssize_t size = found > 0 ? read(STDIN_FILENO, bytes, sizeof bytes) : 0;
    if (found > 0 && (size < 0 || (size == 0 && (look.revents & POLLHUP)))) return false;
    if (size > 0) play_keys_feed(keys, bytes, (size_t)size);
    play_key key;
    while (play_keys_next(keys, found == 0, &key))
        play_view_key(v, &key);
    return true;
}

static void show(play_view* v) {
    play_session* s = v->session;
    play_keys keys = {.used = 0};
    bool there = fit(v) && play_terminal_open();
    double next = 0;
    if (there) play_terminal_ask_keys();
    while (there && !s->quit && !play_signals_ending()) {
        play_tend(s);
        play_piano_tick(&v->piano, play_now());
        if (play_signals_stop()) play_stand_still(s, play_terminal_stop);
        if (play_signals_resized() && !fit(v)) break;
        if (play_now() >= next) {
            play_view_draw(v);
            next = play_now() + FRAME_SECONDS;
        }
        there = read_keys(v, &keys, next);
    }
    play_terminal_close();
}

void play_with_view(play_session* s) {
    play_view* v = calloc(1, sizeof *v);
    if (!v) return;
    v->session = s;
    v->random = (uint64_t)(play_now() * 1e6) | 1;
    v->screen.colour = play_terminal_has_colour();
    v->screen.unicode = play_terminal_has_unicode();
    v->piano = play_piano_default(play_send, s);
    v->piano.octave = first_octave(s->live);
    s->say = say;
    s->say_self = v;
    play_prepare(s, v->piano.velocity);
    show(v);
    s->say = NULL;
    s->say_self = NULL;
    play_screen_free(&v->screen);
    free(v);
}
