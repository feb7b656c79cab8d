/** @file scene_folders.h
 * Where scenes lie, for the program, the plugins and Pure Data. Not installed.
 *
 *   named      folders of $SISTRUM_SCENES, ':' between them (Windows: ';')
 *   beside     scenes/ in the folder of whoever asks; share/sistrum/scenes in a folder above it
 *   data       scenes/ of $SISTRUM_DATA; where it is not set, scenes/ of the source tree (which has
 *              repro/ too) that whoever asks was built in
 *   system     sistrum/scenes of $XDG_DATA_DIRS (/usr/local/share, /usr/share; Windows:
 *              %ProgramData%)
 *   user       sistrum/scenes of $XDG_DATA_HOME (~/.local/share; Windows: %APPDATA%)
 */
#ifndef SISTRUM_SCENE_FOLDERS_H
#define SISTRUM_SCENE_FOLDERS_H

typedef enum sis_folder_kind {
    SIS_FOLDER_NAMED,
    SIS_FOLDER_BESIDE,
    SIS_FOLDER_DATA,
    SIS_FOLDER_SYSTEM,
    SIS_FOLDER_USER,
} sis_folder_kind;

/** Calls `visit` with every such folder, in this order; those that are named may not exist. `start`
 * is the folder of whoever asks; NULL: unknown. [setup] */
void sis_scene_folders(const char* start,
                       void (*visit)(void* self, const char* folder, sis_folder_kind kind),
                       void* self);

#endif
