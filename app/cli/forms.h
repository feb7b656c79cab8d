/** @file forms.h
 * What is known in closed form of the contacts of a scene.
 */
#ifndef SISTRUM_CLI_FORMS_H
#define SISTRUM_CLI_FORMS_H

#include "job.h"

/** Prints how a single mass on a wall would collide without gravity and springs: depth, time, exit
 *  speed. Adds to the scene, so it must be the last to read it. */
void tell_impacts(const job* j);

/** Prints whether the roots of contacts with scheme root stay real: K k^2/M and its limit for
 *  alpha = 1, and what a dry run met ([link_count] reports). */
void tell_roots(const job* j, const sis_link_report* reports);

#endif
