// From MIDI events to notes and controllers: who ends whom, what pedals hold, bend ranges
// (registered parameter 0) and MPE zones (registered parameter 6).
#include "hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHANNELS = SIS_CHANNELS,
    KEYS = 128,
    LOWER = 0,  // channel of the lower zone's master, members above it
    UPPER = 15, // of the upper zone's, members below it
    MEMBER_RANGE = 48,
    NO_PARAMETER = 0x3FFF
};

/** Notes whose key is down, first come first ended, and those that only a pedal holds. */
struct sis_hand {
    int32_t first[CHANNELS][KEYS], last[CHANNELS][KEYS]; // -1: none
    int32_t latched[CHANNELS];                           // by sostenuto; -1: none
    int32_t held[CHANNELS];                              // by the sustain pedal; -1: none
    bool pedal[CHANNELS], sostenuto[CHANNELS];
    uint64_t since[CHANNELS];  // sostenuto: notes before this one are latched
    double wheel[CHANNELS];    // -1 .. 1
    double range[CHANNELS];    // semitones; NaN: as the scene has it
    int parameter[CHANNELS];   // registered one that data entry sets
    uint8_t program[CHANNELS]; // SIS_NO_PROGRAM: none
    int lower, upper;          // members of the zones; 0: there is none
    int32_t* next;             // [notes] in one of these lists; -1: the last
    uint64_t* serial;          // [notes]: how many came before it
    uint64_t count;            // of notes so far
    int32_t room;
    sis_hand_sink sink;
};

void sis_hand_lift(sis_hand* h) {
    memset(h->first, 0xFF, sizeof h->first); // every list is empty
    memset(h->last, 0xFF, sizeof h->last);
    memset(h->latched, 0xFF, sizeof h->latched);
    memset(h->held, 0xFF, sizeof h->held);
    for (int c = 0; c < CHANNELS; c++) {
        h->pedal[c] = h->sostenuto[c] = false;
        h->wheel[c] = 0;
        h->parameter[c] = NO_PARAMETER;
    }
}

static void forget_settings(sis_hand* h) {
    memset(h->program, SIS_NO_PROGRAM, sizeof h->program);
    h->lower = h->upper = 0;
    for (int c = 0; c < CHANNELS; c++)
        h->range[c] = (double)NAN;
}

sis_hand* sis_hand_new(int32_t notes, const sis_hand_sink* sink) {
    sis_hand* h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->next = malloc(((size_t)notes + 1) * sizeof *h->next);
    h->serial = malloc(((size_t)notes + 1) * sizeof *h->serial);
    h->room = notes;
    h->sink = *sink;
    sis_hand_lift(h);
    forget_settings(h);
    if (h->next && h->serial) return h;
    sis_hand_free(h);
    return NULL;
}

void sis_hand_free(sis_hand* h) {
    if (!h) return;
    free(h->next);
    free(h->serial);
    free(h);
}

// ---------------------------------------------------------------------------- zones

static int master_of(const sis_hand* h, int channel) {
    if (h->lower && channel <= LOWER + h->lower) return LOWER;
    if (h->upper && channel >= UPPER - h->upper) return UPPER;
    return channel;
}

int sis_hand_master(const sis_hand* h, int channel) {
    return master_of(h, channel);
}

// Does what happens on `channel` happen to notes on `other`?
static bool reaches(const sis_hand* h, int channel, int other) {
    return other == channel || master_of(h, other) == channel;
}

// ---------------------------------------------------------------------------- what others get

static bool emit(sis_hand* h, sis_song_event event) {
    return h->sink.event(h->sink.self, &event);
}

static bool emit_value(sis_hand* h, sis_song_kind kind, int channel, int number, double value) {
    return emit(h, (sis_song_event){.kind = (uint8_t)kind,
                                    .channel = (uint8_t)channel,
                                    .number = (uint8_t)number,
                                    .value = value,
                                    .range = (double)NAN});
}

static bool emit_bend(sis_hand* h, int channel, bool implied) {
    return emit(h, (sis_song_event){.kind = SIS_SONG_BEND,
                                    .channel = (uint8_t)channel,
                                    .value = h->wheel[channel],
                                    .range = h->range[channel],
                                    .implied = implied});
}

// ---------------------------------------------------------------------------- notes

// False: there is no place for it.
static bool note_on(sis_hand* h, sis_played* played) {
    if (played->program == SIS_NO_PROGRAM) played->program = h->program[played->master];
    int32_t i = h->sink.on(h->sink.self, played);
    if (i < 0 || i >= h->room) return false;
    h->serial[i] = h->count++;
    h->next[i] = -1;
    int32_t* last = &h->last[played->channel][played->key];
    if (*last >= 0)
        h->next[*last] = i;
    else
        h->first[played->channel][played->key] = i;
    *last = i;
    return true;
}

// The one that came last stands first.
static void push(sis_hand* h, int32_t* list, int32_t i) {
    while (*list >= 0 && h->serial[*list] > h->serial[i])
        list = &h->next[*list];
    h->next[i] = *list;
    *list = i;
}

// Takes the list, the one that came first now first: notes that end together end in the order in
// which they began, so that one voice for all of them stays with the last.
static int32_t take_list(sis_hand* h, int32_t* list) {
    int32_t first = -1;
    for (int32_t i = *list, next; i >= 0; i = next) {
        next = h->next[i];
        h->next[i] = first;
        first = i;
    }
    *list = -1;
    return first;
}

static void end_note(sis_hand* h, int32_t i) {
    h->sink.end(h->sink.self, i);
}

static bool is_pedalled(const sis_hand* h, int channel) {
    return h->pedal[channel] || h->pedal[master_of(h, channel)];
}

static bool is_latched(const sis_hand* h, int channel, int32_t i) {
    int master = master_of(h, channel);
    return (h->sostenuto[channel] && h->serial[i] < h->since[channel]) ||
           (h->sostenuto[master] && h->serial[i] < h->since[master]);
}

// Its key is up, or sostenuto has let go of it.
static void let_go(sis_hand* h, int channel, int32_t i) {
    h->sink.up(h->sink.self, i);
    if (is_pedalled(h, channel))
        push(h, &h->held[channel], i);
    else
        end_note(h, i);
}

void sis_hand_off(sis_hand* h, int channel, int key, int32_t note) {
    int32_t before = -1, i = h->first[channel][key];
    for (; i >= 0 && i != note; i = h->next[i])
        before = i;
    if (i < 0) return;
    if (before >= 0)
        h->next[before] = h->next[i];
    else
        h->first[channel][key] = h->next[i];
    if (h->next[i] < 0) h->last[channel][key] = before;
    if (is_latched(h, channel, i))
        push(h, &h->latched[channel], i);
    else
        let_go(h, channel, i);
}

// The note that is down longest on this key; an off without one means nothing.
static void note_off(sis_hand* h, int channel, int key) {
    if (h->first[channel][key] >= 0) sis_hand_off(h, channel, key, h->first[channel][key]);
}

// ---------------------------------------------------------------------------- pedals

static void free_held(sis_hand* h, int channel) {
    for (int32_t i = take_list(h, &h->held[channel]), next; i >= 0; i = next) {
        next = h->next[i];
        end_note(h, i);
    }
}

static void free_latched(sis_hand* h, int channel) {
    for (int32_t i = take_list(h, &h->latched[channel]), next; i >= 0; i = next) {
        next = h->next[i];
        let_go(h, channel, i);
    }
}

static void pedal(sis_hand* h, int channel, bool down) {
    h->pedal[channel] = down;
    for (int c = 0; c < CHANNELS && !down; c++)
        if (reaches(h, channel, c) && !is_pedalled(h, c)) free_held(h, c);
}

// It holds the notes whose keys are down when it goes down, and no later ones.
static void sostenuto(sis_hand* h, int channel, bool down) {
    if (down && !h->sostenuto[channel]) h->since[channel] = h->count;
    h->sostenuto[channel] = down;
    for (int c = 0; c < CHANNELS && !down; c++)
        if (reaches(h, channel, c) && !h->sostenuto[c] && !h->sostenuto[master_of(h, c)])
            free_latched(h, c);
}

// The note that is down longest, of those that the channel reaches; -1: there is none.
static int32_t oldest_down(const sis_hand* h, int channel, int* of, int* key) {
    int32_t oldest = -1;
    for (int c = 0; c < CHANNELS; c++)
        for (int k = 0; k < KEYS && reaches(h, channel, c); k++) {
            int32_t i = h->first[c][k];
            if (i < 0 || (oldest >= 0 && h->serial[i] > h->serial[oldest])) continue;
            oldest = i;
            *of = c;
            *key = k;
        }
    return oldest;
}

// Keys come up, and pedals still hold their notes; with `all` they do not.
static void notes_off(sis_hand* h, int channel, bool all) {
    int of = 0, key = 0;
    while (oldest_down(h, channel, &of, &key) >= 0)
        note_off(h, of, key);
    for (int c = 0; c < CHANNELS && all; c++) {
        if (!reaches(h, channel, c)) continue;
        free_latched(h, c);
        free_held(h, c);
    }
}

// What no pedal reaches any more.
static void let_pedals_go(sis_hand* h, int channel) {
    int master = master_of(h, channel);
    if (!h->sostenuto[channel] && !h->sostenuto[master]) free_latched(h, channel);
    if (!is_pedalled(h, channel)) free_held(h, channel);
}

// MPE configuration: so many members. Where two zones would meet the other one gives way.
static void set_zone(sis_hand* h, int master, int members) {
    int *own = master == LOWER ? &h->lower : &h->upper,
        *other = master == LOWER ? &h->upper : &h->lower, before[CHANNELS];
    for (int c = 0; c < CHANNELS; c++)
        before[c] = master_of(h, c);
    *own = members > 15 ? 15 : members;
    if (*own && *other > 14 - *own) *other = 14 - *own > 0 ? 14 - *own : 0;
    for (int c = 0; c < CHANNELS; c++) {
        bool member = c != master && master_of(h, c) == master;
        if (member)
            h->range[c] = MEMBER_RANGE;
        else if (before[c] != master_of(h, c)) // it is in no zone any more
            h->range[c] = (double)NAN;
    }
    h->range[master] = (double)NAN;
    for (int c = 0; c < CHANNELS; c++) // pedals of a zone that is no more hold nothing
        if (before[c] != master_of(h, c)) let_pedals_go(h, c);
}

// ---------------------------------------------------------------------------- controllers

// Data entry: of a bend range the coarse byte is semitones and the fine one cents.
static bool enter(sis_hand* h, int channel, bool fine, int value) {
    if (h->parameter[channel] == 6 && !fine && (channel == LOWER || channel == UPPER))
        set_zone(h, channel, value);
    bool tunes = h->parameter[channel] == 1 || h->parameter[channel] == 2; // a whole channel
    if (tunes && value != (fine ? 0 : 64))
        return emit_value(h, SIS_SONG_CONTROL, channel, fine ? 38 : 6, value); // nobody takes it
    if (h->parameter[channel] != 0) return true;
    double whole = isnan(h->range[channel]) ? 0 : floor(h->range[channel]);
    double range = fine ? whole + value / 100.0 : value;
    int master = master_of(h, channel);
    for (int c = 0; c < CHANNELS; c++) {
        bool zone = channel != master && c != master && master_of(h, c) == master;
        if (c != channel && !zone) continue; // members of a zone have one range
        h->range[c] = range;
        if (h->wheel[c] != 0 && !emit_bend(h, c, true)) return false;
    }
    return true;
}

static bool reset(sis_hand* h, int channel) {
    pedal(h, channel, false);
    sostenuto(h, channel, false);
    h->parameter[channel] = NO_PARAMETER;
    h->wheel[channel] = 0;
    return emit_value(h, SIS_SONG_RESET, channel, 0, 0);
}

static bool control(sis_hand* h, int channel, int number, int value) {
    int* parameter = &h->parameter[channel];
    switch (number) {
    case 6:
    case 38:
        return enter(h, channel, number == 38, value);
    case 96: // parameters in steps, and unregistered ones, are nobody's
    case 97:
        return true;
    case 98:
    case 99:
        *parameter = NO_PARAMETER;
        return true;
    case 100:
        *parameter = (*parameter & ~0x7F) | value;
        return true;
    case 101:
        *parameter = (*parameter & 0x7F) | value << 7;
        return true;
    case 64:
        pedal(h, channel, value >= 64);
        break;
    case 66:
        sostenuto(h, channel, value >= 64);
        break;
    case 120:
        notes_off(h, channel, true);
        return emit_value(h, SIS_SONG_SILENCE, channel, 0, 0);
    case 121:
        return reset(h, channel);
    case 122:
        return true;
    default:
        if (number >= 123) notes_off(h, channel, false);
        if (number >= 123) return true;
    }
    return emit_value(h, SIS_SONG_CONTROL, channel, number, value);
}

void sis_hand_let_all_go(sis_hand* h) {
    for (int c = 0; c < CHANNELS; c++) {
        pedal(h, c, false);
        sostenuto(h, c, false);
    }
    for (int c = 0; c < CHANNELS; c++)
        notes_off(h, c, true);
}

bool sis_hand_on(sis_hand* h, int channel, int key, double velocity, int32_t id) {
    sis_played played = {.velocity = velocity,
                         .id = id,
                         .channel = (uint8_t)channel,
                         .master = (uint8_t)master_of(h, channel),
                         .key = (uint8_t)key,
                         .program = h->program[channel]};
    return note_on(h, &played);
}

bool sis_hand_take(sis_hand* h, const sis_midi_event* e) {
    switch ((sis_midi_act)e->act) {
    case SIS_MIDI_ON:
        return sis_hand_on(h, e->channel, e->key, e->value / 127.0, -1);
    case SIS_MIDI_OFF:
        note_off(h, e->channel, e->key);
        return true;
    case SIS_MIDI_KEY_PRESSURE:
        return emit_value(h, SIS_SONG_KEY_PRESSURE, e->channel, e->key, e->value);
    case SIS_MIDI_CONTROL:
        return control(h, e->channel, e->key, (int)e->value);
    case SIS_MIDI_PROGRAM:
        h->program[e->channel] = (uint8_t)e->value;
        return emit_value(h, SIS_SONG_PROGRAM, e->channel, 0, e->value);
    case SIS_MIDI_PRESSURE:
        return emit_value(h, SIS_SONG_PRESSURE, e->channel, 0, e->value);
    case SIS_MIDI_BEND: // 0 to 16383: the two halves are not equally long
        h->wheel[e->channel] = ((double)e->value - 8192) / (e->value > 8192 ? 8191 : 8192);
        return emit_bend(h, e->channel, false);
    case SIS_MIDI_TEMPO:
    case SIS_MIDI_TUNING:
        break;
    }
    return true;
}
