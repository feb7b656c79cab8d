/** @file check_strings.h
 * What `sistrum check` says of strings: their grids, losses and partials, and how deep what they
 * touch can get.
 */
#ifndef SISTRUM_CLI_CHECK_STRINGS_H
#define SISTRUM_CLI_CHECK_STRINGS_H

#include "job.h"
#include "table.h"

/** Model, grid, stiffness and losses of every string. */
void tell_strings(const job* j);

/** The first partials of every string and plate: what its model rings at, and what it should. */
void tell_partials(const job* j);

/** A row with the losses of a string or plate. */
void tell_loss(table* t, const sis_body_info* b);

/** Points, stiffness and depth of every contact at places. `energy` is that of the start, J. */
void tell_points(const job* j, double energy);

#endif
