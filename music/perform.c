#include "perform.h"

#include "crew.h"
#include "cue.h"
#include "mts.h"
#include "scene_file.h"
#include "stage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TONE_BYTES ((size_t)256 << 20) // of tones that are kept though nobody plays them

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

void sis_note_title(const sis_song_note* note, char* text, size_t size) {
    char name[16];
    snprintf(text, size, "note %s at %.6g s", sis_note_name(note->key, name), note->start);
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
static bool is_reached(const sis_performance* p, const sis_tuning* tuning,
                       const sis_song_note* note, sis_fault* fault) {
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
    double hz = tuning->hz[note->key];
    if (isnan(hz) || !sis_note_range(scene.script, course, &range)) return true;
    return sis_note_in_range(&range, &hz, tuning, what, SIS_FAULT_SCENE, fault);
}

// Messages of the song change the tuning: of all notes, by start, that of now.
typedef struct fitting {
    const sis_performance* p;
    const sis_song* song;
    sis_tuning* now;
    int32_t* next; // event
} fitting;

static void retune(const sis_song* song, const sis_song_event* e, sis_tuning* tuning, bool* now) {
    sis_mts_take(song->data + (size_t)e->value, e->size, tuning, now);
}

static bool fits(const fitting* f, const sis_song_note* note, sis_fault* fault) {
    bool now;
    for (; *f->next < f->song->event_count; ++*f->next) {
        const sis_song_event* e = &f->song->events[*f->next];
        if (e->time > note->start || (!(e->time < note->start) && e->order > note->began)) break;
        if (e->kind == SIS_SONG_TUNING) retune(f->song, e, f->now, &now);
    }
    return is_reached(f->p, f->now, note, fault);
}

static bool stays(const void* self, sis_song_note* note) {
    sis_fault fault;
    return fits(self, note, &fault);
}

bool sis_performance_fit(const sis_performance* p, sis_song* song, int32_t* skipped,
                         sis_fault* first) {
    int32_t i = 0, all = song->count, next = 0;
    sis_tuning now = *p->tuning;
    const fitting f = {p, song, &now, &next};
    *skipped = 0;
    while (i < all && fits(&f, &song->notes[i], first))
        i++;
    if (i == all) return all > 0;
    now = *p->tuning;
    next = 0;
    *skipped = sis_song_drop(song, stays, &f);
    return song->count > 0;
}

// ---------------------------------------------------------------------------- the concert

/** One scene of it. */
typedef struct part_of_concert {
    sis_recipe recipe;
    char* text;
    sis_seat* seat;
} instrument;

/** A tone that is to be compiled. */
typedef struct order {
    instrument* of;
    sis_tone* tone;
} order;

typedef struct concert {
    sis_performance* p;
    instrument* scenes; // [scene_count]
    int32_t scene_count;
    sis_stage stage;
    sis_cue* cues; // [cue_count]
    int32_t cue_count, next;
    int32_t to_come; // notes that have not begun
    order* orders;   // [order_count]
    int32_t order_count, order_room;
    sis_tone** retired; // [retired_count]: of keys that have another pitch now
    int32_t retired_count, retired_room;
    sis_crew* crew;
    bool starved;
    sis_fault fault; // of a voice; its kind is SIS_FAULT_NONE: none
} concert;

// ---------------------------------------------------------------------------- what the stage asks

static sis_seat* cast(void* self, int channel, int program) {
    const concert* c = self;
    int32_t scene = sis_performance_cast(c->p, channel, program);
    return scene < 0 ? NULL : c->scenes[scene].seat;
}

static bool knows_program(void* self, int channel, int program) {
    const concert* c = self;
    return !c->p->of_channel[channel] && c->p->of_program[program];
}

static void* lend(void* self, size_t bytes, size_t* got) {
    concert* c = self;
    void* memory = aligned_alloc(SIS_STATE_ALIGN, bytes);
    if (!memory) c->starved = true;
    *got = bytes;
    return memory;
}

static void give_back(void* self, void* memory, size_t bytes) {
    (void)self;
    (void)bytes;
    free(memory);
}

static void run_crew(void* self, int32_t count, void (*work)(void* data, int32_t i), void* data) {
    concert* c = self;
    sis_crew_run(c->crew, count, work, data);
}

static double busy_clock(void* self) {
    (void)self;
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What has no answer comes first: what is not finite may be its consequence.
static void look_at(void* self, const sis_voice* v) {
    concert* c = self;
    sis_fault fault = {.kind = SIS_FAULT_NONE};
    if (c->fault.kind || !v->state) return;
    bool fine = sis_run_answers(v->tone->system, v->state, &fault);
    if (fine && v->failed)
        fine =
            sis_fault_set(&fault, SIS_FAULT_RUN, "what is heard is not a finite number at %.6g s",
                          (double)(c->stage.block.row) / c->p->plan.rate);
    if (fine) return;
    sis_fault_set(&c->fault, fault.kind, "%s: %.800s", v->tone->note, fault.text);
    c->fault.of = fault.of;
    memcpy(c->fault.object, fault.object, sizeof fault.object);
}

// ---------------------------------------------------------------------------- tones

static bool list_tone(concert* c, instrument* of, const sis_song_note* note) {
    sis_seat* seat = of->seat;
    int32_t place = sis_seat_place(seat, note->key, note->velocity);
    char title[64];
    const sis_tuning* tuning = &c->stage.tuning;
    bool silent = sis_play_is_pitched(&seat->play, &seat->gestures) && isnan(tuning->hz[note->key]);
    if (silent || seat->asked[place] || sis_seat_tone(seat, place, tuning->hz[note->key]))
        return true;
    if (c->order_count == c->order_room) {
        int32_t room = c->order_room ? 2 * c->order_room : 64;
        order* orders = realloc(c->orders, (size_t)room * sizeof *orders);
        if (!orders) return false;
        c->orders = orders;
        c->order_room = room;
    }
    sis_note_title(note, title, sizeof title);
    sis_tone* tone = sis_seat_tone_new(seat, tuning, note->key, note->velocity, title);
    if (!tone) return false;
    seat->asked[place] = 1;
    c->orders[c->order_count++] = (order){of, tone};
    return true;
}

static void compile_one(void* self, int32_t i) {
    concert* c = self;
    sis_tone_compile(&c->orders[i].of->recipe, c->orders[i].tone);
}

static bool room_to_retire(concert* c) {
    int32_t most = c->retired_count + c->order_count;
    if (most <= c->retired_room) return true;
    sis_tone** retired = realloc(c->retired, 2 * (size_t)most * sizeof(sis_tone*));
    if (!retired) return false;
    c->retired = retired;
    c->retired_room = 2 * most;
    return true;
}

// What sounds may still have it.
static void retire(concert* c, sis_tone* tone) {
    if (tone) c->retired[c->retired_count++] = tone;
}

// Into the table; or the first fault.
static bool take_tones(concert* c, sis_fault* fault) {
    bool fine = room_to_retire(c) || sis_fault_no_memory(fault);
    for (int32_t i = 0; i < c->order_count; i++) {
        sis_tone* tone = c->orders[i].tone;
        c->orders[i].of->seat->asked[tone->place] = 0;
        if (!tone->system && fine) {
            *fault = tone->fault;
            fine = false;
        }
        if (tone->system && fine)
            retire(c, sis_seat_put(c->orders[i].of->seat, tone));
        else
            sis_tone_free(tone);
    }
    c->order_count = 0;
    return fine;
}

static void drop_tones(concert* c) {
    int32_t kept = 0;
    for (int32_t i = 0; i < c->retired_count; i++) {
        if (c->retired[i]->users)
            c->retired[kept++] = c->retired[i];
        else
            sis_tone_free(c->retired[i]);
    }
    c->retired_count = kept;
    for (int32_t i = 0; i < c->scene_count; i++) {
        sis_tone* idle;
        while ((idle = sis_seat_evict(c->scenes[i].seat, TONE_BYTES)))
            sis_tone_free(idle);
    }
}

static bool is_tuning(const concert* c, const sis_cue* cue) {
    return cue->kind == SIS_CUE_EVENT && c->p->song->events[cue->index].kind == SIS_SONG_TUNING;
}

// Those of all notes of the block to come, in several threads; up to the next tuning.
static bool compile_tones(concert* c, uint64_t after, sis_fault* fault) {
    bool room = true;
    drop_tones(c);
    for (int32_t i = c->next; i < c->cue_count && c->cues[i].row < after && room; i++) {
        if (is_tuning(c, &c->cues[i])) break;
        if (c->cues[i].kind != SIS_CUE_ON) continue;
        const sis_song_note* note = &c->p->song->notes[c->cues[i].index];
        int32_t scene = sis_performance_cast(c->p, note->master, note->program);
        if (scene >= 0) room = list_tone(c, &c->scenes[scene], note);
    }
    sis_crew_run(c->crew, c->order_count, compile_one, c);
    c->p->systems += c->order_count;
    bool fine = take_tones(c, fault);
    return room ? fine : sis_fault_no_memory(fault);
}

// ---------------------------------------------------------------------------- the song

static void take_cue(concert* c, const sis_cue* cue) {
    const sis_song* song = c->p->song;
    sis_stage* s = &c->stage;
    switch ((sis_cue_kind)cue->kind) {
    case SIS_CUE_UP:
        sis_stage_up(s, cue->row, cue->index);
        break;
    case SIS_CUE_END:
        sis_stage_finish(s, cue->row, cue->index);
        break;
    case SIS_CUE_EVENT:
        if (is_tuning(c, cue)) {
            bool now = false;
            retune(song, &song->events[cue->index], &s->tuning, &now);
            if (now) sis_stage_retune(s, cue->row);
            break;
        }
        sis_stage_event(s, cue->row, &song->events[cue->index]);
        break;
    case SIS_CUE_ON: {
        const sis_song_note* note = &song->notes[cue->index];
        sis_played played = {.velocity = note->velocity / 127.0,
                             .id = -1,
                             .channel = note->channel,
                             .master = note->master,
                             .key = note->key,
                             .program = note->program};
        c->to_come--;
        sis_stage_on(s, cue->row, cue->index, &played);
        break;
    }
    }
}

// Sends what of the block belongs to the sound; false in *more when it was the last one.
static bool send(concert* c, uint64_t limit, bool* more, sis_fault* fault) {
    sis_performance* p = c->p;
    const sis_stage* s = &c->stage;
    bool over = s->count == 0 && c->to_come == 0;
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

static bool play_block(concert* c, int32_t rows, sis_fault* fault) {
    sis_stage* s = &c->stage;
    sis_stage_begin(s, rows, NULL);
    uint64_t after = s->block.row + (uint64_t)rows;
    bool tuned = true;
    for (; c->next < c->cue_count && c->cues[c->next].row < after; c->next++) {
        if (tuned && !compile_tones(c, after, fault)) return false;
        tuned = is_tuning(c, &c->cues[c->next]);
        take_cue(c, &c->cues[c->next]);
    }
    sis_stage_end(s);
    for (int32_t i = 0; i < s->count; i++)
        look_at(c, s->voices[i]);
    if (c->starved) return sis_fault_no_memory(fault);
    if (c->fault.kind) *fault = c->fault;
    return !c->fault.kind;
}

static bool play_blocks(concert* c, int32_t rows, sis_fault* fault) {
    const sis_performance* p = c->p;
    uint64_t limit = isnan(p->longest) ? SIS_NEVER : (uint64_t)round(p->longest * p->plan.rate);
    for (bool more = true; more;)
        if (!play_block(c, rows, fault) || !send(c, limit, &more, fault)) return false;
    return true;
}

// ---------------------------------------------------------------------------- opening

bool sis_performance_recipe(const sis_performance* p, int32_t i, sis_recipe* recipe, char** text,
                            sis_fault* fault) {
    char why[256];
    sis_instrument scene = sis_performance_scene(p, i);
    *recipe = (sis_recipe){.name = scene.scene,
                           .script = scene.script,
                           .settings = scene.settings,
                           .setting_count = scene.setting_count,
                           .gain = scene.gain,
                           .step_rate = sis_plan_step_rate(&p->plan),
                           .scheme = p->scheme};
    *text = sis_file_read(scene.scene, &recipe->size, why, sizeof why);
    recipe->text = *text;
    if (!*text && errno == ENOMEM) return sis_fault_no_memory(fault);
    return *text || sis_fault_set(fault, SIS_FAULT_SCENE, "%.300s: cannot read the scene: %s",
                                  scene.scene, why);
}

static bool open_scenes(concert* c, sis_fault* fault) {
    sis_performance* p = c->p;
    uint64_t half = (uint64_t)(0.5 * p->plan.rate); // s: a scene may last a single sample
    uint64_t hope = p->plan.rows > half ? p->plan.rows : half;
    c->scenes = calloc((size_t)p->other_count + 1, sizeof *c->scenes);
    if (!c->scenes) return sis_fault_no_memory(fault);
    for (int32_t i = 0; i <= p->other_count; i++) {
        instrument* one = &c->scenes[i];
        c->scene_count = i + 1;
        if (!sis_performance_recipe(p, i, &one->recipe, &one->text, fault)) return false;
        one->seat = sis_seat_new(one->recipe.script, p->sleep, hope, NULL);
        if (!one->seat) return sis_fault_no_memory(fault);
    }
    return true;
}

static void find_players(concert* c) {
    const sis_song* song = c->p->song;
    sis_stage* s = &c->stage;
    for (int32_t i = 0; i < song->count; i++) {
        const sis_song_note* note = &song->notes[i];
        s->player[note->channel] = note->master;
        s->used[note->channel] = s->used[note->master] = true;
    }
}

static bool open_concert(concert* c, int32_t rows, sis_fault* fault) {
    const sis_performance* p = c->p;
    if (!open_scenes(c, fault)) return false;
    int32_t voices = 0;
    for (int32_t i = 0; i < c->scene_count; i++)
        voices += c->scenes[i].seat->play.voices;
    sis_stage_options options = {.rate = p->plan.rate,
                                 .oversample = p->plan.oversample,
                                 .rows = rows,
                                 .voices = voices,
                                 .notes = p->song->count,
                                 .tuning = p->tuning};
    sis_stage_host host = {.self = c,
                           .cast = cast,
                           .knows_program = knows_program,
                           .lend = lend,
                           .give_back = give_back,
                           .run = run_crew,
                           .clock = busy_clock,
                           .over = look_at};
    c->crew = sis_crew_new(p->threads);
    c->cues = sis_cues_new(p->song, p->plan.rate, &c->cue_count);
    c->to_come = p->song->count;
    if (!c->crew || !c->cues || !sis_stage_open(&c->stage, &options, &host))
        return sis_fault_no_memory(fault);
    find_players(c);
    return true;
}

static void tell_counts(const concert* c) {
    sis_performance* p = c->p;
    const sis_stage_counts* counts = &c->stage.counts;
    p->played = counts->played;
    p->silent = counts->silent;
    p->voices_max = counts->voices_max;
    p->stolen = counts->stolen;
    p->capped = counts->capped;
    p->seconds = counts->seconds;
    p->left = counts->left;
    p->left_out = counts->left_out;
}

static void close_concert(concert* c) {
    for (int32_t i = 0; c->stage.slots && i < c->stage.count; i++)
        c->stage.counts.left += c->stage.voices[i]->stored; // what ends with the song
    if (c->stage.slots) tell_counts(c);
    c->fault.kind = SIS_FAULT_RUN; // voices that end now are not looked at
    sis_stage_close(&c->stage);
    for (int32_t i = 0; i < c->scene_count; i++) {
        sis_seat_free(c->scenes[i].seat);
        free(c->scenes[i].text);
    }
    for (int32_t i = 0; i < c->retired_count; i++)
        sis_tone_free(c->retired[i]);
    sis_crew_free(c->crew);
    free(c->retired);
    free(c->scenes);
    free(c->orders);
    free(c->cues);
}

bool sis_performance_go(sis_performance* p, sis_fault* fault) {
    int32_t over = p->plan.oversample, rows = over >= 16 ? 64 : 1024 / over;
    concert c = {.p = p};
    bool fine = open_concert(&c, rows, fault) && play_blocks(&c, rows, fault);
    close_concert(&c);
    return fine;
}
