/** @file perform.h
 * A song played by scenes: notes are states, or blows into states that sound, and all of them are
 * summed in stereo.
 *
 *   notes --tuning, play{}--> settings --compile, kept--> tones --states--> voices --sum-->
 *   keys, bends, pressure, controllers --play{}--> inputs of those states, at exact rows
 *
 * The song goes on in blocks, on a stage as live playing does (stage.h). Decisions (who starts, what
 * moves when, who is faded for a new note) fall in one thread; between them every voice steps alone,
 * in any thread. So the sum has the same bits for any number of threads and any blocks.
 */
#ifndef SISTRUM_MUSIC_PERFORM_H
#define SISTRUM_MUSIC_PERFORM_H

#include "decimate.h"
#include "midi.h"
#include "note.h"
#include "run.h"
#include "stage.h"

/** A scene that plays. */
typedef struct sis_instrument {
    const char* scene;           // path
    const sis_script* script;    // the same scene, loaded: its play{} and params
    const sis_setting* settings; // [setting_count], of params that notes do not set
    int32_t setting_count;
    double gain; // factor; 0: 1
} sis_instrument;

typedef struct sis_performance {
    const char* scene;           // path of the first scene, which plays what no other does
    const sis_script* script;    // the same scene, loaded: its play{} and params
    const sis_setting* settings; // [setting_count], of params that notes do not set
    int32_t setting_count;
    const sis_instrument* others; // [other_count]: further scenes
    int32_t other_count;
    int16_t
        of_channel[SIS_CHANNELS]; // which scene plays it: 1 the first, 2, ... the others; 0: any
    int16_t of_program[128];      // which scene plays notes of this program, where the channel
                                  // has none; 0: the first
    bool strict;                  // what is in neither list is not played
    const sis_song* song;
    const char* song_name; // in sentences
    const sis_tuning* tuning;
    sis_plan plan;     // rate and oversampling
    sis_scheme scheme; // of all contacts
    double longest;    // s: it ends then at the latest; NaN: when all is silent
    double sleep;      // dB below its largest energy at which a voice ends; not > 0: as play{} says
    int32_t threads;
    sis_emit emit; // takes [steps][2], at the rate of the steps
    void* emit_self;
    void (*progress)(void* self, uint64_t done, uint64_t rows); // NULL: none
    void* progress_self;
    // results
    uint64_t rows;      // of the whole sound
    int32_t played;     // notes that sounded
    int32_t silent;     // notes on keys that the tuning leaves silent
    int32_t voices_max; // that sounded at a time
    int32_t stolen;     // voices that were faded for a later note
    int32_t capped;     // voices that still rang after SIS_VOICE_MOST_SECONDS
    int32_t systems;    // that were compiled
    double seconds;     // of CPU time spent stepping
    double left;        // J, that voices held when they ended
    sis_left_out left_out;
} sis_performance;

/** The i-th scene, 0 the first. [any] */
sis_instrument sis_performance_scene(const sis_performance* p, int32_t i);

/** Which scene plays notes of this channel (of its player) and program; -1: none. [any] */
int32_t sis_performance_cast(const sis_performance* p, int32_t channel, int32_t program);

/** Takes out of the song, which is p->song, the notes that no scene plays or that are beyond its range of pitch.
 * `first` has a sentence about the first of them, where there are any. False: no note is left.
 * [any] */
bool sis_performance_fit(const sis_performance* p, sis_song* song, int32_t* skipped,
                         sis_fault* first);

/** The recipe of the i-th scene; the caller frees its text. [setup] */
bool sis_performance_recipe(const sis_performance* p, int32_t i, sis_recipe* recipe, char** text,
                            sis_fault* fault);

/** "note A3 at 1.5 s" [any] */
void sis_note_title(const sis_song_note* note, char* text, size_t size);

/** Plays it. [setup] */
bool sis_performance_go(sis_performance* p, sis_fault* fault);

#endif
