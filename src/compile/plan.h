// What the steps of sis_compile share while a scene becomes a system.
#ifndef SIS_PLAN_H
#define SIS_PLAN_H

#include "scene/scene.h"
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
    int32_t* dof;     // of each mass of the scene; -1: none
    int32_t* form;    // string, plate or modal body of each object of the scene; -1: none
    double* Dinv;     // m/N, of each degree of freedom of a diagonal body
    double* velocity; // initial, of each degree of freedom
    double* position;
    double* floor;            // m, what strings watch, of each side of four rungs
    double* eta;              // eta^0 of each link, in order of appearance
    const network_link* made; // links so far, in order of appearance
    int32_t made_count;
    sis_arena arena; // gone after compile
} compile_plan;

bool sis_compile_bodies(compile_plan* plan, sis_error* error);
// Grid, tuning and margin of a string, before there are degrees of freedom; then its constants.
bool sis_string_plan(compile_plan* plan, sis_id id, string_form* form, sis_error* error);
bool sis_string_build(compile_plan* plan, string_form* form, sis_error* error);
bool sis_plate_plan(compile_plan* plan, sis_id id, plate_form* form, sis_error* error);
// The lowest modes of a plate with supported edges, and how many.
int32_t sis_plate_modes(const plate_form* form, int32_t room, plate_mode* modes);
// The operator of a grid: tuned if it can be, with at least `least` of what reaches two points far,
// or as published; what it makes of X and Y; how stable it is.
bool sis_plate_tune(plate_form* form, double k, double least, sis_arena* arena, sis_error* error);
void sis_plate_untuned(plate_form* form);
double sis_plate_lap(const plate_tuning* t, double X, double Y);
double sis_plate_eigenvalue(const plate_tuning* t, double X, double Y);
double sis_plate_margin(const plate_form* form, double k);
double sis_plate_slack(const plate_form* form, double k);
// A tuned grid of many points, near `few` intervals along the shorter side and at most `most` along
// the longer one.
bool sis_plate_tuned_grid(plate_form* form, double k, double few, int32_t most, double most_points,
                          sis_arena* arena, sis_error* error);
bool sis_plate_build(compile_plan* plan, plate_form* form, sis_body_info* info, sis_error* error);
bool sis_modal_plan(compile_plan* plan, sis_id id, modal_form* form, sis_error* error);
bool sis_modal_build(compile_plan* plan, sis_id id, modal_form* form, sis_body_info* info,
                     sis_error* error);
// A bank of modes, and its i-th mode of mass kg, w rad/s, s 1/s; `exact`: it rings at just that.
mass_bank* sis_modes_take(compile_plan* plan, int32_t count, bool stretch, sis_error* error);
void sis_modes_set(mass_bank* m, int32_t i, double mass, double w, double s, double k, bool exact);
bool sis_compile_plucks(compile_plan* plan, sis_error* error);
// The point of a body at a place, with the weights that read and write it: `order` 0, 1 or 3
// between the nodes of a string.
bool sis_compile_end(compile_plan* plan, sis_id id, sis_place at, int32_t order, network_end* end,
                     sis_error* error);
bool sis_compile_links(compile_plan* plan, sis_error* error);
bool sis_compile_blocks(compile_plan* plan, const network_link* links, sis_error* error);
bool sis_compile_rows(compile_plan* plan, sis_error* error);
bool sis_compile_probes(compile_plan* plan, sis_error* error);
bool sis_compile_start(compile_plan* plan, sis_error* error);

// Partials of strings without losses, rad/s: what the string does; 0: cannot be found.
double sis_string_partial(const string_form* form, int32_t p);
double sis_string_first_turn(const string_form* f, const string_bank* s); // rad per step
bool sis_plate_partial(const sis_system* system, const plate_form* form, int32_t p, double* rings,
                       double* exact);
// Shape of the p-th mode of a string at x.
double sis_string_mode(const string_form* form, int32_t p, double x);

#endif
