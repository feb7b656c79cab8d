/** @file studies.h
 * What sistrum sweep does with databases: show and merge.
 */
#ifndef SISTRUM_CLI_STUDIES_H
#define SISTRUM_CLI_STUDIES_H

#include "options.h"

/** sistrum sweep show study.db. Returns the exit code. */
int studies_show(const options* o);

/** sistrum sweep merge study.db PART.db ... Returns the exit code. */
int studies_merge(const options* o);

/** Refuses an option that was typed and does nothing for a database: all but those `taken`, a list
 * that ends in NULL. `typed` is what it stands behind. */
int studies_check(const options* o, const char* typed, const char* const* taken);

/** Writes the rows of a database as CSV. Returns the exit code. */
int studies_export(const char* database, const char* csv);

#endif
