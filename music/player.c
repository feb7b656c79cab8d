// What happens while scenes are played: keys, and everything that moves beside them.
#include "stage.h"

#include "sistrum/elementary.h"
#include "stage_inside.h"

#include <math.h>

enum { BANK = 0, BANK_FINE = 32, PEDAL = 64, SOSTENUTO = 66, TIMBRE = 74 };

// ---------------------------------------------------------------------------- moves

/** Which part of which voice moves. It has played up to there. */
typedef struct target {
    sis_stage* s;
    sis_voice* v;
    int32_t part;
} target;

// A voice that has not begun will find everything when it does.
static void give(const target* t, sis_act act, int32_t number, double value) {
    if (!t->v->state) return;
    sis_move move = {.value = value, .act = (uint8_t)act, .number = (uint8_t)number};
    sis_gesture_give(&t->v->tone->play, t->v->tone->system, t->v->state, &move);
}

// The pitch with its bend, or beside it where the scene has an input for bends.
static void give_pitch(const target* t) {
    const sis_gestures* g = &t->v->seat->gestures;
    const sis_part* part = &t->v->parts[t->part];
    double wheel = sis_desk_bend(&t->s->desk, part->channel, part->master, g->bend_range);
    double bend = wheel + part->bend + part->retuned;
    if (g->bend >= 0) give(t, SIS_ACT_BEND, 0, bend);
    double hz = g->bend >= 0 ? part->hz : part->hz * sis_exp2(bend / 12);
    if (!isnan(hz)) give(t, SIS_ACT_PITCH, t->part, hz);
}

static void give_pressure(const target* t) {
    const sis_part* part = &t->v->parts[t->part];
    double channel = sis_desk_pressure(&t->s->desk, part->channel, part->master);
    double pressure = fmax(channel, part->pressure); // NaN gives way
    if (t->v->seat->gestures.pressure >= 0) give(t, SIS_ACT_PRESSURE, 0, pressure);
}

static void give_control(const target* t, int number) {
    const sis_part* part = &t->v->parts[t->part];
    double value = sis_desk_control(&t->s->desk, part->channel, part->master, number);
    if (number == TIMBRE && !isnan(part->timbre)) value = part->timbre;
    int32_t input = t->v->seat->gestures.cc[number];
    if (input < 0) return;
    // An input that a hand has moved stays there until the controller moves too.
    if (isnan(value) && !isnan(t->v->seat->knobs[input])) return;
    give(t, SIS_ACT_CONTROL, number, value);
}

// All that a note finds when it begins. Pressure and controllers come first: where velocity moves
// the same input, the note is right.
static void give_all(const target* t) {
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        give_control(t, i);
    give_pressure(t);
    give_pitch(t);
}

static void blow(const target* t) {
    sis_part* part = &t->v->parts[t->part];
    part->blow = t->v->age == 0; // then the first step comes before it
    t->v->blow = t->v->blow || part->blow;
    if (!part->blow) give(t, SIS_ACT_VELOCITY, t->part, part->velocity);
}

// ---------------------------------------------------------------------------- keys down

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

// The voice that the note shares with notes before it; NULL: it gets its own.
static sis_voice* shared_voice(sis_stage* s, const sis_seat* seat, const sis_played* note) {
    const sis_gestures* g = &seat->gestures;
    bool keys = g->mode == SIS_PLAY_KEYS;
    if (g->mode == SIS_PLAY_VOICES && !g->course_count) return NULL;
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        const sis_part* any = v->parts;
        for (int32_t k = 0; k < v->part_count && !any->played; k++)
            any = &v->parts[k];
        bool own = any->master == note->master || !any->played || v->endless;
        bool same = v->seat == seat && v->cut == SIS_NEVER && own;
        if (same && (!keys || any->key == note->key)) return v;
    }
    return NULL;
}

// The part now sounds this note.
static void take_up(const target* t, int32_t note) {
    const sis_played* played = &t->s->notes[note];
    sis_part* part = &t->v->parts[t->part];
    part->note = note;
    part->played = true;
    part->channel = played->channel;
    part->master = played->master;
    part->key = played->key;
    part->id = played->id;
    part->velocity = played->velocity;
    part->pressure = part->timbre = (double)NAN;
    part->bend = part->retuned = 0;
    part->hz = t->s->tuning.hz[played->key];
}

// What sounds without notes listens to every channel, until a key is down.
static bool is_free(const sis_voice* v, const sis_part* part) {
    return v->endless && v->seat->gestures.sound_count > 0 && !part->held;
}

void sis_stage_listen(sis_stage* s, sis_voice* v) {
    for (int32_t k = 0; k < v->part_count && s->listens_to >= 0; k++) {
        if (!is_free(v, &v->parts[k])) continue;
        v->parts[k].channel = v->parts[k].master = (uint8_t)s->listens_to;
        give_all(&(target){s, v, k});
    }
}

static void stack(sis_stage* s, sis_voice* v, int32_t note) {
    s->below[note] = v->top;
    s->above[note] = -1;
    if (v->top >= 0) s->above[v->top] = note;
    v->top = note;
}

static void unstack(sis_stage* s, sis_voice* v, int32_t note) {
    if (s->above[note] >= 0) s->below[s->above[note]] = s->below[note];
    if (s->below[note] >= 0) s->above[s->below[note]] = s->above[note];
    if (v->top == note) v->top = s->below[note];
}

static void sound(const target* t) {
    give_all(t);
    give(t, SIS_ACT_GATE, t->part, 1);
    blow(t);
}

sis_voice* sis_stage_key_down(sis_stage* s, sis_seat* seat, uint64_t row, int32_t note,
                              const sis_played* played) {
    s->voice_of[note] = 0;
    s->notes[note] = *played;
    s->began[note] = row;
    if (sis_play_is_pitched(&seat->play, &seat->gestures) && isnan(s->tuning.hz[played->key])) {
        s->counts.silent++;
        return NULL;
    }
    sis_voice* v = shared_voice(s, seat, played);
    if (v) {
        sis_voice_again(v, &s->block, row);
    } else {
        int32_t velocity = (int32_t)round(127 * played->velocity);
        v = sis_stage_new_voice(s, seat, played->key, velocity < 1 ? 1 : velocity, row);
        if (v) sis_stage_begin_voice(s, v, row);
    }
    if (!v) return NULL;
    target t = {s, v, choose_part(&seat->gestures, v, played->key)};
    sis_part* part = &v->parts[t.part];
    take_up(&t, note);
    if (seat->gestures.mode == SIS_PLAY_MONO) stack(s, v, note);
    part->held = seat->gestures.mode == SIS_PLAY_KEYS ? part->held + 1 : 1;
    part->since = v->last = row;
    s->voice_of[note] = v->id;
    s->counts.played++;
    sound(&t);
    return v;
}

void sis_stage_on(sis_stage* s, uint64_t row, int32_t note, const sis_played* played) {
    sis_seat* seat = s->host.cast(s->host.self, played->master, played->program);
    s->player[played->channel] = played->master;
    s->used[played->channel] = s->used[played->master] = true;
    s->voice_of[note] = 0;
    if (!seat) return;
    sis_stage_settle(s, row);
    sis_stage_key_down(s, seat, row, note, played);
}

// ---------------------------------------------------------------------------- keys up

static sis_voice* find_voice(sis_stage* s, int32_t id) {
    for (int32_t i = 0; id > 0 && i < s->count; i++)
        if (s->voices[i]->id == id) return s->voices[i];
    return NULL;
}

// In mono the key that is still down sounds again, without a blow.
static void fall_back(const target* t) {
    take_up(t, t->v->top);
    give_all(t);
}

static void release(const target* t, uint64_t row) {
    sis_part* part = &t->v->parts[t->part];
    part->note = -1;
    part->since = row;
    if (t->v->fed) t->v->last = row;
    if (!sis_voice_is_held(t->v)) t->v->off = row;
    give(t, SIS_ACT_GATE, t->part, 0);
}

// Its key is down for a row at least.
static void key_up(sis_stage* s, sis_voice* v, uint64_t row, int32_t note) {
    const sis_gestures* g = &v->seat->gestures;
    target t = {s, v, 0};
    bool mono = g->mode == SIS_PLAY_MONO, keys = g->mode == SIS_PLAY_KEYS, top = v->top == note;
    while (!mono && !keys && t.part < v->part_count && v->parts[t.part].note != note)
        t.part++;
    if (t.part == v->part_count) return; // a later note has taken its string
    if (row <= s->began[note]) row = s->began[note] + 1;
    sis_voice_play(v, &s->block, row);
    sis_part* part = &v->parts[t.part];
    if (mono) unstack(s, v, note);
    if (mono && v->top >= 0) {
        if (top) fall_back(&t);
        return;
    }
    part->held = keys && part->held > 1 ? part->held - 1 : 0;
    if (!part->held) release(&t, row);
}

static void end_note(sis_stage* s, uint64_t row, int32_t note, bool by_key) {
    sis_voice* v = find_voice(s, s->voice_of[note]);
    if (!v) return;
    if ((v->seat->gestures.cc[PEDAL] >= 0) != by_key) return;
    key_up(s, v, row, note);
    s->voice_of[note] = 0;
}

void sis_stage_up(sis_stage* s, uint64_t row, int32_t note) {
    end_note(s, row, note, true);
}

void sis_stage_finish(sis_stage* s, uint64_t row, int32_t note) {
    end_note(s, row, note, false);
}

// A voice that begins late: keys that have come up meanwhile are down for a row.
void sis_stage_sound_parts(sis_stage* s, sis_voice* v, uint64_t row) {
    for (int32_t i = 0; i < v->part_count; i++) {
        target t = {s, v, i};
        if (v->parts[i].played) sound(&t);
    }
    sis_stage_listen(s, v);
    bool held = sis_voice_is_held(v);
    v->last = row;
    if (!held && !v->endless) v->off = row + 1;
    if (held && v->parts[0].held) return;
    for (int32_t i = 0; i < v->part_count; i++) {
        target t = {s, v, i};
        if (!v->parts[i].played || v->parts[i].held) continue;
        if (v->age == 0) sis_voice_play(v, &s->block, row + 1);
        give(&t, SIS_ACT_GATE, i, 0);
    }
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
    s->counts.left_out.controllers++;
    s->counts.left_out.numbers[number] = true;
}

static void count_left_out(sis_stage* s, const sis_song_event* e) {
    int player = s->player[e->channel];
    uint8_t own = s->desk.channels[e->channel].program;
    uint8_t program = own == SIS_NO_PROGRAM ? s->desk.channels[player].program : own;
    const sis_seat* seat = s->host.cast(s->host.self, player, program);
    if (!s->used[e->channel] || !seat) return;
    const sis_gestures* g = &seat->gestures;
    sis_left_out* left = &s->counts.left_out;
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
        left->programs +=
            !s->host.knows_program || !s->host.knows_program(s->host.self, player, (int)e->value);
        break;
    case SIS_SONG_RESET:
    case SIS_SONG_SILENCE:
    case SIS_SONG_TUNING:
        break;
    }
}

// ---------------------------------------------------------------------------- events

// A key of a zone that has been let go does not follow its channel any more: that may be another
// note's.
static bool hears(const sis_part* part, const sis_song_event* e) {
    bool own = part->channel == e->channel && (part->held || part->channel == part->master);
    return part->played && (own || part->master == e->channel);
}

static void forget(const target* t) {
    const sis_gestures* g = &t->v->seat->gestures;
    t->v->parts[t->part].pressure = (double)NAN;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        if (g->cc[i] >= 0 && sis_desk_resets(i)) give_control(t, i);
    give_pressure(t);
    give_pitch(t);
}

static void follow(const target* t, const sis_song_event* e, uint64_t row) {
    sis_part* part = &t->v->parts[t->part];
    switch ((sis_song_kind)e->kind) {
    case SIS_SONG_BEND:
        give_pitch(t);
        break;
    case SIS_SONG_PRESSURE:
        give_pressure(t);
        break;
    case SIS_SONG_KEY_PRESSURE:
        if (part->key != e->number || !part->held || part->channel != e->channel) break;
        part->pressure = e->value / 127;
        give_pressure(t);
        break;
    case SIS_SONG_CONTROL:
        give_control(t, e->number);
        break;
    case SIS_SONG_RESET:
        forget(t);
        break;
    case SIS_SONG_SILENCE:
        if (!t->v->endless) sis_voice_cut(t->v, row, t->s->block.fade);
        break;
    case SIS_SONG_PROGRAM:
    case SIS_SONG_TUNING:
        break;
    }
}

void sis_stage_event(sis_stage* s, uint64_t row, const sis_song_event* e) {
    sis_desk_take(&s->desk, e);
    count_left_out(s, e);
    if (e->kind == SIS_SONG_PROGRAM) return;
    s->listens_to = e->channel;
    for (int32_t i = 0; i < s->count; i++)
        for (int32_t k = 0; k < s->voices[i]->part_count; k++) {
            target t = {s, s->voices[i], k};
            sis_part* part = &t.v->parts[k];
            bool free = is_free(t.v, part);
            if (free) part->channel = part->master = e->channel;
            if (!free && !hears(part, e)) continue;
            sis_voice_play(t.v, &s->block, row);
            follow(&t, e, row);
        }
}

// ---------------------------------------------------------------------------- notes by themselves

static bool is_meant(const sis_part* part, const sis_which* w) {
    return part->played && (w->channel < 0 || part->channel == w->channel) &&
           (w->key < 0 || part->key == w->key) && (w->id < 0 || part->id == w->id);
}

static void express(const target* t, sis_act act, double value) {
    sis_part* part = &t->v->parts[t->part];
    if (act == SIS_ACT_BEND) {
        part->bend = value;
        give_pitch(t);
    } else if (act == SIS_ACT_PRESSURE) {
        part->pressure = value;
        give_pressure(t);
    } else if (act == SIS_ACT_CONTROL) {
        part->timbre = value;
        give_control(t, TIMBRE);
    }
}

void sis_stage_express(sis_stage* s, uint64_t row, const sis_which* which, sis_act act,
                       double value) {
    for (int32_t i = 0; i < s->count; i++)
        for (int32_t k = 0; k < s->voices[i]->part_count; k++) {
            target t = {s, s->voices[i], k};
            if (!is_meant(&t.v->parts[k], which)) continue;
            sis_voice_play(t.v, &s->block, row);
            express(&t, act, value);
        }
}

// Where pitch is a param the sound was made for one: it can only be bent.
static void retune(const target* t) {
    sis_part* part = &t->v->parts[t->part];
    const sis_seat* seat = t->v->seat;
    double hz = t->s->tuning.hz[part->key];
    if (!part->played || !(hz > 0) || !(part->hz > 0)) return;
    if (seat->play.pitch >= 0 && seat->gestures.bend >= 0)
        part->retuned = 12 * sis_log2(hz / part->hz);
    else if (seat->play.pitch < 0)
        part->hz = hz;
    give_pitch(t);
}

void sis_stage_retune(sis_stage* s, uint64_t row) {
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice_play(s->voices[i], &s->block, row);
        for (int32_t k = 0; k < s->voices[i]->part_count; k++)
            retune(&(target){s, s->voices[i], k});
    }
}

static void let_go(sis_voice* v) {
    v->top = -1;
    for (int32_t k = 0; k < v->part_count; k++) {
        v->parts[k].held = 0;
        v->parts[k].note = -1;
    }
}

void sis_stage_choke(sis_stage* s, uint64_t row, const sis_which* which) {
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        bool meant = false;
        for (int32_t k = 0; k < v->part_count; k++)
            meant = meant || is_meant(&v->parts[k], which);
        if (!meant || v->endless) continue;
        sis_voice_play(v, &s->block, row);
        sis_voice_cut(v, row, s->block.fade);
        let_go(v);
    }
}

void sis_stage_silence(sis_stage* s, uint64_t row) {
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        sis_voice_play(v, &s->block, row);
        if (!v->endless) sis_voice_cut(v, row, s->block.fade);
        let_go(v);
    }
    for (int32_t n = 0; n < s->note_room; n++)
        s->voice_of[n] = 0;
}

// Blows strike what sounds; where nothing does they begin a voice.
static void strike(sis_stage* s, uint64_t row, sis_seat* seat, int32_t input, double value) {
    bool struck = false;
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        if (v->seat != seat || !v->state || v->cut != SIS_NEVER) continue;
        sis_voice_play(v, &s->block, row);
        sis_voice_again(v, &s->block, row);
        if (v->tone->touch) sis_voice_stir(v);
        sis_state_input_set(v->tone->system, v->state, input, value);
        v->last = row;
        struck = true;
    }
    if (struck) return;
    sis_stage_start(s, row, seat);
    sis_voice* v = s->count ? s->voices[s->count - 1] : NULL;
    if (!v || v->seat != seat || !v->state || v->start != row) return;
    sis_voice_play(v, &s->block, row + 1); // its first step was made at compile
    sis_state_input_set(v->tone->system, v->state, input, value);
}

void sis_stage_input(sis_stage* s, uint64_t row, sis_seat* seat, int32_t input, double value) {
    if (input < 0 || input >= seat->input_count || isnan(value)) return;
    if (seat->triggers[input]) {
        if (value != 0) strike(s, row, seat, input, value);
        return;
    }
    seat->knobs[input] = value;
    for (int32_t i = 0; i < s->count; i++) {
        sis_voice* v = s->voices[i];
        if (v->seat != seat || !v->state) continue;
        sis_voice_play(v, &s->block, row);
        if (v->tone->touch) sis_voice_stir(v);
        sis_state_input_set(v->tone->system, v->state, input, value);
    }
}
