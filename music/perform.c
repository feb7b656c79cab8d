#include "perform.h"

#include "crew.h"
#include "voice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FADING_MOST = 32 }; // voices that may be fading out at a time; more end at once

typedef struct stage {
    sis_performance* p;
    const sis_play* play;
    sis_block_plan block;
    sis_tones tones;
    sis_voice* voices; // [count], by start
    int32_t count;
    int32_t next;       // note of the song
    sis_tone** waiting; // [waiting_count]: tones to compile
    int32_t waiting_count;
    double* mix;  // [steps of a block][2]
    uint64_t end; // row after the last that is heard
    sis_crew* crew;
} stage;

// ---------------------------------------------------------------------------- notes

static double note_hz(const sis_performance* p, const sis_song_note* note) {
    return sis_script_play(p->script)->pitch >= 0 ? p->tuning->hz[note->key] : (double)NAN;
}

static bool plays(const sis_performance* p, const sis_song_note* note) {
    return sis_script_play(p->script)->pitch < 0 || !isnan(p->tuning->hz[note->key]);
}

static void name_note(const sis_song_note* note, char* text, size_t size) {
    char name[16];
    snprintf(text, size, "note %s at %.6g s", sis_note_name(note->key, name), note->start);
}

// A sentence in `fault` when the param of pitch cannot take the note.
static bool is_reached(const sis_performance* p, const sis_song_note* note, sis_fault* fault) {
    const sis_play* play = sis_script_play(p->script);
    char name[64], what[512];
    if (play->pitch < 0 || !plays(p, note)) return true;
    sis_param pitch = sis_script_param(p->script, play->pitch);
    double hz = note_hz(p, note);
    name_note(note, name, sizeof name);
    snprintf(what, sizeof what, "%.300s: %s", p->song_name, name);
    return sis_note_in_range(&pitch, &hz, p->tuning, what, SIS_FAULT_SCENE, fault);
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

// ---------------------------------------------------------------------------- voices

static void end_voice(stage* s, int32_t i) {
    s->p->left += s->voices[i].stored;
    sis_tones_give_back(&s->tones, s->voices[i].tone);
    sis_voice_end(&s->voices[i]);
    memmove(&s->voices[i], &s->voices[i + 1], (size_t)(s->count - i - 1) * sizeof s->voices[0]);
    s->count--;
}

static int32_t count_sounding(const stage* s, int32_t* oldest) {
    int32_t sounding = 0;
    *oldest = -1;
    for (int32_t i = 0; i < s->count; i++) {
        if (s->voices[i].cut != SIS_NEVER) continue;
        if (*oldest < 0) *oldest = i;
        sounding++;
    }
    return sounding;
}

// Makes room for a voice that starts at `row`.
static void make_room(stage* s, uint64_t row) {
    int32_t oldest, sounding = count_sounding(s, &oldest);
    if (sounding >= s->play->voices) {
        s->voices[oldest].cut = row;
        s->p->stolen++;
        if (s->voices[oldest].start == row) end_voice(s, oldest); // it was never heard
        sounding--;
    }
    if (s->count - sounding <= FADING_MOST) return;
    for (int32_t i = 0; i < s->count; i++)
        if (s->voices[i].cut != SIS_NEVER) {
            end_voice(s, i);
            return;
        }
}

static bool start_voice(stage* s, const sis_song_note* note, uint64_t row, sis_fault* fault) {
    sis_performance* p = s->p;
    char name[64];
    name_note(note, name, sizeof name);
    bool soft = s->play->velocity >= 0;
    make_room(s, row);
    sis_voice v = {.start = row, .cut = SIS_NEVER};
    double off = round(note->end * p->plan.rate);
    v.off = off > (double)row ? (uint64_t)off : row;
    size_t steps = (size_t)s->block.rows * (size_t)s->block.oversample;
    v.heard = malloc(2 * steps * sizeof *v.heard);
    v.tone = v.heard ? sis_tones_take(&s->tones, note_hz(p, note),
                                      soft ? note->velocity / 127.0 : (double)NAN, name)
                     : NULL;
    if (!v.tone) {
        free(v.heard);
        return sis_fault_no_memory(fault);
    }
    s->voices[s->count++] = v;
    p->played++;
    int32_t oldest, sounding = count_sounding(s, &oldest);
    if (sounding > p->voices_max) p->voices_max = sounding;
    return true;
}

// All notes that begin in this block.
static bool start_voices(stage* s, sis_fault* fault) {
    sis_performance* p = s->p;
    uint64_t after = s->block.row + (uint64_t)s->block.rows;
    for (; s->next < p->song->count; s->next++) {
        const sis_song_note* note = &p->song->notes[s->next];
        uint64_t row = (uint64_t)round(note->start * p->plan.rate);
        if (row >= after) return true;
        if (!plays(p, note))
            p->silent++;
        else if (!start_voice(s, note, row, fault))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------- work of the crew

static void compile_one(void* self, int32_t i) {
    stage* s = self;
    sis_tone_compile(&s->tones, s->waiting[i]);
}

static bool compile_tones(stage* s, sis_fault* fault) {
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
    stage* s = self;
    sis_voice_play(&s->voices[i], &s->block);
}

// In the order of the voices, whoever played them.
static bool sum_voices(stage* s, sis_fault* fault) {
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

// Who has rung out fades from here on, who has faded goes.
static void end_voices(stage* s) {
    uint64_t after = s->block.row + (uint64_t)s->block.rows;
    double longest = SIS_VOICE_MOST_SECONDS * s->block.rate;
    for (int32_t i = 0; i < s->count;) {
        sis_voice* v = &s->voices[i];
        bool over = sis_voice_rung_out(v, &s->block, s->p->sleep > 0 ? s->p->sleep : s->play->tail);
        bool capped = (double)(after - v->start) >= longest;
        if (v->cut == SIS_NEVER && (over || capped)) {
            v->cut = after;
            s->p->capped += !over;
        }
        uint64_t silent = v->cut == SIS_NEVER ? SIS_NEVER : v->cut + s->block.fade;
        if (v->cut != SIS_NEVER && silent > s->end) s->end = silent;
        if (silent <= after)
            end_voice(s, i);
        else
            i++;
    }
}

// ---------------------------------------------------------------------------- the song

// Sends what of the block belongs to the sound; false in *more when it was the last one.
static bool send(stage* s, uint64_t limit, bool* more, sis_fault* fault) {
    sis_performance* p = s->p;
    bool over = s->count == 0 && s->next == p->song->count;
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

static bool play_blocks(stage* s, sis_fault* fault) {
    const sis_performance* p = s->p;
    uint64_t limit = isnan(p->longest) ? SIS_NEVER : (uint64_t)round(p->longest * p->plan.rate);
    for (bool more = true; more; s->block.row += (uint64_t)s->block.rows) {
        if (!start_voices(s, fault) || !compile_tones(s, fault)) return false;
        sis_crew_run(s->crew, s->count, play_one, s);
        if (!sum_voices(s, fault)) return false;
        end_voices(s);
        if (!send(s, limit, &more, fault)) return false;
    }
    return true;
}

bool sis_performance_go(sis_performance* p, sis_fault* fault) {
    const sis_play* play = sis_script_play(p->script);
    int32_t over = p->plan.oversample, rows = over >= 16 ? 64 : 1024 / over;
    size_t most = (size_t)play->voices + FADING_MOST + 2;
    uint64_t half = (uint64_t)(0.5 * p->plan.rate); // s: a scene may last a single sample
    stage s = {.p = p, .play = play};
    s.block = (sis_block_plan){.rows = rows,
                               .oversample = over,
                               .rate = p->plan.rate,
                               .release = play->release,
                               .hope = p->plan.rows > half ? p->plan.rows : half,
                               .fade = (uint64_t)ceil(SIS_VOICE_FADE_SECONDS * p->plan.rate)};
    s.voices = malloc(most * sizeof *s.voices);
    s.waiting = malloc(most * sizeof(sis_tone*));
    s.mix = malloc(2 * (size_t)rows * (size_t)over * sizeof *s.mix);
    s.crew = sis_crew_new(p->threads);
    bool fine = (s.voices && s.waiting && s.mix && s.crew) || sis_fault_no_memory(fault);
    fine = fine && sis_tones_open(&s.tones, p, fault) && play_blocks(&s, fault);
    while (s.count > 0)
        end_voice(&s, s.count - 1);
    sis_tones_close(&s.tones);
    sis_crew_free(s.crew);
    free(s.voices);
    free(s.waiting);
    free(s.mix);
    return fine;
}
