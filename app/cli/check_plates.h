/** @file check_plates.h
 * What `sistrum check` says of plates, modal bodies and bows.
 */
#ifndef SISTRUM_CLI_CHECK_PLATES_H
#define SISTRUM_CLI_CHECK_PLATES_H

#include "job.h"

/** Model, grid, stiffness and losses of every plate. */
void tell_plates(const job* j);

/** Number of modes and places, and lowest and highest frequency, of every modal body. */
void tell_modal(const job* j);

/** Where every bow is, how hard it presses, and whether its force is unique. */
void tell_bows(const job* j);

#endif
