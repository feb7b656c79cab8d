// What the view shows, from 80 x 24 down to a few lines.
#include "play_view.h"

#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NARROW = 56, SMALL = 18, TINY = 9 };

#define METER_BOTTOM (-60.0) // dB

// ---------------------------------------------------------------------------- heading

static void draw_heading(play_view* v) {
    const play_session* s = v->session;
    char right[256], late[32] = "";
    if (!isnan(s->state.latency)) snprintf(late, sizeof late, ", %.1f ms", s->state.latency * 1e3);
    if (s->driver)
        snprintf(right, sizeof right, "%.150s, %g Hz, %d%s", s->state.text, s->state.rate,
                 (int)s->state.period, late);
    else
        snprintf(right, sizeof right, "waiting for %s", s->kind->name);
    int column = play_screen_put(&v->screen, 0, 0, PLAY_BOLD, "%s", s->title);
    int at = v->screen.columns - play_screen_width(right);
    if (at <= column + 1 && s->driver) {
        snprintf(right, sizeof right, "%s, %g Hz%s", s->kind->name, s->state.rate, late);
        at = v->screen.columns - play_screen_width(right);
    }
    if (at > column + 1)
        play_screen_put(&v->screen, 0, at, s->driver ? PLAY_DIM : PLAY_BAD, "%s", right);
}

// ---------------------------------------------------------------------------- meters

static double decibels(double value) {
    return value > 0 ? 20 * log10(value) : -(double)INFINITY;
}

static double meter_share(double value) {
    return 1 - fmax(decibels(value), METER_BOTTOM) / METER_BOTTOM;
}

/** The largest value of the last second, which an eye can read. */
static double hold(play_held* held, double value) {
    double now = play_now();
    if (value >= held->value || now > held->until) *held = (play_held){value, now + 1};
    return held->value;
}

static void draw_meter(play_view* v, int row, int channel, int width) {
    double peak = hold(&v->peak[channel], v->status.peak[channel]), level = decibels(peak);
    play_style style = level > -0.2 ? PLAY_BAD : level > -6 ? PLAY_WARN : PLAY_GOOD;
    int bar = width - 18;
    play_screen_put(&v->screen, row, 0, PLAY_DIM, channel ? "right" : "left");
    if (bar > 0)
        play_screen_bar(&v->screen, row, 6, bar, meter_share(v->status.rms[channel]), style);
    int mark = 6 + (int)(meter_share(peak) * (bar - 1));
    if (bar > 0 && level > METER_BOTTOM)
        play_screen_cell(&v->screen, row, mark, style, 0x2502, '|');
    if (level > -99)
        play_screen_put(&v->screen, row, width - 11, style, "%6.1f dB", level);
    else
        play_screen_put(&v->screen, row, width - 11, PLAY_DIM, "   off");
}

static play_style style_of_load(double load) {
    return load > 0.9 ? PLAY_BAD : load > 0.7 ? PLAY_WARN : PLAY_PLAIN;
}

static void draw_limiter(play_view* v, int row) {
    const sis_live_status* t = &v->status;
    int column = play_screen_put(&v->screen, row, 0, PLAY_DIM, "limit ");
    if (t->limited > 0.05)
        play_screen_put(&v->screen, row, column, PLAY_WARN, "-%.1f dB", t->limited);
    else
        play_screen_put(&v->screen, row, column, PLAY_DIM, "%s",
                        v->session->ask->live.limiter ? "idle" : "off");
}

static void draw_energy(play_view* v, int row) {
    const sis_live_status* t = &v->status;
    char text[64];
    int column = play_screen_put(&v->screen, row, 0, PLAY_DIM, "energy ");
    column = play_screen_put(&v->screen, row, column, PLAY_PLAIN, "%s",
                             sis_unit_print(text, sizeof text, t->stored, "J", 3));
    if (!isnan(t->residual))
        column =
            play_screen_put(&v->screen, row, column, t->residual > 1e-9 ? PLAY_BAD : PLAY_PLAIN,
                            ", residual %.0e", t->residual);
    play_screen_put(&v->screen, row, column, PLAY_PLAIN, ", %d %s", (int)t->touching,
                    t->touching == 1 ? "contact" : "contacts");
}

static void draw_counts(play_view* v, int row, int column) {
    const sis_live_status* t = &v->status;
    const play_session* s = v->session;
    play_screen* on = &v->screen;
    double most = hold(&v->load, fmax(t->load_max, t->load));
    play_screen_put(on, row, column, style_of_load(most), "load %3.0f %%, at most %.0f %%",
                    100 * t->load, 100 * most);
    play_screen_put(on, row + 1, column, PLAY_PLAIN, "%d of %d voices, %d key%s down",
                    (int)t->voices, (int)sis_live_voices(s->live), (int)t->keys,
                    t->keys == 1 ? "" : "s");
    unsigned long long xruns = s->xruns_before + s->state.xruns;
    bool wrong = t->late || t->stolen || t->guarded || t->failed || xruns;
    int at = play_screen_put(on, row + 2, column, wrong ? PLAY_WARN : PLAY_DIM,
                             "late %llu, stolen %llu, xruns %llu", (unsigned long long)t->late,
                             (unsigned long long)t->stolen, xruns);
    if (t->guarded || t->failed)
        play_screen_put(on, row + 2, at, PLAY_BAD, ", guard %llu, failed %llu",
                        (unsigned long long)t->guarded, (unsigned long long)t->failed);
    if (s->recorder) {
        double seconds = play_recorder_seconds(s->recorder);
        bool ended = play_recorder_has_ended(s->recorder);
        play_style style = ended ? PLAY_DIM : PLAY_BAD;
        if (!ended) play_screen_cell(on, row + 3, column, style, 0x25cf, '*');
        play_screen_put(on, row + 3, column + (ended ? 0 : 2), style, "%s %d:%04.1f",
                        ended ? "recording ended at" : "recording", (int)(seconds / 60),
                        fmod(seconds, 60));
    }
}

/** The upper part. Returns the row below it. */
static int draw_top(play_view* v) {
    int columns = v->screen.columns;
    draw_heading(v);
    if (v->screen.rows < TINY) {
        draw_meter(v, 1, 0, columns);
        return 2;
    }
    int left = columns >= NARROW ? columns / 2 + 2 : columns;
    draw_meter(v, 1, 0, left);
    draw_meter(v, 2, 1, left);
    if (columns < NARROW) return 3;
    draw_limiter(v, 3);
    draw_energy(v, 4);
    draw_counts(v, 1, left + 2);
    return 5;
}

// ---------------------------------------------------------------------------- knobs

static void draw_rule(play_view* v, int row, const char* title) {
    for (int i = 0; i < v->screen.columns; i++)
        play_screen_cell(&v->screen, row, i, PLAY_DIM, 0x2500, '-');
    if (*title) play_screen_put(&v->screen, row, 2, PLAY_DIM, " %s ", title);
}

/** A number as the view has room for, with an exponent that is short. */
static void print_value(char* text, size_t room, double value) {
    snprintf(text, room, "%.4g", value);
    char* e = strstr(text, "e+0");
    if (e) memmove(e + 1, e + 3, strlen(e + 3) + 1);
    e = strstr(text, "e+");
    if (e) memmove(e + 1, e + 2, strlen(e + 2) + 1);
    e = strstr(text, "e-0");
    if (e) memmove(e + 2, e + 3, strlen(e + 3) + 1);
}

static void draw_knob(play_view* v, int row, int32_t i, int names) {
    play_screen* on = &v->screen;
    sis_live_knob k = sis_live_knob_at(v->session->live, i);
    bool chosen = i == v->chosen;
    char value[48];
    print_value(value, sizeof value, k.value);
    if (chosen && v->typing) snprintf(value, sizeof value, "%.38s_", v->typed);
    play_screen_cell(on, row, 0, PLAY_ACCENT, chosen ? 0x25b8 : ' ', chosen ? '>' : ' ');
    play_screen_put(on, row, 2, chosen ? PLAY_BOLD : PLAY_PLAIN, "%.*s",
                    (int)(play_screen_after(k.name, names) - k.name), k.name);
    int at = 3 + names;
    play_style style = chosen && v->typing ? PLAY_DOWN : k.input ? PLAY_ACCENT : PLAY_PLAIN;
    play_screen_put(on, row, at, k.trigger ? PLAY_DIM : style, "%9s", k.trigger ? "Enter" : value);
    play_screen_put(on, row, at + 10, PLAY_DIM, "%.9s", k.trigger ? "strikes" : k.unit);
    int bar = on->columns >= 70 ? 20 : on->columns - at - 21;
    if (bar > 3 && !k.trigger)
        play_screen_bar(on, row, at + 20, bar, play_knob_share(&k, k.value),
                        chosen ? PLAY_ACCENT : PLAY_PLAIN);
    int text = at + 20 + (bar > 3 ? bar + 1 : 0);
    if (on->columns - text > 4) {
        char cc[24] = "";
        if (k.cc >= 0) snprintf(cc, sizeof cc, " (cc %d)", (int)k.cc);
        play_screen_put(on, row, text, PLAY_DIM, "%s%s", strcmp(k.label, k.name) ? k.label : "",
                        cc);
    }
}

/** The list, from `row` to before `end`, scrolled so that the chosen one is on it. */
static void draw_knobs(play_view* v, int row, int end) {
    int32_t count = sis_live_knob_count(v->session->live);
    int room = end - row, names = 4;
    if (v->chosen >= count) v->chosen = count ? count - 1 : 0;
    if (v->chosen < v->first) v->first = v->chosen;
    if (v->chosen >= v->first + room) v->first = v->chosen - room + 1;
    if (v->first > 0 && v->first + room > count) v->first = count > room ? count - room : 0;
    for (int32_t i = 0; i < count; i++) {
        int length = play_screen_width(sis_live_knob_at(v->session->live, i).name);
        if (length > names) names = length;
    }
    if (names > 16) names = 16;
    if (!count) play_screen_put(&v->screen, row, 2, PLAY_DIM, "the scene has no knobs");
    for (int i = 0; i < room && v->first + i < count; i++)
        draw_knob(v, row + i, v->first + i, names);
}

static void title_of_knobs(const play_view* v, char* text, size_t room) {
    const play_session* s = v->session;
    int32_t count = sis_live_knob_count(s->live), presets = sis_live_preset_count(s->live);
    int used = snprintf(text, room, "%d knob%s", (int)count, count == 1 ? "" : "s");
    if (presets && s->preset >= 0)
        snprintf(text + used, room - (size_t)used, ", preset %d of %d: %.60s", (int)s->preset + 1,
                 (int)presets, sis_live_preset_name(s->live, s->preset));
    else if (presets)
        snprintf(text + used, room - (size_t)used, ", %d preset%s", (int)presets,
                 presets == 1 ? "" : "s");
}

// ---------------------------------------------------------------------------- piano

static bool is_black(int key) {
    int step = key % 12;
    return step == 1 || step == 3 || step == 6 || step == 8 || step == 10;
}

/** Two rows of key caps as they lie on the keyboard: black above white. */
static void draw_piano(play_view* v, int row) {
    int column = 2;
    for (int i = 0; i < PLAY_PIANO_KEYS; i++) {
        char cap = play_piano_caps[i];
        bool black = is_black(i), down = v->piano.sounding[i] >= 0;
        if (cap >= 'a' && cap <= 'z') cap = (char)(cap - 'a' + 'A');
        play_style style = down ? PLAY_DOWN : black ? PLAY_DIM : PLAY_PLAIN;
        int at = black ? column - 2 : column;
        play_screen_put(&v->screen, row + !black, at, style, down ? "%c " : "%c", cap);
        if (!black) column += 4;
    }
    char low[16], high[16];
    int32_t first = play_piano_key(&v->piano, 0);
    int32_t last = play_piano_key(&v->piano, PLAY_PIANO_KEYS - 1);
    if (first >= 0 && v->screen.columns >= column + 10)
        play_screen_put(&v->screen, row + 1, column + 1, PLAY_DIM, "%s to %s",
                        sis_note_name(first, low), sis_note_name(last < 0 ? 127 : last, high));
}

static void draw_hands(play_view* v, int row) {
    const play_piano* p = &v->piano;
    char end[40];
    if (p->mode == PLAY_PIANO_TOGGLE)
        snprintf(end, sizeof end, "a second stroke ends a note");
    else if (p->key_up)
        snprintf(end, sizeof end, "key-up ends a note");
    else
        snprintf(end, sizeof end, "notes last %.1f s", p->hold);
    play_screen_put(&v->screen, row, 0, PLAY_DIM, "octave %d, velocity %d, %s%s", (int)p->octave,
                    (int)p->velocity, end, p->pedal ? ", pedal down" : "");
}

// ---------------------------------------------------------------------------- words

/** The last message of MIDI in words. */
static void print_midi(const play_view* v, char* text, size_t room) {
    uint8_t b[3];
    char name[16];
    *text = 0;
    if (!play_engine_last(v->session->engine, b)) return;
    int channel = (b[0] & 15) + 1;
    switch (b[0] & 0xf0) {
    case 0x90:
    case 0x80:
        snprintf(text, room, "%s %s, velocity %d, channel %d",
                 (b[0] & 0xf0) == 0x90 && b[2] ? "note" : "end of", sis_note_name(b[1] & 127, name),
                 b[2], channel);
        break;
    case 0xa0:
        snprintf(text, room, "pressure of %s %d, channel %d", sis_note_name(b[1] & 127, name), b[2],
                 channel);
        break;
    case 0xb0:
        snprintf(text, room, "controller %d at %d, channel %d", b[1], b[2], channel);
        break;
    case 0xc0:
        snprintf(text, room, "program %d, channel %d", b[1] + 1, channel);
        break;
    case 0xd0:
        snprintf(text, room, "pressure %d, channel %d", b[1], channel);
        break;
    default:
        snprintf(text, room, "bend %d, channel %d", (b[1] | b[2] << 7) - 8192, channel);
        break;
    }
}

/** A sentence that is longer than a row goes on in the next ones, as far as there is room. Returns
 * how many rows it takes; the last of them is `last`. */
static int draw_message(play_view* v, int last) {
    char text[96];
    int columns = v->screen.columns, most = v->screen.rows / 4, rows = 1;
    bool says = *v->message && play_now() < v->message_until;
    if (!says) {
        print_midi(v, text, sizeof text);
        play_screen_put(&v->screen, last, 0, PLAY_DIM, "%s", text);
        return 1;
    }
    const char* at = v->message;
    while (rows < most && play_screen_width(at) > rows * columns)
        rows++;
    for (int i = 0; i < rows; i++) {
        const char* next = play_screen_after(at, columns);
        play_screen_put(&v->screen, last - rows + 1 + i, 0, v->message_bad ? PLAY_BAD : PLAY_GOOD,
                        "%.*s", (int)(next - at), at);
        at = next;
    }
    return rows;
}

static void draw_help(play_view* v) {
    static const char* const lines[] = {
        "z s x d c v g b h n j m   the piano: from C on, black keys above",
        "q 2 w 3 e r 5 t 6 y 7 u   an octave higher, i 9 o 0 p beyond",
        ", .          octave down, up",
        "- +          softer, louder",
        "space        sustain pedal down, up",
        "Tab          notes end by time (or key-up), or by a second stroke",
        "Esc          panic: all sound ends",
        "",
        "up, down     choose a knob",
        "left, right  turn it; with Shift a tenth of that; Home, End to its ends",
        "Enter        type its value; strike, if it is a trigger",
        "Backspace    back to what the scene has; Ctrl-B all of them",
        "Ctrl-R       all knobs a little at random",
        "Page Up, Down  presets of the scene",
        "Ctrl-O       load the scene again (it is when its file changes)",
        "Ctrl-Z stop, Ctrl-L draw again, Ctrl-C or Ctrl-Q end",
    };
    int count = (int)(sizeof lines / sizeof *lines);
    play_screen_put(&v->screen, 0, 0, PLAY_BOLD, "%s", v->session->title);
    for (int i = 0; i < count && i + 2 < v->screen.rows; i++)
        play_screen_put(&v->screen, i + 2, 2, PLAY_PLAIN, "%s", lines[i]);
}

// ---------------------------------------------------------------------------- all of it

static void draw_rows(play_view* v) {
    int rows = v->screen.rows, row = draw_top(v), end = rows - 1;
    char title[192];
    bool piano = rows >= SMALL && v->screen.columns >= 64 && sis_live_takes_notes(v->session->live);
    title_of_knobs(v, title, sizeof title);
    if (rows >= TINY) draw_rule(v, row++, title);
    if (rows >= TINY) {
        bool wide = v->screen.columns >= 76;
        play_screen_put(&v->screen, end--, 0, PLAY_DIM, "%s",
                        wide ? "? help   arrows knobs   Enter type   Tab, space notes   Esc panic  "
                               " Ctrl-C end"
                             : "? help   Esc panic   Ctrl-C end");
    }
    end -= draw_message(v, end);
    if (rows >= SMALL) draw_hands(v, end--);
    if (piano) {
        draw_piano(v, end - 1);
        end -= 2;
        draw_rule(v, end--, "keys");
    }
    draw_knobs(v, row, end + 1);
}

void play_view_draw(play_view* v) {
    uint32_t before = v->status.generation;
    sis_live_status_read(v->session->live, &v->status);
    // Other knobs, other sounds: the keys are compiled once more.
    if (v->status.generation != before) play_prepare(v->session, v->session->velocity);
    play_screen_clear(&v->screen);
    if (v->help)
        draw_help(v);
    else
        draw_rows(v);
    play_screen_show(&v->screen);
}
