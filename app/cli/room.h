/** @file room.h
 * How much the outputs of render take, to be asked for before anything is computed.
 */
#ifndef SISTRUM_CLI_ROOM_H
#define SISTRUM_CLI_ROOM_H

#include "job.h"
#include "space.h"

/** What one scene writes at most. Without a system, before it is compiled, every probe counts as a
 *  channel. */
void room_of_scene(const job* j, const options* o, sis_space* space);

/** The same for a song, of which only the notes are known: what rings on after the last of them
 *  comes on top. */
void room_of_song(const job* j, const options* o, double seconds, sis_space* space);

/** Is there room for all of the scenes, each with options of its own? EXIT_DONE, or a complaint was
 * made. A scene that does not load counts as nothing here: it will say why. */
int room_for_scenes(const options* (*each)(const void* self, int32_t i), const void* self,
                    int32_t count, int32_t threads);

#endif
