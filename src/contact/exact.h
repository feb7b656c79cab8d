// Exact contact flow of a single mass (or of two free masses in their relative coordinate).
//
// M x'' = -K x^alpha has one universal curve per alpha: x = X s(theta), theta = v t/X with
// X = (t E/K)^(1/t), v = sqrt(2 E/M) and s'^2 = 1 - s^t. The curve is tabled once, at compile.
#ifndef SIS_SCHEME_EXACT_H
#define SIS_SCHEME_EXACT_H

#include "contact/contact.h"

enum { EXACT_NODES = 512 };

typedef struct exact_table {
    double quarter;             // Theta: theta at the turning point, s = 1
    double s_end;               // end of the table over s
    double s[EXACT_NODES + 1];  // s(theta) and
    double c[EXACT_NODES + 1];  // c = s'(theta) on a grid of theta in [0, Theta]
    double sc[EXACT_NODES + 1]; // s''(theta) = -(t/2) s^alpha there
    double by_s[EXACT_NODES + 1], by_s_slope[EXACT_NODES + 1]; // theta over s in [0, s_end]
    double by_c[EXACT_NODES + 1], by_c_slope[EXACT_NODES + 1]; // Theta - theta over c
} exact_table;

void sis_exact_table_make(exact_table* table, double alpha);

// Where the flow of the contact alone takes (eta, speed) in `time`; `mass` is the relative mass.
typedef struct exact_point {
    double eta, speed, phi;
} exact_point;

exact_point sis_exact_flow(const power_law* law, const exact_table* table, double mass, double eta,
                           double speed, double phi, double time, contact_cost* cost);

// The force of one sample: kick by all other forces, then flow. Updates E, speed and mark.
double sis_exact_force(const power_law* law, const exact_table* table,
                       const contact_problem* problem, double k, const contact_memory* memory,
                       int32_t i, contact_cost* cost);

#endif
