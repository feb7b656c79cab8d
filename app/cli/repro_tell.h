/** @file repro_tell.h
 * What `sistrum repro` prints: the list of items, and what an item found.
 */
#ifndef SISTRUM_CLI_REPRO_TELL_H
#define SISTRUM_CLI_REPRO_TELL_H

#include "study.h"

/** Prints the entries that are wanted, one a line. */
void tell_catalogue(const sis_catalogue* catalogue, const bool* wanted);

/** Prints the claims, choices and misprints of an item as tables. */
void tell_item(const json_t* item);

/** Prints how many claims of how many items came out how. */
void tell_counts(const json_t* results);

#endif
