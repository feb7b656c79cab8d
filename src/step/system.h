// The compiled scene. Immutable after compile; everything in its arena.
#ifndef SIS_SYSTEM_H
#define SIS_SYSTEM_H

#include "base/input.h"
#include "body/body.h"
#include "network/band.h"
#include "network/line.h"
#include "scene/body_class.h"

// An external force on one body.
typedef struct force_source {
    network_end end;
    sis_force_shape shape;
    double peak, start, width; // N (N s for an impulse), s, s
    uint64_t sample;           // of an impulse
    sis_envelope envelope;
    uint64_t from, until; // samples outside of which it is 0, with a few to spare
    live_number live;     // the peak, if it follows an input
    int32_t trigger;      // input whose blows start it again; -1: none
} force_source;

// The force at sample n, N.
double sis_source_value(const force_source* source, uint64_t n, double rate,
                        const input_state* inputs);
// Sets its first and last sample.
void sis_source_span(force_source* source, double rate);

// An output. Links are positions in block order.
typedef struct probe_reader {
    sis_quantity quantity;
    network_end end;    // the point of a body
    double height;      // displacement of a body that does not move
    int32_t link_count; // links summed (force) or compared (penetration)
    const int32_t* links;
    live_number gain; // of what it reads, if that follows an input
} probe_reader;

// All masses, all driven masses, then a group of bodies for each other body, kind by kind.
enum { GROUP_MASS, GROUP_DRIVEN, GROUP_STRING };

// What every kind of body says of itself; the specification of a kind begins with it. `plan` of its
// class sets what is asked for.
typedef struct body_spec {
    const body_class* class;
    sis_id id;
    int32_t group; // where its degrees of freedom are; -1: it has none of its own yet
    int32_t first; // .. and which of them are its own, counted from the first of the group
    // Asked for: degrees of freedom, and places before and behind them that are its own. With some
    // before, it begins a cache line.
    int32_t count, before, behind;
    bool meet;         // as of its group of bodies
    bool modulated;    // its tension grows
    double modulation; // N/m, K of that: force = K S on its column
    int32_t modes;     // weights that each point of it needs, to bound their memory; 0: a few
    // The grid that distributed contacts sit on, 0: none. The nodes 1 .. n - 1 of each axis move.
    int32_t nx, ny;
    double length, width; // m
    double hx, hy;        // m, between nodes: follow from these
} body_spec;

// Degree of freedom i of a body.
static inline int32_t sis_spec_dof(const body_group* body_groups, const body_spec* spec,
                                   int32_t i) {
    return body_groups[spec->group].first + spec->first + i;
}

// A mode of a string: see compile/string_modes.c.
typedef struct string_mode {
    int32_t p;
    bool clamped;
    double w, k1, k2, edge, half; // rad/s, 1/m, 1/m, -, m
} string_mode;

double sis_mode_at(const string_mode* mode, double x);

// A string: its own numbers, and those its model runs with.
typedef struct string_spec {
    body_spec spec;
    sis_string_model model;
    sis_ends ends;
    sis_nonlinear nonlinear;
    bool tuned, courant; // courant: waves go one segment a step
    int32_t segments, modes;
    double length, tension, density, stiffness, area_stiffness; // m, N, kg/m, N m^2, EA in N
    double base, bend;                                          // N, the tension of bend = 1; bend
    const char* key;       // that an input moves, tension or bend; NULL: none
    bool bends;            // .. which is bend
    double low, top;       // N, from where to where; else the tension itself
    double s0, s1;         // 1/s, m^2/s
    double h, gamma, used; // m, -, EI' in N m^2
    double root;   // tuned implicit: what is at its points is u - root dxx u, see sis_compile_end
    double mirror; // u beyond an end is mirror times that before it
    bool fitted;   // .. found for the clamps to ring as they should
    double s0_used, s1_used; // 1/s, m^2/s, for which its partials decay as they should
    double margin, h_min;
    double stop, stop_share, stop_fall; // m, -, -: where a stop ends it (compile/string_stop.c)
    double* sine;                       // modal: sin(pi j/N) for j < 2 N ..
    string_mode* mode;                  // .. or, clamped, its modes
} string_spec;

// How many modes its model has: one for each degree of freedom.
static inline int32_t sis_string_modes(const string_spec* f) {
    return f->model == SIS_STRING_MODAL ? f->modes : f->segments - 1;
}

// A mode of a plate: rad/s, half waves along x and y.
typedef struct plate_mode {
    double w;
    int32_t m, l;
} plate_mode;

// What makes the eigenvalues of a plate from those of its lines, see compile/plate_tuning.c: 1/s^2
// for X and Y in 1/m^2.
typedef struct plate_poly {
    double x, x2, y, y2;
} plate_poly;

typedef struct plate_tuning {
    double ax, ay;
    plate_poly bends, pulls;
} plate_tuning;

typedef struct plate_spec {
    body_spec spec;
    sis_plate_model model;
    bool tuned;
    plate_tuning tuning;
    sis_ends edge;
    int32_t nx, ny, modes;
    double length, width, tension, density, stiffness; // m, m, N/m, kg/m^2, N m
    bool live;                                         // an input moves its tension ..
    double low, top;                                   // .. from here to there, N/m
    double share;                                      // of its tuning, see compile/plate_tuning.c
    double s0, s1, margin;
    plate_mode* list; // modal
} plate_spec;

typedef struct modal_spec {
    body_spec spec;
    int32_t modes, points;
    const double* shape;     // [points][modes]
    const double* frequency; // Hz
} modal_spec;

// A run of nodes 1 .. N - 1 of a grid with weights, about a place on it.
enum { STENCIL = 8 };
typedef struct grid_stencil {
    int32_t first, count;
    double weight[STENCIL];
} grid_stencil;
grid_stencil sis_stencil_at(double length, int32_t N, sis_ends ends, double at, int32_t order);
grid_stencil sis_string_stencil(const string_spec* f, double at, int32_t order);

// The weight of mode i at a place of a modal string or plate; all weights of a place: what classes
// have as `weigh`.
double sis_string_weight(const body_spec* spec, int32_t i, sis_place at);
double sis_plate_weight(const body_spec* spec, int32_t i, sis_place at);
int32_t sis_string_weigh(const body_spec* spec, sis_place at, int32_t order, double* weight,
                         int32_t* index);
int32_t sis_plate_weigh(const body_spec* spec, sis_place at, int32_t order, double* weight,
                        int32_t* index);
// Where a stop on a string is put so that its sounding part ends at x.
double sis_stop_place(const body_spec* spec, double x, int32_t order, sis_sounding sounding);

// A bow: its gesture.
typedef struct bow_gesture {
    int32_t link; // position
    sis_envelope force, velocity;
    live_number live_force, live_velocity; // factors of them; 1 where they follow no input
    int32_t trigger;                       // input whose blows start both again; -1: none
    bool timed;                            // one of them changes with time
    friction_law friction;
} bow_gesture;

// Gravity that follows an input: N on each degree of freedom for 1 m/s^2.
typedef struct live_gravity {
    live_number g;
    double* weight;
} live_gravity;

// An input: where it starts, its range, how many samples it takes to a new value.
typedef struct input_spec {
    double start, min, max;
    uint64_t steps;
    bool trigger;
    bool direct; // neither: it is at once what it is given
} input_spec;

struct state_view;
struct live_binding;

// A kind of constant that moves (step/live.c). `system` is the copy that belongs to the call.
typedef struct live_class {
    // The constants for a value.
    void (*set)(sis_system* system, const struct live_binding* b, double value);
    // The same while it sounds: the state, whose constants these were, takes them on. Returns what
    // that supplies, J.
    double (*move)(sis_system* system, const struct live_binding* b, double value,
                   struct state_view* view);
    // What `set` has left to do when all values are set (`all`), or this one; NULL: nothing.
    void (*finish)(sis_system* system, const struct live_binding* b, bool all);
    bool body; // it gives a group of bodies data of its own in the copies
} live_class;

// A constant that follows an input.
typedef struct live_binding {
    const live_class* class;
    live_number number;
    double low, high; // its range
    int32_t target;   // group of bodies, or contact, spring or bow of the scene, or probe
    int32_t side;     // of a contact: 0 below, 1 above; 2 both
    int32_t every;    // it moves in samples that this divides; 0: in all
    size_t room;      // where its own numbers are in the copies, bytes, and
    const void* spec; // .. what it needs to make them
} live_binding;

// Constants that are expensive to move do so in samples that this divides.
enum { LIVE_HOLD = 32 };

// Which lists of a system a call copies, because some of what is in them moves.
typedef struct live_copies {
    bool bodies, laws, links, blocks, readers;
    bool held;  // some move every LIVE_HOLD samples only
    bool whole; // some change what others are made of: all are set in each call
    size_t body_groups, contacts, network, lines, block_list, compliance, reader_list; // bytes
} live_copies;

// A block of which a call copies more than its own row of the list: where, in bytes; 0: not that.
typedef struct live_block {
    int32_t block;
    size_t G, G_size;           // its places move: G,
    size_t square, square_size; // .. also as a square
    size_t band, runs;          // its laws do: what points at them
} live_block;

// The lower bounds of a string that go with a hand: what is added to where the hand is.
typedef struct hand_bound {
    live_number place;    // m, of the hand
    int32_t first, count; // of the bounds
    const double* highest;
} hand_bound;

// Degrees of freedom of one group of bodies that links hold on to, counted from its first.
typedef struct dof_range {
    int32_t group, first, count;
} dof_range;

// A contact, spring or bow of the scene and its points.
typedef struct link_group {
    int32_t first, count; // links in order of appearance
    sis_contact_point* points;
} link_group;

// What the points of a group did in one sample.
typedef struct group_sample {
    double held; // J, by open points that give no force
    uint32_t inside, iterations, powers;
    uint32_t unsolved; // points whose search has not converged
} group_sample;

// Work of one part so far, J: compensated sums, on a cache line of their own.
typedef struct part_sums {
    double supplied, supplied_rest;
    double dissipated, dissipated_rest;
    double pad[4];
} part_sums;

// Links of two parts lie so many places apart in rows over `padded`: kernels over lanes write back
// what they find up to LINE_BEHIND places behind a line, and another thread may be at work there.
enum { PART_GAP = 8 };
_Static_assert((int)PART_GAP >= (int)LINE_BEHIND && (int)PART_GAP >= (int)PROFILE_PAD,
               "lanes stay within the gap");

// Energies of so many frames wait for those of the other parts.
enum { PART_FRAMES = 64 };

typedef enum state_row {
#define ROW(where, name, type, count, unit, doc) ROW_##where##_##name,
#include "step/layout.def"
#undef ROW
    ROW_COUNT
} state_row;

// Bodies that no link joins may be stepped apart (compile/parts.c). A system of several parts has a
// sis_system for each: the same arrays, but in the lists from `alive` to `heard` only what is in
// the part. A system of one part is that part.
struct sis_system {
    sis_arena arena;
    int32_t part_count;
    struct sis_system* parts; // NULL: one
    int32_t* part_of;         // of each contact, spring or bow of the scene
    int32_t part;             // of a part: which it is,
    int32_t link_first;  // .. its first link, by position: its scratch for blocks begins there,
    size_t matrix_first; // .. where that for matrices does,
    size_t panel_first;  // .. and for panels of wide blocks
    int32_t* order;      // in which parts are handed out
    int32_t flag_count;  // flags of groups of bodies,
    int32_t flag_stride; // .. of which each part has its own, on cache lines of its own
    int32_t part_room;   // energies of frames that wait for other parts
    double rate, k;      // Hz, s
    int32_t lanes;       // numbers side by side in kernels
    bool audit;          // are supplied and dissipated energy recorded?
    int32_t dof_count;
    int32_t body_group_count;
    body_group* body_groups;
    int32_t alive_count;
    int32_t* alive;    // body_groups that are not empty
    bool all_deferred; // do all of them defer their loss?
    bool timed;        // does any look at the clock?
    int32_t bow_count;
    int32_t* bow_at; // which bows
    bow_gesture* bows;
    bool bows_move;   // does the gesture of any change with time?
    bool bows_follow; // .. with an input?
    int32_t range_count;
    dof_range* ranges;
    double* weight; // N, gravity on each degree of freedom
    int32_t gravity_count;
    live_gravity* gravities; // those that follow inputs
    int32_t input_count;
    input_spec* inputs;
    sis_input_info* input_info;
    int32_t live_count;
    live_binding* live;
    live_copies copies;
    int32_t live_block_count;
    live_block* live_blocks;
    const struct sis_system* started; // a copy with the constants of where inputs start
    size_t live_room;                 // bytes of all copies
    size_t live_scratch; // .. and where two vectors over the degrees of freedom are; 0: none
    int32_t source_count;
    force_source* sources;
    uint64_t forced_until; // the last sample in which one of them does anything
    bool pulled;           // gravity acts on strings or plates of points
    uint64_t acts_until;   // .. or anything else that can give energy
    network_dots dots;     // of its width
    int32_t link_count, block_count;
    network_link* links; // in block order
    network_block* blocks;
    int32_t padded; // links, and as many more as lanes may read behind the last
    contact_law*
        contacts;        // of each contact, spring or bow of the scene; those of contacts are used
    double* compliance;  // m/N, G of each link
    double* line_offset; // m, of each: eta = offset + u_below - u_above, of points in lines
    int32_t line_first, line_count, other_count;
    contact_line* lines;
    int32_t* others;  // blocks that are not in a line
    int32_t* line_of; // of each link, by position; -1: in none
    int32_t* block_of;
    int32_t awake_words; // of all lines
    int32_t tracked_count;
    int32_t* tracked; // groups of bodies whose largest increment some line asks for
    int32_t* link_at; // position of the i-th link in order of appearance
    int32_t* owner;   // group of each link, by position; -1: a tension modulation
    int32_t group_count;
    link_group* groups;
    int32_t counted_count;
    int32_t* counted; // groups whose reports end with a sample
    int32_t modulation_count;
    int32_t* modulations;    // positions of the tension modulations
    size_t matrix_size;      // entries of the largest profile
    size_t panel_size;       // of a panel of the largest wide block
    int32_t modulation_size; // degrees of freedom, if any string has tension modulation
    int32_t bound_size;      // lower bounds of all strings
    int32_t hand_bound_count;
    hand_bound* hand_bounds;
    const double* still_bound; // the bounds without those, if there are any
    int32_t probe_count;
    probe_reader* readers;
    int32_t heard_count;
    int32_t* heard;    // which probes
    double* first_row; // probe values of row 0
    double initial;    // J, total energy at the first half sample
    size_t offset[ROW_COUNT], state_size;
    void* image;   // the state before sample 0
    uint64_t mark; // tells this system from others: compile/compile.c
    int32_t body_count;
    sis_body_info* body_info;
    body_spec** bodies;       // their specifications
    sis_link_info* link_info; // in order of appearance
    sis_probe_info* probe_info;
};

// The flat block: this head, then the rows of layout.def.
struct sis_state {
    uint64_t samples;
    uint64_t turn;    // 1: the last increment is in the odd row
    uint64_t mark;    // of its system
    uint64_t refused; // calls of sis_step with another system
    uint64_t asleep;  // 1: it does not move any more, and
    double slept;     // J, what was dissipated then, with all that it still held
};

// Pointers into a state, made anew for each call.
typedef struct state_view {
    body_motion motion;
    network_work work;
    uint64_t* awake; // bits: is the point of a line to be looked at?
    uint64_t* near;  // which are, in this sample
    sleep_state *lines, *blocks;
    double* fastest; // m, largest increment of each group of bodies that is tracked
    sis_link_report* report;
    group_sample* sample;
    double* largest; // of each degree of freedom so far: step/step.c
    part_sums* sums; // of each part; in the view of a part: its own
    double* applied; // of each constant that moves
    char* room;      // copies of constants
    sis_energy* waiting;
    uint64_t samples; // done
    bool accumulated; // may a force in link_force be other than 0?
    bool moved;       // has an input in this sample?
} state_view;

state_view sis_view(const sis_system* system, const sis_state* state);

// Part p of a system, and how it sees the state: where its links and its scratch are.
static inline const sis_system* sis_part(const sis_system* system, int32_t p) {
    return system->parts ? &system->parts[p] : system;
}
state_view sis_part_view(const sis_system* part, const state_view* whole);

// The next increment becomes the last one.
static inline void sis_view_turn(state_view* view) {
    double* last = view->motion.d;
    view->motion.d = view->motion.next;
    view->motion.next = last;
}

// Where a line works.
static inline line_place sis_line_place(const contact_line* line, const state_view* view) {
    return (line_place){&view->motion, &view->work.memory, view->work.force,
                        view->awake + line->word, view->near + line->word};
}

// What a half sample holds: the sum over bodies and links of a part, and of all parts in turn.
sis_energy sis_part_stored(const sis_system* part, const state_view* view);
sis_energy sis_stored_energy(const sis_system* system, const state_view* view);

// Counts what link i did in sample n: force, depth, trapped energy; now memory->before = eta^n.
void sis_count_link(const sis_system* system, const state_view* view, int32_t i, uint64_t sample);
// The same of all points of a line.
void sis_count_line(const contact_line* line, const state_view* view, const line_tally* tally);
// Ends the reports of a sample over the points of each contact, spring or bow.
void sis_count_groups(const sis_system* system, const state_view* view);

// Does the state belong to the system? Whoever reads or writes it asks first.
static inline bool sis_belongs(const sis_system* system, const sis_state* state) {
    return system && state && state->mark == system->mark;
}

// eta^n of link i before the step of its sample, and after it.
double sis_eta_before(const sis_system* system, const state_view* view, int32_t i);
double sis_eta_after(const sis_system* system, const state_view* view, int32_t i);

// Gravity on a degree of freedom in this sample, N.
static inline double sis_weight_at(const sis_system* system, const state_view* view, int32_t dof) {
    double weight = system->weight[dof];
    for (int32_t i = 0; i < system->gravity_count; i++)
        weight +=
            live_at(system->gravities[i].g, view->motion.inputs) * system->gravities[i].weight[dof];
    return weight;
}

// What an end reads of two arrays: over lanes where it has many points.
SIS_INLINE network_pair sis_read_two(const sis_system* system, const network_end* end,
                                     const double* a, const double* b) {
    if (end->count < NETWORK_MANY || end->index || !end->weight) return network_read_two(end, a, b);
    return system->dots(end->weight, a + end->first, b + end->first, end->count);
}

// External forces of sample n; gravity alone is in the state from the start.
bool sis_apply_sources(const sis_system* system, const state_view* view, uint64_t n);

// Gestures (step/live.c), before sample n: inputs take the values of a row (NULL: they are as they
// were going), and what follows them moves on. Returns the system to make the sample with; what that
// supplies, J. `part`: the system of the sample before, `still`: as compiled.
const sis_system* sis_gesture(const sis_system* still, const sis_system* part, state_view* view,
                              const double* row, double* supplied);
// Whether any input moves by itself: it is on its way, or a blow waits.
bool sis_inputs_move(const sis_system* system, const state_view* view);
// The lower bounds of strings, where hands will be at the end of the sample.
void sis_move_bounds(const sis_system* system, const state_view* view);
// Gravity and constants take on what inputs have become; returns what that supplies, J. `live`: the
// system of sis_live_copy.
double sis_move_constants(sis_system* live, state_view* view);
// The system with the constants that a state has: a copy in that state, or one that all states share
// while they are where inputs start.
const sis_system* sis_live_system(const sis_system* system, const state_view* view);
// One whose constants may be moved: a copy, unless the scene has none that move.
sis_system* sis_live_copy(const sis_system* system, const state_view* view);
// Ends either: a state that nobody steps holds no pointer. Whoever made one calls this.
void sis_live_done(const sis_system* live, const state_view* view);

// What the tension of a string becomes when its key follows an input to `value`.
double sis_string_tension_at(const string_spec* f, double value);
// Tension of strings on grids (step/string_tension.c). EI' for a tension, and the constants that
// follow from both; the rows of A: main diagonal, then the two beside it.
double sis_string_stiffness(const string_spec* f, double tension, double k);
// Can a grid be corrected? None has a negative stiffness.
bool sis_string_corrects(const string_spec* f, double tension, double k);
void sis_string_tighten(const string_spec* f, double tension, double stiffness, double k,
                        string_group* s);
double sis_string_band(const string_spec* f, const string_group* s, int32_t i, int32_t count,
                       int off);

// Two constants of a string as its tension goes on by x from where it starts: zero + one x + two
// x^2.
typedef struct tension_curve {
    double zero[2], one[2], two[2];
} tension_curve;

// What moves the tension of a string on a grid. A trapezoid has a factor, and the links on it a G,
// that follow: where these are in the copies, bytes.
typedef struct string_tension {
    const string_spec* f;
    double start;                       // N, where it starts
    tension_curve update, pull, energy; // near and far, pull and bend, tension and stiffness
    int32_t pieces;                     // of the range, of a string whose clamps follow; else 0
    const double* tension;              // [pieces + 1], N
    const double* mirror;               // [pieces + 1]
    int32_t block;                      // of its links; -1: it has none
    const double* Dinv;                 // m/N, of each degree of freedom of a diagonal body
    size_t diagonal, step, tie, G, square, force, response;
} string_tension;
// For a string that starts with a value of its key, and has the constants of that.
string_tension sis_string_follow(const string_spec* f, double k, double start,
                                 const string_group* s);
extern const live_class sis_live_string, sis_live_trapezoid;

// What moves the stiffness of modes: between two tensions that of a mode lies on a curve with four
// control points (step/mode_tension.c).
enum { CURVE = 4 };
typedef struct mode_tension {
    const string_spec* f;  // NULL: of a plate, whose value is a tension
    int32_t count, pieces; // modes, pieces of the range
    const double* tension; // [pieces + 1]
    const double* control; // [pieces][CURVE][count], N/m
} mode_tension;
extern const live_class sis_live_modes;

// What moves the tension of a plate on a grid: its tuning at some tensions, straight between them
// (step/plate_tension.c). And the constants of a plate for a tension and a tuning.
typedef struct plate_tension {
    const plate_spec* f;
    int32_t pieces;
    const double* tension;      // [pieces + 1]
    const plate_tuning* tuning; // [pieces + 1]
} plate_tension;
extern const live_class sis_live_plate;
void sis_plate_tighten(const plate_spec* f, double tension, const plate_tuning* tuning,
                       plate_group* p);

// What each bow does in a sample.
void sis_set_bows(const sis_system* system, const state_view* view, uint64_t sample);

// Bows with method "linear" take the chord of their curve at the velocity of the last half sample.
void sis_move_linear_bows(const sis_system* system, const state_view* view);

// The columns of the tension modulations at u^n and the response to them.
void sis_modulation_columns(const sis_system* system, const state_view* view);
// Reads an array over the degrees of freedom at the ends of a link; adds its force f to one.
double sis_link_read(const network_link* link, const state_view* view, const double* values);
void sis_link_add_force(const network_link* link, const state_view* view, double f, double* force);
// Moves degrees of freedom that only this link holds; adds f to motion.link_force elsewhere, and
// returns whether it did.
bool sis_link_apply(const network_link* link, const state_view* view, double f);

// The force that probes and reports show: integrators of an impact have one of their own.
static inline double sis_shown_force(const network_link* link, const state_view* view, int32_t i) {
    bool impact = link->contact && contact_is_impact(link->contact);
    return impact ? view->work.memory.shown[i] : view->work.force[i];
}

// Shapes of bodies: what classes have as `shape`.
void sis_mass_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                    double* u);
void sis_string_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                      double* u);
void sis_plate_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                     double* u);
void sis_modal_shape(const sis_system* system, const body_spec* spec, const body_motion* motion,
                     double* u);

// What a probe reads before the step of its sample, and after it.
double sis_probe_before(const sis_system* system, const probe_reader* probe,
                        const state_view* view);
double sis_probe_after(const sis_system* system, const probe_reader* probe, const state_view* view);

#endif
