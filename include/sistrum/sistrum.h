/** @file sistrum.h
 * Sistrum: sound made by collisions. The whole public interface, in the order of the flow:
 *
 *   scene (what exists) --sis_compile--> system (constant) --sis_step--> probes and energy
 *                                        state (what moves, the caller's memory)
 *
 * Tags: [setup] may allocate and may fail with one sentence in `error`; [audio] is bounded in time,
 * takes no lock, no memory and makes no system call, and never fails; [any] only reads its
 * arguments. Nothing here is global: two systems at two sample rates may run in two threads, and
 * one system may be stepped by many threads, each with its own state.
 *
 * All quantities are SI. Displacement u points up. A contact has a body above and a body below; its
 * penetration is eta = u_below - u_above - gap, and its force f > 0 pushes the two apart.
 */
#ifndef SISTRUM_SISTRUM_H
#define SISTRUM_SISTRUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIS_VERSION "0.14.0"

/** The version of the library that was linked, "major.minor.patch". [any] Static text. */
const char* sis_version(void);

// ---------------------------------------------------------------------------- errors

/** An object of a scene. Ids are given in order of appearance, one series for all kinds. */
typedef int32_t sis_id;
#define SIS_NONE   ((sis_id)-1) ///< no object: the value of a failed add
#define SIS_GROUND ((sis_id)-2) ///< the fixed point a spring may be tied to
#define SIS_ALL    ((sis_id)-3) ///< every body, where a list of bodies is asked for

/** What kind of thing went wrong. */
typedef enum sis_status {
    SIS_OK = 0,
    SIS_BAD_VALUE, ///< a number, name or reference is missing, not a number or out of its range
    SIS_REFUSED,   ///< every value is fine alone, the combination cannot work
    SIS_NO_MEMORY, ///< out of memory
} sis_status;

/** Why a [setup] function failed: one sentence with object, key, value, unit and what would work.
 *  Every `error` argument may be NULL. Its texts are clean (sis_clean), whatever the names are. */
typedef struct sis_error {
    sis_status status;
    char text[512];
    sis_id object; ///< what it is about; SIS_NONE: the whole scene, or what was not added
    char key[32];  ///< of that object, such as "length"; "": no key in particular
} sis_error;

/** A copy of `text` that can be printed anywhere: valid UTF-8 on one line, cut at a whole character
 *  where `room` bytes end it. Line breaks become spaces; other control characters, characters that
 *  turn the direction of writing or have no width, and bytes that are no UTF-8 become U+FFFD. [any]
 *  Returns how many bytes the whole copy has, without its end; `clean` may be NULL when room is 0.
 */
size_t sis_clean(const char* text, char* clean, size_t room);

// ---------------------------------------------------------------------------- scene: definitions

/** What an id stands for. */
typedef enum sis_kind {
    SIS_KIND_MASS,
    SIS_KIND_STRING,
    SIS_KIND_PLATE,
    SIS_KIND_MODAL,
    SIS_KIND_BARRIER,
    SIS_KIND_CONTACT,
    SIS_KIND_SPRING,
    SIS_KIND_BOW,
    SIS_KIND_FORCE,
    SIS_KIND_PLUCK,
    SIS_KIND_GRAVITY,
    SIS_KIND_PROBE,
    SIS_KIND_RENDER,
    SIS_KIND_INPUT,
    SIS_KIND_COUNT
} sis_kind;

/** A curve: count points {time s, value}, linear between, both ends held. Times must increase. */
typedef struct sis_envelope {
    const double* points; ///< time, value, time, value, ...; copied by the add
    int32_t count;        ///< points, that is half the numbers; 0: no envelope
} sis_envelope;

/** Plain numbers, such as the places of frets. */
typedef struct sis_list {
    const double* values; ///< copied by the add
    int32_t count;        ///< 0: not given
} sis_list;

/** Objects of the scene, such as the bodies that gravity pulls. */
typedef struct sis_objects {
    const sis_id* ids; ///< copied by the add
    int32_t count;     ///< 0: not given
} sis_objects;

/** A function of a place in metres, such as the height of a bridge or the velocity of a string:
 *  `value` along a string, `over` on a plate; both NULL: no profile. Called by sis_compile and by
 *  nothing else, at the places it needs. False: it has no value there, and `error` says why. What
 *  `context` points to must outlive the last compile; compile such a scene in one thread at a time
 *  unless the function says otherwise. */
typedef struct sis_profile {
    bool (*value)(void* context, double x, double* out, sis_error* error);
    void* context;
    bool (*over)(void* context, double x, double y, double* out, sis_error* error);
} sis_profile;

/** How the two ends of a string are held. */
typedef enum sis_ends { SIS_ENDS_SUPPORTED, SIS_ENDS_CLAMPED } sis_ends;

/** How a string is made discrete. */
typedef enum sis_string_model {
    SIS_STRING_FD,        ///< explicit finite differences
    SIS_STRING_IMPLICIT,  ///< the family with parameter gamma of Bilbao 2014
    SIS_STRING_TRAPEZOID, ///< the unconditionally stable scheme of Bilbao 2014
    SIS_STRING_MODAL,     ///< a sum of modes
} sis_string_model;

/** How a plate is made discrete. */
typedef enum sis_plate_model { SIS_PLATE_FD, SIS_PLATE_MODAL } sis_plate_model;

/** How the force of a bow is found. */
typedef enum sis_bow_method {
    SIS_BOW_NEWTON, ///< on the friction curve, to rounding, keeping to its branch
    SIS_BOW_LINEAR, ///< the curve's chord at the last velocity: no iteration, first order
} sis_bow_method;

/** Which gamma an implicit string takes when no number is given. */
typedef enum sis_gamma_rule {
    SIS_GAMMA_OPTIMAL, ///< gamma_* of Bilbao 2014
    SIS_GAMMA_TUNED,   ///< the one that also cancels the next order of detuning
} sis_gamma_rule;

/** What a large amplitude does to the tension. */
typedef enum sis_nonlinear { SIS_LINEAR, SIS_KIRCHHOFF_CARRIER } sis_nonlinear;

/** An initial shape. */
typedef enum sis_pluck_shape {
    SIS_PLUCK_TRIANGLE,
    SIS_PLUCK_RAISED_COSINE,
    SIS_PLUCK_MODE
} sis_pluck_shape;

/** The potential of a contact, with t = alpha + 1. */
typedef enum sis_law {
    SIS_LAW_ONE_SIDED,      ///< K/t [eta]_+^t
    SIS_LAW_TWO_SIDED,      ///< K/t |eta|^t
    SIS_LAW_CENTRE_LIMITED, ///< K/t [|u_below - u_above| - gap]_+^t: free play of +-gap
} sis_law;

/** How a law becomes a force for one sample. */
typedef enum sis_scheme {
    SIS_SCHEME_AS_GIVEN = -1,   ///< in sis_options only: each contact keeps its own
    SIS_SCHEME_LEDGER = 0,      ///< converged, in 1 to 2 powers typically; passive, never adhesive
    SIS_SCHEME_QUADRATISED = 1, ///< Ducceschi and Bilbao 2019, Willemsen 2019
    SIS_SCHEME_NEWTON = 2,      ///< Bilbao 2014: conservative implicit scheme, safeguarded Newton
    SIS_SCHEME_EXACT = 3,       ///< exact contact flow between kicks of all other forces
    SIS_SCHEME_ROOT = 4,        ///< quadratic-root family with parameter s, Ducceschi 2017
    // A mass on a wall, integrated as Papetti, Avanzini and Rocchesso 2011 do, and our own:
    SIS_SCHEME_AM1 = 5,       ///< one-step Adams-Moulton (trapezoid), Newton
    SIS_SCHEME_VERLET = 6,    ///< velocity Verlet
    SIS_SCHEME_HEUN = 7,      ///< the paper's predictor-corrector
    SIS_SCHEME_RK4 = 8,       ///< fourth-order Runge-Kutta
    SIS_SCHEME_INVARIANT = 9, ///< Runge-Kutta held on the first integral of Hunt-Crossley
    SIS_SCHEME_COUNT
} sis_scheme;

/** Where the potential is sampled: mean of phi at two samples, or phi at the mean of two samples.
 */
typedef enum sis_potential { SIS_POTENTIAL_MEAN, SIS_POTENTIAL_MIDPOINT } sis_potential;

/** Which part of a string the stop of a contact tunes: the stop is then placed so that this part
 *  ends where it says. */
typedef enum sis_sounding { SIS_SOUNDING_NONE, SIS_SOUNDING_RIGHT, SIS_SOUNDING_LEFT } sis_sounding;

/** Time course of an external force. */
typedef enum sis_force_shape {
    SIS_FORCE_RAISED_COSINE, ///< peak/2 (1 - cos 2 pi t/width), then 0
    SIS_FORCE_HALF_COSINE,   ///< peak/2 (1 - cos pi t/width), then 0
    SIS_FORCE_IMPULSE,       ///< peak is in N s, given in one sample
    SIS_FORCE_CONSTANT,      ///< peak for `width` seconds; NaN width: for ever
    SIS_FORCE_ENVELOPE,      ///< peak times `envelope` at t - start
} sis_force_shape;

/** What a probe reads. */
typedef enum sis_quantity {
    SIS_QUANTITY_DISPLACEMENT, ///< u^n, m
    SIS_QUANTITY_VELOCITY,     ///< (u^{n+1} - u^{n-1})/2k, m/s
    SIS_QUANTITY_FORCE,        ///< f^n, N, loss included; of a body the sum over its contacts
    SIS_QUANTITY_PENETRATION,  ///< largest eta^n, m; of a centre-limited contact |eta| - gap
} sis_quantity;

// In every definition NaN means "not given": a required number left out is a sentence, not a zero.
// Units, ranges and defaults are the rows of src/scene/schema.def; sis_schema() lists them.

typedef struct sis_mass_def {
    const char* name;
    double mass;       // kg
    double frequency;  // Hz, of its own spring to u = 0; or
    double stiffness;  // N/m
    double damping;    // 1/s, R of u'' + R u' + w0^2 u = F/M
    double position;   // m, initial u
    double velocity;   // m/s, initial u'
    sis_envelope path; // m over s: a prescribed motion, the mass is then driven
    sis_id trigger;    // an input whose blows start the path again
} sis_mass_def;

typedef struct sis_string_def {
    const char* name;
    double length;           // m
    double tension;          // N; or
    double frequency;        // Hz, what it rings at first: the tension follows
    double density;          // kg/m; or
    double material_density; // kg/m^3, with radius
    double radius;           // m, sets the area and I = pi r^4/4; NaN: no stiffness
    double youngs;           // Pa
    double sigma0;           // 1/s
    double sigma1;           // m^2/s
    sis_envelope t60;        // {frequency Hz, s} at two frequencies: time to fall by 60 dB
    sis_ends ends;
    sis_string_model model;
    double gamma; // implicit: > -1; NaN: by gamma_rule
    sis_gamma_rule gamma_rule;
    bool tuned;    // corrected stiffness (modal: exact frequencies); false: the published scheme
    int32_t modes; // modal: how many; 0: all that are stable
    sis_nonlinear nonlinear;
    int32_t segments; // intervals of the grid; 0: as many as are stable
    double bend;      // factor of its frequency: the tension is bend^2 times as large
} sis_string_def;

typedef struct sis_plate_def {
    const char* name;
    double length, width;    // m, along x and along y
    double thickness;        // m
    double material_density; // kg/m^3
    double youngs;           // Pa; 0: a membrane
    double poisson;
    double tension; // N/m
    double sigma0;  // 1/s
    double sigma1;  // m^2/s
    sis_ends edge;
    sis_plate_model model;
    int32_t modes;                  // modal: how many, from the lowest; 0: all that are stable
    int32_t segments_x, segments_y; // intervals of the grid; 0: as many as are stable
    bool tuned;                     // fd: partials corrected; false: the published scheme
} sis_plate_def;

/** Any body, given by its modes. Its places are numbered 1, 2, ...; shape[mode * points + place -
 * 1] is how much of the mode moves there. */
typedef struct sis_modal_def {
    const char* name;
    sis_list frequency; // Hz, one a mode
    sis_list sigma;     // 1/s, one a mode; none: no loss
    sis_list mass;      // kg, one a mode
    sis_list shape;     // one a mode and place; none: 1 at the only place
    int32_t points;     // places
} sis_modal_def;

typedef struct sis_barrier_def {
    const char* name;
    double height;       // m; or
    sis_profile profile; // m over m
    sis_list at;         // m along the string: points; or
    double from, to;     // m: distributed over this range; NaN: to the end of the string
    double from_y, to_y; // m, under a plate: these are corners of an area
} sis_barrier_def;

typedef struct sis_contact_def {
    const char* name;
    sis_id above, below; // masses, strings, plates, modal bodies or barriers
    sis_list at;         // places: one point of contact each; or one for each side. m along a
                         // string, x and y (two numbers) on a plate, the number of a modal body's
    sis_list at_above, at_below;
    double K; // N/m^alpha at a point; N/m^(alpha + 1) along a range, N/m^(alpha + 2) over an area
    double alpha;          // >= 1
    int32_t interpolation; // order at points of a string: 0, 1 or 3
    sis_law law;
    double gap;     // m
    double damping; // s/m, mu of f = phi'(eta) (1 + mu eta')
    sis_scheme scheme;
    bool release; // quadratised only: the release rule and the no-adhesion pass
    sis_potential potential;
    double s;       // root only: the free parameter
    bool clamp;     // root only: go on where the root is complex, with its real part; energy breaks
                    // there
    bool corrected; // am1, verlet, heun, rk4: depth held to its maximum, exit speed set to the
                    // exact one
    sis_sounding sounding; // a stop: which part of the string it tunes
} sis_contact_def;

typedef struct sis_spring_def {
    const char* name;
    sis_id a, b;           // masses, strings, plates, modal bodies or SIS_GROUND
    double at_a, at_b;     // m along a string or plate; the place of a modal body
    double at_a_y, at_b_y; // m, plates
    bool rigid;            // no elongation at all
    double K1;             // N/m
    double K3;             // N/m^3
    double damping;        // N s/m
} sis_spring_def;

typedef struct sis_bow_def {
    const char* name;
    sis_id on;                   // string, plate, modal body or mass
    double at, at_y;             // as of a force
    double force;                // N; or
    sis_envelope force_curve;    // N over s
    double velocity;             // m/s; or
    sis_envelope velocity_curve; // m/s over s
    double curve;                // s^2/m^2, a of the friction curve sqrt(2a) v exp(-a v^2 + 1/2)
    sis_bow_method method;
    sis_id trigger; // an input whose blows start both curves again
} sis_bow_def;

typedef struct sis_force_def {
    const char* name;
    sis_id on;   // mass, string, plate or modal body
    double at;   // m along a string or plate; the place of a modal body
    double at_y; // m, plates
    sis_force_shape shape;
    double peak;  // N, or N s for an impulse
    double width; // s
    double start; // s
    sis_envelope envelope;
    sis_id trigger; // an input whose blows start the shape again
} sis_force_def;

typedef struct sis_pluck_def {
    const char* name;
    sis_id on; // string, plate or modal body
    sis_pluck_shape shape;
    double at, at_y;              // m, of the peak; at_y on a plate
    double height;                // m; NaN: no shape, the body starts flat
    double width;                 // m, raised cosine: full width
    int32_t mode;                 // 1, 2, ...; on a plate the number of half waves along x, with
    int32_t mode_y;               // .. those along y, or by itself the mode's number
    sis_profile profile;          // m over m: the shape as a function
    double velocity;              // m/s, of all points; or
    sis_profile velocity_profile; // m/s over m
} sis_pluck_def;

typedef struct sis_gravity_def {
    const char* name;
    double g;       // m/s^2, towards -u
    sis_objects on; // masses, strings, plates, or SIS_ALL; none: all masses
} sis_gravity_def;

typedef struct sis_probe_def {
    const char* name;
    sis_id on;   // mass, string, plate, modal body, barrier, contact, spring or bow
    double at;   // m along a string or plate; the place of a modal body
    double at_y; // m, plates
    sis_quantity quantity;
    int32_t channel; // 1, 2, ...; 0: not given
    double gain;
} sis_probe_def;

typedef struct sis_render_def {
    const char* name;
    double rate;        // Hz
    int32_t oversample; // steps per sample
    double duration;    // s
    const char* title;
    bool normalise; // scale the WAV to a peak of -1 dBFS
} sis_render_def;

/** A number that the player moves while it sounds. Fields of other objects follow it by
 *  sis_scene_bind, and shapes, paths and curves start again by their `trigger`. */
typedef struct sis_input_def {
    const char* name;
    double value;      // where it starts
    double min, max;   // whatever it is given is held to this range, for which compile proves
                       // that the scene is stable
    const char* unit;  // for knobs
    const char* label; // for knobs
    double smooth;     // s, in which it reaches a new value along a straight line; 0: at once
    bool trigger;      // its values are blows: it may be the `trigger` of others only
} sis_input_def;

/** Definitions with every default filled in. [any] */
sis_mass_def sis_mass_default(void);
sis_string_def sis_string_default(void);
sis_plate_def sis_plate_default(void);
sis_modal_def sis_modal_default(void);
sis_barrier_def sis_barrier_default(void);
sis_contact_def sis_contact_default(void);
sis_spring_def sis_spring_default(void);
sis_bow_def sis_bow_default(void);
sis_force_def sis_force_default(void);
sis_pluck_def sis_pluck_default(void);
sis_gravity_def sis_gravity_default(void);
sis_probe_def sis_probe_default(void);
sis_render_def sis_render_default(void);
sis_input_def sis_input_default(void);

// ---------------------------------------------------------------------------- scene: the schema

/** How a field of a definition is written and checked. */
typedef enum sis_field_type {
    SIS_FIELD_NUMBER,   ///< double
    SIS_FIELD_INTEGER,  ///< int32_t
    SIS_FIELD_FLAG,     ///< bool
    SIS_FIELD_WORD,     ///< enum, one of the words
    SIS_FIELD_TEXT,     ///< const char*
    SIS_FIELD_OBJECT,   ///< sis_id
    SIS_FIELD_ENVELOPE, ///< sis_envelope
    SIS_FIELD_LIST,     ///< sis_list
    SIS_FIELD_PROFILE,  ///< sis_profile
    SIS_FIELD_OBJECTS,  ///< sis_objects
} sis_field_type;

/** One field of one definition: everything a loader, a checker or a manual needs to know of it. */
typedef struct sis_field {
    sis_kind kind;   ///< the word of the scene language it belongs to
    const char* key; ///< as written in a scene
    sis_field_type type;
    size_t offset;     ///< in the definition struct
    bool required;     ///< must be given
    double fallback;   ///< the default of a number, integer, flag or word; NaN: none
    double min, max;   ///< inclusive range of a number or integer
    const char* unit;  ///< "" for pure numbers
    const char* words; ///< "one-sided|two-sided|..." in the order of the enum, else ""
    const char* doc;   ///< one sentence
} sis_field;

/** The rows of the schema; `*count` receives how many. [any] Static memory. */
const sis_field* sis_schema(int32_t* count);

/** Whether a field may follow an input while it sounds: sis_scene_bind. [any] */
bool sis_field_live(const sis_field* field);

/** The word of the scene language for a kind: "mass", "contact", ... [any] Static text. */
const char* sis_kind_word(sis_kind kind);

/** How places on bodies of a kind are given. */
typedef enum sis_places {
    SIS_PLACES_NONE,   ///< it has none: it moves as a whole, or it is no body that moves
    SIS_PLACES_NUMBER, ///< the number of one of its places: 1, 2, ...
    SIS_PLACES_LINE,   ///< metres along it
    SIS_PLACES_AREA,   ///< metres along x and y
} sis_places;

/** Whether the kind is one of bodies that move, and how places on them are given. [any] */
bool sis_kind_moves(sis_kind kind);
sis_places sis_kind_places(sis_kind kind);

/** The word for a scheme: "ledger", ... [any] Static text; "" when there is no such scheme. */
const char* sis_scheme_word(sis_scheme scheme);

/** On which sides a law acts: SIS_LAW_ONE_SIDED, SIS_LAW_TWO_SIDED or SIS_LAW_CENTRE_LIMITED, which
 *  are powers. [any] */
sis_law sis_law_sides(sis_law law);

// ---------------------------------------------------------------------------- scene: building

typedef struct sis_scene sis_scene;

/** An empty scene. [setup] The caller frees it. NULL: no memory. */
sis_scene* sis_scene_new(void);

/** Frees a scene; NULL is fine. Systems compiled from it live on. [setup] */
void sis_scene_free(sis_scene* scene);

/** Adds an object; everything in the definition is copied. [setup]
 *  SIS_NONE and a sentence when a value is missing, out of range, or refers to the wrong thing;
 *  the scene is then unchanged. Render may be added once. */
sis_id sis_scene_add_mass(sis_scene* scene, const sis_mass_def* def, sis_error* error);
sis_id sis_scene_add_string(sis_scene* scene, const sis_string_def* def, sis_error* error);
sis_id sis_scene_add_plate(sis_scene* scene, const sis_plate_def* def, sis_error* error);
sis_id sis_scene_add_modal(sis_scene* scene, const sis_modal_def* def, sis_error* error);
sis_id sis_scene_add_barrier(sis_scene* scene, const sis_barrier_def* def, sis_error* error);
sis_id sis_scene_add_contact(sis_scene* scene, const sis_contact_def* def, sis_error* error);
sis_id sis_scene_add_spring(sis_scene* scene, const sis_spring_def* def, sis_error* error);
sis_id sis_scene_add_bow(sis_scene* scene, const sis_bow_def* def, sis_error* error);
sis_id sis_scene_add_force(sis_scene* scene, const sis_force_def* def, sis_error* error);
sis_id sis_scene_add_pluck(sis_scene* scene, const sis_pluck_def* def, sis_error* error);
sis_id sis_scene_add_gravity(sis_scene* scene, const sis_gravity_def* def, sis_error* error);
sis_id sis_scene_add_probe(sis_scene* scene, const sis_probe_def* def, sis_error* error);
sis_id sis_scene_add_render(sis_scene* scene, const sis_render_def* def, sis_error* error);
sis_id sis_scene_add_input(sis_scene* scene, const sis_input_def* def, sis_error* error);

/** Lets a field follow an input while it sounds: the field becomes scale * input + offset. [setup]
 *  `key` names a field of the object that sis_schema marks live; "at" of a contact is its one
 *  place, "at_y", "at_above_y" and "at_below_y" the second number of places on plates; "path" of a
 *  mass drives it; "height" of a barrier with a profile is added to that; "force" and "velocity"
 *  of a bow whose definition has the envelope (force_curve, velocity_curve) multiply it: it becomes
 *  envelope(t) * (scale * input + offset). Else what the definition said of the field is replaced.
 *  False: error says why: a key that is not live, a range of the input
 *  that takes the field out of its own, a field that follows an input already. */
bool sis_scene_bind(sis_scene* scene, sis_id object, const char* key, sis_id input, double scale,
                    double offset, sis_error* error);

/** The same for a loader that works from sis_schema(): `def` is the definition of `kind`. [setup]
 */
sis_id sis_scene_add(sis_scene* scene, sis_kind kind, const void* def, sis_error* error);

/** Size of the definition of a kind, and the same defaults as above into `def`. [any] */
size_t sis_def_size(sis_kind kind);
void sis_def_default(sis_kind kind, void* def);

/** How many objects there are; kind and name of one. [any] The text lives as long as the scene. */
int32_t sis_scene_count(const sis_scene* scene);
sis_kind sis_scene_kind(const sis_scene* scene, sis_id id);
const char* sis_scene_name(const sis_scene* scene, sis_id id);

/** The definition of an object, as it was added and as sis_scene_bind left it, into `def`
 *  (sis_def_size bytes of its kind). [any] What it points to lives as long as the scene. False:
 *  there is no such object. */
bool sis_scene_get(const sis_scene* scene, sis_id id, void* def);

/** A field that follows an input: sis_scene_bind. The text lives as long as the scene. */
typedef struct sis_bound {
    sis_id object, input;
    const char* key;
    double scale, offset;
} sis_bound;

/** How many there are, and the i-th, in order of sis_scene_bind. [any] Zero-filled when i is out of
 *  range. */
int32_t sis_scene_bound_count(const sis_scene* scene);
sis_bound sis_scene_bound_at(const sis_scene* scene, int32_t i);

/** The object of that kind and name, or SIS_NONE. [any] Names are unique within a kind. */
sis_id sis_scene_find(const sis_scene* scene, sis_kind kind, const char* name);

/** The run the scene asks for: its render object, or the defaults. [any] Texts live with the scene.
 */
sis_render_def sis_scene_render(const sis_scene* scene);

// ---------------------------------------------------------------------------- system

typedef struct sis_system sis_system;

/** How to compile. */
typedef struct sis_options {
    double rate;       // Hz, of the steps: what the scene renders at times its oversampling
    sis_scheme scheme; // SIS_SCHEME_AS_GIVEN, or one scheme for all contacts
    bool unaudited; // do not record the work of forces and losses: faster; supplied, dissipated and
                    // residual are then NaN
    int32_t lanes;  // numbers that kernels take side by side: 1, 2, 4 or 8; 0: as many as the CPU
                    // can. The results have the same bits
} sis_options;

/** The options a scene asks for. [any] */
sis_options sis_options_default(const sis_scene* scene);

/** Compiles a scene into a system: proves the stability margins, lays out the state, finds the
 * blocks of contacts that must be solved together, and computes the first step. [setup] The caller
 * frees it; constant from then on. NULL: cannot be proved stable or a scheme cannot work where it
 * is asked for, and why. */
sis_system* sis_compile(const sis_scene* scene, const sis_options* options, sis_error* error);

/** Frees a system; NULL is fine. [setup] */
void sis_system_free(sis_system* system);

/** Steps per second. [any] */
double sis_system_rate(const sis_system* system);

/** One output. Texts live as long as the system. */
typedef struct sis_probe_info {
    const char* name;
    const char* on; ///< name of the object it reads
    sis_quantity quantity;
    const char* unit;
    int32_t channel; ///< 1, 2, ...; 0: data only
    double gain;     ///< applied for sound, not in data
} sis_probe_info;

/** One body. */
typedef struct sis_body_info {
    const char* name;
    sis_kind kind;
    bool driven;
    double frequency; ///< Hz, of its own spring; a string: its first partial, exact; 0: none
    double margin;    ///< the energy of the body is positive while this is > 0; mass: 1 - (w k/2)^2
    int32_t points;   ///< where its shape can be read: 1 for a mass, segments + 1 for a string,
                      ///< (segments + 1)(segments_y + 1) for a plate, row by row along x
    // Strings only; a modal string has the grid that its distributed contacts sit on.
    sis_string_model model;
    sis_ends ends;
    sis_nonlinear nonlinear;
    bool tuned;
    int32_t segments;
    int32_t modes;      ///< modal
    double length;      ///< m
    double h_over_hmin; ///< grid spacing over the least stable one; 1 where there is no such limit
    double gamma;       ///< implicit
    double tension;     ///< N
    double density;     ///< kg/m
    double stiffness;   ///< N m^2, EI
    double used;        ///< N m^2, EI' that the scheme runs with
    double sigma0, sigma1;
    // Plates: length, segments, tension, density (kg/m^2), stiffness (N m), modes as above, and
    sis_plate_model plate_model;
    double width;       ///< m
    int32_t segments_y; ///< along the width
    // Strings on a grid, as their scheme runs with them:
    double mirror; ///< u beyond an end over u before it: -1 supported, 1 a published clamp
    double sigma0_used, sigma1_used;
} sis_body_info;

/** One contact or spring. */
typedef struct sis_link_info {
    const char* name;
    sis_kind kind; ///< SIS_KIND_CONTACT, SIS_KIND_SPRING or SIS_KIND_BOW
    const char* above;
    const char* below;
    sis_scheme scheme; ///< contacts only
    int32_t points;    ///< points of contact
    bool distributed;  ///< along a range or over an area: K is a density
    double weight;     ///< m or m^2, length or area that a point stands for; 1 (no unit) at points
    int32_t block;     ///< of its first point: points of one block are solved together
    int32_t block_size;
    double compliance; ///< m/N, how far one newton for one step parts the two bodies in that step
    double mass;       ///< kg, relative mass of its two ends, as one step sees it
    sis_law law;       ///< contacts: the law and its numbers
    sis_potential potential;
    double gap; ///< m
    double K, alpha,
        mu;     ///< springs: K1, infinite when rigid; bows: largest force N, a of the curve
    double s;   ///< root
    bool clamp; ///< root
} sis_link_info;

/** How many, and the i-th, in order of appearance. [any] Zero-filled info when i is out of range.
 */
int32_t sis_system_probe_count(const sis_system* system);
sis_probe_info sis_system_probe(const sis_system* system, int32_t i);
int32_t sis_system_body_count(const sis_system* system);
sis_body_info sis_system_body(const sis_system* system, int32_t i);
int32_t sis_system_link_count(const sis_system* system);
sis_link_info sis_system_link(const sis_system* system, int32_t i);

/** Where the j-th point of a body is, m from its left end; 0 for a mass. Of a plate the place along
 *  x; the one along y is j / (segments + 1) * width / segments_y. [any] */
double sis_system_place(const sis_system* system, int32_t body, int32_t j);

/** The p-th partial (1, 2, ...) of a string, of a modal body (as given) or of a supported plate
 *  without losses: what its model
 *  rings at and what the body itself would, Hz. Of a plate the p-th lowest. [setup] False: there is
 * no such partial. */
bool sis_system_partial(const sis_system* system, int32_t body, int32_t p, double* rings,
                        double* exact);

/** One point of a contact. */
typedef struct sis_contact_point {
    double at_above, at_below; ///< m along the body on that side; NaN: it has no places
    double y_above, y_below;   ///< m, across plates; else NaN
    double height;             ///< m, of the barrier there; NaN: there is none
} sis_contact_point;

/** The j-th point of the i-th link. [any] */
sis_contact_point sis_system_contact_point(const sis_system* system, int32_t link, int32_t j);

/** One input. Texts live as long as the system. */
typedef struct sis_input_info {
    const char* name;
    const char* unit;  ///< "": none
    const char* label; ///< "": none
    double value;      ///< where it starts; 0 of a trigger
    double min, max;
    double smooth; ///< s
    bool trigger;
} sis_input_info;

/** How many inputs there are, and the i-th, in order of appearance; its number by its name, -1:
 *  there is none. [any] Zero-filled info when i is out of range. */
int32_t sis_system_input_count(const sis_system* system);
sis_input_info sis_system_input(const sis_system* system, int32_t i);
int32_t sis_system_input_find(const sis_system* system, const char* name);

/** Bytes the compiled system holds itself. [any] */
size_t sis_system_size(const sis_system* system);

// ---------------------------------------------------------------------------- state

typedef struct sis_state sis_state;

/** Bytes of a state of this system: a multiple of 64. [any] */
size_t sis_state_size(const sis_system* system);

enum { SIS_STATE_ALIGN = 64 }; ///< bytes; aligned_alloc(SIS_STATE_ALIGN, sis_state_size(system))

/** Turns the caller's memory (sis_state_size bytes, aligned to SIS_STATE_ALIGN) into the state
 * before sample 0. [audio] The caller owns the memory. The state holds no pointer: memcpy saves and
 *  restores it. NULL: there is no memory, or it is not aligned. */
sis_state* sis_state_init(const sis_system* system, void* memory);

/** What is wrong with memory that is to become a state; NULL: nothing. [any] Static text. */
const char* sis_state_wrong(const sis_system* system, const void* memory);

/** Whether memory of sis_state_size bytes holds a state of this system, as after loading it from a
 *  file: NULL, or what is wrong. A state belongs to every compile of the same scene with the same
 *  options by the same version. Damage is not seen: a file has a check sum. [any] Static text. */
const char* sis_state_foreign(const sis_system* system, const void* memory);

/** How often sis_step was asked to advance this state with a system that is not its own. [any]
 *  NULL: 0. */
uint64_t sis_state_refused(const sis_state* state);

/** Energies in joules at the half sample (n + 1/2) after the last row n written. */
typedef struct sis_energy {
    double kinetic;
    double elastic;  ///< springs, strings
    double contact;  ///< held in contacts
    double supplied; ///< work of forces, gravity and driven bodies since the start
    double dissipated;
    double total;    ///< kinetic + elastic + contact
    double residual; ///< total - initial total - supplied + dissipated: rounding only
} sis_energy;

/** What one sis_step writes. Arrays are the caller's; NULL: not wanted. */
typedef struct sis_block {
    int32_t frames; ///< samples to advance, >= 0
    double* probes; ///< [frames][probe_count]: row n is the time n/rate; row 0 the initial state
    sis_energy* energy;   ///< [frames]: at (n + 1/2)/rate
    const double* inputs; ///< [frames][input_count]: row n is the time n/rate; NULL: all keep their
                          ///< value. Of a trigger: a blow, or 0 for none
} sis_block;

/** Advances by block->frames samples. [audio] The results do not depend on how the samples are cut
 *  into blocks. A state of another system is refused: probes are 0, energies NaN, the state stays
 * as it is but for the count of sis_state_refused. NULL for a pointer does nothing. */
void sis_step(const sis_system* system, sis_state* state, const sis_block* block);

/** How many parts the system can be stepped in at the same time: groups of bodies that no contact,
 *  spring or bow joins, each with enough work for a thread; at most 64. 1: all of it is one part.
 *  Follows from the scene alone. [any] NULL: 0. */
int32_t sis_system_parts(const sis_system* system);

/** Threads of the host, lent for one call. `run` calls work(data, i) once for every i < count, in
 *  any threads and any order, and returns when all of these calls have returned. What one of them
 *  wrote must then be visible to whoever called `run`, and what was written before to all of them:
 *  an atomic counter or a queue does both. */
typedef struct sis_threads {
    void* self;
    void (*run)(void* self, int32_t count, void (*work)(void* data, int32_t i), void* data);
} sis_threads;

/** sis_step in several threads: the same bits for any number of them, or none. [audio] `run` is
 *  called once for a block, or once for 64 frames where energies are asked for, if the system has
 *  more than one part; else, and where `threads` is NULL, the calling thread does it all. */
void sis_step_threads(const sis_system* system, sis_state* state, const sis_block* block,
                      const sis_threads* threads);

/** Advances `count` states, state i of system i by block i: one sis_step each, in that order.
 *  [audio] For studies of parameters and for many voices. Systems may be the same one; arrays of
 *  blocks may not overlap. NULL for a list does nothing, NULL in one passes over that state. */
void sis_step_batch(const sis_system* const* systems, sis_state* const* states,
                    const sis_block* blocks, int32_t count);

/** What the i-th input is held at: the last value it was given, which it reaches after `smooth`
 *  seconds. [audio] 0: a trigger, no such input, not its system. */
double sis_state_input(const sis_system* system, const sis_state* state, int32_t i);

/** Gives the i-th input a value from the next sample on, as a row of inputs would; of a trigger, a
 *  blow. [audio] Before the first sample it starts there, without smoothing. Rows, where a block has
 *  them, come after it. A value outside the range is held to
 *  it, NaN leaves the input where it is; both are counted. */
void sis_state_input_set(const sis_system* system, sis_state* state, int32_t i, double value);

/** How many values of the i-th input were no number or outside of its range. [any] */
uint64_t sis_state_input_clamped(const sis_system* system, const sis_state* state, int32_t i);

/** Turns a running state of `before` into one of `system`: another compile of the same scene with
 *  other parameters, of the same size and layout. [audio] What the new constants do to the stored
 *  energy is recorded as supplied, so that the balance stays closed; inputs keep their values, held
 *  to their new ranges. Its memory must be as large as sis_state_size of both. False: error says what differs (another grid, another number of contacts,
 *  another rate), and the state is as it was: fade to a new one instead. */
bool sis_state_adopt(const sis_system* system, const sis_system* before, sis_state* state,
                     sis_error* error);

/** Samples done so far: rows written. [any] */
uint64_t sis_state_samples(const sis_state* state);

/** The energies now. [audio] Before the first sample: those of the start. NaN: not its system. */
sis_energy sis_state_energy(const sis_system* system, const sis_state* state);

/** Puts the state to sleep if it holds at most `below` joules and nothing can give it any more: all
 *  forces are over, driven masses at the end of their paths, and there is no bow and no gravity.
 *  [audio] True: it sleeps. What it held is recorded as dissipated; from then on sis_step does no
 *  work: probes are 0, energies stay, shapes and reports are those of the last sample. Only
 *  sis_state_init, or memcpy of another state, wakes it. */
bool sis_state_sleep(const sis_system* system, sis_state* state, double below);

/** Whether it does. [any] NULL: no. */
bool sis_state_sleeps(const sis_state* state);

/** The energy balance of a run, over all the energies it is given. Begins as {0}. */
typedef struct sis_balance {
    double highest; ///< J, largest total
    double flowed;  ///< J, largest of total, |supplied| and dissipated
    double off;     ///< J, largest |residual|
} sis_balance;

/** Adds the energies of `count` samples. [audio] */
void sis_balance_add(sis_balance* balance, const sis_energy* energies, int32_t count);

/** The largest residual relative to what flowed, `residual_max` of reports; 0: nothing did. NaN:
 * not audited. [any] */
double sis_balance_residual(const sis_balance* balance);

/** The shape of body i at the last row written (before the first sample: at the start), m, into
 *  u[points]. [audio] */
void sis_state_shape(const sis_system* system, const sis_state* state, int32_t body, double* u);

/** Penetration eta (m, negative: open) and force (N) at each point of link i at the last row.
 *  Arrays of `points`; NULL: not wanted. [audio] */
void sis_state_contact(const sis_system* system, const sis_state* state, int32_t link,
                       double* penetration, double* force);

/** What a contact or spring has been through so far, over all its points. */
typedef struct sis_link_report {
    double max_penetration;   ///< m
    double max_force;         ///< N, of a point
    double min_force;         ///< N; < 0: it pulled
    double trapped_max;       ///< J, largest energy held by points open and giving no force
    uint64_t contact_samples; ///< samples in which any point is inside the potential
    uint32_t points_max;      ///< points inside at once
    uint64_t iterations;      ///< Newton steps of blocks and of scheme newton, all samples together
    uint64_t iterated_samples; ///< samples that needed any
    uint64_t unconverged;      ///< samples in which the search for the force did not converge
    uint32_t iterations_max;   ///< in one sample
    uint32_t powers_max;       ///< x^alpha evaluations in one sample
    double lowest;             ///< J, least energy held: root with s > 1 may go below 0
    double lowest_bound;       ///< J, root: below this it cannot go
    uint64_t complex_roots;    ///< root: samples without a real root
    uint64_t first_complex;    ///< the first of them, and
    double discriminant;       ///< its discriminant, relative to its terms
    uint64_t impacts;          ///< am1 ... invariant: impacts that have ended
    double drift_max;          ///< largest |exit energy/exact exit energy - 1| of an impact
    double drift_sum;          ///< sum of (exit energy/exact exit energy - 1) over the impacts
    uint64_t diverged;         ///< am1 ... rk4: samples that left more than 4 times the energy
    uint64_t first_diverged;   ///< the first of them, and
    double growth;             ///< how many times the energy there was it left
} sis_link_report;

/** Report on the i-th link. [audio] */
sis_link_report sis_state_link(const sis_system* system, const sis_state* state, int32_t i);

// ---------------------------------------------------------------------------- closed forms of an
// impact

/** A mass meets a wall: m x'' = -K x^alpha (1 + mu x'), x(0) = 0, x'(0) = speed (Hunt and
 * Crossley). All the functions give NaN where a number is infinite, NaN or out of its range, and
 * where their arithmetic would overflow or underflow: speed outside 1e-100 to 1e100, mu above
 * 1e100, mu speed above 1e15, (alpha + 1) mass/K outside 1e-80 to 1e80. */
typedef struct sis_impact {
    double mass;  // kg
    double K;     // N/m^alpha
    double alpha; // >= 1
    double mu;    // s/m, >= 0
    double speed; // m/s, > 0, at first touch
} sis_impact;

/** Compression at velocity v during the contact, -exit speed <= v <= speed, m. [any] NaN outside.
 */
double sis_impact_depth(const sis_impact* impact, double v);

/** The largest compression, m. [any] */
double sis_impact_max_depth(const sis_impact* impact);

/** Speed at which it leaves the wall, m/s, exact to rounding for every mu speed. [any] */
double sis_impact_exit_speed(const sis_impact* impact);

/** The fit of Papetti, Avanzini and Rocchesso 2011, eqs. 7 and 8 (coefficients corrected): at
 * most 2.05 % off, at mu speed = 3. [any] */
double sis_impact_exit_speed_fit(const sis_impact* impact);

/** Restitution: exit speed over speed. [any] */
double sis_impact_restitution(const sis_impact* impact);

/** How long the contact lasts, s, by quadrature with the end-point singularities removed. [any] */
double sis_impact_duration(const sis_impact* impact);

/** Largest K k^2/M for which `root` with parameter s has real roots in every state of a contact
 * with alpha = 1: infinity, 1/(s(s-1)) for s > 1, or the bound of entry for 1/2 <= s < 1 (one-sided
 * and centre-limited laws only). NaN for s < 1/2. [any] */
double sis_root_limit(double s, sis_law law);

#ifdef __cplusplus
}
#endif
#endif
