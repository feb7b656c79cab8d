// What happens in a song, one after the other: keys, and everything that moves beside them.
#include "stage.h"

#include "sistrum/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FADING_MOST = 32, // voices that may be fading out at a time; more end at once
    BANK = 0,
    BANK_FINE = 32,
    PEDAL = 64,
    SOSTENUTO = 66
};

// ---------------------------------------------------------------------------- voices

void sis_stage_end_voice(sis_stage* s, int32_t i) {
    s->p->left += s->voices[i].stored;
    sis_tones_give_back(&s->seats[s->voices[i].seat].tones, s->voices[i].tone);
    sis_voice_end(&s->voices[i]);
    memmove(&s->voices[i], &s->voices[i + 1], (size_t)(s->count - i - 1) * sizeof s->voices[0]);
    s->count--;
}

bool sis_voice_is_held(const sis_voice* v) {
    for (int32_t i = 0; i < v->part_count; i++)
        if (v->parts[i].held > 0) return true;
    return false;
}

static int32_t count_sounding(const sis_stage* s, int32_t seat, int32_t* oldest) {
    int32_t sounding = 0;
    *oldest = -1;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->voices[i].cut != SIS_NEVER || (seat >= 0 && s->voices[i].seat != seat)) continue;
        if (*oldest < 0) *oldest = i;
        sounding++;
    }
    return sounding;
}

// Makes room for a voice of this scene that starts at `row`.
static void make_room(sis_stage* s, int32_t seat, uint64_t row) {
    int32_t oldest, sounding = count_sounding(s, seat, &oldest);
    if (sounding >= s->seats[seat].play->voices) {
        s->voices[oldest].cut = row;
        s->p->stolen++;
        if (s->voices[oldest].start == row) sis_stage_end_voice(s, oldest); // it was never heard
    }
    if (s->count - count_sounding(s, -1, &oldest) <= FADING_MOST) return;
    for (int32_t i = 0; i < s->count; i++)
        if (s->voices[i].cut != SIS_NEVER) {
            sis_stage_end_voice(s, i);
            return;
        }
}

void sis_note_title(const sis_song_note* note, char* text, size_t size) {
    char name[16];
    snprintf(text, size, "note %s at %.6g s", sis_note_name(note->key, name), note->start);
}

static sis_part* make_parts(int32_t count) {
    sis_part* parts = calloc((size_t)count, sizeof *parts);
    for (int32_t i = 0; parts && i < count; i++)
        parts[i] = (sis_part){.note = -1, .hz = (double)NAN, .pressure = (double)NAN};
    return parts;
}

// A voice of its own for the note; NULL: no memory.
static sis_voice* start_voice(sis_stage* s, int32_t seat, const sis_song_note* note, uint64_t row) {
    const sis_seat* at = &s->seats[seat];
    double hz = s->p->tuning->hz[note->key], none = (double)NAN;
    size_t steps = (size_t)s->block.rows * (size_t)s->block.oversample;
    char name[64];
    sis_note_title(note, name, sizeof name);
    make_room(s, seat, row);
    sis_voice v = {.start = row,
                   .off = SIS_NEVER,
                   .cut = SIS_NEVER,
                   .seat = seat,
                   .top = -1,
                   .release = at->play->release,
                   .dim = 1};
    v.part_count = at->gestures->course_count ? at->gestures->course_count : 1;
    v.parts = make_parts(v.part_count);
    v.heard = malloc(2 * steps * sizeof *v.heard);
    v.tone = v.heard && v.parts
                 ? sis_tones_take(&s->seats[seat].tones, at->play->pitch >= 0 ? hz : none,
                                  at->play->velocity >= 0 ? note->velocity / 127.0 : none, name)
                 : NULL;
    if (!v.tone) {
        sis_voice_end(&v);
        return NULL;
    }
    v.id = ++s->last_id;
    s->voices[s->count++] = v;
    int32_t oldest, sounding = count_sounding(s, -1, &oldest);
    if (sounding > s->p->voices_max) s->p->voices_max = sounding;
    return &s->voices[s->count - 1];
}

// The voice that the note shares with notes before it; NULL: it gets its own.
static sis_voice* shared_voice(sis_stage* s, int32_t seat, const sis_song_note* note) {
    const sis_gestures* g = s->seats[seat].gestures;
    bool keys = g->mode == SIS_PLAY_KEYS;
    if (g->mode == SIS_PLAY_VOICES && !g->course_count) return NULL;
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = &s->voices[i];
        const sis_part* any = v->parts;
        for (int32_t k = 0; k < v->part_count && any->note < 0; k++)
            any = &v->parts[k];
        bool same = v->seat == seat && v->cut == SIS_NEVER && any->master == note->master;
        if (same && (!keys || any->key == note->key)) return v;
    }
    return NULL;
}

static sis_voice* find_voice(sis_stage* s, int32_t id) {
    for (int32_t i = 0; id > 0 && i < s->count; i++)
        if (s->voices[i].id == id) return &s->voices[i];
    return NULL;
}

// ---------------------------------------------------------------------------- moves

/** Which part of which voice moves, and when. */
typedef struct target {
    sis_stage* s;
    sis_voice* v;
    int32_t part;
    uint64_t row;
} target;

static bool give(const target* t, sis_act act, int32_t number, double value) {
    const sis_gestures* g = t->s->seats[t->v->seat].gestures;
    if (sis_gesture_input(g, act, number) < 0) return true;
    return sis_voice_move(
        t->v,
        (sis_move){.row = t->row, .value = value, .act = (uint8_t)act, .number = (uint8_t)number});
}

// The pitch with its bend, or beside it where the scene has an input for bends.
static bool give_pitch(const target* t) {
    const sis_gestures* g = t->s->seats[t->v->seat].gestures;
    const sis_part* part = &t->v->parts[t->part];
    double bend = sis_desk_bend(&t->s->desk, part->channel, part->master, g->bend_range);
    if (g->bend >= 0 && !give(t, SIS_ACT_BEND, 0, bend)) return false;
    double hz = g->bend >= 0 ? part->hz : part->hz * sis_exp2(bend / 12);
    return isnan(hz) || give(t, SIS_ACT_PITCH, t->part, hz);
}

static bool give_pressure(const target* t) {
    const sis_part* part = &t->v->parts[t->part];
    double channel = sis_desk_pressure(&t->s->desk, part->channel, part->master);
    return give(t, SIS_ACT_PRESSURE, 0, fmax(channel, part->pressure));
}

static bool give_control(const target* t, int number) {
    const sis_part* part = &t->v->parts[t->part];
    return give(t, SIS_ACT_CONTROL, number,
                sis_desk_control(&t->s->desk, part->channel, part->master, number));
}

// All that a note finds when it begins. Pressure and controllers come first: where velocity moves
// the same input, the note is right.
static bool give_all(const target* t) {
    const sis_gestures* g = t->s->seats[t->v->seat].gestures;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        if (g->cc[i] >= 0 && !give_control(t, i)) return false;
    return give_pressure(t) && give_pitch(t);
}

// ---------------------------------------------------------------------------- keys

// The course that has been held longest, of those that reach the key.
static int32_t longest_held(const sis_gestures* g, const sis_voice* v, int32_t key) {
    int32_t best = -1;
    for (int32_t i = 0; i < g->course_count; i++) {
        bool reached = key >= g->courses[i].lowest && key <= g->courses[i].highest;
        if (reached && (best < 0 || v->parts[i].since < v->parts[best].since)) best = i;
    }
    return best;
}

static int32_t choose_part(const sis_gestures* g, const sis_voice* v, int32_t key) {
    bool busy[SIS_PLAY_MOST_COURSES];
    uint64_t since[SIS_PLAY_MOST_COURSES];
    if (!g->course_count) return 0;
    for (int32_t i = 0; i < g->course_count; i++) {
        busy[i] = v->parts[i].held > 0;
        since[i] = v->parts[i].since;
    }
    int32_t best = sis_gesture_course(g, key, busy, since);
    if (best < 0) best = longest_held(g, v, key);
    return best < 0 ? 0 : best;
}

// The part now sounds this note.
static void take_up(const target* t, int32_t i) {
    const sis_song_note* note = &t->s->p->song->notes[i];
    sis_part* part = &t->v->parts[t->part];
    part->note = i;
    part->channel = note->channel;
    part->master = note->master;
    part->key = note->key;
    part->pressure = (double)NAN;
    part->hz = t->s->p->tuning->hz[note->key];
}

static void stack(sis_stage* s, sis_voice* v, int32_t i) {
    s->below[i] = v->top;
    s->above[i] = -1;
    if (v->top >= 0) s->above[v->top] = i;
    v->top = i;
}

static void unstack(sis_stage* s, sis_voice* v, int32_t i) {
    if (s->above[i] >= 0) s->below[s->above[i]] = s->below[i];
    if (s->below[i] >= 0) s->above[s->below[i]] = s->above[i];
    if (v->top == i) v->top = s->below[i];
}

static bool key_down(sis_stage* s, int32_t i, uint64_t row) {
    const sis_song_note* note = &s->p->song->notes[i];
    int32_t seat = sis_performance_cast(s->p, note->master, note->program);
    s->to_come--;
    if (seat < 0) return true;
    const sis_seat* at = &s->seats[seat];
    if (sis_play_is_pitched(at->play, at->gestures) && isnan(s->p->tuning->hz[note->key])) {
        s->p->silent++;
        return true;
    }
    sis_voice* v = shared_voice(s, seat, note);
    if (v)
        sis_voice_again(v, &s->block, row);
    else
        v = start_voice(s, seat, note, row);
    if (!v) return false;
    target t = {s, v, choose_part(at->gestures, v, note->key), row};
    sis_part* part = &v->parts[t.part];
    bool mono = at->gestures->mode == SIS_PLAY_MONO;
    take_up(&t, i);
    if (mono) stack(s, v, i);
    part->held = at->gestures->mode == SIS_PLAY_KEYS ? part->held + 1 : 1;
    part->since = v->last = row;
    s->voice_of[i] = v->id;
    s->p->played++;
    return give_all(&t) && give(&t, SIS_ACT_GATE, t.part, 1) &&
           give(&t, SIS_ACT_VELOCITY, t.part, note->velocity / 127.0);
}

// In mono the key that is still down sounds again, without a blow.
static bool fall_back(const target* t) {
    take_up(t, t->v->top);
    return give_all(t);
}

static bool key_up(sis_stage* s, int32_t i, uint64_t row) {
    sis_voice* v = find_voice(s, s->voice_of[i]);
    if (!v) return true;
    const sis_seat* at = &s->seats[v->seat];
    target t = {s, v, 0, row};
    bool mono = at->gestures->mode == SIS_PLAY_MONO, keys = at->gestures->mode == SIS_PLAY_KEYS;
    while (!mono && !keys && t.part < v->part_count && v->parts[t.part].note != i)
        t.part++;
    if (t.part == v->part_count) return true; // a later note has taken its string
    sis_part* part = &v->parts[t.part];
    bool top = v->top == i;
    if (mono) unstack(s, v, i);
    if (mono && v->top >= 0) return !top || fall_back(&t);
    part->held = keys && part->held > 1 ? part->held - 1 : 0;
    if (part->held) return true;
    part->since = row;
    if (at->fed) v->last = row;
    if (!sis_voice_is_held(v)) v->off = row;
    return give(&t, SIS_ACT_GATE, t.part, 0);
}

// ---------------------------------------------------------------------------- what no scene takes

static bool takes_bends(const sis_gestures* g) {
    for (int32_t i = 0; i < g->course_count; i++)
        if (g->courses[i].pitch >= 0) return true;
    return g->bend >= 0 || g->pitch >= 0;
}

static void count_control(sis_stage* s, const sis_gestures* g, int number) {
    bool played = number == PEDAL || number == SOSTENUTO || number == BANK || number == BANK_FINE;
    if (played || g->cc[number] >= 0) return;
    s->p->left_out.controllers++;
    s->p->left_out.numbers[number] = true;
}

static void count_left_out(sis_stage* s, const sis_song_event* e) {
    int player = s->player[e->channel];
    uint8_t own = s->desk.channels[e->channel].program;
    uint8_t program = own == SIS_NO_PROGRAM ? s->desk.channels[player].program : own;
    int32_t seat = sis_performance_cast(s->p, player, program);
    if (!s->used[e->channel] || seat < 0) return;
    const sis_gestures* g = s->seats[seat].gestures;
    sis_left_out* left = &s->p->left_out;
    switch ((sis_song_kind)e->kind) {
    case SIS_SONG_BEND:
        left->bends += !e->implied && e->value != 0 && !takes_bends(g);
        break;
    case SIS_SONG_PRESSURE:
    case SIS_SONG_KEY_PRESSURE:
        left->pressures += e->value > 0 && g->pressure < 0;
        break;
    case SIS_SONG_CONTROL:
        count_control(s, g, e->number);
        break;
    case SIS_SONG_PROGRAM:
        left->programs += s->p->of_channel[player] || !s->p->of_program[(int)e->value];
        break;
    case SIS_SONG_RESET:
    case SIS_SONG_SILENCE:
        break;
    }
}

// ---------------------------------------------------------------------------- events

// A key of a zone that has been let go does not follow its channel any more: that may be another
// note's.
static bool hears(const sis_part* part, const sis_song_event* e) {
    bool own = part->channel == e->channel && (part->held || part->channel == part->master);
    return part->note >= 0 && (own || part->master == e->channel);
}

static bool forget(const target* t) {
    const sis_gestures* g = t->s->seats[t->v->seat].gestures;
    t->v->parts[t->part].pressure = (double)NAN;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        if (g->cc[i] >= 0 && sis_desk_resets(i) && !give_control(t, i)) return false;
    return give_pressure(t) && give_pitch(t);
}

static bool follow(const target* t, const sis_song_event* e) {
    sis_part* part = &t->v->parts[t->part];
    switch ((sis_song_kind)e->kind) {
    case SIS_SONG_BEND:
        return give_pitch(t);
    case SIS_SONG_PRESSURE:
        return give_pressure(t);
    case SIS_SONG_KEY_PRESSURE:
        if (part->key != e->number || !part->held || part->channel != e->channel) return true;
        part->pressure = e->value / 127;
        return give_pressure(t);
    case SIS_SONG_CONTROL:
        return give_control(t, e->number);
    case SIS_SONG_RESET:
        return forget(t);
    case SIS_SONG_SILENCE:
        if (t->v->cut == SIS_NEVER) t->v->cut = t->row;
        return true;
    case SIS_SONG_PROGRAM:
        break;
    }
    return true;
}

static bool take_event(sis_stage* s, const sis_song_event* e, uint64_t row) {
    sis_desk_take(&s->desk, e);
    count_left_out(s, e);
    for (int32_t i = 0; i < s->count; i++)
        for (int32_t k = 0; k < s->voices[i].part_count; k++) {
            target t = {s, &s->voices[i], k, row};
            if (hears(&s->voices[i].parts[k], e) && !follow(&t, e)) return false;
        }
    return true;
}

bool sis_stage_take(sis_stage* s, const sis_cue* cue) {
    if (cue->kind == SIS_CUE_ON) return key_down(s, cue->index, cue->row);
    if (cue->kind == SIS_CUE_OFF) return key_up(s, cue->index, cue->row);
    return take_event(s, &s->p->song->events[cue->index], cue->row);
}
