/** @file csv.h
 * The energy balance of a run as text, one line per row:
 * time,kinetic,elastic,contact,supplied,dissipated,total,residual in seconds and joules.
 */
#ifndef SISTRUM_OUT_CSV_H
#define SISTRUM_OUT_CSV_H

#include "run.h"
#include "store.h"

#include <stdio.h>

typedef struct sis_csv {
    FILE* stream;
    sis_plan plan;
} sis_csv;

/** Writes the heading to a descriptor of sis_files_add. */
bool sis_csv_open(sis_csv* csv, int descriptor, const sis_plan* plan, sis_fault* fault);

/** Whether a path of energies asks for text: any ending but those of the other data files. */
bool sis_energy_is_text(const char* path);

/** Bytes of the file, at most. */
double sis_csv_bytes(const sis_plan* plan);

/** The sink. Energies live at half steps, so row n at (n + 1/2)/rate has an exact half step only
 *  for odd oversampling o; the step n o + (o - 1)/2 is taken and its own time is printed. */
sis_sink sis_csv_sink(sis_csv* csv);

/** Puts down where the file is, or goes on there. */
bool sis_csv_keep(sis_csv* csv, sis_store* store, sis_fault* fault);

/** Ends the file; false when not all of it could be written. */
bool sis_csv_close(sis_csv* csv, sis_fault* fault);

#endif
