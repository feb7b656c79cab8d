/** @file collider.h
 * The body whose collisions are measured: which it is, and probes that watch it touch and leave.
 */
#ifndef SISTRUM_OUT_COLLIDER_H
#define SISTRUM_OUT_COLLIDER_H

#include "fault.h"

#include <sistrum/sistrum.h>

enum { SIS_COLLIDER_LINKS = 16 }; // contacts of one body that are watched

/** Where the probes of a collider are among those of a system. */
typedef struct sis_collider {
    char name[128];                      // of the body; "": there is none
    int32_t velocity;                    // its probe
    int32_t first_contact, last_contact; // probes of penetration: from the first, before the last
} sis_collider;

/** Adds probes to the scene, behind the `probe_count` that its system `model` has: the velocity of
 * the first probed mass that collides, or the first mass that does, and the penetration of each of
 * its contacts. [setup] */
bool sis_collider_watch(sis_scene* scene, const sis_system* model, int32_t probe_count,
                        sis_collider* collider, sis_fault* fault);

/** The largest penetration of its contacts, of a row of probes. [any] */
double sis_collider_deepest(const sis_collider* collider, const double* values);

#endif
