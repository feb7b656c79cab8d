// What the steps of sis_compile share while a scene becomes a system.
#ifndef SIS_PLAN_H
#define SIS_PLAN_H

#include "scene/scene.h"
#include "sistrum/elementary.h"
#include "step/system.h"

static const double PI = 3.14159265358979323846;
// Grids are kept this far from the limit of stability, where z = -1 is a double root.
static const double LEAST_MARGIN = 1e-6;

static inline double square(double x) {
    return x * x;
}

// The steps of sis_compile, in order; false: error says why.
typedef struct compile_plan {
    const sis_scene* scene;
    const sis_options* options;
    sis_system* system;
    sis_id object;                // that is being compiled, for errors; SIS_NONE: all of them
    body_spec** spec;             // of each object of the scene; NULL: it is no body
    int32_t shared[GROUP_STRING]; // free masses, driven masses
    double* Dinv;                 // m/N, of each degree of freedom of a diagonal body
    double* velocity;             // initial, of each degree of freedom
    double* position;
    double* lower_bound; // m, lower bound of strings, of each chunk of points
    network_link* links; // in order of appearance
    double* eta;         // eta^0 of each
    int32_t made_count;  // links so far
    sis_id* linked;      // the contact, spring or bow of each group of links
    sis_id* pulled;      // of each object: 1 + the last gravity that has pulled it
    int32_t* part_of;    // part of each degree of freedom
    int32_t* input_of;   // number of each object that is an input
    int32_t* hand_of; // of each contact whose gap, or barrier whose height, follows an input: the
                      // driven degree of freedom that moves it; -1: none
    struct placed_end* places; // ends whose places follow inputs
    int32_t place_count;
    double* kept_Dinv; // Dinv in the system, once one of those needs it
    sis_arena arena;   // gone after compile
} compile_plan;

// A place of an object that follows inputs (compile/live_places.c).
typedef struct placed_end {
    sis_id object;
    struct live_place* place;
} placed_end;

// Adds the objects of the scene in order of appearance, each by the function of its kind, if there
// is one.
typedef bool (*object_adder)(compile_plan* plan, sis_id id, const void* def, sis_error* error);
bool sis_add_objects(compile_plan* plan, const object_adder add[SIS_KIND_COUNT], sis_error* error);
// In the system: the name of an object; a curve, or a constant as one (NaN: no curve).
const char* sis_keep_name(compile_plan* plan, sis_id id, sis_error* error);
bool sis_keep_curve(compile_plan* plan, sis_envelope curve, double constant, sis_envelope* copy,
                    sis_error* error);

// ---------------------------------------------------------------------------- stages

// Inputs of the scene (compile/live.c).
bool sis_compile_inputs(compile_plan* plan, sis_error* error);
// The number that a field of an object follows; not bound: `constant` for ever. And the input that
// triggers.
live_number sis_live_field(const compile_plan* plan, sis_id object, const char* key,
                           double constant);
int32_t sis_trigger_of(const compile_plan* plan, sis_id input);
// What it begins with.
double sis_live_start(const compile_plan* plan, live_number number);
// Whether it is a hand that follows this input: at the gap of a contact, the height of a barrier.
bool sis_needs_hand(const sis_binding* b);
// Whether a hand goes down by the gap of a contact, not up.
bool sis_hand_lowers(const compile_plan* plan, sis_id object);
// Adds the hand that moves a contact or barrier to one end of a link, by `weight`.
bool sis_hold_by_hand(compile_plan* plan, sis_id object, double weight, network_end* end,
                      sis_error* error);
// Constants that follow inputs, when all else is known.
typedef bool (*live_make)(compile_plan* plan, const sis_binding* binding, live_binding* b,
                          sis_error* error);
bool sis_make_live_K(compile_plan* plan, const sis_binding* binding, live_binding* b,
                     sis_error* error);
bool sis_make_live_damping(compile_plan* plan, const sis_binding* binding, live_binding* b,
                           sis_error* error);
bool sis_make_live_spring(compile_plan* plan, const sis_binding* binding, live_binding* b,
                          sis_error* error);
bool sis_make_live_place(compile_plan* plan, const sis_binding* binding, live_binding* b,
                         sis_error* error);
// Bytes of the copies that a call makes, from here on.
size_t sis_live_room(sis_system* system, size_t size);
// Blocks whose numbers move too: what a call copies of them.
bool sis_live_blocks(compile_plan* plan, sis_error* error);
bool sis_compile_live(compile_plan* plan, sis_error* error);
bool sis_compile_started(compile_plan* plan, sis_error* error); // when all else is done
// Bytes of the copies that a call makes; where they are.
size_t sis_live_room(sis_system* system, size_t size);
// Tensions of strings and plates (compile/live_tension.c). A range is cut into pieces at the
// tension that it begins with, and between: how many, and where.
enum { LIVE_NODES = 17 };
int32_t sis_tension_pieces(double low, double start, double top, double* tension);
bool sis_make_string_live(compile_plan* plan, const sis_binding* binding, live_binding* b,
                          sis_error* error);
bool sis_make_plate_live(compile_plan* plan, const sis_binding* binding, live_binding* b,
                         sis_error* error);
bool sis_compile_bodies(compile_plan* plan, sis_error* error);
// The body_groups of masses and driven masses.
bool sis_mass_groups(compile_plan* plan, sis_error* error);
// Forces, gravity and plucks: what bodies start with in plan->position and plan->velocity.
bool sis_compile_excitation(compile_plan* plan, sis_error* error);
// The point of a body at a place, with the weights that read and write it: `order` 0, 1 or 3
// between the nodes of a string. None of what does not move.
bool sis_compile_end(compile_plan* plan, sis_id id, sis_place at, int32_t order, network_end* end,
                     sis_error* error);
// The same of a contact, bow or probe: its place may follow inputs, and a stop may be put where the
// sounding part of its string ends.
bool sis_compile_place(compile_plan* plan, sis_id object, bool above, sis_id body, sis_place at,
                       int32_t order, sis_sounding sounding, network_end* end, sis_error* error);
bool sis_place_is_live(const compile_plan* plan, sis_id object, bool above);
// Only one place can follow an input.
bool sis_check_live_places(const compile_plan* plan, sis_id object, int32_t points,
                           sis_error* error);
bool sis_compile_links(compile_plan* plan, sis_error* error);
// Do impacts of such a contact owe a loss (contact/ledger.c)? Between bodies that move as a whole.
bool sis_contact_owes(const compile_plan* plan, const sis_contact_def* def, sis_scheme scheme);
// How a block is solved in the shape of its string, where it can be; after its G is made.
bool sis_compile_band(compile_plan* plan, network_block* block, sis_error* error);
// Does the place of one of its links move?
bool sis_block_slides(const sis_system* system, const network_block* block);
// Numbers of network_work.matrix and .panel that one of several blocks needs at most.
typedef struct block_scratch {
    size_t matrix, panel;
} block_scratch;

void sis_block_scratch(const network_block* block, block_scratch* most);
bool sis_compile_blocks(compile_plan* plan, const network_link* links, sis_error* error);
bool sis_compile_lines(compile_plan* plan, sis_error* error);
bool sis_compile_probes(compile_plan* plan, sis_error* error);
// Finds the parts, before links get their order: system->part_count and plan->part_of. And the part
// of a link.
bool sis_find_parts(compile_plan* plan, const network_link* links, sis_error* error);
int32_t sis_part_of_link(const compile_plan* plan, const network_link* link);
// What is in each of them, when all else is known.
bool sis_compile_parts(compile_plan* plan, sis_error* error);
// Moves what links remember to where their parts have it.
void sis_spread_parts(const sis_system* system, const state_view* view);
bool sis_compile_start(compile_plan* plan, sis_error* error);

// ---------------------------------------------------------------------------- for classes of
// bodies

// Makes a group of bodies one of masses or modes, each 0 still, and sets the i-th: mass kg, w
// rad/s, s 1/s; `exact`: it rings at just that.
mass_group* sis_modes_take(compile_plan* plan, int32_t bodies, bool modulated, sis_error* error);
void sis_modes_set(const mass_group* m, int32_t i, double mass, double w, double s, double k,
                   bool exact);
// A point that moves with all degrees of freedom of a body, its modes: mode i by `weight` of the
// place.
bool sis_modes_point(compile_plan* plan, const body_spec* spec, sis_place at,
                     double (*weight)(const body_spec* spec, int32_t i, sis_place at),
                     network_end* end, sis_error* error);
// Says that there are no such modes at this rate; `first` is what the first rings at, rad/s.
bool sis_modes_refuse(int32_t asked, int32_t stable, double first, double rate, sis_error* error);

// External forces act on all of a body in all samples.
void sis_force_all(sis_system* system, const body_spec* spec);

// The mean of sin(p pi x/L) over 0 .. L, and 2/L times its integral.
static inline double sis_sine_mean(int32_t p) {
    return p % 2 ? 2 / (p * PI) : 0;
}

static inline double sis_sine_flat(int32_t p) {
    return p % 2 ? 4 / (p * PI) : 0;
}

// What a pluck gives to a body: a shape in m, or a velocity in m/s.
typedef struct start_field {
    compile_plan* plan;
    const body_spec* spec;
    const sis_pluck_def* def;
    bool velocity;              // else the shape
    const sis_profile* profile; // NULL: a word, or one velocity for all points
    double* out;                // to add it to, from the first degree of freedom of the body on
    // Set by classes with places in metres: shape = "mode" at a place, and what it needs for that.
    double (*mode_at)(const struct start_field* start, sis_place at);
    const void* mode;
} start_field;

static inline bool sis_start_is_mode(const start_field* start) {
    return !start->velocity && !start->profile && start->def->shape == SIS_PLUCK_MODE;
}

// Its value at a place; its values at all nodes of a grid, of which `node` tells the degree of
// freedom, counted from the first of the group.
bool sis_start_value(const start_field* start, sis_place at, double* value, sis_error* error);
bool sis_start_grid(const start_field* start,
                    int32_t (*node)(const body_group* bodies, int32_t i, int32_t j),
                    sis_error* error);

// (2/L) int f sin(p pi x/L) dx from samples of f at 0, L/n, .. L (Filon). The rule has `each`
// intervals for each half wave of the highest mode, at least `least` and at most `most`; weights
// of the ends, of even and of odd samples for waves that turn by t from one to the next.
typedef struct filon {
    int32_t n;          // even
    const double* sine; // sin(pi j/n) for j < 2 n
} filon;
bool sis_filon_make(compile_plan* plan, int32_t highest, int32_t each, int32_t least, int32_t most,
                    filon* rule, sis_error* error);
double sis_filon_project(const filon* rule, const double* f, int32_t p);
void sis_filon_weights(double t, double weight[3]);

// The value of a profile at a place, at most `most` on either side of 0; `key` and `unit` are what
// a sentence calls it.
typedef struct profile_name {
    sis_kind kind;
    const char *name, *key, *unit;
    double most;
} profile_name;
bool sis_profile_value(const sis_profile* profile, sis_place at, profile_name called, double* value,
                       sis_error* error);

// ---------------------------------------------------------------------------- strings

bool sis_string_plan(compile_plan* plan, body_spec* spec, const void* def, sis_error* error);
bool sis_string_partials(const sis_system* system, const body_spec* spec, int32_t p, double* rings,
                         double* exact);
// Partials of strings without losses, rad/s: what the string does; 0: cannot be found.
double sis_string_partial(const string_spec* f, int32_t p);
// The p-th mode; the integrals of its square, and of the slopes of two modes.
string_mode sis_string_mode_of(const string_spec* f, int32_t p);
double sis_mode_square(const string_mode* mode);
double sis_mode_slopes(const string_mode* p, const string_mode* q);
// Integrals over a clamped mode: alone, times a tent with its peak 1 at x, times (1 + cos)/2 of
// this width about x, times samples at 0, L/n, .. L (with Filon's weights for its wave number).
double sis_mode_flat(const string_mode* mode);
double sis_mode_tent(const string_mode* mode, double x);
double sis_mode_bump(const string_mode* mode, double x, double width);
double sis_mode_samples(const string_mode* mode, const double* g, int32_t n,
                        const double weight[3]);
// sigma = sigma0 + sigma1 times this at w rad/s, 1/m^2.
double sis_string_loss_weight(const string_spec* f, double w);
// The losses with which the partials of a grid decay as they should. Clamps change what sigma1
// weighs from what wave numbers say: by `own` on the string, by `held` on the grid.
void sis_string_losses(string_spec* f, const sis_string_def* def, double k, double own,
                       double held);
// Ends with which a clamped grid rings as the string does; false: not on this grid.
bool sis_string_clamp(string_spec* f, const sis_string_def* def, double k, double rate);
// Where stops end it.
void sis_string_stops(const compile_plan* plan, string_spec* f);
// The mirrors of such ends at all pieces of the range of its tension; 0: they cannot be found.
int32_t sis_string_mirrors(const string_spec* f, double k, double rate, double* tension,
                           double* mirror);
string_group sis_string_constants(const string_spec* f, double k, double rate);
double sis_string_first_turn(const string_spec* f, const string_group* s); // rad per step
// How many modes of a grid of n points have a lambda (rad^2 per step^2, about) below this.
int32_t sis_string_below(const string_group* s, int32_t n, double lambda);

// ---------------------------------------------------------------------------- plates

// The lowest modes of a plate with supported edges, and how many.
int32_t sis_plate_modes(const plate_spec* f, int32_t room, plate_mode* modes);
// The grid asked for, or that of most points, tuned if it can be. A modal plate has one for
// pictures.
enum { PLATE_SIDE = 10000 }; // intervals at most
bool sis_plate_grid(compile_plan* plan, const sis_plate_def* def, plate_spec* f, sis_error* error);
// The tuning of its grid at another tension of its range, proved to be stable.
bool sis_plate_retune(compile_plan* plan, const plate_spec* f, double tension, plate_tuning* tuning,
                      sis_error* error);
// What the operator of a grid makes of X and Y; by how much its spacings could shrink.
double sis_plate_eigenvalue(const plate_tuning* t, double X, double Y);
double sis_plate_slack(const plate_spec* f, double k);

#endif
