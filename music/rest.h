/** @file rest.h
 * A scene at rest: the same bodies, contacts, probes and knobs, without what sounds by itself.
 */
#ifndef SISTRUM_MUSIC_REST_H
#define SISTRUM_MUSIC_REST_H

#include "sistrum/sistrum.h"

/** A copy of the scene in which nothing begins to sound: no plucks, no blows of its own, no initial
 * velocities; paths and strokes of bows are held at an end. [setup] What an input or a trigger moves
 * goes on to follow it. Objects keep their ids, so that sentences about them hold for both. The
 * caller frees it; profiles are those of `scene`. NULL: `error` says why.
 *
 *   masses    begin without velocity, on a spring at its middle, under gravity on what bears them;
 *             those that would fall for ever have no weight
 *   paths     without a trigger stay where they begin
 *   forces    without a trigger or an input are 0
 *   bows      that move wait: their strokes are over, or the input of their force begins at 0
 *   contacts  whose scheme cannot share its bodies are solved by `ledger`, for others will touch them
 */
sis_scene* sis_scene_at_rest(const sis_scene* scene, sis_error* error);

#endif
