// A law of contacts: one table of functions, sis_NAME_law, that a row LAW(NAME, name, word) of
// schema.def registers. It knows depths only, no time step. docs/architecture.md tells how to add
// one.
#ifndef SIS_LAW_CLASS_H
#define SIS_LAW_CLASS_H

#include "base/base.h"

enum { LAW_NUMBERS = 8 };

typedef struct law_class {
    // Which depth x it sees (law/law.h): SIS_LAW_ONE_SIDED, SIS_LAW_TWO_SIDED or
    // SIS_LAW_CENTRE_LIMITED, the mirrored forms.
    sis_law sides;

    // Sets the numbers that the functions below are given, up to LAW_NUMBERS, from a contact and
    // its K at one point. The sentence of a refusal does without the name of the contact. NULL: K
    // and alpha.
    bool (*make)(const sis_contact_def* def, double K, double* number, sis_error* error);

    // At a depth x > 0: phi, J, and its derivatives phi', N, and phi'', N/m. phi is convex, smooth,
    // and 0 with phi' at x = 0. [audio] NULL: the power law.
    double (*potential)(const double* number, double x);
    double (*force)(const double* number, double x);
    double (*slope)(const double* number, double x);
} law_class;

const law_class* sis_law_class(sis_law law);

#endif
