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

#endif
