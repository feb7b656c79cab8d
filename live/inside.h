/** @file inside.h
 * What the files of live/ share.
 *
 *   [main], worker: programs (a scene with its settings), compiled under `lock`
 *   [audio]: engines (a stage of voices), one that plays and some that fade away
 *
 * Everything that crosses goes through the two rings: the audio thread never locks, allocates or
 * frees. A seat belongs to the audio thread from the moment it is sent until it comes back; its
 * program, which it is made of, belongs to the worker.
 */
#ifndef SISTRUM_LIVE_INSIDE_H
#define SISTRUM_LIVE_INSIDE_H

#include "hand.h"
#include "polish.h"
#include "ring.h"
#include "sistrum/downsample.h"
#include "sistrum/live.h"
#include "stage.h"
#include "thread.h"

enum {
    SIS_CHUNK = 256,         // rows that are played at a time
    SIS_NOTES = 1024,        // notes that are held at a time
    SIS_KNOBS_MOST = 256,    // of a scene
    SIS_PROBES_MOST = 64,    // of a scene that are told by themselves
    SIS_LEAVING_MOST = 4,    // engines that fade away
    SIS_RETIRED_MOST = 16,   // seats whose voices fade
    SIS_ORPHANS_MOST = 64,   // tones that voices still play, but no table has
    SIS_ROOMS_MOST = 1024,   // memories of voices
    SIS_LATER_MOST = 256,    // events of blocks without frames
    SIS_ENDED_MOST = 256,    // notes that have ended
    SIS_SOUNDING_MOST = 320, // voices that the worker hears of
    SIS_CHANGES_MOST = 4,    // scenes and seats on their way to the audio thread
    SIS_RING_SPARE = 512,    // messages for which there is room when one is answered
};

// ---------------------------------------------------------------------------- programs

typedef struct sis_engine sis_engine;

/** A scene with its settings. */
typedef struct sis_program {
    char* text;
    char* name;
    sis_script* script;
    sis_setting* settings; // [setting_count]; their names belong to it
    int32_t setting_count;
    sis_recipe recipe;
    int32_t oversample;
    int32_t dense; // steps a frame that the rate asks for; 0: the options or the scene say
    int32_t own_bodies, own_links; // those of fingers come after them
    sis_seat* seat;                // NULL: it has come back
    sis_engine* engine;            // in which it plays
    uint8_t* sent;                 // [places of the seat]: tones that were handed over
    sis_live_probe* probes;        // [probe_count]; their texts belong to it
    int32_t probe_count;
    int32_t users; // seat, and the one that is shown
} sis_program;

/** Loads a scene; later settings of a name win. `fingers` touch it; NULL: notes play it. NULL: the
 * sentence. [main] */
sis_program* sis_program_new(const char* text, size_t size, const char* name,
                             const sis_setting* settings, int32_t count,
                             const sis_live_options* options, sis_fingers* fingers,
                             sis_live_error* error);
/** One user less. [main] */
void sis_program_leave(sis_program* program);

/** A copy of `size` bytes of text with a zero after them; to be freed. NULL: no memory. */
char* sis_live_copy_text(const char* text, size_t size);

/** Notes the probes of a tone, which stand for those of all. False: no memory. [main] */
bool sis_program_list_probes(sis_program* program, const sis_tone* tone);

/** A tone of the program for a key and velocity, compiled; its fault says why not. NULL: no memory. */
sis_tone* sis_program_tone(const sis_program* program, const sis_tuning* tuning, int32_t key,
                           int32_t velocity);

/** Whether the scene has that key; `why` (NULL: not wanted) has the sentence else. [main] */
bool sis_program_reaches(const sis_program* program, const sis_tuning* tuning, int32_t key,
                         sis_fault* why);

/** The lowest and the highest of them. [main] */
void sis_program_ends(const sis_program* program, const sis_tuning* tuning, int32_t* low,
                      int32_t* high);

/** A key in the middle of those that the scene has. [main] */
int32_t sis_program_middle(const sis_program* program, const sis_tuning* tuning);

/** Its tone, or that of the scene's own pitch where the tuning has no key for it. [main] */
sis_tone* sis_program_first(const sis_program* program, const sis_tuning* tuning);

/** Loudest value of a second at most of four keys across the range, at velocity 1; of sound from
 * outside, of noise at a quarter of full scale. The same on every machine. [main] */
double sis_program_peak(const sis_program* program, const sis_tuning* tuning);

// ---------------------------------------------------------------------------- engines

typedef struct sis_room {
    void* memory;
    size_t size;
} sis_room;

struct sis_engine {
    sis_live* live;
    sis_stage stage;
    sis_seat* seat; // that notes play
    sis_seat* retired[SIS_RETIRED_MOST];
    int32_t retired_count;
    int32_t swept, swept_place; // of a retired seat, up to which its tones were looked at
    sis_tone* orphans[SIS_ORPHANS_MOST];
    int32_t orphan_count;
    sis_room rooms[SIS_ROOMS_MOST]; // that are free
    int32_t room_count;
    size_t room_size; // of the largest
    int32_t rooms_most;
    sis_downsampler* filter;
    void* filter_memory;
    double* rows;                  // [SIS_CHUNK + 1][2], behind the filter
    sis_downsampler* probe_filter; // of every probe by itself
    void* probe_memory;
    double* probe_rows; // [SIS_CHUNK + 2][probes of the stage]
    double factor;      // 1/peak
    int32_t delay;      // rows
    uint64_t idle;      // rows since the last voice ended
    size_t lent;        // worker: bytes of the rooms it sent
};

/** An engine for a program, with its seat and rooms for the tone. NULL: the sentence. Of `live` it
 * only keeps the address. */
sis_engine* sis_engine_new(sis_live* live, double rate, const sis_tuning* tuning,
                           sis_program* program, const sis_tone* tone, sis_live_error* error);
/** With its seats, whose programs are left. [main] */
void sis_engine_free(sis_engine* engine);
/** Sends rooms of that size to it where those it has are smaller; `directly` where it is the audio
 * thread that waits. False: no memory. [main] */
bool sis_engine_enlarge(sis_engine* engine, size_t room, bool directly);

/** Takes what came for it. [audio] */
void sis_engine_take_tone(sis_engine* engine, sis_seat* seat, sis_tone* tone);
void sis_engine_take_room(sis_engine* engine, sis_room room);
void sis_engine_take_seat(sis_engine* engine, sis_seat* seat);
bool sis_engine_has_seat(const sis_engine* engine, const sis_seat* seat);
/** Plays SIS_CHUNK rows at most: begins, and ends with their sum added to `mix`. [audio] */
void sis_engine_begin(sis_engine* engine, int32_t rows, const float* const* sound);
void sis_engine_end(sis_engine* engine, double* mix);
/** Probes by themselves: whether they are wanted from the next rows on, and those of the rows that
 * have ended, into out[0 .. count - 1] + first, each of which may be NULL. [audio] */
void sis_engine_want_probes(sis_engine* engine, bool wanted);
void sis_engine_probes(sis_engine* engine, float* const* out, int32_t count, int32_t first);
/** All its voices fade in so many rows. [audio] */
void sis_engine_fade(sis_engine* engine, uint64_t rows);
/** Gives back what is no longer used. [audio] */
void sis_engine_tidy(sis_engine* engine);

// ---------------------------------------------------------------------------- the instrument

/** A scene on its way: load.c. */
typedef struct sis_loading sis_loading;

/** A knob as [main] shows it and [audio] turns it. */
typedef struct sis_knob {
    _Atomic int32_t param, input; // one of them is -1
    _Atomic double min, max;
    _Atomic double start; // as the scene was loaded
    _Atomic bool trigger;
} sis_knob;

/** A note that the host has a number for, until nothing is heard of it any more. */
typedef struct sis_open_note {
    int32_t id, place;
} sis_open_note;

/** Where a finger is to be: written by anyone, even while it is whole. */
typedef struct sis_finger_set {
    _Atomic uint32_t writes; // odd: somebody writes
    _Atomic int32_t body;
    _Atomic double x, y, press;
} sis_finger_set;

/** What [audio] tells, read by anyone. */
typedef struct sis_told {
    _Atomic double peak[2], rms[2], load, load_max, limited, residual, stored, late_ms;
    _Atomic int32_t voices, fading, keys, waiting, touching;
    _Atomic uint64_t stolen, guarded, failed, late, left_out, wrong, limited_frames, frames;
    _Atomic uint32_t loads, generation;
} sis_told;

struct sis_live {
    sis_live_options options;
    sis_ring to_audio, to_worker;
    // [main] and worker, under the lock
    sis_lock* lock;
    sis_thread* worker;
    sis_loading *loading, *next; // scenes that are asked for; [main] alone
    sis_program* shown;          // the scene as it was loaded: names and texts
    sis_program* newest;         // with the settings of now
    sis_tuning tuning;
    double peak; // of the options, or as measured
    uint32_t params_done;
    uint32_t changes; // engines and seats that were sent
    size_t bytes;     // of tones that were handed over
    int32_t prepare_velocity, prepare_next;
    int32_t trouble_count;
    char trouble[1024];
    // anyone
    _Atomic bool stop, offline, panic, guard, limiter, dc_blocker;
    _Atomic bool busy;              // somebody is the audio thread
    _Atomic int32_t latency;        // frames
    _Atomic uint32_t changes_taken; // engines and seats that have come
    _Atomic double gain;
    _Atomic double factor; // of the engine that plays, where it was set anew; 0: as it is
    _Atomic int32_t knob_count;
    sis_knob knobs[SIS_KNOBS_MOST];
    _Atomic double value[SIS_KNOBS_MOST];
    _Atomic bool turned[SIS_KNOBS_MOST];  // an input that [audio] has not heard of
    _Atomic bool by_hand[SIS_KNOBS_MOST]; // turned since the load, and not by a controller
    _Atomic uint32_t params;              // counts changes of params
    _Atomic int32_t prepare;              // velocity asked for; -1: none
    _Atomic int32_t ready, to_come;
    _Atomic int32_t reach, layers;               // keys and velocities that the scene has tones of
    _Atomic int32_t sounding[SIS_SOUNDING_MOST]; // key * 128 + velocity of voices; -1: none
    sis_finger_set finger_sets[SIS_FINGERS_MOST];
    sis_told told;
    // [audio]
    sis_fingers fingers;
    sis_engine* engine;
    sis_engine* leaving[SIS_LEAVING_MOST];
    int32_t leaving_count;
    sis_hand* hand;
    sis_played notes[SIS_NOTES];
    bool alive[SIS_NOTES], up[SIS_NOTES]; // its key is up, and a pedal holds it
    uint64_t serial[SIS_NOTES], note_count;
    sis_open_note open[SIS_NOTES];
    int32_t open_count, open_next;
    int32_t free_notes[SIS_NOTES], free_count;
    uint64_t row; // of the present event
    sis_live_event later[SIS_LATER_MOST];
    int32_t later_count;
    int32_t ended[SIS_ENDED_MOST], ended_count;
    bool moved[SIS_KNOBS_MOST], any_moved; // by controllers, and nobody was told
    sis_polish polish;
    float sound[2][SIS_CHUNK];
    double mix[2 * SIS_CHUNK];
    double load_mean;
    uint32_t looked_at; // voice whose energy is looked at
    uint64_t guarded, wrong;
    int32_t crowded;       // blocks in a row that the guard finds too dear
    sis_stage_counts past; // of engines that have gone
    uint64_t played;       // frames
};

/** Does what the event says, at live->row. [audio] */
void sis_live_take(sis_live* live, const sis_live_event* event);

/** Turns an input at live->row. [audio] */
void sis_live_turn(sis_live* live, int32_t knob, double value);

/** Knobs follow the controllers that move their inputs. [audio] */
void sis_live_follow(sis_live* live, const sis_song_event* event);

/** Takes where fingers are to be, and begins what they touch. [audio] */
void sis_live_take_fingers(sis_live* live);

/** Lifts all fingers, and what they touch begins again at rest. [audio] */
void sis_live_lift_fingers(sis_live* live);

/** Forgets all notes. [audio] */
void sis_live_forget_notes(sis_live* live);

/** Compiles a tone that sounds at `hz` and hands it over: to `seat` itself where it is the audio
 * thread that waits. Under the lock. */
void sis_live_compile(sis_live* live, sis_seat* seat, int32_t key, int32_t velocity, double hz,
                      bool waits);

/** Serves what the audio thread has sent, but compiles nothing. Under the lock, while no audio thread
 * runs. */
void sis_live_clear(sis_live* live);

/** Counts what sis_live_prepare of the newest program would compile. Under the lock. */
void sis_live_count_reach(sis_live* live);

/** sis_live_work, which leaves the lock soon where [main] wants it. */
bool sis_live_work_politely(sis_live* live);

/** sis_live_load of a scene whose peak is known; 0: it is not. [main] */
bool sis_live_load_as(sis_live* live, const char* text, size_t size, const char* name,
                      const sis_live_setting* settings, int32_t count, double peak,
                      sis_live_error* error);

/** Gives up what is being loaded. [main] */
void sis_live_load_drop(sis_live* live);

/** Room for another message, under the lock. [main] */
void sis_live_make_way(sis_live* live);

/** What is to be full scale: as the options say, or as measured. */
double sis_live_measure(const sis_live_options* options, const sis_program* program,
                        const sis_tuning* tuning);

/** The tuning of now. [main] */
sis_tuning sis_live_tuning(const sis_live* live);

/** What has happened in a block that took so long. [audio] */
void sis_live_tell(sis_live* live, int32_t frames, double seconds);

/** Takes all messages. [audio] */
void sis_live_take_all(sis_live* live);

/** Takes what the worker has sent. [audio] */
void sis_live_receive(sis_live* live, const sis_message* message);

/** Notes in the ring what has no use any more. False: it is full. [audio] */
bool sis_live_dispose(sis_live* live, sis_message_kind kind, void* what);

/** Fills `error`, which may be NULL, and returns false. */
bool sis_live_fail(sis_live_error* error, sis_live_fault fault, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same for a failed allocation. */
bool sis_live_no_memory(sis_live_error* error);

#endif
