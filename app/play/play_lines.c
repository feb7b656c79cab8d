// Playing by lines of text: for scripts, for tests, and where there is no terminal.
#include "note.h"
#include "play_session.h"
#include "play_terminal.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 8, LINE = 1024, WAIT_MOST = 86400, GAIN_MOST = 100 };

/** One line, parted. */
typedef struct line {
    char* words[WORDS];
    int count;
    int number; // in the input
    char* rest; // of the line, behind the first word
} line;

static bool refuse(play_session* s, const line* l, const char* what) {
    play_say(s, true, "line %d: %s", l->number, what);
    s->failed = true;
    return false;
}

// ---------------------------------------------------------------------------- values

static bool read_key(play_session* s, const line* l, uint8_t* key) {
    sis_note_text note;
    sis_fault fault;
    if (!sis_note_read(l->words[1], &note, &fault)) return refuse(s, l, fault.text);
    if (note.key < 0) return refuse(s, l, "a key, not a frequency: C4 or 60");
    *key = (uint8_t)note.key;
    return true;
}

/** The i-th word as a whole number; `fallback` where there is none. */
static bool read_whole(play_session* s, const line* l, int i, long min, long max, long fallback,
                       long* value) {
    char text[128];
    *value = fallback;
    if (i >= l->count || sis_text_whole(l->words[i], min, max, value)) return true;
    snprintf(text, sizeof text, "'%.40s' is no whole number from %ld to %ld", l->words[i], min,
             max);
    return refuse(s, l, text);
}

static bool read_number(play_session* s, const line* l, int i, double* value) {
    char text[128];
    if (sis_text_number(l->words[i], value)) return true;
    snprintf(text, sizeof text, "'%.40s' is not a number", l->words[i]);
    return refuse(s, l, text);
}

static bool send(play_session* s, unsigned status, long channel, long one, long two) {
    bool short_one = status == 0xc0 || status == 0xd0;
    uint8_t bytes[3] = {(uint8_t)(status + (unsigned)channel - 1), (uint8_t)one, (uint8_t)two};
    play_send(s, bytes, short_one ? 2 : 3);
    return true;
}

// ---------------------------------------------------------------------------- commands

static bool do_note(play_session* s, const line* l) {
    uint8_t key;
    long velocity, channel;
    return read_key(s, l, &key) && read_whole(s, l, 2, 1, 127, 100, &velocity) &&
           read_whole(s, l, 3, 1, 16, 1, &channel) && send(s, 0x90, channel, key, velocity);
}

static bool do_off(play_session* s, const line* l) {
    uint8_t key;
    long channel;
    return read_key(s, l, &key) && read_whole(s, l, 2, 1, 16, 1, &channel) &&
           send(s, 0x80, channel, key, 0);
}

static bool do_bend(play_session* s, const line* l) {
    double share;
    long channel;
    if (!read_number(s, l, 1, &share) || !read_whole(s, l, 2, 1, 16, 1, &channel)) return false;
    if (!(fabs(share) <= 1)) return refuse(s, l, "the wheel goes from -1 to 1");
    long wheel = lround(8192 + (share < 0 ? 8192 : 8191) * share);
    return send(s, 0xe0, channel, wheel & 127, wheel >> 7);
}

static bool do_pressure(play_session* s, const line* l) {
    long value, channel;
    return read_whole(s, l, 1, 0, 127, 0, &value) && read_whole(s, l, 2, 1, 16, 1, &channel) &&
           send(s, 0xd0, channel, value, 0);
}

static bool do_cc(play_session* s, const line* l) {
    long number, value, channel;
    return read_whole(s, l, 1, 0, 127, 0, &number) && read_whole(s, l, 2, 0, 127, 0, &value) &&
           read_whole(s, l, 3, 1, 16, 1, &channel) && send(s, 0xb0, channel, number, value);
}

static bool do_pedal(play_session* s, const line* l) {
    bool down = !strcmp(l->words[1], "down"), up = !strcmp(l->words[1], "up");
    long channel;
    if (!down && !up) return refuse(s, l, "the pedal goes down or up");
    return read_whole(s, l, 2, 1, 16, 1, &channel) && send(s, 0xb0, channel, 64, down ? 127 : 0);
}

static bool do_midi(play_session* s, const line* l) {
    uint8_t bytes[3] = {0};
    for (int i = 1; i < l->count && i < 4; i++) {
        char* end;
        unsigned long value = strtoul(l->words[i], &end, 16);
        if (*end || value > 255) return refuse(s, l, "bytes of MIDI in hexadecimal: 90 3c 64");
        bytes[i - 1] = (uint8_t)value;
    }
    bool torn = bytes[1] > 0x7f || bytes[2] > 0x7f;
    if (l->count > 4 || bytes[0] < 0x80 || bytes[0] >= 0xf0 || torn)
        return refuse(s, l, "one message of a channel: 90 3c 64");
    play_send(s, bytes, (size_t)l->count - 1);
    return true;
}

/** Adds a name to a list, as far as there is room. */
static void list_name(char* names, size_t room, const char* name) {
    size_t used = strlen(names);
    snprintf(names + used, room - used, "%s%s", used ? ", " : "", name);
}

static bool do_knob(play_session* s, const line* l) {
    double value;
    char text[256], names[160] = "";
    int32_t knob = sis_live_knob_find(s->live, l->words[1]);
    if (knob >= 0) {
        if (!read_number(s, l, 2, &value)) return false;
        play_turn(s, knob, value);
        return true;
    }
    for (int32_t i = 0; i < sis_live_knob_count(s->live); i++)
        list_name(names, sizeof names, sis_live_knob_at(s->live, i).name);
    snprintf(text, sizeof text, "no knob '%.40s'; there are %s", l->words[1],
             *names ? names : "none");
    return refuse(s, l, text);
}

static bool do_preset(play_session* s, const line* l) {
    char text[256], names[160] = "";
    for (int32_t i = 0; i < sis_live_preset_count(s->live); i++)
        if (!strcmp(sis_live_preset_name(s->live, i), l->rest)) return play_take_preset(s, i);
    for (int32_t i = 0; i < sis_live_preset_count(s->live); i++)
        list_name(names, sizeof names, sis_live_preset_name(s->live, i));
    snprintf(text, sizeof text, "no preset '%.40s'; there are %s", l->rest,
             *names ? names : "none");
    return refuse(s, l, text);
}

static bool do_gain(play_session* s, const line* l) {
    double decibels;
    if (!read_number(s, l, 1, &decibels)) return false;
    if (!(fabs(decibels) <= GAIN_MOST)) return refuse(s, l, "a gain from -100 to 100 dB");
    sis_live_gain(s->live, pow(10, decibels / 20));
    return true;
}

static bool do_panic(play_session* s, const line* l) {
    (void)l;
    return play_engine_panic(s->engine);
}

static bool do_reload(play_session* s, const line* l) {
    (void)l;
    play_reload(s);
    return true;
}

static bool do_quit(play_session* s, const line* l) {
    (void)l;
    s->quit = true;
    return true;
}

/** Lines come faster than notes are taken, from a file: they wait for their turn. Where time does
 * not pass by itself, or the driver has gone, there is no turn. */
static bool wait_for_room(play_session* s) {
    while (!play_engine_has_room(s->engine) && !play_signals_ending()) {
        if (play_engine_is_offline(s->engine) || !s->driver) return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        play_tend(s);
    }
    return true;
}

/** What is the largest since it was told goes from one reader to the next. */
static void read_status(play_session* s, sis_live_status* t, bool tells) {
    sis_live_status_read(s->live, t);
    double* kept[] = {&s->peak[0], &s->peak[1], &s->load_max, &s->limited};
    double* now[] = {&t->peak[0], &t->peak[1], &t->load_max, &t->limited};
    for (int i = 0; i < 4; i++) {
        *now[i] = fmax(*now[i], *kept[i]);
        *kept[i] = tells ? 0 : *now[i];
    }
}

/** Lets so much time pass; `silence`: only until nothing sounds any more. */
static void pass(play_session* s, double seconds, bool silence) {
    sis_live_status status;
    uint64_t left = (uint64_t)llround(seconds * s->state.rate);
    double end = play_now() + seconds;
    uint64_t at_a_time = (uint64_t)(s->state.rate / 20) + 1;
    bool on = true;
    for (bool first = true; on && !play_signals_ending(); first = false) {
        if (s->kind->advance && play_engine_is_offline(s->engine)) {
            uint64_t now = left < at_a_time ? left : at_a_time;
            s->kind->advance(s->driver, now);
            left -= now;
            on = left > 0;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
            on = play_now() < end;
        }
        play_tend(s);
        if (silence && !first) {
            read_status(s, &status, false);
            on = on && (status.voices || status.fading || status.waiting);
        }
    }
}

static bool do_wait(play_session* s, const line* l) {
    double seconds;
    if (!read_number(s, l, 1, &seconds)) return false;
    if (!(seconds >= 0 && seconds <= WAIT_MOST)) return refuse(s, l, "seconds from 0 to 86400");
    pass(s, seconds, false);
    play_tell_troubles(s); // time may have passed faster than it is looked at
    return true;
}

static bool do_silence(play_session* s, const line* l) {
    double seconds = 60;
    if (l->count > 1 && !read_number(s, l, 1, &seconds)) return false;
    if (!(seconds >= 0 && seconds <= WAIT_MOST)) return refuse(s, l, "seconds from 0 to 86400");
    pass(s, seconds, true);
    return true;
}

static bool do_status(play_session* s, const line* l) {
    sis_live_status t;
    (void)l;
    read_status(s, &t, true);
    unsigned long long xruns = s->xruns_before + s->state.xruns;
    printf("time=%.6f voices=%d keys=%d waiting=%d peak=%.6g,%.6g load=%.3g load_max=%.3g "
           "limited_db=%.3g residual=%.3g touching=%d late=%llu stolen=%llu guarded=%llu "
           "failed=%llu left_out=%llu wrong=%llu xruns=%llu rate=%g period=%d loads=%u\n",
           play_seconds(s), (int)t.voices, (int)t.keys, (int)t.waiting, t.peak[0], t.peak[1],
           t.load, t.load_max, t.limited, t.residual, (int)t.touching, (unsigned long long)t.late,
           (unsigned long long)t.stolen, (unsigned long long)t.guarded,
           (unsigned long long)t.failed, (unsigned long long)t.left_out,
           (unsigned long long)t.wrong, xruns, s->state.rate, (int)s->state.period,
           (unsigned)t.loads);
    return true;
}

static bool do_knobs(play_session* s, const line* l) {
    (void)l;
    for (int32_t i = 0; i < sis_live_knob_count(s->live); i++) {
        sis_live_knob k = sis_live_knob_at(s->live, i);
        printf("%s=%.9g min=%.9g max=%.9g unit=%s %s\n", k.name, k.value, k.min, k.max,
               *k.unit ? k.unit : "1",
               k.trigger ? "trigger"
               : k.input ? "input"
                         : "param");
    }
    return true;
}

static bool do_help(play_session* s, const line* l);

static const struct {
    const char* word;
    int least, most; // words behind it
    bool sends;      // a message to the instrument
    bool (*act)(play_session* s, const line* l);
    const char* help;
} commands[] = {
    {"note", 1, 3, true, do_note,
     "note KEY [VELOCITY [CHANNEL]]   C4 or 60, 1 .. 127 (100), 1 .. 16 (1)"},
    {"off", 1, 2, true, do_off, "off KEY [CHANNEL]"},
    {"bend", 1, 2, true, do_bend, "bend SHARE [CHANNEL]            the wheel, -1 .. 1"},
    {"pressure", 1, 2, true, do_pressure, "pressure VALUE [CHANNEL]        0 .. 127"},
    {"cc", 2, 3, true, do_cc, "cc NUMBER VALUE [CHANNEL]       a controller"},
    {"pedal", 1, 2, true, do_pedal, "pedal down|up [CHANNEL]"},
    {"midi", 1, 3, true, do_midi, "midi BYTE BYTE BYTE             in hexadecimal"},
    {"knob", 2, 2, true, do_knob, "knob NAME VALUE"},
    {"knobs", 0, 0, false, do_knobs, "knobs                           prints all of them"},
    {"preset", 1, 1, false, do_preset, "preset NAME"},
    {"gain", 1, 1, false, do_gain, "gain DB"},
    {"wait", 1, 1, false, do_wait, "wait SECONDS"},
    {"silence", 0, 1, false, do_silence,
     "silence [SECONDS]               waits until nothing sounds (60)"},
    {"status", 0, 0, false, do_status, "status                          prints meters and counts"},
    {"reload", 0, 0, false, do_reload, "reload                          loads the scene again"},
    {"panic", 0, 0, true, do_panic, "panic                           all sound ends"},
    {"help", 0, 0, false, do_help, "help"},
    {"quit", 0, 0, false, do_quit, "quit"},
};

enum { COMMANDS = (int)(sizeof commands / sizeof *commands) };

static bool do_help(play_session* s, const line* l) {
    (void)s, (void)l;
    for (int i = 0; i < COMMANDS; i++)
        printf("%s\n", commands[i].help);
    return true;
}

// ---------------------------------------------------------------------------- lines

/** What is behind a # is left out, but not the sharp of a note. */
static void cut_comment(char* text) {
    for (char* at = text; *at; at++)
        if (*at == '#' && (at == text || at[-1] == ' ' || at[-1] == '\t')) {
            *at = 0;
            return;
        }
}

/** A name, and the value behind its last blank. */
static void part_knob(char* text, line* l) {
    char* value = text + strlen(text);
    while (value > text && value[-1] != ' ' && value[-1] != '\t')
        value--;
    l->words[l->count++] = text;
    if (value == text) return;
    char* end = value;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *end = 0;
    l->words[l->count++] = value;
}

static void part(char* text, line* l) {
    static const char blanks[] = " \t\r\n";
    size_t end = strlen(text);
    while (end && strchr(blanks, text[end - 1]))
        text[--end] = 0;
    l->count = 0;
    l->rest = NULL;
    for (char* at = text + strspn(text, blanks); *at && l->count < WORDS;) {
        l->words[l->count++] = at;
        at += strcspn(at, blanks);
        char* next = at + strspn(at, blanks);
        if (l->count == 1) l->rest = next;
        bool first = l->count == 1 && *next;
        if (*at) *at = 0;
        at = next;
        // Presets and knobs may have blanks in their names.
        if (first && !strcmp(l->words[0], "preset")) {
            l->words[l->count++] = next;
            return;
        }
        if (first && !strcmp(l->words[0], "knob")) {
            part_knob(next, l);
            return;
        }
    }
}

static void obey(play_session* s, char* text, int number) {
    line l = {.number = number};
    char what[128];
    cut_comment(text);
    part(text, &l);
    if (!l.count) return;
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].word, l.words[0]) != 0) continue;
        if (l.count - 1 < commands[i].least || l.count - 1 > commands[i].most) {
            snprintf(what, sizeof what, "%s", commands[i].help);
            refuse(s, &l, what);
        } else if (commands[i].sends && !wait_for_room(s)) {
            refuse(s, &l, "too many at a time: let time pass between them, by wait");
        } else {
            commands[i].act(s, &l);
        }
        fflush(stdout);
        return;
    }
    snprintf(what, sizeof what, "unknown command '%.40s'; help lists them", l.words[0]);
    refuse(s, &l, what);
}

// ---------------------------------------------------------------------------- input

/** Standard input, line by line. */
typedef struct source {
    char text[LINE];
    size_t used;
    int lines;
    bool ended;
    bool skips; // the rest of a line that is too long
} source;

/** Reads what is there, waiting a little. */
static void read_more(source* in) {
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    if (in->ended || poll(&look, 1, 20) <= 0) {
        if (in->ended) poll(NULL, 0, 20);
        return;
    }
    ssize_t size = read(STDIN_FILENO, in->text + in->used, LINE - 1 - in->used);
    if (size > 0) in->used += (size_t)size;
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) in->ended = true;
}

/** Takes the next line, or as much of it as there is room for; its end is taken away. */
static bool take_line(source* in, char text[LINE], size_t* size, bool* whole) {
    char* end = memchr(in->text, '\n', in->used);
    bool full = in->used == LINE - 1;
    if (!end && !full && !(in->ended && in->used)) return false;
    *size = end ? (size_t)(end - in->text) : in->used;
    *whole = end || !full;
    memcpy(text, in->text, *size);
    text[*size] = 0;
    size_t taken = *size + (end != NULL);
    memmove(in->text, in->text + taken, in->used - taken);
    in->used -= taken;
    return true;
}

/** Obeys the next line that is complete; false: there is none. */
static bool obey_next(play_session* s, source* in) {
    char text[LINE];
    size_t size;
    bool whole, skips = in->skips;
    if (!take_line(in, text, &size, &whole)) return false;
    in->skips = !whole;
    if (skips) return true; // it was told where it began
    line l = {.number = ++in->lines};
    if (!whole)
        refuse(s, &l, "longer than 1022 characters");
    else if (memchr(text, 0, size))
        refuse(s, &l, "there is a zero byte");
    else
        obey(s, text, in->lines);
    return true;
}

static void say(void* self, bool bad, const char* text) {
    (void)self;
    fprintf(bad ? stderr : stdout, "%s%s\n", bad ? "sistrum: " : "", text);
    fflush(bad ? stderr : stdout);
}

void play_with_lines(play_session* s) {
    source in = {.used = 0};
    s->say = say;
    play_say(s, false, "playing %s: %s, %g Hz, %d frames", s->name, s->state.text, s->state.rate,
             (int)s->state.period);
    while (!s->quit && !play_signals_ending()) {
        play_tend(s);
        if (obey_next(s, &in)) continue;
        s->idle = in.ended && !in.lines && play_engine_is_offline(s->engine);
        if (s->idle) break;
        // Somebody with nothing to say (/dev/null) listens until a signal comes.
        if (in.ended && (in.lines || isatty(STDIN_FILENO))) break;
        read_more(&in);
    }
}
