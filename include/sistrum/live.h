/** @file
 * Sistrum live: a scene as an instrument that is played. One engine for the program, plugins and
 * the page: notes, bends, pressure, pedals, MPE, tunings, knobs and sound from outside go in, stereo
 * comes out.
 *
 *   scene text --sis_live_load--> compiled by a worker --rings--> voices --sis_live_run--> sound
 *
 * Threads: [main] may allocate and block, one thread at a time; [audio] is bounded in time, takes no
 * lock and no memory and makes no system call, one thread at a time; [any] from every thread at any
 * time. [main] and [audio] may run at the same time. Nothing is global: any number of instruments.
 *
 * A note whose sound is not compiled yet begins when it is, some milliseconds late, unless the host
 * renders offline (sis_live_offline): then sis_live_run waits for it, and the sound is bit by bit
 * that of `sistrum render --midi`.
 */
#ifndef SISTRUM_LIVE_H
#define SISTRUM_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sis_live sis_live;

typedef struct sis_live_options {
    double rate;        ///< Hz, 8000 .. 384000
    int32_t frames_max; ///< of one sis_live_run, 1 .. 65536; longer blocks are cut
    int32_t voices;     ///< at most; 0: as play{} says
    int32_t oversample; ///< 0: as the scene says, or denser where it needs it below 44.1 kHz
    bool audit;         ///< keep the energy balance of every voice (sis_live_status.residual)
    bool worker;        ///< a thread of its own compiles; else the host calls sis_live_work
    bool guard;         ///< steals voices before the deadline is missed
    bool limiter;       ///< holds peaks to -0.1 dB
    bool dc_blocker;    ///< takes away what is below 5 Hz
    double load_most;   ///< of the deadline that the guard allows, 0 .. 1
    size_t memory_most; ///< bytes of compiled notes that are kept
    double peak;        ///< largest value of the scene that is to be full scale, in the unit of its
                        ///< probes: 1 plays them as they are; 0: measured when the scene is loaded.
                        ///< A saved instrument brings its own, unless this is 1
    double gain;        ///< factor of the sound
    int32_t fingers;    ///< 0: notes play the scene; 1 .. 8: it is at rest and silent until so many
                        ///< fingers touch it, and takes no notes
} sis_live_options;

/** 48 kHz, 1024 frames, a worker, guard, limiter and DC blocker on, 0.8 of the deadline, 256 MB,
 * peak measured, gain 1. [any] */
sis_live_options sis_live_options_default(void);

/** Whose fault it is. */
typedef enum sis_live_fault {
    SIS_LIVE_FINE = 0,
    SIS_LIVE_NO_MEMORY,     ///< the machine has no memory left, or no thread
    SIS_LIVE_WRONG_REQUEST, ///< an option, a rate, a tuning that cannot be
    SIS_LIVE_WRONG_SCENE,   ///< the scene is unreadable, wrong or refused
    SIS_LIVE_WRONG_SETTING, ///< the scene has no such param or input, or refuses the value
    SIS_LIVE_DAMAGED,       ///< what was saved cannot be read
    SIS_LIVE_NEWER,         ///< a newer Sistrum saved it
} sis_live_fault;

/** Why something failed: one sentence, whose fault it is, and where the scene is wrong. */
typedef struct sis_live_error {
    char text[1024];
    int32_t line; ///< of the scene; 0: none in particular
    sis_live_fault fault;
} sis_live_error;

/** An instrument without a scene: silent. [main] NULL: `error` says why. */
sis_live* sis_live_new(const sis_live_options* options, sis_live_error* error);

/** Ends its thread and frees it; NULL is fine. No sis_live_run may be running. [main] */
void sis_live_free(sis_live* live);

// ---------------------------------------------------------------------------- scene

/** A value for a param or an input of the scene. */
typedef struct sis_live_setting {
    const char* name;
    double value;
} sis_live_setting;

/** Takes a scene: checks and compiles it, then hands it to the audio thread. What sounds fades, and
 * keys that are down sound again in the new scene. False: `error` has the sentence, and the old
 * scene plays on. `name` stands for the file in sentences. Settings that the scene does not know,
 * or whose value it refuses, fail too. [main] */
bool sis_live_load(sis_live* live, const char* text, size_t size, const char* name,
                   const sis_live_setting* settings, int32_t count, sis_live_error* error);

/** The same without waiting: a thread of its own compiles the scene, what plays plays on, and
 * sis_live_load_poll hands it over when it is ready. Where another one is still being loaded this
 * one takes its place. Texts are copied. Where there are no threads it is compiled here. False: no
 * memory. [main] */
bool sis_live_load_start(sis_live* live, const char* text, size_t size, const char* name,
                         const sis_live_setting* settings, int32_t count, sis_live_error* error);

typedef enum sis_live_progress {
    SIS_LIVE_IDLE,    ///< nothing is being loaded
    SIS_LIVE_LOADING, ///< not ready yet
    SIS_LIVE_LOADED,  ///< just now: the new scene plays
    SIS_LIVE_REFUSED, ///< `error` has the sentence, and the old scene plays on
} sis_live_progress;

/** How far sis_live_load_start is; a host calls it every few milliseconds while it is
 * SIS_LIVE_LOADING. sis_live_load and sis_live_restore give up what is being loaded. [main] */
sis_live_progress sis_live_load_poll(sis_live* live, sis_live_error* error);

/** The text of the scene that plays, and its name; NULL: none. Live until the next load. [main] */
const char* sis_live_text(const sis_live* live, size_t* size);
const char* sis_live_name(const sis_live* live);

/** A number that a hand may turn: a param (compiled anew, some milliseconds later) or an input (at
 * the very frame). What notes themselves set, pitch, velocity and gate, is no knob. Texts live until
 * the next load. */
typedef struct sis_live_knob {
    const char* name;
    const char* label;
    const char* unit; ///< "" for pure numbers
    double value;     ///< as it is set now
    double fallback;  ///< as the scene has it
    double min, max;  ///< finite
    bool logarithmic; ///< equal steps are equal ratios
    bool input;       ///< moves while it sounds
    bool trigger;     ///< every value but 0 is a blow
    int32_t cc;       ///< controller that moves it too; -1: none
} sis_live_knob;

int32_t sis_live_knob_count(const sis_live* live);                  ///< [main]
sis_live_knob sis_live_knob_at(const sis_live* live, int32_t i);    ///< [main] Zero-filled: none
int32_t sis_live_knob_find(const sis_live* live, const char* name); ///< [main] -1: none

/** Turns the i-th knob, from the next block on; values are held to its range, NaN is left out. For
 * the very frame see SIS_LIVE_KNOB. [any] */
void sis_live_knob_set(sis_live* live, int32_t i, double value);

/** A set of values that the scene names: preset{ "Name", K = 1e7 }. [main] */
int32_t sis_live_preset_count(const sis_live* live);
const char* sis_live_preset_name(const sis_live* live, int32_t i);
/** Turns all knobs there: those that the preset does not name go back to the scene's. [main] */
bool sis_live_preset_take(sis_live* live, int32_t i);

/** A probe of the scene, which sis_live_block.probes gives by itself: in its own unit, without gain,
 * level, limiter and DC blocker; the sum over the voices of the scene that plays, each faded as its
 * sound is. Of oversampled scenes it is filtered and late as the sound is. Texts live until the next
 * load. */
typedef struct sis_live_probe {
    const char* name;
    const char* on; ///< name of the object that it reads
    const char* unit;
    int32_t channel; ///< of the sound that it is heard in: 1, 2; 0: none
} sis_live_probe;

int32_t sis_live_probe_count(const sis_live* live);                  ///< [main] 64 at most
sis_live_probe sis_live_probe_at(const sis_live* live, int32_t i);   ///< [main] Zero-filled: none
int32_t sis_live_probe_find(const sis_live* live, const char* name); ///< [main] -1: none

/** Whether notes play the scene, whether they have a pitch, and how many channels of sound from
 * outside it takes (play{ sound = ... }), 0 .. 2. [main] */
bool sis_live_takes_notes(const sis_live* live);
bool sis_live_is_pitched(const sis_live* live);
int32_t sis_live_sound_inputs(const sis_live* live);

/** The lowest and the highest MIDI key that the scene has. [main] False: notes have no pitch, any key
 * will do. */
bool sis_live_keys(const sis_live* live, int32_t* lowest, int32_t* highest);

/** How many notes may sound at a time. [main] */
int32_t sis_live_voices(const sis_live* live);

/** Frames by which the sound is late: 0 without oversampling. [main] */
int32_t sis_live_latency(const sis_live* live);

/** Everything that a host saves: version, scene text, peak, knobs, tuning. malloc'ed text, `size` bytes
 * without the NUL. NULL: no scene or no memory. [main] */
char* sis_live_save(const sis_live* live, size_t* size);

/** Takes such a text: as sis_live_load. A newer format is refused with a sentence. [main] */
bool sis_live_restore(sis_live* live, const char* text, size_t size, sis_live_error* error);

// ---------------------------------------------------------------------------- tuning and rate

/** What every MIDI key sounds at, Hz; NaN: silent. Notes that begin later have it. [main] */
void sis_live_tune(sis_live* live, const double hz[128]);

/** The same from the texts of Scala files; NULL: twelve equal steps, and middle C at degree 0. `a4`
 * Hz, 0: 440. [main] */
bool sis_live_tune_scala(sis_live* live, const char* scale, size_t scale_size, const char* keys,
                         size_t keys_size, double a4, sis_live_error* error);

/** Another rate or longest block: everything is compiled anew, all voices end. No sis_live_run may
 * be running. [main] False: the scene cannot be played there, and it plays on at the rate it had. */
bool sis_live_set_rate(sis_live* live, double rate, int32_t frames_max, sis_live_error* error);

// ---------------------------------------------------------------------------- the worker

/** Compiles what is waiting, for a tenth of a second or so, frees what is left. Returns whether there
 * was anything. Where there is no worker thread a host calls it from one thread of its own, every few
 * milliseconds. [main] */
bool sis_live_work(sis_live* live);

/** Compiles every key of the scene at this velocity, 1 .. 127 (0: all velocities), as far as memory
 * allows; the worker does it in its spare time. [any] */
void sis_live_prepare(sis_live* live, int32_t velocity);

/** How many compiled notes wait for being played, and how many are still to come of those that
 * sis_live_prepare has asked for, at most. [any] */
void sis_live_prepared(const sis_live* live, int32_t* ready, int32_t* to_come);

// ---------------------------------------------------------------------------- sound

typedef enum sis_live_kind {
    SIS_LIVE_MIDI,       ///< bytes[0 .. 2]: one channel message
    SIS_LIVE_SYSEX,      ///< data, size: with or without F0 and F7; MIDI tuning is understood
    SIS_LIVE_NOTE_ON,    ///< channel, key, value 0 .. 1, note
    SIS_LIVE_NOTE_OFF,   ///< channel, key, note; -1 of any of them means all
    SIS_LIVE_NOTE_CHOKE, ///< the same, silent at once
    SIS_LIVE_BEND,       ///< value in semitones, of the notes of channel, key, note (-1: all)
    SIS_LIVE_PRESSURE,   ///< value 0 .. 1, the same
    SIS_LIVE_TIMBRE,     ///< value 0 .. 1, the same: as controller 74
    SIS_LIVE_KNOB,       ///< index, value
    SIS_LIVE_PANIC,      ///< controllers 120 and 121 on all channels: all notes end at once
} sis_live_kind;

typedef struct sis_live_event {
    int32_t frame; ///< of the block; events are in this order
    uint8_t kind;
    uint8_t bytes[3];
    int16_t channel, key; ///< 0 .. 15, 0 .. 127
    int32_t note;         ///< the host's number of the note; -1: it has none
    int32_t index;
    double value;
    const uint8_t* data; ///< valid during the call
    size_t size;
} sis_live_event;

typedef struct sis_live_block {
    int32_t frames;
    float* out[2];      ///< [frames] left and right; NULL: not wanted
    const float* in[2]; ///< [frames] sound from outside; NULL: silence
    const sis_live_event* events;
    int32_t event_count;
    float* const*
        probes;          ///< [probe_count] rows of [frames], each may be NULL; NULL: none is wanted
    int32_t probe_count; ///< the first so many of sis_live_probe_at
} sis_live_block;

/** Plays the next frames. [audio] Every value that leaves is finite. Events out of order or of no
 * sense are counted and left out. `in` may be the same memory as `out`. A block of no frames takes
 * its events (256 of them at most) to the first frame of the next one. */
void sis_live_run(sis_live* live, const sis_live_block* block);

/** Offline rendering: sis_live_run waits for notes to be compiled, there is no guard. Set between
 * two blocks. [any] */
void sis_live_offline(sis_live* live, bool offline);

/** All sound ends at once; tuning, knobs and scene stay. [any] */
void sis_live_panic(sis_live* live);

/** Gain factor of the sound, reached within 20 ms. [any] */
void sis_live_gain(sis_live* live, double gain);

/** Guard, limiter and DC blocker of the options, from the next block on. [any] */
void sis_live_protect(sis_live* live, bool guard, bool limiter, bool dc_blocker);

/** `peak` of the options, for the scene that plays and those to come; 0: measured. [main] */
void sis_live_set_peak(sis_live* live, double peak);

/** What it is now: as set, or as measured. [main] 0: there is no scene. */
double sis_live_peak(const sis_live* live);

/** Numbers of notes (sis_live_event.note >= 0) that have ended since the last call, at most `room`.
 * [audio] */
int32_t sis_live_ended(sis_live* live, int32_t* notes, int32_t room);

/** Knobs that MIDI controllers have moved (play{ cc = ... }) since the last call, and where they stand
 * now, at most `room`; for hosts that show them. sis_live_knob_at has their values too. Controllers
 * of single notes of an MPE zone move none. [audio] */
int32_t sis_live_moved(sis_live* live, int32_t* knobs, double* values, int32_t room);

// ---------------------------------------------------------------------------- fingers
//
// With sis_live_options.fingers the scene does not sound by itself: no plucks, blows, strokes or
// velocities of its own, its bodies at rest under their weight. Knobs move it, and fingers touch it:
// soft tips that press bodies aside, slide along them and let go. One state sounds for as long as it
// moves, then it makes no steps until it is moved again. Params are compiled anew as ever, and the
// state goes on where the layout allows.

/** Finger i touches a body and holds its tip `press` m below where the body rests there; from the
 * next block on. [any] `body` is a number of sis_system_body; x and y are metres along a string and
 * on a plate, x the number 1, 2, ... of a place of a modal body. The tip comes down from above at the
 * speed of a finger and slides to a new place; < 0 pulls a string up, from below; NaN for `press`
 * lifts it at once, which is a pluck.
 * Of a mass it takes hold, by a spring, and takes it to u = press. A body that is not touched now is
 * touched after the one before was let go. Places are held to the body (on a string beside a bridge
 * at its end), `press` to 5 % of its length, 1 cm of a modal body, 1 m of a mass; any other value
 * that makes no sense, and bodies that are driven, lift the finger. */
void sis_live_finger(sis_live* live, int32_t finger, int32_t body, double x, double y,
                     double press);

/** How many bodies and links the scene itself has; those that fingers added come after them. [main]
 * 0: there is no scene. */
void sis_live_own(const sis_live* live, int32_t* bodies, int32_t* links);

// ---------------------------------------------------------------------------- what it tells

struct sis_system;
struct sis_state;

/** The voice that is shown, the newest that sounds (with fingers, the one there is): for its shapes,
 * contacts and energies by the functions of sistrum.h. [audio] Valid until the next sis_live_run.
 * False: there is none. */
bool sis_live_look(const sis_live* live, const struct sis_system** system,
                   const struct sis_state** state);

typedef struct sis_live_status {
    double peak[2];    ///< largest value since the last call
    double rms[2];     ///< of the last 0.3 s
    double load;       ///< of the deadline, mean of the last 0.3 s
    double load_max;   ///< since the last call
    double limited;    ///< dB that the limiter takes away, largest since the last call
    double residual;   ///< of the energy balance, largest of the voices that sound; NaN: no audit
    double stored;     ///< J, of all voices
    int32_t voices;    ///< that sound
    int32_t fading;    ///< that fade away: stolen, choked, of a scene before
    int32_t keys;      ///< that are down
    int32_t waiting;   ///< notes whose sound is being compiled
    int32_t touching;  ///< contact points that touch, of all voices; 0: no audit
    uint64_t stolen;   ///< voices that were faded for a later note
    uint64_t guarded;  ///< voices that the guard faded
    uint64_t failed;   ///< voices that were ended because they gave no finite number
    uint64_t late;     ///< notes that began late
    uint64_t left_out; ///< events that the scene has no use for
    uint64_t wrong;    ///< events that make no sense
    uint64_t limited_frames; ///< frames that the limiter held
    double late_ms;          ///< by how much the last of them was late
    uint64_t frames;         ///< played so far
    uint32_t loads;          ///< scenes taken over so far
    uint32_t generation;     ///< changes with every change of knobs that is heard
} sis_live_status;

/** [any] Every "since the last call" is of one caller. */
void sis_live_status_read(sis_live* live, sis_live_status* status);

/** The sentence of the last thing that failed in the worker (a value of a param that the scene
 * refuses); "": none. Copies at most `room` bytes. Returns how often something failed. [main] */
uint32_t sis_live_trouble(sis_live* live, char* text, size_t room);

/** Version of the format of sis_live_save. */
enum { SIS_LIVE_FORMAT = 1 };

#ifdef __cplusplus
}
#endif
#endif
