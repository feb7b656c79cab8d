/** @file script.h
 * Scenes written in Lua 5.4: reads a scene file in a sandbox and builds a sis_scene from it.
 *
 *   scene.lua --sis_script_load--> script (its scene, its params) --sis_compile--> ...
 *
 * Tags as in sistrum.h: [setup] may allocate and may fail with one sentence in `error`; [any] only
 * reads its arguments. Nothing here is global: scenes may be loaded in several threads at once.
 *
 * Where the height of a barrier is a function of the scene, sis_compile calls it. So keep the
 * script until its scene is compiled for the last time, and compile it in one thread at a time;
 * systems do not need the script any more:
 *
 *   load script, compile any number of times at any rates, free script, step systems, free systems
 *
 * A scene cannot reach files, the clock or other programs. Its memory, its running time and the
 * number of things it makes are limited, so that loading any file at all ends, soon, with a scene
 * or with a sentence, and so does compiling it. A height that fails makes sis_compile fail with
 * "barrier 'bridge': height(0.25) returned nil; ...", and sis_script_locate tells the file and the
 * line. The language is described in docs/scenes.md.
 */
#ifndef SISTRUM_SCRIPT_H
#define SISTRUM_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sistrum/sistrum.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A value the user chose for a param or an input of the scene: --set NAME=VALUE. */
typedef struct sis_setting {
    const char* name;
    double value;
} sis_setting;

/** What kind of thing went wrong, and with it the exit code of the program. */
typedef enum sis_script_status {
    SIS_SCRIPT_OK = 0,
    SIS_SCRIPT_WRONG,   ///< the scene is unreadable, wrong or refused: exit code 3
    SIS_SCRIPT_SETTING, ///< a setting names no param or input, or is out of its range: exit code 2
    SIS_SCRIPT_NO_MEMORY, ///< the machine has no memory left: exit code 1
} sis_script_status;

/** Why a scene could not be loaded or compiled: one clean line (sis_clean), such as "scene.lua:7:
 * mass 'ball': unknown key 'mas' ...", and what it says by itself. */
typedef struct sis_script_error {
    sis_script_status status;
    char text[1024];
    int32_t line;     ///< of the file; 0: none in particular
    char object[128]; ///< "mass 'ball'", "mass" when it has no name yet; "": none in particular
    char key[64];     ///< of that object; "": none in particular
} sis_script_error;

/** A number the scene lets its user change. Texts live as long as the script. */
typedef struct sis_param {
    const char* name;
    const char* label; ///< the name when the scene gives no label
    const char* unit;  ///< "" for pure numbers
    double value;      ///< in this script: the setting if there was one, else the fallback
    double fallback;   ///< what the scene uses when nothing is set
    double min, max;   ///< inclusive; -INFINITY, INFINITY where the scene gives no bound
    bool logarithmic;  ///< equal steps of a knob are equal ratios; min > 0 then
} sis_param;

/** A number that moves while the scene sounds, beside its params. It is an object of the scene;
 * rows of inputs of a block are in this order. Texts live as long as the script. */
typedef struct sis_input {
    const char* name;
    const char* label; ///< the name when the scene gives no label
    const char* unit;  ///< "" for pure numbers
    double value;      ///< where it starts: the setting if there was one, else the fallback
    double fallback;   ///< where it starts when nothing is set; 0 of a trigger
    double min, max;   ///< inclusive
    double smooth;     ///< s, in which it reaches a new value
    bool trigger;      ///< its values are blows
    sis_id id;         ///< in the scene
} sis_input;

/** A field of an object that follows an input, scale * input + offset, or its trigger. */
typedef struct sis_follower {
    sis_id object;
    const char* key; ///< as of sis_scene_bind; "trigger"
    int32_t input;   ///< which
    double scale, offset;
} sis_follower;

/** At most so many notes may sound at a time, whatever play{} asks for. */
#define SIS_PLAY_MOST_VOICES 256

/** How notes play a scene: what its play{} says. A note sets one param to its pitch, one to where
 * its velocity 0 .. 1 falls between min and max, along the scale of that param. What it moves while
 * it sounds is in sis_gestures. */
typedef struct sis_play {
    int32_t pitch;    ///< which param, in Hz; -1: notes do not set one
    int32_t velocity; ///< which param; -1: notes do not set one
    int32_t voices;   ///< how many notes sound at a time, 1 .. SIS_PLAY_MOST_VOICES
    double tail;      ///< dB: a voice ends when its stored energy is so far below its maximum
    double release;   ///< s: after its end a note fades by 60 dB in this time; NaN: it rings on
} sis_play;

/** At most so many strings of one instrument, and so many controllers of a channel. */
enum { SIS_PLAY_MOST_COURSES = 32, SIS_PLAY_CONTROLLERS = 128 };

/** Which notes share a state. */
typedef enum sis_play_mode {
    SIS_PLAY_VOICES, ///< none: each has its own
    SIS_PLAY_KEYS,   ///< those of one key: it is struck again
    SIS_PLAY_MONO,   ///< all: one state, legato
} sis_play_mode;

/** One string of an instrument with several: which keys it reaches, and its inputs. */
typedef struct sis_course {
    int32_t lowest, highest;       ///< MIDI keys
    int32_t pitch, velocity, gate; ///< inputs; -1: none
} sis_course;

/** What notes and controllers move while the scene sounds: inputs in order of appearance, -1: none.
 */
typedef struct sis_gestures {
    sis_play_mode mode;
    int32_t pitch;                    ///< Hz
    int32_t velocity;                 ///< 0 .. 1 into its range; of a trigger: a blow
    int32_t gate;                     ///< 1 while the key is down, then 0
    int32_t pressure;                 ///< 0 .. 127 into its range
    int32_t bend;                     ///< a factor of the frequency, or as its unit says
    double bend_range;                ///< semitones that the whole wheel bends
    int32_t cc[SIS_PLAY_CONTROLLERS]; ///< 0 .. 127 into its range; 64 is the pedal
    const sis_course* courses;        ///< [course_count], as the scene has them
    int32_t course_count;             ///< 0: pitch, velocity and gate above are those of all notes
    int32_t sound[2];                 ///< what sound from outside moves: left and right, or the one
    int32_t sound_count;              ///< 0: it takes no sound
} sis_gestures;

/** A set of values that the scene names: preset{ "Name", K = 1e7 }. Params and inputs in the order
 * of the scene, all of them possible; what it does not name is as the scene has it. Texts and
 * settings live as long as the script. */
typedef struct sis_preset {
    const char* name;
    const sis_setting* settings; ///< [count]
    int32_t count;
} sis_preset;

typedef struct sis_script sis_script;

/** Runs the scene in the file `path` with `count` settings (later ones of the same name win).
 * [setup] The caller frees the script. NULL: `error`, which may be NULL, says why. */
sis_script* sis_script_load(const char* path, const sis_setting* settings, int32_t count,
                            sis_script_error* error);

/** The same for a scene in memory: `size` bytes of text, `name` stands for the file in errors.
 *  [setup] The text need not end in NUL and is not kept. */
sis_script* sis_script_load_text(const char* text, size_t size, const char* name,
                                 const sis_setting* settings, int32_t count,
                                 sis_script_error* error);

/** Frees a script with its scene and the functions in it; NULL is fine. Systems compiled from the
 *  scene live on; it cannot be compiled any more. [setup] */
void sis_script_free(sis_script* script);

/** The scene; more may be added to it before it is compiled. [any] Owned by the script. */
sis_scene* sis_script_scene(const sis_script* script);

/** What sentences call the file: the end of its path. [any] Lives as long as the script. */
const char* sis_script_name(const sis_script* script);

/** The line of the file in which a word made the object. [any] 0: the file did not make it. */
int32_t sis_script_line(const sis_script* script, sis_id object);

/** What an error of sis_compile, or of the scene by other hands, says of the file: its sentence
 * with "scene.lua:7: " in front, the object and the key as the scene spells it. [any] */
void sis_script_locate(const sis_script* script, const sis_error* error, sis_script_error* located);

/** How many params there are, and the i-th in order of appearance. [any] Zero-filled when i is out
 *  of range. */
int32_t sis_script_param_count(const sis_script* script);
sis_param sis_script_param(const sis_script* script, int32_t i);

/** The same of inputs, and of the fields that follow them. [any] */
int32_t sis_script_input_count(const sis_script* script);
sis_input sis_script_input(const sis_script* script, int32_t i);
int32_t sis_script_follower_count(const sis_script* script);
sis_follower sis_script_follower(const sis_script* script, int32_t i);

/** How many presets there are, and the i-th in order of appearance. [any] Zero-filled when i is out
 *  of range. */
int32_t sis_script_preset_count(const sis_script* script);
sis_preset sis_script_preset(const sis_script* script, int32_t i);

/** How notes play the scene. [any] NULL: it has no play{}. Lives as long as the script. */
const sis_play* sis_script_play(const sis_script* script);

/** What they move while it sounds. [any] NULL: it has no play{}. Lives as long as the script. */
const sis_gestures* sis_script_gestures(const sis_script* script);

/** Whether a run without notes strikes the i-th input, once with 1 at its start: a trigger that
 * play{} names as velocity; any trigger where there is no play{}. [any] */
bool sis_script_strikes(const sis_script* script, int32_t i);

#ifdef __cplusplus
}
#endif
#endif
