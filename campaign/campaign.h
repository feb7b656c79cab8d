/** @file campaign.h
 * Random scenes of contacts, and the laws that the default scheme must obey in every one of them.
 *
 *   seed, kind, index --draw--> trial (a scene, and the same as Lua) --judge--> verdict
 *
 * A trial depends on seed, kind and index only. The laws are explained in docs/campaigns.md.
 */
#ifndef SISTRUM_CAMPAIGN_H
#define SISTRUM_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "sistrum/sistrum.h"

// ---------------------------------------------------------------------------- dice

typedef struct dice {
    uint64_t state;
} dice;

uint64_t dice_next(dice* d);
/** Uniform in [0, 1). */
double dice_unit(dice* d);
/** Uniform, and uniform in the logarithm, between two numbers. */
double dice_even(dice* d, double low, double high);
double dice_log(dice* d, double low, double high);
/** 0 .. count - 1. */
int dice_pick(dice* d, int count);
bool dice_chance(dice* d, double probability);

// ---------------------------------------------------------------------------- trials

typedef enum trial_kind { SQUEEZED, STACKS, CHAINS, FRETTED, PRESSED, TRIAL_KINDS } trial_kind;

const char* trial_word(trial_kind kind);

/** Something a contact can press against: a mass, a string or a barrier. */
typedef struct thing {
    sis_id id;
    int probe;     // of its displacement; -1: none
    double height; // m, of a barrier
    bool moves;
    char name[8]; // in the Lua text
} thing;

enum { PAIRS_MOST = 48, PROBES_MOST = 64, TEXT_MOST = 24000 };

/** The ends of a contact, when both are masses or barriers: their order can be seen. */
typedef struct pair {
    thing above, below;
} pair;

typedef struct trial {
    trial_kind kind;
    uint64_t index;
    dice d;
    sis_scene* scene;
    double rate;  // Hz
    double nudge; // relative
    int32_t frames;
    int32_t probes, contacts, objects;
    pair pairs[PAIRS_MOST]; // of each contact
    char text[TEXT_MOST];   // the scene in Lua, in one line
    size_t used;
    sis_error error; // what could not be added
} trial;

/** Draws a scene; masses and plucks begin `nudge` (relative) from where they would. The caller
 * frees it with trial_free. */
void trial_draw(trial* t, uint64_t seed, trial_kind kind, uint64_t index, double nudge);
void trial_free(trial* t);

// Additions to a trial, to the scene and to its text.

typedef struct touch {
    double K, alpha, mu;
} touch;

thing trial_mass(trial* t, double mass, double position, double velocity, double damping);
thing trial_barrier(trial* t, double height);
/** `distributed`: along the string; else at x, where one of the two is a string. */
void trial_contact(trial* t, thing above, thing below, touch law, double x, bool distributed);
thing trial_string(trial* t, sis_string_def s);
void trial_push(trial* t, thing on, double x, double force);
void trial_pluck(trial* t, thing on, double x, double height);
void trial_gravity(trial* t, double g);
void trial_probe(trial* t, thing on, double x);

/** Numbers that all kinds draw alike. */
double draw_rate(dice* d);
double draw_alpha(dice* d);
double draw_mu(dice* d);
double draw_damping(const trial* t, dice* d);
double draw_hardest(dice* d);
touch draw_touch(dice* d, double low, double high);

void draw_fretted(trial* t);
void draw_pressed(trial* t);

// ---------------------------------------------------------------------------- verdicts

/** Relative errors of forces, counted by their logarithm. */
enum { ERRORS_PER_DECADE = 20, ERRORS_DECADES = 22, ERROR_BINS = 1 + ERRORS_PER_DECADE * 22 };

typedef struct histogram {
    uint64_t count[ERROR_BINS], total;
    double worst;
} histogram;

void histogram_add(histogram* h, double error);
void histogram_merge(histogram* into, const histogram* from);
/** The error that all but a fraction of 1 - part stay below; to a 20th of a decade. */
double histogram_quantile(const histogram* h, double part);

enum { WINDOWS = 64 };

/** What one run showed. */
typedef struct showing {
    double speed[WINDOWS]; // m/s, largest |u^{n+1} - u^n|/k of any probe in that part of the run
    double fastest;        // m/s
    double deep;           // largest phi(eta)/(2 available energy)
    int64_t deep_at;       // sample of the first one that breaks the law; -1: none
    double deepest;        // m
    double trapped;        // largest energy in open contacts without force, over the largest stored
    double pull;           // smallest force over the largest
    double residual;       // of the energy balance, over the scale of energies and of rounding
    double swap;           // largest overlap of two masses over the depth that energy allows
    int64_t swap_at;
    double touching; // part of the samples with a contact closed
    bool finite;
    histogram law; // errors of forces against their law
} showing;

/** Where a force was furthest off. */
typedef struct miss {
    double error;
    int64_t sample;
    int32_t link, point;
    double before, now, next; // m, eta^{n-1}, eta^n, eta^{n+1}
    double force, right;      // N
} miss;

typedef enum trial_law {
    LAW_BURST,
    LAW_DEEP,
    LAW_TRAPPED,
    LAW_PULL,
    LAW_RESIDUAL,
    LAW_SWAP,
    LAW_FINITE,
    LAW_COUNT
} trial_law;

const char* law_word(trial_law l);

typedef struct verdict {
    bool refused; // at compile: the scene cannot be run
    sis_error error;
    showing judged, reference;
    unsigned broken, reference_broken; // a bit for each law
    double woken;                      // largest speed over the fastest where the reference rests
    int rest_from;                     // first window in which the reference rests; WINDOWS: never
    uint64_t points, points_off;       // compared forces, and those off by more than FORCE_OFF
    miss first, worst;
    double gross; // largest error of a force over the largest force of its contact
    double seconds;
} verdict;

extern const double FORCE_OFF; // relative
extern const double GROSS;     // of the largest force of a contact
extern const double RESIDUAL;  // relative

/** Runs a trial with `scheme`, and `reference`, the same, with newton. */
void trial_judge(const trial* t, const trial* reference, sis_scheme scheme, verdict* v,
                 histogram* errors);

// ---------------------------------------------------------------------------- restitution

/** Prints the tables of exit speeds; false: some is off by more than it may be. */
bool restitution_run(sis_scheme scheme, bool table);

#endif
