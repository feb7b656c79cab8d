/** @file probes.h
 * Probes that a picture or a comparison adds to a scene, with names that can be read: "velocity of
 * ball", "displacement of string1 at 0.9 L".
 */
#ifndef SISTRUM_OUT_PROBES_H
#define SISTRUM_OUT_PROBES_H

#include "fault.h"

#include <sistrum/sistrum.h>

/** Where strings are read, as a share of their length: near an end, and on no node of the first
 *  nine partials. */
#define SIS_PROBE_SHARE 0.9

/** Reads a body without places, or a contact. */
bool sis_probes_add(sis_scene* scene, sis_id on, sis_quantity quantity, sis_fault* fault);

/** Reads every mass and every string of the scene, each in all `count` quantities. The places on
 * the strings come from a compilation with `how`; strings are left out when that fails, since the
 * next compilation will say why. */
bool sis_probes_add_bodies(sis_scene* scene, const sis_options* how, const sis_quantity* quantities,
                           int count, sis_fault* fault);

/** The word for a quantity. Static text. */
const char* sis_quantity_word(sis_quantity quantity);

/** What a probe shows: "out: velocity of string1", or its name alone where that says it all. */
void sis_probe_title(const sis_probe_info* probe, char* text, size_t size);

#endif
