/** @file levels.h
 * --normalise, --gain, --bits and the ending of -o: how loud and in which format a sound is
 * written.
 */
#ifndef SISTRUM_CLI_LEVELS_H
#define SISTRUM_CLI_LEVELS_H

#include "job.h"
#include "sound_file.h"

/** Do the options fit together? EXIT_DONE, or a complaint was made. */
int levels_check(const options* o);

/** The sound that the options ask for; the scene has the defaults. */
sis_sound_spec levels_spec(const job* j, const options* o, int32_t channels, uint64_t frames);

/** Where notes are played and normalised, the reference is that of the scene: the peak of its
 *  loudest key at velocity 1. Takes a moment. */
bool levels_reference(const job* j, const options* o, sis_sound_spec* spec, sis_fault* fault);

/** Cores of the machine, or as many threads as the options ask for. */
int32_t levels_threads(const options* o);

/** The line of the summary. */
void levels_tell(const sis_sound_spec* spec, const sis_sound_level* level);

/** A warning about samples that were clipped; quiet runs have it too. */
void levels_warn(const sis_sound_spec* spec, const sis_sound_level* level, const options* o);

#endif
