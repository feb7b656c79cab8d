// What the files of the scene loader share. Not installed.
//
// Lua leaves a C function by longjmp when something is wrong, so nothing here may hold memory
// across a call into Lua: definitions, curves and height functions live in userdata (Lua frees
// them), the scene and the params hang on the script from the moment they exist.
#ifndef SISTRUM_LOADER_H
#define SISTRUM_LOADER_H

#include <lauxlib.h>
#include <lua.h>

#include "budget.h"
#include "script.h"
#include "suggest.h"

#if defined(__GNUC__)
#define SIS_LIKE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SIS_LIKE_PRINTF(text, first)
#endif

// The source name Lua sees; sis_loader_explain puts the real one in its place, at any length.
#define SIS_SOURCE "[scene]"

/** A param as it is kept: texts of fixed size, so that one array is all there is to free. */
typedef struct sis_kept_param {
    char name[64], label[128], unit[32];
    double value, fallback, min, max;
    bool logarithmic;
    int line; // of the scene
} sis_kept_param;

/** An input as it is kept. */
typedef struct sis_kept_input {
    char name[64], label[128], unit[32];
    double value, fallback, min, max;
    double smooth; // s
    bool trigger;
    sis_id id; // in the scene
} sis_kept_input;

/** A field that follows an input: scale * input + offset; or the trigger of an object. */
typedef struct sis_kept_follower {
    char key[32]; // of the core
    sis_id object;
    int32_t input; // of the script
    double scale, offset;
} sis_kept_follower;

enum { SIS_FOLLOWERS_MOST = 16 }; // of one object

/** Names that play{}, or one of its courses, gave; "": not given. */
typedef struct sis_kept_names {
    char pitch[64], velocity[64], gate[64];
} sis_kept_names;

/** What play{} said, with the names it gave; they are looked up when the scene has run. */
typedef struct sis_kept_play {
    sis_play play;
    sis_gestures gestures;
    sis_course courses[SIS_PLAY_MOST_COURSES];
    sis_kept_names names, course_names[SIS_PLAY_MOST_COURSES];
    char pressure[64], bend[64], cc[SIS_PLAY_CONTROLLERS][64], sound[2][64];
    int line;
    bool given;
} sis_kept_play;

/** A value that preset{} gives, by the name it was given under. */
typedef struct sis_kept_value {
    char name[64];
    double value;
} sis_kept_value;

/** A preset as it is kept; its settings are filled in when the scene has run. */
typedef struct sis_kept_preset {
    char name[64];
    int line;               // of the scene
    sis_kept_value* values; // [count], in the order of their names
    sis_setting* settings;  // [count], in the order of the scene
    int32_t count;
} sis_kept_preset;

enum { SIS_PRESETS_MOST = 64 }; // of one scene

/** The Lua side of a script: how the scene is loaded, and how its height functions are called. */
typedef struct sis_loader {
    sis_script* script; // it belongs to
    lua_State* lua;     // NULL: not opened yet, or not needed any more
    const sis_setting* settings;
    int32_t setting_count;
    sis_limits limits;
    size_t memory;                // bytes held by Lua now
    int refusals;                 // of memory so far
    bool text_too_big;            // the last refusal was for one string
    bool starved;                 // the machine had none when Lua last asked for more
    uint64_t work, next_look;     // done, and when to look at the clock again
    uint64_t most_work;           // that may be done now
    double most_seconds;          // s of CPU time
    double wall_start, cpu_start; // s
    int32_t points;               // of envelopes and lists so far
    int32_t profiles;             // height functions so far
    bool finished;                // the scene has run: from now on only heights are read
    uint64_t heights_work;        // that costly calls of height functions took so far,
    double heights_seconds;       // s, and their CPU time
    int last_line;                // seen by the hook, for errors that tell no line
    int line;                     // where the error came from; 0: unknown
    const char* word;             // that is making an object: "mass"; NULL: none
    char object[128];             // what it makes: "mass 'ball'"
    char key[64];                 // of it that is being read; "": none
    sis_kept_follower followers[SIS_FOLLOWERS_MOST]; // of the object that is being made
    int32_t follower_count;
    int height_line;          // where the last height that failed did so,
    sis_id height_of;         // and the barrier it belongs to
    sis_script_status status; // of the error being raised
    const char* text;         // of the scene, without its head; NULL once it is loaded
    size_t left;              // bytes of it
} sis_loader;

struct sis_script {
    sis_scene* scene;
    sis_kept_param* params; // [param_count]
    int32_t param_count, param_room;
    sis_kept_input* inputs; // [input_count]
    int32_t input_count, input_room;
    sis_kept_follower* followers; // [follower_count]
    int32_t follower_count, follower_room;
    sis_kept_play play;
    sis_kept_preset* presets; // [SIS_PRESETS_MOST], NULL: there are none
    int32_t preset_count;
    char name[240]; // of the scene in sentences
    int32_t* lines; // [line_room]: where each object was made
    int32_t line_room;
    sis_loader loader;
};

/** What a word returns: a full userdata of this shape. */
typedef struct sis_handle {
    sis_id id;
    sis_kind kind;
} sis_handle;

/** What input{} returns, scaled and shifted: a full userdata of this shape. Its user value is the
 * function of a place that is added to it, where `profile` is set, or the envelope that it
 * multiplies, where `curve` is. */
typedef struct sis_input_value {
    int32_t input; // of the script
    double scale, offset;
    bool profile, curve;
} sis_input_value;

// budget.c: memory, time and work
void sis_loader_allow(sis_loader* loader, uint64_t work, double seconds); // from now on
double sis_loader_seconds(const sis_loader* loader);                      // of CPU time since then
void* sis_loader_allocate(void* data, void* block, size_t old_size, size_t new_size);
void sis_loader_spend(lua_State* L, uint64_t work); // raises an error when it was too much
void sis_loader_watch(lua_State* L);                // installs the hook that spends instructions

// sandbox.c: the names a scene can use
void sis_loader_open(lua_State* L);       // leaves the table of globals on the stack
void sis_loader_open_names(lua_State* L); // the same without the words that make a scene
// Leaves the globals of files of the library: those of a scene as they were before it changed them.
void sis_loader_open_library(lua_State* L);

// table.c: table.* and pairs, bounded and in a reproducible order
void sis_loader_open_table(lua_State* L); // leaves the table library on the stack
int sis_loader_pairs(lua_State* L);
int sis_loader_next(lua_State* L);

// use.c: files of the library; what they and the scene are parsed with
// Leaves the function that the text is on the stack.
void sis_loader_parse(lua_State* L, const char* text, size_t size, const char* name);
int sis_loader_use(lua_State* L);

// words.c: mass, contact, ...
void sis_loader_open_words(lua_State* L);               // into the table on top of the stack
sis_handle* sis_loader_handle(lua_State* L, int index); // NULL: no body
bool sis_loader_is_word(const char* name);
sis_id sis_loader_add(lua_State* L, sis_kind kind, const void* def); // to the scene, with its line
_Noreturn void sis_loader_refuse_error(lua_State* L, const sis_error* error);
void sis_loader_check_open(lua_State* L,
                           const char* word); // raises an error in a function of a place
// The keys of the table at 1 are among `keys`, or whole numbers up to `places`; `misuse` is said of
// other values (NULL: that they have no key).
void sis_loader_check_keys(lua_State* L, const char* word, const char* const* keys, int count,
                           int places, const char* misuse);

// param.c
int sis_loader_param(lua_State* L);
int32_t sis_loader_find_param(const sis_script* script, const char* name); // -1: there is none
bool sis_loader_settings_known(const sis_loader* loader, sis_script_error* error);

// preset.c
int sis_loader_preset(lua_State* L);
bool sis_loader_presets_known(sis_script* script, sis_script_error* error); // and what they may set
void sis_loader_free_presets(sis_script* script);

// input.c
int sis_loader_input(lua_State* L);
void sis_loader_open_inputs(lua_State* L); // into the table on top of the stack
int32_t sis_loader_find_input(const sis_script* script, const char* name); // -1: there is none
sis_input_value* sis_loader_input_value(lua_State* L, int index); // NULL: it follows no input
const sis_kept_input* sis_loader_kept_input(lua_State* L, const sis_input_value* value);

// follow.c: fields that follow inputs
// A value of `key` that follows an input becomes what it is at the start. `field` leads the key.
void sis_loader_follow(lua_State* L, const sis_field* field, const char* key, int index,
                       const void* def);
void sis_loader_fill_trigger(lua_State* L, const sis_field* field, int index, sis_id* place);
void sis_loader_bind(lua_State* L, sis_id object); // once it is in the scene

// spell.c: the keys of a scene
const char* sis_loader_key(const sis_field* field); // as a scene writes the field
bool sis_loader_leads(const sis_field* field);      // it is the first field of its key
const sis_field* sis_loader_field(sis_kind kind, const char* name); // row of the schema
void sis_loader_fill_key(lua_State* L, const sis_field* field, void* def);

// field.c: one Lua value into one field of a definition
void sis_loader_fill(lua_State* L, const sis_field* field, int index, void* def);
void sis_loader_expect_number(lua_State* L, const char* word, const char* key, const char* unit,
                              int index);
void sis_loader_check_number(lua_State* L, const char* word, const char* key, double value,
                             double min, double max, const char* unit);
const char* sis_loader_check_text(lua_State* L, const char* word, const char* key, int index);

// list.c: tables of numbers
bool sis_loader_is_pair(lua_State* L, int index); // a table of just two elements
int32_t sis_loader_count(lua_State* L, const char* word, const char* key, const char* expected,
                         const char* elements, int index); // of a table; raises unless it is a list
void sis_loader_fill_envelope(lua_State* L, const sis_field* field, int index, void* def);
void sis_loader_fill_list(lua_State* L, const sis_field* field, int index, void* def);
void sis_loader_check_pairs(lua_State* L, const sis_contact_def* def); // {x, y} are on plates

// modes.c: the table of a modal body
void sis_loader_fill_modes(lua_State* L, const char* expected, int index, sis_modal_def* def);

// height.c: functions of a place that sis_compile calls
void sis_loader_fill_profile(lua_State* L, const sis_field* field, int index, void* def);
void sis_loader_name_profile(sis_kind kind, const void* def, sis_id id); // once it is in the scene

// say.c: sentences
sis_loader* sis_loader_of(lua_State* L);
_Noreturn void sis_loader_refuse(lua_State* L, const char* format, ...) SIS_LIKE_PRINTF(2, 3);
_Noreturn void sis_loader_starve(lua_State* L);       // the machine has no memory
void sis_loader_check_stack(lua_State* L, int slots); // there are so many; raises an error if not
_Noreturn void sis_loader_mismatch(lua_State* L, const char* word, const char* key,
                                   const char* expected, int index);
void sis_loader_begin(lua_State* L, const char* word); // an object, from the table at index 1
void sis_loader_about(lua_State* L, const char* name); // the name of that object
void sis_loader_key_is(lua_State* L, const char* key); // the key that is read from now on
void sis_loader_end(lua_State* L);                     // the object is made
int sis_loader_line(lua_State* L);      // of the scene that is running now; 0: unknown
int sis_loader_note_line(lua_State* L); // message handler
void sis_loader_explain(lua_State* L, const sis_loader* loader, int lua_status, const char* name,
                        sis_script_error* error);
void sis_loader_tell(sis_script_error* error, sis_script_status status, const char* name, int line,
                     const char* sentence); // "name:line: sentence", clean

/** Text that grows in a fixed buffer and is cut off at its end. */
typedef struct sis_sentence {
    char text[1024];
    size_t length;
} sis_sentence;

void sis_say(sis_sentence* sentence, const char* format, ...) SIS_LIKE_PRINTF(2, 3);
void sis_say_value(sis_sentence* sentence, lua_State* L, int index); // "number 3", "mass 'm'"

// play.c: the table; play_names.c: are its names those of params and inputs, once the scene has
// run? If not, `why` says it
int sis_loader_play(lua_State* L);
bool sis_loader_play_known(sis_script* script, const char** key, sis_sentence* why);

// Says what the error on top of the stack means; its line, 0: unknown.
int sis_say_reason(sis_sentence* sentence, lua_State* L, const sis_loader* loader, int lua_status);

/** A number as a physicist writes it: 1e11, 44100, 1e-3. */
typedef struct sis_digits {
    char text[32];
} sis_digits;

sis_digits sis_number_text(double value);

#endif
