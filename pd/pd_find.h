/** @file pd_find.h
 * Scenes by name, for sistrum~: beside the patch, where Pd looks, then where everybody does.
 */
#ifndef SISTRUM_PD_FIND_H
#define SISTRUM_PD_FIND_H

#include <m_pd.h>
#include <stdbool.h>
#include <stddef.h>

/** The file of a scene, with or without .lua in its name; `own` is the folder of the object. False:
 * there is none. */
bool pd_find_scene(t_canvas* canvas, const char* own, const char* name, char* path, size_t room);

#endif
