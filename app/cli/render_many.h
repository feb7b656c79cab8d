/** @file render_many.h
 * Several scenes in one call of sistrum render: each into files of its own, in threads.
 */
#ifndef SISTRUM_CLI_RENDER_MANY_H
#define SISTRUM_CLI_RENDER_MANY_H

#include "options.h"

/** Whether the outputs are folders: for several scenes, and where a name ends with a slash. */
bool render_needs_folders(const options* o);

/** Renders every scene of o->words with `render`, --threads at a time. Each has its own script,
 *  system and state, so that the files do not depend on how many there are. What a scene has to say
 *  is said in the order of the scenes. A scene that fails does not stop the others; the exit code
 * is that of the first. */
int render_many(const options* o, int (*render)(const options* o));

#endif
