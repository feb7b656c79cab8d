/** @file probes.h
 * Probes that a picture or a comparison adds to a scene, with names that can be read: "velocity of
 * ball", "displacement of string1 at 0.9 L", "velocity of plate1 at 0.4 lx, 0.45 ly".
 */
#ifndef SISTRUM_OUT_PROBES_H
#define SISTRUM_OUT_PROBES_H

#include "fault.h"

#include <sistrum/sistrum.h>

/** Where strings are read, as a share of their length: near an end, and on no node of the first
 *  nine partials. */
#define SIS_PROBE_SHARE 0.9

/** And plates, as shares of their two sides: on no node of the lowest modes. */
#define SIS_PROBE_SHARE_X 0.4
#define SIS_PROBE_SHARE_Y 0.45

/** Reads a body without places, a contact or a bow. */
bool sis_probes_add(sis_scene* scene, sis_id on, sis_quantity quantity, sis_fault* fault);

/** Reads every body of the scene that moves, each in all `count` quantities: modal bodies at their
 * first place. The places on strings and plates come from a compilation with `how`; those are left
 * out when that fails, since the next compilation will say why. */
bool sis_probes_add_bodies(sis_scene* scene, const sis_options* how, const sis_quantity* quantities,
                           int count, sis_fault* fault);

/** Where bodies of a kind are read: " at 0.9 L", " at 0.4 lx, 0.45 ly", " at place 1" or "". Static
 * text. */
const char* sis_probe_where(sis_kind kind);

/** The word for a quantity. Static text. */
const char* sis_quantity_word(sis_quantity quantity);

/** What a probe shows: "out: velocity of string1", or its name alone where that says it all. */
void sis_probe_title(const sis_probe_info* probe, char* text, size_t size);

#endif
