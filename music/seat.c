#include "seat.h"

#include "sistrum/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------- the scene

static sis_play play_by_any_key(void) {
    return (sis_play){
        .pitch = -1, .velocity = -1, .voices = 16, .tail = 60, .release = (double)NAN};
}

// Bends move what sounds and give it nothing; everything else may be a bow.
static bool is_fed(const sis_gestures* g) {
    bool fed = g->gate >= 0 || g->pressure >= 0 || g->sound_count > 0;
    for (int32_t i = 0; i < g->course_count; i++)
        fed = fed || g->courses[i].gate >= 0;
    for (int i = 0; i < SIS_PLAY_CONTROLLERS; i++)
        fed = fed || g->cc[i] >= 0;
    return fed;
}

static void read_script(sis_seat* seat, const sis_script* script) {
    const sis_play* play = seat->fingers ? NULL : sis_script_play(script);
    const sis_gestures* gestures = sis_script_gestures(script);
    seat->plain = !play;
    seat->play = play ? *play : play_by_any_key();
    seat->gestures = play ? *gestures : sis_gestures_none();
    if (seat->gestures.course_count)
        memcpy(seat->courses, gestures->courses,
               (size_t)gestures->course_count * sizeof *gestures->courses);
    seat->gestures.courses = seat->courses;
    seat->fed = is_fed(&seat->gestures);
    seat->keys = seat->play.pitch >= 0 ? SIS_KEYS : 1;
    seat->velocities = seat->play.velocity >= 0 ? SIS_KEYS : 1;
    seat->input_count = sis_script_input_count(script);
}

sis_seat* sis_seat_new(const sis_script* script, double tail, uint64_t hope, sis_fingers* fingers) {
    sis_seat* seat = calloc(1, sizeof *seat);
    if (!seat) return NULL;
    seat->fingers = fingers;
    read_script(seat, script);
    size_t places = (size_t)seat->keys * (size_t)seat->velocities;
    seat->tones = calloc(places, sizeof(sis_tone*));
    seat->asked = calloc(places, sizeof *seat->asked);
    seat->knobs = malloc(((size_t)seat->input_count + 1) * sizeof *seat->knobs);
    seat->least = sis_power(10, -(tail > 0 ? tail : seat->play.tail) / 10);
    seat->hope = hope;
    seat->triggers = calloc((size_t)seat->input_count + 1, sizeof *seat->triggers);
    bool room = seat->tones && seat->asked && seat->knobs && seat->triggers;
    for (int32_t i = 0; room && i < seat->input_count; i++) {
        seat->knobs[i] = (double)NAN;
        seat->triggers[i] = sis_script_input(script, i).trigger;
    }
    if (room) return seat;
    sis_seat_free(seat);
    return NULL;
}

void sis_seat_free(sis_seat* seat) {
    if (!seat) return;
    int32_t places = seat->keys * seat->velocities;
    for (int32_t i = 0; seat->tones && i < places; i++)
        sis_tone_free(seat->tones[i]);
    free(seat->tones);
    free(seat->asked);
    free(seat->knobs);
    free(seat->triggers);
    free(seat);
}

// ---------------------------------------------------------------------------- its tones

int32_t sis_seat_place(const sis_seat* seat, int32_t key, int32_t velocity) {
    int32_t row = seat->keys > 1 ? key : 0, column = seat->velocities > 1 ? velocity : 0;
    return row * seat->velocities + column;
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

sis_tone* sis_seat_tone(sis_seat* seat, int32_t place, double hz) {
    sis_tone* tone = seat->tones[place];
    if (!tone || !same(tone->hz, seat->keys > 1 ? hz : (double)NAN)) return NULL;
    tone->last_use = ++seat->uses;
    return tone;
}

sis_tone* sis_seat_tone_new(const sis_seat* seat, const sis_tuning* tuning, int32_t key,
                            int32_t velocity, const char* note) {
    double none = (double)NAN;
    sis_tone* tone = sis_tone_new(seat->keys > 1 ? tuning->hz[key] : none,
                                  seat->velocities > 1 ? velocity / 127.0 : none, note);
    if (tone) tone->place = sis_seat_place(seat, key, velocity);
    return tone;
}

sis_tone* sis_seat_put(sis_seat* seat, sis_tone* tone) {
    sis_tone* before = seat->tones[tone->place];
    seat->tones[tone->place] = tone;
    seat->bytes += tone->size - (before ? before->size : 0);
    tone->last_use = ++seat->uses;
    return before;
}

sis_tone* sis_seat_evict(sis_seat* seat, size_t bytes) {
    sis_tone* oldest = NULL;
    int32_t places = seat->keys * seat->velocities;
    if (seat->bytes <= bytes) return NULL;
    for (int32_t i = 0; i < places; i++) {
        sis_tone* tone = seat->tones[i];
        if (tone && !tone->users && (!oldest || tone->last_use < oldest->last_use)) oldest = tone;
    }
    return oldest ? sis_seat_take_out(seat, oldest->place) : NULL;
}

sis_tone* sis_seat_take_out(sis_seat* seat, int32_t place) {
    sis_tone* tone = seat->tones[place];
    if (!tone || tone->users) return NULL;
    seat->tones[place] = NULL;
    seat->bytes -= tone->size;
    return tone;
}
