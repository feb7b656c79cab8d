#include "perform.h"

#include "stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FADING_MOST = 34 }; // voices that fade out at a time, and a little room

// ---------------------------------------------------------------------------- scenes

sis_instrument sis_performance_scene(const sis_performance* p, int32_t i) {
    if (i > 0) return p->others[i - 1];
    return (sis_instrument){.scene = p->scene,
                            .script = p->script,
                            .settings = p->settings,
                            .setting_count = p->setting_count};
}

int32_t sis_performance_cast(const sis_performance* p, int32_t channel, int32_t program) {
    if (p->of_channel[channel]) return p->of_channel[channel] - 1;
    if (program >= 0 && program < 128 && p->of_program[program]) return p->of_program[program] - 1;
    return p->strict ? -1 : 0;
}

static const sis_gestures* gestures_of(const sis_performance* p, const sis_song_note* note,
                                       sis_instrument* scene) {
    int32_t seat = sis_performance_cast(p, note->master, note->program);
    if (seat < 0) return NULL;
    *scene = sis_performance_scene(p, seat);
    return sis_script_gestures(scene->script);
}

// ---------------------------------------------------------------------------- notes in range

static bool no_course(const sis_gestures* g, const char* what, sis_fault* fault) {
    char low[16], high[16];
    int32_t lowest = g->courses[0].lowest, highest = g->courses[0].highest;
    for (int32_t i = 1; i < g->course_count; i++) {
        if (g->courses[i].lowest < lowest) lowest = g->courses[i].lowest;
        if (g->courses[i].highest > highest) highest = g->courses[i].highest;
    }
    return sis_fault_set(fault, SIS_FAULT_SCENE, "%s is on none of the courses: %s .. %s", what,
                         sis_note_name(lowest, low), sis_note_name(highest, high));
}

// A sentence in `fault` when no scene plays the note, or it is out of its range.
static bool is_reached(const sis_performance* p, const sis_song_note* note, sis_fault* fault) {
    char name[64], what[512];
    sis_instrument scene;
    sis_param range;
    const sis_gestures* g = gestures_of(p, note, &scene);
    sis_note_title(note, name, sizeof name);
    snprintf(what, sizeof what, "%.300s: %s", p->song_name, name);
    if (!g)
        return sis_fault_set(fault, SIS_FAULT_SCENE,
                             "%s is on channel %d, for which there is no scene", what,
                             note->channel + 1);
    int32_t course = g->course_count ? sis_gesture_course(g, note->key, NULL, NULL) : 0;
    if (course < 0) return no_course(g, what, fault);
    double hz = p->tuning->hz[note->key];
    if (isnan(hz) || !sis_note_range(scene.script, course, &range)) return true;
    return sis_note_in_range(&range, &hz, p->tuning, what, SIS_FAULT_SCENE, fault);
}

static bool stays(const void* self, sis_song_note* note) {
    sis_fault fault;
    return is_reached(self, note, &fault);
}

bool sis_performance_fit(const sis_performance* p, sis_song* song, int32_t* skipped,
                         sis_fault* first) {
    int32_t i = 0, all = song->count;
    *skipped = 0;
    while (i < all && is_reached(p, &song->notes[i], first))
        i++;
    if (i == all) return all > 0;
    *skipped = sis_song_drop(song, stays, p);
    return song->count > 0;
}

// All that happens in this block.
static bool take_cues(sis_stage* s, sis_fault* fault) {
    uint64_t after = s->block.row + (uint64_t)s->block.rows;
    for (; s->next < s->cue_count && s->cues[s->next].row < after; s->next++)
        if (!sis_stage_take(s, &s->cues[s->next])) return sis_fault_no_memory(fault);
    return true;
}

// ---------------------------------------------------------------------------- work of the crew

static void compile_one(void* self, int32_t i) {
    sis_stage* s = self;
    sis_tone* tone = s->waiting[i];
    for (int32_t k = 0; k < s->count; k++)
        if (s->voices[k].tone == tone) {
            sis_tone_compile(&s->seats[s->voices[k].seat].tones, tone);
            return;
        }
}

static bool compile_tones(sis_stage* s, sis_fault* fault) {
    s->waiting_count = 0;
    for (int32_t i = 0; i < s->count; i++) {
        sis_tone* tone = s->voices[i].tone;
        bool listed = tone->system != NULL;
        for (int32_t j = 0; j < s->waiting_count && !listed; j++)
            listed = s->waiting[j] == tone;
        if (!listed) s->waiting[s->waiting_count++] = tone;
    }
    sis_crew_run(s->crew, s->waiting_count, compile_one, s);
    s->p->systems += s->waiting_count;
    for (int32_t i = 0; i < s->waiting_count; i++) {
        if (s->waiting[i]->system) continue;
        *fault = s->waiting[i]->fault;
        return false;
    }
    return true;
}

static void play_one(void* self, int32_t i) {
    sis_stage* s = self;
    sis_voice_play(&s->voices[i], &s->block);
}

// In the order of the voices, whoever played them.
static bool sum_voices(sis_stage* s, sis_fault* fault) {
    size_t values = 2 * (size_t)s->block.rows * (size_t)s->block.oversample;
    memset(s->mix, 0, values * sizeof *s->mix);
    for (int32_t i = 0; i < s->count; i++) {
        const sis_voice* v = &s->voices[i];
        if (v->failed) {
            sis_fault_set(fault, v->fault.kind, "%s: %.800s", v->tone->note, v->fault.text);
            fault->of = v->fault.of;
            memcpy(fault->object, v->fault.object, sizeof fault->object);
            return false;
        }
        s->p->seconds += v->seconds;
        for (size_t n = 0; n < values; n++)
            s->mix[n] += v->heard[n];
    }
    return true;
}

// It has rung out, or rung for too long. Where a hand may feed it, not before the key is up.
static bool is_over(const sis_stage* s, sis_voice* v, uint64_t after) {
    const sis_seat* seat = &s->seats[v->seat];
    double tail = s->p->sleep > 0 ? s->p->sleep : seat->play->tail;
    bool over = sis_voice_rung_out(v, &s->block, tail);
    if (seat->fed && sis_voice_is_held(v)) return false;
    bool capped = !over && (double)(after - v->last) >= SIS_VOICE_MOST_SECONDS * s->block.rate;
    if (v->cut == SIS_NEVER) s->p->capped += capped;
    return over || capped;
}

// Who has rung out fades from here on, who has faded goes.
static void end_voices(sis_stage* s) {
    uint64_t after = s->block.row + (uint64_t)s->block.rows;
    for (int32_t i = 0; i < s->count;) {
        sis_voice* v = &s->voices[i];
        bool over = is_over(s, v, after);
        if (v->cut == SIS_NEVER && over) v->cut = after;
        uint64_t silent = v->cut == SIS_NEVER ? SIS_NEVER : v->cut + s->block.fade;
        if (v->cut != SIS_NEVER && silent > s->end) s->end = silent;
        if (silent <= after)
            sis_stage_end_voice(s, i);
        else
            i++;
    }
}

// ---------------------------------------------------------------------------- the song

// Sends what of the block belongs to the sound; false in *more when it was the last one.
static bool send(sis_stage* s, uint64_t limit, bool* more, sis_fault* fault) {
    sis_performance* p = s->p;
    bool over = s->count == 0 && s->to_come == 0;
    uint64_t last = over && s->end < limit ? s->end : limit;
    uint64_t after = s->block.row + (uint64_t)s->block.rows;
    if (last > after) last = after;
    uint64_t rows = last > s->block.row ? last - s->block.row : 0;
    p->rows = s->block.row + rows;
    *more = !over && after < limit;
    if (p->progress) {
        uint64_t all = (uint64_t)fmin(p->song->seconds * p->plan.rate, (double)limit);
        p->progress(p->progress_self, p->rows, all > p->rows ? all : p->rows);
    }
    int32_t steps = (int32_t)rows * s->block.oversample;
    return steps == 0 || p->emit(p->emit_self, s->mix, steps, fault);
}

static bool play_blocks(sis_stage* s, sis_fault* fault) {
    const sis_performance* p = s->p;
    uint64_t limit = isnan(p->longest) ? SIS_NEVER : (uint64_t)round(p->longest * p->plan.rate);
    for (bool more = true; more; s->block.row += (uint64_t)s->block.rows) {
        if (!take_cues(s, fault) || !compile_tones(s, fault)) return false;
        sis_crew_run(s->crew, s->count, play_one, s);
        if (!sum_voices(s, fault)) return false;
        end_voices(s);
        if (!send(s, limit, &more, fault)) return false;
    }
    return true;
}

// Bends move what sounds and give it nothing; everything else may be a bow.
static bool is_fed(const sis_gestures* g) {
    bool fed = g->gate >= 0 || g->pressure >= 0;
    for (int32_t i = 0; i < g->course_count; i++)
        fed = fed || g->courses[i].gate >= 0;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        fed = fed || g->cc[i] >= 0;
    return fed;
}

static bool open_seats(sis_stage* s, sis_fault* fault) {
    s->seats = calloc((size_t)s->p->other_count + 1, sizeof *s->seats);
    if (!s->seats) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i <= s->p->other_count; i++) {
        sis_seat* seat = &s->seats[i];
        const sis_script* script = sis_performance_scene(s->p, i).script;
        seat->play = sis_script_play(script);
        seat->gestures = sis_script_gestures(script);
        seat->fed = is_fed(seat->gestures);
        s->seat_count = i + 1;
        if (!sis_tones_open(&seat->tones, s->p, i, fault)) return false;
    }
    return true;
}

// Where the scene has the pedal itself, the key alone ends a note.
static bool has_pedal(const void* self, const sis_song_note* note) {
    sis_instrument scene;
    const sis_gestures* g = gestures_of(self, note, &scene);
    return g && g->cc[64] >= 0;
}

static void find_players(sis_stage* s) {
    const sis_song* song = s->p->song;
    for (int c = 0; c < SIS_CHANNELS; c++)
        s->player[c] = (uint8_t)c;
    for (int32_t i = 0; i < song->count; i++) {
        const sis_song_note* note = &song->notes[i];
        s->player[note->channel] = note->master;
        s->used[note->channel] = s->used[note->master] = true;
    }
}

static bool open_stage(sis_stage* s, sis_fault* fault) {
    const sis_performance* p = s->p;
    size_t steps = (size_t)s->block.rows * (size_t)s->block.oversample, most = FADING_MOST;
    size_t notes = (size_t)p->song->count + 1;
    if (!open_seats(s, fault)) return false;
    for (int32_t i = 0; i < s->seat_count; i++)
        most += (size_t)s->seats[i].play->voices;
    s->voices = malloc(most * sizeof *s->voices);
    s->waiting = malloc(most * sizeof(sis_tone*));
    s->mix = malloc(2 * steps * sizeof *s->mix);
    s->voice_of = calloc(notes, sizeof *s->voice_of);
    s->below = malloc(notes * sizeof *s->below);
    s->above = malloc(notes * sizeof *s->above);
    s->cues = sis_cues_new(p->song, p->plan.rate, has_pedal, p, &s->cue_count);
    s->crew = sis_crew_new(p->threads);
    s->to_come = p->song->count;
    sis_desk_open(&s->desk);
    find_players(s);
    bool room = s->voices && s->waiting && s->mix && s->voice_of && s->below && s->above;
    return (room && s->cues && s->crew) || sis_fault_no_memory(fault);
}

static void close_stage(sis_stage* s) {
    while (s->count > 0)
        sis_stage_end_voice(s, s->count - 1);
    for (int32_t i = 0; i < s->seat_count; i++)
        sis_tones_close(&s->seats[i].tones);
    sis_crew_free(s->crew);
    free(s->seats);
    free(s->voices);
    free(s->waiting);
    free(s->mix);
    free(s->voice_of);
    free(s->below);
    free(s->above);
    free(s->cues);
}

bool sis_performance_go(sis_performance* p, sis_fault* fault) {
    int32_t over = p->plan.oversample, rows = over >= 16 ? 64 : 1024 / over;
    uint64_t half = (uint64_t)(0.5 * p->plan.rate); // s: a scene may last a single sample
    sis_stage s = {.p = p};
    s.block = (sis_block_plan){.rows = rows,
                               .oversample = over,
                               .rate = p->plan.rate,
                               .hope = p->plan.rows > half ? p->plan.rows : half,
                               .fade = (uint64_t)ceil(SIS_VOICE_FADE_SECONDS * p->plan.rate)};
    bool fine = open_stage(&s, fault) && play_blocks(&s, fault);
    close_stage(&s);
    return fine;
}
