// What the plates of every width share, and the kind of each.
#ifndef SIS_BODY_PLATE_H
#define SIS_BODY_PLATE_H

#include "body/body.h"

// Plain C, the same at every width.
void sis_plate_give(const body_bank* bank, const body_motion* motion, int32_t first, int32_t count);
void sis_plate_admit(const body_bank* bank, const double* force, double* out);
void sis_plate_energy(const body_bank* bank, const body_motion* motion, double* kinetic,
                      double* elastic);
void sis_plate_energy_wide(const body_bank* bank, const body_motion* motion, double* kinetic,
                           double* elastic); // needs AVX2

// A kind, and how its banks advance when their losses are booked late.
typedef struct plate_width {
    body_kind kind;
    body_late late;
} plate_width;

extern const plate_width sis_plate_1, sis_plate_2, sis_plate_4;

#endif
