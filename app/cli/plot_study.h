/** @file plot_study.h
 * sistrum plot study.db: pictures of a study.
 */
#ifndef SISTRUM_CLI_PLOT_STUDY_H
#define SISTRUM_CLI_PLOT_STUDY_H

#include "options.h"

/** Whether the file is a database. */
bool plot_is_study(const char* path);

/** Draws --y against --x, coloured by --colour. Returns the exit code. */
int plot_study(const options* o);

#ifdef SISTRUM_SWEEP

#include "chart.h"
#include "sweep_base.h"

/** Draws the way of a fit: distances and params over its runs. */
bool plot_fit(sis_base* base, const options* o, sis_fault* fault);

/** The unit of a param, as the scene in the manifest has it, or that of a measure. */
void plot_find_unit(sis_base* base, int32_t column, char unit[32]);

/** Draws into o->out. */
bool plot_chart(const sis_chart* chart, const options* o, sis_fault* fault);

#endif

#endif
